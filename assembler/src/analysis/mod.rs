//! The analysis of a program for editors: explanations, definitions, references, completion,
//! renaming, outlines, signatures, and what editors show beside and in the text. And the names that
//! a library file offers.
//!
//! The `index` of names is made from the text and knows every place of a name. `Facts` are the
//! values, addresses and costs that placing and linking found. Both exist for programs with errors,
//! too.

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
pub use library::{Definition, definitions};
pub use outline::OutlineItem;
pub use program::Analysis;
pub use rename::{CannotRename, rename_in};
pub use signature::Signature;
pub use tokens::{MeaningfulToken, TokenClass};
