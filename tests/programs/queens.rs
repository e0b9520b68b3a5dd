//! Follows the queens search move by move. Teachers stop it anywhere, so its display must be right
//! at every moment and not only at the end.

use gray1_isa::panel::{self, LedColor};
use gray1_isa::{PowerUp, Symbol, Write};
use gray1_sim::{Engine as _, Machine};

use crate::support;

/// A set of columns in one row, as a bit mask. Bit 0 is the leftmost column.
type Columns = u8;

/// The columns of row `row` that a queen in `queen_row` and `queen_column` attacks.
fn attacked(queen_row: usize, queen_column: usize, row: usize) -> Columns {
    let distance = queen_row.abs_diff(row);
    let hit = |column: usize| column == queen_column || column.abs_diff(queen_column) == distance;
    (0..8).filter(|&column| hit(column)).map(|column| 1 << column).sum()
}

/// The columns of row `row` that any of these queens attacks. There is one queen in each row, from
/// row 0.
fn excluded(queens: &[usize], row: usize) -> Columns {
    queens
        .iter()
        .enumerate()
        .fold(0, |union, (queen_row, &column)| union | attacked(queen_row, column, row))
}

/// The expected moves, from a plain search on squares: the queens after each move shown, and the
/// number of queens that the move withdrew.
fn expected_moves() -> (Vec<Vec<usize>>, usize) {
    let (mut moves, mut withdrawn) = (Vec::new(), 0);
    search(&mut Vec::new(), &mut moves, &mut withdrawn);
    (moves, withdrawn)
}

fn search(queens: &mut Vec<usize>, moves: &mut Vec<Vec<usize>>, withdrawn: &mut usize) {
    let row = queens.len();
    if row == 8 {
        return;
    }
    let free: Vec<usize> = (0..8).filter(|c| excluded(queens, row) >> c & 1 == 0).collect();
    for (place, &column) in free.iter().enumerate() {
        queens.push(column);
        if (row + 1..8).any(|below| excluded(queens, below) == 0xff) {
            *withdrawn += 1;
            queens.pop();
            continue;
        }
        moves.push(queens.clone());
        search(queens, moves, withdrawn);
        queens.pop();
        // Backtracking stops at the newest row that has an untried square, and is shown only there.
        if place + 1 < free.len() {
            moves.push(queens.clone());
        }
    }
}

/// A machine that runs the search, with the addresses of the search's variables.
struct Search {
    machine: Machine,
    n: usize,
    stack: usize,
    excluded: usize,
    shown: u16,
}

impl Search {
    fn start() -> Self {
        let image = support::image("queens");
        let value = |name: &str| {
            let Symbol { value, .. } = image.symbol(name).unwrap_or_else(|| panic!("no {name}"));
            usize::try_from(*value).unwrap()
        };
        Self {
            machine: Machine::new(&image, PowerUp::Random(92)),
            n: value("N"),
            stack: value("stack"),
            excluded: value("excluded"),
            shown: value("shown") as u16,
        }
    }

    fn ram(&self, address: usize) -> u8 {
        self.machine.ram()[address]
    }

    /// The columns of the placed queens.
    fn queens(&self) -> Vec<usize> {
        let queen = |row| {
            let queen = self.ram(self.stack + row);
            assert_eq!(queen.count_ones(), 1, "a queen is in one column");
            queen.trailing_zeros() as usize
        };
        (0..usize::from(self.ram(self.n))).map(queen).collect()
    }

    /// Checks the invariants, which hold at every move that is shown and after every printed
    /// arrangement.
    fn check_board(&self) {
        let queens = self.queens();
        let display = self.machine.display();
        for row in 0..8 {
            let queen = queens.get(row).map(|&column| 1 << column);
            assert_eq!(display.red[row], queen.unwrap_or(0), "red row {row} of {queens:?}");
            let green = match queens.get(row) {
                Some(&column) => {
                    let to_the_right = 0xff_u8.checked_shl(column as u32 + 1).unwrap_or(0);
                    to_the_right & !excluded(&queens[..row], row)
                }
                None => !excluded(&queens, row),
            };
            assert_eq!(display.green[row], green, "green row {row} of {queens:?}");
        }
        for n in 0..=queens.len().min(7) {
            for row in n..8 {
                let expected = excluded(&queens[..n], row);
                assert_eq!(self.ram(self.excluded + 8 * n + row), expected, "{n} of {queens:?}");
            }
        }
        for row in queens.len()..8 {
            assert_ne!(excluded(&queens, row), 0xff, "{queens:?} should have been withdrawn");
        }
    }
}

#[test]
fn every_move_of_the_search_is_displayed() {
    let mut search = Search::start();
    let (expected, withdrawn) = expected_moves();
    let (mut moves, mut tried) = (Vec::new(), 0);
    let stack = search.stack..search.stack + 8;
    while let Some(executed) = search.machine.step() {
        if executed.index.get() == search.shown {
            search.check_board();
            moves.push(search.queens());
        }
        if let Some(Write { address, new, .. }) = executed.write {
            tried += usize::from(stack.contains(&address.to_usize()));
            if (address, new) == (panel::MAILBOX, b'\n') {
                search.check_board();
                assert_eq!(search.queens().len(), 8, "what is printed is complete");
            }
        }
    }
    assert_eq!(moves, expected);
    let empty = Vec::new();
    let before = std::iter::once(&empty).chain(&expected);
    let stood = before.zip(&expected).filter(|(before, now)| now.len() > before.len()).count();
    assert_eq!((stood, withdrawn), (1164, 560));
    assert_eq!(tried, stood + withdrawn, "every queen that is tried stands or is withdrawn");
}

/// The captions appear while the search runs, so they must match its steps.
#[test]
fn the_captions_follow_the_search() {
    let image = support::image("queens");
    let mut machine = Machine::new(&image, PowerUp::Random(1));
    let mut captions: Vec<&str> = Vec::new();
    let mut queens = 0;
    while let Some(executed) = machine.step() {
        let caption = image.caption(executed.index).expect("all of its instructions have one");
        if captions.last() != Some(&caption) {
            captions.push(caption);
        }
        let Some(Write { address, new, old }) = executed.write else { continue };
        let is_red = LedColor::Red.row_of(address).is_some();
        if is_red && new != 0 {
            queens += 1;
            assert!(caption.starts_with("The queen stays"), "{caption}");
        } else if is_red && old != 0 && queens > 0 {
            assert!(caption.starts_with("Step back"), "{caption}");
        } else if address == panel::MAILBOX {
            assert!(caption.starts_with("Found"), "{caption}");
        }
    }
    let start = [
        "Start with no queens",
        "Is there a square left",
        "Place a queen",
        "Exclude the squares",
        "Does a row below",
        "Exclude the squares",
    ];
    assert!(
        start.iter().zip(&captions).all(|(start, caption)| caption.starts_with(start)),
        "{captions:?}"
    );
    assert!(captions.last().unwrap().starts_with("The search is complete"));
}
