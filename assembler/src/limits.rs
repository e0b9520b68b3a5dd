//! Limits on everything that a source can make large, so that every assembly ends.

/// The maximum total size of the files of a program, in bytes. The syntax tree takes up to fifty
/// times as much.
pub(crate) const SOURCE_BYTES_MAX: usize = 4 << 20;
/// The maximum total number of lines in the files of a program.
pub(crate) const SOURCE_LINES_MAX: usize = 1 << 18;
/// The maximum length of a line, in bytes.
pub(crate) const LINE_BYTES_MAX: usize = 4096;
/// The deepest nesting of brackets, `?:` and blocks. Each level takes stack.
pub(crate) const NESTING_MAX: usize = 64;
/// The deepest nesting of operators. A sum of n terms is n - 1 deep.
pub(crate) const EXPRESSION_DEPTH_MAX: u32 = 256;

/// The deepest nesting of macro calls, repeats, `.if`s and includes during expansion.
pub(crate) const DEPTH_MAX: u32 = 256;
/// The maximum number of lines that macros and repeats can expand to: 32 for each word of program
/// memory.
pub(crate) const LINES_MAX: u32 = 1 << 18;
/// The maximum number of symbols of a program, including the local ones of every expansion.
pub(crate) const SYMBOLS_MAX: usize = 1 << 18;
/// The maximum total number of arguments in the macro calls of a program.
pub(crate) const ARGUMENTS_MAX: usize = 1 << 20;
/// The maximum total length of the names built from numbers, in bytes.
pub(crate) const BUILT_BYTES_MAX: usize = 16 << 20;
/// The maximum total number of operator levels in active functions that call each other. Each level
/// takes stack.
pub(crate) const FUNCTION_DEPTH_MAX: u32 = 512;
/// The maximum number of function calls that are evaluated for a program.
pub(crate) const FUNCTION_CALLS_MAX: u32 = 1 << 20;
/// The maximum number of places that can call a routine. The number of a place has to fit in a
/// byte.
pub(crate) const CALL_SITES_MAX: usize = 256;
/// The maximum size of a variable or structure, in bytes: all of data memory.
pub(crate) const VARIABLE_BYTES_MAX: i64 = 8192;
/// The maximum number of attempts to place a program until its pool and the calls of its routines
/// have the right size. Usually the first placement finds the sizes and the second one uses them. A
/// program with both a pool and routines needs a third. A program needs more attempts only if its
/// constants or calls depend on indexes that they move.
pub(crate) const PLACEMENTS_MAX: u32 = 6;

/// The range of program indexes and data addresses.
pub(crate) const ADDRESSES: (i64, i64) = (0, 8191);
/// The range of immediate operands, which can be signed or unsigned bytes.
pub(crate) const IMMEDIATES: (i64, i64) = (-128, 255);

/// The maximum number of errors that are kept. Users do not read more, and a garbage file must not
/// fill the memory.
pub(crate) const ERRORS_MAX: usize = 1000;
/// The maximum number of warnings of each kind that are kept.
pub(crate) const WARNINGS_MAX: usize = 100;
