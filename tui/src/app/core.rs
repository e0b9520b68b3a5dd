//! The app's state: the contents of the screen, and how snapshots and actions change them.

use std::sync::Arc;

use gray1_debugger::why::Asked;
use gray1_isa::panel::Buttons;
use gray1_session::{BreakChange, Command, Program, RunState, SavedBreakpoints, Snapshot};
use ratatui::layout::Size;

use super::answer::AnswerPane;
use crate::actions::{Effect, Question, Reply};
use crate::overlays::{OpenDialog, Outcome, Overlay, Pager};
use crate::panes::{self, Cursor, Pane};
use crate::preferences::Preferences;
use crate::programs::{ListedProgram, Preview};
use crate::terminal::Background;

/// The state of the screen.
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct App {
    /// The last snapshot of the session.
    pub(super) snapshot: Arc<Snapshot>,
    /// The size of the screen.
    pub(super) size: Size,
    pub(super) panes: Vec<Box<dyn Pane>>,
    /// The number of the pane in front.
    pub(super) front: usize,
    /// The dialogs over the panes. The last one receives the keys.
    pub(super) overlays: Vec<Box<dyn Overlay>>,
    /// The open answer to a question. Its keys take precedence over those of the panes.
    pub(super) answer: Option<AnswerPane>,
    /// Whether keys press the panel's buttons instead of controlling the panes.
    pub buttons_have_keys: bool,
    pub(super) preferences: Preferences,
    /// The buttons whose keys are down. `None` if the caller does not report releases by
    /// [`Self::release`].
    pub pressed: Option<Buttons>,
    /// Whether the pane in front fills the screen without frame, header and footer, as for a web
    /// page that has its own frame, title and keys.
    pub is_bare: bool,
    /// Whether text is readable on the terminal's own background, which is then kept.
    pub keeps_background: bool,
    /// Whether a source of the program has changed since it was assembled.
    pub has_new_source: bool,
    /// A note that is shown until the next key.
    pub(super) note: Option<String>,
}

impl App {
    /// An app that shows a snapshot, with the pane of this name in front.
    pub fn new(snapshot: Snapshot, size: Size, front: &str, preferences: Preferences) -> Self {
        let mut panes = panes::all(&snapshot);
        for pane in &mut panes {
            pane.restore_settings(&preferences);
        }
        let front = panes.iter().position(|pane| pane.name() == front).unwrap_or_default();
        Self {
            note: snapshot.remark.as_ref().map(|remark| remark.text.to_string()),
            snapshot: Arc::new(snapshot),
            size,
            panes,
            front,
            overlays: Vec::new(),
            answer: None,
            buttons_have_keys: false,
            preferences,
            pressed: None,
            is_bare: false,
            keeps_background: false,
            has_new_source: false,
        }
    }

    /// Takes a new snapshot.
    pub fn update(&mut self, snapshot: Snapshot) {
        if let Some(remark) = &snapshot.remark
            && self.snapshot.remark.as_ref() != Some(remark)
        {
            self.note(remark.text.clone());
        }
        if !Arc::ptr_eq(&self.snapshot.program, &snapshot.program) {
            self.answer = None;
        }
        let known = self.snapshot.stops.explanation.as_ref();
        if let Some(new) = &snapshot.stops.explanation
            && !known.is_some_and(|known| Arc::ptr_eq(known, new))
        {
            self.answer = Some(AnswerPane::new(new, &snapshot));
        }
        self.panes.iter_mut().for_each(|pane| pane.update(&snapshot));
        self.snapshot = Arc::new(snapshot);
    }

    /// Takes a new size of the screen.
    pub fn resize(&mut self, size: Size) {
        self.size = size;
        self.dock();
    }

    /// Puts a question about a value where its answer will be.
    pub(super) fn dock(&mut self) {
        let answer = self.arrange().1;
        self.overlays.iter_mut().for_each(|overlay| overlay.dock(answer));
    }

