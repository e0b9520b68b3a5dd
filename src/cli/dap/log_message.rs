//! What a log point prints: a text with expressions in braces.

use gray1_isa::SymbolKind;
use gray1_sim::debugger::{Expression, ParseError, Scope, View};

/// The text of a log point, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LogMessage(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Value(Expression),
}

/// Why a text is none.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoLogMessage {
    #[error("there is no brace that closes '{{{0}'")]
    Open(String),
    #[error("'{{{text}}}', {error}")]
    Expression { text: String, error: ParseError },
}

impl LogMessage {
    /// Reads a message such as `row {[row]}: {A}`.
    pub(super) fn read(text: &str, scope: Scope) -> Result<Self, NoLogMessage> {
        let mut pieces = text.split('{');
        let mut parts = vec![Part::Text(pieces.next().unwrap_or_default().to_owned())];
        for piece in pieces {
            let (expression, rest) =
                piece.split_once('}').ok_or_else(|| NoLogMessage::Open(piece.to_owned()))?;
            let wrong = |error| NoLogMessage::Expression { text: expression.to_owned(), error };
            let bytes = format!("[{expression}]");
            let meant = if is_variable(expression, scope) { &bytes } else { expression };
            parts.push(Part::Value(Expression::parse(meant, scope).map_err(wrong)?));
            parts.push(Part::Text(rest.to_owned()));
        }
        Ok(Self(parts))
    }

    /// The message at a moment. An expression without a value there is a question mark.
    pub(super) fn text(&self, view: View) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Value(expression) => {
                expression.value(view).map_or("?".to_owned(), |value| value.to_string())
            }
        };
        self.0.iter().map(part).collect()
    }
}

/// Whether a text is the name of a variable, which stands for its first byte as in a watch.
fn is_variable(text: &str, scope: Scope) -> bool {
    let name = text.trim();
    let symbol = match scope.at {
        Some(index) => scope.image.symbol_at(name, index),
        None => scope.image.symbol(name),
    };
    symbol.is_some_and(|symbol| symbol.kind == SymbolKind::Variable)
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
        let view = View { a: 7, carry: true, pc: RomIndex::truncate(3), ram: &ram };
        let text = |text| match LogMessage::read(text, Scope::from(&image)) {
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
