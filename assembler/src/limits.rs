//! The limits that a source can reach: everything that can grow is bounded.

/// The most bytes of all files of a program together. The syntax tree takes up to fifty times
/// as much.
pub(crate) const SOURCE_BYTES_MAX: usize = 4 << 20;
/// The most lines of all files of a program together.
pub(crate) const SOURCE_LINES_MAX: usize = 1 << 18;
/// The longest line, in bytes.
pub(crate) const LINE_BYTES_MAX: usize = 4096;
/// The deepest nesting of brackets, `?:` and blocks: each level costs stack.
pub(crate) const NESTING_MAX: usize = 64;
/// The deepest nesting of operators; a sum of n terms is n - 1 deep.
pub(crate) const EXPRESSION_DEPTH_MAX: u32 = 256;

/// The deepest nesting of macro calls, repeats, `.if`s and includes while they expand.
pub(crate) const DEPTH_MAX: u32 = 256;
/// The most lines that macros and repeats may expand to: 32 for each word of program memory.
pub(crate) const LINES_MAX: u32 = 1 << 18;
/// The most symbols of a program, the local ones of every expansion included.
pub(crate) const SYMBOLS_MAX: usize = 1 << 18;
/// The most arguments of all macro calls of a program together.
pub(crate) const ARGUMENTS_MAX: usize = 1 << 20;
/// The most bytes of all names together that are built from numbers.
pub(crate) const BUILT_BYTES_MAX: usize = 16 << 20;
/// The most levels of operators that are active in functions that call each other: each costs
/// stack.
pub(crate) const FUNCTION_DEPTH_MAX: u32 = 512;
/// The most function calls of a program, so that every assembly ends.
pub(crate) const FUNCTION_CALLS_MAX: u32 = 1 << 20;
/// The most places that can call a routine: a byte tells them apart.
pub(crate) const CALL_SITES_MAX: usize = 256;
/// The largest variable or structure, in bytes: all of data memory.
pub(crate) const VARIABLE_BYTES_MAX: i64 = 8192;
/// The most times that a program is placed until its pool has the right size and its routines have
/// the right number of calls. The first placement finds the sizes and the second is right, or the
/// third if there are both. Only a program whose constants or calls depend on indexes that they
/// move needs more.
pub(crate) const PLACEMENTS_MAX: u32 = 6;

/// Program indexes and data addresses, as they are checked.
pub(crate) const ADDRESSES: (i64, i64) = (0, 8191);
/// The numbers that fit the low byte of an operand, with or without a sign.
pub(crate) const IMMEDIATES: (i64, i64) = (-128, 255);

/// The most errors that are kept: no reader wants more, and a file of garbage must not fill the
/// memory.
pub(crate) const ERRORS_MAX: usize = 1000;
/// The most warnings of a kind that are kept.
pub(crate) const WARNINGS_MAX: usize = 100;
