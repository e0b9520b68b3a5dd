//! Why a chip shows what it shows: its rule, in words, for the present step.

use gray1_sim::board::role::{Counter, Function, Latch};
use gray1_sim::board::{Chip, ChipId, NetId, Output, Role, Source};

use super::{Lines, groups};

/// What the chip does in this step, and what made it.
pub(in crate::tui) fn why(lines: &Lines, id: ChipId) -> String {
    let chip = lines.board.chip(id);
    match chip.role() {
        Role::Counter(rule) => counter(lines, chip, rule),
        Role::Latches(latches) => {
            let each = latches.iter().map(|rule| latch(lines, chip, rule));
            each.collect::<Vec<_>>().join("; ")
        }
        Role::Function(Function::Control(_)) => strobes(lines, chip),
        Role::Function(Function::Buffer(..)) => drives(lines, chip),
        Role::Function(_) | Role::Program(_) => answers(lines, chip),
        Role::Memory => memory(lines, chip),
    }
}

/// The line on an address pin; of a tied one there is nothing to say.
fn line(chip: &Chip, pin: u8) -> Option<NetId> {
    match chip.address().get(usize::from(pin)) {
        Some(Source::Net(net)) => Some(*net),
        Some(Source::Tied(_)) | None => None,
    }
}

fn name(lines: &Lines, net: Option<NetId>) -> &str {
    net.map_or("", |net| lines.board.net(net).name())
}

/// Lines as text, by groups: only those that have moved.
fn moved(lines: &Lines, nets: impl Iterator<Item = NetId>) -> String {
    let moved = nets.filter(|&net| lines.moved(net));
    let groups = groups(&lines.board, moved).into_iter().map(|group| group.name);
    groups.collect::<Vec<_>>().join(", ")
}

fn went(lines: &Lines, net: NetId) -> &'static str {
    if lines.level(net) { "rose" } else { "fell" }
}

fn counter(lines: &Lines, chip: &Chip, rule: &Counter) -> String {
    let is_high = |pin: Option<u8>| pin.and_then(|pin| line(chip, pin)).filter(|&n| lines.level(n));
    let clock = line(chip, rule.clock);
    let shown = moved(lines, chip.data().iter().copied());
    if let Some(clear) = is_high(rule.clear) {
        return format!("{} is on: it is 0", name(lines, Some(clear)));
    }
    if let Some(load) = is_high(rule.load.as_ref().map(|load| load.on)) {
        let what = if shown.is_empty() { "it stays loaded" } else { "it is loaded" };
        return format!("{} is on: {what}", name(lines, Some(load)));
    }
    match clock.filter(|&clock| lines.moved(clock)) {
        Some(clock) if shown.is_empty() => {
            format!("{} {}: it waits", name(lines, Some(clock)), went(lines, clock))
        }
        Some(clock) => {
            format!("{} {}: it counts, {shown} moves", name(lines, Some(clock)), went(lines, clock))
        }
        None => format!("waits for an edge of {}", name(lines, clock)),
    }
}

fn latch(lines: &Lines, chip: &Chip, rule: &Latch) -> String {
    let Some(enable) = line(chip, rule.enable) else { return String::new() };
    let d = rule.d.pins().iter().filter_map(|&pin| line(chip, pin));
    let d: Vec<NetId> = d.collect();
    let from = groups(&lines.board, d.iter().copied()).into_iter().map(|group| group.name);
    let from = from.collect::<Vec<_>>().join(", ");
    let strobe = name(lines, Some(enable));
    let held: Vec<NetId> =
        rule.q.out.pins().iter().map(|&pin| chip.data()[usize::from(pin)]).collect();
    let digits = held.len().div_ceil(4);
    let value = format!("{:0digits$x}", lines.number(&held));
    match (lines.level(enable), lines.moved(enable)) {
        (true, true) => format!("{strobe} rose: opens to {from}"),
        (true, false) => format!("{strobe} is on: follows {from}"),
        (false, true) => format!("{strobe} fell: keeps {value}"),
        (false, false) if d.iter().any(|&net| lines.moved(net)) => {
            format!("{strobe} is off: keeps {value}, though {from} moves")
        }
        (false, false) => format!("{strobe} is off: keeps {value}"),
    }
}

/// The strobes that are on.
fn strobes(lines: &Lines, chip: &Chip) -> String {
    let is_on = |net: &NetId| lines.level(*net) != is_active_low(lines, *net);
    let on: Vec<&str> =
        chip.data().iter().filter(|net| is_on(net)).map(|&net| name(lines, Some(net))).collect();
    if on.is_empty() { "no strobe is on".to_owned() } else { format!("on: {}", on.join(" ")) }
}

