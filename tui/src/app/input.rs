//! What keys lead to: the row that a key is bound to, and what is left to do after its action.

use std::sync::Arc;

use super::App;
use super::keys::{Entry, Target};
use crate::actions::{Effect, Move, Reply, Row};
use crate::key::Key;
use crate::overlays::{Palette, Prompt};
use crate::session::{Command, Status};

impl App {
    /// A key was pressed. While the past is searched, any key gives that up and does nothing else,
    /// but for those that concern the whole front end.
    pub fn key(&mut self, key: Key) -> Option<Effect> {
        self.note = None;
        let bound =
            self.entries().into_iter().find(|it| it.row.keys.contains(&key) && self.works(it));
        if self.snapshot.status == Status::Searching && !bound.is_some_and(|it| it.is_global()) {
            return Some(Effect::Session(Command::Cancel));
        }
        match (bound, self.overlays.last_mut()) {
            (Some(entry), _) => self.act(&entry),
            (None, Some(overlay)) => {
                overlay.edit(key);
                None
            }
            (None, None) => None,
        }
    }

    fn act(&mut self, entry: &Entry) -> Option<Effect> {
        let snapshot = Arc::clone(&self.snapshot);
        let reply = match entry.target {
            Target::App(binding) => binding.action.act(self, &snapshot),
            Target::Show(pane) => self.show(pane),
            Target::Pane { pane, row } => self.panes[pane].act(row, &snapshot),
        };
        self.finish(reply)
    }

    /// Does what is left to do after an action.
    pub(super) fn finish(&mut self, reply: Reply) -> Option<Effect> {
        match reply {
            Reply::Done => {}
            Reply::Note(note) => self.note(note),
            Reply::Prompt(ask, text) => {
                self.overlays.push(Box::new(Prompt::new(ask, text)));
            }
            Reply::Show(target) => return self.show_target(&target),
            Reply::Move(to) => return self.scroll(to),
            Reply::List(purpose) => {
                let palette = Palette::new(purpose, self.rows(purpose));
                self.overlays.push(Box::new(palette));
            }
            Reply::Choose(row) => return self.choose(row),
            Reply::PickLines(shown) => self.pick_lines(shown),
            Reply::Ask(Effect::Session(command))
                if self.has_ended() && command.needs_a_future() =>
            {
                self.note("halted: r to reset, S to step back");
            }
            Reply::Ask(effect) => return Some(effect),
        }
        None
    }

    /// Scrolls what has the keys.
    pub(super) fn scroll(&mut self, to: Move) -> Option<Effect> {
        match self.overlays.last_mut() {
            Some(overlay) => {
                overlay.scroll(to, self.size);
                None
            }
            None => self.move_cursor(self.front, to),
        }
    }

    pub(super) fn move_cursor(&mut self, pane: usize, to: Move) -> Option<Effect> {
        let reply = self.panes[pane].move_cursor(to, &self.snapshot, self.size);
        self.finish(reply)
    }

    /// Does what a row says, if it works where the keys are.
    fn choose(&mut self, row: Row) -> Option<Effect> {
        if let Some(entry) = self.entries().iter().find(|it| it.row == row && self.works(it)) {
            return self.act(entry);
        }
        self.note(format!("{}: not here, only {}", row.title, row.group.title()));
        None
    }
}
