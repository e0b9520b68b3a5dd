//! Sentences about a suspected chip: its wires, their levels, and its fault.

use gray1_board::buses::{name_from_high, names};
use gray1_board::{Board, Chip, NetId};
use gray1_isa::text::grouped;

use super::evidence::{FirstSeen, KnownByte, OutputChange, Transition, WireEvidence};
use super::report::Finding;
use super::suspicion::Suspicion;
use super::watched::WatchedChip;

/// A chip of a board, with the observations of its captured pins.
pub(super) struct Suspect<'a> {
    board: &'a Board,
    pub(super) watched: &'a WatchedChip,
    pub(super) chip: &'a Chip,
}

impl<'a> Suspect<'a> {
    pub(super) fn new(board: &'a Board, watched: &'a WatchedChip) -> Self {
        Self { board, watched, chip: board.chip(watched.chip) }
    }

    pub(super) fn name(&self) -> &'a str {
        self.chip.name()
    }

    /// The wires on these address pins. Tied pins have none.
    fn inputs(&self, pins: u32) -> Vec<NetId> {
        let pins = (0..u32::BITS as u8).filter(|pin| pins >> pin & 1 == 1);
        pins.filter_map(|pin| self.chip.wire(pin)).collect()
    }

    /// The wires on these data pins.
    pub(super) fn data_wires(&self, pins: u8) -> Vec<NetId> {
        let wires = self.chip.data.iter().enumerate();
        wires.filter(|(bit, _)| pins >> bit & 1 == 1).map(|(_, net)| *net).collect()
    }

    pub(super) fn data_names(&self, pins: u8) -> String {
        names(self.board, &self.data_wires(pins))
    }

    /// The levels that a byte gives to the wires on these data pins.
    pub(super) fn show_data(&self, pins: u8, data: u8) -> String {
        list_levels(self.board, &self.data_wires(pins), &self.data_wires(pins & data))
    }

    /// The levels of the captured inputs.
    pub(super) fn show_inputs(&self, address: u32) -> String {
        let known = self.watched.known;
        list_levels(self.board, &self.inputs(known), &self.inputs(known & address))
    }

    /// The levels of all captured wires.
    pub(super) fn show_wires(&self, address: u32, data: u8) -> String {
        format!("{} -> {}", self.show_inputs(address), self.show_data(self.watched.captured, data))
    }

    /// Describes wrong outputs: `at address 02b it shows 12, but its image holds 10 (AM_EN)`.
    pub(super) fn describe_bytes(&self, address: u32, data: u8) -> String {
        let captured = self.watched.captured;
        if self.watched.missing() != 0 {
            let (inputs, shown) = (self.show_inputs(address), self.show_data(captured, data));
            return format!("with {inputs} it shows {shown}, which no such address holds");
        }
        let byte = self.chip.contents()[address as usize];
        format!(
            "at address {} it shows {:02x}, but its image holds {:02x} ({})",
            self.hex(address),
            data & captured,
            byte & captured,
            self.data_names((byte ^ data) & captured),
        )
    }

    /// Formats an address with as many digits as the chip's largest address has.
    fn hex(&self, address: u32) -> String {
        let digits = usize::from(self.chip.part().address_bits).div_ceil(4);
        format!("{address:0digits$x}")
    }

    /// Describes a suspected fault.
    pub(super) fn describe(&self, suspicion: Suspicion, wires: &WireEvidence) -> Finding {
        let Self { board, chip, .. } = self;
        let name = chip.name();
        let level = |high: bool| if high { "high" } else { "low" };
        let input = |pin: u8| chip.wire(pin).map_or("a tied wire", |net| board.net(net).name());
        match suspicion {
            // A stuck address pin makes two cells of data memory share one. The capture does not
            // show which level the pin has, so the sentence names no level.
            Suspicion::AddressStuck(pin, _) if chip.contents().is_empty() => {
                Finding::new(name, &format!("does not see {}, its pin A{pin}", input(pin)), "")
            }
            Suspicion::AddressStuck(pin, high) => Finding::new(
                name,
                &format!("does not see {}", input(pin)),
                format!("its pin A{pin} acts as if it were always {}", level(high)),
            ),
            Suspicion::AddressSwapped(a, b) => {
                let (first, second) = (input(a), input(b));
                let fault = format!("has {first} and {second} exchanged, its pins A{a} and A{b}");
                Finding::new(name, &fault, "")
            }
            Suspicion::DataStuck(pin, high) => {
                let net = chip.data[usize::from(pin)];
                let (output, level) = (board.net(net).name(), level(high));
                if wires.constant(net) == Some(high) {
                    return Finding::new(output, &format!("is stuck {level}"), "");
                }
                let why = format!("its pin D{pin} acts as if it were always {level}");
                Finding::new(name, &format!("does not drive {output}"), why)
            }
            Suspicion::Constant(true) => {
                Finding::new(name, "is blank", "its outputs are always high")
            }
            Suspicion::Constant(false) => {
                Finding::new(name, "has no supply", "its outputs are always low")
            }
            Suspicion::CountingOrder => {
                let fault = "holds the program in counting order";
                Finding::new(name, fault, "`gray1 export images` writes it in Gray order")
            }
            Suspicion::OtherProgram => {
                let all = &self.watched.evidence.seen;
                let wrong = all.values().filter(|it| it.wrong > 0).count();
                let why = format!("{wrong} of {} addresses differ", all.len());
                Finding::new(name, "holds another program, or another build of it", why)
            }
            Suspicion::WrongBit(address, pin) => {
                let data = chip.contents()[address as usize] ^ 1 << pin;
                Finding::new(name, "has a wrong bit", self.describe_bytes(address, data))
            }
        }
    }

    pub(super) fn describe_forgotten(&self, forgotten: FirstSeen<(u32, u8, KnownByte)>) -> Finding {
        let FirstSeen { what: (address, byte, cell), time_ps, count } = forgotten;
        let how = if cell.is_written { "was written" } else { "was read" };
        let was = cell.byte;
        let fault =
            format!("shows {byte:02x} at address {address:04x}, where {was:02x} {how} before");
        Finding::new(self.name(), &fault, "").with([
            format!("{was:02x} {how} at {}", format_duration(cell.time_ps)),
            format!("{byte:02x} was read at {}{}", format_duration(time_ps), format_count(count)),
            format!("different bits: {:02x}", was ^ byte),
        ])
    }

    pub(super) fn describe_transition(&self, impossible: FirstSeen<Transition>) -> Finding {
        let FirstSeen { what: Transition { from, to, once, often }, time_ps, count } = impossible;
        let own = self.watched.own_mask();
        let address = from.0 & own | to.0 & !own;
        let nets = self.inputs(once | often);
        let cause = if nets.is_empty() {
            "although its inputs were stable".to_owned()
        } else {
            format!("when {} moved", names(self.board, &nets))
        };
        let shown = |data: u8| self.show_data(self.watched.captured, data);
        let fault = format!("went from {} to {} {cause}", shown(from.1), shown(to.1));
        let byte = self.chip.contents()[address as usize];
        let should = format!(
            "at address {} ({}) its image holds {byte:02x}: {}",
            self.hex(address),
            self.show_inputs(address),
            shown(byte),
        );
        Finding::new(self.name(), &fault, "").with([format_first(time_ps, count), should])
    }

    pub(super) fn describe_restless(&self, restless: FirstSeen<OutputChange>) -> Finding {
        let FirstSeen { what: OutputChange { pins, address, .. }, time_ps, count } = restless;
        let wires = self.data_wires(pins);
        let why = format!(
            "{} keep{} moving although its inputs are stable",
            names(self.board, &wires),
            if wires.len() == 1 { "s" } else { "" }
        );
        let place = format!("address {}: {}", self.hex(address), self.show_inputs(address));
        Finding::new(self.name(), "does not settle", why)
            .with([format_first(time_ps, count), place])
    }

    pub(super) fn describe_brief(&self, brief: FirstSeen<OutputChange>) -> Finding {
        let FirstSeen { what: OutputChange { address, data, pins, .. }, time_ps, count } = brief;
        let shown = self.show_data(pins, data);
        let fault = format!("shows {shown} for a while, which no address at that time holds");
        let place = format!("address {}: {}", self.hex(address), self.show_wires(address, data));
        Finding::new(self.name(), &fault, "").with([format_first(time_ps, count), place])
    }
}

