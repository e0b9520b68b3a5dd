//! Decodes the bytes that a terminal sends into the front end's keys and mouse events.
//!
//! The bytes are split into characters and escape sequences by `vte`, whose state machine never
//! waits for the end of a sequence. So a control character inside one counts at once, and the
//! reader calls [`Decoder::idle`] when no byte has followed for a while. A damaged sequence loses
//! the keys inside it, but none after it. The parsers of `termina` and `crossterm` do not replace
//! this, because they wait for the end: after `ESC [ < 0 ; 1 0` they swallow a `q` and a ctrl-C.
//!
//! The terminal's answers arrive among the keys. The decoder waits for the rest of a known
//! sequence, because over a slow line it arrives in pieces, which would be taken for keys.

use gray1_tui::{Key, KeyCode, Mouse, MouseKind};
use ratatui::layout::Position;
use vte::{Params, Parser, Perform};

use super::event::TerminalInput;
use super::key_codes::{self, DELETE, function_key, with_modifiers};

/// Decodes the bytes that a terminal sends.
#[derive(Default)]
pub(super) struct Decoder {
    parser: Parser,
    decoded: DecodedInput,
    /// Whether the last byte was an escape: the key itself, or the start of a sequence.
    escaped: bool,
    /// The number of continuation bytes expected in a UTF-8 character.
    continuations: u8,
    /// The bytes since the last escape, as long as they begin a known sequence.
    sequence: Vec<u8>,
    /// Whether input has paused in the middle of a sequence.
    has_stalled: bool,
}

/// The decoded inputs.
#[derive(Default)]
struct DecodedInput {
    inputs: Vec<TerminalInput>,
    /// What the next bytes belong to, if a sequence continues after its final character.
    rest: PendingSequence,
    /// Whether a paste has begun and not ended (bracketed paste).
    is_pasting: bool,
}

/// Sequences that end later than the standard (ECMA-48) says.
#[derive(Default)]
enum PendingSequence {
    #[default]
    Nothing,
    /// `ESC O`: the next character names a key.
    Keypad,
    /// `ESC [ [` on the Linux console: the next character names F1 to F5.
    Console,
    /// `ESC [ M` from a terminal without decimal mouse reports: three bytes follow.
    Mouse(Vec<u8>),
}

impl Decoder {
    /// Decodes the next bytes, and returns the inputs that they complete.
    pub(super) fn decode(&mut self, bytes: &[u8]) -> Vec<TerminalInput> {
        for &byte in bytes {
            let is_continuation = self.continuations > 0 && (0x80..0xC0).contains(&byte);
            self.continuations = match byte {
                _ if is_continuation => self.continuations - 1,
                0xC2..=0xDF => 1,
                0xE0..=0xEF => 2,
                0xF0..=0xF4 => 3,
                _ => 0,
            };
            match byte {
                // An 8-bit control character stands for an escape and a letter (ECMA-48, 5.3).
                0x80..0xA0 if !is_continuation && !self.decoded.is_in_mouse_report() => {
                    self.byte(ESCAPE);
                    self.byte(byte - 0x40);
                }
                _ => self.byte(byte),
            }
        }
        std::mem::take(&mut self.decoded.inputs)
    }

    /// Called when no byte has followed for a while. A lone escape was the key. A known sequence
    /// may still continue.
    pub(super) fn idle(&mut self) -> Option<TerminalInput> {
        self.has_stalled = self.is_unfinished();
        if self.has_stalled { None } else { self.give_up() }
    }

    /// Whether a known sequence or a paste has begun and not ended.
    pub(super) fn is_unfinished(&self) -> bool {
        !self.sequence.is_empty() || self.decoded.is_pasting
    }

    /// Called when a sequence that has begun will not be finished.
    pub(super) fn give_up(&mut self) -> Option<TerminalInput> {
        let escape = self.escaped.then(|| TerminalInput::Key(KeyCode::Esc.into()));
        *self = Self::default();
        escape
    }

