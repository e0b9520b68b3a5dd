//! Reads tables of levels: the CSV files of sigrok and of Saleae's Logic, and the OLS files of
//! Logic Sniffer, whose rows are `LEVELS@SAMPLE`.

use std::collections::VecDeque;
use std::io::BufRead;

use super::problem::{CHANNELS_MAX, CaptureError, LevelChange, too_many};
use super::text::TextReader;
use super::units::{parse_hertz, parse_unit, sample_ps};

const NO_TIMES: &str = "there is neither a column of times nor a sample rate; export one of them, or \
                        state the rate, as in `--rate 24MHz`";

/// The most channels that a row of an OLS file has.
const OLS_CHANNELS_MAX: usize = 64;

/// A table that is being read.
#[derive(Debug)]
pub(super) struct Csv<R> {
    text: TextReader<R>,
    /// The separator of fields. A file with semicolons has decimal commas.
    separator: char,
    is_ols: bool,
    pub(super) names: Vec<String>,
    /// The unit of the first column in ps, if that column contains times.
    unit_ps: Option<i64>,
    /// The samples per second, if they are known.
    pub(super) hertz: Option<u64>,
    levels: Vec<Option<bool>>,
    /// The number of samples that have been read, or, in an OLS file, all of them.
    rows: u64,
    /// True if the first row has been read as the current line, but not processed.
    has_row: bool,
    pub(super) time_ps: i64,
}

impl<R: BufRead> Csv<R> {
    /// Reads everything before the first row. `hertz` is the sample rate of a file that states
    /// none.
    pub(super) fn open(from: R, hertz: Option<u64>) -> Result<Self, CaptureError> {
        let mut csv = Self {
            text: TextReader::new(from),
            separator: ',',
            is_ols: false,
            names: Vec::new(),
            unit_ps: None,
            hertz,
            levels: Vec::new(),
            rows: 0,
            has_row: false,
            time_ps: i64::MIN,
        };
        let mut listed = Vec::new();
        loop {
            if !csv.text.read_line()? {
                return Err(csv
                    .text
                    .problem("the file ends before a row with the names of the channels"));
            }
            let line = csv.text.last_text();
            match line.trim_start().strip_prefix([';', '#']) {
                Some(comment) => csv.read_comment(comment, &mut listed),
                None if line.trim().is_empty() => {}
                None => break,
            }
        }
        csv.read_header(listed)?;
        if csv.names.len() > CHANNELS_MAX {
            return Err(csv.text.problem(too_many("channels", CHANNELS_MAX)));
        }
        if csv.unit_ps.is_none() && csv.hertz.is_none() {
            return Err(csv.text.problem(NO_TIMES));
        }
        csv.levels = vec![None; csv.names.len()];
        Ok(csv)
    }

    /// Reads a comment such as `; Channels (3/8): D0, D1, D2` or `; Samplerate: 24 MHz`.
    fn read_comment(&mut self, comment: &str, listed: &mut Vec<String>) {
        let Some((key, value)) = comment.split_once(':') else { return };
        match &*key.trim().to_ascii_lowercase() {
            "samplerate" | "rate" => self.hertz = parse_hertz(value).or(self.hertz),
            "absolutelength" => self.rows = value.trim().parse().unwrap_or_default(),
            key if key.starts_with("channels") => {
                *listed = value.split(',').map(|name| name.trim().to_owned()).collect();
            }
            _ => {}
        }
    }

    /// Reads the row of names. Sigrok can write units instead, or omit the row.
    fn read_header(&mut self, listed: Vec<String>) -> Result<(), CaptureError> {
        let line = self.text.last_text();
        self.is_ols = line.contains('@') && listed.len() == 1;
        if self.is_ols {
            let count = listed[0].parse().ok().filter(|count| *count <= OLS_CHANNELS_MAX);
            let count =
                count.ok_or_else(|| self.text.problem(too_many("channels", OLS_CHANNELS_MAX)))?;
            self.names = (0..count).map(|channel| channel.to_string()).collect();
            self.has_row = true;
            return Ok(());
        }
        let separators = [';', '\t', ','].into_iter();
        self.separator = separators.max_by_key(|it| line.matches(*it).count()).unwrap_or(',');
        let fields: Vec<&str> = line.split(self.separator).map(field).collect();
        self.unit_ps = parse_time_unit(fields[0]);
        if self.unit_ps.is_none() && fields[0].to_ascii_lowercase().starts_with("time") {
            return Err(self.text.unexpected("a unit of time, as in `Time [s]` or `nanoseconds`"));
        }
        let names = &fields[usize::from(self.unit_ps.is_some())..];
        self.has_row = fields.iter().all(|field| ["0", "1"].contains(field));
        if names.iter().all(|name| *name == "logic") || self.has_row {
            if listed.len() != names.len() {
                return Err(self.text.unexpected("the names of the channels"));
            }
            self.names = listed;
        } else {
            self.names = names.iter().map(|&name| name.to_owned()).collect();
        }
        Ok(())
    }

