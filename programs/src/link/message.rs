//! Links to a message that scrolls over the LEDs. They contain only the message, so a later version
//! opens them with its own program.

use super::{Link, LinkError, is_dash, unescape};
use crate::{Sources, file};

/// The files of the program that shows a message.
const FILES: [&str; 5] =
    ["scroll.asm", "lib/font.asm", "lib/latin.asm", "lib/panel.asm", "lib/std.asm"];
/// The start of a message link.
const START: &str = "write=";
/// The maximum number of characters after the start. Together with the address of a page, a link
/// has at most 250 characters. The program's memory has room for five times as many.
const ENCODED_MAX: usize = 200;

impl Link {
    /// Creates a link to the start of a message. An empty string gives the program's sample
    /// message.
    ///
    /// # Errors
    /// Returns the errors of [`fit_message`].
    pub fn to_message(text: &str) -> Result<Self, String> {
        let message = fit_message(text)?.text;
        let defines = (!message.is_empty()).then(|| format!("MESSAGE={message:?}"));
        let sources = FILES.into_iter().filter_map(file);
        let sources = sources.map(|file| (file.path.to_owned(), file.text.to_owned()));
        Ok(Self {
            program: FILES[0].to_owned(),
            sources: Sources(sources.collect()),
            defines: defines.into_iter().collect(),
            ..Self::default()
        })
    }

    /// Returns the message if this program shows one. It is empty for the sample message.
    pub fn message(&self) -> Option<String> {
        let is_built_in = self.sources.0.get(FILES[0])? == file(FILES[0])?.text;
        let quoted = self.defines.iter().find_map(|define| define.strip_prefix("MESSAGE="));
        let message = serde_json::from_str(quoted.unwrap_or_default()).unwrap_or_default();
        (is_built_in && self.program == FILES[0]).then_some(message)
    }

    /// Returns the short form of the link, if it leads to the start of a message on the stock
    /// machine.
    pub fn encode_message(&self) -> Option<String> {
        let message = self.message().filter(|message| !message.is_empty())?;
        let is_plain = Self::to_message(&message).as_ref() == Ok(self);
        is_plain.then(|| format!("{START}{}", encode(&message)))
    }

    /// Reads a string that is a message link or ends in one after a `#`.
    pub(super) fn decode_message(text: &str) -> Option<Result<Self, LinkError>> {
        let (_, fragment) = text.split_once('#').unwrap_or(("", text));
        // Some programs escape the `=`, even twice.
        let starts = [START, "write%3D", "write%253D"];
        let start = starts.iter().find(|start| {
            fragment.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start))
        });
        let encoded = fragment[start?.len()..].split('&').next()?;
        let link = decode(encoded).and_then(|message| Self::to_message(&message));
        Some(link.map_err(LinkError::from))
    }
}

/// A message in the characters of the LED font.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FittedMessage {
    /// The message.
    pub text: String,
    /// The number of letters that still fit in its link.
    pub room: usize,
    /// The characters that the LEDs cannot show, each once, with what stands for it in the message.
    /// That is empty for one that was left out. Quotation marks, dashes and hearts of another form
    /// do not count.
    pub replaced: Vec<(char, String)>,
}

/// Signs in another form than in the LED font.
const FORMS: [(&str, &str); 4] = [("‘’‚′", "'"), ("“”„«»", "\""), ("…", "..."), ("❤♡", "♥")];

/// The usual replacements of other characters that the LED font does not have.
const REPLACEMENTS: [(&str, &str); 28] = [
    ("œ", "oe"),
    ("āăą", "a"),
    ("ćĉċč", "c"),
    ("ďđ", "d"),
    ("ēĕėęě", "e"),
    ("ĝğġģ", "g"),
    ("ĥħ", "h"),
    ("ĩīĭįı", "i"),
    ("ĵ", "j"),
    ("ķ", "k"),
    ("ĺļľŀł", "l"),
    ("ńņňŋ", "n"),
    ("ōŏő", "o"),
    ("ŕŗř", "r"),
    ("śŝşšș", "s"),
    ("ţťŧț", "t"),
    ("ũūŭůűų", "u"),
    ("ŵ", "w"),
    ("ŷ", "y"),
    ("źżž", "z"),
    ("£", "GBP"),
    ("💙💚💛💜🧡", "♥"),
    ("☺😊🙂😀😃😄", ":)"),
    ("×", "x"),
    ("·•", "*"),
    ("¿", "?"),
    ("¡", "!"),
    ("°", "o"),
];

