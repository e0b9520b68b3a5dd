//! Checks the generated contents against values written by hand.

use super::*;
use crate::Board;
use crate::boards_for_tests::GRAY1;

fn board() -> Board {
    crate::boards_for_tests::board(GRAY1)
}

fn burned(board: &Board, name: &str) -> Vec<u8> {
    board.chip(board.chip_named(name).unwrap()).contents().to_vec()
}

/// Returns the names of the strobes that are on at an address of CTRL.
fn strobes(contents: &[u8], phase: u16, opcode: usize, carry: usize, reset: usize) -> Vec<&str> {
    let names = ["IRH_EN", "IRL_EN", "AM_EN", "CM_EN", "WE", "AS_EN", "PC_LOAD", "CLR"];
    let address = usize::from(gray::encode(phase)) | opcode << 3 | carry << 6 | reset << 7;
    // nWE is active low.
    let on = contents[address] ^ 0b0001_0000;
    names.into_iter().enumerate().filter(|(bit, _)| on >> bit & 1 == 1).map(|(_, n)| n).collect()
}

#[test]
fn the_strobes_are_right_in_every_phase() {
    // Opcodes: LDI LD ST ADD NAND SHR JC JMP. The last column is JC with C = 1.
    let t5: [&[&str]; 8] = [
        &["AM_EN"],
        &["AM_EN"],
        &[],
        &["AM_EN", "CM_EN"],
        &["AM_EN"],
        &["AM_EN", "CM_EN"],
        &[],
        &[],
    ];
    let ctrl = burned(&board(), "CTRL");
    for (opcode, t5) in t5.into_iter().enumerate() {
        for carry in 0..2 {
            let jumps = opcode == 7 || opcode == 6 && carry == 1;
            let writes = opcode == 2;
            let at = |phase| strobes(&ctrl, phase, opcode, carry, 0);
            assert_eq!(at(0), if jumps { vec!["PC_LOAD"] } else { vec![] });
            assert_eq!(at(1), [""; 0]);
            assert_eq!(at(2), ["IRH_EN"]);
            assert_eq!(at(3), [""; 0]);
            assert_eq!(at(4), ["IRL_EN"]);
            assert_eq!(at(5), t5);
            assert_eq!(at(6), if writes { vec!["WE"] } else { vec![] });
            let t7: &[&str] = if jumps { &["AS_EN", "PC_LOAD"] } else { &["AS_EN"] };
            assert_eq!(at(7), if writes { &[] } else { t7 });
            assert_eq!(strobes(&ctrl, 1, opcode, carry, 1), ["AS_EN", "CLR"]);
            for phase in [0, 2, 3, 4, 5, 6, 7] {
                assert_eq!(strobes(&ctrl, phase, opcode, carry, 1), at(phase));
            }
        }
    }
}

#[test]
fn the_phase_counts_in_gray_code_and_parks_at_t1_under_reset() {
    let phase = burned(&board(), "PHASE");
    let at = |q: usize, osc: usize, rst: usize| usize::from(phase[osc | rst << 1 | q << 2]);
    let walk = [0b000, 0b001, 0b011, 0b010, 0b110, 0b111, 0b101, 0b100];
    for (n, &q) in walk.iter().enumerate() {
        let next = walk[(n + 1) % 8];
        // OSC is low in T0, T2, T4, T6.
        let (stays, steps) = (n % 2, 1 - n % 2);
        assert_eq!(at(q, stays, 0), q);
        assert_eq!(at(q, steps, 0), next);
        assert_eq!(at(q, stays, 1), q);
        assert_eq!(at(q, steps, 1), if q == 0b001 { q } else { next });
    }
}

