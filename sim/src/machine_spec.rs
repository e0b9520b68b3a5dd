//! The choice of a machine on the command line, in test files, launch arguments and links, and on
//! the page: what users can choose, which choices exclude each other, and the machine that results.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::str::FromStr;
use std::sync::Arc;

use gray1_board::Board;
use gray1_circuit::{Noise, PULSE_PS};
use gray1_isa::PowerUp;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::engine_kind::EngineKind;
use crate::instruction::BurnedUnit;
use crate::setup::{FindReference, Hardware, Setup};

/// The boards to which a choice refers without a file. The simulator itself knows no board.
#[derive(Debug, Clone, Copy)]
pub struct StockBoards {
    /// The name of the stock board.
    pub name: &'static str,
    /// Loads the stock board.
    pub load: fn() -> Board,
    /// Finds the board with which a board is compared.
    pub reference: FindReference,
}

/// How users write options, for messages that mention them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionSyntax {
    /// As options of a command, such as `--engine timed`.
    CommandLine,
    /// As fields of a test file or launch configuration, such as `engine`.
    Fields,
}

/// The user's choice of what data memory, A and C hold at power-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RamSpec {
    /// These contents.
    Contents(PowerUp),
    /// Anything. What the program does is proved for all contents.
    Any,
}

impl RamSpec {
    /// Returns the chosen contents, unless they can be anything.
    pub fn contents(self) -> Option<PowerUp> {
        if let Self::Contents(contents) = self { Some(contents) } else { None }
    }
}

impl fmt::Display for RamSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Contents(contents) => contents.fmt(f),
            Self::Any => f.write_str("any"),
        }
    }
}

impl FromStr for RamSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "any" => Ok(Self::Any),
            _ => text.parse().map(Self::Contents).map_err(|error| format!("{error}, or any")),
        }
    }
}

impl<'de> Deserialize<'de> for RamSpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let parsed = String::deserialize(from)?.parse();
        parsed.map_err(|error| D::Error::custom(format_args!("ram: {error}")))
    }
}

/// The user's choice of a machine. Omitted settings have their defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MachineSpec {
    /// The engine. The default is the instruction engine.
    pub engine: Option<EngineKind>,
    /// The name or path of the board. The default is the stock board.
    pub board: Option<String>,
    /// The contents of data memory, A and C at power-up. The default is zero.
    pub ram: Option<RamSpec>,
    /// The seed for random delays of the timed engine. The default is 0.
    pub seed: Option<u64>,
    /// The probability of a glitch on the timed engine, as one in this many changes of an address
    /// wire at a ROM. There are none by default.
    pub glitch: Option<NonZeroU64>,
    /// The maximum length of a glitch, in ns. The default is 24.
    pub pulse: Option<NonZeroU32>,
}

impl MachineSpec {
    /// Returns the chosen engine or the default.
    pub fn engine(&self) -> EngineKind {
        self.engine.unwrap_or_default()
    }

    /// Returns the name of the board, unless it is the stock board.
    pub fn other_board(&self, stock: StockBoards) -> Option<&str> {
        self.board.as_deref().filter(|name| *name != stock.name)
    }

