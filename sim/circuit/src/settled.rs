//! The settled engine, which steps each edge of the oscillator to the settled state.
//!
//! An edge executes its plan ([`super::plans`]). Edges without a plan, and boards without a
//! sequencer, are settled by trying every order of responses ([`super::definition`]). A caller that
//! only needs whole cycles of the sequencer can use cached cycles ([`super::cycles`]).

use std::sync::Arc;

use gray1_board::{Board, ChipId, NetId};
use gray1_isa::address::RAM_BYTES;
use gray1_isa::{RamAddr, Write, panel};

use super::cycles::{Cycles, RunsCycles};
use super::definition::{Indefinite, Interleavings, MovingState};
use super::interface::{ChipState, Circuit, CircuitState, OTHER_KIND};
use super::nodes::powered::PoweredBoard;
use super::nodes::wiring::{NODES_MAX, OSCILLATOR, OUTSIDE, OutputBit, Outputs, RESET, Wiring};
use super::plans::compiled::CompiledPlans;
use super::probe::Probe;
use super::unsettled::Unsettled;

/// A board whose wires settle between any two edges.
#[derive(Debug, Clone)]
pub struct Settled {
    board: Board,
    powered: PoweredBoard,
    plans: Option<CompiledPlans>,
    /// The cached cycles of a board with plans. Clones share them until one of them runs.
    cycles: Option<Arc<Cycles>>,
}

impl Settled {
    /// Powers up a board.
    ///
    /// # Errors
    /// If the board does not settle.
    pub fn new(board: &Board, state: &ChipState) -> Result<Self, Box<Unsettled>> {
        let powered = PoweredBoard::new(board, &state.memory);
        let plans = CompiledPlans::new(powered.wiring.clone());
        let cycles = plans.as_ref().and_then(Cycles::new).map(Arc::new);
        let mut circuit = Self { board: board.clone(), powered, plans, cycles };
        circuit.power_up(state)?;
        Ok(circuit)
    }

    /// Continues from the state of another circuit with the same wires. That circuit must be
    /// settled, with its reset low.
    ///
    /// # Errors
    /// If the board does not settle.
    pub fn from_circuit(board: &Board, other: &dyn Circuit) -> Result<Self, Box<Unsettled>> {
        let state = ChipState::from_circuit(other);
        let mut circuit = Self::new(board, &state)?;
        if other.level(other.board().oscillator()) {
            circuit.settle_from(&state, OSCILLATOR)?;
        }
        Ok(circuit)
    }

    /// Switches the power off and on. Reset and oscillator are low, and the wires settle in any
    /// possible state.
    ///
    /// # Errors
    /// If they do not settle.
    pub fn power_up(&mut self, state: &ChipState) -> Result<(), Box<Unsettled>> {
        self.settle_from(state, 0)
    }

    /// Settles the wires, with these levels of the wires from outside.
    fn settle_from(&mut self, state: &ChipState, outside: u8) -> Result<(), Box<Unsettled>> {
        self.powered.outputs = [0; NODES_MAX];
        self.powered.outputs[OUTSIDE] = outside;
        for id in self.board.chip_ids() {
            let shown = state.outputs.get(id.index()).copied();
            self.powered.outputs[Wiring::chip(id)] = shown.unwrap_or(0);
        }
        *self.powered.image.memory_mut() = *state.memory;
        self.powered.sync_buttons();
        // At power-up the wires may have any level, so any settled state is valid.
        let start = MovingState::settled(&self.powered.wiring, self.powered.outputs);
        let end = self.interleavings().settle_arbitrarily(start);
        self.apply_end(end)?;
        self.powered.writes.clear();
        self.sync_sequencer();
        Ok(())
    }

    /// Replaces the program chip. The circuit must be powered up again before its next edge.
    pub fn insert(&mut self, board: Board) {
        let program = board.program();
        self.powered.image.burn(Wiring::chip(program), 0, board.chip(program).contents());
        self.board = board;
        self.discard_cycles();
    }

    /// Discards the cached cycles, which were computed from the old contents.
    fn discard_cycles(&mut self) {
        if let Some(cycles) = self.cycles.as_mut().filter(|cycles| !cycles.is_empty()) {
            Arc::make_mut(cycles).clear();
        }
    }

