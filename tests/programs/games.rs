//! The programs that are played with the panel's buttons.

use gray1_isa::panel::Buttons;
use gray1_isa::{Image, PowerUp};
use gray1_sim::{Engine as _, Machine};

use crate::support::{self, arrangements};

/// A program, its names, and the buttons held.
struct Game {
    image: Image,
    machine: Machine,
}

impl Game {
    fn new(program: &str, power_up: PowerUp) -> Self {
        let image = support::image(program);
        Self { machine: Machine::new(&image, power_up), image }
    }

    /// Presses a button as a key does, for 150 ms of a machine with 100,000 instructions a second,
    /// and waits as long again.
    fn press(&mut self, button: &str) {
        self.machine.hold(button.parse().unwrap());
        self.machine.run(15_000);
        self.machine.hold(Buttons::NONE);
        self.machine.run(15_000);
    }

    fn value(&self, name: &str) -> usize {
        usize::try_from(self.image.symbol(name).unwrap().value).unwrap()
    }

    fn byte(&self, name: &str) -> u8 {
        self.machine.ram()[self.value(name)]
    }

    fn bytes<const N: usize>(&self, name: &str) -> [u8; N] {
        self.machine.ram()[self.value(name)..][..N].try_into().unwrap()
    }

    /// Runs until the program comes to one of these labels.
    fn run_to(&mut self, labels: &[&str]) {
        let indexes: Vec<usize> = labels.iter().map(|label| self.value(label)).collect();
        self.machine.step();
        for _ in 0..1_000_000 {
            if indexes.contains(&self.machine.pc().to_usize()) {
                return;
            }
            self.machine.step();
        }
        panic!("it does not come to {labels:?}");
    }

    /// Presses a button for a moment, or none for `-`.
    fn tap(&mut self, button: &str) {
        self.machine.hold(button.parse().unwrap());
        self.machine.run(1_000);
        self.machine.hold(Buttons::NONE);
    }

    fn printed(&mut self) -> String {
        String::from_utf8(self.machine.take_output()).unwrap()
    }
}

/// The puzzle on the table, and where its cursor is.
struct Puzzle {
    game: Game,
    cursor: (usize, usize),
}

impl Puzzle {
    fn new() -> Self {
        let mut game = Game::new("puzzle", PowerUp::Random(5));
        game.run_to(&["play"]);
        Self { game, cursor: (3, 3) }
    }

    /// Goes to a square, the shorter way round or not, and presses A.
    fn toggle(&mut self, row: usize, column: usize) {
        let (down, right) = ((row + 8 - self.cursor.0) % 8, (column + 8 - self.cursor.1) % 8);
        for (there, back, count) in [("down", "up", down), ("right", "left", right)] {
            let (button, count) = if count > 4 { (back, 8 - count) } else { (there, count) };
            (0..count).for_each(|_| self.game.press(button));
        }
        self.cursor = (row, column);
        self.game.press("a");
    }

    fn queens(&self) -> [u8; 8] {
        self.game.bytes("queens")
    }

    /// Presses start and waits for the board to be solved.
    fn solve(&mut self) {
        self.game.press("start");
        for _ in 0..400 {
            if self.game.byte("solved") == 1 {
                return;
            }
            self.game.machine.run(10_000);
        }
        panic!("it does not solve {:?}", self.queens());
    }

    /// What the LEDs show while the cursor, and what else blinks, is on or off: green and red.
    fn seen(&mut self, on: bool) -> ([u8; 8], [u8; 8]) {
        let blink = if on { 0xff } else { 0 };
        while self.game.byte("blink") != blink {
            self.game.machine.run(100);
        }
        self.game.run_to(&["play"]);
        let display = self.game.machine.display();
        (display.green, display.red)
    }
}

/// The squares that a queen of this board attacks.
fn attacked(queens: [u8; 8]) -> [u8; 8] {
    let is_queen = |row: usize, column: usize| queens[row] >> column & 1 == 1;
    let attacks = |(r, c): (usize, usize), (row, column): (usize, usize)| {
        let (dr, dc) = (r.abs_diff(row), c.abs_diff(column));
        (dr, dc) != (0, 0) && (dr == 0 || dc == 0 || dr == dc)
    };
    let squares = || (0..8).flat_map(|row| (0..8).map(move |column| (row, column)));
    let mut board = [0; 8];
    for (row, column) in squares() {
        let by = |&(r, c): &(usize, usize)| is_queen(r, c) && attacks((r, c), (row, column));
        board[row] |= u8::from(squares().any(|square| by(&square))) << column;
    }
    board
}

/// The arrangement of a solved board, as it is printed.
fn arrangement(queens: [u8; 8]) -> String {
    queens.iter().map(|row| (row.trailing_zeros() + 1).to_string()).chain(["\n".into()]).collect()
}

/// The squares of rows that are the first of `boards`, but not of the second.
fn without(boards: [u8; 8], others: [u8; 8]) -> [u8; 8] {
    std::array::from_fn(|row| boards[row] & !others[row])
}

