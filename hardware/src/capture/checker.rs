//! Compares every chip of a board with its table, given the level changes of some of the wires.

use std::collections::VecDeque;

use gray1_board::{Board, ChipId, Driver, NetId};

use super::capture_evidence::{CaptureConditions, CaptureEvidence};
use super::clock::Clock;
use super::evidence::{WireEvidence, WireLevels, is_one_sample, record};
use super::hypothesis::Hypothesis;
use super::memory::Memory;
use super::report::Report;
use super::watched::{ClippedPin, WatchedChip};

/// The maximum number of changes kept for testing hypotheses.
const KEPT_MAX: usize = 1 << 20;
/// The maximum number of moments with a wrong chip that are kept.
const WRONG_MOMENTS_MAX: usize = 16;

/// A level change of a wire: the time, the wire, the new level.
type WireChange = (i64, NetId, Option<bool>);

/// A check in progress. It receives the level changes of the wires in order of time.
#[derive(Debug)]
pub struct Checker<'a> {
    pub(super) capture: CaptureEvidence<'a>,
    /// For each wire, the chips and pins that are connected to it.
    places: Vec<Vec<(usize, ClippedPin)>>,
    levels: WireLevels,
    /// The latest changes. They wait until it is known whether changes of external wires lasted for
    /// only one sample.
    recent: VecDeque<WireChange>,
    /// The first changes, for testing hypotheses.
    pub(super) kept: Vec<WireChange>,
    memory: Memory,
    /// The time of the current sample, and the wires that change in it, each once. More changes at
    /// the same time may follow.
    now_ps: Option<i64>,
    /// The time of the first change.
    start_ps: Option<i64>,
    changing: Vec<(NetId, Option<bool>)>,
    /// After this time without changes, every chip has settled.
    quiet_ps: i64,
    /// True if the oscillator is captured. Then chips are checked only at the end of each phase.
    /// Within a phase, pulses too short to be sampled can change a chip whose wires seem stable.
    has_clock: bool,
}

impl<'a> Checker<'a> {
    /// Begins a check.
    pub fn new(board: &'a Board, conditions: CaptureConditions) -> Self {
        Self::with_hypothesis(board, conditions, Hypothesis::NoFault)
    }

    /// Begins a check under a hypothesis.
    pub(super) fn with_hypothesis(
        board: &'a Board,
        conditions: CaptureConditions,
        hypothesis: Hypothesis,
    ) -> Self {
        let resolution_ps = conditions.resolution_ps;
        let chips: Vec<WatchedChip> = board
            .chip_ids()
            .filter(|&id| conditions.knows_program || id != board.program())
            .map(|id| WatchedChip::new(board, id, &conditions, hypothesis))
            .collect();
        let mut places = vec![Vec::new(); board.nets().len()];
        for (index, watched) in chips.iter().enumerate() {
            for_each_pin(board, watched.chip, hypothesis, |net, place| {
                if conditions.has(net, hypothesis) {
                    places[net.index()].push((index, place));
                }
            });
        }
        let quiet_ps = chips.iter().map(|it| it.settle_ps).max().unwrap_or_default();
        let phase_ps_min = conditions.phase_ps_min;
        let near_ps =
            board.readers(board.reset()).map(|(chip, _)| board.chip(chip).access_ns).max();
        let near_ps = 1000 * i64::from(near_ps.unwrap_or_default());
        let has_clock = conditions.has(board.oscillator(), hypothesis);
        let capture = CaptureEvidence {
            board,
            chips,
            wires: WireEvidence::new(board),
            clock: Clock::new(phase_ps_min, near_ps, resolution_ps),
            conditions,
            wrong_moments: Vec::new(),
            pulse: None,
            duration_ps: 0,
        };
        Self {
            capture,
            places,
            levels: WireLevels::default(),
            recent: VecDeque::new(),
            kept: Vec::new(),
            memory: Memory::new(hypothesis.suspicion(board.memory())),
            now_ps: None,
            start_ps: None,
            changing: Vec::new(),
            quiet_ps,
            has_clock,
        }
    }

    /// Reports that a captured wire has this level from `time_ps` on. `None` means that the capture
    /// marks the level as unknown. Times must not decrease. Changes at the same time belong to one
    /// sample.
    pub fn set_level(&mut self, time_ps: i64, net: NetId, level: Option<bool>) {
        let resolution_ps = self.capture.conditions.resolution_ps;
        self.release(|then_ps| !is_one_sample(time_ps - then_ps, resolution_ps));
        let is_outside = self.capture.board.net(net).driver == Driver::Outside;
        // A level seen in only one sample is noise, because no clock or button is that fast.
        let pulse = self.recent.iter().position(|&(then_ps, then, before)| {
            is_outside && then == net && then_ps < time_ps && before == level.map(|it| !it)
        });
        if let Some((then_ps, ..)) = pulse.and_then(|place| self.recent.remove(place)) {
            self.capture.clock.pulses += u64::from(net == self.capture.board.oscillator());
            record(&mut self.capture.pulse, net, then_ps);
        } else {
            self.recent.push_back((time_ps, net, level));
        }
    }

    /// Processes the oldest waiting changes, as long as `is_old` returns true for their times.
    fn release(&mut self, is_old: impl Fn(i64) -> bool) {
        while let Some(&change) = self.recent.front().filter(|recent| is_old(recent.0)) {
            self.recent.pop_front();
            if self.kept.len() < KEPT_MAX {
                self.kept.push(change);
            }
            self.process(change);
        }
    }

    pub(super) fn process(&mut self, (time_ps, net, level): WireChange) {
        if self.now_ps != Some(time_ps) && !self.is_supply_off() {
            self.process_sample(time_ps);
        }
        self.start_ps.get_or_insert(time_ps);
        self.now_ps = Some(time_ps);
        match self.changing.iter_mut().find(|(changed, _)| *changed == net) {
            Some((_, last)) => *last = level,
            None => self.changing.push((net, level)),
        }
    }

