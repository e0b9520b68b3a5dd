//! Proof 6, for a board with a panel: the panel stores exactly the bytes that are written to its
//! cells, and its buttons can be read at exactly one address.
//!
//! The tables between the operand and the panel are checked at every address. Proof 2 shows that
//! latches hold and follow. Proof 3 shows that nothing changes at their inputs while they close.
//! This proof shows that each latch is open while its own cell is written, and never otherwise, not
//! even briefly, and that buttons may change in T1.

use gray1_board::registers::address_wires;
use gray1_board::role::{Choose, Function, Role};
use gray1_board::table::subsets;
use gray1_board::{Board, Chip, ChipId, Driver, NetId, Panel, Source};
use gray1_circuit::nodes::wiring::{NodeKind, OutputBit};
use gray1_isa::RamAddr;
use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::{BUTTONS, MAILBOX, SIDE, leds};

use super::Examination;
use super::buttons;
use super::counterexample::{Counterexample, Verdict, chip_shows};
use super::steps::{StateGraph, Transition};

const STORES_A: &str = "the panel takes only A";
const OWN_CELL: &str = "a strobe of the panel is on exactly while its own cell is written";
const NO_GLITCH: &str = "a panel strobe that is off before and after a step does not glitch";
const ANSWERS: &str = "the buttons answer at their address, data memory at all others";
const SHOWS: &str = "an instruction reads the buttons or the byte on the bus, unchanged";

/// The maximum number of inputs of a table that generates a strobe, not counting the strobes of the
/// control table.
const MIXED_MAX: u32 = 6;
/// The maximum number of chips between an address and a strobe.
const DEPTH_MAX: usize = 8;

impl Examination<'_> {
    pub(super) fn prove_panel(&mut self) -> Verdict {
        let graph = self.prover.graph()?;
        let board = graph.board;
        let Some(panel) = board.panel() else { return Ok(()) };
        let latches = find_latches(board, panel)?;
        self.cases += latches.len() as u64;
        for writes in [false, true] {
            for address in addresses() {
                let mut levels = OperandLevels::new(board, address, writes);
                self.check_each(latches.iter().map(|latch| levels.check_strobe(latch)))?;
            }
        }
        for step in &graph.steps {
            let strobes = latches.iter().map(|latch| latch.strobe);
            self.check_each(strobes.map(|strobe| check_glitches(graph, step, strobe)))?;
        }
        let (id, choose) = find_mux(board, panel)?;
        let chip = board.chip(id);
        if let Some(by) = chip.wire(choose.by) {
            self.check_each(addresses().map(|address| check_selection(board, by, address)))?;
        }
        self.check_each(chip.addresses().map(|address| check_copy(chip, choose, address)))?;
        for step in buttons::steps_from_t1(graph) {
            self.cases += 1;
            buttons::follow(graph, &mut self.sensitivities, panel, step)?;
        }
        Ok(())
    }
}

/// Returns all addresses of data memory.
fn addresses() -> impl Iterator<Item = RamAddr> {
    (0..RAM_BYTES as u16).map(RamAddr::truncate)
}

/// A latch of the panel that stores the byte of a cell.
struct PanelLatch {
    strobe: NetId,
    cell: RamAddr,
}

/// Finds the latches of the panel. Each row of LEDs must have one latch whose input is A.
fn find_latches(board: &Board, panel: &Panel) -> Result<Vec<PanelLatch>, Counterexample> {
    let a = &board.probes().a;
    let refuse = |cell: RamAddr, why: &str| {
        let note = format!("the latch for the byte at {:#06x} {why}", cell.get());
        Err(Counterexample::new(STORES_A, vec![note]))
    };
    let mut found = Vec::new();
    for (cell, wires) in leds().zip(panel.leds.chunks(SIDE)) {
        let mut latches = board.latches().map(|(id, latch)| (board.chip(id), latch));
        let latch = latches.find(|(chip, latch)| {
            let out = latch.q.out.pins().iter().map(|pin| chip.data[usize::from(*pin)]);
            out.eq(wires.iter().copied())
        });
        let Some((chip, latch)) = latch else { return refuse(cell, "was not found") };
        if !latch.d.pins().iter().map(|pin| chip.wire(*pin)).eq(a.iter().copied().map(Some)) {
            return refuse(cell, "does not take A");
        }
        match chip.wire(latch.enable) {
            Some(strobe) => found.push(PanelLatch { strobe, cell }),
            None => return refuse(cell, "has no strobe"),
        }
    }
    if panel.byte != *a {
        return refuse(MAILBOX, "does not take A");
    }
    found.push(PanelLatch { strobe: panel.mailbox, cell: MAILBOX });
    Ok(found)
}

