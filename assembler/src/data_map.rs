//! The map of data memory: which variable or constant is at which address.

use std::fmt;

use gray1_isa::panel;

/// The contents of data memory, by address.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DataMap {
    /// Variables and constants, by address. They can overlap after a `.ram`.
    pub items: Vec<DataItem>,
}

/// A variable, or a byte that the assembler reserves for itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DataItem {
    /// The address of its first byte.
    pub first: u16,
    /// The size in bytes, at least 1.
    pub size: u16,
    /// The routine it belongs to, if any.
    pub routine: Option<String>,
    /// The name in the source.
    pub name: String,
}

impl DataMap {
    /// The number of occupied bytes. Overlapping bytes count once.
    pub fn bytes_taken(&self) -> usize {
        let mut taken = vec![false; panel::RESERVED.to_usize()];
        for item in &self.items {
            let first = usize::from(item.first);
            taken[first..first + usize::from(item.size)].fill(true);
        }
        taken.into_iter().filter(|taken| *taken).count()
    }
}

impl fmt::Display for DataMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for DataItem { first, size, routine, name } in &self.items {
            let last = first + (size - 1);
            let addresses =
                if *size == 1 { format!("{first:04x}") } else { format!("{first:04x}-{last:04x}") };
            match routine {
                Some(routine) => writeln!(f, "{addresses:9}  {routine}: {name}")?,
                None => writeln!(f, "{addresses:9}  {name}")?,
            }
        }
        writeln!(f, "{} of {} bytes", self.bytes_taken(), panel::RESERVED.get())
    }
}
