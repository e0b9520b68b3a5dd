//! Code lenses: commands above the start of a program. The client runs them, because they need its
//! terminal or debugger.

use gray1_asm::FileId;
use gray1_programs::testing::{TEST_SUFFIX, TestFile};
use serde_json::{Value, json};

use super::documents::Documents;
use super::positions;
use super::protocol::Range;
use super::uri::path_from_uri;
use super::view::View;
use crate::settings::ProgramSettings;

impl View<'_> {
    /// The lenses of a program that is saved in a file. A library has no lenses. The path must be
    /// UTF-8, like all JSON. The arguments of a lens include the settings that the server uses for
    /// the program.
    pub(super) fn lenses(&self, uri: &str, documents: &Documents) -> Option<Vec<Value>> {
        let Documents { saved, settings, .. } = documents;
        let path = path_from_uri(uri).filter(|path| path.to_str().is_some())?;
        let start = self.program.start().filter(|_| self.file == FileId::ROOT);
        let Some(start) = start else { return Some(Vec::new()) };
        let position = positions::position(self.document(), start.span.start);
        let range = Range { start: position, end: position };
        let ProgramSettings { include, machine, .. } = settings.at(&path);
        let include = include.iter().map(|folder| folder.to_string_lossy()).collect::<Vec<_>>();
        let mut arguments = json!(settings.fields);
        for (name, absolute) in [("include", json!(include)), ("board", json!(machine.board))] {
            arguments.get_mut(name).into_iter().for_each(|path| *path = absolute.clone());
        }
        arguments["program"] = json!(path);
        let lens = |title: String, command: &str, arguments: &Value| {
            let command = json!({ "title": title, "command": command, "arguments": [arguments] });
            json!({ "range": range, "command": command })
        };
        let mut lenses = vec![lens("Debug".to_owned(), "gray1.debug", &arguments)];
        let tests = path.with_extension(&TEST_SUFFIX[1..]);
        if let Some(source) = saved.source(&tests) {
            arguments["tests"] = json!(tests);
            lenses.push(lens(title_of_tests(&source.text), "gray1.test", &arguments));
        }
        Some(lenses)
    }
}

/// The title of the lens that runs a test file, with the number of cases if it can be read.
fn title_of_tests(text: &str) -> String {
    match TestFile::read(text).map(|tests| tests.cases.len()) {
        Err(_) => "Run tests".to_owned(),
        Ok(1) => "Run 1 test".to_owned(),
        Ok(count) => format!("Run {count} tests"),
    }
}
