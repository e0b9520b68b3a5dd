//! What the front end shows, and how keys and news change it. It draws nothing and does nothing:
//! what is to be done comes back as an [`Effect`].

use crossterm::event::KeyEvent;
use gray1_isa::RomIndex;
use ratatui::layout::Size;

use super::Listed;
use super::actions::{self, Action, Binding, Mode, TABLE};
use super::arrangement::{Arrangement, View};
use super::breaks::{BreaksView, Row};
use super::chips::{Bench, BoardView, Lines};
use super::memory::MemoryView;
use super::open::OpenDialog;
use super::pager::Pager;
use super::palette::{Palette, Purpose};
use super::player::{Command, Goal, Opened, Snapshot, Status};
use super::prompt::{Answer, Ask, Prompt};
use super::source::SourceView;
use super::theme::{Colors, Depth};

/// Everything that the views draw from.
pub(super) struct State {
    /// The machine as it was last seen.
    pub(super) snapshot: Box<Snapshot>,
    /// The size of the screen.
    pub(super) size: Size,
    /// Which views are shown.
    pub(super) views: Arrangement,
    pub(super) source: SourceView,
    pub(super) memory: MemoryView,
    pub(super) breaks: BreaksView,
    pub(super) board: BoardView,
    /// The chips' lines at this moment, while the board is shown.
    pub(super) lines: Option<Lines>,
    pub(super) colors: Colors,
    /// How many of the terminal's colours are wanted.
    pub(super) depth_max: Depth,
    /// Where the lines are looked up; made when they are wanted for the first time.
    bench: Option<Bench>,
    /// What lies over the machine; the last one gets the keys.
    pub(super) overlays: Vec<Overlay>,
    /// Whether the panel's buttons get the keys.
    pub(super) at_panel: bool,
    /// A remark, until the next key.
    pub(super) note: Option<String>,
}

/// Something over the machine.
pub(super) enum Overlay {
    Pager(Pager),
    Open(OpenDialog),
    Palette(Palette),
    Prompt(Prompt),
}

/// What a key asks for beyond the state itself.
#[derive(Debug)]
pub(super) enum Effect {
    /// Tell the machine.
    Machine(Command),
    /// List the built-in programs, then call [`State::show_programs`].
    ListPrograms,
    /// Open this program, then call [`State::opened`].
    Open(String),
    /// Draw everything anew.
    Redraw,
    /// Stop until SIGCONT.
    Suspend,
    /// End as ctrl-C ends a program.
    Interrupt,
    /// End.
    Quit,
}

impl State {
    /// The machine, and nothing over it.
    pub(super) fn new(snapshot: Box<Snapshot>, size: Size, views: Arrangement) -> Self {
        let source = SourceView::new(&snapshot.program);
        Self {
            snapshot,
            size,
            views,
            source,
            memory: MemoryView::default(),
            breaks: BreaksView::default(),
            board: BoardView::default(),
            lines: None,
            bench: None,
            colors: Colors::default(),
            depth_max: Depth::True,
            overlays: Vec::new(),
            at_panel: false,
            note: None,
        }
    }

    /// The machine was seen anew.
    pub(super) fn see(&mut self, snapshot: Box<Snapshot>) {
        self.source.see(&snapshot.program);
        self.snapshot = snapshot;
        self.look_at_lines();
    }

    /// Brings the chips' lines up to date, if they are shown.
    fn look_at_lines(&mut self) {
        self.lines = None;
        if self.views.focus == View::Board {
            let bench = self.bench.get_or_insert_with(Bench::new);
            self.lines = Some(bench.look(&self.snapshot));
        }
    }

    /// Who gets the keys.
    pub(super) fn mode(&self) -> Mode {
        match self.overlays.last() {
            None if self.at_panel => Mode::Panel,
            None => Mode::View(self.views.focus),
            Some(Overlay::Pager(_)) => Mode::Pager,
            Some(Overlay::Open(_) | Overlay::Palette(_) | Overlay::Prompt(_)) => Mode::Chooser,
        }
    }

