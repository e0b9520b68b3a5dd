//! `gray1 man`: writes the manual pages, one for each command.

use std::io;
use std::path::{Path, PathBuf};

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::shared::options::output_folder;
use super::shared::outcome::{Done, Failure, Outcome, cannot_write, failure};
use crate::files;

/// Write the manual pages
#[derive(clap::Args)]
pub(super) struct ManOptions {
    /// Write the pages of all commands to this folder, created if missing [default: gray1(1), to
    /// standard output]
    #[arg(short, long, value_name = "DIR", value_parser = output_folder(), value_hint = clap::ValueHint::DirPath)]
    output: Option<PathBuf>,
}

/// The parts of the pages that clap does not have: examples of each command, the environment, and
/// files. A heading is followed by entries, each a line and its explanation.
const MANUAL: &str = include_str!("manual.txt");
/// The start of the list of exit statuses in a command's help.
pub(super) const STATUS: &str = "Exit status: ";

/// The entries under a heading of the manual: examples under the name of a command.
pub(super) fn entries(heading: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let heading = format!("# {heading}\n");
    let text = MANUAL.split_once(&heading).map_or("", |(_, text)| text);
    let text = text.split("\n# ").next().unwrap_or_default();
    text.split("\n\n").filter_map(|entry| entry.trim().split_once('\n'))
}

pub(super) fn man(options: &ManOptions, command: Command) -> Outcome {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (_, statuses) = help.split_once(STATUS).unwrap_or_default();
    let Some(folder) = &options.output else {
        return write(Path::new(files::STDIO), command, statuses).map(|()| Done::Success);
    };
    files::make_folder(folder).map_err(failure)?;
    let pages = command.get_subcommands().cloned().map(|subcommand| {
        // The page of `gray1 run` is called gray1-run.
        let page = format!("gray1-{}", subcommand.get_name());
        subcommand.display_name(page)
    });
    for page in pages.collect::<Vec<_>>().into_iter().chain([command]) {
        let name = page.get_display_name().unwrap_or(page.get_name()).to_owned();
        write(&folder.join(format!("{name}.1")), page, statuses)?;
    }
    Ok(Done::Success)
}

fn write(path: &Path, command: Command, statuses: &str) -> Result<(), Failure> {
    render(command, statuses)
        .and_then(|page| files::write(path, &page))
        .map_err(|error| cannot_write(path, &error))
}

/// The exit statuses in a list, with their meanings.
pub(super) fn statuses(list: &str) -> impl Iterator<Item = (&str, &str)> {
    list.trim_end_matches('.').split("; ").filter_map(|status| status.split_once(' '))
}

/// The page of a command. Its exit statuses are those in its help, or else those of all commands.
fn render(command: Command, usual: &str) -> io::Result<Vec<u8>> {
    let name = command.get_name().to_owned();
    let has_commands = command.has_subcommands();
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (notes, listed) = help.split_once(STATUS).unwrap_or((&help, usual));
    let man = Man::new(command).source(concat!("gray1 ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if has_commands {
        man.render_subcommands_section(&mut page)?;
    }
    let notes = notes.split("\n\n").filter(|note| !note.trim().is_empty());
    let mut roff = Roff::new();
    for (heading, entries) in [
        ("EXIT STATUS", statuses(listed).collect::<Vec<_>>()),
        ("ENVIRONMENT", entries("ENVIRONMENT").collect()),
        ("FILES", entries("FILES").collect()),
        ("NOTES", notes.map(|note| ("", note)).collect()),
        ("EXAMPLES", entries(&name).collect()),
    ] {
        if !entries.is_empty() {
            roff.control("SH", [heading]);
        }
        for (term, text) in entries {
            if term.is_empty() {
                roff.control("PP", []);
            } else {
                roff.control("TP", []).text([bold(term)]);
            }
            roff.text([roman(text)]);
        }
    }
    roff.to_writer(&mut page)?;
    man.render_version_section(&mut page)?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_examples_that_are_command_lines() {
        let root = crate::cli::definition();
        let names = root.get_subcommands().map(Command::get_name);
        for name in names.chain(["gray1"]) {
            assert!(entries(name).count() > 0, "{name}");
            for (example, _) in entries(name) {
                let args = shlex::split(example).expect("a command line");
                let is_about = args.get(1).is_some_and(|word| word == name) || name == "gray1";
                assert!(is_about, "{name}: {example}");
                assert_eq!(crate::cli::parse(args).err().map(|it| it.to_string()), None);
            }
        }
    }
}
