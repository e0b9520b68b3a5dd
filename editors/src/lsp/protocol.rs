//! What the server says in the Language Server Protocol, version 3.17. The names are those of the
//! specification; what is left out there is optional.
//!
//! Only what some client is told has a type here. The crates with all types of the protocol take
//! longer to compile than the server itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A place in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Position {
    /// Counted from 0.
    pub(super) line: u32,
    /// In UTF-16 code units from the start of the line.
    pub(super) character: u32,
}

/// A part of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Range {
    pub(super) start: Position,
    /// Behind the last character.
    pub(super) end: Position,
}

/// A part of a document, and which document that is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Location {
    pub(super) uri: String,
    pub(super) range: Range,
}

/// A text in the place of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextEdit {
    pub(super) range: Range,
    pub(super) new_text: String,
}

/// Changes of several documents, by their URIs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct WorkspaceEdit {
    pub(super) changes: BTreeMap<String, Vec<TextEdit>>,
}

/// A text in Markdown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct MarkupContent {
    kind: &'static str,
    pub(super) value: String,
}

impl From<String> for MarkupContent {
    fn from(value: String) -> Self {
        Self { kind: "markdown", value }
    }
}

/// The explanation of a word.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Hover {
    pub(super) contents: MarkupContent,
    /// The word.
    pub(super) range: Range,
}

/// A text that fits where the cursor is.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompletionItem {
    pub(super) label: String,
    pub(super) kind: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) detail: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) documentation: Option<MarkupContent>,
    pub(super) text_edit: TextEdit,
}

/// The operands of the statement or the call that the cursor is in.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SignatureHelp {
    /// There is one.
    pub(super) signatures: [SignatureInformation; 1],
    pub(super) active_signature: u32,
    /// The number of the operand at the cursor. There may be no such operand.
    pub(super) active_parameter: u32,
}

/// A statement or a call, as its definition shows it.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct SignatureInformation {
    pub(super) label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) documentation: Option<MarkupContent>,
    pub(super) parameters: Vec<ParameterInformation>,
}

/// An operand of a signature.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct ParameterInformation {
    /// Its part of the signature's label: the first UTF-16 code unit, and the one behind the last.
    pub(super) label: [u32; 2],
}

/// Something that is wrong with a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Diagnostic {
    pub(super) range: Range,
    /// 1 is an error, 2 a warning.
    pub(super) severity: u8,
    /// The name of the warning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<&'static str>,
    pub(super) source: &'static str,
    pub(super) message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_information: Vec<DiagnosticRelatedInformation>,
    /// 1 marks what is not used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tags: Vec<u8>,
}

/// Another place that has to do with what is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct DiagnosticRelatedInformation {
    pub(super) location: Location,
    pub(super) message: String,
}
