//! A file of an export.

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportFile {
    /// Its name; behind that of a folder, if it belongs into one.
    pub name: String,
    /// Its bytes.
    pub contents: Vec<u8>,
}

impl ExportFile {
    pub(super) fn new(name: impl Into<String>, contents: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), contents: contents.into() }
    }
}
