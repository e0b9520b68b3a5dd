//! However long a machine runs, its past takes a bounded amount of memory.

use super::super::checkpoints::{CHECKPOINTS_BYTES_MAX, Checkpoint, Checkpoints};
use super::super::inputs::INPUTS_MAX;
use super::super::printed::{BYTES_MAX, Printed};
use super::super::replay::Counts;
use super::*;

#[test]
fn the_bounds_are_below_64_mebibytes() {
    assert_eq!(CHECKPOINTS_BYTES_MAX, 34 << 20);
    assert_eq!((BYTES_MAX, INPUTS_MAX * size_of::<(u64, Input)>()), (8 << 20, 16 << 20));
    let limits = Limits::of(&Machine::new(&Image::erased(), PowerUp::Zero));
    // A billion instructions, before checkpoints are thinned out for the first time.
    assert!(limits.checkpoints_max as u64 * limits.distance_min > 1_000_000_000);
}

#[test]
fn checkpoints_are_thinned_out_and_then_forgotten() {
    let snapshot = Machine::new(&Image::erased(), PowerUp::Zero).save();
    let at = |moment| Checkpoint {
        counts: Counts { moment, ..Counts::default() },
        snapshot: snapshot.clone(),
    };
    let mut checkpoints = Checkpoints::new(at(0), SMALL);
    let mut starts = vec![0];
    for _ in 0..200 {
        let due = checkpoints.next_due();
        let newest = checkpoints.get(checkpoints.len() - 1).counts.moment;
        assert!(due > newest && due - newest <= SMALL.distance_max);
        checkpoints.push(at(due));
        assert!(checkpoints.len() <= SMALL.checkpoints_max);
        let moments = (0..checkpoints.len()).map(|n| checkpoints.get(n).counts.moment);
        let moments: Vec<u64> = moments.collect();
        assert!(moments.windows(2).all(|pair| pair[0] < pair[1]), "{moments:?}");
        assert!(moments.windows(2).all(|pair| pair[1] - pair[0] <= SMALL.distance_max));
        starts.push(checkpoints.start());
    }
    // With everything kept as long as that was possible.
    let first_forgotten = starts.iter().position(|start| *start > 0).unwrap();
    assert!(first_forgotten as u64 > SMALL.checkpoints_max as u64);
}

#[test]
fn output_is_kept_up_to_its_bound() {
    // The bound is no multiple of it.
    const SLICE: u64 = 300_000;
    let mut printed = Printed::default();
    let byte = |number: u64| (number % 251) as u8;
    let bytes = |first: u64, end: u64| (first..end).map(byte).collect::<Vec<u8>>();
    for n in 0..100 {
        printed.push(n * SLICE, &bytes(n * SLICE, (n + 1) * SLICE));
        assert!(printed.bytes() <= BYTES_MAX);
        assert_eq!(printed.end(), (n + 1) * SLICE);
        // Nothing is given up before it has to be.
        assert_eq!(printed.first() > 0, printed.end() > BYTES_MAX as u64);
    }
    let (first, end) = (printed.first(), printed.end());
    assert!(end - first >= BYTES_MAX as u64 / 2);
    assert!(*printed.range(0, end + 5) == bytes(first, end));
    assert_eq!(printed.range(end - 5, end - 3), bytes(end - 5, end - 3));
    assert_eq!(printed.range(0, 5), b"");
    // What is known is passed over.
    printed.push(end - 2, b"xxy");
    assert_eq!(printed.range(end - 1, end + 1), [byte(end - 1), b'y']);
    // What another future prints takes the place of what is forgotten.
    printed.cut(end - 2);
    printed.push(end - 2, b"z");
    assert_eq!((printed.range(end - 3, end), printed.end()), (&[byte(end - 3), b'z'][..], end - 1));
    printed.cut(first - 10);
    assert_eq!((printed.first(), printed.end()), (first - 10, first - 10));
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
    let mut history = history(&image(&words));
    history.advance(50_000_000);
    assert_eq!(history.all_output().0 + history.all_output().1.len() as u64, 10_000_000);
    assert!(history.bytes() < 10 << 20);
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
    let mut history = history(&image);
    for n in 0..2_u64 << 20 {
        history.give(Input::Hold(Buttons(n as u8)));
        history.advance(1);
    }
    assert!(history.bytes() < 17 << 20, "{}", history.bytes());
    assert!(history.start() > 0);
    let (moment, now) = (history.moment(), history.engine().save());
    history.seek(moment - 100_000);
    history.seek(moment);
    assert_eq!(history.engine().save(), now);
}
