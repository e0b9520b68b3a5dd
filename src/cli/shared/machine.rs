//! The options that select a machine, the same for all commands.

use std::num::{NonZeroU32, NonZeroU64};

use clap::builder::{PossibleValue, TypedValueParser as _};
use gray1_isa::Image;
use gray1_programs::STOCK;
use gray1_session::{Program, Session};
use gray1_sim::{Engine, EngineKind, MachineSpec, OptionSyntax, RamSpec, ResolvedMachine, Setup};

use super::messages::Messages;
use super::options::{board_name, choice, number, number_in};
use super::outcome::{Failure, failure};
use crate::{board, files};

/// An engine with its help.
fn possible_value(kind: EngineKind) -> PossibleValue {
    PossibleValue::new(kind.name()).help(match kind {
        EngineKind::Instruction => "The machine as programmers see it; fast",
        EngineKind::Chips => "The board, chip by chip",
        EngineKind::Timed => "The board with delays: every wire changes after a random time",
    })
}

/// The heading of these options in the help.
const HEADING: &str = "Options of the machine";

/// The options that select a machine. Missing ones have defaults.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct MachineOptions {
    /// The engine that runs the program [default: instruction]
    #[arg(help_heading = HEADING, long, value_parser = choice(&EngineKind::ALL, possible_value))]
    engine: Option<EngineKind>,
    /// The board: a path or a built-in name [default: gray1]
    #[arg(help_heading = HEADING)]
    #[arg(long, value_name = "BOARD", value_parser = board_name(), add = super::complete::boards())]
    board: Option<String>,
    /// The contents of data memory, A and C at power-up: zero, ones or random:SEED [default: zero];
    /// `run` also takes any, which proves what the program does for all of them
    #[arg(help_heading = HEADING)]
    #[arg(long, value_name = "CONTENTS", add = super::complete::power_ups())]
    ram: Option<RamSpec>,
    /// The seed of the random delays of `--engine timed`; the same seed gives the same run
    /// [default: 0]
    #[arg(help_heading = HEADING, long, value_name = "SEED", value_parser = number())]
    seed: Option<u64>,
    /// Let ROMs glitch with `--engine timed`: one in N address changes disturbs outputs that should
    /// stay stable [default: none]
    #[arg(help_heading = HEADING, long, value_name = "N")]
    #[arg(value_parser = number_in(1..=u64::MAX).try_map(NonZeroU64::try_from))]
    glitch: Option<NonZeroU64>,
    /// The longest glitch of `--glitch`, in nanoseconds [default: 24]
    #[arg(help_heading = HEADING, long, value_name = "NS")]
    #[arg(value_parser = number_in(1..=u32::MAX).try_map(NonZeroU32::try_from))]
    pulse: Option<NonZeroU32>,
}

impl MachineOptions {
    /// The machine that these options select.
    pub(crate) fn spec(&self) -> MachineSpec {
        let Self { engine, board, ram, seed, glitch, pulse } = self.clone();
        MachineSpec { engine, board, ram, seed, glitch, pulse }
    }
}

/// Formats the options that select this machine, each with a space before it.
pub(crate) fn to_args(spec: &MachineSpec) -> String {
    let options = [
        ("engine", spec.engine.map(|engine| engine.to_string())),
        (
            "board",
            spec.board.as_deref().map(|board| quote(&files::decode_path(board).to_string_lossy())),
        ),
        ("ram", spec.ram.map(|ram| ram.to_string())),
        ("seed", spec.seed.map(|seed| seed.to_string())),
        ("glitch", spec.glitch.map(|glitch| glitch.to_string())),
        ("pulse", spec.pulse.map(|pulse| pulse.to_string())),
    ];
    let given = options.into_iter().filter_map(|(name, value)| Some((name, value?)));
    given.fold(String::new(), |options, (name, value)| options + " --" + name + " " + &value)
}

/// Refuses `--ram any`.
pub(crate) fn refuse_any(spec: &MachineSpec) -> Result<(), Failure> {
    MachineSpec::with_ram(spec.ram).check(OptionSyntax::CommandLine).map_err(Failure::Usage)
}

/// Sets up the machine selected on the command line. If there is a note about it, prints the note.
pub(crate) fn resolve(
    spec: &MachineSpec,
    messages: &mut Messages,
) -> Result<ResolvedMachine, Failure> {
    spec.check(OptionSyntax::CommandLine).map_err(Failure::Usage)?;
    let machine = spec.resolve(STOCK, board::load).map_err(failure)?;
    machine.note.iter().for_each(|note| messages.note(note));
    Ok(machine)
}

/// Powers up the machine selected on the command line, with a program.
pub(crate) fn engine(
    spec: &MachineSpec,
    image: &Image,
    messages: &mut Messages,
) -> Result<Box<dyn Engine>, Failure> {
    power_up(&resolve(spec, messages)?.setup, image)
}

/// A session with a program on the machine selected on the command line.
pub(crate) fn session(
    spec: &MachineSpec,
    program: Program,
    paused: bool,
    messages: &mut Messages,
) -> Result<Session, Failure> {
    let machine = resolve(spec, messages)?;
    let board = Box::new(machine.board_loader());
    Session::new(program, machine.setup, paused, board).map_err(|error| failure(error.to_string()))
}

/// Quotes a word for a shell if necessary.
pub(crate) fn quote(word: &str) -> String {
    let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:=+,".contains(c));
    if is_plain && !word.is_empty() {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Powers up a machine with a program.
pub(crate) fn power_up(setup: &Setup, image: &Image) -> Result<Box<dyn Engine>, Failure> {
    setup.engine(image).map_err(|error| failure(error.to_string()))
}

/// Checks that a machine has not failed.
pub(crate) fn check(engine: &dyn Engine) -> Result<(), Failure> {
    engine.error().map_or(Ok(()), |error| Err(failure(error.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_written_as_the_options_that_select_it() {
        let options = MachineOptions {
            engine: Some(EngineKind::Timed),
            board: Some("my board".into()),
            seed: Some(7),
            ..MachineOptions::default()
        };
        assert_eq!(to_args(&options.spec()), " --engine timed --board 'my board' --seed 7");
        assert_eq!(to_args(&MachineSpec::default()), "");
    }
}
