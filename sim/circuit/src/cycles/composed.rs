//! Bytes as functions of other bytes: what chips show, composed from their contents.
//!
//! A byte that a chip shows depends on the bytes at its address pins, those on others, and in the
//! end on bytes that are kept somewhere. If these are two at most, all the chips in between are
//! one table.

use gray1_board::table::depends_on;

use crate::nodes::memory_image::{BytePlace, NOTHING, PLACES};
use crate::nodes::wiring::Segment;
use crate::quick_hash::QuickMap;

/// The most bytes of tables that are composed. The stock board needs an eighth.
const TABLES_BYTES_MAX: usize = 4 << 20;
/// The most address pins that are tried in all ways.
const OPEN_PINS_MAX: u32 = 17;
/// The values of a byte.
const BYTES: usize = 1 << 8;
/// The most bytes that a value depends on.
const INPUTS_MAX: usize = 2;

/// A byte as a function of two bytes at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SymbolicByte {
    /// The start of its table; of a constant, its place in the table that shows each byte itself.
    table: u32,
    /// The places of the bytes that it depends on; [`NOTHING`] behind them.
    inputs: [BytePlace; INPUTS_MAX],
}

/// The functions that are known.
#[derive(Debug, Clone)]
pub(super) struct Functions {
    /// The table that shows each byte itself, then the composed ones.
    tables: Vec<u8>,
    /// The place of each table, in rising order.
    spans: Vec<TableSpan>,
    composed: QuickMap<Composition, Composed>,
    /// Of a chip with a known base, which of the wires that are not known matter.
    seen: QuickMap<(ByteSource, u32, Vec<Segment>), Vec<Segment>>,
}

/// A table.
#[derive(Debug, Clone)]
struct TableSpan {
    first: usize,
    bytes: usize,
    /// All bytes that stand in it.
    range: Vec<u8>,
}

/// A composed table, and which of the inputs it depends on; its first byte if on none.
#[derive(Debug, Clone, Copy)]
struct Composed {
    table: u32,
    depends: [bool; INPUTS_MAX],
}

/// The key of a composed table: how a chip makes its byte of others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Composition {
    source: ByteSource,
    base: u32,
    parts: Vec<AddressPart>,
}

/// Which byte is composed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ByteSource {
    /// The byte at the address that a chip sees.
    Contents,
    /// The byte on data memory's data pins, which are part of its node's address.
    DataPins,
}

/// Wires of one chip that are part of another one's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct AddressPart {
    segment: Segment,
    table: u32,
    /// Which inputs of the composition its own are; behind them, [`INPUTS_MAX`].
    inputs: [u8; INPUTS_MAX],
}

impl SymbolicByte {
    pub(super) const fn constant(byte: u8) -> Self {
        Self { table: byte as u32, inputs: [NOTHING; INPUTS_MAX] }
    }

    /// The byte that is kept at a place.
    pub(super) const fn kept_at(place: BytePlace) -> Self {
        Self { table: 0, inputs: [place, NOTHING] }
    }

    /// The byte, if it is known.
    pub(super) fn known(self) -> Option<u8> {
        (self.inputs[0] == NOTHING).then_some(self.table as u8)
    }
}

impl Functions {
    pub(super) fn new() -> Self {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        let spans = vec![TableSpan { first: 0, bytes: BYTES, range: all.clone() }];
        Self { tables: all, spans, composed: QuickMap::default(), seen: QuickMap::default() }
    }

    /// The byte that a value is now.
    #[inline]
    pub(super) fn byte(&self, value: SymbolicByte, places: &[u8; PLACES]) -> u8 {
        let [low, high] = value.inputs;
        let [low, high] = [places[usize::from(low)], places[usize::from(high)]];
        self.tables[value.table as usize + usize::from(low) + BYTES * usize::from(high)]
    }

    /// All bytes that a value that is not constant can be.
    pub(super) fn range(&self, value: SymbolicByte) -> &[u8] {
        let table = self.spans.partition_point(|span| span.first <= value.table as usize) - 1;
        &self.spans[table].range
    }

    /// The byte that a chip shows whose address is `base` and, for the rest, made of values that
    /// are not constant; `None` if that depends on too much.
    pub(super) fn compose(
        &mut self,
        source: ByteSource,
        base: u32,
        address: &[(Segment, SymbolicByte)],
        show: impl Fn(u32) -> u8,
    ) -> Option<SymbolicByte> {
        let mut inputs = [NOTHING; INPUTS_MAX];
        let mut parts = Vec::new();
        let seen = self.seen(source, base, address, &show);
        for (segment, value) in address.iter().filter(|(segment, _)| seen.contains(segment)) {
            let own = [INPUTS_MAX as u8; INPUTS_MAX];
            let mut part = AddressPart { segment: *segment, table: value.table, inputs: own };
            for (input, place) in part.inputs.iter_mut().zip(value.inputs) {
                if place != NOTHING {
                    *input = add_input(&mut inputs, place)?;
                }
            }
            parts.push(part);
        }
        if parts.is_empty() {
            return Some(SymbolicByte::constant(show(base)));
        }
        let composition = Composition { source, base, parts };
        let Composed { table, depends } = match self.composed.get(&composition) {
            Some(composed) => *composed,
            None => self.tabulate(composition, table_bytes(inputs), show)?,
        };
        Some(match depends {
            [false, false] => SymbolicByte::constant(self.tables[table as usize]),
            [true, true] => SymbolicByte { table, inputs },
            [true, false] => SymbolicByte { table, inputs: [inputs[0], NOTHING] },
            [false, true] => SymbolicByte { table, inputs: [inputs[1], NOTHING] },
        })
    }

