//! Symbolic bytes: the outputs of chips as functions of stored bytes, computed from the contents.
//!
//! The output of a chip depends on the bytes at its address pins, which depend on other bytes, and
//! finally on bytes that are stored somewhere. If there are at most two stored bytes, all the chips
//! in between can be combined into one table.

use gray1_board::table::depends_on;

use crate::nodes::memory_image::{BytePlace, NOTHING, PLACES};
use crate::nodes::wiring::Segment;
use crate::quick_hash::QuickMap;

/// The maximum total size of the tables. The stock board needs an eighth of it.
const TABLES_BYTES_MAX: usize = 4 << 20;
/// The maximum number of unknown address pins for which all levels are tried.
const OPEN_PINS_MAX: u32 = 17;
/// The number of values of a byte.
const BYTES: usize = 1 << 8;
/// The maximum number of stored bytes that a value depends on.
const INPUTS_MAX: usize = 2;

/// A byte as a function of at most two stored bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SymbolicByte {
    /// The start of its table. For a constant, this is the index of its value in the identity
    /// table.
    table: u32,
    /// The places of the stored bytes, padded with [`NOTHING`].
    inputs: [BytePlace; INPUTS_MAX],
}

/// All tables composed so far.
#[derive(Debug, Clone)]
pub(super) struct Functions {
    /// The identity table, then the composed tables.
    tables: Vec<u8>,
    /// The position of each table, in ascending order.
    spans: Vec<TableSpan>,
    composed: QuickMap<Composition, Composed>,
    /// Caches which unknown segments affect the output of a chip, given the known part of its
    /// address.
    seen: QuickMap<(ByteSource, u32, Vec<Segment>), Vec<Segment>>,
}

/// A table in [`Functions::tables`].
#[derive(Debug, Clone)]
struct TableSpan {
    first: usize,
    bytes: usize,
    /// All values that occur in it.
    range: Vec<u8>,
}

/// A composed table and the inputs it depends on. If it depends on none, its first byte is its
/// value.
#[derive(Debug, Clone, Copy)]
struct Composed {
    table: u32,
    depends: [bool; INPUTS_MAX],
}

/// The key of a composed table: how a chip computes its output from other bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Composition {
    source: ByteSource,
    base: u32,
    parts: Vec<AddressPart>,
}

/// The byte to compose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ByteSource {
    /// The output of a chip: the byte at its address.
    Contents,
    /// The byte on the data pins of data memory. These pins are part of its node's address.
    DataPins,
}

/// Wires of one chip that are part of the address of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct AddressPart {
    segment: Segment,
    table: u32,
    /// The composition's input for each input of this part, padded with [`INPUTS_MAX`].
    inputs: [u8; INPUTS_MAX],
}

impl SymbolicByte {
    pub(super) const fn constant(byte: u8) -> Self {
        Self { table: byte as u32, inputs: [NOTHING; INPUTS_MAX] }
    }

    /// Returns the stored byte at a place.
    pub(super) const fn stored_at(place: BytePlace) -> Self {
        Self { table: 0, inputs: [place, NOTHING] }
    }

    /// Returns the byte if it is a constant.
    pub(super) fn constant_value(self) -> Option<u8> {
        (self.inputs[0] == NOTHING).then_some(self.table as u8)
    }
}

impl Functions {
    pub(super) fn new() -> Self {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        let spans = vec![TableSpan { first: 0, bytes: BYTES, range: all.clone() }];
        Self { tables: all, spans, composed: QuickMap::default(), seen: QuickMap::default() }
    }

    /// Evaluates a value for the current stored bytes.
    #[inline]
    pub(super) fn byte(&self, value: SymbolicByte, places: &[u8; PLACES]) -> u8 {
        let [low, high] = value.inputs;
        let [low, high] = [places[usize::from(low)], places[usize::from(high)]];
        self.tables[value.table as usize + usize::from(low) + BYTES * usize::from(high)]
    }

    /// Returns all possible values of a byte that is not constant.
    pub(super) fn range(&self, value: SymbolicByte) -> &[u8] {
        let table = self.spans.partition_point(|span| span.first <= value.table as usize) - 1;
        &self.spans[table].range
    }

    /// Composes the output of a chip. Its address consists of the known `base` and of unknown
    /// values. Returns `None` if the result depends on too many stored bytes.
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

