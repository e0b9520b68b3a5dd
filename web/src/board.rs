//! The contents of the board drawing, and the details of the selected chip.

use gray1_board::schematic::Schematic;
use gray1_board::{ChipId, PinUse, Source};
use gray1_session::board::{
    Hop, Lookup, collect_hops, contents, describe_action, describe_paths, drives, explain_chip,
    find_transfers, hex,
};
use gray1_session::instructions::describe_instruction;
use gray1_session::{Levels, Snapshot};

use crate::answer::{BoardReport, ChipDetails, ChipReport, LabelReport, Mark, PinReport};

/// Returns the contents of the drawing at this moment, and the details of the selected chip with
/// the part of its table that `view` selects.
pub(crate) fn board_report(
    snapshot: &Snapshot,
    chosen: Option<usize>,
    view: Option<usize>,
) -> Option<BoardReport> {
    let levels = snapshot.levels.as_ref()?;
    let board = &*levels.board;
    let schematic = Schematic::new(board, |point| point)?;
    let transfers = find_transfers(levels);
    let hops = collect_hops(&transfers);
    let moved = |nets: &[_]| nets.iter().any(|&net| levels.moved(net));
    let bundles = schematic.bundles.iter().map(|bundle| Mark {
        has_moved: moved(&bundle.nets),
        is_on_path: hops.contains(&Hop { from: bundle.from, to: bundle.to }),
    });
    let labels = schematic.labels.iter().map(|label| LabelReport {
        value: hex(levels, &label.nets),
        has_moved: moved(&label.nets),
    });
    let chips = board.chip_ids().map(|id| {
        let chip = board.chip(id);
        let is_on_path = hops.iter().any(|hop| hop.from == id || hop.to == id);
        ChipReport {
            name: chip.name().to_owned(),
            value: chip_value(levels, id),
            action: describe_action(levels, chip).0,
            mark: Mark { has_moved: moved(&chip.data), is_on_path },
        }
    });
    let chosen = chosen.and_then(|n| board.chip_ids().nth(n));
    Some(BoardReport {
        phase: snapshot.cpu.phase,
        present: snapshot.cpu.phase,
        instruction: describe_instruction(snapshot),
        sentence: board.phase_sentence(|net| levels.level(net)).to_owned(),
        tour: snapshot.tour.clone(),
        paths: describe_paths(board, &transfers, "→"),
        bundles: bundles.collect(),
        labels: labels.collect(),
        chips: chips.collect(),
        chosen: chosen.map(|id| chip_details(snapshot, levels, id, view)),
    })
}

/// Returns the levels on a chip's data pins, or the active strobes for the control table.
fn chip_value(levels: &Levels, id: ChipId) -> String {
    let chip = levels.board.chip(id);
    if chip.role().is_control() {
        return explain_chip(levels, id);
    }
    if !drives(levels, chip) {
        return "-".repeat(chip.data.len());
    }
    let bits = chip.data.iter().rev().map(|net| if levels.level(*net) { '1' } else { '0' });
    format!("{}  {}", bits.collect::<String>(), hex(levels, &chip.data))
}

fn chip_details(
    snapshot: &Snapshot,
    levels: &Levels,
    id: ChipId,
    view: Option<usize>,
) -> ChipDetails {
    let board = &*levels.board;
    let chip = board.chip(id);
    let pins = (1..).zip(&chip.part().pins).map(|(number, pin)| {
        let source = chip.source(&pin.usage);
        let (wire, level) = match source {
            Some(Source::Net(net)) => (board.net(net).name(), Some(levels.level(net))),
            Some(Source::Tied(true)) => ("+5V", Some(true)),
            Some(Source::Tied(false)) => ("0V", Some(false)),
            None if matches!(pin.usage, PinUse::Panel(..)) => ("panel", None),
            None => ("", None),
        };
        let has_moved = matches!(source, Some(Source::Net(net)) if levels.moved(net));
        PinReport { number, name: pin.name.clone(), wire: wire.to_owned(), level, has_moved }
    });
    ChipDetails {
        title: format!("{}, {}, {} ns", chip.name(), chip.part().name, chip.access_ns),
        purpose: chip.purpose().to_owned(),
        why: explain_chip(levels, id),
        pins: pins.collect(),
        lookup: Lookup::new(levels, chip, &contents(snapshot, levels, id), view),
        fixed: if id == board.program() {
            "Its bytes are the program. To change them, write a program."
        } else if chip.is_burned() {
            ""
        } else {
            "Its bytes are what the program stores, so they cannot be burned."
        },
    }
}

#[cfg(test)]
mod tests {
    use gray1_board::NetId;
    use gray1_session::{Command, WireDetail};
    use gray1_sim::EngineKind;

    use super::*;

