//! A board in time with a fault in its wiring, written from the description of the machine: it
//! shares no code with the engines.

use std::collections::BTreeSet;

use gray1_board::{Board, Chip, Driver, NetId, Output, Source};
use gray1_isa::SplitMix64;

/// A fault of the wiring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// A wire that always has this level.
    Stuck(NetId, bool),
    /// Two wires that were exchanged where they leave their chips.
    Swapped(NetId, NetId),
    /// Two wires that touch, and which level wins.
    Shorted(NetId, NetId, Winner),
    /// An address pin that always sees this level: chip, pin.
    Deaf(usize, u8, bool),
    /// Two address pins of a chip that were exchanged.
    Crossed(usize, u8, u8),
}

/// What two wires that touch carry while their chips drive them differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Winner {
    /// As between TTL outputs, which sink more than they source.
    Low,
    High,
    /// The level of the first one, whose chip is the stronger.
    First,
}

/// A movement of a wire: time in ps, wire, level.
pub(crate) type Movement = (i64, NetId, bool);

/// See the top of this file.
pub(crate) struct Bench<'a> {
    board: &'a Board,
    fault: Fault,
    random: SplitMix64,
    now_ps: u64,
    phase_ps: u64,
    /// What the chips put on the wires, and what the wires carry.
    driven: Vec<bool>,
    levels: Vec<bool>,
    chips: Vec<Powered>,
    memory: Vec<u8>,
    arrivals: BTreeSet<(u64, u64, usize, u8, bool)>,
    count: u64,
    movements: Vec<Movement>,
}

/// A chip: the address that it has noticed, its switch, and the byte that it shows.
#[derive(Clone, Default)]
struct Powered {
    address: u32,
    is_on: bool,
    shown: u8,
    noticed: Vec<u64>,
}

impl<'a> Bench<'a> {
    /// A board that has just been switched on.
    pub(crate) fn new(board: &'a Board, fault: Fault, seed: u64) -> Self {
        let random = SplitMix64::new(seed);
        let chips = board.chips().iter().map(|chip| Powered {
            address: 0,
            is_on: !matches!(chip.output(), Output::WhileLow(_)),
            shown: 0,
            noticed: vec![0; chip.address().len() + 1],
        });
        let phase_ps =
            board.chips().iter().map(|chip| u64::from(chip.access_ns())).sum::<u64>() * 1000;
        let mut bytes = SplitMix64::new(3);
        let memory = std::iter::repeat_with(|| bytes.byte()).take(8192).collect();
        let mut bench = Self {
            board,
            fault,
            random,
            now_ps: 0,
            phase_ps,
            driven: vec![false; board.nets().len()],
            levels: vec![false; board.nets().len()],
            chips: chips.collect(),
            memory,
            arrivals: BTreeSet::new(),
            count: 0,
            movements: Vec::new(),
        };
        if let Fault::Stuck(net, level) = fault {
            bench.levels[net.index()] = level;
        }
        bench.wake();
        bench
    }

    /// Every chip looks at its address pins.
    fn wake(&mut self) {
        for net in self.board.net_ids() {
            self.announce(net);
        }
        for chip in 0..self.chips.len() {
            self.look_up(chip);
        }
        self.pass();
    }

    /// Turns the oscillator over and waits for a phase.
    pub(crate) fn edge(&mut self) {
        self.turn(self.board.oscillator());
    }

    /// Turns the reset wire over and waits for a phase.
    pub(crate) fn turn_reset(&mut self) {
        self.turn(self.board.reset());
    }

    fn level(&self, net: NetId) -> bool {
        self.levels[net.index()]
    }

    /// The movements since the last call, in the order of time.
    pub(crate) fn take_movements(&mut self) -> Vec<Movement> {
        std::mem::take(&mut self.movements)
    }

    pub(crate) fn levels(&self) -> &[bool] {
        &self.levels
    }

    pub(crate) fn time_ps(&self) -> i64 {
        self.now_ps.cast_signed()
    }

    fn turn(&mut self, net: NetId) {
        self.driven[net.index()] = !self.driven[net.index()];
        self.settle(net);
        self.pass();
    }

    fn pass(&mut self) {
        let end_ps = self.now_ps + self.phase_ps;
        while let Some(&(time_ps, movement, chip, pin, level)) = self.arrivals.first()
            && time_ps < end_ps
        {
            self.arrivals.pop_first();
            self.now_ps = time_ps;
            self.notice(chip, pin, level, movement);
        }
        self.now_ps = end_ps;
    }

