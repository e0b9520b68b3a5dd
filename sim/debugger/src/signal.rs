//! Signals: named groups of wires that are shown together. A signal is one wire, a bus, a part of a
//! bus, or a register.

use gray1_board::registers::{address_wires, opcode_wires};
use gray1_board::role::Code;
use gray1_board::{Board, NetId, number};

/// A wire, or several wires that form a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    name: String,
    /// The wires, low bit first.
    nets: Vec<NetId>,
    /// The address code of program memory, if the signal is the address of an instruction.
    program_code: Option<Code>,
}

impl Signal {
    /// The names of registers: the accumulator, the carry, the program counter as an index, the
    /// instruction register, and the operand field in it.
    pub const REGISTERS: [&str; 5] = ["A", "C", "PC", "IR", "OPERAND"];

    /// The maximum number of wires in a signal, because its value has 32 bits.
    pub const WIRES_MAX: usize = u32::BITS as usize;

    /// Returns the signal with a name: a wire such as `PC_LOAD` or `PCL.3`, a bus such as `PCL`, a
    /// part of a bus such as `IRL.0-5`, or a register.
    ///
    /// Returns `None` if the board has no such wires, or if there are more than
    /// [`Self::WIRES_MAX`].
    pub fn named(name: &str, board: &Board) -> Option<Self> {
        let nets = wires(name, board).or_else(|| register(name, board))?;
        if nets.len() > Self::WIRES_MAX {
            return None;
        }
        let program_code = (name == "PC").then(|| board.code());
        Some(Self { name: name.to_owned(), nets, program_code })
    }

    /// Returns the name with which the signal was looked up.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the wires, low bit first. There is at least one.
    pub fn nets(&self) -> &[NetId] {
        &self.nets
    }

    /// Returns the number of hexadecimal digits of the signal's largest value.
    pub fn digits(&self) -> usize {
        self.nets.len().div_ceil(4)
    }

    /// Returns the number that the wires form at these levels. For `PC`, this is the index of the
    /// instruction.
    pub fn value(&self, level: impl Fn(NetId) -> bool) -> u32 {
        let number = number(&self.nets, level);
        self.program_code.map_or(number, |code| u32::from(code.decode(number as u16) / 2))
    }

    /// Describes the changes of the wires in an edge of the oscillator:
    /// `PCL 01 -> 02: PCL.0 fell, PCL.1 rose`.
    ///
    /// `moves` returns how often a wire changed, if the circuit counts that.
    pub fn describe(
        &self,
        board: &Board,
        before: impl Fn(NetId) -> bool,
        after: impl Fn(NetId) -> bool,
        moves: impl Fn(NetId) -> usize,
    ) -> String {
        let changes = self.nets.iter().filter_map(|&net| {
            let what = match moves(net).max(usize::from(before(net) != after(net))) {
                0 => return None,
                1 if after(net) => "rose".to_owned(),
                1 => "fell".to_owned(),
                count => format!("moved {count} times"),
            };
            Some(format!("{} {what}", board.net(net).name()))
        });
        let changes = changes.collect::<Vec<_>>().join(", ");
        if self.nets.len() == 1 {
            return changes;
        }
        let (was, is, width) = (self.value(before), self.value(after), self.digits());
        format!("{} {was:0width$x} -> {is:0width$x}: {changes}", self.name)
    }
}

/// Finds a wire, or the wires of a bus or of a part of a bus.
fn wires(name: &str, board: &Board) -> Option<Vec<NetId>> {
    if let Some(net) = board.net_named(name) {
        return Some(vec![net]);
    }
    let range = name.rsplit_once('.').and_then(|(bus, range)| {
        let (first, last) = range.split_once('-')?;
        Some((bus, first.parse().ok()?, last.parse().ok()?))
    });
    let (bus, first, last) = range.unwrap_or((name, 0, u32::MAX));
    let bit = |net: NetId| {
        let (name, bit) = board.net(net).bus()?;
        (name == bus && (first..=last).contains(&bit)).then_some((bit, net))
    };
    let mut nets: Vec<(u32, NetId)> = board.net_ids().filter_map(bit).collect();
    nets.sort_unstable_by_key(|(bit, _)| *bit);
    let is_whole = range.is_none() || nets.len() as u64 == u64::from(last.abs_diff(first)) + 1;
    (is_whole && !nets.is_empty()).then(|| nets.into_iter().map(|(_, net)| net).collect())
}

