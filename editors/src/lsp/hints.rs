//! Inlay hints: addresses and costs behind lines, as the protocol puts them.

use gray1_asm::{Hint, HintKind};
use serde_json::{Value, json};

use super::client::Hints;
use super::positions;
use super::protocol::Range;
use super::view::View;

impl View<'_> {
    /// The hints in a range that the user wants to see.
    pub(super) fn hints(&self, range: Range, wanted: Hints) -> Vec<Value> {
        let is_wanted = |hint: &Hint| match hint.kind {
            HintKind::Address => wanted.addresses,
            HintKind::Cost => wanted.costs,
        };
        let found = self.program.hints(self.file, Self::lines(range)).into_iter();
        let hint = |hint: Hint| {
            let position = positions::position(self.text(), hint.offset);
            json!({ "position": position, "label": hint.text, "paddingLeft": true })
        };
        found.filter(is_wanted).map(hint).collect()
    }
}
