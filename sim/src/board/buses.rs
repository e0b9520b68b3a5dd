//! The wires of a board as buses, by their names.

use super::checked::{Board, NetId};

/// Wires `NAME.0`, `NAME.1` and so on, or a single wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bus {
    /// The name, without the number of a wire.
    pub(crate) name: String,
    /// The wires, low bit first; there is at least one.
    pub(crate) nets: Vec<NetId>,
}

impl Bus {
    /// Every wire of a board by itself, in its order.
    pub(crate) fn single(board: &Board) -> Vec<Self> {
        let bus = |net| Self { name: board.net(net).name().to_owned(), nets: vec![net] };
        board.net_ids().map(bus).collect()
    }

    /// All wires of a board, in its order. Only wires numbered without a gap from 0 make a bus.
    pub(crate) fn all(board: &Board) -> Vec<Self> {
        let mut buses: Vec<Self> = Vec::new();
        for net in board.net_ids() {
            let wire = board.net(net).name();
            let (name, bit) = match wire.rsplit_once('.') {
                Some((name, bit)) => (name, bit.parse().ok()),
                None => (wire, None),
            };
            let before = buses.iter_mut().find(|it| it.name == name && Some(it.nets.len()) == bit);
            if let Some(bus) = before {
                bus.nets.push(net);
                continue;
            }
            let name = if bit == Some(0) { name } else { wire }.to_owned();
            buses.push(Self { name, nets: vec![net] });
        }
        buses
    }
}
