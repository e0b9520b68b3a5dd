//! `gray1 why`: explains the cause of a value at a moment.

use std::ffi::OsString;

use gray1_debugger::why::{
    Asked, CausalNode, Explanation, FactOrigin, Leaf, Question, describe_leaf, describe_subject,
};
use gray1_isa::{Image, RamAddr};
use serde_json::{Value, json};

use super::shared::complete;
use super::shared::debugger::{RUN_MAX, end_moment, finish, run_debugger_to};
use super::shared::inputs::InputOptions;
use super::shared::machine::{self, MachineOptions};
use super::shared::messages::Messages;
use super::shared::options::{FormatOptions, instead, number, number_in};
use super::shared::outcome::{Done, Outcome, failure};
use super::shared::signals::Signals;
use super::shared::source_options::{SourceOptions, load};
use crate::front;
use crate::program::LoadedProgram;

/// Explain why an LED, a byte or a register has its value at a moment
#[derive(clap::Args)]
#[command(arg = instead("limit", "`--depth N` limits the steps back, and `--at N` the run"))]
pub(super) struct WhyOptions {
    /// The program: a path, `-`, or a built-in name
    #[arg(add = complete::programs())]
    program: OsString,
    /// What to ask about: `led 4, 3` by row and column, a byte as `stack + 2`, a bit of it as
    /// `stack + 2.3`, `A`, `C`, `PC` for the next instruction, or the last execution of an
    /// instruction as `row3 + 2`
    question: String,
    #[command(flatten)]
    sources: SourceOptions,
    #[command(flatten)]
    machine: MachineOptions,
    /// The moment: the number of executed instructions [default: the end of the run]
    #[arg(long, value_name = "N", value_parser = number())]
    at: Option<u64>,
    /// Print a tree of causes instead of the main steps
    #[arg(long)]
    all: bool,
    /// How many steps back the tree goes [default: 3]; implies `--all`
    #[arg(long, value_name = "N", value_parser = number_in(1..=u32::MAX))]
    depth: Option<u32>,
    #[command(flatten)]
    inputs: InputOptions,
    #[command(flatten)]
    format: FormatOptions,
}

pub(super) fn why(options: &WhyOptions, messages: &mut Messages) -> Outcome {
    let LoadedProgram { name, image, .. } = load(&options.program, &options.sources, messages)?;
    let engine = machine::engine(&options.machine.spec(), &image, messages)?;
    let to = options.at.unwrap_or(RUN_MAX);
    let signals = Signals::listen()?;
    let inputs = options.inputs.read(&image, &*engine, to, &signals)?;
    let mut debugger = run_debugger_to(&name, &image, engine, inputs, to, &signals)?;
    let now = debugger.position().moment;
    if options.at.is_none() {
        end_moment(&debugger, &name)?;
    } else if now < to {
        messages.note(&format!("the program ended at moment {now}"));
    }
    let scope = debugger.scope(Some(debugger.engine().pc()));
    let asked = Asked::parse(&options.question, scope, debugger.engine().pc());
    let asked = asked.map_err(|error| failure(format!("{}: {error}", options.question)))?;
    let is_folded = !options.format.is_json();
    let depth = options.depth.unwrap_or(3) as usize;
    debugger.ask(Question { asked, depth, is_folded }, now);
    finish(&mut debugger, &name, &signals)?;
    let explanation = debugger.explanation().expect("the question is answered");
    let image = debugger.image();
    let is_tree = options.all || options.depth.is_some();
    let lines = || if is_tree { explanation.lines(image) } else { explanation.steps(image) };
    let width = front::size().map_or(usize::MAX, |size| size.width.into());
    options.format.print(|| explanation.text(lines(), width), || to_json(explanation, image))?;
    Ok(Done::Success)
}

/// Formats the explanation as JSON: the first node, its sentence, and the related data.
fn to_json(explanation: &Explanation, image: &Image) -> Value {
    let related = |node: &CausalNode| {
        let node_json = node_json(node, &explanation.chips, image);
        with(node_json, json!({ "more": node.causes() != Default::default() }))
    };
    let roots = explanation.nodes.iter().take_while(|it| it.depth == 0).count();
    let mut roots = (0..roots).map(|root| tree_json(explanation, root, image));
    let root = roots.next().unwrap_or_else(|| json!({}));
    let rest = json!({
        "at": explanation.moment,
        "sentence": explanation.sentence,
        "other": roots.next(),
        "stops": explanation.stops,
        "searched_from": explanation.searched_from,
        "decision": explanation.decision.as_ref().map(related),
        "changed": explanation.changed.as_ref().map(related),
        "executed_because": explanation.executed_because.as_ref().map(related),
    });
    with(root, rest)
}

/// Formats a node with its causes.
fn tree_json(explanation: &Explanation, number: usize, image: &Image) -> Value {
    let entry = &explanation.nodes[number];
    let nodes = entry.because.iter().flatten().map(|number| tree_json(explanation, *number, image));
    let mut causes: Vec<Value> = nodes.collect();
    if let Some(leaf) = entry.constant {
        causes.push(with(leaf_json(leaf), json!({ "what": describe_leaf(leaf, image) })));
    }
    let because = entry.node.step().map(|_| causes);
    let rest = json!({ "because": because, "more": entry.because.is_none() });
    with(node_json(&entry.node, &explanation.chips, image), rest)
}

/// Formats a node without its causes. `chips` are the names of the board's chips.
fn node_json(node: &CausalNode, chips: &[String], image: &Image) -> Value {
    let what = json!({ "what": describe_subject(node, image), "value": node.bits() });
    let step = match node.origin {
        FactOrigin::Leaf(leaf) => {
            let address = json!({ "address": node.fact.byte().map(RamAddr::get) });
            return with(with(leaf_json(leaf), address), what);
        }
        FactOrigin::Step(step) => step,
    };
    let map = image.source_map();
    let source = map.calling_origin(step.recorded.index).map(|origin| {
        format!("{}:{}", map.files()[usize::from(origin.place.file)].name, origin.place.line)
    });
    let place = json!({
        "moment": step.moment(), "index": step.recorded.index.get(), "source": source,
        "caption": image.caption(step.recorded.index), "all_operands": !step.is_minimal,
    });
    let deviation = node.deviation().map(|it| {
        let chip = it.chip.map(|(chip, phase)| (&chips[chip.index()], phase.number()));
        json!({ "should": it.should, "chip": chip.map(|it| it.0), "phase": chip.map(|it| it.1) })
    });
    let node = with(with(json!({ "because": [] }), place), what);
    with(node, deviation.unwrap_or_else(|| json!({})))
}

fn leaf_json(leaf: Leaf) -> Value {
    match leaf {
        Leaf::PoolConstant(address) => json!({ "leaf": "constant", "address": address.get() }),
        Leaf::Constant(index) => json!({ "leaf": "constant", "index": index.get() }),
        Leaf::Buttons(moment) => json!({ "leaf": "buttons", "moment": moment }),
        Leaf::UserChange(moment) => json!({ "leaf": "changed", "moment": moment }),
        Leaf::Reset(moment) => json!({ "leaf": "reset", "moment": moment }),
        Leaf::PowerUp => json!({ "leaf": "power-up" }),
        Leaf::Forgotten => json!({ "leaf": "forgotten" }),
    }
}

/// Adds members to an object, except empty ones.
fn with(mut object: Value, members: Value) -> Value {
    if let (Value::Object(all), Value::Object(members)) = (&mut object, members) {
        all.extend(members.into_iter().filter(|(_, it)| !it.is_null() && *it != json!(false)));
    }
    object
}
