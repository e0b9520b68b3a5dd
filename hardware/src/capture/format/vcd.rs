//! Reads value change dumps (IEEE 1364-2005, clause 18), as simulators and sigrok write them.

use std::collections::{HashMap, VecDeque};
use std::io::BufRead;

use super::problem::{CHANNELS_MAX, CaptureError, LevelChange, too_many, unexpected};
use super::text::TextReader;
use super::units::{parse_hertz, parse_unit};

/// A dump that is being read.
#[derive(Debug)]
pub(super) struct Vcd<R> {
    text: TextReader<R>,
    pub(super) names: Vec<String>,
    /// For each channel, the first one with the same signal.
    pub(super) sources: Vec<usize>,
    /// For each identifier code, the variables that have it. Each variable is stored as the index
    /// of its first channel, which is its low bit, and its number of channels. A variable that
    /// cannot be a wire has no channels.
    channels: HashMap<Vec<u8>, Vec<(usize, usize)>>,
    /// The unit of time, in fs.
    unit_fs: i128,
    /// The samples per second, if the dump states them.
    pub(super) hertz: Option<u64>,
    pub(super) time_ps: i64,
}

impl<R: BufRead> Vcd<R> {
    /// Reads the definitions.
    pub(super) fn open(from: R) -> Result<Self, CaptureError> {
        let mut vcd = Self {
            text: TextReader::new(from),
            names: Vec::new(),
            sources: Vec::new(),
            channels: HashMap::new(),
            unit_fs: 1_000_000,
            hertz: None,
            time_ps: 0,
        };
        while vcd.text.read_word()? {
            match vcd.text.last() {
                b"$enddefinitions" => {
                    vcd.read_words()?;
                    return Ok(vcd);
                }
                b"$timescale" => vcd.read_timescale()?,
                b"$var" => vcd.read_variable()?,
                b"$comment" => {
                    let words = vcd.read_words()?;
                    let at = words.iter().position(|word| word == "at");
                    let rate = at.map(|at| words[at + 1..].join(" "));
                    vcd.hertz = vcd.hertz.or(rate.and_then(|rate| parse_hertz(&rate)));
                }
                [b'$', ..] => drop(vcd.read_words()?),
                _ => return Err(vcd.text.unexpected("a definition such as $var")),
            }
        }
        Err(vcd.text.problem("the file ends before $enddefinitions"))
    }

    /// Reads the words up to `$end`, and returns at most the first `WORDS_MAX`.
    fn read_words(&mut self) -> Result<Vec<String>, CaptureError> {
        const WORDS_MAX: usize = 64;
        let mut words = Vec::new();
        while self.text.read_word()? {
            if self.text.last() == b"$end" {
                return Ok(words);
            }
            if words.len() < WORDS_MAX {
                words.push(self.text.last_text());
            }
        }
        Err(self.text.problem("the file ends before $end"))
    }

    fn read_timescale(&mut self) -> Result<(), CaptureError> {
        const EXPECTED: &str = "a time scale such as 1 ns";
        let text = self.read_words()?.concat();
        let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let number = &text[..text.len() - unit.len()];
        let number = number.parse::<u16>().ok().filter(|number| *number > 0);
        let unit_fs = match unit {
            "fs" => Some(1),
            unit => parse_unit(unit).map(|ps| i128::from(ps) * 1000),
        };
        match number.zip(unit_fs) {
            Some((number, unit_fs)) => self.unit_fs = i128::from(number) * unit_fs,
            None => return Err(self.text.problem(unexpected(EXPECTED, &text))),
        }
        Ok(())
    }

