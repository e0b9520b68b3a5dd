//! `gray1`: the Gray-1's simulator, assembler and terminal front end. This file only sets the exit
//! status.

mod board;
mod cli;
mod files;
mod front;
mod lessons;
mod names;
mod program;
mod signals;
mod system;

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(cli::main())
}