    /// Returns true if all captured wires have been low so far. They are ignored until one of them
    /// rises. If only one wire is captured, its low level does not show that the supply is off.
    fn is_supply_off(&self) -> bool {
        self.levels.known.is_empty()
            && self.changing.len() != 1
            && self.changing.iter().all(|(_, level)| *level == Some(false))
    }

    /// Ends the check at this time and returns the report.
    pub fn finish(mut self, time_ps: i64) -> Report {
        self.release(|_| true);
        self.end(time_ps);
        let end_ps = self.kept.get(KEPT_MAX - 1).map_or(time_ps, |last| last.0);
        if self.capture.is_undersampled() {
            return self.capture.report_undersampled();
        }
        self.capture.report(self.explain(end_ps))
    }

    pub(super) fn end(&mut self, time_ps: i64) {
        self.process_sample(time_ps);
        self.capture.duration_ps = time_ps - self.start_ps.unwrap_or(time_ps);
        if !self.has_clock {
            self.check_all_chips(time_ps);
        }
    }

    /// Processes the current sample, which is complete. `time_ps` is the time of the next sample or
    /// the end of the check.
    fn process_sample(&mut self, time_ps: i64) {
        let Some(now_ps) = self.now_ps.replace(time_ps) else { return };
        let mut changes = std::mem::take(&mut self.changing);
        changes.retain(|(net, level)| self.levels.level(*net) != *level);
        let board = self.capture.board;
        let outside = [board.oscillator(), board.reset()];
        // Causes are processed before their effects, whatever the order of the channels. A byte is
        // stored before the memory or the buffer puts another one on the same wires.
        let write = board.chip(board.memory()).output.switch().map(|(net, _)| net);
        changes.sort_by_key(|(net, _)| (!outside.contains(net), write != Some(*net)));
        if self.has_clock && changes.iter().any(|(net, _)| outside.contains(net)) {
            self.check_all_chips(now_ps);
        }
        let phase = &self.capture.board.probes().phase;
        let moved = changes.iter().filter(|(net, _)| phase.contains(net)).count();
        self.capture.wires.record_phase(moved, now_ps, self.capture.conditions.resolution_ps);
        for &(net, level) in &changes {
            self.change_wire(net, level, now_ps);
        }
        for (net, level) in changes.drain(..) {
            if self.levels.level(net).is_some() && level.is_some() {
                self.capture.wires.changed.insert(net);
            }
            self.levels.set(net, level);
        }
        self.changing = changes;
        self.capture.chips.iter_mut().for_each(|chip| chip.explain(now_ps));
        if time_ps.saturating_sub(now_ps) >= self.quiet_ps {
            self.capture.wires.record_settled(self.capture.board, &self.levels);
        }
    }

    fn change_wire(&mut self, net: NetId, level: Option<bool>, now_ps: i64) {
        if net == self.capture.board.oscillator() {
            self.capture.clock.change_oscillator(level, now_ps);
        }
        if net == self.capture.board.reset() {
            self.capture.clock.change_reset(level, now_ps);
        }
        let settled_ps = self.capture.clock.settled_ps();
        for index in 0..self.places[net.index()].len() {
            let (chip, place) = self.places[net.index()][index];
            if !self.has_clock {
                self.check_chip(chip, now_ps);
            }
            if self.capture.chips[chip].chip == self.capture.board.memory() {
                self.change_memory(chip, place, level, now_ps);
            }
            self.capture.chips[chip].change_pin(place, level, now_ps, settled_ps);
        }
    }

    fn check_all_chips(&mut self, now_ps: i64) {
        for chip in 0..self.capture.chips.len() {
            self.check_chip(chip, now_ps);
        }
    }

    /// Checks a chip if it was settled until now.
    fn check_chip(&mut self, index: usize, time_ps: i64) {
        let CaptureEvidence { board, chips, wrong_moments, .. } = &mut self.capture;
        let watched = &mut chips[index];
        if watched.chip == board.memory() {
            self.memory.check(watched, board, time_ps);
        } else if watched.check(time_ps) && wrong_moments.len() < WRONG_MOMENTS_MAX {
            wrong_moments.push((watched.chip, self.levels.clone()));
        }
    }

    /// Updates the known contents of data memory before one of its pins changes.
    fn change_memory(&mut self, chip: usize, place: ClippedPin, level: Option<bool>, time_ps: i64) {
        match place {
            ClippedPin::Address(_) => self.memory.change_address(),
            ClippedPin::Data(_) => {}
            ClippedPin::Enable(on_while) if level == Some(!on_while) => self.memory.start_write(),
            ClippedPin::Enable(_) => {
                let cell = self.capture.chips[chip].written(time_ps);
                self.memory.end_write(cell, time_ps);
            }
        }
    }
}

/// Calls `found` with each wired pin of a chip and with the wire that it is connected to under a
/// hypothesis.
pub(super) fn for_each_pin(
    board: &Board,
    id: ChipId,
    hypothesis: Hypothesis,
    mut found: impl FnMut(NetId, ClippedPin),
) {
    let chip = board.chip(id);
    for pin in 0..chip.address.len() as u8 {
        if let Some(net) = hypothesis.sensed_wire(chip, pin) {
            found(net, ClippedPin::Address(pin));
        }
    }
    for (bit, &net) in (0..).zip(&chip.data) {
        if let Some(net) = hypothesis.carrier(net) {
            found(net, ClippedPin::Data(bit));
        }
    }
    if let Some((net, on_while)) = chip.output.switch() {
        found(net, ClippedPin::Enable(on_while));
    }
}
