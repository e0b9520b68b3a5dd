//! Checks that the explanations of display squares are true. The model knows the rules of the games
//! and records everything that the machine stores. It does not use causes.

mod games;

use std::collections::BTreeMap;

use gray1_debugger::why::{Asked, Explanation, Question};
use gray1_debugger::{Debugger, Goal, History, Input};
use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::{BUTTONS, Buttons, Display, Led, LedColor};
use gray1_isa::{Image, PowerUp, RamAddr, RomIndex, SplitMix64};
use gray1_sim::{Engine as _, Machine};

use crate::support;

type Square = (u8, u8);

/// The number of runs of each program. Every other run starts with random memory.
const RUNS: u64 = 4;

/// Every store of a run, and the moments at which the run reached each instruction.
struct Tape {
    image: Image,
    /// The history of each byte: the moment after each store, and the value. The first value is
    /// from power-up.
    bytes: Vec<Vec<(u64, u8)>>,
    visits: BTreeMap<RomIndex, Vec<u64>>,
}

impl Tape {
    /// Runs the program with these buttons. Each entry gives a moment and the buttons that are held
    /// from then on.
    fn record(image: &Image, power_up: PowerUp, held: &[(u64, Buttons)], end: u64) -> Self {
        let mut machine = Machine::new(image, power_up);
        let mut bytes: Vec<_> = machine.ram().iter().map(|byte| vec![(0, *byte)]).collect();
        assert_eq!(bytes.len(), RAM_BYTES);
        let mut visits: BTreeMap<_, Vec<u64>> = BTreeMap::new();
        let mut held = held.iter().peekable();
        for moment in 0..end {
            while let Some((_, buttons)) = held.next_if(|(at, _)| *at == moment) {
                machine.hold(*buttons);
                bytes[usize::from(BUTTONS.get())].push((moment, buttons.0));
            }
            visits.entry(machine.pc()).or_default().push(moment);
            let write = machine.step().expect("it has not ended").write;
            if let Some(write) = write {
                bytes[usize::from(write.address.get())].push((moment + 1, write.new));
            }
        }
        Self { image: image.clone(), bytes, visits }
    }

    /// The value of a byte at a moment.
    fn byte(&self, address: RamAddr, moment: u64) -> u8 {
        let stored = &self.bytes[usize::from(address.get())];
        stored[stored.partition_point(|(at, _)| *at <= moment) - 1].1
    }

    fn symbol(&self, name: &str) -> u16 {
        u16::try_from(self.image.symbol(name).expect(name).value).unwrap()
    }

    /// The moments up to this one at which a row of LEDs was stored.
    fn stores(&self, color: LedColor, row: u8, moment: u64) -> Vec<u64> {
        let stored = &self.bytes[usize::from(color.first().get() + u16::from(row))];
        stored.iter().map(|(at, _)| *at).filter(|at| (1..=moment).contains(at)).collect()
    }

    /// The value of one byte of a variable at a moment.
    fn at(&self, name: &str, offset: u8, moment: u64) -> u8 {
        self.byte(RamAddr::truncate(self.symbol(name) + u16::from(offset)), moment)
    }

    /// The squares whose bits are set in eight bytes of a variable.
    fn board(&self, name: &str, moment: u64) -> Vec<Square> {
        all_squares()
            .filter(|(row, column)| self.at(name, *row, moment) >> column & 1 == 1)
            .collect()
    }

    fn display(&self, moment: u64) -> Display {
        let rows = |color: LedColor| {
            std::array::from_fn(|row| {
                self.byte(RamAddr::truncate(color.first().get() + row as u16), moment)
            })
        };
        Display { green: rows(LedColor::Green), red: rows(LedColor::Red) }
    }

    fn led(&self, (row, column): Square, moment: u64) -> Led {
        self.display(moment).led(row.into(), column.into())
    }

    fn squares_with(&self, led: Led, moment: u64) -> Vec<Square> {
        let display = self.display(moment);
        let has = |square: &Square| display.led(square.0.into(), square.1.into()) == led;
        all_squares().filter(has).collect()
    }

    /// The moments up to this one at which a square changed its colour, newest first, each with the
    /// new colour. The initial colour has the moment 0.
    fn colours(&self, (row, column): Square, moment: u64) -> Vec<(u64, Led)> {
        let rows = [LedColor::Green, LedColor::Red]
            .map(|color| &self.bytes[usize::from(color.first().get() + u16::from(row))]);
        let mut moments: Vec<u64> = rows.into_iter().flatten().map(|(at, _)| *at).collect();
        moments.retain(|at| *at <= moment);
        moments.sort_unstable();
        let mut colours =
            moments.iter().map(|at| (*at, self.led((row, column), *at))).collect::<Vec<_>>();
        colours.dedup_by_key(|(_, led)| *led);
        colours.reverse();
        colours
    }

    /// The last moment up to this one at which the named instruction was next.
    fn visit(&self, name: &str, moment: u64) -> Option<u64> {
        let visits = self.visits.get(&RomIndex::truncate(self.symbol(name)))?;
        visits[..visits.partition_point(|at| *at <= moment)].last().copied()
    }
}

