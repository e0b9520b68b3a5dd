//! A session that runs ahead of the one on the screen, so that the film shows the whole run.

use std::iter::Peekable;
use std::time::Duration;
use std::vec::IntoIter;

use gray1_debugger::Input;
use gray1_tui::Session;
use gray1_tui::session::{Command, Destination, RunState};

/// The most instructions that are run ahead.
const INSTRUCTIONS_MAX: u64 = 100_000_000;

/// A session on its way to the end of the program.
pub(crate) struct Ahead {
    session: Box<Session>,
    /// What it is still to be given, each with its moment, in order.
    inputs: Peekable<IntoIter<(u64, Input)>>,
}

impl Ahead {
    /// Begins the run ahead, with a session at power-up.
    pub(crate) fn new(session: Session, inputs: Vec<(u64, Input)>) -> Self {
        let mut ahead = Self { session: Box::new(session), inputs: inputs.into_iter().peekable() };
        ahead.go_on();
        ahead
    }

    /// Gives the session the input that is due, and sets out for the next one, or the end.
    fn go_on(&mut self) {
        let now = self.session.progress().0;
        if let Some((_, input)) = self.inputs.next_if(|(at, _)| *at <= now) {
            self.session.give(input);
        }
        let next = self.inputs.peek().map_or(INSTRUCTIONS_MAX, |(at, _)| *at);
        self.session.command(Command::RunTo(Destination::Moment(next.min(INSTRUCTIONS_MAX))));
    }

    /// Works for a slice of a few milliseconds. It is paused if the program does not halt in time.
    pub(crate) fn advance(&mut self) -> RunState {
        self.session.advance(Duration::ZERO);
        while self.session.run_state().stands()
            && self.inputs.peek().is_some_and(|(at, _)| *at <= self.session.progress().0)
        {
            self.go_on();
        }
        self.session.run_state()
    }

    /// The session, with the whole run.
    pub(crate) fn into_session(self) -> Session {
        *self.session
    }
}
