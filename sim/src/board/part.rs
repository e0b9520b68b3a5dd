//! The memory parts a board is made of: how wide they are, how fast, in which package.

/// The longest access time, in ns, that a board may give a chip: far more than any part's.
pub const ACCESS_NS_MAX: u32 = 1_000_000;

/// A memory chip as a catalogue lists it.
#[derive(Debug, PartialEq, Eq)]
pub struct Part {
    /// The name it is ordered by.
    pub name: &'static str,
    /// What it is.
    pub kind: PartKind,
    /// The number of address pins that it has.
    pub address_lines: u8,
    /// The number of data pins that it has.
    pub data_lines: u8,
    /// Access time of a common grade in ns: how long after its last address pin moved the data
    /// wires are right, at the latest. Other grades exist; a board may say which it takes.
    pub access_ns: u32,
    /// The package of the common version.
    pub package: &'static str,
}

/// What a memory chip is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PartKind {
    /// Burned once, for good.
    Prom,
    /// Burned electrically, erased by ultraviolet light to all ones.
    Eprom,
    /// Static RAM with two ports, each with address and data pins of its own.
    DualPortRam,
}

impl Part {
    /// Every part that a board may name.
    pub const ALL: [Self; 6] = [
        Self::new("82S123", PartKind::Prom, 5, 50, "DIP-16"),
        Self::new("2716", PartKind::Eprom, 11, 450, "DIP-24"),
        Self::new("27C128", PartKind::Eprom, 14, 150, "DIP-28"),
        Self::new("27C010", PartKind::Eprom, 17, 120, "DIP-32"),
        Self::new("27C020", PartKind::Eprom, 18, 120, "DIP-32"),
        Self::new("IDT7005", PartKind::DualPortRam, 13, 35, "PLCC-68"),
    ];

    const fn new(
        name: &'static str,
        kind: PartKind,
        address_lines: u8,
        access_ns: u32,
        package: &'static str,
    ) -> Self {
        Self { name, kind, address_lines, data_lines: 8, access_ns, package }
    }

    /// The part of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        const PARTS: &[Part] = &Part::ALL;
        PARTS.iter().find(|part| part.name == name)
    }

    /// The number of bytes that it holds.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        1 << self.address_lines
    }
}
