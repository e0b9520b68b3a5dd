//! The answer to a question: the tree of causes, as far back as the question asks.

use std::collections::HashMap;

use gray1_isa::panel::LedColor;
use gray1_isa::{Image, Op, RamAddr};

use super::fact::{CausalNode, CausalStep, Cell, Fact, Leaf, Subject};
use super::lookup::{Lookup, Records};
use super::question::{Asked, Question};
use super::reason::{self, AskedLed};
use super::wording;
use crate::history::History;

/// The maximum number of nodes whose causes are added.
const NODES_MAX: usize = 1000;
/// The maximum number of facts that are looked up in a slice of time.
const LOOKUPS_MAX: usize = 1000;
/// The maximum number of steps in a repeated sequence.
const PERIOD_MAX: usize = 6;
/// The number of steps for which a chain is always followed. After that, it is followed only until
/// the work reaches `WORK_MAX`. The work is one unit for each step, and one for each `PER_WORK`
/// instructions between the two ends of the chain.
const STEPS_MIN: usize = 400;
const WORK_MAX: u64 = 1 << 18;
const PER_WORK: u64 = 64;

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The question that was asked.
    pub question: Question,
    /// The moment of the question.
    pub moment: u64,
    /// The answer in one sentence. It uses the program's own words where the program provides them.
    pub sentence: String,
    /// The nodes of the tree of causes. The first ones are the subject of the question: one node,
    /// or the two LEDs of a square, starting with the one that changed last.
    pub nodes: Vec<TreeNode>,
    /// The LED of the question with its colour, if the question is about one.
    pub asked_led: Option<AskedLed>,
    /// The squares of the display that the sentence mentions, except the one of the question.
    pub squares: Vec<(u8, u8)>,
    /// The most important steps, the last first: the step that set the subject of the question, the
    /// step that decided its value, and those that gave the mentioned squares their contents. If
    /// the program gives no reason, the stores in the tree take the place of the steps for the
    /// squares.
    pub steps: Vec<CausalNode>,
    /// The node that the sentence describes: the one that decided the first node.
    pub decision: Option<CausalNode>,
    /// True if the chain of causes continues before `decision`, and the search stopped there.
    pub stops: bool,
    /// The last change of the first node, if a later store kept its value.
    pub changed: Option<CausalNode>,
    /// The reason why the first node's instruction was executed.
    pub here: Option<CausalNode>,
    /// The names of the board's chips, by [`ChipId::index`](gray1_board::ChipId::index). It is
    /// empty if all instructions were executed correctly.
    pub chips: Vec<String>,
}

/// A node in a tree of causes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeNode {
    /// The fact with its cause.
    pub node: CausalNode,
    /// The distance from the subject of the question.
    pub depth: usize,
    /// The numbers of the nodes on which it depends. `None` if it has causes that the answer leaves
    /// out.
    pub because: Option<Vec<usize>>,
    /// A constant on which it also depends.
    pub constant: Option<Leaf>,
    /// The action that repeats from here on, in words, and the number of repetitions. If `because`
    /// is `None`, there are more repetitions than this number.
    pub repeated: Option<(&'static str, usize)>,
}

/// A question whose answer is being searched for.
#[derive(Debug)]
pub(crate) struct ExplanationSearch {
    question: Question,
    moment: u64,
    known: Facts,
    lookup: Option<Lookup>,
    /// The nodes so far, and the number of those whose causes were added.
    nodes: Vec<TreeNode>,
    expanded: usize,
}

/// The known facts, and the facts that an answer still needs.
#[derive(Debug, Default)]
pub(super) struct Facts {
    nodes: HashMap<Fact, CausalNode>,
    missing: Vec<Fact>,
    /// The last node reached so far on the chain to the decision, and the number of steps to it.
    pub(super) decision: Option<(CausalNode, usize)>,
    /// The chain of causes from the node that is expanded next.
    run: Vec<CausalNode>,
    /// The names of the board's chips, once a deviation was found.
    pub(super) chips: Vec<String>,
}

