//! Maps the lines of a file between its assembled version and its present version.

use gray1_isa::source_text::{lines, replaced_lines};

/// A change of a file. Lines above and below the change can be mapped, but not the changed lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineChange {
    /// The number of unchanged lines above the change, in both versions.
    above: u32,
    /// The number of lines in the assembled version up to the end of the change.
    then: u32,
    /// The number of lines in the present version up to the end of the change.
    now: u32,
}

impl LineChange {
    /// Finds the change from the assembled version to the present one, or `None` if they are equal.
    pub fn find(then: &str, now: &str) -> Option<Self> {
        let [then, now] = [then, now].map(|text| lines(text).collect::<Vec<_>>());
        if then == now {
            return None;
        }
        let [then, now] = replaced_lines([&then, &now]);
        Some(Self { above: then.start as u32, then: then.end as u32, now: now.end as u32 })
    }

    /// Maps a line of the present version to the assembled one.
    pub(super) fn to_assembled(self, line: u32) -> Option<u32> {
        let Self { above, then, now } = self;
        Self { above, then: now, now: then }.to_present(line)
    }

    /// Maps a line of the assembled version to the present one.
    pub(super) fn to_present(self, line: u32) -> Option<u32> {
        match line.checked_sub(self.then) {
            _ if line <= self.above => Some(line),
            Some(below) if below > 0 => Some(self.now + below),
            _ => None,
        }
    }
}
