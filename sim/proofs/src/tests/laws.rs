//! Breaks each law of the proofs on purpose, and checks which proof fails first and how it explains
//! the fault.

use gray1_board::Board;
use gray1_board::phase::Phase;
use gray1_isa::{Op, gray};
use gray1_roms::{GRAY1, load};

use super::first_failure;

/// The data pins of the control table, low bit first.
const STROBES: [&str; 8] = ["IRH_EN", "IRL_EN", "AM_EN", "CM_EN", "nWE", "AS_EN", "PC_LOAD", "CLR"];

/// The inputs of the control table.
#[derive(Clone, Copy)]
pub(crate) struct Inputs {
    pub(crate) phase: Phase,
    pub(crate) op: Op,
    pub(crate) carry: bool,
    reset: bool,
}

/// Returns the board with some bytes of a chip replaced. `change` gets the address and the correct
/// byte.
fn burned(stock: &Board, name: &str, change: impl Fn(u32, u8) -> u8) -> Board {
    let chip = stock.chip_named(name).unwrap();
    let bytes = (0..).zip(stock.chip(chip).contents());
    let contents = bytes.map(|(address, &byte)| change(address, byte)).collect();
    stock.with_contents(chip, contents).unwrap()
}

/// Returns the board with one wrong byte.
fn wrong(name: &str, at: u32, byte: u8) -> Board {
    burned(&load(GRAY1).unwrap(), name, |address, right| if address == at { byte } else { right })
}

