//! A run that only goes forward.

use gray1_sim::engine::Engine;

use super::inputs::{Input, Inputs};
use super::replay::{Happened, Replay, Watch};

/// A machine that only goes forward. It applies the inputs of each moment when it reaches that
/// moment, as a [`History`](super::History) does when it is replayed. It does not store the past.
#[derive(Debug, Clone)]
pub struct Run {
    replay: Replay,
    inputs: Inputs,
}

impl Run {
    /// Starts a run of a machine that was just powered up.
    pub fn new(engine: Box<dyn Engine>, inputs: impl IntoIterator<Item = (u64, Input)>) -> Self {
        let mut known = Inputs::default();
        known.extend(inputs);
        Self { replay: Replay::new(engine), inputs: known }
    }

    /// Returns the machine.
    pub fn engine(&self) -> &dyn Engine {
        &*self.replay.engine
    }

    /// Returns the number of instructions that have been executed.
    pub fn moment(&self) -> u64 {
        self.replay.moment()
    }

    /// Runs up to a moment or the end of the program, but only until something happens that the
    /// watch wants to see. Returns that, or `None` at the end of the run.
    pub fn next(&mut self, watch: &mut Watch<'_>, to: u64) -> Option<Happened> {
        self.replay.next(&self.inputs, watch, to)
    }

    /// Runs up to a moment or the end of the program.
    pub fn go_to(&mut self, to: u64) {
        self.replay.go_to(&self.inputs, to);
    }

    /// Runs up to a moment or the end of the program, in slices. `should_continue` is called with
    /// the moment after each slice. If it returns false, the run stops, and the result is `None`.
    pub fn go_to_while(
        &mut self,
        to: u64,
        should_continue: &mut dyn FnMut(u64) -> bool,
    ) -> Option<()> {
        while self.moment() < to && !self.engine().halted() {
            self.go_to(to.min(self.moment() + self.engine().slice()));
            should_continue(self.moment()).then_some(())?;
        }
        self.go_to(to);
        Some(())
    }

    /// Gives the machine an input at the present moment, which it receives when it continues.
    pub fn give(&mut self, input: Input) {
        self.inputs.insert(self.moment(), input);
    }

    /// Returns all inputs with their moments, also those that the machine has not received.
    pub fn into_inputs(self) -> Vec<(u64, Input)> {
        self.inputs.into_list()
    }

    /// Returns the bytes that were printed since the last call.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.replay.fresh)
    }
}
