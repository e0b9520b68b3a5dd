//! The app: what is on the screen, and how keys, the mouse and news change it. What it cannot do
//! itself comes back as an [`Effect`].

mod draw;
mod keys;
mod layout;
mod mouse;

use std::sync::Arc;

use ratatui::layout::Size;

use crate::actions::{Effect, Move, Reply, Row};
use crate::key::Key;
use crate::overlays::{Answer, Ask, Listed, OpenDialog, Overlay, Pager, Palette, Prompt, Purpose};
use crate::panes::{self, Cursor, Pane};
use crate::session::{Command, Program, Snapshot, Status};
use crate::theme::{Colors, Depth};
use keys::{Entry, Scope, Target};
pub use mouse::{Mouse, MouseKind};

/// Everything that is drawn from.
pub struct App {
    /// The machine as it was last seen.
    snapshot: Arc<Snapshot>,
    /// The size of the screen.
    size: Size,
    panes: Vec<Box<dyn Pane>>,
    /// The number of the pane that is in front.
    front: usize,
    /// What lies over the panes; the last one has the keys.
    overlays: Vec<Box<dyn Overlay>>,
    /// Whether the panel's buttons have the keys.
    buttons_have_keys: bool,
    preferences: Preferences,
    /// How many of the terminal's colours are wanted.
    depth_max: Depth,
    /// A note, until the next key.
    note: Option<String>,
}

/// What a user may want to find again the next time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Preferences {
    /// Whether the pane in front stands alone.
    pub alone: bool,
    /// Which colours are used.
    pub colors: Colors,
}

impl App {
    /// The machine, with the pane of this name in front.
    #[must_use]
    pub fn new(snapshot: Snapshot, size: Size, front: &str, preferences: Preferences) -> Self {
        let panes = panes::all(&snapshot);
        let front = panes.iter().position(|pane| pane.name() == front).unwrap_or_default();
        Self {
            snapshot: Arc::new(snapshot),
            size,
            panes,
            front,
            overlays: Vec::new(),
            buttons_have_keys: false,
            preferences,
            depth_max: Depth::True,
            note: None,
        }
    }

    /// The machine has changed.
    pub fn see(&mut self, snapshot: Snapshot) {
        if let Some(remark) = snapshot.remark {
            self.note(remark);
        }
        self.panes.iter_mut().for_each(|pane| pane.see(&snapshot));
        self.snapshot = Arc::new(snapshot);
    }

    /// The screen has another size.
    pub fn resize(&mut self, size: Size) {
        self.size = size;
    }

    /// Shows a note until the next key.
    pub fn note(&mut self, note: impl Into<String>) {
        self.note = Some(note.into());
    }

    /// Whether a note is shown.
    #[must_use]
    pub fn has_note(&self) -> bool {
        self.note.is_some()
    }

    /// What the user has chosen.
    #[must_use]
    pub fn preferences(&self) -> Preferences {
        self.preferences
    }

