//! What the program printed: the last lines, made printable.

use std::collections::VecDeque;
use std::fmt::Write;
use std::sync::Arc;

/// How many lines are kept; the largest screen shows fewer.
const LINES_MAX: usize = 600;
/// Where a line that does not end is broken, in characters.
const COLUMNS_MAX: usize = 160;

/// The last lines of the output.
#[derive(Debug, Clone, Default)]
pub(crate) struct Output {
    /// Finished lines, the oldest first.
    lines: VecDeque<Arc<str>>,
    /// What came behind the last line's end.
    open: String,
    /// How many line ends were printed.
    finished: u64,
    /// How many lines were given up for newer ones.
    forgotten: usize,
}

impl Output {
    /// As many of the last bytes as can matter.
    pub(super) const BYTES_MAX: u64 = (LINES_MAX * COLUMNS_MAX) as u64;

    /// The output that ends with these bytes, after so many line ends in all. Where they are not
    /// all, the line that they start in is left out.
    pub(super) fn ending(bytes: &[u8], is_all: bool, finished: u64) -> Self {
        let cut = bytes.iter().position(|byte| *byte == b'\n').filter(|_| !is_all);
        let mut output = Self::default();
        output.push(&bytes[cut.map_or(0, |end| end + 1)..]);
        output.forgotten += finished.saturating_sub(output.finished) as usize;
        output.finished = finished;
        output
    }

    /// Takes the bytes in. Those that are no printable ASCII are written as `\xNN`.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match byte {
                b'\n' => {
                    self.finished += 1;
                    self.end_line();
                }
                b' '..=b'~' => self.open.push(char::from(byte)),
                _ => write!(self.open, "\\x{byte:02x}").unwrap_or_default(),
            }
            if self.open.len() >= COLUMNS_MAX {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        if self.lines.len() == LINES_MAX {
            self.lines.pop_front();
            self.forgotten += 1;
        }
        self.lines.push_back(self.open.as_str().into());
        self.open.clear();
    }

    /// How many lines were finished since the program started.
    pub(crate) fn finished(&self) -> u64 {
        self.finished
    }

    /// How many lines came before those that are kept.
    pub(crate) fn forgotten(&self) -> usize {
        self.forgotten
    }

    /// The lines that are kept, the oldest first, an unfinished one last.
    pub(crate) fn lines(&self) -> impl DoubleEndedIterator<Item = &str> {
        let open = Some(self.open.as_str()).filter(|open| !open.is_empty());
        self.lines.iter().map(AsRef::as_ref).chain(open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(output: &Output) -> Vec<&str> {
        output.lines().collect()
    }

    #[test]
    fn lines_grow_byte_by_byte() {
        let mut output = Output::default();
        output.push(b"158");
        assert_eq!((lines(&output), output.finished()), (vec!["158"], 0));
        output.push(b"6\n\n2");
        assert_eq!((lines(&output), output.finished()), (vec!["1586", "", "2"], 2));
    }

    #[test]
    fn nothing_reaches_the_terminal_raw() {
        let mut output = Output::default();
        output.push(b"\x1b[2J\t\xff\r");
        assert_eq!(lines(&output), [r"\x1b[2J\x09\xff\x0d"]);
    }

    #[test]
    fn endless_output_needs_no_endless_memory() {
        let mut output = Output::default();
        for _ in 0..100_000 {
            output.push(b"endless");
        }
        assert_eq!(output.lines().count(), LINES_MAX);
        assert!(output.lines().all(|line| line.len() <= COLUMNS_MAX));
        assert_eq!(output.finished(), 0);
    }
}
