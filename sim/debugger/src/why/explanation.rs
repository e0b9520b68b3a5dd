//! The answer to a question, and its lines.

use gray1_isa::{ExpansionKind, Image, Op, RomIndex, text};

use super::fact::{CausalNode, FactOrigin, Leaf, Subject};
use super::key_steps::{KeyStep, Remark};
use super::known_facts::Repetition;
use super::led_reason::{AskedLed, ProgramReason};
use super::question::Question;
use super::wording::{describe_correct_result, describe_leaf, describe_node, describe_origin};

/// A step shows the lines of its instructions up to this distance from its last line.
const LINES_MAX: u32 = 12;

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The question that was asked.
    pub question: Question,
    /// The moment of the question.
    pub moment: u64,
    /// The answer in one sentence. It uses the program's own words where the program provides them.
    pub sentence: String,
    /// The program's reason that the sentence gives, if it gives one.
    pub reason: Option<ProgramReason>,
    /// The nodes of the tree of causes. The first ones are the subject of the question: one node,
    /// or the two LEDs of a square, starting with the one that changed last.
    pub nodes: Vec<TreeNode>,
    /// The LED of the question with its colour, if the question is about one.
    pub asked_led: Option<AskedLed>,
    /// The squares of the display that the sentence mentions, except the one of the question.
    pub squares: Vec<(u8, u8)>,
    /// The most important steps, the last first.
    pub steps: Vec<KeyStep>,
    /// The moment before which no causes of the steps were searched, if there may be some.
    pub searched_from: Option<u64>,
    /// The node that the sentence describes: the one that decided the first node.
    pub decision: Option<CausalNode>,
    /// True if the chain of causes continues before `decision`, and the search stopped there.
    pub stops: bool,
    /// The last change of the first node, if a later store kept its value.
    pub changed: Option<CausalNode>,
    /// The reason why the first node's instruction was executed.
    pub executed_because: Option<CausalNode>,
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
    /// The steps that repeat from here on. If `because` is `None`, they repeat more often.
    pub repeated: Option<Repetition>,
}

impl TreeNode {
    /// Creates a node whose causes have not been added yet.
    pub(super) fn new(node: CausalNode, depth: usize) -> Self {
        Self { node, depth, because: None, constant: None, repeated: None }
    }
}

/// A line of an explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CauseLine {
    /// The indentation, in levels.
    pub indent: usize,
    /// The subject, its value and its cause.
    pub text: String,
    /// The place and the moment of the cause.
    pub place: Option<String>,
    /// The last instruction of the cause, if an instruction was the cause.
    pub index: Option<RomIndex>,
    /// The moment after the instruction, or the moment of the input.
    pub moment: Option<u64>,
    /// The caption of the instruction, if it has one.
    pub caption: Option<String>,
}

impl Explanation {
    /// Returns the sentence, and how far back the steps were searched, if that is not all.
    pub fn answer(&self) -> String {
        self.sentence.clone() + &self.limit()
    }

    /// Returns the answer for listeners: a program's reason follows "The program says".
    pub fn spoken_answer(&self) -> String {
        let spoken = |it: &ProgramReason| format!("{}. The program says: {}.", it.color, it.text);
        self.reason.as_ref().map_or_else(|| self.sentence.clone(), spoken) + &self.limit()
    }

    fn limit(&self) -> String {
        let end = self.searched_from.map(|moment| {
            format!(" Earlier steps were searched back to moment {} only.", text::grouped(moment))
        });
        end.unwrap_or_default()
    }

    /// Formats the sentence, and below it these steps with their places and captions, in lines of
    /// at most `width` characters unless a single word is longer.
    pub fn text(&self, lines: Vec<CauseLine>, width: usize) -> String {
        let mut text = format_wrapped(0, &self.answer(), width);
        for line in lines {
            let colon =
                if line.place.as_ref().is_some_and(|it| it.starts_with("at ")) { "" } else { ":" };
            let place = line.place.map_or_else(String::new, |place| format!("{colon} {place}"));
            let caption = line.caption.map_or_else(String::new, |it| format!("  ;; {it}"));
            let line_text = format!("{}{place}{caption}", line.text);
            text += &format_wrapped(2 * (line.indent + 1), &line_text, width);
        }
        text
    }

