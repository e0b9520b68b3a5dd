//! `gray1 link` prints a link to a moment of a program. `gray1 --link TEXT` opens it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use gray1_debugger::Input;
use gray1_programs::{Link, LinkInput, OpenError};
use gray1_session::Session;

use super::shared::complete;
use super::shared::debugger::{RUN_MAX, end_moment, run_debugger_to};
use super::shared::inputs::read_buttons;
use super::shared::machine::{self, MachineOptions};
use super::shared::messages::Messages;
use super::shared::options::number;
use super::shared::outcome::{Done, Failure, Outcome, failure, print};
use super::shared::progress::ProgressLine;
use super::shared::signals::Signals;
use super::shared::source_options::SourceOptions;
use super::watch::{FrontOptions, open};
use crate::board;
use crate::front::{self, Keyboard};
use crate::program::{self, LoadFailure, LoadedProgram, ProgramWithSources};

/// Print a link to a moment of a program, for the web page or for `gray1 --link`
#[derive(clap::Args)]
pub(super) struct LinkOptions {
    /// The program: a path, `-`, or a built-in name
    #[arg(add = complete::programs())]
    program: OsString,
    #[command(flatten)]
    sources: SourceOptions,
    #[command(flatten)]
    machine: MachineOptions,
    /// The moment: the number of executed instructions [default: the end of the run]
    #[arg(long, value_name = "N", value_parser = number())]
    at: Option<u64>,
    /// Press buttons at the times in this file. For example, the line `5000 left+a` holds left and
    /// A from instruction 5000 on, and `6000 -` releases all
    #[arg(long, value_name = "FILE")]
    buttons: Option<PathBuf>,
    /// The address of the page that opens the link; without it, only the part after `#` is printed
    #[arg(long, value_name = "URL")]
    base: Option<String>,
    /// Leave out the text of built-in files, which makes the link shorter; it then works only with
    /// the same version of these files
    #[arg(long)]
    short: bool,
}

/// Prints a link.
pub(super) fn link(options: &LinkOptions, messages: &mut Messages) -> Outcome {
    let LinkOptions { program, sources: given, machine, at, buttons, base, short } = options;
    let base = base.as_deref().unwrap_or_default();
    if base.contains(|c: char| c == '#' || c.is_whitespace() || c.is_control()) {
        let why = "--base: expected an address without spaces and without `#`";
        return Err(Failure::Usage(why.to_owned()));
    }
    let machine = machine.spec();
    let setup = machine::resolve(&machine, messages)?.setup;
    let loaded = program::load_with_sources(program, &given.defines, &given.folders);
    let ProgramWithSources { program, path, sources } =
        given.judge_loaded(loaded, |it| &mut it.program).map_err(Failure::Load)?;
    let LoadedProgram { name, image, warnings, .. } = program;
    if let Some(assembly) = warnings {
        messages.print_diagnostics(&assembly);
    }
    let presses = buttons.as_deref().map(read_buttons).transpose()?.unwrap_or_default();
    let at = if let Some(at) = *at {
        at
    } else {
        let inputs = presses.iter().map(|(before, buttons)| (*before, Input::Hold(*buttons)));
        let engine = machine::power_up(&setup, &image)?;
        let signals = Signals::listen()?;
        let debugger = run_debugger_to(&name, &image, engine, inputs, RUN_MAX, &signals)?;
        end_moment(&debugger, &name)?
    };
    let presses = presses.into_iter().take_while(|(before, _)| *before <= at);
    let inputs = presses.map(|(before, buttons)| (before, LinkInput::Hold(buttons))).collect();
    let defines = given.defines.iter().map(ToString::to_string).collect();
    let link = Link { program: path, sources, defines, inputs, at, ..Link::default() };
    let (link, _) = link.move_to(&machine, board::linked).map_err(failure)?;
    // If two files have the same path relative to the program, the link holds only one of them.
    if link.image().map_or(true, |linked| linked.words() != image.words()) {
        return Err(failure("two files of this program have the same path"));
    }
    let hash = if base.is_empty() { "" } else { "#" };
    let text = if *short { link.encode_short() } else { link.encode() };
    print(&format!("{base}{hash}{text}\n")).map(|()| Done::Success)
}

/// Opens a link in the terminal front end, paused at its moment.
pub(super) fn follow(text: &str, options: &FrontOptions) -> Outcome {
    if let Some(obstacle) = front::obstacle("") {
        let why = "a link opens in the debugger, which needs a terminal";
        return Err(failure(format!("{why}: {obstacle}")));
    }
    let link = Link::decode(text).map_err(|error| failure(error.to_string()))?;
    let image = Arc::new(link.image().map_err(|error| match error {
        OpenError::Source(assembly) => Failure::Load(LoadFailure::Source(assembly)),
        OpenError::Other(message) => failure(message),
    })?);
    let machine = link.machine().map_err(failure)?;
    let history = link.history(&machine.setup, &image);
    let mut history = history.map_err(|error| failure(error.to_string()))?;
    let mut progress = ProgressLine::new();
    let keyboard = Keyboard::take();
    let mut keyboard =
        keyboard.map_err(|error| failure(format!("cannot read the keyboard: {error}")))?;
    let signals = Signals::listen()?;
    // A link may be far into an endless program. Any key opens it at the moment reached so far.
    while !history.advance_to(link.at) && !matches!(keyboard.key(Duration::ZERO), Ok(Some(_))) {
        progress.update(&link.program, history.moment());
        signals.check()?;
    }
    drop(keyboard);
    progress.clear();
    let board = Box::new(machine.board_loader());
    let program = gray1_session::Program::new(link.program.clone(), image);
    let history = history.without_schedule();
    let mut session = Session::resume(program, machine.setup, history, board);
    session.set_pace_steps(link.pace);
    signals.lend(|| open(link.program.as_ref(), session, options, "source", true))
}