/// An answer of `gray1 why` to check.
struct Answer<'a> {
    tape: &'a Tape,
    square: Square,
    moment: u64,
    /// The sentence without its heading and its full stop.
    words: &'a str,
    explanation: &'a Explanation,
}

impl Answer<'_> {
    /// The moment before the deciding instruction, as the explanation gives it.
    fn decided(&self) -> u64 {
        self.explanation.decision.as_ref().unwrap().step().unwrap().before
    }

    /// Whether the explanation names exactly these squares, apart from the square that it explains.
    fn names_only(&self, squares: &[Square]) -> bool {
        let mut squares = squares.to_vec();
        squares.retain(|square| *square != self.square);
        squares.sort_unstable();
        self.explanation.squares == squares
    }

    /// The row of the queen that a sentence names.
    fn named_row(&self) -> Option<u8> {
        let (_, after) = self.words.split_once("queen in row ")?;
        after.chars().next()?.to_digit(10).map(|row| row as u8)
    }

    /// Whether one of these queens is in the named row, attacks the square in the named direction
    /// (if the sentence names one), and is the only square that the explanation rings.
    fn is_attacked_by_named(&self, queens: &[Square]) -> bool {
        let Some(row) = self.named_row() else { return false };
        let direction = self.words.rsplit_once(", ").map(|(_, direction)| direction);
        queens.iter().any(|queen| {
            let down = i32::from(self.square.0) - i32::from(queen.0);
            let right = i32::from(self.square.1) - i32::from(queen.1);
            let expected = match (down, right) {
                (0, 0) => return false,
                (0, _) => "along the row",
                (1.., 0) => "straight down",
                (_, 0) => "straight up",
                _ if down.abs() == right.abs() => "along a diagonal",
                _ => return false,
            };
            let fits = direction.is_none_or(|it| it == expected || it.starts_with("because"));
            queen.0 == row && fits && self.names_only(&[*queen])
        })
    }
}

fn all_squares() -> impl Iterator<Item = Square> {
    (0..8).flat_map(|row| (0..8).map(move |column| (row, column)))
}

/// Whether a queen attacks another square.
fn attacks((row, column): Square, (to_row, to_column): Square) -> bool {
    (row, column) != (to_row, to_column)
        && (row == to_row
            || column == to_column
            || row.abs_diff(to_row) == column.abs_diff(to_column))
}

/// The counts for one program.
#[derive(Default)]
struct Checked {
    answers: usize,
    /// The number of sentences that name a square, a count or an input.
    specific: usize,
    /// The number of sentences of each kind. A kind is a sentence without its numbers.
    kinds: BTreeMap<String, usize>,
    false_ones: Vec<String>,
}

/// The rules of a game, the length of its runs, and the buttons to press.
struct Game {
    program: &'static str,
    length: u64,
    /// The buttons to press, and the mean number of instructions between two presses.
    buttons: &'static [u8],
    pause: u64,
    /// Whether the game uses LEDs of only one colour. Sentences then say "Lit" instead of the
    /// colour.
    is_lit: bool,
    is_true: fn(&Answer) -> bool,
}

const UP_DOWN_LEFT_RIGHT: [u8; 4] = [1, 2, 4, 8];
const BUTTON_A: u8 = 16;
const GAMES: [Game; 10] = [
    Game {
        program: "queens",
        length: 170_000,
        buttons: &[],
        pause: 0,
        is_lit: false,
        is_true: games::queens,
    },
    Game {
        program: "queens-bits",
        length: 60_000,
        buttons: &[],
        pause: 0,
        is_lit: false,
        is_true: games::queens_bits,
    },
    Game {
        program: "queens-bits-draw",
        length: 110_000,
        buttons: &[],
        pause: 0,
        is_lit: true,
        is_true: games::queens_bits,
    },
    Game {
        program: "life",
        length: 60_000,
        buttons: &[BUTTON_A],
        pause: 12_000,
        is_lit: true,
        is_true: games::life,
    },
    Game {
        program: "puzzle",
        length: 400_000,
        buttons: &[1, 2, 4, 8, 8, BUTTON_A, BUTTON_A, BUTTON_A, BUTTON_A, 128],
        pause: 4000,
        is_lit: false,
        is_true: games::puzzle,
    },
    Game {
        program: "snake",
        length: 2_000_000,
        buttons: &UP_DOWN_LEFT_RIGHT,
        pause: 40_000,
        is_lit: false,
        is_true: games::snake,
    },
    Game {
        program: "counter",
        length: 200_000,
        buttons: &[],
        pause: 0,
        is_lit: true,
        is_true: games::counter,
    },
    Game {
        program: "scroll",
        length: 2_000_000,
        buttons: &[],
        pause: 0,
        is_lit: true,
        is_true: games::scroll,
    },
    Game {
        program: "primes",
        length: 600,
        buttons: &[],
        pause: 0,
        is_lit: false,
        is_true: games::primes,
    },
    Game {
        program: "fibonacci",
        length: 1000,
        buttons: &[],
        pause: 0,
        is_lit: true,
        is_true: games::fibonacci,
    },
];

