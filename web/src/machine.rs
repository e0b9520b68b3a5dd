//! The machine of the page: a session, and a second one that runs ahead of it.

use std::sync::Arc;
use std::time::Duration;

use gray1_debugger::History;
use gray1_debugger::why::Asked;
use gray1_programs::{EngineKind, Link, ResolvedMachine};
use gray1_tui::board::transfers;
use gray1_tui::session::{Command, Due, Goal, Levels, RunState};
use gray1_tui::{Program, Session, Snapshot};
use serde::Deserialize;

use crate::ahead::Ahead;
use crate::answer::ToldStory;
use crate::lines::OwnLines;
use crate::state;

/// A button of the transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) enum Transport {
    Play,
    Pause,
    /// To the change of the display before.
    Back,
    /// To the next change of the display.
    Forward,
    /// To the result before.
    EarlierResult,
    /// To the next result.
    LaterResult,
    Slower,
    Faster,
    Reset,
}

/// The machine.
pub(crate) struct Machine {
    pub(crate) session: Session,
    pub(crate) lines: OwnLines,
    /// A link to the program on this machine.
    pub(crate) link: Link,
    /// A note about its hardware.
    pub(crate) note: Option<String>,
    /// The phase that is previewed, and its wires.
    preview: Option<(u8, Arc<Levels>)>,
    /// The moment and the number of inputs for which that was found.
    previewed: Option<(u64, u64)>,
    /// Whether the last question came from the page, which shows the answer itself.
    pub(crate) page_asks: bool,
    /// The session that runs ahead, until it has ended.
    ahead: Option<Ahead>,
    /// Whether the whole run is known, up to the halt.
    pub(crate) is_whole: bool,
}

impl Machine {
    /// Powers a machine up with a program, given a link to it, running or paused.
    ///
    /// # Errors
    /// In words, if its board does not come to rest.
    pub(crate) fn new(
        program: &Program,
        (link, machine): (Link, ResolvedMachine),
        paused: bool,
    ) -> Result<Self, String> {
        let session = session(program, &machine, paused)?;
        let ahead = ahead(program, &link, &machine);
        let lines = OwnLines::of(&program.image);
        Ok(Self { ahead, note: machine.note, ..Self::of(session, lines, link) })
    }

    /// Resumes a machine at the moment of a link, paused, and sends a session ahead for the whole
    /// run.
    pub(crate) fn opened(
        program: Program,
        (link, machine): (Link, ResolvedMachine),
        history: History,
    ) -> Self {
        let ahead = ahead(&program, &link, &machine);
        Self { ahead, ..Self::resumed(program, (link, machine), history) }
    }

    /// Resumes a machine from its history, paused, as [`Session::resumed`] does.
    pub(crate) fn resumed(
        program: Program,
        (link, machine): (Link, ResolvedMachine),
        history: History,
    ) -> Self {
        let lines = OwnLines::of(&program.image);
        let board = Box::new(machine.board_loader());
        let session = Session::resumed(program, machine.setup, history, board);
        Self::of(session, lines, link)
    }

    fn of(mut session: Session, lines: OwnLines, link: Link) -> Self {
        session.set_pace_steps(link.pace);
        // Messages are read in real time: their program waits after each column.
        if link.message().is_some() {
            session.set_even_pace();
        }
        Self {
            session,
            lines,
            link,
            note: None,
            preview: None,
            previewed: None,
            page_asks: false,
            ahead: None,
            is_whole: false,
        }
    }

    /// Lets time pass. True if there is more to do at once.
    pub(crate) fn advance(&mut self, elapsed: Duration) -> bool {
        let due = self.session.advance(elapsed);
        self.run_ahead() || due == Due::Now
    }

    /// Continues the run ahead. True if there is more to do.
    fn run_ahead(&mut self) -> bool {
        // Its history would interrupt a search.
        if matches!(self.session.run_state(), RunState::Searching | RunState::Seeking(_)) {
            return self.ahead.is_some();
        }
        let Some(mut ahead) = self.ahead.take() else { return false };
        match ahead.advance() {
            RunState::Seeking(_) | RunState::Searching => self.ahead = Some(ahead),
            RunState::Halted => {
                self.session.adopt_lookahead(ahead.into_session());
                self.is_whole = true;
            }
            RunState::Paused | RunState::Running => {}
        }
        self.ahead.is_some()
    }

    /// The snapshot that panes show: an answer that the page asked for is not theirs.
    pub(crate) fn snapshot_for_panes(&mut self) -> Snapshot {
        let mut snapshot = self.session.snapshot();
        if self.page_asks {
            snapshot.stops.story = None;
        }
        snapshot
    }

    /// A phase of the next instruction in which a byte moves, and its wires. `None` if the machine
    /// is not paused before an instruction, or if a byte moves now.
    pub(crate) fn preview(&mut self) -> Option<(u8, Arc<Levels>)> {
        let (now, run_state, .., edges) = self.session.progress();
        if run_state != RunState::Paused || edges > 0 {
            return None;
        }
        let key = Some((now, self.session.revision()));
        if self.previewed != key {
            let at = self.session.snapshot().cpu.phase;
            // The ALU works in T5, and a store is in T6. Of jumps only T7 is left.
            let shown = [at, 5, 6, 7].into_iter().find_map(|phase| {
                let levels = self.session.levels_after(u32::from(phase - at))?;
                (!transfers(&levels).is_empty()).then(|| (phase, Arc::new(levels)))
            });
            (self.preview, self.previewed) = (shown.filter(|(phase, _)| *phase != at), key);
        }
        self.preview.clone()
    }