    /// Follows a sequence. After a pause, a byte that does not continue it is a key.
    fn follow(&mut self, byte: u8) {
        if self.sequence.is_empty() && !self.escaped {
            return;
        }
        self.sequence.push(byte);
        let progress = progress(&self.sequence);
        if progress != SequenceProgress::Begun {
            self.sequence.clear();
        }
        if std::mem::take(&mut self.has_stalled) && progress == SequenceProgress::Broken {
            self.parser = Parser::new();
            self.decoded.rest = PendingSequence::Nothing;
        }
    }

    fn byte(&mut self, byte: u8) {
        self.follow(byte);
        if byte == ESCAPE {
            self.decoded.rest = PendingSequence::Nothing;
        } else if self.decoded.mouse_byte(byte) {
            return;
        }
        let escaped = std::mem::replace(&mut self.escaped, byte == ESCAPE);
        match byte {
            ESCAPE if escaped => self.decoded.press(KeyCode::Esc.into()),
            // The parser would execute a control character and still wait for a sequence.
            ..b' ' | DELETE if escaped => {
                self.parser = Parser::new();
                let key = key_codes::from_control(byte);
                // Alt-ctrl-C has no action, so this is escape followed by ctrl-C, which ends the
                // program.
                let is_interrupt = byte == INTERRUPT;
                if is_interrupt {
                    self.decoded.press(KeyCode::Esc.into());
                }
                self.decoded.press(Key { alt: !is_interrupt, ..key });
            }
            _ => self.parser.advance(&mut self.decoded, &[byte]),
        }
    }
}

const ESCAPE: u8 = 0x1B;
/// Ctrl-C.
const INTERRUPT: u8 = 0x03;
const BELL: u8 = 0x07;

/// The progress of bytes towards a known sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SequenceProgress {
    Begun,
    Ended,
    /// No known sequence begins like this.
    Broken,
}

/// The maximum length of a list of numbers in a sequence.
const NUMBERS_LENGTH_MAX: usize = 24;
/// The start of the answer about the background. A colour follows, then a bell, or an escape and a
/// backslash.
const BACKGROUND: &[u8] = b"]11;";
/// The maximum length of a colour after its format prefix.
const DIGITS_MAX: usize = "ffff/ffff/ffff/ffff".len();
/// The only colour name that is recognised, because terminals rarely report names.
const WHITE: &[u8] = b"white";

/// The progress of these bytes, given without their escape.
fn progress(bytes: &[u8]) -> SequenceProgress {
    let ended =
        |is_known: bool| if is_known { SequenceProgress::Ended } else { SequenceProgress::Broken };
    match bytes {
        [b'O' | b'['] | b"[[" => SequenceProgress::Begun,
        [b'O', end] => ended(key_codes::from_letter(char::from(*end)).is_some()),
        [b'[', b'[', end] => ended((b'A'..=b'E').contains(end)),
        [b'[', parameters @ ..] => {
            let numbers = parameters.strip_prefix(b"?").or(parameters.strip_prefix(b"<"));
            let numbers = numbers.unwrap_or(parameters);
            let is_number = |byte: &u8| byte.is_ascii_digit() || b";:".contains(byte);
            match numbers.split_last() {
                _ if numbers.len() > NUMBERS_LENGTH_MAX => SequenceProgress::Broken,
                Some((end, rest)) if rest.iter().all(is_number) && !is_number(end) => {
                    ended(b"~ABCDEFHIMOPQRSZcmnuy".contains(end))
                }
                _ if numbers.iter().all(is_number) => SequenceProgress::Begun,
                _ => SequenceProgress::Broken,
            }
        }
        _ => progress_of_background(bytes),
    }
}

