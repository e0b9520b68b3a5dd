//! The names that a library file offers to programs, with the comments of its author.

use super::index::{NameKind, Scope};
use super::program::Analysis;

/// A name that a library file defines for all files of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The kind of thing that has this name.
    pub kind: NameKind,
    /// The name.
    pub name: String,
    /// The line that defines it, without its comment.
    pub signature: String,
    /// The `;;` comments above the definition and on its line, one entry for each line.
    pub documentation: Vec<String>,
}

/// Returns the global names that a source defines, in source order. The source may have errors.
pub fn find_definitions(text: &str) -> Vec<Definition> {
    let analysis = Analysis::from_text(text);
    let offered = analysis.index.entities.iter().filter(|entity| {
        matches!(entity.scope, Scope::Global(_)) && entity.kind != NameKind::Parameter
    });
    offered
        .map(|entity| Definition {
            kind: entity.kind,
            name: entity.name.clone(),
            signature: analysis.signature(entity),
            documentation: analysis.captions(entity),
        })
        .collect()
}
