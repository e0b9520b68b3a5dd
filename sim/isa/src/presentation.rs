//! The presentation of a program: the values, grids, counts, colours and captions that it wants
//! shown.
//!
//! It is part of the image, so built-in programs and users' programs get the same treatment.

use crate::address::{RAM_BYTES, ROM_WORDS, RamAddr, RomIndex};
use crate::image_error::ImageError;
use crate::panel::{Led, LedColor, SIDE};
use crate::reason::Reason;
use crate::text::is_harmful;

/// Everything that a program asks front ends to show besides the machine. It is empty for a program
/// that asks for nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Presentation {
    /// Bytes whose values are shown next to the registers.
    pub values: Vec<ShownValue>,
    /// Bytes that are drawn as rows of squares.
    pub grids: Vec<Grid>,
    /// The meanings of the display's colours, at most one for each colour.
    pub legend: Vec<LegendEntry>,
    /// Counters of LEDs that turn on.
    pub counts: Vec<LedCount>,
    /// The program's word for one line of its output, such as `solution`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Captions for some of the instructions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub captions: Vec<Caption>,
}

/// A byte whose value is shown as a number.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownValue {
    /// The address of the byte.
    pub address: RamAddr,
    /// The label in front of the value.
    pub caption: String,
}

/// Bytes that are drawn as rows of squares. Bit 0 is the leftmost square.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// The address of the first row.
    pub first: RamAddr,
    /// The number of bytes: up to eight for one grid, or eight for each grid of a series.
    pub size: u16,
    /// The printable ASCII character for a square whose bit is set.
    pub mark: char,
    /// The byte that holds the number of valid rows. The other rows are shown as stale. Without
    /// this byte, all rows are valid.
    pub rows: Option<RamAddr>,
    /// The byte that selects a grid of a series, counted from 0. Without it, the first grid is
    /// shown.
    pub index: Option<RamAddr>,
}

/// The meaning of a colour of the display.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LegendEntry {
    /// The colour of a square.
    pub led: Led,
    /// The meaning in words.
    pub text: String,
}

/// A count of LEDs of one colour that turn on.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedCount {
    /// The colour of the LEDs that are counted.
    pub color: LedColor,
    /// A word for the thing that is counted. Each LED that turns on adds one.
    pub caption: String,
}

/// A caption for some instructions, which says in words what the program does there.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caption {
    /// The sentence that is shown.
    pub text: String,
    /// The instructions that the caption covers, as runs. Each run has the index of its first
    /// instruction and the number of instructions.
    pub at: Vec<(RomIndex, u16)>,
    /// The reasons why these instructions give a square its colour. If several fit, the first is
    /// shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
}

/// The maximum length of the text of a [`Caption`], in characters.
pub const CAPTION_TEXT_CHARS_MAX: usize = 200;
/// The placeholders that a reason can contain, for error messages.
const REASON_PLACES: &str = "expected {square}, {one|many}, {neighbours COLOUR}, or {row SIGN}, \
                             {above SIGN}, {direction SIGN} or {count SIGN} with a colour or a grid's mark";
/// The maximum number of entries of each kind. More would not fit on a screen.
pub const ENTRIES_MAX: usize = 8;
/// The maximum length of a label or a meaning, in characters.
pub const CAPTION_CHARS_MAX: usize = 24;

impl Presentation {
    /// Returns true if there is nothing to show.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the meaning of a square's colour, if the program gives it one.
    pub fn meaning(&self, led: Led) -> Option<&str> {
        self.legend.iter().find(|meaning| meaning.led == led).map(|meaning| meaning.text.as_str())
    }

    /// Returns the caption of the instruction at an index, if the program gives it one.
    pub fn caption(&self, at: RomIndex) -> Option<&Caption> {
        self.captions.iter().find(|caption| {
            caption.at.iter().any(|(first, count)| {
                at.get().checked_sub(first.get()).is_some_and(|offset| offset < *count)
            })
        })
    }

