//! Parses the JSON of messages, including errors that editors make.

use serde_json::Value;

/// Parses the JSON of a message. Editors may send lone surrogates, which are not valid Unicode.
/// They become U+FFFD, so that the rest of the document is not lost.
pub(crate) fn read(message: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(message).or_else(|_| serde_json::from_slice(&whole_pairs(message)))
}

/// A JSON document in which every escape of a lone surrogate is replaced.
fn whole_pairs(mut json: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(json.len());
    while let [first, rest @ ..] = json {
        let length = match (first, rest, escaped_unit(json)) {
            (.., Some(0xd800..=0xdbff))
                if matches!(escaped_unit(&json[6..]), Some(0xdc00..=0xdfff)) =>
            {
                12
            }
            (.., Some(0xd800..=0xdfff)) => {
                whole.extend(b"\\ufffd");
                json = &json[6..];
                continue;
            }
            (b'\\', [_, ..], _) => 2,
            _ => 1,
        };
        whole.extend(&json[..length]);
        json = &json[length..];
    }
    whole
}

/// The UTF-16 code unit of an escape sequence at the start of `json`.
fn escaped_unit(json: &[u8]) -> Option<u16> {
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
            assert_eq!(read(text.as_bytes()).unwrap(), expected, "{text}");
        }
        for broken in ["", "\\", r#""\ud83"#, r#""\ud83""#, r#"{"a": "\ud83d"#] {
            assert!(read(broken.as_bytes()).is_err(), "{broken}");
        }
    }
}
