//! Finds the cause of a fact, in a recorded part of the past or by a search.

use std::collections::{HashMap, VecDeque};

use gray1_board::Board;
use gray1_isa::{Indexes, Op, RomIndex, Word, panel};
use gray1_language::Unary;
use gray1_sim::engine::Engine;

use super::deviation::{find_deviation, keeps_to_program};
use super::fact::{CausalNode, CausalStep, Cell, Deviation, Fact, FactOrigin, Leaf, Subject};
use crate::backward_search::{Search, SearchResult};
use crate::condition::{Condition, Event};
use crate::control_flow::ControlFlow;
use crate::expression::Expression;
use crate::history::History;
use crate::inputs::Input;
use crate::position::Position;
use crate::recorder::Recorder;
use crate::replay::Watch;
use crate::seek::Seek;
use crate::watch_set::{NO_CONDITIONS, WatchSet};

/// The maximum number of windows that are kept. A window is a recorded part of the past.
const WINDOWS_MAX: usize = 8;

/// The recorded parts of the past that questions use.
#[derive(Debug, Default)]
pub(crate) struct Records {
    windows: VecDeque<Recorder>,
    /// True if the engine executes an operation correctly. The key is the operation, and whether
    /// its operand is the address of the buttons.
    keeps_to_op: HashMap<(Op, bool), bool>,
    control_flow: Option<ControlFlow>,
    /// The results of [`ControlFlow::deciders`].
    deciders: HashMap<RomIndex, [Indexes; 2]>,
    /// The board of the engine, but with contents that are generated from its rules.
    by_rule: Option<Board>,
}

/// The search for the cause of a fact.
#[derive(Debug)]
pub(crate) struct Lookup {
    fact: Fact,
    /// For [`Subject::Executed`], the `JC` instructions that lead to the instruction, by the carry.
    /// For [`Subject::Skipped`], those that lead away from a store.
    deciders: [Indexes; 2],
    /// The last input that can be the cause, with its moment. It is the cause if no later
    /// instruction is.
    leaf: (u64, Leaf),
    stage: LookupStage,
}

#[derive(Debug)]
enum LookupStage {
    /// Look in recorded windows, from this moment back.
    Near(u64),
    Far(Box<Search>),
    /// The step is known. Move to the moment before it.
    Approach(Box<Seek>),
}

impl Records {
    /// Returns the window that reaches farthest back from a moment. Records one if necessary.
    fn window(&mut self, history: &History, moment: u64) -> &Recorder {
        self.windows.retain(|window| history.leads_to(window.replay.mark()));
        if !self.windows.iter().any(|window| window.reach(moment).is_some_and(|it| it > 0)) {
            if self.windows.len() == WINDOWS_MAX {
                self.windows.pop_front();
            }
            self.windows.push_back(Recorder::up_to(history, moment));
        }
        let farthest = self.windows.iter().max_by_key(|window| window.reach(moment));
        farthest.expect("one was recorded")
    }

    fn deciders(&mut self, index: RomIndex, engine: &dyn Engine) -> &[Indexes; 2] {
        self.deciders.entry(index).or_insert_with(|| {
            self.control_flow.get_or_insert_with(|| ControlFlow::new(engine)).deciders(index)
        })
    }

    /// Returns true if the engine executes an instruction as [`Op`] defines it.
    fn keeps_to_op(&mut self, engine: &dyn Engine, word: Word) -> bool {
        let kind = (word.op(), word.address() == panel::BUTTONS);
        *self.keeps_to_op.entry(kind).or_insert_with(|| engine.keeps_to_op(word))
    }

    /// Returns the deviation of a faulty board from its rules, in the instruction at a moment.
    fn deviation(&mut self, history: &History, before: u64, subject: Subject) -> Option<Deviation> {
        let circuit = history.engine().circuit()?;
        let by_rule = self.by_rule.get_or_insert_with(|| circuit.board().with_generated_contents());
        find_deviation(history, by_rule, before, subject)
    }

