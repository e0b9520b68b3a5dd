//! The places of names: definitions and uses.

use gray1_asm::Location as Place;
use serde_json::{Value, json};

use super::protocol::{Location, Position};
use super::view::View;

impl View<'_> {
    /// The definitions of the name at a position.
    pub fn definitions(&self, at: Position) -> Vec<Location> {
        self.locations(self.program.definitions(self.file, self.offset(at)))
    }

    /// The uses of the name at a position. Includes its definitions if `with_definitions` is set.
    pub(super) fn references(&self, at: Position, with_definitions: bool) -> Vec<Location> {
        self.locations(self.program.references(self.file, self.offset(at), with_definitions))
    }

    /// The places of the name at a position in the document.
    pub(super) fn highlights(&self, at: Position) -> Vec<Value> {
        let found = self.program.references(self.file, self.offset(at), true).into_iter();
        let here = found.filter(|at| at.file == self.file);
        here.map(|at| json!({ "range": self.range(at.span) })).collect()
    }

    fn locations(&self, found: Vec<Place>) -> Vec<Location> {
        found.into_iter().filter_map(|at| self.location(at)).collect()
    }
}
