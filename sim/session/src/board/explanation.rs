//! The reason for a chip's outputs: the rule that applies in the current step, as a sentence.

use gray1_board::role::{Counter, Function, Latch};
use gray1_board::{Chip, ChipId, Code, NetId, Phase, Role};
use gray1_debugger::Levels;

use super::wires::{hex, name, names};

/// What the chip does in this step, why, and which of its wires glitch.
pub fn explain_chip(levels: &Levels, id: ChipId) -> String {
    let chip = levels.board.chip(id);
    let parts = [explain_role(levels, chip), describe_glitches(levels, chip)];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}

fn explain_role(levels: &Levels, chip: &Chip) -> String {
    match chip.role() {
        Role::Counter(rule) => {
            [explain_counter(levels, chip, rule), explain_gray_code(levels, chip, rule)].concat()
        }
        Role::Latches(latches) => {
            let each = latches.iter().map(|rule| explain_latch(levels, chip, rule));
            each.collect::<Vec<_>>().join("; ")
        }
        Role::Function(Function::Control(_)) => explain_strobes(levels, chip),
        Role::Function(Function::Buffer { .. }) => explain_drive(levels, chip),
        Role::Function(_) | Role::Program(_) => explain_table(levels, chip),
        Role::Memory => explain_memory(levels, chip),
    }
}

/// The wires of the chip that changed more than once.
fn describe_glitches(levels: &Levels, chip: &Chip) -> String {
    let counts = chip.data.iter().map(|&net| (net, levels.movements(net)));
    let glitches: Vec<String> = counts
        .filter(|(_, count)| *count > 1)
        .map(|(net, count)| format!("{} {count} times", name(levels, net)))
        .collect();
    let noun = match glitches.len() {
        0 => return String::new(),
        1 => "a glitch",
        _ => "glitches",
    };
    // The verb goes after the first name: `PCL.1 moved 4 times, PCL.2 2 times`.
    let glitches = glitches.join(", ").replacen(' ', " moved ", 1);
    format!("{glitches} in this edge ({noun})")
}

/// The names of those wires that changed, grouped into buses.
fn name_changed(levels: &Levels, nets: impl Iterator<Item = NetId>) -> String {
    names(&levels.board, nets.filter(|&net| levels.moved(net)))
}

fn verb(levels: &Levels, net: NetId) -> &'static str {
    if levels.level(net) { "rose" } else { "fell" }
}

fn explain_counter(levels: &Levels, chip: &Chip, rule: &Counter) -> String {
    let is_high = |pin: u8| chip.wire(pin).filter(|&net| levels.level(net));
    let clock = chip.wire(rule.clock);
    let changed = name_changed(levels, chip.data.iter().copied());
    if let Some(clear) = rule.clear.and_then(is_high) {
        return format!("{} is on: it is 0", name(levels, clear));
    }
    if let Some(load) = rule.load.as_ref().and_then(|load| is_high(load.on)) {
        let what = if changed.is_empty() { "it stays loaded" } else { "it is loaded" };
        return format!("{} is on: {what}", name(levels, load));
    }
    match clock.filter(|&clock| levels.moved(clock)) {
        Some(clock) if changed.is_empty() => {
            format!("{} {}: it waits", name(levels, clock), verb(levels, clock))
        }
        Some(clock) => {
            format!("{} {}: it counts, {changed} moves", name(levels, clock), verb(levels, clock))
        }
        None => format!("waits for an edge of {}", clock.map_or("", |clock| name(levels, clock))),
    }
}

/// The reason why the phase counter, for example, shows 7 at T5.
fn explain_gray_code(levels: &Levels, chip: &Chip, rule: &Counter) -> String {
    let probe = &levels.board.probes().phase;
    if rule.code != Code::Gray || !probe.iter().all(|net| chip.data.contains(net)) {
        return String::new();
    }
    let code = levels.number(probe);
    let phase = Phase::from_code(code);
    format!("; {code} is {phase} in Gray code, where each step moves one wire")
}

