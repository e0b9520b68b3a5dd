//! The timed engine: every address pin that changes takes effect at its own time.
//!
//! A chip has a minimum and a maximum delay. An address pin that changes takes effect on the whole
//! chip at one random time between them. The order of the pins is therefore random. The chip then
//! outputs the byte at the resulting address. Because the pin affects all outputs at once, a chip
//! never reads back its new output before it has noticed the change that caused it. In the harder
//! setting (`mixes`), a chip that is not a counter also briefly outputs the bytes at random mixes
//! of the old and new levels. A wire that changes back before it takes effect may never be noticed.
//!
//! Optionally, ROMs also glitch as real ones may: one in N address changes briefly disturbs outputs
//! that have the same value before and after. Wires have no inertia, so an input may notice even
//! the shortest pulse. Only a filter suppresses pulses. A filtered wire follows its data pin at a
//! random time between the filter's two delays, and not at all if the pin changes back before that.
//!
//! Data memory stores the levels of its data pins when nWE rises. If its address changes during a
//! write, it also writes to the cell at the old address. Two drivers of a wire may overlap while
//! their enables take effect, for at most one access time. Where they differ, the level of the wire
//! is random. A wire without a driver keeps its level.

pub(super) mod state;
mod timing;

use std::collections::VecDeque;

use gray1_board::role::Role;
use gray1_board::{Board, Chip, ChipId, DataPin, Driver, Filter, NetId, Pin, Source, number};
use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::{BUTTONS, leds};
use gray1_isa::{RamAddr, SplitMix64, Write};

use super::cycles::RunsCycles;
use super::interface::{ChipState, Circuit, CircuitState, OTHER_KIND};
use super::probe::Probe;
use super::settled::Settled;
use super::unsettled::{ENDLESS, Unsettled};
use state::{Change, Event, Glitch, InputPin, Target, TimedChip, TimedState};
pub use timing::{Noise, PULSE_PS, Timing};

/// The maximum number of events in a phase. A board with more is assumed never to settle. The stock
/// board needs at most a few hundred.
const EVENTS_MAX: u32 = 100_000;

/// A board with delays.
#[derive(Debug, Clone)]
pub struct Timed {
    board: Board,
    timing: Timing,
    /// For each wire, the inputs that read it: the chip, and the index of the pin.
    readers: Vec<Vec<(usize, usize)>>,
    state: TimedState,
}

impl TimedState {
    /// Returns the state of a board whose wires have settled.
    fn from_settled(circuit: &Settled, seed: u64) -> Self {
        let board = circuit.board();
        let levels = circuit.levels();
        let chips = board
            .chip_ids()
            .map(|id| TimedChip::new(board.chip(id), circuit.shown(id), &levels))
            .collect();
        Self {
            random: SplitMix64::new(seed),
            now_ps: 0,
            levels,
            chips,
            memory: Box::new(*circuit.memory()),
            writes: Vec::new(),
            events: VecDeque::new(),
            movements: 0,
            glitches: 0,
            glitched: 0,
            changes: Vec::new(),
        }
    }
}

impl Timed {
    /// Powers up a board. Reset and oscillator are low, and the chips have arbitrary outputs. The
    /// oscillator starts after all wires have settled.
    ///
    /// # Errors
    /// If they do not settle.
    pub fn new(board: &Board, state: &ChipState, timing: Timing) -> Result<Self, Box<Unsettled>> {
        let state = TimedState::from_settled(&Settled::new(board, state)?, timing.seed);
        Ok(Self { readers: readers(board), timing, state, board: board.clone() })
    }

    /// The number of glitches that the ROMs have made since power-up.
    pub const fn glitches(&self) -> u64 {
        self.state.glitches
    }

    /// Returns the level that a wire is driven to. A wire without a driver keeps its level.
    fn driven_level(&mut self, net: NetId) -> bool {
        let shows = |pin: DataPin, circuit: &Self| {
            circuit.state.chips[pin.chip.index()].shown >> pin.pin & 1 == 1
        };
        match self.board.net(net).driver {
            Driver::Outside => self.state.levels[net.index()],
            Driver::Chip(pin) => shows(pin, self),
            Driver::Shared { low, high, .. } => {
                let (low_on, high_on) = (
                    self.state.chips[low.chip.index()].enabled,
                    self.state.chips[high.chip.index()].enabled,
                );
                match (low_on, high_on) {
                    (true, false) => shows(low, self),
                    (false, true) => shows(high, self),
                    (true, true) if shows(low, self) == shows(high, self) => shows(low, self),
                    (true, true) => self.state.random.coin(),
                    (false, false) => self.state.levels[net.index()],
                }
            }
        }
    }

