//! The limits that messages quote.

/// The longest line, in bytes.
pub(crate) const LINE_BYTES_MAX: usize = 4096;
/// How deep brackets, `?:` and blocks may be nested: each level costs stack.
pub(crate) const NESTING_MAX: usize = 64;
/// How deep operators may be nested; a sum of n terms is n - 1 deep.
pub(crate) const EXPRESSION_DEPTH_MAX: u32 = 256;
