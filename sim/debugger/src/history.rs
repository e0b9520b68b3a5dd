//! A machine with its history: it can return to every moment since power-up.
//!
//! A moment is the number of instructions executed so far, counted over all resets. The state *at*
//! a moment is the state after that many instructions and after the inputs that come before the
//! next instruction. A run depends only on the setup, the program and the inputs. So the machine
//! reaches a moment again by executing from the last checkpoint before it ([`super::checkpoints`]).
//!
//! ```text
//!  start          checkpoints                                   end
//!    |---------|---------|---------|---------|---------|--------|
//!         ^ input     ^ input          ^ now
//! ```
//!
//! The present can be before the end of the history. Then running repeats the known future,
//! including its inputs, up to the end. An input in the past starts another future, and the old one
//! is forgotten. The present can also be a few oscillator edges after its moment, in the middle of
//! an instruction.

use gray1_isa::panel::Buttons;
use gray1_sim::engine::Engine;

use super::checkpoints::{Checkpoint, Checkpoints, HistoryLimits};
use super::condition::Event;
use super::first_writes::FirstWrites;
use super::inputs::{Input, Inputs};
use super::position::Position;
use super::printed::PrintedBytes;
use super::replay::{Happened, Mark, Replay, Watch};
use super::watch_set::{Hit, WatchSet};

/// A machine with its history.
#[derive(Debug, Clone)]
pub struct History {
    replay: Replay,
    /// The latest known moment.
    end: u64,
    checkpoints: Checkpoints,
    inputs: Inputs,
    printed: PrintedBytes,
    limits: HistoryLimits,
}

/// A run saves its state this many instructions before its end, so that the last instructions can
/// be executed again quickly, even if the checkpoints are far apart.
const NEAR: u64 = 128;

/// The reason why [`History::run`] returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunResult {
    /// A watched condition became true.
    Hit(Hit),
    /// The machine has halted.
    Halted,
    /// The machine has executed as many instructions as the limit allows.
    Limit,
}

impl History {
    /// Starts a history at the present state of this machine.
    pub fn new(engine: Box<dyn Engine>) -> Self {
        let limits = HistoryLimits::from_engine(&*engine);
        Self::with_limits(engine, limits)
    }

    /// Starts a history that also records the [first writes](Self::first_writes). A machine that can
    /// [deviate](Engine::can_deviate) does not record them, because that would make it slow.
    pub fn with_first_writes(engine: Box<dyn Engine>) -> Self {
        let mut history = Self::new(engine);
        if !history.engine().can_deviate() {
            history.record_first_writes();
        }
        history
    }

    pub(super) fn with_limits(engine: Box<dyn Engine>, limits: HistoryLimits) -> Self {
        let (mut replay, inputs) = (Replay::new(engine), Inputs::default());
        let first = Checkpoint::from_replay(&replay);
        replay.go_to(&inputs, 0);
        Self {
            replay,
            end: 0,
            checkpoints: Checkpoints::new(first, limits),
            inputs,
            printed: PrintedBytes::default(),
            limits,
        }
    }

    /// Adds inputs at moments that are not known yet. The machine receives each of them when it
    /// arrives there, also if other inputs are given before.
    #[must_use]
    pub fn with_schedule(mut self, inputs: impl IntoIterator<Item = (u64, Input)>) -> Self {
        self.inputs.extend(inputs);
        self
    }

    /// At the end of the known history, forgets the inputs that the machine has not received.
    #[must_use]
    pub fn without_schedule(mut self) -> Self {
        self.inputs.keep(self.replay.mark().received);
        self
    }

    /// Returns the number of inputs given so far.
    pub fn revision(&self) -> u64 {
        self.inputs.revision()
    }

    /// Returns the machine at the present moment.
    pub fn engine(&self) -> &dyn Engine {
        &*self.replay.engine
    }

    /// Returns the present moment: the number of instructions executed since power-up, over all
    /// resets.
    pub fn moment(&self) -> u64 {
        self.replay.moment()
    }

    /// Returns the present position.
    pub fn position(&self) -> Position {
        self.replay.position()
    }

    /// Returns the earliest moment that can be reached. It is 0, power-up, unless more than half a
    /// million inputs were recorded.
    pub fn start(&self) -> u64 {
        self.checkpoints.start()
    }

