//! The wiring of a board as the settled engine uses it: nodes whose address comes from the outputs
//! of other nodes.

use std::sync::Arc;

use gray1_board::role::Role;
use gray1_board::{Board, CHIPS_MAX, Chip, ChipId, DataPin, Driver, FixedPins, NetId};
use gray1_isa::panel::BUTTONS;

/// An upper limit for the number of nodes: the outside, the chips, the shared wires, and the
/// buttons. A set of nodes is a bit mask in one 64-bit word.
pub const NODES_MAX: usize = 64;
// Shared wires have two drivers, so there are at most half as many nodes for them as chips.
const _: () = assert!(1 + CHIPS_MAX + CHIPS_MAX / 2 < NODES_MAX);

/// The outputs of all nodes, indexed by node.
pub type Outputs = [u8; NODES_MAX];

/// The node of the wires that come from outside.
pub const OUTSIDE: usize = 0;
/// The bit of the oscillator in the output of [`OUTSIDE`].
pub const OSCILLATOR: u8 = 1 << 0;
/// The bit of the reset wire in the output of [`OUTSIDE`].
pub const RESET: u8 = 1 << 1;

/// All nodes and the wires between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wiring {
    nodes: Vec<CircuitNode>,
    /// The source of each wire.
    sources: Vec<OutputBit>,
    /// For each node, the nodes that read its wires, as a bit mask.
    readers: Vec<u64>,
    memory: usize,
    /// The node of the buttons, on a board with a panel.
    buttons: Option<usize>,
    /// The sources of the wires of the LEDs, eight for each byte.
    leds: Vec<OutputBit>,
}

/// One output wire of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputBit {
    /// The number of the node.
    pub node: usize,
    /// The number of the output, 0 to 7.
    pub bit: u8,
}

/// A node: an address and eight output wires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CircuitNode {
    /// The kind of the node.
    pub kind: NodeKind,
    /// The tied address pins.
    pub tied: FixedPins,
    /// The wire that each address pin reads.
    pub pins: Vec<(u8, OutputBit)>,
    /// The address pins and their wires as segments, for fast gathering.
    pub(crate) segments: Vec<Segment>,
    /// The address pins that read the node's own outputs.
    pub own: u32,
    /// The address pins that read the node's own outputs, as segments.
    feedback: Vec<Segment>,
}

/// Output wires of one node that are connected to adjacent address pins of another node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Segment {
    pub node: u8,
    pub(crate) mask: u8,
    /// The number of bits by which the wires are rotated to the left, in 32 bits.
    pub(crate) rotate: u8,
}

/// The kind of a node, which determines its output for an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeKind {
    /// The oscillator and reset, or the buttons. They have no contents.
    Outside,
    /// A ROM, which shows its contents.
    Rom(Arc<[u8]>),
    /// The program chip, which shows its contents like a ROM. These can change, so they are only in
    /// the memory image.
    Program,
    /// Data memory. After the 13 address pins come nWE (13) and the eight data pins (14 to 21).
    Ram,
    /// Wires with two drivers. Pins 0 to 7 come from the chip that drives them while pin 16 is low,
    /// pins 8 to 15 from the chip that drives them while it is high.
    Shared,
}

/// The pin number of a RAM's write enable, after its address pins.
pub const RAM_WRITE_PIN: u8 = 13;
/// The bit of the write enable in the levels of the pins.
pub const RAM_WRITE_LOW: u32 = 1 << RAM_WRITE_PIN;
/// The pin number of a RAM's lowest data pin.
const RAM_DATA: u8 = 14;
/// The pin that selects the driver of shared wires.
const SHARED_SELECT_PIN: u8 = 16;
/// The bit of the select pin in the levels of the pins.
pub(crate) const SHARED_SELECT: u32 = 1 << SHARED_SELECT_PIN;

