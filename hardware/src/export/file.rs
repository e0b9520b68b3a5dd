//! A file of an export.

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportFile {
    /// The name, with the folder if it belongs in one.
    pub name: String,
    /// The contents of the file. Text is encoded in UTF-8.
    pub contents: Vec<u8>,
}

impl ExportFile {
    pub(super) fn new(name: impl Into<String>, contents: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), contents: contents.into() }
    }
}
