//! Checks that the debugger finds the same hits on all engines, and that every engine can go back
//! in time.

use std::sync::Arc;

use gray1_board::Phase;
use gray1_circuit::Noise;
use gray1_isa::{SplitMix64, random_program};
use gray1_roms::{GRAY1, load, nearest};
use gray1_sim::{Hardware, Registers, Setup, Snapshot};

use super::*;

/// Limits that lead to several checkpoints in a few hundred instructions.
pub(super) const LIMITS: HistoryLimits =
    HistoryLimits { checkpoints_max: 8, distance_min: 16, distance_max: 32, inputs_max: 1 << 20 };

/// Returns an engine of each kind with this program.
pub(super) fn engines(image: &Image, seed: u64) -> [Box<dyn Engine>; 3] {
    let board = Arc::new(load(GRAY1).unwrap());
    let hardware = [
        Hardware::Instruction(None),
        Hardware::Chips(Arc::clone(&board), nearest),
        Hardware::Timed(board, Noise::seeded(seed)),
    ];
    hardware
        .map(|hardware| Setup { hardware, power_up: PowerUp::Random(seed) }.engine(image).unwrap())
}

/// A machine with its state after every edge of the oscillator.
struct EveryState {
    engine: Box<dyn Engine>,
    /// The states by moment and edge.
    states: Vec<Vec<Snapshot>>,
    /// Each moment whose last input held buttons, with the state before that input.
    holds: Vec<(u64, Snapshot)>,
}

impl EveryState {
    fn new(engine: Box<dyn Engine>) -> Self {
        Self { states: vec![vec![engine.save()]], engine, holds: Vec::new() }
    }

    /// Returns the state that the machine has this many edges after a moment.
    fn at(&mut self, moment: u64, edges: u32) -> &Snapshot {
        let known = self.states.len() - 1;
        self.engine.restore(self.states[known].last().unwrap());
        while self.states.len() <= moment as usize + 1 && !self.engine.halted() {
            if self.engine.edge().is_some() {
                self.states.push(Vec::new());
            }
            self.states.last_mut().unwrap().push(self.engine.save());
        }
        &self.states[moment as usize][edges as usize]
    }

    fn give(&mut self, moment: u64, input: Input) {
        self.holds.retain(|(at, _)| *at <= moment);
        let state = match (self.holds.pop_if(|(at, _)| *at == moment), input) {
            // Of several inputs that hold buttons at the same moment, only the last counts.
            (Some((_, before)), Input::Hold(_)) => before,
            _ => self.at(moment, 0).clone(),
        };
        self.engine.restore(&state);
        match input {
            Input::Reset => self.engine.reset(),
            Input::Hold(buttons) => self.engine.hold(buttons),
            Input::Poke(address, byte) => self.engine.poke(address, byte),
            Input::Load(registers) => {
                let is_timed =
                    self.engine.circuit().is_some_and(|circuit| circuit.time_ps().is_some());
                assert_eq!(self.engine.load(registers), !is_timed);
            }
        }
        if let Input::Hold(_) = input {
            self.holds.push((moment, state));
        }
        self.states.truncate(moment as usize);
        self.states.push(vec![self.engine.save()]);
    }
}

/// A program that reads the buttons, counts, lights LEDs and prints, forever.
pub(super) fn program() -> Image {
    let at = |op, address| Word::data(op, RamAddr::truncate(address));
    image(&[
        Word::ldi(3),
        Word::data(Op::Add, panel::BUTTONS),
        at(Op::Add, 0),
        at(Op::St, 0),
        Word::shr(),
        Word::data(Op::St, panel::RED),
        Word::jump(Op::Jc, RomIndex::truncate(1)),
        at(Op::Nand, 0),
        Word::data(Op::St, panel::MAILBOX),
        Word::jump(Op::Jmp, RomIndex::default()),
    ])
}

