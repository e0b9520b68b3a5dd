//! The pace of a session: what time is worth, and how fast the machine really runs.

use std::time::Duration;

use super::dwell::Dwell;
use super::pace::{Credit, Pace, Rate};
use super::speed::Speedometer;

/// Waking up more often than this would cost more than it shows.
const WAIT_MIN: Duration = Duration::from_millis(4);

/// The pace with the time that has been waited for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    pub(super) pace: Pace,
    pub(super) credit: Credit,
    pub(super) speed: Speedometer,
    pub(super) dwell: Dwell,
    /// Whether the machine dwells on printed lines, at a pace that the eye can follow.
    pub(super) dwells: bool,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            pace: Pace::default(),
            credit: Credit::ONE,
            speed: Speedometer::default(),
            dwell: Dwell::default(),
            dwells: true,
        }
    }
}

/// When there is more to do.
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
    /// Forgets the time that has been waited for, and the measured speed.
    pub(super) fn restart(&mut self) {
        *self = Self { pace: self.pace, dwells: self.dwells, ..Self::default() };
    }

    /// Whether the machine dwells on a line that ends now.
    pub(super) fn dwells_now(&self) -> bool {
        self.dwells && self.pace.is_watchable() && self.dwell.is_worthwhile()
    }

    /// When a running machine has more to do.
    pub(super) fn due(&self) -> Due {
        if let Some(wait) = self.dwell.wait() {
            return Due::After(wait);
        }
        match self.pace.rate() {
            Rate::Unlimited => Due::Now,
            _ if self.credit.units() > 0 => Due::Now,
            Rate::Instructions(per_second) | Rate::LedChanges(per_second) => {
                Due::After(self.credit.wait(per_second).max(WAIT_MIN))
            }
        }
    }
}

impl Due {
    /// The earlier of this and a time, if there is one.
    pub(super) fn or_after(self, time: Option<Duration>) -> Self {
        match (self, time) {
            (Self::After(work), Some(time)) => Self::After(work.min(time)),
            (Self::Never, Some(time)) => Self::After(time),
            (due, _) => due,
        }
    }
}
