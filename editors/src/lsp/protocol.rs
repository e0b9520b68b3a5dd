//! The types of the Language Server Protocol, version 3.17, that other front ends also use, under
//! the names of its specification. A member is absent from the JSON if its value is `None` or an
//! empty list.
//!
//! The types are defined here because the crates with all types of the protocol take longer to
//! compile than the server itself.

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
    /// The position after the last character.
    pub end: Position,
}

/// A part of a document, with the document's URI.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Location {
    pub uri: String,
    pub range: Range,
}

/// A replacement of a part of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextEdit {
    /// The part to replace. Empty for an insertion.
    pub range: Range,
    /// The replacement.
    pub new_text: String,
}

/// Changes of several documents, by their URIs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WorkspaceEdit {
    /// The changes of each document. They do not overlap.
    pub changes: BTreeMap<String, Vec<TextEdit>>,
}

/// A string in Markdown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MarkupContent {
    kind: &'static str,
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
    pub contents: MarkupContent,
    /// The word in the document.
    pub range: Range,
}

/// A proposed completion at the cursor.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompletionItem {
    /// The string shown in the list.
    pub label: String,
    /// The number of its kind, `CompletionItemKind`.
    pub kind: u8,
    /// Its parameters or its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Its explanation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation: Option<MarkupContent>,
    /// The change that inserts it.
    pub text_edit: TextEdit,
}

/// The signature of the statement or the call at the cursor.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SignatureHelp {
    /// Always one.
    pub signatures: [SignatureInformation; 1],
    /// Always 0, the index of the only signature.
    pub active_signature: u32,
    /// The index of the operand at the cursor. It may be past the last operand.
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
    /// Its range in the signature's label: the first UTF-16 code unit, and the one after the last.
    pub label: [u32; 2],
}

/// An edit that applies the suggestion of a diagnostic. Only the web page uses this form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fix {
    /// What it does, such as ``Change `3` to `#3` ``.
    pub title: String,
    /// The document that it changes.
    pub uri: String,
    pub edit: TextEdit,
}

/// An error or a warning in a document.
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
    /// The tool that reports it: `gray1`.
    pub source: &'static str,
    /// The message, with the help.
    pub message: String,
    /// The notes with a place that the client can show, including the macro calls and includes that
    /// led to the problem.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_information: Vec<DiagnosticRelatedInformation>,
    /// 1 marks unused code.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<u8>,
}

impl Diagnostic {
    /// An error with this message and no other details.
    pub fn error(range: Range, message: String) -> Self {
        Self {
            range,
            severity: 1,
            code: None,
            source: "gray1",
            message,
            related_information: Vec::new(),
            tags: Vec::new(),
        }
    }
}

/// A place that is related to a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DiagnosticRelatedInformation {
    pub location: Location,
    /// How it is related.
    pub message: String,
}