/// Converts a message to the characters of the LED font. Replaces characters that the font does not
/// have in the usual way, such as œ by oe, and leaves out the others.
///
/// # Errors
/// Returns a message if there are too many characters.
pub fn fit_message(text: &str) -> Result<FittedMessage, String> {
    let mut message = String::new();
    let mut replaced: Vec<(char, String)> = Vec::new();
    // The length of the message at the last sign that was left out.
    let mut gap = None;
    for sign in text.trim().chars() {
        match sign {
            // Of the spaces on both sides of a sign that was left out, one stays.
            _ if sign.is_whitespace()
                && gap == Some(message.len())
                && (message.is_empty() || message.ends_with(' ')) => {}
            ' '..='~' | 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ÿ' | '€' | '♥' => {
                message.push(sign);
            }
            _ if is_dash(sign) => message.push('-'),
            _ if sign.is_whitespace() => message.push(' '),
            // Combining accents, variants of pictures, and signs without a width.
            '\u{300}'..='\u{36f}' | '\u{fe0e}' | '\u{fe0f}' | '\u{200b}'..='\u{200d}' => {}
            _ => {
                let form = FORMS.iter().find(|(signs, _)| signs.contains(sign));
                let by = form.map_or_else(|| replace(sign), |(_, by)| (*by).to_owned());
                if by.is_empty() {
                    gap = Some(message.len());
                }
                message += &by;
                if form.is_none() && !replaced.iter().any(|(it, _)| *it == sign) {
                    replaced.push((sign, by));
                }
            }
        }
    }
    message.truncate(message.trim_end().len());
    let length = encode(&message).len();
    let room = ENCODED_MAX.checked_sub(length);
    let room = room.ok_or_else(|| format!("it is too long by {}", length - ENCODED_MAX))?;
    Ok(FittedMessage { text: message, room, replaced })
}

/// Returns the usual replacement of a character. That of a capital letter begins with one. Empty if
/// there is none.
fn replace(sign: char) -> String {
    let small = sign.to_lowercase().next().unwrap_or(sign);
    let found = REPLACEMENTS.iter().find(|(signs, _)| signs.contains(small));
    let mut letters = found.map_or("", |(_, by)| by).chars();
    let Some(first) = letters.next() else { return String::new() };
    let first = if small == sign { first } else { first.to_ascii_uppercase() };
    first.to_string() + letters.as_str()
}

