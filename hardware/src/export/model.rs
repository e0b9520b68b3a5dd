//! The wires and chips of a board as identifiers of Verilog, and the text that all models share:
//! declarations, chips and drivers.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

use gray1_board::{Board, ChipId, DataPin, Driver, Filter, NetId, Source};

/// A bit in the model: a constant, or a wire with its index if it is part of a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Bit {
    Constant(bool),
    Wire(String, Option<u32>),
}

/// An output of the module: its name, its number of bits, and the wires that it shows.
pub(super) struct Output {
    name: &'static str,
    bits: usize,
    shows: String,
}

impl Output {
    pub(super) fn new(name: &'static str, bits: usize, shows: String) -> Self {
        Self { name, bits, shows }
    }

    fn port(&self) -> String {
        let range = if self.bits == 1 { String::new() } else { format!("[{}:0] ", self.bits - 1) };
        format!("    output wire {range}{}", self.name)
    }

    fn assignment(&self) -> String {
        format!("    assign {} = {};\n", self.name, self.shows)
    }
}

/// A wire that is driven by chips.
struct Driven {
    net: NetId,
    /// The wire that selects one of two drivers, if there are two.
    select: Option<NetId>,
    low: DataPin,
    high: DataPin,
    filter: Option<Filter>,
}

impl Driven {
    fn has_same_chips(&self, other: &Self) -> bool {
        let key = |driven: &Self| (driven.select, driven.low.chip, driven.high.chip, driven.filter);
        key(self) == key(other)
    }
}

/// The identifiers of the wires and chips of a board.
pub(super) struct Model<'a> {
    pub(super) board: &'a Board,
    taken: HashSet<String>,
    /// The wire of each net, indexed by [`NetId::index`].
    nets: Vec<Bit>,
    /// The lowest and the highest index of each vector of nets.
    vectors: BTreeMap<String, (u32, u32)>,
    /// The name of each chip, indexed by [`ChipId::index`].
    chips: Vec<String>,
    /// The output of each chip, indexed by [`ChipId::index`].
    outputs: Vec<String>,
}

impl<'a> Model<'a> {
    /// Names the wires and chips.
    pub(super) fn new(board: &'a Board) -> Self {
        let mut model = Self {
            board,
            taken: HashSet::new(),
            nets: Vec::new(),
            vectors: BTreeMap::new(),
            chips: Vec::new(),
            outputs: Vec::new(),
        };
        model.name_nets();
        for chip in board.chips() {
            let name = chip.name();
            let [chip, output] =
                ["chip", "shows"].map(|end| model.make_identifier(&format!("{name}_{end}")));
            model.chips.push(chip);
            model.outputs.push(output);
        }
        model
    }

    /// Maps `NAME.3` to an element of the vector `NAME`. If there is also a wire `NAME`, one of
    /// them gets another name.
    fn name_nets(&mut self) {
        let mut bases: HashMap<&str, String> = HashMap::new();
        for net in self.board.nets() {
            let bit = match net.name().split_once('.') {
                Some((base, index)) => {
                    let index = index.parse().expect("the number of a wire");
                    let vector = match bases.get(base) {
                        Some(vector) => vector.clone(),
                        None => self.make_identifier(base),
                    };
                    bases.insert(base, vector.clone());
                    let (low, high) = self.vectors.entry(vector.clone()).or_insert((index, index));
                    (*low, *high) = (index.min(*low), index.max(*high));
                    Bit::Wire(vector, Some(index))
                }
                None => Bit::Wire(self.make_identifier(net.name()), None),
            };
            self.nets.push(bit);
        }
    }

