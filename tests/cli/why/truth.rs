//! What is told of a square of the display is true: the test knows the queens, and the rule of
//! life.

use gray1_debugger::why::{Asked, Question};
use gray1_debugger::{Debugger, Goal, History};
use gray1_isa::panel::Led;
use gray1_isa::{PowerUp, SplitMix64};
use gray1_sim::Machine;

use crate::support;

/// A built-in program that has run for so many instructions, or to its end.
pub(super) fn after(program: &str, count: u64) -> Debugger {
    let image = support::image(program);
    let history = History::new(Box::new(Machine::new(&image, PowerUp::Zero)));
    let mut debugger = Debugger::new(image.into(), history);
    debugger.go(Goal::Instructions(count)).unwrap();
    while debugger.moves() {
        debugger.advance(u64::MAX);
    }
    debugger
}

/// What is told of a square at a moment.
fn sentence(debugger: &mut Debugger, moment: u64, (row, column): (u8, u8)) -> String {
    let asked = Asked::Led { row, column };
    debugger.ask(Question { asked, depth: 1, is_folded: true }, moment);
    while debugger.moves() {
        debugger.advance(0);
    }
    debugger.story().unwrap().sentence.clone()
}

/// The moment that a sentence names.
fn moment_of(sentence: &str) -> Option<u64> {
    sentence.rsplit_once("(moment ")?.1.strip_suffix(')')?.parse().ok()
}

/// The squares that a sentence names as being this: `Q at 2, 3 and 4, 5`.
fn squares(sentence: &str, what: &str) -> Vec<(u8, u8)> {
    let kinds = sentence.rsplit_once(" (moment").map_or("", |(told, _)| told);
    let kinds = kinds.rsplit_once("\", ").map_or("", |(_, kinds)| kinds);
    let list = kinds.split("; ").find_map(|kind| kind.strip_prefix(&format!("{what} at ")));
    let Some(list) = list else { return Vec::new() };
    let square = |text: &str| -> Option<(u8, u8)> {
        let (row, column) = text.split_once(", ")?;
        Some((row.parse().ok()?, column.parse().ok()?))
    };
    list.split(" and ").map_while(square).collect()
}

fn byte(debugger: &mut Debugger, name: &str, offset: u8, moment: u64) -> u8 {
    debugger.seek(moment, 0);
    let first = usize::try_from(debugger.image().symbol(name).unwrap().value).unwrap();
    debugger.engine().ram()[first + usize::from(offset)]
}

fn led(debugger: &mut Debugger, (row, column): (u8, u8), moment: u64) -> Led {
    debugger.seek(moment, 0);
    debugger.engine().display().led(row.into(), column.into())
}

fn all_squares() -> impl Iterator<Item = (u8, u8)> {
    (0..8).flat_map(|row| (0..8).map(move |column| (row, column)))
}

fn attacks((row, column): (u8, u8), (to_row, to_column): (u8, u8)) -> bool {
    column == to_column || row.abs_diff(to_row) == column.abs_diff(to_column)
}

/// Whether what is told of a dark square is true: a queen that stands there attacks it, a queen was
/// tried on it, a queen was taken from it, or the search has not begun.
fn is_true(debugger: &mut Debugger, square: (u8, u8), told: &str) -> bool {
    let (row, column) = square;
    let Some(moment) = moment_of(told) else { return false };
    if told.contains("Exclude the squares that she attacks") {
        let queens = squares(told, "Q");
        return !queens.is_empty()
            && queens.iter().all(|queen| {
                queen.0 < row
                    && attacks(*queen, square)
                    && byte(debugger, "stack", queen.0, moment) == 1 << queen.1
            });
    }
    if told.contains("Place a queen on the leftmost square still to be tried") {
        // Three instructions later she is on her stack.
        return byte(debugger, "stack", row, moment + 3) == 1 << column;
    }
    if told.contains("withdraw the last queen") {
        return matches!(led(debugger, square, moment), Led::Red | Led::Yellow);
    }
    told.contains("Start with no queens") && moment < 60
}

#[test]
fn what_is_told_of_the_queens_is_true() {
    squares_of_queens_are_told(8);
}

#[test]
#[ignore = "takes a minute"]
fn what_is_told_of_the_queens_is_true_at_two_hundred_moments() {
    squares_of_queens_are_told(200);
}

/// Checks what is told of each square at so many random moments.
fn squares_of_queens_are_told(moments: u32) {
    let mut debugger = after("queens", u64::MAX);
    let (mut random, end) = (SplitMix64::new(44), debugger.position().0);
    let mut dark = 0;
    for moment in (0..moments).map(|_| random.below(end)) {
        for square in all_squares() {
            let told = sentence(&mut debugger, moment, square);
            let shown = led(&mut debugger, square, moment);
            let what = format!("led {}, {} is {}", square.0, square.1, shown.name());
            assert!(told.starts_with(&what), "{told} at {moment}");
            if shown == Led::Dark {
                assert!(is_true(&mut debugger, square, &told), "{told} at {moment}");
                dark += 1;
            }
        }
    }
    assert!(dark > 25 * moments, "{dark}");
}

/// Whether a cell lives in the next generation, by the rule of life.
fn lives(neighbourhood: impl Fn((u8, u8)) -> bool, (row, column): (u8, u8)) -> bool {
    let near = |middle: u8| [middle + 7, middle, middle + 1].map(|it| it % 8);
    let cells = near(row).into_iter().flat_map(|r| near(column).map(move |c| (r, c)));
    let count = cells.filter(|cell| neighbourhood(*cell)).count();
    count == 3 || count == 4 && neighbourhood((row, column))
}

#[test]
fn what_is_told_of_life_names_cells_of_the_generation_before_that_decide_it() {
    let mut debugger = after("life", 60_000);
    let mut random = SplitMix64::new(44);
    for moment in (0..3).map(|_| 2000 + random.below(58_000)) {
        for square in all_squares() {
            let told = sentence(&mut debugger, moment, square);
            let is_alive = led(&mut debugger, square, moment) == Led::Green;
            let before = moment_of(&told).unwrap();
            let alive = squares(&told, "alive");
            let dead = squares(&told, "dead");
            assert!(!alive.is_empty() || !dead.is_empty(), "{told} at {moment}");
            for (cells, shown) in [(&alive, Led::Green), (&dead, Led::Dark)] {
                for cell in cells {
                    assert_eq!(led(&mut debugger, *cell, before), shown, "{told} at {moment}");
                }
            }
            // Whatever the other cells were, these decide. A row is rotated by a jump where a cell
            // leaves it, so that for the outer columns more is decided by where the program goes.
            if matches!(square.1, 0 | 7) {
                continue;
            }
            for others in 0..512_u16 {
                let other = |(row, column): (u8, u8)| {
                    let place = (row + 9 - square.0) % 8 * 3 + (column + 9 - square.1) % 8;
                    others >> place & 1 == 1
                };
                let cell = |cell| alive.contains(&cell) || !dead.contains(&cell) && other(cell);
                assert_eq!(lives(cell, square), is_alive, "{told} at {moment}");
            }
        }
    }
}