    /// Returns the latest known moment.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Returns the maximum number of past instructions to execute again in one call instead of in
    /// slices. They take about as long as a step back.
    pub(super) fn at_once_max(&self) -> u64 {
        2 * self.limits.distance_max
    }

    /// Runs until a watched condition becomes true, the machine halts, or `limit` instructions were
    /// executed.
    pub fn run(&mut self, watch_set: &WatchSet, limit: u64) -> RunResult {
        self.prepare(watch_set);
        let end = self.moment().saturating_add(limit);
        let mut watch = Watch::hits(watch_set);
        if self.engine().edges() > 0 && watch_set.watches_expressions() {
            watch.hold(&self.replay_at(self.moment()));
        }
        let near = end.saturating_sub(NEAR);
        while self.moment() < end {
            let before = self.position();
            let stop = self.next_stop(if before.moment < near { near } else { end });
            let happened = self.replay.next(&self.inputs, &mut watch, stop);
            self.record();
            if self.position() == Position::at(near) && self.inputs.at(near).next().is_none() {
                self.checkpoints.keep_near(self.checkpoint());
            }
            match happened {
                Some(Happened::Hit(hit)) => return RunResult::Hit(hit),
                _ if self.replay.engine.halted() => return RunResult::Halted,
                _ => debug_assert_ne!(self.position(), before, "it would run for ever"),
            }
        }
        if self.replay.engine.halted() { RunResult::Halted } else { RunResult::Limit }
    }

    /// Prepares the history for these conditions, which may need the first writes.
    pub(super) fn prepare(&mut self, watch_set: &WatchSet) {
        if watch_set.watches_unwritten() {
            self.record_first_writes();
        }
    }

    /// Records the first write to each byte from now on, and finds those of the past, which are
    /// executed once more.
    fn record_first_writes(&mut self) {
        if self.replay.first_writes.is_some() {
            return;
        }
        let mut first_writes = FirstWrites::new(self.engine());
        if self.start() > 0 {
            first_writes.forget();
        }
        let mut replay = self.replay_from(self.checkpoints.get(0));
        replay.first_writes = Some(first_writes);
        replay.go_to(&self.inputs, self.end);
        self.replay.first_writes = replay.first_writes;
    }

    /// Returns the first write to each byte up to the end of the history, if they are recorded.
    pub fn first_writes(&self) -> Option<&FirstWrites> {
        self.replay.first_writes.as_ref()
    }

    /// Executes `count` instructions, or fewer if the machine halts.
    pub fn advance(&mut self, count: u64) {
        let end = self.moment().saturating_add(count);
        while !self.advance_to(end) {}
    }

    /// Runs for about a millisecond, or gives the machine one input. Returns true if it has arrived
    /// at a moment or halted.
    pub fn advance_to(&mut self, moment: u64) -> bool {
        let stop = self.next_stop(moment);
        let input = self.replay.next(&self.inputs, &mut Watch::inputs(), stop);
        self.record();
        input.is_none() && self.replay.has_reached(moment)
    }

    /// Gives the machine the inputs of the present moment that it has not received.
    pub(super) fn receive_inputs(&mut self) {
        self.replay.go_to(&self.inputs, self.moment());
        self.record();
    }

    fn next_stop(&self, end: u64) -> u64 {
        // A checkpoint is only due after the known end, so running to the end cannot skip one.
        let slice = self.engine().slice();
        end.min(self.moment().saturating_add(slice)).min(self.checkpoints.next_due(self.moment()))
    }

    /// Updates the end, the checkpoints and the output after the machine has moved.
    fn record(&mut self) {
        let fresh = std::mem::take(&mut self.replay.fresh);
        self.printed.push(self.replay.totals.printed - fresh.len() as u64, &fresh);
        self.end = self.end.max(self.moment());
        // A checkpoint is the state before the inputs of its moment.
        let is_before_inputs = self.inputs.at(self.moment()).next().is_none();
        if is_before_inputs && self.checkpoints.is_due(self.moment()) {
            self.checkpoints.push(self.checkpoint());
        }
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint::from_replay(&self.replay)
    }

    /// Moves the oscillator by one edge, into the next phase.
    pub fn edge(&mut self) {
        self.replay.edge(&self.inputs);
        self.receive_inputs();
    }

