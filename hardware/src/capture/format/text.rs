//! Reads text files of any length in bounded memory, word by word or line by line, with positions
//! for errors.

use std::io::BufRead;

use gray1_isa::format::Position;

use super::problem::{CaptureError, TIME_PS_MAX, TOO_LATE, too_long, unexpected};

/// The maximum length of a word in a VCD file and of a line in a CSV file, in bytes.
const WORD_BYTES_MAX: usize = 1 << 20;
const LINE_BYTES_MAX: usize = 1 << 18;

/// A text file that is being read.
#[derive(Debug)]
pub(super) struct TextReader<R> {
    from: R,
    /// The position of the next byte. Columns count bytes, which is exact for ASCII.
    next: Position,
    /// The last word or line, and its position.
    last: Vec<u8>,
    place: Position,
}

impl<R: BufRead> TextReader<R> {
    pub(super) fn new(from: R) -> Self {
        let start = Position { line: 1, column: 1 };
        Self { from, next: start, last: Vec::new(), place: start }
    }

    /// Reads the next word. Words are separated by white space. Returns `false` at the end of the
    /// file.
    pub(super) fn read_word(&mut self) -> Result<bool, CaptureError> {
        self.last.clear();
        loop {
            let available = self.from.fill_buf()?;
            let Some(&byte) = available.first() else { return Ok(!self.last.is_empty()) };
            if byte.is_ascii_whitespace() && !self.last.is_empty() {
                return Ok(true);
            }
            if !byte.is_ascii_whitespace() {
                if self.last.is_empty() {
                    self.place = self.next;
                }
                if self.last.len() == WORD_BYTES_MAX {
                    return Err(self.problem(too_long("word", WORD_BYTES_MAX)));
                }
                self.last.push(byte);
            }
            self.from.consume(1);
            self.step(byte);
        }
    }

    /// Reads the next line, without its end. Returns `false` at the end of the file.
    pub(super) fn read_line(&mut self) -> Result<bool, CaptureError> {
        self.last.clear();
        self.place = self.next;
        let mut has_started = false;
        loop {
            let available = self.from.fill_buf()?;
            let Some(&byte) = available.first() else { return Ok(has_started) };
            has_started = true;
            self.from.consume(1);
            self.step(byte);
            if byte == b'\n' {
                return Ok(true);
            }
            if self.last.len() == LINE_BYTES_MAX {
                return Err(self.problem(too_long("line", LINE_BYTES_MAX)));
            }
            if byte != b'\r' {
                self.last.push(byte);
            }
        }
    }

    fn step(&mut self, byte: u8) {
        if byte == b'\n' {
            self.next = Position { line: self.next.line + 1, column: 1 };
        } else {
            self.next.column += 1;
        }
    }

    /// The last word or line.
    pub(super) fn last(&self) -> &[u8] {
        &self.last
    }

    /// The last word or line as a string. Bytes that are not UTF-8 are replaced.
    pub(super) fn last_text(&self) -> String {
        String::from_utf8_lossy(&self.last).into_owned()
    }

    /// Creates an error with the position of the last word or line.
    pub(super) fn problem(&self, message: impl Into<String>) -> CaptureError {
        CaptureError { message: message.into(), position: Some(self.place) }
    }

    /// The error for an unexpected word or line.
    pub(super) fn unexpected(&self, expected: &str) -> CaptureError {
        self.problem(unexpected(expected, &self.last_text()))
    }

    /// The error for an unexpected part of the line, at this offset in bytes.
    pub(super) fn unexpected_at(&self, bytes: usize, expected: &str, found: &str) -> CaptureError {
        let position = Position { column: self.place.column + bytes, ..self.place };
        CaptureError { message: unexpected(expected, found), position: Some(position) }
    }

    /// Checks a time in ps. It must not be earlier than the previous time or exceed the maximum.
    pub(super) fn check_time(&self, last_ps: i64, time_ps: i128) -> Result<i64, CaptureError> {
        if time_ps.abs() > i128::from(TIME_PS_MAX) {
            return Err(self.problem(TOO_LATE));
        }
        let time_ps = time_ps as i64;
        if time_ps < last_ps { Err(self.problem("time goes backward here")) } else { Ok(time_ps) }
    }
}
