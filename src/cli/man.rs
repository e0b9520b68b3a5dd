//! `gray1 man`: the manual pages, one for each command.

use std::path::{Path, PathBuf};

use clap::Command;
use clap_mangen::Man;

use super::named::output_folder;
use super::{Done, Failure, Outcome, cannot_write, failure};
use crate::files;

#[derive(clap::Args)]
pub(super) struct ManOptions {
    /// Write the pages of all commands to this folder, created if missing [default: gray1(1), to
    /// standard output]
    #[arg(short, long, value_name = "DIR", value_parser = output_folder())]
    #[arg(value_hint = clap::ValueHint::DirPath)]
    output: Option<PathBuf>,
}

pub(super) fn man(options: &ManOptions, command: Command) -> Outcome {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let Some(folder) = &options.output else {
        return write(Path::new(files::STDIO), command).map(|()| Done::Well);
    };
    files::make_folder(folder).map_err(failure)?;
    let pages = command.get_subcommands().cloned().map(|subcommand| {
        // `gray1 run` has the page gray1-run.
        let page = format!("gray1-{}", subcommand.get_name());
        subcommand.display_name(page)
    });
    for page in pages.collect::<Vec<_>>().into_iter().chain([command]) {
        let name = page.get_display_name().unwrap_or(page.get_name()).to_owned();
        write(&folder.join(format!("{name}.1")), page)?;
    }
    Ok(Done::Well)
}

fn write(path: &Path, command: Command) -> Result<(), Failure> {
    let mut page = Vec::new();
    Man::new(command)
        .source(concat!("gray1 ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)
        .and_then(|()| files::write(path, &page))
        .map_err(|error| cannot_write(path, &error))
}