    /// Returns the names of the board's chips. It is empty until the first search for a deviation.
    pub(crate) fn chips(&self) -> Vec<String> {
        let chips = self.by_rule.iter().flat_map(Board::chips);
        chips.map(|chip| chip.name().to_owned()).collect()
    }
}

/// Returns true if an instruction writes a cell.
fn writes(word: Word, cell: Cell) -> bool {
    match cell {
        Cell::A => word.op().writes_a(),
        Cell::Carry => word.op().writes_carry(),
        Cell::Byte(byte) => word == Word::data(Op::St, byte),
    }
}

impl Lookup {
    /// Starts a search. With `since`, causes before that moment count as forgotten.
    pub(crate) fn new(
        fact: Fact,
        since: Option<u64>,
        records: &mut Records,
        history: &History,
    ) -> Self {
        let engine = history.engine();
        let deciders = match fact.subject {
            Subject::Executed(index) => records.deciders(index, engine).clone(),
            Subject::Skipped(byte) => {
                let mut deciders: [Vec<RomIndex>; 2] = Default::default();
                let stores = |it: &RomIndex| writes(engine.word(*it), Cell::Byte(byte));
                for store in RomIndex::all().filter(stores) {
                    let [clear, set] = records.deciders(store, engine);
                    deciders[0].extend(set.iter());
                    deciders[1].extend(clear.iter());
                }
                deciders.map(|indexes| indexes.into_iter().collect())
            }
            _ => Default::default(),
        };
        let mut leaf = find_last_input(fact, history);
        if let Some(since) = since.filter(|since| *since > leaf.0) {
            leaf = (since.min(fact.moment), Leaf::Forgotten);
        }
        // If stores to this byte do not work as defined, only inputs can explain its value.
        if fact.byte().is_some_and(|byte| !records.keeps_to_op(engine, Word::data(Op::St, byte))) {
            leaf.0 = fact.moment;
        }
        Self { fact, deciders, leaf, stage: LookupStage::Near(fact.moment) }
    }

    /// Returns true if the recorded instruction at a moment caused the fact, or should have caused
    /// it.
    fn is_caused_at(&self, window: &Recorder, moment: u64, engine: &dyn Engine) -> bool {
        let step = window.step(moment);
        let should_write = |cell| writes(engine.word(step.index), cell) || writes(step.word, cell);
        match self.fact.subject {
            Subject::Executed(_) => {
                let next = engine.word(step.index).next(step.index, step.carry);
                step.after.pc != next || self.deciders[usize::from(step.carry)].contains(step.index)
            }
            Subject::Visit(index) => step.index == index,
            Subject::Skipped(_) => {
                step.word.op() == Op::Jc
                    && self.deciders[usize::from(step.carry)].contains(step.index)
            }
            Subject::Bits(Cell::A, _) => should_write(Cell::A) || step.a != step.after.a,
            Subject::Bits(Cell::Carry, _) => {
                should_write(Cell::Carry) || step.carry != step.after.carry
            }
            Subject::Bits(Cell::Byte(byte), _) => {
                should_write(Cell::Byte(byte)) || window.writes(moment).any(|it| it.address == byte)
            }
            Subject::Change(byte, mask) => {
                window.writes(moment).any(|it| it.address == byte && (it.old ^ it.new) & mask != 0)
            }
        }
    }

    /// Returns the conditions that find the instructions that may have caused the fact.
    fn watch_set(&self, engine: &dyn Engine) -> WatchSet {
        let reaches = |indexes| Condition::from(Event::Reaches(Box::new(indexes)));
        let conditions = match self.fact.subject {
            Subject::Executed(_) => {
                let [clear, set] = self.deciders.clone().map(reaches);
                let is_clear = Expression::Unary(Unary::Not, Box::new(Expression::Carry));
                vec![clear.only_if(is_clear), set.only_if(Expression::Carry)]
            }
            Subject::Visit(index) => vec![reaches(Indexes::from_iter([index]))],
            Subject::Skipped(_) => Vec::new(),
            Subject::Bits(cell, _) => {
                let writers = RomIndex::all().filter(|index| writes(engine.word(*index), cell));
                vec![reaches(writers.collect())]
            }
            Subject::Change(address, mask) => vec![Event::Changes { address, mask }.into()],
        };
        WatchSet::new(conditions, engine)
    }

