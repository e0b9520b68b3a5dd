//! The names of the engines.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// The engines that can run a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EngineKind {
    /// The instruction engine, which simulates the instructions without the board.
    #[default]
    Instruction,
    /// The chip engine, which simulates every chip of the board.
    Chips,
    /// The timed engine, which also simulates the delays of the chips.
    Timed,
}

impl EngineKind {
    /// All engines.
    pub const ALL: [Self; 3] = [Self::Instruction, Self::Chips, Self::Timed];

    /// Returns the name that users write.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Instruction => "instruction",
            Self::Chips => "chips",
            Self::Timed => "timed",
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EngineKind {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or("expected instruction, chips or timed")
    }
}

/// Reads the name from a field `engine`.
impl<'de> Deserialize<'de> for EngineKind {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        name.parse().map_err(|error| D::Error::custom(format_args!("engine: {error}")))
    }
}
