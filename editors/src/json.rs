//! Parses the JSON of messages, and tolerates a mistake that editors make.

use serde_json::Value;

/// Parses the JSON of a message. Editors may send lone surrogates, which are not valid Unicode.
/// They become U+FFFD, so that the rest of the document is not lost.
pub(crate) fn parse(message: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(message).or_else(|_| serde_json::from_slice(&fix_surrogates(message)))
}

/// Replaces every escape of a lone surrogate in a JSON document.
fn fix_surrogates(mut json: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(json.len());
    while let [first, rest @ ..] = json {
        let length = match (first, rest, parse_escaped_unit(json)) {
            (.., Some(0xd800..=0xdbff))
                if matches!(parse_escaped_unit(&json[6..]), Some(0xdc00..=0xdfff)) =>
            {
                12
            }
            (.., Some(0xd800..=0xdfff)) => {
                replaced.extend(b"\\ufffd");
                json = &json[6..];
                continue;
            }
            (b'\\', [_, ..], _) => 2,
            _ => 1,
        };
        replaced.extend(&json[..length]);
        json = &json[length..];
    }
    replaced
}

/// Parses the UTF-16 code unit of an escape sequence at the start of `json`.
fn parse_escaped_unit(json: &[u8]) -> Option<u16> {
    let digits = json.strip_prefix(b"\\u")?.get(..4)?;
    u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_surrogate_does_not_spoil_a_message() {
        for (text, expected) in [
            (r#""\ud83d\ude00""#, "\u{1f600}"),
            (r#""a\ud83d""#, "a\u{fffd}"),
            (r#""\ude00\ud83d\n""#, "\u{fffd}\u{fffd}\n"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
            (r#""\ud83d \\ud83d""#, "\u{fffd} \\ud83d"),
        ] {
            assert_eq!(parse(text.as_bytes()).unwrap(), expected, "{text}");
        }
        for broken in ["", "\\", r#""\ud83"#, r#""\ud83""#, r#"{"a": "\ud83d"#] {
            assert!(parse(broken.as_bytes()).is_err(), "{broken}");
        }
    }
}
