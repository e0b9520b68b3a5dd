//! The answers of the Language Server Protocol, version 3.17, that other front ends take as well,
//! under the names of its specification. What is absent in JSON is optional there.
//!
//! The crates that have all types of the protocol take longer to compile than the server itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A place in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Counted from 0.
    pub line: u32,
    /// In UTF-16 code units from the start of the line.
    pub character: u32,
}

/// A part of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    /// The first character.
    pub start: Position,
    /// Behind the last character.
    pub end: Position,
}

/// A part of a document, and which document that is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Location {
    /// The document.
    pub uri: String,
    /// The part.
    pub range: Range,
}

/// A text in the place of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextEdit {
    /// The text that goes; empty, if something is inserted.
    pub range: Range,
    /// The text that comes.
    pub new_text: String,
}

/// Changes of several documents, by their URIs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WorkspaceEdit {
    /// The changes of each document, none of which overlap.
    pub changes: BTreeMap<String, Vec<TextEdit>>,
}

/// A text in Markdown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MarkupContent {
    kind: &'static str,
    /// The text.
    pub value: String,
}

impl From<String> for MarkupContent {
    fn from(value: String) -> Self {
        Self { kind: "markdown", value }
    }
}

/// The explanation of a word.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Hover {
    /// The explanation.
    pub contents: MarkupContent,
    /// The word.
    pub range: Range,
}

/// A text that fits where the cursor is.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompletionItem {
    /// The text.
    pub label: String,
    /// The number of its kind, `CompletionItemKind`.
    pub kind: u8,
    /// Its parameters or its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Its explanation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation: Option<MarkupContent>,
    /// The change that puts it in.
    pub text_edit: TextEdit,
}

/// The operands of the statement or the call that the cursor is in.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SignatureHelp {
    /// There is one.
    pub signatures: [SignatureInformation; 1],
    /// Its number, 0.
    pub active_signature: u32,
    /// The number of the operand at the cursor. There may be no such operand.
    pub active_parameter: u32,
}

/// A statement or a call, as its definition shows it.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct SignatureInformation {
    /// Its name and its operands.
    pub label: String,
    /// Its explanation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation: Option<MarkupContent>,
    /// The operands, in order.
    pub parameters: Vec<ParameterInformation>,
}

/// An operand of a signature.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct ParameterInformation {
    /// Its part of the signature's label: the first UTF-16 code unit, and the one behind the last.
    pub label: [u32; 2],
}

/// Something that is wrong with a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// Its place.
    pub range: Range,
    /// 1 is an error, 2 a warning.
    pub severity: u8,
    /// The name of the warning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// Who says so: `gray1`.
    pub source: &'static str,
    /// What is wrong, and what could be done about it.
    pub message: String,
    /// Other places that have to do with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_information: Vec<DiagnosticRelatedInformation>,
    /// 1 marks what is not used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<u8>,
}

impl Diagnostic {
    /// An error of this wording, without anything else.
    #[must_use]
    pub fn error(range: Range, message: String) -> Self {
        let (related_information, tags) = (Vec::new(), Vec::new());
        Self { range, severity: 1, code: None, source: "gray1", message, related_information, tags }
    }
}

/// Another place that has to do with a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DiagnosticRelatedInformation {
    /// The place.
    pub location: Location,
    /// What it has to do with it.
    pub message: String,
}
