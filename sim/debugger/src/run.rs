//! A run without a past.

use gray1_sim::engine::Engine;

use super::inputs::{Input, Inputs};
use super::replay::{Replay, Stretch};
use super::watch_set::{Hit, WatchSet};

/// A machine that only goes forward. It gets the inputs of each moment on arrival, as a
/// [`History`](super::History) that is executed again does, but it keeps nothing of the past.
#[derive(Debug, Clone)]
pub struct Run {
    replay: Replay,
    inputs: Inputs,
}

impl Run {
    /// Starts a run of a machine that was powered up. The inputs are in order of their moments.
    #[must_use]
    pub fn new(engine: Box<dyn Engine>, inputs: impl IntoIterator<Item = (u64, Input)>) -> Self {
        let mut known = Inputs::default();
        for (moment, input) in inputs {
            known.push(moment, input);
        }
        let mut replay = Replay::new(engine);
        replay.catch_up(&known);
        Self { replay, inputs: known }
    }

    /// The same run from here on, on another engine in the same state.
    #[must_use]
    pub fn on(&self, engine: Box<dyn Engine>) -> Self {
        let mut other = self.clone();
        other.replay.engine = engine;
        other
    }

    /// The machine.
    #[must_use]
    pub fn engine(&self) -> &dyn Engine {
        &*self.replay.engine
    }

    /// How many instructions have been executed.
    #[must_use]
    pub fn moment(&self) -> u64 {
        self.replay.moment()
    }

    /// Executes up to a moment or the end of the program. Returns the hit at which it stopped.
    pub fn drive(&mut self, stretch: Stretch<'_>, to: u64) -> Option<Hit> {
        self.replay.drive(&self.inputs, stretch, to)
    }

    /// The hit of conditions that wait for the next instruction.
    #[must_use]
    pub fn reached(&self, watch_set: &WatchSet) -> Option<Hit> {
        self.replay.reached(watch_set)
    }

    /// The bytes that were printed since the last call.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.replay.fresh)
    }
}
