//! A second session that runs ahead of the visible one, so that the film can show the whole run.

use std::iter::Peekable;
use std::time::Duration;
use std::vec::IntoIter;

use gray1_debugger::Input;
use gray1_session::{Command, Destination, RunState, Session};

/// The maximum number of instructions that the session runs ahead.
const INSTRUCTIONS_MAX: u64 = 100_000_000;

/// A session that is running to the end of the program.
pub(crate) struct Lookahead {
    session: Box<Session>,
    /// The inputs that the session has not received yet, each with its moment, in order.
    inputs: Peekable<IntoIter<(u64, Input)>>,
}

impl Lookahead {
    /// Starts the run, with a session at power-up.
    pub(crate) fn new(session: Session, inputs: Vec<(u64, Input)>) -> Self {
        let mut ahead = Self { session: Box::new(session), inputs: inputs.into_iter().peekable() };
        ahead.run_to_next_input();
        ahead
    }

    /// Applies the inputs that are due, then starts to run to the next input or to the end.
    fn run_to_next_input(&mut self) {
        let now = self.session.progress().moment;
        if let Some((_, input)) = self.inputs.next_if(|(at, _)| *at <= now) {
            self.session.give(input);
        }
        let next = self.inputs.peek().map_or(INSTRUCTIONS_MAX, |(at, _)| *at);
        self.session.command(Command::RunTo(Destination::Moment(next.min(INSTRUCTIONS_MAX))));
    }

    /// Works for a slice of a few milliseconds. Pauses if the program does not halt in time.
    pub(crate) fn advance(&mut self) -> RunState {
        self.session.advance(Duration::ZERO);
        while self.session.run_state().is_stopped()
            && self.inputs.peek().is_some_and(|(at, _)| *at <= self.session.progress().moment)
        {
            self.run_to_next_input();
        }
        self.session.run_state()
    }

    /// Returns the session with the whole run.
    pub(crate) fn into_session(self) -> Session {
        *self.session
    }
}