#[test]
fn thousands_of_random_steps_agree_with_a_model_that_keeps_every_state() {
    const END: u64 = 400;
    // The engine with delays is slow, and its checkpoints can be far apart, so it gets fewer steps.
    for (engine, steps) in engines(&program(), 5).into_iter().zip([10_000, 2_000, 300]) {
        let mut model = EveryState::new(engine.clone());
        let mut history = History::with_limits(engine, LIMITS);
        let mut random = SplitMix64::new(12);
        for step in 0..steps {
            let (now, distance) = (history.moment(), random.below(20));
            match random.below(64) {
                _ if now > END => history.seek(random.below(END)),
                0 => {
                    let input = Input::Hold(Buttons(random.byte()));
                    history.give(input);
                    model.give(now, input);
                }
                1 => {
                    history.give(Input::Reset);
                    model.give(now, Input::Reset);
                }
                2 | 3 => {
                    let input = if random.below(3) == 0 {
                        Input::Load(Registers {
                            a: random.byte(),
                            carry: random.coin(),
                            pc: RomIndex::truncate(random.below(10) as u16),
                        })
                    } else {
                        let address = [0, 0x1fe8, 0x1ffe, 0x1fff][random.below(4) as usize];
                        Input::Poke(RamAddr::truncate(address), random.byte())
                    };
                    history.give(input);
                    model.give(now, input);
                }
                4..12 => history.seek(random.below(END)),
                12..24 => history.seek(now.saturating_sub(distance)),
                24..36 => history.advance(distance),
                36..50 => history.edge(),
                _ => {
                    let is_possible = now > history.start() || history.engine().edges() > 0;
                    assert_eq!(history.edge_back(), is_possible);
                }
            }
            let engine = history.engine();
            let expected = model.at(history.moment(), engine.edges());
            assert!(engine.save() == *expected, "after {step} steps, slice {}", engine.slice());
        }
    }
}

#[test]
fn all_engines_find_the_same_hits() {
    let mut random = SplitMix64::new(2);
    let texts = ["led", "write 3", "mailbox", "when [1] > A", "access 0x1fe4 if C"];
    let texts = texts.map(str::to_owned);
    for _ in 0..6 {
        let program = random_program(&mut random);
        let watch_set = watch_set(&texts, &program);
        let mut histories =
            engines(&program, random.next()).map(|engine| History::with_limits(engine, LIMITS));
        for _ in 0..40 {
            let [expected, others @ ..] =
                histories.each_mut().map(|history| (history.run(&watch_set, 20), history.moment()));
            assert_eq!(others, [expected; 2]);
        }
        let mut searches =
            histories.each_ref().map(|history| Search::new(history, watch_set.clone()));
        loop {
            let mut hits = searches.iter_mut().zip(&histories);
            let mut next_hit = || {
                let (search, history) = hits.next().unwrap();
                last_hit(search, history, 100)
            };
            let expected = next_hit();
            assert_eq!([next_hit(), next_hit()], [expected; 2]);
            if expected.is_none() {
                break;
            }
        }
    }
}

/// Two NOR gates that feed each other race when `IRH_EN` falls, so this board fails.
#[test]
fn a_failed_board_can_go_back() {
    let text = GRAY1.replace(
        "(\n            name: \"PHASE\"",
        r#"(
            name: "SET", part: "82S123", address: ["IRH_EN", "OUT.0", "0", "0", "0"],
            data: ["SET.0"], does: Table, contents: File("nor"),
        ),
        (
            name: "OUT", part: "82S123", address: ["IRH_EN", "SET.0", "0", "0", "0"],
            data: ["OUT.0"], does: Table, contents: File("nor"),
        ),
        (
            name: "PHASE""#,
    );
    let nor = |_: &str| Ok((0..32).map(|address| u8::from(address % 4 == 0)).collect());
    let board = Arc::new(gray1_board::Board::load(&text, gray1_roms::parts(), nor).unwrap());
    let setup = Setup { hardware: Hardware::Chips(board, nearest), power_up: PowerUp::Zero };
    let image = image(&[Word::ldi(1)]);
    let mut history = History::new(setup.engine(&image).unwrap());
    for _ in 0..2 {
        assert_eq!(history.run(&WatchSet::default(), 10), RunResult::Halted);
        let error = history.engine().error().unwrap().to_string();
        let expected = "in phase T2 (oscillator low) the outcome depends on which chip is faster: \
                        SET.0, OUT.0 of SET, OUT";
        assert_eq!((error.as_str(), history.moment()), (expected, 0));
        // Move back to before the failure, and forward to it again by edges.
        assert!(history.edge_back());
        assert_eq!((history.engine().phase(), history.engine().error()), (Phase::T1, None));
        history.edge();
        assert_eq!((history.engine().phase(), history.engine().error()), (Phase::T2, None));
        history.edge();
        assert_eq!(history.engine().error().unwrap().to_string(), expected);
        history.seek(0);
        history.give(Input::Hold(Buttons(1)));
        assert_eq!(history.engine().ram()[panel::BUTTONS.to_usize()], 1);
    }
}