    /// Returns the segments that affect the output. If an enable is known, other segments can be
    /// irrelevant.
    fn seen(
        &mut self,
        source: ByteSource,
        base: u32,
        address: &[(Segment, SymbolicByte)],
        show: &impl Fn(u32) -> u8,
    ) -> Vec<Segment> {
        let segments: Vec<Segment> = address.iter().map(|(segment, _)| *segment).collect();
        let pins = |segment: &Segment| segment.gather_from(u8::MAX);
        let open = segments.iter().fold(0, |open, segment| open | pins(segment));
        if open.count_ones() > OPEN_PINS_MAX {
            return segments;
        }
        let seen = self.seen.entry((source, base, segments.clone())).or_insert_with(|| {
            let mut seen = segments;
            seen.retain(|segment| depends_on(pins(segment), open, |at| show(base + at)));
            seen
        });
        seen.clone()
    }

    /// Computes the table of a composition, or finds an identical one.
    #[cold]
    fn tabulate(
        &mut self,
        composition: Composition,
        bytes: usize,
        show: impl Fn(u32) -> u8,
    ) -> Option<Composed> {
        let table = (0..bytes).map(|at| {
            let inputs = [at % BYTES, at / BYTES, 0];
            show(composition.parts.iter().fold(composition.base, |address, part| {
                let [low, high] = part.inputs.map(|input| inputs[usize::from(input)]);
                let wires = self.tables[part.table as usize + low + BYTES * high];
                address + part.segment.gather_from(wires)
            }))
        });
        let table: Vec<u8> = table.collect();
        // A known enable may leave one relevant input, or none.
        let depends = dependence(&table);
        let table = match depends {
            [true, true] => table,
            [true, false] => table[..BYTES].to_vec(),
            [false, true] => table.into_iter().step_by(BYTES).collect(),
            [false, false] => vec![table[0]; BYTES],
        };
        let bytes = table.len();
        let first = match self.spans.iter().find(|span| {
            span.bytes == bytes && self.tables[span.first..span.first + bytes] == table
        }) {
            Some(span) => span.first,
            None if self.tables.len() + bytes > TABLES_BYTES_MAX => return None,
            None => self.add(&table),
        };
        let composed = Composed { table: first as u32, depends };
        self.composed.insert(composition, composed);
        Some(composed)
    }

    /// Adds a table and returns its start.
    fn add(&mut self, table: &[u8]) -> usize {
        let first = self.tables.len();
        let mut occurs = [false; BYTES];
        for byte in table {
            occurs[usize::from(*byte)] = true;
        }
        let range = (0..=u8::MAX).filter(|byte| occurs[usize::from(*byte)]).collect();
        self.spans.push(TableSpan { first, bytes: table.len(), range });
        self.tables.extend_from_slice(table);
        first
    }
}

/// Returns the inputs that a table depends on.
fn dependence(table: &[u8]) -> [bool; INPUTS_MAX] {
    let rows = || table.chunks(BYTES);
    let low = rows().any(|row| row.iter().any(|byte| *byte != row[0]));
    let high = rows().any(|row| row != &table[..BYTES]);
    [low, high]
}

/// Returns the index of a stored byte among the inputs. Adds it if there is room.
fn add_input(inputs: &mut [BytePlace; INPUTS_MAX], place: BytePlace) -> Option<u8> {
    let at = inputs.iter().position(|input| *input == place || *input == NOTHING)?;
    inputs[at] = place;
    Some(at as u8)
}

/// Returns the size of a table with these inputs.
fn table_bytes(inputs: [BytePlace; INPUTS_MAX]) -> usize {
    inputs.iter().filter(|place| **place != NOTHING).fold(1, |bytes, _| BYTES * bytes)
}

#[cfg(test)]
mod tests {
    use gray1_isa::SplitMix64;

    use super::*;

    /// Wires of a node that are rotated into an address.
    fn segment(mask: u8, rotate: u8) -> Segment {
        Segment { node: 0, mask, rotate }
    }

    #[test]
    fn tables_are_composed_up_to_the_size_limit() {
        let mut functions = Functions::new();
        let mut random = SplitMix64::new(2);
        let [one, other] = [1, 2].map(|at| (segment(0xff, 0), SymbolicByte::stored_at(at)));
        let mut composed = 0;
        let mut compose = |address: &[(Segment, SymbolicByte)]| {
            composed += 1;
            let table: Vec<u8> = (0..1 << 9).map(|_| random.byte()).collect();
            functions.compose(ByteSource::Contents, composed << 9, address, |at| {
                table[at as usize % 512]
            })
        };
        // Tables of two inputs have 64 KiB each. Tables of one input fill the rest, except for the
        // identity table.
        let large = (TABLES_BYTES_MAX >> 16) - 1;
        assert!((0..large).all(|_| compose(&[one, other]).is_some()));
        assert!(compose(&[one]).is_some());
        assert_eq!(compose(&[one, other]), None);
        assert!((0..BYTES - 2).all(|_| compose(&[one]).is_some()));
        assert_eq!(compose(&[one]), None);
    }
}