impl Wiring {
    /// Creates the nodes of a board.
    pub fn new(board: &Board) -> Self {
        let (sources, shared_wires) = sources(board);
        let mut nodes =
            vec![CircuitNode::new(NodeKind::Outside, FixedPins::default(), Vec::new(), OUTSIDE)];
        for id in board.chip_ids() {
            nodes.push(chip_node(board, id, &sources));
        }
        for shared in &shared_wires {
            nodes.push(shared_node(shared, &sources, nodes.len()));
        }
        let buttons = board.panel().map(|_| nodes.len());
        if let Some(buttons) = buttons {
            nodes.push(CircuitNode::new(
                NodeKind::Outside,
                FixedPins::default(),
                Vec::new(),
                buttons,
            ));
        }
        let readers = (0..nodes.len()).map(|node| {
            (0..).zip(&nodes).fold(0, |bits, (at, reader)| {
                let reads = reader.pins.iter().any(|(_, wire)| wire.node == node);
                bits | u64::from(reads) << at
            })
        });
        let (readers, memory) = (readers.collect(), Self::chip(board.memory()));
        let leds = board.panel().into_iter().flat_map(|panel| &panel.leds);
        let leds = leds.map(|net| sources[net.index()]).collect();
        Self { nodes, sources, readers, memory, buttons, leds }
    }

    /// All nodes, in the order of their numbers.
    pub fn nodes(&self) -> &[CircuitNode] {
        &self.nodes
    }

    /// Returns the nodes that read wires of a node, as a bit mask.
    pub(crate) fn readers(&self, node: usize) -> u64 {
        self.readers[node]
    }

    /// The node of data memory.
    pub const fn memory(&self) -> usize {
        self.memory
    }

    /// The node of the buttons, on a board with a panel.
    pub(crate) const fn buttons(&self) -> Option<usize> {
        self.buttons
    }

    /// Returns the sources of the wires of the panel's LEDs, eight for each byte.
    pub(crate) fn leds(&self) -> impl Iterator<Item = &[OutputBit]> {
        self.leds.chunks(8)
    }

    /// Returns the cell of data memory that the buttons replace. A byte stored there cannot be
    /// read, so it is not kept. The circuits keep the state of the buttons in that cell.
    pub(crate) fn buttons_cell(&self) -> Option<u16> {
        self.buttons.map(|_| BUTTONS.get())
    }

    /// Returns the node of a chip.
    pub const fn chip(id: ChipId) -> usize {
        1 + id.index()
    }

    /// Returns the chip of a node.
    pub fn chip_at(node: usize, board: &Board) -> Option<ChipId> {
        board.chip_ids().find(|&id| Self::chip(id) == node)
    }

    /// Returns the wire that a pin of a node reads.
    pub fn source(&self, node: usize, pin: u8) -> Option<OutputBit> {
        self.nodes[node].pins.iter().find(|(at, _)| *at == pin).map(|(_, wire)| *wire)
    }

    /// The sources of the wires of the board.
    pub(crate) fn output_bits(&self) -> &[OutputBit] {
        &self.sources
    }

    /// Returns the driver of a shared wire, if `pins` includes the select pin of its node. `levels`
    /// has the levels of these pins.
    pub fn shared_driver(&self, wire: OutputBit, pins: u32, levels: u32) -> Option<OutputBit> {
        let node = &self.nodes[wire.node];
        if !matches!(node.kind, NodeKind::Shared) || pins & SHARED_SELECT == 0 {
            return None;
        }
        let pin = if levels & SHARED_SELECT == 0 { wire.bit } else { wire.bit + 8 };
        self.source(wire.node, pin)
    }

    /// Returns the output that drives a wire.
    pub fn output_bit(&self, net: NetId) -> OutputBit {
        self.sources[net.index()]
    }

    /// Returns whether a node stores this wire, which means that the wire is fed back to it.
    pub fn is_fed_back(&self, wire: OutputBit) -> bool {
        self.nodes[wire.node].reads(wire)
    }