#[test]
fn counters_step_once_per_edge_and_load_and_clear() {
    let pcl = burned(&board(), "PCL");
    let at = |q: usize, t: usize, pch7: usize, clock: usize, load: usize, clear: usize| {
        usize::from(pcl[q | t << 8 | pch7 << 14 | clock << 15 | load << 16 | clear << 17])
    };
    let mut code = 0;
    for n in 0..256_usize {
        assert_eq!(code, n ^ n >> 1);
        assert_eq!(at(code, 0, 0, n % 2, 0, 0), code);
        code = at(code, 0, 0, 1 - n % 2, 0, 0);
    }
    assert_eq!(code, 0);
    // A jump to instruction 0x1abc: byte 0x3578 of the program, whose low byte has this code.
    let target = 0x1abc_usize;
    let (byte, operand) = (2 * target, target ^ target >> 1);
    let parity = (operand >> 6).count_ones() as usize % 2;
    let low = byte & 0xff;
    assert_eq!(at(0x5a, operand & 0x3f, parity, 1, 1, 0), low ^ low >> 1);
    assert_eq!(at(0x5a, operand & 0x3f, parity, 1, 1, 1), 0);
    let pch = burned(&board(), "PCH");
    let high = usize::from(pch[0x2a | (operand >> 6) << 7 | 1 << 15]);
    assert_eq!(high, (byte >> 7 ^ byte >> 8) & 0x7f | parity << 7);
}

#[test]
fn latches_follow_while_open_and_hold_while_closed() {
    let board = board();
    for name in ["IRH", "IRL", "AM", "AS"] {
        let latch = burned(&board, name);
        for d in 0..256_usize {
            for q in 0..256_usize {
                assert_eq!(usize::from(latch[d | q << 8]), q);
                assert_eq!(usize::from(latch[d | q << 8 | 1 << 16]), d);
            }
        }
    }
    let flags = burned(&board, "FLAGS");
    // Address: carry in, CM_EN, AS_EN, master, slave. The slave latch copies the master's output,
    // which is fed back to an address pin.
    assert_eq!(flags[0b0_0011], 0b01);
    assert_eq!(flags[0b0_1100], 0b11);
    assert_eq!(flags[0b0_1111], 0b11);
    assert_eq!(flags[0b1_0000], 0b10);
}

#[test]
fn the_two_halves_compute_every_operation() {
    let board = board();
    let (low, high) = (burned(&board, "ALUL"), burned(&board, "ALUH"));
    for op in Op::ALL {
        for a in 0..=u8::MAX {
            for m in 0..=u8::MAX {
                // The low byte of the operand differs from A and from the data, so that a mix-up
                // would show.
                let (n, code) = (m.rotate_left(3) ^ a, usize::from(op.code()) << 12);
                let nibbles = |a: u8, m: u8, n: u8| {
                    usize::from(a & 15) | usize::from(m & 15) << 4 | usize::from(n & 15) << 8
                };
                let l = low[nibbles(a, m, n) | code | usize::from(a >> 4 & 1) << 16];
                let h = high[nibbles(a >> 4, m >> 4, n >> 4) | code | usize::from(l >> 4) << 15];
                let alu = op.alu(a, m, n);
                assert_eq!((h & 15) << 4 | l & 15, alu.value, "{op} {a:02x} {m:02x} {n:02x}");
                assert_eq!(h >> 4 == 1, alu.carry, "{op} {a:02x} {m:02x} {n:02x}");
            }
        }
    }
}

#[test]
fn unused_data_pins_hold_0_and_unreachable_addresses_hold_ff() {
    let board = board();
    assert!(burned(&board, "CTRL")[256..].iter().all(|&byte| byte == 0xff));
    assert!(burned(&board, "BUF")[256..].iter().all(|&byte| byte == 0xff));
    assert!((0..256).all(|a| burned(&board, "BUF")[a] == a as u8));
    assert!(burned(&board, "FLAGS").iter().all(|byte| byte >> 2 == 0));
    let alul = burned(&board, "ALUL");
    assert!(alul.iter().enumerate().all(|(a, &byte)| match a >> 15 & 1 {
        0 => byte >> 5 == 0,
        _ => byte == 0xff,
    }));
}

#[test]
fn a_program_is_burned_in_the_counting_order() {
    let words: Vec<_> = (0..8192).map(gray1_isa::Word::from_bits).collect();
    let image = Image::from_words(&words).unwrap();
    let gray = encode_program(Code::Gray, &image);
    let binary = encode_program(Code::Binary, &image);
    assert_eq!(gray, *image.to_eprom());
    for place in 0..ROM_BYTES {
        let byte = (place / 2).to_be_bytes()[6 + place % 2];
        assert_eq!(binary[place], byte);
        assert_eq!(gray[place ^ place >> 1], byte);
    }
}
