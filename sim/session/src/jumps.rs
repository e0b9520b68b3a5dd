//! The jump list: the machine's moments before each jump.

/// The maximum number of jumps that are kept.
const JUMPS_MAX: usize = 100;

/// Moments to go back to, and to go forward to again.
#[derive(Debug, Default)]
pub(super) struct Jumps {
    back: Vec<u64>,
    forward: Vec<u64>,
}

impl Jumps {
    /// Records the moment from which the machine jumps.
    pub(super) fn record(&mut self, now: u64) {
        self.forward.clear();
        if self.back.last() != Some(&now) {
            self.back.push(now);
        }
        if self.back.len() > JUMPS_MAX {
            self.back.remove(0);
        }
    }

    /// Whether the last jump started at a moment other than this one.
    pub(super) fn can_go_back(&self, now: u64) -> bool {
        self.back.last().is_some_and(|moment| *moment != now)
    }

    /// Goes back: returns the moment before the last jump, and keeps `now` for `forward`.
    pub(super) fn back(&mut self, now: u64) -> Option<u64> {
        let moment = self.back.pop()?;
        self.forward.push(now);
        Some(moment)
    }

    /// Goes forward: returns the moment from which [`Self::back`] led here, and keeps `now` for
    /// `back`.
    pub(super) fn forward(&mut self, now: u64) -> Option<u64> {
        let moment = self.forward.pop()?;
        self.back.push(now);
        Some(moment)
    }

    /// Removes later moments, because the machine's future changes.
    pub(super) fn forget_after(&mut self, now: u64) {
        self.back.retain(|moment| *moment <= now);
        self.forward.retain(|moment| *moment <= now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_go_back_and_forward() {
        let mut jumps = Jumps::default();
        assert_eq!(jumps.back(5), None);
        assert!(!jumps.can_go_back(5));
        for moment in [5, 5, 90] {
            jumps.record(moment);
        }
        assert_eq!([200, 90].map(|now| jumps.can_go_back(now)), [true, false]);
        assert_eq!([jumps.back(200), jumps.back(90), jumps.back(5)], [Some(90), Some(5), None]);
        assert_eq!([jumps.forward(5), jumps.forward(90)], [Some(90), Some(200)]);
        assert_eq!(jumps.forward(200), None);
        // A new jump replaces the moments to go forward to.
        jumps.back(200);
        jumps.record(90);
        assert_eq!(jumps.forward(7), None);
        jumps.forget_after(50);
        assert_eq!((jumps.back(7), jumps.back(5)), (Some(5), None));
        // A moment at the boundary is still valid.
        jumps.forget_after(7);
        assert_eq!(jumps.forward(5), Some(7));
        jumps.forget_after(5);
        assert_eq!(jumps.back(5), Some(5));
        jumps.forget_after(4);
        assert_eq!(jumps.forward(4), None);
    }

    #[test]
    fn the_jump_list_is_limited() {
        let mut jumps = Jumps::default();
        (0..1000).for_each(|moment| jumps.record(moment));
        assert_eq!(std::iter::from_fn(|| jumps.back(0)).count(), JUMPS_MAX);
    }
}