    /// Returns whether a wire needs a lookup because its node does not store it.
    pub(crate) fn is_derived(&self, wire: OutputBit) -> bool {
        let comes_from_outside = matches!(self.nodes[wire.node].kind, NodeKind::Outside);
        !comes_from_outside && !self.is_fed_back(wire)
    }

    /// Returns the address of a node.
    pub fn address(&self, node: usize, outputs: &Outputs) -> u32 {
        let node = &self.nodes[node];
        node.segments
            .iter()
            .fold(node.tied.levels, |address, segment| address | segment.gather(outputs))
    }
}

impl OutputBit {
    pub fn is_high(self, outputs: &Outputs) -> bool {
        outputs[self.node] >> self.bit & 1 == 1
    }
}

impl Segment {
    /// Returns the address pins of this segment that are high.
    #[inline]
    pub(crate) fn gather(self, outputs: &Outputs) -> u32 {
        self.gather_from(outputs[usize::from(self.node) % NODES_MAX])
    }

    /// Returns the address pins of this segment that are high if its node has this output.
    #[inline]
    pub(crate) fn gather_from(self, output: u8) -> u32 {
        u32::from(output & self.mask).rotate_left(u32::from(self.rotate))
    }

    /// Copies the levels of the address pins to the output wires.
    pub(crate) fn scatter(self, pins: u32, outputs: &mut Outputs) {
        let wires = pins.rotate_right(u32::from(self.rotate)) as u8 & self.mask;
        let output = &mut outputs[usize::from(self.node)];
        *output = *output & !self.mask | wires;
    }
}

impl CircuitNode {
    fn new(kind: NodeKind, tied: FixedPins, pins: Vec<(u8, OutputBit)>, index: usize) -> Self {
        let own = pins.iter().filter(|(_, wire)| wire.node == index);
        let own = own.fold(0, |own, (pin, _)| own | 1 << pin);
        let (segments, feedback) = (segments(&pins, u32::MAX), segments(&pins, own));
        Self { kind, tied, pins, segments, own, feedback }
    }

    /// Returns whether an address pin reads this wire.
    pub(crate) fn reads(&self, wire: OutputBit) -> bool {
        self.pins_reading(|read| read == wire) != 0
    }

    /// The address pins that are connected to wires.
    pub fn wired(&self) -> u32 {
        self.pins_reading(|_| true)
    }

    /// The address pins that read wires for which a condition is true.
    pub fn pins_reading(&self, is_wanted: impl Fn(OutputBit) -> bool) -> u32 {
        let wanted = self.pins.iter().filter(|(_, wire)| is_wanted(*wire));
        wanted.fold(0, |pins, (pin, _)| pins | 1 << pin)
    }

    /// Returns the address after the node's own outputs have changed to `output`.
    pub fn fed_back(&self, address: u32, output: u8) -> u32 {
        let own = self.feedback.iter();
        own.fold(address & !self.own, |address, segment| address | segment.gather_from(output))
    }
}

/// Groups the pins in `wanted` into segments, each with wires of one node.
pub(crate) fn segments(pins: &[(u8, OutputBit)], wanted: u32) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for (pin, wire) in pins.iter().filter(|(pin, _)| wanted >> pin & 1 == 1) {
        let (node, mask) = (wire.node as u8, 1 << wire.bit);
        let rotate = 32 + pin - wire.bit;
        match segments.iter_mut().find(|s| s.node == node && s.rotate == rotate) {
            Some(segment) => segment.mask |= mask,
            None => segments.push(Segment { node, mask, rotate }),
        }
    }
    segments
}

/// Wires with the same two drivers and the same select wire, at most eight.
struct SharedWires {
    select: NetId,
    low: Vec<OutputBit>,
    high: Vec<OutputBit>,
}

