//! Compares the circuits with an oracle that shares no code with them, wire by wire, on correct,
//! damaged and rewired boards.

#[path = "oracle/bridge.rs"]
mod bridge;
mod oracle;

use gray1_board::{Board, Parts};
use gray1_circuit::{Circuit, Settled, Timing};
use gray1_isa::{Image, PowerUp, RamAddr, SplitMix64, Word};
use gray1_sim::{BoardEngine, Engine as _};

use bridge::{assert_same_state, convert_board, oracle_like};
use oracle::{Oracle, Unknown};

const GRAY1: &str = include_str!("../../roms/gray1.ron");
const BINARY: &str = include_str!("../../roms/binary-counter.ron");
/// The address of the mailbox, which prints.
const MAILBOX: usize = 0x1fff;

/// Returns the parts of the boards in this repository.
fn parts() -> Parts {
    Parts::load(include_str!("../../roms/parts.ron")).unwrap()
}

fn load(text: &str) -> Option<Board> {
    Board::load(text, &parts(), |_| Err(String::new())).ok()
}

/// Generates a program of random words. Data addresses are close together, so that programs read
/// bytes that they wrote.
fn random_program(random: &mut SplitMix64) -> Image {
    let near = |word: Word| {
        let is_far = word.op().reads_memory() || word.op().writes_memory();
        let bits = if is_far { word.bits() & 0xe01f } else { word.bits() };
        // One store in four prints.
        let prints = word.op().writes_memory() && word.bits() & 0x300 == 0;
        Word::from_bits(if prints { bits | 0x1fff } else { bits })
    };
    let words = (0..8192).map(|_| near(Word::from_bits(random.next() as u16)));
    Image::from_words(&words.collect::<Vec<_>>()).unwrap()
}

/// Flips bits in one chip of a board: either a single bit, or one for every 64 bytes.
fn damaged(board: &Board, name: &str, random: &mut SplitMix64) -> Board {
    let chip = board.chip_named(name).unwrap();
    let mut contents = board.chip(chip).contents().to_vec();
    let many = contents.len() / 64;
    for _ in 0..if random.coin() { 1 } else { many } {
        let at = random.below(contents.len() as u64) as usize;
        contents[at] ^= 1 << random.below(8);
    }
    board.with_contents(chip, contents).unwrap()
}

/// Expands a list of wires in a board description to single wires.
fn expand_wires(list: &str) -> Vec<String> {
    let operand =
        |bit: usize| if bit < 8 { format!("IRL.{bit}") } else { format!("IRH.{}", bit - 8) };
    let numbered = |name: &str, bit: usize| match name {
        "OPERAND" => operand(bit),
        "OPCODE" => format!("IRH.{}", bit + 5),
        _ => format!("{name}.{bit}"),
    };
    list.split(',')
        .flat_map(|entry| {
            let entry = entry.trim().trim_matches('"');
            let entry = match entry {
                "OPERAND" => "OPERAND.0-12",
                "OPCODE" => "OPCODE.0-2",
                _ => entry,
            };
            let range = entry.split_once('.').and_then(|(name, bits)| {
                let (low, high) = bits.split_once('-')?;
                Some((name, low.parse().ok()?..=high.parse::<usize>().ok()?))
            });
            range.map_or(vec![entry.to_owned()], |(name, bits)| {
                bits.map(|bit| numbered(name, bit)).collect()
            })
        })
        .collect()
}

/// Returns the stock board with a different order of address wires at some chips. The board still
/// works if these chips are burned for the new order. Otherwise they keep the stock contents.
fn rewired(burned_for_it: bool, random: &mut SplitMix64) -> Board {
    let mut text = GRAY1.to_owned();
    for _ in 0..=random.below(3) {
        let lists: Vec<usize> = text.match_indices("address: [").map(|(at, _)| at).collect();
        let first = lists[1 + random.below(lists.len() as u64 - 1) as usize] + "address: [".len();
        let last = first + text[first..].find(']').unwrap();
        let mut wires = expand_wires(&text[first..last]);
        for _ in 0..=random.below(4) {
            let [one, other] = [(); 2].map(|()| random.below(wires.len() as u64) as usize);
            wires.swap(one, other);
        }
        text.replace_range(first..last, &format!("\"{}\"", wires.join("\", \"")));
    }
    let (stock, board) = (load(GRAY1).unwrap(), load(&text).unwrap());
    if burned_for_it {
        return board;
    }
    stock.chip_ids().filter(|&id| id != stock.memory()).fold(board, |board, id| {
        board.with_contents(id, stock.chip(id).contents().to_vec()).unwrap()
    })
}