/// The levels of wires with their names, high bit first: `PHASE.2-0=011 RST=0`.
fn list_levels(board: &Board, nets: &[NetId], high: &[NetId]) -> String {
    let mut texts = Vec::new();
    for run in board.runs(nets) {
        let levels = run.iter().rev().map(|net| high.contains(net));
        let digits: String = levels.map(|is_high| if is_high { '1' } else { '0' }).collect();
        texts.push(format!("{}={digits}", name_from_high(board, run)));
    }
    texts.join(" ")
}

/// Formats a time, to the nanosecond.
pub(super) fn format_duration(time_ps: i64) -> String {
    let ns = time_ps.unsigned_abs().div_ceil(1000).max(u64::from(time_ps != 0));
    let sign = if time_ps < 0 { "-" } else { "" };
    if ns < 10_000 {
        format!("{sign}{ns} ns")
    } else {
        format!("{sign}{}.{:03} us", ns / 1000, ns % 1000)
    }
}

pub(super) fn format_count(count: u64) -> String {
    if count == 1 { String::new() } else { format!(", {} times in all", grouped(count)) }
}

/// Formats the time of the first observation and the number of observations.
pub(super) fn format_first(time_ps: i64, count: u64) -> String {
    format!("first at {}{}", format_duration(time_ps), format_count(count))
}

#[cfg(test)]
mod tests {
    use gray1_roms::{GRAY1, load};

    use super::*;

    #[test]
    fn adjacent_wires_of_a_bus_are_shown_as_one_number() {
        let board = load(GRAY1).unwrap();
        let nets: Vec<NetId> = ["PHASE.0", "PHASE.1", "PHASE.2", "IRH.5", "RST"]
            .map(|name| board.net_named(name).unwrap())
            .into();
        let is_high = [nets[0], nets[4]];
        assert_eq!(list_levels(&board, &nets, &is_high), "PHASE.2-0=001 IRH.5=0 RST=1");
    }
}