/// The levels of wires that depend on the operand and the write enable.
struct OperandLevels<'a> {
    board: &'a Board,
    address: RamAddr,
    writes: bool,
    known: Vec<Option<bool>>,
}

impl<'a> OperandLevels<'a> {
    /// Creates the levels for an operand with this address, during a write or outside of writes.
    fn new(board: &'a Board, address: RamAddr, writes: bool) -> Self {
        let mut known = vec![None; board.nets().len()];
        for (bit, net) in address_wires(board, board.memory()).into_iter().enumerate() {
            known[net.index()] = Some(address.get() >> bit & 1 == 1);
        }
        if let Some(net) = board.chip(board.memory()).write_enable_low() {
            known[net.index()] = Some(!writes);
        }
        Self { board, address, writes, known }
    }

    /// Returns the level of a wire. The error is a wire on its path that depends on something else.
    fn level(&mut self, net: NetId, depth: usize) -> Result<bool, NetId> {
        if let Some(level) = self.known[net.index()] {
            return Ok(level);
        }
        let Driver::Chip(pin) = self.board.net(net).driver else { return Err(net) };
        let chip = self.board.chip(pin.chip);
        if depth > DEPTH_MAX || matches!(chip.role(), Role::Memory | Role::Program(_)) {
            return Err(net);
        }
        let mut address = 0;
        for (pin_number, source) in chip.address.iter().enumerate() {
            let level = match *source {
                Source::Tied(level) => level,
                Source::Net(net) => self.level(net, depth + 1)?,
            };
            address |= usize::from(level) << pin_number;
        }
        let level = chip.contents()[address] >> pin.pin & 1 == 1;
        self.known[net.index()] = Some(level);
        Ok(level)
    }

    /// Checks that a strobe is on exactly while its own cell is written.
    fn check_strobe(&mut self, latch: &PanelLatch) -> Verdict {
        let on = self.level(latch.strobe, 0);
        let on = on.map_err(|net| unknown_level(self.board, OWN_CELL, latch.strobe, net))?;
        let Self { board, address, writes, .. } = *self;
        if on == (writes && address == latch.cell) {
            return Ok(());
        }
        let does = if writes { "is written" } else { "is not written" };
        let is = if on { "on" } else { "off" };
        let strobe = board.net(latch.strobe).name();
        let (address, cell) = (address.get(), latch.cell.get());
        let note = format!("{address:#06x} {does}, and {strobe} is {is}: its cell is {cell:#06x}");
        Err(Counterexample::new(OWN_CELL, vec![note]))
    }
}

fn unknown_level(board: &Board, law: &'static str, wire: NetId, on: NetId) -> Counterexample {
    let [wire, on] = [wire, on].map(|net| board.net(net).name());
    let note = format!("{wire} depends on {on}, not only on operand and write enable");
    Counterexample::new(law, vec![note])
}

