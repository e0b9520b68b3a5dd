//! A session that runs ahead of the one on the screen, so that the film shows the whole run.

use std::time::Duration;

use gray1_tui::Session;
use gray1_tui::session::{Command, Destination, RunState};

/// The most instructions that are run ahead.
const INSTRUCTIONS_MAX: u64 = 100_000_000;

/// A session that runs to the end of its program.
pub(crate) struct Ahead(Box<Session>);

/// The progress of the run ahead.
pub(crate) enum AheadProgress {
    /// There is more to do.
    Working(Ahead),
    /// The program has halted.
    Whole(Box<Session>),
    /// It does not halt in time.
    Endless,
}

impl Ahead {
    /// Begins the run ahead, with a session at power-up.
    pub(crate) fn new(mut session: Session) -> Self {
        session.command(Command::RunTo(Destination::Moment(INSTRUCTIONS_MAX)));
        Self(Box::new(session))
    }

    /// Works for a slice of a few milliseconds.
    pub(crate) fn advance(mut self) -> AheadProgress {
        self.0.advance(Duration::ZERO);
        match self.0.run_state() {
            RunState::Seeking(_) | RunState::Searching => AheadProgress::Working(self),
            RunState::Halted => AheadProgress::Whole(self.0),
            RunState::Paused | RunState::Running => AheadProgress::Endless,
        }
    }
}
