//! The options that say what a program runs on, the same for all commands.

use std::num::NonZeroU64;
use std::sync::Arc;

use clap::builder::PossibleValue;
use gray1_board::Board;
use gray1_circuit::Noise;
use gray1_isa::{Image, PowerUp};
use gray1_programs::EngineKind;
use gray1_programs::testing::Asked;
use gray1_sim::{Engine, Hardware, Setup, Unrecognised};
use gray1_tui::{BoardLoader, Program, Session};

use super::messages::Messages;
use super::named::one_of;
use super::outcome::{Failure, failure};
use crate::board;

/// An engine, as help describes it.
fn described(kind: EngineKind) -> PossibleValue {
    PossibleValue::new(kind.name()).help(match kind {
        EngineKind::Instruction => "The machine as a programmer sees it, fast",
        EngineKind::Chips => "The board, chip by chip",
        EngineKind::Timed => "The board in time: every wire moves after a random delay",
    })
}

/// The options that were given; the others have their defaults.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct MachineOptions {
    /// The engine that runs the program [default: instruction]
    #[arg(long, value_parser = one_of(&EngineKind::ALL, described))]
    pub(crate) engine: Option<EngineKind>,
    /// The board: a path or a built-in name [default: gray1]
    #[arg(long, value_name = "BOARD", add = super::complete::boards())]
    pub(crate) board: Option<String>,
    /// What data memory, A and C hold at power-up: zero, ones or random:SEED [default: zero]
    #[arg(long, value_name = "CONTENTS", add = super::complete::power_ups())]
    pub(crate) ram: Option<PowerUp>,
    /// The seed of the random delays of `--engine timed`; the same seed gives the same run
    /// [default: 0]
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<u64>,
    /// Let ROMs glitch with `--engine timed`: one in N arrivals of an address line makes outputs
    /// that should stay still move for a moment [default: none does]
    #[arg(long, value_name = "N")]
    pub(crate) glitch: Option<NonZeroU64>,
}

impl MachineOptions {
    /// The options of these words, or a mistake in them, behind the option's name.
    pub(crate) fn named(
        engine: Option<&str>,
        board: Option<String>,
        ram: Option<&str>,
        seed: Option<u64>,
    ) -> Result<Self, String> {
        let Asked { engine, ram } = Asked::read(engine, ram)?;
        Ok(Self { engine, board, ram, seed, glitch: None })
    }

    /// These options, and the others where these ask for nothing.
    pub(crate) fn or(&self, others: Self) -> Self {
        let engine = self.engine.or(others.engine);
        // What chooses delays that another engine does not have was not meant for it.
        let is_meant = engine == others.engine;
        let (seed, glitch) = (others.seed.filter(|_| is_meant), others.glitch.filter(|_| is_meant));
        Self {
            engine,
            board: self.board.clone().or(others.board),
            ram: self.ram.or(others.ram),
            seed: self.seed.or(seed),
            glitch: self.glitch.or(glitch),
        }
    }

    /// The words that ask for the same on a command line, each with a blank before it.
    pub(crate) fn words(&self) -> String {
        let words = [
            ("engine", self.engine.map(|engine| engine.to_string())),
            ("board", self.board.as_deref().map(quoted)),
            ("ram", self.ram.map(|ram| ram.to_string())),
            ("seed", self.seed.map(|seed| seed.to_string())),
            ("glitch", self.glitch.map(|glitch| glitch.to_string())),
        ];
        words
            .into_iter()
            .filter_map(|(name, value)| value.map(|value| format!(" --{name} {value}")))
            .collect()
    }

    pub(crate) fn engine_kind(&self) -> EngineKind {
        self.engine.unwrap_or_default()
    }

    pub(crate) fn board_name(&self) -> &str {
        self.board.as_deref().unwrap_or(board::DEFAULT)
    }

    /// The hardware of these options. A board that the instruction engine refuses is run chip by
    /// chip, which a note says.
    pub(crate) fn setup(&self, messages: &mut Messages) -> Result<Setup, Failure> {
        if self.seed.is_some() && self.engine_kind() != EngineKind::Timed {
            return Err(failure("--seed chooses delays, which only --engine timed has"));
        }
        if self.glitch.is_some() && self.engine_kind() != EngineKind::Timed {
            return Err(failure("--glitch is for chips in time, which only --engine timed has"));
        }
        let hardware = match self.hardware(self.engine_kind())? {
            Ok(hardware) => hardware,
            Err(why) => {
                messages.note(&format!("running the chips one by one: {why}"));
                Hardware::Chips(Arc::new(self.board()?))
            }
        };
        Ok(Setup { hardware, power_up: self.ram.unwrap_or_default() })
    }

