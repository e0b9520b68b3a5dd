//! Strings from outside, such as names, titles and paths, made safe to show in a terminal.

/// Returns true if a character could do more to a terminal than appear in its place. Control
/// characters, invisible characters and those that change the direction of writing can.
pub fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Returns a string in which harmful characters are escaped. The result is a single line.
pub fn printable(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        if is_harmful(c) {
            clean.extend(c.escape_default());
        } else {
            clean.push(c);
        }
    }
    clean
}

/// Formats a number with commas between thousands: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Returns a noun as it stands after a count: `instruction` after 1, otherwise `instructions`.
pub fn plural(count: impl Copy + PartialEq + From<u8>, noun: &str) -> String {
    if count == 1.into() { noun.to_owned() } else { format!("{noun}s") }
}

/// Returns a count with its noun, such as `1 instruction` or `8,521 instructions`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {}", grouped(count), plural(count, noun))
}

/// Joins numbers in ascending order, with ranges: `1 and 3 to 5`.
pub fn join_ranges(numbers: &[usize]) -> String {
    let ranges = numbers.chunk_by(|a, b| a + 1 == *b).flat_map(|range| match range {
        [first, _, .., last] => vec![format!("{first} to {last}")],
        few => few.iter().map(usize::to_string).collect(),
    });
    let mut ranges: Vec<String> = ranges.collect();
    let last = ranges.pop().unwrap_or_default();
    if ranges.is_empty() { last } else { format!("{} and {last}", ranges.join(", ")) }
}

/// Names the bits of a mask: `x` for all of them, otherwise `bit 3 of x` or `bits 2 to 7 of x`.
pub fn name_bits(mask: u8, name: &str) -> String {
    let bits: Vec<usize> = (0..8).filter(|bit| mask >> bit & 1 == 1).collect();
    match bits.len() {
        8 => name.to_owned(),
        count => format!("{} {} of {name}", plural(count as u64, "bit"), join_ranges(&bits)),
    }
}

/// Parses a number as sources write it or as a screen shows it: `0xff`, `1_000` or `1,000`.
pub fn parse_number(text: &str) -> Option<u64> {
    let digits = text.trim().replace(['_', ','], "");
    match digits.strip_prefix("0x") {
        Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16).ok(),
        None => digits.parse().ok(),
    }
}

/// Replaces the percent escapes of a URL: `%` and two hexadecimal digits stand for a byte.
pub fn unescape_percent(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).filter(|_| *first == b'%');
        let digits = digits.and_then(|digits| str::from_utf8(digits).ok());
        let escaped = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    bytes
}

/// Breaks a string into lines of at most `width` characters, between words if possible.
#[expect(clippy::missing_panics_doc, reason = "there is always a line")]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut length = 0;
    for word in text.split_inclusive(' ') {
        let word_length = word.trim_end().chars().count();
        if length > 0 && length + word_length > width {
            lines.push(String::new());
            length = 0;
        }
        for c in word.chars() {
            if length == width && c != ' ' {
                lines.push(String::new());
                length = 0;
            }
            if length < width {
                lines.last_mut().expect("there is always a line").push(c);
                length += 1;
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_escapes_are_replaced() {
        for (text, bytes) in [
            ("a%20b%C3%bc", "a b\u{fc}"),
            ("100%", "100%"),
            ("%2", "%2"),
            ("%%41%4g%\u{fc}", "%A%4g%\u{fc}"),
        ] {
            assert_eq!(unescape_percent(text), bytes.as_bytes(), "{text}");
        }
        assert_eq!(unescape_percent("%ff"), [0xff]);
    }

    #[test]
    fn thousands_are_separated() {
        let numbers = [0, 999, 1_000, 202_738, 1_234_567].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "202,738", "1,234,567"]);
    }

    #[test]
    fn numbers_are_read_as_they_are_shown() {
        for shown in ["1234567", "1,234,567", "1_234_567", "0x12d687", " 0x12_D687"] {
            assert_eq!(parse_number(shown), Some(1_234_567), "{shown}");
        }
        for wrong in ["", ",", "0x", "-1", "1.5", "1k", "18446744073709551616"] {
            assert_eq!(parse_number(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn lines_break_between_words_or_where_they_must() {
        assert_eq!(wrap("the next LED change", 10), ["the next ", "LED change"]);
        assert_eq!(wrap("/a/long/path", 5), ["/a/lo", "ng/pa", "th"]);
        assert_eq!(wrap("", 5), [""]);
        // The space after a full line is dropped.
        assert_eq!(wrap("abcde fgh", 5), ["abcde", "fgh"]);
        assert_eq!(wrap("abcd efgh", 5), ["abcd ", "efgh"]);
    }

    #[test]
    fn characters_that_could_control_a_terminal_are_escaped() {
        assert_eq!(printable("it's \"8\" \\ Königinnen ♛"), "it's \"8\" \\ Königinnen ♛");
        assert_eq!(
            printable("\x1b]0;owned\x07\u{202e}\u{9b}\n"),
            "\\u{1b}]0;owned\\u{7}\\u{202e}\\u{9b}\\n"
        );
    }
}
