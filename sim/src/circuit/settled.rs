//! The settled engine: each edge of the oscillator to its fixed point.
//!
//! Nodes that nothing moves are not looked up. What moves is planned once for each transition of
//! the sequencer ([`super::plan`]); transitions without a plan, and boards without a sequencer,
//! are settled by trying every order in which the chips can answer ([`super::orders`]).

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Image, RamAddr};

use super::orders::{Disorder, Orders, State};
use super::planned::{Outcome, Planned};
use super::probe::Probe;
use super::store::Store;
use super::wiring::{NODES_MAX, OSCILLATOR, OUTSIDE, Outputs, RESET, Signal, Wiring};
use super::{Circuit, PowerUp, Unsettled, Write};
use crate::board::{Board, ChipId, NetId};

/// A board whose lines come to rest between any two edges.
#[derive(Debug, Clone)]
pub struct Settled {
    board: Board,
    wiring: Wiring,
    store: Store,
    /// What the nodes show; with plans, [`Planned::complete`] brings it up to date.
    outputs: Outputs,
    writes: Vec<Write>,
    planned: Option<Planned>,
}

impl Settled {
    /// Powers a board up: reset low, oscillator low, the chips holding what they happen to hold.
    ///
    /// # Errors
    /// If the board does not come to rest.
    pub fn power_up(board: &Board, power_up: &PowerUp) -> Result<Self, Box<Unsettled>> {
        let wiring = Wiring::new(board);
        let mut circuit = Self {
            store: Store::new(board, &wiring, &power_up.memory),
            planned: Planned::of(&wiring),
            outputs: [0; NODES_MAX],
            writes: Vec::new(),
            board: board.clone(),
            wiring,
        };
        circuit.power_up_again(power_up)?;
        Ok(circuit)
    }

    /// Switches the power off and on again.
    ///
    /// # Errors
    /// If the board does not come to rest.
    pub fn power_up_again(&mut self, power_up: &PowerUp) -> Result<(), Box<Unsettled>> {
        self.outputs = [0; NODES_MAX];
        for id in self.board.chip_ids() {
            let shown = power_up.outputs.get(id.index()).copied();
            self.outputs[Wiring::chip(id)] = shown.unwrap_or(0);
        }
        *self.store.memory_mut() = *power_up.memory;
        // Power comes up anyhow: any state of rest will do.
        let start = State::settled(&self.wiring, self.outputs);
        let end = self.orders().settle_somehow(start);
        self.rest(end)?;
        self.writes.clear();
        self.stand();
        Ok(())
    }

    /// Puts another program into its socket. To be done before the power comes up again.
    pub fn insert(&mut self, program: &Image) {
        self.board = self.board.with_program(program);
        let id = self.board.program();
        self.store.burn(Wiring::chip(id), 0, self.board.chip(id).contents());
    }

    /// What all nodes show, to come back to it.
    pub(crate) fn snapshot(&self) -> Outputs {
        self.shown_now()
    }

    /// Comes back to a snapshot, but with other levels on remembered lines. Data memory stays.
    pub(crate) fn place(&mut self, snapshot: &Outputs, levels: &[(&Probe, u32)]) {
        self.outputs = *snapshot;
        for (probe, number) in levels {
            probe.put(*number, &mut self.outputs);
        }
        self.writes.clear();
        self.stand();
    }

    /// Gives remembered lines other levels.
    pub(crate) fn set_lines(&mut self, probe: &Probe, number: u32) {
        probe.put(number, &mut self.outputs);
    }

    /// Data memory, to set it up.
    pub(crate) fn memory_mut(&mut self) -> &mut [u8; RAM_BYTES] {
        self.store.memory_mut()
    }

    /// Burns a byte of the program.
    pub(crate) fn burn_byte(&mut self, address: u32, byte: u8) {
        self.store.burn(Wiring::chip(self.board.program()), address, &[byte]);
    }

    /// The same circuit, every edge settled by trying all orders.
    #[cfg(test)]
    pub(crate) fn without_plans(mut self) -> Self {
        self.outputs = self.shown_now();
        self.planned = None;
        self
    }

