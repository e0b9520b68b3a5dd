//! Handles keys: finds the row of a key and carries out its action.

use std::sync::Arc;

use gray1_isa::panel::Buttons;
use gray1_session::{Command, RunState};

use super::App;
use super::keys::{KeyEntry, KeyScope, KeyTarget};
use crate::actions::{Effect, KeyRow, Move, Reply, ShowTarget};
use crate::key::Key;
use crate::overlays::{Palette, Prompt};

impl App {
    /// Handles a key. During a search, a key only cancels the search, unless it concerns the whole
    /// front end. While hits are being counted, a key without a binding cancels the counting.
    pub fn key(&mut self, key: Key) -> Option<Effect> {
        self.note = None;
        let bound = self.entries().find(|it| it.row.keys.contains(&key) && self.works(it));
        if self.snapshot.run_state == RunState::Searching && !bound.is_some_and(|it| it.is_global())
        {
            return Some(Effect::Session(Command::Cancel));
        }
        match (bound, self.overlays.last_mut()) {
            (Some(entry), _) => match (self.act(&entry), self.pressed) {
                (Some(Effect::Session(Command::Tap(button))), Some(pressed)) => {
                    Some(self.hold(Buttons(pressed.0 | button.0)))
                }
                (effect, _) => effect,
            },
            (None, Some(overlay)) => {
                overlay.edit(key);
                None
            }
            (None, None) if self.snapshot.stops.hits.counted.is_some() => {
                Some(Effect::Session(Command::Cancel))
            }
            (None, None) => {
                self.note(self.explain_unbound(key));
                None
            }
        }
    }

    /// Handles the release of a key.
    pub fn release(&mut self, key: Key) -> Option<Effect> {
        let entry = self.entries().find(|it| it.row.keys.contains(&key) && self.works(it))?;
        let Command::Tap(button) = *entry.command()? else { return None };
        let pressed = self.pressed?;
        Some(self.hold(Buttons(pressed.0 & !button.0)))
    }

    fn hold(&mut self, pressed: Buttons) -> Effect {
        self.pressed = Some(pressed);
        Effect::Session(Command::Hold(pressed))
    }

    /// Takes a pasted character. It is not a key, so it only goes into a line to type in.
    pub fn paste(&mut self, c: char) {
        match self.overlays.last_mut() {
            Some(overlay) if !overlay.is_message() => overlay.edit(Key::char(c)),
            _ => self.note("you can paste only into a text box"),
        }
    }

    /// The note about a key without a meaning.
    fn explain_unbound(&self, key: Key) -> String {
        let mut buttons = self.entries().filter(|it| it.scope == KeyScope::Buttons);
        if self.buttons_have_keys {
            format!("{key} is not a button: esc ends button mode")
        } else if self.snapshot.program.reads_buttons
            && buttons.any(|it| it.row.keys.contains(&key))
        {
            "press i to use the keys as the panel's buttons".to_owned()
        } else {
            format!("{key} does nothing here: ? lists the keys")
        }
    }

    fn act(&mut self, entry: &KeyEntry) -> Option<Effect> {
        let snapshot = Arc::clone(&self.snapshot);
        let reply = match entry.target {
            KeyTarget::App(binding) => binding.action.act(self, &snapshot),
            KeyTarget::Show(pane) => self.show(pane),
            KeyTarget::Pane { pane, row } => self.panes[pane].act(row, &snapshot),
        };
        self.finish(reply)
    }

    /// Carries out the part of an action that it left for the app.
    pub(super) fn finish(&mut self, reply: Reply) -> Option<Effect> {
        match reply {
            Reply::Done => {}
            Reply::Note(note) => self.note(note),
            Reply::Prompt(question, start) => {
                let prompt = Prompt::new(question, start, &self.snapshot.program.image);
                self.overlays.push(Box::new(prompt));
                self.dock();
            }
            Reply::Show(target) => return self.show_target(&target),
            Reply::Move(to) => return self.scroll(to),
            Reply::List(purpose) => {
                let palette = Palette::new(purpose, self.rows(purpose), &self.snapshot.program);
                self.overlays.push(Box::new(palette));
            }
            Reply::Choose(row) => return self.choose(row),
            Reply::Dialog => self.overlays.extend(self.pane().choices(&self.snapshot)),
            Reply::Ask(Effect::Session(command))
                if self.has_ended() && command.needs_a_future() =>
            {
                self.note("halted: r to reset, S to step back");
            }
            Reply::Ask(effect) => return Some(effect),
        }
        None
    }

    /// Finds the first pane that can show the target, and brings it to the front.
    fn show_target(&mut self, target: &ShowTarget) -> Option<Effect> {
        let snapshot = Arc::clone(&self.snapshot);
        let mut panes = self.panes.iter_mut().enumerate();
        let (pane, reply) = panes.find_map(|(n, pane)| Some((n, pane.show(target, &snapshot)?)))?;
        let shown = self.show(pane);
        let effect = self.finish(shown);
        self.finish(reply).or(effect)
    }

    /// Scrolls the answer, overlay or pane that has the keys.
    pub(super) fn scroll(&mut self, to: Move) -> Option<Effect> {
        if let Some(overlay) = self.overlays.last_mut() {
            overlay.scroll(to, self.size);
            return None;
        }
        if self.scrolls_answer(to) {
            let area = self.arrange().1;
            self.answer.as_mut()?.scroll(to, area);
            return None;
        }
        let inside = self.inside(self.places()[0]).as_size();
        let reply = self.panes[self.front].move_cursor(to, &self.snapshot, inside);
        self.finish(reply)
    }

    /// Carries out the action of a row if its keys work in the current state. Otherwise shows a
    /// note about where they work.
    fn choose(&mut self, row: KeyRow) -> Option<Effect> {
        let here = self.entries().find(|it| it.row == row && self.works(it));
        if let Some(entry) = here {
            return self.act(&entry);
        }
        let elsewhere = self.entries().find_map(|it| match it.scope {
            KeyScope::Pane(pane) if it.row == row => Some(pane),
            _ => None,
        });
        let title = self.snapshot.program.name_results(row.title);
        self.note(match elsewhere {
            Some(pane) => {
                let name = self.panes[pane].name();
                format!("That key works in the pane \"{name}\" (press {}).", pane + 1)
            }
            None => format!("\"{title}\" works only {}", row.group.title()),
        });
        None
    }
}
