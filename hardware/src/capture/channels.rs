//! The board's wires among the channels of a capture, by their names.

use std::collections::HashMap;

use gray1_board::{Board, NetId};
use gray1_isa::text::printable;

/// The first names of a list.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 16;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| printable(name)).collect();
    let more = if names.len() > SHOWN { " ..." } else { "" };
    shown.join(" ") + more
}

/// The wire of each channel, or `None` if its name is not that of a wire. `PHASE.0` may also be
/// written `PHASE0`, `PHASE_0` or `PHASE[0]`. Pairs of a channel and a wire take precedence over
/// names.
///
/// # Errors
/// If a pair names a channel or a wire that does not exist, or two channels are the same wire.
pub fn wires(
    board: &Board,
    channels: &[String],
    pairs: &[(String, String)],
) -> Result<Vec<Option<NetId>>, String> {
    let by_name: HashMap<String, NetId> =
        board.net_ids().map(|net| (plain(board.net(net).name()), net)).collect();
    let wire = |name: &str| board.net_named(name).or_else(|| by_name.get(&plain(name)).copied());
    let mut wires: Vec<Option<NetId>> = channels.iter().map(|name| wire(name)).collect();
    for (channel, name) in pairs {
        let place = channels.iter().position(|it| it == channel);
        let no_wire = || format!("the board has no wire `{}`", printable(name));
        let no_channel = || {
            let (channel, known) = (printable(channel), list(channels));
            format!("the capture has no channel `{channel}`; it has {known}")
        };
        let net = wire(name).ok_or_else(no_wire)?;
        wires[place.ok_or_else(no_channel)?] = Some(net);
    }
    let mut first: HashMap<NetId, usize> = HashMap::new();
    for (channel, net) in wires.iter().enumerate() {
        let Some(net) = *net else { continue };
        let before = *first.entry(net).or_insert(channel);
        if before != channel {
            let [first, second] = [before, channel].map(|channel| printable(&channels[channel]));
            let net = board.net(net).name();
            return Err(format!("the channels `{first}` and `{second}` are both {net}"));
        }
    }
    Ok(wires)
}

/// A name without the characters in which tools differ.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '.' | '_' | '[' | ']' | ' ')).collect()
}

#[cfg(test)]
mod tests {
    use gray1_roms::{GRAY1, load};

    use super::*;

    #[test]
    fn wires_are_found_however_tools_write_them() {
        let board = load(GRAY1).unwrap();
        let names = ["PHASE.0", "PHASE1", "PHASE_2", "BUS[7]", "IRH EN", "D7", "D8"];
        let names = names.map(str::to_owned);
        let pair = ("D8".to_owned(), "nWE".to_owned());
        let found = wires(&board, &names, &[pair]).unwrap();
        let found: Vec<&str> =
            found.iter().map(|net| net.map_or("", |net| board.net(net).name())).collect();
        assert_eq!(found, ["PHASE.0", "PHASE.1", "PHASE.2", "BUS.7", "IRH_EN", "", "nWE"]);
    }

    #[test]
    fn every_wire_has_a_plain_name_of_its_own() {
        let board = load(GRAY1).unwrap();
        let plain: std::collections::HashSet<String> =
            board.nets().iter().map(|net| plain(net.name())).collect();
        assert_eq!(plain.len(), board.nets().len());
    }

    #[test]
    fn names_that_mean_nothing_are_refused() {
        let board = load(GRAY1).unwrap();
        let wires = |names: &[&str], pair: (&str, &str)| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let pair = (pair.0.to_owned(), pair.1.to_owned());
            wires(&board, &names, &[pair]).unwrap_err()
        };
        assert_eq!(
            wires(&["D0", "D1"], ("D2", "OSC")),
            "the capture has no channel `D2`; it has D0 D1"
        );
        assert_eq!(wires(&["D0"], ("D0", "OCS")), "the board has no wire `OCS`");
        let twice = "the channels `OSC` and `D0` are both OSC";
        assert_eq!(wires(&["OSC", "D0"], ("D0", "OSC")), twice);
    }
}
