//! Checks that the memory for the past stays bounded, however long a machine runs.

use super::super::checkpoints::{CHECKPOINTS_BYTES_MAX, Checkpoint, Checkpoints};
use super::super::inputs::{INPUT_BYTES, INPUTS_MAX};
use super::super::printed::BYTES_MAX;
use super::super::replay::Totals;
use super::*;

#[test]
fn the_past_takes_less_than_64_mebibytes() {
    assert_eq!(CHECKPOINTS_BYTES_MAX, 34 << 20);
    assert_eq!((BYTES_MAX, INPUTS_MAX * INPUT_BYTES), (8 << 20, 12 << 20));
    let limits = HistoryLimits::from_engine(&Machine::new(&Image::erased(), PowerUp::Zero));
    // The first checkpoints are removed only after a billion instructions.
    assert!(limits.checkpoints_max as u64 * limits.distance_min > 1_000_000_000);
}

fn checkpoint(moment: u64) -> Checkpoint {
    let snapshot = Machine::new(&Image::erased(), PowerUp::Zero).save();
    Checkpoint { totals: Totals { moment, ..Totals::default() }, pc: RomIndex::default(), snapshot }
}

fn moments(checkpoints: &Checkpoints) -> Vec<u64> {
    (0..checkpoints.len()).map(|n| checkpoints.get(n).moment()).collect()
}

#[test]
fn a_checkpoint_takes_little_more_than_data_memory() {
    let one = Checkpoints::new(checkpoint(0), SMALL).bytes();
    assert!(one > size_of::<Totals>() + checkpoint(0).snapshot.bytes() && one < 8192 + 256);
    let limits = HistoryLimits::from_engine(&Machine::new(&Image::erased(), PowerUp::Zero));
    assert_eq!(limits.checkpoints_max, CHECKPOINTS_BYTES_MAX / one);
    assert_eq!((limits.distance_min, limits.distance_max), (1 << 18, 1 << 21));
    let mut two = Checkpoints::new(checkpoint(0), SMALL);
    two.push(checkpoint(4));
    assert_eq!(two.bytes(), 2 * one);
}

/// At most six checkpoints are kept. Their distance grows from 4 to 32. From then on, room is made
/// by removing older checkpoints, but never the first one.
#[test]
fn older_checkpoints_become_sparser() {
    let mut checkpoints = Checkpoints::new(checkpoint(0), SMALL);
    for expected in [
        &[0, 4][..],
        &[0, 4, 8],
        &[0, 4, 8, 12],
        &[0, 4, 8, 12, 16],
        &[0, 4, 8, 12, 16, 20],
        &[0, 8, 16, 24],
        &[0, 8, 16, 24, 32],
        &[0, 8, 16, 24, 32, 40],
        &[0, 16, 32, 48],
        &[0, 16, 32, 48, 64],
        &[0, 16, 32, 48, 64, 80],
        &[0, 32, 64, 96],
        &[0, 32, 64, 96, 128],
        &[0, 32, 64, 96, 128, 160],
        &[0, 128, 160, 192],
        &[0, 128, 160, 192, 224],
        &[0, 128, 160, 192, 224, 256],
        &[0, 256, 288],
    ] {
        checkpoints.push(checkpoint(checkpoints.next_due(0)));
        assert_eq!(moments(&checkpoints), expected);
        assert_eq!(checkpoints.start(), 0);
    }
    // After a cut between two checkpoints, the next one is due at the same moment as before.
    checkpoints.cut(270);
    assert_eq!((moments(&checkpoints), checkpoints.next_due(0)), (vec![0, 256], 288));
}