/// Finds the wires of a register.
fn register(name: &str, board: &Board) -> Option<Vec<NetId>> {
    let probes = board.probes();
    Some(match name {
        "A" => probes.a.clone(),
        "C" => vec![probes.carry],
        "PC" => address_wires(board, board.program()),
        "OPERAND" => address_wires(board, board.memory()),
        "IR" => [address_wires(board, board.memory()), opcode_wires(board)?].concat(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use gray1_roms::{GRAY1, load};

    use super::*;

    /// Returns the names of the wires of a signal.
    fn named(name: &str) -> Option<String> {
        let board = load(GRAY1).unwrap();
        let signal = Signal::named(name, &board)?;
        let names = signal.nets().iter().map(|&net| board.net(net).name());
        Some(names.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn signals_are_named_after_wires_buses_and_registers() {
        for (name, lines) in [
            ("PC_LOAD", "PC_LOAD"),
            ("PCL.3", "PCL.3"),
            ("PHASE", "PHASE.0 PHASE.1 PHASE.2"),
            ("IRL.4-5", "IRL.4 IRL.5"),
            ("C", "FLAGS.1"),
            ("A", "AS.0 AS.1 AS.2 AS.3 AS.4 AS.5 AS.6 AS.7"),
        ] {
            assert_eq!(named(name).as_deref(), Some(lines), "{name}");
        }
        for name in ["", "PCX", "PCL.8", "PCL.6-8", "PCL.5-4", "PCL.-", "PCL.", "B", "pcl"] {
            assert_eq!(named(name), None, "{name}");
        }
    }

    #[test]
    fn a_signal_with_more_than_32_wires_is_refused() {
        let mut text = GRAY1.to_owned();
        for (number, chip) in (0..).zip(["PCH", "PCL", "IRH", "IRL", "AS"]) {
            let bits = (0..8).flat_map(|first| (first..8).rev().map(move |last| (first, last)));
            for (first, last) in bits {
                let [from, to] = [first, last].map(|bit| 8 * number + bit);
                text = text
                    .replace(&format!("{chip}.{first}-{last}"), &format!("WIDE.{from}-{to}"))
                    .replace(&format!("\"{chip}.{first}\""), &format!("\"WIDE.{from}\""));
            }
        }
        let board = load(&text).unwrap();
        assert_eq!(Signal::named("WIDE.0-31", &board).map(|signal| signal.digits()), Some(8));
        assert_eq!(Signal::named("WIDE.0-32", &board), None);
        assert_eq!(Signal::named("WIDE", &board), None);
    }

    #[test]
    fn the_program_counter_is_read_as_an_index() {
        let board = load(GRAY1).unwrap();
        let pc = Signal::named("PC", &board).unwrap();
        for place in [0, 1, 2, 0x155, 0x3fff_u16] {
            let code = board.code().encode(place);
            let level = |net| code >> pc.nets().iter().position(|it| *it == net).unwrap() & 1 == 1;
            assert_eq!(pc.value(level), u32::from(place / 2));
        }
        assert_eq!((pc.nets().len(), pc.digits()), (14, 4));
    }

    #[test]
    fn changes_of_wires_are_described() {
        let board = load(GRAY1).unwrap();
        for (name, was, is, moves, description) in [
            ("PHASE", 0b001, 0b011, [0, 0, 0], "PHASE 1 -> 3: PHASE.1 rose"),
            ("PHASE", 0b011, 0b010, [1, 0, 0], "PHASE 3 -> 2: PHASE.0 fell"),
            (
                "PHASE",
                0b001,
                0b110,
                [1; 3],
                "PHASE 1 -> 6: PHASE.0 fell, PHASE.1 rose, PHASE.2 rose",
            ),
            ("PHASE", 0b001, 0b001, [0, 2, 0], "PHASE 1 -> 1: PHASE.1 moved 2 times"),
            ("PHASE", 0b001, 0b000, [3, 0, 0], "PHASE 1 -> 0: PHASE.0 moved 3 times"),
            ("PHASE.1", 0, 1, [0; 3], "PHASE.1 rose"),
            ("PHASE.1", 1, 0, [0; 3], "PHASE.1 fell"),
            ("PHASE.1", 1, 1, [0; 3], ""),
            ("IRL.0-4", 0x01, 0x11, [0; 3], "IRL.0-4 01 -> 11: IRL.4 rose"),
        ] {
            let signal = Signal::named(name, &board).unwrap();
            let place = |net| signal.nets().iter().position(|it| *it == net).unwrap();
            let level = |number: u32| move |net| number >> place(net) & 1 == 1;
            let moves = |net| moves.get(place(net)).copied().unwrap_or(0);
            assert_eq!(signal.describe(&board, level(was), level(is), moves), description);
        }
    }

    #[test]
    fn every_register_has_wires() {
        let lines = Signal::REGISTERS.map(|name| named(name).unwrap().split(' ').count());
        assert_eq!(lines, [8, 1, 14, 16, 13]);
    }
}