    /// Moves back by one edge of the oscillator. Returns false if that is not possible.
    pub fn edge_back(&mut self) -> bool {
        let Position { moment: now, edges } = self.position();
        if edges > 0 {
            self.seek_edge(now, edges - 1);
        } else if now > self.start() {
            self.seek(now - 1);
            let mut edges = 0;
            while self.moment() < now {
                edges += 1;
                self.edge();
            }
            self.seek_edge(now - 1, edges - 1);
        }
        edges > 0 || self.moment() < now
    }

    /// Moves to a position: a moment, and a number of oscillator edges after it.
    pub fn seek_edge(&mut self, moment: u64, edges: u32) {
        self.seek(moment);
        (0..edges).for_each(|_| self.edge());
    }

    /// Moves to a moment, or to the nearest known one.
    pub fn seek(&mut self, moment: u64) {
        let moment = moment.clamp(self.start(), self.end);
        let first = self.checkpoints.nearest(moment).moment();
        // The state is past the moment if the machine is in the middle of an instruction or failed
        // there.
        let is_past = self.engine().edges() > 0 || self.engine().error().is_some();
        let earliest = self.moment() + u64::from(is_past);
        let is_ahead = first <= self.moment() && earliest <= moment;
        if !is_ahead {
            self.replay.restore(self.checkpoints.nearest(moment), &self.inputs);
        }
        self.replay.go_to(&self.inputs, moment);
        self.replay.fresh.clear();
    }

    /// Replaces the machine with one that has reached another moment.
    pub(super) fn arrive(&mut self, mut replay: Replay) {
        // An input may have replaced the future that the other machine knows.
        replay.first_writes = self.replay.first_writes.take();
        self.replay = replay;
    }

    /// Adds a checkpoint in the past.
    pub(super) fn insert_checkpoint(&mut self, checkpoint: Checkpoint) {
        self.checkpoints.insert(checkpoint);
    }

    /// Returns the hit at exactly the present position, if there is one.
    pub fn hit_now(&self, watch_set: &WatchSet) -> Option<Hit> {
        let now = self.position();
        // In the middle of an instruction, execute that one. Between two instructions, execute the
        // previous one, if there is one.
        let end = now.moment + u64::from(now.edges > 0);
        let mut replay = self.replay_from(self.checkpoints.nearest(end.saturating_sub(1)));
        if now > Position::at(self.start()) {
            replay.go_to(&self.inputs, end - 1);
        }
        let mut watch = Watch::hits(watch_set);
        while let Some(Happened::Hit(hit)) = replay.next(&self.inputs, &mut watch, end) {
            if hit.position() >= now {
                return Some(hit).filter(|hit| hit.position() == now);
            }
        }
        None
    }

    /// Gives the machine an input and forgets all later moments. In the middle of an instruction,
    /// the input applies before that instruction.
    pub fn give(&mut self, input: Input) {
        let now = self.moment();
        self.seek(now);
        self.inputs.cut(now, self.end);
        self.end = now;
        self.checkpoints.cut(now);
        self.printed.cut(self.replay.totals.printed);
        if let Some(first_writes) = &mut self.replay.first_writes {
            first_writes.cut(now);
        }
        if self.given().len() >= self.limits.inputs_max {
            self.forget_old_inputs();
        }
        self.inputs.insert(now, input);
        self.replay.go_to(&self.inputs, now);
        self.replay.fresh.clear();
    }

    /// Returns the inputs from the start of the history to the present, with their moments.
    pub fn given(&self) -> &[(u64, Input)] {
        self.inputs.until(self.moment())
    }

    /// Returns the buttons that are held at the present moment.
    pub fn held(&self) -> Buttons {
        self.inputs.held(self.moment())
    }

    /// Forgets at least the older half of the inputs, and the history before the remaining ones.
    fn forget_old_inputs(&mut self) {
        let (middle, _) = self.given()[self.given().len() / 2];
        self.checkpoints.forget_before(middle);
        self.inputs.forget_before(self.checkpoints.start());
        if self.given().len() > self.limits.inputs_max / 2 {
            // All inputs came after the last checkpoint, so the history must start now.
            self.checkpoints = Checkpoints::new(self.checkpoint(), self.limits);
            self.inputs.forget_before(self.moment() + 1);
        }
    }

