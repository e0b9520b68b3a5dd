//! Mouse control. A click brings a pane to the front, puts the source's cursor on a line, chooses
//! an entry of a list, or seeks on the timeline, as dragging does. The wheel scrolls the pane under
//! the pointer. The keyboard does the rest.

use std::sync::Arc;

use gray1_session::{Command, RunState};
use ratatui::layout::{Position, Rect};

use super::App;
use super::draw::is_too_small;
use crate::actions::{Effect, Move, Reply};

/// A mouse event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mouse {
    /// The kind of event.
    pub kind: MouseKind,
    /// The position.
    pub at: Position,
}

/// A kind of mouse event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MouseKind {
    /// The left button was pressed.
    Press,
    /// The mouse was moved with the left button held.
    Drag,
    /// The wheel was turned up.
    WheelUp,
    /// The wheel was turned down.
    WheelDown,
}

impl App {
    /// Handles a mouse event. It is ignored during a search and on a screen that is too small.
    pub fn mouse(&mut self, mouse: Mouse) -> Option<Effect> {
        if self.snapshot.run_state == RunState::Searching || is_too_small(self.size) {
            return None;
        }
        self.note = None;
        match mouse.kind {
            MouseKind::Press => self.click(mouse.at),
            MouseKind::Drag => self.drag(mouse.at),
            MouseKind::WheelUp => self.turn_wheel(mouse.at, Move::Up),
            MouseKind::WheelDown => self.turn_wheel(mouse.at, Move::Down),
        }
    }

    /// Handles a click. In a list, it chooses an entry. Other overlays ignore it. A click outside a
    /// question about a value closes the question, and if the click is on an LED, it asks about
    /// that LED.
    fn click(&mut self, at: Position) -> Option<Effect> {
        let (hit, area) = (self.pane_at(at), self.arrange().1);
        let beside = self.overlays.pop_if(|it| it.is_docked() && !area.contains(at));
        let is_asked = beside.is_some();
        if let Some(overlay) = self.overlays.last_mut() {
            let is_entry = overlay.click(at, self.size);
            let reply = is_entry.then(|| self.accept(&Arc::clone(&self.snapshot)));
            return reply.and_then(|reply| self.finish(reply));
        }
        if let Some(answer) = self.answer.as_mut().filter(|_| area.contains(at)) {
            let reply = answer.click(at, area, &self.snapshot);
            return self.finish(reply);
        }
        let (pane, inside) = hit?;
        self.buttons_have_keys = false;
        let shown = self.show(pane);
        let effect = self.finish(shown);
        if !inside.contains(at) {
            return effect;
        }
        let clicked = self.panes[pane].click(at, inside, &self.snapshot);
        let asks = matches!(clicked, Reply::Ask(Effect::Session(Command::Ask(_))));
        if asks && !is_asked && !self.snapshot.run_state.is_stopped() {
            return effect;
        }
        self.finish(clicked).or(effect)
    }

    fn turn_wheel(&mut self, at: Position, to: Move) -> Option<Effect> {
        if !self.overlays.is_empty() || self.arrange().1.contains(at) {
            return self.scroll(to);
        }
        let (pane, inside) = self.pane_at(at)?;
        let reply = self.panes[pane].turn_wheel(to, inside, &self.snapshot);
        self.finish(reply)
    }

    fn drag(&mut self, at: Position) -> Option<Effect> {
        if !self.overlays.is_empty() {
            return None;
        }
        let (pane, inside) = self.pane_at(at)?;
        let reply = self.panes[pane].drag(at, inside, &self.snapshot);
        self.finish(reply)
    }

    /// The number of the pane at a position, and the area inside its frame.
    fn pane_at(&self, at: Position) -> Option<(usize, Rect)> {
        let place = self.places().into_iter().find(|place| place.area.contains(at))?;
        Some((place.pane, self.inside(place)))
    }
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;
    use ratatui::layout::{Rect, Size};
    use ratatui::style::Modifier;

    use super::*;
    use crate::actions::FOLLOW;
    use crate::key::{Key, KeyCode};
    use crate::panes::{Cursor, Pane};
    use crate::tests as testing;
    use crate::theme::Theme;

    const LEFT: MouseKind = MouseKind::Press;
    const WHEEL: MouseKind = MouseKind::WheelDown;

    /// The queens search after a thousand instructions, with this pane in front.
    fn app(front: &str, width: u16, height: u16) -> App {
        let mut session = testing::session(testing::program("queens"), false);
        session.advance_by(1000);
        testing::app_of(&mut session, Size::new(width, height), front)
    }

    fn event(kind: MouseKind, x: u16, y: u16) -> Mouse {
        Mouse { kind, at: Position { x, y } }
    }

