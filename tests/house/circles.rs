//! Looks for circles of imports: files of a package that need each other, directly or through
//! other files.

use std::collections::{BTreeMap, BTreeSet};

use super::tokens::{end_of, tokens};
use super::{package_sources, packages};

/// The maximum number of files in a circle.
const FILES_MAX: usize = 3;

/// The words before the name of an item.
const DEFINING: &[&str] =
    &["const", "enum", "fn", "static", "struct", "trait", "type", "union", "macro_rules"];

/// A module's path inside its package.
type Path = Vec<String>;

/// A name that a file imports.
struct Import {
    name: String,
    target: Path,
    is_public: bool,
}

/// A file of a package.
#[derive(Default)]
struct Module {
    defined: BTreeSet<String>,
    imports: Vec<Import>,
    /// The words and paths in the file, except imports.
    used: BTreeSet<Path>,
}

impl Module {
    fn new(code: &str) -> Self {
        let tokens = tokens(code);
        let mut module = Self::default();
        let mut at = 0;
        while at < tokens.len() {
            let end = if tokens[at] == "use" && tokens[at + 1] != "<" {
                let end = end_of(&tokens, at, |token| token == ";");
                let is_public = at > 0 && matches!(tokens[at - 1], "pub" | ")");
                module.add_imports(&[], &tokens[at + 1..end - 1], is_public);
                end
            } else if tokens[at] == "(" && at > 0 && tokens[at - 1] == "pub" {
                end_of(&tokens, at, |token| token == ")")
            } else {
                let steps = tokens[at + 1..].chunks(2).take_while(|step| step[0] == "::");
                let end = at + 1 + 2 * steps.count();
                module.used.insert(path(&tokens[at..end.min(tokens.len())]));
                end
            };
            if DEFINING.contains(&tokens[at]) {
                module.defined.extend(tokens[at + 1..].iter().find(|it| **it != "!").map(owned));
            }
            at = end;
        }
        module
    }

    /// Adds the names of a `use`, which may be a tree.
    fn add_imports(&mut self, base: &[String], tree: &[&str], is_public: bool) {
        let start = tree.iter().position(|token| *token == "{").unwrap_or(tree.len());
        let renamed = tree[..start].iter().position(|token| *token == "as");
        let mut target = [base, &path(&tree[..renamed.unwrap_or(start)])].concat();
        if start == tree.len() {
            target.pop_if(|last| last == "self");
            let name = renamed.map_or(target.last().cloned(), |at| Some(tree[at + 1].to_owned()));
            self.imports.extend(name.map(|name| Import { name, target, is_public }));
            return;
        }
        let mut branches = &tree[start + 1..tree.len() - 1];
        while !branches.is_empty() {
            let end = end_of(branches, 0, |token| token == ",");
            let branch = &branches[..end];
            self.add_imports(&target, branch.strip_suffix(&[","]).unwrap_or(branch), is_public);
            branches = &branches[end..];
        }
    }
}

fn owned(word: &&str) -> String {
    (*word).to_owned()
}

fn path(tokens: &[&str]) -> Path {
    tokens.iter().filter(|token| **token != "::").map(owned).collect()
}

/// The modules of a package.
struct Modules(BTreeMap<Path, Module>);

impl Modules {
    /// Returns the module that defines what a path means in module `base`. Follows re-exports. A
    /// name that another module than `user` imports for itself counts as that module's own.
    ///
    /// Returns `None` for a module, and for what other packages define.
    fn find(&self, user: &Path, base: &Path, path: &[String]) -> Option<Path> {
        let mut found = base.clone();
        let mut rest = path;
        while let Some((first, after)) = rest.split_first() {
            match first.as_str() {
                "crate" => found.clear(),
                "super" => _ = found.pop(),
                "self" => {}
                _ => break,
            }
            rest = after;
        }
        let (name, after) = rest.split_first()?;
        let child = [found.as_slice(), std::slice::from_ref(name)].concat();
        if self.0.contains_key(&child) {
            return self.find(user, &child, after);
        }
        let module = self.0.get(&found)?;
        if module.defined.contains(name) {
            return Some(found);
        }
        module.imports.iter().find_map(|Import { name: imported, target, is_public }| {
            let target = match imported.as_str() {
                "*" => [&target[..target.len() - 1], rest].concat(),
                _ if imported == name => [target, after].concat(),
                _ => return None,
            };
            let definition = self.find(user, &found, &target)?;
            Some(if *is_public || found == *user { definition } else { found.clone() })
        })
    }

    /// Returns the modules whose items a module uses.
    fn used_by(&self, path: &Path) -> BTreeSet<Path> {
        let used = self.0[path].used.iter().filter_map(|used| self.find(path, path, used));
        used.filter(|used| used != path).collect()
    }
}

/// Returns the modules that a module uses, directly or through others.
fn reached_from<'a>(
    start: &'a Path,
    uses: &'a BTreeMap<&Path, BTreeSet<Path>>,
) -> BTreeSet<&'a Path> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![start];
    while let Some(path) = waiting.pop() {
        waiting.extend(uses[path].iter().filter(|used| reached.insert(*used)));
    }
    reached
}

/// Returns the circles of a package as lists of files, each with the files that it uses.
fn circles(package: &str) -> BTreeSet<Vec<String>> {
    let (folder, files) = package_sources(package);
    let sources = files.iter().filter(|file| !file.is_test()).map(|file| {
        let inside = file.path.strip_prefix(&format!("{folder}/")).unwrap().trim_end_matches(".rs");
        let mut path: Path = inside.split('/').map(str::to_owned).collect();
        path.pop_if(|last| matches!(last.as_str(), "mod" | "lib" | "main"));
        (path, Module::new(&file.text))
    });
    let modules = Modules(sources.collect());
    let uses: BTreeMap<&Path, BTreeSet<Path>> =
        modules.0.keys().map(|path| (path, modules.used_by(path))).collect();
    let reached: BTreeMap<&Path, BTreeSet<&Path>> =
        uses.keys().map(|path| (*path, reached_from(path, &uses))).collect();
    let circle = |path: &&Path| {
        let others = reached[*path].iter().filter(|other| reached[**other].contains(*path));
        others.map(|other| format!("{folder}/{}", other.join("/"))).collect::<Vec<_>>()
    };
    reached.keys().map(circle).filter(|circle| circle.len() > FILES_MAX).collect()
}

#[test]
fn circles_of_imports_have_at_most_three_files() {
    let circles: Vec<_> = packages().iter().flat_map(|package| circles(package)).collect();
    assert!(circles.is_empty(), "files that need each other: {circles:#?}");
}
