//! Counterexamples, told as stories.

use std::fmt;

use gray1_board::phase::Phase;
use gray1_isa::Word;

/// The outcome of the proof of a law.
pub(super) type Verdict = Result<(), Counterexample>;

/// The story of a board that breaks a law.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counterexample {
    /// The law.
    pub law: &'static str,
    /// The scenes, in order.
    pub story: Vec<Scene>,
}

/// The cause of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The oscillator turns over.
    Oscillator,
    /// The panel raises reset.
    ResetRises,
    /// The panel lowers reset.
    ResetFalls,
}

/// One thing that happens in a story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scene {
    /// A step from one phase to another begins.
    Transition {
        /// The phase before.
        from: Phase,
        /// The phase after.
        to: Phase,
        /// Its cause.
        cause: Cause,
        /// True if reset is high before.
        reset: bool,
        /// The other wires that the strobes depend on, with their levels before.
        levels: Vec<(String, bool)>,
    },
    /// A wire moves.
    Moves {
        /// The wire.
        wire: String,
        /// Its new level.
        level: bool,
    },
    /// A wire may or may not move, as the data has it.
    CanMove {
        /// The wire.
        wire: String,
    },
    /// A chip looks up an address.
    Shows {
        /// The chip.
        chip: String,
        /// The address it has noticed.
        address: u32,
        /// The byte at that address.
        shown: u8,
        /// The byte that it should show.
        expected: Option<u8>,
    },
    /// Wires of one chip move at once.
    MoveTogether {
        /// The wires.
        wires: Vec<String>,
    },
    /// A chip that reads such wires itself may see any mix of them.
    ReadsBack {
        /// The chip.
        chip: String,
        /// The wire that is noticed first.
        first: String,
        /// The count that the chip then reads.
        count: u32,
        /// The count that it goes to from there.
        shown: u32,
        /// The count that it should go to.
        expected: u32,
    },
    /// A wire glitches.
    Glitches {
        /// The wire.
        wire: String,
        /// The level before and after.
        level: bool,
    },
    /// A chip reads a wire.
    Listens {
        /// The chip.
        chip: String,
        /// The wire.
        wire: String,
    },
    /// An enable ends while its chip's input moves.
    Closes {
        /// The chip.
        chip: String,
        /// The enable.
        wire: String,
    },
    /// A latch takes what it should not.
    Takes {
        /// The chip.
        chip: String,
    },
    /// Wires feed each other in a circle.
    Circle {
        /// The wires, each feeding the next, the last the first.
        wires: Vec<String>,
    },
    /// An instruction is executed.
    Executes {
        /// The instruction.
        word: Word,
        /// Its index.
        index: u16,
        /// The accumulator before.
        a: u8,
        /// The carry before.
        carry: bool,
        /// The data byte at its operand.
        byte: u8,
    },
    /// The outcome differs from what a programmer expects.
    Outcome {
        /// The register or byte that differs.
        what: &'static str,
        /// The value found.
        found: u32,
        /// The value expected.
        expected: u32,
    },
    /// Anything else.
    Note(String),
}

impl Counterexample {
    pub(super) fn new(law: &'static str, story: Vec<Scene>) -> Self {
        Self { law, story }
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.law)?;
        self.story.iter().try_for_each(|scene| write!(f, "\n  {scene}"))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Oscillator => "the oscillator turns over",
            Self::ResetRises => "reset rises",
            Self::ResetFalls => "reset falls",
        })
    }
}

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rises = |level: bool| if level { "rises" } else { "falls" };
        match self {
            Self::Transition { from, to, cause, reset, levels } => {
                let reset = if *reset { ", under reset" } else { "" };
                write!(f, "{from} -> {to}{reset}: {cause}")?;
                for (wire, level) in levels {
                    write!(f, ", {wire} = {}", u8::from(*level))?;
                }
                Ok(())
            }
            Self::Moves { wire, level } => write!(f, "{wire} {}", rises(*level)),
            Self::CanMove { wire } => write!(f, "{wire} can move"),
            Self::Shows { chip, address, shown, expected } => {
                write!(f, "{chip} shows {shown:02x} at address {address:#x}")?;
                match expected {
                    Some(expected) => write!(f, ", expected {expected:02x}"),
                    None => Ok(()),
                }
            }
            Self::MoveTogether { wires } => write!(f, "{} move at once", wires.join(" and ")),
            Self::ReadsBack { chip, first, count, shown, expected } => write!(
                f,
                "{chip} notices {first} first, reads {count:#x} and shows {shown:#x}, \
                 expected {expected:#x}"
            ),
            Self::Glitches { wire, level } => {
                let (rest, spike) = if *level { ("high", "low") } else { ("low", "high") };
                write!(f, "{wire} is {spike} for a moment, though it is {rest} before and after")
            }
            Self::Listens { chip, wire } => write!(f, "{chip} reads {wire}"),
            Self::Closes { chip, wire } => write!(f, "{wire} closes {chip} in the same step"),
            Self::Takes { chip } => write!(f, "{chip} takes either"),
            Self::Circle { wires } => {
                write!(f, "{} and back: the circle is open", wires.join(" -> "))
            }
            Self::Executes { word, index, a, carry, byte } => write!(
                f,
                "{} {:04x} at {index:04x}, with A = {a:02x}, C = {}, [x] = {byte:02x}",
                word.op(),
                word.operand(),
                u8::from(*carry)
            ),
            Self::Outcome { what, found, expected } => {
                write!(f, "{what} is {found:#x} afterwards, expected {expected:#x}")
            }
            Self::Note(text) => f.write_str(text),
        }
    }
}
