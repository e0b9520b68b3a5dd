//! The front panel in Verilog. It powers up and resets the board, prints the bytes that the program
//! writes to the mailbox, shows the LEDs on request, and stops when the program jumps to itself.

use gray1_board::Board;
use gray1_board::phase::{Phase, RESET_PHASES};
use gray1_board::role::Code;
use gray1_isa::panel::LedColor;
use gray1_isa::{Op, RamAddr, panel};

/// Returns the test bench, the top module of the model. If a waveform is requested, it contains
/// `wires`.
pub(super) fn test_bench(board: &Board, wires: &[String]) -> String {
    let wires: Vec<String> = wires.chunks(6).map(|line| line.join(", ")).collect();
    let program = board.program_bytes().len().ilog2();
    let memory = board.chip(board.memory()).address.len();
    // The rows of a colour are eight consecutive bytes, starting at a multiple of eight.
    let rows = |first: RamAddr| format!("{}'h{:x}", memory - 3, first.get() >> 3);
    TEMPLATE
        .replace("{program_high}", &(program - 1).to_string())
        .replace("{memory_high}", &(memory - 1).to_string())
        .replace("{mailbox}", &format!("{memory}'h{:x}", panel::MAILBOX.get()))
        .replace("{green}", &rows(LedColor::Green.first()))
        .replace("{red}", &rows(LedColor::Red.first()))
        .replace("{phase_ns}", &(PHASE_NS + board.filters_ps().div_ceil(1000)).to_string())
        .replace("{wires}", &wires.join(",\n                "))
        .replace("{limit}", &LIMIT.to_string())
        .replace("{jump}", &format!("3'd{}", Op::Jmp.code()))
        .replace(
            "{index_code}",
            match board.code() {
                Code::Gray => "first[13:1]",
                Code::Binary => "first[13:1] ^ {1'b0, first[13:2]}",
            },
        )
        .replace("{t2}", &format!("{:03b}", Phase::T2.code()))
        .replace("{t4}", &format!("{:03b}", Phase::T4.code()))
        .replace("{left}", &(Phase::T4.edges_to_go() - 1).to_string())
        .replace("{reset_phases}", &RESET_PHASES.to_string())
        .replace("{title}", &board.title().escape_default().to_string())
}

/// The default number of instructions after which the test bench stops. Most programs end before
/// that.
const LIMIT: u32 = 10_000_000;

/// The length of a phase, excluding the delays of filters. Chips have no delay in the model.
const PHASE_NS: u64 = 100;

const TEMPLATE: &str = include_str!("test_bench.v");
