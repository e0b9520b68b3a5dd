//! The way from a fact to what made it so: in a recorded window, else by a search of the past.

use std::collections::{HashMap, VecDeque};

use gray1_isa::{Indexes, Op, RomIndex, Word, panel};
use gray1_language::Unary;
use gray1_sim::engine::{Engine, Registers};

use super::fact::{CausalNode, CausalStep, Cell, Fact, FactOrigin, Leaf, Subject};
use crate::backward_search::{Search, SearchResult};
use crate::condition::{Condition, Event};
use crate::control_flow::ControlFlow;
use crate::expression::Node;
use crate::history::History;
use crate::inputs::Input;
use crate::seek::Seek;
use crate::watch_set::WatchSet;
use crate::window::{RecordedStep, Window};

/// How many windows are kept.
const WINDOWS_MAX: usize = 8;

/// What is recorded of the past for questions.
#[derive(Debug, Default)]
pub(crate) struct Records {
    windows: VecDeque<Window>,
    /// The revision of the history that they are of.
    revision: u64,
    /// By opcode, and by whether it is about the buttons: whether it does here what it should.
    keeps_to_op: HashMap<(Op, bool), bool>,
}

/// The search for what made a fact so.
#[derive(Debug)]
pub(crate) struct Lookup {
    fact: Fact,
    /// For [`Subject::Executed`]: the `JC`s that lead to the instruction, by the carry.
    deciders: [Indexes; 2],
    /// The last input that made it so, if no instruction did since this moment.
    leaf: (u64, Leaf),
    stage: LookupStage,
}

#[derive(Debug)]
enum LookupStage {
    Near,
    Far(Box<Search>),
    /// The step is known: the way to the moment before it.
    Approach(Box<Seek>),
}

impl Records {
    /// The window that goes back farthest from a moment.
    fn window(&mut self, history: &History, moment: u64) -> &Window {
        if self.revision != history.revision() {
            self.windows.clear();
            self.revision = history.revision();
        }
        let reach = |window: &Window| window.reach(moment);
        let is_there = self.windows.iter().filter_map(reach).max().is_some_and(|it| it > 0);
        if !is_there {
            if self.windows.len() == WINDOWS_MAX {
                self.windows.pop_front();
            }
            self.windows.push_back(Window::up_to(history, moment));
        }
        let farthest = self.windows.iter().max_by_key(|window| window.reach(moment));
        farthest.expect("one was recorded")
    }

    /// Whether an instruction does what [`Op`] says.
    fn keeps_to_op(&mut self, engine: &dyn Engine, word: Word) -> bool {
        let kind = (word.op(), word.address() == panel::BUTTONS);
        *self.keeps_to_op.entry(kind).or_insert_with(|| engine.keeps_to_op(word))
    }
}

/// Whether an instruction writes a cell.
fn writes(word: Word, cell: Cell) -> bool {
    match cell {
        Cell::A => word.op().writes_a(),
        Cell::Carry => word.op().writes_carry(),
        Cell::Byte(byte) => word == Word::data(Op::St, byte),
    }
}

impl Lookup {
    pub(crate) fn new(fact: Fact, records: &mut Records, history: &History) -> Self {
        let engine = history.engine();
        let deciders = match fact.subject {
            Subject::Executed(index) => ControlFlow::of(engine).deciders(index),
            _ => Default::default(),
        };
        let mut leaf = last_input(fact, history);
        // Where `ST` does otherwise than it should, only inputs can explain a byte.
        if fact.byte().is_some_and(|byte| !records.keeps_to_op(engine, Word::data(Op::St, byte))) {
            leaf.0 = fact.moment;
        }
        Self { fact, deciders, leaf, stage: LookupStage::Near }
    }

