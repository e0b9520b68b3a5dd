//! The answer to a question, and its lines.

use gray1_isa::{Image, Op};

use super::fact::{CausalNode, FactOrigin, Leaf};
use super::known_facts::Repetition;
use super::led_reason::AskedLed;
use super::question::Question;
use super::wording::{describe_correct_result, describe_leaf, describe_node, describe_origin};

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
    /// The moment after the instruction, or the moment of the input.
    pub moment: Option<u64>,
    /// The caption of the instruction, if it has one.
    pub caption: Option<String>,
}

impl Explanation {
    /// Formats the sentence, and below it the lines with their places and captions.
    pub fn text(&self, image: &Image) -> String {
        let lines = self.lines(image).into_iter().map(|line| {
            let place = line.place.map_or_else(String::new, |place| format!(" {place}"));
            let caption = line.caption.map_or_else(String::new, |it| format!("  ;; {it}"));
            let width = 2 * (line.indent + 1);
            format!("{:width$}{}{place}{caption}\n", "", line.text)
        });
        [format!("{}\n", self.sentence)].into_iter().chain(lines).collect()
    }

    /// Returns the most important steps. A step with a caption uses the text of that caption.
    pub fn steps(&self, image: &Image) -> Vec<CauseLine> {
        let lines = self.steps.iter().map(|node| format_line(0, "", node, image));
        lines
            .map(|line| match line.caption {
                Some(text) => CauseLine { text, caption: None, ..line },
                None => line,
            })
            .collect()
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
                ("here because ", self.here),
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
    CauseLine { indent, text, place: None, moment, caption: None }
}
