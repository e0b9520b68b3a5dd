//! The source files of a program, as presented to a client.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use gray1_debugger::LineChange;
use gray1_isa::Image;
use gray1_isa::text::printable;
use serde::Deserialize;
use serde_json::{Value, json};

use super::launch::Launcher;
use super::protocol::{Refusal, with};

/// The source files of a program, by their numbers in its source map.
pub(super) struct SourceFiles {
    /// The name of each file, and its path. The path is `None` for a built-in or missing file.
    files: Vec<(String, Option<PathBuf>)>,
    launcher: Rc<dyn Launcher>,
}

/// A source in the arguments of a request.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SourceArgument {
    pub(super) path: Option<String>,
    #[serde(default)]
    pub(super) source_reference: i64,
}

impl SourceArgument {
    /// The name of the source in breakpoints, as the client wrote it.
    pub(super) fn name(&self) -> String {
        match (&self.path, self.source_reference) {
            (Some(path), 0) => path.clone(),
            (_, reference) => name_for_reference(reference),
        }
    }
}

impl SourceFiles {
    /// Sources with these names and paths. A built-in file has no path.
    pub(super) fn new(files: Vec<(String, Option<PathBuf>)>, launcher: Rc<dyn Launcher>) -> Self {
        Self { files, launcher }
    }

    /// A file in the protocol's format. `client_path` is the path that the client uses for the
    /// file, if it differs from ours.
    pub(super) fn source(&self, file: u16, client_path: Option<&str>) -> Value {
        let (name, path) = &self.files[usize::from(file)];
        let name = printable(name);
        match path {
            Some(path) => {
                let path = client_path.map_or(path.as_path(), Path::new);
                let short = path.file_name().map_or(name.into(), |name| name.to_string_lossy());
                json!({ "name": short, "path": path.to_string_lossy() })
            }
            None => json!({ "name": name, "sourceReference": reference(file) }),
        }
    }

    /// All files in the protocol's format.
    pub(super) fn all(&self) -> Vec<Value> {
        (0..self.files.len() as u16).map(|file| self.source(file, None)).collect()
    }

    /// The file that a request names.
    pub(super) fn find(&self, source: &SourceArgument) -> Result<u16, Refusal> {
        let found = self.find_by_name(&source.name());
        found.ok_or_else(|| Refusal::new("the program has no such source"))
    }

    /// The file that breakpoints refer to by this name.
    pub(super) fn find_by_name(&self, name: &str) -> Option<u16> {
        let identity = |path: &Path| self.launcher.identity(path);
        let wanted = identity(Path::new(name));
        let found = (0..).zip(&self.files).find(|(number, (_, path))| match path {
            Some(path) => identity(path) == wanted,
            None => name_for_reference(reference(*number)) == name,
        });
        found.map(|(file, _)| file)
    }

    /// How a file has changed since the program was assembled from it.
    pub(super) fn line_change(&self, image: &Image, file: u16) -> Option<LineChange> {
        let (_, path) = &self.files[usize::from(file)];
        let now = self.launcher.read(path.as_deref()?).unwrap_or_default();
        let then = image.source_map().files()[usize::from(file)].lines.text();
        LineChange::find(then, &now)
    }

    /// The contents of a file.
    pub(super) fn read(&self, image: &Image, source: &SourceArgument) -> Result<Value, Refusal> {
        let file = self.find(source)?;
        let text = image.source_map().files()[usize::from(file)].lines.text();
        Ok(with(json!({ "mimeType": "text/x-asm" }), "content", text.into()))
    }
}

/// The name of a file that a client knows only by its number.
fn name_for_reference(reference: i64) -> String {
    format!("#{reference}")
}

/// The number of a file in the protocol, where 0 means none.
fn reference(file: u16) -> i64 {
    i64::from(file) + 1
}
