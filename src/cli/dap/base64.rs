//! Bytes as text: base64 with padding (RFC 4648, section 4), as the protocol has memory.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The text of these bytes.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - group.len()));
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= group.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

/// The bytes of a text; `None` if it is not well formed.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.as_bytes();
    let (groups, []) = text.as_chunks::<4>() else { return None };
    let mut bytes = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let is_last = number + 1 == groups.len();
        let digits = match group {
            [_, _, b'=', b'='] if is_last => 2,
            [_, _, _, b'='] if is_last => 3,
            _ => 4,
        };
        let mut bits = 0;
        for digit in &group[..digits] {
            bits = bits << 6 | DIGITS.iter().position(|known| known == digit)? as u32;
        }
        bits <<= 6 * (4 - digits);
        let whole = bits.to_be_bytes();
        bytes.extend(&whole[1..digits]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_s_own_examples() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&all)), Some(all));
        for text in ["Z", "Zg=", "Zg==Zg==", "====", "Z===", "Zm9\u{e9}", "Zm 9"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