impl Game {
    /// Checks the answers about this many squares, at random moments of a run.
    fn check(&self, run: u64, squares: u64, checked: &mut Checked) {
        let mut random = SplitMix64::new(100 * run + 7);
        let image = support::image(self.program);
        let power_up =
            if run.is_multiple_of(2) { PowerUp::Zero } else { PowerUp::Random(random.next()) };
        let held = self.presses(&mut random);
        let mut debugger = Debugger::new(
            image.clone().into(),
            History::new(Box::new(Machine::new(&image, power_up))),
        );
        for (moment, buttons) in &held {
            run_to(&mut debugger, *moment);
            debugger.give(Input::Hold(*buttons));
        }
        run_to(&mut debugger, self.length);
        let end = debugger.position().moment;
        let tape = Tape::record(&image, power_up, &held, end);
        for _ in 0..squares {
            let (moment, square) = (random.below(end), random.below(64) as u8);
            let square = (square / 8, square % 8);
            let asked = Asked::Led { row: square.0, column: square.1 };
            debugger.ask(Question { asked, depth: 1, is_folded: true }, moment);
            while debugger.is_busy() {
                debugger.advance(0);
            }
            self.judge(&tape, square, moment, debugger.explanation().unwrap(), checked);
        }
    }

    fn judge(
        &self,
        tape: &Tape,
        square: Square,
        moment: u64,
        explanation: &Explanation,
        checked: &mut Checked,
    ) {
        let led = tape.led(square, moment);
        let sentence = &explanation.sentence;
        let heading = match led {
            Led::Dark => "Dark",
            _ if self.is_lit => "Lit",
            Led::Green => "Green",
            Led::Red => "Red",
            Led::Yellow => "Yellow",
        };
        let plain = format!("LED {}, {} is {}", square.0, square.1, led.name());
        let words = sentence.strip_prefix(heading).and_then(|it| it.strip_prefix(": "));
        let is_true = if let Some(words) = words.and_then(|it| it.strip_suffix('.')) {
            let named = format!("the square in row {}, column {}", square.0, square.1);
            let is_named =
                words.matches("the square in row ").count() == words.matches(&named).count();
            let words = &words.replace(&named, "SQUARE");
            is_named && (self.is_true)(&Answer { tape, square, moment, words, explanation })
        } else {
            // At power-up, and for a colour that was only shown in passing, the sentence has the
            // general form.
            sentence.starts_with(&plain) && explanation.squares.is_empty()
        };
        let what = format!(
            "{} {square:?} at {moment}: {sentence} {:?}",
            self.program, explanation.squares
        );
        checked.false_ones.extend((!is_true).then_some(what));
        let specific_words = ["row ", "neighbour", "this ", "here ", "button"];
        checked.specific += usize::from(specific_words.iter().any(|it| sentence.contains(it)));
        checked.answers += 1;
        let kind: String =
            sentence.chars().map(|it| if it.is_ascii_digit() { '#' } else { it }).collect();
        *checked.kinds.entry(kind).or_default() += 1;
    }

    /// Random presses. Each button is held for 1,100 instructions, so that the program has time to
    /// read it.
    fn presses(&self, random: &mut SplitMix64) -> Vec<(u64, Buttons)> {
        let (mut held, mut moment) = (Vec::new(), 2000);
        while !self.buttons.is_empty() && moment + 3000 < self.length {
            let button = self.buttons[random.below(self.buttons.len() as u64) as usize];
            held.extend([(moment, Buttons(button)), (moment + 1100, Buttons::NONE)]);
            moment += 1100 + random.below(2 * self.pause);
        }
        held
    }
}

fn run_to(debugger: &mut Debugger, moment: u64) {
    debugger.go(Goal::Instructions(moment - debugger.position().moment)).unwrap();
    while debugger.is_busy() {
        debugger.advance(u64::MAX);
    }
}

/// Checks this many squares of each program, and prints the kinds of sentences.
#[expect(clippy::print_stdout, reason = "that is what `--nocapture` shows")]
fn check(squares: u64) {
    let mut all_false = Vec::new();
    for game in GAMES {
        let mut checked = Checked::default();
        for run in 0..RUNS {
            game.check(run, squares / RUNS, &mut checked);
        }
        println!("{}: {} of {} name something", game.program, checked.specific, checked.answers);
        for (kind, count) in &checked.kinds {
            println!("  {count:4} {kind}");
        }
        assert!(10 * checked.specific >= 9 * checked.answers, "{}", game.program);
        all_false.extend(checked.false_ones);
    }
    assert!(all_false.is_empty(), "{}", all_false.join("\n"));
}

#[test]
fn sentences_about_squares_are_true() {
    check(16);
}

#[test]
#[ignore = "takes a minute"]
fn sentences_about_two_hundred_squares_of_each_program_are_true() {
    check(200);
}
