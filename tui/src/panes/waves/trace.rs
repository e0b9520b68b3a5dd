//! The trace of a signal: its value in each column, and the characters that draw it.

use gray1_board::NetId;
use gray1_debugger::{Signal, WaveEdge};
use gray1_session::Waves;
use ratatui::text::Span;

use super::window::Window;
use crate::theme::Theme;

/// A signal's value in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sample {
    /// Its value at the end of the column.
    pub(super) value: u32,
    /// Whether one of its wires changed more than once within the column.
    pub(super) is_blurred: bool,
    /// Whether one of its wires glitches in this edge, and a wire changes in this column.
    pub(super) is_glitch: bool,
}

/// The number of glitches of a signal's wires in an edge: pulses other than the changes to their
/// final levels.
pub(super) fn count_glitches(signal: &Signal, edge: &WaveEdge) -> usize {
    signal.nets().iter().map(|&net| edge.glitches(net)).sum()
}

/// A signal's values in the columns of a window.
pub(super) fn sample(signal: &Signal, waves: &Waves, window: Window) -> Vec<Sample> {
    window.edges().flat_map(|edge| sample_edge(signal, waves, edge, window.width)).collect()
}

/// Its values in the columns of an edge. Changes take effect in the column of their time. At the
/// end of the last column, the levels are those at the end of the edge.
fn sample_edge(signal: &Signal, waves: &Waves, number: usize, width: u16) -> Vec<Sample> {
    let edge = &waves.edges()[number];
    let at_end = signal.value(|net| edge.level(net));
    let steady = Sample { value: at_end, is_blurred: false, is_glitch: false };
    let mut moves: Vec<(u64, NetId, bool)> = Vec::new();
    for change in edge.changes().iter().filter(|change| signal.nets().contains(&change.net)) {
        let column = change.time_ps * u64::from(width) / edge.duration_ps.max(1);
        moves.push((column.min(u64::from(width) - 1), change.net, change.level));
    }
    let Some(before) = waves.before(number).filter(|_| !moves.is_empty()) else {
        return vec![steady; usize::from(width)];
    };
    let has_glitch = count_glitches(signal, edge) > 0;
    let columns = (0..u64::from(width)).map(|column| {
        let here = moves.iter().filter(|(at, ..)| *at == column);
        let mut nets = signal.nets().iter();
        let value = signal.value(|net| {
            let last = moves.iter().rfind(|(at, it, _)| *at <= column && *it == net);
            last.map_or_else(|| before.level(net), |(.., level)| *level)
        });
        Sample {
            value: if column + 1 == u64::from(width) { at_end } else { value },
            is_blurred: nets.any(|net| here.clone().filter(|(_, it, _)| it == net).count() > 1),
            is_glitch: has_glitch && here.clone().next().is_some(),
        }
    });
    columns.collect()
}

/// The trace of a single wire: high or low in each column.
pub(super) fn draw_wire(samples: &[Sample], theme: Theme) -> Vec<Span<'static>> {
    let [high, low, blurred] = if theme.unicode { ['▆', '▁', '╳'] } else { ['#', '_', '*'] };
    let cells = samples.iter().map(|sample| {
        let (symbol, style) = match (sample.is_blurred, sample.value) {
            (true, _) => (blurred, theme.alert()),
            (false, 0) => (low, theme.label()),
            (false, _) => (high, theme.key()),
        };
        let style = if sample.is_glitch { theme.alert() } else { style };
        Span::styled(symbol.to_string(), style)
    });
    cells.collect()
}

/// The trace of a bus: a mark at each change, followed by the new value if it fits.
pub(super) fn draw_bus(samples: &[Sample], digits: usize, theme: Theme) -> Vec<Span<'static>> {
    let [change, blurred, stable] =
        if theme.unicode { ['│', '╳', '─'] } else { ['|', '*', '-'] };
    let mut spans = Vec::new();
    let mut value = None;
    for run in samples.chunk_by(|a, b| a.value == b.value && !b.is_blurred) {
        let first = run[0];
        let symbol = if first.is_blurred { blurred } else { change };
        let style = if first.is_glitch { theme.alert() } else { theme.line() };
        // At the left end of the window, it is not known whether the value changed.
        let changes = value.is_some() || first.is_blurred;
        if changes {
            spans.push(Span::styled(symbol.to_string(), style));
        }
        value = Some(first.value);
        let width = run.len() - usize::from(changes);
        let digits = Some(digits).filter(|digits| *digits <= width).unwrap_or_default();
        if digits > 0 {
            spans.push(Span::styled(format!("{:0digits$x}", first.value), Theme::VALUE));
        }
        let rest: String = std::iter::repeat_n(stable, width - digits).collect();
        spans.push(Span::styled(rest, theme.line()));
    }
    spans
}