/// The progress of an answer about the background.
fn progress_of_background(bytes: &[u8]) -> SequenceProgress {
    let (head, color) = bytes.split_at(bytes.len().min(BACKGROUND.len()));
    let length = color.iter().take_while(|byte| ![ESCAPE, BELL].contains(byte)).count();
    let (color, end) = color.split_at(length);
    let color = color.to_ascii_lowercase();
    let is_color = [&b"rgb:"[..], b"rgba:", b"#", WHITE].iter().any(|form| {
        let (start, digits) = color.split_at(color.len().min(form.len()));
        form.starts_with(start)
            && digits.len() <= DIGITS_MAX
            && digits.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'/')
    });
    match end {
        _ if !BACKGROUND.starts_with(head) || !is_color => SequenceProgress::Broken,
        [] => SequenceProgress::Begun,
        [ESCAPE] if !color.is_empty() => SequenceProgress::Begun,
        [BELL] | [ESCAPE, b'\\'] => SequenceProgress::Ended,
        _ => SequenceProgress::Broken,
    }
}

/// Parses a colour: `rgb:` and three hexadecimal fractions of one to four digits, `rgba:` with a
/// fourth fraction for the opacity, `#` and three fractions of equal length, or [`WHITE`].
fn color(text: &[u8]) -> Option<[u8; 3]> {
    if text.eq_ignore_ascii_case(WHITE) {
        return Some([u8::MAX; 3]);
    }
    let text = std::str::from_utf8(text).ok()?.to_ascii_lowercase();
    let (parts, count): (Vec<&str>, usize) = match (text.strip_prefix('#'), text.split_once(':')) {
        (Some(digits), _) if digits.len() % 3 == 0 => {
            let parts = digits.as_bytes().chunks((digits.len() / 3).max(1));
            (parts.filter_map(|part| std::str::from_utf8(part).ok()).collect(), 3)
        }
        (None, Some(("rgb", parts))) => (parts.split('/').collect(), 3),
        (None, Some(("rgba", parts))) => (parts.split('/').collect(), 4),
        _ => return None,
    };
    if parts.len() != count {
        return None;
    }
    parts[..3].iter().map(|part| fraction(part)).collect::<Option<Vec<u8>>>()?.try_into().ok()
}

/// Parses a hexadecimal fraction of one to four digits, and scales it to a byte.
fn fraction(text: &str) -> Option<u8> {
    let most = 16_u32.checked_pow(text.len().try_into().ok()?)?.checked_sub(1)?;
    let value = u32::from_str_radix(text, 16).ok()?;
    (text.len() <= 4).then(|| (value * 255).checked_div(most))?.map(|byte| byte as u8)
}

impl DecodedInput {
    /// Reports a key unless it belongs to a paste. Ctrl-C never does.
    fn press(&mut self, key: Key) {
        self.is_pasting &= key != Key::control('c');
        if !self.is_pasting {
            self.inputs.push(TerminalInput::Key(key));
        }
    }

    /// Decodes a key from a terminal with detailed reports: the modifiers, and after a colon 3 for
    /// a release.
    fn report(&mut self, code: Option<KeyCode>, modifiers: &[u16]) {
        let key = with_modifiers(code, modifiers.first().copied().unwrap_or(0));
        match modifiers.get(1) {
            Some(3) => self.inputs.extend(key.map(TerminalInput::Released)),
            _ => self.inputs.extend(key.map(TerminalInput::Key)),
        }
    }

    const fn is_in_mouse_report(&self) -> bool {
        matches!(self.rest, PendingSequence::Mouse(_))
    }

    /// Takes this byte if it belongs to an old mouse report. Returns whether it does.
    fn mouse_byte(&mut self, byte: u8) -> bool {
        let PendingSequence::Mouse(bytes) = &mut self.rest else { return false };
        bytes.push(byte);
        if let &[button, column, line] = bytes.as_slice() {
            let place = [column, line].map(|byte| u16::from(byte.saturating_sub(b' ')));
            self.rest = PendingSequence::Nothing;
            self.mouse(u16::from(button.saturating_sub(b' ')), place, true);
        }
        true
    }

