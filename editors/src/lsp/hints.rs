//! Inlay hints: addresses and costs at the ends of lines.

use gray1_asm::HintKind;
use serde_json::{Value, json};

use super::client::Hints;
use super::positions;
use super::protocol::Range;
use super::view::View;

impl View<'_> {
    /// The hints in a range, of the kinds that are switched on.
    pub(super) fn hints(&self, range: Range, shown: Hints) -> Vec<Value> {
        let mut hints = self.program.hints(self.file, Self::lines(range));
        hints.retain(|hint| match hint.kind {
            HintKind::Address => shown.addresses,
            HintKind::Cost => shown.costs,
        });
        let hints = hints.into_iter().map(|hint| {
            let position = positions::position(self.document(), hint.offset);
            json!({ "position": position, "label": hint.text, "paddingLeft": true })
        });
        hints.collect()
    }
}
