//! Which panes share the screen, and where: the one in front in the middle, others beside it as far
//! as there is room.

use ratatui::layout::{Rect, Size};

use super::App;
use crate::panes::display;

/// A pane and its place, frame included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The number of the pane.
    pub(super) pane: usize,
    pub(super) area: Rect,
}

/// The smallest screen on which something can be shown: a display, a header and a footer.
pub(super) const SCREEN_MIN: Size =
    Size { width: display::SIZE_MIN.width, height: display::SIZE_MIN.height + 2 };

/// The small panes on the left, from the top.
const DISPLAY: &str = "display";
const BELOW_DISPLAY: [&str; 2] = ["machine", "output"];
/// The panes that stand on the right of others.
const BESIDE: [&str; 2] = ["source", "memory"];
/// The display with its frame, a column and a row a square.
const DISPLAY_SIZE: Size = Size { width: 20, height: 10 };
/// The registers in brief, with a frame.
const REGISTERS_HEIGHT: u16 = 8;
/// What stands below the source, and what both need.
const SOURCE: &str = "source";
const WATCHES: &str = "breaks and watches";
const WATCHES_HEIGHT_MIN: u16 = 5;
const SHARED_HEIGHT_MIN: u16 = 18;
/// The columns of a pane beside the one in front.
const BESIDE_WIDTH: u16 = 60;

/// The screen without header and footer.
pub(super) fn body(screen: Size) -> Rect {
    Rect::new(0, 1, screen.width, screen.height.saturating_sub(2))
}

impl App {
    /// The panes on the screen. The first is the one in front.
    pub(super) fn places(&self) -> Vec<Place> {
        let body = body(self.size);
        let small = self.small_ones(body);
        if self.preferences.alone || small.is_empty() {
            return vec![Place { pane: self.front, area: body }];
        }
        let width = body.width - DISPLAY_SIZE.width;
        let rest = Rect { x: body.x + DISPLAY_SIZE.width, width, ..body };
        let large = self.with_watches(self.large_ones(rest));
        large.into_iter().chain(small).collect()
    }

    /// Where the source or the list of breaks and watches stands, both: the list, if it has
    /// entries, below the source.
    fn with_watches(&self, mut places: Vec<Place>) -> Vec<Place> {
        let standing = |name| places.iter().position(|it| self.panes[it.pane].name() == name);
        let entries = self.snapshot.stops.breaks.list().len() + self.snapshot.stops.watches.len();
        let (n, other) = match (standing(SOURCE), standing(WATCHES)) {
            (Some(n), None) if entries > 0 => (n, self.other(WATCHES)),
            (None, Some(n)) => (n, self.other(SOURCE)),
            _ => return places,
        };
        let Place { pane, area } = places[n];
        let Some(other) = other.filter(|_| area.height >= SHARED_HEIGHT_MIN) else { return places };
        let entries = u16::try_from(entries).unwrap_or(u16::MAX);
        let height = entries.saturating_add(2).clamp(WATCHES_HEIGHT_MIN, area.height / 3);
        let upper = Rect { height: area.height - height, ..area };
        let lower = Rect { y: upper.bottom(), height, ..area };
        let is_source = self.panes[pane].name() == SOURCE;
        let (own, others) = if is_source { (upper, lower) } else { (lower, upper) };
        places[n].area = own;
        places.push(Place { pane: other, area: others });
        places
    }

    /// The pane in front, and one beside it if there is room for two.
    fn large_ones(&self, area: Rect) -> Vec<Place> {
        let left = area.width.checked_sub(BESIDE_WIDTH);
        let Some(width) = left.filter(|width| *width >= self.pane().width_min(area.height)) else {
            return vec![Place { pane: self.front, area }];
        };
        let beside = BESIDE.iter().find_map(|name| self.other(name));
        let right = Rect { x: area.x + width, width: BESIDE_WIDTH, ..area };
        let front = Place { pane: self.front, area: Rect { width, ..area } };
        let beside = beside.map(|pane| Place { pane, area: right });
        std::iter::once(front).chain(beside).collect()
    }

    /// The small panes in a column on the left; none beside the display in front.
    fn small_ones(&self, body: Rect) -> Vec<Place> {
        let width_min = DISPLAY_SIZE.width + self.pane().width_min(body.height);
        let height_min = DISPLAY_SIZE.height + REGISTERS_HEIGHT;
        let Some(display) = self.other(DISPLAY) else { return Vec::new() };
        if body.width < width_min || body.height < height_min {
            return Vec::new();
        }
        let column = Rect { width: DISPLAY_SIZE.width, ..body };
        let top = Rect { height: DISPLAY_SIZE.height, ..column };
        let mut places = vec![Place { pane: display, area: top }];
        let count = usize::from((column.height - top.height) / REGISTERS_HEIGHT);
        let others: Vec<usize> =
            BELOW_DISPLAY.iter().filter_map(|name| self.other(name)).take(count).collect();
        let mut y = top.bottom();
        for (n, &pane) in others.iter().enumerate() {
            let is_last = n + 1 == others.len();
            let height = if is_last { column.bottom() - y } else { REGISTERS_HEIGHT };
            places.push(Place { pane, area: Rect { y, height, ..column } });
            y += height;
        }
        places
    }

