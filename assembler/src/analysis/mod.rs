//! The analysis of a program for editors. It answers requests for hovers, definitions, references,
//! completions, renames, outlines, signatures and hints, and lists the names of a library file.
//!
//! The `index` is made from the syntax tree and knows every place of a name. The `Facts` are the
//! values, addresses and costs that placing and linking found. Both also exist for programs with
//! errors.

mod complete;
mod hints;
mod hover;
mod includes;
mod index;
mod library;
mod outline;
mod program;
mod rename;
mod signature;
mod tokens;
mod walk;

pub use complete::{Completion, CompletionKind, Completions};
pub use hints::{Hint, HintKind};
pub use hover::Hover;
pub use includes::included_names;
pub use index::{Fold, NameKind};
pub use library::{Definition, find_definitions};
pub use outline::OutlineItem;
pub use program::Analysis;
pub use rename::{CannotRename, rename_in};
pub use signature::Signature;
pub use tokens::{MeaningfulToken, TokenClass};
