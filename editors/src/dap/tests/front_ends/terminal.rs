//! The terminal's session, controlled by its commands.

use std::time::Duration;

use gray1_debugger::Goal;
use gray1_isa::Image;
use gray1_session::{BreakChange, Command, Destination, Program, SavedBreakpoints, Session};
use gray1_sim::Setup;

use super::breaks::Break;
use super::script::{Move, MoveKind};

/// The session of the terminal front end.
pub(super) struct Terminal(Session);

/// The state that it shows at a stop.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TerminalStop {
    pub(super) at: (u64, u32),
    /// The conditions of the breakpoints that were hit.
    pub(super) hit: Vec<String>,
    pub(super) counts: Vec<u64>,
    /// Whether the session shows a remark about the last command.
    pub(super) has_remark: bool,
}

impl Terminal {
    pub(super) fn new(image: &Image, setup: &Setup) -> Self {
        let program = Program::new("a.asm".into(), image.clone());
        let board = Box::new(|| unreachable!("no pane is shown"));
        Self(Session::new(program, setup.clone(), true, board).unwrap())
    }

    /// Goes to the beginning, and replaces all breakpoints.
    pub(super) fn restart(&mut self, breaks: &[Break]) {
        let breaks = breaks.iter().map(|it| (it.condition(), true)).collect();
        let kept = SavedBreakpoints { breaks, watches: Vec::new() };
        self.0.command(Command::Seek(0));
        self.0.command(Command::Change(BreakChange::Restore(kept)));
    }

    pub(super) fn go(&mut self, what: Move) {
        let command = match what {
            Move::Forward(MoveKind::Step) => Command::Step,
            Move::Forward(kind) => Command::Go(goal(kind)),
            Move::Back(MoveKind::Step) => Command::StepBack,
            Move::Back(kind) => Command::GoBack(goal(kind)),
            Move::Edge => Command::StepPhase,
            Move::EdgeBack => Command::StepPhaseBack,
            Move::Seek(moment) => Command::Seek(moment),
            Move::To(moment) => Command::RunTo(Destination::Moment(moment)),
        };
        self.run_command(command);
    }

    fn run_command(&mut self, command: Command) {
        self.0.command(command);
        while !self.0.run_state().is_stopped() {
            self.0.advance(Duration::ZERO);
        }
    }

    pub(super) fn stop(&mut self) -> (TerminalStop, Option<String>) {
        let snapshot = self.0.snapshot();
        let (hit, message) =
            snapshot.stops.reason.map_or((Vec::new(), None), |it| (it.hits, Some(it.text)));
        let stop = TerminalStop {
            at: (snapshot.time.now, snapshot.cpu.phase.into()),
            hit,
            counts: snapshot.stops.hits.counts.to_vec(),
            has_remark: snapshot.remark.is_some(),
        };
        (stop, message)
    }
}

fn goal(kind: MoveKind) -> Goal {
    match kind {
        MoveKind::Run => Goal::Run,
        MoveKind::Step => Goal::Instructions(1),
        MoveKind::Over => Goal::Over,
        MoveKind::OverInstruction => Goal::OverInstruction,
        MoveKind::Into => Goal::Into,
        MoveKind::Out => Goal::Out,
    }
}