/// Checks that a table does not glitch on a strobe. Tries every mix of old and new levels of the
/// pins that change in a step, for any levels of the other pins.
fn check_glitches(graph: &StateGraph, step: &Transition, strobe: NetId) -> Verdict {
    let wire = graph.wiring.output_bit(strobe);
    let OutputBit { node, bit } = wire;
    let NodeKind::Rom(contents) = &graph.wiring.nodes()[node].kind else { return Ok(()) };
    let moving = graph.wiring.nodes()[node].pins_reading(|wire| graph.can_move(step, wire));
    let (before, after) = (step.movement.before[node], step.movement.after[node]);
    let free = graph.wiring.nodes()[node].wired() & !before.pins;
    if free.count_ones() > MIXED_MAX {
        let (chip, wire) = (graph.node_name(node), graph.board.net(strobe).name());
        let note = format!("{chip}, which drives {wire}, reads too many wires to try all cases");
        return Err(Counterexample::new(NO_GLITCH, vec![note]));
    }
    let is_on = |address: u32| contents[address as usize] >> bit & 1 == 1;
    for from in subsets(free).map(|free| free | before.levels) {
        for toggled in subsets(moving & free) {
            let to = (from ^ toggled) & !before.pins | after.levels;
            if is_on(from) || is_on(to) {
                continue;
            }
            if let Some(mix) = subsets(from ^ to).find(|mix| is_on(from ^ mix)) {
                let address = from ^ mix;
                let shown = contents[address as usize];
                let events = graph.describe_glitch(step, wire, address, mix, shown);
                return Err(Counterexample::new(NO_GLITCH, events));
            }
        }
    }
    Ok(())
}

/// Finds the chip that chooses between the buttons and the bus. No chip except this one and data
/// memory may read either of them.
fn find_mux<'a>(board: &'a Board, panel: &Panel) -> Result<(ChipId, &'a Choose), Counterexample> {
    let refuse = |note: String| Err(Counterexample::new(SHOWS, vec![note]));
    let bus = &board.chip(board.memory()).data;
    let found = board.chip_ids().find_map(|id| {
        let chip = board.chip(id);
        let Role::Function(Function::Choose(choose)) = chip.role() else { return None };
        let reads = |pins: &[u8], nets: &[NetId]| {
            pins.iter().map(|pin| chip.wire(*pin)).eq(nets.iter().copied().map(Some))
        };
        let is_it = reads(choose.high.pins(), &panel.buttons) && reads(choose.low.pins(), bus);
        is_it.then_some((id, choose))
    });
    let Some((id, choose)) = found else {
        return refuse("no chip chooses between the buttons and the bus".to_owned());
    };
    for &net in bus.iter().chain(&panel.buttons) {
        let mut readers = board.readers(net).map(|(reader, _)| reader);
        if let Some(reader) = readers.find(|reader| ![id, board.memory()].contains(reader)) {
            let [wire, reader] = [board.net(net).name(), board.chip(reader).name()];
            return refuse(format!("{reader} reads {wire} besides {}", board.chip(id).name()));
        }
    }
    Ok((id, choose))
}

/// Checks which input the multiplexer selects for an operand, outside of writes. `by` is the wire
/// that selects it.
fn check_selection(board: &Board, by: NetId, address: RamAddr) -> Verdict {
    let buttons = OperandLevels::new(board, address, false).level(by, 0);
    let buttons = buttons.map_err(|net| unknown_level(board, ANSWERS, by, net))?;
    if buttons == (address == BUTTONS) {
        return Ok(());
    }
    let answer = if buttons { "the buttons" } else { "data memory" };
    let note = format!("at {:#06x} the answer comes from {answer}", address.get());
    Err(Counterexample::new(ANSWERS, vec![note]))
}

/// Checks that the selected input is copied, at an address of the multiplexer.
fn check_copy(chip: &Chip, choose: &Choose, address: u32) -> Verdict {
    let from = if address >> choose.by & 1 == 1 { &choose.high } else { &choose.low };
    let (shown, wanted) = (chip.contents()[address as usize], from.extract(address));
    if choose.to.extract(shown.into()) == wanted {
        return Ok(());
    }
    let expected = Some(choose.to.put(wanted) as u8);
    let event = chip_shows(chip.name(), address, shown, expected);
    Err(Counterexample::new(SHOWS, vec![event]))
}
