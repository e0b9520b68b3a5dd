//! Interprets users' answers to questions. Errors are messages for users.

use gray1_debugger::why::Asked;
use gray1_debugger::{
    BreakpointRequest, Changeable, Condition, Event, Expression, ParseError, parse_byte,
};
use gray1_isa::SymbolKind;
use gray1_session::{BreakChange, Command, Destination, EXPECTED_LINE, Snapshot, parse_line};

use crate::actions::{Question, Reply, ShowTarget};

/// The reply for an answer to a question.
pub(super) fn parse(question: Question, text: &str, snapshot: &Snapshot) -> Result<Reply, String> {
    let describe = |problem: ParseError| problem.to_string();
    let condition = || BreakpointRequest::qualified(text, snapshot.scope());
    let expression = || Expression::qualified(text, snapshot.scope()).map_err(describe);
    let change = |change| Ok(Reply::command(Command::Change(change)));
    match question {
        Question::Break => change(BreakChange::Add(condition()?)),
        Question::ChangeBreak(number) => change(BreakChange::Replace(number, condition()?)),
        Question::Watch => change(BreakChange::Watch(expression()?)),
        Question::ChangeWatch(number) => change(BreakChange::Rewatch(number, expression()?)),
        Question::Why => {
            let asked = match snapshot.last_byte().filter(|_| text.is_empty()) {
                Some(byte) => Asked::byte(byte),
                None => Asked::parse(text, snapshot.scope(), snapshot.cpu.pc).map_err(describe)?,
            };
            Ok(Reply::command(Command::Ask(asked)))
        }
        Question::Place { bytes } => parse_place(text, bytes, snapshot),
        Question::Find if text.is_empty() => Err("expected some text".to_owned()),
        Question::Find => Ok(Reply::Show(ShowTarget::Text(text.to_owned()))),
        Question::Change => parse_change(text, snapshot).map(Reply::command),
    }
}

/// A destination: a line of the source, a printed line, a moment, an instruction or a byte.
fn parse_place(text: &str, bytes: bool, snapshot: &Snapshot) -> Result<Reply, String> {
    if let Some(line) = text.strip_prefix(':') {
        let line = parse_line(line).and_then(|line| u32::try_from(line).ok());
        return line
            .map(|line| Reply::Show(ShowTarget::Line(line)))
            .ok_or(EXPECTED_LINE.to_owned());
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

/// The input for an assignment to a register or a byte.
fn parse_change(text: &str, snapshot: &Snapshot) -> Result<Command, String> {
    let input = Changeable::assignment(text, snapshot.scope(), snapshot.view());
    input.map(Command::ChangeState).map_err(|error| error.to_string())
}