    /// Works for a slice of time. Returns the fact with its cause when it is found.
    pub(crate) fn advance(
        &mut self,
        records: &mut Records,
        history: &mut History,
    ) -> Option<CausalNode> {
        let slice = history.engine().slice();
        let (since, leaf) = self.leaf;
        let after = u32::from(matches!(self.fact.subject, Subject::Change(..)));
        match &mut self.stage {
            LookupStage::Near(to) => {
                let to = *to;
                let window = records.window(history, to);
                let is_cause = |moment| self.is_caused_at(window, moment, history.engine());
                let found = match self.fact.subject {
                    Subject::Skipped(byte) => {
                        let stores = |moment| window.writes(moment).any(|it| it.address == byte);
                        let store = window.last(since, to, stores);
                        store.and_then(|store| (store + 1..to).find(|moment| is_cause(*moment)))
                    }
                    _ => window.last(since, to, is_cause),
                };
                if let Some(before) = found {
                    return Some(self.build_step_node(before, records, history));
                }
                let start = window.start();
                if since >= start || matches!(self.fact.subject, Subject::Skipped(_)) {
                    return Some(self.build_leaf_node(leaf, history));
                }
                // A search only finds instructions that can be the cause according to the program.
                // On a machine that can deviate, every recorded instruction must be examined.
                if history.engine().can_deviate() {
                    self.stage = LookupStage::Near(start);
                    return None;
                }
                let watch_set = self.watch_set(history.engine());
                let search =
                    Search::before(history, watch_set, Position { moment: start, edges: after });
                self.stage = LookupStage::Far(Box::new(search));
                None
            }
            LookupStage::Far(search) => {
                let after = u64::from(after);
                match search.advance(history, search.share(slice)) {
                    SearchResult::Hit(hit) if hit.moment >= since + after => {
                        let before = hit.moment - after;
                        let Some(seek) = Seek::new(history, before) else {
                            return Some(self.build_step_node(before, records, history));
                        };
                        self.stage = LookupStage::Approach(Box::new(seek));
                        None
                    }
                    SearchResult::DownTo(moment) if moment > since => None,
                    _ => Some(self.build_leaf_node(leaf, history)),
                }
            }
            LookupStage::Approach(seek) => {
                let (_, before) = seek.progress();
                let has_arrived = seek.advance(history, 8 * slice);
                has_arrived.then(|| self.build_step_node(before, records, history))
            }
        }
    }

    /// Returns true if the lookup has only needed recorded windows so far.
    pub(crate) fn is_near(&self) -> bool {
        matches!(self.stage, LookupStage::Near(to) if to == self.fact.moment)
    }

    /// Returns the earliest moment that the search has reached.
    pub(crate) fn down_to(&self) -> u64 {
        match &self.stage {
            LookupStage::Near(to) => *to,
            LookupStage::Far(search) => search.down_to(),
            LookupStage::Approach(seek) => seek.progress().1,
        }
    }

