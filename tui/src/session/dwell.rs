//! Dwelling: the machine pauses for a moment after each printed line, so that users can see what it
//! has found.

use std::time::Duration;

/// The longest dwell.
const LONGEST: Duration = Duration::from_secs(1);
/// Lines that follow each other faster than this are not dwelt on.
const SHORTEST: Duration = Duration::from_millis(300);

/// The timing of dwells. A dwell takes no longer than its line took, so that a program runs at half
/// its pace at least, however often it prints.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dwell {
    /// The time left of a dwell.
    left: Duration,
    /// How long the machine has run since a line ended.
    since_line: Duration,
}

impl Default for Dwell {
    /// The first line is worth dwelling on, however soon it comes.
    fn default() -> Self {
        Self { left: Duration::ZERO, since_line: LONGEST }
    }
}

impl Dwell {
    /// Lets time pass. Returns the rest of it for the machine, or `None` while the machine dwells.
    pub(super) fn pass(&mut self, elapsed: Duration) -> Option<Duration> {
        if self.left > elapsed {
            self.left -= elapsed;
            return None;
        }
        let rest = elapsed.saturating_sub(std::mem::take(&mut self.left));
        self.since_line = self.since_line.saturating_add(rest);
        Some(rest)
    }

    /// Whether a line that ends now is worth dwelling on.
    pub(super) fn is_worthwhile(&self) -> bool {
        self.since_line >= SHORTEST
    }

    /// Begins to dwell at the end of a line.
    pub(super) fn begin(&mut self) {
        self.left = self.since_line.min(LONGEST);
        self.pass_line();
    }

    /// Notes the end of a line that is not dwelt on.
    pub(super) fn pass_line(&mut self) {
        self.since_line = Duration::ZERO;
    }

    /// The time until the machine goes on, while it dwells.
    pub(super) fn wait(&self) -> Option<Duration> {
        Some(self.left).filter(|left| !left.is_zero())
    }
}