/// The chips that have burned contents.
const CHIPS: [&str; 12] =
    ["CTRL", "PCH", "PCL", "PROG", "IRH", "IRL", "ALUL", "ALUH", "AM", "AS", "FLAGS", "BUF"];

/// Returns boards of all kinds with programs. Correct boards come first.
fn boards(count: usize, random: &mut SplitMix64) -> Vec<(String, Board)> {
    let stock = load(GRAY1).unwrap();
    let mut boards = vec![
        ("the Gray-1".to_owned(), stock.clone()),
        ("the binary counter".to_owned(), load(BINARY).unwrap()),
    ];
    for number in 0..count {
        let chip = CHIPS[number % CHIPS.len()];
        boards.push((format!("{chip} damaged, {number}"), damaged(&stock, chip, random)));
        boards.push((format!("rewired, {number}"), rewired(false, random)));
        boards.push((format!("rewired and burned for it, {number}"), rewired(true, random)));
    }
    let programmed =
        |(name, board): (String, Board)| (name, board.with_program(&random_program(random)));
    boards.into_iter().map(programmed).collect()
}

/// Returns a board after reset, if it settles.
fn after_reset(board: &Board, random: &mut SplitMix64) -> Option<BoardEngine<Settled>> {
    BoardEngine::settled(board, PowerUp::Random(random.next())).ok()
}

/// An action on a board from outside.
enum Action {
    Edges(u32),
    Reset(bool),
    Poke(RamAddr, u8),
}

impl Action {
    fn random(random: &mut SplitMix64) -> Self {
        match random.below(16) {
            0 => Self::Reset(random.coin()),
            1 => Self::Poke(RamAddr::truncate(random.below(0x20) as u16), random.byte()),
            _ => Self::Edges(1 + random.below(9) as u32),
        }
    }

    /// Performs the action on a circuit. Returns whether the circuit settled.
    fn on_circuit(&self, circuit: &mut dyn Circuit) -> bool {
        match *self {
            Self::Edges(count) => circuit.edges(count),
            Self::Reset(high) => circuit.set_reset(high),
            Self::Poke(address, byte) => circuit.poke(address, byte),
        }
        .is_ok()
    }

    fn on_oracle(&self, oracle: &mut Oracle<'_>) -> Result<(), Unknown> {
        match *self {
            Self::Edges(count) => (0..count).try_for_each(|_| oracle.edge()),
            Self::Reset(high) => oracle.set(oracle.board.reset, high),
            Self::Poke(address, byte) => oracle.poke(address.to_usize(), byte),
        }
    }
}

/// Compares the states after each action. The circuit follows precomputed plans. Where it has no
/// plan, it tries all orders in which the chips can respond.
#[test]
fn a_settled_circuit_shows_the_same_as_the_oracle() {
    let random = &mut SplitMix64::new(1);
    let (mut compared, mut refused, mut confirmed) = (0, 0, 0);
    for (name, board) in boards(48, random) {
        let Some(engine) = after_reset(&board, random) else { continue };
        let mut circuit = engine.into_circuit();
        let converted = convert_board(&board);
        let mut oracle = oracle_like(&circuit, &converted, random.next());
        assert_eq!(oracle.waiting(), [0; 0], "{name} after the reset");
        circuit.clear_writes();
        for step in 0..60 {
            let action = Action::random(random);
            if !action.on_circuit(&mut circuit) {
                refused += 1;
                confirmed += u32::from(is_indefinite(&oracle, &action));
                break;
            }
            if action.on_oracle(&mut oracle).is_err() {
                break;
            }
            assert_same_state(&circuit, &oracle, &format!("on {name} after step {step}"));
            let writes = circuit.writes().iter().map(|w| (w.address.to_usize(), w.new));
            assert_eq!(writes.collect::<Vec<_>>(), oracle.stored, "{name}, step {step}");
            compared += 1;
        }
    }
    assert!(compared > 4000, "{compared} steps compared");
    assert!(refused > 10 && confirmed * 2 > refused, "{confirmed} of {refused} refusals confirmed");
}

