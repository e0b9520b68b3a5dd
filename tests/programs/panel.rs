//! Boards with a panel: every program runs as on the stock board, and the LED latches show the
//! contents of data memory.
//!
//! By default each program runs for at most 50,000 instructions, and for 100 on the timed engine.
//! With `GRAY1_ALL_PANEL` set, it runs to its end or for a million instructions, and for ten
//! thousand on the timed engine. That takes some minutes in a release build.

use gray1_isa::panel::{BUTTONS, Buttons, MAILBOX, leds};
use gray1_isa::{Image, Op, PowerUp, RomIndex, SplitMix64, Word};
use gray1_sim::{Engine, EngineError, EngineKind, MachineSpec, RamSpec};

use crate::support::{self, Bench, root};

const NAME: &str = "gray1-b";

/// The names of all programs.
fn programs() -> Vec<String> {
    let files = std::fs::read_dir(root().join("programs")).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    let sources = paths.filter(|path| path.extension().is_some_and(|suffix| suffix == "asm"));
    sources.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

/// The number of instructions to run on an engine.
fn limit(engine: EngineKind) -> u64 {
    let is_all = std::env::var_os("GRAY1_ALL_PANEL").is_some();
    match (engine, is_all) {
        (EngineKind::Instruction | EngineKind::Chips, true) => 1_000_000,
        (EngineKind::Instruction, false) => 50_000,
        (EngineKind::Chips, false) => 4_000,
        (EngineKind::Timed, true) => 10_000,
        (EngineKind::Timed, false) => 100,
    }
}

fn engine(image: &Image, engine: EngineKind, board: &str) -> Result<Box<dyn Engine>, EngineError> {
    let (board, ram, seed) =
        (Some(board.to_owned()), Some(RamSpec::Contents(PowerUp::Random(7))), Some(5));
    let spec = MachineSpec { engine: Some(engine), board, ram, seed, ..MachineSpec::default() };
    let machine =
        spec.resolve(gray1_programs::STOCK, |name| gray1_roms::built_in(name).ok_or(())).unwrap();
    assert_eq!(machine.engine(), engine);
    machine.setup.engine(image)
}

/// The bytes on the wires of a panel's LEDs.
fn shown(engine: &dyn Engine) -> Option<Vec<u8>> {
    let circuit = engine.circuit()?;
    let rows = circuit.board().panel()?.leds.chunks(8);
    let byte = |wires: &[gray1_board::NetId]| {
        let levels = wires.iter().rev().map(|net| circuit.level(*net));
        levels.fold(0, |byte, level| byte << 1 | u8::from(level))
    };
    Some(rows.map(byte).collect())
}

/// Steps several machines together, with random button presses, and compares them. For machines
/// with a panel, compares the LEDs as well.
fn run_alike(name: &str, machines: &mut [Box<dyn Engine>], limit: u64) {
    let random = &mut SplitMix64::new(limit);
    while machines[0].executed() < limit && !machines[0].halted() {
        if random.below(500) == 0 {
            let buttons = Buttons(random.byte() & random.byte());
            for machine in machines.iter_mut() {
                machine.hold(buttons);
            }
        }
        let expected = machines[0].step();
        for machine in &mut machines[1..] {
            assert_eq!(machine.step(), expected, "{name}: {:?}", machine.error());
        }
        let lit = expected.and_then(|executed| executed.write).map(|write| write.address);
        if lit.is_some_and(gray1_isa::panel::is_led) {
            compare_leds(name, machines);
        }
    }
    compare_leds(name, machines);
    let [first, others @ ..] = machines else { return };
    for machine in others {
        assert!(machine.registers() == first.registers(), "{name}");
        assert!(machine.halted() == first.halted(), "{name}");
        assert!(machine.ram() == first.ram(), "{name}");
        assert_eq!(machine.take_output(), first.boxed_clone().take_output(), "{name}");
    }
}

fn compare_leds(name: &str, machines: &[Box<dyn Engine>]) {
    let display = machines[0].display();
    let bytes: Vec<u8> = leds().map(|led| machines[0].ram()[led.to_usize()]).collect();
    for machine in machines {
        assert!(machine.display() == display, "{name}");
        if let Some(shown) = shown(&**machine) {
            assert_eq!(shown, bytes, "{name}, before {:?}", machine.pc());
        }
    }
}

#[test]
fn every_program_does_the_same_on_both_boards_and_the_latches_show_it() {
    for name in programs() {
        let image = support::image(&name);
        for kind in EngineKind::ALL {
            let stock = engine(&image, EngineKind::Instruction, "gray1").unwrap();
            let others = ["gray1", NAME].map(|board| engine(&image, kind, board).unwrap());
            let mut machines: Vec<Box<dyn Engine>> = [stock].into_iter().chain(others).collect();
            assert!(shown(&*machines[2]).is_some() == (kind != EngineKind::Instruction));
            run_alike(&name, &mut machines, limit(kind));
        }
    }
}

/// Runs without stops, so the chips cache whole instructions and the instruction engine compiles.
#[test]
fn at_full_speed_the_latches_show_the_same() {
    for name in programs() {
        let image = support::image(&name);
        for kind in [EngineKind::Instruction, EngineKind::Chips] {
            let mut machines = ["gray1", NAME].map(|board| engine(&image, kind, board).unwrap());
            for press in 0..20 {
                for machine in &mut machines {
                    machine.hold(Buttons(0b1001 << (press % 6)));
                    machine.run(limit(kind) / 20);
                }
                let [one, other] = &machines;
                assert!(one.ram() == other.ram() && one.registers() == other.registers(), "{name}");
                compare_leds(&name, &machines);
            }
        }
    }
}

/// A program that reads the buttons, stores to an address that they select, lights LEDs and prints.
fn storing() -> Image {
    let jump = |op, index| Word::jump(op, RomIndex::truncate(index));
    let [red, free] = [0x1fe9, 0x1fd0].map(gray1_isa::RamAddr::truncate);
    let words = [
        Word::data(Op::Ld, BUTTONS),
        Word::data(Op::St, red),
        Word::data(Op::Add, free),
        Word::data(Op::St, BUTTONS),
        Word::data(Op::St, free),
        Word::data(Op::Ld, BUTTONS),
        Word::data(Op::St, MAILBOX),
        Word::data(Op::Nand, BUTTONS),
        jump(Op::Jc, 0),
        jump(Op::Jmp, 0),
    ];
    Image::from_words(&words).unwrap()
}

#[test]
fn a_store_to_the_buttons_changes_nothing_on_any_engine() {
    let image = storing();
    let machines = EngineKind::ALL.map(|kind| engine(&image, kind, NAME).unwrap());
    let mut machines = Vec::from(machines);
    run_alike("storing", &mut machines, 600);
    for machine in &mut machines {
        machine.hold(Buttons(0x5a));
        machine.run(7);
        assert_eq!(machine.ram()[BUTTONS.to_usize()], 0x5a);
    }
    let mut fast = engine(&image, EngineKind::Instruction, NAME).unwrap();
    let mut chips = engine(&image, EngineKind::Chips, NAME).unwrap();
    for buttons in 1..10 {
        for machine in [&mut fast, &mut chips] {
            machine.hold(Buttons(buttons));
            machine.run(100_000);
        }
        assert!(fast.ram() == chips.ram() && fast.registers() == chips.registers());
        assert_eq!(fast.take_output(), chips.take_output());
    }
}

#[test]
fn bytes_poked_into_memory_reach_the_latches() {
    let image = storing();
    for kind in [EngineKind::Chips, EngineKind::Timed] {
        let mut machine = engine(&image, kind, NAME).unwrap();
        for (led, byte) in leds().zip(0x31..) {
            machine.poke(led, byte);
            machine.step();
            compare_leds("poked", &[machine.boxed_clone()]);
        }
    }
}

#[test]
fn the_commands_take_the_board_by_its_name() {
    let bench = Bench::new();
    let plain = bench.gray1("run fibonacci");
    for engine in EngineKind::ALL {
        let ran = bench.gray1(&format!("run fibonacci --board {NAME} --engine {engine}"));
        ran.status(0).stdout(plain.out()).stderr(&plain.err());
    }
}
