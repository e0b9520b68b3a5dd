//! Helpers that several tests share: the cases of `tests/sources/` (described in
//! `tests/sources.rs`), sources, and pieces of the language.
#![allow(dead_code, reason = "each test file uses only a part")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gray1_asm::{Assembly, InputFile, Loader, NoIncludes, Rendering, Source, assemble};
use gray1_isa::Image;

/// Makes a source from a string.
pub(crate) fn source(text: &str) -> Source {
    Source { id: "t".into(), name: "t.asm".into(), text: text.to_owned() }
}

/// Assembles a source without includes.
pub(crate) fn assembled(text: &str) -> Assembly {
    assemble(source(text), &mut NoIncludes)
}

/// Assembles a source and returns its image or its messages.
pub(crate) fn image(text: &str) -> Result<Image, String> {
    let Assembly { image, diagnostics, files, .. } = assembled(text);
    image.ok_or_else(|| Rendering::Plain.render(&diagnostics, &files))
}

/// Loads files from a function that maps names to contents. The name is the identity.
pub(crate) struct Texts<F>(pub(crate) F);

impl<F: FnMut(&str) -> Option<String>> Loader for Texts<F> {
    fn load(&mut self, _: &InputFile, name: &str) -> Result<Source, String> {
        let text = (self.0)(name).ok_or("no such file")?;
        Ok(Source { id: name.to_owned(), name: name.to_owned(), text })
    }
}

/// Returns all files of `tests/sources/`, each with its path.
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

/// The files of a case by name. The one without a name is assembled.
pub(crate) struct Case<'a> {
    pub(crate) title: &'a str,
    pub(crate) files: BTreeMap<&'a str, String>,
}

impl Case<'_> {
    /// Assembles a source that can include the files of this case.
    pub(crate) fn assemble(&self, source: Source) -> Assembly {
        assemble(source, &mut Texts(|name: &str| self.files.get(name).cloned()))
    }
}

/// Returns the cases of a file.
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

/// Returns valid and invalid pieces of the language: the lines of `tests/sources/` without their
/// expectations, complete and in parts.
pub(crate) fn pieces() -> Vec<String> {
    let mut pieces = BTreeSet::from(
        ["{n}", "0x7fffffffffffffff", "\\", "é", "\"", ".include \"é"].map(str::to_owned),
    );
    for (_, text) in sources() {
        for line in text.lines().filter(|line| !line.starts_with(";;;")) {
            let code = line.split("; = ").next().and_then(|line| line.split("; error: ").next());
            let code = code.unwrap_or_default().trim_end();
            pieces.extend(code.split_inclusive([' ', '(', ',']).map(str::to_owned));
            pieces.insert(format!("{code}\n"));
        }
    }
    pieces.into_iter().collect()
}

/// A pseudo-random generator (`SplitMix64`) that makes the same choices in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `end`, which must not be 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).unwrap()
    }

    /// Returns at most `count` of these items without repetition.
    pub(crate) fn some<T>(&mut self, mut from: Vec<T>, count: usize) -> Vec<T> {
        let mut chosen = Vec::new();
        while chosen.len() < count && !from.is_empty() {
            let at = self.below(from.len());
            chosen.push(from.swap_remove(at));
        }
        chosen
    }
}
