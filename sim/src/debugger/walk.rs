//! A machine on its way through time: it is given the inputs of each moment as it gets there.

use super::inputs::{Input, Inputs};
use super::lookout::{Done, Hit, Lookout, Which};
use super::{Replay, View};

/// A machine and its place in time.
#[derive(Debug, Clone)]
pub(super) struct Walk<R> {
    pub(super) machine: R,
    pub(super) at: Position,
    /// What was printed since somebody took it; its last byte is the last one of all.
    pub(super) fresh: Vec<u8>,
}

/// A place in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Position {
    /// How many instructions were executed since the power came up.
    pub(super) moment: u64,
    /// How many bytes were printed since then.
    pub(super) printed: u64,
    /// How many of them were line ends.
    pub(super) lines: u64,
    /// How many bytes were printed before the last reset, and how many of them were line ends.
    pub(super) before_reset: (u64, u64),
}

impl<R: Replay> Walk<R> {
    pub(super) fn new(machine: R) -> Self {
        Self { machine, at: Position::default(), fresh: Vec::new() }
    }

    /// What an expression sees of the machine.
    pub(super) fn view(&self) -> View<'_> {
        let machine = &self.machine;
        View { a: machine.a(), carry: machine.carry(), pc: machine.pc(), ram: machine.ram() }
    }

    /// Goes on to a moment, or to the first hit on the way there. At most as far as to the end of
    /// the program.
    pub(super) fn go_on(&mut self, inputs: &Inputs, lookout: &Lookout, to: u64) -> Option<Hit> {
        self.machine.watch(lookout.watched());
        while self.at.moment < to && !self.machine.halted() {
            let stop = inputs.next_after(self.at.moment).map_or(to, |next| next.min(to));
            let executed = self.machine.run_to_watched(stop - self.at.moment);
            self.at.moment += executed;
            // Nothing was executed: a watched instruction comes next.
            let (mut which, mut done) = (Which::default(), None);
            if executed == 0 {
                (which, done) = self.step(lookout)?;
            }
            self.arrive(inputs);
            if !self.machine.halted() {
                which = which.or(lookout.reached(self.view()));
            }
            if !which.is_none() {
                return Some(Hit { moment: self.at.moment, which, done, next: self.machine.pc() });
            }
        }
        self.collect();
        None
    }

    /// What waits for the instruction that comes next, without a look at how one came there.
    pub(super) fn reached(&self, lookout: &Lookout) -> Option<Hit> {
        let which = lookout.reached(self.view());
        let is_hit = !which.is_none() && !self.machine.halted();
        let next = self.machine.pc();
        is_hit.then_some(Hit { moment: self.at.moment, which, done: None, next })
    }

    /// Executes a watched instruction.
    fn step(&mut self, lookout: &Lookout) -> Option<(Which, Option<Done>)> {
        let held = lookout.holding(self.view());
        let executed = self.machine.step()?;
        self.at.moment += 1;
        let which = lookout.done(&executed, held, self.view());
        Some((which, Some(Done::by(&executed, &self.machine)).filter(|_| !which.is_none())))
    }

    /// Goes on to a moment, whatever happens on the way.
    pub(super) fn go_to(&mut self, inputs: &Inputs, to: u64) {
        while self.at.moment < to && !self.machine.halted() {
            let stop = inputs.next_after(self.at.moment).map_or(to, |next| next.min(to));
            self.at.moment += self.machine.run(stop - self.at.moment);
            self.arrive(inputs);
        }
    }

    /// Collects what was printed, and gives the machine what the panel did at this moment.
    pub(super) fn arrive(&mut self, inputs: &Inputs) {
        self.collect();
        for input in inputs.at(self.at.moment) {
            self.give(input);
        }
    }

    pub(super) fn give(&mut self, input: Input) {
        match input {
            Input::Reset => {
                self.machine.reset();
                self.at.before_reset = (self.at.printed, self.at.lines);
            }
            Input::Hold(buttons) => self.machine.hold(buttons),
        }
    }

    pub(super) fn collect(&mut self) {
        let bytes = self.machine.take_output();
        self.at.printed += bytes.len() as u64;
        self.at.lines += bytes.iter().map(|byte| u64::from(*byte == b'\n')).sum::<u64>();
        self.fresh.extend(bytes);
    }
}