    /// Checks that front ends can show all of this.
    ///
    /// # Errors
    /// If they cannot. The error describes the first problem.
    pub fn check(&self) -> Result<(), ImageError> {
        for (count, what) in [
            (self.values.len(), "values"),
            (self.grids.len(), "grids"),
            (self.legend.len(), "meanings"),
            (self.counts.len(), "counts"),
        ] {
            if count > ENTRIES_MAX {
                let message = format!("{count} {what} to show; the maximum is {ENTRIES_MAX}");
                return Err(ImageError(message));
            }
        }
        let values = self.values.iter().map(|value| &value.caption);
        let meanings = self.legend.iter().map(|meaning| &meaning.text);
        let counts = self.counts.iter().map(|count| &count.caption);
        let texts = values.chain(meanings).chain(counts).chain(&self.result);
        texts.into_iter().try_for_each(|caption| check_caption(caption))?;
        for (n, meaning) in self.legend.iter().enumerate() {
            if self.legend[..n].iter().any(|earlier| earlier.led == meaning.led) {
                let colour = meaning.led.name();
                return Err(ImageError(format!("the colour {colour} has two meanings")));
            }
        }
        for caption in &self.captions {
            caption.check()?;
            caption.reasons.iter().try_for_each(|reason| self.check_marks(reason))?;
        }
        check_caption_places(&self.captions)?;
        self.grids.iter().try_for_each(Grid::check)
    }

    /// Checks that each mark that a reason mentions is that of a grid.
    ///
    /// # Errors
    /// If it is not.
    pub fn check_marks(&self, reason: &Reason) -> Result<(), ImageError> {
        match reason.marks().find(|mark| self.grids.iter().all(|grid| grid.mark != *mark)) {
            Some(mark) => Err(ImageError(format!("no grid has the mark `{mark}`"))),
            None => Ok(()),
        }
    }
}

impl Caption {
    /// Checks the text and the reasons.
    ///
    /// # Errors
    /// If front ends cannot show them. The error describes the first problem.
    pub fn check(&self) -> Result<(), ImageError> {
        check_caption_text(&self.text)?;
        let count = self.reasons.len();
        if count > ENTRIES_MAX {
            return Err(ImageError(format!(
                "{count} reasons for one caption; the maximum is {ENTRIES_MAX}"
            )));
        }
        for reason in &self.reasons {
            check_caption_text(&reason.text)?;
            if let Err(place) = reason.parts() {
                let place = place.escape_debug();
                let problem = format!("'{{{place}}}' is not a placeholder ({REASON_PLACES})");
                return Err(ImageError(problem));
            }
        }
        Ok(())
    }
}

/// Checks that a string can be the text of a [`Caption`].
///
/// # Errors
/// If it is empty, too long, or not printable.
pub fn check_caption_text(text: &str) -> Result<(), ImageError> {
    let length = text.chars().count();
    let is_trimmed = text.trim() == text;
    if (1..=CAPTION_TEXT_CHARS_MAX).contains(&length) && is_trimmed && !text.contains(is_harmful) {
        Ok(())
    } else {
        let expected = format!(
            "1 to {CAPTION_TEXT_CHARS_MAX} printable characters without spaces around them"
        );
        Err(invalid_caption(text, &expected))
    }
}

fn check_caption_places(captions: &[Caption]) -> Result<(), ImageError> {
    let mut is_taken = [false; ROM_WORDS];
    for (first, count) in captions.iter().flat_map(|caption| &caption.at) {
        let run = first.to_usize()..first.to_usize() + usize::from(*count);
        match is_taken.get_mut(run) {
            Some(run) if !run.is_empty() && !run.contains(&true) => run.fill(true),
            _ => {
                return Err(ImageError(format!(
                    "the captions from {:#06x} on leave program memory or share an instruction",
                    first.get()
                )));
            }
        }
    }
    Ok(())
}

