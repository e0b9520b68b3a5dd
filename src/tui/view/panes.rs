//! Which views share the screen, and where: the one that has the keys in the middle, others beside
//! it as far as there is room.

use ratatui::layout::{Rect, Size};

use crate::tui::arrangement::{Arrangement, View};

/// A view and its place, frame included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct Pane {
    pub(in crate::tui) view: View,
    pub(in crate::tui) area: Rect,
}

/// The display with its frame, a column and a row a square.
const DISPLAY: Size = Size { width: 20, height: 10 };
/// The registers in brief, with a frame.
const REGISTERS_HEIGHT: u16 = 8;
/// What is left at least for a view beside the small ones: as many columns as sixteen bytes need,
/// so that a row of them is as long here as on the whole screen.
const MAIN_WIDTH_MIN: u16 = 58;
/// The board says more in a row.
const BOARD_WIDTH_MIN: u16 = 80;
/// The columns of a view beside the one with the keys.
const BESIDE_WIDTH: u16 = 60;

/// The panes on a screen, header and footer left free. The first is the one with the keys.
pub(super) fn arrange(screen: Size, views: Arrangement) -> Vec<Pane> {
    let body = Rect::new(0, 1, screen.width, screen.height.saturating_sub(2));
    let small = small_ones(views.focus, body);
    if views.alone || small.is_empty() {
        return vec![Pane { view: views.focus, area: body }];
    }
    let rest = Rect { x: body.x + DISPLAY.width, width: body.width - DISPLAY.width, ..body };
    main_ones(views.focus, rest).into_iter().chain(small).collect()
}

/// The view with the keys, and one beside it if there is room for two.
fn main_ones(focus: View, place: Rect) -> Vec<Pane> {
    let main = if focus == View::Board { BOARD_WIDTH_MIN } else { MAIN_WIDTH_MIN };
    let Some(width) = place.width.checked_sub(BESIDE_WIDTH).filter(|w| *w >= main) else {
        return vec![Pane { view: focus, area: place }];
    };
    let beside = if focus == View::Source { View::Memory } else { View::Source };
    let right = Rect { x: place.x + width, width: BESIDE_WIDTH, ..place };
    let left = Rect { width, ..place };
    vec![Pane { view: focus, area: left }, Pane { view: beside, area: right }]
}

/// The small views in a column on the left: the display, and below it what there is room for.
fn small_ones(focus: View, body: Rect) -> Vec<Pane> {
    let main = if focus == View::Board { BOARD_WIDTH_MIN } else { MAIN_WIDTH_MIN };
    if body.width < DISPLAY.width + main || body.height < DISPLAY.height + REGISTERS_HEIGHT {
        return Vec::new();
    }
    let column = Rect { width: DISPLAY.width, ..body };
    let display = Rect { height: DISPLAY.height, ..column };
    let rest = Rect { y: display.bottom(), height: column.height - display.height, ..column };
    let others = [View::Machine, View::Output].into_iter().filter(|view| *view != focus);
    let count = rest.height / REGISTERS_HEIGHT;
    let others: Vec<View> = others.take(usize::from(count)).collect();
    let mut panes = vec![Pane { view: View::Display, area: display }];
    let mut y = rest.y;
    for (n, &view) in others.iter().enumerate() {
        let is_last = n + 1 == others.len();
        let height = if is_last { rest.bottom() - y } else { REGISTERS_HEIGHT };
        panes.push(Pane { view, area: Rect { y, height, ..rest } });
        y += height;
    }
    panes
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
    fn at_80x24_the_display_stands_beside_every_view_but_the_board() {
        let views = View::ALL.into_iter().skip(1).filter(|view| *view != View::Board);
        for focus in views {
            let panes = arrange(Size { width: 80, height: 24 }, Arrangement::showing(focus));
            assert!(panes.iter().any(|pane| pane.view == View::Display), "{focus:?}");
            let alone = arrange(Size { width: 60, height: 24 }, Arrangement::showing(focus));
            assert_eq!(alone.len(), 1);
        }
    }
}
