//! The rules of the games, which decide whether a sentence about a square is true.

use std::fs;

use gray1_isa::RomIndex;
use gray1_isa::panel::{Led, LedColor};

use super::{Answer, Square, Tape, attacks};
use crate::support::root;

/// Parses a number written as a word.
fn number(word: &str) -> Option<usize> {
    let words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];
    words.iter().position(|it| *it == word)
}

/// The moment of the last store to the LEDs of the square's row.
fn drawn(answer: &Answer) -> u64 {
    let last = |color| answer.tape.stores(color, answer.square.0, answer.moment).last().copied();
    last(LedColor::Green).max(last(LedColor::Red)).unwrap_or(0)
}

/// Whether the search has tried a queen on this square since the rows above it last changed.
fn was_tried(tape: &Tape, (row, column): Square, moment: u64) -> bool {
    let stack = usize::from(tape.symbol("stack"));
    let above = &tape.bytes[stack..stack + usize::from(row)];
    let last = |stored: &Vec<(u64, u8)>| {
        stored[..stored.partition_point(|(at, _)| *at <= moment)].last().unwrap().0
    };
    let since = above.iter().map(last).max().unwrap_or(0);
    let own = &tape.bytes[stack + usize::from(row)];
    own.iter().any(|(at, queen)| (since..=moment).contains(at) && *queen == 1 << column)
}

pub(super) fn queens(answer: &Answer) -> bool {
    let Answer { tape, square, moment, words, .. } = *answer;
    let drawn = drawn(answer);
    let placed = tape.at("N", 0, drawn);
    let stack: Vec<_> = tape.board("stack", drawn).into_iter().filter(|it| it.0 < placed).collect();
    let reds = tape.squares_with(Led::Red, drawn);
    let above = reds.iter().filter(|queen| queen.0 < square.0).copied().collect::<Vec<_>>();
    let is_attacked = above.iter().any(|queen| attacks(*queen, square));
    let is_queen = tape.at("stack", square.0, moment) == 1 << square.1;
    let is_leftmost = (0..square.1).map(|column| (square.0, column)).all(|left| {
        above.iter().any(|queen| attacks(*queen, left)) || was_tried(tape, left, moment)
    });
    let before = tape.colours(square, moment).get(1).map(|it| it.1);
    let alone = answer.names_only(&[]);
    match words {
        "the display still shows the empty board, where every square is free" => {
            alone && tape.visit("try0", moment).is_none_or(|it| it + 40 > moment)
        }
        "the queen is on SQUARE, the leftmost that was left to try in her row"
        | "a queen is being placed on SQUARE, the leftmost left to try in her row" => {
            alone && is_queen && is_leftmost && !is_attacked
        }
        "a queen has already been tried on SQUARE, with the same queens above" => {
            alone && !is_attacked && was_tried(tape, square, moment)
        }
        "no queen above attacks SQUARE, and it is still to be tried" => {
            alone && !is_attacked && !was_tried(tape, square, moment)
        }
        "the queen on SQUARE has just been withdrawn" => {
            let (changed, _) = tape.colours(square, moment)[0];
            alone && before == Some(Led::Red) && changed + 40 > moment
        }
        "the search is complete, and the board is empty again" => {
            alone && tape.visit("back0", moment).is_some()
        }
        _ if words.starts_with("the queen in row") => {
            answer.is_attacked_by_named(&reds) && answer.is_attacked_by_named(&stack)
        }
        _ => {
            let Some(rest) = words.strip_prefix("no queen attacks this square; ") else {
                return false;
            };
            let (count, rest) = rest.split_once(' ').unwrap();
            let verb = if count == "one" { "queen is" } else { "queens are" };
            !is_attacked
                && answer.names_only(&above)
                && number(count) == Some(above.len())
                && rest == format!("{verb} placed above it")
        }
    }
}

/// The squares that a queen was on at some moment of a row's search, up to a moment. The search of a
/// row begins when the queens above it change.
fn searched(tape: &Tape, row: u8, moment: u64) -> Vec<Square> {
    let above = (0..row).filter_map(|row| tape.stores(LedColor::Red, row, moment).last().copied());
    let since = above.max().unwrap_or(0);
    let stores = tape.stores(LedColor::Red, row, moment).into_iter().filter(|at| *at > since);
    let queens = stores.flat_map(|at| tape.squares_with(Led::Red, at));
    queens.filter(|queen| queen.0 == row).collect()
}

/// Whether each square of a row was tried, or is attacked by a queen above it.
fn is_exhausted(tape: &Tape, row: u8, moment: u64) -> bool {
    let (queens, tried) = (tape.squares_with(Led::Red, moment), searched(tape, row, moment));
    let is_attacked = |square| queens.iter().any(|it| it.0 < row && attacks(*it, square));
    (0..8).map(|column| (row, column)).all(|it| is_attacked(it) || tried.contains(&it))
}