fn check_caption(caption: &str) -> Result<(), ImageError> {
    let length = caption.chars().count();
    if (1..=CAPTION_CHARS_MAX).contains(&length) && !caption.contains(is_harmful) {
        Ok(())
    } else {
        Err(invalid_caption(caption, &format!("1 to {CAPTION_CHARS_MAX} printable characters")))
    }
}

fn invalid_caption(caption: &str, expected: &str) -> ImageError {
    let start: String =
        caption.chars().take(CAPTION_CHARS_MAX).flat_map(char::escape_debug).collect();
    ImageError(format!("invalid caption '{start}' (expected {expected})"))
}

impl Grid {
    /// Returns the addresses of the rows that are shown with these contents of data memory, from
    /// the top.
    pub fn shown(&self, ram: &[u8; RAM_BYTES]) -> impl Iterator<Item = RamAddr> {
        let offset = self.index(ram) * SIDE;
        let rows = usize::from(self.size).min(SIDE);
        (0..rows).map(move |row| RamAddr::truncate(self.first.get() + (offset + row) as u16))
    }

    /// Returns the offset of a byte from the first row, if the byte belongs to this grid or series.
    pub fn offset(&self, byte: RamAddr) -> Option<u16> {
        byte.get().checked_sub(self.first.get()).filter(|offset| *offset < self.size)
    }

    /// Returns the number of the grid that is shown. If the byte that selects it is too large, this
    /// is the last grid.
    pub fn index(&self, ram: &[u8; RAM_BYTES]) -> usize {
        self.index.map_or(0, |index| self.clamp(ram[index.to_usize()]))
    }

    /// Returns the number of the grid that this value of the byte selects.
    pub fn clamp(&self, index: u8) -> usize {
        usize::from(index).min(usize::from(self.size).saturating_sub(1) / SIDE)
    }

    /// Returns the number of valid rows.
    pub fn valid_rows(&self, ram: &[u8; RAM_BYTES]) -> usize {
        self.rows.map_or(SIDE, |rows| usize::from(ram[rows.to_usize()]))
    }

