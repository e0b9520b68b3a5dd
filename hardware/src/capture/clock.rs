//! The timing rules of the oscillator and the reset wire. Phases must not be too short. The reset
//! wire must not change near an edge of the oscillator, and a reset must last long enough.

use std::mem::discriminant;

use super::evidence::FirstSeen;

/// The minimum number of phases of a reset, enough to reach T1 from any phase (docs/MACHINE.md).
pub(super) const RESET_PHASES_MIN: u32 = 9;

/// A violation of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClockViolation {
    /// A phase of the oscillator was too short.
    ShortPhase { duration_ps: i64, is_high: bool },
    /// The reset wire changed while the oscillator was low.
    ResetWhileLow,
    /// The reset wire changed too close to an edge of the oscillator.
    ResetNearEdge { distance_ps: i64 },
    /// A reset ended after too few phases.
    ShortReset { phases: u32 },
}

/// The state of the oscillator and the reset wire, and the first violation of a rule.
#[derive(Debug, Default)]
pub(super) struct Clock {
    /// The shortest phase that the board allows.
    pub(super) phase_ps_min: Option<i64>,
    /// The minimum time between a change of the reset wire and an edge of the oscillator.
    distance_ps_min: i64,
    resolution_ps: i64,
    oscillator: Option<bool>,
    reset: Option<bool>,
    edge_ps: Option<i64>,
    reset_ps: Option<i64>,
    /// The number of phases since the reset began, if its beginning was captured.
    reset_phases: Option<u32>,
    /// The number of edges of the oscillator.
    pub(super) edges: u64,
    /// The number of edges outside a reset.
    pub(super) free_edges: u64,
    /// The number of oscillator levels that were seen in only one sample.
    pub(super) pulses: u64,
    pub(super) shortest_ps: Option<i64>,
    pub(super) violation: Option<FirstSeen<ClockViolation>>,
    pub(super) reset_changes: u64,
}

impl Clock {
    pub(super) fn new(phase_ps_min: Option<i64>, distance_ps_min: i64, resolution_ps: i64) -> Self {
        Self { phase_ps_min, distance_ps_min, resolution_ps, ..Self::default() }
    }

    /// The time by which all wires should have settled after the last change of the oscillator or
    /// the reset wire. Returns `i64::MAX` if that time is unknown, for example because the
    /// oscillator is not captured.
    pub(super) fn settled_ps(&self) -> i64 {
        let settled_ps = self.edge_ps.zip(self.phase_ps_min).map(|(edge_ps, phase_ps)| {
            edge_ps.max(self.reset_ps.unwrap_or(edge_ps)) + phase_ps + 2 * self.resolution_ps
        });
        settled_ps.unwrap_or(i64::MAX)
    }

    /// Records a violation. Phases that are too short take precedence, because they cause other
    /// violations.
    fn record(&mut self, what: ClockViolation, time_ps: i64) {
        let is_short = |what| matches!(what, ClockViolation::ShortPhase { .. });
        match &mut self.violation {
            Some(first) if discriminant(&first.what) == discriminant(&what) => first.count += 1,
            Some(first) if is_short(first.what) || !is_short(what) => {}
            first => *first = Some(FirstSeen { what, time_ps, count: 1 }),
        }
    }

    /// True if the samples cannot resolve the phases.
    pub(super) fn is_undersampled(&self) -> bool {
        self.pulses > self.edges
            || self.shortest_ps.is_some_and(|shortest_ps| shortest_ps < 2 * self.resolution_ps)
    }

    /// Handles a new level of the oscillator.
    pub(super) fn change_oscillator(&mut self, level: Option<bool>, now_ps: i64) {
        let is_edge = self.oscillator.is_some() && level.is_some();
        self.oscillator = level;
        if !is_edge {
            self.edge_ps = None;
            return;
        }
        self.edges += 1;
        self.free_edges += u64::from(self.reset != Some(true));
        if let Some(phases) = &mut self.reset_phases {
            *phases += 1;
        }
        if let Some(edge_ps) = self.edge_ps {
            let duration_ps = now_ps - edge_ps;
            self.shortest_ps = Some(self.shortest_ps.map_or(duration_ps, |it| it.min(duration_ps)));
            let is_high = level == Some(false);
            // The phase may have lasted one sample longer than it seems.
            if self.phase_ps_min.is_some_and(|min| duration_ps + self.resolution_ps < min) {
                self.record(ClockViolation::ShortPhase { duration_ps, is_high }, edge_ps);
            }
        }
        self.edge_ps = Some(now_ps);
        self.check_distance(self.reset_ps, now_ps);
    }

