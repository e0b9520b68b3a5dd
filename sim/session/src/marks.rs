//! Moments that the timeline marks: ends of lines, breakpoints and LED changes.

use std::sync::Arc;

use gray1_debugger::History;

use super::album::{Album, AlbumEntry, thin_out};

/// The maximum number of moments of a kind. The first printed lines are kept, so that their
/// positions are their numbers. For other kinds, the older half is thinned out.
const MOMENTS_MAX: usize = 1 << 16;

/// The marks of the known history, each kind in order of time.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    /// The ends of printed lines.
    pub lines: Arc<Vec<u64>>,
    /// Stops at breakpoints, forward or backward.
    pub stops: Arc<Vec<u64>>,
    /// LED changes to which the user sent the machine.
    pub leds: Arc<Vec<u64>>,
    /// The LEDs at the ends of printed lines.
    pub album: Arc<Album>,
}

impl Marks {
    /// Marks the end of a line.
    pub(super) fn add_line(&mut self, history: &History) {
        let now = history.moment();
        if !self.lines_are_full() {
            add(&mut self.lines, now);
        }
        if self.album.is_newest(now) {
            Arc::make_mut(&mut self.album).add(AlbumEntry::from_history(history));
        }
    }

    /// Whether the maximum number of lines is marked, so that no further lines are added.
    pub(super) fn lines_are_full(&self) -> bool {
        self.lines.len() >= MOMENTS_MAX
    }

    /// Removes the marks after a moment, because the machine's future changes there.
    pub(super) fn forget_after(&mut self, now: u64) {
        for moments in [&mut self.lines, &mut self.stops, &mut self.leds] {
            if moments.last().is_some_and(|last| *last > now) {
                Arc::make_mut(moments).retain(|moment| *moment <= now);
            }
        }
        if self.album.has_entries_after(now) {
            Arc::make_mut(&mut self.album).forget_after(now);
        }
    }
}

/// Adds a moment, unless it is there already.
pub(super) fn add(moments: &mut Arc<Vec<u64>>, moment: u64) {
    if let Err(place) = moments.binary_search(&moment) {
        let moments = Arc::make_mut(moments);
        moments.insert(place, moment);
        if moments.len() > MOMENTS_MAX {
            thin_out(moments);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_moments_are_sorted_unique_and_limited() {
        let mut moments = Arc::default();
        for moment in [5, 3, 5, 4] {
            add(&mut moments, moment);
        }
        assert_eq!(*moments, [3, 4, 5]);
        let last = 4 * MOMENTS_MAX as u64;
        (0..=last).for_each(|moment| add(&mut moments, moment));
        assert!((MOMENTS_MAX / 2..=MOMENTS_MAX).contains(&moments.len()));
        assert_eq!((moments[0], moments.last()), (0, Some(&last)));
        // Older moments have larger gaps.
        let gaps: Vec<u64> = moments.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps[0] > 1 && gaps[gaps.len() - 1] == 1, "{:?}", &gaps[..9]);
    }
}