    /// Decodes a mouse report. Columns and lines count from 1.
    fn mouse(&mut self, button: u16, [column, line]: [u16; 2], pressed: bool) {
        let kind = match button & !MODIFIERS {
            0 if pressed => MouseKind::Press,
            MOVED if pressed => MouseKind::Drag,
            64 => MouseKind::WheelUp,
            65 => MouseKind::WheelDown,
            _ => return,
        };
        let at = Position { x: column.saturating_sub(1), y: line.saturating_sub(1) };
        self.inputs.push(TerminalInput::Mouse(Mouse { kind, at }));
    }
}

/// Shift, alt and control in a mouse report.
const MODIFIERS: u16 = 4 + 8 + 16;
/// Marks a movement with the left button held, in a mouse report.
const MOVED: u16 = 32;

impl Perform for DecodedInput {
    fn print(&mut self, c: char) {
        if self.is_pasting {
            return self.inputs.push(TerminalInput::Pasted(c));
        }
        let key = match std::mem::take(&mut self.rest) {
            PendingSequence::Keypad => key_codes::from_letter(c),
            PendingSequence::Console => ('A'..='E').contains(&c).then(|| function_key(c, 'A')),
            PendingSequence::Nothing | PendingSequence::Mouse(_) if c == char::from(DELETE) => {
                Some(KeyCode::Backspace)
            }
            PendingSequence::Nothing | PendingSequence::Mouse(_) => Some(KeyCode::Char(c)),
        };
        self.inputs.extend(key.map(|code| TerminalInput::Key(code.into())));
    }

    fn execute(&mut self, byte: u8) {
        self.rest = PendingSequence::Nothing;
        if self.is_pasting && b"\t\r\n".contains(&byte) {
            self.inputs.push(TerminalInput::Pasted(' '));
        } else {
            self.press(key_codes::from_control(byte));
        }
    }

    fn esc_dispatch(&mut self, _: &[u8], _: bool, byte: u8) {
        match byte {
            b'O' => self.rest = PendingSequence::Keypad,
            // The end of an answer.
            b'\\' => {}
            _ => self.press(Key { alt: true, ..Key::char(char::from(byte)) }),
        }
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], _: bool) {
        if let [b"11", text] = params {
            self.inputs.extend(color(text).map(TerminalInput::Background));
        }
    }

    fn csi_dispatch(&mut self, params: &Params, private: &[u8], _: bool, end: char) {
        let mut numbers = params.iter().map(|param| param[0]);
        let mut next = || numbers.next().unwrap_or(0);
        let modifiers = params.iter().nth(1).unwrap_or_default();
        if self.is_pasting {
            self.is_pasting = (private, end, next()) != (b"", '~', PASTE_END);
            return;
        }
        match (private, end) {
            (b"?", 'c') => self.inputs.push(TerminalInput::Answered),
            (b"?", 'u') => self.inputs.push(TerminalInput::CanReportReleases),
            (b"<", 'M' | 'm') => self.mouse(next(), [next(), next()], end == 'M'),
            (b"", 'M') => self.rest = PendingSequence::Mouse(Vec::new()),
            (b"", '[') => self.rest = PendingSequence::Console,
            (b"", 'R') if !modifiers.is_empty() => {
                self.inputs.push(TerminalInput::Column(modifiers[0]));
            }
            (b"", 'u') => self.report(key_codes::from_code(next(), modifiers), modifiers),
            (b"", '~') => match next() {
                PASTE_BEGIN => self.is_pasting = true,
                // xterm's modifyOtherKeys.
                27 => {
                    let (_, code) = (next(), next());
                    self.report(key_codes::from_code(code, modifiers), modifiers);
                }
                number => self.report(key_codes::from_number(number), modifiers),
            },
            (b"", _) => self.report(key_codes::from_letter(end), modifiers),
            // The answer to a question that we do not ask.
            _ => {}
        }
    }
}