    /// Shows a note until the next key.
    pub fn note(&mut self, note: impl Into<String>) {
        self.note = Some(note.into());
    }

    /// The note, or else the reason for the machine's stop. Callers that set [`Self::is_bare`] need
    /// it, because a bare screen shows neither.
    pub fn shown_note(&self) -> Option<&str> {
        let Snapshot { stops, run_state, .. } = &*self.snapshot;
        let reason = stops.reason.as_ref().filter(|_| run_state.is_stopped());
        self.note.as_deref().or(reason.map(|reason| &*reason.text))
    }

    /// Whether there is a note, which is shown instead of the reason for a stop.
    pub fn has_note(&self) -> bool {
        self.note.is_some()
    }

    pub fn is_running(&self) -> bool {
        self.snapshot.run_state == RunState::Running
    }

    /// Whether the display is in front, where users watch and play programs. Keys and header then
    /// show the program's results.
    pub fn shows_display(&self) -> bool {
        self.pane().name() == "display"
    }

    /// Brings the pane of this name to the front, and closes the dialogs over it.
    pub fn show_pane(&mut self, name: &str) -> Option<Effect> {
        let pane = self.panes.iter().position(|pane| pane.name() == name)?;
        self.overlays.clear();
        self.answer = None;
        self.buttons_have_keys = false;
        let shown = self.show(pane);
        self.finish(shown)
    }

    /// The user's choices, to be saved.
    pub fn preferences(&self) -> Preferences {
        let mut preferences = self.preferences.clone();
        for pane in &self.panes {
            pane.save_settings(&mut preferences);
        }
        preferences
    }

    /// The name of the program, with its breakpoints and watches.
    pub fn saved_breakpoints(&self) -> (&str, SavedBreakpoints) {
        (&self.snapshot.program.name, self.snapshot.stops.to_saved())
    }

    /// Opens the dialog that lists these programs.
    pub fn show_programs(&mut self, programs: Vec<ListedProgram>) {
        self.overlays.push(Box::new(OpenDialog::new(programs)));
    }

    /// The next name that needs a preview. Pass the preview to [`Self::take_preview`].
    pub fn wanted_preview(&self) -> Option<String> {
        self.overlays.iter().find_map(|overlay| overlay.wanted_preview(self.size))
    }

    /// Takes the preview of a name.
    pub fn take_preview(&mut self, name: &str, preview: &Preview) {
        self.overlays.iter_mut().for_each(|overlay| overlay.take_preview(name, preview));
    }

    /// Returns the command that loads a program that was opened. After a failure, the dialog stays
    /// open under a message.
    pub fn load_opened(&mut self, name: &str, result: Result<Program, String>) -> Option<Command> {
        if result.is_ok() {
            self.overlays.clear();
            self.has_new_source = false;
        }
        self.load(result, format!("cannot open {name}"))
    }

    /// Returns the command that loads a program that was assembled again after a change of its
    /// source. After a failure, the old program stays and the errors are shown. Earlier messages
    /// are removed.
    pub fn reload(&mut self, name: &str, result: Result<Program, String>) -> Option<Command> {
        self.overlays.retain(|overlay| !overlay.is_message());
        self.has_new_source = result.is_err();
        if result.is_ok() {
            self.note("assembled again");
        }
        self.load(result, format!("the old program stays loaded: {name}"))
    }

    /// Returns the command that loads a program, or shows the error under a title.
    fn load(&mut self, result: Result<Program, String>, title: String) -> Option<Command> {
        match result {
            Ok(program) => Some(Command::Load(Box::new(program))),
            Err(message) => {
                self.overlays.push(Box::new(Pager::message(title, &message)));
                None
            }
        }
    }

    /// The pane in front.
    pub(super) fn pane(&self) -> &dyn Pane {
        &*self.panes[self.front]
    }

    pub(super) fn has_ended(&self) -> bool {
        self.snapshot.run_state == RunState::Halted
    }

