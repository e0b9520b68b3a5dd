//! The most recent output of a program.

/// The maximum number of bytes that are stored.
pub(super) const BYTES_MAX: usize = 8 << 20;

/// The bytes that a program printed, numbered from power-up. New bytes replace the oldest ones.
#[derive(Debug, Clone, Default)]
pub(super) struct PrintedBytes {
    /// The number of the first stored byte.
    first: u64,
    bytes: Vec<u8>,
}

impl PrintedBytes {
    /// Returns the number of the byte that will be printed next.
    pub(super) fn end(&self) -> u64 {
        self.first + self.bytes.len() as u64
    }

    /// Appends bytes, the first of which has this number. Skips bytes that are already known.
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

    /// Doubles the capacity, up to the maximum.
    fn grow(&mut self, needed: usize) {
        if needed > self.bytes.capacity() {
            let capacity = (2 * needed).min(BYTES_MAX.max(needed));
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
    }

    /// Returns the stored bytes from one number up to another.
    pub(super) fn range(&self, first: u64, end: u64) -> &[u8] {
        let place = |number: u64| number.saturating_sub(self.first) as usize;
        let end = place(end).min(self.bytes.len());
        &self.bytes[place(first).min(end)..end]
    }

    /// Returns the number of the first stored byte.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// Forgets the bytes from this number on.
    pub(super) fn cut(&mut self, end: u64) {
        self.bytes.truncate(end.saturating_sub(self.first) as usize);
        self.first = self.first.min(end);
    }

    /// Returns the memory that the output occupies, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bytes_are_kept_within_the_bound() {
        let mut printed = PrintedBytes::default();
        let text: Vec<u8> = (0..3 * BYTES_MAX).map(|n| (n % 251) as u8).collect();
        for piece in [1, 1000, BYTES_MAX / 3, BYTES_MAX / 2 + 1, BYTES_MAX] {
            // The first few bytes are already known.
            let first = (printed.end() as usize).saturating_sub(7);
            printed.push(first as u64, &text[first..first + piece]);
            let (first, end) = (printed.first() as usize, printed.end() as usize);
            assert_eq!(printed.range(0, u64::MAX), &text[first..end]);
            assert!(end - first >= piece.min(BYTES_MAX / 2), "{piece}");
            assert!((end - first..=BYTES_MAX).contains(&printed.bytes()), "{piece}");
        }
        assert!(printed.first() > 0, "the oldest are given up");
        let (first, end) = (printed.first(), printed.end());
        assert_eq!(printed.range(first + 5, first + 9), &text[first as usize + 5..][..4]);
        printed.cut(end - 10);
        assert_eq!((printed.first(), printed.end()), (first, end - 10));
        printed.cut(3);
        assert_eq!((printed.first(), printed.end(), printed.range(0, 9)), (3, 3, &[][..]));
    }

    /// The buffer doubles when it is full. When the maximum is reached, it drops half of its bytes.
    #[test]
    fn output_buffer_doubles_up_to_its_maximum() {
        let mut printed = PrintedBytes::default();
        printed.push(0, &[1; 100]);
        assert_eq!(printed.bytes(), 200);
        printed.push(100, &[2; 101]);
        assert_eq!(printed.bytes(), 402);
        printed.push(201, &[2; 201]);
        assert_eq!(printed.bytes(), 402, "full");
        printed.push(402, &vec![3; BYTES_MAX - 402]);
        assert_eq!((printed.bytes(), printed.first()), (BYTES_MAX, 0));
        printed.push(printed.end(), &[4]);
        assert_eq!((printed.bytes(), printed.first()), (BYTES_MAX, BYTES_MAX as u64 / 2));
    }
}
