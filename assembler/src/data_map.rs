//! The map of data memory: what lies where.

use std::fmt;

use gray1_isa::panel;

/// The contents of data memory, by address.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DataMap {
    /// Variables and constants, by address. Those of routines that are never active together lie
    /// at the same addresses.
    pub items: Vec<DataItem>,
}

/// A variable, or a byte that the assembler needs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DataItem {
    /// The address of its first byte.
    pub first: u16,
    /// Its size in bytes; not 0.
    pub size: u16,
    /// The routine it belongs to.
    pub routine: Option<String>,
    /// Its name in the source.
    pub name: String,
}

impl DataMap {
    /// The number of bytes that are taken by something.
    #[must_use]
    pub fn bytes_taken(&self) -> usize {
        let mut taken = vec![false; panel::RESERVED.to_usize()];
        for item in &self.items {
            let first = usize::from(item.first);
            taken[first..first + usize::from(item.size)].fill(true);
        }
        taken.into_iter().filter(|taken| *taken).count()
    }

    /// The number of bytes that would be taken if every variable had its own.
    #[must_use]
    pub fn bytes_unshared(&self) -> usize {
        self.items.iter().map(|item| usize::from(item.size)).sum()
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
        let (taken, unshared) = (self.bytes_taken(), self.bytes_unshared());
        let all = panel::RESERVED.get();
        writeln!(f, "{taken} of {all} bytes; {unshared} if none were shared")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routines_that_share_bytes_take_fewer() {
        let item = |first, size, routine: Option<&str>, name: &str| {
            let (routine, name) = (routine.map(str::to_owned), name.to_owned());
            DataItem { first, size, routine, name }
        };
        let items = vec![
            item(0, 2, None, "x"),
            item(0x10, 1, Some("add"), "sum"),
            item(0x10, 8, Some("multiply"), "product"),
        ];
        let expected = "\
0000-0001  x
0010       add: sum
0010-0017  multiply: product
10 of 8160 bytes; 11 if none were shared
";
        assert_eq!(DataMap { items }.to_string(), expected);
    }
}