    fn move_wire(&mut self, net: NetId, level: bool) {
        if self.state.levels[net.index()] == level {
            return;
        }
        let memory = self.board.memory();
        if level && self.board.chip(memory).write_enable_low() == Some(net) {
            self.end_write(memory);
        }
        self.state.levels[net.index()] = level;
        let time_ps = self.state.now_ps;
        self.state.changes.push(Change { time_ps, net, level });
        self.schedule_inputs(net, level);
    }

    /// Schedules the times at which each input on a wire notices its level.
    fn schedule_inputs(&mut self, net: NetId, level: bool) {
        self.state.movements += 1;
        for index in 0..self.readers[net.index()].len() {
            let (chip, pin) = self.readers[net.index()][index];
            let delay_ps = &self.timing.delays_ps[chip];
            let delay_ps = self.state.random.between(*delay_ps.start(), *delay_ps.end());
            let time_ps = self.state.now_ps + delay_ps;
            self.state.chips[chip].pins[pin].moved = self.state.movements;
            let movement = self.state.movements;
            let target = Target::Input(pin);
            self.state.schedule(Event { time_ps, movement, chip, target, level });
        }
    }

    /// Applies an event.
    fn apply(&mut self, event: Event) {
        match event.target {
            Target::Input(pin) => self.notice(event, pin),
            Target::Output(pin) => self.follow(event, pin),
            Target::Glitch => self.end_glitch(event),
        }
    }

    /// Makes an input notice the change of its wire, unless it has already noticed a later change.
    fn notice(&mut self, Event { movement, chip, level, .. }: Event, pin: usize) {
        let listening = &self.state.chips[chip];
        if listening.pins[pin].noticed > movement {
            return;
        }
        if self.timing.mixes && !listening.counts {
            self.output_mix(chip);
        }
        self.state.chips[chip].pins[pin].noticed = movement;
        if pin == self.board.chips()[chip].address.len() {
            self.enable(chip, level);
        } else {
            let bit = 1 << pin;
            let before = self.state.chips[chip].address;
            let address = before & !bit | u32::from(level) << pin;
            self.corrupt_old_cell(chip, address);
            self.state.chips[chip].address = address;
            if address != before {
                self.maybe_glitch(chip, before);
            }
        }
        self.look_up(chip, self.state.chips[chip].address);
    }

    /// Briefly outputs the byte at a random mix of the changing address pins.
    fn output_mix(&mut self, chip: usize) {
        let mut address = self.state.chips[chip].address;
        let sources = &self.board.chips()[chip].address;
        for (pin, (source, input)) in sources.iter().zip(&self.state.chips[chip].pins).enumerate() {
            if input.noticed != input.moved
                && let Some(net) = source.net()
                && self.state.random.coin()
            {
                address = address & !(1 << pin) | u32::from(self.state.levels[net.index()]) << pin;
            }
        }
        self.look_up(chip, address);
    }

    /// Makes a ROM glitch on one in N address changes, if glitches are enabled: some of the outputs
    /// that should stay constant are briefly inverted.
    fn maybe_glitch(&mut self, chip: usize, before: u32) {
        let Some(one_in) = self.timing.glitch else { return };
        let described = &self.board.chips()[chip];
        if !described.is_burned() || self.state.random.below(one_in.get()) != 0 {
            return;
        }
        let after = self.state.chips[chip].address;
        let [before, after] = [before, after].map(|address| described.contents()[address as usize]);
        let wired = (1_u32 << described.data.len()) - 1;
        let still = !(before ^ after) & wired as u8;
        let pulses = self.state.random.byte() & still;
        if pulses == 0 {
            return;
        }
        let width_ps = self.state.random.between(1, self.timing.pulse_ps);
        self.state.movements += 1;
        self.state.glitches += 1;
        self.state.glitched |= 1 << chip;
        let movement = self.state.movements;
        self.state.chips[chip].glitch = Glitch { pulses, end: movement };
        let time_ps = self.state.now_ps + width_ps;
        let target = Target::Glitch;
        self.state.schedule(Event { time_ps, movement, chip, target, level: false });
    }

    /// Ends a glitch, unless another one has begun in the meantime.
    fn end_glitch(&mut self, Event { chip, movement, .. }: Event) {
        if self.state.chips[chip].glitch.end == movement {
            self.state.chips[chip].glitch = Glitch::default();
            self.look_up(chip, self.state.chips[chip].address);
        }
    }