/// Returns the source of each wire, and the shared wires.
fn sources(board: &Board) -> (Vec<OutputBit>, Vec<SharedWires>) {
    let pin = |pin: DataPin| OutputBit { node: Wiring::chip(pin.chip), bit: pin.pin };
    let first_shared = 1 + board.chips().len();
    let mut shared_wires: Vec<SharedWires> = Vec::new();
    // The node of the buttons comes after the nodes of the shared wires, whose number is not known
    // yet.
    let mut buttons: Vec<usize> = Vec::new();
    let sources = board.net_ids().map(|id| match board.net(id).driver {
        Driver::Outside if id == board.oscillator() => OutputBit { node: OUTSIDE, bit: 0 },
        Driver::Outside if id == board.reset() => OutputBit { node: OUTSIDE, bit: 1 },
        Driver::Outside => {
            buttons.push(id.index());
            OutputBit { node: OUTSIDE, bit: buttons.len() as u8 - 1 }
        }
        Driver::Chip(driver) => pin(driver),
        Driver::Shared { select, low, high } => {
            let (low, high) = (pin(low), pin(high));
            let at = shared_wires.iter().position(|shared| {
                (shared.select, shared.low[0].node, shared.high[0].node)
                    == (select, low.node, high.node)
            });
            let at = at.unwrap_or_else(|| {
                shared_wires.push(SharedWires { select, low: Vec::new(), high: Vec::new() });
                shared_wires.len() - 1
            });
            shared_wires[at].low.push(low);
            shared_wires[at].high.push(high);
            OutputBit { node: first_shared + at, bit: shared_wires[at].low.len() as u8 - 1 }
        }
    });
    let mut sources: Vec<OutputBit> = sources.collect();
    for at in buttons {
        sources[at].node = first_shared + shared_wires.len();
    }
    (sources, shared_wires)
}

fn chip_node(board: &Board, id: ChipId, sources: &[OutputBit]) -> CircuitNode {
    let chip = board.chip(id);
    let address = (0..).zip(&chip.address);
    let address = address.filter_map(|(pin, source)| Some((pin, sources[source.net()?.index()])));
    let mut pins: Vec<(u8, OutputBit)> = address.collect();
    let kind = if *chip.role() == Role::Memory {
        if let Some(write) = chip.write_enable_low() {
            pins.push((RAM_WRITE_PIN, sources[write.index()]));
        }
        pins.extend((RAM_DATA..).zip(chip.data.iter().map(|net| sources[net.index()])));
        NodeKind::Ram
    } else if id == board.program() {
        NodeKind::Program
    } else {
        NodeKind::Rom(wired_contents(chip))
    };
    CircuitNode::new(kind, chip.tied(), pins, Wiring::chip(id))
}

/// Returns the contents of a chip, reduced to the data pins that have wires. The others read as 0,
/// because no other chip can see them.
fn wired_contents(chip: &Chip) -> Arc<[u8]> {
    let contents = chip.contents_shared();
    let open = u8::MAX.checked_shl(chip.data.len() as u32).unwrap_or(0);
    if contents.iter().all(|byte| byte & open == 0) {
        return contents;
    }
    contents.iter().map(|byte| byte & !open).collect()
}

fn shared_node(shared: &SharedWires, sources: &[OutputBit], index: usize) -> CircuitNode {
    let mut pins: Vec<(u8, OutputBit)> = (0..).zip(shared.low.iter().copied()).collect();
    pins.extend((8..).zip(shared.high.iter().copied()));
    pins.push((SHARED_SELECT_PIN, sources[shared.select.index()]));
    CircuitNode::new(NodeKind::Shared, FixedPins::default(), pins, index)
}

/// Returns the output of shared wires.
pub(crate) const fn shared_output(address: u32) -> u8 {
    if address & SHARED_SELECT != 0 { (address >> 8) as u8 } else { address as u8 }
}

/// Returns the byte on a RAM's data pins.
pub(crate) const fn ram_data(address: u32) -> u8 {
    (address >> RAM_DATA) as u8
}

/// Returns the cell that a RAM's address pins select.
pub(crate) const fn ram_cell(address: u32) -> u16 {
    (address & (RAM_WRITE_LOW - 1)) as u16
}

#[cfg(test)]
mod tests;
