//! What lines of a board can do within an edge of the oscillator, as something to stop at.

use super::parse::{ParseError, Parser, Problem};
use super::signal::Signal;
use crate::board::checked::NetId;
use crate::circuit::interface::Circuit;

/// Something that one line, or several of one name, do within an edge of the oscillator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineEvent {
    signal: Signal,
    change: LineChange,
}

/// What lines do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineChange {
    /// One of them is high that was low.
    Rises,
    /// One of them is low that was high.
    Falls,
    /// One of them moves.
    Changes,
    /// They carry a number that they did not carry before.
    Becomes(u32),
    /// One of them moves more than once.
    Glitches,
    /// Two or more of them move.
    MovesTwo,
}

impl LineEvent {
    /// Reads one behind its first word, if that is one of `line`, `glitch` and `double`.
    pub(super) fn parse(parser: &mut Parser) -> Result<Option<Self>, ParseError> {
        let start = parser.at();
        let Some(verb) = ["line", "glitch", "double"].into_iter().find(|v| parser.takes_verb(v))
        else {
            return Ok(None);
        };
        let Some(lines) = parser.lines() else {
            return Err(parser.error_at(start, Problem::NoLines));
        };
        let (at, name) = parser.line_name();
        let Some(signal) = Signal::named(name, &lines.board) else {
            return Err(parser.error_at(at, Problem::UnknownLine(name.to_owned())));
        };
        let change = match verb {
            "line" => LineChange::parse(parser)?,
            "double" => LineChange::MovesTwo,
            _ if lines.in_time => LineChange::Glitches,
            _ => return Err(parser.error_at(start, Problem::NoGlitches)),
        };
        Ok(Some(Self { signal, change }))
    }

    /// Whether the last edge did it. `before` holds the levels of all lines before that edge.
    pub(super) fn was_done(&self, before: &[bool], circuit: &dyn Circuit) -> bool {
        let nets = self.signal.nets();
        let goes = |level| {
            let mut nets = nets.iter();
            nets.any(|&net| before[net.index()] != level && circuit.level(net) == level)
        };
        let moves = || nets.iter().map(|&net| moves(net, before, circuit));
        match self.change {
            LineChange::Rises => goes(true),
            LineChange::Falls => goes(false),
            LineChange::Changes => moves().any(|count| count > 0),
            LineChange::Becomes(number) => {
                self.signal.value(|net| before[net.index()]) != number
                    && self.signal.value(|net| circuit.level(net)) == number
            }
            LineChange::Glitches => moves().any(|count| count > 1),
            LineChange::MovesTwo => moves().filter(|count| *count > 0).count() > 1,
        }
    }

    /// What the lines did in the last edge, in words: `PCL 01 -> 02: PCL.0 fell, PCL.1 rose`.
    #[must_use]
    pub fn story(&self, before: &[bool], circuit: &dyn Circuit) -> String {
        self.signal.story(
            circuit.board(),
            |net| before[net.index()],
            |net| circuit.level(net),
            |net| moves(net, before, circuit),
        )
    }
}

impl LineChange {
    fn parse(parser: &mut Parser) -> Result<Self, ParseError> {
        for (word, change) in
            [("rises", Self::Rises), ("falls", Self::Falls), ("changes", Self::Changes)]
        {
            if parser.takes_word(word) {
                return Ok(change);
            }
        }
        if !parser.takes("=") {
            return Err(parser.expected("rises, falls, changes or '='"));
        }
        let (number, _) = parser.place("numbers")?;
        Ok(Self::Becomes(number.into()))
    }
}

/// How often a line moved in the last edge.
fn moves(net: NetId, before: &[bool], circuit: &dyn Circuit) -> usize {
    let in_time = circuit.changes().iter().filter(|change| change.net == net).count();
    in_time.max(usize::from(before[net.index()] != circuit.level(net)))
}
