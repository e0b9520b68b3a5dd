//! What a capture has shown of chips and wires, in bounded memory.

use std::collections::HashMap;

use gray1_board::{Board, NetId};

use super::nets::NetSet;

/// The most addresses of a chip that are distinguished; others are only counted.
const ADDRESSES_MAX: usize = 1 << 16;

/// Something that was seen several times: the first instance, its time, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FirstSeen<T> {
    pub(super) what: T,
    pub(super) time_ps: i64,
    pub(super) count: u64,
}

/// Notes something, if it is the first of its kind.
pub(super) fn note<T>(first: &mut Option<FirstSeen<T>>, what: T, time_ps: i64) {
    first.get_or_insert(FirstSeen { what, time_ps, count: 0 }).count += 1;
}

/// The evidence about a chip.
#[derive(Debug, Default)]
pub(super) struct ChipEvidence {
    /// By the address, as far as it is captured.
    pub(super) seen: HashMap<u32, AddressEvidence>,
    /// The number of states of rest that could have been wrong.
    pub(super) checks: u64,
    /// The first address at which it was wrong.
    pub(super) wrong: Option<FirstSeen<u32>>,
    /// A transition that its contents do not allow.
    pub(super) impossible: Option<FirstSeen<Transition>>,
    pub(super) restless: Option<FirstSeen<OutputMovement>>,
    pub(super) brief: Option<FirstSeen<OutputMovement>>,
    pub(super) glitch: Option<FirstSeen<OutputMovement>>,
    /// For data memory: the address, the byte that it showed, and the byte that it should have
    /// shown.
    pub(super) forgotten: Option<FirstSeen<(u32, u8, KnownByte)>>,
}

/// What a chip showed at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AddressEvidence {
    /// The captured data pins, the last time that they were wrong, or else the last time.
    pub(super) data: u8,
    pub(super) right: u32,
    pub(super) wrong: u32,
    /// The data pins that were wrong at any time.
    pub(super) pins: u8,
}

impl ChipEvidence {
    /// Notes a state of rest that could have been wrong: the captured part of the address, the
    /// data, and those of the data pins that are wrong.
    pub(super) fn rest(&mut self, address: u32, data: u8, pins: u8, since_ps: i64) {
        self.checks += 1;
        if pins != 0 {
            note(&mut self.wrong, address, since_ps);
        }
        if self.seen.len() >= ADDRESSES_MAX && !self.seen.contains_key(&address) {
            return;
        }
        let new = AddressEvidence { data, right: 0, wrong: 0, pins: 0 };
        let seen = self.seen.entry(address).or_insert(new);
        if pins == 0 {
            seen.right += 1;
        } else {
            seen.data = data;
            seen.pins |= pins;
            seen.wrong += 1;
        }
    }

    /// The data pins that were wrong at rest.
    pub(super) fn wrong_pins(&self) -> u8 {
        self.seen.values().fold(0, |pins, seen| pins | seen.pins)
    }

    /// The address at which it was wrong, if that was one of several.
    pub(super) fn only_wrong(&self) -> Option<u32> {
        let mut wrong = self.seen.iter().filter(|(_, seen)| seen.wrong > 0);
        let first = wrong.next().filter(|_| self.seen.len() > 2)?;
        wrong.next().is_none().then_some(*first.0)
    }

    /// The data pins that were wrong at rest, or else those that moved as they should not.
    pub(super) fn suspected_pins(&self) -> u8 {
        let moved = self.impossible.map_or(0, |it| it.what.from.1 ^ it.what.to.1);
        match self.wrong_pins() {
            0 => moved,
            pins => pins,
        }
    }

    /// What it did wrong without being wrong at rest: when first, and how often.
    fn oddities(&self) -> impl Iterator<Item = (i64, u64)> {
        let impossible = self.impossible.map(|it| (it.time_ps, it.count));
        let restless = self.restless.map(|it| (it.time_ps, it.count));
        let brief = self.brief.map(|it| (it.time_ps, it.count));
        [impossible, restless, brief].into_iter().flatten()
    }

    /// How often it did something wrong without being wrong at rest.
    pub(super) fn odd(&self) -> u64 {
        self.oddities().map(|(_, count)| count).sum()
    }

    /// When it first did something wrong.
    pub(super) fn first_wrong_ps(&self) -> Option<i64> {
        let at_rest = self.wrong.map(|it| it.time_ps);
        self.oddities().map(|(time_ps, _)| time_ps).chain(at_rest).min()
    }
}

/// The evidence about wires: their levels at rest.
#[derive(Debug)]
pub(super) struct WireEvidence {
    /// For each wire, those that have had another level at rest.
    differs: Vec<NetSet>,
    /// The wires that have been low, and those that have been high.
    had: [NetSet; 2],
    /// The wires that have moved at any time.
    pub(super) moved: NetSet,
}

/// The levels of the wires at a moment, as far as they are known.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WireLevels {
    pub(super) known: NetSet,
    pub(super) high: NetSet,
}

impl WireLevels {
    pub(super) fn set(&mut self, net: NetId, level: Option<bool>) {
        self.known.set(net, level.is_some());
        self.high.set(net, level == Some(true));
    }

    pub(super) fn level(&self, net: NetId) -> Option<bool> {
        self.known.contains(net).then(|| self.high.contains(net))
    }
}

impl WireEvidence {
    pub(super) fn new(board: &Board) -> Self {
        let differs = vec![NetSet::default(); board.nets().len()];
        Self { differs, had: Default::default(), moved: NetSet::default() }
    }

    /// Notes a moment of rest.
    pub(super) fn rest(&mut self, board: &Board, levels: &WireLevels) {
        let low = levels.known.with(levels.high, |known, high| known & !high);
        let is = [low, levels.high];
        for (had, is) in self.had.iter_mut().zip(is) {
            *had = had.with(is, |a, b| a | b);
        }
        for net in board.net_ids() {
            if let Some(level) = levels.level(net) {
                let differs = &mut self.differs[net.index()];
                *differs = differs.with(is[usize::from(!level)], |a, b| a | b);
            }
        }
    }

    /// The only level that a wire has had at rest.
    pub(super) fn constant(&self, net: NetId) -> Option<bool> {
        let [low, high] = self.had.map(|had| had.contains(net));
        (low != high).then_some(high)
    }

    /// True if a wire has had both levels at rest.
    pub(super) fn varies(&self, net: NetId) -> bool {
        self.had.iter().all(|had| had.contains(net))
    }

    /// True if two wires have had different levels at rest.
    pub(super) fn differ(&self, a: NetId, b: NetId) -> bool {
        self.differs[a.index()].contains(b)
    }
}

/// A known byte, and when it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KnownByte {
    pub(super) byte: u8,
    pub(super) time_ps: i64,
    /// True if it was written, false if it was read.
    pub(super) is_written: bool,
}

/// Two successive states of rest of a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Transition {
    /// Address and data at the first one.
    pub(super) from: (u32, u8),
    /// Address and data at the second one.
    pub(super) to: (u32, u8),
    /// The address pins that moved once between them, other than the chip's own wires.
    pub(super) once: u32,
    /// Those that moved more often: they can have had either level at any time.
    pub(super) often: u32,
}

/// A movement of outputs that the inputs do not explain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct OutputMovement {
    pub(super) time_ps: i64,
    pub(super) address: u32,
    pub(super) data: u8,
    /// The data pins that moved, or are wrong.
    pub(super) pins: u8,
}