/// The numbers of the sequences around a paste.
const PASTE_BEGIN: u16 = 200;
const PASTE_END: u16 = 201;

#[cfg(test)]
mod tests {
    use gray1_isa::SplitMix64;
    use gray1_tui::Background;

    use super::*;

    /// The inputs from a terminal that sends these bytes at once, written as in the help.
    fn decode(bytes: impl AsRef<[u8]>) -> String {
        let mut decoder = Decoder::default();
        let mut inputs = decoder.decode(bytes.as_ref());
        inputs.extend(decoder.idle());
        inputs.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    fn name(input: &TerminalInput) -> String {
        match input {
            TerminalInput::Key(key) => key.to_string(),
            TerminalInput::Mouse(mouse) => {
                format!("{:?}({},{})", mouse.kind, mouse.at.x, mouse.at.y)
            }
            TerminalInput::Background(rgb) => format!("{:?}", Background::nearest(*rgb)),
            TerminalInput::Released(key) => format!("{key}-up"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn every_key_has_a_sequence() {
        for (bytes, keys) in [
            ("aZ ä€😀", "a Z space ä € 😀"),
            ("\x01\x03\x1a\0", "^A ^C ^Z ^SPACE"),
            ("\r\t\x7f", "enter tab backspace"),
            ("\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F", "up down right left home end"),
            ("\x1bOA\x1bOB\x1bOC\x1bOD\x1bOH\x1bOF", "up down right left home end"),
            ("\x1b[1~\x1b[2~\x1b[3~\x1b[4~\x1b[5~\x1b[6~", "home insert del end pgup pgdn"),
            ("\x1b[7~\x1b[8~\x1b[Z\x1bOM", "home end backtab enter"),
            ("\x1bOP\x1bOQ\x1bOR\x1bOS\x1b[15~", "f1 f2 f3 f4 f5"),
            ("\x1b[[A\x1b[[E\x1b[11~\x1b[14~", "f1 f5 f1 f4"),
            ("\x1b[17~\x1b[18~\x1b[19~\x1b[20~\x1b[21~\x1b[23~\x1b[24~", "f6 f7 f8 f9 f10 f11 f12"),
            ("\x1b[1;2A\x1b[1;3A\x1b[1;5A\x1b[3;5~", "up alt-up ^UP ^DEL"),
            ("\x1bq\x1b\x7f\x1b\r", "alt-q alt-backspace alt-enter"),
            ("\x1b", "esc"),
            ("\x1b\x1b", "esc esc"),
            ("\x1b\x03", "esc ^C"),
            ("\x1b\x1b[A", "esc up"),
            // With the super key, which we do not use.
            ("\x1b[1;9A", ""),
            // Terminals with detailed reports: kitty's keyboard protocol, and modifyOtherKeys.
            ("\x1b[113u\x1b[99;5u\x1b[27u\x1b[110;2u\x1b[57414u", "q ^C esc N enter"),
            ("\x1b[27;5;99~\x1b[27;2;78~\x1b[9;2u\x1b[127;3u", "^C N backtab alt-backspace"),
            ("\x1b[113;1:1u\x1b[113;1:2u\x1b[113;1:3u\x1b[1;1:3B", "q q q-up down-up"),
            ("\x1b[1;1:1A\x1b[3;5:3~\x1b[113;129u\x1b[57441;2u", "up ^DEL-up q"),
            ("\x1b[?0u\x1b[1;3R", "CanReportReleases Column(3)"),
            // Pasted characters are not keys. Ctrl-C is, because it is never pasted.
            ("\x1b[200~a\rq\x1b[A\x1bx\x1b[201~q", "Pasted('a') Pasted(' ') Pasted('q') q"),
            ("\x1b[200~a\x03q", "Pasted('a') ^C q"),
        ] {
            assert_eq!(decode(bytes), keys, "{bytes:?}");
        }
    }

    #[test]
    fn sequences_are_decoded_in_pieces() {
        let whole = "a\x1b[1;5Aä\x1b[<0;22;5M\x1bOPz";
        for cut in 0..=whole.len() {
            let (left, right) = whole.as_bytes().split_at(cut);
            let mut decoder = Decoder::default();
            let inputs = [decoder.decode(left), decoder.decode(right)].concat();
            let names: Vec<_> = inputs.iter().map(name).collect();
            assert_eq!(names.join(" "), "a ^UP ä Press(21,4) f1 z", "{cut}");
        }
    }

    #[test]
    fn both_mouse_protocols_are_decoded() {
        assert_eq!(decode("\x1b[<0;1;1M\x1b[<0;1;1m"), "Press(0,0)");
        assert_eq!(decode("\x1b[<64;300;40M\x1b[<65;300;40M"), "WheelUp(299,39) WheelDown(299,39)");
        assert_eq!(decode("\x1b[<16;3;4M"), "Press(2,3)", "with control");
        assert_eq!(decode("\x1b[<2;3;4M"), "", "the right button");
        assert_eq!(decode("\x1b[<32;3;4M\x1b[<35;3;4M"), "Drag(2,3)", "not without a button");
        assert_eq!(decode("\x1b[<32;3;4m"), "", "nor is a release one");
        assert_eq!(decode(b"\x1b[M !\"\x1b[M`\xff\x80q"), "Press(0,1) WheelUp(222,95) q");
    }

    /// A damaged sequence loses only the keys inside it.
    #[test]
    fn an_unfinished_sequence_does_not_swallow_later_keys() {
        let sequences =
            ["[", "[<0;10", "[?1;2", "O", "[[", "[M!", "P1", "]0;title", "X", "^", "_", "#"];
        let mut beginnings =
            sequences.map(|sequence| format!("\x1b{sequence}").into_bytes()).to_vec();
        beginnings.push("ä".as_bytes()[..1].to_vec());
        for beginning in beginnings {
            let mut decoder = Decoder::default();
            decoder.decode(&beginning);
            let _ = decoder.idle();
            let inputs = decoder.decode(b"q\x03");
            let names: Vec<_> = inputs.iter().map(name).collect();
            assert_eq!(names, ["q", "^C"], "{beginning:?}");
        }
    }

    #[test]
    fn answers_of_the_terminal_are_not_keys() {
        for (bytes, inputs) in [
            ("\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?64;1;22c", "Light Answered"),
            ("a\x1b]11;rgb:1c1c/1c1c/1c1c\x07b", "a Dark b"),
            ("\x1b]11;rgb:fd/f6/e3\x1b\\q", "Light q"),
            ("\x1b]11;rgb:0/2/3\x07", "Dark"),
            ("\x1b]11;#fff\x07\x1b]11;#ffffffffffff\x1b\\\x1b]11;#1e1e2e\x07", "Light Light Dark"),
            ("\x1b]11;RGB:FFFF/FFFF/FFFF\x1b\\\x1b]11;white\x07q", "Light Light q"),
            // Not a colour, or not an answer to our question.
            ("\x1b]11;?\x07q\x1b]11;rgb:1/2\x07q\x1b]11;rgb:///\x07q", "q q q"),
            ("\x1b]11;#12345\x07q\x1b]11;#\x07q\x1b]11;rgba:1/2/3\x07q", "q q q"),
            ("\x1b]11;rgb:1/2/3/4\x07q\x1b]10;rgb:ff/ff/ff\x07q", "q q"),
        ] {
            assert_eq!(decode(bytes), inputs, "{bytes:?}");
        }
    }

    #[test]
    fn sequences_that_arrive_slowly_are_not_keys() {
        for (sent, input) in [
            ("\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "Light"),
            ("\x1b]11;rgb:ff/ff/ff\x07", "Light"),
            ("\x1b]11;rgba:ffff/ffff/ffff/e000\x1b\\", "Light"),
            ("\x1b]11;#ffffff\x07", "Light"),
            ("\x1b]11;White\x07", "Light"),
            ("\x1b[?64;1;22c", "Answered"),
            ("\x1b[24;80R", "Column(80)"),
            ("\x1b[<65;40;12M", "WheelDown(39,11)"),
            ("\x1b[<0;40;12M", "Press(39,11)"),
            ("\x1b[<0;40;12m", ""),
            ("\x1b[1;5A", "^UP"),
            ("\x1b[15~", "f5"),
            ("\x1b[[A", "f1"),
            ("\x1bOP", "f1"),
        ] {
            let sent = sent.as_bytes();
            let inputs: Vec<&str> = [input, "q"].into_iter().filter(|it| !it.is_empty()).collect();
            for cut in 2..sent.len() {
                let mut decoder = Decoder::default();
                let mut found = decoder.decode(&sent[..cut]);
                found.extend(decoder.idle());
                found.extend(decoder.decode(&sent[cut..]));
                found.extend(decoder.decode(b"q"));
                let names: Vec<_> = found.iter().map(name).collect();
                assert_eq!(names, inputs, "{sent:?}, {cut}");
                // A sequence that never ends does not swallow later keys.
                let mut decoder = Decoder::default();
                decoder.decode(&sent[..cut]);
                assert_eq!(decoder.idle(), None, "{sent:?}, {cut}");
                let names: Vec<_> = decoder.decode(b"q\x03").iter().map(name).collect();
                assert_eq!(names, ["q", "^C"], "{sent:?}, {cut}");
            }
        }
    }

    /// ECMA-48, 5.3: some terminals are set to 8-bit controls.
    #[test]
    fn eight_bit_control_characters_are_decoded() {
        assert_eq!(decode(b"\x9d11;rgb:ffff/ffff/ffff\x9cq"), "Light q");
        assert_eq!(
            decode(b"\x1b]11;rgb:ff/ff/ff\x9c\x9b?64;1;22c\x9bA\x8fPq"),
            "Light Answered up f1 q"
        );
        assert_eq!(decode("ÛƜ\u{2713}\u{1F600}"), "Û Ɯ \u{2713} \u{1F600}");
    }

    #[test]
    fn a_lone_escape_is_a_key_after_a_pause() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.decode(b"\x1b"), []);
        assert!(!decoder.is_unfinished());
        assert_eq!(decoder.idle(), Some(TerminalInput::Key(KeyCode::Esc.into())));
        // After a while, an unfinished sequence is given up.
        decoder.decode(b"\x1b[200~a");
        assert!(decoder.idle().is_none() && decoder.is_unfinished());
        assert_eq!(decoder.decode(b"q"), [TerminalInput::Pasted('q')]);
        decoder.give_up();
        decoder.decode(b"\x1b[");
        assert_eq!((decoder.idle(), decoder.give_up()), (None, None));
        assert_eq!(decoder.decode(b"1").iter().map(name).collect::<String>(), "1");
    }

    #[test]
    fn control_c_works_inside_a_sequence() {
        for beginning in ["\x1b[<0;10", "\x1b[?1;2", "\x1b[200~", "\x1b#", "\x1b[1;5"] {
            assert!(decode(format!("{beginning}\x03")).ends_with("^C"), "{beginning:?}");
        }
    }

    #[test]
    fn no_bytes_panic() {
        let mut random = SplitMix64::new(1);
        let mut decoder = Decoder::default();
        for _ in 0..100_000 {
            let byte = random.byte();
            // Sequences would be rare among random bytes.
            decoder.decode(if byte < 40 { b"\x1b[" } else { std::slice::from_ref(&byte) });
        }
    }
}
