//! Interprets users' answers to questions. Errors are messages for users.

use gray1_debugger::{BreakpointRequest, Condition, Event, Expression, ParseError, parse_byte};
use gray1_isa::SymbolKind;
use gray1_session::{BreakChange, Command, Destination, EXPECTED_LINE, Snapshot, parse_line};

use crate::actions::{Question, Reply, ShowTarget};

/// The reply for an answer to a question.
pub(super) fn parse(question: Question, text: &str, snapshot: &Snapshot) -> Result<Reply, String> {
    let condition = || BreakpointRequest::qualified(text, snapshot.scope());
    let expression =
        || Expression::qualified(text, snapshot.scope()).map_err(|error| error.to_string());
    let change = |change| Ok(Reply::command(Command::Change(change)));
    match question {
        Question::Break => change(BreakChange::Add(condition()?)),
        Question::ChangeBreak(number) => change(BreakChange::Replace(number, condition()?)),
        Question::Watch => change(BreakChange::Watch(expression()?)),
        Question::ChangeWatch(number) => change(BreakChange::Rewatch(number, expression()?)),
        Question::Why => Command::ask(text, snapshot).map(Reply::command),
        Question::Place { bytes } => parse_place(text, bytes, snapshot),
        Question::Find if text.is_empty() => Err("expected some text".to_owned()),
        Question::Find => Ok(Reply::Show(ShowTarget::Text(text.to_owned()))),
        Question::Change => Command::change_state(text, snapshot).map(Reply::command),
    }
}

/// A destination: a line of the source, a printed line, a moment, an instruction or a byte.
fn parse_place(text: &str, bytes: bool, snapshot: &Snapshot) -> Result<Reply, String> {
    if let Some(line) = text.strip_prefix(':') {
        let line = parse_line(line).ok_or(EXPECTED_LINE)?;
        return Ok(Reply::Show(ShowTarget::Line(line)));
    }
    let destination = Destination::parse(text)?;
    match destination {
        Some(destination) => Ok(Reply::command(Command::RunTo(destination))),
        None => parse_target(text, bytes, snapshot).map(Reply::Show).map_err(|it| it.to_string()),
    }
}

/// The instruction or the byte that the answer names.
fn parse_target(text: &str, bytes: bool, snapshot: &Snapshot) -> Result<ShowTarget, ParseError> {
    let is_address = text.starts_with(|c: char| c.is_ascii_digit());
    if bytes && is_address || names_variable(text, snapshot) {
        return parse_byte(text, snapshot.scope()).map(ShowTarget::Byte);
    }
    let condition = Condition::parse(text, snapshot.scope())?;
    Ok(match condition.event() {
        Event::Reaches(indexes) => {
            ShowTarget::Instruction(indexes.iter().next().unwrap_or_default())
        }
        Event::Touches(_, range) => ShowTarget::Byte(*range.start()),
        // Other events have no place, so the answer is a string to find in the source.
        _ => ShowTarget::Text(text.to_owned()),
    })
}

/// Whether the answer contains the name of a variable.
fn names_variable(text: &str, snapshot: &Snapshot) -> bool {
    let names = text.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.'));
    let image = &snapshot.program.image;
    let mut symbols = names.filter_map(|name| image.symbol_at(name, snapshot.cpu.pc));
    symbols.any(|symbol| symbol.kind == SymbolKind::Variable)
}
