//! The bytes that a chip can output, given the levels of some of its address pins.

use std::collections::HashMap;
use std::sync::Arc;

use gray1_board::table::subsets;
use gray1_isa::BitSet;

use super::suspicion::Suspicion;

/// The maximum number of address pins for which all combinations are tried. With more, every byte
/// is considered possible.
const FREE_PINS_MAX: u32 = 10;

/// A set of bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ByteSet(BitSet<u8, [u64; 4]>);

impl ByteSet {
    /// The bytes, in rising order.
    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> {
        self.0.numbers().map(|number| number as u8)
    }

    /// True if one of the bytes has these levels on the data pins in a mask.
    pub(super) fn allows(&self, data: u8, mask: u8) -> bool {
        match mask {
            u8::MAX => self.0.contains(data),
            _ => self.bytes().any(|byte| (byte ^ data) & mask == 0),
        }
    }

    /// The data pins in a mask that have the same level in all of the bytes, and those levels.
    pub(super) fn certain(&self, mask: u8) -> (u8, u8) {
        let (all, any) =
            self.bytes().fold((u8::MAX, 0), |(all, any), byte| (all & byte, any | byte));
        (mask & !(all ^ any), all & any & mask)
    }

    /// The data pins in a mask that are certainly wrong if the chip outputs `data`. If no byte of
    /// the set matches `data`, but no single pin is certainly wrong, returns all pins in the mask.
    pub(super) fn wrong_pins(&self, data: u8, mask: u8) -> u8 {
        if self.allows(data, mask) {
            return 0;
        }
        let (certain, levels) = self.certain(mask);
        let wrong = (data ^ levels) & certain;
        if wrong == 0 { mask } else { wrong }
    }

    /// True if some combination of levels is impossible on the data pins in a mask.
    pub(super) fn is_conclusive(&self, mask: u8) -> bool {
        let patterns: Self = self.bytes().map(|byte| byte & mask).collect();
        patterns.0.len() < 1 << mask.count_ones()
    }
}

impl FromIterator<u8> for ByteSet {
    fn from_iter<T: IntoIterator<Item = u8>>(bytes: T) -> Self {
        Self(bytes.into_iter().collect())
    }
}

/// The contents of a chip. The levels of some of its address pins may never be known.
#[derive(Debug)]
pub(super) struct ChipTable {
    contents: Arc<[u8]>,
    /// An assumed fault of the chip.
    suspicion: Option<Suspicion>,
    /// The address pins whose levels are never known.
    unknown: u32,
    /// Earlier results, by the levels of the other pins. The map never has more entries than the
    /// chip has bytes.
    found: HashMap<u32, ByteSet>,
}

impl ChipTable {
    pub(super) fn new(contents: Arc<[u8]>, unknown: u32, suspicion: Option<Suspicion>) -> Self {
        Self { contents, suspicion, unknown, found: HashMap::new() }
    }

    /// The bytes that the chip can output at an address, where the pins in `free` may have either
    /// level.
    pub(super) fn values(&mut self, address: u32, free: u32) -> ByteSet {
        let free = free & !self.unknown;
        if free.count_ones() > FREE_PINS_MAX || self.suspicion == Some(Suspicion::OtherProgram) {
            return (0..=u8::MAX).collect();
        }
        if free == 0 {
            return self.at(address);
        }
        let mut set = ByteSet::default();
        for levels in subsets(free) {
            set.0.insert_all(&self.at(address & !free | levels).0);
        }
        set
    }

    fn at(&mut self, address: u32) -> ByteSet {
        let Self { contents, suspicion, unknown, found } = self;
        let known = address & !*unknown;
        let read_table = || {
            let bytes = subsets(*unknown).map(|levels| match &*suspicion {
                Some(it) => it.output(contents, known | levels),
                None => contents[(known | levels) as usize % contents.len()],
            });
            bytes.collect()
        };
        match *unknown {
            0 => read_table(),
            _ => found.entry(known).or_insert_with(read_table).clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_address_pins_allow_several_bytes() {
        let mut table = ChipTable::new(Arc::from([1, 2, 3, 7]), 0b10, None);
        assert_eq!(table.values(0b00, 0).bytes().collect::<Vec<_>>(), [1, 3]);
        assert_eq!(table.values(0b01, 0).bytes().collect::<Vec<_>>(), [2, 7]);
        assert_eq!(table.values(0b01, 0b01).bytes().collect::<Vec<_>>(), [1, 2, 3, 7]);
        let set = table.values(0b01, 0);
        assert!(set.allows(7, 0xff) && set.allows(0xf2, 0x0f) && !set.allows(3, 0xff));
        assert_eq!(set.certain(0b110), (0b010, 0b010));
        assert!(set.is_conclusive(0b010) && !set.is_conclusive(0b100));
    }
}
