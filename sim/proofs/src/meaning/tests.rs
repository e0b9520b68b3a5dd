//! Tests that the bench of proof 5 detects faults, and that it agrees with the reference model in
//! `sim/tests` on a sample of the cases.

#[path = "../../../tests/oracle/bridge.rs"]
mod bridge;
#[path = "../../../tests/oracle/mod.rs"]
#[expect(dead_code, reason = "a case has no reset, and no byte from the panel")]
mod oracle;

use gray1_isa::SplitMix64;
use gray1_roms::{GRAY1, load};

use super::*;
use crate::tests::rewired;
use bridge::{assert_same_state, convert_board, oracle_like};

#[test]
fn a_write_that_changes_another_byte_is_detected() {
    let board = load(GRAY1).unwrap();
    let mut progress = |_| ();
    let mut bench = Bench::new(&board, &mut progress).unwrap();
    let mut expected = [0; RAM_BYTES];
    *bench.circuit.memory_mut() = expected;
    (bench.circuit.memory_mut()[3], expected[3]) = (7, 7);
    assert_eq!(bench.compare_memory(&expected, 3), Ok(()));
    bench.circuit.memory_mut()[0x1005] = 7;
    assert_eq!(
        bench.compare_memory(&expected, 3).unwrap_err().to_string(),
        "data memory takes A at the address of ST, and nothing else\n  \
         the address of another byte that has changed is 0x1005 afterwards, expected 0x3"
    );
}

/// Executes some of the cases on the bench and on the reference model, up to the first that fails.
/// Returns the number of cases in which both settled.
fn compare_with_oracle(board: &Board) -> u32 {
    let mut progress = |_| ();
    let Ok(mut bench) = Bench::new(board, &mut progress) else { return 0 };
    let mut converted = convert_board(&board.with_program(&numbered_program()));
    let mut compared = 0;
    for case in instructions::arithmetic().chain(instructions::stale_words()).step_by(2003) {
        let program = converted.chips[board.program().index()].contents.as_mut().unwrap();
        program[..2].copy_from_slice(&case.word.bits().to_be_bytes());
        bench.prepare(case);
        let mut oracle = oracle_like(&bench.circuit, &converted, compared.into());
        let settles = (0..Phase::COUNT).try_for_each(|_| oracle.edge()).is_ok();
        let outcome = bench.execute(case);
        let settled = !outcome.as_ref().is_err_and(|counterexample| counterexample.law == SETTLES);
        if settles && settled {
            assert_same_state(&bench.circuit, &oracle, &format!("after {:?}", case.word));
            compared += 1;
        }
        if outcome.is_err() {
            break;
        }
    }
    compared
}

/// The prover shares wiring, plans and sensitivity lists with the settled circuit, but not with the
/// reference model.
#[test]
fn an_independent_oracle_executes_the_cases_alike() {
    let (stock, random) = (load(GRAY1).unwrap(), &mut SplitMix64::new(1));
    for board in [stock.clone(), rewired::rewired()] {
        assert!(compare_with_oracle(&board) > 600);
    }
    let mut compared = 0;
    for name in ["CTRL", "PCH", "PCL", "IRH", "IRL", "ALUL", "ALUH", "AM", "AS", "FLAGS", "BUF"] {
        let chip = stock.chip_named(name).unwrap();
        for _ in 0..3 {
            let address = random.below(stock.chip(chip).part().bytes() as u64) as usize;
            let bits = 1 << random.below(stock.chip(chip).data.len() as u64);
            compared += compare_with_oracle(&stock.with_wrong_bits(chip, address, bits));
        }
    }
    assert!(compared > 2000, "{compared}");
}
