//! The last line of the screen: a note, or the context line of useful keys.

use std::borrow::Cow;

use gray1_session::{Command, Goal, RunState};
use ratatui::text::{Line, Span};

use super::draw::AppDrawing;
use super::keys::KeyEntry;
use crate::text;
use crate::theme::Theme;

impl AppDrawing<'_> {
    /// The note if there is one, followed by the keys that fit.
    pub(super) fn footer(&self, width: usize) -> Line<'static> {
        let waits = self.app.buttons_have_keys && self.app.snapshot.run_state == RunState::Paused;
        let note = match &self.app.note {
            Some(note) => note,
            None if waits => "a press waits until the program reads it",
            None => return self.keys(width),
        };
        let note = Line::styled(format!(" {} ", text::printable(note)), self.theme.alert());
        let keys = self.keys(width.saturating_sub(note.width()));
        note.spans.into_iter().chain(keys).collect()
    }

    /// The useful keys that fit, most important first. Keys of held buttons are highlighted.
    fn keys(&self, width: usize) -> Line<'static> {
        let mut spans = Vec::new();
        let mut used = 0;
        let offered: Vec<_> = self.offered().into_iter().map(|it| (self.label(&it), it)).collect();
        for entries in offered.chunk_by(|(a, _), (b, _)| a == b) {
            let key = |(_, entry): &(_, KeyEntry)| entry.row.keys[0].to_string();
            let keys: Vec<String> = entries.iter().map(key).collect();
            let label = &entries[0].0;
            let columns =
                " ".len() + keys.join("/").len() + " ".len() + Span::raw(&**label).width();
            if used + columns > width {
                break;
            }
            used += columns + " ".len();
            let mut between = " ";
            for ((_, entry), key) in entries.iter().zip(keys) {
                let style = if self.is_held(entry) { Theme::SELECTED } else { self.theme.key() };
                spans.extend([Span::raw(between), Span::styled(key, style)]);
                between = "/";
            }
            spans.push(Span::styled(format!(" {label} "), self.theme.label()));
        }
        Line::from(spans)
    }

    /// The rows that the context line offers.
    fn offered(&self) -> Vec<KeyEntry> {
        let has_ended = self.app.has_ended();
        let mut entries: Vec<KeyEntry> = self.app.entries().collect();
        entries.retain(|entry| {
            let is_impossible = has_ended && entry.command().is_some_and(Command::needs_a_future);
            !entry.row.label.is_empty()
                && !is_impossible
                && self.app.works(entry)
                && self.app.is_useful(entry)
        });
        // After the end of a program, reset comes first.
        let reset = entries.iter().position(|it| matches!(it.command(), Some(Command::Reset)));
        if let Some(at) = reset.filter(|_| has_ended) {
            entries[..=at].rotate_right(1);
        }
        entries
    }

    /// The current label of a row.
    fn label(&self, entry: &KeyEntry) -> Cow<'static, str> {
        let is_active = !self.app.snapshot.run_state.is_stopped();
        match (entry.command(), self.app.snapshot.program.result()) {
            (Some(Command::RunOrPause), _) if is_active => "pause".into(),
            (Some(Command::Go(goal)), Some(name)) if *goal == Goal::PRINTED_LINE => {
                format!("next {name}").into()
            }
            (Some(Command::GoBack(goal)), Some(name)) if *goal == Goal::PRINTED_LINE => {
                format!("previous {name}").into()
            }
            _ => entry.row.label.into(),
        }
    }

    /// Whether the row's button is held.
    fn is_held(&self, entry: &KeyEntry) -> bool {
        match entry.command() {
            Some(Command::Tap(button)) => self.app.snapshot.buttons.0 & button.0 != 0,
            _ => false,
        }
    }
}
