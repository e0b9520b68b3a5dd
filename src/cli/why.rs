//! `gray1 why`: the story behind a value at a moment.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValue;
use gray1_debugger::why::{
    Asked, CausalNode, FactOrigin, Leaf, Question, Story, StoryCause, leaf_words, subject_words,
};
use gray1_debugger::{Activity, Debugger, Goal, History};
use gray1_isa::{Image, RamAddr};
use serde::Serialize;

use super::machine::{self, MachineOptions};
use super::messages::Messages;
use super::named::one_of;
use super::progress::Progress;
use super::signals::Signals;
use super::{Done, Outcome, SourceOptions, failure, load, print, run};
use crate::program::Program;

#[derive(clap::Args)]
pub(super) struct WhyOptions {
    /// The program: a path, `-`, or a built-in name
    #[arg(add = super::complete::programs())]
    program: OsString,
    /// What to ask about: `led 4, 3` by row and column, a byte as `stack + 2`, a bit of it as
    /// `stack + 2.3`, `A`, `C`, `PC` for the next instruction, or the last execution of an
    /// instruction as `row3 + 2`
    question: String,
    #[command(flatten)]
    sources: SourceOptions,
    #[command(flatten)]
    machine: MachineOptions,
    /// The moment: how many instructions have been executed
    #[arg(long, value_name = "N")]
    at: u64,
    /// How many steps to go back
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: usize,
    /// Press buttons as this file says, a line each: `5000 left+a` holds these from before
    /// instruction 5000 on, `6000 -` lets go
    #[arg(long, value_name = "FILE")]
    buttons: Option<PathBuf>,
    /// The format of the answer
    #[arg(long, default_value = "text", value_parser = one_of(&FORMATS, named))]
    format: AnswerFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswerFormat {
    Text,
    Json,
}

const FORMATS: [AnswerFormat; 2] = [AnswerFormat::Text, AnswerFormat::Json];

fn named(format: AnswerFormat) -> PossibleValue {
    match format {
        AnswerFormat::Text => PossibleValue::new("text").help("A sentence, and a line a step"),
        AnswerFormat::Json => PossibleValue::new("json").help("One object"),
    }
}

pub(super) fn why(options: &WhyOptions, messages: &mut Messages) -> Outcome {
    let Program { name, image, .. } = load(&options.program, &options.sources, messages)?;
    let presses = options.buttons.as_deref().map(run::read_buttons).transpose()?;
    let engine = machine::engine(&options.machine.spec(), &image, messages)?;
    let mut debugger =
        Debugger::new(image, History::new(engine)).with_schedule(presses.unwrap_or_default());
    let signals = Signals::listen()?;
    debugger.go(Goal::Instructions(options.at)).map_err(|error| failure(error.to_string()))?;
    if let Some(signal) = finish(&mut debugger, &name, &signals) {
        return Ok(Done::Signal(signal));
    }
    let (now, _) = debugger.position();
    if now < options.at {
        messages.note(&format!("the program ended at moment {now}"));
    }
    let scope = debugger.scope(Some(debugger.engine().pc()));
    let asked = Asked::parse(&options.question, scope, debugger.engine().pc());
    let asked = asked.map_err(|error| failure(format!("{}: {error}", options.question)))?;
    let is_folded = options.format == AnswerFormat::Text;
    debugger.ask(Question { asked, depth: options.depth, is_folded }, now);
    if let Some(signal) = finish(&mut debugger, &name, &signals) {
        return Ok(Done::Signal(signal));
    }
    let story = debugger.story().expect("the question is answered");
    let answer = match options.format {
        AnswerFormat::Text => text(story, debugger.image()),
        AnswerFormat::Json => {
            let answer = Answer::of(story, debugger.image());
            serde_json::to_string(&answer).expect("an answer is plain data") + "\n"
        }
    };
    print(&answer).map(|()| Done::Well)
}

/// Works until the debugger stands still, or a signal comes.
fn finish(debugger: &mut Debugger, name: &str, signals: &Signals) -> Option<u8> {
    let mut progress = Progress::new();
    while debugger.moves() {
        debugger.advance(u64::MAX);
        let at = match debugger.activity() {
            Activity::Searching(down_to) => down_to,
            _ => debugger.history().moment(),
        };
        progress.say(name, at);
        if let Some(signal) = signals.received() {
            return Some(signal);
        }
    }
    progress.clear();
    None
}

fn text(story: &Story, image: &Image) -> String {
    let lines = story.lines(image).into_iter().map(|line| {
        let place = line.place.map_or_else(String::new, |place| format!(" {place}"));
        let caption = line.caption.map_or_else(String::new, |it| format!("  ;; {it}"));
        format!("{:width$}{}{place}{caption}\n", "", line.text, width = 2 * (line.indent + 1))
    });
    [format!("{}\n", story.sentence)].into_iter().chain(lines).collect()
}

/// The answer as JSON.
#[derive(Serialize)]
struct Answer {
    sentence: String,
    #[serde(flatten)]
    node: Option<AnswerNode>,
    /// The other LED of a square.
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<AnswerNode>,
    /// The step that the sentence is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<AnswerNode>,
    /// The last change, if the last store kept the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<AnswerNode>,
    /// Why the instruction was executed.
    #[serde(skip_serializing_if = "Option::is_none")]
    here: Option<AnswerNode>,
}

/// A node or a leaf.
#[derive(Default, Serialize)]
#[serde(default)]
struct AnswerNode {
    #[serde(skip_serializing_if = "Option::is_none")]
    leaf: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moment: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    caption: Option<String>,
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<Vec<AnswerNode>>,
    /// The story goes no further, though there is more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more: bool,
    /// The board does not keep to the machine's rules: these are all operands.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    all_operands: bool,
}

impl Answer {
    fn of(story: &Story, image: &Image) -> Self {
        let root = |number: usize| {
            let is_root = story.nodes.get(number).is_some_and(|it| it.depth == 0);
            is_root.then(|| AnswerNode::of_story(story, number, image))
        };
        let beside = |node: &Option<CausalNode>| {
            let more = |node: &CausalNode| !node.causes().is_empty();
            node.map(|it| AnswerNode { more: more(&it), ..AnswerNode::of(&it, image) })
        };
        Self {
            sentence: story.sentence.clone(),
            node: root(0),
            other: root(1),
            decision: beside(&story.decision),
            changed: beside(&story.changed),
            here: beside(&story.here),
        }
    }
}

impl AnswerNode {
    fn of_story(story: &Story, number: usize, image: &Image) -> Self {
        let told = &story.nodes[number];
        let mut answer = Self::of(&told.node, image);
        answer.more = told.because.is_none();
        for cause in told.because.iter().flatten() {
            let cause = match cause {
                StoryCause::Node(number) => Self::of_story(story, *number, image),
                StoryCause::Leaf(leaf) => Self::of_leaf(*leaf, leaf_words(*leaf, image)),
            };
            answer.because.get_or_insert_default().push(cause);
        }
        answer
    }

