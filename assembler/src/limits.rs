//! All that can grow is bounded; here stand the bounds that a source can meet.

/// How many bytes all files of a program may have together. The syntax tree takes up to fifty times
/// as much.
pub(crate) const SOURCE_BYTES_MAX: usize = 4 << 20;
/// How many lines all files of a program may have together.
pub(crate) const SOURCE_LINES_MAX: usize = 1 << 18;
/// The longest line, in bytes.
pub(crate) const LINE_BYTES_MAX: usize = 4096;
/// How deep brackets, `?:` and blocks may be nested: each level costs stack.
pub(crate) const NESTING_MAX: usize = 64;
/// How deep operators may be nested; a sum of n terms is n - 1 deep.
pub(crate) const EXPRESSION_DEPTH_MAX: u32 = 256;

/// How deep macro calls, repeats, `.if`s and includes may be nested while they expand.
pub(crate) const DEPTH_MAX: u32 = 256;
/// How many lines macros and repeats may expand to: 32 for each word of program memory.
pub(crate) const LINES_MAX: u32 = 1 << 18;
/// How many symbols a program may define, the local ones of every expansion included.
pub(crate) const SYMBOLS_MAX: usize = 1 << 18;
/// How many arguments all macro calls of a program may have together.
pub(crate) const ARGUMENTS_MAX: usize = 1 << 20;
/// How many bytes all names that are built from numbers may have together.
pub(crate) const BUILT_BYTES_MAX: usize = 16 << 20;
/// How many levels of operators may be active in functions that call each other: each costs stack.
pub(crate) const FUNCTION_DEPTH_MAX: u32 = 512;
/// How many calls of functions a program may take, so that none takes for ever.
pub(crate) const FUNCTION_CALLS_MAX: u32 = 1 << 20;
/// From how many places a routine can be called: a byte says from which.
pub(crate) const CALL_SITES_MAX: usize = 256;
/// The largest variable or structure, in bytes: all of data memory.
pub(crate) const VARIABLE_BYTES_MAX: i64 = 8192;
/// How often a program is placed until its pool has the right size and its routines their bytes.
/// The first time finds out what there is, the second is right; a third is needed where both are
/// there. Only a program whose constants or calls depend on indexes that they move needs more.
pub(crate) const PLACEMENTS_MAX: u32 = 6;

/// Program indexes and data addresses, as they are checked.
pub(crate) const ADDRESSES: (i64, i64) = (0, 8191);
/// What fits the low byte of an operand, with or without a sign.
pub(crate) const IMMEDIATES: (i64, i64) = (-128, 255);

/// How many errors are kept: no reader wants more, and a file of garbage must not fill the memory.
pub(crate) const ERRORS_MAX: usize = 1000;
/// How many warnings are kept.
pub(crate) const WARNINGS_MAX: usize = 100;
