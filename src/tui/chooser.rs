//! A line that is typed, and the row of a list that is selected meanwhile.

use crossterm::event::{Event, KeyEvent};
use tui_input::Input;
use tui_input::backend::crossterm::EventHandler;

use super::actions::Action;

/// How far page up and page down go.
const PAGE: usize = 8;

/// The line and the selection. What the rows are is up to the dialog that has it.
#[derive(Debug, Default)]
pub(super) struct Chooser {
    pub(super) input: Input,
    selected: usize,
}

impl Chooser {
    /// What was typed.
    pub(super) fn typed(&self) -> &str {
        self.input.value()
    }

    /// The selected one of so many rows.
    pub(super) fn selected(&self, rows: usize) -> usize {
        self.selected.min(rows.saturating_sub(1))
    }

    /// Selects a row.
    pub(super) fn select(&mut self, row: usize) {
        self.selected = row;
    }

    /// Moves the selection among so many rows.
    pub(super) fn update(&mut self, action: Action, rows: usize) {
        let (selected, last) = (self.selected(rows), rows.saturating_sub(1));
        self.selected = match action {
            Action::Up => selected.saturating_sub(1),
            Action::Down => (selected + 1).min(last),
            Action::PageUp => selected.saturating_sub(PAGE),
            Action::PageDown => (selected + PAGE).min(last),
            _ => selected,
        };
    }

    /// Edits the line.
    pub(super) fn edit(&mut self, key: KeyEvent) {
        self.input.handle_event(&Event::Key(key));
    }
}
