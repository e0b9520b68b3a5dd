//! Searches for the answer to a question: builds the tree of causes, as far back as the question
//! asks.

use gray1_isa::panel::LedColor;
use gray1_isa::{Image, Op, RamAddr};

use super::explanation::{Explanation, TreeNode};
use super::fact::{CausalNode, CausalStep, Cell, Fact, Subject};
use super::known_facts::{FACTS_MAX, KnownFacts, causes};
use super::led_reason::find_reason;
use super::lookup::{Lookup, Records};
use super::question::{Asked, Question};
use super::wording::{self, Sentence};
use crate::history::History;

/// A question whose answer is being searched for.
#[derive(Debug)]
pub(crate) struct ExplanationSearch {
    question: Question,
    moment: u64,
    known: KnownFacts,
    lookup: Option<Lookup>,
    /// The nodes so far, and the number of those whose causes were added.
    nodes: Vec<TreeNode>,
    expanded: usize,
}

impl ExplanationSearch {
    pub(crate) fn new(question: Question, moment: u64) -> Self {
        let known = KnownFacts::default();
        Self { question, moment, known, lookup: None, nodes: Vec::new(), expanded: 0 }
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
        for _ in 0..FACTS_MAX {
            let lookup = match (&mut self.lookup, self.known.take_missing()) {
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
                self.known.add(node);
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
        let reason = led.and_then(|led| find_reason(led, &roots, &mut self.known, image));
        self.known.if_complete()?;
        let sentence = match (led.zip(reason.as_ref()), question.depth) {
            (_, 0) => Sentence::default(),
            (Some((led, reason)), _) => Sentence {
                text: wording::describe_reason(led.led, reason, image),
                decision: Some(reason.decision),
                stops: false,
            },
            (None, _) => wording::format_sentence(question.asked, &roots, &mut self.known, image),
        };
        self.known.if_complete()?;
        let mut steps: Vec<_> = first.copied().into_iter().chain(sentence.decision).collect();
        let mut squares = Vec::new();
        if let Some(reason) = reason {
            steps.extend(reason.made);
            squares = reason.squares;
        } else {
            // The stores before the decision are the most useful steps.
            steps.extend(
                self.nodes
                    .iter()
                    .map(|it| it.node)
                    .filter(|node| node.step().is_some_and(|it| it.recorded.word.op() == Op::St)),
            );
        }
        Some(Explanation {
            question,
            moment,
            sentence: sentence.text,
            nodes: std::mem::take(&mut self.nodes),
            asked_led,
            squares,
            steps: wording::choose_steps(steps),
            decision: sentence.decision,
            stops: sentence.stops,
            changed,
            here,
            chips: std::mem::take(&mut self.known.chips),
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
        let mask = node.fact.mask()?;
        let subject = Subject::Change(node.fact.byte()?, mask);
        let is_kept = (node.step()?.recorded.data ^ node.value) & mask == 0;
        is_kept.then_some(Fact { subject, moment: self.moment }).and_then(|it| self.known.node(it))
    }

    /// Adds the causes of the next node, unless it is too far back. Returns `None` if facts are
    /// missing.
    fn expand_next(&mut self, image: &Image) -> Option<()> {
        let number = self.expanded;
        let Question { depth, is_folded, .. } = self.question;
        let TreeNode { node, depth: at, .. } = self.nodes[number];
        let has_room = at < depth && self.nodes.len() < FACTS_MAX;
        let is_foldable = is_folded && has_room;
        let repeated = is_foldable.then(|| self.known.find_repetition(&node, image)).flatten();
        let (facts, constant) = match &repeated {
            Some((_, next)) => (next.iter().map(|next| next.fact).collect(), None),
            None => causes(&node, image),
        };
        if facts.is_empty() || has_room {
            let causes: Vec<_> = facts.iter().filter_map(|it| self.known.node(*it)).collect();
            self.known.if_complete()?;
            let first = self.nodes.len();
            self.nodes.extend(causes.into_iter().map(|cause| TreeNode::new(cause, at + 1)));
            let because = (repeated.is_none() || !facts.is_empty())
                .then(|| (first..self.nodes.len()).collect());
            let repeated = repeated.map(|(repetition, _)| repetition);
            self.nodes[number] = TreeNode { node, depth: at, because, constant, repeated };
        }
        self.expanded += 1;
        self.known.run.clear();
        Some(())
    }
}
