//! The run of a program that is worked out before the user sees it, so that its film is whole.

use std::time::Duration;

use gray1_tui::Session;
use gray1_tui::session::{Command, Destination, RunState};

/// A program that has not halted by then is shown as far as it has run.
const INSTRUCTIONS_MAX: u64 = 100_000_000;

/// A session on its way to the end of its program.
pub(crate) struct Ahead(Box<Session>);

/// The progress of a session ahead.
pub(crate) enum AheadProgress {
    /// There is more to do.
    Working(Ahead),
    /// The program has halted.
    Whole(Box<Session>),
    /// It does not halt in time.
    Endless,
}

impl Ahead {
    /// Sends a session ahead that stands at power-up.
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
