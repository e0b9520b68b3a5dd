//! The sources of `tests/sources/`, case by case; `tests/sources.rs` says how they are written.

use std::collections::BTreeMap;
use std::path::Path;

use gray1_asm::{Loader, Source};

/// All files of `tests/sources/`, each with its path.
pub(crate) fn sources() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sources");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let sources: Vec<_> = entries
        .map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    let count = sources.iter().flat_map(|(_, text)| cases(text)).count();
    assert!(count > 80, "only {count} cases were found");
    sources
}

/// The files of a case by name; the one without a name is assembled.
pub(crate) struct Case<'a> {
    pub(crate) title: &'a str,
    pub(crate) files: BTreeMap<&'a str, String>,
}

impl Loader for &Case<'_> {
    fn load(&mut self, _: &str, name: &str) -> Result<Source, String> {
        let text = self.files.get(name).ok_or("no such file")?.clone();
        Ok(Source { id: name.to_owned(), name: name.to_owned(), text })
    }
}

/// The cases of a file.
pub(crate) fn cases(text: &str) -> Vec<Case<'_>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    let mut file = "";
    for line in text.lines() {
        if let Some(name) = line.strip_prefix(";;;; ") {
            file = name.trim();
        } else if let Some(title) = line.strip_prefix(";;; ") {
            file = "";
            cases.push(Case { title, files: BTreeMap::from([("", String::new())]) });
        } else if let Some(case) = cases.last_mut() {
            let text = case.files.entry(file).or_default();
            text.push_str(line);
            text.push('\n');
        }
    }
    cases
}
