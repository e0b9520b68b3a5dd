//! Reasons in a program's own words: why a square of the display has its colour.
//!
//! A reason belongs to a caption. Its text contains placeholders in braces. When an instruction of
//! the caption changes the square, they are filled with the contents of the display and the grids.

use std::fmt::{self, Write as _};

use crate::panel::Led;

/// A reason why a square has a colour, in the program's own words.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// The colour that the reason explains.
    pub led: Led,
    /// The text, with placeholders such as `{row Q}`.
    pub text: String,
    /// The contents of the square before the change. `None` if the reason fits any contents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Sign>,
}

/// The contents of a square of the display or of a grid. In files, it is written as the name of a
/// colour or as a single character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Sign {
    /// A colour of the display.
    Led(Led),
    /// The mark of a grid.
    Mark(char),
}

/// A part of a reason's text: plain text or a placeholder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part<'a> {
    /// Text without placeholders.
    Text(&'a str),
    /// `{square}`: the row and column of the square.
    Square,
    /// `{number}`: the number of the square, counted from 0 along the rows. `{number yellow}`: that
    /// of the first square with this sign.
    Number(Option<Sign>),
    /// `{sum red}`: the squares of the row with this sign as a binary number, such as `5 = 4 + 1`.
    Sum(Sign),
    /// `{bit}`: the value of the square as a bit of its row.
    Bit,
    /// `{row Q}`: the row of another square that has this sign and is on a line with the square.
    Row(Sign),
    /// `{above Q}`: like `{row Q}`, but only of a square in a row above.
    Above(Sign),
    /// `{direction Q}`: the direction from the square that `{row Q}` names.
    Direction(Sign),
    /// `{count Q}`: the number of squares with this sign.
    Count(Sign),
    /// `{neighbours green}`: the number of the eight neighbours with this sign. Opposite edges of
    /// the display are joined.
    Neighbours(Sign),
    /// `{one|many}`: the word that agrees with the last number.
    Plural(&'a str, &'a str),
}

impl Sign {
    /// Returns the sign with this name: a colour, or a single character.
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
        Self::from_name(&name).ok_or_else(|| format!("'{name}' is not a colour or a mark"))
    }
}

impl Reason {
    /// Splits the text into its parts.
    ///
    /// # Errors
    /// If a placeholder is unknown. The error is the text between its braces.
    pub fn parts(&self) -> Result<Vec<Part<'_>>, &str> {
        let mut parts = Vec::new();
        let mut rest = self.text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (place, next) = after.split_once('}').ok_or(after)?;
            parts.extend([Part::Text(before), part(place).ok_or(place)?]);
            rest = next;
        }
        parts.push(Part::Text(rest));
        Ok(parts)
    }

    /// Iterates over the marks of grids that the reason mentions.
    pub fn marks(&self) -> impl Iterator<Item = char> {
        let signs = self.parts().unwrap_or_default().into_iter().filter_map(|part| match part {
            Part::Row(sign)
            | Part::Above(sign)
            | Part::Direction(sign)
            | Part::Count(sign)
            | Part::Sum(sign) => Some(sign),
            Part::Number(sign) => sign,
            _ => None,
        });
        signs.chain(self.was).filter_map(|sign| match sign {
            Sign::Mark(mark) => Some(mark),
            Sign::Led(_) => None,
        })
    }
}

/// Parses the text between the braces of a placeholder.
fn part(place: &str) -> Option<Part<'_>> {
    if let Some((one, many)) = place.split_once('|') {
        return Some(Part::Plural(one, many));
    }
    let (word, sign) = place.split_once(' ').unwrap_or((place, ""));
    match (word, Sign::from_name(sign)) {
        ("square", None) => Some(Part::Square),
        ("number", sign) => Some(Part::Number(sign)),
        ("bit", None) => Some(Part::Bit),
        ("row", Some(sign)) => Some(Part::Row(sign)),
        ("above", Some(sign)) => Some(Part::Above(sign)),
        ("direction", Some(sign)) => Some(Part::Direction(sign)),
        ("count", Some(sign)) => Some(Part::Count(sign)),
        ("sum", Some(sign)) => Some(Part::Sum(sign)),
        ("neighbours", Some(sign @ Sign::Led(_))) => Some(Part::Neighbours(sign)),
        _ => None,
    }
}
