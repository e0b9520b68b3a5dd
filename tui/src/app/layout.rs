//! The layout of the screen: the pane in front, and others next to it if there is room.

use ratatui::layout::{Constraint, Layout, Margin, Rect, Size};

use super::App;
use crate::panes::{Placement, display};

/// A pane and its area, including the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PanePlace {
    /// The number of the pane.
    pub(super) pane: usize,
    pub(super) area: Rect,
}

/// The smallest usable screen: a display, a header and a footer.
pub(super) const SCREEN_MIN: Size =
    Size { width: display::SIZE_MIN.width, height: display::SIZE_MIN.height + 2 };

/// The width of the small panes on the left.
const COLUMN_WIDTH: u16 = 20;
/// The minimum height of the pane below the source, and of the source and that pane together,
/// including their frames.
const BELOW_HEIGHT_MIN: u16 = 5;
const SHARED_HEIGHT_MIN: u16 = 18;
/// The width of a pane next to the one in front.
const SECOND_WIDTH: u16 = 60;

/// From this height on, a display leaves its right side to another pane if its LEDs do not shrink.
const TALL: u16 = 40;

/// The screen without header and footer.
pub(super) fn body(screen: Size) -> Rect {
    Rect::new(0, 1, screen.width, screen.height.saturating_sub(2))
}

impl App {
    /// The visible panes. The first is the one in front.
    pub(super) fn places(&self) -> Vec<PanePlace> {
        self.arrange().0
    }

    /// Returns the visible panes, and the area of the open answer, or of a question that will be
    /// answered there. The area is empty if there is neither. An answer does not cover LEDs.
    pub(super) fn arrange(&self) -> (Vec<PanePlace>, Rect) {
        let has_answer = self.answer.is_some() || self.overlays.iter().any(|it| it.is_docked());
        let body = if self.is_bare { Rect::from(self.size) } else { body(self.size) };
        let alone = self.is_bare || self.preferences.alone;
        let column = if alone { Vec::new() } else { self.column(body) };
        let left = if column.is_empty() { 0 } else { COLUMN_WIDTH };
        let rest = Rect { x: body.x + left, width: body.width - left, ..body };
        let is_tall = self.shows_display() && !alone && rest.height >= TALL;
        if let [display, second] = self.large_panes(rest)[..]
            && is_tall
        {
            return if has_answer {
                (vec![display], second.area)
            } else {
                (vec![display, second], Rect::default())
            };
        }
        let (rest, answer) = if !has_answer {
            (rest, Rect::default())
        } else if self.shows_display() {
            display::split_for_answer(rest)
        } else {
            self.split_for_answer(rest)
        };
        if column.is_empty() {
            return (vec![PanePlace { pane: self.front, area: rest }], answer);
        }
        let large = self.fill_unused_room(self.add_pane_below(self.large_panes(rest)));
        (large.into_iter().chain(column).collect(), answer)
    }

    /// Splits the area of large panes for an answer. It is on the right if there is room for two
    /// panes, otherwise below.
    fn split_for_answer(&self, area: Rect) -> (Rect, Rect) {
        let is_wide = area.width >= SECOND_WIDTH + self.pane().width_min(area.height);
        let direction = if is_wide { Layout::horizontal } else { Layout::vertical };
        let own = if is_wide { SECOND_WIDTH } else { area.height / 2 };
        let [rest, answer] = direction([Constraint::Fill(1), Constraint::Length(own)]).areas(area);
        (rest, answer)
    }

    /// The area of a pane inside its frame, if it has one.
    pub(super) fn inside(&self, place: PanePlace) -> Rect {
        let frame = u16::from(!self.is_bare && self.panes[place.pane].is_framed());
        place.area.inner(Margin::new(frame, frame))
    }

    /// Puts the source and the pane below it together, if one of them is shown. An empty pane is
    /// shown there only if it is in front.
    fn add_pane_below(&self, mut places: Vec<PanePlace>) -> Vec<PanePlace> {
        let source = self.placements().find(|(_, placement)| *placement == Placement::Source);
        let below = self.placements().find_map(|(pane, placement)| match placement {
            Placement::BelowSource(lines) => Some((pane, lines)),
            _ => None,
        });
        let (Some((source, _)), Some((below, lines))) = (source, below) else { return places };
        let index_of = |pane| places.iter().position(|place| place.pane == pane);
        let (n, other) = match (index_of(source), index_of(below)) {
            (Some(n), None) if lines > 0 => (n, below),
            (None, Some(n)) => (n, source),
            _ => return places,
        };
        let area = places[n].area;
        if area.height < SHARED_HEIGHT_MIN {
            return places;
        }
        let height = lines.saturating_add(2).clamp(BELOW_HEIGHT_MIN, area.height / 3);
        let upper = Rect { height: area.height - height, ..area };
        let lower = Rect { y: upper.bottom(), height, ..area };
        let (own, others) = if other == below { (upper, lower) } else { (lower, upper) };
        places[n].area = own;
        places.push(PanePlace { pane: other, area: others });
        places
    }

    /// The pane in front, and one next to it if there is room for two.
    fn large_panes(&self, area: Rect) -> Vec<PanePlace> {
        let left = area.width.checked_sub(SECOND_WIDTH);
        let Some(width) = left.filter(|width| *width >= self.pane().width_min(area.height)) else {
            return vec![PanePlace { pane: self.front, area }];
        };
        let first = |wanted| {
            let mut others = self.placements().filter(|(pane, _)| *pane != self.front);
            others.find(|(_, placement)| *placement == wanted)
        };
        let second = first(Placement::Source).or_else(|| first(Placement::Right));
        let right = Rect { x: area.x + width, width: SECOND_WIDTH, ..area };
        let front = PanePlace { pane: self.front, area: Rect { width, ..area } };
        let second = second.map(|(pane, _)| PanePlace { pane, area: right });
        std::iter::once(front).chain(second).collect()
    }

