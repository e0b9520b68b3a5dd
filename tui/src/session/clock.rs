//! The clock of a session: its pace, what the elapsed time is worth at that pace, the pauses at
//! printed lines, and the speed achieved.

use std::time::Duration;

use super::pace::{Pace, Rate};

/// The shortest wait: waking up more often would cost more than it shows.
const WAIT_MIN: Duration = Duration::from_millis(4);

/// The most time to catch up on after a stall, so that the machine does not run in a burst.
const STALL_MAX: Duration = Duration::from_millis(50);
/// Unused time is counted in billionths of an instruction or LED change, so that nothing is lost
/// to rounding.
const UNIT: u64 = 1_000_000_000;

/// The longest dwell.
const DWELL_MAX: Duration = Duration::from_secs(1);
/// Lines that follow each other faster than this are not dwelt on.
const DWELL_MIN: Duration = Duration::from_millis(300);

/// The time until the first measurement of the speed, and between further ones.
const FIRST_MEASUREMENT: Duration = Duration::from_millis(200);
const MEASUREMENT: Duration = Duration::from_secs(1);

/// The clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    pub(super) pace: Pace,
    /// The pace after a run phase by phase.
    before_phases: Option<Pace>,
    /// Whether the machine dwells on printed lines, at a pace that the eye can follow: it pauses
    /// for a moment after each, so that users can see what it has found. A dwell takes no longer
    /// than its line took, so that a program runs at half its pace at least, however often it
    /// prints.
    pub(super) dwells: bool,
    /// The elapsed time that is not used up, in parts of a [`UNIT`].
    unused: u64,
    /// The time left of a dwell.
    dwell: Duration,
    /// How long the machine has run since a line ended.
    since_line: Duration,
    /// The time, and the instructions executed, since the speed was measured.
    measuring: (Duration, u64),
    /// The speed in instructions per second; `None` before the first measurement.
    pub(super) speed: Option<u64>,
}

impl Default for Clock {
    /// The first unit is due at once, and the first line is worth dwelling on, however soon it
    /// comes.
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

/// When a session has to be advanced next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Now.
    Now,
    /// After this time.
    After(Duration),
    /// Not before a command.
    Never,
}

impl Clock {
    /// Forgets the elapsed time and the measured speed. A run phase by phase ends.
    pub(super) fn restart(&mut self) {
        let pace = self.before_phases.unwrap_or(self.pace);
        *self = Self { pace, dwells: self.dwells, ..Self::default() };
    }

    /// Chooses a pace that lasts.
    pub(super) fn set_pace(&mut self, pace: Pace) {
        (self.pace, self.before_phases) = (pace, None);
    }

    /// Plays phase by phase until the machine pauses.
    pub(super) fn play_phases(&mut self) {
        self.before_phases = Some(std::mem::replace(&mut self.pace, Pace::PHASES));
    }

    /// Whether this run is phase by phase, and another pace comes back after it.
    pub(super) fn plays_phases(&self) -> bool {
        self.before_phases.is_some()
    }

    /// Adds the instructions or LED changes that elapsed time is worth. Returns how many are due.
    pub(super) fn earn(&mut self, elapsed: Duration, per_second: u64) -> u64 {
        let worth = |time: Duration| time.as_nanos() as u64 * per_second;
        // A second is far more than the maximum, and cannot overflow.
        let earned = worth(elapsed.min(Duration::from_secs(1)));
        self.unused = (self.unused + earned).min(UNIT + worth(STALL_MAX));
        self.unused / UNIT
    }

    /// Removes instructions or LED changes that were done.
    pub(super) fn spend(&mut self, units: u64) {
        self.unused -= units * UNIT;
    }

    /// Whether the machine is dwelling.
    pub(super) fn is_dwelling(&self) -> bool {
        !self.dwell.is_zero()
    }

    /// Lets time pass. Returns the rest of it for the machine, or `None` while the machine dwells.
    pub(super) fn pass(&mut self, elapsed: Duration) -> Option<Duration> {
        if self.dwell > elapsed {
            self.dwell -= elapsed;
            return None;
        }
        let rest = elapsed.saturating_sub(std::mem::take(&mut self.dwell));
        self.since_line = self.since_line.saturating_add(rest);
        Some(rest)
    }

    /// Whether the machine would dwell on a line that ends now.
    pub(super) fn dwells_now(&self) -> bool {
        self.dwells && self.pace.is_watchable() && self.since_line >= DWELL_MIN
    }

    /// Notes the end of a line, and perhaps begins to dwell on it.
    pub(super) fn end_line(&mut self, dwells: bool) {
        let taken = std::mem::take(&mut self.since_line);
        if dwells {
            self.dwell = taken.min(DWELL_MAX);
        }
    }

    /// Measures the speed by the instructions that were executed in a time.
    pub(super) fn measure(&mut self, elapsed: Duration, executed: u64) {
        let (time, count) = (self.measuring.0 + elapsed, self.measuring.1 + executed);
        let is_due = time >= MEASUREMENT || self.speed.is_none() && time >= FIRST_MEASUREMENT;
        self.measuring = if is_due { (Duration::ZERO, 0) } else { (time, count) };
        if is_due {
            self.speed = Some((u128::from(count) * 1_000_000_000 / time.as_nanos()) as u64);
        }
    }

    /// When a running machine has to be advanced next.
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

impl Due {
    /// The earlier of this and a timeout, if there is one.
    pub(super) fn or_after(self, time: Option<Duration>) -> Self {
        match (self, time) {
            (Self::After(work), Some(time)) => Self::After(work.min(time)),
            (Self::Never, Some(time)) => Self::After(time),
            (due, _) => due,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_figure_comes_soon_and_each_second_another_one() {
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
