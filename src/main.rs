//! `gray1`: the Gray-1's simulator, assembler and terminal front end. Here: exit statuses only.

mod board;
mod builtin;
mod cli;
mod files;
mod front;
mod lessons;
mod names;
mod notation;
mod program;
mod record;
mod signals;
mod testing;

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(cli::main())
}