    /// Sets the outputs of all nodes, and then replaces the levels of some stored wires. Data
    /// memory stays the same.
    pub fn set_outputs(&mut self, shown: &Outputs, levels: &[(&Probe, u32)]) {
        self.powered.outputs = *shown;
        for (probe, number) in levels {
            probe.set(*number, &mut self.powered.outputs);
        }
        self.powered.writes.clear();
        self.sync_sequencer();
    }

    /// Sets the levels of stored wires.
    pub fn set_wires(&mut self, probe: &Probe, number: u32) {
        probe.set(number, &mut self.powered.outputs);
    }

    /// Replaces data memory. The panel's buttons and LEDs change to match it.
    pub fn set_memory(&mut self, memory: &[u8; RAM_BYTES]) {
        *self.memory_mut() = *memory;
        self.powered.sync_panel();
    }

    /// Returns data memory for direct changes. They do not update the panel.
    pub fn memory_mut(&mut self) -> &mut [u8; RAM_BYTES] {
        self.powered.image.memory_mut()
    }

    /// Writes a byte to data memory. If it is the cell of the buttons, also sets the buttons to
    /// that byte, in the circuit and in `shown`.
    pub fn write_cell(&mut self, address: RamAddr, byte: u8, shown: &mut Outputs) {
        self.memory_mut()[address.to_usize()] = byte;
        if let Some(buttons) = self.powered.wiring.buttons() {
            self.powered.sync_buttons();
            shown[buttons] = self.powered.outputs[buttons];
        }
    }

    /// Burns a byte of the program.
    pub fn burn_byte(&mut self, address: u32, byte: u8) {
        let address = self.board.program_bytes().start as u32 + address;
        self.powered.image.burn(Wiring::chip(self.board.program()), address, &[byte]);
        self.discard_cycles();
    }

    /// Returns the circuit without plans: it tries all orders on every edge.
    #[cfg(test)]
    pub(crate) fn without_plans(mut self) -> Self {
        self.powered.outputs = self.all_outputs();
        (self.plans, self.cycles) = (None, None);
        self
    }

    /// Returns the circuit without cached cycles: it executes every edge's plan.
    #[cfg(test)]
    pub(crate) fn without_cycles(self) -> Self {
        Self { cycles: None, ..self }
    }

    /// Returns the outputs of all nodes.
    pub fn all_outputs(&self) -> Outputs {
        let plans = self.plans.as_ref();
        plans.map_or(self.powered.outputs, |plans| plans.all_outputs(&self.powered))
    }

    /// Updates the index of the sequencer.
    fn sync_sequencer(&mut self) {
        if let Some(plans) = &mut self.plans {
            plans.sync_sequencer(&self.powered.outputs);
        }
    }

    /// Toggles wires from outside, and settles the board by trying every order of responses.
    #[cold]
    fn toggle_outside(&mut self, wires: u8) -> Result<(), Box<Unsettled>> {
        self.powered.outputs = self.all_outputs();
        let mut moving = MovingState::settled(&self.powered.wiring, self.powered.outputs);
        moving.outputs[OUTSIDE] ^= wires;
        let end = self.interleavings().settle(moving);
        self.apply_end(end)?;
        self.sync_sequencer();
        Ok(())
    }

    fn interleavings(&self) -> Interleavings<'_> {
        Interleavings { wiring: &self.powered.wiring, image: &self.powered.image }
    }

    /// Stores the result of trying all orders.
    fn apply_end(&mut self, end: Result<MovingState, Indefinite>) -> Result<(), Box<Unsettled>> {
        let end = end.map_err(|indefinite| {
            let wiring = &self.powered.wiring;
            Box::new(Unsettled::new(
                &self.board,
                indefinite.cause,
                |net| wiring.output_bit(net).is_high(&self.powered.outputs),
                |net| wiring.output_bit(net).is_high(&indefinite.moving),
            ))
        })?;
        self.powered.outputs = end.outputs;
        for (cell, new) in end.writes {
            self.powered.write(cell, new);
        }
        Ok(())
    }
}

impl Circuit for Settled {
    fn board(&self) -> &Board {
        &self.board
    }

    fn edge(&mut self) -> Result<(), Box<Unsettled>> {
        self.edges(1)
    }

    #[inline]
    fn edges(&mut self, count: u32) -> Result<(), Box<Unsettled>> {
        for _ in 0..count {
            let board = &mut self.powered;
            if !self.plans.as_mut().is_some_and(|plans| plans.advance(board)) {
                self.toggle_outside(OSCILLATOR)?;
            }
        }
        if let Some(plans) = &self.plans {
            plans.show_sequencer(&mut self.powered.outputs);
        }
        Ok(())
    }