    /// All rows of all key tables, each once.
    #[must_use]
    pub(crate) fn rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for Entry { row, .. } in self.entries() {
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        rows
    }

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
            (Some(entry), _) => {
                let reply = self.act(&entry);
                self.finish(reply)
            }
            (None, Some(overlay)) => {
                overlay.edit(key);
                None
            }
            (None, None) => None,
        }
    }

    /// Shows the dialog with these programs.
    pub fn show_programs(&mut self, programs: Vec<Listed>) {
        self.overlays.push(Box::new(OpenDialog::new(programs)));
    }

    /// A program was opened, or could not be: then the dialog stays, with a message over it.
    pub fn opened(&mut self, name: &str, result: Result<Program, String>) -> Option<Effect> {
        match result {
            Ok(program) => {
                self.overlays.clear();
                Some(Effect::Session(Command::Load(Box::new(program))))
            }
            Err(message) => {
                let title = format!("cannot open {name}");
                self.overlays.push(Box::new(Pager::message(title, &message)));
                None
            }
        }
    }

    /// A source has changed, and the program was assembled again, or could not be: then the old one
    /// stays, with the errors over it. Earlier messages go.
    pub fn assembled(&mut self, name: &str, result: Result<Program, String>) -> Option<Effect> {
        self.overlays.retain(|overlay| !overlay.is_message());
        match result {
            Ok(program) => {
                self.note("assembled again");
                Some(Effect::Session(Command::Load(Box::new(program))))
            }
            Err(message) => {
                let title = format!("the old program stays: {name}");
                self.overlays.push(Box::new(Pager::message(title, &message)));
                None
            }
        }
    }

    /// The pane in front.
    fn pane(&self) -> &dyn Pane {
        &*self.panes[self.front]
    }

    /// Whether a row works where the keys are.
    fn works(&self, entry: &Entry) -> bool {
        let overlay = self.overlays.last();
        let at_panes = overlay.is_none() && !self.buttons_have_keys;
        match entry.scope {
            Scope::Panes => at_panes,
            Scope::Pane(pane) => at_panes && pane == self.front,
            Scope::Buttons => overlay.is_none() && self.buttons_have_keys,
            Scope::Overlays => overlay.is_some(),
            Scope::Choices => overlay.is_some_and(|overlay| !overlay.is_message()),
            Scope::Moves(to) => match overlay {
                Some(overlay) => overlay.moves().contains(&to),
                None => at_panes && self.pane().moves().contains(&to),
            },
            Scope::Anywhere => true,
        }
    }

    fn act(&mut self, entry: &Entry) -> Reply {
        let snapshot = Arc::clone(&self.snapshot);
        match entry.target {
            Target::App(binding) => binding.action.act(self, &snapshot),
            Target::Show(pane) => self.show(pane),
            Target::Pane { pane, row } => self.panes[pane].act(row, &snapshot),
        }
    }

    /// Does what is left to do after an action.
    fn finish(&mut self, reply: Reply) -> Option<Effect> {
        match reply {
            Reply::Done => {}
            Reply::Note(note) => self.note(note),
            Reply::Move(to) => return self.scroll(to),
            Reply::Ask(Effect::Session(command))
                if self.has_ended() && command.needs_a_future() =>
            {
                self.note("halted: r to reset, S to step back");
            }
            Reply::Ask(effect) => return Some(effect),
        }
        None
    }

    fn has_ended(&self) -> bool {
        self.snapshot.status == Status::Halted
    }

    /// Scrolls what has the keys.
    fn scroll(&mut self, to: Move) -> Option<Effect> {
        match self.overlays.last_mut() {
            Some(overlay) => {
                overlay.scroll(to, self.size);
                None
            }
            None => self.move_cursor(self.front, to),
        }
    }

    fn move_cursor(&mut self, pane: usize, to: Move) -> Option<Effect> {
        let reply = self.panes[pane].move_cursor(to, &self.snapshot, self.size);
        self.finish(reply)
    }

    /// Brings a pane to the front; the numbers go round and round.
    fn show(&mut self, pane: usize) -> Reply {
        let before = self.pane().needs_levels();
        self.front = pane % self.panes.len();
        match self.pane().needs_levels() {
            now if now == before => Reply::Done,
            now => Reply::command(Command::ShowLevels(now)),
        }
    }

    fn toggle_alone(&mut self, _: &Snapshot) -> Reply {
        self.preferences.alone = !self.preferences.alone;
        Reply::Done
    }

    fn cycle_colors(&mut self, _: &Snapshot) -> Reply {
        let (colors, name) = self.preferences.colors.next();
        self.preferences.colors = colors;
        Reply::Note(name)
    }

    fn cycle_depth(&mut self, _: &Snapshot) -> Reply {
        let (depth, name) = match self.depth_max {
            Depth::True => (Depth::Indexed, "at most 256 colours"),
            Depth::Indexed => (Depth::Sixteen, "at most 16 colours"),
            Depth::Sixteen | Depth::None => (Depth::True, "all colours of the terminal"),
        };
        self.depth_max = depth;
        Reply::Note(name)
    }

    fn take_buttons(&mut self, snapshot: &Snapshot) -> Reply {
        if !snapshot.program.reads_buttons() {
            return Reply::Note("this program reads no buttons");
        }
        self.buttons_have_keys = true;
        Reply::command(Command::PaceEvenly)
    }

    fn leave_buttons(&mut self, _: &Snapshot) -> Reply {
        self.buttons_have_keys = false;
        Reply::Done
    }

    /// Sets a break on the instruction at the cursor, in panes without one on the next instruction.
    fn toggle_break(&mut self, snapshot: &Snapshot) -> Reply {
        match self.pane().cursor(snapshot) {
            Cursor::Code(Some(index)) => Reply::command(Command::ToggleBreak(index)),
            Cursor::Code(None) => Reply::Note("no instruction on this line"),
            _ => Reply::command(Command::ToggleBreak(snapshot.cpu.pc)),
        }
    }

    /// Goes to the last writer of the byte at the cursor, or asks which byte is meant.
    fn find_writer(&mut self, snapshot: &Snapshot) -> Reply {
        match self.pane().cursor(snapshot) {
            Cursor::Byte(byte) => Reply::command(Command::WhoWrote { first: byte, last: byte }),
            _ => self.ask(Ask::Byte),
        }
    }

    fn ask(&mut self, ask: Ask) -> Reply {
        self.overlays.push(Box::new(Prompt::new(ask)));
        Reply::Done
    }

    fn list_actions(&mut self, purpose: Purpose) -> Reply {
        let rows = self.rows();
        self.overlays.push(Box::new(Palette::new(purpose, rows)));
        Reply::Done
    }

    fn close(&mut self, _: &Snapshot) -> Reply {
        self.overlays.pop();
        Reply::Done
    }

    fn accept(&mut self, snapshot: &Snapshot) -> Reply {
        let answer = self.overlays.last_mut().map(|overlay| overlay.accept(snapshot));
        match answer {
            None | Some(Answer::Nothing) => Reply::Done,
            Some(Answer::Open(name)) => Reply::Ask(Effect::Open(name)),
            Some(Answer::Row(row)) => {
                let row = self.rows()[row];
                self.overlays.pop();
                self.choose(row)
            }
            Some(Answer::Command(command)) => {
                self.overlays.pop();
                Reply::command(command)
            }
        }
    }

    /// Does what a row says, if it works where the keys are.
    fn choose(&mut self, row: Row) -> Reply {
        if let Some(entry) = self.entries().iter().find(|it| it.row == row && self.works(it)) {
            return self.act(entry);
        }
        self.note(format!("{}: not here, only {}", row.title, row.group.title()));
        Reply::Done
    }
}

#[cfg(test)]
mod tests;