    /// A key was pressed.
    pub(super) fn key(&mut self, key: KeyEvent) -> Option<Effect> {
        self.note = None;
        self.snapshot.remark = None;
        if let Some(given_up) = self.give_up(key) {
            return Some(given_up);
        }
        match (actions::find(self.mode(), key), self.overlays.last_mut()) {
            (Some(action), _) => self.update(action),
            (None, Some(Overlay::Open(dialog))) => {
                dialog.edit(key);
                None
            }
            (None, Some(Overlay::Prompt(prompt))) => {
                prompt.edit(key);
                None
            }
            (None, Some(Overlay::Palette(palette))) => {
                palette.chooser.edit(key);
                palette.chooser.select(0);
                None
            }
            (None, _) => None,
        }
    }

    /// Any key gives up a search in the past, and does nothing else; but for those that mean the
    /// whole front end.
    fn give_up(&self, key: KeyEvent) -> Option<Effect> {
        let is_searching = self.snapshot.status == Status::Searching;
        let action = actions::find(self.mode(), key);
        let is_greater = matches!(
            action,
            Some(Action::Quit | Action::Interrupt | Action::Suspend | Action::Redraw)
        );
        (is_searching && !is_greater).then_some(Effect::Machine(Command::Cancel))
    }

    /// Does what can be done here, and says what else there is to do.
    pub(super) fn update(&mut self, action: Action) -> Option<Effect> {
        match action {
            _ if self.is_void(action) => self.at_the_end(),
            Action::RunOrPause => Some(Effect::Machine(Command::RunOrPause)),
            Action::Step => Some(Effect::Machine(Command::Step)),
            Action::StepPhase => Some(Effect::Machine(Command::StepPhase)),
            Action::StepBack => Some(Effect::Machine(Command::StepBack)),
            Action::StepPhaseBack => Some(Effect::Machine(Command::StepPhaseBack)),
            Action::NextLedChange => go(Goal::LedChange),
            Action::PreviousLedChange => go_back(Goal::LedChange),
            Action::NextBreak => go(Goal::Break),
            Action::PreviousBreak => go_back(Goal::Break),
            Action::NextByte => go(Goal::MailboxByte),
            Action::PreviousByte => go_back(Goal::MailboxByte),
            Action::Outward => go(Goal::Outside),
            Action::OutwardBack => go_back(Goal::Outside),
            Action::ToCursor => self.cursor().and_then(|index| go(Goal::Instruction(index))),
            Action::BackToCursor => {
                self.cursor().and_then(|index| go_back(Goal::Instruction(index)))
            }
            Action::BreakHere => {
                self.cursor().map(|index| Effect::Machine(Command::BreakHere(index)))
            }
            Action::BreakAt => self.show(Overlay::Prompt(Prompt::new(Ask::Break))),
            Action::GoTo => self.show(Overlay::Prompt(Prompt::new(Ask::Moment))),
            Action::WhoWrote => self.who_wrote(),
            Action::NextLine => go(Goal::Line),
            Action::PreviousLine => go_back(Goal::Line),
            Action::ScrubBack => Some(Effect::Machine(Command::ScrubBack)),
            Action::ScrubForward => Some(Effect::Machine(Command::ScrubForward)),
            Action::SwitchBreak => self.switch_break(),
            Action::RemoveBreak => self.remove_break(),
            Action::Watch => self.show(Overlay::Prompt(Prompt::new(Ask::Watch))),
            Action::First if self.mode() == Mode::View(View::Timeline) => {
                Some(Effect::Machine(Command::Seek(self.snapshot.time.start)))
            }
            Action::Last if self.mode() == Mode::View(View::Timeline) => {
                Some(Effect::Machine(Command::Seek(self.snapshot.time.end)))
            }
            Action::Faster => Some(Effect::Machine(Command::Faster)),
            Action::Slower => Some(Effect::Machine(Command::Slower)),
            Action::Reset => Some(Effect::Machine(Command::Reset)),
            Action::Open => Some(Effect::ListPrograms),
            Action::Quit => Some(Effect::Quit),
            Action::Redraw => Some(Effect::Redraw),
            Action::Suspend => Some(Effect::Suspend),
            Action::Interrupt => Some(Effect::Interrupt),
            Action::TakePanel => self.take_panel(),
            Action::LeavePanel => self.leave_panel(),
            Action::Help => self.show(Overlay::Palette(Palette::new(Purpose::Help))),
            Action::Palette => self.show(Overlay::Palette(Palette::new(Purpose::Do))),
            Action::NextView | Action::PreviousView | Action::Show(_) | Action::Alone => {
                self.rearrange(action)
            }
            Action::Toggle => self.unfold(),
            Action::UnfoldHere => self.source_action(SourceView::unfold_here),
            Action::FoldAll => self.source_action(|source, _| source.fold_all()),
            Action::Follow => self.follow(),
            Action::FollowLine | Action::GoToDriver => self.board_action(action),
            Action::Colors => self.change_colors(),
            Action::Depth => self.change_depth(),
            Action::Close => self.close(),
            Action::Accept => self.accept(),
            Action::Up
            | Action::Down
            | Action::Left
            | Action::Right
            | Action::PageUp
            | Action::PageDown
            | Action::First
            | Action::Last => self.scroll(action),
            Action::HoldUp
            | Action::HoldDown
            | Action::HoldLeft
            | Action::HoldRight
            | Action::HoldA
            | Action::HoldB
            | Action::HoldSelect
            | Action::HoldStart => {
                action.button().map(|button| Effect::Machine(Command::Hold(button)))
            }
        }
    }

