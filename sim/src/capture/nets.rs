//! Sets of wires, and their names in lists that people read.

use std::fmt::Write as _;

use crate::board::checked::{Board, CHIPS_MAX, NetId};

/// All data pins of the most chips, the oscillator and the reset wire.
const WORDS: usize = (CHIPS_MAX * 8 + 2).div_ceil(64);

/// A set of wires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct NetSet([u64; WORDS]);

impl NetSet {
    pub(super) fn set(&mut self, net: NetId, is_in: bool) {
        let (word, bit) = (net.index() / 64, 1 << (net.index() % 64));
        if is_in {
            self.0[word] |= bit;
        } else {
            self.0[word] &= !bit;
        }
    }

    pub(super) fn contains(&self, net: NetId) -> bool {
        self.0[net.index() / 64] >> (net.index() % 64) & 1 == 1
    }

    /// The wires of both sets, combined word by word.
    pub(super) fn with(self, other: Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        let mut all = self;
        all.0.iter_mut().zip(other.0).for_each(|(mine, its)| *mine = combine(*mine, its));
        all
    }
}

/// The names of wires, in their order, with neighbours of a bus together: `PHASE.0-2 RST`.
pub(super) fn names(board: &Board, nets: &[NetId]) -> String {
    let mut text = String::new();
    for run in runs(board, nets) {
        let space = if text.is_empty() { "" } else { " " };
        let first = board.net(run[0]).name();
        write!(text, "{space}{first}").expect("a String takes all");
        if let [_, .., last] = run {
            let (_, last) = split(board.net(*last).name());
            write!(text, "-{}", last.unwrap_or_default()).expect("a String takes all");
        }
    }
    text
}

/// The levels of wires by their names, high bit first: `PHASE.2-0=011 RST=0`.
pub(super) fn levels(board: &Board, nets: &[NetId], level: impl Fn(NetId) -> char) -> String {
    let mut texts: Vec<String> = Vec::new();
    for run in runs(board, nets) {
        let digits: String = run.iter().rev().map(|&net| level(net)).collect();
        let name = board.net(run[run.len() - 1]).name();
        let low = match run {
            [first, _, ..] => format!("-{}", split(board.net(*first).name()).1.unwrap_or_default()),
            _ => String::new(),
        };
        texts.push(format!("{name}{low}={digits}"));
    }
    texts.join(" ")
}

/// Neighbours of a bus, low bit first.
fn runs<'a>(board: &Board, nets: &'a [NetId]) -> impl Iterator<Item = &'a [NetId]> {
    nets.chunk_by(|&low, &high| {
        let (low, high) = (split(board.net(low).name()), split(board.net(high).name()));
        low.0 == high.0 && low.1.is_some() && low.1.map(|bit| bit + 1) == high.1
    })
}

/// A wire's name and its number in a bus.
fn split(name: &str) -> (&str, Option<u16>) {
    match name.rsplit_once('.') {
        Some((bus, bit)) => (bus, bit.parse().ok()),
        None => (name, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::computer::reference::{GRAY1, board};

    #[test]
    fn neighbours_of_a_bus_are_named_together() {
        let board = board(GRAY1);
        let nets: Vec<NetId> = ["PHASE.0", "PHASE.1", "PHASE.2", "IRH.5", "RST"]
            .map(|name| board.net_named(name).unwrap())
            .into();
        assert_eq!(names(&board, &nets), "PHASE.0-2 IRH.5 RST");
        let is_high = [nets[0], nets[4]];
        let level = |net: NetId| if is_high.contains(&net) { '1' } else { '0' };
        assert_eq!(levels(&board, &nets, level), "PHASE.2-0=001 IRH.5=0 RST=1");
    }
}
