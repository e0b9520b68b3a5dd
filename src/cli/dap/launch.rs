//! From the arguments of a launch to a machine with a program.

use std::path::PathBuf;

use gray1_asm::Rendering;
use gray1_debugger::{Debugger, History};
use serde::Deserialize;

use super::protocol::Refusal;
use super::sources::Sources;
use crate::cli::machine::MachineOptions;
use crate::cli::messages::{MessageOptions, Messages, in_words};
use crate::cli::{Failure, run};
use crate::{files, program};

/// What the client asks for. The options are those of the command line.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LaunchArguments {
    /// A path, or the name of a built-in program.
    program: String,
    engine: Option<String>,
    board: Option<String>,
    ram: Option<String>,
    seed: Option<u64>,
    /// A file that says which buttons are held when.
    buttons: Option<PathBuf>,
    /// How fast it runs; as fast as possible if that is not said.
    pub(super) instructions_per_second: Option<u64>,
    /// Whether the machine stands before the first instruction until the client lets it run.
    #[serde(default)]
    pub(super) stop_on_entry: bool,
    /// Whether the machine stands at the end of the program, so that one can go back from there.
    #[serde(default = "yes")]
    pub(super) stop_on_halt: bool,
    /// Whether breakpoints and stops are of no interest.
    #[serde(default)]
    pub(super) no_debug: bool,
}

fn yes() -> bool {
    true
}

/// A machine with the program that is asked for, and what there is to say about it.
pub(super) struct Launched {
    pub(super) debugger: Debugger,
    pub(super) sources: Sources,
    pub(super) notes: String,
}

/// Powers a machine up with the program that is asked for.
pub(super) fn launch(arguments: &LaunchArguments) -> Result<Launched, Refusal> {
    let LaunchArguments { program, engine, board, ram, seed, buttons, .. } = arguments;
    let is_stdin = |word: &str| word == files::STDIO;
    let buttons_are_stdin = buttons.as_ref().is_some_and(|path| path.as_os_str() == files::STDIO);
    if is_stdin(program) || board.as_deref().is_some_and(is_stdin) || buttons_are_stdin {
        return Err(Refusal::new("standard input belongs to the client"));
    }
    let refusal = |failure: Failure| Refusal::new(in_words(&failure).trim_end());
    let machine = MachineOptions::named(engine.as_deref(), board.clone(), ram.as_deref(), *seed);
    let machine = machine.map_err(Refusal::new)?;
    let program = program::load(program).map_err(|failure| refusal(Failure::Load(failure)))?;
    let presses = buttons.as_deref().map(run::read_buttons).transpose().map_err(refusal)?;
    let mut messages = Messages::new(MessageOptions::default());
    let setup = machine.setup(&mut messages).map_err(refusal)?;
    let mut notes = program.warnings.as_ref().map_or_else(String::new, |assembly| {
        Rendering::Plain.render(&assembly.diagnostics, &assembly.files)
    });
    notes.extend(program.notes.iter().map(|note| format!("note: {note}\n")));
    let sources = Sources::of(&program);
    let engine = setup.engine(&program.image)?;
    let presses = presses.unwrap_or_default().into_iter();
    let debugger = Debugger::new(program.image, History::new(engine))
        .with_source_names(sources.names())
        .with_schedule(presses.map(|press| (press.before, press.buttons)));
    Ok(Launched { debugger, sources, notes })
}
