//! Reasons in a program's own words: why a square has its colour.
//!
//! A reason belongs to a caption. Its text has places in braces, which are filled with what the
//! display and the grids hold when the instructions of the caption decide about the square.

use std::fmt::{self, Write as _};

use crate::panel::Led;

/// Why a square has a colour, in the words of the program.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// The colour of the square.
    pub led: Led,
    /// The words, with places such as `{row Q}`.
    pub text: String,
    /// What the square showed or held before; `None` if that does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Sign>,
}

/// What a square of the display or of a grid can show; in files, its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Sign {
    /// A colour of the display.
    Led(Led),
    /// The mark of a grid.
    Mark(char),
}

/// A part of a reason's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part<'a> {
    /// Words as they are.
    Text(&'a str),
    /// `{square}`: the square itself, by its row and column.
    Square,
    /// `{row Q}`: the row of a square with this sign, on a line with the square itself.
    Row(Sign),
    /// `{direction Q}`: the direction from that square.
    Direction(Sign),
    /// `{count Q}`: the number of squares with this sign.
    Count(Sign),
    /// `{neighbours green}`: the same among the eight neighbours, on a display with joined edges.
    Neighbours(Sign),
    /// `{one|many}`: words that fit the last number.
    Plural(&'a str, &'a str),
}

impl Sign {
    /// The sign of this name: a colour, or a single character.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let mut characters = name.chars();
        let led = Led::ALL.into_iter().find(|led| led.name() == name).map(Self::Led);
        led.or_else(|| characters.next().filter(|_| characters.next().is_none()).map(Self::Mark))
    }
}

impl fmt::Display for Sign {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Led(led) => out.write_str(led.name()),
            Self::Mark(mark) => out.write_char(*mark),
        }
    }
}

impl From<Sign> for String {
    fn from(sign: Sign) -> Self {
        sign.to_string()
    }
}

impl TryFrom<String> for Sign {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::from_name(&name).ok_or_else(|| format!("'{name}' is no colour or mark"))
    }
}

impl Reason {
    /// The parts of its text.
    ///
    /// # Errors
    /// If a place is none of [`Part`]: the text between its braces.
    pub fn parts(&self) -> Result<Vec<Part<'_>>, &str> {
        let (mut parts, mut rest) = (Vec::new(), self.text.as_str());
        while let Some((before, after)) = rest.split_once('{') {
            let (place, next) = after.split_once('}').ok_or(after)?;
            parts.extend([Part::Text(before), part(place).ok_or(place)?]);
            rest = next;
        }
        parts.push(Part::Text(rest));
        Ok(parts)
    }
}

/// The place with these words between its braces.
fn part(place: &str) -> Option<Part<'_>> {
    if let Some((one, many)) = place.split_once('|') {
        return Some(Part::Plural(one, many));
    }
    let (word, sign) = place.split_once(' ').unwrap_or((place, ""));
    match (word, Sign::from_name(sign)) {
        ("square", None) => Some(Part::Square),
        ("row", Some(sign)) => Some(Part::Row(sign)),
        ("direction", Some(sign)) => Some(Part::Direction(sign)),
        ("count", Some(sign)) => Some(Part::Count(sign)),
        ("neighbours", Some(sign @ Sign::Led(_))) => Some(Part::Neighbours(sign)),
        _ => None,
    }
}
