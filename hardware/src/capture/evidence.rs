//! The evidence about chips and wires, in bounded memory.

use std::collections::HashMap;

use gray1_board::{Board, CHIPS_MAX, NetId};
use gray1_isa::BitSet;

/// The maximum number of a chip's addresses that are recorded separately. Others are only counted.
const ADDRESSES_MAX: usize = 1 << 16;

/// The number of `u64` in a set: enough bits for every data pin of the largest board, the
/// oscillator and the reset wire.
const WORDS: usize = (CHIPS_MAX * 8 + 2).div_ceil(64);

/// A set of wires.
pub(super) type NetSet = BitSet<NetId, [u64; WORDS]>;

/// An observation that can repeat: its first instance, the time of the first instance, and the
/// number of instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FirstSeen<T> {
    pub(super) what: T,
    pub(super) time_ps: i64,
    pub(super) count: u64,
}

/// Records an observation, or counts it if it is not the first of its kind.
pub(super) fn record<T>(first: &mut Option<FirstSeen<T>>, what: T, time_ps: i64) {
    first.get_or_insert(FirstSeen { what, time_ps, count: 0 }).count += 1;
}

/// True if a level that lasted for this time was seen in only one sample. Times in files are
/// rounded, so samples may seem to have different lengths.
pub(super) const fn is_one_sample(duration_ps: i64, resolution_ps: i64) -> bool {
    duration_ps <= resolution_ps + resolution_ps / 2
}

/// The evidence about a chip.
#[derive(Debug, Default)]
pub(super) struct ChipEvidence {
    /// The evidence about each address. In the keys, address bits that are not known are 0.
    pub(super) seen: HashMap<u32, AddressEvidence>,
    /// The number of settled states in which an error would have been visible.
    pub(super) checks: u64,
    /// True if wires that are not captured could have changed a captured output during a check.
    pub(super) is_ambiguous: bool,
    /// The first address with wrong outputs.
    pub(super) wrong: Option<FirstSeen<u32>>,
    /// The first transition that the chip's contents do not allow.
    pub(super) impossible: Option<FirstSeen<Transition>>,
    pub(super) restless: Option<FirstSeen<OutputChange>>,
    pub(super) brief: Option<FirstSeen<OutputChange>>,
    pub(super) glitch: Option<FirstSeen<OutputChange>>,
    /// For data memory, the first wrong read: the address, the byte that was read, and the byte
    /// that the memory should have returned.
    pub(super) forgotten: Option<FirstSeen<(u32, u8, KnownByte)>>,
}

/// The evidence about one address of a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AddressEvidence {
    /// The data at the last check with wrong pins. If no check had wrong pins, the data at the
    /// first check.
    pub(super) data: u8,
    pub(super) right: u32,
    pub(super) wrong: u32,
    /// The data pins that were wrong at any time.
    pub(super) pins: u8,
    /// True if the data were the same at each check.
    pub(super) is_steady: bool,
}

impl ChipEvidence {
    /// Records a settled state in which an error would have been visible: the captured part of the
    /// address, the data, and the wrong data pins.
    pub(super) fn add(&mut self, address: u32, data: u8, pins: u8, since_ps: i64) {
        self.checks += 1;
        if pins != 0 {
            record(&mut self.wrong, address, since_ps);
        }
        if self.seen.len() >= ADDRESSES_MAX && !self.seen.contains_key(&address) {
            return;
        }
        let new = AddressEvidence { data, right: 0, wrong: 0, pins: 0, is_steady: true };
        let seen = self.seen.entry(address).or_insert(new);
        seen.is_steady &= seen.data == data;
        if pins == 0 {
            seen.right += 1;
        } else {
            seen.data = data;
            seen.pins |= pins;
            seen.wrong += 1;
        }
    }

    /// The data pins that were wrong after settling.
    pub(super) fn wrong_pins(&self) -> u8 {
        self.seen.values().fold(0, |pins, seen| pins | seen.pins)
    }

    /// The address at which the chip was wrong, if more than two addresses were checked and the
    /// chip was wrong at only one of them.
    pub(super) fn only_wrong(&self) -> Option<u32> {
        let mut wrong = self.seen.iter().filter(|(_, seen)| seen.wrong > 0);
        let first = wrong.next().filter(|_| self.seen.len() > 2)?;
        wrong.next().is_none().then_some(*first.0)
    }

    /// True if the chip showed the same data whenever it was checked at the same address.
    pub(super) fn is_steady(&self) -> bool {
        self.seen.values().all(|seen| seen.is_steady)
    }

