//! The timed engine: every moving address line takes effect at an instant of its own.
//!
//! A chip has a shortest and a longest delay. An address line that moves takes effect on the
//! whole chip at one random instant between them, lines in any order, and the chip then shows
//! the contents of the address so formed. So a chip's output never precedes, in its own
//! feedback, the line that caused it. In the harder setting a chip that is no counter also shows,
//! for a moment, the contents of random mixes of the lines under way. A line that moves back
//! before it has taken effect may never be noticed.
//!
//! Data memory takes, as nWE rises, what its data lines carry; while it is written, a moving
//! address line also spoils the cell it leaves. Two drivers of one line can overlap for as long
//! as their enables take to arrive, which is one access time at most; where they disagree the
//! line is anything, and where nobody drives it keeps its level.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gray1_isa::RamAddr;
use gray1_isa::address::RAM_BYTES;

use super::chance::Chance;
use super::probe::Probe;
use super::settled::Settled;
use super::unsettled::{Trouble, Unsettled};
use super::{Circuit, PowerUp, Write};
use crate::board::{Board, Chip, ChipId, Driver, NetId, Output, Pin, Role, Source};

/// Events in a phase after which a board is taken to move for ever. The stock board needs a few
/// hundred at most.
const EVENTS_MAX: u32 = 100_000;

/// How fast a board's chips are, and how their delays are chosen.
#[derive(Debug, Clone)]
pub struct Timing {
    /// Shortest and longest delay of each chip in ps, by [`ChipId::index`].
    pub delays_ps: Vec<(u64, u64)>,
    /// From one edge of the oscillator to the next, in ps.
    pub phase_ps: u64,
    /// Whether chips other than counters also show the contents of mixes of moving lines.
    pub mixes: bool,
    /// All that is random follows from it.
    pub seed: u64,
}

/// A line that moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// When, in ps after the power came up.
    pub time_ps: u64,
    /// Which line.
    pub net: NetId,
    /// To which level.
    pub level: bool,
}

/// A board in time.
#[derive(Debug)]
pub struct Timed {
    board: Board,
    timing: Timing,
    chance: Chance,
    now_ps: u64,
    levels: Vec<bool>,
    chips: Vec<Looking>,
    readers: Vec<Vec<(usize, usize)>>,
    memory: Box<[u8; RAM_BYTES]>,
    writes: Vec<Write>,
    events: BinaryHeap<Reverse<Event>>,
    /// Numbers the movements of lines.
    movements: u64,
    changes: Option<Vec<Change>>,
}

/// What a chip has noticed of its inputs.
#[derive(Debug)]
struct Looking {
    /// By address pin; then the enable, if there is one.
    pins: Vec<Input>,
    address: u32,
    shown: u8,
    enabled: bool,
    counts: bool,
}

/// An input pin.
#[derive(Debug, Clone, Copy, Default)]
struct Input {
    /// The number of the last movement that has taken effect.
    noticed: u64,
    /// The number of the last movement of the line.
    moved: u64,
}

/// A movement of a line takes effect on a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    time_ps: u64,
    movement: u64,
    chip: usize,
    pin: usize,
    level: bool,
}

impl Timing {
    /// Delays from a tenth of each chip's access time to all of it, in the harder setting.
    #[must_use]
    pub fn of(board: &Board, phase_ps: u64, seed: u64) -> Self {
        let longest = board.chips().iter().map(|chip| 1000 * u64::from(chip.access_ns()));
        let delays_ps = longest.map(|longest| (longest / 10, longest)).collect();
        Self { delays_ps, phase_ps, mixes: true, seed }
    }
}

impl Timed {
    /// Powers a board up: reset and oscillator low, the chips showing what they happen to show.
    /// The oscillator starts when all lines have come to rest somewhere.
    ///
    /// # Errors
    /// If they do not.
    pub fn power_up(
        board: &Board,
        power_up: &PowerUp,
        timing: &Timing,
    ) -> Result<Self, Box<Unsettled>> {
        let at_rest = Settled::power_up(board, power_up)?;
        let levels: Vec<bool> = board.net_ids().map(|net| at_rest.level(net)).collect();
        let looks = |id| Looking::new(board.chip(id), at_rest.shown(id), &levels);
        Ok(Self {
            chance: Chance::new(timing.seed),
            timing: timing.clone(),
            now_ps: 0,
            chips: board.chip_ids().map(looks).collect(),
            levels,
            readers: readers(board),
            memory: Box::new(*at_rest.memory()),
            writes: Vec::new(),
            events: BinaryHeap::new(),
            movements: 0,
            changes: None,
            board: board.clone(),
        })
    }

    /// Starts or stops the recording of every movement.
    pub fn record(&mut self, on: bool) {
        self.changes = on.then(Vec::new);
    }