    /// Reads a line and appends the level changes. Returns `false` at the end.
    pub(super) fn read(&mut self, into: &mut VecDeque<LevelChange>) -> Result<bool, CaptureError> {
        if !std::mem::take(&mut self.has_row) && !self.text.read_line()? {
            if let (Some(hertz), None) = (self.hertz, self.unit_ps) {
                self.time_ps = self.text.check_time(self.time_ps, sample_ps(hertz, self.rows))?;
            }
            return Ok(false);
        }
        let line = self.text.last_text();
        if !line.trim().is_empty() && !line.starts_with(';') {
            if self.is_ols {
                self.read_ols(&line, into)?;
            } else {
                self.read_row(&line, into)?;
            }
        }
        Ok(true)
    }

    /// Reads a row of an OLS file: the levels in hexadecimal digits, and the number of the sample.
    fn read_ols(&mut self, row: &str, out: &mut VecDeque<LevelChange>) -> Result<(), CaptureError> {
        let numbers = row.split_once('@').and_then(|(levels, sample)| {
            let levels = u64::from_str_radix(levels.trim(), 16).ok()?;
            Some((levels, sample.trim().parse::<u64>().ok()?))
        });
        let expected = "levels and the number of a sample, as in `0000ff@12`";
        let (levels, sample) = numbers.ok_or_else(|| self.text.unexpected(expected))?;
        let time_ps = self.hertz.map_or(0, |hertz| sample_ps(hertz, sample));
        self.time_ps = self.text.check_time(self.time_ps, time_ps)?;
        self.rows = self.rows.max(sample.saturating_add(1));
        for channel in 0..self.names.len() {
            self.set_level(channel, levels >> channel & 1 == 1, out);
        }
        Ok(())
    }

    /// Appends the change of a channel if it has another level than before.
    fn set_level(&mut self, channel: usize, level: bool, out: &mut VecDeque<LevelChange>) {
        let level = Some(level);
        if std::mem::replace(&mut self.levels[channel], level) != level {
            out.push_back(LevelChange { time_ps: self.time_ps, channel, level });
        }
    }

    fn read_row(&mut self, row: &str, out: &mut VecDeque<LevelChange>) -> Result<(), CaptureError> {
        let mut column = 0;
        let mut fields = row.split(self.separator).map(|text| {
            let start = column;
            column += text.len() + 1;
            (start, field(text))
        });
        let time_ps = match (self.unit_ps, self.hertz) {
            (Some(unit_ps), _) => {
                let (start, text) = fields.next().unwrap_or_default();
                self.read_time(unit_ps, start, text)?
            }
            (None, Some(hertz)) => sample_ps(hertz, self.rows),
            (None, None) => 0,
        };
        self.time_ps = self.text.check_time(self.time_ps, time_ps)?;
        self.rows += 1;
        let mut count = 0;
        for (channel, (start, text)) in fields.enumerate() {
            let level = match text {
                "0" => false,
                "1" => true,
                _ => return Err(self.text.unexpected_at(start, "a level, 0 or 1", text)),
            };
            if channel == self.levels.len() {
                return Err(self.text.unexpected_at(start, "the end of the row", text));
            }
            self.set_level(channel, level, out);
            count += 1;
        }
        if count < self.names.len() {
            return Err(self.text.unexpected_at(row.len(), "a level for every channel", ""));
        }
        Ok(())
    }

    fn read_time(&self, unit_ps: i64, start: usize, text: &str) -> Result<i128, CaptureError> {
        let number = text.replace(',', ".").parse::<f64>().ok().filter(|number| number.is_finite());
        let expected = "a time as a number, not a date";
        let number = number.ok_or_else(|| self.text.unexpected_at(start, expected, text))?;
        #[expect(clippy::cast_precision_loss, reason = "powers of ten up to a million million")]
        let unit_ps = unit_ps as f64;
        Ok((number * unit_ps).round() as i128)
    }
}

/// Removes the spaces and quotes around a field.
fn field(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}

/// The unit of a time column, from its heading: `Time [s]`, `Time[s]`, `nanoseconds`.
fn parse_time_unit(head: &str) -> Option<i64> {
    let lower = head.to_ascii_lowercase();
    match lower.strip_prefix("time") {
        Some(unit) => {
            let unit = unit.trim().trim_matches(['[', ']', '(', ')']);
            parse_unit(unit)
        }
        None if lower.ends_with("seconds") => parse_unit(&lower),
        None => None,
    }
}
