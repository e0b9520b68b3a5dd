//! The tutorial keeps its word: every program in it assembles without a warning, and shows and
//! prints what the text says; its game can be played. Its walk through the debugger is in
//! `debugging.rs`.

use gray1_isa::PowerUp;
use gray1_isa::panel::{Display, Led};
use gray1_sim::{Engine as _, Machine};

use crate::support::{Bench, arrangements, image_of_source, root, tutorial_program};

/// The title of the game.
const GAME: &str = "Dodge";
/// More than any of the programs executes.
const INSTRUCTIONS_MAX: u64 = 10_000_000;

/// A block of the tutorial: what stands behind its first fence, its lines, and where it starts.
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

/// A program of the tutorial, run to its end.
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
            // The game has no end, and is played below.
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

/// The game in someone's hands.
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

    /// Waits until the rocks fall again, or until this one hits.
    fn wait(&mut self) {
        let steps = self.steps();
        while self.steps() == steps && !self.has_crashed() {
            self.machine.run(100);
        }
        self.machine.run(300);
    }

    /// Goes out of the way of what is above the dot, to the nearest column that is free there and,
    /// where possible, on the way.
    fn dodge(&mut self) {
        let red = self.machine.display().red;
        let is_free = |column: u32| (red[6] | red[7]) >> (column % 8) & 1 == 0;
        let ways = [("right", 1), ("left", 7)].map(|(button, step)| {
            let columns = (0..8).map(|n| self.column() + n * step);
            let is_open = |&column: &u32| red[7] >> (column % 8) & 1 == 0;
            (columns.take_while(is_open).position(is_free), button)
        });
        let way = ways.into_iter().filter_map(|(presses, button)| Some((presses?, button))).min();
        let (presses, button) = way.expect("there is a way");
        (0..presses).for_each(|_| self.press(button));
    }

    fn printed(&mut self) -> String {
        String::from_utf8(self.machine.take_output()).unwrap()
    }
}

#[test]
fn in_its_game_a_rock_hits_who_stands_still() {
    let source = tutorial_program(GAME);
    let ran = Bench::new().gray1_with_input("asm - -o -", source.as_bytes());
    assert_eq!(ran.err(), "", "no warnings");

    let mut player = Player::new();
    while !player.has_crashed() {
        player.wait();
    }
    assert_eq!(player.printed(), format!("{}\n", player.steps()));
    // No button but start begins again.
    player.press("left");
    assert!(player.has_crashed());
    player.press("start");
    assert!(!player.has_crashed());
    assert_eq!(player.steps(), 1);
}

#[test]
fn in_its_game_who_dodges_lasts() {
    let mut player = Player::new();
    player.machine.run(1_000);
    let start = player.column();
    player.press("left");
    assert_eq!(player.column(), start - 1);
    player.press("right");
    assert_eq!(player.column(), start);
    while player.steps() < 200 {
        player.wait();
        player.dodge();
        assert!(!player.has_crashed(), "after {} steps", player.steps());
    }
    assert_eq!(player.printed(), "");
}
