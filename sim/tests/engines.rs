//! The contract of [`Engine`], checked on all engines: limits, watched instructions, counts, the
//! panel's port, loaded registers, snapshots, and wires between edges.

use gray1_board::{Board, Driver, Parts};
use gray1_circuit::Timing;
use gray1_isa::panel::{BUTTONS, Buttons, MAILBOX};
use gray1_isa::{Image, Indexes, Op, PowerUp, RamAddr, RomIndex, SplitMix64, Word};
use gray1_sim::{BoardEngine, Engine, ExecutionCounts, Machine, Registers};

const VARIABLE: RamAddr = RamAddr::truncate(5);

fn jump(op: Op, target: u16) -> Word {
    Word::jump(op, RomIndex::truncate(target))
}

/// A program that adds 16 to [`VARIABLE`] and prints each sum. It halts at index 8 when the sum
/// carries.
fn counter() -> [Word; 9] {
    [
        Word::ldi(0),
        Word::data(Op::St, VARIABLE),
        Word::ldi(16),
        Word::data(Op::Add, VARIABLE),
        Word::data(Op::St, VARIABLE),
        Word::data(Op::St, MAILBOX),
        jump(Op::Jc, 8),
        jump(Op::Jmp, 2),
        jump(Op::Jmp, 8),
    ]
}

/// The number of instructions that [`counter`] executes.
const COUNTER_EXECUTED: u64 = 2 + 15 * 6 + 5 + 1;

/// Returns the parts of the boards in this repository.
fn parts() -> Parts {
    Parts::load(include_str!("../../roms/parts.ron")).unwrap()
}