pub(super) fn queens_bits(answer: &Answer) -> bool {
    let Answer { tape, square, moment, words, .. } = *answer;
    let row = square.0;
    let above = |moment| {
        let mut queens = tape.squares_with(Led::Red, moment);
        queens.retain(|queen| queen.0 < row);
        queens
    };
    let is_attacked = |moment| above(moment).iter().any(|queen| attacks(*queen, square));
    // The last moment at which there was a queen in the row.
    let stores = tape.stores(LedColor::Red, row, moment);
    let had_queen = |at: &&u64| tape.squares_with(Led::Red, **at).iter().any(|it| it.0 == row);
    let last = stores.iter().rev().find(had_queen).copied();
    let colours = tape.colours(square, moment);
    let has_left = colours.get(1).is_some_and(|before| before.1 == Led::Red);
    let before = colours[0].0 - u64::from(has_left);
    if let Some(past) = words.strip_prefix("when this row was last searched, ") {
        return past.starts_with("the queen in row")
            && answer.is_attacked_by_named(&above(last.unwrap()));
    }
    if words.starts_with("the queen in row") {
        return answer.is_attacked_by_named(&above(moment));
    }
    let is_true = match words {
        "the search has not come to SQUARE yet" => last.is_none(),
        "no queen above attacks SQUARE, so the search tries a queen on it"
        | "no queen above attacks SQUARE, and it is still to be tried" => {
            !is_attacked(moment)
                && words.ends_with("tried") != searched(tape, row, moment).contains(&square)
        }
        "a queen is being placed on SQUARE" => tape.led(square, moment + 2) == Led::Red,
        "the queen on SQUARE moved on, as no square was left in the row below" => {
            has_left && is_exhausted(tape, row + 1, before)
        }
        "the queen on SQUARE was withdrawn, as no square was left in her row or the row below" => {
            has_left && is_exhausted(tape, row, before) && is_exhausted(tape, row + 1, before)
        }
        "a queen has already been tried on SQUARE, with the same queens above" => {
            !is_attacked(moment) && searched(tape, row, moment).contains(&square)
        }
        "no queen above attacks SQUARE, but this row's queen is on another" => {
            !is_attacked(moment)
                && tape.squares_with(Led::Red, moment).iter().any(|it| it.0 == row && *it != square)
        }
        "a queen was tried on SQUARE when this row was last searched" => {
            searched(tape, row, last.unwrap()).contains(&square) && !is_attacked(last.unwrap())
        }
        "the eighth queen is on SQUARE, the only one left: this is an arrangement" => {
            !is_attacked(moment) && tape.squares_with(Led::Red, moment).len() == 8
        }
        "the eighth queen has left SQUARE, as the search goes on" => row == 7 && has_left,
        _ => false,
    };
    is_true && answer.names_only(&[])
}

pub(super) fn life(answer: &Answer) -> bool {
    let Answer { tape, square, moment, words, .. } = *answer;
    let is_alive = tape.led(square, moment) == Led::Green;
    let glider = [(1, 2), (2, 3), (3, 1), (3, 2), (3, 3)];
    let polled = tape.visit("generation", answer.decided()).unwrap_or(0);
    let held = tape.at("BUTTONS", 0, polled) & 16 != 0;
    match words {
        "SQUARE is alive in the first generation, a glider" => {
            return is_alive && glider.contains(&square) && answer.names_only(&[]);
        }
        "SQUARE is dead in the first generation, a glider" => {
            return !is_alive && !glider.contains(&square) && answer.names_only(&[]);
        }
        "button A was held, and made this cell alive at random"
        | "button A was held, and made this cell dead at random" => {
            return held && words.contains("alive") == is_alive && answer.names_only(&[]);
        }
        _ => {}
    }
    // A generation is drawn row by row, so rows not drawn yet still show the previous one.
    let shown = |row, moment| tape.stores(LedColor::Green, row, moment).last().copied();
    let Some(first) = shown(square.0, moment).and_then(|it| shown(0, it)) else { return false };
    let before = first - 1;
    let near = |a: u8, b: u8| (a + 9 - b) % 8 <= 2;
    let neighbours: Vec<_> = (tape.squares_with(Led::Green, before).into_iter())
        .filter(|cell| *cell != square && near(cell.0, square.0) && near(cell.1, square.1))
        .collect();
    let was_alive = tape.led(square, before) == Led::Green;
    let lives = neighbours.len() == 3 || was_alive && neighbours.len() == 2;
    let count = words.split(' ').next().and_then(number);
    let rest = words.split_once(' ').map_or("", |it| it.1);
    let expected = match (is_alive, neighbours.len()) {
        (true, _) if was_alive => {
            "neighbours were alive in the generation before, as was this cell"
        }
        (false, 1) => "neighbour was alive in the generation before",
        _ => "neighbours were alive in the generation before",
    };
    lives == is_alive
        && count == Some(neighbours.len())
        && rest == expected
        && answer.names_only(&neighbours)
}

