//! The error of a board whose behaviour does not follow from its contents alone.

use gray1_board::phase::Phase;
use gray1_board::{Board, Chip, NetId, number};

/// The wires never come to rest.
pub(crate) const ENDLESS: &str = "wires never come to rest";
/// Where the wires come to rest depends on which chip is faster.
pub(crate) const ORDER_MATTERS: &str = "the outcome depends on which chip is faster";
/// There are more orders in which chips can answer than were tried.
pub(crate) const TOO_MANY_ORDERS: &str = "too many chips move at once to follow every order";

/// A board that does not come to rest, or not always at the same place: when, why, and which wires
/// of which chips are in question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsettled(String);

impl Unsettled {
    /// Names the wires that are `moving`; `level` is what the wires were when it began.
    pub(super) fn new(
        board: &Board,
        cause: &str,
        level: impl Fn(NetId) -> bool,
        moving: impl Fn(NetId) -> bool,
    ) -> Self {
        let moving: Vec<NetId> = board.net_ids().filter(|&net| moving(net)).collect();
        let drives = |chip: &&Chip| chip.data().iter().any(|net| moving.contains(net));
        let chips: Vec<&str> = board.chips().iter().filter(drives).map(Chip::name).collect();
        let wires: Vec<&str> = moving.iter().map(|&net| board.net(net).name()).collect();
        let phase = Phase::from_code(number(&board.probes().phase, &level));
        let oscillator = if level(board.oscillator()) { "high" } else { "low" };
        let reset = if level(board.reset()) { ", under reset" } else { "" };
        let (wires, chips) = (wires.join(", "), chips.join(", "));
        Self(format!(
            "in phase {phase} (oscillator {oscillator}{reset}) {cause}: {wires} of {chips}"
        ))
    }
}
