//! Reads a capture as a run of a program: the instructions that the machine executed, and the first
//! one that went wrong.
//!
//! The highest wire of PHASE is low from T0 to T3. When it rises, the program counter shows the
//! index of the instruction. When it falls, the instruction is complete, and its registers have
//! settled. So this wire separates the instructions, and the clock need not be captured.

use std::collections::VecDeque;
use std::fmt;

use gray1_board::buses::names;
use gray1_board::registers::{address_wires, opcode_wires};
use gray1_board::{Board, NetId};
use gray1_isa::{Image, PartialByte, RomIndex, Word};

use super::evidence::{WireLevels, is_one_sample};
use super::model::Model;

/// A number on wires. The levels of some wires may be unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct WireNumber {
    bits: u16,
    known: u16,
    /// The number, if all of its wires are known.
    pub(super) whole: Option<u16>,
}

impl WireNumber {
    fn new(wires: &[NetId], levels: &WireLevels) -> Self {
        let mask = |is_in: &dyn Fn(NetId) -> bool| {
            (0..).zip(wires).fold(0, |mask, (bit, &net)| mask | u16::from(is_in(net)) << bit)
        };
        let bits = mask(&|net| levels.level(net) == Some(true));
        let known = mask(&|net| levels.level(net).is_some());
        let is_whole = known != 0 && known.count_ones() as usize == wires.len();
        Self { bits, known, whole: is_whole.then_some(bits) }
    }

    /// Returns the low eight wires.
    pub(super) fn byte(self) -> PartialByte {
        PartialByte::new(self.bits as u8, self.known as u8)
    }

    /// Returns true if a known bit differs from this number.
    pub(super) fn differs(self, number: u16) -> bool {
        (self.bits ^ number) & self.known != 0
    }
}

/// An instruction that a machine executed, as far as its wires are known. It is displayed as a line
/// of a trace, with dashes for unknown parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapturedStep {
    /// Its number since the last reset, from 1.
    pub number: u64,
    /// Its index, if it is known.
    pub index: Option<RomIndex>,
    /// The address of its first byte.
    pub(super) address: WireNumber,
    pub(super) word: WireNumber,
    /// A, C and the data bus at the end of the instruction.
    pub(super) a: WireNumber,
    pub(super) carry: WireNumber,
    pub(super) bus: WireNumber,
    /// The buttons, if their wires are known and did not change.
    pub(super) buttons: Option<u16>,
}

impl fmt::Display for CapturedStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_dashes = |text: Option<String>, count| text.unwrap_or_else(|| "-".repeat(count));
        let index = or_dashes(self.index.map(|index| format!("{:04x}", index.get())), 4);
        // The opcode is in the high bits.
        let op = (self.word.known >> 13 == 7).then(|| Word::from_bits(self.word.bits).op());
        let op = or_dashes(op.map(|op| op.to_string()), 3);
        let operand = self.word.whole.map(|bits| Word::from_bits(bits).operand());
        let operand = or_dashes(operand.map(|operand| format!("{operand:04x}")), 4);
        let a = or_dashes(self.a.whole.map(|a| format!("{a:02x}")), 2);
        let carry = or_dashes(self.carry.whole.map(|carry| carry.to_string()), 1);
        write!(f, "{index} {op} {operand} {a} {carry}")
    }
}

/// The first instruction at which the machine differs from its program.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Difference {
    /// Its number since the last reset, from 1.
    pub step: u64,
    /// The index at which the program should be.
    pub index: RomIndex,
    /// The difference: `A is 3f, should be 3e`.
    pub words: String,
}

/// A run that is being read from a capture.
#[derive(Debug)]
pub struct CapturedRun<'a> {
    board: &'a Board,
    resolution_ps: i64,
    model: Model<'a>,
    /// The wires of an instruction's address and word, and of the buttons.
    wires: [Vec<NetId>; 3],
    /// The current levels, and those before the current sample.
    levels: WireLevels,
    before: WireLevels,
    now_ps: i64,
    /// Recent edges of RST and of the highest wire of PHASE, with the levels before each. An edge
    /// that is reversed after one sample is noise.
    recent: VecDeque<(i64, NetId, bool, WireLevels)>,
    /// The wire levels that hold the index of the current instruction.
    start: Option<WireLevels>,
    last: Option<CapturedStep>,
    /// The instructions that have been read since the caller last emptied this list.
    pub steps: Vec<CapturedStep>,
    /// The number of instructions that could be compared with the program.
    pub compared: u64,
    /// The first difference from the program.
    pub difference: Option<Difference>,
}