    /// The recorded movements since the last call, in order.
    pub fn take_changes(&mut self) -> Vec<Change> {
        self.changes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The time since the power came up, in ps.
    #[must_use]
    pub const fn now_ps(&self) -> u64 {
        self.now_ps
    }

    /// The level that a line is driven to; it keeps its own while nobody drives it.
    fn driven(&mut self, net: NetId) -> bool {
        let shows = |pin: crate::board::DataPin, circuit: &Self| {
            circuit.chips[pin.chip.index()].shown >> pin.pin & 1 == 1
        };
        match self.board.net(net).driver() {
            Driver::Outside => self.levels[net.index()],
            Driver::Chip(pin) => shows(pin, self),
            Driver::Shared { low, high, .. } => {
                let (low_on, high_on) =
                    (self.chips[low.chip.index()].enabled, self.chips[high.chip.index()].enabled);
                match (low_on, high_on) {
                    (true, false) => shows(low, self),
                    (false, true) => shows(high, self),
                    (true, true) if shows(low, self) == shows(high, self) => shows(low, self),
                    (true, true) => self.chance.coin(),
                    (false, false) => self.levels[net.index()],
                }
            }
        }
    }

    fn move_line(&mut self, net: NetId, level: bool) {
        if self.levels[net.index()] == level {
            return;
        }
        let memory = self.board.memory();
        if level && self.board.chip(memory).write_enable_low() == Some(net) {
            self.end_write(memory);
        }
        self.levels[net.index()] = level;
        let time_ps = self.now_ps;
        if let Some(changes) = &mut self.changes {
            changes.push(Change { time_ps, net, level });
        }
        self.announce(net, level);
    }

    /// Lets every input on a line notice its level, each in its time.
    fn announce(&mut self, net: NetId, level: bool) {
        self.movements += 1;
        for index in 0..self.readers[net.index()].len() {
            let (chip, pin) = self.readers[net.index()][index];
            let (shortest, longest) = self.timing.delays_ps[chip];
            let time_ps = self.now_ps + self.chance.between(shortest, longest);
            self.chips[chip].pins[pin].moved = self.movements;
            let movement = self.movements;
            self.events.push(Reverse(Event { time_ps, movement, chip, pin, level }));
        }
    }

    /// An input notices that its line has moved, unless it has noticed a later movement before.
    fn notice(&mut self, event: Event) {
        let Event { movement, chip, pin, level, .. } = event;
        let looking = &self.chips[chip];
        if looking.pins[pin].noticed > movement {
            return;
        }
        if self.timing.mixes && !looking.counts {
            self.show_a_mix(chip);
        }
        self.chips[chip].pins[pin].noticed = movement;
        if pin == self.board.chips()[chip].address().len() {
            self.enable(chip, level);
        } else {
            let bit = 1 << pin;
            let address = self.chips[chip].address & !bit | u32::from(level) << pin;
            self.spoil(chip, address);
            self.chips[chip].address = address;
        }
        self.look_up(chip, self.chips[chip].address);
    }

    /// For a moment the chip shows the contents of some mix of the lines under way.
    fn show_a_mix(&mut self, chip: usize) {
        let mut address = self.chips[chip].address;
        let sources = self.board.chips()[chip].address();
        for (pin, source) in sources.iter().enumerate() {
            let Source::Net(net) = source else { continue };
            let Input { noticed, moved } = self.chips[chip].pins[pin];
            if noticed != moved && self.chance.coin() {
                address = address & !(1 << pin) | u32::from(self.levels[net.index()]) << pin;
            }
        }
        self.look_up(chip, address);
    }

    /// The chip shows the contents of an address.
    fn look_up(&mut self, chip: usize, address: u32) {
        let described = &self.board.chips()[chip];
        let shown = match described.role() {
            Role::Memory => self.memory[address as usize],
            _ => described.contents()[address as usize],
        };
        let moved = std::mem::replace(&mut self.chips[chip].shown, shown) ^ shown;
        if moved != 0 {
            self.drive(chip, moved);
        }
    }

    /// Lines of a chip follow what it shows.
    fn drive(&mut self, chip: usize, lines: u8) {
        for pin in 0..self.board.chips()[chip].data().len() {
            if lines >> pin & 1 == 1 {
                let net = self.board.chips()[chip].data()[pin];
                let level = self.driven(net);
                self.move_line(net, level);
            }
        }
    }

    fn enable(&mut self, chip: usize, level: bool) {
        self.chips[chip].enabled = match self.board.chips()[chip].output() {
            Output::Always => true,
            Output::WhileLow(_) => !level,
            Output::WhileHigh(_) => level,
        };
        self.drive(chip, u8::MAX);
    }

    /// Data memory that is being written loses the cell that its address leaves.
    fn spoil(&mut self, chip: usize, address: u32) {
        let written = chip == self.board.memory().index() && !self.chips[chip].enabled;
        let left = self.chips[chip].address;
        if written && left != address {
            let byte = self.bus();
            self.take(left, byte);
        }
    }

    /// Data memory takes what its data lines carry, at the address it has noticed.
    fn end_write(&mut self, memory: ChipId) {
        let looking = &self.chips[memory.index()];
        // A write too short to be noticed may still be one.
        let cell = looking.address;
        if !looking.enabled || self.timing.mixes && self.chance.coin() {
            let byte = self.bus();
            self.take(cell, byte);
        }
    }

    /// The byte on data memory's lines.
    fn bus(&self) -> u8 {
        let data = self.board.chip(self.board.memory()).data();
        let bits = data.iter().enumerate();
        bits.fold(0, |byte, (bit, net)| byte | u8::from(self.levels[net.index()]) << bit)
    }

    fn take(&mut self, cell: u32, byte: u8) {
        let address = RamAddr::truncate(cell as u16);
        self.memory[address.to_usize()] = byte;
        self.writes.push(Write { address, byte });
    }

    /// Lets time pass.
    fn pass(&mut self, duration_ps: u64) -> Result<(), Box<Unsettled>> {
        let end_ps = self.now_ps + duration_ps;
        let mut events = 0;
        let mut moving = Vec::new();
        while let Some(Reverse(event)) = self.events.peek().copied()
            && event.time_ps < end_ps
        {
            self.events.pop();
            self.now_ps = event.time_ps;
            self.notice(event);
            events += 1;
            if events > EVENTS_MAX / 2 {
                moving.extend(source(&self.board.chips()[event.chip], event.pin));
            }
            if events > EVENTS_MAX {
                return Err(Box::new(Unsettled::new(
                    &self.board,
                    Trouble::Endless,
                    |net| self.levels[net.index()],
                    |net| moving.contains(&net),
                )));
            }
        }
        self.now_ps = end_ps;
        Ok(())
    }
}

/// The line on an input pin.
fn source(chip: &Chip, pin: usize) -> Option<NetId> {
    match chip.address().get(pin) {
        Some(Source::Net(net)) => Some(*net),
        Some(Source::Tied(_)) | None => None,
    }
}

/// For each line the inputs on it: chip and place among its pins.
fn readers(board: &Board) -> Vec<Vec<(usize, usize)>> {
    let place = |chip: ChipId, pin| match pin {
        Pin::Address(pin) => usize::from(pin),
        _ => board.chip(chip).address().len(),
    };
    let readers = |net| board.readers(net).map(|(chip, pin)| (chip.index(), place(chip, pin)));
    board.net_ids().map(|net| readers(net).collect()).collect()
}

/// Whether a chip drives its lines.
fn drives(output: Output, levels: &[bool]) -> bool {
    match output {
        Output::Always => true,
        Output::WhileLow(net) => !levels[net.index()],
        Output::WhileHigh(net) => levels[net.index()],
    }
}

impl Looking {
    fn new(chip: &Chip, shown: u8, levels: &[bool]) -> Self {
        let bits = chip.address().iter().enumerate().map(|(pin, source)| match source {
            Source::Tied(level) => u32::from(*level) << pin,
            Source::Net(net) => u32::from(levels[net.index()]) << pin,
        });
        Self {
            pins: vec![Input::default(); chip.address().len() + 1],
            address: bits.sum(),
            shown,
            enabled: drives(chip.output(), levels),
            counts: matches!(chip.role(), Role::Counter(_)),
        }
    }
}

impl Circuit for Timed {
    fn board(&self) -> &Board {
        &self.board
    }

