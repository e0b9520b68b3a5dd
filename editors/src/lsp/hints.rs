//! Inlay hints: addresses and costs at the ends of lines.

use gray1_asm::{Hint, HintKind};
use serde_json::{Value, json};

use super::client::Hints;
use super::positions;
use super::protocol::Range;
use super::view::View;

impl View<'_> {
    /// The hints in a range, of the kinds that are switched on.
    pub(super) fn hints(&self, range: Range, shown: Hints) -> Vec<Value> {
        let is_shown = |hint: &Hint| match hint.kind {
            HintKind::Address => shown.addresses,
            HintKind::Cost => shown.costs,
        };
        let found = self.program.hints(self.file, Self::lines(range)).into_iter();
        let hint = |hint: Hint| {
            let position = positions::position(self.document(), hint.offset);
            json!({ "position": position, "label": hint.text, "paddingLeft": true })
        };
        found.filter(is_shown).map(hint).collect()
    }
}
