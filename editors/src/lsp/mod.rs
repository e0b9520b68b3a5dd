//! The language server: the Language Server Protocol, version 3.17.
//!
//! A [`Server`] keeps the open documents (`documents`) and the programs that they belong to
//! (`workspace`). It answers requests from a [`View`], which is a document in its program. There is
//! a file for each kind of answer. A front end with its own editor, such as the web page, makes
//! views itself.

mod answers;
mod capabilities;
mod client;
mod completion;
mod diagnostics;
mod documents;
mod edits;
mod explanations;
mod fixes;
mod hints;
mod lenses;
mod message;
mod names;
mod outline;
mod positions;
mod program;
mod protocol;
mod saved;
mod server;
mod tokens;
mod uri;
mod view;
mod workspace;

pub use protocol::{
    CompletionItem, Diagnostic, DiagnosticRelatedInformation, Fix, Hover, Location, MarkupContent,
    ParameterInformation, Position, Range, SignatureHelp, SignatureInformation, TextEdit,
    WorkspaceEdit,
};
pub use saved::SavedFiles;
pub use server::Server;
pub use tokens::SemanticToken;
pub use view::{Uris, View};
