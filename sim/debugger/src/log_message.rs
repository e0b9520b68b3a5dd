//! Messages of log points: text with expressions in braces.

use super::expression::{Expression, MachineView};
use super::parse_error::ParseError;
use super::scope::Scope;
use super::values::Value;

/// The parsed message of a log point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogMessage(Vec<MessagePart>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum MessagePart {
    Text(String),
    Value(Expression),
}

/// The reason a text is not a log message.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLogMessage {
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
    pub fn parse(text: &str, scope: Scope) -> Result<Self, NoLogMessage> {
        let mut pieces = text.split('{');
        let mut parts = vec![MessagePart::Text(pieces.next().unwrap_or_default().to_owned())];
        for piece in pieces {
            let (expression, rest) =
                piece.split_once('}').ok_or_else(|| NoLogMessage::Open(piece.to_owned()))?;
            let wrong = |error| NoLogMessage::Expression { text: expression.to_owned(), error };
            parts.push(MessagePart::Value(Expression::parse(expression, scope).map_err(wrong)?));
            parts.push(MessagePart::Text(rest.to_owned()));
        }
        Ok(Self(parts))
    }

    /// The message for a state of the machine. An expression without a value gives a question mark.
    #[must_use]
    pub fn text(&self, view: MachineView) -> String {
        let part = |part: &MessagePart| match part {
            MessagePart::Text(text) => text.clone(),
            MessagePart::Value(expression) => {
                let value = Value::of(expression, view);
                value.map_or("?".to_owned(), |value| value.to_string())
            }
        };
        self.0.iter().map(part).collect()
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