impl<'a> CapturedRun<'a> {
    /// Starts to read the run of a program.
    pub fn new(board: &'a Board, image: &'a Image, resolution_ps: i64) -> Self {
        let mut word = address_wires(board, board.memory());
        word.extend(opcode_wires(board).unwrap_or_default());
        let buttons = board.panel().map(|panel| panel.buttons.clone()).unwrap_or_default();
        Self {
            board,
            resolution_ps,
            model: Model::new(board.code(), image),
            wires: [address_wires(board, board.program()), word, buttons],
            levels: WireLevels::default(),
            before: WireLevels::default(),
            now_ps: i64::MIN,
            recent: VecDeque::new(),
            start: None,
            last: None,
            steps: Vec::new(),
            compared: 0,
            difference: None,
        }
    }

    /// The parts of a run that these wires do not show, as sentences.
    pub fn list_gaps(&self, captured: &[NetId]) -> Vec<String> {
        let (board, probes) = (self.board, self.board.probes());
        let [address, word, buttons] = self.wires.clone();
        let all = [
            ("the instructions cannot be told apart", probes.phase[2..].to_vec()),
            ("the position in the program is not known", address),
            ("the whole instruction is not known", word),
            ("A is not known", probes.a.clone()),
            ("C is not known", vec![probes.carry]),
            ("a reset cannot be distinguished from a wrong jump", vec![board.reset()]),
            ("the buttons are taken from the bus", buttons),
        ];
        let gaps = all.into_iter().filter_map(|(what, mut wires)| {
            wires.retain(|net| !captured.contains(net));
            (!wires.is_empty()).then(|| format!("{what}: capture {}", names(board, &wires)))
        });
        gaps.collect()
    }

    /// Reports that a captured wire has this level from this time on, like
    /// [`Checker::set_level`](super::Checker::set_level).
    pub fn set_level(&mut self, time_ps: i64, net: NetId, level: Option<bool>) {
        if time_ps != self.now_ps {
            (self.now_ps, self.before) = (time_ps, self.levels.clone());
            self.release(time_ps);
        }
        let is_watched = [self.board.probes().phase[2], self.board.reset()].contains(&net);
        let old = self.levels.level(net);
        self.levels.set(net, level);
        if is_watched
            && old.is_some_and(|old| Some(!old) == level)
            && let Some(level) = level
        {
            match self.recent.iter().position(|edge| edge.1 == net) {
                Some(pulse) => drop(self.recent.remove(pulse)),
                None => self.recent.push_back((time_ps, net, level, self.before.clone())),
            }
        }
    }

    /// Ends the run.
    pub fn finish(&mut self) {
        self.release(i64::MAX);
    }

    /// Processes the edges that were not reversed after one sample.
    fn release(&mut self, now_ps: i64) {
        while let Some((time_ps, ..)) = self.recent.front()
            && !is_one_sample(now_ps.saturating_sub(*time_ps), self.resolution_ps)
            && let Some((_, net, level, levels)) = self.recent.pop_front()
        {
            match (net == self.board.reset(), level) {
                (true, true) => {}
                (true, false) => {
                    self.model.reset();
                    self.last = None;
                }
                (false, true) => self.start = Some(levels),
                (false, false) => self.complete(&levels),
            }
        }
    }

    /// Completes an instruction that ends with these levels.
    fn complete(&mut self, levels: &WireLevels) {
        let Some(start) = self.start.take() else { return };
        let (board, [address, word, buttons]) = (self.board, &self.wires);
        let number = |wires: &[NetId]| WireNumber::new(wires, levels);
        let address = WireNumber::new(address, &start);
        let index = |address| RomIndex::truncate(board.code().decode(address) / 2);
        let held = Some(number(buttons)).filter(|it| *it == WireNumber::new(buttons, &start));
        let step = CapturedStep {
            number: self.last.map_or(1, |last| last.number + 1),
            index: address.whole.map(index),
            address,
            word: number(word),
            a: number(&board.probes().a),
            carry: number(&[board.probes().carry]),
            bus: number(&board.chip(board.memory()).data),
            buttons: held.and_then(|held| held.whole),
        };
        // A halted machine repeats a jump to itself. Only its first execution is recorded.
        let word = step.word.whole.map(Word::from_bits);
        let ends = word.zip(step.index).is_some_and(|(word, index)| word.halts_at(index));
        let is_new = !ends || self.last.is_none_or(|last| last.index != step.index);
        if self.difference.is_none()
            && let Some((index, words)) = self.model.follow(&step)
        {
            self.compared += u64::from(is_new);
            self.difference = words.map(|words| Difference { step: step.number, index, words });
        }
        if is_new {
            self.last = Some(step);
            self.steps.push(step);
        }
    }
}
