//! What the mouse does: a click gives a view the keys, and seeks on the timeline; the wheel scrolls
//! what lies under it. Everything else is left to the keyboard.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Margin, Position};

use super::actions::Action;
use super::arrangement::View;
use super::player::{Command, Status};
use super::state::{Effect, State};
use super::view;

impl State {
    /// The mouse was used. A search in the past is not disturbed by that.
    pub(super) fn mouse(&mut self, event: MouseEvent) -> Option<Effect> {
        if self.snapshot.status == Status::Searching {
            return None;
        }
        self.note = None;
        let at = Position::new(event.column, event.row);
        match event.kind {
            MouseEventKind::Down(MouseButton::Left) => self.click(at),
            MouseEventKind::ScrollUp => self.turn_wheel(at, Action::Up),
            MouseEventKind::ScrollDown => self.turn_wheel(at, Action::Down),
            _ => None,
        }
    }

    /// What lies over the views is answered by keys.
    fn click(&mut self, at: Position) -> Option<Effect> {
        if !self.overlays.is_empty() {
            return None;
        }
        let pane = view::pane_at(self.size, self.views, at)?;
        self.at_panel = false;
        self.update(Action::Show(pane.view));
        let inside = pane.area.inner(Margin::new(1, 1));
        let is_strip = pane.view == View::Timeline && inside.contains(at);
        is_strip.then(|| {
            let moment = view::moment_at(&self.snapshot.time, at.x - inside.x, inside.width);
            Effect::Machine(Command::Seek(moment))
        })
    }

    fn turn_wheel(&mut self, at: Position, action: Action) -> Option<Effect> {
        if !self.overlays.is_empty() {
            return self.update(action);
        }
        let pane = view::pane_at(self.size, self.views, at)?;
        self.move_cursor(pane.view, action);
        None
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyModifiers;
    use gray1_sim::PowerUp;
    use ratatui::layout::Size;

    use super::*;
    use crate::tui::arrangement::Arrangement;
    use crate::tui::player::{Opened, Player};

    const LEFT: MouseEventKind = MouseEventKind::Down(MouseButton::Left);
    const WHEEL: MouseEventKind = MouseEventKind::ScrollDown;

    /// The queens search after a thousand instructions, with this view in front.
    fn state(focus: View, width: u16, height: u16) -> State {
        let program = crate::program::load("queens").unwrap();
        let opened = Opened { name: program.name, image: program.image };
        let mut player = Player::new(opened, PowerUp::Zero, false);
        player.advance_by(1000);
        let views = Arrangement::showing(focus);
        let mut state = State::new(Box::new(player.snapshot()), Size::new(width, height), views);
        state.see(Box::new(player.snapshot()));
        state
    }

    fn event(kind: MouseEventKind, column: u16, row: u16) -> MouseEvent {
        MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }
    }

    #[test]
    fn a_click_gives_a_view_the_keys() {
        for (column, row, focus) in [
            (5, 5, View::Display),
            (5, 15, View::Machine),
            (40, 10, View::Source),
            // Header and footer belong to no view.
            (5, 0, View::Source),
            (5, 23, View::Source),
        ] {
            let mut state = state(View::Source, 80, 24);
            state.at_panel = true;
            assert!(state.mouse(event(LEFT, column, row)).is_none());
            assert_eq!(state.views.focus, focus, "{column}, {row}");
        }
    }

    #[test]
    fn a_click_on_the_timeline_seeks_there() {
        let mut state = state(View::Timeline, 80, 24);
        let mut sought = |column| match state.mouse(event(LEFT, column, 4)) {
            Some(Effect::Machine(Command::Seek(moment))) => Some(moment),
            _ => None,
        };
        // The frame is at 20 and 79.
        assert_eq!(
            [20, 21, 50, 78, 79].map(&mut sought),
            [None, Some(0), Some(509), Some(1000), None]
        );
    }

    #[test]
    fn the_wheel_scrolls_what_is_under_it_wherever_the_keys_are() {
        let mut state = state(View::Source, 160, 40);
        let written = state.memory.cursor(&state.snapshot);
        assert!(state.mouse(event(WHEEL, 150, 10)).is_none());
        assert!(state.source.follows());
        assert_eq!(state.memory.cursor(&state.snapshot).get(), written.get() + 16);
        assert!(state.mouse(event(WHEEL, 50, 10)).is_none());
        assert!(!state.source.follows());
        assert_eq!(state.views.focus, View::Source);
    }

    #[test]
    fn what_lies_over_the_views_takes_the_wheel_and_no_click() {
        let mut state = state(View::Source, 80, 24);
        state.update(Action::Help);
        state.mouse(event(WHEEL, 40, 10));
        state.mouse(event(LEFT, 5, 15));
        assert!(state.source.follows());
        assert_eq!(state.views.focus, View::Source);
    }

    #[test]
    fn no_place_on_no_screen_does_harm() {
        for (width, height) in [(1, 1), (19, 12), (20, 12), (80, 24), (250, 80)] {
            for view in View::ALL {
                let mut state = state(view, width, height);
                for (x, y) in (0..=width).step_by(7).flat_map(|x| (0..=height).map(move |y| (x, y)))
                {
                    state.views.show(view);
                    state.mouse(event(WHEEL, x, y));
                    state.mouse(event(LEFT, x, y));
                }
                state.mouse(event(LEFT, u16::MAX, u16::MAX));
            }
        }
    }
}