    /// Returns a new identifier similar to `wish`. It has a capital letter, which keywords and the
    /// model's own names do not have.
    fn make_identifier(&mut self, wish: &str) -> String {
        let capital = wish.contains(|c: char| c.is_ascii_uppercase());
        let mut name = if capital { wish.to_owned() } else { format!("N_{wish}") };
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    /// The names of the board's wires and vectors, without the signals that exist only in the
    /// model.
    pub(super) fn wire_names(&self) -> Vec<String> {
        let single = self.nets.iter().filter_map(|net| match net {
            Bit::Wire(name, None) => Some(name),
            _ => None,
        });
        self.vectors.keys().chain(single).map(|name| format!("gray1.{name}")).collect()
    }

    /// Returns the outputs that show what the processor fetches, and in which phase.
    pub(super) fn fetch_outputs(&self) -> Vec<Output> {
        let board = self.board;
        let program = board.chip(board.program());
        let address = &program.address[..board.program_bytes().len().ilog2() as usize];
        let [phase, data] = [&board.probes().phase, &program.data].map(|nets| self.nets(nets));
        vec![
            Output::new("phase", board.probes().phase.len(), phase),
            Output::new("program_address", address.len(), self.sources(address)),
            Output::new("program_data", program.data.len(), data),
        ]
    }

    /// Returns the head of the module. Its inputs are the oscillator, reset and these two.
    pub(super) fn write_head(&self, first: &str, others: &[&str], outputs: &[Output]) -> String {
        let [oscillator, reset] =
            [self.board.oscillator(), self.board.reset()].map(|net| self.nets(&[net]));
        let inputs = [first, &oscillator, &reset].into_iter().chain(others.iter().copied());
        let inputs = inputs.map(|input| format!("    input wire {input}"));
        let ports: Vec<String> = inputs.chain(outputs.iter().map(Output::port)).collect();
        let levels: String = outputs.iter().map(Output::assignment).collect();
        format!("module board (\n{}\n);\n{levels}", ports.join(",\n"))
    }

    pub(super) fn write_wires(&self) -> String {
        let mut text = String::from("\n    // The wires of the board.\n");
        for (vector, (low, high)) in &self.vectors {
            let _ = writeln!(text, "    wire [{high}:{low}] {vector};");
        }
        let outside = [self.board.oscillator(), self.board.reset()].map(|net| self.net(net));
        for net in self.nets.iter().filter(|net| !outside.contains(net)) {
            if let Bit::Wire(name, None) = net {
                let _ = writeln!(text, "    wire {name};");
            }
        }
        text
    }

    /// Returns the chips. `module` returns the module of a chip, whose first port is `first`.
    pub(super) fn write_chips(&self, first: &str, module: impl Fn(ChipId) -> String) -> String {
        self.board.chip_ids().map(|id| self.write_chip(id, first, &module(id))).collect()
    }

    fn write_chip(&self, id: ChipId, first: &str, module: &str) -> String {
        let chip = self.board.chip(id);
        let (identifier, output) = (&self.chips[id.index()], &self.outputs[id.index()]);
        let address = self.sources(&chip.address);
        let written = chip.write_enable_low().map_or(String::new(), |net| {
            let [write_low, data] = [&[net][..], &chip.data].map(|nets| self.nets(nets));
            format!(" {write_low}, {data},")
        });
        format!(
            "
    // {name}: {part}
    wire [7:0] {output};
    {module} {identifier} ({first},
        {address},{written} {output});
",
            name = chip.name(),
            part = chip.part().name,
        )
    }

    /// Returns the drivers of the wires. A wire with two drivers gets a multiplexer, so the model
    /// does not show what happens while both drive.
    pub(super) fn write_drivers(&self) -> String {
        let mut text = String::from("\n    // The drivers of the wires.\n");
        for group in self.find_driven().chunk_by(Driven::has_same_chips) {
            let nets: Vec<NetId> = group.iter().map(|driven| driven.net).collect();
            let mut levels = self.pins(group.iter().map(|driven| driven.low));
            if let Some(select) = group[0].select {
                let high = self.pins(group.iter().map(|driven| driven.high));
                levels = format!("{} ? {high} : {levels}", self.nets(&[select]));
            }
            let nets = self.nets(&nets);
            let line = match group[0].filter {
                None => format!("    assign {nets} = {levels};"),
                Some(filter) => write_filters(filter, &levels, &nets, group),
            };
            let _ = writeln!(text, "{line}");
        }
        text
    }

    fn find_driven(&self) -> Vec<Driven> {
        let mut all = Vec::new();
        for net in self.board.net_ids() {
            let filter = self.board.net(net).filter;
            let (select, low, high) = match self.board.net(net).driver {
                Driver::Outside => continue,
                Driver::Chip(pin) => (None, pin, pin),
                Driver::Shared { select, low, high } => (Some(select), low, high),
            };
            all.push(Driven { net, select, low, high, filter });
        }
        all
    }

    pub(super) fn nets(&self, nets: &[NetId]) -> String {
        concatenation(nets.iter().map(|&net| self.net(net)))
    }

    pub(super) fn sources(&self, sources: &[Source]) -> String {
        concatenation(sources.iter().map(|source| match *source {
            Source::Tied(level) => Bit::Constant(level),
            Source::Net(net) => self.net(net),
        }))
    }

    fn pins(&self, pins: impl Iterator<Item = DataPin>) -> String {
        let pins = pins.map(|pin| (&self.outputs[pin.chip.index()], pin.pin));
        concatenation(pins.map(|(output, pin)| Bit::Wire(output.clone(), Some(pin.into()))))
    }

    fn net(&self, net: NetId) -> Bit {
        self.nets[net.index()].clone()
    }
}

/// Returns the filters between the data pins of a chip and their wires. The names of the filters
/// have no capital letter, unlike the names of wires and chips, and contain the number of the first
/// wire.
fn write_filters(filter: Filter, levels: &str, nets: &str, group: &[Driven]) -> String {
    let (stops_ns, delay_ns) = (filter.stops_ps() / 1000, filter.delay_ps().div_ceil(1000));
    let (first, last) = (group[0].net.index(), group.len() - 1);
    format!(
        "    // {} ohm, {} pF.\n    \
         filter #({stops_ns}, {delay_ns}) filter_{first} [{last}:0] ({levels}, {nets});",
        filter.ohm, filter.pf,
    )
}

/// Concatenates bits that are given low bit first. Adjacent bits of a vector become a range.
fn concatenation(bits: impl Iterator<Item = Bit>) -> String {
    let mut parts: Vec<String> = Vec::new();
    let bits: Vec<Bit> = bits.collect();
    for run in bits.chunk_by(Bit::is_adjacent) {
        parts.push(match (&run[0], &run[run.len() - 1]) {
            (Bit::Constant(_), _) => {
                let digits: String = run.iter().rev().map(Bit::digit).collect();
                format!("{}'b{digits}", run.len())
            }
            (Bit::Wire(name, None), _) => name.clone(),
            (Bit::Wire(name, Some(low)), Bit::Wire(_, Some(high))) if low < high => {
                format!("{name}[{high}:{low}]")
            }
            (Bit::Wire(name, Some(index)), _) => format!("{name}[{index}]"),
        });
    }
    parts.reverse();
    if parts.len() == 1 { parts.remove(0) } else { format!("{{{}}}", parts.join(", ")) }
}

impl Bit {
    /// Returns whether `high` is the bit after this one in the same constant or vector.
    fn is_adjacent(&self, high: &Self) -> bool {
        match (self, high) {
            (Self::Constant(_), Self::Constant(_)) => true,
            (Self::Wire(name, Some(low)), Self::Wire(other, Some(high))) => {
                name == other && low + 1 == *high
            }
            _ => false,
        }
    }

    fn digit(&self) -> char {
        if *self == Self::Constant(true) { '1' } else { '0' }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_adjacent_bits_of_a_vector_become_a_range() {
        let wire = |name: &str, index| Bit::Wire(name.to_owned(), index);
        let of = |bits: Vec<Bit>| concatenation(bits.into_iter());
        let (low, high) = (Bit::Constant(false), Bit::Constant(true));
        assert_eq!(of(vec![wire("A", Some(2)), wire("A", Some(3))]), "A[3:2]");
        assert_eq!(of(vec![wire("A", Some(3)), wire("A", Some(2))]), "{A[2], A[3]}");
        assert_eq!(of(vec![wire("A", Some(0)), wire("A", Some(2))]), "{A[2], A[0]}");
        assert_eq!(of(vec![wire("A", Some(0)), wire("B", Some(1))]), "{B[1], A[0]}");
        assert_eq!(of(vec![wire("A", None), low, high, wire("A", Some(4))]), "{A[4], 2'b10, A}");
    }
}