    /// Brings a pane to the front. Numbers wrap around.
    pub(super) fn show(&mut self, pane: usize) -> Reply {
        let before = self.pane().wire_detail();
        self.front = pane % self.panes.len();
        match self.pane().wire_detail() {
            now if now == before => Reply::Done,
            now => Reply::command(Command::ShowWires(now)),
        }
    }

    pub(super) fn toggle_alone(&mut self, _: &Snapshot) -> Reply {
        self.preferences.alone = !self.preferences.alone;
        Reply::Done
    }

    pub(super) fn toggle_dwelling(&mut self, _: &Snapshot) -> Reply {
        self.preferences.dwells = !self.preferences.dwells;
        Reply::command(Command::SetDwelling(self.preferences.dwells))
    }

    pub(super) fn cycle_colors(&mut self, _: &Snapshot) -> Reply {
        let (colors, name) = self.preferences.colors.next();
        self.preferences.colors = colors;
        Reply::Note(name)
    }

    pub(super) fn cycle_background(&mut self, _: &Snapshot) -> Reply {
        let (background, name) = match self.preferences.background {
            None => (Some(Background::Light), "a light background"),
            Some(Background::Light) => (Some(Background::Dark), "a dark background"),
            Some(Background::Dark) => (None, "the terminal's background, light or dark"),
        };
        self.preferences.background = background;
        Reply::Note(name)
    }

    pub(super) fn take_buttons(&mut self, snapshot: &Snapshot) -> Reply {
        if !snapshot.program.reads_buttons {
            return Reply::Note("this program reads no buttons");
        }
        self.buttons_have_keys = true;
        // In other panes, users start the program themselves.
        let plays = self.shows_display() && snapshot.run_state == RunState::Paused;
        if plays { Reply::command(Command::Play) } else { Reply::Done }
    }

    pub(super) fn leave_buttons(&mut self, _: &Snapshot) -> Reply {
        self.buttons_have_keys = false;
        Reply::command(Command::Hold(Buttons::NONE))
    }

    /// Toggles a breakpoint on the instruction at the cursor, or on the next instruction in panes
    /// without a cursor.
    pub(super) fn toggle_break(&mut self, snapshot: &Snapshot) -> Reply {
        match self.pane().cursor(snapshot) {
            Cursor::Code(Some(index)) => {
                Reply::command(Command::Change(BreakChange::Toggle(index)))
            }
            Cursor::Code(None) => Reply::Note("no instruction on this line"),
            _ => Reply::command(Command::Change(BreakChange::Toggle(snapshot.cpu.pc))),
        }
    }

    /// Explains the byte at the cursor. In panes without such a cursor, asks the user what to
    /// explain.
    pub(super) fn ask_why(&mut self, snapshot: &Snapshot) -> Reply {
        if let Cursor::Byte(byte) = self.pane().cursor(snapshot) {
            return Reply::command(Command::Ask(Asked::byte(byte)));
        }
        let last = self.answer.as_ref().and_then(AnswerPane::question);
        Reply::Prompt(Question::Why, last.unwrap_or_default())
    }

    pub(super) fn close(&mut self, _: &Snapshot) -> Reply {
        if self.overlays.pop().is_none() {
            self.answer = None;
        }
        Reply::Done
    }

    pub(super) fn toggle_steps(&mut self, _: &Snapshot) -> Reply {
        self.answer.iter_mut().for_each(AnswerPane::toggle_all);
        Reply::Done
    }

    pub(super) fn complete(&mut self, _: &Snapshot) -> Reply {
        if let Some(overlay) = self.overlays.last_mut() {
            overlay.complete();
        }
        Reply::Done
    }

    pub(super) fn accept(&mut self, snapshot: &Snapshot) -> Reply {
        match self.overlays.last_mut().map(|overlay| overlay.accept(snapshot)) {
            None => self.answer.as_ref().map_or(Reply::Done, AnswerPane::go_to_step),
            Some(Outcome::Stay(reply)) => reply,
            Some(Outcome::Close(reply)) => {
                self.overlays.pop();
                reply
            }
        }
    }
}
