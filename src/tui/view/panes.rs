//! Which views share the screen, and where: the one that has the keys in the middle, others beside
//! it as far as there is room.

use ratatui::layout::{Rect, Size};

use crate::tui::arrangement::{Arrangement, View};

/// A view and its place, frame included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pane {
    pub(super) view: View,
    pub(super) area: Rect,
}

/// The display with its frame, a column and a row a square.
const DISPLAY: Size = Size { width: 20, height: 10 };
/// The registers in brief, with a frame.
const REGISTERS_HEIGHT: u16 = 8;
/// What is left for a view beside the small ones.
const MAIN_WIDTH_MIN: u16 = 56;

/// The panes on a screen, header and footer left free. The first is the one with the keys.
pub(super) fn arrange(screen: Size, views: Arrangement) -> Vec<Pane> {
    let body = Rect::new(0, 1, screen.width, screen.height.saturating_sub(2));
    let beside = small_ones(views.focus, body);
    if views.alone || beside.is_empty() {
        return vec![Pane { view: views.focus, area: body }];
    }
    let main = Rect { x: body.x + DISPLAY.width, width: body.width - DISPLAY.width, ..body };
    std::iter::once(Pane { view: views.focus, area: main }).chain(beside).collect()
}

/// The small views in a column on the left: the display, and below it what there is room for.
fn small_ones(focus: View, body: Rect) -> Vec<Pane> {
    if body.width < DISPLAY.width + MAIN_WIDTH_MIN
        || body.height < DISPLAY.height + REGISTERS_HEIGHT
    {
        return Vec::new();
    }
    let display = Rect { height: DISPLAY.height, width: DISPLAY.width, ..body };
    let below = Rect {
        y: display.bottom(),
        height: body.height - DISPLAY.height,
        width: DISPLAY.width,
        ..body
    };
    let second = if focus == View::Machine { View::Output } else { View::Machine };
    vec![Pane { view: View::Display, area: display }, Pane { view: second, area: below }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_fill_the_screen_and_never_overlap() {
        for (width, height) in (1..=250).step_by(3).flat_map(|w| (1..=80).map(move |h| (w, h))) {
            for focus in View::ALL.into_iter().skip(1) {
                for alone in [true, false] {
                    let panes = arrange(Size { width, height }, Arrangement { focus, alone });
                    assert_eq!(panes[0].view, focus);
                    let covered: u32 = panes.iter().map(|pane| pane.area.area()).sum();
                    let body = Rect::new(0, 1, width, height.saturating_sub(2));
                    assert_eq!(covered, body.area(), "{width}x{height}: {panes:?}");
                    for (n, pane) in panes.iter().enumerate() {
                        assert_eq!(pane.area.intersection(body), pane.area, "{width}x{height}");
                        for other in &panes[..n] {
                            assert!(!pane.area.intersects(other.area) && pane.view != other.view);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn at_80x24_the_display_stands_beside_every_view() {
        for focus in View::ALL.into_iter().skip(1) {
            let panes = arrange(Size { width: 80, height: 24 }, Arrangement::showing(focus));
            assert!(panes.iter().any(|pane| pane.view == View::Display), "{focus:?}");
            let alone = arrange(Size { width: 60, height: 24 }, Arrangement::showing(focus));
            assert_eq!(alone.len(), 1);
        }
    }
}
