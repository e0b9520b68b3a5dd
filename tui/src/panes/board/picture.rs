//! The board as a picture: the chips with their outputs, the wires between them, and heavy lines
//! for the paths of the bytes that chips take now.

use std::collections::BTreeSet;

use gray1_board::buses::Bus;
use gray1_board::schematic::{Bundle, Schematic, WireLabel};
use gray1_board::{ChipId, Driver};
use gray1_session::board::{Hop, Transfer, collect_hops, hex};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::canvas::{Canvas, Stroke, StrokeOwner};
use super::chip;
use super::schematic::{cells, path_to_edge};
use super::view::BoardView;
use crate::theme::Theme;

/// Draws the picture into the area of the schematic.
pub(super) fn draw(
    view: &BoardView,
    schematic: &Schematic,
    transfers: &[Transfer],
    area: Rect,
    buffer: &mut Buffer,
) {
    let hops = collect_hops(transfers);
    let on_path: BTreeSet<ChipId> = hops.iter().flat_map(|hop| [hop.from, hop.to]).collect();
    let mut canvas = Canvas::new(area);
    let chips = schematic.chips.iter().copied().map(cells);
    for (id, place) in view.levels.board.chip_ids().zip(chips.clone()) {
        canvas.add_frame(place, frame_stroke(view, on_path.contains(&id)));
    }
    let is_heavy = |it: &Bundle| hops.contains(&Hop { from: it.from, to: it.to });
    // The most important lines are on top.
    let mut bundles: Vec<&Bundle> = schematic.bundles.iter().collect();
    bundles.sort_by_key(|bundle| (is_heavy(bundle), is_followed(view, bundle)));
    for bundle in bundles {
        let points = path_to_edge(&bundle.points);
        canvas.add_wire(&points, wire_stroke(view, bundle, is_heavy(bundle)));
    }
    canvas.draw(view.theme, buffer);
    for label in &schematic.labels {
        draw_label(view, label, area, buffer);
    }
    for (id, place) in view.levels.board.chip_ids().zip(chips) {
        chip::draw(view, id, on_path.contains(&id), place, buffer);
    }
    let (x, y) = schematic.legend;
    let legend = Rect::new(x, y, area.right() - x, 1);
    self::legend(view.theme).render(legend, buffer);
}

fn frame_stroke(view: &BoardView, is_heavy: bool) -> Stroke {
    let style = if is_heavy { view.theme.path() } else { view.theme.line() };
    Stroke { owner: StrokeOwner::Frame, is_heavy, style }
}

fn wire_stroke(view: &BoardView, bundle: &Bundle, is_heavy: bool) -> Stroke {
    let style = match (is_heavy, is_followed(view, bundle)) {
        (_, true) => view.theme.key(),
        (true, false) => view.theme.path(),
        (false, false) => view.theme.line(),
    };
    Stroke { owner: StrokeOwner::Wires(source(view, bundle)), is_heavy, style }
}

/// Whether the followed wire is one of a bundle.
fn is_followed(view: &BoardView, bundle: &Bundle) -> bool {
    view.followed.is_some_and(|net| bundle.nets.contains(&net))
}

/// The chip that drives a bundle of wires. For a bus, one of its drivers.
fn source(view: &BoardView, bundle: &Bundle) -> ChipId {
    match view.levels.board.net(bundle.nets[0]).driver {
        Driver::Shared { low, .. } => low.chip,
        Driver::Chip(_) | Driver::Outside => bundle.from,
    }
}

/// Draws the name of some wires, if the label has one, and their value, which is marked if one of
/// them has just changed.
fn draw_label(view: &BoardView, label: &WireLabel, area: Rect, buffer: &mut Buffer) {
    let has_moved = label.nets.iter().any(|&net| view.levels.moved(net));
    let style = if has_moved { view.theme.fresh() } else { Theme::VALUE };
    let mut spans = Vec::new();
    if label.is_named {
        let named = Bus::group(&view.levels.board, label.nets.iter().copied());
        let name = named.into_iter().next().map(|bus| bus.name).unwrap_or_default();
        spans.push(Span::styled(format!("{name} "), view.theme.label()));
    }
    spans.push(Span::styled(hex(view.levels, &label.nets), style));
    let (x, y) = label.at;
    let place = Rect::new(x, y, area.right() - x, 1);
    Line::from(spans).render(place, buffer);
}

fn legend(theme: Theme) -> Line<'static> {
    Line::from(vec![
        Span::styled(theme.heavy_line(), theme.path()),
        Span::styled(" a byte on its way   ", theme.label()),
        Span::styled("01", theme.fresh()),
        Span::styled(" has just moved", theme.label()),
    ])
}
