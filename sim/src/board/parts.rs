//! The catalogue of parts.

use std::sync::Arc;

use super::error::BoardError;
use super::part::Part;
use super::text;

/// A catalogue: the parts that a board may name.
#[derive(Debug, Clone, Default)]
pub struct Parts(Vec<Arc<Part>>);

impl Parts {
    /// Reads a catalogue: a list of parts in Rusty Object Notation.
    ///
    /// # Errors
    /// If the text is no such list, or describes a part that cannot be; the error has a place.
    pub fn load(described: &str) -> Result<Self, BoardError> {
        Self::default().with(text::read::<Vec<Part>>(described)?)
    }

    /// These parts and others, which come first.
    ///
    /// # Errors
    /// If two of the others have one name.
    pub(super) fn with(&self, others: Vec<Part>) -> Result<Self, BoardError> {
        for (at, part) in others.iter().enumerate() {
            if others[..at].iter().any(|before| before.name == part.name) {
                return Err(BoardError::DuplicateName(part.name.clone()));
            }
        }
        let others = others.into_iter().map(Arc::new);
        let known = self.0.iter().map(Arc::clone);
        Ok(Self(others.chain(known).collect()))
    }

    /// The part of this name; of two, the one that comes first.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Arc<Part>> {
        self.0.iter().find(|part| part.name == name)
    }

    /// All parts.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Part> {
        self.0.iter().map(Arc::as_ref)
    }
}
