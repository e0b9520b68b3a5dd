//! The timed engine: every moving address pin takes effect at an instant of its own.
//!
//! A chip has a shortest and a longest delay. An address pin that moves takes effect on the
//! whole chip at one random instant between them, wires in any order, and the chip then shows
//! the contents of the address so formed. So a chip's output never precedes, in its own
//! feedback, the wire that caused it. In the harder setting a chip other than a counter also shows,
//! for a moment, the contents of random mixes of the wires under way. A wire that moves back
//! before it has taken effect may never be noticed.
//!
//! If asked to, ROMs glitch besides, as real ones may: in one of so many arrivals of an address
//! wire, outputs that are the same before and after show something else for some nanoseconds. Wires
//! have no inertia, so a reader may notice the shortest of these pulses. Only where the board has a
//! filter a wire follows its data pin later, at a random instant between the filter's two times,
//! and not at all if the pin moves back before.
//!
//! Data memory takes, as nWE rises, what its data pins carry; while it is written, a moving
//! address pin also spoils the cell it leaves. Two drivers of one wire can overlap for as long
//! as their enables take to arrive, which is one access time at most; where they disagree the
//! wire is anything, and a wire that no chip drives keeps its level.

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
use state::{Arrival, Change, Glitch, InputPin, Target, TimedChip, TimedState};
pub use timing::{Noise, PULSE_PS, Timing};

/// Arrivals in a phase after which a board is taken never to come to rest. The stock board needs a
/// few hundred at most.
const ARRIVALS_MAX: u32 = 100_000;

/// A board in time.
#[derive(Debug, Clone)]
pub struct Timed {
    board: Board,
    timing: Timing,
    /// For each wire the inputs on it: chip and place among its pins.
    readers: Vec<Vec<(usize, usize)>>,
    state: TimedState,
}

impl TimedState {
    /// The state of a board whose wires are all at rest.
    fn at_rest(circuit: &Settled, seed: u64) -> Self {
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
            arrivals: VecDeque::new(),
            movements: 0,
            glitches: 0,
            glitched: 0,
            changes: Vec::new(),
        }
    }
}

impl Timed {
    /// Powers a board up: reset and oscillator low, the chips showing what they happen to show.
    /// The oscillator starts when all wires have come to rest somewhere.
    ///
    /// # Errors
    /// If they do not.
    pub fn new(board: &Board, state: &ChipState, timing: Timing) -> Result<Self, Box<Unsettled>> {
        let state = TimedState::at_rest(&Settled::new(board, state)?, timing.seed);
        Ok(Self { readers: readers(board), timing, state, board: board.clone() })
    }

    /// The number of glitches that its ROMs have made since the power came up.
    #[must_use]
    pub const fn glitches(&self) -> u64 {
        self.state.glitches
    }