/// A strobe, its changed level, and the condition for the change.
pub(crate) type Command = (&'static str, bool, fn(Inputs) -> bool);

/// Returns the board with changed strobes.
pub(crate) fn with_strobes(changes: &[Command]) -> Board {
    burned(&load(GRAY1).unwrap(), "CTRL", |address, byte| {
        let now = Inputs {
            phase: Phase::from_code(address & 7),
            op: Op::from_code((address >> 3 & 7) as u8),
            carry: address >> 6 & 1 == 1,
            reset: address >> 7 & 1 == 1,
        };
        changes.iter().filter(|(.., when)| when(now)).fold(byte, |byte, (strobe, level, _)| {
            let bit = STROBES.iter().position(|name| name == strobe).unwrap();
            byte & !(1 << bit) | u8::from(*level) << bit
        })
    })
}

/// Returns the code before this one in the Gray cycle of a byte.
fn code_before(code: u8) -> u8 {
    let number = gray::decode(code.into()) as u8;
    gray::encode(number.wrapping_sub(1).into()) as u8
}

/// Checks, for each board, the first proof that fails and its explanation.
fn check<const N: usize>(boards: [(Board, u8, &str); N]) {
    for (board, number, explanation) in boards {
        let found = first_failure(&board).map(|(number, found)| (number, found.to_string()));
        assert_eq!(found, Some((number, explanation.to_owned())));
    }
}

/// PCL's address has eight bits of the count and seven bits to load. Bit 15 is the clock, bit 16 is
/// `PC_LOAD`, and bit 17 is `CLR`. The address bits of PCH: seven of the count, seven to load, then
/// the same three signals in bits 14, 15 and 16. The address bits of PHASE: the clock, reset, and
/// three bits of the count.
#[test]
#[expect(clippy::unusual_byte_groupings, reason = "a group of bits is a part of the address")]
fn counters_that_count_wrong_fail_proof_1() {
    let stock = load(GRAY1).unwrap();
    let counts_back = burned(&stock, "PCL", |address, byte| match address & 0x3_7f00 {
        // Only the lowest of the wires to load is high.
        0x100 if byte != address as u8 => code_before(address as u8),
        _ => byte,
    });
    let walks_in_fours = burned(&stock, "PCH", |address, byte| {
        let (count, is_counting) = (address & 0x7f, address >> 15 == 0);
        let steps = is_counting && u32::from(byte & 0x7f) != count;
        // The order is 0, 1, 3, 2 and back to 0, for any levels of the higher wires.
        let low = [1, 3, 0, 2][(count & 3) as usize];
        if steps { byte & 0x80 | (count & 0x7c) as u8 | low } else { byte }
    });
    check([
        (
            wrong("PCL", 0, 0x01),
            1,
            "a counter does not change while its clock does not\n  \
            PCL shows 01 at address 0x0\n  \
            PCL shows 03 at address 0x1",
        ),
        (
            wrong("PCL", 0x8000, 0x00),
            1,
            "a counter steps once on each edge of its clock\n  \
            PCL shows 00 at address 0x0\n  \
            PCL shows 00 at address 0x8000",
        ),
        (
            counts_back,
            1,
            "a counter that only counts depends only on its count and its clock\n  \
            PCL shows 03 at address 0x1\n  \
            PCL shows 00 at address 0x101",
        ),
        (
            walks_in_fours,
            1,
            "a counter walks through all its codes\n  \
            PCH is back at 0 after 4 steps",
        ),
        (
            wrong("PHASE", 0b001_0_1, 0b011),
            1,
            "the phase comes to rest in one step\n  \
            from the state 0x1e7 of oscillator, reset and phase it moves twice",
        ),
    ]);
}

#[test]
#[expect(clippy::unusual_byte_groupings, reason = "a group of bits is a part of the address")]
fn counters_that_load_clear_or_park_wrong_fail_proof_1() {
    let stock = load(GRAY1).unwrap();
    let loads_the_other_byte =
        burned(&stock, "PCL", |address, byte| byte ^ u8::from(address >> 16 == 1));
    check([
        (
            wrong("PCL", 0x1_0001, 0x01),
            1,
            "the loaded value depends on neither count nor clock\n  \
            PCL shows 00 at address 0x10000\n  \
            PCL shows 01 at address 0x10001",
        ),
        (
            wrong("PCL", 0x2_0001, 0x04),
            1,
            "clearing depends on nothing\n  \
            PCL shows 00 at address 0x20000\n  \
            PCL shows 04 at address 0x20001",
        ),
        (
            wrong("PHASE", 0b110_1_1, 0b110),
            1,
            "a waiting counter counts to its parking position and stays there\n  \
            PHASE shows 07 at address 0x19\n  \
            PHASE shows 06 at address 0x1b",
        ),
        (
            wrong("PCH", 0x1, 0x83),
            1,
            "an output outside the count does not depend on count, clock, load or clear\n  \
            PCH shows 00 at address 0x0\n  \
            PCH shows 83 at address 0x1",
        ),
        (
            loads_the_other_byte,
            1,
            "nothing moves when loading or clearing ends\n  \
            T0 -> T1: the oscillator changes, IRH.5 = 1, IRH.6 = 1, IRH.7 = 1, FLAGS.1 = 0\n  \
            PCL shows 03 at address 0x1, expected 01",
        ),
    ]);
}

/// The address bits of IRH and AM are D, Q and enable. Those of FLAGS are the carry of the sum, the
/// two enables, and both outputs fed back.
#[test]
#[expect(clippy::unusual_byte_groupings, reason = "a group of bits is a part of the address")]
fn latches_that_do_not_hold_or_follow_fail_proof_2() {
    check([
        (
            wrong("IRH", 0x0_0001, 0x01),
            2,
            "a closed latch keeps its value whatever its input does\n  \
            IRH shows 01 at address 0x1, expected 00",
        ),
        (
            wrong("AM", 0x1_0102, 0x03),
            2,
            "an open latch follows its input whatever it held\n  \
            AM shows 03 at address 0x10102, expected 02",
        ),
        (
            wrong("FLAGS", 0b01_0_1_1, 0b00),
            2,
            "an open latch follows its input whatever it held\n  \
            FLAGS shows 00 at address 0xb, expected 01",
        ),
    ]);
}

#[test]
fn strobes_that_glitch_or_move_twice_fail_proof_3() {
    check([
        (
            with_strobes(&[("IRH_EN", false, |now| now.phase == Phase::T2 && now.op == Op::Ld)]),
            3,
            "a strobe that is the same before and after a step does not glitch\n  \
            T1 -> T2: the oscillator changes, IRH.5 = 0, IRH.6 = 0, IRH.7 = 0, FLAGS.1 = 0\n  \
            PHASE.1 rises\n  \
            CTRL shows 11 at address 0x3\n  \
            IRH_EN is high for a moment, though it is low before and after\n  \
            IRH reads IRH_EN",
        ),
        // In T2 nothing is written yet, and in T3 only for LD. But in the change from LDI to ADD,
        // the phase and the lowest wire of the opcode may change first.
        (
            with_strobes(&[("nWE", false, |now| now.phase == Phase::T3 && now.op == Op::Ld)]),
            3,
            "a strobe that is the same before and after a step does not glitch\n  \
            T2 -> T3: the oscillator changes, IRH.5 = 0, IRH.6 = 0, IRH.7 = 0, FLAGS.1 = 0\n  \
            PHASE.0 falls\n  \
            IRH.5 rises\n  \
            CTRL shows 00 at address 0xa\n  \
            nWE is low for a moment, though it is high before and after\n  \
            RAM reads nWE\n  \
            the shared wires reads nWE",
        ),
        // The same for the change from LDI to JMP, through SHR.
        (
            with_strobes(&[("AS_EN", true, |now| now.phase == Phase::T3 && now.op == Op::Shr)]),
            3,
            "a strobe that is the same before and after a step does not glitch\n  \
            T2 -> T3: the oscillator changes, IRH.5 = 0, IRH.6 = 0, IRH.7 = 0, FLAGS.1 = 0\n  \
            PHASE.0 falls\n  \
            IRH.5 rises\n  \
            IRH.7 rises\n  \
            CTRL shows 30 at address 0x2a\n  \
            AS_EN is high for a moment, though it is low before and after\n  \
            AS reads AS_EN\n  \
            FLAGS reads AS_EN",
        ),
        (
            with_strobes(&[("PC_LOAD", true, |now| {
                now.phase == Phase::T7 && now.op == Op::Add && now.carry
            })]),
            3,
            "the strobes of a step do not depend on what the step moves\n  \
            T6 -> T7: the oscillator changes, IRH.5 = 1, IRH.6 = 1, IRH.7 = 0, FLAGS.1 = 0\n  \
            FLAGS.1 rises",
        ),
    ]);
}

#[test]
fn writes_with_a_changing_address_or_value_fail_proof_3() {
    check([
        (
            with_strobes(&[("nWE", false, |now| now.phase == Phase::T4 && now.op == Op::St)]),
            3,
            "the write address does not move while data memory is written\n  \
            T3 -> T4: the oscillator changes, IRH.5 = 0, IRH.6 = 1, IRH.7 = 0, FLAGS.1 = 0\n  \
            IRL.0 can move\n  \
            nWE is low in this step",
        ),
        // In the step in which IRL closes.
        (
            with_strobes(&[
                ("nWE", false, |now| now.phase == Phase::T5 && now.op == Op::St),
                ("nWE", true, |now| now.phase == Phase::T6 && now.op == Op::St),
            ]),
            3,
            "no latch of a write address closes in the step in which the write begins\n  \
            T4 -> T5: the oscillator changes, IRH.5 = 0, IRH.6 = 1, IRH.7 = 0, FLAGS.1 = 0\n  \
            IRL_EN closes IRL in the same step\n  \
            nWE begins a write in this step",
        ),
        (
            with_strobes(&[("AS_EN", true, |now| now.phase == Phase::T7 && now.op == Op::St)]),
            3,
            "the inputs of a chip do not move in the step in which its enable ends\n  \
            T6 -> T7: the oscillator changes, IRH.5 = 0, IRH.6 = 1, IRH.7 = 0, FLAGS.1 = 0\n  \
            AS.0 can move\n  \
            nWE closes RAM in the same step\n  \
            RAM takes either",
        ),
    ]);
}

#[test]
fn strobes_at_the_wrong_time_fail_proof_3() {
    check([
        (
            with_strobes(&[("IRL_EN", true, |now| {
                now.phase >= Phase::T4 && now.op == Op::Nand && !now.carry
            })]),
            3,
            "the inputs of a chip do not move in the step in which its enable ends\n  \
            T7 -> T0: the oscillator changes, IRH.5 = 0, IRH.6 = 0, IRH.7 = 1, FLAGS.1 = 0\n  \
            PROG.0 can move\n  \
            IRL_EN closes IRL in the same step\n  \
            IRL takes either",
        ),
        (
            with_strobes(&[("PC_LOAD", false, |now| now.phase == Phase::T7 && now.op == Op::Jmp)]),
            3,
            "the phase does not clock a counter as its load begins or ends\n  \
            T7 -> T0: the oscillator changes, IRH.5 = 1, IRH.6 = 1, IRH.7 = 1, FLAGS.1 = 0\n  \
            PHASE.2 falls\n  \
            PC_LOAD rises\n  \
            PCL takes either",
        ),
        (
            with_strobes(&[("PC_LOAD", true, |now| now.phase == Phase::T1 && now.reset)]),
            3,
            "a counter never has to load and clear at the same time\n  \
            in T1 PCH is commanded by both PC_LOAD and CLR",
        ),
        (
            with_strobes(&[("AM_EN", true, |now| now.phase > Phase::T5 && now.op == Op::Nand)]),
            3,
            "latches that feed each other are never open in the same or adjacent phases\n  \
            T7 -> T0: the oscillator changes, IRH.5 = 0, IRH.6 = 0, IRH.7 = 1, FLAGS.1 = 0\n  \
            ALUL.0 -> AM.0 -> AS.0 and back, through open latches",
        ),
    ]);
}

#[test]
fn a_latch_that_is_open_while_the_bus_changes_fails_proof_4() {
    let writes_while_open = with_strobes(&[
        ("AM_EN", true, |now| now.op == Op::Ld && now.phase >= Phase::T5),
        ("nWE", false, |now| now.op == Op::Ld && now.phase == Phase::T6),
        ("AS_EN", false, |now| now.op == Op::Ld && now.phase == Phase::T7),
    ]);
    let sees_only_bus_2 = burned(&writes_while_open, "ALUL", |address, byte| {
        let op = Op::from_code((address >> 12 & 7) as u8);
        if op == Op::Ld { byte & 0b100 } else { byte }
    });
    check([
        (
            writes_while_open,
            4,
            "no latch or counter reads shared wires while their drivers change\n  \
            T6 -> T7: the oscillator changes, IRH.5 = 1, IRH.6 = 0, IRH.7 = 0, FLAGS.1 = 0\n  \
            BUS.0 can move\n  \
            ALUL.0 can move\n  \
            AM takes either",
        ),
        (
            sees_only_bus_2,
            4,
            "no latch or counter reads shared wires while their drivers change\n  \
            T6 -> T7: the oscillator changes, IRH.5 = 1, IRH.6 = 0, IRH.7 = 0, FLAGS.1 = 0\n  \
            BUS.0 can move\n  \
            ALUL.2 can move\n  \
            AM takes either",
        ),
    ]);
}

/// The address of ALUL consists of bits 0 to 3 of A, of the bus and of the operand, the opcode, and
/// bit 4 of A (address bit 16). The address of ALUH consists of bits 4 to 7 of A, of the bus and of
/// the operand, the opcode, and the carry in (address bit 15). The address of BUF is A.
#[test]
fn arithmetic_that_depends_on_an_unused_byte_fails_proof_5() {
    let loads_bus_3 = burned(&load(GRAY1).unwrap(), "ALUL", |address, byte| {
        let is_load = address >> 12 & 7 == u32::from(Op::Ldi.code());
        if is_load && address & 0x80 != 0 { byte ^ 0x08 } else { byte }
    });
    check([
        (
            wrong("ALUL", 0x010, 0x01),
            5,
            "the new A and C depend only on what the instruction names\n  \
            T4 -> T5: the oscillator changes, IRH.5 = 0, IRH.6 = 0, IRH.7 = 0, FLAGS.1 = 0\n  \
            LDI is under way, and AM is open\n  \
            D0 of RAM can move\n  \
            AM takes either",
        ),
        (
            loads_bus_3,
            5,
            "the new A and C depend only on what the instruction names\n  \
            T4 -> T5: the oscillator changes, IRH.5 = 0, IRH.6 = 0, IRH.7 = 0, FLAGS.1 = 0\n  \
            LDI is under way, and AM is open\n  \
            D3 of RAM can move\n  \
            AM takes either",
        ),
    ]);
}

#[test]
fn wrong_arithmetic_fails_proof_5() {
    let stock = load(GRAY1).unwrap();
    let op = |address: u32| Op::from_code((address >> 12 & 7) as u8);
    let adds_badly = burned(&stock, "ALUL", |address, byte| {
        if op(address) == Op::Add && address & 0xff == 0x11 { 0x03 } else { byte }
    });
    let carries_badly = burned(&stock, "ALUH", |address, byte| {
        if op(address) == Op::Add && address & 0x80ff == 0 { 0x10 } else { byte }
    });
    let stores_the_other =
        burned(&stock, "ALUL", |address, byte| if op(address) == Op::St { byte ^ 1 } else { byte });
    let chip = stock.chip_named("ALUL").unwrap();
    let slaves_lag =
        with_strobes(&[("AM_EN", true, |now| now.op == Op::St && now.phase == Phase::T5)])
            .with_contents(chip, stores_the_other.chip(chip).contents().to_vec())
            .unwrap();
    check([
        (
            adds_badly,
            5,
            "an instruction does what it says\n  \
            ADD 0baf at 0000, with A = 01, C = 0, [x] = 01\n  \
            A is 0x3 afterwards, expected 0x2",
        ),
        (
            carries_badly,
            5,
            "an instruction does what it says\n  \
            ADD 05d7 at 0000, with A = 00, C = 0, [x] = 00\n  \
            C is 0x1 afterwards, expected 0x0",
        ),
        (
            slaves_lag,
            5,
            "between instructions masters and slaves agree\n  \
            ST 05d7 at 0000, with A = 00, C = 0, [x] = 00\n  \
            A's master is 0x1 afterwards, expected 0x0",
        ),
    ]);
}

#[test]
fn wrong_jumps_writes_and_resets_fail_proof_5() {
    // Another order of all codes that changes one wire at a time: wires 4 and 5 are swapped.
    let swapped = |count: u32| count & !0x30 | (count & 0x10) << 1 | (count & 0x20) >> 1;
    let stock = load(GRAY1).unwrap();
    let pcl = stock.chip_named("PCL").unwrap();
    let right = stock.chip(pcl).contents();
    let other_order = burned(&stock, "PCL", |address, byte| match address >> 16 {
        0 => swapped(right[(address & !0xff | swapped(address & 0xff)) as usize].into()) as u8,
        _ => byte,
    });
    check([
        // The code of byte 16, at which wire 4 should rise first, is 0x18.
        (
            other_order,
            5,
            "after an instruction comes the next one, or the target of its jump\n  \
            LDI 00bf at 0007, with A = 40, C = 0, [x] = 00\n  \
            the address of the program is 0x28 afterwards, expected 0x18",
        ),
        (
            with_strobes(&[("PC_LOAD", false, |now| {
                now.op == Op::Jmp && [Phase::T7, Phase::T0].contains(&now.phase)
            })]),
            5,
            "after an instruction comes the next one, or the target of its jump\n  \
            JMP 0600 at 0000, with A = 00, C = 0, [x] = 5f\n  \
            the address of the program is 0x3 afterwards, expected 0xa00",
        ),
        (
            with_strobes(&[("nWE", true, |now| now.op == Op::St)]),
            5,
            "data memory takes A at the address of ST, and nothing else\n  \
            ST 05d7 at 0000, with A = 00, C = 0, [x] = 00\n  \
            the number of writes is 0x0 afterwards, expected 0x1",
        ),
        (
            wrong("BUF", 0x41, 0x40),
            5,
            "data memory takes A at the address of ST, and nothing else\n  \
            ST 05d7 at 0000, with A = 41, C = 0, [x] = 00\n  \
            address and byte of the write is 0x5d740 afterwards, expected 0x5d741",
        ),
        (
            with_strobes(&[("AS_EN", false, |now| now.reset && now.phase == Phase::T1)]),
            5,
            "reset lets the instruction under way complete and keeps A, C and memory\n  \
            LDI 05d7 at 0000, with A = 5f, C = 0, [x] = d3\n  \
            reset rises in T1\n  \
            A is 0x5f afterwards, expected 0xa0",
        ),
    ]);
}

/// Breaks the assumptions of the proofs.
#[test]
fn strobes_that_depend_on_more_than_the_phase_fail_proof_1() {
    let (from, to) = (r#""RST", "0", "0", "0"]"#, r#""RST", "OSC", "0", "0"]"#);
    assert!(GRAY1.contains(from));
    let board = load(&GRAY1.replace(from, to)).unwrap();
    let (number, explanation) = first_failure(&board).unwrap();
    assert_eq!(number, 1);
    assert_eq!(
        explanation.to_string(),
        "the strobes come from the phase\n  \
         no counter reads only the oscillator and reset"
    );
}
