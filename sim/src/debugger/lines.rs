//! What lines of a board can do within an edge of the oscillator, as something to stop at.

use std::sync::Arc;

use super::parse::{ParseError, Parser, Problem};
use crate::board::checked::{Board, NetId};
use crate::circuit::interface::Circuit;
use crate::engine::Engine;

/// The lines that conditions can name.
#[derive(Debug, Clone)]
pub struct Lines {
    /// The board that they belong to.
    pub board: Arc<Board>,
    /// Whether they move in time, so that there are glitches.
    pub in_time: bool,
}

/// Something that one line, or several of one name, do within an edge of the oscillator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineEvent {
    /// As they were named: `PCL.3` is one line, `PCL` all lines `PCL.0`, `PCL.1`, ...
    name: String,
    /// Low bit first.
    nets: Vec<NetId>,
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

impl Lines {
    /// The lines of an engine, if it has lines.
    #[must_use]
    pub fn of(engine: &dyn Engine) -> Option<Self> {
        engine.circuit().map(|circuit| Self {
            board: Arc::new(circuit.board().clone()),
            in_time: circuit.time_ps().is_some(),
        })
    }

    /// The lines of a name, low bit first; empty if there are none.
    fn named(&self, name: &str) -> Vec<NetId> {
        let bit = |net: NetId| {
            let (bus, bit) = self.board.net(net).name().rsplit_once('.')?;
            (bus == name).then(|| bit.parse::<u32>().ok())?
        };
        if let Some(net) = self.board.net_named(name) {
            return vec![net];
        }
        let mut nets: Vec<(u32, NetId)> =
            self.board.net_ids().filter_map(|net| Some((bit(net)?, net))).collect();
        nets.sort_unstable_by_key(|(bit, _)| *bit);
        nets.into_iter().map(|(_, net)| net).collect()
    }
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
        let nets = lines.named(name);
        if nets.is_empty() {
            return Err(parser.error_at(at, Problem::UnknownLine(name.to_owned())));
        }
        let change = match verb {
            "line" => LineChange::parse(parser)?,
            "double" => LineChange::MovesTwo,
            _ if lines.in_time => LineChange::Glitches,
            _ => return Err(parser.error_at(start, Problem::NoGlitches)),
        };
        Ok(Some(Self { name: name.to_owned(), nets, change }))
    }

    /// Whether the last edge did it. `before` holds the levels of all lines before that edge.
    pub(super) fn was_done(&self, before: &[bool], circuit: &dyn Circuit) -> bool {
        let goes = |level| {
            let mut nets = self.nets.iter();
            nets.any(|&net| before[net.index()] != level && circuit.level(net) == level)
        };
        let moves = || self.nets.iter().map(|&net| moves(net, before, circuit));
        match self.change {
            LineChange::Rises => goes(true),
            LineChange::Falls => goes(false),
            LineChange::Changes => moves().any(|count| count > 0),
            LineChange::Becomes(number) => {
                let was = number_on(&self.nets, |net| before[net.index()]);
                was != number && number_on(&self.nets, |net| circuit.level(net)) == number
            }
            LineChange::Glitches => moves().any(|count| count > 1),
            LineChange::MovesTwo => moves().filter(|count| *count > 0).count() > 1,
        }
    }

    /// What the lines did in the last edge, in words: `PCL 01 -> 02: PCL.0 fell, PCL.1 rose`.
    #[must_use]
    pub fn story(&self, before: &[bool], circuit: &dyn Circuit) -> String {
        let board = circuit.board();
        let told = self.nets.iter().filter_map(|&net| {
            let what = match moves(net, before, circuit) {
                0 => return None,
                1 if circuit.level(net) => "rose".to_owned(),
                1 => "fell".to_owned(),
                count => format!("moved {count} times"),
            };
            Some(format!("{} {what}", board.net(net).name()))
        });
        let told = told.collect::<Vec<_>>().join(", ");
        if self.nets.len() == 1 {
            return told;
        }
        let was = number_on(&self.nets, |net| before[net.index()]);
        let is = number_on(&self.nets, |net| circuit.level(net));
        format!("{} {was:02x} -> {is:02x}: {told}", self.name)
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

/// The number on lines, low bit first.
fn number_on(nets: &[NetId], level: impl Fn(NetId) -> bool) -> u32 {
    (0..).zip(nets).fold(0, |number, (bit, &net)| number | u32::from(level(net)) << bit)
}