    /// What the nodes show, all of them.
    fn shown_now(&self) -> Outputs {
        let mut outputs = self.outputs;
        if let Some(planned) = &self.planned {
            planned.complete(&self.wiring, &self.store, &mut outputs);
        }
        outputs
    }

    /// Finds where the sequencer stands.
    fn stand(&mut self) {
        if let Some(planned) = &mut self.planned {
            planned.stand_at(&self.outputs);
        }
    }

    /// Brings lines from outside to their other level and tries all orders.
    #[cold]
    fn turn_over(&mut self, lines: u8) -> Result<(), Box<Unsettled>> {
        self.outputs = self.shown_now();
        let mut start = State::settled(&self.wiring, self.outputs);
        start.outputs[OUTSIDE] ^= lines;
        let end = self.orders().settle(start);
        self.rest(end)?;
        self.stand();
        Ok(())
    }

    fn orders(&self) -> Orders<'_> {
        Orders { wiring: &self.wiring, store: &self.store }
    }

    /// Takes over the state in which the board has come to rest.
    fn rest(&mut self, end: Result<State, Disorder>) -> Result<(), Box<Unsettled>> {
        let end = end.map_err(|disorder| {
            let wiring = &self.wiring;
            Box::new(Unsettled::new(
                &self.board,
                disorder.trouble,
                |net| wiring.signal(net).of(&self.outputs),
                |net| wiring.signal(net).of(&disorder.moving),
            ))
        })?;
        self.outputs = end.outputs;
        for (cell, byte) in end.writes {
            self.store.memory_mut()[usize::from(cell)] = byte;
            self.log(cell, byte);
        }
        Ok(())
    }

    fn log(&mut self, cell: u16, byte: u8) {
        self.writes.push(Write { address: RamAddr::truncate(cell), byte });
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
        let mut left = count;
        while left > 0 {
            let (edges, outcome) = match &mut self.planned {
                None => (1, Outcome::Unplanned),
                Some(planned) => {
                    planned.advance(left, &self.wiring, &mut self.store, &mut self.outputs)
                }
            };
            match outcome {
                Outcome::Done => {}
                Outcome::Wrote(cell, byte) => self.log(cell, byte),
                Outcome::Unplanned => self.turn_over(OSCILLATOR)?,
            }
            left -= edges;
        }
        if let Some(planned) = &self.planned {
            planned.show_sequencer(&mut self.outputs);
        }
        Ok(())
    }

    fn set_reset(&mut self, high: bool) -> Result<(), Box<Unsettled>> {
        let is_high = self.shown_now()[OUTSIDE] & RESET != 0;
        if is_high == high { Ok(()) } else { self.turn_over(RESET) }
    }

    fn level(&self, net: NetId) -> bool {
        self.wiring.signal(net).of(&self.shown_now())
    }

    fn probe(&self, nets: &[NetId]) -> Probe {
        let signals: Vec<(u8, Signal)> =
            (0..).zip(nets).map(|(bit, &net)| (bit, self.wiring.signal(net))).collect();
        let derived = self.planned.as_ref().is_some_and(|planned| {
            signals.iter().any(|(_, signal)| planned.is_derived(&self.wiring, *signal))
        });
        Probe::on_outputs(&signals, derived)
    }

    #[inline]
    fn read(&self, probe: &Probe) -> u32 {
        if probe.derived {
            probe.read_outputs(&self.shown_now())
        } else {
            probe.read_outputs(&self.outputs)
        }
    }

    fn shown(&self, chip: ChipId) -> u8 {
        self.shown_now()[Wiring::chip(chip)]
    }

    fn memory(&self) -> &[u8; RAM_BYTES] {
        self.store.memory()
    }

    fn poke(&mut self, write: Write) -> Result<(), Box<Unsettled>> {
        self.outputs = self.shown_now();
        let start = State::settled(&self.wiring, self.outputs);
        self.store.memory_mut()[write.address.to_usize()] = write.byte;
        let end = self.orders().settle(start);
        self.rest(end)?;
        self.stand();
        Ok(())
    }

    fn writes(&self) -> &[Write] {
        &self.writes
    }

    fn forget_writes(&mut self) {
        self.writes.clear();
    }
}
