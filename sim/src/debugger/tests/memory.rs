//! However long a machine runs, its past takes a bounded amount of memory.

use super::super::inputs::INPUTS_MAX;
use super::super::printed::{BYTES_MAX, Printed};
use super::super::snapshots::{DISTANCE_MIN, SNAPSHOTS_MAX, Snapshot, Snapshots};
use super::super::walk::Position;
use super::*;
use crate::Saved;

/// What a snapshot of the machine takes beside itself: data memory, and the allocator's share.
const SAVED: usize = 8192 + 16;

#[test]
fn the_bounds_are_below_64_mebibytes() {
    let snapshots = SNAPSHOTS_MAX * (size_of::<Snapshot<Saved>>() + SAVED);
    assert!(snapshots < 34 << 20, "{snapshots}");
    assert_eq!((BYTES_MAX, INPUTS_MAX * size_of::<(u64, Input)>()), (8 << 20, 16 << 20));
    // A billion instructions, before snapshots are thinned out for the first time.
    assert!(SNAPSHOTS_MAX as u64 * DISTANCE_MIN > 1_000_000_000);
}

#[test]
fn snapshots_are_thinned_out_and_then_forgotten() {
    let at = |moment| Position { moment, ..Position::default() };
    let mut snapshots = Snapshots::new(Snapshot { at: at(0), saved: () }, SMALL);
    let mut starts = vec![0];
    for _ in 0..200 {
        let due = snapshots.next_due();
        let newest = snapshots.get(snapshots.len() - 1).at.moment;
        assert!(due > newest && due - newest <= SMALL.distance_max);
        snapshots.push(Snapshot { at: at(due), saved: () });
        assert!(snapshots.len() <= SMALL.snapshots_max);
        let moments = (0..snapshots.len()).map(|n| snapshots.get(n).at.moment);
        let moments: Vec<u64> = moments.collect();
        assert!(moments.windows(2).all(|pair| pair[0] < pair[1]), "{moments:?}");
        assert!(moments.windows(2).all(|pair| pair[1] - pair[0] <= SMALL.distance_max));
        starts.push(snapshots.start());
    }
    // With everything kept as long as that was possible.
    let first_forgotten = starts.iter().position(|start| *start > 0).unwrap();
    assert!(first_forgotten as u64 > SMALL.snapshots_max as u64);
}

#[test]
fn output_is_kept_up_to_its_bound() {
    let mut printed = Printed::default();
    let bytes = vec![b'x'; 1 << 18];
    for n in 0..100 {
        printed.push(n << 18, &bytes);
        assert!(printed.bytes() <= BYTES_MAX);
        assert_eq!(printed.end(), (n + 1) << 18);
    }
    assert!(printed.end() - printed.first() >= BYTES_MAX as u64 / 2);
    // What is known is passed over.
    printed.push(printed.end() - 2, b"xxy");
    assert_eq!(printed.range(printed.end() - 3, printed.end()), b"xxy");
    assert_eq!(printed.range(0, 5), b"");
}

#[test]
fn output_that_was_given_up_is_found_again() {
    // Prints 0, 1, 2 … without end: a byte in four instructions.
    let words = [
        Word::ldi(1),
        Word::data(Op::Add, RamAddr::truncate(0)),
        Word::data(Op::St, RamAddr::truncate(0)),
        Word::data(Op::St, panel::MAILBOX),
        Word::jump(Op::Jmp, RomIndex::default()),
    ];
    let mut history = History::new(Machine::new(&image(&words), PowerUp::Zero));
    history.advance(50_000_000);
    assert_eq!(history.all_output().0 + history.all_output().1.len() as u64, 10_000_000);
    assert!(history.bytes(SAVED) < 10 << 20);
    history.seek(5_000_000);
    assert!(history.all_output().0 > 1_000_000);
    let last = history.output(300);
    let expected: Vec<u8> = (1_000_000 - 300..1_000_000).map(|n: u32| (n + 1) as u8).collect();
    assert_eq!(last, expected);
}

#[test]
fn a_day_at_the_panel_fits() {
    let image =
        image(&[Word::data(Op::Ld, panel::BUTTONS), Word::jump(Op::Jmp, RomIndex::default())]);
    let mut history = History::new(Machine::new(&image, PowerUp::Zero));
    for n in 0..2_u64 << 20 {
        history.give(Input::Hold(Buttons(n as u8)));
        history.advance(1);
    }
    assert!(history.bytes(SAVED) < 17 << 20, "{}", history.bytes(SAVED));
    assert!(history.start() > 0);
    let (moment, now) = (history.moment(), history.machine().save());
    history.seek(moment - 100_000);
    history.seek(moment);
    assert_eq!(history.machine().save(), now);
}
