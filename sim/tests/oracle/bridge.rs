//! Converts boards of the simulator to the data that the oracle uses.

use gray1_board::{Board, Output, Source};
use gray1_circuit::Circuit;

use super::oracle::{self, Oracle};

/// Converts the chips, contents and wires of a board.
pub(crate) fn convert_board(board: &Board) -> oracle::Board {
    let chips = board.chips().iter().map(|chip| {
        let source = |source: &Source| match *source {
            Source::Tied(level) => oracle::Source::Tied(level),
            Source::Net(net) => oracle::Source::Wire(net.index()),
        };
        // A data pin without a wire drives nothing.
        let wired = wired(chip.data.len());
        let contents = || chip.contents().iter().map(|byte| byte & wired).collect();
        oracle::Chip {
            address: chip.address.iter().map(source).collect(),
            data: chip.data.iter().map(|net| net.index()).collect(),
            enable: match chip.output {
                Output::Always => None,
                Output::WhileLow(net) => Some((net.index(), false)),
                Output::WhileHigh(net) => Some((net.index(), true)),
            },
            contents: chip.write_enable_low().is_none().then(contents),
        }
    });
    let (oscillator, reset) = (board.oscillator().index(), board.reset().index());
    oracle::Board { chips: chips.collect(), oscillator, reset }
}

/// Creates an oracle in the same state as a circuit.
pub(crate) fn oracle_like<'a>(
    circuit: &dyn Circuit,
    board: &'a oracle::Board,
    seed: u64,
) -> Oracle<'a> {
    let chips = circuit.board().chip_ids().zip(&board.chips);
    let shown = chips.map(|(id, chip)| circuit.shown(id) & wired(chip.data.len()));
    Oracle {
        wires: circuit.levels(),
        shown: shown.collect(),
        memory: circuit.memory().to_vec(),
        stored: Vec::new(),
        board,
        seed,
    }
}

/// Returns a mask of the low `pins` bits.
fn wired(pins: usize) -> u8 {
    u8::MAX >> (8 - pins)
}

/// Panics unless all wires and all bytes of data memory are the same in the circuit and in the
/// oracle.
pub(crate) fn assert_same_state(circuit: &dyn Circuit, oracle: &Oracle<'_>, moment: &str) {
    let nets = circuit.board().nets().iter().zip(circuit.levels().into_iter().zip(&oracle.wires));
    let differing = nets.filter(|(_, (level, expected))| level != *expected);
    let names: Vec<&str> = differing.map(|(net, _)| net.name()).collect();
    assert!(names.is_empty(), "{names:?} differ {moment}");
    assert!(circuit.memory()[..] == oracle.memory, "data memory differs {moment}");
}
