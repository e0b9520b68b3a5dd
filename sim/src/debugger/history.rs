//! A machine with its past: every moment since the power came up can be gone back to.
//!
//! A moment is a count of instructions, over all resets. The state *at* a moment is the one after
//! so many instructions, and after what the panel did before the next one. Since a run depends on
//! nothing but the program, the power-up and the panel, a moment is found again by executing once
//! more what leads to it, from the last snapshot on ([`super::snapshots`]).
//!
//! ```text
//!  start          snapshots                                     end
//!    |---------|---------|---------|---------|---------|--------|
//!         ^ input     ^ input          ^ now
//! ```
//!
//! Now may lie before the end: then going on repeats what is known, inputs included, up to the
//! end. An input in the past begins another future; the old one is forgotten.

use gray1_isa::panel::MAILBOX;

use super::inputs::{Input, Inputs};
use super::lookout::{Hit, Lookout};
use super::printed::Printed;
use super::snapshots::{Limits, Snapshot, Snapshots};
use super::walk::Walk;
use super::{Event, Replay};

/// A machine that can go back.
#[derive(Debug, Clone)]
pub struct History<R: Replay> {
    walk: Walk<R>,
    /// The latest moment that is known.
    end: u64,
    snapshots: Snapshots<R::Saved>,
    inputs: Inputs,
    printed: Printed,
    limits: Limits,
}

/// Why [`History::run`] came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Something happened that was waited for.
    Hit(Hit),
    /// The program has ended.
    Halted,
    /// As many instructions were executed as were asked for.
    Limit,
}

/// How far back output is recomputed that was given up, in instructions.
const RECOMPUTED_MAX: u64 = 1 << 22;
/// The longest run of the machine before its output is taken, in instructions.
const CHUNK: u64 = 1 << 18;

impl<R: Replay> History<R> {
    /// The history of this machine from now on.
    #[must_use]
    pub fn new(machine: R) -> Self {
        Self::with_limits(machine, Limits::default())
    }

    pub(super) fn with_limits(machine: R, limits: Limits) -> Self {
        let walk = Walk::new(machine);
        let first = Snapshot { at: walk.at, saved: walk.machine.save() };
        Self {
            walk,
            end: 0,
            snapshots: Snapshots::new(first, limits),
            inputs: Inputs::default(),
            printed: Printed::default(),
            limits,
        }
    }

    /// The machine as it is now.
    #[must_use]
    pub fn machine(&self) -> &R {
        &self.walk.machine
    }

    /// Now: how many instructions were executed since the power came up, over all resets.
    #[must_use]
    pub fn moment(&self) -> u64 {
        self.walk.at.moment
    }

