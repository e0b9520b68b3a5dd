//! A session that runs ahead of the one on the screen, so that the film shows the whole run.

use std::time::Duration;

use gray1_tui::Session;
use gray1_tui::session::{Command, Destination, RunState};

/// The most instructions that are run ahead.
const INSTRUCTIONS_MAX: u64 = 100_000_000;

/// The progress of the run ahead.
pub(crate) enum AheadProgress {
    /// There is more to do.
    Working,
    /// The program has halted.
    Whole,
    /// It does not halt in time.
    Endless,
}

/// Begins the run ahead, with a session at power-up.
pub(crate) fn begin(mut session: Session) -> Box<Session> {
    session.command(Command::RunTo(Destination::Moment(INSTRUCTIONS_MAX)));
    Box::new(session)
}

/// Works for a slice of a few milliseconds.
pub(crate) fn advance(session: &mut Session) -> AheadProgress {
    session.advance(Duration::ZERO);
    match session.run_state() {
        RunState::Seeking(_) | RunState::Searching => AheadProgress::Working,
        RunState::Halted => AheadProgress::Whole,
        RunState::Paused | RunState::Running => AheadProgress::Endless,
    }
}