    /// A node without its causes.
    fn of(node: &CausalNode, image: &Image) -> Self {
        let what = subject_words(node, image);
        let value = Some(node.bits());
        match node.origin {
            FactOrigin::Leaf(leaf) => {
                let address = node.fact.byte().map(RamAddr::get);
                Self { address, value, ..Self::of_leaf(leaf, what) }
            }
            FactOrigin::Step(step) => Self {
                moment: Some(step.moment()),
                index: Some(step.index().get()),
                source: image.source_map().calling_origin(step.index()).map(|origin| {
                    let file = &image.source_map().files()[usize::from(origin.place.file)];
                    format!("{}:{}", file.name, origin.place.line)
                }),
                caption: image.caption(step.index()).map(str::to_owned),
                what,
                value,
                because: Some(Vec::new()),
                all_operands: !step.is_minimal,
                ..Self::default()
            },
        }
    }

    fn of_leaf(leaf: Leaf, what: String) -> Self {
        let leaf_of = |name| Self { leaf: Some(name), what, ..Self::default() };
        match leaf {
            Leaf::Planted(address) => Self { address: Some(address.get()), ..leaf_of("constant") },
            Leaf::Constant(index) => Self { index: Some(index.get()), ..leaf_of("constant") },
            Leaf::Buttons(moment) => Self { moment: Some(moment), ..leaf_of("buttons") },
            Leaf::Hand(moment) => Self { moment: Some(moment), ..leaf_of("hand") },
            Leaf::Reset(moment) => Self { moment: Some(moment), ..leaf_of("reset") },
            Leaf::PowerUp => leaf_of("power-up"),
            Leaf::Forgotten => leaf_of("forgotten"),
        }
    }
}
