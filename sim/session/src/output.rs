//! The output of the program: its last lines, made printable.

use std::collections::VecDeque;
use std::fmt::Write;
use std::sync::Arc;

use gray1_debugger::History;

/// The maximum number of lines that are kept. The largest screen shows fewer.
const LINES_MAX: usize = 600;
/// A long line is broken after each byte whose number since the reset is a multiple of this, unless
/// the piece would be shorter than this. The breaks therefore do not depend on how much of the line
/// is known.
const BREAK_BYTES: u64 = 160;

/// The last lines of the output.
#[derive(Debug, Clone, Default)]
pub struct Output {
    /// Finished lines, the oldest first.
    lines: VecDeque<Arc<str>>,
    /// The characters after the last line end or break, and their length in printed bytes.
    open: String,
    open_bytes: u64,
    /// The number of bytes printed since the reset.
    printed: u64,
    /// The number of bytes printed before the reset.
    reset_at: u64,
    /// The number of lines finished since the reset.
    pub finished: u64,
    /// The number of lines before the kept ones.
    pub forgotten: usize,
}

impl Output {
    /// The maximum number of printed bytes in the kept lines.
    pub(super) const BYTES_MAX: u64 = LINES_MAX as u64 * BREAK_BYTES;

    /// The output that ends in these bytes. `printed` and `finished` are the total numbers of bytes
    /// and lines, including these. If bytes are missing before them, the incomplete first line or
    /// piece is left out.
    pub(super) fn from_end(bytes: &[u8], printed: u64, finished: u64) -> Self {
        let first = printed - bytes.len() as u64;
        let to_break = first.next_multiple_of(BREAK_BYTES) - first;
        let line_end = bytes.iter().position(|byte| *byte == b'\n').map(|end| end as u64 + 1);
        let cut = if first == 0 { 0 } else { line_end.unwrap_or(to_break) };
        let mut output = Self { printed: first + cut, ..Self::default() };
        output.push(&bytes[cut as usize..]);
        output.forgotten += finished.saturating_sub(output.finished) as usize;
        output.finished = finished;
        output
    }

    /// Appends bytes. Those that are not printable ASCII are shown as `\xNN`.
    pub fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.printed += 1;
            self.open_bytes += 1;
            match byte {
                b'\n' => {
                    self.finished += 1;
                    self.end_line();
                }
                b' '..=b'~' => self.open.push(char::from(byte)),
                _ => write!(self.open, "\\x{byte:02x}").unwrap_or_default(),
            }
            if self.open_bytes >= BREAK_BYTES && self.printed.is_multiple_of(BREAK_BYTES) {
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
        self.open_bytes = 0;
    }

    /// The last line, if it has not ended.
    pub fn unfinished(&self) -> &str {
        &self.open
    }

    /// The kept lines, oldest first, and an unfinished one last.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &str> {
        let open = Some(self.unfinished()).filter(|open| !open.is_empty());
        self.lines.iter().map(AsRef::as_ref).chain(open)
    }

    /// Updates an output to the current moment of a history: appends new bytes, or starts over
    /// after a step back.
    pub(super) fn update(output: &mut Arc<Self>, history: &History) {
        let (printed, reset_at) = (history.printed(), history.printed_before_reset());
        if reset_at == output.reset_at && printed == output.printed {
            return;
        }
        let new = printed.checked_sub(output.printed).filter(|new| *new < Self::BYTES_MAX);
        if let Some(new) = new.filter(|_| reset_at == output.reset_at) {
            let output = Arc::make_mut(output);
            output.push(&history.output(new));
            // The history may no longer have all of these bytes.
            output.printed = printed;
        } else {
            let last = history.output(Self::BYTES_MAX);
            let ending = Self::from_end(&last, printed, history.printed_lines());
            *output = Arc::new(Self { reset_at, ..ending });
        }
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
        assert_eq!((lines(&output), output.finished), (vec!["158"], 0));
        output.push(b"6\n\n2");
        assert_eq!((lines(&output), output.finished), (vec!["1586", "", "2"], 2));
    }

    #[test]
    fn control_characters_of_the_output_are_escaped() {
        let mut output = Output::default();
        output.push(b"\x1b[2J\t\xff\r");
        assert_eq!(lines(&output), [r"\x1b[2J\x09\xff\x0d"]);
    }

    #[test]
    fn endless_output_needs_limited_memory() {
        let mut output = Output::default();
        for _ in 0..100_000 {
            output.push(b"endless");
        }
        assert_eq!(output.lines().count(), LINES_MAX);
        assert!(output.lines().all(|line| (line.len() as u64) < 2 * BREAK_BYTES));
        assert_eq!(output.finished, 0);
    }

    #[test]
    fn a_long_line_breaks_at_the_same_bytes_if_its_start_is_lost() {
        let printed: Vec<u8> = (0..4 * Output::BYTES_MAX).map(|n| b'a' + (n % 26) as u8).collect();
        let mut all = Output::default();
        all.push(b"a line\n");
        all.push(&printed);
        let last = &printed[printed.len() - Output::BYTES_MAX as usize..];
        let known = Output::from_end(last, 7 + printed.len() as u64, 1);
        let newest = |output: &Output| {
            output.lines().rev().take(500).map(str::to_owned).collect::<Vec<String>>()
        };
        assert_eq!(newest(&all), newest(&known));
    }

    #[test]
    fn output_whose_start_is_lost_begins_with_a_whole_line() {
        let printed = b"ab\ncde\n\nfgh\ni";
        let mut all = Output::default();
        all.push(printed);
        for from in 0..=9 {
            let known = Output::from_end(&printed[from..], printed.len() as u64, 4);
            let whole = [0, 3, 7, 8, 12].iter().filter(|start| from == 0 || **start > from);
            let expected = lines(&all).split_off(lines(&all).len() - whole.count());
            assert_eq!(lines(&known), expected, "from byte {from}");
            assert_eq!((known.finished, known.forgotten), (4, 5 - expected.len()), "{from}");
        }
    }
}
