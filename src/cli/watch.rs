//! `gray1 [PROGRAM]`: the terminal front end, running; without a terminal, `gray1 run`.
//! `gray1 debug`: the same front end, paused, in the debugger's views.

use super::machine::MachineOptions;
use super::messages::Messages;
use super::programs::BuiltInAndFiles;
use super::{Done, Outcome, failure, load, run};
use crate::front::{self, ExitReason, Start};
use crate::program::{self, Program};

pub(super) fn watch(program: &str, options: &FrontOptions, messages: &mut Messages) -> Outcome {
    if !front::usable() {
        return run::run(&run::Options::of(program, &options.machine), messages);
    }
    open(program, options, Start::Watching, messages)
}

#[derive(clap::Args)]
pub(super) struct DebugOptions {
    /// The program: a path, or a built-in name
    #[arg(default_value = "queens", add = super::complete::programs())]
    program: String,
    #[command(flatten)]
    front: FrontOptions,
}

/// How the front end is opened, whichever pane is in front.
#[derive(clap::Args)]
pub(super) struct FrontOptions {
    #[command(flatten)]
    machine: MachineOptions,
    /// Reassemble it whenever one of its sources changes
    #[arg(long)]
    watch: bool,
    /// Do not dwell on printed lines; remembered, as the key `l` is
    #[arg(long)]
    no_dwell: bool,
}

pub(super) fn debug(options: &DebugOptions, messages: &mut Messages) -> Outcome {
    if !front::usable() {
        return Err(failure("the debugger needs a terminal; `gray1 screenshot` does without"));
    }
    open(&options.program, &options.front, Start::Debugging, messages)
}

fn open(program: &str, options: &FrontOptions, start: Start, messages: &mut Messages) -> Outcome {
    let FrontOptions { machine, watch: watched, no_dwell } = options;
    if *watched && program::files(program).is_empty() {
        return Err(failure(format!("--watch needs a file; {program} is built in")));
    }
    let Program { name, image, .. } = load(program, messages)?;
    let first = gray1_tui::Program::new(name, image);
    let name = watched.then(|| program.to_owned());
    let session = machine.session(first, start == Start::Debugging, messages)?;
    match front::run(&BuiltInAndFiles, session, start, name, !no_dwell) {
        Ok(ExitReason::Quit) => Ok(Done::Well),
        Ok(ExitReason::Signal(number)) => Ok(Done::Signal(number)),
        Err(error) => Err(failure(format!("the terminal cannot be used: {error}"))),
    }
}