    /// Checks a few instructions edge by edge. Labels must show the levels of the wires. Coloured
    /// parts must have changed or be on the path to a chip that receives a byte.
    #[test]
    fn the_drawing_shows_the_levels_of_the_wires() {
        let mut machine = crate::machine::tests::machine("queens", EngineKind::Instruction);
        machine.command(Command::ShowWires(WireDetail::Levels));
        let mut moved = 0;
        for _ in 0..8 * 50 {
            machine.command(Command::StepPhase);
            let snapshot = machine.session.snapshot();
            let levels = snapshot.levels.as_ref().unwrap();
            let schematic = Schematic::new(&levels.board, |point| point).unwrap();
            let report = board_report(&snapshot, Some(4), None).unwrap();
            assert_eq!(report.phase, snapshot.cpu.phase);
            let has_moved = |nets: &[NetId]| nets.iter().any(|net| levels.moved(*net));
            for (label, shown) in schematic.labels.iter().zip(&report.labels) {
                let value = u32::from_str_radix(&shown.value, 16).unwrap();
                assert_eq!(value, levels.number(&label.nets));
                assert_eq!(shown.has_moved, has_moved(&label.nets));
            }
            for (bundle, mark) in schematic.bundles.iter().zip(&report.bundles) {
                assert_eq!(mark.has_moved, has_moved(&bundle.nets));
            }
            for (chip, shown) in levels.board.chips().iter().zip(&report.chips) {
                assert_eq!(chip.name(), shown.name);
                let number = shown.value.rsplit("  ").next().unwrap();
                if !chip.output.is_on(|net| levels.level(net)) {
                    assert_eq!(shown.value, "-".repeat(8), "{}", shown.name);
                } else if !chip.role().is_control() {
                    let number = u32::from_str_radix(number, 16).unwrap();
                    assert_eq!(number, levels.number(&chip.data), "{}", shown.name);
                }
                assert_eq!(shown.mark.has_moved, has_moved(&chip.data), "{}", shown.name);
                moved += u32::from(shown.mark.has_moved);
            }
            let has_path = report.bundles.iter().any(|mark| mark.is_on_path);
            assert_eq!(has_path, !report.paths.is_empty());
            assert_eq!(has_path, report.chips.iter().any(|chip| chip.mark.is_on_path));
            // The program's EPROM reads the present cell.
            let lookup = report.chosen.unwrap().lookup.unwrap();
            let byte = &lookup.cells[lookup.present.unwrap()].text;
            assert!(report.chips[4].value.ends_with(byte), "{byte}");
        }
        assert!(moved > 1000);
    }

    /// Checks that each instruction's preview is a later phase in which a byte moves, and that the
    /// machine itself does not move.
    #[test]
    fn a_preview_shows_a_later_phase_and_does_not_move_the_machine() {
        for engine in [EngineKind::Instruction, EngineKind::Chips] {
            let mut machine = crate::machine::tests::machine("queens", engine);
            machine.command(Command::RunOrPause);
            machine.command(Command::ShowWires(WireDetail::Levels));
            let mut seen = std::collections::BTreeSet::new();
            for n in 0..150 {
                machine.command(Command::Step);
                let before = machine.session.progress();
                let now = machine.session.snapshot();
                let preview = machine.preview();
                assert_eq!(machine.session.progress(), before);
                let Some((phase, levels)) = preview else {
                    assert!(!find_transfers(now.levels.as_ref().unwrap()).is_empty(), "{n}");
                    continue;
                };
                seen.insert(phase);
                (0..phase).for_each(|_| machine.command(Command::StepPhase));
                assert_eq!(machine.preview().map(|_| ()), None);
                let then = machine.session.snapshot();
                assert_eq!(then.cpu.phase, phase);
                let [shown, come] =
                    [&levels, then.levels.as_ref().unwrap()].map(|it| find_transfers(it));
                assert_eq!(shown, come, "{n}");
                assert!(!shown.is_empty());
            }
            assert!(seen.into_iter().eq([5, 6, 7]));
        }
    }

    #[test]
    fn the_memory_chip_shows_its_pin_to_the_panel() {
        let mut machine = crate::machine::tests::machine("queens", EngineKind::Instruction);
        machine.command(Command::ShowWires(WireDetail::Levels));
        let snapshot = machine.session.snapshot();
        let memory = snapshot.levels.as_ref().unwrap().board.memory();
        let number = snapshot.levels.as_ref().unwrap().board.chip_ids().position(|id| id == memory);
        let pins = board_report(&snapshot, number, None).unwrap().chosen.unwrap().pins;
        let pin = pins.iter().find(|pin| pin.name == "O0R").unwrap();
        assert_eq!((pin.wire.as_str(), pin.level), ("panel", None));
    }
}
