//! Where the lines of a file have gone since a program was assembled from it.

use gray1_isa::source_text::{common_ends, lines};

/// A change of a file: its lines above the change and below it are known, those between are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineChange {
    /// The lines above, as many in both texts.
    above: u32,
    /// The last line before those below, in the text then, ...
    then: u32,
    /// ... and in the text now.
    now: u32,
}

impl LineChange {
    /// The change from the text that was assembled to the present one, if they differ.
    #[must_use]
    pub fn between(then: &str, now: &str) -> Option<Self> {
        let [then, now] = [then, now].map(|text| lines(text).collect::<Vec<_>>());
        if then == now {
            return None;
        }
        let (above, below) = common_ends(&then, &now);
        let (then, now) = ((then.len() - below) as u32, (now.len() - below) as u32);
        Some(Self { above: above as u32, then, now })
    }

    /// The line then of a present line.
    pub(super) fn then(self, line: u32) -> Option<u32> {
        let Self { above, then, now } = self;
        Self { above, then: now, now: then }.now(line)
    }

    /// The present line of a line then.
    pub(super) fn now(self, line: u32) -> Option<u32> {
        match line.checked_sub(self.then) {
            _ if line <= self.above => Some(line),
            Some(below) if below > 0 => Some(self.now + below),
            _ => None,
        }
    }
}