    /// Whether an instruction made it so.
    fn is_made_by(&self, step: RecordedStep) -> bool {
        match self.fact.subject {
            Subject::Executed(_) => self.deciders[usize::from(step.carry)].contains(step.index),
            Subject::Visit(index) => step.index == index,
            Subject::Bits(cell, _) => writes(step.word, cell),
            Subject::Change(byte, mask) => {
                writes(step.word, Cell::Byte(byte)) && (step.data ^ step.a) & mask != 0
            }
        }
    }

    /// What to watch for such instructions.
    fn watch_set(&self, engine: &dyn Engine) -> WatchSet {
        let reaches = |indexes| Condition::from(Event::Reaches(Box::new(indexes)));
        let conditions = match self.fact.subject {
            Subject::Executed(_) => {
                let [clear, set] = self.deciders.clone().map(reaches);
                let is_clear = Node::Unary(Unary::Not, Box::new(Node::Carry.into()));
                vec![clear.only_if(is_clear.into()), set.only_if(Node::Carry.into())]
            }
            Subject::Visit(index) => vec![reaches(Indexes::from_iter([index]))],
            Subject::Bits(cell, _) => {
                let writers = RomIndex::all().filter(|index| writes(engine.word(*index), cell));
                vec![reaches(writers.collect())]
            }
            Subject::Change(address, mask) => vec![Event::Changes { address, mask }.into()],
        };
        WatchSet::new(conditions, |index| engine.word(index))
    }

    /// Works for a slice of time. Returns the node when it is found.
    pub(crate) fn advance(
        &mut self,
        records: &mut Records,
        history: &mut History,
    ) -> Option<CausalNode> {
        let (fact, slice) = (self.fact, history.engine().slice());
        let (since, leaf) = self.leaf;
        let after = u32::from(matches!(fact.subject, Subject::Change(..)));
        match &mut self.stage {
            LookupStage::Near => {
                let window = records.window(history, fact.moment);
                let is_maker = |step| self.is_made_by(step);
                if let Some(before) = window.last(since, fact.moment, is_maker) {
                    return Some(self.found(before, records, history));
                }
                let start = window.start();
                if since >= start {
                    return Some(self.ended(leaf, history));
                }
                let watch_set = self.watch_set(history.engine());
                let search = Search::before(history, watch_set, (start, after));
                self.stage = LookupStage::Far(Box::new(search));
                None
            }
            LookupStage::Far(search) => {
                let after = u64::from(after);
                match search.advance(history, search.share(slice)) {
                    SearchResult::Hit(hit) if hit.moment >= since + after => {
                        let before = hit.moment - after;
                        let Some(seek) = Seek::new(history, before) else {
                            return Some(self.found(before, records, history));
                        };
                        self.stage = LookupStage::Approach(Box::new(seek));
                        None
                    }
                    SearchResult::DownTo(moment) if moment > since => None,
                    _ => Some(self.ended(leaf, history)),
                }
            }
            LookupStage::Approach(seek) => {
                let (_, before) = seek.progress();
                let has_arrived = seek.advance(history, 8 * slice);
                has_arrived.then(|| self.found(before, records, history))
            }
        }
    }

    /// Whether it goes no further than what is recorded.
    pub(crate) fn is_near(&self) -> bool {
        matches!(self.stage, LookupStage::Near)
    }

    /// How far back the search is.
    pub(crate) fn down_to(&self) -> u64 {
        match &self.stage {
            LookupStage::Near => self.fact.moment,
            LookupStage::Far(search) => search.down_to(),
            LookupStage::Approach(seek) => seek.progress().1,
        }
    }

    /// The node of a step, by the moment before it.
    fn found(&self, before: u64, records: &mut Records, history: &History) -> CausalNode {
        let window = records.window(history, before + 1);
        let (recorded, after) = (window.step(before), window.step(before + 1));
        let (op, fact) = (recorded.word.op(), self.fact);
        let is_minimal = records.keeps_to_op(history.engine(), recorded.word);
        let result = op.alu(recorded.a, recorded.data, recorded.word.immediate());
        let (a, carry) =
            if is_minimal { (result.value, result.carry) } else { (after.a, after.carry) };
        let value = match fact.subject {
            Subject::Bits(Cell::A, _) => a,
            Subject::Bits(Cell::Carry, _) => carry.into(),
            Subject::Bits(Cell::Byte(_), _) | Subject::Change(..) => recorded.a,
            Subject::Executed(_) | Subject::Visit(_) => recorded.carry.into(),
        };
        let step = CausalStep { before, is_minimal, recorded };
        CausalNode { fact, value, origin: FactOrigin::Step(step) }
    }