    /// Outputs the byte at an address.
    fn look_up(&mut self, chip: usize, address: u32) {
        let described = &self.board.chips()[chip];
        let shown = match described.role() {
            Role::Memory => self.state.memory[address as usize],
            _ => described.contents()[address as usize] ^ self.state.chips[chip].glitch.pulses,
        };
        let moved = std::mem::replace(&mut self.state.chips[chip].shown, shown) ^ shown;
        if moved != 0 {
            self.drive(chip, moved);
        }
    }

    /// Updates the wires on some outputs of a chip.
    fn drive(&mut self, chip: usize, wires: u8) {
        for pin in 0..self.board.chips()[chip].data.len() {
            if wires >> pin & 1 == 1 {
                let net = self.board.chips()[chip].data[pin];
                let level = self.driven_level(net);
                match self.board.net(net).filter {
                    Some(filter) => self.schedule_output(chip, pin, filter, level),
                    None => self.move_wire(net, level),
                }
            }
        }
    }

    /// Schedules the time at which a filtered wire follows its data pin.
    fn schedule_output(&mut self, chip: usize, pin: usize, filter: Filter, level: bool) {
        self.state.movements += 1;
        let movement = self.state.movements;
        self.state.chips[chip].outputs[pin] = movement;
        let delay_ps = self.state.random.between(filter.stops_ps(), filter.delay_ps());
        let (time_ps, target) = (self.state.now_ps + delay_ps, Target::Output(pin));
        self.state.schedule(Event { time_ps, movement, chip, target, level });
    }

    /// Makes a filtered wire follow its data pin, unless the pin has changed again in the meantime.
    fn follow(&mut self, Event { movement, chip, level, .. }: Event, pin: usize) {
        if self.state.chips[chip].outputs[pin] == movement {
            self.move_wire(self.board.chips()[chip].data[pin], level);
        }
    }

    fn enable(&mut self, chip: usize, level: bool) {
        self.state.chips[chip].enabled = self.board.chips()[chip].output.is_on(|_| level);
        self.drive(chip, u8::MAX);
    }

    /// Corrupts the old cell when the address of data memory changes during a write.
    fn corrupt_old_cell(&mut self, chip: usize, address: u32) {
        let written = chip == self.board.memory().index() && !self.state.chips[chip].enabled;
        let left = self.state.chips[chip].address;
        if written && left != address {
            let byte = self.bus();
            self.store(left, byte);
        }
    }

    /// Stores the levels of the data pins at the address that data memory has noticed.
    fn end_write(&mut self, memory: ChipId) {
        let listening = &self.state.chips[memory.index()];
        // A write that is too short to be noticed may still change the cell.
        let cell = listening.address;
        if !listening.enabled || self.timing.mixes && self.state.random.coin() {
            let byte = self.bus();
            self.store(cell, byte);
        }
    }

    /// Returns whether the buttons replace this cell. A byte stored there cannot be read. The cell
    /// has the state of the buttons instead.
    fn is_buttons_cell(&self, address: RamAddr) -> bool {
        self.board.panel().is_some() && address == BUTTONS
    }

    /// Sets the LEDs of a panel to a byte that was not stored by the board. Both the latch and its
    /// wires change at once.
    fn set_leds(&mut self, address: RamAddr, byte: u8) {
        let row = leds().position(|led| led == address);
        let Some((row, panel)) = row.zip(self.board.panel()) else { return };
        for (bit, net) in panel.leds.iter().skip(8 * row).take(8).enumerate() {
            let Driver::Chip(pin) = self.board.net(*net).driver else { continue };
            let (high, latch) = (byte >> bit & 1, &mut self.state.chips[pin.chip.index()]);
            latch.shown = latch.shown & !(1 << pin.pin) | high << pin.pin;
            for read in self.board.chip(pin.chip).pins_reading(*net) {
                latch.address = latch.address & !(1 << read) | u32::from(high) << read;
            }
            if self.state.levels[net.index()] != (high == 1) {
                self.state.levels[net.index()] = high == 1;
                let time_ps = self.state.now_ps;
                self.state.changes.push(Change { time_ps, net: *net, level: high == 1 });
            }
        }
    }

    /// Returns the byte on the wires of data memory.
    fn bus(&self) -> u8 {
        let data = &self.board.chip(self.board.memory()).data;
        number(data, |net| self.state.levels[net.index()]) as u8
    }

    fn store(&mut self, cell: u32, new: u8) {
        let address = RamAddr::truncate(cell as u16);
        let old = self.state.memory[address.to_usize()];
        if !self.is_buttons_cell(address) {
            self.state.memory[address.to_usize()] = new;
        }
        self.state.writes.push(Write { address, old, new });
    }

