//! The page's machine: the visible session, and a second session that runs ahead of it.

use std::sync::Arc;
use std::time::Duration;

use gray1_debugger::History;
use gray1_debugger::why::Asked;
use gray1_programs::Link;
use gray1_session::board::find_transfers;
use gray1_session::{
    Command, Destination, Due, Goal, Levels, Program, RunState, Session, SessionProgress, Snapshot,
};
use gray1_sim::{EngineKind, ResolvedMachine};
use serde::Deserialize;

use crate::answer::ExplanationReport;
use crate::lines::MainLines;

/// The maximum number of instructions that a session runs ahead.
const LOOKAHEAD_MAX: u64 = 100_000_000;

/// A button of the transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names are enough")]
pub(crate) enum Transport {
    Play,
    Pause,
    /// Goes to the previous change of the LEDs.
    Back,
    /// Goes to the next change of the LEDs.
    Forward,
    /// Goes to the previous result.
    EarlierResult,
    /// Goes to the next result.
    LaterResult,
    Slower,
    Faster,
    Reset,
}

/// The page's machine.
pub(crate) struct Machine {
    pub(crate) session: Session,
    pub(crate) lines: MainLines,
    /// A link to the start of the program on this machine.
    pub(crate) link: Link,
    /// A note about the hardware.
    pub(crate) note: Option<String>,
    /// The phase that is previewed, and its wires.
    preview: Option<(u8, Arc<Levels>)>,
    /// The moment and the number of inputs that `preview` belongs to.
    previewed: Option<(u64, u64)>,
    /// The number of the last command by which the page changed the pace. There is no remark about
    /// it, because the page always shows the pace.
    pace_command: Option<u64>,
    /// True if the page asked the last question. In that case, only the page shows the answer.
    pub(crate) page_asks: bool,
    /// The session that runs ahead to the end of the program, so that the film can show the whole
    /// run.
    lookahead: Option<Box<Session>>,
    /// True if the whole run up to the halt is known.
    pub(crate) is_whole: bool,
}

impl Machine {
    /// Powers up a machine with a program, running or paused. `link` leads to the program's start.
    ///
    /// # Errors
    /// Returns a message if the board does not settle.
    pub(crate) fn new(
        program: &Program,
        (link, machine): (Link, ResolvedMachine),
        paused: bool,
    ) -> Result<Self, String> {
        let session = session(program, &machine, paused)?;
        let lookahead = start_lookahead(program, &link, &machine);
        let lines = MainLines::new(&program.image);
        Ok(Self { lookahead, note: machine.note, ..Self::from_session(session, lines, link) })
    }

    /// Opens a machine at the moment of a link, paused, and starts a session that runs ahead.
    pub(crate) fn opened(
        program: Program,
        (link, machine): (Link, ResolvedMachine),
        history: History,
    ) -> Self {
        let lookahead = start_lookahead(&program, &link, &machine);
        Self { lookahead, ..Self::resumed(program, (link, machine), history) }
    }

    /// Opens a machine with a recorded history, paused, as [`Session::resume`] does.
    pub(crate) fn resumed(
        program: Program,
        (link, machine): (Link, ResolvedMachine),
        history: History,
    ) -> Self {
        let lines = MainLines::new(&program.image);
        let board = Box::new(machine.board_loader());
        let session = Session::resume(program, machine.setup, history, board);
        Self::from_session(session, lines, link)
    }

    fn from_session(mut session: Session, lines: MainLines, link: Link) -> Self {
        session.set_pace_steps(link.pace);
        Self {
            session,
            lines,
            link,
            note: None,
            preview: None,
            previewed: None,
            pace_command: None,
            page_asks: false,
            lookahead: None,
            is_whole: false,
        }
    }

    /// Advances the machine by this time. Returns true if there is more work to do now.
    pub(crate) fn advance(&mut self, elapsed: Duration) -> bool {
        let due = self.session.advance(elapsed);
        self.run_ahead() || due == Due::Now
    }

    /// Continues the session that runs ahead. Returns true if there is more work to do.
    fn run_ahead(&mut self) -> bool {
        // Do not adopt its history during a search, because that would interrupt the search.
        if matches!(self.session.run_state(), RunState::Searching | RunState::Seeking(_)) {
            return self.lookahead.is_some();
        }
        let Some(mut lookahead) = self.lookahead.take() else { return false };
        lookahead.advance(Duration::ZERO);
        match lookahead.run_state() {
            RunState::Seeking(_) | RunState::Searching => self.lookahead = Some(lookahead),
            RunState::Halted => {
                self.session.adopt_lookahead(*lookahead);
                self.is_whole = true;
            }
            RunState::Paused | RunState::Running => {}
        }
        self.lookahead.is_some()
    }

    /// Returns the present state, as the page shows it.
    pub(crate) fn snapshot(&mut self) -> Snapshot {
        let mut snapshot = self.session.snapshot();
        snapshot.remark.take_if(|remark| Some(remark.command) == self.pace_command);
        snapshot
    }

    /// Returns the snapshot that the panes show. It omits the answer to a question from the page.
    pub(crate) fn snapshot_for_panes(&mut self) -> Snapshot {
        let mut snapshot = self.snapshot();
        if self.page_asks {
            snapshot.stops.explanation = None;
        }
        snapshot
    }

