//! The messages of log points: text with expressions in braces.

use gray1_isa::{Image, Operand};
use gray1_language::{Lexer, TokenKind};

use super::expression::{Expression, MachineView};
use super::parse_error::ParseError;
use super::scope::Scope;
use super::values::Value;
use super::watch_set::Hit;

/// The parsed message of a log point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogMessage {
    /// The text before the first brace.
    head: String,
    /// The contents of each pair of braces, with the text after it.
    values: Vec<(Braced, String)>,
}

/// The contents of a pair of braces.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Braced {
    Expression(Expression),
    /// `moment`: the number of instructions that have been executed.
    Moment,
    /// `place`: the source line of the instruction, or its index.
    Place,
    /// `byte`: the name of the byte that the instruction reads or writes.
    Byte,
}

/// The reason why a string is not a log message.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogMessageError {
    /// A brace is not closed. The value is the text after it.
    #[error("a closing brace is missing after '{{{0}'")]
    Open(String),
    /// The text in braces is not an expression.
    #[error("'{{{text}}}', {error}")]
    Expression {
        /// The text between the braces.
        text: String,
        /// The error in the expression.
        error: ParseError,
    },
}

impl LogMessage {
    /// Parses a message such as `{moment}: row {[row]}, A is {A}`.
    ///
    /// Braces can contain expressions. They can also contain `moment`, `place` and `byte`, unless
    /// the program has symbols with these names.
    ///
    /// # Errors
    /// If a brace is not closed, or if its contents are not an expression.
    pub fn parse(text: &str, scope: Scope) -> Result<Self, LogMessageError> {
        let mut pieces = text.split('{');
        let head = pieces.next().unwrap_or_default().to_owned();
        let mut values = Vec::new();
        for piece in pieces {
            let (text, rest) =
                piece.split_once('}').ok_or_else(|| LogMessageError::Open(piece.to_owned()))?;
            let braced = match (Expression::parse(text, scope), text.trim()) {
                (Ok(expression), _) => Braced::Expression(expression),
                (Err(_), "moment") => Braced::Moment,
                (Err(_), "place") => Braced::Place,
                (Err(_), "byte") => Braced::Byte,
                (Err(error), _) => {
                    return Err(LogMessageError::Expression { text: text.to_owned(), error });
                }
            };
            values.push((braced, rest.to_owned()));
        }
        Ok(Self { head, values })
    }

    /// Formats the message for a hit and the state of the machine there. An expression without a
    /// value appears as a question mark.
    pub fn text(&self, hit: &Hit, view: MachineView, image: &Image) -> String {
        let mut text = self.head.clone();
        for (braced, rest) in &self.values {
            text += &match braced {
                Braced::Moment => hit.moment.to_string(),
                Braced::Place => image.line_or_place(hit.index()),
                Braced::Byte => {
                    let word = hit.executed.map_or(image.word(hit.next), |it| it.word);
                    let address = (word.op().operand() == Operand::Data).then(|| word.address());
                    address.map_or("?".to_owned(), |it| image.byte_at(it, hit.index()))
                }
                Braced::Expression(expression) => {
                    let value = Value::evaluate(expression, view);
                    value.map_or("?".to_owned(), |value| value.to_string())
                }
            };
            text += rest;
        }
        text
    }
}

/// Splits the text of a log point, such as `write row3: {moment}`, into its condition and its
/// message.
///
/// The first colon outside quotes, brackets and `?:` separates them, unless the input begins with
/// it, as in `:88`. Without such a colon, there is no message.
pub(super) fn split_message(text: &str) -> (&str, Option<&str>) {
    let (mut brackets, mut choices) = (0, 0);
    for token in Lexer::new(text) {
        match token.text {
            _ if token.kind != TokenKind::Symbol => {}
            "(" | "[" => brackets += 1,
            ")" | "]" => brackets -= 1,
            "?" => choices += 1,
            ":" if choices > 0 => choices -= 1,
            ":" if brackets == 0 && !text[..token.start].trim().is_empty() => {
                return (text[..token.start].trim_end(), Some(text[token.end()..].trim()));
            }
            _ => {}
        }
    }
    (text, None)
}

#[cfg(test)]
mod tests {
    use gray1_isa::{Image, RomIndex};

    use super::*;
    use crate::watch_set::Matches;

    #[test]
    fn a_log_message_shows_values() {
        let mut ram = [0; 8192];
        ram[5] = 42;
        let image = Image::erased();
        let view =
            MachineView { a: 7, carry: true, pc: RomIndex::truncate(3), ram: &ram, partial: None };
        let (matches, executed, next) = (Matches::default(), None, view.pc);
        let hit = Hit { moment: 12, edges: 0, matches, executed, next };
        let text = |text| match LogMessage::parse(text, Scope::from(&image)) {
            Ok(message) => message.text(&hit, view, &image),
            Err(error) => error.to_string(),
        };
        assert_eq!(text("plain"), "plain");
        assert_eq!(text("{A} at {PC}, {[5]}{C}!"), "7 at 3, 421!");
        assert_eq!(text("{moment}: {place}"), "12: 0x0003");
        assert_eq!(text("{byte}"), "?", "a jump accesses no byte");
        assert_eq!(text("{1 / [0]}"), "?");
        assert_eq!(text("{A"), "a closing brace is missing after '{A'");
        assert_eq!(text("{x}"), "'{x}', column 1: the program has no `x`");
        assert_eq!(text(""), "");
    }

    #[test]
    fn a_colon_outside_quotes_brackets_and_choices_begins_the_message() {
        for (text, condition, message) in [
            ("write row3", "write row3", None),
            ("write row3: {moment}: x", "write row3", Some("{moment}: x")),
            (":88", ":88", None),
            (" :88: x", " :88", Some("x")),
            ("mailbox ':':':'", "mailbox ':'", Some("':'")),
            ("when A ? C : [A ? 1 : 2]:{A}", "when A ? C : [A ? 1 : 2]", Some("{A}")),
            ("led if (C ? A : 3) == 3 :", "led if (C ? A : 3) == 3", Some("")),
        ] {
            assert_eq!(split_message(text), (condition, message));
        }
    }
}
