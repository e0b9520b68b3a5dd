//! Messages of log points: text with expressions in braces.

use super::expression::{Expression, MachineView};
use super::parse_error::ParseError;
use super::scope::Scope;
use super::values::Value;

/// The parsed message of a log point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogMessage {
    /// The text before the first expression.
    head: String,
    /// The expressions, each with the text after it.
    values: Vec<(Expression, String)>,
}

/// The reason a text is not a log message.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogMessageError {
    /// A brace is not closed.
    #[error("there is no brace that closes '{{{0}'")]
    Open(String),
    /// The text in braces is not an expression.
    #[error("'{{{text}}}', {error}")]
    Expression {
        /// The text in braces.
        text: String,
        /// The reason.
        error: ParseError,
    },
}

impl LogMessage {
    /// Reads a message such as `row {[row]}: {A}`.
    ///
    /// # Errors
    /// If a brace is not closed, or the text in it is not an expression.
    pub fn parse(text: &str, scope: Scope) -> Result<Self, LogMessageError> {
        let mut pieces = text.split('{');
        let head = pieces.next().unwrap_or_default().to_owned();
        let value = |piece: &str| {
            let (text, rest) =
                piece.split_once('}').ok_or_else(|| LogMessageError::Open(piece.to_owned()))?;
            let expression = Expression::parse(text, scope);
            let wrong = |error| LogMessageError::Expression { text: text.to_owned(), error };
            Ok((expression.map_err(wrong)?, rest.to_owned()))
        };
        Ok(Self { head, values: pieces.map(value).collect::<Result<_, _>>()? })
    }

    /// The message for a state of the machine. An expression without a value gives a question mark.
    #[must_use]
    pub fn text(&self, view: MachineView) -> String {
        let mut text = self.head.clone();
        for (expression, rest) in &self.values {
            let value = Value::of(expression, view);
            text += &value.map_or("?".to_owned(), |value| value.to_string());
            text += rest;
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use gray1_isa::{Image, RomIndex};

    use super::*;

    #[test]
    fn a_message_holds_values() {
        let mut ram = [0; 8192];
        ram[5] = 42;
        let image = Image::erased();
        let view = MachineView { a: 7, carry: true, pc: RomIndex::truncate(3), ram: &ram };
        let text = |text| match LogMessage::parse(text, Scope::from(&image)) {
            Ok(message) => message.text(view),
            Err(error) => error.to_string(),
        };
        assert_eq!(text("plain"), "plain");
        assert_eq!(text("{A} at {PC}, {[5]}{C}!"), "7 at 3, 421!");
        assert_eq!(text("{1 / [0]}"), "?");
        assert_eq!(text("{A"), "there is no brace that closes '{A'");
        assert_eq!(text("{x}"), "'{x}', column 1: the program has no 'x'");
        assert_eq!(text(""), "");
    }
}
