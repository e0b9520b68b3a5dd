//! What a capture has shown of chips and wires, in bounded memory.

use std::collections::HashMap;

use gray1_board::{Board, NetId};

use super::memory::KnownByte;
use super::nets::NetSet;
use super::transition::Transition;
use super::watched::{BriefLevel, LateMovement, RestState};

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
    pub(super) restless: Option<FirstSeen<LateMovement>>,
    pub(super) brief: Option<FirstSeen<BriefLevel>>,
    pub(super) glitch: Option<FirstSeen<LateMovement>>,
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
    /// True if it was wrong in more than one way.
    pub(super) varies: bool,
}

impl ChipEvidence {
    /// Notes a state of rest that could have been wrong, and the data pins that are.
    pub(super) fn rest(&mut self, rest: RestState, key: u32, pins: u8) {
        let is_right = pins == 0;
        self.checks += 1;
        if !is_right {
            note(&mut self.wrong, rest.address, rest.since_ps);
        }
        if self.seen.len() >= ADDRESSES_MAX && !self.seen.contains_key(&key) {
            return;
        }
        let new = AddressEvidence { data: rest.data, right: 0, wrong: 0, pins: 0, varies: false };
        let seen = self.seen.entry(key).or_insert(new);
        if is_right {
            seen.right += 1;
        } else {
            seen.varies |= seen.wrong > 0 && seen.data != rest.data;
            seen.data = rest.data;
            seen.pins |= pins;
            seen.wrong += 1;
        }
    }

    /// The data pins that were wrong at rest.
    pub(super) fn wrong_pins(&self) -> u8 {
        self.seen.values().fold(0, |pins, seen| pins | seen.pins)
    }

    /// The number of addresses at which one of these data pins was wrong.
    pub(super) fn wrong_addresses(&self, pins: u8) -> usize {
        self.seen.values().filter(|seen| seen.pins & pins != 0).count()
    }

    /// When it first did something wrong.
    pub(super) fn first_wrong_ps(&self) -> Option<i64> {
        let times = [
            self.wrong.map(|it| it.time_ps),
            self.impossible.map(|it| it.time_ps),
            self.restless.map(|it| it.time_ps),
            self.brief.map(|it| it.time_ps),
            self.forgotten.map(|it| it.time_ps),
        ];
        times.into_iter().flatten().min()
    }
}

/// The evidence about wires: their levels at rest beside the levels that their chips should give
/// them.
#[derive(Debug)]
pub(super) struct WireEvidence {
    /// For each wire, those that have had another level at rest.
    differs: Vec<NetSet>,
    /// For each wire, those whose chips should have given them another level than it had.
    differs_from_expected: Vec<NetSet>,
    /// For each wire, those that should have had another level than it should.
    expected_differ: Vec<NetSet>,
    /// The levels that each wire has had, low and high, and those that it should have had.
    had: [NetSet; 2],
    should_have_had: [NetSet; 2],
}

/// The wires at a moment of rest.
#[derive(Debug, Default)]
pub(super) struct RestLevels {
    pub(super) known: NetSet,
    pub(super) levels: NetSet,
    /// The wires whose levels follow from the addresses of their chips, and those levels.
    pub(super) expected: NetSet,
    pub(super) expected_levels: NetSet,
}

impl WireEvidence {
    pub(super) fn new(board: &Board) -> Self {
        let none = vec![NetSet::default(); board.nets().len()];
        Self {
            differs: none.clone(),
            differs_from_expected: none.clone(),
            expected_differ: none,
            had: Default::default(),
            should_have_had: Default::default(),
        }
    }

    /// Notes a moment of rest.
    pub(super) fn rest(&mut self, board: &Board, scene: &RestLevels) {
        let or = |a: u64, b: u64| a | b;
        let and = |a: u64, b: u64| a & b;
        let and_not = |a: u64, b: u64| a & !b;
        let parts =
            |known: NetSet, levels: NetSet| [known.with(levels, and_not), known.with(levels, and)];
        let is = parts(scene.known, scene.levels);
        let should = parts(scene.expected, scene.expected_levels);
        for level in 0..2 {
            self.had[level] = self.had[level].with(is[level], or);
            self.should_have_had[level] = self.should_have_had[level].with(should[level], or);
        }
        for net in board.net_ids() {
            if scene.known.contains(net) {
                let other = usize::from(!scene.levels.contains(net));
                let index = net.index();
                self.differs[index] = self.differs[index].with(is[other], or);
                self.differs_from_expected[index] =
                    self.differs_from_expected[index].with(should[other], or);
            }
            if scene.expected.contains(net) {
                let other = usize::from(!scene.expected_levels.contains(net));
                let index = net.index();
                self.expected_differ[index] = self.expected_differ[index].with(should[other], or);
            }
        }
    }

    /// The only level that a wire has had at rest, although it should have had the other one, too.
    pub(super) fn stuck(&self, net: NetId) -> Option<bool> {
        let level = self.constant(net)?;
        self.should_have_had[usize::from(!level)].contains(net).then_some(level)
    }

    /// The only level that a wire has had at rest.
    pub(super) fn constant(&self, net: NetId) -> Option<bool> {
        match [0, 1].map(|level: usize| self.had[level].contains(net)) {
            [true, false] => Some(false),
            [false, true] => Some(true),
            _ => None,
        }
    }

    /// True if a wire has had another level than its chip should have given it.
    pub(super) fn is_wrong(&self, net: NetId) -> bool {
        self.differs_from_expected[net.index()].contains(net)
    }

    /// True if two wires have always had the same level, and both levels.
    pub(super) fn always_equal(&self, a: NetId, b: NetId) -> bool {
        let moves = |net| self.constant(net).is_none() && self.had[0].contains(net);
        moves(a) && moves(b) && !self.differs[a.index()].contains(b)
    }

    /// True if a wire has always had the level that another one should have had, which was not
    /// always its own.
    pub(super) fn carries(&self, net: NetId, other: NetId) -> bool {
        let knows = |level: usize| self.should_have_had[level].contains(other);
        knows(0)
            && knows(1)
            && !self.differs_from_expected[net.index()].contains(other)
            && self.expected_differ[net.index()].contains(other)
    }
}