    /// The earliest moment that can be gone back to. It is 0, until billions of
    /// instructions or a million inputs have been remembered.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.snapshots.start()
    }

    /// The latest moment that is known.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Goes on until something happens that is looked out for, the program ends, or `limit`
    /// instructions were executed.
    pub fn run(&mut self, lookout: &Lookout, limit: u64) -> Progress {
        let end = self.moment().saturating_add(limit);
        while self.moment() < end {
            let stop = self.next_stop(end);
            let hit = self.walk.go_on(&self.inputs, lookout, stop);
            self.record();
            match hit {
                Some(hit) => return Progress::Hit(hit),
                None if self.walk.machine.halted() => return Progress::Halted,
                None => {}
            }
        }
        if self.walk.machine.halted() { Progress::Halted } else { Progress::Limit }
    }

    /// Goes on by `count` instructions, whatever happens; fewer where the program ends.
    pub fn advance(&mut self, count: u64) {
        let end = self.moment().saturating_add(count);
        while self.moment() < end && !self.walk.machine.halted() {
            let stop = self.next_stop(end);
            self.walk.go_to(&self.inputs, stop);
            self.record();
        }
    }

    fn next_stop(&self, end: u64) -> u64 {
        // A snapshot is due only beyond the end of what is known: the end never passes one.
        end.min(self.moment().saturating_add(CHUNK)).min(self.snapshots.next_due())
    }

    /// Keeps what is new about the moment to which the machine has come.
    fn record(&mut self) {
        let fresh = std::mem::take(&mut self.walk.fresh);
        self.printed.push(self.walk.at.printed - fresh.len() as u64, &fresh);
        self.end = self.end.max(self.moment());
        if self.moment() == self.snapshots.next_due() {
            self.snapshots.push(self.snapshot());
        }
    }

    fn snapshot(&self) -> Snapshot<R::Saved> {
        Snapshot { at: self.walk.at, saved: self.walk.machine.save() }
    }

    /// Goes to a moment, or to the nearest one that is known.
    pub fn seek(&mut self, moment: u64) {
        let moment = moment.clamp(self.start(), self.end);
        let number = self.snapshots.last_where(|at| at.moment <= moment);
        let is_on_the_way =
            (self.snapshots.get(number).at.moment..=moment).contains(&self.moment());
        if !is_on_the_way {
            self.walk.restore(self.snapshots.get(number), &self.inputs);
        }
        self.walk.go_to(&self.inputs, moment);
        self.walk.fresh.clear();
    }

    /// What of this is true right now: what the last instruction did, and what comes next.
    #[must_use]
    pub fn hit_now(&self, lookout: &Lookout) -> Option<Hit> {
        let now = self.moment();
        let number = self.snapshots.last_where(|at| at.moment < now);
        let mut walk = Walk::new(self.walk.machine.clone());
        walk.restore(self.snapshots.get(number), &self.inputs);
        if walk.at.moment == now {
            return walk.reached(lookout);
        }
        walk.go_to(&self.inputs, now - 1);
        walk.go_on(&self.inputs, lookout, now)
    }

    /// Does something at the panel. What was known of later moments is forgotten.
    pub fn give(&mut self, input: Input) {
        let now = self.moment();
        if self.inputs.len() >= self.limits.inputs_max {
            self.forget_old_inputs();
        }
        self.inputs.push(now, input);
        self.walk.give(input);
        self.end = now;
        self.snapshots.cut(now);
        self.printed.cut(self.walk.at.printed);
    }

    /// Forgets the older half of the inputs, and the time in which they happened.
    fn forget_old_inputs(&mut self) {
        self.snapshots.forget_before(self.inputs.middle());
        self.inputs.forget_before(self.snapshots.start());
        if self.inputs.len() > self.limits.inputs_max / 2 {
            // They came since the last snapshot: history begins now.
            self.snapshots = Snapshots::new(self.snapshot(), self.limits);
            self.inputs = Inputs::default();
        }
    }

    /// The last bytes, at most `count`, that were printed since the last reset before now. Of
    /// output beyond what is kept, as much as is quickly found again.
    #[must_use]
    pub fn output(&self, count: u64) -> Vec<u8> {
        let at = self.walk.at;
        let first = at.before_reset.0.max(at.printed.saturating_sub(count));
        if first >= self.printed.first() {
            return self.printed.range(first, at.printed).to_vec();
        }
        self.recompute_output(first)
    }

    fn recompute_output(&self, first: u64) -> Vec<u8> {
        let now = self.walk.at;
        let wanted = self.snapshots.last_where(|at| at.printed <= first);
        let near = self.snapshots.last_where(|at| at.moment + RECOMPUTED_MAX <= now.moment);
        let snapshot = self.snapshots.get(wanted.max(near));
        let mut walk = Walk::new(self.walk.machine.clone());
        walk.restore(snapshot, &self.inputs);
        walk.go_to(&self.inputs, now.moment);
        let known = walk.fresh.len() as u64;
        walk.fresh.split_off(known.saturating_sub(now.printed - first) as usize)
    }

    /// How many bytes were printed since the last reset before now.
    #[must_use]
    pub fn printed(&self) -> u64 {
        self.walk.at.printed - self.walk.at.before_reset.0
    }

    /// How many of those bytes were line ends.
    #[must_use]
    pub fn printed_lines(&self) -> u64 {
        self.walk.at.lines - self.walk.at.before_reset.1
    }

    /// How many bytes were printed before the last reset before now.
    #[must_use]
    pub fn printed_before_reset(&self) -> u64 {
        self.walk.at.before_reset.0
    }

    /// All bytes that are kept of what was printed since the power came up, up to the end of what
    /// is known, and the number of the first.
    #[must_use]
    pub fn all_output(&self) -> (u64, &[u8]) {
        let first = self.printed.first();
        (first, self.printed.range(first, self.printed.end()))
    }

    /// The moment just after the byte of this number was printed, counted from the power-up;
    /// `None` if that has not happened, or is forgotten.
    #[must_use]
    pub fn moment_printed(&self, byte: u64) -> Option<u64> {
        let number = self.snapshots.last_where(|at| at.printed <= byte);
        let mut walk = Walk::new(self.walk.machine.clone());
        walk.restore(self.snapshots.get(number), &self.inputs);
        let mailbox = Event::Touches(super::Access::Write, MAILBOX..=MAILBOX);
        let lookout = Lookout::new(vec![mailbox.into()], |index| walk.machine.word(index));
        if walk.at.printed > byte {
            return None;
        }
        while walk.at.printed <= byte {
            walk.go_on(&self.inputs, &lookout, self.end)?;
        }
        Some(walk.at.moment)
    }

    pub(super) fn snapshots(&self) -> &Snapshots<R::Saved> {
        &self.snapshots
    }

    pub(super) fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The bytes of memory that the past takes, of which `saved` each snapshot of the machine.
    #[must_use]
    pub fn bytes(&self, saved: usize) -> usize {
        let snapshot = size_of::<Snapshot<R::Saved>>() + saved;
        self.snapshots.len() * snapshot + self.inputs.bytes() + self.printed.bytes()
    }
}

impl<R: Replay> Walk<R> {
    /// Comes to the moment of a snapshot.
    pub(super) fn restore(&mut self, snapshot: &Snapshot<R::Saved>, inputs: &Inputs) {
        self.machine.restore(&snapshot.saved);
        self.at = snapshot.at;
        self.fresh.clear();
        self.arrive(inputs);
    }
}
