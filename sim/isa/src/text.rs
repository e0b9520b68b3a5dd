//! Text from outside, made fit for a terminal: names, titles and paths may hold anything.

/// Whether a character could do something to a terminal other than appear in its place: control
/// characters, invisible ones, and those that change the direction of writing.
#[must_use]
pub fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A text of one line, with harmful characters as escapes.
#[must_use]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_might_obey_is_escaped() {
        assert_eq!(printable("it's \"8\" \\ Königinnen ♛"), "it's \"8\" \\ Königinnen ♛");
        assert_eq!(
            printable("\x1b]0;owned\x07\u{202e}\u{9b}\n"),
            "\\u{1b}]0;owned\\u{7}\\u{202e}\\u{9b}\\n"
        );
    }
}
