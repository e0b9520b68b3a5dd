//! `gray1 completions`: a script that completes commands and options in a shell.

use std::path::Path;

use super::{Done, Outcome, cannot_write};
use crate::files;

#[derive(clap::Args)]
pub(super) struct Options {
    /// The shell
    shell: clap_complete::Shell,
}

pub(super) fn completions(options: &Options, mut command: clap::Command) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command, "gray1", &mut script);
    files::write(Path::new(files::STDIO), &script)
        .map(|()| Done::Well)
        .map_err(|error| cannot_write("standard output", &error))
}
