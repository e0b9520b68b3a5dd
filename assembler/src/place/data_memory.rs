//! Data memory as it fills up.

use gray1_isa::panel;

/// Data memory.
#[derive(Debug, Default)]
pub(crate) struct DataMemory {
    /// The address of the next variable.
    next: i64,
    /// The ranges that are taken: first bytes and ends.
    taken: Vec<(i64, i64)>,
}

impl DataMemory {
    /// `.ram`
    pub(super) fn go_to(&mut self, address: i64) {
        self.next = address;
    }

    /// Takes `size` bytes; gives the address of the first.
    ///
    /// # Errors
    /// If they would reach the panel's memory, with the addresses of the first and the last.
    pub(super) fn reserve(&mut self, size: i64) -> Result<i64, (i64, i64)> {
        let first = self.next;
        let end = first.saturating_add(size);
        if end > i64::from(panel::RESERVED.get()) {
            return Err((first, end - 1));
        }
        self.next = end;
        self.taken.push((first, end));
        Ok(first)
    }

    /// The first address from which on so many bytes are free.
    pub(crate) fn free_range(&self, size: i64) -> Option<i64> {
        let mut taken = self.taken.clone();
        taken.sort_unstable();
        let mut first = 0;
        for (start, end) in taken {
            if first + size <= start {
                break;
            }
            first = first.max(end);
        }
        (first + size <= i64::from(panel::RESERVED.get())).then_some(first)
    }
}
