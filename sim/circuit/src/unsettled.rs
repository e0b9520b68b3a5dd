//! The error of a board whose behaviour does not follow from its contents alone.

use std::fmt;

use gray1_board::phase::Phase;
use gray1_board::{Board, Chip, NetId, number};

/// A board that does not come to rest, or not always at the same place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("in phase {phase} (oscillator {}{}) {cause}: {} of {}",
    if *.oscillator { "high" } else { "low" }, if *.reset { ", under reset" } else { "" },
    .wires.join(", "), .chips.join(", "))]
pub struct Unsettled {
    /// The kind of fault.
    pub cause: Instability,
    /// The phase that the wires showed when it began.
    pub phase: Phase,
    /// The oscillator's level.
    pub oscillator: bool,
    /// The reset wire's level.
    pub reset: bool,
    /// The wires in question.
    pub wires: Vec<String>,
    /// The chips that drive them.
    pub chips: Vec<String>,
}

/// The ways in which settling can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Instability {
    /// The wires never come to rest.
    Endless,
    /// Where the wires come to rest depends on which chip is faster.
    OrderMatters,
    /// There are more orders in which chips can answer than were tried.
    TooManyOrders,
}

impl fmt::Display for Instability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Endless => "wires never come to rest",
            Self::OrderMatters => "the outcome depends on which chip is faster",
            Self::TooManyOrders => "too many chips move at once to follow every order",
        })
    }
}

impl Unsettled {
    /// Names the wires that are `moving`; `level` is what the wires were when it began.
    pub(super) fn new(
        board: &Board,
        cause: Instability,
        level: impl Fn(NetId) -> bool,
        moving: impl Fn(NetId) -> bool,
    ) -> Self {
        let wires: Vec<NetId> = board.net_ids().filter(|&net| moving(net)).collect();
        let drives = |chip: &Chip| chip.data().iter().any(|net| wires.contains(net));
        let chips = board.chips().iter().filter(|chip| drives(chip));
        Self {
            cause,
            phase: Phase::from_code(number(&board.probes().phase, &level)),
            oscillator: level(board.oscillator()),
            reset: level(board.reset()),
            wires: wires.iter().map(|&net| board.net(net).name().to_owned()).collect(),
            chips: chips.map(|chip| chip.name().to_owned()).collect(),
        }
    }
}