    /// Builds the node for a step, which is identified by the moment before it.
    fn build_step_node(&self, before: u64, records: &mut Records, history: &History) -> CausalNode {
        let fact = self.fact;
        let engine = history.engine();
        let window = records.window(history, before + 1);
        let recorded = *window.step(before);
        let written = fact.byte().map(|byte| {
            match window.writes(before).filter(|write| write.address == byte).last() {
                Some(write) => write.new,
                None => history.replay_at(before + 1).engine.ram()[byte.to_usize()],
            }
        });
        let word = engine.word(recorded.index);
        let may_deviate =
            engine.can_deviate() && !keeps_to_program(&recorded, window.writes(before), word);
        let deviation =
            may_deviate.then(|| records.deviation(history, before, fact.subject)).flatten();
        let value = match fact.subject {
            Subject::Bits(Cell::A, _) => recorded.after.a,
            Subject::Bits(Cell::Carry, _) => recorded.after.carry.into(),
            Subject::Bits(Cell::Byte(_), _) | Subject::Change(..) => written.unwrap_or_default(),
            _ => recorded.carry.into(),
        };
        let is_minimal = deviation.is_none() && records.keeps_to_op(engine, recorded.word);
        let step = CausalStep { before, is_minimal, recorded, deviation };
        CausalNode { fact, value, origin: FactOrigin::Step(step) }
    }

    /// Builds the node for a fact that no instruction caused.
    fn build_leaf_node(&self, leaf: Leaf, history: &History) -> CausalNode {
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

/// Returns the last input that can have caused a fact, with its moment. If there is none, returns
/// the beginning of the history.
fn find_last_input(fact: Fact, history: &History) -> (u64, Leaf) {
    for inputs in history.inputs().until(fact.moment).chunk_by(|(a, _), (b, _)| a == b).rev() {
        let moment = inputs[0].0;
        if let Some(leaf) = find_leaf(fact, moment, inputs, history) {
            return (moment, leaf);
        }
    }
    let leaf = match history.start() {
        0 if fact.byte() == Some(panel::BUTTONS) => Leaf::Reset(0),
        0 => Leaf::PowerUp,
        _ => Leaf::Forgotten,
    };
    (history.start(), leaf)
}

/// Returns the leaf for the last input at a moment that determined the subject of a fact.
fn find_leaf(fact: Fact, moment: u64, inputs: &[(u64, Input)], history: &History) -> Option<Leaf> {
    if let Some(address) = fact.byte() {
        let mut leaves = inputs.iter().filter_map(|(_, input)| match *input {
            Input::Poke(at, _) if at == address => Some((*input, Leaf::UserChange(moment))),
            Input::Hold(_) if address == panel::BUTTONS => Some((*input, Leaf::Buttons(moment))),
            Input::Reset if address == panel::BUTTONS => Some((*input, Leaf::Reset(moment))),
            _ => None,
        });
        let Subject::Change(_, mask) = fact.subject else { return Some(leaves.next_back()?.1) };
        leaves.clone().next()?;
        let mut engine = engine_before(moment, history);
        let mut last = None;
        for (input, leaf) in leaves {
            let before = engine.ram()[address.to_usize()];
            match input {
                Input::Poke(at, byte) => engine.poke(at, byte),
                Input::Hold(buttons) => engine.hold(buttons),
                Input::Reset => engine.reset(),
                Input::Load(_) => {}
            }
            if (before ^ engine.ram()[address.to_usize()]) & mask != 0 {
                last = Some(leaf);
            }
        }
        return last;
    }
    if !inputs.iter().any(|(_, input)| matches!(input, Input::Reset | Input::Load(_))) {
        return None;
    }
    let mut registers = engine_before(moment, history).registers();
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
            Subject::Change(..) | Subject::Visit(_) | Subject::Skipped(_) => false,
        };
        let by_reset = *input == Input::Reset;
        let leaf = if by_reset { Leaf::Reset(moment) } else { Leaf::UserChange(moment) };
        last = is_made.then_some(leaf).or(last);
    }
    last
}

/// Returns the machine at a moment, before the inputs of that moment.
fn engine_before(moment: u64, history: &History) -> Box<dyn Engine> {
    let Some(before) = moment.checked_sub(1).filter(|it| *it >= history.start()) else {
        let mut engine = history.engine().boxed_clone();
        engine.restore(&history.checkpoints().nearest(moment).snapshot);
        return engine;
    };
    let mut replay = history.replay_at(before);
    replay.next(history.inputs(), &mut Watch::instructions(&NO_CONDITIONS), moment);
    replay.engine
}
