//! The names that a file offers to programs that include it, with its author's comments.

use super::index::{Entity, Home, NameKind};
use super::program::Analysis;

/// A name that a file defines for all files of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The kind of thing that it names.
    pub kind: NameKind,
    /// The name.
    pub name: String,
    /// Its introduction: the line that defines it, without its comment.
    pub signature: String,
    /// The `;;` comments above the definition and behind it, a line each.
    pub documentation: Vec<String>,
}

/// The names that a text defines for all files of a program, in its order. The text may have
/// mistakes.
#[must_use]
pub fn definitions(text: &str) -> Vec<Definition> {
    let analysis = Analysis::of_text(text);
    let is_offered = |entity: &&Entity| {
        matches!(entity.home, Home::Everywhere(_)) && entity.kind != NameKind::Parameter
    };
    let offered = analysis.index.entities.iter().filter(is_offered);
    offered
        .map(|entity| Definition {
            kind: entity.kind,
            name: entity.name.clone(),
            signature: analysis.signature(entity),
            documentation: analysis.captions(entity),
        })
        .collect()
}
