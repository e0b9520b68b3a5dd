//! The part of data memory that the front panel uses: LEDs, buttons and mailbox.

use std::fmt;
use std::str::FromStr;

use crate::address::{RAM_BYTES, RamAddr};

/// The address of the first of eight bytes of green LEDs. Row 0 is first, and bit 0 of a byte is
/// the leftmost column.
pub const GREEN: RamAddr = RamAddr::truncate(0x1fe0);
/// The address of the first of eight bytes of red LEDs, which have the same layout.
pub const RED: RamAddr = RamAddr::truncate(0x1fe8);
/// The address of the last byte of LEDs.
pub const LAST_LED: RamAddr = RamAddr::truncate(0x1fef);
/// The panel-to-CPU mailbox. The panel writes the buttons here between instructions.
pub const BUTTONS: RamAddr = RamAddr::truncate(0x1ffe);
/// The CPU-to-panel mailbox. The panel prints every byte that is written here.
pub const MAILBOX: RamAddr = RamAddr::truncate(0x1fff);
/// The first address that is reserved for the panel. A program's variables must be below it.
pub const RESERVED: RamAddr = GREEN;
/// The number of rows and of columns of the display.
pub const SIDE: usize = 8;

/// Returns true if a write to this address can change an LED.
pub const fn is_led(address: RamAddr) -> bool {
    GREEN.get() <= address.get() && address.get() <= LAST_LED.get()
}

/// Iterates over the addresses of the LEDs, with the green rows before the red ones.
pub fn leds() -> impl Iterator<Item = RamAddr> {
    (GREEN.get()..=LAST_LED.get()).map(RamAddr::truncate)
}

/// The colour of an LED.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LedColor {
    /// Green LEDs, whose rows start at [`GREEN`].
    Green,
    /// Red LEDs, whose rows start at [`RED`].
    Red,
}

impl LedColor {
    /// Returns the address of the first row of LEDs of this colour.
    pub const fn first(self) -> RamAddr {
        match self {
            Self::Green => GREEN,
            Self::Red => RED,
        }
    }

    /// Returns the row, 0 ..= 7, of the LEDs of this colour that a byte holds.
    pub fn row_of(self, address: RamAddr) -> Option<u16> {
        address.get().checked_sub(self.first().get()).filter(|row| usize::from(*row) < SIDE)
    }
}

/// The colour of the panel's surface in pictures: red, green and blue, eight bits each.
pub const BACKGROUND_RGB: u32 = 0x12_12_12;

/// The colour of a square of the display, which has a green and a red LED.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Led {
    /// Neither LED is lit.
    Dark,
    /// Only the green LED is lit.
    Green,
    /// Only the red LED is lit.
    Red,
    /// Both LEDs are lit.
    Yellow,
}

impl Led {
    /// All four colours.
    pub const ALL: [Self; 4] = [Self::Dark, Self::Green, Self::Red, Self::Yellow];

    /// Returns the English name of the colour.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Green => "green",
            Self::Red => "red",
            Self::Yellow => "yellow",
        }
    }

    /// Returns the colour that pictures and the page use: red, green and blue, eight bits each.
    ///
    /// Lit LEDs differ in brightness, for people who see little difference between green and red.
    pub const fn rgb(self) -> u32 {
        match self {
            Self::Dark => 0x44_44_44,
            Self::Green => 0x2c_c4_7b,
            Self::Red => 0xd9_14_0b,
            Self::Yellow => 0xff_e8_66,
        }
    }

    /// Returns the letter for this colour where LEDs are drawn as text. A dark square is a dot.
    pub const fn letter(self) -> char {
        match self {
            Self::Dark => '.',
            Self::Green => 'G',
            Self::Red => 'R',
            Self::Yellow => 'Y',
        }
    }
}

/// The state of the 8x8 display. Each row has a byte of green and a byte of red LEDs.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize,
)]
pub struct Display {
    /// The green LEDs by row. Bit 0 is the leftmost column.
    pub green: [u8; SIDE],
    /// The red LEDs by row. Bit 0 is the leftmost column.
    pub red: [u8; SIDE],
}

