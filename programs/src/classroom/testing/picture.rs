//! Pictures of the LEDs in the format of `gray1 run --leds`: one line for each row, with the
//! letters `. G R Y`. `?` stands for any LED.

use std::fmt;
use std::str::FromStr;

use gray1_isa::panel::{Display, GREEN, Led, RED, SIDE};
use gray1_isa::{PartialState, RamAddr};

/// The expected LEDs. `None` matches any LED.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture([[Option<Led>; SIDE]; SIDE]);

impl Picture {
    /// Returns the LEDs, row by row.
    pub(crate) fn leds(&self) -> &[Option<Led>] {
        self.0.as_flattened()
    }

    /// Returns the row and the column of the first LED that differs.
    pub(super) fn find_difference(&self, display: &Display) -> Option<(usize, usize)> {
        let mut squares = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column)));
        squares.find(|&(row, column)| {
            self.0[row][column].is_some_and(|led| led != display.led(row, column))
        })
    }
}

impl Picture {
    /// Returns the picture without the LEDs that are unknown.
    pub(super) fn of_known(&self, state: &PartialState) -> Self {
        let unknown = |first: RamAddr, row: usize, column: usize| {
            state.ram[first.to_usize() + row].known() >> column & 1 == 0
        };
        let mut known = self.clone();
        for (row, squares) in known.0.iter_mut().enumerate() {
            for (column, square) in squares.iter_mut().enumerate() {
                square.take_if(|_| unknown(GREEN, row, column) || unknown(RED, row, column));
            }
        }
        known
    }
}

impl FromStr for Picture {
    type Err = String;

    /// Parses a picture. Ignores blanks and empty lines.
    fn from_str(text: &str) -> Result<Self, String> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let rows = lines.enumerate().map(|(number, line)| parse_row(number, line));
        let rows: Vec<[Option<Led>; SIDE]> = rows.collect::<Result<_, _>>()?;
        let found = rows.len();
        rows.try_into()
            .map(Self)
            .map_err(|_| format!("expected {SIDE} rows of LEDs, found {found}"))
    }
}

fn parse_row(row: usize, line: &str) -> Result<[Option<Led>; SIDE], String> {
    let letters = line.chars().filter(|c| !c.is_whitespace());
    let leds: Vec<Option<Led>> = letters.map(parse_led).collect::<Result<_, _>>()?;
    let found = leds.len();
    leds.try_into().map_err(|_| format!("expected {SIDE} LEDs in row {row}, found {found}"))
}

fn parse_led(letter: char) -> Result<Option<Led>, String> {
    if letter == '?' {
        return Ok(None);
    }
    let led = Led::ALL.into_iter().find(|led| led.letter() == letter);
    led.map(Some)
        .ok_or_else(|| format!("expected ., G, R, Y or ?, found '{}'", letter.escape_debug()))
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.0.iter().map(|row| {
            let letters = row.map(|led| led.map_or('?', Led::letter).to_string());
            letters.join(" ")
        });
        f.write_str(&rows.collect::<Vec<_>>().join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_the_format_of_printed_leds() {
        let display = Display { green: [1, 2, 4, 8, 16, 32, 64, 128], red: [129; SIDE] };
        let drawn = display.to_string();
        let picture: Picture = drawn.parse().unwrap();
        assert_eq!(picture.to_string(), drawn);
        assert_eq!(picture.find_difference(&display), None);
        let other = Display { green: [1, 2, 4, 8, 16, 32, 64, 0], ..display };
        assert_eq!(picture.find_difference(&other), Some((7, 7)));
        let any: Picture = format!("\n  {}\n", drawn.replace('Y', "?")).parse().unwrap();
        assert_eq!(any.find_difference(&other), None, "the square is not looked at");
    }

    #[test]
    fn an_invalid_picture_has_a_readable_message() {
        let error = |text: &str| text.parse::<Picture>().unwrap_err();
        assert_eq!(error("G G G G G G G"), "expected 8 LEDs in row 0, found 7");
        assert_eq!(error(&"........\n".repeat(9)), "expected 8 rows of LEDs, found 9");
        assert_eq!(error("g"), "expected ., G, R, Y or ?, found 'g'");
    }
}