/// By the custom of the board: names of lines that are on while low begin with an n.
fn is_active_low(lines: &Lines, net: NetId) -> bool {
    lines.board.net(net).name().starts_with('n')
}

/// A chip that drives its lines only at times.
fn drives(lines: &Lines, chip: &Chip) -> String {
    let (select, while_low) = match chip.output() {
        Output::Always => return answers(lines, chip),
        Output::WhileLow(net) => (net, true),
        Output::WhileHigh(net) => (net, false),
    };
    let is_low = !lines.level(select);
    let level = if is_low { "low" } else { "high" };
    let what = if is_low == while_low { "it drives" } else { "it lets go of" };
    format!("{} is {level}: {what} {}", name(lines, Some(select)), data_name(lines, chip))
}

fn data_name(lines: &Lines, chip: &Chip) -> String {
    let groups = groups(&lines.board, chip.data().iter().copied());
    groups.into_iter().map(|group| group.name).collect::<Vec<_>>().join(", ")
}

/// A table: it answers to what moves.
fn answers(lines: &Lines, chip: &Chip) -> String {
    let inputs = moved(lines, chip.inputs().map(|(_, net)| net));
    let outputs = moved(lines, chip.data().iter().copied());
    match (inputs.is_empty(), outputs.is_empty()) {
        (true, _) => "its address stands still".to_owned(),
        (false, true) => format!("{inputs} moved: the same answer"),
        (false, false) => format!("{inputs} moved: another answer"),
    }
}

fn memory(lines: &Lines, chip: &Chip) -> String {
    let Some(write) = chip.write_enable_low() else { return drives(lines, chip) };
    let address: Vec<NetId> = (0..13).filter_map(|pin| line(chip, pin)).collect();
    let address = lines.number(&address);
    let (byte, bus) = (lines.number(chip.data()), data_name(lines, chip));
    let strobe = name(lines, Some(write));
    match (lines.level(write), lines.moved(write)) {
        (false, true) => format!("{strobe} fell: {address:04x} takes what {bus} carries"),
        (false, false) => format!("{strobe} is low: {address:04x} takes what {bus} carries"),
        (true, true) => format!("{strobe} rose: {address:04x} keeps {byte:02x}"),
        (true, false) => format!("{strobe} is high: shows {byte:02x}, the byte at {address:04x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::chips::Bench;
    use crate::tui::player::{Command, Opened, Player};
    use gray1_isa::{Image, Op, RamAddr, RomIndex, Word};
    use gray1_sim::PowerUp;

    /// What chips say in each phase of the second instruction of a program, T0 first.
    fn told(words: &[Word], chip: &str) -> Vec<String> {
        let image = Image::from_words(words).unwrap();
        let program = Opened { name: "test".into(), image };
        let mut player = Player::new(program, PowerUp::Zero, true);
        player.command(Command::Step);
        let mut bench = Bench::new();
        let phases = (0..8).map(|_| {
            let lines = bench.look(&player.snapshot());
            player.command(Command::StepPhase);
            why(&lines, lines.board.chip_named(chip).unwrap())
        });
        phases.collect()
    }

    #[test]
    fn a_store_is_told_by_its_latches_its_strobes_and_the_memory() {
        let store = Word::data(Op::St, RamAddr::truncate(0x1234));
        let words = [Word::ldi(7), store];
        assert_eq!(
            told(&words, "IRH"),
            [
                "IRH_EN is off: keeps 00, though PROG moves",
                "IRH_EN is off: keeps 00",
                "IRH_EN rose: opens to PROG",
                "IRH_EN fell: keeps 52",
                "IRH_EN is off: keeps 52, though PROG moves",
                "IRH_EN is off: keeps 52",
                "IRH_EN is off: keeps 52",
                "IRH_EN is off: keeps 52",
            ]
        );
        assert_eq!(told(&words, "CTRL")[5], "on: nWE");
        let memory = told(&words, "RAM");
        assert_eq!(memory[5], "nWE fell: 1234 takes what BUS carries");
        assert_eq!(memory[6], "nWE rose: 1234 keeps 07");
        assert_eq!(told(&words, "BUF")[5], "nWE is low: it drives BUS");
    }

    #[test]
    fn the_counters_tell_of_their_clocks_and_of_jumps() {
        let jump = Word::jump(Op::Jmp, RomIndex::truncate(0x0155));
        let words = [Word::ldi(7), jump];
        let low = told(&words, "PCL");
        assert_eq!(low[1], "waits for an edge of PHASE.2");
        assert_eq!(low[4], "PHASE.2 rose: it counts, PCL.0 moves");
        assert_eq!(low[7], "PC_LOAD is on: it is loaded");
        assert_eq!(told(&words, "PHASE")[3], "OSC rose: it counts, PHASE.0 moves");
    }
}
