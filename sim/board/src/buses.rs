//! Buses: the wires of a board, grouped by name.

use super::board::Board;
use super::net::{Net, NetId, split_name};

/// Several wires with the same name, or a single wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bus {
    /// The name: for example `PCL` for all wires of a bus, `IRL.0-3` for some of them, `PCL.7` for
    /// a single wire.
    pub name: String,
    /// The wires, low bit first. At least one.
    pub nets: Vec<NetId>,
}

impl Bus {
    /// Returns every wire of a board as a bus of one wire, in the order of the board.
    pub fn single_wires(board: &Board) -> Vec<Self> {
        let wires = board.net_ids().zip(board.nets());
        wires.map(|(id, net)| Self { name: net.name().to_owned(), nets: vec![id] }).collect()
    }

    /// Groups all wires of a board, in the order of the board. Only wires that are numbered from 0
    /// without gaps become a bus.
    pub fn group_all(board: &Board) -> Vec<Self> {
        let mut buses: Vec<Self> = Vec::new();
        for net in board.net_ids() {
            let wire = board.net(net);
            let before = buses.iter_mut().find(|it| wire.bus() == Some((&it.name, it.width())));
            if let Some(bus) = before {
                bus.nets.push(net);
                continue;
            }
            let name = match wire.bus() {
                Some((name, 0)) => name,
                _ => wire.name(),
            };
            buses.push(Self { name: name.to_owned(), nets: vec![net] });
        }
        buses
    }

    /// Groups these wires into buses, in the given order. Adjacent wires of one bus stay together.
    pub fn group(board: &Board, nets: impl Iterator<Item = NetId>) -> Vec<Self> {
        let nets: Vec<NetId> = nets.collect();
        let runs = board.runs(&nets);
        runs.map(|nets| Self { name: short_name(board, nets), nets: nets.to_vec() }).collect()
    }

    fn width(&self) -> u32 {
        self.nets.len() as u32
    }
}

impl Board {
    /// Splits a list of wires into runs of adjacent wires of one bus, low bit first.
    pub fn runs<'a>(&self, nets: &'a [NetId]) -> impl Iterator<Item = &'a [NetId]> {
        nets.chunk_by(|&low, &high| follows(self.net(low).name(), self.net(high).name()))
    }
}

/// Returns true if `high` is the name of the wire after `low` on the same bus.
fn follows(low: &str, high: &str) -> bool {
    let next = split_name(low).and_then(|(bus, bit)| Some((bus, bit.checked_add(1)?)));
    next.is_some_and(|next| split_name(high) == Some(next))
}

/// Returns names of wires in this order, with adjacent wires of a bus combined: `PHASE.0-2`, `RST`.
pub fn combine_names<'a>(names: &'a [&str]) -> impl Iterator<Item = String> + use<'a> {
    names.chunk_by(|low, high| follows(low, high)).map(run_name)
}

/// Returns the names of wires in this order, with adjacent wires of a bus combined: `PHASE.0-2
/// RST`.
pub fn names(board: &Board, nets: &[NetId]) -> String {
    let names: Vec<&str> = nets.iter().map(|net| board.net(*net).name()).collect();
    combine_names(&names).collect::<Vec<_>>().join(" ")
}

/// Returns the name of adjacent wires of a bus, high bit first: `PHASE.2-0`.
pub fn name_from_high(board: &Board, run: &[NetId]) -> String {
    run_name(&run.iter().rev().map(|net| board.net(*net).name()).collect::<Vec<_>>())
}

/// Returns the name of adjacent wires of a bus, or the name of the bus if these are all of its
/// wires.
fn short_name(board: &Board, run: &[NetId]) -> String {
    let name = bus_name(board.net(run[0]));
    let all = board.nets().iter().filter(|net| bus_name(net) == name).count();
    if run.len() == all { name.to_owned() } else { names(board, run) }
}

/// Returns the name of a wire's bus, or the wire's own name if it is not on a bus.
fn bus_name(net: &Net) -> &str {
    net.bus().map_or(net.name(), |(name, _)| name)
}

/// Returns the name of adjacent wires of a bus in the order of their names: `PHASE.0-2`.
fn run_name(names: &[&str]) -> String {
    match names {
        [first, .., last] => {
            let number = split_name(last).map_or_else(String::new, |(_, bit)| bit.to_string());
            format!("{first}-{number}")
        }
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards_for_tests::{GRAY1, board};

    #[test]
    fn adjacent_wires_of_a_bus_share_one_name() {
        let board = board(GRAY1);
        let nets: Vec<NetId> = ["PHASE.0", "PHASE.1", "PHASE.2", "CLR", "IRH.5", "IRH.7", "RST"]
            .map(|name| board.net_named(name).unwrap())
            .into();
        assert_eq!(names(&board, &nets), "PHASE.0-2 CLR IRH.5 IRH.7 RST");
        assert_eq!(name_from_high(&board, &nets[..3]), "PHASE.2-0");
        assert_eq!(name_from_high(&board, &nets[3..4]), "CLR");
    }

    #[test]
    fn wires_of_a_whole_bus_have_its_name() {
        let board = board(GRAY1);
        let names = |chip: &str| {
            let chip = board.chip(board.chip_named(chip).unwrap());
            let buses = Bus::group(&board, chip.inputs().map(|(_, net)| net));
            buses.into_iter().map(|bus| bus.name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names("PHASE"), "OSC RST PHASE");
        assert_eq!(names("PCL"), "PCL IRL.0-5 PCH.7 PHASE.2 PC_LOAD CLR");
        assert_eq!(names("ALUL"), "AS.0-3 BUS.0-3 IRL.0-3 IRH.5-7 AS.4");
        assert_eq!(names("RAM"), "IRL IRH.0-4 nWE");
    }
}
