//! Chooses the steps of an answer that a person should see first.
//!
//! The causes of a value form a graph. Here its nodes are *assignments*, which are stores with the
//! instructions that computed the stored value in A, and *tests*, which are `JC` instructions with
//! those that computed C. The walk goes from the question back, the nearest nodes first. Of these,
//! the steps at which something unusual happened are shown, and then the nearest ones.

use std::cmp::Reverse;
use std::collections::VecDeque;

use gray1_isa::{Image, Op, RomIndex, Word};

use super::fact::{CausalNode, CausalStep, Fact, FactOrigin, Leaf, Subject};
use super::known_facts::{KnownFacts, causes};
use crate::recorder::RECENT;

/// The maximum number of steps that are shown, and of those among which they are chosen.
const STEPS_MAX: usize = 5;
const VISITS_MAX: usize = 8 * STEPS_MAX;

/// The distance from the question up to which lost bits and other passages are pointed out. Farther
/// ones are usually intended.
const NEAR: usize = 2;

/// An important step: an assignment, a test, or a byte that nothing had written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyStep {
    /// The fact that the step explains.
    pub node: CausalNode,
    /// Its instructions in the order of execution, each with the moment before it. For a byte that
    /// nothing had written, this is the instruction that read it.
    pub executed: Vec<(u64, RomIndex)>,
    /// The unusual thing about it.
    pub remark: Option<Remark>,
    /// The number of steps between it and the question, without those that only move a value.
    distance: usize,
    /// The usefulness, with 0 for the most useful step.
    rank: usize,
}

/// Something unusual, the most useful first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Remark {
    /// Nothing had written the byte before this instruction read it.
    Unwritten,
    /// A shift removed the last bit of a byte, or nothing used the carry of a sum.
    LostBit,
    /// The passage that read the byte also stores it, but this value is from another passage.
    FromElsewhere,
    /// This is the last change of a byte that was stored again later.
    LastChange,
}

/// A fact to follow, and the instruction that depended on it, with the moment before it.
#[derive(Debug, Clone, Copy)]
struct Visit {
    node: CausalNode,
    distance: usize,
    reader: Option<(u64, RomIndex)>,
}

/// The walk from a question back to its causes.
#[derive(Debug, Default)]
pub(super) struct KeySteps {
    left: VecDeque<Visit>,
    found: Vec<KeyStep>,
}

impl KeySteps {
    /// Starts a walk from a node. It also visits the last change of the node, the nodes that the
    /// sentence mentions, and the other LED of a square, each at a distance from the question.
    pub(super) fn new(visits: impl IntoIterator<Item = (CausalNode, usize)>) -> Self {
        let visits = visits.into_iter();
        let left = visits.map(|(node, distance)| Visit { node, distance, reader: None }).collect();
        Self { left, ..Self::default() }
    }

    /// Follows the causes. Returns `None` if facts are missing.
    pub(super) fn find(&mut self, known: &mut KnownFacts, image: &Image) -> Option<()> {
        while self.found.len() < VISITS_MAX
            && let Some(visit) = self.left.front().copied()
        {
            if !self.found.iter().any(|step| step.shows(&visit.node)) {
                let (step, next) = visit.expand(known, image)?;
                self.found.extend(step);
                self.left.extend(next);
                self.left.make_contiguous()[1..].sort_by_key(|visit| visit.distance);
            }
            self.left.pop_front();
        }
        Some(())
    }

