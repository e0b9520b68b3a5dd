//! Where one is in the list of breaks and watches, and the watches themselves.

use gray1_isa::Image;
use gray1_sim::debugger::{Expression, View};

use super::actions::Action;
use super::player::Snapshot;

/// The state of the view: breaks stand in the list before watches.
#[derive(Debug, Default)]
pub(super) struct BreaksView {
    selected: usize,
    /// Expressions as they were written; in another program they may mean something else.
    pub(super) watches: Vec<String>,
}

/// What stands in a row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    /// The break of this number.
    Break(usize),
    /// The watch of this number.
    Watch(usize),
}

impl BreaksView {
    /// The row that is selected; `None` if there is none.
    pub(super) fn selected(&self, snapshot: &Snapshot) -> Option<Row> {
        let (breaks, watches) = (snapshot.breaks.list().len(), self.watches.len());
        let row = self.selected.min((breaks + watches).checked_sub(1)?);
        Some(if row < breaks { Row::Break(row) } else { Row::Watch(row - breaks) })
    }

    /// Moves the selection.
    pub(super) fn update(&mut self, action: Action, snapshot: &Snapshot) {
        let last = (snapshot.breaks.list().len() + self.watches.len()).saturating_sub(1);
        let selected = self.selected.min(last);
        self.selected = match action {
            Action::Up => selected.saturating_sub(1),
            Action::Down => (selected + 1).min(last),
            Action::First => 0,
            Action::Last => last,
            _ => selected,
        };
    }
}

/// What a watched expression is worth now, in words.
pub(super) fn value(text: &str, image: &Image, snapshot: &Snapshot) -> String {
    let Snapshot { a, carry, pc, ram, .. } = snapshot;
    let view = View { a: *a, carry: *carry, pc: *pc, ram };
    match Expression::parse(text, image).map(|expression| expression.value(view)) {
        Ok(Some(value)) => format!("{value}  {value:#x}"),
        Ok(None) => "no value".to_owned(),
        Err(problem) => problem.to_string(),
    }
}
