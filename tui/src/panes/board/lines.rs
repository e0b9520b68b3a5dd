//! Lines that stand together: those of one name that lie side by side on a chip.

use gray1_sim::Board;
use gray1_sim::board::NetId;

use crate::session::Levels;

/// Lines of one name, low bit first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// `PCL` for all of them, `IRL.0-3` for some, `PCL.7` for one.
    pub(super) name: String,
    pub(super) nets: Vec<NetId>,
}

/// Puts lines together that follow one another.
pub(super) fn groups(board: &Board, nets: impl Iterator<Item = NetId>) -> Vec<Group> {
    let mut runs: Vec<Vec<NetId>> = Vec::new();
    for net in nets {
        match runs.last_mut() {
            Some(run) if follows(board, run[run.len() - 1], net) => run.push(net),
            _ => runs.push(vec![net]),
        }
    }
    runs.into_iter().map(|nets| Group { name: name(board, &nets), nets }).collect()
}

/// The number that lines carry, low bit first, in hexadecimal digits; of a single line its level.
pub(super) fn hex(levels: &Levels, nets: &[NetId]) -> String {
    let digits = nets.len().div_ceil(4);
    format!("{:0digits$x}", levels.number(nets))
}

/// The name of a line without its number, and the number.
fn parts(board: &Board, net: NetId) -> (&str, Option<u32>) {
    let whole = board.net(net).name();
    match whole.rsplit_once('.').map(|(name, bit)| (name, bit.parse().ok())) {
        Some((name, Some(bit))) => (name, Some(bit)),
        _ => (whole, None),
    }
}

fn follows(board: &Board, one: NetId, next: NetId) -> bool {
    match (parts(board, one), parts(board, next)) {
        ((name, Some(bit)), (next_name, Some(next_bit))) => {
            name == next_name && bit + 1 == next_bit
        }
        _ => false,
    }
}

fn name(board: &Board, nets: &[NetId]) -> String {
    let (name, first) = parts(board, nets[0]);
    let Some(first) = first else { return name.to_owned() };
    let all = board.net_ids().filter(|&net| parts(board, net).0 == name).count();
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
    fn lines_are_called_as_a_maker_calls_them() {
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