    /// Returns this choice with omitted settings taken from another one.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let engine = self.engine.or(other.engine);
        // A seed or a glitch chosen for one engine is not used for a different one.
        let is_same = engine.unwrap_or_default() == other.engine();
        Self {
            engine,
            board: self.board.or(other.board),
            ram: self.ram.or(other.ram),
            seed: self.seed.or(other.seed.filter(|_| is_same)),
            glitch: self.glitch.or(other.glitch.filter(|_| is_same)),
            pulse: self.pulse.or(other.pulse.filter(|_| is_same)),
        }
    }

    /// Returns the choice of these contents at power-up, and of nothing else.
    pub fn with_ram(ram: Option<RamSpec>) -> Self {
        Self { ram, ..Self::default() }
    }

    /// Checks that the options select one machine.
    ///
    /// # Errors
    /// Returns a message if an option has no effect on the chosen engine, or if memory can hold
    /// anything at power-up.
    pub fn check(&self, syntax: OptionSyntax) -> Result<(), String> {
        const ANY: [&str; 2] = [
            "--ram any stands for all machines: only `gray1 run` takes it, without --engine, \
             --board and the options that show one run",
            "only test files take `ram: \"any\"`",
        ];
        const TIMED: [&str; 2] = ["--engine timed", "the engine `timed`"];
        let (option, [on_line, in_fields]) = match self {
            Self { ram: Some(RamSpec::Any), .. } => return Err(ANY[syntax as usize].to_owned()),
            Self { pulse: Some(_), glitch: None, .. } => ("pulse", ["--glitch", "`glitch`"]),
            _ if self.engine() == EngineKind::Timed => return Ok(()),
            Self { seed: Some(_), .. } => ("seed", TIMED),
            Self { glitch: Some(_), .. } => ("glitch", TIMED),
            _ => return Ok(()),
        };
        Err(match syntax {
            OptionSyntax::CommandLine => format!("--{option} requires {on_line}"),
            OptionSyntax::Fields => format!("`{option}` requires {in_fields}"),
        })
    }

    /// Loads the board with `load`, unless it is the stock board, and sets up the machine.
    ///
    /// # Errors
    /// Returns the error of `load`.
    pub fn resolve<E>(
        &self,
        stock: StockBoards,
        load: impl FnOnce(&str) -> Result<Board, E>,
    ) -> Result<ResolvedMachine, E> {
        let board = self.other_board(stock).map(load).transpose()?;
        Ok(self.with_board(stock, board))
    }

    /// Returns the machine with this board, or with the stock board for `None`.
    pub fn with_board(&self, stock: StockBoards, board: Option<Board>) -> ResolvedMachine {
        let chips = || Arc::new(board.clone().unwrap_or_else(stock.load));
        let pulse_ps = self.pulse.map_or(PULSE_PS, |ns| 1000 * u64::from(ns.get()));
        let seed = self.seed.unwrap_or_default();
        let noise = Noise { seed, glitch: self.glitch, pulse_ps };
        let mut note = None;
        let hardware = match (self.engine(), &board) {
            // Loading the stock board would take longer than most programs run.
            (EngineKind::Instruction, None) => Hardware::default(),
            (EngineKind::Instruction, Some(board)) => {
                match BurnedUnit::new(board, (stock.reference)(board)) {
                    Ok(unit) => Hardware::Instruction(Some(unit)),
                    Err(why) => {
                        note = Some(format!("running the chips one by one: {why}"));
                        Hardware::Chips(chips(), stock.reference)
                    }
                }
            }
            (EngineKind::Chips, _) => Hardware::Chips(chips(), stock.reference),
            (EngineKind::Timed, _) => Hardware::Timed(chips(), noise),
        };
        let power_up = self.ram.and_then(RamSpec::contents).unwrap_or_default();
        let setup = Setup { hardware, power_up };
        ResolvedMachine { setup, note, board, load_stock: stock.load }
    }
}

/// A machine with its board loaded, ready for a program.
#[derive(Debug, Clone)]
pub struct ResolvedMachine {
    /// Everything that determines the machine.
    pub setup: Setup,
    /// A note for the user if the instruction engine does not support the board and the chip engine
    /// runs instead.
    pub note: Option<String>,
    /// The board, or `None` for the stock board.
    pub board: Option<Board>,
    /// Loads the stock board.
    load_stock: fn() -> Board,
}

impl ResolvedMachine {
    /// Returns the engine that will run.
    pub fn engine(&self) -> EngineKind {
        match self.setup.hardware {
            Hardware::Instruction(_) => EngineKind::Instruction,
            Hardware::Chips(..) => EngineKind::Chips,
            Hardware::Timed(..) => EngineKind::Timed,
        }
    }

    /// Returns a function that loads the board. Views of the board need it when the engine has no
    /// wires.
    pub fn board_loader(&self) -> impl Fn() -> Board + Send + use<> {
        let (board, load_stock) = (self.board.clone(), self.load_stock);
        move || board.clone().unwrap_or_else(load_stock)
    }
}

#[cfg(test)]
mod tests {
    use gray1_roms::{DEFAULT, built_in, nearest, stock};

    use super::*;

    const STOCK: StockBoards = StockBoards { name: DEFAULT, load: stock, reference: nearest };

    /// Chooses an engine and a built-in board.
    fn spec(engine: EngineKind, board: &str) -> MachineSpec {
        let (engine, board) = (Some(engine), Some(board.to_owned()));
        MachineSpec { engine, board, ..MachineSpec::default() }
    }