/// Returns true if the outcome depends on the order in which the chips respond, or if the documents
/// do not define it.
fn is_indefinite(oracle: &Oracle<'_>, action: &Action) -> bool {
    let outcome = |seed| {
        let mut oracle = Oracle { seed, ..oracle.clone() };
        action.on_oracle(&mut oracle).map(|()| (oracle.shown, oracle.memory))
    };
    let first = outcome(0);
    first.is_err() || (1..100).any(|seed| outcome(seed << 33) != first)
}

/// Compares the states after each run of up to 20 instructions. The circuit replays cached cycles.
#[test]
fn cached_cycles_show_the_same_as_the_oracle() {
    let random = &mut SplitMix64::new(2);
    let mut compared = 0;
    for (name, board) in boards(48, random) {
        let Some(mut engine) = after_reset(&board, random) else { continue };
        let converted = convert_board(&board);
        let mut oracle = oracle_like(engine.circuit().unwrap(), &converted, random.next());
        let phase: Vec<usize> = board.probes().phase.iter().map(|net| net.index()).collect();
        for step in 0..30 {
            let executed = engine.run(1 + random.below(20));
            let outcome = (0..executed).try_for_each(|_| {
                oracle.edge()?;
                // An instruction is complete when the phase returns to 000.
                while phase.iter().any(|&wire| oracle.wires[wire]) {
                    oracle.edge()?;
                }
                Ok::<(), Unknown>(())
            });
            if engine.error().is_some() || outcome.is_err() {
                break;
            }
            let circuit = engine.circuit().unwrap();
            assert_same_state(circuit, &oracle, &format!("on {name} after run {step}"));
            let printed = oracle.stored.drain(..).filter(|(cell, _)| *cell == MAILBOX);
            let printed: Vec<u8> = printed.map(|(_, byte)| byte).collect();
            assert_eq!(engine.take_output(), printed, "{name}, run {step}");
            compared += executed;
            if engine.halted() {
                break;
            }
        }
    }
    assert!(compared > 10_000, "{compared} instructions compared");
}

/// A correct board settles in the same state as the oracle, whatever its delays. Any board that
/// settles does so in a state where each chip shows the byte at its address.
#[test]
fn a_circuit_with_delays_settles_in_the_same_state_as_the_oracle() {
    let random = &mut SplitMix64::new(3);
    for (name, board) in boards(6, random) {
        let is_right = name == "the Gray-1" || name.ends_with("for it");
        let Some(mut settled) = after_reset(&board, random) else { continue };
        // Executes an instruction, so that the comparison starts in T0 with the oscillator low.
        if settled.run(1) == 0 {
            continue;
        }
        let mut timing = Timing::new(&board, random.next());
        timing.phase_ps *= 4;
        let Ok(mut timed) = BoardEngine::timed_from(settled.circuit().unwrap(), timing) else {
            continue;
        };
        let converted = convert_board(&board);
        let mut oracle = oracle_like(settled.circuit().unwrap(), &converted, random.next());
        for edge in 0..200 {
            timed.edge();
            if timed.halted() {
                break;
            }
            let circuit = timed.circuit().unwrap();
            if is_right {
                oracle.edge().unwrap();
                assert_same_state(circuit, &oracle, &format!("on {name} after edge {edge}"));
            }
            let settled = oracle_like(circuit, &converted, 0);
            assert_eq!(settled.waiting(), [0; 0], "{name}, edge {edge}");
        }
    }
}
