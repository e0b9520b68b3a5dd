//! The expected and the actual result of a failed step, and how they are shown.

use gray1_isa::text::{is_harmful, printable};

/// The expected and the actual result, each in one or several lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The result that the test file expects.
    pub expected: String,
    /// The result that the machine produced.
    pub actual: String,
    /// True for strings, whose first difference is marked.
    are_texts: bool,
}

/// The minimum width of a column when the results are shown side by side.
const SIDE_MIN: usize = "expected".len();
const GAP: usize = 4;
/// The maximum number of characters of a long line that are shown on each side of the first
/// difference.
const CONTEXT: usize = 200;

impl Comparison {
    pub(super) fn new(expected: impl Into<String>, actual: impl Into<String>) -> Self {
        Self { expected: expected.into(), actual: actual.into(), are_texts: false }
    }

    /// Compares two printed lines. If one is not valid text, its invalid bytes are escaped as in a
    /// test file, and so are backslashes in both.
    pub(super) fn from_bytes(expected: &[u8], actual: &[u8]) -> Self {
        match (str::from_utf8(expected), str::from_utf8(actual)) {
            (Ok(expected), Ok(actual)) => Self::from_texts(expected, actual),
            _ => Self::from_texts(&escape(expected), &escape(actual)),
        }
    }

    /// Compares two lines and marks the first difference. Long lines are shortened to the part
    /// around that difference.
    pub(super) fn from_texts(expected: &str, actual: &str) -> Self {
        let same = expected.chars().zip(actual.chars()).take_while(|(a, b)| a == b).count();
        let first = same.saturating_sub(CONTEXT);
        let part = |text: &str| {
            let mut part: String = text.chars().skip(first).take(2 * CONTEXT).collect();
            if text.chars().nth(first + 2 * CONTEXT).is_some() {
                part.push('…');
            }
            if first == 0 { part } else { format!("…{part}") }
        };
        Self { are_texts: true, ..Self::new(part(expected), part(actual)) }
    }

    /// Returns both results as lines. They are below each other with a mark at the first
    /// difference, or side by side with a mark at each line that differs.
    pub fn lines(&self) -> Vec<String> {
        let Self { expected, actual, are_texts, .. } = self;
        if *are_texts {
            let texts = [expected, actual];
            let has_escapes = texts.iter().any(|text| text.contains(is_harmful));
            let [expected, actual] = texts.map(|text| escape_blanks(text, has_escapes));
            let same = expected.chars().zip(actual.chars()).take_while(|(a, b)| a == b).count();
            let mark = format!("{}^", " ".repeat(same));
            return vec![
                format_row("expected", &expected),
                format_row("actual", &actual),
                format_row("", &mark),
            ];
        }
        if !expected.contains('\n') && !actual.contains('\n') {
            return vec![format_row("expected", expected), format_row("actual", actual)];
        }
        let width = expected.lines().map(|line| line.chars().count()).max().unwrap_or_default();
        let width = width.max(SIDE_MIN) + GAP;
        let count = expected.lines().count().max(actual.lines().count());
        let head = format!("{:width$}actual", "expected");
        let line = |text: &str, number: usize| text.lines().nth(number).unwrap_or("").to_owned();
        let rows = (0..count).map(|number| {
            let (left, right) = (line(expected, number), line(actual, number));
            let is_same = left.chars().zip(right.chars()).all(|(a, b)| a == b || a == '?');
            let mark = if is_same && left.len() == right.len() { "" } else { "  <" };
            format!("{left:width$}{right}{mark}")
        });
        std::iter::once(head).chain(rows).collect()
    }
}

/// Escapes bytes that are only partly valid text, as in a test file.
fn escape(bytes: &[u8]) -> String {
    let chunks = bytes.utf8_chunks().map(|chunk| {
        let wrong = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        printable(&chunk.valid().replace('\\', r"\\")) + &wrong.collect::<String>()
    });
    chunks.collect()
}

/// Makes a string unambiguous by escaping blanks at its end, and backslashes if there are other
/// escapes.
fn escape_blanks(text: &str, has_escapes: bool) -> String {
    let words = text.trim_end_matches(' ');
    let blanks = r"\x20".repeat(text.len() - words.len());
    let words = if has_escapes { words.replace('\\', r"\\") } else { words.to_owned() };
    printable(&words) + &blanks
}

/// Returns a line with a heading.
fn format_row(heading: &str, text: &str) -> String {
    let text = if text.is_empty() { "nothing" } else { text };
    format!("{heading:10}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_marked() {
        let lines = Comparison::from_texts("0475", "0457").lines();
        assert_eq!(lines, ["expected  0475", "actual    0457", "            ^"]);
        let lines = Comparison::from_bytes("a\u{e9}\\".as_bytes(), b"a\xff\xfe\xc3").lines();
        assert_eq!(lines[..2], ["expected  a\u{e9}\\\\", r"actual    a\xff\xfe\xc3"]);
        let lines = Comparison::from_texts("a \\n", "a \n").lines();
        assert_eq!(lines[..2], [r"expected  a \\n", r"actual    a \n"]);
        let lines = Comparison::from_texts("a", "a  ").lines();
        assert_eq!(lines, ["expected  a", r"actual    a\x20\x20", "           ^"]);
        let line = |sign: &str| "=".repeat(1000) + sign + &"-".repeat(100_000);
        let long = Comparison::from_texts(&line("a"), &line("b"));
        assert!(long.expected.starts_with('…') && long.expected.ends_with("-…"));
        assert!(long.expected.contains("=a-") && long.actual.contains("=b-"));
        assert_eq!(long.expected.chars().count(), 2 * CONTEXT + 2);
        let lines = Comparison::new(". G\n? .\nR .", ". G\nR .\n. .").lines();
        assert_eq!(
            lines,
            ["expected    actual", ". G         . G", "? .         R .", "R .         . .  <"]
        );
    }
}
