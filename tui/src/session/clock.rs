//! The clock of a session: its pace, the time that has passed, and the speed achieved.

use std::time::Duration;

use super::dwell::Dwell;
use super::pace::{Credit, Pace, Rate};
use super::speed::Speedometer;

/// The shortest wait: waking up more often would cost more than it shows.
const WAIT_MIN: Duration = Duration::from_millis(4);

/// The pace, and what the elapsed time is worth at that pace.
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
    /// Forgets the elapsed time and the measured speed.
    pub(super) fn restart(&mut self) {
        *self = Self { pace: self.pace, dwells: self.dwells, ..Self::default() };
    }

    /// Whether the machine would dwell on a line that ends now.
    pub(super) fn dwells_now(&self) -> bool {
        self.dwells && self.pace.is_watchable() && self.dwell.is_worthwhile()
    }

    /// When a running machine has to be advanced next.
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
    /// The earlier of this and a timeout, if there is one.
    pub(super) fn or_after(self, time: Option<Duration>) -> Self {
        match (self, time) {
            (Self::After(work), Some(time)) => Self::After(work.min(time)),
            (Self::Never, Some(time)) => Self::After(time),
            (due, _) => due,
        }
    }
}