    fn edge(&mut self) -> Result<(), Box<Unsettled>> {
        let oscillator = self.board.oscillator();
        self.move_line(oscillator, !self.levels[oscillator.index()]);
        self.pass(self.timing.phase_ps)
    }

    /// Reset moves a whole phase after the last edge of the oscillator, and the next one comes a
    /// whole phase later.
    fn set_reset(&mut self, high: bool) -> Result<(), Box<Unsettled>> {
        self.move_line(self.board.reset(), high);
        self.pass(self.timing.phase_ps)
    }

    fn level(&self, net: NetId) -> bool {
        self.levels[net.index()]
    }

    fn probe(&self, nets: &[NetId]) -> Probe {
        Probe::on_nets(nets)
    }

    fn read(&self, probe: &Probe) -> u32 {
        probe.read_nets(|net| self.levels[net.index()])
    }

    fn shown(&self, chip: ChipId) -> u8 {
        self.chips[chip.index()].shown
    }

    fn memory(&self) -> &[u8; RAM_BYTES] {
        &self.memory
    }

    fn poke(&mut self, write: Write) -> Result<(), Box<Unsettled>> {
        self.memory[write.address.to_usize()] = write.byte;
        let memory = self.board.memory().index();
        self.look_up(memory, self.chips[memory].address);
        self.pass(self.timing.phase_ps)
    }

    fn writes(&self) -> &[Write] {
        &self.writes
    }

    fn forget_writes(&mut self) {
        self.writes.clear();
    }
}
