//! Inlay hints: addresses and costs behind lines, as the protocol puts them.

use gray1_asm::{Hint, HintKind};
use lsp_types::{InlayHint, InlayHintLabel, Range};

use super::client::Hints;
use super::places;
use super::view::View;

impl View<'_> {
    /// The hints in a range that the user wants to see.
    pub(super) fn hints(&self, range: Range, wanted: Hints) -> Vec<InlayHint> {
        let is_wanted = |hint: &Hint| match hint.kind {
            HintKind::Address => wanted.addresses,
            HintKind::Cost => wanted.costs,
        };
        let found = self.program.hints(self.file, Self::lines(range)).into_iter();
        let hint = |hint: Hint| InlayHint {
            position: places::position(self.text(), hint.offset),
            label: InlayHintLabel::String(hint.text),
            kind: None,
            text_edits: None,
            tooltip: None,
            padding_left: Some(true),
            padding_right: None,
            data: None,
        };
        found.filter(is_wanted).map(hint).collect()
    }
}
