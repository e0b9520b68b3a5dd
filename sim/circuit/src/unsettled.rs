//! The error for a board whose behaviour does not follow from the contents of its chips alone.

use gray1_board::phase::Phase;
use gray1_board::{Board, Chip, NetId, number};

pub(crate) const ENDLESS: &str = "wires never come to rest";
/// The final levels of the wires depend on the order in which chips respond.
pub(crate) const ORDER_MATTERS: &str = "the outcome depends on which chip is faster";
/// The search of all orders has reached more states than the limit.
pub(crate) const TOO_MANY_ORDERS: &str = "too many chips move at once to follow every order";

/// The board does not settle, or not always in the same state. The message has the time, the
/// reason, and the wires and chips involved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsettled(String);

impl Unsettled {
    /// Creates the message. It names the wires for which `moving` is true. `level` returns the
    /// levels before the change, from which the message gets the phase, the oscillator and reset.
    pub(super) fn new(
        board: &Board,
        cause: &str,
        level: impl Fn(NetId) -> bool,
        moving: impl Fn(NetId) -> bool,
    ) -> Self {
        let moving: Vec<NetId> = board.net_ids().filter(|&net| moving(net)).collect();
        let chips = board.chips().iter();
        let chips = chips.filter(|chip| chip.data.iter().any(|net| moving.contains(net)));
        let chips: Vec<&str> = chips.map(Chip::name).collect();
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