    fn check(&self) -> Result<(), ImageError> {
        let size = usize::from(self.size);
        let first = self.first.get();
        Err(ImageError(if !self.mark.is_ascii_graphic() {
            let mark = self.mark.escape_debug();
            format!("invalid mark '{mark}' (expected a printable ASCII character)")
        } else if size == 0 || size > SIDE && !size.is_multiple_of(SIDE) {
            format!("invalid size {size} of a grid (expected 1 to {SIDE}, or a multiple of {SIDE})")
        } else if usize::from(first) + size > RAM_BYTES {
            format!("the grid of {size} bytes at {first:#06x} ends outside data memory")
        } else {
            return Ok(());
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: u16) -> RamAddr {
        RamAddr::truncate(address)
    }

    /// Returns a series of eight boards with eight rows each, from 0x40 on. The byte at 0 selects
    /// the board, and the byte at 1 holds the number of rows.
    fn series() -> Grid {
        Grid { first: at(0x40), size: 64, mark: 'x', rows: Some(at(1)), index: Some(at(0)) }
    }

    #[test]
    fn a_series_shows_the_grid_that_its_byte_selects() {
        let mut ram = [0; RAM_BYTES];
        for (index, rows, first) in [(0, 3, 0x40), (3, 8, 0x58), (7, 0, 0x78), (8, 9, 0x78)] {
            (ram[0], ram[1]) = (index, rows);
            let shown: Vec<RamAddr> = series().shown(&ram).collect();
            assert_eq!(shown, (first..first + 8).map(at).collect::<Vec<_>>());
            assert_eq!(series().valid_rows(&ram), usize::from(rows));
        }
        ram[0] = 2;
        let fixed = Grid { rows: None, index: None, ..series() };
        assert_eq!(fixed.shown(&ram).next(), Some(at(0x40)));
        assert_eq!(fixed.valid_rows(&ram), SIDE);
        assert_eq!(Grid { size: 5, ..series() }.shown(&ram).count(), 5);
        ram[0] = 9;
        for (size, last) in [(5, 0), (8, 0), (16, 1), (24, 2)] {
            assert_eq!(Grid { size, ..series() }.index(&ram), last, "{size}");
        }
    }

    #[test]
    fn an_instruction_has_the_caption_of_its_range() {
        let index = RomIndex::truncate;
        let caption = |text: &str, at: &[(u16, u16)]| Caption {
            text: text.into(),
            at: at.iter().map(|(first, count)| (index(*first), *count)).collect(),
            reasons: Vec::new(),
        };
        let with = |captions| Presentation { captions, ..Presentation::default() };
        let all = with(vec![caption("place", &[(2, 3), (9, 1)]), caption("exclude", &[(5, 4)])]);
        assert_eq!(all.check(), Ok(()));
        let found: Vec<_> =
            (1..11).map(|at| all.caption(index(at)).map_or("-", |it| &it.text)).collect();
        assert_eq!(found.join(" "), "- place place place exclude exclude exclude exclude place -");
        for at in [&[(8191, 2)][..], &[(3, 0)], &[(3, 2), (4, 1)]] {
            let error = with(vec![caption("x", at)]).check().unwrap_err().to_string();
            assert!(error.starts_with("the captions from 0x"), "{at:?}: {error}");
        }
        for text in ["", " x", "\u{7}", &"x".repeat(CAPTION_TEXT_CHARS_MAX + 1)] {
            let error = with(vec![caption(text, &[(0, 1)])]).check().unwrap_err().to_string();
            assert!(error.ends_with("characters without spaces around them)"), "{text:?}: {error}");
        }
    }

    #[test]
    fn a_presentation_that_cannot_be_drawn_is_refused() {
        let refused = |presentation: Presentation| presentation.check().unwrap_err().to_string();
        let grid = |grid| Presentation { grids: vec![grid], ..Presentation::default() };
        assert_eq!(grid(series()).check(), Ok(()));
        for (size, is_right) in [(0, false), (1, true), (8, true), (9, false), (16, true)] {
            assert_eq!(grid(Grid { size, ..series() }).check().is_ok(), is_right, "{size}");
        }
        assert_eq!(grid(Grid { first: at(0x1ff8), size: 8, ..series() }).check(), Ok(()));
        assert_eq!(
            refused(grid(Grid { first: at(0x1ff9), size: 8, ..series() })),
            "the grid of 8 bytes at 0x1ff9 ends outside data memory"
        );
        assert_eq!(
            refused(grid(Grid { mark: '\x1b', ..series() })),
            "invalid mark '\\u{1b}' (expected a printable ASCII character)"
        );
        let meaning = |text: &str| LegendEntry { led: Led::Red, text: text.into() };
        let legend = |legend| Presentation { legend, ..Presentation::default() };
        assert_eq!(legend(vec![meaning("queen")]).meaning(Led::Red), Some("queen"));
        assert_eq!(legend(vec![meaning("queen")]).meaning(Led::Green), None);
        assert_eq!(
            refused(legend(vec![meaning("queen"), meaning("king")])),
            "the colour red has two meanings"
        );
        for text in ["", "\u{202e}", "twenty-five characters, eh"] {
            assert!(refused(legend(vec![meaning(text)])).starts_with("invalid caption"), "{text}");
        }
        let value = ShownValue { address: at(0), caption: "N".into() };
        let values = |count| vec![value.clone(); count];
        let with = |values| Presentation { values, ..Presentation::default() };
        assert_eq!(with(values(ENTRIES_MAX)).check(), Ok(()));
        assert_eq!(refused(with(values(ENTRIES_MAX + 1))), "9 values to show; the maximum is 8");
    }
}
