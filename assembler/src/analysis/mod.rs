//! What an editor asks about a program: what stands at a place, where else it stands, what could
//! stand there.
//!
//! Two sources answer. The `index` of names is read off the text and knows every place. The
//! expansion knows the values, addresses and costs of the places it passed through (`Facts`).
//! Neither needs a program without errors.

mod complete;
mod hover;
mod includes;
mod index;
mod library;
mod program;
mod rename;
mod walk;

pub use complete::{Completion, CompletionKind, Completions};
pub use hover::Hover;
pub use includes::included_names;
pub use index::{Fold, NameKind};
pub use library::{Definition, definitions};
pub use program::Analysis;
pub use rename::CannotRename;