    fn set_reset(&mut self, high: bool) -> Result<(), Box<Unsettled>> {
        let is_high = self.all_outputs()[OUTSIDE] & RESET != 0;
        if is_high == high { Ok(()) } else { self.toggle_outside(RESET) }
    }

    fn level(&self, net: NetId) -> bool {
        self.powered.wiring.output_bit(net).is_high(&self.all_outputs())
    }

    fn levels(&self) -> Vec<bool> {
        let (wiring, shown) = (&self.powered.wiring, self.all_outputs());
        self.board.net_ids().map(|net| wiring.output_bit(net).is_high(&shown)).collect()
    }

    fn probe(&self, nets: &[NetId]) -> Probe {
        let wires: Vec<(u8, OutputBit)> =
            (0..).zip(nets).map(|(bit, &net)| (bit, self.powered.wiring.output_bit(net))).collect();
        let derived = self
            .plans
            .as_ref()
            .is_some_and(|plans| wires.iter().any(|(_, wire)| plans.is_derived(*wire)));
        Probe::on_outputs(&wires, derived)
    }

    #[inline]
    fn read(&self, probe: &Probe) -> u32 {
        if probe.derived {
            probe.read_outputs(&self.all_outputs())
        } else {
            probe.read_outputs(&self.powered.outputs)
        }
    }

    fn shown(&self, chip: ChipId) -> u8 {
        self.all_outputs()[Wiring::chip(chip)]
    }

    fn memory(&self) -> &[u8; RAM_BYTES] {
        self.powered.image.memory()
    }

    fn poke(&mut self, address: RamAddr, byte: u8) -> Result<(), Box<Unsettled>> {
        self.powered.outputs = self.all_outputs();
        self.powered.image.memory_mut()[address.to_usize()] = byte;
        if self.board.panel().is_some() && panel::is_led(address) {
            self.powered.sync_panel();
        }
        self.powered.sync_buttons();
        let start = MovingState::settled(&self.powered.wiring, self.powered.outputs);
        let end = self.interleavings().settle(start);
        self.apply_end(end)?;
        self.sync_sequencer();
        Ok(())
    }

    fn writes(&self) -> &[Write] {
        &self.powered.writes
    }

    fn clear_writes(&mut self) {
        self.powered.writes.clear();
    }

    fn save(&self) -> CircuitState {
        CircuitState::Settled {
            shown: self.all_outputs(),
            memory: Box::new(*self.memory()),
            writes: self.powered.writes.clone(),
        }
    }

    fn restore(&mut self, state: &CircuitState) {
        let CircuitState::Settled { shown, memory, writes } = state else { panic!("{OTHER_KIND}") };
        *self.memory_mut() = **memory;
        self.powered.outputs = *shown;
        self.powered.writes.clone_from(writes);
        self.sync_sequencer();
    }

    fn set_levels(&mut self, levels: &[(&Probe, u32)]) -> bool {
        let shown = self.all_outputs();
        self.set_outputs(&shown, levels);
        true
    }

    /// The edges take 8 ms if all of them have plans, and 1 ms if their cycles are cached. An edge
    /// without a plan takes about as long as 30 with one.
    fn slice_edges(&self) -> u64 {
        let is_planned = self.plans.as_ref().is_some_and(CompiledPlans::have_sufficed);
        if is_planned { 1 << 19 } else { 1 << 14 }
    }
}

impl RunsCycles for Settled {
    #[inline]
    fn run_cycles(
        &mut self,
        phase: &Probe,
        edges: u32,
        limit: u64,
        reported: RamAddr,
        stops_before: impl Fn(u32) -> bool,
    ) -> u64 {
        let (Some(plans), Some(cycles)) = (&mut self.plans, &mut self.cycles) else { return 0 };
        let sequencer = &plans.sequencer;
        let cycle_edges = plans.index().and_then(|index| sequencer.cycle_edges(index));
        if !phase.is_on(sequencer.state()) || cycle_edges != Some(edges) {
            return 0;
        }
        Arc::make_mut(cycles).run(plans, &mut self.powered, limit, reported, stops_before)
    }
}

#[cfg(test)]
mod tests;