pub(super) fn puzzle(answer: &Answer) -> bool {
    let Answer { tape, square, moment, words, .. } = *answer;
    // The display shows the queens as they were when it was drawn.
    let drawn = drawn(answer);
    let queens = tape.board("queens", drawn);
    let is_queen = queens.contains(&square);
    let is_attacked = queens.iter().any(|queen| attacks(*queen, square));
    let is_solved = queens.len() == 8
        && !queens.iter().any(|queen| queens.iter().any(|other| attacks(*queen, *other)));
    let alone = answer.names_only(&[]);
    match words {
        "a queen is on SQUARE, and no other queen attacks her" => alone && is_queen && !is_attacked,
        "no queen is on SQUARE, and none attacks it" => alone && !is_queen && !is_attacked,
        "the cursor is on SQUARE" => {
            let (row, column) = (tape.at("cursor", 0, drawn), tape.at("cursor", 1, drawn));
            alone && (row, column) == (square.0, 1 << square.1)
        }
        "the puzzle is solved: the board is green, and the queens blink in it" => {
            alone && is_solved
        }
        "the puzzle is solved, and the queen on SQUARE blinks" => alone && is_solved && is_queen,
        "the machine solves the puzzle, and shows only the queens" => {
            alone && tape.visit("solve", moment) > tape.visit("shown", moment)
        }
        "SQUARE was attacked, and the machine begins to solve the puzzle" => {
            let before = tape.colours(square, moment).get(1).map(|it| it.1);
            alone
                && before == Some(Led::Yellow)
                && tape.visit("shuffle", moment) > tape.visit("shown", moment)
        }
        "the machine tries a queen on SQUARE" => alone && is_queen,
        "the machine tries no queen on SQUARE" => alone && !is_queen,
        _ if words.starts_with("the queen on SQUARE blinks, because") => {
            is_queen && words.ends_with(" attacks her") && answer.is_attacked_by_named(&queens)
        }
        _ => answer.is_attacked_by_named(&queens),
    }
}

pub(super) fn snake(answer: &Answer) -> bool {
    let Answer { tape, square, moment, words, .. } = *answer;
    let Some(game) = tape.visit("game", moment) else { return false };
    let over = tape.visit("over", moment).filter(|over| *over > game);
    // The square's colours in this game, after it cleared the display, newest first.
    let mut colours = tape.colours(square, moment);
    let cleared = colours.iter().position(|(at, _)| *at <= game + 17).unwrap_or(colours.len());
    colours.truncate(cleared);
    let was = |led: Led| colours.iter().any(|(_, it)| *it == led);
    let last = colours.first();
    let left = colours.get(1).map(|(_, led)| *led);
    let start = [(4, 1), (4, 2), (4, 3)];
    let is_true = match words {
        "the snake has not been here in this game" => {
            !was(Led::Green) && !was(Led::Yellow) && over.is_none()
        }
        "the snake starts here, and its tail has not left SQUARE yet" => {
            colours.len() == 1 && start.contains(&square) && was(Led::Green)
        }
        "the food was put on SQUARE at random" => {
            let (row, column) = (tape.at("food", 0, moment), tape.at("food", 1, moment));
            (row, column) == (square.0, 1 << square.1) && over.is_none()
        }
        "the tail of the snake has left SQUARE" => {
            matches!(last, Some((_, Led::Dark))) && left == Some(Led::Green) && over.is_none()
        }
        "the head of the snake came to SQUARE, and the tail has not left it yet" => {
            matches!(last, Some((_, Led::Green)))
                && over.is_none()
                && (colours.len() > 1 || !start.contains(&square))
        }
        "the snake was on SQUARE when the game ended" => {
            over.is_some_and(|over| tape.led(square, over) == Led::Green)
        }
        "the snake was not on SQUARE when the game ended" => {
            over.is_some_and(|over| tape.led(square, over) != Led::Green)
        }
        _ => false,
    };
    is_true && answer.names_only(&[])
}

