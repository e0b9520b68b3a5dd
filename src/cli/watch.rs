//! `gray1 [PROGRAM]`: opens the terminal front end with the program running. Without a terminal, it
//! works like `gray1 run`.

use std::ffi::OsStr;
use std::io::{self, IsTerminal as _};

use clap::builder::PossibleValue;
use gray1_session::Session;
use gray1_tui::{Background, Preferences};

use super::run;
use super::shared::machine::{self, MachineOptions};
use super::shared::messages::Messages;
use super::shared::options::choice;
use super::shared::outcome::{Done, Failure, Outcome, failure};
use super::shared::programs::BuiltInAndFiles;
use super::shared::source_options::{SourceOptions, load};
use crate::files;
use crate::front::{self, ExitReason};
use crate::program::{self, LoadedProgram};

pub(super) fn watch(program: &OsStr, options: &FrontOptions, messages: &mut Messages) -> Outcome {
    if let Some(obstacle) = front::obstacle(program) {
        if io::stdout().is_terminal() {
            messages.note(&format!("{obstacle}; the program runs without it"));
        }
        return run::run(
            &run::RunOptions::new(program, &options.sources, &options.machine),
            messages,
        );
    }
    let session = session(program, options, messages)?;
    open(program, session, options, "display", false)
}

/// Options of the front end that apply whichever pane it starts with.
#[derive(clap::Args)]
pub(super) struct FrontOptions {
    #[command(flatten)]
    pub(super) sources: SourceOptions,
    #[command(flatten)]
    pub(super) machine: MachineOptions,
    /// Reassemble the program whenever one of its sources changes
    #[arg(long)]
    watch: bool,
    /// Whether to pause at printed lines. The choice is remembered, like that of the key `l`
    /// [default: on]
    #[arg(long, value_name = "ON|OFF", value_parser = choice(&[true, false], switch))]
    dwell: Option<bool>,
    /// The background to draw on. The choice is remembered, like that of the key `T`
    /// [default: auto]
    #[arg(long, value_parser = choice(&THEMES, possible_value))]
    theme: Option<ThemeChoice>,
    /// Whether to use the mouse. If off, it selects text in the terminal as usual. The choice is
    /// remembered [default: on]
    #[arg(long, value_name = "ON|OFF", value_parser = choice(&[true, false], switch))]
    mouse: Option<bool>,
}

impl FrontOptions {
    /// Whether to follow changes of the sources.
    pub(super) fn watches(&self) -> bool {
        self.watch
    }
}

fn switch(is_on: bool) -> PossibleValue {
    PossibleValue::new(if is_on { "on" } else { "off" })
}

/// A background to draw on. `None` for the terminal's own.
type ThemeChoice = Option<Background>;

const THEMES: [ThemeChoice; 3] = [None, Some(Background::Light), Some(Background::Dark)];

fn possible_value(theme: ThemeChoice) -> PossibleValue {
    match theme {
        None => PossibleValue::new("auto")
            .help("That of the terminal, or dark if it does not report one"),
        Some(background) => super::screenshot::theme(background),
    }
}

/// A session with a program at its start.
fn session(
    program: &OsStr,
    options: &FrontOptions,
    messages: &mut Messages,
) -> Result<Session, Failure> {
    let LoadedProgram { name, image, .. } = load(program, &options.sources, messages)?;
    let program = gray1_session::Program::new(name, image);
    machine::session(&options.machine.spec(), program, false, messages)
}

/// Opens the front end with a session, which may come from a link, and shows this pane. Waits for
/// its end.
pub(super) fn open(
    program: &OsStr,
    session: Session,
    options: &FrontOptions,
    pane: &str,
    is_linked: bool,
) -> Outcome {
    let FrontOptions { watch: watched, dwell, theme, mouse, sources, .. } = options;
    let name = files::printable(program);
    if *watched && program::find_files(program, &sources.folders).is_empty() {
        return Err(Failure::Usage(format!("--watch needs a file; {name} is built in")));
    }
    let programs = BuiltInAndFiles::with(program, sources, is_linked);
    let exit = front::run(programs, session, pane, *watched, |kept| Preferences {
        dwells: dwell.unwrap_or(kept.dwells),
        background: theme.unwrap_or(kept.background),
        mouse: mouse.unwrap_or(kept.mouse),
        ..kept
    });
    match exit {
        Ok(ExitReason::Quit) => Ok(Done::Success),
        Ok(ExitReason::Signal(number)) => Ok(Done::Signal(number)),
        Err(error) => Err(failure(format!("the terminal cannot be used: {error}"))),
    }
}
