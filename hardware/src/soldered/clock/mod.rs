//! Proves that the support parts generate clock and reset correctly, from each power-up state of
//! the flip-flops and for each time at which the button can change.
//!
//! The model has the board's flip-flops and their wires. It knows the order of events but not
//! delays, so a period of the oscillator must be longer than the delays of the flip-flops. A wire
//! that changes while a flip-flop samples it may be read as either level. The flip-flop may take
//! until the next edge of the oscillator to settle.

mod flip_flops;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use gray1_board::Board;

use super::{Connection, connect};
use flip_flops::{COUNT_MAX, ClockLevels, FlipFlops, LevelSource};

/// The minimum length of a reset in phases.
const PHASES_MIN: u64 = 9;
/// The required number of oscillator edges between a change of the reset wire and a change of the
/// clock: one period.
const APART: u8 = 2;
/// A number of edges that is larger than the divisor of any divider on a board.
const LONG: u8 = 200;

/// The results of the proof about clock and reset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockProof {
    /// The frequency of the oscillator.
    pub source_hz: u32,
    /// The length of a phase, in ps.
    pub phase_ps: u64,
    /// The minimum distances, in periods of the oscillator.
    pub apart_periods: Distances,
    /// The minimum number of phases in a reset.
    pub reset_phases: u64,
    /// The number of checked pairs of a state and a change of the wires from outside.
    pub cases: u64,
}

/// The distances from a change of the reset wire to the changes of the clock around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Distances {
    /// From the last change of the clock before it.
    pub before: u8,
    /// To the first change of the clock after it.
    pub after: u8,
}

/// Proves that a board generates its clock and reset correctly, or returns the fault. Returns
/// `None` for a board whose clock and reset come from outside.
pub fn prove(board: &Board) -> Option<Result<ClockProof, String>> {
    (!board.around().is_empty()).then(|| ClockProver::new(board)?.prove())
}

/// The flip-flops and the most recent changes of clock and reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct ClockState {
    levels: ClockLevels,
    /// The number of oscillator edges since the clock changed, or since power-up.
    since_clock: u8,
    has_ticked: bool,
    /// The number of edges since the reset wire changed. `LONG` if it never did, and at most
    /// `LONG`.
    since_reset: u8,
}

/// The state of the proof: the wires of clock and reset, and the intervals seen so far.
struct ClockProver {
    clock: String,
    reset: String,
    clock_source: LevelSource,
    reset_source: LevelSource,
    parts: FlipFlops,
    /// The lengths of the low and the high half-period that were seen, in edges.
    halves: [Option<u8>; 2],
    /// The shortest distances that were seen, in edges.
    apart: Distances,
    cases: u64,
}

impl ClockProver {
    fn new(board: &Board) -> Result<Self, String> {
        let around = connect(board).map_err(|error| error.to_string())?;
        let mut parts = FlipFlops::new(&around)?;
        let [clock, reset] = [board.oscillator(), board.reset()].map(|net| board.net(net).name());
        let [clock_source, reset_source] =
            [clock, reset].map(|name| parts.source(&around, Some(Connection::Wire(name))));
        for (name, source) in [(clock, clock_source), (reset, reset_source)] {
            if !matches!(source, LevelSource::FlipFlop(..)) {
                return Err(format!("no flip-flop drives {name}"));
            }
        }
        if !parts.can_be_tried() {
            return Err(format!(
                "more than {COUNT_MAX} flip-flops, or wires from outside that reach them"
            ));
        }
        let [clock, reset] = [clock, reset].map(str::to_owned);
        let (halves, apart) = ([None; 2], Distances { before: LONG, after: LONG });
        Ok(Self { clock, reset, clock_source, reset_source, parts, halves, apart, cases: 0 })
    }

    fn prove(mut self) -> Result<ClockProof, String> {
        let all = self.explore()?;
        let half = match self.halves {
            [Some(low), Some(high)] if low == high && low % 2 == 0 => low,
            [low, high] => {
                let [low, high] = [low, high].map(Option::unwrap_or_default);
                return Err(self.unequal_halves(low, high));
            }
        };
        let source_hz = self.parts.source_hz;
        let phase_ps = u64::from(half / 2) * 1_000_000_000_000 / u64::from(source_hz);
        let not_following = || format!("{} does not follow a supervisor", self.reset);
        let (supervisor, low_ms) = self.parts.supervisor.ok_or_else(not_following)?;
        let delays = [false, true].map(|level| self.delay(&all, supervisor, level));
        let [Some(late), Some(_)] = delays else {
            return Err(not_following());
        };
        let low_edges = u64::from(low_ms) * u64::from(source_hz) / 500;
        let reset_phases = low_edges.saturating_sub(u64::from(late)) / u64::from(half);
        if reset_phases < PHASES_MIN {
            return Err(format!(
                "a reset lasts {reset_phases} phases, expected {PHASES_MIN} at least"
            ));
        }
        let Distances { before, after } = self.apart;
        let apart_periods = Distances { before: before / 2, after: after / 2 };
        let cases = self.cases;
        Ok(ClockProof { source_hz, phase_ps, apart_periods, reset_phases, cases })
    }