    /// The data pins that were wrong after settling. If there are none, the data pins that changed
    /// in the first impossible transition.
    pub(super) fn suspected_pins(&self) -> u8 {
        let changed = self.impossible.map_or(0, |it| it.what.from.1 ^ it.what.to.1);
        match self.wrong_pins() {
            0 => changed,
            pins => pins,
        }
    }

    /// Returns the errors other than wrong outputs after settling: for each kind, the time of the
    /// first error and the number of errors.
    pub(super) fn other_errors(&self) -> impl Iterator<Item = (i64, u64)> {
        let impossible = self.impossible.map(|it| (it.time_ps, it.count));
        let restless = self.restless.map(|it| (it.time_ps, it.count));
        let brief = self.brief.map(|it| (it.time_ps, it.count));
        [impossible, restless, brief].into_iter().flatten()
    }

    /// The time of the chip's first error.
    pub(super) fn first_wrong_ps(&self) -> Option<i64> {
        let at_rest = self.wrong.map(|it| it.time_ps);
        self.other_errors().map(|(time_ps, _)| time_ps).chain(at_rest).min()
    }
}

/// The evidence about wires: their levels after settling.
#[derive(Debug)]
pub(super) struct WireEvidence {
    /// For each wire, the wires that have had the opposite level at a moment at which the board had
    /// settled.
    differs: Vec<NetSet>,
    /// The wires that have been low, and those that have been high.
    had: [NetSet; 2],
    /// The wires that have changed at any time.
    pub(super) changed: NetSet,
    /// The number of changes of the wires of PHASE, and the time of the last one.
    pub(super) phase_changes: u64,
    phase_changed_ps: Option<i64>,
    /// The number of samples in which several of these wires changed at once, or one changed in the
    /// sample after another change.
    pub(super) phase_jumps: u64,
}

/// The known levels of the wires at a moment.
#[derive(Debug, Clone, Default)]
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
        Self {
            differs,
            had: Default::default(),
            changed: NetSet::default(),
            phase_changes: 0,
            phase_changed_ps: None,
            phase_jumps: 0,
        }
    }

    /// Records a moment at which the board has settled.
    pub(super) fn record_settled(&mut self, board: &Board, levels: &WireLevels) {
        let mut low = levels.known.clone();
        low.combine(&levels.high, |known, high| known & !high);
        let is = [&low, &levels.high];
        for (had, is) in self.had.iter_mut().zip(is) {
            had.insert_all(is);
        }
        for net in board.net_ids() {
            if let Some(level) = levels.level(net) {
                self.differs[net.index()].insert_all(is[usize::from(!level)]);
            }
        }
    }

    /// Records a sample in which this number of wires of PHASE change.
    pub(super) fn record_phase(&mut self, changes: usize, now_ps: i64, resolution_ps: i64) {
        if changes == 0 {
            return;
        }
        let before_ps = self.phase_changed_ps.replace(now_ps);
        let is_next = before_ps.is_some_and(|it| is_one_sample(now_ps - it, resolution_ps));
        self.phase_changes += changes as u64;
        self.phase_jumps += u64::from(changes > 1 || is_next);
    }

    /// The level of a wire, if the wire has had only one level when the board had settled.
    pub(super) fn constant(&self, net: NetId) -> Option<bool> {
        let [low, high] = self.had.each_ref().map(|had| had.contains(net));
        (low != high).then_some(high)
    }

    /// True if a wire has had both levels when the board had settled.
    pub(super) fn varies(&self, net: NetId) -> bool {
        self.had.iter().all(|had| had.contains(net))
    }

    /// True if two wires have had different levels at a moment at which the board had settled.
    pub(super) fn differ(&self, a: NetId, b: NetId) -> bool {
        self.differs[a.index()].contains(b)
    }
}

/// A known byte, and the time at which it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KnownByte {
    pub(super) byte: u8,
    pub(super) time_ps: i64,
    /// True if it was written, false if it was read.
    pub(super) is_written: bool,
}

/// Two successive settled states of a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Transition {
    /// Address and data in the first state.
    pub(super) from: (u32, u8),
    /// Address and data in the second state.
    pub(super) to: (u32, u8),
    /// The address pins that changed once in between, except those that are connected to the chip's
    /// own outputs.
    pub(super) once: u32,
    /// The address pins that changed more than once in between. They may have had either level at
    /// any time.
    pub(super) often: u32,
}

/// A change of outputs that the inputs do not explain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct OutputChange {
    pub(super) time_ps: i64,
    pub(super) address: u32,
    pub(super) data: u8,
    /// The data pins that changed, or for a level that was too brief, the data pins that were
    /// wrong.
    pub(super) pins: u8,
}