/// Returns an engine of each kind with this program.
fn engines(words: &[Word]) -> [(&'static str, Box<dyn Engine>); 4] {
    let image = Image::from_words(words).unwrap();
    let text = include_str!("../../roms/gray1.ron");
    let board = Board::load(text, &parts(), |_| Err(String::new())).unwrap().with_program(&image);
    let zero = PowerUp::Zero;
    [
        ("instruction", Box::new(Machine::new(&image, zero))),
        ("interpreted", Box::new(Machine::new(&image, zero).interpreted())),
        ("settled", Box::new(BoardEngine::settled(&board, zero).unwrap())),
        ("timed", Box::new(BoardEngine::timed(&board, zero, Timing::new(&board, 1)).unwrap())),
    ]
}

fn indexes(of: &[u16]) -> Indexes {
    of.iter().map(|index| RomIndex::truncate(*index)).collect()
}

/// Steps an engine `count` times. Returns the indexes of the executed instructions.
fn steps(engine: &mut dyn Engine, count: u64) -> Vec<RomIndex> {
    (0..count).map_while(|_| engine.step()).map(|executed| executed.index).collect()
}

#[test]
fn running_has_the_same_result_as_stepping() {
    for (name, engine) in engines(&counter()) {
        for limit in [0, 1, 2, 3, 7, 50, COUNTER_EXECUTED - 1, COUNTER_EXECUTED, 1000] {
            let (mut running, mut stepping) = (engine.boxed_clone(), engine.boxed_clone());
            let expected = limit.min(COUNTER_EXECUTED);
            assert_eq!(running.run(limit), expected, "{name}");
            assert_eq!(steps(&mut *stepping, limit).len() as u64, expected, "{name}");
            assert_eq!(running.save(), stepping.save(), "{name}, {limit} instructions");
            assert_eq!(running.take_output(), stepping.take_output(), "{name}");
            assert_eq!((running.executed(), running.edges()), (expected, 0), "{name}");
            assert_eq!(running.halted(), limit >= COUNTER_EXECUTED, "{name}");
            assert_eq!(running.a(), running.registers().a);
            assert_eq!(running.carry(), running.registers().carry);
            assert_eq!(running.pc(), running.registers().pc);
        }
    }
}

#[test]
fn running_zero_instructions_does_not_complete_the_current_one() {
    for (name, mut engine) in engines(&counter()) {
        engine.run(4);
        engine.edge();
        engine.edge();
        let phase = engine.phase();
        engine.run(0);
        engine.run_to_watched(0);
        engine.run_counting(0, &mut ExecutionCounts::default());
        assert_eq!((engine.edges(), engine.phase(), engine.executed()), (2, phase, 4), "{name}");
        engine.run_counting(1, &mut ExecutionCounts::default());
        assert_eq!((engine.edges(), engine.executed()), (0, 5), "{name}");
        engine.edge();
        engine.run(1);
        assert_eq!((engine.edges(), engine.executed()), (0, 6), "{name}");
    }
}

#[test]
fn each_instruction_is_counted_each_time() {
    for (name, engine) in engines(&counter()) {
        for limit in [1, 2, 10, 91, u64::MAX] {
            let (mut counting, mut stepping) = (engine.boxed_clone(), engine.boxed_clone());
            let mut counts = ExecutionCounts::default();
            let executed = counting.run_counting(limit, &mut counts);
            let mut expected = [0; 9];
            for index in steps(&mut *stepping, limit) {
                expected[index.to_usize()] += 1;
            }
            assert_eq!(counts.by_index()[..9], expected, "{name}, {limit}");
            assert_eq!(executed, expected.iter().sum::<u64>(), "{name}, {limit}");
            assert_eq!(counting.save(), stepping.save(), "{name}, {limit}");
        }
    }
}

#[test]
fn a_run_stops_before_a_watched_instruction() {
    for (name, mut engine) in engines(&counter()) {
        engine.watch(&indexes(&[4, 8]));
        assert_eq!((engine.run_to_watched(1000), engine.pc().get()), (4, 4), "{name}");
        assert_eq!((engine.run_to_watched(1000), engine.executed()), (0, 4), "{name}, at once");
        engine.step();
        assert_eq!((engine.run_to_watched(3), engine.pc().get()), (3, 2), "{name}, the limit");
        assert_eq!((engine.run_to_watched(1000), engine.pc().get()), (2, 4), "{name}");
        // `run` does not stop at watched instructions.
        let left = COUNTER_EXECUTED - engine.executed();
        let mut over = engine.boxed_clone();
        assert_eq!((over.run(13), over.executed()), (13, engine.executed() + 13), "{name}");
        let mut over = engine.boxed_clone();
        assert_eq!((over.run(1000), over.halted()), (left, true), "{name}");
        // Only the last set of watched instructions counts.
        engine.watch(&indexes(&[8]));
        assert_eq!((engine.run_to_watched(1000), engine.pc().get()), (left - 1, 8), "{name}");
        assert!(!engine.halted(), "{name}");
        engine.watch(&Indexes::NONE);
        assert_eq!((engine.run_to_watched(1000), engine.halted()), (1, true), "{name}");
    }
}

#[test]
fn bytes_from_the_panel_are_read_and_not_printed() {
    let words = [Word::data(Op::Ld, BUTTONS), Word::data(Op::Ld, VARIABLE), jump(Op::Jmp, 2)];
    for (name, mut engine) in engines(&words) {
        engine.poke(VARIABLE, 0x5a);
        engine.poke(MAILBOX, b'!');
        assert_eq!(engine.ram()[MAILBOX.to_usize()], b'!', "{name}");
        engine.hold(Buttons(0x81));
        engine.step();
        assert_eq!(engine.a(), 0x81, "{name}");
        engine.run(10);
        assert_eq!((engine.a(), engine.take_output()), (0x5a, vec![]), "{name}");
    }
}

#[test]
fn a_reset_keeps_registers_and_memory() {
    let [store, print] = [VARIABLE, MAILBOX].map(|address| Word::data(Op::St, address));
    let words = [Word::ldi(7), store, print, Word::ldi(9), jump(Op::Jmp, 4)];
    for (name, mut engine) in engines(&words) {
        engine.hold(Buttons(0x81));
        assert_eq!((engine.run(u64::MAX), engine.halted()), (5, true), "{name}");
        assert_eq!((engine.step(), engine.run(10), engine.executed()), (None, 0, 5), "{name}");
        engine.reset();
        let started = (engine.pc(), engine.executed(), engine.halted());
        assert_eq!(started, (RomIndex::default(), 0, false), "{name}");
        assert_eq!((engine.a(), engine.ram()[VARIABLE.to_usize()]), (9, 7), "{name}");
        assert_eq!(engine.ram()[BUTTONS.to_usize()], 0, "{name}: no button is held");
        assert_eq!(engine.take_output(), b"", "{name}");
    }
}

#[test]
fn a_machine_continues_with_loaded_registers() {
    let random = &mut SplitMix64::new(8);
    for (name, mut engine) in engines(&counter()) {
        engine.run(1000);
        for _ in 0..50 {
            let pc = RomIndex::truncate(random.below(1 << 13) as u16);
            let registers = Registers { a: random.byte(), carry: random.coin(), pc };
            let before = engine.save();
            if !engine.load(registers) {
                // The timed engine cannot load registers while some of its wires are still
                // changing.
                assert_eq!((name, engine.save() == before), ("timed", true));
                continue;
            }
            assert_ne!(name, "timed");
            assert_eq!((engine.registers(), engine.halted()), (registers, false), "{name}");
        }
        let registers = Registers { a: 0xf0, carry: false, pc: RomIndex::truncate(2) };
        if engine.load(registers) {
            engine.take_output();
            let executed = engine.executed();
            engine.poke(VARIABLE, 0xe0);
            assert_eq!((engine.run(1000), engine.halted()), (12, true), "{name}");
            assert_eq!((engine.take_output(), engine.a()), (vec![0xf0, 0], 0), "{name}");
            assert_eq!(engine.executed(), executed + 12, "{name}");
        }
    }
}

#[test]
fn a_snapshot_reports_its_approximate_size() {
    let bytes = engines(&counter()).map(|(_, engine)| engine.save().bytes());
    let ram = 8192;
    assert!(bytes[..3].iter().all(|bytes| (ram..ram + 2000).contains(bytes)), "{bytes:?}");
    // An engine with delays also stores the pending changes of each wire.
    assert!((bytes[2] + 1000..bytes[2] + 100_000).contains(&bytes[3]), "{bytes:?}");
}

#[test]
fn a_slice_takes_a_few_milliseconds() {
    let slices = engines(&counter()).map(|(_, engine)| engine.slice());
    // An instruction takes a few nanoseconds on the first two engines, up to a microsecond on the
    // settled engine, and more than a hundred microseconds on the timed one.
    assert!(slices[0] >= 1 << 18 && slices[1] >= 1 << 18, "{slices:?}");
    assert!((1 << 12..=1 << 18).contains(&slices[2]), "{slices:?}");
    assert!((1 << 4..=1 << 12).contains(&slices[3]), "{slices:?}");
}

/// With delays, some wires can still be changing at the next edge, but on the stock board none are.
#[test]
fn between_edges_each_wire_has_the_level_that_its_chip_shows() {
    for (name, mut engine) in engines(&counter()) {
        let mut before = None;
        for edge in 0..300 {
            engine.edge();
            let Some(circuit) = engine.circuit() else { continue };
            let board = circuit.board();
            for chip in board.chip_ids() {
                for (pin, net) in (0..).zip(&board.chip(chip).data) {
                    if let Driver::Chip(driver) = board.net(*net).driver {
                        assert_eq!((driver.chip, driver.pin), (chip, pin));
                        let shown = circuit.shown(chip) >> pin & 1 == 1;
                        assert_eq!(circuit.level(*net), shown, "{name}, edge {edge}");
                    }
                }
            }
            let now = circuit.time_ps();
            assert_eq!(now.is_some(), name == "timed");
            assert!(edge == 0 || now.is_none() || now > before, "{now:?} after {before:?}");
            before = now;
        }
    }
}
