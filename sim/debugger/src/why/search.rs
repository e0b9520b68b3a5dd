//! Searches for the answer to a question: builds the tree of causes, as far back as the question
//! asks.

use gray1_isa::panel::LedColor;
use gray1_isa::{Image, RamAddr};

use super::explanation::{Explanation, TreeNode};
use super::fact::{CausalNode, CausalStep, Cell, Fact, FactOrigin, Leaf, Subject};
use super::key_steps::KeySteps;
use super::known_facts::{FACTS_MAX, KnownFacts, causes};
use super::led_reason::{ProgramReason, Square, find_reason};
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
    wording: Option<Wording>,
    key_steps: KeySteps,
    searched_from: Option<u64>,
}

/// The sentence of an answer, with the squares that it mentions and the nodes that it is made from.
#[derive(Debug, Default)]
struct Wording {
    sentence: Sentence,
    reason: Option<ProgramReason>,
    squares: Vec<Square>,
    explained: Vec<CausalNode>,
}

/// The distance of steps that are only shown if nothing is nearer.
const FAR: usize = 4;
/// The number of slices of time whose instructions are searched for the cause of a step that the
/// sentence does not mention.
const SLICES_BACK: u64 = 4;

impl ExplanationSearch {
    pub(crate) fn new(question: Question, moment: u64) -> Self {
        Self {
            question,
            moment,
            known: KnownFacts::default(),
            lookup: None,
            nodes: Vec::new(),
            expanded: 0,
            wording: None,
            key_steps: KeySteps::default(),
            searched_from: None,
        }
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
            let back = SLICES_BACK * history.engine().slice();
            let since = self.wording.as_ref().map(|_| self.moment.saturating_sub(back));
            let lookup = match (&mut self.lookup, self.known.take_missing()) {
                (Some(lookup), _) => lookup,
                (None, Some(fact)) => {
                    self.lookup.insert(Lookup::new(fact, since, records, history))
                }
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
                if node.origin == FactOrigin::Leaf(Leaf::Forgotten) {
                    self.searched_from = since.filter(|since| *since > history.start());
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
        let executed_because = executed.and_then(|fact| self.known.node(fact));
        self.known.if_complete()?;
        if self.wording.is_none() {
            let stored = first.filter(|root| root.step().is_some());
            let byte = stored.and_then(|root| root.fact.byte());
            let skipped = match byte.map(Subject::Skipped) {
                Some(subject) => Some(self.known.node(Fact { subject, moment })?),
                None => None,
            };
            let wording = self.find_wording(&roots, image)?;
            let explained = wording.explained.iter().map(|node| (*node, FAR));
            let others = first.and(roots.get(1)).map(|node| (*node, FAR));
            let near = [(first.copied(), 0), (changed, 1), (skipped, 2)];
            let near = near.into_iter().filter_map(|(node, distance)| Some((node?, distance)));
            self.key_steps = KeySteps::new(near.chain(explained).chain(others));
            self.wording = Some(wording);
        }
        self.key_steps.find(&mut self.known, image)?;
        let Wording { sentence, reason, squares, explained } = self.wording.take()?;
        let before = |node: &CausalNode| Some(node.step()?.before);
        let explained: Vec<_> = explained.iter().filter_map(before).collect();
        let changed_moment = changed.and_then(|node| Some(node.step()?.moment()));
        Some(Explanation {
            question,
            moment,
            sentence: sentence.text,
            reason,
            nodes: std::mem::take(&mut self.nodes),
            asked_led: wording::find_asked_led(question.asked, &roots),
            squares,
            steps: self.key_steps.choose(&explained, changed_moment, image),
            searched_from: self.searched_from,
            decision: sentence.decision,
            stops: sentence.stops,
            changed,
            executed_because,
            chips: std::mem::take(&mut self.known.chips),
        })
    }

    /// Finds the sentence, in the program's own words if it has a reason that fits.
    fn find_wording(&mut self, roots: &[CausalNode], image: &Image) -> Option<Wording> {
        let Question { asked, depth, .. } = self.question;
        let led = wording::find_asked_led(asked, roots);
        // The program's reasons do not apply to a change by hand.
        let led = led.filter(|_| depth > 0 && roots.iter().take(1).any(|it| it.step().is_some()));
        let reason = led.and_then(|led| find_reason(led, roots, &mut self.known, image));
        self.known.if_complete()?;
        let wording = match (led.zip(reason), depth) {
            (_, 0) => Wording::default(),
            (Some((led, reason)), _) => {
                let words = wording::describe_reason(led.led, &reason, image);
                let (text, decision) = (words.to_string(), Some(reason.decision));
                let sentence = Sentence { text, decision, stops: false };
                let explained = std::iter::once(reason.decision).chain(reason.made).collect();
                Wording { sentence, reason: Some(words), squares: reason.squares, explained }
            }
            (None, _) => {
                let sentence = wording::format_sentence(asked, roots, &mut self.known, image);
                let explained = sentence.decision.into_iter().collect();
                Wording { sentence, explained, ..Wording::default() }
            }
        };
        self.known.if_complete()?;
        Some(wording)
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
                    let caused = |node: &Option<CausalNode>| node.as_ref()?.caused_at();
                    std::cmp::Reverse((caused(changed), caused(led)))
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