    /// Advances the time.
    fn advance(&mut self, duration_ps: u64) -> Result<(), Box<Unsettled>> {
        let end_ps = self.state.now_ps + duration_ps;
        let mut count = 0;
        let mut moving = Vec::new();
        while let Some(event) = self.state.events.front().copied()
            && event.time_ps < end_ps
        {
            self.state.events.pop_front();
            self.state.now_ps = event.time_ps;
            self.apply(event);
            count += 1;
            if let Target::Input(pin) = event.target
                && count > EVENTS_MAX / 2
            {
                moving.extend(self.board.chips()[event.chip].wire(pin as u8));
            }
            if count > EVENTS_MAX {
                return Err(Box::new(Unsettled::new(
                    &self.board,
                    ENDLESS,
                    |net| self.state.levels[net.index()],
                    |net| moving.contains(&net),
                )));
            }
        }
        self.state.now_ps = end_ps;
        Ok(())
    }
}

fn readers(board: &Board) -> Vec<Vec<(usize, usize)>> {
    let all = board.net_ids().map(|net| {
        let readers = board.readers(net).map(|(chip, pin)| match pin {
            Pin::Address(pin) => (chip.index(), usize::from(pin)),
            _ => (chip.index(), board.chip(chip).address.len()),
        });
        readers.collect()
    });
    all.collect()
}

impl TimedChip {
    fn new(chip: &Chip, shown: u8, levels: &[bool]) -> Self {
        let bits = chip.address.iter().enumerate().map(|(pin, source)| match source {
            Source::Tied(level) => u32::from(*level) << pin,
            Source::Net(net) => u32::from(levels[net.index()]) << pin,
        });
        Self {
            pins: vec![InputPin::default(); chip.address.len() + 1],
            address: bits.sum(),
            shown,
            outputs: [0; 8],
            glitch: Glitch::default(),
            enabled: chip.output.is_on(|net| levels[net.index()]),
            counts: matches!(chip.role(), Role::Counter(_)),
        }
    }
}

impl RunsCycles for Timed {}

impl Circuit for Timed {
    fn board(&self) -> &Board {
        &self.board
    }

    fn edge(&mut self) -> Result<(), Box<Unsettled>> {
        self.state.clear_changes();
        let oscillator = self.board.oscillator();
        self.move_wire(oscillator, !self.state.levels[oscillator.index()]);
        self.advance(self.timing.phase_ps)
    }

    /// Changes reset, a whole phase after the last edge of the oscillator. The next edge follows a
    /// whole phase later.
    fn set_reset(&mut self, high: bool) -> Result<(), Box<Unsettled>> {
        self.state.clear_changes();
        self.move_wire(self.board.reset(), high);
        self.advance(self.timing.phase_ps)
    }

    fn level(&self, net: NetId) -> bool {
        self.state.levels[net.index()]
    }

    fn probe(&self, nets: &[NetId]) -> Probe {
        Probe::on_nets(nets)
    }

    fn read(&self, probe: &Probe) -> u32 {
        probe.read_nets(|net| self.state.levels[net.index()])
    }

    fn shown(&self, chip: ChipId) -> u8 {
        self.state.chips[chip.index()].shown
    }

    fn memory(&self) -> &[u8; RAM_BYTES] {
        &self.state.memory
    }

    fn poke(&mut self, address: RamAddr, byte: u8) -> Result<(), Box<Unsettled>> {
        self.state.clear_changes();
        self.state.memory[address.to_usize()] = byte;
        let memory = self.board.memory().index();
        self.look_up(memory, self.state.chips[memory].address);
        self.set_leds(address, byte);
        if self.is_buttons_cell(address) {
            let buttons = self.board.panel().map(|panel| panel.buttons.clone());
            for (bit, net) in buttons.into_iter().flatten().enumerate() {
                self.move_wire(net, byte >> bit & 1 == 1);
            }
        }
        self.advance(self.timing.phase_ps)
    }

    fn writes(&self) -> &[Write] {
        &self.state.writes
    }

    fn clear_writes(&mut self) {
        self.state.writes.clear();
    }

    fn changes(&self) -> &[Change] {
        &self.state.changes
    }

    fn has_glitched(&self, chip: ChipId) -> bool {
        self.state.glitched >> chip.index() & 1 == 1
    }

    fn time_ps(&self) -> Option<u64> {
        Some(self.state.now_ps)
    }

    fn save(&self) -> CircuitState {
        CircuitState::Timed(Box::new(self.state.clone()))
    }

    fn restore(&mut self, state: &CircuitState) {
        let CircuitState::Timed(state) = state else { panic!("{OTHER_KIND}") };
        self.state.clone_from(state);
    }

    fn slice_edges(&self) -> u64 {
        1 << 11
    }
}

#[cfg(test)]
mod tests;