    /// Executes a command. One that changes the machine makes the run ahead invalid.
    pub(crate) fn command(&mut self, command: Command) {
        let revision = self.session.revision();
        self.page_asks &= !matches!(command, Command::Ask(_));
        self.session.command(command);
        // Commands that come together are ways that follow each other.
        self.session.advance(Duration::ZERO);
        if self.session.revision() != revision {
            self.ahead = None;
            self.is_whole = false;
        }
    }

    /// A button of the transport.
    pub(crate) fn transport(&mut self, button: Transport) {
        let run_state = self.session.run_state();
        let stands = run_state.stands();
        let command = match button {
            Transport::Play if run_state == RunState::Halted => {
                let start = self.session.snapshot().time.start;
                self.go_to(start);
                Command::RunOrPause
            }
            Transport::Play if stands => Command::RunOrPause,
            Transport::Pause if !stands => Command::Cancel,
            Transport::Play | Transport::Pause => return,
            Transport::Back => Command::GoBack(Goal::LED_CHANGE),
            Transport::Forward => Command::Go(Goal::LED_CHANGE),
            Transport::EarlierResult => Command::PictureBack,
            Transport::LaterResult if self.is_whole => Command::PictureForward,
            Transport::LaterResult => Command::Go(Goal::PRINTED_LINE),
            Transport::Slower => Command::Slower,
            Transport::Faster => Command::Faster,
            Transport::Reset => Command::Reset,
        };
        self.command(command);
    }

    /// Why something is as it is now. The machine stops, and looks for the answer in slices: `None`
    /// means that it has to be asked again.
    ///
    /// # Errors
    /// In words, if the question cannot be read.
    pub(crate) fn why(&mut self, question: &str) -> Result<Option<ToldStory>, String> {
        let snapshot = self.session.snapshot();
        let (now, pc) = (snapshot.time.now, snapshot.cpu.pc);
        let asked = Asked::parse(question, snapshot.scope(), pc).map_err(|it| it.to_string())?;
        let story = snapshot.stops.story.as_ref();
        let story = story.filter(|it| (it.question.asked, it.moment) == (asked, now));
        // The run ahead, once adopted, has no story: it is asked again.
        if story.is_none() && snapshot.run_state != RunState::Searching {
            self.command(Command::Ask(asked));
            self.page_asks = true;
        }
        Ok(story.map(|story| state::told(story, &snapshot.program.image)))
    }

    /// Goes to a known moment at once.
    pub(crate) fn go_to(&mut self, moment: u64) {
        self.command(Command::Seek(moment));
        while self.session.run_state() == RunState::Searching {
            self.session.advance(Duration::ZERO);
        }
    }
}

fn session(program: &Program, machine: &ResolvedMachine, paused: bool) -> Result<Session, String> {
    let board = Box::new(machine.board_loader());
    Session::new(program.clone(), machine.setup.clone(), paused, board)
        .map_err(|error| error.to_string())
}

/// A session that runs ahead, with the inputs of the link.
fn ahead(program: &Program, link: &Link, machine: &ResolvedMachine) -> Option<Ahead> {
    // The timed engine is too slow to run ahead.
    let is_quick = link.engine != EngineKind::Timed;
    let session = is_quick.then(|| session(program, machine, true).ok()).flatten()?;
    let inputs = link.inputs.iter().map(|(at, input)| (*at, (*input).into())).collect();
    Some(Ahead::new(session, inputs))
}

#[cfg(test)]
pub(crate) mod tests {
    use gray1_programs::MachineSpec;

    use super::*;
    use crate::sources::Sources;

    pub(crate) fn machine(program: &str, engine: EngineKind) -> Machine {
        let sources = Sources::default();
        let (program, link) = sources.linked(program).unwrap();
        let spec = MachineSpec { engine: Some(engine), ..MachineSpec::default() };
        let machine = link.on(&spec, |name| sources.board(name)).unwrap();
        Machine::new(&program, machine, false).unwrap()
    }

    #[test]
    fn the_film_of_a_program_that_halts_is_whole_and_goes_on_where_it_was() {
        for engine in [EngineKind::Instruction, EngineKind::Chips] {
            let mut machine = machine("fibonacci", engine);
            machine.advance(Duration::from_millis(40));
            let seen = machine.session.snapshot();
            while machine.advance(Duration::ZERO) {}
            assert!(machine.is_whole);
            let snapshot = machine.session.snapshot();
            assert_eq!(snapshot.run_state, RunState::Running);
            assert_eq!(snapshot.display(), seen.display());
            assert!(snapshot.time.end > snapshot.time.now);
            assert!(snapshot.time.marks.album.entries().len() > 3);
            machine.go_to(snapshot.time.end);
            assert_eq!(machine.session.run_state(), RunState::Halted);
            machine.transport(Transport::Play);
            assert_eq!(machine.session.run_state(), RunState::Running);
        }
    }

    #[test]
    fn a_button_makes_another_future() {
        let mut machine = machine("queens", EngineKind::Instruction);
        while machine.advance(Duration::ZERO) {}
        assert!(machine.is_whole);
        machine.command(Command::Hold("left".parse().unwrap()));
        let time = machine.session.snapshot().time;
        assert!(!machine.is_whole && time.end == time.now);
    }
}
