//! The last part of what a program has printed.

/// How many bytes are kept.
pub(super) const BYTES_MAX: usize = 8 << 20;

/// Bytes, counted from the power-up; the oldest are given up for new ones.
#[derive(Debug, Clone, Default)]
pub(super) struct Printed {
    /// The number of the first byte that is kept.
    first: u64,
    bytes: Vec<u8>,
}

impl Printed {
    /// The number of the byte that will be printed next.
    pub(super) fn end(&self) -> u64 {
        self.first + self.bytes.len() as u64
    }

    /// Takes in bytes of which the first has this number; those that are known are passed over.
    pub(super) fn push(&mut self, first: u64, bytes: &[u8]) {
        let known = self.end().saturating_sub(first).min(bytes.len() as u64) as usize;
        let new = &bytes[known..];
        if self.bytes.len() + new.len() > BYTES_MAX {
            let dropped = (BYTES_MAX / 2).max(new.len()).min(self.bytes.len());
            self.bytes.drain(..dropped);
            self.first += dropped as u64;
        }
        self.grow(self.bytes.len() + new.len());
        self.bytes.extend(new);
    }

    /// Doubles, but not beyond the bound.
    fn grow(&mut self, needed: usize) {
        if needed > self.bytes.capacity() {
            let capacity = (2 * needed).min(BYTES_MAX.max(needed));
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
    }

    /// The bytes from one number up to another, as far as they are kept.
    pub(super) fn range(&self, first: u64, end: u64) -> &[u8] {
        let place = |number: u64| number.saturating_sub(self.first) as usize;
        let end = place(end).min(self.bytes.len());
        &self.bytes[place(first).min(end)..end]
    }

    /// The number of the first byte that is kept.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// Forgets the bytes from this number on.
    pub(super) fn cut(&mut self, end: u64) {
        self.bytes.truncate(end.saturating_sub(self.first) as usize);
        self.first = self.first.min(end);
    }

    /// The bytes of memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.capacity()
    }
}