/// Encodes a message in characters that mail and chat programs do not change or cut off. Letters
/// and digits of ASCII stay, a space becomes `_`, and each byte of any other character in UTF-8
/// becomes a hyphen and two hexadecimal digits.
fn encode(message: &str) -> String {
    let codes = message.bytes().map(|byte| match byte {
        b' ' => "_".to_owned(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("-{byte:02X}"),
    });
    codes.collect()
}

/// Decodes a message. If someone types the link by hand, browsers replace some characters with `%`
/// and two digits, so such escapes are accepted as well. Editors of Markdown put a backslash before
/// a `_`, and chat programs replace hyphens by other dashes. Characters at the end that an encoded
/// message cannot contain belong to the text around the link.
fn decode(encoded: &str) -> Result<String, String> {
    let text = unescape(encoded.trim());
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || ".,:;)]}>*\"'".contains(c));
    let mut message = Vec::new();
    let mut rest = text.chars();
    while let Some(sign) = rest.next() {
        let digits = rest.as_str().get(..2).filter(|_| is_dash(sign));
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match (sign, digits.and_then(|digits| u8::from_str_radix(digits, 16).ok())) {
            (_, Some(byte)) => {
                message.push(byte);
                rest.nth(1);
            }
            ('-', None) => {
                return Err("this link is damaged: two digits have to follow each -".to_owned());
            }
            ('\\', None) if rest.as_str().starts_with(|c: char| c.is_ascii_punctuation()) => {}
            ('_', None) => message.push(b' '),
            (sign, None) => message.extend(sign.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    // Someone may have written a letter by its code in Latin-1.
    Ok(String::from_utf8(message)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode_link(text: &str) -> String {
        Link::to_message(text).unwrap().encode_short()
    }

    #[track_caller]
    fn check_opens(link: &str, message: &str) {
        let opened = Link::decode(link).unwrap();
        assert_eq!((opened.message().as_deref(), opened.at), (Some(message), 0), "{link}");
        opened.image().unwrap();
    }

    /// Checks links that were published, because they have to keep working.
    #[test]
    fn published_message_links_still_open() {
        let url = "https://example.org/gray1.html#write=Happy_birthday-2C_Ada-21";
        check_opens(url, "Happy birthday, Ada!");
        check_opens(&format!("{url}&embed"), "Happy birthday, Ada!");
        let signs = "write=-21-22-23-24-25-26-27-28-29-2A-2B-2C-2D-2E-2F-3A-3B-3C-3D-3E-3F-40\
                     -5B-5C-5D-5E-5F-60-7B-7C-7D-7E";
        check_opens(signs, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~");
    }

    #[test]
    fn a_message_link_opens_despite_the_text_around_it() {
        let signs: String = (' '..='~').collect();
        let messages = [signs[..50].trim(), &signs[50..], "(a) - C-3PO -2C %41 \\u0041 \\\"..."];
        for message in messages {
            let link = encode_link(message);
            assert!(link.bytes().all(|b| b.is_ascii_alphanumeric() || b"=_-".contains(&b)));
            for after in ["", ".", ")", "%2E", ">", "**", "\r\n", "&embed"] {
                check_opens(&format!("https://a.example/#{link}{after}"), message);
            }
        }
    }

    #[test]
    fn a_link_may_be_written_by_hand() {
        check_opens("#write=Hello World!", "Hello World!");
        check_opens("#write=Hello%20World%21%3E", "Hello World!");
        check_opens("#write=\u{201c}Cup\u{2013}\u{201d}\u{a0}\u{2026}", "\"Cup-\" ...");
        check_opens("#write=", "");
        check_opens("#write=Happy\\_birthday\u{2011}2C\\_Ada\u{2013}21", "Happy birthday, Ada!");
        check_opens("#write%3DHello_World", "Hello World");
        check_opens("#write%253dIt%25E2%2580%2599s_C\u{2011}3PO", "It's C-3PO");
        check_opens("#write=\"A\u{2019}\u{2018}", "\"A''");
        for link in ["#write=Zo%C3%AB", "#write=Zo-C3-AB", "#write=Zo-EB", "#write=Zo\u{eb}"] {
            check_opens(link, "Zo\u{eb}");
        }
        for (link, why) in [
            ("#write=A-", "this link is damaged: two digits have to follow each -"),
            ("#write=A-B", "this link is damaged: two digits have to follow each -"),
        ] {
            assert_eq!(Link::decode(link).unwrap_err().to_string(), why);
        }
    }

    #[test]
    fn the_longest_messages_fit_into_their_links_and_into_memory() {
        let letters: String = ('0'..='z').filter(char::is_ascii_alphanumeric).collect();
        let signs: String = ('!'..='~').filter(char::is_ascii_punctuation).collect();
        let most_kinds = format!("{letters} {signs}{letters}");
        for text in [letters.repeat(4), "e".repeat(300), signs.repeat(3), most_kinds.repeat(2)] {
            let longest: String = text
                .chars()
                .take(
                    (1..999)
                        .find(|n| {
                            fit_message(&text.chars().take(n + 1).collect::<String>()).is_err()
                        })
                        .unwrap(),
                )
                .collect();
            let FittedMessage { room, .. } = fit_message(&longest).unwrap();
            assert!(room < 3 && longest.len() >= 66, "{longest}");
            assert!(
                "https://example.org/some/where/gray1.html#".len() + encode_link(&longest).len()
                    <= 250
            );
            Link::to_message(&longest).unwrap().image().unwrap();
        }
        assert_eq!(fit_message(&"e".repeat(183)).unwrap().room, 17);
        assert_eq!(fit_message(&"e".repeat(203)).unwrap_err(), "it is too long by 3");
    }

    #[test]
    fn the_letters_of_latin_1_are_shown_as_they_are() {
        let letters: Vec<char> = ('\u{c0}'..='\u{ff}').filter(|it| it.is_alphabetic()).collect();
        for some in letters.chunks(30) {
            let text: String = some.iter().chain(&['\u{20ac}', '\u{2665}']).collect();
            check_opens(&encode_link(&text), &text);
        }
    }

    #[test]
    fn other_letters_are_replaced_and_other_signs_are_left_out() {
        for (text, message, replaced) in [
            ("Gr\u{fc}\u{df}e, \u{c4}rger", "Gr\u{fc}\u{df}e, \u{c4}rger", &[][..]),
            (
                "Zo\u{eb} \u{141}\u{f3}d\u{17a} \u{152}uvre",
                "Zo\u{eb} L\u{f3}dz Oeuvre",
                &[('\u{141}', "L"), ('\u{17a}', "z"), ('\u{152}', "Oe")],
            ),
            ("5 \u{20ac} \u{2764}\u{fe0f}", "5 \u{20ac} \u{2665}", &[]),
            ("Hi \u{5b57}\u{6f22}\u{5b57}!", "Hi !", &[('\u{5b57}', ""), ('\u{6f22}', "")]),
            ("\u{1f382} Hi \u{1f382}\u{fe0f} you", "Hi you", &[('\u{1f382}', "")]),
            ("\u{201c}Hi\u{201d} \u{2013} \u{2026}", "\"Hi\" - ...", &[]),
        ] {
            let fitted = fit_message(text).unwrap();
            assert_eq!(fitted.text, message);
            let shown = fitted.replaced.iter().map(|(sign, by)| (*sign, by.as_str()));
            assert_eq!(shown.collect::<Vec<_>>(), replaced);
        }
    }

    /// Checks that other machines and other moments get a full link.
    #[test]
    fn only_a_message_on_the_stock_machine_gets_a_message_link() {
        let link = Link::to_message("Hi").unwrap();
        assert_eq!(link.encode_message().as_deref(), Some("write=Hi"));
        let later = Link { at: 7, ..link.clone() };
        let chips = Link { engine: gray1_sim::EngineKind::Chips, ..link };
        let sample = Link::to_message("").unwrap();
        for other in [later, chips, sample] {
            assert_eq!(other.encode_message(), None);
            assert_eq!(Link::decode(&other.encode_short()), Ok(other));
        }
    }
}
