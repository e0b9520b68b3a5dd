//! What an engine says when a board's behaviour is not a matter of its contents alone.

use std::fmt;

use gray1_isa::gray;

use crate::board::{Board, Chip, NetId};

/// A board that does not come to rest, or not always at the same place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("in phase T{phase} (oscillator {}{}) {trouble}: {}",
    if *.oscillator { "high" } else { "low" }, if *.reset { ", under reset" } else { "" },
    Lines(.lines, .chips))]
pub struct Unsettled {
    /// What went wrong.
    pub trouble: Trouble,
    /// The phase that the lines showed when it began, 0 for T0.
    pub phase: u8,
    /// The oscillator's level.
    pub oscillator: bool,
    /// The reset line's level.
    pub reset: bool,
    /// The lines in question.
    pub lines: Vec<String>,
    /// The chips that drive them.
    pub chips: Vec<String>,
}

/// What can go wrong while a board settles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Trouble {
    /// The lines move for ever.
    Endless,
    /// Where the lines come to rest depends on which chip is faster.
    OrderMatters,
    /// There are more orders in which chips can answer than were tried.
    TooManyOrders,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Endless => "lines never come to rest",
            Self::OrderMatters => "the outcome depends on which chip is faster",
            Self::TooManyOrders => "too many chips move at once to follow every order",
        })
    }
}

/// Lines and the chips that drive them, as text.
struct Lines<'a>(&'a [String], &'a [String]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(lines, chips) = self;
        write!(f, "{} of {}", lines.join(", "), chips.join(", "))
    }
}

impl Unsettled {
    /// Names the lines that are `moving`; `level` is what the lines were when it began.
    pub(super) fn new(
        board: &Board,
        trouble: Trouble,
        level: impl Fn(NetId) -> bool,
        moving: impl Fn(NetId) -> bool,
    ) -> Self {
        let lines: Vec<NetId> = board.net_ids().filter(|&net| moving(net)).collect();
        let drives = |chip: &Chip| chip.data().iter().any(|net| lines.contains(net));
        let chips = board.chips().iter().filter(|chip| drives(chip));
        let phase = board.probes().phase.iter().rev();
        let phase = phase.fold(0, |code, &net| code << 1 | u16::from(level(net)));
        Self {
            trouble,
            phase: gray::decode(phase) as u8,
            oscillator: level(board.oscillator()),
            reset: level(board.reset()),
            lines: lines.iter().map(|&net| board.net(net).name().to_owned()).collect(),
            chips: chips.map(|chip| chip.name().to_owned()).collect(),
        }
    }
}