impl Display {
    /// Returns the row and column of the first square that differs.
    pub fn first_difference(&self, other: &Self) -> Option<(usize, usize)> {
        let mut squares = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column)));
        squares.find(|&(row, column)| self.led(row, column) != other.led(row, column))
    }

    /// Reads the display from the contents of data memory.
    pub fn from_ram(ram: &[u8; RAM_BYTES]) -> Self {
        let rows = |first: RamAddr| std::array::from_fn(|row| ram[first.to_usize() + row]);
        Self { green: rows(GREEN), red: rows(RED) }
    }

    /// Returns the colour of a square. Rows count from the top and columns from the left, both 0
    /// ..= 7.
    ///
    /// # Panics
    /// If `row` or `column` is above 7.
    pub fn led(&self, row: usize, column: usize) -> Led {
        let lit = |rows: &[u8; SIDE]| rows[row] >> column & 1 == 1;
        match (lit(&self.green), lit(&self.red)) {
            (false, false) => Led::Dark,
            (true, false) => Led::Green,
            (false, true) => Led::Red,
            (true, true) => Led::Yellow,
        }
    }
}

impl fmt::Display for Display {
    /// Writes a line for each row and a letter for each square: `. G . . . . R Y`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..SIDE {
            for column in 0..SIDE {
                let separator = match (row, column) {
                    (0, 0) => "",
                    (_, 0) => "\n",
                    _ => " ",
                };
                write!(f, "{separator}{}", self.led(row, column).letter())?;
            }
        }
        Ok(())
    }
}

/// A set of the panel's eight buttons, such as those that are held. Bit 0 is the first of
/// [`Buttons::NAMES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Buttons(pub u8);

impl Buttons {
    /// The names of the buttons, starting with bit 0.
    pub const NAMES: [&'static str; 8] =
        ["up", "down", "left", "right", "a", "b", "select", "start"];
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Returns the names of the buttons in the set, in the order of their bits.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let names = Self::NAMES.into_iter().enumerate();
        names.filter(move |(bit, _)| self.0 >> bit & 1 == 1).map(|(_, name)| name)
    }
}

impl fmt::Display for Buttons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NONE {
            return f.write_str("-");
        }
        f.write_str(&self.names().collect::<Vec<_>>().join("+"))
    }
}

impl FromStr for Buttons {
    type Err = String;

    /// Parses button names joined by `+` (`left+a`), in either case. `-` is the empty set.
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "-" {
            return Ok(Self::NONE);
        }
        let mut held = Self::NONE;
        for name in text.split('+') {
            let bit = Self::NAMES.iter().position(|known| known.eq_ignore_ascii_case(name));
            held.0 |= 1
                << bit.ok_or_else(|| {
                    format!(
                        "no button is called '{}' (expected {}, joined by '+', or '-' for none)",
                        name.escape_debug(),
                        Self::NAMES.join(", ")
                    )
                })?;
        }
        Ok(held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_of_buttons_can_be_parsed_again() {
        for bits in 0..=u8::MAX {
            assert_eq!(Buttons(bits).to_string().parse(), Ok(Buttons(bits)));
        }
        assert_eq!("LEFT+a".parse(), Ok(Buttons(0b0001_0100)));
        assert_eq!("a+up+a".parse(), Ok(Buttons(0b0001_0001)), "named twice, held all the same");
        for (text, name) in [("", ""), ("a+fire", "fire")] {
            let problem = text.parse::<Buttons>().unwrap_err();
            assert!(problem.starts_with(&format!("no button is called '{name}' (")), "{problem}");
        }
    }

    #[test]
    fn a_square_shows_its_two_leds() {
        let mut ram = [0; RAM_BYTES];
        ram[0x1fe0] = 0b0000_0011;
        ram[0x1fe8] = 0b1000_0010;
        let display = Display::from_ram(&ram);
        assert_eq!(display.led(0, 0), Led::Green);
        assert_eq!(display.led(0, 1), Led::Yellow);
        assert_eq!(display.led(0, 7), Led::Red);
        assert_eq!(display.led(7, 7), Led::Dark);
    }

    #[test]
    fn the_display_is_drawn_with_a_letter_for_each_square() {
        let mut ram = [0; RAM_BYTES];
        (ram[0x1fe0], ram[0x1fe8]) = (0b0000_0011, 0b1000_0010);
        (ram[0x1fe7], ram[0x1fef]) = (0b0000_0001, 0b0000_0100);
        let dark = ". . . . . . . .\n".repeat(6);
        let expected = format!("G Y . . . . . R\n{dark}G . R . . . . .");
        assert_eq!(Display::from_ram(&ram).to_string(), expected);
    }

    #[test]
    fn only_the_sixteen_bytes_of_the_matrix_are_leds() {
        let leds: Vec<u16> = (0..0x2000).filter(|&a| is_led(RamAddr::truncate(a))).collect();
        assert_eq!(leds, (0x1fe0..=0x1fef).collect::<Vec<u16>>());
    }
}
