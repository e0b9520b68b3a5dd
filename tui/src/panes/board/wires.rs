//! Groups of wires: those of one name that are side by side on a chip.

use gray1_board::{Board, Chip, Net, NetId};

use crate::session::Levels;

/// Wires of one name, low bit first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WireGroup {
    /// `PCL` for all wires of the name, `IRL.0-3` for some, `PCL.7` for one.
    pub(crate) name: String,
    pub(crate) nets: Vec<NetId>,
}

/// Groups wires with consecutive numbers.
pub(crate) fn groups(board: &Board, nets: impl Iterator<Item = NetId>) -> Vec<WireGroup> {
    let nets: Vec<NetId> = nets.collect();
    let runs = board.runs(&nets);
    runs.map(|nets| WireGroup { name: name(board, nets), nets: nets.to_vec() }).collect()
}

/// The groups of wires that a chip reads.
pub(super) fn inputs(board: &Board, chip: &Chip) -> Vec<WireGroup> {
    groups(board, chip.inputs().map(|(_, net)| net))
}

/// The groups of wires on the data pins of a chip.
pub(super) fn outputs(board: &Board, chip: &Chip) -> Vec<WireGroup> {
    groups(board, chip.data().iter().copied())
}

/// The names of wires, by groups.
pub(super) fn names(board: &Board, nets: impl Iterator<Item = NetId>) -> String {
    let names = groups(board, nets).into_iter().map(|group| group.name);
    names.collect::<Vec<_>>().join(", ")
}

/// The names of the chips that drive some of these wires, and of those that read some.
pub(crate) fn drivers_and_readers(board: &Board, nets: &[NetId]) -> [String; 2] {
    let chips = |touches: fn(&Chip, &[NetId]) -> bool| {
        let names = board.chips().iter().filter(|chip| touches(chip, nets)).map(Chip::name);
        names.collect::<Vec<_>>().join(" ")
    };
    [
        chips(|chip, nets| chip.data().iter().any(|net| nets.contains(net))),
        chips(|chip, nets| chip.inputs().any(|(_, net)| nets.contains(&net))),
    ]
}

/// The number on wires, low bit first, in hexadecimal; the level of a single wire.
pub(super) fn hex(levels: &Levels, nets: &[NetId]) -> String {
    let digits = nets.len().div_ceil(4);
    format!("{:0digits$x}", levels.number(nets))
}

fn name(board: &Board, nets: &[NetId]) -> String {
    let net = board.net(nets[0]);
    let Some((name, first)) = net.bus() else { return net.name().to_owned() };
    let is_named = |net: &&Net| net.bus().map_or(net.name(), |(name, _)| name) == name;
    let all = board.nets().iter().filter(is_named).count();
    match nets.len() {
        count if count == all => name.to_owned(),
        1 => format!("{name}.{first}"),
        count => format!("{name}.{first}-{}", first as usize + count - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wires_are_called_as_a_maker_calls_them() {
        let board = crate::tests::board();
        let names = |chip: &str| {
            let chip = board.chip(board.chip_named(chip).unwrap());
            let groups = groups(&board, chip.inputs().map(|(_, net)| net));
            groups.into_iter().map(|group| group.name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names("PHASE"), "OSC RST PHASE");
        assert_eq!(names("PCL"), "PCL IRL.0-5 PCH.7 PHASE.2 PC_LOAD CLR");
        assert_eq!(names("ALUL"), "AS.0-3 BUS.0-3 IRL.0-3 IRH.5-7 AS.4");
        assert_eq!(names("RAM"), "IRL IRH.0-4 nWE");
    }
}
