//! The speed that the machine achieves, measured over about a second.

use std::time::Duration;

/// The time until the first measurement.
const FIRST: Duration = Duration::from_millis(200);
/// The time between further measurements.
const PERIOD: Duration = Duration::from_secs(1);

/// Measures the speed of a running machine.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Speedometer {
    elapsed: Duration,
    executed: u64,
    measured: Option<u64>,
}

impl Speedometer {
    /// Notes how many instructions were executed in a time.
    pub(super) fn note(&mut self, elapsed: Duration, executed: u64) {
        self.elapsed += elapsed;
        self.executed += executed;
        if self.elapsed >= PERIOD || self.measured.is_none() && self.elapsed >= FIRST {
            let executed_e9 = u128::from(self.executed) * 1_000_000_000;
            self.measured = Some((executed_e9 / self.elapsed.as_nanos()) as u64);
            (self.elapsed, self.executed) = (Duration::ZERO, 0);
        }
    }

    /// Instructions per second; `None` before the first measurement.
    pub(super) fn per_second(&self) -> Option<u64> {
        self.measured
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_figure_comes_soon_and_each_second_another_one() {
        let mut speedometer = Speedometer::default();
        for (ms, executed, per_second) in [
            (199, 600, None),
            (1, 0, Some(3_000)),
            (999, 500, Some(3_000)),
            (1, 500, Some(1_000)),
            (2_000, 14, Some(7)),
        ] {
            speedometer.note(Duration::from_millis(ms), executed);
            assert_eq!(speedometer.per_second(), per_second, "{ms} ms");
        }
    }
}
