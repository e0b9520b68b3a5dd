//! The pace of a running machine: unlimited, or a number of instructions a second.

use std::time::Duration;

/// A pace, and the start of the run that follows it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pace {
    per_second: Option<u64>,
    /// The time and the moment at which the run began.
    began: Option<(Duration, u64)>,
}

/// The time to wait if no instruction is due.
const WAIT: Duration = Duration::from_millis(5);

impl Pace {
    /// This many instructions a second; unlimited for `None`.
    pub(super) fn new(per_second: Option<u64>) -> Self {
        Self { per_second, began: None }
    }

    /// Begins a run at this moment and time.
    pub(super) fn restart(&mut self, moment: u64, time: Duration) {
        self.began = Some((time, moment));
    }

    /// The moment that the machine may have reached at this time.
    pub(super) fn due(&self, time: Duration) -> u64 {
        let (Some(per_second), Some((since, moment))) = (self.per_second, self.began) else {
            return u64::MAX;
        };
        due(moment, per_second, time.saturating_sub(since))
    }

    /// The time to wait for a machine at this moment.
    pub(super) fn wait(&self, moment: u64, time: Duration) -> Duration {
        if self.due(time) > moment { Duration::ZERO } else { WAIT }
    }
}

fn due(moment: u64, per_second: u64, elapsed: Duration) -> u64 {
    let instructions = u128::from(per_second).saturating_mul(elapsed.as_micros()) / 1_000_000;
    moment.saturating_add(u64::try_from(instructions).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_due_in_time() {
        assert_eq!(due(7, 1000, Duration::from_millis(250)), 257);
        assert_eq!(due(7, u64::MAX, Duration::MAX), u64::MAX);
        let mut slow = Pace::new(Some(0));
        let time = Duration::from_secs(9);
        slow.restart(7, time);
        let waits = [6, 7].map(|moment| slow.wait(moment, time));
        assert_eq!((slow.due(time), waits), (7, [Duration::ZERO, WAIT]));
        assert_eq!(Pace::default().wait(u64::MAX - 1, time), Duration::ZERO);
    }
}