/// The distance between checkpoints is small compared to their age, however many have been made.
/// `distance_max` is 1 instruction here, and two million on the instruction engine.
#[test]
fn the_distance_between_checkpoints_is_small_compared_to_their_age() {
    let limits =
        HistoryLimits { checkpoints_max: 256, distance_min: 1, distance_max: 1, inputs_max: 8 };
    let mut checkpoints = Checkpoints::new(checkpoint(0), limits);
    let one = checkpoint(0);
    for moment in 1..=300_000 {
        let totals = Totals { moment, ..Totals::default() };
        checkpoints.push(Checkpoint { totals, ..one.clone() });
        if moment % 997 == 0 {
            let moments = moments(&checkpoints);
            assert!(moments.len() <= limits.checkpoints_max && moments[0] == 0);
            for pair in moments.windows(2) {
                let (gap, age) = (pair[1] - pair[0], moment - pair[0]);
                assert!(gap <= (age / 4).max(1), "{gap} at the age of {age}, at {moment}");
            }
        }
    }
    // Doubling the age once for each time that checkpoints can be thinned out allows more than
    // 10^15 instructions.
    let limits = HistoryLimits::from_engine(&Machine::new(&Image::erased(), PowerUp::Zero));
    let dense = limits.checkpoints_max as u64 / 32 * limits.distance_max;
    assert!(dense << 31 > 1_000_000_000_000_000);
}

#[test]
fn checkpoints_are_dropped_before_or_after_a_moment() {
    let checkpoints = || {
        let mut checkpoints = Checkpoints::new(checkpoint(0), SMALL);
        for moment in [4, 8, 12] {
            checkpoints.push(checkpoint(moment));
        }
        checkpoints
    };
    for (moment, before, after) in [
        (0, &[0][..], &[0, 4, 8, 12][..]),
        (4, &[0, 4], &[4, 8, 12]),
        (7, &[0, 4], &[8, 12]),
        (12, &[0, 4, 8, 12], &[12]),
        // The newest one stays, because the machine needs it to reach the present.
        (13, &[0, 4, 8, 12], &[12]),
    ] {
        let [mut cut, mut forgotten] = [(); 2].map(|()| checkpoints());
        cut.cut(moment);
        assert_eq!(moments(&cut), before, "up to {moment}");
        forgotten.forget_before(moment);
        assert_eq!(moments(&forgotten), after, "from {moment} on");
    }
}

/// A history that can hold eight inputs gets nine. It forgets the older half of the inputs, and the
/// part of the history in which they were given.
#[test]
fn old_inputs_are_forgotten_with_their_part_of_the_history() {
    let image =
        image(&[Word::data(Op::Ld, RamAddr::default()), Word::jump(Op::Jmp, RomIndex::default())]);
    let machine = Machine::new(&image, PowerUp::Zero);
    let mut history = History::with_limits(Box::new(machine.clone()), SMALL);
    for n in 1..=8_u8 {
        history.advance(10);
        history.give(Input::Hold(Buttons(n)));
    }
    assert_eq!((history.start(), history.moment()), (0, 80));
    history.give(Input::Reset);
    // The fifth input came at 50. The history now begins at the next checkpoint after that.
    assert_eq!((history.start(), history.given().len()), (64, 3));
    history.seek(0);
    assert_eq!((history.moment(), history.engine().ram()[0x1ffe]), (64, 6));
    // If there is a checkpoint at the moment of the fifth input, half of the inputs stay.
    let mut history = History::with_limits(Box::new(machine.clone()), SMALL);
    for moment in [2, 4, 6, 7, 8, 9, 10, 11] {
        history.advance(moment - history.moment());
        history.give(Input::Hold(Buttons(1)));
    }
    history.give(Input::Reset);
    assert_eq!((history.start(), history.given().len()), (8, 5));
    // If all inputs are at the same moment, half of them cannot be kept.
    let mut history = History::with_limits(Box::new(machine), SMALL);
    history.advance(10);
    (0..9).for_each(|n| history.give(Input::Poke(RamAddr::truncate(n), 1)));
    assert_eq!((history.start(), history.given().len()), (10, 1));
    assert_eq!(history.engine().ram()[..10], [1, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
}

#[test]
fn output_that_is_no_longer_stored_is_recomputed() {
    // The program prints 0, 1, 2 ... forever, one byte in four instructions.
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
    // It returns only as much as it can quickly recompute: the bytes after the checkpoint at 3 *
    // 2^18.
    assert_eq!(history.output(u64::MAX).len(), 1_000_000 - (3 << 18) / 5);
}

#[test]
fn the_presses_of_a_day_fit_in_memory() {
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