    /// Returns the most important steps. A step with a caption uses the text of that caption, and
    /// names its subject if another step has the same caption.
    pub fn steps(&self, image: &Image) -> Vec<CauseLine> {
        let caption = |step: &KeyStep| image.caption(step.index());
        let steps = self.steps.iter().map(|step| {
            let alike = self.steps.iter().filter(|other| caption(other) == caption(step));
            let is_last_change = step.remark == Some(Remark::LastChange);
            let first = self.steps.first().filter(|first| is_last_change && first.repeats(step));
            format_step(step, caption(step), alike.count() > 1, first.is_some(), image)
        });
        steps.collect()
    }

    /// Returns one line for each node. Causes are below the node that depends on them, and several
    /// causes are indented. A constant that its instruction already names has no line.
    pub fn lines(&self, image: &Image) -> Vec<CauseLine> {
        let mut lines = Vec::new();
        for root in (0..self.nodes.len()).take_while(|root| self.nodes[*root].depth == 0) {
            self.write(root, 0, image, &mut lines);
            let root_node = &self.nodes[root].node;
            let decided = if self.stops { "followed to this: " } else { "decided by this: " };
            let related = [
                (decided, self.decision.filter(|it| it != root_node)),
                ("changed before that: ", self.changed),
                ("here because ", self.executed_because),
            ];
            for (label, node) in related.into_iter().filter(|_| root == 0) {
                lines.extend(node.map(|node| format_line(1, label, &node, image)));
            }
        }
        lines
    }

    fn write(&self, number: usize, indent: usize, image: &Image, lines: &mut Vec<CauseLine>) {
        let TreeNode { node, because, constant, repeated, .. } = &self.nodes[number];
        let mut line = format_line(indent, "", node, image);
        if let Some(Repetition { action, times }) = repeated {
            line.text = format!("{}, {action} {times} times", line.text);
        }
        if because.is_none() {
            line.text += " ...";
        }
        lines.push(line);
        let because = because.as_deref().unwrap_or_default();
        let indent = indent + usize::from(indent == 0 || because.len() > 1);
        for number in because {
            self.write(*number, indent, image, lines);
        }
        if let Some(leaf) = constant.filter(|leaf| !is_named(*leaf, image)) {
            lines.push(format_leaf(indent, describe_leaf(leaf, image), leaf));
        }
    }
}

/// Returns true if the instruction that contains a constant names it.
fn is_named(leaf: Leaf, image: &Image) -> bool {
    match leaf {
        Leaf::PoolConstant(_) => true,
        Leaf::Constant(index) => image.word(index).op() == Op::Ldi,
        _ => false,
    }
}

/// Formats the line of a node, with an indentation and a label.
fn format_line(indent: usize, label: &str, node: &CausalNode, image: &Image) -> CauseLine {
    let what = format!("{label}{}", describe_node(node, image));
    let step = match node.origin {
        FactOrigin::Leaf(leaf) => {
            let origin = describe_origin(node, leaf, image);
            return format_leaf(indent, format!("{what}: {origin}"), leaf);
        }
        FactOrigin::Step(step) => step,
    };
    let remark = match node.deviation() {
        Some(it) => format!(", which {}", describe_correct_result(node, it.should, image)),
        None if step.is_minimal => String::new(),
        None => ", which may depend on all its operands".to_owned(),
    };
    CauseLine {
        indent,
        text: format!("{what}: {}{remark}", image.instruction(step.recorded.index)),
        place: Some(format!(
            "at {}, moment {}",
            image.place_and_line(step.recorded.index),
            step.moment()
        )),
        index: Some(step.recorded.index),
        moment: Some(step.moment()),
        caption: image.caption(step.recorded.index).map(str::to_owned),
    }
}

fn format_leaf(indent: usize, text: String, leaf: Leaf) -> CauseLine {
    let moment = match leaf {
        Leaf::Buttons(moment) | Leaf::UserChange(moment) | Leaf::Reset(moment) => Some(moment),
        Leaf::PowerUp => Some(0),
        Leaf::PoolConstant(_) | Leaf::Constant(_) | Leaf::Forgotten => None,
    };
    CauseLine { indent, text, place: None, index: None, moment, caption: None }
}

