//! Every program of the tutorial assembles without a warning, and shows and prints what the
//! tutorial claims. Its game can be played. The tutorial's debugger session is tested in
//! `terminal/debug.rs`.

use gray1_isa::PowerUp;
use gray1_isa::panel::{Display, Led};
use gray1_sim::{Engine as _, Machine};

use crate::support::{Bench, arrangements, image_of_source, root, tutorial_program};

/// The title of the game.
const GAME: &str = "Dodge";
/// More instructions than any of the programs executes.
const INSTRUCTIONS_MAX: u64 = 10_000_000;

/// A code block of the tutorial: the language on its first fence, its lines, and its line number.
struct Block {
    kind: String,
    text: String,
    line: usize,
}

fn blocks() -> Vec<Block> {
    let tutorial = std::fs::read_to_string(root().join("docs/TUTORIAL.md")).unwrap();
    let mut lines = (1..).zip(tutorial.lines());
    let mut blocks = Vec::new();
    while let Some((line, fence)) = lines.next() {
        if let Some(kind) = fence.strip_prefix("```") {
            let inside = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
            let text = inside.flat_map(|line| [line, "\n"]).collect();
            blocks.push(Block { kind: kind.to_owned(), text, line });
        }
    }
    blocks
}

/// Runs a program of the tutorial to its end.
fn run(source: &str) -> Machine {
    let ran = Bench::new().gray1_with_input("asm - -o -", source.as_bytes());
    assert_eq!(ran.err(), "", "no warnings");
    let mut machine = Machine::new(&image_of_source(source), PowerUp::Zero);
    machine.run(INSTRUCTIONS_MAX);
    assert!(machine.halted());
    machine
}

fn letters(display: &Display) -> String {
    let letter = |row, column| match display.led(row, column) {
        Led::Dark => '.',
        Led::Green => 'G',
        Led::Red => 'R',
        Led::Yellow => 'Y',
    };
    (0..8).flat_map(|row| (0..8).map(move |column| letter(row, column)).chain(['\n'])).collect()
}

#[test]
fn its_programs_show_and_print_what_it_says() {
    let mut machine = None;
    let (mut programs, mut claims) = (0, 0);
    for Block { kind, text, line } in blocks() {
        let ran = machine.as_mut().filter(|_| kind != "asm");
        match (kind.as_str(), ran) {
            // The game does not end. Another test plays it.
            ("asm", _) if text == tutorial_program(GAME) => machine = None,
            ("asm", _) => {
                programs += 1;
                machine = Some(run(&text));
            }
            ("leds", Some(machine)) => {
                claims += 1;
                assert_eq!(letters(&machine.display()), text, "docs/TUTORIAL.md:{line}");
            }
            ("output", Some(machine)) => {
                claims += 1;
                let printed = String::from_utf8(machine.take_output()).unwrap();
                assert_eq!(printed, text, "docs/TUTORIAL.md:{line}");
            }
            (other, _) => panic!("docs/TUTORIAL.md:{line}: what is `{other}`?"),
        }
    }
    assert_eq!((programs, claims), (7, 7));
}

#[test]
fn its_search_prints_the_published_arrangements() {
    let printed = run(&tutorial_program("Eight queens, from the tutorial")).take_output();
    assert_eq!(String::from_utf8(printed).unwrap(), arrangements());
}

/// A player of the game.
struct Player {
    machine: Machine,
    steps: usize,
}

impl Player {
    fn new() -> Self {
        let image = image_of_source(&tutorial_program(GAME));
        let steps = usize::try_from(image.symbol("steps").unwrap().value).unwrap();
        Self { machine: Machine::new(&image, PowerUp::Zero), steps }
    }

    fn steps(&self) -> u8 {
        self.machine.ram()[self.steps]
    }

    /// The column of the dot.
    fn column(&self) -> u32 {
        self.machine.display().green[7].trailing_zeros()
    }

    fn has_crashed(&self) -> bool {
        let display = self.machine.display();
        display.green[7] & display.red[7] != 0
    }

    fn press(&mut self, button: &str) {
        for held in [button, "-"] {
            self.machine.hold(held.parse().unwrap());
            self.machine.run(200);
        }
    }
}

#[test]
fn its_game_can_be_played() {
    let source = tutorial_program(GAME);
    let ran = Bench::new().gray1_with_input("asm - -o -", source.as_bytes());
    assert_eq!(ran.err(), "", "no warnings");

    let mut player = Player::new();
    while !player.has_crashed() {
        player.machine.run(100);
    }
    player.machine.run(300);
    let printed = String::from_utf8(player.machine.take_output()).unwrap();
    assert_eq!(printed, format!("{}\n", player.steps()));
    // Only the start button starts a new game.
    player.press("left");
    assert!(player.has_crashed());
    player.press("start");
    assert!(!player.has_crashed());
    assert_eq!(player.steps(), 1);
    // The dot moves in both directions.
    player.machine.run(1_000);
    let start = player.column();
    player.press("left");
    assert_eq!(player.column(), start - 1);
    player.press("right");
    assert_eq!(player.column(), start);
}