    /// If the pane in front cannot use its whole height, gives the rest to another pane.
    fn fill_unused_room(&self, mut places: Vec<PanePlace>) -> Vec<PanePlace> {
        let area = places[0].area;
        let height = self.pane().height_max(&self.snapshot, area.width);
        let other = self.placements().find(|(pane, at)| {
            matches!(at, Placement::Source | Placement::Right)
                && places.iter().all(|place| place.pane != *pane)
        });
        if let Some((pane, _)) =
            other.filter(|_| area.height >= height.saturating_add(BELOW_HEIGHT_MIN))
        {
            places[0].area.height = height;
            let below = Rect { y: area.y + height, height: area.height - height, ..area };
            places.push(PanePlace { pane, area: below });
        }
        places
    }

    /// The small panes in a column on the left. There is no column if the first of them is in
    /// front, or if there is no room for it and another pane. The last one takes the remaining
    /// height.
    fn column(&self, body: Rect) -> Vec<PanePlace> {
        let small = self.placements().filter_map(|(pane, placement)| match placement {
            Placement::Column(height) => Some((pane, height)),
            _ => None,
        });
        let small: Vec<(usize, u16)> = small.collect();
        if small.first().is_none_or(|(first, _)| *first == self.front)
            || body.width < COLUMN_WIDTH + self.pane().width_min(body.height)
        {
            return Vec::new();
        }
        let mut places: Vec<PanePlace> = Vec::new();
        let mut y = body.y;
        for (pane, height) in small.into_iter().filter(|(pane, _)| *pane != self.front) {
            if y + height <= body.bottom() {
                places.push(PanePlace {
                    pane,
                    area: Rect { y, height, width: COLUMN_WIDTH, ..body },
                });
                y += height;
            }
        }
        if let [_, .., last] = &mut places[..] {
            last.area.height = body.bottom() - last.area.y;
            return places;
        }
        Vec::new()
    }

    /// All panes by number, each with its placement.
    fn placements(&self) -> impl Iterator<Item = (usize, Placement)> {
        self.panes.iter().map(|pane| pane.placement(&self.snapshot)).enumerate()
    }
}

#[cfg(test)]
mod tests {
    use gray1_session::{BreakChange, Command};

    use super::*;
    use crate::tests as testing;

    const SOURCE: &str = "source";
    const WATCHES: &str = "breaks and watches";

    #[test]
    fn panes_fill_the_screen_and_never_overlap() {
        let mut app = testing::app("queens");
        for (width, height) in (1..=250).step_by(3).flat_map(|w| (1..=80).map(move |h| (w, h))) {
            app.size = Size { width, height };
            for (front, alone) in (0..app.panes.len()).flat_map(|n| [(n, true), (n, false)]) {
                (app.front, app.preferences.alone) = (front, alone);
                let places = app.places();
                assert_eq!(places[0].pane, front);
                let is_low = |place: &PanePlace| place.area.height < BELOW_HEIGHT_MIN;
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
    fn a_short_output_leaves_room_for_the_source() {
        let mut session = testing::session(testing::program("queens"), false);
        for (instructions, height) in [(0, 8), (20_000, 8), (100_000, 13), (100_000, 22)] {
            session.advance_by(instructions);
            let app = testing::app_of(&mut session, Size { width: 80, height: 24 }, "output");
            let places = app.places();
            assert_eq!(places[0].area.height, height, "after {}", app.snapshot.cpu.executed);
            let has_source = places.iter().any(|place| app.panes[place.pane].name() == SOURCE);
            assert_eq!(has_source, height < 22);
        }
    }

    #[test]
    fn at_80x24_the_display_is_next_to_every_narrow_pane() {
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
    fn small_panes_appear_when_the_screen_is_high_enough() {
        let mut app = testing::app("queens");
        app.front = app.panes.iter().position(|pane| pane.name() == SOURCE).unwrap();
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
    fn source_and_watches_share_a_large_screen() {
        let mut session = testing::session(testing::program("queens"), true);
        let mut areas = |front: &str, width, height| {
            let app = testing::app_of(&mut session, Size { width, height }, front);
            let pane = |name: &str| {
                let is_named = |place: &&PanePlace| app.panes[place.pane].name() == name;
                app.places().iter().find(is_named).map(|place| place.area)
            };
            (pane(SOURCE), pane(WATCHES))
        };
        // An empty list is only shown if it is in front.
        assert!(areas(SOURCE, 80, 24).1.is_none());
        assert!(areas(WATCHES, 80, 24).0.is_some());
        session.command(Command::Change(BreakChange::Watch("[N]".into())));
        let mut count = |front: &str, width, height| {
            let app = testing::app_of(&mut session, Size { width, height }, front);
            let names = app.places().into_iter().map(|place| app.panes[place.pane].name());
            names.filter(|name| [SOURCE, WATCHES].contains(name)).count()
        };
        for front in [SOURCE, WATCHES] {
            assert_eq!(count(front, 80, 24), 2, "{front}");
            assert_eq!(count(front, 160, 50), 2, "{front}");
            assert_eq!(count(front, 60, 24), 1, "{front}");
        }
        // The source keeps two thirds of the height, whatever the number of entries.
        for n in 0..60 {
            session.command(Command::Change(BreakChange::Watch(format!("A + {n}"))));
        }
        let app = testing::app_of(&mut session, Size { width: 80, height: 24 }, SOURCE);
        let heights: Vec<u16> = app.places().iter().map(|place| place.area.height).collect();
        assert_eq!(heights[..2], [15, 7]);
    }
}
