//! The shape of a board's description in Rusty Object Notation, before it is checked.
//!
//! This is the file format. A change that breaks older descriptions needs a new [`VERSION`].

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::board::{Panel, Probes};
use super::part;
use super::phase::{PhaseSentence, sentence};
use super::role::{Code, Park, Selected, Strobes};

/// The version of the format that this program reads.
pub(super) const VERSION: u64 = 1;

/// Wires, low bit first: `NAME`, `NAME.3`, `NAME.0-7`, a group's name, `0` or `1`.
pub(super) type Wires = Vec<String>;

/// The fields that are read before the version is known.
#[derive(Deserialize)]
#[serde(rename = "Board")]
pub(super) struct Header {
    pub(super) version: u64,
}

/// A board.
#[derive(Deserialize)]
#[serde(rename = "Board", deny_unknown_fields)]
pub(super) struct Document {
    #[serde(rename = "version")]
    _version: u64,
    pub(super) title: String,
    pub(super) oscillator: String,
    pub(super) reset: String,
    #[serde(default)]
    pub(super) groups: Vec<Group>,
    /// Parts that this board defines, in addition to the catalogue.
    #[serde(default)]
    pub(super) parts: Vec<part::CatalogueEntry>,
    pub(super) probes: Probes<String>,
    pub(super) panel: Option<Panel<String>>,
    #[serde(default)]
    pub(super) phases: Vec<PhaseSentence<String>>,
    pub(super) chips: Vec<Chip>,
    #[serde(default)]
    pub(super) filters: Vec<FilterEntry>,
    /// Parts that are not simulated.
    #[serde(default)]
    pub(super) around: Vec<SupportEntry>,
}

/// An entry of the list `around`: one part, or several of a kind.
///
/// A key of `pins` is the name of a pin or a range of pins (`A0-7`). Its value has one wire for all
/// pins, or one for each pin: first those of the first part, then those of the second part.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SupportEntry {
    pub(super) name: String,
    pub(super) part: String,
    /// Older descriptions name a sheet of the schematic.
    #[serde(default, rename = "sheet")]
    _sheet: Option<IgnoredAny>,
    #[serde(default)]
    pub(super) pins: BTreeMap<String, Wires>,
}

/// Wires that each get a low-pass filter.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FilterEntry {
    pub(super) lines: Wires,
    pub(super) ohm: u32,
    pub(super) pf: u32,
}

/// A name for several wires.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) lines: Wires,
}

/// A chip: its purpose, wires, rule and contents.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chip {
    pub(super) name: String,
    pub(super) part: String,
    #[serde(default, deserialize_with = "sentence")]
    pub(super) purpose: String,
    pub(super) access_ns: Option<u32>,
    pub(super) address: Wires,
    pub(super) data: Wires,
    pub(super) output_enable_low: Option<String>,
    pub(super) write_enable_low: Option<String>,
    /// `None` for a logic part, because the part defines what it does.
    pub(super) does: Option<Does>,
    #[serde(default)]
    pub(super) contents: ContentsSource,
}

/// The source of a chip's contents.
#[derive(Deserialize, Default)]
pub(crate) enum ContentsSource {
    /// Generated from the chip's function.
    #[default]
    Rule,
    /// The bytes of a file, in address order.
    File(String),
}

/// What a chip does.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum Does {
    Counter {
        code: Code,
        clock: String,
        count: Wires,
        load: Option<Load>,
        clear: Option<String>,
        park: Option<Park<String>>,
        #[serde(default)]
        beside: Vec<Beside>,
    },
    Latches(Vec<Latch>),
    Control {
        phase: Wires,
        opcode: Wires,
        carry: String,
        reset: String,
        strobes: Box<Strobes<String>>,
    },
    AluLow {
        opcode: Wires,
        a: Wires,
        data: Wires,
        operand: Wires,
        from_above: String,
        result: Wires,
        carry_out: String,
    },
    AluHigh {
        opcode: Wires,
        a: Wires,
        data: Wires,
        operand: Wires,
        carry_in: String,
        result: Wires,
        carry_out: String,
    },
    Buffer {
        from: Wires,
    },
    Select {
        address: Wires,
        lines: Vec<Selected<String>>,
    },
    Choose {
        by: String,
        high: Wires,
        low: Wires,
    },
    Table,
    Program {
        code: Code,
    },
    Memory,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Load {
    pub(super) on: String,
    pub(super) gray: Vec<ShownBits>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Beside {
    pub(super) line: String,
    pub(super) shows: ShownBits,
}

/// What an additional output shows: the parity of several wires as one bit, or a copy of each of
/// these wires.
#[derive(Deserialize)]
pub(super) enum ShownBits {
    Parity(Wires),
    Lines(Wires),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Latch {
    pub(super) enable: String,
    pub(super) d: Wires,
    pub(super) q: Wires,
}