    /// The machine that the options ask for, with a program.
    pub(crate) fn engine(
        &self,
        image: &Image,
        messages: &mut Messages,
    ) -> Result<Box<dyn Engine>, Failure> {
        power_up(&self.setup(messages)?, image)
    }

    /// A session with a program on the machine that the options ask for.
    pub(crate) fn session(
        &self,
        program: Program,
        paused: bool,
        messages: &mut Messages,
    ) -> Result<Session, Failure> {
        let setup = self.setup(messages)?;
        let beside = self.board_beside(&setup)?;
        Session::new(program, setup, paused, beside).map_err(|error| failure(error.to_string()))
    }

    /// Loads the board whose wires are shown beside an engine that has none.
    pub(crate) fn board_beside(&self, setup: &Setup) -> Result<BoardLoader, Failure> {
        Ok(match setup.hardware {
            Hardware::Instruction(Some(_)) => {
                let board = self.board()?;
                Box::new(move || board.clone())
            }
            // Boards that run show wires of their own.
            _ => Box::new(board::stock),
        })
    }

    /// The board with power-up contents on an engine, unless that engine refuses the board.
    pub(crate) fn setup_on(&self, engine: EngineKind) -> Result<Option<Setup>, Failure> {
        let hardware = self.hardware(engine)?.ok();
        Ok(hardware.map(|hardware| Setup { hardware, power_up: self.ram.unwrap_or_default() }))
    }

    /// The board.
    pub(crate) fn board(&self) -> Result<Board, Failure> {
        board::load(self.board_name()).map_err(failure)
    }

    /// The parts of the board that an engine needs, or why it refuses the board.
    fn hardware(&self, engine: EngineKind) -> Result<Result<Hardware, Unrecognised>, Failure> {
        let is_stock = self.board_name() == board::DEFAULT;
        let board = if is_stock { None } else { Some(self.board()?) };
        let noise = Noise { seed: self.seed.unwrap_or_default(), glitch: self.glitch };
        Ok(gray1_programs::hardware(engine, board, noise))
    }
}

/// A word as a shell reads it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=+,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A machine with a program.
pub(crate) fn power_up(setup: &Setup, image: &Image) -> Result<Box<dyn Engine>, Failure> {
    setup.engine(image).map_err(|error| failure(error.to_string()))
}

/// The failure of a machine that cannot go on although its program has not ended.
pub(crate) fn check(engine: &dyn Engine) -> Result<(), Failure> {
    engine.error().map_or(Ok(()), |error| Err(failure(error.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_has_the_board_that_was_asked_for_or_refuses_it() {
        let on = |board: &str, engine| {
            let (board, ram) = (Some(board.to_owned()), Some(PowerUp::Ones));
            let options = MachineOptions { board, ram, ..MachineOptions::default() };
            options.setup_on(engine).ok().unwrap()
        };
        assert!(on("binary-counter", EngineKind::Instruction).is_none());
        let setup = on("gray1-b", EngineKind::Chips).unwrap();
        assert_eq!(setup.power_up, PowerUp::Ones);
        let Hardware::Chips(board) = setup.hardware else { panic!("chips were asked for") };
        assert_eq!(board.title(), "Gray-1 B");
    }

    #[test]
    fn the_wires_beside_a_fast_engine_are_those_of_its_board() {
        for (name, title) in [("gray1", "Gray-1"), ("gray1-b", "Gray-1 B")] {
            let board = Some(name.to_owned());
            let options = MachineOptions { board, ..MachineOptions::default() };
            let setup = options.setup_on(EngineKind::Instruction).ok().flatten();
            let setup = setup.expect("programs run fast on this board");
            assert_eq!(options.board_beside(&setup).ok().unwrap()().title(), title);
        }
    }

    #[test]
    fn options_that_were_given_are_words_again() {
        let options = MachineOptions::named(Some("timed"), Some("my board".into()), None, Some(7));
        assert_eq!(options.unwrap().words(), " --engine timed --board 'my board' --seed 7");
        assert_eq!(MachineOptions::default().words(), "");
    }
}
