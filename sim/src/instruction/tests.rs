//! Tests that would find wrong results, wrong counts, and programs that behave differently when
//! they run fast.

use gray1_isa::{RamAddr, RomIndex};
use proptest::prelude::*;

use super::*;

fn jump(op: Op, target: u16) -> Word {
    Word::jump(op, RomIndex::truncate(target))
}

fn machine(words: &[Word]) -> Machine {
    Machine::new(&Image::from_words(words).unwrap(), PowerUp::Zero)
}

#[test]
fn an_erased_program_halts_at_1555() {
    let mut machine = machine(&[]);
    assert_eq!((machine.run(10), machine.halted()), (2, true));
    assert_eq!((machine.executed(), machine.pc().get()), (2, 0x1555));
}

#[test]
fn a_conditional_jump_to_itself_is_not_a_halt() {
    let ff = Word::data(Op::Add, RamAddr::truncate(0));
    let mut machine =
        machine(&[Word::ldi(0xff), Word::data(Op::St, RamAddr::truncate(0)), ff, jump(Op::Jc, 3)]);
    assert_eq!((machine.run(1000), machine.halted()), (1000, false));
    assert_eq!((machine.executed(), machine.pc().get()), (1000, 3));
}

#[test]
fn the_program_counter_wraps_after_the_last_instruction() {
    let mut words = vec![Word::shr(); 8192];
    words[0] = Word::ldi(0x80);
    let mut machine = machine(&words);
    assert_eq!((machine.run(8192 + 3), machine.halted()), (8192 + 3, false));
    assert_eq!((machine.pc().get(), machine.a()), (3, 0x20));
}

#[test]
fn power_up_fills_memory_and_registers() {
    let image = Image::erased();
    let ones = Machine::new(&image, PowerUp::Ones);
    assert_eq!((ones.a(), ones.carry()), (0xff, true));
    assert_eq!(ones.ram()[..0x1ffe], [0xff; 0x1ffe]);
    assert_eq!(ones.ram()[0x1ffe], 0, "the reset said that no button is held");
    let random = Machine::new(&image, PowerUp::Random(1));
    assert_eq!(random.ram(), Machine::new(&image, PowerUp::Random(1)).ram());
    assert_ne!(random.ram(), Machine::new(&image, PowerUp::Random(2)).ram());
}

#[test]
fn an_instruction_takes_effect_at_its_last_edge() {
    let mut machine = machine(&[Word::ldi(7), Word::ldi(8), jump(Op::Jmp, 2)]);
    assert_eq!(machine.phase(), Phase::T1, "a reset ends in T1");
    for phase in [Phase::T2, Phase::T3, Phase::T4, Phase::T5, Phase::T6, Phase::T7] {
        assert_eq!((machine.edge(), machine.phase(), machine.a()), (None, phase, 0));
    }
    assert_eq!(machine.edge().map(|executed| executed.word), Some(Word::ldi(7)));
    assert_eq!((machine.phase(), machine.edges(), machine.a()), (Phase::T0, 0, 7));
    machine.edge();
    machine.step();
    assert_eq!((machine.phase(), machine.executed(), machine.a()), (Phase::T0, 2, 8));
}

/// Once every named byte is known, the program runs as on any other machine. What is known must not
/// depend on that.
#[test]
fn a_machine_with_any_contents_knows_the_same_bits_however_it_runs() {
    let [sum, one, never_written] = [0, 1, 2].map(RamAddr::truncate);
    for (extra, is_determined) in [(one, true), (never_written, false)] {
        let mut words = vec![Word::ldi(1), Word::data(Op::St, one), Word::data(Op::St, sum)];
        words.extend([Word::data(Op::Nand, extra), Word::data(Op::St, panel::GREEN)]);
        let start = words.len() as u16;
        words.push(Word::data(Op::Ld, extra));
        words.extend(
            [(Op::Ld, sum), (Op::Add, one), (Op::St, sum)].map(|(op, it)| Word::data(op, it)),
        );
        words.push(jump(Op::Jmp, start));
        let mut fast = Machine::with_any_contents(&Image::from_words(&words).unwrap());
        let mut stepped = fast.clone();
        for instructions in [100, 70_000, 500_000] {
            assert_eq!(fast.run(instructions), instructions);
            (0..instructions).for_each(|_| assert!(stepped.step().is_some()));
            assert_eq!(fast.save(), stepped.save(), "{extra:?} {instructions}");
        }
        assert_eq!(fast.is_determined, is_determined);
        let state = fast.partial_state().unwrap();
        assert_eq!(state.ram[sum.to_usize()].whole(), Some(fast.ram()[sum.to_usize()]));
        let known = if is_determined { 0xff } else { 0xfe };
        assert_eq!(state.ram[panel::GREEN.to_usize()].known(), known, "1 NAND unknown");
        assert_eq!(state.ram[never_written.to_usize()], PartialByte::UNKNOWN);
    }
}