pub(super) fn counter(answer: &Answer) -> bool {
    let Answer { tape, square, moment, words, .. } = *answer;
    let colours = tape.colours(square, moment);
    let is_lit = tape.led(square, moment) == Led::Green;
    // Each row counts the overflows of the row above it.
    if words == "the count starts at 0, and no carry has reached SQUARE yet" {
        let counts = tape.visit("count", moment).unwrap_or(moment);
        let first = tape.visits[&RomIndex::truncate(tape.symbol("count"))][0].min(counts);
        let was_lit = colours.iter().any(|(at, led)| *at > first && *led != Led::Dark);
        return answer.names_only(&[]) && !is_lit && !was_lit;
    }
    let before = answer.decided();
    let is_changed = tape.led(square, before) != tape.led(square, before + 1);
    let bit = u8::from(is_lit);
    words == format!("this bit of the count is {bit}; it changed at the last carry into it")
        && answer.names_only(&[])
        && is_changed
        && colours[0].0 == before + 1
        // Bit 0 of a row receives every carry. Another bit receives one when all bits below it
        // overflow.
        && (0..square.1).all(|bit| {
            tape.led((square.0, bit), before) == Led::Green
                && tape.led((square.0, bit), before + 1) == Led::Dark
        })
}

pub(super) fn scroll(answer: &Answer) -> bool {
    let Answer { tape, square: (row, column), moment, words, .. } = *answer;
    let font = fs::read_to_string(root().join("programs/lib/font.asm")).unwrap();
    let columns = |letter: char| {
        let (block, cell) = ((letter as usize - 32) / 8, (letter as usize - 32) % 8);
        let drawn = |row: u8| {
            let start = format!("font{block}_{row} = \"");
            &font.lines().find_map(|line| line.strip_prefix(&start)).unwrap().as_bytes()[6 * cell..]
        };
        let column = |x: usize| (0..8).map(|row| u8::from(drawn(row)[x] == b'#') << row).sum();
        let columns: Vec<u8> = (0..5).map(column).collect();
        let width = columns.iter().rposition(|it| *it != 0).map_or(2, |last| last + 1);
        columns.into_iter().take(width).chain([0]).collect::<Vec<_>>()
    };
    let text = "GRAY-1 A CPU OF MEMORY CHIPS".chars().flat_map(columns).chain([0; 8]);
    let text: Vec<u8> = text.collect();
    // The number of columns shifted into the row since it was cleared.
    let came = tape.stores(LedColor::Green, row, moment).len().saturating_sub(1);
    let point = (came + usize::from(column)).checked_sub(8);
    let has_point = |point: usize| text[point % text.len()] >> row & 1 == 1;
    let is_lit = point.is_some_and(has_point);
    let is_expected = match words {
        "SQUARE is a part of a letter, which came in at the right edge" => is_lit,
        "the text has no point on SQUARE; it moves one column to the left at a time" => {
            point.is_some() && !is_lit
        }
        "the display starts dark, and no point of the text has come to SQUARE yet" => {
            (0..point.map_or(0, |it| it + 1)).all(|point| !has_point(point))
        }
        _ => false,
    };
    is_expected && answer.names_only(&[])
}

pub(super) fn primes(answer: &Answer) -> bool {
    let Answer { square: (row, column), words, .. } = *answer;
    let number = row * 8 + column;
    let is_prime = |n: u8| n > 1 && (2..n).all(|factor| !n.is_multiple_of(factor));
    let subject = format!("this square stands for {number}");
    if words == format!("{number} is a prime, and its multiples are being crossed out") {
        return is_prime(number) && answer.names_only(&[]);
    }
    match words.strip_prefix(subject.as_str()) {
        Some(", which no prime has crossed out") => number > 1 && answer.names_only(&[]),
        Some(", and 0 and 1 are not prime") => number < 2 && answer.names_only(&[]),
        Some(other) => {
            let factor = other.strip_prefix(", a multiple of ").and_then(|it| it.parse().ok());
            factor.is_some_and(|it: u8| {
                let names_factor = answer.names_only(&[(it / 8, it % 8)]);
                is_prime(it) && it < number && number.is_multiple_of(it) && names_factor
            })
        }
        None => false,
    }
}

pub(super) fn fibonacci(answer: &Answer) -> bool {
    let Answer { tape, square: (row, column), moment, words, .. } = *answer;
    if words.starts_with("the display starts dark, and no number in this row has had the ") {
        let stored = tape.stores(LedColor::Red, row, moment);
        let is_off = |at: &u64| tape.display(*at).red[usize::from(row)] >> column & 1 == 0;
        return stored.iter().skip(1).all(is_off) && words.contains(&format!("{} ", 1 << column));
    }
    let Some((sum, bit)) =
        words.strip_prefix("this row shows ").and_then(|it| it.split_once(", and this LED "))
    else {
        return false;
    };
    let (shown, bits) = sum.split_once(" = ").unwrap_or((sum, sum));
    let shown = shown.parse().ok();
    let is_lit = tape.display(moment).red[usize::from(row)] >> column & 1 == 1;
    let told = if is_lit { "is the" } else { "would add" };
    shown == Some(tape.display(moment).red[usize::from(row)])
        && shown == bits.split(" + ").map(|bit| bit.parse::<u8>().ok()).sum()
        && bit == format!("{told} {}", 1 << column)
        && answer.names_only(&[])
}