impl Facts {
    /// Returns the value of a known fact.
    pub(super) fn value(&self, fact: &Fact) -> Option<u8> {
        self.nodes.get(fact).map(|node| node.value)
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

    /// Finds a sequence of steps that repeats from a node on. Returns its description, the number
    /// of repetitions, and the node after them. The node is `None` if the chain was not followed
    /// that far.
    fn repeated(
        &mut self,
        node: &CausalNode,
        image: &Image,
    ) -> Option<(&'static str, usize, Option<CausalNode>)> {
        let step = |node: &CausalNode| (node.fact.byte(), node.step().map(|it| it.recorded.word));
        let same = |run: &[CausalNode], period: usize| {
            let pairs = run.iter().zip(run.iter().skip(period));
            pairs.take_while(|(a, b)| step(a) == step(b)).count()
        };
        let mut run = std::mem::take(&mut self.run);
        run.extend(run.is_empty().then_some(*node));
        // Follow the chain as long as it can still turn out to repeat, and then as long as it does.
        let can_repeat = |run: &[CausalNode]| {
            let (head, last) = (&run[..run.len().min(2 * PERIOD_MAX + 1)], run.len() - 1);
            let period = (1..=PERIOD_MAX).find(|period| same(head, *period) >= *period);
            let repeats = |n| same(head, n) + n == head.len() && same(&run[last - n..], n) == 1;
            last < 2 * PERIOD_MAX || period.is_some_and(repeats)
        };
        let mut stops = false;
        while can_repeat(&run)
            && let Some(next) = self.only_cause(&run[run.len() - 1], image)
            && next.step().is_some()
        {
            if is_cut(&run[0], &run[run.len() - 1], run.len() - 1) {
                stops = true;
                break;
            }
            run.push(next);
        }
        self.run = run;
        self.if_complete()?;
        let run = &self.run;
        (1..=PERIOD_MAX.min(run.len() - 1)).find_map(|period| {
            let times = same(run, period) / period + 1;
            // The explanation continues with the node after the last repetition.
            let next = run.get(times * period).or(run.get((times - 1) * period))?;
            let times = if run.len() > times * period { times } else { times - 1 };
            let is_done = |done: &dyn Fn(&CausalNode) -> bool| run[..period].iter().any(done);
            let repetition = if is_done(&|it| causes(it, image).0.len() > 1) {
                "shifted left"
            } else if is_done(&|it| {
                it.step().is_some_and(|step| step.recorded.word.op() == Op::Shr)
            }) {
                "shifted right"
            } else {
                "repeated"
            };
            (times > 1).then_some((repetition, times, (!stops).then_some(*next)))
        })
    }
}

/// Returns true if a chain from one node to another has become too long to follow.
pub(super) fn is_cut(first: &CausalNode, last: &CausalNode, steps: usize) -> bool {
    let meanwhile = (first.fact.moment - last.fact.moment) / PER_WORK;
    steps >= STEPS_MIN && steps as u64 + meanwhile >= WORK_MAX
}

/// Returns the facts and the constant on which a node depends. A byte of the constant pool counts
/// as a constant, not as a fact.
pub(super) fn causes(node: &CausalNode, image: &Image) -> (Vec<Fact>, Option<Leaf>) {
    let pool_constant = |fact: &Fact| {
        let address = fact.byte()?;
        let name = image.names().variable(address)?;
        let byte = u8::from_str_radix(name.strip_prefix("#0x")?, 16).ok()?;
        (node.step()?.recorded.data == byte).then_some(Leaf::PoolConstant(address))
    };
    let (mut facts, constant) = node.causes();
    // An instruction either reads a byte or has a constant, so there is at most one constant.
    let leaf = facts.iter().find_map(pool_constant).or(constant);
    facts.retain(|fact| pool_constant(fact).is_none());
    (facts, leaf)
}

impl ExplanationSearch {
    pub(crate) fn new(question: Question, moment: u64) -> Self {
        let (nodes, expanded) = (Vec::new(), 0);
        Self { question, moment, known: Facts::default(), lookup: None, nodes, expanded }
    }

    /// Returns the earliest moment that the search has reached.
    pub(crate) fn down_to(&self) -> u64 {
        self.lookup.as_ref().map_or(self.moment, Lookup::down_to)
    }

    /// Works for a slice of time. Returns the answer when it is complete.
    pub(crate) fn advance(
        &mut self,
        records: &mut Records,
        history: &mut History,
        image: &Image,
    ) -> Option<Explanation> {
        for _ in 0..LOOKUPS_MAX {
            let known = &mut self.known;
            known.missing.retain(|fact| !known.nodes.contains_key(fact));
            let lookup = match (&mut self.lookup, known.missing.pop()) {
                (Some(lookup), _) => lookup,
                (None, Some(fact)) => self.lookup.insert(Lookup::new(fact, records, history)),
                (None, None) => match self.explain(image) {
                    None => continue,
                    explanation => return explanation,
                },
            };
            let is_near = lookup.is_near();
            if let Some(node) = lookup.advance(records, history) {
                if node.deviation().is_some() {
                    self.known.chips = records.chips();
                }
                self.known.nodes.insert(node.fact, node);
                self.lookup = None;
            }
            if !is_near {
                break;
            }
        }
        None
    }

