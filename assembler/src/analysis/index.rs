//! The index: every name in the files of a program, with its definitions and uses.
//!
//! The index is made from the syntax tree only. So it covers macros that are never called, branches
//! that are not taken, and lines that are still being typed. Names with numbers are identified by
//! their pattern: `row{n}` and `row{n + 1}` are the same entity, and `row3` belongs to it.

use std::cmp::Reverse;
use std::collections::HashMap;

use gray1_language::{Piece, split_pieces};

use crate::limits::LINE_BYTES_MAX;
use crate::source::{FileId, Location, Span};
use crate::symbols::Namespace;

/// The maximum number of comparisons of names with patterns. The limit keeps the analysis fast for
/// any source.
const COMPARISONS_MAX: usize = 1 << 20;

/// The kinds of named things in a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// A label: the index of an instruction.
    Label,
    /// A constant: a number.
    Constant,
    /// A variable: bytes of data memory.
    Variable,
    /// A `.struct`, a constant that holds its size.
    Structure,
    /// A variable inside a `.struct`. Its name is a constant with its offset.
    Field,
    /// A macro: lines that each call inserts.
    Macro,
    /// A routine: lines that calls jump to.
    Routine,
    /// A function: an expression with parameters.
    Function,
    /// A parameter of a macro, routine or function, or the index of a repeat.
    Parameter,
}

/// The position of an entity in [`Index::entities`].
pub(crate) type EntityId = usize;

/// A named thing, such as a label, a constant or a macro.
#[derive(Debug)]
pub(crate) struct Entity {
    pub(crate) kind: NameKind,
    /// The name as its first definition spells it. A field has its structure's name in front.
    pub(crate) name: String,
    pub(crate) scope: Scope,
    /// The parameters of a macro, routine or function.
    pub(crate) parameters: Vec<EntityId>,
    /// Where the name occurs: first all definitions by file and offset, then all uses.
    pub(crate) places: Vec<NamePlace>,
}

#[derive(Debug)]
pub(crate) struct NamePlace {
    pub(crate) location: Location,
    pub(crate) view: Viewpoint,
    /// True for a definition, false for a use.
    pub(crate) defines: bool,
}

/// The part of the program in which a name is visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Scope {
    Global(Namespace),
    /// Visible in a local scope and in the scopes inside it.
    Local(usize),
    /// Visible in a block that has parameters, an index, or names of its own.
    Env(usize),
}

/// A name at one place in a file.
#[derive(Debug)]
pub(crate) struct Occurrence {
    pub(crate) span: Span,
    /// The entities that it can refer to: none if it is unknown, several if it is built from
    /// numbers.
    pub(crate) entities: Vec<EntityId>,
    /// True for a definition, false for a use.
    pub(crate) defines: bool,
}

/// A use of a name, collected before all definitions are known.
#[derive(Debug)]
pub(super) struct Use {
    pub(super) location: Location,
    pub(super) name: String,
    pub(super) view: Viewpoint,
    pub(super) target: UseTarget,
}

/// The entity that a use refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum UseTarget {
    Name(Namespace),
    /// A named argument: a parameter of the macro with this name.
    ParameterOf(String),
}

/// The innermost scopes at a place: its local scope, and the block with parameters or names of its
/// own. The names of these scopes and of the scopes that enclose them are visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Viewpoint {
    pub(crate) local: usize,
    pub(crate) env: Option<usize>,
}

/// A range of lines that an editor can fold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    /// The first line, counted from 1. It stays visible when the range is folded.
    pub first: u32,
    /// The last line, counted from 1.
    pub last: u32,
    /// True for a comment, false for a block.
    pub is_comment: bool,
}

/// The names in one file.
#[derive(Debug, Default)]
pub(crate) struct FileIndex {
    /// The names, ordered by start. A name inside the braces of another name comes after that name.
    pub(crate) occurrences: Vec<Occurrence>,
    /// The names that are visible in each line.
    pub(crate) lines: Vec<Viewpoint>,
    /// The names of included files, without their quotes.
    pub(crate) includes: Vec<Span>,
    pub(crate) folds: Vec<Fold>,
}

/// All names of a program and where they occur.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) entities: Vec<Entity>,
    /// One for each file, in the order of the files.
    pub(crate) files: Vec<FileIndex>,
    /// Entities by scope and pattern.
    by_name: HashMap<(Scope, String), EntityId>,
    /// For each local scope, the enclosing scope if its names are visible in the local scope.
    local_scopes: Vec<Option<usize>>,
    /// For each block with parameters, the block around it.
    envs: Vec<Option<usize>>,
    pub(super) uses: Vec<Use>,
    /// Global names that are built from numbers.
    patterns: Vec<EntityId>,
    comparisons: usize,
}