    /// The level of a wire with the fault.
    fn faulty(&self, net: NetId) -> bool {
        let driven = |net: NetId| self.driven[net.index()];
        match self.fault {
            Fault::Stuck(stuck, level) if stuck == net => level,
            Fault::Swapped(a, b) if a == net => driven(b),
            Fault::Swapped(a, b) if b == net => driven(a),
            Fault::Shorted(a, b, winner) if a == net || b == net => match winner {
                Winner::Low => driven(a) && driven(b),
                Winner::High => driven(a) || driven(b),
                Winner::First => driven(a),
            },
            _ => driven(net),
        }
    }

    /// A wire follows what it is driven to, and so does one that it is connected to by mistake.
    fn settle(&mut self, net: NetId) {
        let other = match self.fault {
            Fault::Swapped(a, b) | Fault::Shorted(a, b, _) if a == net => b,
            Fault::Swapped(a, b) | Fault::Shorted(a, b, _) if b == net => a,
            _ => net,
        };
        for net in [net, other] {
            let level = self.faulty(net);
            if self.levels[net.index()] != level {
                let nwe = self.board.chip(self.board.memory()).write_enable_low();
                if nwe == Some(net) && level {
                    self.write();
                }
                self.levels[net.index()] = level;
                self.movements.push((self.now_ps.cast_signed(), net, level));
                self.announce(net);
            }
        }
    }

    fn write(&mut self) {
        let chip = self.board.chip(self.board.memory());
        let bits = chip.data().iter().enumerate();
        let byte = bits.fold(0, |byte, (bit, net)| byte | u8::from(self.level(*net)) << bit);
        let address = self.chips[self.board.memory().index()].address;
        self.memory[address as usize] = byte;
    }

    fn announce(&mut self, net: NetId) {
        let level = self.level(net);
        self.count += 1;
        for (index, chip) in self.board.chips().iter().enumerate() {
            for pin in pins_on(chip, net) {
                let pin = match self.fault {
                    Fault::Crossed(at, a, b) if at == index && pin == a => b,
                    Fault::Crossed(at, a, b) if at == index && pin == b => a,
                    _ => pin,
                };
                let level = match self.fault {
                    Fault::Deaf(at, deaf, level) if at == index && pin == deaf => level,
                    _ => level,
                };
                let access_ps = u64::from(chip.access_ns()) * 1000;
                let time_ps = self.now_ps + self.random.between(access_ps / 10, access_ps);
                self.arrivals.insert((time_ps, self.count, index, pin, level));
            }
        }
    }

    fn notice(&mut self, index: usize, pin: u8, level: bool, movement: u64) {
        let chip = &mut self.chips[index];
        let noticed = &mut chip.noticed[usize::from(pin)];
        if *noticed > movement {
            return;
        }
        *noticed = movement;
        if usize::from(pin) == chip.noticed.len() - 1 {
            chip.is_on = match self.board.chips()[index].output() {
                Output::Always => true,
                Output::WhileLow(_) => !level,
                Output::WhileHigh(_) => level,
            };
        } else {
            chip.address = chip.address & !(1 << pin) | u32::from(level) << pin;
        }
        self.look_up(index);
    }

    fn look_up(&mut self, index: usize) {
        let chip = &self.board.chips()[index];
        let address = self.chips[index].address as usize;
        let is_memory = index == self.board.memory().index();
        let shown = if is_memory { self.memory[address] } else { chip.contents()[address] };
        self.chips[index].shown = shown;
        for &net in chip.data() {
            if let Some(level) = self.level_driven(net) {
                self.driven[net.index()] = level;
                self.settle(net);
            }
        }
    }

    /// The level that a wire's chips give it; `None` if none does.
    fn level_driven(&mut self, net: NetId) -> Option<bool> {
        let shows =
            |pin: gray1_board::DataPin| self.chips[pin.chip.index()].shown >> pin.pin & 1 == 1;
        match self.board.net(net).driver() {
            Driver::Outside => None,
            Driver::Chip(pin) => Some(shows(pin)),
            Driver::Shared { low, high, .. } => {
                let on = [low, high].map(|pin| self.chips[pin.chip.index()].is_on);
                match on {
                    [true, false] => Some(shows(low)),
                    [false, true] => Some(shows(high)),
                    [true, true] => Some(shows(low) && shows(high)),
                    [false, false] => None,
                }
            }
        }
    }
}

/// The input pins of a chip on a wire; the one behind the address pins is the switch.
fn pins_on(chip: &Chip, net: NetId) -> Vec<u8> {
    let address = (0..).zip(chip.address()).filter(|(_, source)| **source == Source::Net(net));
    let switch = match chip.output() {
        Output::WhileLow(it) | Output::WhileHigh(it) if it == net => {
            Some(chip.address().len() as u8)
        }
        _ => None,
    };
    address.map(|(pin, _)| pin).chain(switch).collect()
}
