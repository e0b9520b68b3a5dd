//! `gray1 [PROGRAM]`: the terminal front end, running; without a terminal, `gray1 run`.
//! `gray1 debug`: the same front end, paused, in the debugger's views.

use std::path::{Path, PathBuf};

use gray1_isa::Image;
use gray1_sim::PowerUp;
use gray1_tui::{Listed, Programs};

use super::messages::Messages;
use super::{Done, Outcome, failure, load, run};
use crate::front::{self, ExitReason, Sources, Start};
use crate::program::{self, LoadFailure, Program};
use crate::{builtin, files};

pub(super) fn watch(program: &str, watched: bool, messages: &mut Messages) -> Outcome {
    if !front::usable() {
        return run::run(&run::Options::of(program), messages);
    }
    open(program, Start::Watching, watched, messages)
}

#[derive(clap::Args)]
pub(super) struct Options {
    /// The program: a path, or a built-in name
    program: String,
    /// Reassemble it whenever one of its sources changes
    #[arg(long)]
    watch: bool,
}

pub(super) fn debug(options: &Options, messages: &mut Messages) -> Outcome {
    if !front::usable() {
        return Err(failure("the debugger needs a terminal; `gray1 screenshot` does without"));
    }
    open(&options.program, Start::Debugging, options.watch, messages)
}

fn open(program: &str, start: Start, watched: bool, messages: &mut Messages) -> Outcome {
    if watched && program::files(program).is_empty() {
        return Err(failure(format!("--watch needs a file; {program} is built in")));
    }
    let Program { name, image, .. } = load(program, messages)?;
    let first = gray1_tui::Program::new(name, image);
    let name = watched.then(|| program.to_owned());
    match front::run(&BuiltInAndFiles, first, PowerUp::default(), start, name) {
        Ok(ExitReason::Quit) => Ok(Done::Well),
        Ok(ExitReason::Signal(number)) => Ok(Done::Signal(number)),
        Err(error) => Err(failure(format!("the terminal cannot be used: {error}"))),
    }
}

/// The programs as the front end sees them.
pub(super) struct BuiltInAndFiles;

impl Programs for BuiltInAndFiles {
    fn list(&self) -> Vec<Listed> {
        let title = |image: &Image| image.title().unwrap_or_default().to_owned();
        let listed = |(name, _)| Listed {
            name: String::from(name),
            title: program::load(name).map(|program| title(&program.image)).unwrap_or_default(),
        };
        builtin::programs().map(listed).collect()
    }

    fn open(&self, word: &str) -> Result<gray1_tui::Program, String> {
        if word == files::STDIO {
            return Err("the keyboard is in use; open a file".to_owned());
        }
        // A pipe or a device may keep us waiting, and the keys with us.
        let path = Path::new(word);
        if path.exists() && !path.is_file() {
            return Err(format!("{} is not a regular file", files::printable(path)));
        }
        match program::load(word) {
            Ok(Program { name, image, .. }) => Ok(gray1_tui::Program::new(name, image)),
            Err(failure) => Err(words(&failure)),
        }
    }
}

impl Sources for BuiltInAndFiles {
    fn files(&self, word: &str) -> Vec<PathBuf> {
        program::files(word)
    }
}

/// What is wrong, for a screen of our own.
fn words(failure: &LoadFailure) -> String {
    let rendering = gray1_asm::Rendering::Plain;
    match failure {
        LoadFailure::Source(assembly) => rendering.render(&assembly.diagnostics, &assembly.files),
        other => {
            let message: Vec<_> = other.message().into_iter().collect();
            rendering.render(&message, &gray1_asm::Files::default())
        }
    }
}