/// The sort key of occurrences: by start, outer names first.
fn sort_key(Span { start, end }: Span) -> (u32, Reverse<u32>) {
    (start, Reverse(end))
}

impl FileIndex {
    /// Returns the definitions in a range of lines of a file.
    pub(crate) fn definitions_in(
        &self,
        Span { start, end }: Span,
    ) -> impl Iterator<Item = &Occurrence> {
        let first = self.occurrences.partition_point(|occurrence| occurrence.span.start < start);
        let in_part = self.occurrences[first..].iter().take_while(move |o| o.span.end <= end);
        in_part.filter(|occurrence| occurrence.defines)
    }

    /// Returns the name at exactly this place.
    pub(crate) fn occurrence_at(&self, span: Span) -> Option<&Occurrence> {
        let key = sort_key(span);
        let at = self.occurrences.binary_search_by_key(&key, |it| sort_key(it.span)).ok()?;
        self.occurrences.get(at)
    }
}

impl Index {
    pub(crate) fn file(&self, file: FileId) -> Option<&FileIndex> {
        self.files.get(file.to_usize())
    }

    /// Returns the innermost name that contains a byte or ends right before it.
    pub(crate) fn occurrence(&self, file: FileId, offset: u32) -> Option<&Occurrence> {
        let occurrences = &self.file(file)?.occurrences;
        let end = occurrences.partition_point(|occurrence| occurrence.span.start <= offset);
        // Names that contain other names are at most a line long, so searching back further is
        // useless.
        let near = occurrences[..end].iter().rev().take(LINE_BYTES_MAX);
        near.into_iter().find(|occurrence| offset <= occurrence.span.end)
    }

    /// Adds a local scope.
    pub(super) fn add_local_scope(&mut self, around: Option<usize>) -> usize {
        self.local_scopes.push(around);
        self.local_scopes.len() - 1
    }

    /// Adds the local scope that follows another one.
    pub(super) fn add_next_local_scope(&mut self, local: usize) -> usize {
        self.add_local_scope(self.local_scopes[local])
    }

    /// Adds a block with parameters.
    pub(super) fn add_env(&mut self, around: Option<usize>) -> usize {
        self.envs.push(around);
        self.envs.len() - 1
    }

    /// Records a definition.
    pub(super) fn define(
        &mut self,
        kind: NameKind,
        name: String,
        scope: Scope,
        location: Location,
        view: Viewpoint,
    ) -> EntityId {
        let key = (scope, pattern(&name));
        let next = self.entities.len();
        let id = *self.by_name.entry(key).or_insert(next);
        if id == next {
            if matches!(scope, Scope::Global(_)) && name.contains('{') {
                self.patterns.push(id);
            }
            let (parameters, places) = (Vec::new(), Vec::new());
            self.entities.push(Entity { kind, name, scope, parameters, places });
        }
        self.entities[id].places.push(NamePlace { location, view, defines: true });
        id
    }

    /// Iterates over local scopes or blocks from the given one outward.
    fn outward(around: &[Option<usize>], from: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(from, |&at| around[at])
    }

    /// Returns the scopes of all visible names, inner ones first.
    pub(crate) fn scopes(&self, view: Viewpoint) -> impl Iterator<Item = Scope> {
        let envs = Self::outward(&self.envs, view.env).map(Scope::Env);
        let local_scopes = Self::outward(&self.local_scopes, Some(view.local)).map(Scope::Local);
        envs.chain(local_scopes).chain([Scope::Global(Namespace::Symbols)])
    }

    /// Returns true if names of this scope are visible here.
    pub(crate) fn sees(&self, view: Viewpoint, scope: Scope) -> bool {
        match scope {
            Scope::Global(_) => true,
            _ => self.scopes(view).any(|visible| visible == scope),
        }
    }

    /// Returns the entity that this name refers to at a place.
    pub(crate) fn find(
        &self,
        name: &str,
        namespace: Namespace,
        view: Viewpoint,
    ) -> Option<EntityId> {
        let get = |scope| self.by_name.get(&(scope, pattern(name))).copied();
        match namespace {
            Namespace::Symbols => self.scopes(view).find_map(get),
            _ => get(Scope::Global(namespace)),
        }
    }

