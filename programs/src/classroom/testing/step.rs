//! The steps of a test case.

use std::collections::BTreeSet;
use std::fmt;

use gray1_debugger::{Condition, Expression};
use gray1_isa::panel::Buttons;
use gray1_isa::text::printable;
use gray1_isa::{Image, Symbol, SymbolKind};
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};

use super::picture::Picture;
use crate::as_string;

/// A step of a test case. Expressions and conditions have the syntax of the debugger's watches and
/// breakpoints. They are parsed when the step is reached.
#[derive(Debug, Clone, Deserialize)]
pub enum TestStep {
    /// Holds exactly these buttons from now on.
    Hold(#[serde(with = "as_string")] Buttons),
    /// Stores a byte at an address of data memory.
    Set(String, u8),
    /// Presses the reset button.
    Reset,
    /// Executes this number of instructions.
    Run(u64),
    /// Runs until a condition is true.
    RunTo(String),
    /// Runs until the program halts.
    Halts,
    /// Runs until this string has been printed, directly after the previously expected output.
    Prints(PrintedText),
    /// Runs until these lines have been printed, directly after the previously expected output.
    Lines(Vec<PrintedText>),
    /// Allows the program to print more than the steps expect.
    PrintsMore,
    /// Runs until the LEDs show this picture.
    RunToLeds(#[serde(with = "as_string")] Picture),
    /// Checks that the LEDs show this picture.
    Leds(#[serde(with = "as_string")] Picture),
    /// Checks that an expression has this value.
    Is(String, ExpectedValue),
    /// Checks the bytes from an address on.
    Bytes(String, Vec<u8>),
    /// Checks that at most this number of instructions has been executed.
    AtMost(u64),
    /// Checks that at least this number of instructions has been executed.
    AtLeast(u64),
}

impl TestStep {
    /// Returns the bytes that the step expects the program to print, if any.
    pub(super) fn printed(&self) -> Option<Vec<u8>> {
        match self {
            Self::Prints(text) => Some(text.0.clone()),
            Self::Lines(lines) => {
                Some(lines.iter().flat_map(|line| [&line.0, &b"\n"[..]].concat()).collect())
            }
            _ => None,
        }
    }

    /// Returns true if the step waits for a state of the machine.
    pub(super) fn is_wait(&self) -> bool {
        matches!(self, Self::RunTo(_) | Self::RunToLeds(_))
    }

    /// Returns why every program passes this check within a limit of instructions, if it does.
    pub(super) fn find_empty_check(&self, limit: u64) -> Option<&'static str> {
        let without_spaces = |text: &str| text.split_whitespace().collect::<String>();
        match self {
            Self::Is(text, ExpectedValue::Expression(value))
                if without_spaces(text) == without_spaces(value) =>
            {
                Some("compares a value with itself")
            }
            Self::AtMost(bound) if *bound > limit => Some("allows more than the case's limit"),
            _ => self.looks_at_nothing().then_some("looks at nothing"),
        }
    }

    fn looks_at_nothing(&self) -> bool {
        match self {
            Self::Bytes(_, bytes) => bytes.is_empty(),
            Self::Leds(picture) | Self::RunToLeds(picture) => {
                picture.leds().iter().all(Option::is_none)
            }
            Self::Is(text, _) => {
                let value = Expression::parse(text, &Image::erased());
                value.is_ok_and(|value| value.is_constant())
            }
            Self::AtLeast(bound) => *bound == 0,
            _ => false,
        }
    }

    /// Returns the first error in the step's expressions that does not depend on the program.
    pub(super) fn find_mistake(&self) -> Option<String> {
        let (text, value) = match self {
            Self::Is(text, ExpectedValue::Expression(value)) => (text, Some(value)),
            Self::Set(text, _) | Self::RunTo(text) | Self::Bytes(text, _) | Self::Is(text, _) => {
                (text, None)
            }
            _ => return None,
        };
        let mistake = |text: &String| {
            let image = &with_names(text);
            let error = match self {
                // A file is known only with the program.
                Self::RunTo(_) if text.contains(':') => None,
                Self::RunTo(_) => Condition::parse(text, image).err(),
                _ => Expression::parse(text, image).err(),
            };
            let error = error.filter(|error| error.problem.is_of_text())?;
            Some(format!("`{}`: {error}", printable(text)))
        };
        mistake(text).or_else(|| mistake(value?))
    }

    /// Returns true if the step runs the program.
    pub(super) fn runs_program(&self) -> bool {
        match self {
            Self::Run(count) => *count > 0,
            Self::RunTo(_) | Self::Halts | Self::RunToLeds(_) => true,
            _ => self.printed().is_some_and(|printed| !printed.is_empty()),
        }
    }
}

/// Returns a program that defines every name in a text.
fn with_names(text: &str) -> Image {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "_@.".contains(c)));
    let names: BTreeSet<&str> = words.filter(|word| !word.is_empty()).collect();
    let symbols = names.into_iter().map(|name| Symbol {
        name: name.to_owned(),
        kind: SymbolKind::Constant,
        value: 0,
        size: 1,
        is_seed: false,
    });
    Image::erased().with_symbols(symbols.collect()).unwrap_or_else(|_| Image::erased())
}

/// Bytes that a program prints, written as a string or as a byte string such as `b"\xff"`.
#[derive(Debug, Clone)]
pub struct PrintedText(Vec<u8>);

impl<'de> Deserialize<'de> for PrintedText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PrintedVisitor)
    }
}

struct PrintedVisitor;

impl Visitor<'_> for PrintedVisitor {
    type Value = PrintedText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string in quotes")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<PrintedText, E> {
        Ok(PrintedText(text.into()))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<PrintedText, E> {
        Ok(PrintedText(bytes.into()))
    }
}

/// An expected value: a number, or an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedValue {
    Number(i64),
    Expression(String),
}

impl<'de> Deserialize<'de> for ExpectedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl Visitor<'_> for ValueVisitor {
    type Value = ExpectedValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or an expression in quotes")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<ExpectedValue, E> {
        Ok(ExpectedValue::Number(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<ExpectedValue, E> {
        i64::try_from(number).map(ExpectedValue::Number).map_err(E::custom)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ExpectedValue, E> {
        Ok(ExpectedValue::Expression(text.to_owned()))
    }
}
