//! `gray1 debug`: the terminal front end, paused, in the debugger's views.

use std::ffi::OsString;
use std::path::PathBuf;

use super::messages::Messages;
use super::test::debugged;
use super::watch::{FrontOptions, open, session};
use super::{Outcome, failure};
use crate::front;

#[derive(clap::Args)]
pub(super) struct DebugOptions {
    /// The program: a path, or a built-in name [default: queens, or the one that is tested]
    #[arg(add = super::complete::programs())]
    program: Option<OsString>,
    /// Run a case of this test file, and open the program where it fails, or where it ends
    #[arg(long, value_name = "FILE", add = super::complete::tests())]
    test: Option<PathBuf>,
    /// The case [default: the first]
    #[arg(long, value_name = "NAME", requires = "test")]
    case: Option<String>,
    #[command(flatten)]
    front: FrontOptions,
}

pub(super) fn debug(options: &DebugOptions, messages: &mut Messages) -> Outcome {
    if let Some(obstacle) = front::obstacle(options.program.as_deref().unwrap_or_default()) {
        let why = format!("the debugger needs a terminal: {obstacle}");
        return Err(failure(format!("{why}; `gray1 screenshot` does without")));
    }
    let DebugOptions { program, test, case, front } = options;
    let (program, session) = match test {
        None => {
            let program = program.as_deref().unwrap_or("queens".as_ref());
            (program.to_owned(), session(program, front, true, messages)?)
        }
        Some(file) => {
            let (case, program) = (case.as_deref(), program.as_deref());
            debugged(file, case, program, front, messages)?
        }
    };
    open(&program, session, front, "source", false)
}
