//! Checks that execution counts equal a count of single steps, on every engine and in whatever
//! order the moments were visited.

use gray1_isa::address::ROM_WORDS;

use super::engines::{LIMITS, engines, program};
use super::*;

/// The inputs at the panel, with their moments.
const INPUTS: [(u64, Input); 2] = [(40, Input::Hold(Buttons(0x55))), (70, Input::Reset)];
const INSTRUCTIONS: u64 = 120;
/// The number of instructions that are counted in a slice.
const SLICE: u64 = 7;

/// Returns the indexes of the instructions that an engine executes, in order.
fn executed(mut machine: Box<dyn Engine>) -> Vec<RomIndex> {
    let executed = (0..INSTRUCTIONS).map(|moment| {
        match INPUTS.iter().find(|(at, _)| *at == moment) {
            Some((_, Input::Reset)) => machine.reset(),
            Some((_, Input::Hold(buttons))) => machine.hold(*buttons),
            _ => {}
        }
        machine.step().unwrap().index
    });
    executed.collect()
}

#[test]
fn execution_counts_equal_a_count_of_single_steps() {
    for engine in engines(&program(), 3) {
        let executed = executed(engine.clone());
        let mut history = History::with_limits(engine, LIMITS);
        for (moment, input) in INPUTS {
            history.advance(moment - history.moment());
            history.give(input);
        }
        history.advance(INSTRUCTIONS - history.moment());
        let mut counting = ExecutionCounter::new(&history);
        for present in [45, INSTRUCTIONS, 45, 10, 71] {
            history.seek(present);
            let from = if counting.moment() > present { 0 } else { counting.moment() };
            for slice in 1..=present.div_ceil(SLICE) {
                counting.advance(&history, SLICE);
                assert_eq!(counting.moment(), present.min(from + slice * SLICE));
            }
            let mut counts = vec![0; ROM_WORDS];
            for index in &executed[..present as usize] {
                counts[index.to_usize()] += 1;
            }
            assert!(counting.by_index() == counts, "up to {present}");
        }
    }
}