    /// The segments that matter: an enable that is known can leave out others, whatever they carry.
    fn seen(
        &mut self,
        source: ByteSource,
        base: u32,
        address: &[(Segment, SymbolicByte)],
        show: &impl Fn(u32) -> u8,
    ) -> Vec<Segment> {
        let segments: Vec<Segment> = address.iter().map(|(segment, _)| *segment).collect();
        let pins = |segment: &Segment| segment.of_wires(u8::MAX);
        let open = segments.iter().fold(0, |open, segment| open | pins(segment));
        if open.count_ones() > OPEN_PINS_MAX {
            return segments;
        }
        let find = || {
            let matters =
                |segment: &&Segment| depends_on(pins(segment), open, |at| show(base + at));
            segments.iter().filter(matters).copied().collect()
        };
        self.seen.entry((source, base, segments.clone())).or_insert_with(find).clone()
    }

    /// Fills the table of a composition, or finds the one that is the same.
    #[cold]
    fn tabulate(
        &mut self,
        composition: Composition,
        bytes: usize,
        show: impl Fn(u32) -> u8,
    ) -> Option<Composed> {
        let shown = |at: usize| {
            let inputs = [at % BYTES, at / BYTES, 0];
            let address = composition.parts.iter().fold(composition.base, |address, part| {
                let [low, high] = part.inputs.map(|input| inputs[usize::from(input)]);
                let wires = self.tables[part.table as usize + low + BYTES * high];
                address + part.segment.of_wires(wires)
            });
            show(address)
        };
        let table: Vec<u8> = (0..bytes).map(shown).collect();
        // An enable that is known can leave one input that matters, or none.
        let depends = dependence(&table);
        let table = match depends {
            [true, true] => table,
            [true, false] => table[..BYTES].to_vec(),
            [false, true] => table.into_iter().step_by(BYTES).collect(),
            [false, false] => vec![table[0]; BYTES],
        };
        let bytes = table.len();
        let same = |span: &&TableSpan| {
            span.bytes == bytes && self.tables[span.first..span.first + bytes] == table
        };
        let first = match self.spans.iter().find(same) {
            Some(span) => span.first,
            None if self.tables.len() + bytes > TABLES_BYTES_MAX => return None,
            None => self.add(&table),
        };
        let composed = Composed { table: first as u32, depends };
        self.composed.insert(composition, composed);
        Some(composed)
    }

    /// Adds a table; where it begins.
    fn add(&mut self, table: &[u8]) -> usize {
        let first = self.tables.len();
        let mut stands = [false; BYTES];
        for byte in table {
            stands[usize::from(*byte)] = true;
        }
        let range = (0..=u8::MAX).filter(|byte| stands[usize::from(*byte)]).collect();
        self.spans.push(TableSpan { first, bytes: table.len(), range });
        self.tables.extend_from_slice(table);
        first
    }
}

/// Which of its inputs a table depends on.
fn dependence(table: &[u8]) -> [bool; INPUTS_MAX] {
    let rows = || table.chunks(BYTES);
    let low = rows().any(|row| row.iter().any(|byte| *byte != row[0]));
    let high = rows().any(|row| row != &table[..BYTES]);
    [low, high]
}

/// The number of an input among all inputs, if there is room for it.
fn add_input(inputs: &mut [BytePlace; INPUTS_MAX], place: BytePlace) -> Option<u8> {
    let at = inputs.iter().position(|input| *input == place || *input == NOTHING)?;
    inputs[at] = place;
    Some(at as u8)
}

/// The length of a table that depends on these bytes.
fn table_bytes(inputs: [BytePlace; INPUTS_MAX]) -> usize {
    inputs.iter().filter(|place| **place != NOTHING).fold(1, |bytes, _| BYTES * bytes)
}

#[cfg(test)]
mod tests {
    use gray1_isa::SplitMix64;

    use super::*;

    /// The wires of a node, rotated into an address.
    fn segment(mask: u8, rotate: u8) -> Segment {
        Segment { node: 0, mask, rotate }
    }

    #[test]
    fn tables_are_composed_up_to_their_bound() {
        let mut functions = Functions::new();
        let mut random = SplitMix64::new(2);
        let [one, other] = [1, 2].map(|at| (segment(0xff, 0), SymbolicByte::kept_at(at)));
        let mut composed = 0;
        let mut compose = |address: &[(Segment, SymbolicByte)]| {
            composed += 1;
            let table: Vec<u8> = (0..1 << 9).map(|_| random.byte()).collect();
            functions.compose(ByteSource::Contents, composed << 9, address, |at| {
                table[at as usize % 512]
            })
        };
        // Of two bytes: 64 KiB each; of one: what then is left, but for the first of all tables.
        let large = (TABLES_BYTES_MAX >> 16) - 1;
        assert!((0..large).all(|_| compose(&[one, other]).is_some()));
        assert!(compose(&[one]).is_some());
        assert_eq!(compose(&[one, other]), None);
        assert!((0..BYTES - 2).all(|_| compose(&[one]).is_some()));
        assert_eq!(compose(&[one]), None);
    }
}
