//! The wires of a board: their names, their drivers and filters, and what a chip's pins are
//! connected to.

/// The capacitance of one input and the wire to it, in pF. Data sheets of memories give 6 to 10 as
/// the maximum (from memory).
const INPUT_PF: u64 = 10;

/// Identifies a wire of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NetId(pub(super) u16);

/// Identifies a chip of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChipId(pub(super) u8);

impl NetId {
    /// Returns the index of the wire in [`Board::nets`](crate::Board::nets).
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<NetId> for usize {
    fn from(id: NetId) -> Self {
        id.index()
    }
}

impl ChipId {
    /// Returns the index of the chip in [`Board::chips`](crate::Board::chips).
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A wire: its name, its driver, and the filter between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Net {
    /// The name, unique on the board.
    pub(super) name: String,
    /// The source of the wire's level.
    pub driver: Driver,
    /// The filter between the driver and the wire. A filtered wire has a single data pin as its
    /// driver.
    pub filter: Option<Filter>,
}

/// A low-pass filter: a resistor in series with the data pin of a chip, then a capacitor to ground.
/// It suppresses glitches of ROM outputs that should stay constant. All inputs on the wire read the
/// filtered level, including the feedback of the chip.
///
/// Times are measured at 1.5 V, where manufacturers measure access times. A CMOS output that drives
/// CMOS inputs switches between the supply rails. After R and C, the wire therefore rises as 5 V ·
/// (1 - e^(-t/RC)) and falls as 5 V · e^(-t/RC). It crosses 1.5 V after 0.357 RC when it rises and
/// after 1.204 RC when it falls. The resistance of the output adds to R, but data sheets do not
/// state it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter {
    /// The resistance, in ohms.
    pub ohm: u32,
    /// The capacitance, in pF.
    pub pf: u32,
    /// The number of inputs on the wire.
    pub inputs: u32,
}

/// The source of a wire's level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driver {
    /// The wire comes from outside: the oscillator, the reset wire or the buttons.
    Outside,
    /// One chip always drives it.
    Chip(DataPin),
    /// One chip drives it while `select` is low, another one while `select` is high.
    Shared {
        /// The wire that selects the driver.
        select: NetId,
        /// The data pin that drives while `select` is low.
        low: DataPin,
        /// The data pin that drives while `select` is high.
        high: DataPin,
    },
}

/// A data pin of a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataPin {
    /// The chip that the pin belongs to.
    pub chip: ChipId,
    /// The number of the pin, 0 for D0.
    pub pin: u8,
}

/// The connection of an address pin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Tied to ground (`false`) or to the supply (`true`).
    Tied(bool),
    /// Connected to this wire.
    Net(NetId),
}

/// The condition under which a chip drives its data pins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// Always.
    Always,
    /// While this wire is low.
    WhileLow(NetId),
    /// While this wire is high.
    WhileHigh(NetId),
}

impl Source {
    /// Returns the wire, unless the pin is tied.
    pub const fn net(self) -> Option<NetId> {
        match self {
            Self::Tied(_) => None,
            Self::Net(net) => Some(net),
        }
    }
}

impl Driver {
    /// Returns the data pins that drive the wire. If there are two, the one that drives while
    /// `select` is low comes first.
    pub fn pins(self) -> impl Iterator<Item = DataPin> + use<> {
        let (one, other) = match self {
            Self::Outside => (None, None),
            Self::Chip(pin) => (Some(pin), None),
            Self::Shared { low, high, .. } => (Some(low), Some(high)),
        };
        one.into_iter().chain(other)
    }
}

impl Output {
    /// Returns the wire that switches the output, and the level at which the output is on.
    pub const fn switch(self) -> Option<(NetId, bool)> {
        match self {
            Self::Always => None,
            Self::WhileLow(net) => Some((net, false)),
            Self::WhileHigh(net) => Some((net, true)),
        }
    }

    /// Returns whether the output is on at these levels of the wires.
    pub fn is_on(self, level: impl FnOnce(NetId) -> bool) -> bool {
        self.switch().is_none_or(|(net, on)| level(net) == on)
    }
}

impl Net {
    /// The name, unique on the board.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of the wire's bus and the wire's number there: `PCL` and 7 for `PCL.7`.
    /// `None` if its name does not end in a dot and a number.
    pub fn bus(&self) -> Option<(&str, u32)> {
        split_name(&self.name)
    }

    /// The delay of the filter in ns, or 0 without a filter.
    pub fn filter_ns(&self) -> u32 {
        self.filter.map_or(0, |filter| filter.delay_ps().div_ceil(1000) as u32)
    }
}

impl Filter {
    /// Returns the maximum length, in ps, of a pulse that is certain to be suppressed. A high pulse
    /// reaches 1.5 V after 0.357 RC, without the capacitance of the inputs. A low pulse takes more
    /// than three times as long.
    pub const fn stops_ps(self) -> u64 {
        self.ohm as u64 * self.pf as u64 * 356 / 1000
    }

    /// Returns the maximum delay of a level change in ps: 1.204 RC for a falling edge, including
    /// the capacitance of the inputs.
    pub const fn delay_ps(self) -> u64 {
        self.ohm as u64 * (self.pf as u64 + INPUT_PF * self.inputs as u64) * 1204 / 1000
    }
}

/// Splits the name of a wire into the name of its bus and its number there. `None` if the name does
/// not end in a dot and a number.
pub(crate) fn split_name(name: &str) -> Option<(&str, u32)> {
    let (bus, bit) = name.rsplit_once('.')?;
    Some((bus, bit.parse().ok()?))
}
