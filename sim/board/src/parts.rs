//! The catalogue of parts.

use std::collections::HashSet;
use std::sync::Arc;

use super::error::BoardError;
use super::part::{CatalogueEntry, Part};
use super::text;
use super::wired_part::WiredPart;

/// The parts that a board may use.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    chips: Vec<Arc<Part>>,
    wired: Vec<Arc<WiredPart>>,
}

impl Parts {
    /// Reads a catalogue: a list of parts in Rusty Object Notation.
    ///
    /// # Errors
    /// If the text is not such a list, or describes an impossible part. The error has a position.
    pub fn load(described: &str) -> Result<Self, BoardError> {
        Self::default().with(text::read::<Vec<CatalogueEntry>>(described)?)
    }

    /// Returns a catalogue with these parts and others. If both have a part with the same name, the
    /// one from `others` is used.
    ///
    /// # Errors
    /// If two of the others have the same name.
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

    /// Finds a memory or logic part by name. The first match wins.
    pub fn named(&self, name: &str) -> Option<&Arc<Part>> {
        self.chips.iter().find(|part| part.name == name)
    }

    /// All memory and logic parts.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Part> {
        self.chips.iter().map(Arc::as_ref)
    }

    /// Finds a wired part by name. The first match wins.
    pub(super) fn wired_named(&self, name: &str) -> Option<&Arc<WiredPart>> {
        self.wired.iter().find(|part| part.name == name)
    }

    /// All parts that are wired but not simulated.
    pub fn wired(&self) -> impl ExactSizeIterator<Item = &WiredPart> {
        self.wired.iter().map(Arc::as_ref)
    }
}
