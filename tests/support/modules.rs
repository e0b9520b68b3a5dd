//! Which modules of a crate use which, found in its sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::rust::{self, Use};

/// The modules of a crate by path: `circuit`, `circuit::timed`; the root's path is empty.
pub(crate) struct Crate {
    modules: BTreeMap<String, Module>,
}

/// What the source of a module says of others, tests left out.
struct Module {
    /// By the name that is brought into scope: the path, and whether the name is handed on.
    names: BTreeMap<String, (Vec<String>, bool)>,
    /// The paths that are used in the code.
    paths: Vec<Vec<String>>,
    /// The words that are used in the code.
    words: BTreeSet<String>,
}

impl Crate {
    /// Reads the sources of a crate, by the path of each below `src`.
    ///
    /// A module whose name is `tests` is a test, and no part of the crate.
    pub(crate) fn new<'a>(sources: impl IntoIterator<Item = (PathBuf, &'a str)>) -> Self {
        let named = sources.into_iter().map(|(path, text)| (module_path(&path), text));
        let modules = named
            .filter(|(path, _)| !path.split("::").any(|part| part == "tests"))
            .map(|(path, text)| (path, Module::new(text)))
            .collect();
        Self { modules }
    }

    /// The modules that a module uses, without itself.
    ///
    /// A name that another module hands on (`pub use`) counts as used where it is defined; handing
    /// a name on is not a use of it.
    pub(crate) fn used_by(&self, path: &str) -> BTreeSet<&str> {
        let module = &self.modules[path];
        let is_used = |name: &str, is_public: bool| !is_public || module.words.contains(name);
        let brought = module.names.iter().filter(|(name, (_, public))| is_used(name, *public));
        let all = brought.map(|(_, (path, _))| path).chain(&module.paths);
        let mut used: BTreeSet<&str> = all.filter_map(|to| self.resolve(path, to)).collect();
        used.remove(path);
        used
    }

    /// The module in which a path ends; `None` outside the crate.
    fn resolve(&self, from: &str, path: &[String]) -> Option<&str> {
        let (first, rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => "",
            "self" => self.modules.get_key_value(from)?.0,
            "super" => self.modules.get_key_value(parent(from))?.0,
            name => self.named(from, name)?,
        };
        for segment in rest {
            at = match segment.as_str() {
                "super" => parent(at),
                // What names no module is defined in the last one.
                name => self.named(at, name).unwrap_or(at),
            };
        }
        Some(at)
    }

    /// The module that a name leads to: one below `at`, or where a name that `at` has brought into
    /// scope comes from.
    fn named(&self, at: &str, name: &str) -> Option<&str> {
        if let Some((below, _)) = self.modules.get_key_value(&joined(at, name)) {
            return Some(below);
        }
        // `use tempfile::tempfile` leads out of the crate, not to itself.
        let (path, _) = self.modules[at].names.get(name).filter(|(path, _)| path[0] != name)?;
        self.resolve(at, path)
    }

    /// The paths of all modules.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.modules.keys().map(String::as_str)
    }

    /// The largest sets of modules each of which uses all others of its set, directly or through
    /// others.
    pub(crate) fn circles(&self) -> Vec<BTreeSet<&str>> {
        let uses = self.paths().map(|path| (path, self.used_by(path))).collect();
        let reached: BTreeMap<&str, _> =
            self.paths().map(|path| (path, reached_from(path, &uses))).collect();
        let circle = |path: &&str| -> BTreeSet<&str> {
            let comes_back = |other: &&str| reached[other].contains(path);
            reached[path].iter().copied().filter(comes_back).collect()
        };
        let circles: BTreeSet<_> = reached.keys().map(circle).collect();
        circles.into_iter().filter(|circle| !circle.is_empty()).collect()
    }
}

/// All modules that a module uses, directly or through others; itself if it is among them.
fn reached_from<'a>(path: &str, uses: &BTreeMap<&str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<&str> = uses[path].iter().copied().collect();
    while let Some(next) = waiting.pop() {
        if reached.insert(next) {
            waiting.extend(&uses[next]);
        }
    }
    reached
}

impl Module {
    fn new(text: &str) -> Self {
        let tokens = rust::without_tests(&rust::tokens(text));
        let (uses, rest) = rust::uses(&tokens);
        let owned = |path: Vec<&str>| path.into_iter().map(str::to_owned).collect();
        let (mut names, mut paths) = (BTreeMap::new(), Vec::new());
        for Use { path, name, is_public } in uses {
            match name {
                "*" => paths.push(owned(path[..path.len() - 1].to_vec())),
                // `use Trait as _` brings no name into scope, and uses the trait all the same.
                "_" => paths.push(owned(path)),
                _ => drop(names.insert(name.to_owned(), (owned(path), is_public))),
            }
        }
        paths.extend(rust::paths(&rest).into_iter().map(owned));
        Self { names, paths, words: rest.iter().map(|token| token.text.to_owned()).collect() }
    }
}

/// The path of the module in a file below `src`: `circuit/mod.rs` holds `circuit`.
fn module_path(file: &Path) -> String {
    let parts = file.with_extension("");
    let parts: Vec<&str> = parts.iter().map(|part| part.to_str().expect("UTF-8")).collect();
    let named = match parts.as_slice() {
        ["lib" | "main"] => &[],
        [folder @ .., "mod"] => folder,
        all => all,
    };
    named.join("::")
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}::{name}") }
}

fn parent(path: &str) -> &str {
    path.rsplit_once("::").map_or("", |(parent, _)| parent)
}