    /// Handles a new level of the reset wire.
    pub(super) fn change_reset(&mut self, level: Option<bool>, now_ps: i64) {
        let is_edge = self.reset.is_some() && level.is_some();
        self.reset = level;
        if !is_edge {
            self.reset_phases = None;
            return;
        }
        self.reset_changes += 1;
        self.reset_ps = Some(now_ps);
        if self.oscillator == Some(false) {
            self.record(ClockViolation::ResetWhileLow, now_ps);
        }
        self.check_distance(self.edge_ps, now_ps);
        let phases = self.reset_phases.take();
        if level == Some(true) {
            self.reset_phases = self.oscillator.map(|_| 0);
        } else if let Some(phases) = phases.filter(|phases| *phases < RESET_PHASES_MIN) {
            self.record(ClockViolation::ShortReset { phases }, now_ps);
        }
    }

    /// Checks the distance between an edge of one of the wires and the last edge of the other.
    fn check_distance(&mut self, then_ps: Option<i64>, now_ps: i64) {
        let distance_ps = then_ps.map_or(i64::MAX, |then_ps| now_ps - then_ps);
        if distance_ps.saturating_add(self.resolution_ps) < self.distance_ps_min {
            self.record(ClockViolation::ResetNearEdge { distance_ps }, now_ps);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the first violation and its time, for an oscillator whose phases have these lengths
    /// and a reset wire that changes at these times.
    fn violation(phases: &[i64], reset: &[i64]) -> Option<(ClockViolation, i64)> {
        let mut clock = Clock::new(Some(900), 200, 10);
        clock.change_oscillator(Some(false), 0);
        clock.change_reset(Some(false), 0);
        let mut edges = Vec::new();
        let mut time_ps = 0;
        for phase in phases {
            time_ps += phase;
            edges.push((time_ps, true));
        }
        edges.extend(reset.iter().map(|&time_ps| (time_ps, false)));
        edges.sort_unstable();
        let (mut oscillator, mut reset) = (false, false);
        for (time_ps, is_oscillator) in edges {
            let level = if is_oscillator { &mut oscillator } else { &mut reset };
            *level = !*level;
            if is_oscillator {
                clock.change_oscillator(Some(*level), time_ps);
            } else {
                clock.change_reset(Some(*level), time_ps);
            }
        }
        clock.violation.map(|first| (first.what, first.time_ps))
    }

    #[test]
    fn a_clock_that_is_too_fast_is_reported_before_the_reset() {
        let mut clock = Clock::new(Some(900), 200, 10);
        clock.change_reset(Some(true), 0);
        clock.change_oscillator(Some(true), 0);
        clock.change_reset(Some(false), 50);
        for edge in 1..100 {
            clock.change_oscillator(Some(edge % 2 == 0), edge * 100);
        }
        let first = clock.violation.unwrap();
        assert!(matches!(first.what, ClockViolation::ShortPhase { .. }));
        assert_eq!(first.count, 98);
    }

    #[test]
    fn violations_of_the_clock_and_reset_rules_are_found() {
        let even = [1000; 20];
        assert_eq!(violation(&even, &[1500, 11_500]), None);
        let short = ClockViolation::ShortReset { phases: 8 };
        assert_eq!(violation(&even, &[1500, 9500]), Some((short, 9500)));
        assert_eq!(violation(&even, &[2500, 13_500]), Some((ClockViolation::ResetWhileLow, 2500)));
        let near = ClockViolation::ResetNearEdge { distance_ps: 100 };
        assert_eq!(violation(&even, &[1100, 13_500]), Some((near, 1100)));
        assert_eq!(violation(&even, &[1900, 13_500]), Some((near, 2000)));
        let short = ClockViolation::ShortPhase { duration_ps: 850, is_high: false };
        assert_eq!(violation(&[1000, 1000, 850, 1000], &[]), Some((short, 2000)));
    }
}
