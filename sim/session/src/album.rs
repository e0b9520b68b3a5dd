//! The album: pictures of the LEDs at the ends of printed lines.

use std::sync::Arc;

use gray1_debugger::History;
use gray1_isa::panel::Display;

use super::Output;

/// The maximum number of entries, more than any screen shows at once.
const ENTRIES_MAX: usize = 1024;
/// The number of newest entries that are always kept. The older ones are thinned out evenly as the
/// album fills: to every second line, then to every fourth, and so on.
const NEWEST: usize = 256;
/// The maximum number of bytes kept of a line.
const LINE_BYTES_MAX: u64 = 32;

/// The LEDs at the ends of printed lines in the known history, in order of time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Album {
    entries: Vec<AlbumEntry>,
    /// The older entries that are kept are those of the lines 1, 1 + 2^n, 1 + 2 * 2^n and so on,
    /// where n is this number.
    doublings: u32,
}

/// The LEDs at the end of a printed line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlbumEntry {
    /// The moment just after the line end was printed.
    pub moment: u64,
    /// The number of the line since the reset, from 1.
    pub line: u64,
    /// The last characters of the line, as the output pane shows them.
    pub text: Arc<str>,
    /// The state of the LEDs.
    pub display: Display,
}

impl AlbumEntry {
    /// The entry for a line that has just ended.
    pub(super) fn from_history(history: &History) -> Self {
        let mut line = history.output(LINE_BYTES_MAX + 1);
        line.pop_if(|last| *last == b'\n');
        let start = line.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let mut output = Output::default();
        output.push(&line[start..]);
        Self {
            moment: history.moment(),
            line: history.printed_lines(),
            text: output.lines().next().unwrap_or_default().into(),
            display: history.engine().display(),
        }
    }
}

impl Album {
    /// The entries, the oldest first.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &AlbumEntry> + DoubleEndedIterator {
        self.entries.iter()
    }

    /// The entry at a position.
    pub fn get(&self, position: usize) -> Option<&AlbumEntry> {
        self.entries.get(position)
    }

    /// The number of entries up to a moment.
    pub fn count_until(&self, moment: u64) -> usize {
        self.entries.partition_point(|entry| entry.moment <= moment)
    }

    /// The last entry before a moment.
    pub fn before(&self, moment: u64) -> Option<&AlbumEntry> {
        self.get(self.count_until(moment.checked_sub(1)?).checked_sub(1)?)
    }

    /// The first entry after a moment.
    pub fn after(&self, moment: u64) -> Option<&AlbumEntry> {
        self.get(self.count_until(moment))
    }

    /// The entry of exactly this moment.
    pub fn at(&self, moment: u64) -> Option<&AlbumEntry> {
        let position = self.count_until(moment).checked_sub(1)?;
        self.get(position).filter(|entry| entry.moment == moment)
    }

    /// Whether there are entries after a moment.
    pub(super) fn has_entries_after(&self, moment: u64) -> bool {
        self.entries.last().is_some_and(|newest| newest.moment > moment)
    }

    /// Whether this moment is after those of all entries. An earlier line end without an entry was
    /// thinned out, so it is not added again.
    pub(super) fn is_newest(&self, moment: u64) -> bool {
        self.entries.last().is_none_or(|newest| newest.moment < moment)
    }

    /// Adds the newest entry.
    pub(super) fn add(&mut self, entry: AlbumEntry) {
        self.entries.push(entry);
        let older = self.entries.len().saturating_sub(NEWEST);
        if self.entries.len() > ENTRIES_MAX {
            self.doublings += 1;
            let (doublings, mut place) = (self.doublings, 0);
            self.entries.retain(|entry| {
                place += 1;
                place > older || is_kept(entry, doublings)
            });
        } else if older > 0 && !is_kept(&self.entries[older - 1], self.doublings) {
            // The newest of the older entries.
            self.entries.remove(older - 1);
        }
    }

    /// Removes the entries after a moment, because the machine's future changes there.
    pub(super) fn forget_after(&mut self, now: u64) {
        self.entries.truncate(self.count_until(now));
    }
}

/// Whether an entry is kept once it is one of the older ones.
fn is_kept(entry: &AlbumEntry, doublings: u32) -> bool {
    (entry.line - 1).trailing_zeros() >= doublings
}

/// Removes every second element of the older half of a list, but not the first.
pub(super) fn thin_out<T>(list: &mut Vec<T>) {
    let (half, mut place) = (list.len() / 2, 0);
    list.retain(|_| {
        place += 1;
        place % 2 == 1 || place > half
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_album_is_thinned_evenly_except_at_its_end() {
        let mut album = Album::default();
        for line in 1..=50_000 {
            let (text, display) = (Arc::from(""), Display::default());
            album.add(AlbumEntry { moment: 10 * line, line, text, display });
            let lines: Vec<u64> = album.entries().map(|entry| entry.line).collect();
            let newest = lines.len().saturating_sub(NEWEST);
            assert!(lines[newest..].windows(2).all(|pair| pair[1] == pair[0] + 1));
            if line % 997 == 0 {
                // The same number of entries was removed between any two neighbours.
                let gaps: Vec<u64> = lines[..newest].windows(2).map(|it| it[1] - it[0]).collect();
                assert!(gaps.iter().all(|gap| *gap == gaps[0]), "{line}: {gaps:?}");
                let last = lines.get(newest).map_or(0, |first| first - lines[newest - 1]);
                assert!(lines[0] == 1 && last <= gaps[0], "{line}: {last}");
            }
        }
        assert!((ENTRIES_MAX / 2 - NEWEST..=ENTRIES_MAX).contains(&album.entries().len()));
    }
}