    /// Shows the dialog with these programs.
    pub(super) fn show_programs(&mut self, programs: Vec<Listed>) {
        self.show(Overlay::Open(OpenDialog::new(programs)));
    }

    /// A program was opened, or could not be: then the dialog stays, with a message over it.
    pub(super) fn opened(&mut self, name: &str, result: Result<Opened, String>) -> Option<Effect> {
        match result {
            Ok(program) => {
                self.overlays.clear();
                Some(Effect::Machine(Command::Load(Box::new(program))))
            }
            Err(message) => {
                self.show(Overlay::Pager(Pager::message(format!("cannot open {name}"), &message)))
            }
        }
    }

    /// A source has changed, and the program was assembled anew, or could not be: then the old one
    /// stays, with the errors over it. What went before is no matter any more.
    pub(super) fn assembled_anew(
        &mut self,
        name: &str,
        result: Result<Opened, String>,
    ) -> Option<Command> {
        self.overlays.retain(|overlay| !matches!(overlay, Overlay::Pager(_)));
        match result {
            Ok(program) => {
                self.note = Some("assembled anew".to_owned());
                Some(Command::Reload(Box::new(program)))
            }
            Err(message) => {
                let title = format!("the old program stays: {name}");
                self.show(Overlay::Pager(Pager::message(title, &message)));
                None
            }
        }
    }