/// Formats an important step. `is_shared` says that other steps have the same caption, and
/// `is_repeated` that the first step has the same instructions.
fn format_step(
    step: &KeyStep,
    caption: Option<&str>,
    is_shared: bool,
    is_repeated: bool,
    image: &Image,
) -> CauseLine {
    let what = match step.node.fact.subject {
        Subject::Bits(..) | Subject::Change(..) => describe_node(&step.node, image),
        _ => format!("C is {}", step.node.value),
    };
    let remark = match step.remark {
        Some(Remark::Unwritten) => ", which nothing had written",
        Some(Remark::LostBit) => ", and a bit was lost",
        Some(Remark::FromElsewhere) => ", left by another passage",
        Some(Remark::LastChange) => ", its last change",
        None => "",
    };
    let instructions: Vec<_> = step.executed.iter().map(|(_, index)| *index).collect();
    let place = describe_lines(&instructions, image);
    let instructions = describe_instructions(&instructions, image);
    let (moment, caption) = (step.moment(), caption.map(|caption| caption.trim_end_matches('.')));
    let (text, place) = match caption {
        None => (format!("{what}{remark}: {instructions}"), format!("at {place}")),
        Some(_) if is_repeated => (format!("{what}{remark}"), format!("at {place}")),
        Some(caption) => {
            let is_named = is_shared || !remark.is_empty();
            let what = if is_named { format!(": {what}{remark}") } else { String::new() };
            (format!("{caption}{what}"), format!("{instructions} at {place}"))
        }
    };
    let place = Some(format!("{place}, moment {moment}"));
    let index = Some(step.index());
    CauseLine { indent: 0, text, place, index, moment: Some(moment), caption: None }
}

/// Describes the place of instructions: `try0+25 (queens.asm:109-112)`. For instructions of a macro
/// in the program itself, it also has the line that calls the macro.
fn describe_lines(instructions: &[RomIndex], image: &Image) -> String {
    let map = image.source_map();
    let line = |index: &RomIndex| map.calling_origin(*index).map(|origin| origin.place);
    let Some(last) = instructions.last() else { return String::new() };
    let place = image.names().place(*last);
    let Some(end) = line(last) else { return place };
    let lines = instructions.iter().filter_map(line);
    let near = lines.filter(|it| it.file == end.file && end.line.abs_diff(it.line) <= LINES_MAX);
    let first = near.min().unwrap_or(end);
    let range =
        if first < end { format!("{}-{}", first.line, end.line) } else { end.line.to_string() };
    let file = text::printable(&map.files()[usize::from(end.file)].name);
    let origin = map.origin(*last);
    let calls = origin.into_iter().flat_map(|origin| map.expansions_of(origin));
    let call = calls.filter(|it| matches!(it.kind, ExpansionKind::Macro(_))).last();
    let call = call.map(|it| it.call).filter(|call| *call != end && call.file == end.file);
    let call = call.map_or_else(String::new, |call| format!(", called from line {}", call.line));
    format!("{place} ({file}:{range}{call})")
}

/// Describes instructions: a call of a library macro by its source line, others as they are.
fn describe_instructions(instructions: &[RomIndex], image: &Image) -> String {
    let map = image.source_map();
    let parts = instructions.iter().map(|index| {
        let call = map.calling_origin(*index).filter(|call| map.origin(*index) != Some(*call));
        let line = call.and_then(|call| map.line(call.place));
        let line = line.map(|line| line.split(';').next().unwrap_or_default());
        let line = line.map(|line| line.rsplit_once(": ").map_or(line, |(_, line)| line).trim());
        let words = line.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        words.unwrap_or_else(|| image.instruction(*index))
    });
    let mut shown: Vec<String> = Vec::new();
    for part in parts {
        if !shown.contains(&part) {
            shown.push(part);
        }
    }
    shown.join("; ")
}

/// Wraps a line between words. The lines after the first are indented further.
fn format_wrapped(indent: usize, line: &str, width: usize) -> String {
    let longest = line.split(' ').map(|word| word.chars().count()).max().unwrap_or_default();
    let hang = indent + 2 * usize::from(indent > 0);
    let lines = text::wrap(line, width.saturating_sub(hang).max(longest)).into_iter().enumerate();
    let lines = lines.map(|(number, line)| {
        let indent = if number == 0 { indent } else { hang };
        format!("{:indent$}{}\n", "", line.trim_end())
    });
    lines.collect()
}
