//! The messages of log points: text with expressions in braces.

use gray1_isa::{Image, Operand};
use gray1_language::{Lexer, Token, TokenKind};

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
    /// Braces can contain expressions. They can also contain `place` and `byte`, unless the program
    /// has symbols with these names. Two braces are one brace of the text.
    ///
    /// # Errors
    /// If a brace is not closed, or if its contents are not an expression.
    pub fn parse(text: &str, scope: Scope) -> Result<Self, LogMessageError> {
        let mut message = Self { head: String::new(), values: Vec::new() };
        let mut left = text;
        while let Some(at) = left.find(['{', '}']) {
            let is_double = left[at..].starts_with("{{") || left[at..].starts_with("}}");
            let is_text = is_double || left[at..].starts_with('}');
            message.add_text(&left[..at + usize::from(is_text)]);
            left = &left[at + 1 + usize::from(is_double)..];
            if is_text {
                continue;
            }
            let (text, rest) =
                left.split_once('}').ok_or_else(|| LogMessageError::Open(left.to_owned()))?;
            let braced = match (Expression::parse(text, scope), text.trim()) {
                (Ok(expression), _) => Braced::Expression(expression),
                (Err(_), "place") => Braced::Place,
                (Err(_), "byte") => Braced::Byte,
                (Err(error), _) => {
                    return Err(LogMessageError::Expression { text: text.to_owned(), error });
                }
            };
            message.values.push((braced, String::new()));
            left = rest;
        }
        message.add_text(left);
        Ok(message)
    }

    fn add_text(&mut self, text: &str) {
        self.values.last_mut().map_or(&mut self.head, |(_, rest)| rest).push_str(text);
    }

    /// Formats the message for a hit and the state of the machine there. An expression without a
    /// value appears as a question mark.
    pub fn text(&self, hit: &Hit, view: MachineView, image: &Image) -> String {
        let mut text = self.head.clone();
        for (braced, rest) in &self.values {
            text += &match braced {
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

/// Splits the text of a log point, such as `write N: {moment}`, into its condition and its
/// message.
///
/// The first colon outside quotes, brackets and `?:` separates them, unless the number of a line
/// follows, as in `:88` or `p.asm:88`. Without such a colon, there is no message.
pub(super) fn split_message(text: &str) -> (&str, Option<&str>) {
    let (mut brackets, mut choices) = (0, 0);
    let mut tokens = Lexer::new(text).peekable();
    while let Some(token) = tokens.next() {
        match token.text {
            _ if token.kind != TokenKind::Symbol => {}
            "(" | "[" => brackets += 1,
            ")" | "]" => brackets -= 1,
            "?" => choices += 1,
            // The colon of `:88` or `p.asm:88`.
            ":" if is_line(&text[..token.start], tokens.peek(), token.end()) => {}
            ":" if choices > 0 => choices -= 1,
            ":" if brackets == 0 => {
                return (text[..token.start].trim_end(), Some(text[token.end()..].trim()));
            }
            _ => {}
        }
    }
    (text, None)
}

/// Returns true if the colon between a text and a token separates a file and a line.
fn is_line(before: &str, next: Option<&Token>, at: usize) -> bool {
    let file = before.trim();
    let is_file = file.is_empty() || file.contains('.') && !file.contains(char::is_whitespace);
    is_file && next.is_some_and(|it| it.kind == TokenKind::Number && it.start == at)
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
        let (pc, ram) = (RomIndex::truncate(3), &ram);
        let view = MachineView { a: 7, carry: true, pc, moment: 12, ram, partial: None };
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
        assert_eq!(text("{{{A}}} {{A}} {A}}"), "{7} {A} 7}");
        assert_eq!(text(""), "");
    }

    #[test]
    fn a_colon_outside_quotes_brackets_and_choices_begins_the_message() {
        for (text, condition, message) in [
            ("write row3", "write row3", None),
            ("write row3: {moment}: x", "write row3", Some("{moment}: x")),
            (":88", ":88", None),
            (" :88: x", " :88", Some("x")),
            ("p.asm:7 if A:{A}", "p.asm:7 if A", Some("{A}")),
            ("mailbox ':':':'", "mailbox ':'", Some("':'")),
            ("when A ? C : [A ? 1 : 2]:{A}", "when A ? C : [A ? 1 : 2]", Some("{A}")),
            ("led if (C ? A : 3) == 3 :", "led if (C ? A : 3) == 3", Some("")),
        ] {
            assert_eq!(split_message(text), (condition, message));
        }
    }
}
