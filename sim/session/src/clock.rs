//! The clock of a session: its pace, the work due at that pace, the pauses at printed lines, and
//! the achieved speed.

use std::time::Duration;

use super::pace::{Pace, Rate};

/// The minimum wait. Waking up more often would cost time without a visible effect.
const WAIT_MIN: Duration = Duration::from_millis(4);

/// The maximum time to catch up on after a stall, so that the machine does not run in a burst.
const STALL_MAX: Duration = Duration::from_millis(50);
/// Unused time is counted in billionths of an instruction or LED change, so that rounding loses
/// nothing.
const UNIT: u64 = 1_000_000_000;

/// The maximum pause at a line.
const DWELL_MAX: Duration = Duration::from_secs(1);
/// Lines that follow each other faster than this cause no pause.
const DWELL_MIN: Duration = Duration::from_millis(300);

/// The time until the first measurement of the speed, and between later ones.
const FIRST_MEASUREMENT: Duration = Duration::from_millis(200);
const MEASUREMENT: Duration = Duration::from_secs(1);

/// Controls how fast the machine runs in real time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    pub(super) pace: Pace,
    /// The pace to restore after a phase-by-phase run.
    before_phases: Option<Pace>,
    /// Whether the machine pauses at printed lines, at a pace that the eye can follow. The pause
    /// lets users see the result. It is at most as long as the time that the line took, so a
    /// program runs at half its pace or faster, however often it prints.
    pub(super) dwells: bool,
    /// The unused time, in parts of a [`UNIT`].
    unused: u64,
    /// The remaining time of a pause.
    dwell: Duration,
    /// The time that the machine has run since the last line ended.
    since_line: Duration,
    /// The time since the last measurement of the speed, and the instructions executed in it.
    measuring: (Duration, u64),
    /// The speed in instructions per second. `None` before the first measurement.
    pub(super) speed: Option<u64>,
}

impl Default for Clock {
    /// The first instruction is due at once. The first line causes a pause, however early it is
    /// printed.
    fn default() -> Self {
        Self {
            pace: Pace::default(),
            before_phases: None,
            dwells: true,
            unused: UNIT,
            dwell: Duration::ZERO,
            since_line: DWELL_MAX,
            measuring: (Duration::ZERO, 0),
            speed: None,
        }
    }
}

/// The time at which a session must be advanced next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// The session must be advanced at once.
    Now,
    /// After this time.
    After(Duration),
    /// Not before a command.
    Never,
}

impl Clock {
    /// Resets the unused time and the measured speed. Ends a phase-by-phase run.
    pub(super) fn restart(&mut self) {
        let pace = self.before_phases.unwrap_or(self.pace);
        *self = Self { pace, dwells: self.dwells, ..Self::default() };
    }

    /// Sets the pace.
    pub(super) fn set_pace(&mut self, pace: Pace) {
        (self.pace, self.before_phases) = (pace, None);
    }

    /// Runs phase by phase until the machine pauses.
    pub(super) fn play_phases(&mut self) {
        self.before_phases = Some(std::mem::replace(&mut self.pace, Pace::PHASES));
    }

    /// Whether this is a phase-by-phase run, after which another pace is restored.
    pub(super) fn plays_phases(&self) -> bool {
        self.before_phases.is_some()
    }

    /// Adds the instructions or LED changes that are due for an elapsed time. Returns how many are
    /// due now.
    pub(super) fn refill(&mut self, elapsed: Duration, per_second: u64) -> u64 {
        let worth = |time: Duration| time.as_nanos() as u64 * per_second;
        // More than a second exceeds the maximum anyway, and this cannot overflow.
        let added = worth(elapsed.min(Duration::from_secs(1)));
        self.unused = (self.unused + added).min(UNIT + worth(STALL_MAX));
        self.unused / UNIT
    }

    /// Subtracts the instructions or LED changes that were executed.
    pub(super) fn consume(&mut self, units: u64) {
        self.unused -= units * UNIT;
    }

    /// Whether the machine is pausing at a line.
    pub(super) fn is_dwelling(&self) -> bool {
        !self.dwell.is_zero()
    }

    /// Lets time pass. Returns the time that is left for the machine to run, or `None` while the
    /// machine pauses at a line.
    pub(super) fn pass(&mut self, elapsed: Duration) -> Option<Duration> {
        if self.dwell > elapsed {
            self.dwell -= elapsed;
            return None;
        }
        let rest = elapsed.saturating_sub(std::mem::take(&mut self.dwell));
        self.since_line = self.since_line.saturating_add(rest);
        Some(rest)
    }

    /// Whether the machine would pause at a line that ends now.
    pub(super) fn dwells_now(&self) -> bool {
        self.dwells && self.pace.is_watchable() && self.since_line >= DWELL_MIN
    }

    /// Records the end of a line. If `dwells`, begins a pause that is as long as the line took, up
    /// to [`DWELL_MAX`].
    pub(super) fn end_line(&mut self, dwells: bool) {
        let taken = std::mem::take(&mut self.since_line);
        if dwells {
            self.dwell = taken.min(DWELL_MAX);
        }
    }

    /// Measures the speed from the instructions that were executed in a time.
    pub(super) fn measure(&mut self, elapsed: Duration, executed: u64) {
        let (time, count) = (self.measuring.0 + elapsed, self.measuring.1 + executed);
        let is_due = time >= MEASUREMENT || self.speed.is_none() && time >= FIRST_MEASUREMENT;
        self.measuring = if is_due { (Duration::ZERO, 0) } else { (time, count) };
        if is_due {
            self.speed = Some((u128::from(count) * 1_000_000_000 / time.as_nanos()) as u64);
        }
    }

    /// The time at which a running machine must be advanced next.
    pub(super) fn due(&self) -> Due {
        if self.is_dwelling() {
            return Due::After(self.dwell);
        }
        match self.pace.rate() {
            Rate::Unlimited => Due::Now,
            _ if self.unused >= UNIT => Due::Now,
            Rate::Phases(per_second)
            | Rate::Instructions(per_second)
            | Rate::LedChanges(per_second) => {
                let wait = Duration::from_nanos((UNIT - self.unused).div_ceil(per_second));
                Due::After(wait.max(WAIT_MIN))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_is_measured_early_and_then_once_a_second() {
        let mut clock = Clock::default();
        for (ms, executed, per_second) in [
            (199, 600, None),
            (1, 0, Some(3_000)),
            (999, 500, Some(3_000)),
            (1, 500, Some(1_000)),
            (2_000, 14, Some(7)),
        ] {
            clock.measure(Duration::from_millis(ms), executed);
            assert_eq!(clock.speed, per_second, "{ms} ms");
        }
    }
}