    /// The level that a wire is driven to; it keeps its own while no chip drives it.
    fn driven(&mut self, net: NetId) -> bool {
        let shows = |pin: DataPin, circuit: &Self| {
            circuit.state.chips[pin.chip.index()].shown >> pin.pin & 1 == 1
        };
        match self.board.net(net).driver() {
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
        self.announce(net, level);
    }

    /// Schedules when each input on a wire notices its level.
    fn announce(&mut self, net: NetId, level: bool) {
        self.state.movements += 1;
        for index in 0..self.readers[net.index()].len() {
            let (chip, pin) = self.readers[net.index()][index];
            let (shortest, longest) = self.timing.delays_ps[chip];
            let time_ps = self.state.now_ps + self.state.random.between(shortest, longest);
            self.state.chips[chip].pins[pin].moved = self.state.movements;
            let movement = self.state.movements;
            let target = Target::Input(pin);
            self.state.schedule(Arrival { time_ps, movement, chip, target, level });
        }
    }

    /// A movement takes effect.
    fn arrive(&mut self, arrival: Arrival) {
        match arrival.target {
            Target::Input(pin) => self.notice(arrival, pin),
            Target::Output(pin) => self.follow(arrival, pin),
            Target::Glitch => self.end_glitch(arrival),
        }
    }

    /// An input notices that its wire has moved, unless it has noticed a later movement before.
    fn notice(&mut self, Arrival { movement, chip, level, .. }: Arrival, pin: usize) {
        let listening = &self.state.chips[chip];
        if listening.pins[pin].noticed > movement {
            return;
        }
        if self.timing.mixes && !listening.counts {
            self.show_a_mix(chip);
        }
        self.state.chips[chip].pins[pin].noticed = movement;
        if pin == self.board.chips()[chip].address().len() {
            self.enable(chip, level);
        } else {
            let bit = 1 << pin;
            let before = self.state.chips[chip].address;
            let address = before & !bit | u32::from(level) << pin;
            self.spoil(chip, address);
            self.state.chips[chip].address = address;
            if address != before {
                self.perhaps_glitch(chip, before);
            }
        }
        self.look_up(chip, self.state.chips[chip].address);
    }

    /// For a moment the chip shows the contents of some mix of the wires under way.
    fn show_a_mix(&mut self, chip: usize) {
        let mut address = self.state.chips[chip].address;
        let sources = self.board.chips()[chip].address();
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

    /// One in so many moves of an address makes a ROM glitch, if it is to: for a moment some of the
    /// outputs that should stay still show the contrary.
    fn perhaps_glitch(&mut self, chip: usize, before: u32) {
        let Some(one_in) = self.timing.glitch else { return };
        let described = &self.board.chips()[chip];
        if !described.is_burned() || self.state.random.below(one_in.get()) != 0 {
            return;
        }
        let after = self.state.chips[chip].address;
        let [before, after] = [before, after].map(|address| described.contents()[address as usize]);
        let wired = (1_u32 << described.data().len()) - 1;
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
        self.state.schedule(Arrival { time_ps, movement, chip, target, level: false });
    }

    /// A glitch is over, unless another one has begun in the meantime.
    fn end_glitch(&mut self, Arrival { chip, movement, .. }: Arrival) {
        if self.state.chips[chip].glitch.end == movement {
            self.state.chips[chip].glitch = Glitch::default();
            self.look_up(chip, self.state.chips[chip].address);
        }
    }

    /// The chip shows the contents of an address.
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

    /// Wires of a chip follow what it shows.
    fn drive(&mut self, chip: usize, wires: u8) {
        for pin in 0..self.board.chips()[chip].data().len() {
            if wires >> pin & 1 == 1 {
                let net = self.board.chips()[chip].data()[pin];
                let level = self.driven(net);
                match self.board.net(net).filter() {
                    Some(filter) => self.charge(chip, pin, filter, level),
                    None => self.move_wire(net, level),
                }
            }
        }
    }

    /// Schedules when the wire behind a filter follows its data pin.
    fn charge(&mut self, chip: usize, pin: usize, filter: Filter, level: bool) {
        self.state.movements += 1;
        let movement = self.state.movements;
        self.state.chips[chip].outputs[pin] = movement;
        let delay_ps = self.state.random.between(filter.stops_ps(), filter.delay_ps());
        let (time_ps, target) = (self.state.now_ps + delay_ps, Target::Output(pin));
        self.state.schedule(Arrival { time_ps, movement, chip, target, level });
    }

    /// A wire follows its data pin, unless that has moved again in the meantime.
    fn follow(&mut self, Arrival { movement, chip, level, .. }: Arrival, pin: usize) {
        if self.state.chips[chip].outputs[pin] == movement {
            self.move_wire(self.board.chips()[chip].data()[pin], level);
        }
    }

    fn enable(&mut self, chip: usize, level: bool) {
        self.state.chips[chip].enabled = self.board.chips()[chip].output().is_on(|_| level);
        self.drive(chip, u8::MAX);
    }

    /// Data memory that is being written loses the cell that its address leaves.
    fn spoil(&mut self, chip: usize, address: u32) {
        let written = chip == self.board.memory().index() && !self.state.chips[chip].enabled;
        let left = self.state.chips[chip].address;
        if written && left != address {
            let byte = self.bus();
            self.take(left, byte);
        }
    }

    /// Data memory takes what its data pins carry, at the address it has noticed.
    fn end_write(&mut self, memory: ChipId) {
        let listening = &self.state.chips[memory.index()];
        // A write too short to be noticed may still be one.
        let cell = listening.address;
        if !listening.enabled || self.timing.mixes && self.state.random.coin() {
            let byte = self.bus();
            self.take(cell, byte);
        }
    }

    /// True if the buttons answer in place of this cell. A byte that is stored there cannot be
    /// seen; the buttons stand in its place.
    fn is_answered(&self, address: RamAddr) -> bool {
        self.board.panel().is_some() && address == BUTTONS
    }

    /// Lets a panel's LEDs show a byte that nothing has stored. Their latch has it at once, on its
    /// wires and behind them.
    fn light(&mut self, address: RamAddr, byte: u8) {
        let row = leds().position(|led| led == address);
        let Some((row, panel)) = row.zip(self.board.panel()) else { return };
        for (bit, net) in panel.leds.iter().skip(8 * row).take(8).enumerate() {
            let Driver::Chip(pin) = self.board.net(*net).driver() else { continue };
            let (high, latch) = (byte >> bit & 1, &mut self.state.chips[pin.chip.index()]);
            latch.shown = latch.shown & !(1 << pin.pin) | high << pin.pin;
            for read in self.board.chip(pin.chip).pins_reading(*net) {
                latch.address = latch.address & !(1 << read) | u32::from(high) << read;
            }
            self.state.levels[net.index()] = high == 1;
        }
    }

    /// The byte on data memory's wires.
    fn bus(&self) -> u8 {
        let data = self.board.chip(self.board.memory()).data();
        number(data, |net| self.state.levels[net.index()]) as u8
    }

    fn take(&mut self, cell: u32, new: u8) {
        let address = RamAddr::truncate(cell as u16);
        let old = self.state.memory[address.to_usize()];
        if !self.is_answered(address) {
            self.state.memory[address.to_usize()] = new;
        }
        self.state.writes.push(Write { address, old, new });
    }

    /// Lets time pass.
    fn pass(&mut self, duration_ps: u64) -> Result<(), Box<Unsettled>> {
        let end_ps = self.state.now_ps + duration_ps;
        let mut count = 0;
        let mut moving = Vec::new();
        while let Some(arrival) = self.state.arrivals.front().copied()
            && arrival.time_ps < end_ps
        {
            self.state.arrivals.pop_front();
            self.state.now_ps = arrival.time_ps;
            self.arrive(arrival);
            count += 1;
            if let Target::Input(pin) = arrival.target
                && count > ARRIVALS_MAX / 2
            {
                moving.extend(self.board.chips()[arrival.chip].wire(pin as u8));
            }
            if count > ARRIVALS_MAX {
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
    let place = |chip: ChipId, pin| match pin {
        Pin::Address(pin) => usize::from(pin),
        _ => board.chip(chip).address().len(),
    };
    let readers = |net| board.readers(net).map(|(chip, pin)| (chip.index(), place(chip, pin)));
    board.net_ids().map(|net| readers(net).collect()).collect()
}

impl TimedChip {
    fn new(chip: &Chip, shown: u8, levels: &[bool]) -> Self {
        let bits = chip.address().iter().enumerate().map(|(pin, source)| match source {
            Source::Tied(level) => u32::from(*level) << pin,
            Source::Net(net) => u32::from(levels[net.index()]) << pin,
        });
        Self {
            pins: vec![InputPin::default(); chip.address().len() + 1],
            address: bits.sum(),
            shown,
            outputs: [0; 8],
            glitch: Glitch::default(),
            enabled: chip.output().is_on(|net| levels[net.index()]),
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
        self.state.forget_movements();
        let oscillator = self.board.oscillator();
        self.move_wire(oscillator, !self.state.levels[oscillator.index()]);
        self.pass(self.timing.phase_ps)
    }

    /// Reset moves a whole phase after the last edge of the oscillator, and the next one comes a
    /// whole phase later.
    fn set_reset(&mut self, high: bool) -> Result<(), Box<Unsettled>> {
        self.state.forget_movements();
        self.move_wire(self.board.reset(), high);
        self.pass(self.timing.phase_ps)
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
        self.state.forget_movements();
        self.state.memory[address.to_usize()] = byte;
        let memory = self.board.memory().index();
        self.look_up(memory, self.state.chips[memory].address);
        self.light(address, byte);
        if self.is_answered(address) {
            let buttons = self.board.panel().map(|panel| panel.buttons.clone());
            for (bit, net) in buttons.into_iter().flatten().enumerate() {
                self.move_wire(net, byte >> bit & 1 == 1);
            }
        }
        self.pass(self.timing.phase_ps)
    }

    fn writes(&self) -> &[Write] {
        &self.state.writes
    }

    fn forget_writes(&mut self) {
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
