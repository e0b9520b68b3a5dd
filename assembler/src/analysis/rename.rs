//! Renaming: finds all places of a name, or the reason why it cannot be renamed.

use std::collections::{BTreeMap, BTreeSet};

use gray1_language::is_plain_name;

use super::index::{Entity, EntityId, NameKind, NamePlace, Scope};
use super::program::{Analysis, LineAt, unique};
use crate::keywords::Mnemonic;
use crate::source::{FileId, InputFile, Location, Span};
use crate::symbols::Namespace;
use crate::syntax::Function;

/// The reasons why a name cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotRename {
    /// There is no name here, or it is undefined.
    #[error("this is not a name that the program defines")]
    NoName,
    /// The name is built from expressions.
    #[error("`{0}` cannot be renamed: it is built from numbers, or used by a name that is")]
    Built(String),
    /// The name belongs to a structure or a field. A field's full name contains its structure's.
    #[error("a structure and its fields cannot be renamed")]
    Structure,
    /// The new name is not a valid name.
    #[error("`{0}` is not a name")]
    NotAName(String),
    /// The `@` that makes a name local cannot be added or removed.
    #[error("a rename cannot add or remove the `@` of a local name")]
    Locality,
    /// The new name is an instruction or a built-in function.
    #[error("`{0}` is reserved by the language")]
    Reserved(String),
    /// The old or the new name is a `.default` that got its value from outside the program.
    #[error("the value of `{0}` comes from `-D` or from the setting `define`")]
    Defined(String),
    /// The new name is in use, or a name built from numbers can produce it.
    #[error("`{0}` already exists")]
    Taken(String),
}

/// Returns all places, by file, where a new name replaces the one at a byte offset. The programs
/// can share files. If a later program has different contents for the same file, the places in that
/// version are left out.
///
/// # Errors
/// Returns the errors of [`Analysis::rename`] for any program that has a name at this offset.
pub fn rename_in<'a>(
    programs: impl IntoIterator<Item = &'a Analysis>,
    file: &InputFile,
    offset: u32,
    new: &str,
) -> Result<Vec<(&'a InputFile, BTreeSet<Span>)>, CannotRename> {
    let mut found: BTreeMap<&str, (&InputFile, BTreeSet<Span>)> = BTreeMap::new();
    for program in programs {
        let number = program.files.find(file.id());
        let number = number.filter(|number| program.files.get(*number).text() == file.text());
        let Some(number) = number else { continue };
        let places = match program.rename(number, offset, new) {
            // In this program the place is in lines that the assembler skips.
            Err(CannotRename::NoName) => continue,
            places => places?,
        };
        for Location { file, span } in places {
            let file = program.files.get(file);
            let (first, spans) = found.entry(file.id()).or_insert((file, BTreeSet::new()));
            if first.text() == file.text() {
                spans.insert(span);
            }
        }
    }
    if found.is_empty() { Err(CannotRename::NoName) } else { Ok(found.into_values().collect()) }
}

impl Analysis {
    /// Returns the range of the name at a byte offset, if it can be renamed.
    ///
    /// # Errors
    /// Returns the reason if it cannot be renamed.
    pub fn renamable(&self, file: FileId, offset: u32) -> Result<Span, CannotRename> {
        let occurrence = self.occurrence(file, offset).ok_or(CannotRename::NoName)?;
        self.only_entity(&occurrence.entities)?;
        Ok(occurrence.span)
    }

    /// Returns all places of the name at a byte offset.
    ///
    /// # Errors
    /// Returns the reason if the new name would change the program's meaning or break it.
    pub fn rename(
        &self,
        file: FileId,
        offset: u32,
        new: &str,
    ) -> Result<Vec<Location>, CannotRename> {
        let occurrence = self.occurrence(file, offset).ok_or(CannotRename::NoName)?;
        let id = self.only_entity(&occurrence.entities)?;
        let entity = &self.index.entities[id];
        if !is_plain_name(new) {
            return Err(CannotRename::NotAName(new.to_owned()));
        }
        if new.starts_with('@') != entity.name.starts_with('@') {
            return Err(CannotRename::Locality);
        }
        let is_function = entity.kind == NameKind::Function;
        if Mnemonic::from_name(new).is_some() || (is_function && Function::from_name(new).is_some())
        {
            return Err(CannotRename::Reserved(new.to_owned()));
        }
        self.check_value(entity, new)?;
        if new != entity.name && self.is_taken(entity, new) {
            return Err(CannotRename::Taken(new.to_owned()));
        }
        Ok(unique(entity.places.iter().map(|place| place.location).collect()))
    }

    /// Returns the single entity with this name. Fails if the name is built from numbers.
    fn only_entity(&self, entities: &[EntityId]) -> Result<EntityId, CannotRename> {
        let &id = entities.first().ok_or(CannotRename::NoName)?;
        let entity = &self.index.entities[id];
        if matches!(entity.kind, NameKind::Structure | NameKind::Field) {
            return Err(CannotRename::Structure);
        }
        // Each place must spell the name in the same way.
        let is_plain = entity.places.iter().all(|it| self.files.text(it.location) == entity.name);
        if entities.len() > 1 || entity.name.contains('{') || !is_plain {
            return Err(CannotRename::Built(entity.name.clone()));
        }
        self.check_value(entity, &entity.name)?;
        Ok(id)
    }

    /// Refuses the rename of a `.default` if `name`, which is its old or its new name, got a value
    /// from outside the program.
    fn check_value(&self, entity: &Entity, name: &str) -> Result<(), CannotRename> {
        let is_default = entity.places.iter().any(|place| {
            let Location { file, span } = place.location;
            let LineAt { text: line, start, .. } = self.line(file, span.start);
            let before = line[..(span.start - start) as usize].trim_end();
            place.defines && before.to_ascii_lowercase().ends_with(".default")
        });
        if is_default && self.overridden.iter().any(|it| it == name) {
            return Err(CannotRename::Defined(name.to_owned()));
        }
        Ok(())
    }

    /// Returns true if the new name is visible at any place of the old one, or if the renamed
    /// entity would hide another one.
    fn is_taken(&self, entity: &Entity, new: &str) -> bool {
        let namespace = match entity.scope {
            Scope::Global(namespace) => namespace,
            _ => Namespace::Symbols,
        };
        let sees = |place: &&NamePlace| self.index.sees(place.view, entity.scope);
        let mut places = entity.places.iter().filter(sees);
        let means_something = places.any(|p| self.index.find(new, namespace, p.view).is_some());
        if means_something || self.index.matches_a_pattern(new) {
            return true;
        }
        let is_global = matches!(entity.scope, Scope::Global(_));
        let others = self.index.entities.iter().filter(|other| other.name == new);
        !is_global && others.flat_map(|other| &other.places).any(|place| sees(&place))
    }
}
