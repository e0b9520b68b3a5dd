//! Finds the board's wires among the channels of a capture, by name.

use std::collections::HashMap;

use gray1_board::{Board, NetId};
use gray1_isa::text::printable;

/// Formats the first names of a list for a message, with `...` if there are more.
fn format_names(names: &[String]) -> String {
    const SHOWN: usize = 16;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| printable(name)).collect();
    let more = if names.len() > SHOWN { " ..." } else { "" };
    shown.join(" ") + more
}

/// A channel and the wire that it is connected to, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelName {
    /// The name of the channel in the capture.
    pub channel: String,
    /// The name of the wire.
    pub wire: String,
}

/// Returns the wire of each channel, or `None` for a channel whose name matches no wire. `PHASE.0`
/// may also be written `PHASE0`, `PHASE_0` or `PHASE[0]`, and in lower case if no other channel
/// matches better. `named` assigns wires to channels and takes precedence. For a channel,
/// `source` returns the first channel that has the same signal.
///
/// # Errors
/// If `named` contains a channel or a wire that does not exist, or if two different signals match
/// the same wire. The error has the index of the name that causes it, if there is one, and the
/// message.
pub fn match_wires(
    board: &Board,
    channels: &[String],
    source: impl Fn(usize) -> usize,
    named: &[ChannelName],
) -> Result<Vec<Option<NetId>>, (Option<usize>, String)> {
    let nets: HashMap<String, NetId> =
        board.net_ids().map(|net| (normalize(board.net(net).name()), net)).collect();
    let wire = |name: &str| board.net_named(name).or_else(|| nets.get(&normalize(name)).copied());
    let mut wires: Vec<Option<NetId>> = channels.iter().map(|name| wire(name)).collect();
    for (at, ChannelName { channel, wire: name }) in named.iter().enumerate() {
        let Some(net) = wire(name) else {
            return Err((Some(at), format!("the board has no wire `{}`", printable(name))));
        };
        let Some(place) = channels.iter().position(|it| it == channel) else {
            let (channel, known) = (printable(channel), format_names(channels));
            let message = format!("the capture has no channel `{channel}`; it has {known}");
            return Err((Some(at), message));
        };
        wires[place] = Some(net);
    }
    let mut found: Vec<(bool, usize, NetId)> = Vec::new();
    for (channel, net) in wires.iter().enumerate() {
        let Some(net) = *net else { continue };
        let (label, name) = (&channels[channel], board.net(net).name());
        let has_other_letters = normalize(label) == normalize(name)
            && strip_punctuation(label) != strip_punctuation(name);
        found.push((has_other_letters, channel, net));
    }
    found.sort_unstable();
    let mut first: HashMap<NetId, (bool, usize)> = HashMap::new();
    for (is_other, channel, net) in found {
        let (is_before_other, before) = *first.entry(net).or_insert((is_other, channel));
        if before == channel {
            continue;
        }
        if source(before) != source(channel) && is_other == is_before_other {
            let both = [before, channel].map(|channel| &channels[channel]);
            let at = named.iter().rposition(|name| both.contains(&&name.channel));
            let ([first, second], net) = (both.map(|name| printable(name)), board.net(net).name());
            return Err((at, format!("the channels `{first}` and `{second}` are both {net}")));
        }
        wires[channel] = None;
    }
    Ok(wires)
}

/// Removes punctuation from the name of a wire, because tools punctuate the same name differently.
fn strip_punctuation(name: &str) -> String {
    name.replace(['.', '_', '[', ']', '(', ')', ' '], "")
}

fn normalize(name: &str) -> String {
    strip_punctuation(name).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use gray1_roms::{GRAY1, load};

    use super::*;

    #[test]
    fn channels_in_the_spelling_of_any_tool_match_their_wires() {
        let board = load(GRAY1).unwrap();
        let names = ["PHASE.0", "PHASE1", "PHASE_2", "BUS[7]", "IRH EN", "D7", "D8"];
        let names = names.map(str::to_owned);
        let choice = ChannelName { channel: "D8".to_owned(), wire: "nWE".to_owned() };
        let found = match_wires(&board, &names, |channel| channel, &[choice]).unwrap();
        let found: Vec<&str> =
            found.iter().map(|net| net.map_or("", |net| board.net(net).name())).collect();
        assert_eq!(found, ["PHASE.0", "PHASE.1", "PHASE.2", "BUS.7", "IRH_EN", "", "nWE"]);
    }

    #[test]
    fn a_channel_in_lower_case_matches_if_no_exact_one_does() {
        let board = load(GRAY1).unwrap();
        let found = |names: [&str; 2]| {
            let found = match_wires(&board, &names.map(str::to_owned), |channel| channel, &[]);
            found.map(|wires| wires.iter().map(Option::is_some).collect::<Vec<_>>())
        };
        assert_eq!(found(["osc", "phase(0)"]), Ok(vec![true, true]));
        assert_eq!(found(["phase.0", "PHASE.0"]), Ok(vec![false, true]));
        assert_eq!(found(["PHASE_0", "phase.0"]), Ok(vec![true, false]));
        assert!(found(["PHASE_0", "PHASE.0"]).is_err());
    }

    #[test]
    fn no_two_wires_match_the_same_channel() {
        let board = load(GRAY1).unwrap();
        let plain: std::collections::HashSet<String> =
            board.nets().iter().map(|net| normalize(net.name())).collect();
        assert_eq!(plain.len(), board.nets().len());
    }

    #[test]
    fn unknown_channels_and_wires_are_refused() {
        let board = load(GRAY1).unwrap();
        let wires = |names: &[&str], pair: (&str, &str)| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let choice = ChannelName { channel: pair.0.to_owned(), wire: pair.1.to_owned() };
            let (at, why) = match_wires(&board, &names, |channel| channel, &[choice]).unwrap_err();
            assert_eq!(at, Some(0));
            why
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
