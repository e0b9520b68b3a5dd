//! `gray1 debug`: opens the terminal front end in the debugger's views, paused, or the debugger
//! without a screen.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use gray1_session::Session;

use super::plain::{self, PlainOptions};
use super::shared::complete;
use super::shared::debugger::run_debugger_to;
use super::shared::inputs::InputOptions;
use super::shared::machine;
use super::shared::messages::Messages;
use super::shared::options::{instead, number};
use super::shared::outcome::{Failure, Outcome};
use super::shared::signals::Signals;
use super::shared::source_options::load;
use super::test::{cases, session_at_end_of_case};
use super::watch::{FrontOptions, open};
use crate::files::STDIO;
use crate::front;
use crate::program::LoadedProgram;

/// Open a program in the debugger, paused at its start
#[derive(clap::Args)]
#[command(arg = instead("max-instructions", "`--at N` opens the program after N instructions"))]
pub(super) struct DebugOptions {
    /// The program: a path, `-`, or a built-in name [default: queens, or the tested program]
    #[arg(add = complete::programs())]
    program: Option<OsString>,
    /// Run a case of this test file, and open the program where it fails, or where it ends
    #[arg(long, value_name = "FILE", add = complete::tests())]
    test: Option<PathBuf>,
    /// The case [default: the first]
    #[arg(long, value_name = "NAME", requires = "test", add = cases())]
    case: Option<String>,
    /// Open the program after N instructions
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number(), conflicts_with = "test")]
    at: u64,
    #[command(flatten)]
    inputs: InputOptions,
    #[command(flatten)]
    plain: PlainOptions,
    #[command(flatten)]
    front: FrontOptions,
}

pub(super) fn debug(options: &DebugOptions, messages: &mut Messages) -> Outcome {
    machine::refuse_any(&options.front.machine.spec())?;
    let program = options.program.as_deref().unwrap_or_default();
    let is_plain = options.plain.are_chosen() || front::obstacle(program).is_some();
    if is_plain && program == STDIO {
        let why = "the commands come from standard input, so the program cannot";
        return Err(Failure::Usage(why.to_owned()));
    }
    if is_plain && options.front.watches() {
        return Err(Failure::Usage("--watch needs a terminal, and not --plain".to_owned()));
    }
    let DebugOptions { program, test, case, at, inputs, front, plain } = options;
    let (program, session) = match test {
        None => {
            let program = program.as_deref().unwrap_or("queens".as_ref());
            let session = session_at(program, front, inputs, *at, messages)?;
            (program.to_owned(), session)
        }
        Some(file) => {
            let (case, program) = (case.as_deref(), program.as_deref());
            session_at_end_of_case(file, case, program, front, inputs, messages)?
        }
    };
    if is_plain {
        return plain::run(session, plain);
    }
    open(&program, session, front, "source", false)
}

/// Opens a session at this moment of a program, or at the program's end if it halts earlier.
fn session_at(
    program: &OsStr,
    front: &FrontOptions,
    inputs: &InputOptions,
    at: u64,
    messages: &mut Messages,
) -> Result<Session, Failure> {
    let LoadedProgram { name, image, .. } = load(program, &front.sources, messages)?;
    let machine = machine::resolve(&front.machine.spec(), messages)?;
    let engine = machine::power_up(&machine.setup, &image)?;
    // Signals end the process, as if nothing were running.
    let signals = Signals::default();
    let inputs = inputs.read(&image, &*engine, u64::MAX, &signals)?;
    let debugger = run_debugger_to(&name, &image, engine, inputs, at, &signals)?;
    let history = debugger.into_history();
    let board = Box::new(machine.board_loader());
    let program = gray1_session::Program::new(name, image);
    Ok(Session::resume(program, machine.setup, history, board))
}
