//! The input that all drawings of the board share, and methods that show levels as digits.

use gray1_board::buses::Bus;
use gray1_board::{ChipId, NetId};
use gray1_session::{Levels, Snapshot};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::theme::Theme;

/// The input for drawing the board.
#[derive(Clone, Copy)]
pub(super) struct BoardView<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) levels: &'a Levels,
    pub(super) theme: Theme,
    /// The chip at the cursor.
    pub(super) chip: ChipId,
    /// The wire at the cursor.
    pub(super) wire: Option<NetId>,
    /// The wire that is followed.
    pub(super) followed: Option<NetId>,
}

impl BoardView<'_> {
    /// The wire whose chips are marked.
    pub(super) fn marked(&self) -> Option<NetId> {
        self.followed.or(self.wire)
    }

    /// The name of a bus, then the levels of its wires, high bit first.
    pub(super) fn bus(&self, bus: &Bus, at: Option<NetId>) -> Vec<Span<'static>> {
        let mut spans = vec![Span::styled(format!("{} ", bus.name), self.theme.label())];
        spans.extend(self.bits(&bus.nets, at));
        spans.push(Span::raw(" "));
        spans
    }

    /// A line with a label, followed by the names and levels of these buses.
    pub(super) fn buses(
        &self,
        label: &'static str,
        buses: &[Bus],
        at: Option<NetId>,
    ) -> Line<'static> {
        let label = Span::styled(label, self.theme.label());
        std::iter::once(label).chain(buses.iter().flat_map(|bus| self.bus(bus, at))).collect()
    }

    /// Levels, high bit first. Wires that changed are marked.
    pub(super) fn bits(&self, nets: &[NetId], at: Option<NetId>) -> Vec<Span<'static>> {
        let digits = nets.iter().rev().map(|&net| {
            let digit = if self.levels.level(net) { "1" } else { "0" };
            Span::styled(digit, self.style(net, at))
        });
        digits.collect()
    }

    fn style(&self, net: NetId, at: Option<NetId>) -> Style {
        let style = if self.levels.moved(net) { self.theme.fresh() } else { Style::new() };
        let style = if self.marked() == Some(net) { style.patch(self.theme.key()) } else { style };
        if at == Some(net) { style.patch(Theme::SELECTED) } else { style }
    }
}