    fn resolve(spec: &MachineSpec) -> ResolvedMachine {
        spec.resolve(STOCK, |name| built_in(name).ok_or("no such board")).unwrap()
    }

    #[test]
    fn a_board_without_an_instruction_engine_runs_on_the_chip_engine() {
        for (board, title, engine) in [
            ("gray1-b", "Gray-1 B", EngineKind::Instruction),
            ("binary-counter", "Gray-1 with a binary program counter", EngineKind::Chips),
        ] {
            let machine = resolve(&spec(EngineKind::Instruction, board));
            assert_eq!(machine.engine(), engine);
            assert_eq!(machine.note.is_some(), engine == EngineKind::Chips, "{board}");
            assert_eq!(machine.board_loader()().title(), title);
        }
        for kind in EngineKind::ALL {
            let machine = resolve(&spec(kind, "gray1"));
            assert_eq!((machine.engine(), machine.note.as_deref()), (kind, None));
            assert_eq!(machine.board_loader()().title(), "Gray-1");
        }
        assert_eq!(
            spec(EngineKind::Chips, "gary1")
                .resolve(STOCK, |name| Err(name.to_owned()))
                .unwrap_err(),
            "gary1"
        );
    }

    #[test]
    fn omitted_settings_come_from_the_other_machine() {
        let timed = |seed| MachineSpec { seed: Some(seed), ..spec(EngineKind::Timed, "gray1-b") };
        let open =
            MachineSpec { ram: Some(RamSpec::Contents(PowerUp::Ones)), ..MachineSpec::default() };
        assert_eq!(
            open.clone().or(timed(3)),
            MachineSpec { ram: Some(RamSpec::Contents(PowerUp::Ones)), ..timed(3) }
        );
        assert_eq!(timed(7).or(timed(3)).seed, Some(7));
        // A seed chosen for the timed engine is not used for another engine.
        assert_eq!(spec(EngineKind::Chips, "gray1").or(timed(3)).seed, None);
        let instruction = spec(EngineKind::Instruction, "gray1");
        assert_eq!(instruction.or(MachineSpec { seed: Some(3), ..open }).seed, Some(3));
    }

    #[test]
    fn names_an_unused_option_as_the_user_wrote_it() {
        let glitch = NonZeroU64::new(9);
        for (spec, expected) in [
            (MachineSpec { seed: Some(0), ..spec(EngineKind::Timed, "gray1") }, None),
            (
                MachineSpec { seed: Some(0), glitch, ..MachineSpec::default() },
                Some(["--seed requires --engine timed", "`seed` requires the engine `timed`"]),
            ),
            (
                MachineSpec { glitch, ..spec(EngineKind::Chips, "gray1") },
                Some(["--glitch requires --engine timed", "`glitch` requires the engine `timed`"]),
            ),
            (
                MachineSpec { pulse: NonZeroU32::new(9), ..spec(EngineKind::Timed, "gray1") },
                Some(["--pulse requires --glitch", "`pulse` requires `glitch`"]),
            ),
        ] {
            let syntaxes = [OptionSyntax::CommandLine, OptionSyntax::Fields];
            let messages = syntaxes.map(|syntax| spec.check(syntax).err());
            let expected = expected.map(|messages| messages.map(str::to_owned));
            assert_eq!(messages, expected.map_or([None, None], |messages| messages.map(Some)));
        }
    }

    #[test]
    fn reads_a_machine_from_fields() {
        let read = |text: &str| {
            serde_json::from_str::<MachineSpec>(text).map_err(|error| error.to_string())
        };
        let text = r#"{"engine":"timed","board":"b.ron","ram":"ones","seed":7,"glitch":1000,
            "pulse":60}"#;
        let expected = MachineSpec {
            ram: Some(RamSpec::Contents(PowerUp::Ones)),
            seed: Some(7),
            glitch: NonZeroU64::new(1000),
            pulse: NonZeroU32::new(60),
            ..spec(EngineKind::Timed, "b.ron")
        };
        assert_eq!(read(text), Ok(expected));
        assert_eq!(read("{}"), Ok(MachineSpec::default()));
        for (text, expected) in [
            (r#"{"engine":"fast"}"#, "engine: expected instruction, chips or timed"),
            (r#"{"ram":"random"}"#, "ram: expected zero, ones or random:SEED"),
        ] {
            assert!(read(text).unwrap_err().starts_with(expected));
        }
    }
}