    fn pane<'a>(app: &'a App, name: &str) -> &'a dyn Pane {
        &**app.panes.iter().find(|pane| pane.name() == name).unwrap()
    }

    /// True if the cursor of the source follows the machine.
    fn source_follows(app: &App) -> bool {
        let source = pane(app, "source");
        let row = source.keys().iter().position(|row| *row == FOLLOW).unwrap();
        !source.is_useful(row, &app.snapshot)
    }

    fn byte_in_memory(app: &App) -> u16 {
        match pane(app, "memory").cursor(&app.snapshot) {
            Cursor::Byte(address) => address.get(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_click_brings_a_pane_to_the_front() {
        for (column, row, focus) in [
            (5, 5, "display"),
            (5, 15, "machine"),
            (40, 10, "source"),
            // Header and footer are outside all panes.
            (5, 0, "source"),
            (5, 23, "source"),
        ] {
            let mut app = app("source", 80, 24);
            app.buttons_have_keys = true;
            assert!(app.mouse(event(LEFT, column, row)).is_none());
            assert_eq!(app.pane().name(), focus, "{column}, {row}");
        }
    }

    #[test]
    fn a_click_in_the_source_moves_the_cursor_there() {
        for pages in 0..3 {
            let mut app = app("source", 80, 24);
            (0..pages).for_each(|_| drop(app.key(KeyCode::PageDown.into())));
            let draw = |app: &App| {
                let mut buffer = Buffer::empty(Rect::from(app.size));
                app.draw(Theme::PICTURE, &mut buffer);
                buffer
            };
            // Without the last line, which explains the keys.
            let rows =
                |buffer: &Buffer| testing::text(buffer).rsplit_once('\n').unwrap().0.to_owned();
            let before = rows(&draw(&app));
            for y in [15, 4] {
                app.mouse(event(LEFT, 40, y));
                let buffer = draw(&app);
                assert_eq!(rows(&buffer), before, "the page stays where it is");
                let is_marked = |y: &u16| buffer[(40, *y)].modifier.contains(Modifier::REVERSED);
                assert_eq!((1..23).find(is_marked), Some(y), "{before}");
            }
        }
    }

    #[test]
    fn a_click_on_the_timeline_seeks_there() {
        let mut app = app("timeline", 80, 24);
        let mut seek_target = |column| match app.mouse(event(LEFT, column, 4)) {
            Some(Effect::Session(Command::Seek(moment))) => Some(moment),
            _ => None,
        };
        // The frame is in columns 20 and 79.
        assert_eq!(
            [20, 21, 50, 78, 79].map(&mut seek_target),
            [None, Some(0), Some(509), Some(1000), None]
        );
    }

    #[test]
    fn dragging_on_the_timeline_seeks_unless_a_box_covers_it() {
        let mut app = app("timeline", 80, 24);
        let seek_target = |app: &mut App, x, y| match app.mouse(event(MouseKind::Drag, x, y)) {
            Some(Effect::Session(Command::Seek(moment))) => Some(moment),
            _ => None,
        };
        let places = [(21, 4), (50, 4), (78, 4), (79, 4), (50, 1), (50, 22)];
        let moments = [Some(0), Some(509), Some(1000), None, None, None];
        assert_eq!(places.map(|(x, y)| seek_target(&mut app, x, y)), moments);
        app.key(Key::char('?'));
        assert_eq!(seek_target(&mut app, 50, 4), None);
    }

    #[test]
    fn the_wheel_does_not_scroll_the_source_beyond_its_ends() {
        let mut app = app("source", 80, 24);
        let mut rows = |turns: usize, wheel| -> Vec<String> {
            (0..turns).for_each(|_| drop(app.mouse(event(wheel, 40, 10))));
            let mut buffer = Buffer::empty(Rect::from(app.size));
            app.draw(Theme::PICTURE, &mut buffer);
            let text = testing::text(&buffer);
            text.lines().skip(2).take(20).map(|line| line.chars().skip(20).collect()).collect()
        };
        let before = rows(0, WHEEL);
        let turned = rows(1, WHEEL);
        assert_eq!(turned[..17], before[3..], "by three lines");
        assert_eq!(rows(1, MouseKind::WheelUp), before);
        let first = rows(1000, MouseKind::WheelUp);
        assert!(first[0].contains("; Eight queens"), "{first:?}");
        let last = rows(1000, WHEEL);
        assert_eq!(rows(1, WHEEL), last);
        assert!(last.iter().rev().take(2).any(|row| row.chars().any(char::is_alphabetic)));
    }

    #[test]
    fn the_wheel_scrolls_the_pane_under_the_pointer() {
        let mut app = app("source", 160, 40);
        let written = byte_in_memory(&app);
        assert!(app.mouse(event(WHEEL, 150, 10)).is_none());
        assert!(source_follows(&app));
        assert_eq!(byte_in_memory(&app), written + 16);
        assert!(app.mouse(event(WHEEL, 50, 10)).is_none());
        assert!(!source_follows(&app));
        assert_eq!(app.pane().name(), "source");
    }

    #[test]
    fn the_wheel_scrolls_memory_by_one_line() {
        // At this width a line has sixteen bytes, with no room to spare.
        let mut app = app("memory", 78, 24);
        let before = byte_in_memory(&app);
        app.mouse(event(WHEEL, 50, 10));
        assert_eq!(byte_in_memory(&app), before + 16);
    }

    #[test]
    fn a_box_keeps_mouse_events_from_the_panes() {
        let mut app = app("source", 80, 24);
        app.key(Key::char('?'));
        app.mouse(event(WHEEL, 40, 10));
        app.mouse(event(LEFT, 5, 15));
        assert!(source_follows(&app));
        assert_eq!(app.pane().name(), "source");
    }
}
