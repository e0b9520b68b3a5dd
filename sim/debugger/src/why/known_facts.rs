//! The facts that an answer needs: those that are known, and those that are still missing.

use std::collections::HashMap;

use gray1_isa::{Image, Op};

use super::fact::{CausalNode, Fact, Leaf};
use super::wording::Chain;

/// The maximum number of facts that an answer shows, that a slice of time looks up, and that are
/// followed to find the squares of a decision.
pub(super) const FACTS_MAX: usize = 1000;
/// The maximum number of steps in a repeated sequence.
const PERIOD_MAX: usize = 6;
/// The number of steps for which a chain is always followed. A longer one is followed until its
/// work reaches `WORK_MAX`: the number of instructions between its two ends, and 64 for each step.
const STEPS_MIN: usize = 400;
const WORK_MAX: u64 = 1 << 24;

/// A sequence of steps that repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repetition {
    /// The action that the steps repeat, such as `shifted left`.
    pub action: &'static str,
    /// The number of times that they carry it out.
    pub times: usize,
}

/// The known facts, and the facts that an answer still needs.
#[derive(Debug, Default)]
pub(super) struct KnownFacts {
    nodes: HashMap<Fact, CausalNode>,
    missing: Vec<Fact>,
    /// The part of the chain to the decision that was followed so far.
    pub(super) decision: Option<Chain>,
    /// The chain of causes from the node that is expanded next.
    pub(super) run: Vec<CausalNode>,
    /// The names of the board's chips, once a deviation was found.
    pub(super) chips: Vec<String>,
}

impl KnownFacts {
    /// Returns the value of a known fact.
    pub(super) fn value(&self, fact: &Fact) -> Option<u8> {
        self.nodes.get(fact).map(|node| node.value)
    }

    /// Adds a fact with its cause.
    pub(super) fn add(&mut self, node: CausalNode) {
        self.nodes.insert(node.fact, node);
    }

    /// Takes a fact that is missing.
    pub(super) fn take_missing(&mut self) -> Option<Fact> {
        self.missing.retain(|fact| !self.nodes.contains_key(fact));
        self.missing.pop()
    }

    /// Returns `None` if facts are missing.
    pub(super) fn if_complete(&self) -> Option<()> {
        self.missing.is_empty().then_some(())
    }

    /// Returns the node of a fact. An unknown fact is added to the missing ones.
    pub(super) fn node(&mut self, fact: Fact) -> Option<CausalNode> {
        let node = self.nodes.get(&fact).copied();
        if node.is_none() {
            self.missing.push(fact);
        }
        node
    }

    /// Returns the only fact on which a node depends, besides constants. The node's instruction
    /// copied it or combined it with constants. A byte that is added to itself also counts as one
    /// fact.
    pub(super) fn only_cause(&mut self, node: &CausalNode, image: &Image) -> Option<CausalNode> {
        match *causes(node, image).0.as_slice() {
            [only] => self.node(only),
            [a, data] => {
                let (a, data) = self.node(a).zip(self.node(data))?;
                let load = a.step().filter(|step| step.recorded.word.op() == Op::Ld)?;
                let is_same = Some(load.recorded.word.address()) == data.fact.byte();
                let is_kept = data.step().is_none_or(|store| store.before < load.before);
                (is_same && is_kept).then_some(data)
            }
            _ => None,
        }
    }

    /// Finds a sequence of steps that repeats from a node on, and the node after it. The node is
    /// `None` if the chain was not followed that far.
    pub(super) fn find_repetition(
        &mut self,
        node: &CausalNode,
        image: &Image,
    ) -> Option<(Repetition, Option<CausalNode>)> {
        let mut run = std::mem::take(&mut self.run);
        if run.is_empty() {
            run.push(*node);
        }
        let mut is_cut_off = false;
        while can_repeat(&run)
            && let Some(next) = self.only_cause(&run[run.len() - 1], image)
            && next.step().is_some()
        {
            is_cut_off = is_cut(&run[0], &run[run.len() - 1], run.len() - 1);
            if is_cut_off {
                break;
            }
            run.push(next);
        }
        self.run = run;
        self.if_complete()?;
        let run = &self.run;
        (1..=PERIOD_MAX.min(run.len() - 1)).find_map(|period| {
            let times = count_repeated(run, period) / period + 1;
            // The explanation continues with the node after the last repetition.
            let next = run.get(times * period).or(run.get((times - 1) * period))?;
            let times = if run.len() > times * period { times } else { times - 1 };
            let repeated = || run[..period].iter();
            let action = if repeated().any(|it| causes(it, image).0.len() > 1) {
                "shifted left"
            } else if repeated()
                .filter_map(CausalNode::step)
                .any(|it| it.recorded.word.op() == Op::Shr)
            {
                "shifted right"
            } else {
                "repeated"
            };
            (times > 1).then_some((Repetition { action, times }, (!is_cut_off).then_some(*next)))
        })
    }
}

/// Returns the number of steps at the start of a chain that are followed by the same step `period`
/// steps later.
fn count_repeated(run: &[CausalNode], period: usize) -> usize {
    let step = |node: &CausalNode| (node.fact.byte(), node.step().map(|it| it.recorded.word));
    let pairs = run.iter().zip(run.iter().skip(period));
    pairs.take_while(|(a, b)| step(a) == step(b)).count()
}

/// Returns true if a chain can still turn out to repeat, or repeats up to its end.
fn can_repeat(run: &[CausalNode]) -> bool {
    let last = run.len() - 1;
    let head = &run[..run.len().min(2 * PERIOD_MAX + 1)];
    let period = (1..=PERIOD_MAX).find(|period| count_repeated(head, *period) >= *period);
    last < 2 * PERIOD_MAX
        || period.is_some_and(|period| {
            count_repeated(head, period) + period == head.len()
                && count_repeated(&run[last - period..], period) == 1
        })
}

/// Returns true if a chain from one node to another has become too long to follow.
pub(super) fn is_cut(first: &CausalNode, last: &CausalNode, steps: usize) -> bool {
    let instructions = first.fact.moment - last.fact.moment;
    steps >= STEPS_MIN && instructions + 64 * steps as u64 >= WORK_MAX
}

/// Returns the facts and the constant on which a node depends. A byte of the constant pool counts
/// as a constant, not as a fact.
pub(super) fn causes(node: &CausalNode, image: &Image) -> (Vec<Fact>, Option<Leaf>) {
    let pool_constant = |fact: &Fact| {
        let address = fact.byte()?;
        let byte = image.names().pool_constant(address)?;
        (node.step()?.recorded.data == byte).then_some(Leaf::PoolConstant(address))
    };
    let (mut facts, constant) = node.causes();
    // An instruction either reads a byte or has a constant, so there is at most one constant.
    let leaf = facts.iter().find_map(pool_constant).or(constant);
    facts.retain(|fact| pool_constant(fact).is_none());
    (facts, leaf)
}