/// Generates programs with much interaction. They use few addresses, so instructions share data.
/// Their jumps are short, so they form loops and enter sequences in the middle.
fn programs() -> impl Strategy<Value = Vec<Word>> {
    let word = (0..8_u8, 0..0x2000_u16).prop_map(|(code, x)| match Op::from_code(code) {
        Op::Ldi => Word::ldi(x as u8),
        Op::Shr => Word::shr(),
        op @ (Op::Jc | Op::Jmp) => jump(op, x % 40),
        // These addresses are variables, LEDs and the mailbox.
        op if x % 9 == 0 => Word::data(op, RamAddr::truncate(0x1fe0 + x % 32)),
        op => Word::data(op, RamAddr::truncate(x % 8)),
    });
    prop::collection::vec(word, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn runs_stop_before_watched_instructions_and_otherwise_stay_the_same(
        words in programs(),
        seed in any::<u64>(),
        watched in prop::collection::vec(prop::collection::btree_set(0..42_u16, 0..6), 1..4),
        limit in 0..60_u64,
    ) {
        let mut fast = Machine::new(&Image::from_words(&words).unwrap(), PowerUp::Random(seed));
        let mut slow = fast.clone();
        // Change the watched instructions repeatedly, so that previously watched ones are fused
        // again.
        for watched in watched {
            let watched: Indexes = watched.into_iter().map(RomIndex::truncate).collect();
            fast.watch(&watched);
            for _ in 0..20 {
                let mut count = 0;
                while count < limit && !slow.halted() && !watched.contains(slow.pc()) {
                    slow.step();
                    count += 1;
                }
                prop_assert_eq!(fast.run_to_watched(limit), count);
                prop_assert_eq!(fast.save(), slow.save());
                prop_assert_eq!(fast.take_output(), slow.take_output());
                prop_assert_eq!(fast.step(), slow.step());
            }
        }
    }

    #[test]
    fn a_restored_machine_continues(words in programs(), before in 0..50_u64, after in 0..50_u64) {
        let mut machine =
            Machine::new(&Image::from_words(&words).unwrap(), PowerUp::Random(after));
        machine.run(before);
        let saved = machine.save();
        machine.take_output();
        let mut first = machine.clone();
        first.run(after);
        machine.run(3 * after);
        machine.restore(&saved);
        prop_assert_eq!(machine.save(), saved);
        machine.run(after);
        prop_assert_eq!(machine.save(), first.save());
        prop_assert_eq!(machine.take_output(), first.take_output());
    }
}

/// Loads a program of the repository.
fn program(hex: &[u8]) -> Image {
    match gray1_isa::format::load(hex) {
        Ok(gray1_isa::format::Contents::Image(image)) => *image,
        other => panic!("expected an image, found {other:?}"),
    }
}

/// Returns true if the machine runs machine code, or if none can run here.
fn is_compiled(machine: &Machine) -> bool {
    matches!(machine.compiled, Compilation::Done(_)) || !gray1_native::is_available()
}

/// Returns everything about a machine that a user can see.
fn seen(machine: &mut Machine) -> (u64, bool, Registers, Vec<u8>) {
    (machine.executed(), machine.halted(), machine.registers(), machine.take_output())
}

#[test]
fn compiled_runs_have_the_same_result_as_interpreted_ones() {
    for hex in [
        &include_bytes!("../../../roms/queens-repair.hex")[..],
        &include_bytes!("../../../roms/life.hex")[..],
        &include_bytes!("../../../roms/puzzle.hex")[..],
        &include_bytes!("../../../roms/primes.hex")[..],
    ] {
        let image = program(hex);
        let mut compiled = Machine::new(&image, PowerUp::Ones);
        let mut interpreted = Machine::new(&image, PowerUp::Ones).interpreted();
        for (turn, limit) in (0..).zip([100_000, 200_000, 999_999, 1, 500_003, 8, 300_000]) {
            for machine in [&mut compiled, &mut interpreted] {
                machine.hold(Buttons(1 << turn));
                machine.run(limit);
            }
            assert_eq!(seen(&mut compiled), seen(&mut interpreted), "turn {turn}");
            assert!(compiled.ram() == interpreted.ram(), "turn {turn}");
        }
        assert!(is_compiled(&compiled) || compiled.halted());
    }
}

#[test]
fn compiled_runs_stop_before_watched_instructions() {
    let image = program(include_bytes!("../../../roms/queens-repair.hex"));
    let mut compiled = Machine::new(&image, PowerUp::Zero);
    let mut interpreted = Machine::new(&image, PowerUp::Zero).interpreted();
    compiled.run(1_000_000);
    interpreted.run(1_000_000);
    // Watch the next instruction, which is in a loop, so that it is executed again.
    let first = Indexes::from_iter([compiled.pc()]);
    for watched in [&first, &Indexes::NONE, &first] {
        for machine in [&mut compiled, &mut interpreted] {
            machine.watch(watched);
            machine.run(1_000_000);
        }
        assert!(is_compiled(&compiled));
        for _ in 0..20 {
            for machine in [&mut compiled, &mut interpreted] {
                machine.step();
                machine.run_to_watched(50_000);
            }
            assert_eq!(seen(&mut compiled), seen(&mut interpreted));
            assert!(compiled.ram() == interpreted.ram());
        }
    }
}
