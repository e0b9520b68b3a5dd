//! A simulated machine with random delays and a fault.

use std::collections::BTreeSet;

use gray1_isa::SplitMix64;

use super::machine::{ChipRule, Machine, MachineChip};

/// A fault. Wires, chips and pins are numbers. The pin after the address pins is nWE.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// A wire that always has this level.
    Stuck(usize, bool),
    /// Two wires that are exchanged at the outputs of their chips.
    Swapped(usize, usize),
    /// Two wires that touch, and the level that wins.
    Shorted(usize, usize, Winner),
    /// An input pin that always sees this level: chip, pin.
    Deaf(usize, u8, bool),
    /// Two address pins of a chip that are exchanged.
    Crossed(usize, u8, u8),
    /// A data pin that is not connected to its wire. The wire has this level unless another chip
    /// drives it.
    Mute(usize, u8, bool),
    /// A wrong bit: chip, address, data pin.
    Bit(usize, u32, u8),
}

/// The level of two wires that touch while their chips drive them differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Winner {
    /// The low level wins, as between TTL outputs, which sink more current than they source.
    Low,
    High,
    /// The level of the first wire, whose chip is stronger.
    First,
}

/// A change of a wire: time in ps, wire, level.
pub(crate) type LevelChange = (i64, usize, bool);

/// The conditions of a run. Times are in ps.
#[derive(Debug, Clone)]
pub(crate) struct Conditions {
    /// The length of a phase while the oscillator is low, and while it is high.
    pub(crate) phase_ps: [u64; 2],
    /// The access time of each chip.
    pub(crate) access_ps: Vec<u64>,
    /// The seed for the levels and the memory contents at power-up. If it is 0, all wires are low.
    pub(crate) power_up: u64,
}

pub(crate) struct Bench<'a> {
    machine: &'a Machine,
    conditions: &'a Conditions,
    fault: Fault,
    random: SplitMix64,
    now_ps: u64,
    /// The level to which the chips drive each wire. `levels` has the actual levels, including the
    /// effect of the fault.
    driven: Vec<bool>,
    levels: Vec<bool>,
    /// For each wire, the chips and pins that see it.
    seen_by: Vec<Vec<(usize, u8)>>,
    chips: Vec<Powered>,
    memory: Vec<u8>,
    /// Pending changes at input pins: time, number of the change, chip, pin, level.
    arrivals: BTreeSet<(u64, u64, usize, u8, bool)>,
    count: u64,
    changes: Vec<LevelChange>,
}

/// The state of a chip: its current address, whether it drives its wires, its output, and the last
/// change that each pin has seen.
struct Powered {
    address: u32,
    is_on: bool,
    shown: u8,
    noticed: Vec<u64>,
}

impl<'a> Bench<'a> {
    /// Switches on a machine, and lets one phase pass.
    pub(crate) fn new(
        machine: &'a Machine,
        conditions: &'a Conditions,
        fault: Fault,
        seed: u64,
    ) -> Self {
        let chips = machine.chips.iter().map(|chip| Powered {
            address: 0,
            is_on: chip.drives_at != Some(false),
            shown: 0,
            noticed: vec![0; chip.address.len() + 1],
        });
        let mut seen_by = vec![Vec::new(); machine.wires.len()];
        for (index, chip) in machine.chips.iter().enumerate() {
            for (pin, wire) in pins(machine, chip) {
                seen_by[wire].push((index, pin));
            }
        }
        let mut held = SplitMix64::new(conditions.power_up);
        let is_outside = |wire: &str| wire == "OSC" || wire == "RST" || wire.starts_with("BUTTON.");
        let is_random = conditions.power_up != 0;
        let level = |wire: &String| is_random && held.coin() && !is_outside(wire);
        let levels = machine.wires.iter().map(level);
        let levels: Vec<bool> = levels.collect();
        let mut bench = Self {
            machine,
            conditions,
            fault,
            random: SplitMix64::new(seed),
            now_ps: 0,
            driven: levels.clone(),
            levels,
            seen_by,
            chips: chips.collect(),
            memory: std::iter::repeat_with(|| held.byte()).take(8192).collect(),
            arrivals: BTreeSet::new(),
            count: 0,
            changes: Vec::new(),
        };
        bench.wake();
        bench
    }

    /// Applies the fault, makes every chip read its pins, and lets one phase pass.
    fn wake(&mut self) {
        match self.fault {
            Fault::Stuck(wire, level) => self.levels[wire] = level,
            Fault::Mute(chip, pin, level) => {
                let wire = self.machine.chips[chip].data[usize::from(pin)];
                (self.driven[wire], self.levels[wire]) = (level, level);
            }
            _ => {}
        }
        for wire in 0..self.levels.len() {
            self.announce(wire);
        }
        for chip in 0..self.chips.len() {
            self.read_table(chip);
        }
        self.pass();
    }

    /// Inverts an input of the board, and lets one phase pass.
    pub(crate) fn turn(&mut self, wire: usize) {
        self.driven[wire] = !self.driven[wire];
        self.settle(wire);
        self.pass();
    }

    /// Returns the changes since the last call, in time order.
    pub(crate) fn take_changes(&mut self) -> Vec<LevelChange> {
        std::mem::take(&mut self.changes)
    }

    pub(crate) fn levels(&self) -> &[bool] {
        &self.levels
    }

    pub(crate) fn memory(&self) -> &[u8] {
        &self.memory
    }

    pub(crate) fn time_ps(&self) -> i64 {
        self.now_ps.cast_signed()
    }