    /// Builds the answer, unless facts are missing.
    fn explain(&mut self, image: &Image) -> Option<Explanation> {
        let roots = self.find_roots();
        self.known.if_complete()?;
        if self.nodes.is_empty() {
            self.nodes = roots.iter().map(|node| TreeNode::new(*node, 0)).collect();
        }
        while self.expanded < self.nodes.len() {
            self.expand_next(image)?;
        }
        let Self { question, moment, .. } = *self;
        let first = roots.first().filter(|_| question.depth > 0);
        let changed = first.and_then(|root| self.find_change(root));
        let executed = first.and_then(CausalNode::step).map(CausalStep::executed);
        let here = executed.and_then(|fact| self.known.node(fact));
        let asked_led = wording::find_asked_led(question.asked, &roots);
        let led = asked_led.filter(|_| question.depth > 0);
        let reason = led.and_then(|led| reason::find_reason(led, &roots, &mut self.known, image));
        self.known.if_complete()?;
        let (sentence, decision, cut) = match (led.zip(reason.as_ref()), question.depth) {
            (_, 0) => Default::default(),
            (Some((led, reason)), _) => {
                (wording::describe_reason(led.led, reason, image), Some(reason.decision), false)
            }
            (None, _) => wording::format_sentence(question.asked, &roots, &mut self.known, image),
        };
        self.known.if_complete()?;
        // If the program gives no reason, the stores before the decision are the most useful steps.
        let is_store = |node: &CausalNode| {
            reason.is_none() && node.step().is_some_and(|it| it.recorded.word.op() == Op::St)
        };
        let stores = self.nodes.iter().map(|it| it.node).filter(is_store);
        let made = reason.iter().flat_map(|reason| reason.made.iter().copied()).chain(stores);
        let made = first.copied().into_iter().chain(decision).chain(made);
        let steps = wording::choose_steps(made);
        let squares = reason.map_or_else(Vec::new, |reason| reason.squares);
        let nodes = std::mem::take(&mut self.nodes);
        let chips = std::mem::take(&mut self.known.chips);
        Some(Explanation {
            question,
            moment,
            sentence,
            nodes,
            asked_led,
            squares,
            steps,
            decision,
            stops: cut,
            changed,
            here,
            chips,
        })
    }

    /// Returns the nodes that the question is about.
    fn find_roots(&mut self) -> Vec<CausalNode> {
        let moment = self.moment;
        let fact = |subject| Fact { subject, moment };
        let subject = match self.question.asked {
            Asked::Subject(subject) => subject,
            Asked::Led { row, column } => {
                let mut leds = [LedColor::Green, LedColor::Red].map(|color| {
                    let byte = RamAddr::truncate(color.first().get() + u16::from(row));
                    let changed = self.known.node(fact(Subject::Change(byte, 1 << column)));
                    (changed, self.known.node(fact(Subject::Bits(Cell::Byte(byte), 1 << column))))
                });
                // If neither has changed, the one that was stored last comes first.
                leds.sort_by_key(|(changed, led)| {
                    let before = |node: &Option<CausalNode>| Some(node.as_ref()?.step()?.before);
                    std::cmp::Reverse((before(changed), before(led)))
                });
                return leds.into_iter().filter_map(|(_, led)| led).collect();
            }
        };
        let node = self.known.node(fact(subject));
        if let (Subject::Visit(_), Some(visit)) = (subject, node) {
            let executed = visit.step().map(CausalStep::executed);
            return executed.and_then(|fact| self.known.node(fact)).into_iter().collect();
        }
        node.into_iter().collect()
    }

    /// Returns the last change of a node, if a later store kept its value.
    fn find_change(&mut self, node: &CausalNode) -> Option<CausalNode> {
        let (step, byte, mask) = (node.step()?, node.fact.byte()?, node.fact.mask()?);
        if (step.recorded.data ^ node.value) & mask != 0 {
            return None;
        }
        let subject = Subject::Change(byte, mask);
        self.known.node(Fact { subject, moment: self.moment })
    }

    /// Adds the causes of the next node, unless it is too far back. Returns `None` if facts are
    /// missing.
    fn expand_next(&mut self, image: &Image) -> Option<()> {
        let number = self.expanded;
        let Question { depth, is_folded, .. } = self.question;
        let TreeNode { node, depth: at, .. } = self.nodes[number];
        let has_room = at < depth && self.nodes.len() < NODES_MAX;
        let repeated = if is_folded && has_room { self.known.repeated(&node, image) } else { None };
        let (facts, constant) = match &repeated {
            Some((.., next)) => (next.iter().map(|next| next.fact).collect(), None),
            None => causes(&node, image),
        };
        if facts.is_empty() || has_room {
            let causes: Vec<_> = facts.iter().filter_map(|it| self.known.node(*it)).collect();
            self.known.if_complete()?;
            let first = self.nodes.len();
            self.nodes.extend(causes.into_iter().map(|cause| TreeNode::new(cause, at + 1)));
            let because = (repeated.is_none() || !facts.is_empty())
                .then(|| (first..self.nodes.len()).collect());
            let repeated = repeated.map(|(what, times, _)| (what, times));
            self.nodes[number] = TreeNode { node, depth: at, because, constant, repeated };
        }
        self.expanded += 1;
        self.known.run.clear();
        Some(())
    }
}

impl TreeNode {
    /// Creates a node whose causes have not been added yet.
    fn new(node: CausalNode, depth: usize) -> Self {
        Self { node, depth, because: None, constant: None, repeated: None }
    }
}