    /// Explores everything that can happen from every power-up state. Returns all states before an
    /// edge.
    fn explore(&mut self) -> Result<HashSet<ClockState>, String> {
        let mut new = Vec::new();
        for levels in self.parts.all_levels() {
            new.push(ClockState { levels, since_clock: 0, has_ticked: false, since_reset: LONG });
        }
        let mut seen: HashSet<ClockState> = new.iter().copied().collect();
        while let Some(state) = new.pop() {
            for combination in 0..self.parts.combinations() {
                self.cases += 1;
                for next in self.next(state, combination)? {
                    if seen.insert(next) {
                        new.push(next);
                    }
                }
            }
        }
        Ok(seen)
    }

    /// Returns the possible states after the next edge of the oscillator. Each wire from outside
    /// stays the same, changes before that edge, or changes at the same time. These choices are the
    /// digits of `combination` in base three.
    fn next(&mut self, state: ClockState, combination: u32) -> Result<Vec<ClockState>, String> {
        let (before, during) = self.parts.changes_in(combination);
        let quiet = if before == 0 {
            vec![state.levels]
        } else {
            let moved = self.settle(state.levels, false, before)?;
            self.check_constant(state.levels, &moved)?;
            moved
        };
        let mut all = Vec::new();
        for levels in quiet {
            for after in self.settle(levels, true, during)? {
                all.push(self.tick(ClockState { levels, ..state }, after, during)?);
            }
        }
        Ok(all)
    }

    fn settle(
        &self,
        levels: ClockLevels,
        edge: bool,
        moving: u32,
    ) -> Result<Vec<ClockLevels>, String> {
        let settled = self.parts.settle(levels, edge, moving);
        settled.ok_or_else(|| {
            let state = self.parts.describe(levels);
            format!(
                "the flip-flops never come to rest after an edge of the oscillator, from {state}"
            )
        })
    }

    /// Checks that clock and reset do not change between the edges.
    fn check_constant(&self, before: ClockLevels, after: &[ClockLevels]) -> Result<(), String> {
        for (wire, source) in [(&self.clock, self.clock_source), (&self.reset, self.reset_source)] {
            if after.iter().any(|it| it.level(source) != before.level(source)) {
                let why = "a wire from outside sets, clears or clocks its flip-flop";
                return Err(format!("{wire} can move at any time: {why}"));
            }
        }
        Ok(())
    }

    /// Checks the effect of an edge on clock and reset.
    fn tick(
        &mut self,
        before: ClockState,
        after: ClockLevels,
        moving: u32,
    ) -> Result<ClockState, String> {
        let moves = |source| before.levels.level(source) != after.level(source);
        let (clock_moves, reset_moves) = (moves(self.clock_source), moves(self.reset_source));
        for (wire, source) in [(&self.clock, self.clock_source), (&self.reset, self.reset_source)] {
            if self.parts.samples_change(before.levels, source, moving) {
                let why = "its flip-flop takes a wire from outside, which may move in that instant";
                return Err(format!("{wire} can move at any time: {why}"));
            }
        }
        let state = || self.parts.describe(before.levels);
        let wrong = |when: String| Err(format!("{} moves {when}, from {}", self.reset, state()));
        let mut next = ClockState { levels: after, ..before };
        next.since_clock += 1;
        next.since_reset = next.since_reset.saturating_add(1).min(LONG);
        if next.since_clock == LONG {
            return Err(format!("{} does not change, from {}", self.clock, state()));
        }
        let clock = &self.clock;
        if reset_moves {
            if clock_moves {
                return wrong(format!("in the same instant as {clock}"));
            }
            if !after.level(self.clock_source) {
                return wrong(format!("while {clock} is low"));
            }
            if next.has_ticked && next.since_clock < APART {
                return wrong(format!("too soon after {clock}"));
            }
            if next.has_ticked {
                self.apart.before = self.apart.before.min(next.since_clock);
            }
            next.since_reset = 0;
        }
        if clock_moves {
            if next.since_reset < APART {
                return wrong(format!("too shortly before {clock}"));
            }
            self.apart.after = self.apart.after.min(next.since_reset);
            if next.has_ticked {
                self.record_half(before.levels.level(self.clock_source), next.since_clock)?;
            }
            (next.since_clock, next.has_ticked) = (0, true);
        }
        Ok(next)
    }

    /// Checks that all half-periods of a level have the same length.
    fn record_half(&mut self, level: bool, edges: u8) -> Result<(), String> {
        let known = self.halves[usize::from(level)].replace(edges);
        match known.filter(|known| *known != edges) {
            Some(other) => Err(self.unequal_halves(other, edges)),
            None => Ok(()),
        }
    }

    fn unequal_halves(&self, one: u8, other: u8) -> String {
        format!(
            "the halves of {} last {one} and {other} edges of the oscillator, \
             expected equal, even numbers",
            self.clock
        )
    }

    /// Returns the number of edges after which the reset wire has certainly responded to this level
    /// of the supervisor's wire, from any state. It responds with the opposite level. `None` if it
    /// may never respond.
    fn delay(&self, all: &HashSet<ClockState>, supervisor: u32, level: bool) -> Option<u32> {
        let mut now: HashSet<ClockLevels> = all.iter().map(|state| state.levels).collect();
        now.retain(|levels| levels.outside(supervisor) == level);
        let mut late = 0;
        for edge in 1..=u32::from(LONG) {
            let next =
                now.iter().flat_map(|&it| self.parts.settle(it, true, 0).unwrap_or_default());
            now = next.collect();
            if now.iter().any(|levels| levels.level(self.reset_source) == level) {
                late = edge;
            }
        }
        (late < u32::from(LONG) / 2).then_some(late + 1)
    }
}