    /// The node of a fact that no instruction made so.
    fn ended(&self, leaf: Leaf, history: &History) -> CausalNode {
        let engine = history.replay_at(self.leaf.0).engine;
        let value = match (self.fact.byte(), self.fact.subject) {
            (Some(byte), _) => engine.ram()[byte.to_usize()],
            (None, Subject::Bits(Cell::A, _)) => engine.a(),
            (None, Subject::Bits(..)) => engine.carry().into(),
            (None, _) => 0,
        };
        CausalNode { fact: self.fact, value, origin: FactOrigin::Leaf(leaf) }
    }
}

/// The last input up to the moment of a fact that made it so, and its moment; the beginning if
/// there is none.
fn last_input(fact: Fact, history: &History) -> (u64, Leaf) {
    let mut moments = history.inputs().until(fact.moment).chunk_by(|(a, _), (b, _)| a == b).rev();
    let leaf_at = |inputs: &[(u64, Input)]| {
        let moment = inputs[0].0;
        Some((moment, leaf_of(fact, moment, inputs, history)?))
    };
    if let Some(last) = moments.find_map(leaf_at) {
        return last;
    }
    let leaf = match history.start() {
        0 if fact.byte() == Some(panel::BUTTONS) => Leaf::Reset(0),
        0 => Leaf::PowerUp,
        _ => Leaf::Forgotten,
    };
    (history.start(), leaf)
}

/// The last of the inputs of a moment that made a subject what it is.
fn leaf_of(fact: Fact, moment: u64, inputs: &[(u64, Input)], history: &History) -> Option<Leaf> {
    if let Some(address) = fact.byte() {
        return inputs.iter().rev().find_map(|(_, input)| match input {
            Input::Poke(at, _) if *at == address => Some(Leaf::Hand(moment)),
            Input::Hold(_) if address == panel::BUTTONS => Some(Leaf::Buttons(moment)),
            Input::Reset if address == panel::BUTTONS => Some(Leaf::Reset(moment)),
            _ => None,
        });
    }
    let is_jump = |(_, input): &(u64, Input)| matches!(input, Input::Reset | Input::Load(_));
    if !inputs.iter().any(is_jump) {
        return None;
    }
    let mut registers = registers_before(moment, history);
    let mut last = None;
    for (_, input) in inputs {
        let before = registers;
        match input {
            Input::Reset => registers.pc = RomIndex::default(),
            Input::Load(loaded) => registers = *loaded,
            Input::Hold(_) | Input::Poke(..) => {}
        }
        let is_made = match fact.subject {
            Subject::Executed(_) => *input == Input::Reset || registers.pc != before.pc,
            Subject::Bits(Cell::A, _) => registers.a != before.a,
            Subject::Bits(..) => registers.carry != before.carry,
            Subject::Change(..) | Subject::Visit(_) => false,
        };
        let by_reset = *input == Input::Reset;
        let leaf = if by_reset { Leaf::Reset(moment) } else { Leaf::Hand(moment) };
        last = is_made.then_some(leaf).or(last);
    }
    last
}

/// The registers at a moment before the inputs of that moment.
fn registers_before(moment: u64, history: &History) -> Registers {
    let Some(before) = moment.checked_sub(1).filter(|it| *it >= history.start()) else {
        let mut engine = history.engine().boxed_clone();
        engine.restore(&history.checkpoints().nearest(moment).snapshot);
        return engine.registers();
    };
    let mut replay = history.replay_at(before);
    replay.engine.step();
    replay.engine.registers()
}