    /// Reads a definition. `$var wire 3 ! PHASE [2:0] $end` has three channels. Strings, numbers
    /// and memories are not wires, and their values are ignored.
    fn read_variable(&mut self) -> Result<(), CaptureError> {
        const EXPECTED: &str = "kind, width, code and name of a variable";
        const WIDTH_MAX: usize = 256;
        let words = self.read_words()?;
        let unexpected = || self.text.problem(unexpected(EXPECTED, &words.join(" ")));
        let [kind, width, code, name @ ..] = words.as_slice() else {
            return Err(unexpected());
        };
        let width: usize = width.parse().map_err(|_| unexpected())?;
        let is_wire = !["real", "realtime", "string", "parameter"].contains(&kind.as_str())
            && (1..=WIDTH_MAX).contains(&width);
        let first = self.names.len();
        if first + width.min(WIDTH_MAX) > CHANNELS_MAX {
            return Err(self.text.problem(too_many("channels", CHANNELS_MAX)));
        }
        // Analysers write names of several words. Verilog escapes names with a backslash.
        let whole = name.join(" ").replace(" [", "[");
        let whole = whole.strip_prefix('\\').unwrap_or(&whole);
        if whole.is_empty() {
            return Err(unexpected());
        }
        let (name, range) = match whole.split_once('[') {
            Some((name, range)) if width > 1 => (name, range.trim_end_matches(']')),
            _ => (whole, ""),
        };
        let (high, low) = range.split_once(':').unwrap_or_default();
        let bounds = high.parse::<i32>().ok().zip(low.parse::<i32>().ok());
        // The rightmost number of a range is the low bit, whichever number is larger.
        let is_falling = bounds.is_none_or(|(left, right)| left >= right);
        let right = bounds.map_or(0, |(_, right)| right);
        let places = self.channels.entry(code.clone().into_bytes()).or_default();
        let same = places.iter().find(|(_, other)| *other == width).map_or(first, |it| it.0);
        places.push((first, if is_wire { width } else { 0 }));
        for (bit, offset) in (0..if is_wire { width } else { 1 }).zip(0_i32..) {
            let index = if is_falling {
                right.saturating_add(offset)
            } else {
                right.saturating_sub(offset)
            };
            let is_whole = width == 1 || !is_wire;
            self.names.push(if is_whole { whole.to_owned() } else { format!("{name}.{index}") });
            self.sources.push(same + bit);
        }
        Ok(())
    }

    /// Reads a time, a value or a command, and appends the level changes. Returns `false` at the
    /// end.
    pub(super) fn read(&mut self, into: &mut VecDeque<LevelChange>) -> Result<bool, CaptureError> {
        if !self.text.read_word()? {
            return Ok(false);
        }
        match *self.text.last() {
            [b'#', ..] => self.read_time()?,
            [b'0' | b'1' | b'x' | b'X' | b'z' | b'Z', _, ..] => {
                let (value, code) = self.text.last().split_at(1);
                into.extend(self.decode_value(value, code)?);
            }
            [b'b' | b'B', _, ..] => {
                let value = self.text.last()[1..].to_vec();
                if !self.text.read_word()? {
                    return Err(self.text.problem("the file ends before the code of a variable"));
                }
                into.extend(self.decode_value(&value, self.text.last())?);
            }
            [b'r' | b'R' | b's' | b'S', ..] => drop(self.text.read_word()?),
            [b'$', ..] => self.skip_command()?,
            _ => return Err(self.text.unexpected("a time or a value")),
        }
        Ok(true)
    }

    /// Skips a command. For `$dumpvars` and similar commands, it skips only the keyword, because
    /// values follow. Other commands, such as comments, are skipped up to `$end`.
    fn skip_command(&mut self) -> Result<(), CaptureError> {
        match self.text.last() {
            b"$end" | b"$dumpvars" | b"$dumpall" | b"$dumpon" | b"$dumpoff" => Ok(()),
            _ => self.read_words().map(drop),
        }
    }

    fn read_time(&mut self) -> Result<(), CaptureError> {
        let number = std::str::from_utf8(&self.text.last()[1..]).ok();
        let number = number.and_then(|number| number.parse::<u64>().ok());
        let Some(number) = number else { return Err(self.text.unexpected("# and a time")) };
        let time_ps = i128::from(number) * self.unit_fs / 1000;
        self.time_ps = self.text.check_time(self.time_ps, time_ps)?;
        Ok(())
    }

    /// Returns the level changes of the variables with this identifier code, for a value that
    /// starts with the high bit. If a value that is shorter than the variable starts with 1, the
    /// missing high bits are 0. Otherwise, they repeat the first digit.
    fn decode_value(&self, value: &[u8], code: &[u8]) -> Result<Vec<LevelChange>, CaptureError> {
        let level = |digit: u8| match digit {
            b'0' => Some(Some(false)),
            b'1' => Some(Some(true)),
            b'x' | b'X' | b'z' | b'Z' => Some(None),
            _ => None,
        };
        if !value.iter().all(|&digit| level(digit).is_some()) {
            return Err(self.text.unexpected("a value of 0, 1, x and z"));
        }
        let Some(places) = self.channels.get(code) else {
            return Err(self.text.unexpected("the code of a variable"));
        };
        let first = value.first().copied().unwrap_or(b'x');
        let fill = if first == b'1' { b'0' } else { first };
        let mut changes = Vec::new();
        for &(low, width) in places {
            for bit in 0..width {
                let digit = value.len().checked_sub(bit + 1).map_or(fill, |at| value[at]);
                let (time_ps, channel, level) = (self.time_ps, low + bit, level(digit).flatten());
                changes.push(LevelChange { time_ps, channel, level });
            }
        }
        Ok(changes)
    }
}