    /// Returns true if a name that is built from numbers can result in this name.
    pub(crate) fn matches_a_pattern(&self, name: &str) -> bool {
        let built = self.entities.iter().filter(|entity| entity.name.contains('{'));
        built.map(|entity| pattern(&entity.name)).any(|pattern| matches(&pattern, name))
    }

    /// Finds the entities that each use refers to.
    pub(super) fn resolve(&mut self) {
        for usage in std::mem::take(&mut self.uses) {
            let entities = match &usage.target {
                UseTarget::Name(namespace) => self.find_candidates(&usage, *namespace),
                UseTarget::ParameterOf(name) => {
                    let called = self.find(name, Namespace::Macros, usage.view);
                    let parameters = called.map_or(&[][..], |it| &self.entities[it].parameters);
                    let mut parameters = parameters.iter().copied();
                    let found = parameters.find(|id| self.entities[*id].name == usage.name);
                    found.into_iter().collect()
                }
            };
            for &entity in &entities {
                let Use { location, view, .. } = usage;
                self.entities[entity].places.push(NamePlace { location, view, defines: false });
            }
            let span = usage.location.span;
            let occurrence = Occurrence { span, entities, defines: false };
            self.files[usage.location.file.to_usize()].occurrences.push(occurrence);
        }
        for (id, entity) in self.entities.iter().enumerate() {
            for Location { file, span } in entity.definitions() {
                let occurrence = Occurrence { span, entities: vec![id], defines: true };
                self.files[file.to_usize()].occurrences.push(occurrence);
            }
        }
        for file in &mut self.files {
            file.occurrences.sort_unstable_by_key(|occurrence| sort_key(occurrence.span));
        }
    }

    /// Returns the entities that a use can refer to.
    fn find_candidates(&mut self, usage: &Use, namespace: Namespace) -> Vec<EntityId> {
        let exact = self.find(&usage.name, namespace, usage.view);
        let mut entities: Vec<EntityId> = exact.into_iter().collect();
        let is_global = exact.is_none_or(|id| matches!(self.entities[id].scope, Scope::Global(_)));
        if !is_global || usage.name.starts_with('@') || namespace != Namespace::Symbols {
            return entities;
        }
        let is_built = usage.name.contains('{');
        let others = if is_built { self.entities.len() } else { self.patterns.len() };
        self.comparisons += others;
        if self.comparisons > COMPARISONS_MAX {
            return entities;
        }
        if is_built {
            let used = pattern(&usage.name);
            let all = self.entities.iter().enumerate();
            let global = all.filter(|(_, entity)| entity.scope == Scope::Global(namespace));
            let fitting = global.filter(|(_, entity)| matches(&used, &entity.name));
            entities.extend(fitting.map(|(id, _)| id));
        } else {
            let names = self.patterns.iter().map(|&id| (id, pattern(&self.entities[id].name)));
            let fitting = names.filter(|(_, name)| matches(name, &usage.name));
            entities.extend(fitting.map(|(id, _)| id));
        }
        entities
    }
}

/// Empties the braces of a name. Names of the same pattern become equal.
pub(super) fn pattern(name: &str) -> String {
    if !name.contains('{') {
        return name.to_owned();
    }
    let pieces = split_pieces(name).into_iter();
    pieces.map(|piece| if let Piece::Text(text) = piece { text } else { "{}" }).collect()
}

/// Returns true if a pattern can produce this name when its braces become numbers.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split("{}");
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    for part in parts {
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        if after.len() == rest.len() {
            return false;
        }
        // The literal part can start with digits, which must not be taken as part of the number.
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let at = rest.len() - after.len() - digits.min(rest.len() - after.len() - 1);
        let Some(after) = rest[at..].strip_prefix(part) else { return false };
        rest = after;
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_their_names() {
        assert_eq!(pattern("@p{r}_{b{c}}"), "@p{}_{}");
        for (pattern, name, expected) in [
            ("row{}", "row7", true),
            ("row{}", "row12", true),
            ("row{}", "row", false),
            ("row{}", "row1x", false),
            ("p{}_{}", "p1_23", true),
            ("p{}_{}", "p1_", false),
            ("x{}0", "x10", true),
            ("x{}0", "x0", false),
            ("x{}12", "x3412", true),
            ("x{}12", "x12", false),
            ("x{}0y", "x10y", true),
            ("x{}0y", "x0y", false),
            ("p{}_{}", "p12_3", true),
            ("x", "x", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