#[test]
fn the_puzzle_shows_what_is_attacked_and_who() {
    let mut puzzle = Puzzle::new();
    // None, one, two in peace, attacks along a row, a column, both diagonals, and in a crowd.
    let places = [(0, 0), (1, 2), (1, 5), (6, 5), (7, 4), (7, 7), (2, 3), (0, 7), (5, 0), (0, 0)];
    let mut queens = [0_u8; 8];
    for (row, column) in places {
        puzzle.toggle(row, column);
        queens[row] ^= 1 << column;
        assert_eq!(puzzle.queens(), queens);
        let attacked = attacked(queens);
        let yellow = without(attacked, queens);
        let both = |a: [u8; 8], b: [u8; 8]| std::array::from_fn(|row| a[row] | b[row]);
        assert_eq!(puzzle.seen(false), (yellow, both(queens, yellow)), "{queens:?}");
        // The cursor is green; queens who are attacked are not to be seen.
        let mut cursor = [0; 8];
        cursor[row] = 1 << column;
        let peaceful = without(queens, attacked);
        let (green, red) = (both(yellow, cursor), without(both(peaceful, yellow), cursor));
        assert_eq!(puzzle.seen(true), (green, red), "{queens:?}");
    }
    puzzle.game.press("b");
    assert_eq!(puzzle.queens(), [0; 8]);
    assert_eq!(puzzle.seen(false), ([0; 8], [0; 8]));
    assert_eq!(puzzle.game.printed(), "");
}

#[test]
fn a_mistake_is_taken_back_and_a_solution_turns_the_board_green() {
    let mut puzzle = Puzzle::new();
    for (row, digit) in "15863724".bytes().enumerate() {
        let column = usize::from(digit - b'1');
        puzzle.toggle(row, (column + 1) % 8);
        puzzle.toggle(row, (column + 1) % 8);
        assert_eq!(puzzle.game.byte("solved"), 0);
        puzzle.toggle(row, column);
    }
    assert_eq!(puzzle.game.printed(), "15863724\n");
    let queens = puzzle.queens();
    assert_eq!(puzzle.seen(false), ([0xff; 8], [0; 8]));
    assert_eq!(puzzle.seen(true), (without([0xff; 8], queens), queens));
    // One queen less, and it is a puzzle again.
    puzzle.toggle(7, 3);
    assert_eq!(puzzle.game.byte("solved"), 0);
}

#[test]
fn start_solves_from_any_board() {
    let all = arrangements();
    let mut puzzle = Puzzle::new();
    let mut found = Vec::new();
    for places in [
        &[][..],
        &[(0, 0)],
        &[(2, 7), (4, 2), (6, 1)],
        // Solved, and asked again.
        &[],
        &[],
        // Two who attack each other keep no place.
        &[(3, 3), (4, 4)],
    ] {
        if !places.is_empty() {
            puzzle.game.press("b");
        }
        for &(row, column) in places {
            puzzle.toggle(row, column);
        }
        let before = puzzle.queens();
        puzzle.solve();
        let line = puzzle.game.printed();
        assert!(all.contains(&line) && line == arrangement(puzzle.queens()), "{line}");
        if places.len() != 2 && !places.is_empty() {
            assert_eq!(without(before, puzzle.queens()), [0; 8], "they keep their places");
        }
        found.push(line);
    }
    assert_ne!(found[2], found[3]);
    assert_ne!(found[3], found[4]);
}

/// No arrangement has these two queens, who are at peace: when enough was tried they have to go.
#[test]
fn a_board_without_a_solution_is_solved_without_it() {
    let hopeless = |row: usize, a: u8, b: u8| {
        let all = arrangements();
        !all.lines().any(|line| line.as_bytes()[row] == a && line.as_bytes()[row + 1] == b)
    };
    assert!(hopeless(0, b'1', b'3'));
    let mut puzzle = Puzzle::new();
    puzzle.toggle(0, 0);
    puzzle.toggle(1, 2);
    puzzle.solve();
    assert!(arrangements().contains(&puzzle.game.printed()));
}

impl Game {
    /// A square of the snake: row and column.
    fn square(&self, name: &str) -> (usize, usize) {
        let [row, column] = self.bytes(name);
        (usize::from(row), column.trailing_zeros() as usize)
    }

    fn is_green(&self, (row, column): (usize, usize)) -> bool {
        self.machine.display().green[row] >> column & 1 == 1
    }
}

fn neighbour((row, column): (usize, usize), way: &str) -> (usize, usize) {
    match way {
        "up" => ((row + 7) % 8, column),
        "down" => ((row + 1) % 8, column),
        "left" => (row, (column + 7) % 8),
        _ => (row, (column + 1) % 8),
    }
}

#[test]
fn the_snake_follows_its_head_and_grows_by_what_it_eats() {
    let mut game = Game::new("snake", PowerUp::Random(1));
    let mut body = vec![(4, 1), (4, 2), (4, 3)];
    let mut way = "right";
    let mut eaten = 0;
    for _ in 0..200 {
        game.run_to(&["step"]);
        let food = game.square("food");
        assert_eq!(game.square("head"), *body.last().unwrap());
        assert_eq!(usize::from(game.byte("length")), body.len());
        let lit = game.machine.display().green.map(u8::count_ones).iter().sum::<u32>();
        assert_eq!(lit as usize, body.len());
        assert!(body.iter().all(|&square| game.is_green(square)), "{body:?}");
        let mut red = [0; 8];
        red[food.0] = 1 << food.1;
        assert_eq!(game.machine.display().red, red);

        let head = *body.last().unwrap();
        let turns =
            if ["left", "right"].contains(&way) { ["up", "down"] } else { ["left", "right"] };
        let distance = |(row, column): (usize, usize)| {
            let around = |a: usize, b: usize| a.abs_diff(b).min(8 - a.abs_diff(b));
            around(row, food.0) + around(column, food.1)
        };
        let free = |way: &&str| !body[1..].contains(&neighbour(head, way));
        let best = [way, turns[0], turns[1]].into_iter().filter(free);
        let Some(best) = best.min_by_key(|way| distance(neighbour(head, way))) else { break };
        if best != way {
            game.tap(best);
        }
        way = best;
        body.push(neighbour(head, way));
        if neighbour(head, way) == food {
            eaten += 1;
        } else {
            body.remove(0);
        }
    }
    assert!(eaten > 7, "it ate {eaten} times");
}