fn explain_latch(levels: &Levels, chip: &Chip, rule: &Latch) -> String {
    let Some(enable) = chip.wire(rule.enable) else { return String::new() };
    let d = rule.d.pins().iter().filter_map(|&pin| chip.wire(pin));
    let d: Vec<NetId> = d.collect();
    let from = names(&levels.board, d.iter().copied());
    let strobe = name(levels, enable);
    let held: Vec<NetId> =
        rule.q.out.pins().iter().map(|&pin| chip.data[usize::from(pin)]).collect();
    let value = hex(levels, &held);
    match (levels.level(enable), levels.moved(enable)) {
        (true, true) => format!("{strobe} rose: opens to {from}"),
        (true, false) => format!("{strobe} is on: follows {from}"),
        (false, true) => format!("{strobe} fell: keeps {value}"),
        (false, false) if d.iter().any(|&net| levels.moved(net)) => {
            format!("{strobe} is off: keeps {value}, though {from} moves")
        }
        (false, false) => format!("{strobe} is off: keeps {value}"),
    }
}

/// The names of the active strobes.
fn explain_strobes(levels: &Levels, chip: &Chip) -> String {
    let nets = chip.data.iter().copied();
    let on = nets.filter(|net| levels.level(*net) != is_active_low(levels, *net));
    let on: Vec<&str> = on.map(|net| name(levels, net)).collect();
    if on.is_empty() { "no strobe is on".to_owned() } else { format!("on: {}", on.join(" ")) }
}

/// By convention, names of active-low wires begin with an n.
fn is_active_low(levels: &Levels, net: NetId) -> bool {
    levels.board.net(net).name().starts_with('n')
}

/// The reason for the outputs of a chip that drives its wires only at times.
fn explain_drive(levels: &Levels, chip: &Chip) -> String {
    let Some((select, on)) = chip.output.switch() else { return explain_table(levels, chip) };
    let is_high = levels.level(select);
    let level = if is_high { "high" } else { "low" };
    let what = if is_high == on { "it drives" } else { "it lets go of" };
    format!("{} is {level}: {what} {}", name(levels, select), name_data(levels, chip))
}

fn name_data(levels: &Levels, chip: &Chip) -> String {
    names(&levels.board, chip.data.iter().copied())
}

/// The reason for the outputs of a table: its inputs that changed.
fn explain_table(levels: &Levels, chip: &Chip) -> String {
    let inputs = name_changed(levels, chip.inputs().map(|(_, net)| net));
    let outputs = name_changed(levels, chip.data.iter().copied());
    match (inputs.is_empty(), outputs.is_empty()) {
        (true, _) => "its address is stable".to_owned(),
        (false, true) => format!("{inputs} moved: the same answer"),
        (false, false) => format!("{inputs} moved: another answer"),
    }
}