    fn pass(&mut self) {
        let is_high = self.levels[self.machine.wire_named("OSC")];
        let end_ps = self.now_ps + self.conditions.phase_ps[usize::from(is_high)];
        while let Some(&(time_ps, change, chip, pin, level)) = self.arrivals.first()
            && time_ps < end_ps
        {
            self.arrivals.pop_first();
            self.now_ps = time_ps;
            self.notice(chip, pin, level, change);
        }
        self.now_ps = end_ps;
    }

    /// Returns the level of a wire, including the effect of the fault.
    fn faulty(&self, wire: usize) -> bool {
        let driven = |wire: usize| self.driven[wire];
        match self.fault {
            Fault::Stuck(stuck, level) if stuck == wire => level,
            Fault::Swapped(a, b) if a == wire => driven(b),
            Fault::Swapped(a, b) if b == wire => driven(a),
            Fault::Shorted(a, b, winner) if a == wire || b == wire => match winner {
                Winner::Low => driven(a) && driven(b),
                Winner::High => driven(a) || driven(b),
                Winner::First => driven(a),
            },
            _ => driven(wire),
        }
    }

    /// Updates a wire whose driven level has changed, and the wire that is exchanged or shorted
    /// with it.
    fn settle(&mut self, wire: usize) {
        let other = match self.fault {
            Fault::Swapped(a, b) | Fault::Shorted(a, b, _) if a == wire => b,
            Fault::Swapped(a, b) | Fault::Shorted(a, b, _) if b == wire => a,
            _ => wire,
        };
        for wire in [wire, other] {
            let level = self.faulty(wire);
            if self.levels[wire] != level {
                if wire == self.machine.write_low && level {
                    self.write();
                }
                self.levels[wire] = level;
                self.changes.push((self.now_ps.cast_signed(), wire, level));
                self.announce(wire);
            }
        }
    }

    /// Writes the byte on BUS to data memory.
    fn write(&mut self) {
        let ram = self.machine.chip_named("RAM");
        let chip = &self.machine.chips[ram];
        if matches!(self.fault, Fault::Deaf(at, 13, _) if at == ram) {
            return;
        }
        let bits = chip.data.iter().enumerate();
        let mut byte = bits.fold(0, |byte, (bit, wire)| byte | u8::from(self.levels[*wire]) << bit);
        if let Fault::Mute(at, pin, level) = self.fault
            && at == ram
        {
            byte = byte & !(1 << pin) | u8::from(level) << pin;
        }
        self.memory[self.chips[ram].address as usize] = byte;
    }

    fn announce(&mut self, wire: usize) {
        let level = self.levels[wire];
        self.count += 1;
        for &(index, pin) in &self.seen_by[wire] {
            let pin = match self.fault {
                Fault::Crossed(at, a, b) if at == index && pin == a => b,
                Fault::Crossed(at, a, b) if at == index && pin == b => a,
                _ => pin,
            };
            let level = match self.fault {
                Fault::Deaf(at, deaf, level) if at == index && pin == deaf => level,
                _ => level,
            };
            let access_ps = self.conditions.access_ps[index];
            let time_ps = self.now_ps + self.random.between(access_ps / 10, access_ps);
            self.arrivals.insert((time_ps, self.count, index, pin, level));
        }
    }

    fn notice(&mut self, index: usize, pin: u8, level: bool, change: u64) {
        let chip = &mut self.chips[index];
        let noticed = &mut chip.noticed[usize::from(pin)];
        if *noticed > change {
            return;
        }
        *noticed = change;
        if usize::from(pin) == chip.noticed.len() - 1 {
            chip.is_on = self.machine.chips[index].drives_at == Some(level);
        } else {
            chip.address = chip.address & !(1 << pin) | u32::from(level) << pin;
        }
        self.read_table(index);
    }

    fn read_table(&mut self, index: usize) {
        let chip = &self.machine.chips[index];
        let Powered { address, shown, .. } = self.chips[index];
        let shown = match &chip.does {
            ChipRule::Memory => self.memory[address as usize],
            ChipRule::Transparent if address >> 8 & 1 == 0 => shown,
            ChipRule::Transparent => address as u8,
            ChipRule::Table(bytes) => bytes[address as usize],
        };
        let wrong = match self.fault {
            Fault::Bit(at, wrong, pin) if at == index && wrong == address => 1 << pin,
            _ => 0,
        };
        self.chips[index].shown = shown ^ wrong;
        for &wire in &chip.data {
            self.driven[wire] = self.level_driven(wire);
            self.settle(wire);
        }
    }

    /// Returns the level to which the chips drive a wire. While no chip drives the wire, it keeps
    /// its last driven level.
    fn level_driven(&self, wire: usize) -> bool {
        let mut level = None;
        for (chip, powered) in self.machine.chips.iter().zip(&self.chips) {
            let Some(pin) = chip.data.iter().position(|it| *it == wire) else { continue };
            if powered.is_on {
                let mute = match self.fault {
                    Fault::Mute(at, mute, level)
                        if usize::from(mute) == pin && self.machine.chips[at].name == chip.name =>
                    {
                        Some(level)
                    }
                    _ => None,
                };
                let shown = mute.unwrap_or(powered.shown >> pin & 1 == 1);
                level = Some(level.unwrap_or(true) && shown);
            }
        }
        level.unwrap_or(self.driven[wire])
    }
}

/// Returns the input pins of a chip with their wires.
pub(crate) fn pins<'a>(
    machine: &'a Machine,
    chip: &'a MachineChip,
) -> impl Iterator<Item = (u8, usize)> + 'a {
    let switch = chip.drives_at.map(|_| machine.write_low);
    let wires = chip.address.iter().copied().chain([switch]);
    (0..).zip(wires).filter_map(|(pin, wire)| Some((pin, wire?)))
}