    /// The number of the pane of this name, unless it is in front.
    fn other(&self, name: &str) -> Option<usize> {
        let named = self.panes.iter().position(|pane| pane.name() == name);
        named.filter(|pane| *pane != self.front)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{BreakChange, Command};
    use crate::tests as testing;

    #[test]
    fn panes_fill_the_screen_and_never_overlap() {
        let mut app = testing::app("queens");
        for (width, height) in (1..=250).step_by(3).flat_map(|w| (1..=80).map(move |h| (w, h))) {
            app.size = Size { width, height };
            for (front, alone) in (0..app.panes.len()).flat_map(|n| [(n, true), (n, false)]) {
                (app.front, app.preferences.alone) = (front, alone);
                let places = app.places();
                assert_eq!(places[0].pane, front);
                let is_low = |place: &Place| place.area.height < WATCHES_HEIGHT_MIN;
                assert!(places.len() == 1 || !places.iter().any(is_low), "{width}x{height}");
                let covered: u32 = places.iter().map(|place| place.area.area()).sum();
                let body = body(app.size);
                assert_eq!(covered, body.area(), "{width}x{height}: {places:?}");
                for (n, place) in places.iter().enumerate() {
                    assert_eq!(place.area.intersection(body), place.area, "{width}x{height}");
                    for other in &places[..n] {
                        assert!(!place.area.intersects(other.area) && place.pane != other.pane);
                    }
                }
            }
        }
    }

    #[test]
    fn at_80x24_the_display_stands_beside_every_pane_that_is_not_wide() {
        let mut app = testing::app("queens");
        for front in (1..app.panes.len()).filter(|n| app.panes[*n].width_min(24) < 80) {
            app.front = front;
            app.size = Size { width: 80, height: 24 };
            assert!(app.places().iter().any(|place| place.pane == 0), "{front}");
            app.size = Size { width: 60, height: 24 };
            assert_eq!(app.places().len(), 1);
        }
    }

    #[test]
    fn the_small_panes_come_as_there_is_room_for_them() {
        let mut app = testing::app("queens");
        app.front = app.other(SOURCE).unwrap();
        for (height, expected) in [
            (19, &[SOURCE][..]),
            (20, &[SOURCE, "display", "machine"]),
            (27, &[SOURCE, "display", "machine"]),
            (28, &[SOURCE, "display", "machine", "output"]),
            (80, &[SOURCE, "display", "machine", "output"]),
        ] {
            app.size = Size { width: 80, height };
            let places = app.places().into_iter();
            let names: Vec<&str> = places.map(|place| app.panes[place.pane].name()).collect();
            assert_eq!(names, expected, "{height}");
        }
    }

    #[test]
    fn the_panes_that_the_layout_names_exist() {
        let app = testing::app("queens");
        let exists = |name: &str| app.panes.iter().any(|pane| pane.name() == name);
        let names = [DISPLAY, SOURCE, WATCHES];
        assert!(names.iter().chain(&BELOW_DISPLAY).chain(&BESIDE).all(|name| exists(name)));
    }

    #[test]
    fn the_source_and_the_watches_are_seen_together_where_there_is_room() {
        let mut session = testing::session(testing::program("queens"), true);
        let mut stands = |front: &str, width, height| {
            let app = testing::app_of(&mut session, Size { width, height }, front);
            let pane = |name: &str| {
                let is_named = |place: &&Place| app.panes[place.pane].name() == name;
                app.places().iter().find(is_named).map(|place| place.area)
            };
            (pane(SOURCE), pane(WATCHES))
        };
        // Without an entry, the list is not worth the room, unless it is in front.
        assert!(stands(SOURCE, 80, 24).1.is_none());
        assert!(stands(WATCHES, 80, 24).0.is_some());
        session.command(Command::Change(BreakChange::Watch("[N]".into())));
        let mut stands = |front: &str, width, height| {
            let app = testing::app_of(&mut session, Size { width, height }, front);
            let names = app.places().into_iter().map(|place| app.panes[place.pane].name());
            names.filter(|name| [SOURCE, WATCHES].contains(name)).count()
        };
        for front in [SOURCE, WATCHES] {
            assert_eq!(stands(front, 80, 24), 2, "{front}");
            assert_eq!(stands(front, 160, 50), 2, "{front}");
            assert_eq!(stands(front, 60, 24), 1, "{front}");
        }
        // However many there are, the source keeps two thirds.
        for n in 0..60 {
            session.command(Command::Change(BreakChange::Watch(format!("A + {n}"))));
        }
        let app = testing::app_of(&mut session, Size { width: 80, height: 24 }, SOURCE);
        let heights: Vec<u16> = app.places().iter().map(|place| place.area.height).collect();
        assert_eq!(heights[..2], [15, 7]);
    }
}
