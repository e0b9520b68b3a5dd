//! The catalogue of parts.

use std::collections::HashSet;
use std::sync::Arc;

use super::error::BoardError;
use super::part::{CatalogueEntry, Part};
use super::text;
use super::wired_part::WiredPart;

/// A catalogue: the parts that a board may name.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    chips: Vec<Arc<Part>>,
    wired: Vec<Arc<WiredPart>>,
}

impl Parts {
    /// Reads a catalogue: a list of parts in Rusty Object Notation.
    ///
    /// # Errors
    /// If the text is no such list, or describes a part that cannot be; the error has a place.
    pub fn load(described: &str) -> Result<Self, BoardError> {
        Self::default().with(text::read::<Vec<CatalogueEntry>>(described)?)
    }

    /// These parts and others, which come first.
    ///
    /// # Errors
    /// If two of the others have one name.
    pub(super) fn with(&self, others: Vec<CatalogueEntry>) -> Result<Self, BoardError> {
        let mut names = HashSet::new();
        let mut all = Self::default();
        for other in others {
            let name = match &other {
                CatalogueEntry::Chip(part) => &part.name,
                CatalogueEntry::Wired(part) => &part.name,
            };
            if !names.insert(name.clone()) {
                return Err(BoardError::duplicate_name(name));
            }
            match other {
                CatalogueEntry::Chip(part) => all.chips.push(Arc::new(part)),
                CatalogueEntry::Wired(part) => all.wired.push(Arc::new(part)),
            }
        }
        all.chips.extend(self.chips.iter().cloned());
        all.wired.extend(self.wired.iter().cloned());
        Ok(all)
    }

    /// The chip of this name; of two, the one that comes first.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Arc<Part>> {
        self.chips.iter().find(|part| part.name == name)
    }

    /// All chips.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Part> {
        self.chips.iter().map(Arc::as_ref)
    }

    /// The wired part of this name; of two, the one that comes first.
    pub(super) fn wired_named(&self, name: &str) -> Option<&Arc<WiredPart>> {
        self.wired.iter().find(|part| part.name == name)
    }

    /// All parts that are wired, not simulated.
    pub fn wired(&self) -> impl ExactSizeIterator<Item = &WiredPart> {
        self.wired.iter().map(Arc::as_ref)
    }
}