    /// Returns the last bytes printed since the reset, at most `count`. For bytes that are no
    /// longer stored, it returns only as many as it can recompute quickly.
    pub fn output(&self, count: u64) -> Vec<u8> {
        let totals = self.replay.totals;
        let first = totals.before_reset.0.max(totals.printed.saturating_sub(count));
        if first >= self.printed.first() {
            return self.printed.range(first, totals.printed).to_vec();
        }
        self.recompute_output(first)
    }

    fn recompute_output(&self, first: u64) -> Vec<u8> {
        let now = self.replay.totals;
        let wanted = self.checkpoints.last_where(|totals| totals.printed <= first);
        let recomputed_max = self.at_once_max();
        let near =
            self.checkpoints.last_where(|totals| totals.moment + recomputed_max <= now.moment);
        let mut replay = self.replay_from(self.checkpoints.get(wanted.max(near)));
        replay.go_to(&self.inputs, now.moment);
        let known = replay.fresh.len() as u64;
        replay.fresh.split_off(known.saturating_sub(now.printed - first) as usize)
    }

    /// Returns the number of bytes printed since the reset.
    pub fn printed(&self) -> u64 {
        self.replay.totals.printed - self.replay.totals.before_reset.0
    }

    /// Returns the number of lines printed since the reset.
    pub fn printed_lines(&self) -> u64 {
        self.replay.totals.lines - self.replay.totals.before_reset.1
    }

    /// Returns the number of bytes printed before the reset.
    pub fn printed_before_reset(&self) -> u64 {
        self.replay.totals.before_reset.0
    }

    /// Returns all stored output up to the latest known moment, and the number of its first byte,
    /// counted from power-up.
    pub fn all_output(&self) -> (u64, &[u8]) {
        let first = self.printed.first();
        (first, self.printed.range(first, self.printed.end()))
    }

    /// Returns the moment just after a byte was printed. The bytes are numbered since power-up.
    /// Returns `None` if the byte was not printed, or if the history no longer reaches back to it.
    pub fn moment_printed(&self, byte: u64) -> Option<u64> {
        let number = self.checkpoints.last_where(|totals| totals.printed <= byte);
        let mut replay = self.replay_from(self.checkpoints.get(number));
        let prints = Event::Prints(None);
        let watch_set = WatchSet::new(vec![prints.into()], &*replay.engine);
        if replay.totals.printed > byte {
            return None;
        }
        let mut watch = Watch::hits(&watch_set);
        while replay.totals.printed <= byte {
            replay.next(&self.inputs, &mut watch, self.end)?;
        }
        Some(replay.moment())
    }

    /// Returns the number of lines printed since power-up, over all resets.
    pub fn all_printed_lines(&self) -> u64 {
        self.replay.totals.lines
    }

    /// Returns a known moment before the end of a printed line. Lines are counted from 1 since
    /// power-up, over all resets.
    pub fn moment_before_line(&self, line: u64) -> u64 {
        let number = self.checkpoints.last_where(|totals| totals.lines < line);
        self.checkpoints.get(number).moment()
    }

    /// Creates a separate machine in the state of a checkpoint.
    pub(super) fn replay_from(&self, state: &Checkpoint) -> Replay {
        let mut replay = Replay::new(self.replay.engine.clone());
        replay.first_writes.clone_from(&self.replay.first_writes);
        replay.restore(state, &self.inputs);
        replay
    }

    /// Creates a separate machine at a known moment.
    pub(super) fn replay_at(&self, moment: u64) -> Replay {
        let mut replay = self.replay_from(self.checkpoints.nearest(moment));
        replay.go_to(&self.inputs, moment);
        replay
    }

    /// Returns true if a replay can still continue from a mark: the position is still in the
    /// history, and the inputs before it are the same as when the mark was made.
    pub(super) fn leads_to(&self, Mark { position, received }: Mark) -> bool {
        position.moment >= self.start() && self.inputs.lead_to(position, received)
    }

    /// Returns true if a replay can continue to the present.
    pub(super) fn can_catch_up(&self, replay: &Replay) -> bool {
        self.leads_to(replay.mark()) && replay.position() <= self.position()
    }

    pub(super) fn checkpoints(&self) -> &Checkpoints {
        &self.checkpoints
    }

    pub(super) fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// Returns approximately how many bytes of memory the history uses.
    pub fn bytes(&self) -> usize {
        self.checkpoints.bytes() + self.inputs.bytes() + self.printed.bytes()
    }
}
