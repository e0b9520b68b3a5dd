//! `gray1 completions`: a script that teaches a shell our commands and options.

use std::path::Path;

use clap::CommandFactory as _;

use super::{Cli, Done, Outcome, cannot_write};
use crate::files;

#[derive(clap::Args)]
pub(super) struct Options {
    /// The shell
    shell: clap_complete::Shell,
}

pub(super) fn completions(options: &Options) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Cli::command(), "gray1", &mut script);
    files::write(Path::new(files::STDIO), &script)
        .map(|()| Done::Well)
        .map_err(|error| cannot_write("standard output", &error))
}