fn explain_memory(levels: &Levels, chip: &Chip) -> String {
    let Some(write) = chip.write_enable_low() else { return explain_drive(levels, chip) };
    let address: Vec<NetId> = (0..13).filter_map(|pin| chip.wire(pin)).collect();
    let address = levels.number(&address);
    let (byte, bus) = (levels.number(&chip.data), name_data(levels, chip));
    let strobe = name(levels, write);
    match (levels.level(write), levels.moved(write)) {
        (false, true) => format!("{strobe} fell: {address:04x} takes what {bus} carries"),
        (false, false) => format!("{strobe} is low: {address:04x} takes what {bus} carries"),
        (true, true) => format!("{strobe} rose: {address:04x} keeps {byte:02x}"),
        (true, false) => format!("{strobe} is high: shows {byte:02x}, the byte at {address:04x}"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use gray1_circuit::Noise;
    use gray1_isa::{Image, Op, RamAddr, RomIndex, Word};
    use gray1_sim::{Hardware, Setup};

    use super::*;
    use crate::tests::machines as testing;
    use crate::{Command, Program, WireDetail};

    /// A chip's reasons in each phase of a program's second instruction, T0 first.
    fn reasons(words: &[Word], chip: &str) -> Vec<String> {
        let image = Image::from_words(words).unwrap();
        let mut session = testing::session(Program::new("test".into(), image), true);
        session.command(Command::ShowWires(crate::WireDetail::Levels));
        session.command(Command::Step);
        let phases = (0..8).map(|_| {
            let levels = session.snapshot().levels.unwrap();
            session.command(Command::StepPhase);
            explain_chip(&levels, levels.board.chip_named(chip).unwrap())
        });
        phases.collect()
    }

    #[test]
    fn the_chips_of_a_store_explain_their_outputs() {
        let store = Word::data(Op::St, RamAddr::truncate(0x1234));
        let words = [Word::ldi(7), store];
        assert_eq!(
            reasons(&words, "IRH"),
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
        assert_eq!(reasons(&words, "CTRL")[5..], ["no strobe is on", "on: nWE", "no strobe is on"]);
        let memory = reasons(&words, "RAM");
        assert_eq!(memory[5], "nWE is high: shows 00, the byte at 1234");
        assert_eq!(memory[6], "nWE fell: 1234 takes what BUS carries");
        assert_eq!(memory[7], "nWE rose: 1234 keeps 07");
        let buffer = reasons(&words, "BUF");
        assert_eq!(buffer[5..7], ["nWE is high: it lets go of BUS", "nWE is low: it drives BUS"]);
        let alu = reasons(&words, "ALUL");
        assert_eq!(alu[6..8], ["BUS.0-2 moved: the same answer", "its address is stable"]);
        assert_eq!(reasons(&words, "PROG")[4], "PCL.0 moved: another answer");
    }

    #[test]
    fn on_the_timed_engine_glitches_are_counted() {
        let hardware = Hardware::Timed(Arc::new(gray1_roms::stock()), Noise::seeded(1));
        let setup = Setup { hardware, ..Setup::default() };
        let mut session = testing::session_on(setup, testing::program("queens"), true);
        session.command(Command::ShowWires(WireDetail::Levels));
        let mut glitches = 0;
        for _ in 0..64 {
            session.command(Command::StepPhase);
            let levels = session.snapshot().levels.unwrap();
            for id in levels.board.chip_ids() {
                let reason = explain_chip(&levels, id);
                for &net in &levels.board.chip(id).data {
                    let (name, count) = (levels.board.net(net).name(), levels.movements(net));
                    let is_reported = ["", "moved "]
                        .iter()
                        .any(|verb| reason.contains(&format!("{name} {verb}{count} times")));
                    assert_eq!(is_reported, count > 1, "{reason}: {name} {count}");
                    // After an even number of changes, a wire has its old level.
                    assert_eq!(levels.moved(net), count % 2 == 1, "{name} {count}");
                    glitches += u32::from(count > 1);
                }
            }
        }
        assert!(glitches > 0);
    }

    #[test]
    fn counters_name_the_wire_that_makes_them_count_or_load() {
        let jump = Word::jump(Op::Jmp, RomIndex::truncate(0x0155));
        let words = [Word::ldi(7), jump];
        let low = reasons(&words, "PCL");
        assert_eq!(low[1], "waits for an edge of PHASE.2");
        assert_eq!(low[4], "PHASE.2 rose: it counts, PCL.0 moves");
        assert_eq!(low[7], "PC_LOAD is on: it is loaded");
        assert_eq!(
            reasons(&words, "PHASE")[5],
            "OSC rose: it counts, PHASE.0 moves; 7 is T5 in Gray code, where each step moves one wire"
        );
        // After a jump, PC_LOAD is still on in T0.
        let after = reasons(&[Word::jump(Op::Jmp, RomIndex::truncate(1)), Word::ldi(7)], "PCL");
        assert_eq!(after[..2], ["PC_LOAD is on: it stays loaded", "waits for an edge of PHASE.2"]);
    }
}