    /// Chooses the most useful steps, and returns them with the last one first. `explained` are
    /// the moments of the steps that the sentence of the answer mentions, and `changed` is that of
    /// the last change.
    pub(super) fn choose(
        &mut self,
        explained: &[u64],
        changed: Option<u64>,
        image: &Image,
    ) -> Vec<KeyStep> {
        let mut found = std::mem::take(&mut self.found);
        found.sort_by_key(|it| it.distance);
        let (mut remarks, mut lines) = (Vec::new(), Vec::new());
        for step in &mut found {
            let is_changed = step.distance > 0 && changed.is_some_and(|it| step.moment() == it);
            step.remark = step.remark.or(is_changed.then_some(Remark::LastChange));
            let line = image.line_or_place(step.index());
            step.rank = match step.remark {
                _ if step.distance == 0 => 0,
                Some(remark) if !remarks.contains(&remark) => 1 + remark as usize,
                _ if step.executed.iter().any(|(before, _)| explained.contains(before)) => 5,
                _ if !lines.contains(&line) => 6,
                _ => 7,
            };
            remarks.extend(step.remark);
            lines.push(line);
        }
        found.sort_by_key(|step| step.rank);
        found.truncate(STEPS_MAX);
        found.sort_by_key(|step| Reverse(step.moment()));
        found
    }
}

impl KeyStep {
    /// Returns true if the step that made a node belongs to this step.
    fn shows(&self, node: &CausalNode) -> bool {
        match node.step() {
            Some(step) => self.executed.iter().any(|(before, _)| *before == step.before),
            None => self.node.step().is_none() && self.node.fact.byte() == node.fact.byte(),
        }
    }

    /// Returns true if two steps executed the same instructions.
    pub(super) fn repeats(&self, other: &Self) -> bool {
        let indexes =
            |step: &Self| step.executed.iter().map(|(_, index)| *index).collect::<Vec<_>>();
        indexes(self) == indexes(other)
    }

    /// Returns the moment after the last instruction.
    pub fn moment(&self) -> u64 {
        self.executed.last().map_or(0, |(before, _)| before + 1)
    }

    /// Returns the last instruction, which stored the value or read the unwritten byte.
    pub fn index(&self) -> RomIndex {
        self.executed.last().map_or_else(RomIndex::default, |(_, index)| *index)
    }
}

impl Visit {
    /// Returns the step that made this fact, and the facts on which that step depended. Returns
    /// `None` if facts are missing.
    fn expand(
        &self,
        known: &mut KnownFacts,
        image: &Image,
    ) -> Option<(Option<KeyStep>, Vec<Self>)> {
        let Self { node, distance, reader } = *self;
        if let FactOrigin::Leaf(leaf) = node.origin {
            let reader = reader.filter(|_| is_unwritten(&node, leaf, image));
            let step = reader.map(|reader| {
                let executed = vec![reader];
                KeyStep { node, executed, remark: Some(Remark::Unwritten), distance, rank: 0 }
            });
            return Some((step, Vec::new()));
        }
        let own = reader.and_then(|reader| find_own_store(&node, reader.1, image));
        let visited = own.zip(reader).and_then(|(own, (moment, _))| {
            known.node(Fact { subject: Subject::Visit(own), moment })
        });
        let is_elsewhere = visited.is_some_and(|node| node.step().is_some());
        let mut remark = is_elsewhere.then_some(Remark::FromElsewhere);
        let index = node.step().map(|step| step.recorded.index);
        let (mut executed, mut seen) = (Vec::new(), Vec::new());
        let (mut read, mut inside) = (Vec::new(), vec![node]);
        while let Some(part) = inside.pop() {
            let Some(step) = part.step().filter(|_| !seen.contains(&part.fact)) else { continue };
            seen.push(part.fact);
            executed.push((step.before, step.recorded.index));
            if loses_bit(step, &node, image) {
                remark = Some(Remark::LostBit);
            }
            for fact in causes(&part, image).0 {
                let Some(cause) = known.node(fact) else { continue };
                // A byte without a name belongs to the inside of a macro.
                let is_part = fact.byte().is_none_or(|byte| {
                    Some(byte) == node.fact.byte() || image.names().named_byte(byte).is_none()
                });
                let is_new = cause.step().is_some_and(|it| {
                    step.before < it.before + RECENT && index != Some(it.recorded.index)
                });
                if is_part && is_new && executed.len() < VISITS_MAX {
                    inside.push(cause);
                } else {
                    read.push((cause, (step.before, step.recorded.index)));
                }
            }
        }
        executed.sort_unstable();
        executed.dedup();
        let tests = find_tests(&executed, known);
        known.if_complete()?;
        read.sort_by_key(|(node, _)| Reverse(node.step().map(CausalStep::moment)));
        let is_move = distance > 0 && is_move(&executed, image);
        let after = distance + usize::from(!is_move);
        let read = read.into_iter().map(|(node, reader)| Self {
            node,
            distance: after,
            reader: Some(reader),
        });
        let tests =
            tests.into_iter().map(|node| Self { node, distance: distance + 1, reader: None });
        let next = read.chain(tests).collect();
        let remark = remark.filter(|_| distance <= NEAR);
        let distance = distance + usize::from(is_move);
        Some((Some(KeyStep { node, executed, remark, distance, rank: 0 }), next))
    }
}