    /// Returns a later phase of the next instruction in which a byte moves, and its wires. Returns
    /// `None` if the machine is not paused before an instruction, or if a byte moves now.
    pub(crate) fn preview(&mut self) -> Option<(u8, Arc<Levels>)> {
        let SessionProgress { run_state, moment: now, edges, .. } = self.session.progress();
        if run_state != RunState::Paused || edges > 0 {
            return None;
        }
        let key = Some((now, self.session.revision()));
        if self.previewed != key {
            let at = self.session.snapshot().cpu.phase;
            // The ALU works in T5, and stores happen in T6. Jumps only have T7.
            let shown = [at, 5, 6, 7].into_iter().find_map(|phase| {
                let levels = self.session.levels_after(u32::from(phase - at))?;
                (!find_transfers(&levels).is_empty()).then(|| (phase, Arc::new(levels)))
            });
            (self.preview, self.previewed) = (shown.filter(|(phase, _)| *phase != at), key);
        }
        self.preview.clone()
    }

    /// Executes a command. If the command changes the machine, discards the session that runs
    /// ahead, because its history no longer applies.
    pub(crate) fn command(&mut self, command: Command) {
        let revision = self.session.revision();
        self.page_asks &= !matches!(command, Command::Ask(_));
        self.session.command(command);
        // Finish this command before another one can follow.
        self.session.advance(Duration::ZERO);
        if self.session.revision() != revision {
            self.lookahead = None;
            self.is_whole = false;
        }
    }

    /// Handles a button of the transport.
    pub(crate) fn transport(&mut self, button: Transport) {
        let run_state = self.session.run_state();
        let is_stopped = run_state.is_stopped();
        let command = match button {
            Transport::Play if run_state == RunState::Halted => {
                let start = self.session.snapshot().time.start;
                self.go_to(start);
                Command::RunOrPause
            }
            Transport::Play if is_stopped => Command::RunOrPause,
            Transport::Pause if !is_stopped => Command::Cancel,
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
        if matches!(button, Transport::Slower | Transport::Faster) {
            self.pace_command = self.session.snapshot().remark.map(|remark| remark.command);
        }
    }

    /// Explains an LED, byte or register at the current moment. The machine stops and searches for
    /// the answer in slices. Returns `None` while it searches, and the page has to ask again.
    ///
    /// # Errors
    /// Returns a message if the question is invalid.
    pub(crate) fn why(&mut self, question: &str) -> Result<Option<ExplanationReport>, String> {
        let snapshot = self.session.snapshot();
        let (now, pc) = (snapshot.time.now, snapshot.cpu.pc);
        let asked = Asked::parse(question, snapshot.scope(), pc).map_err(|it| it.to_string())?;
        let explanation = snapshot.stops.explanation.as_ref();
        let explanation = explanation.filter(|it| (it.question.asked, it.moment) == (asked, now));
        // Adopting the history of the session that runs ahead discards the explanation, so ask
        // again.
        if explanation.is_none() && snapshot.run_state != RunState::Searching {
            self.command(Command::Ask(asked));
            self.page_asks = true;
        }
        Ok(explanation.map(|it| ExplanationReport::new(it, &snapshot.program.image)))
    }

    /// Goes directly to a known moment.
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

/// Creates the session that runs ahead, with the inputs of the link. It pauses if the program does
/// not halt in time.
fn start_lookahead(
    program: &Program,
    link: &Link,
    machine: &ResolvedMachine,
) -> Option<Box<Session>> {
    if link.engine == EngineKind::Timed {
        // This engine is too slow to run ahead.
        return None;
    }
    let inputs = link.inputs.iter().map(|(at, input)| (*at, (*input).into()));
    let engine = machine.setup.engine(&program.image).ok()?;
    let history = History::with_first_writes(engine).with_schedule(inputs);
    let board = Box::new(machine.board_loader());
    let mut session = Session::resume(program.clone(), machine.setup.clone(), history, board);
    session.command(Command::RunTo(Destination::Moment(LOOKAHEAD_MAX)));
    Some(Box::new(session))
}

#[cfg(test)]
pub(crate) mod tests {
    use gray1_sim::MachineSpec;

    use super::*;
    use crate::sources::PageSources;

    pub(crate) fn machine(program: &str, engine: EngineKind) -> Machine {
        let sources = PageSources::default();
        let (program, link) = sources.linked(program).unwrap();
        let spec = MachineSpec { engine: Some(engine), ..MachineSpec::default() };
        let machine = link.move_to(&spec, |name| sources.board(name)).unwrap();
        Machine::new(&program, machine, false).unwrap()
    }

    #[test]
    fn the_film_shows_the_whole_run_and_playback_continues() {
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
    fn a_button_press_discards_the_run_ahead() {
        let mut machine = machine("queens", EngineKind::Instruction);
        while machine.advance(Duration::ZERO) {}
        assert!(machine.is_whole);
        machine.command(Command::Hold("left".parse().unwrap()));
        let time = machine.session.snapshot().time;
        assert!(!machine.is_whole && time.end == time.now);
    }
}
