//! The moments worth finding again: line ends, breaks met, LED changes.

use std::sync::Arc;

use gray1_debugger::History;

use super::album::{Album, AlbumEntry, thin_out};

/// How many moments of a kind are kept. Of printed lines, these are the first ones, so that the
/// place of each is its number. Of others, the older half is thinned out when there are too many.
const MOMENTS_MAX: usize = 1 << 16;

/// What the timeline marks, as far as it is known.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    /// When lines ended.
    pub lines: Arc<Vec<u64>>,
    /// When breaks stopped the machine, forward or back.
    pub stops: Arc<Vec<u64>>,
    /// When LEDs changed while the machine went from one change to the next.
    pub leds: Arc<Vec<u64>>,
    /// What the LEDs showed when lines ended.
    pub album: Arc<Album>,
}

impl Marks {
    /// A line has ended just now.
    pub(super) fn add_line(&mut self, history: &History) {
        let now = history.moment();
        if !self.lines_are_full() {
            add(&mut self.lines, now);
        }
        if self.album.wants(now) {
            Arc::make_mut(&mut self.album).add(AlbumEntry::now(history));
        }
    }

    /// Whether later printed lines are not marked.
    pub(super) fn lines_are_full(&self) -> bool {
        self.lines.len() >= MOMENTS_MAX
    }

    /// A break has stopped the machine.
    pub(super) fn add_stop(&mut self, now: u64) {
        add(&mut self.stops, now);
    }

    /// The machine has gone to a change of an LED.
    pub(super) fn add_led(&mut self, now: u64) {
        add(&mut self.leds, now);
    }

    /// Forgets the moments after this one: another future begins.
    pub(super) fn forget_after(&mut self, now: u64) {
        for moments in [&mut self.lines, &mut self.stops, &mut self.leds] {
            if moments.last().is_some_and(|last| *last > now) {
                Arc::make_mut(moments).retain(|moment| *moment <= now);
            }
        }
        if self.album.ends_after(now) {
            Arc::make_mut(&mut self.album).forget_after(now);
        }
    }
}

/// Adds a moment, unless it is known.
fn add(moments: &mut Arc<Vec<u64>>, moment: u64) {
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
    fn moments_are_kept_in_order_each_once_and_so_many() {
        let mut moments = Arc::default();
        for moment in [5, 3, 5, 4] {
            add(&mut moments, moment);
        }
        assert_eq!(*moments, [3, 4, 5]);
        let last = 4 * MOMENTS_MAX as u64;
        (0..=last).for_each(|moment| add(&mut moments, moment));
        assert!((MOMENTS_MAX / 2..=MOMENTS_MAX).contains(&moments.len()));
        assert_eq!((moments[0], moments.last()), (0, Some(&last)));
        // The older, the sparser.
        let gaps: Vec<u64> = moments.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps[0] > 1 && gaps[gaps.len() - 1] == 1, "{:?}", &gaps[..9]);
    }
}