/// Finds the tests that decided that these instructions were executed.
fn find_tests(executed: &[(u64, RomIndex)], known: &mut KnownFacts) -> Vec<CausalNode> {
    let (mut tests, mut starts) = (Vec::new(), Vec::new());
    let parts = executed.chunk_by(|(_, one), (_, next)| one.next() == *next);
    for &(before, index) in parts.filter_map(<[_]>::first).rev() {
        // A loop executes the same instructions again, for the same reason.
        if !starts.contains(&index) {
            starts.push(index);
            tests.extend(known.node(Fact::executed(index, before)));
        }
    }
    tests
}

/// Returns true if instructions only copy or invert a byte.
fn is_move(executed: &[(u64, RomIndex)], image: &Image) -> bool {
    executed.iter().all(|(_, index)| {
        let word = image.word(*index);
        let constant = image.names().pool_constant(word.address());
        matches!(word.op(), Op::Ld | Op::St) || word.op() == Op::Nand && constant == Some(0xff)
    })
}

/// Returns true if a fact comes from power-up, but not on purpose.
fn is_unwritten(node: &CausalNode, leaf: Leaf, image: &Image) -> bool {
    let byte = node.fact.byte().filter(|_| leaf == Leaf::PowerUp);
    byte.is_some_and(|byte| !image.seed_bytes().any(|seed| seed == byte))
}

/// Returns true if a step shifted the last bit out of the byte of a node, or if nothing used the
/// carry of a sum that is shown as a number. A constant from 0x80 on counts as a negative number.
fn loses_bit(step: &CausalStep, node: &CausalNode, image: &Image) -> bool {
    let recorded = &step.recorded;
    let is_cleared = node.fact.byte().is_some() && node.value == 0;
    match recorded.word.op() {
        _ if !recorded.after.carry => false,
        Op::Shr => is_cleared,
        Op::Add if recorded.a == recorded.data => is_cleared,
        Op::Add => {
            let constant = image.names().pool_constant(recorded.word.address());
            let is_number = node.fact.mask() == Some(0xff);
            is_number
                && constant.is_none_or(|byte| byte < 0x80)
                && !is_carry_used(recorded.index, image)
        }
        _ => false,
    }
}

/// Returns true if a `JC` follows an instruction before C changes again.
fn is_carry_used(index: RomIndex, image: &Image) -> bool {
    let mut at = index.next();
    for _ in 0..VISITS_MAX {
        let word = image.word(at);
        match word.op() {
            Op::Jc => return true,
            op if op.writes_carry() => return false,
            _ => at = word.next(at, false),
        }
    }
    false
}

/// If an instruction read a byte that another passage had stored, but its own passage stores the
/// byte as well, returns that own store. A passage begins at a label.
fn find_own_store(node: &CausalNode, reader: RomIndex, image: &Image) -> Option<RomIndex> {
    let (byte, step) = (node.fact.byte()?, node.step()?);
    let passage = |index| image.names().first_of_passage(index);
    let own = passage(reader);
    if passage(step.recorded.index) == own {
        return None;
    }
    RomIndex::all()
        .find(|index| image.word(*index) == Word::data(Op::St, byte) && passage(*index) == own)
}