    /// The rows of the action table that the context line offers now, what matters most first.
    pub(super) fn offered(&self) -> Vec<&'static Binding> {
        let offered = |row: &&Binding| {
            (row.works_in)(self.mode()) && !row.label.is_empty() && !self.is_idle(row.action)
        };
        let mut rows: Vec<_> = TABLE.iter().filter(offered).collect();
        // What is left to do with a program that has ended.
        rows.sort_by_key(|row| !(self.has_ended() && row.action == Action::Reset));
        rows
    }

    /// What a row of the action table would do now, in a word or two.
    pub(super) fn label(&self, row: &Binding) -> &'static str {
        match (row.action, self.snapshot.status) {
            (Action::RunOrPause, Status::Running | Status::Seeking | Status::Searching) => "pause",
            _ => row.label,
        }
    }

    /// Whether the action could change nothing, as nothing runs any more.
    fn is_void(&self, action: Action) -> bool {
        use Action::{
            NextBreak, NextByte, NextLedChange, Outward, RunOrPause, Step, StepPhase, ToCursor,
        };
        let is_forward = matches!(
            action,
            RunOrPause
                | Step
                | StepPhase
                | NextLedChange
                | NextBreak
                | NextByte
                | Outward
                | ToCursor
        );
        is_forward && self.has_ended()
    }

    /// Whether the context line need not offer the action now.
    fn is_idle(&self, action: Action) -> bool {
        self.is_void(action)
            || action == Action::Follow && self.follows()
            || action == Action::BreakHere && self.views.focus != View::Source
            || action == Action::StepPhase && self.views.focus != View::Board
            || matches!(action, Action::NextBreak | Action::PreviousBreak)
                && self.snapshot.breaks.list().is_empty()
            || action == Action::TakePanel && !self.snapshot.reads_buttons
    }

    fn has_ended(&self) -> bool {
        self.snapshot.status == Status::Halted
    }

    fn at_the_end(&mut self) -> Option<Effect> {
        self.note = Some("it has ended: r resets, S steps back".to_owned());
        None
    }

    fn take_panel(&mut self) -> Option<Effect> {
        if !self.snapshot.reads_buttons {
            self.note = Some("this program reads no buttons".to_owned());
            return None;
        }
        self.at_panel = true;
        Some(Effect::Machine(Command::PaceEvenly))
    }

    fn leave_panel(&mut self) -> Option<Effect> {
        self.at_panel = false;
        None
    }

    fn show(&mut self, overlay: Overlay) -> Option<Effect> {
        self.overlays.push(overlay);
        None
    }

    fn close(&mut self) -> Option<Effect> {
        self.overlays.pop();
        None
    }

    fn accept(&mut self) -> Option<Effect> {
        match self.overlays.last() {
            Some(Overlay::Open(dialog)) => {
                Some(dialog.choice()).filter(|choice| !choice.is_empty()).map(Effect::Open)
            }
            Some(Overlay::Palette(palette)) => {
                let row = palette.choice()?;
                self.overlays.pop();
                self.perform(row)
            }
            Some(Overlay::Prompt(_)) => self.answer(),
            Some(Overlay::Pager(_)) | None => None,
        }
    }

    /// Does what was asked for, or leaves the question there with what is wrong.
    fn answer(&mut self) -> Option<Effect> {
        let Some(Overlay::Prompt(prompt)) = self.overlays.last_mut() else { return None };
        let answer = prompt.answer(&self.snapshot)?;
        self.overlays.pop();
        match answer {
            Answer::Command(command) => Some(Effect::Machine(command)),
            Answer::Watch(text) => {
                self.breaks.watches.push(text);
                None
            }
        }
    }

    fn switch_break(&mut self) -> Option<Effect> {
        match self.breaks.selected(&self.snapshot)? {
            Row::Break(number) => Some(Effect::Machine(Command::SwitchBreak(number))),
            Row::Watch(_) => None,
        }
    }

    fn remove_break(&mut self) -> Option<Effect> {
        match self.breaks.selected(&self.snapshot)? {
            Row::Break(number) => Some(Effect::Machine(Command::RemoveBreak(number))),
            Row::Watch(number) => {
                self.breaks.watches.remove(number);
                None
            }
        }
    }

    /// The instruction under the cursor of the source, elsewhere the one that comes next.
    fn cursor(&mut self) -> Option<RomIndex> {
        if self.views.focus != View::Source {
            return Some(self.snapshot.pc);
        }
        let index = self.source.instruction(&self.snapshot);
        if index.is_none() {
            self.note = Some("no instruction stands here".to_owned());
        }
        index
    }

    /// Asks who wrote the byte under the cursor of data memory, elsewhere which byte is meant.
    fn who_wrote(&mut self) -> Option<Effect> {
        if self.views.focus != View::Memory {
            return self.show(Overlay::Prompt(Prompt::new(Ask::Byte)));
        }
        let byte = self.memory.cursor(&self.snapshot);
        Some(Effect::Machine(Command::WhoWrote { first: byte, last: byte }))
    }

    /// Does what a row of the table says, if it can be done where the keys are.
    fn perform(&mut self, row: &Binding) -> Option<Effect> {
        if (row.works_in)(self.mode()) {
            return self.update(row.action);
        }
        self.note = Some(format!("{}: not here, but {}", row.title, row.group.title()));
        None
    }

    fn change_depth(&mut self) -> Option<Effect> {
        let (depth, name) = match self.depth_max {
            Depth::True => (Depth::Indexed, "256 colours at most"),
            Depth::Indexed => (Depth::Sixteen, "16 colours at most"),
            Depth::Sixteen | Depth::None => (Depth::True, "all colours of the terminal"),
        };
        self.depth_max = depth;
        self.note = Some(name.to_owned());
        None
    }

    fn change_colors(&mut self) -> Option<Effect> {
        let (colors, name) = self.colors.next();
        self.colors = colors;
        self.note = Some(name.to_owned());
        None
    }

    fn rearrange(&mut self, action: Action) -> Option<Effect> {
        match action {
            Action::NextView => self.views.next(),
            Action::PreviousView => self.views.previous(),
            Action::Show(view) => self.views.show(view),
            _ => self.views.alone = !self.views.alone,
        }
        self.look_at_lines();
        None
    }

    /// Moves the cursor of a view that is shown, if it has one.
    pub(super) fn move_cursor(&mut self, view: View, action: Action) {
        let Self { snapshot, size, .. } = self;
        match view {
            View::Source => self.source.move_cursor(action, snapshot),
            View::Memory => self.memory.move_cursor(action, snapshot, *size),
            View::Board => {
                if let Some(lines) = &self.lines {
                    self.board.move_cursor(action, &lines.board);
                }
            }
            View::Breaks => self.breaks.update(action, snapshot),
            View::Display | View::Machine | View::Output | View::Timeline => {}
        }
    }

    fn unfold(&mut self) -> Option<Effect> {
        if !self.source.toggle(&self.snapshot) {
            self.note = Some("no macro call stands here".to_owned());
        }
        None
    }

    fn source_action(&mut self, act: impl Fn(&mut SourceView, &Snapshot)) -> Option<Effect> {
        act(&mut self.source, &self.snapshot);
        None
    }

    fn follow(&mut self) -> Option<Effect> {
        match self.views.focus {
            View::Memory => self.memory.follow(),
            _ => self.source.follow(),
        }
        None
    }

    fn board_action(&mut self, action: Action) -> Option<Effect> {
        let lines = self.lines.as_ref()?;
        if action == Action::FollowLine {
            self.board.follow(&lines.board);
        } else if !self.board.go_to_driver(lines) {
            self.note = Some("this line comes from outside the board".to_owned());
        }
        None
    }

    /// Whether the cursor of the view with the keys goes with the machine.
    fn follows(&self) -> bool {
        match self.views.focus {
            View::Memory => self.memory.follows(),
            _ => self.source.follows(),
        }
    }

    fn scroll(&mut self, action: Action) -> Option<Effect> {
        match self.overlays.last_mut() {
            Some(Overlay::Pager(pager)) => pager.update(action, self.size),
            Some(Overlay::Open(dialog)) => dialog.update(action),
            Some(Overlay::Prompt(_)) => {}
            Some(Overlay::Palette(palette)) => {
                let rows = palette.matches().len();
                palette.chooser.update(action, rows);
            }
            None => self.move_cursor(self.views.focus, action),
        }
        None
    }
}

#[expect(clippy::unnecessary_wraps, reason = "all actions have an effect or none")]
fn go(goal: Goal) -> Option<Effect> {
    Some(Effect::Machine(Command::Go(goal)))
}

#[expect(clippy::unnecessary_wraps, reason = "all actions have an effect or none")]
fn go_back(goal: Goal) -> Option<Effect> {
    Some(Effect::Machine(Command::GoBack(goal)))
}
