//! The numbers and letters by which terminals identify keys.

use gray1_tui::{Key, KeyCode};

pub(super) const DELETE: u8 = 0x7F;

/// The key for a Unicode character, or for one of the numbers that kitty uses for keys without a
/// character.
pub(super) fn from_code(code: u16, modifiers: &[u16]) -> Option<KeyCode> {
    let has_shift = modifiers.first().is_some_and(|it| it.saturating_sub(1) & 1 != 0);
    Some(match code {
        9 if has_shift => KeyCode::BackTab,
        9 => KeyCode::Tab,
        13 | 57414 => KeyCode::Enter,
        27 => KeyCode::Esc,
        127 => KeyCode::Backspace,
        57399..=57408 => KeyCode::Char(char::from(b'0' + (code - 57399) as u8)),
        57409..=57413 => KeyCode::Char(char::from(b"./*-+"[usize::from(code - 57409)])),
        57417..=57426 => KEYPAD[usize::from(code - 57417)],
        _ => {
            let c = char::from_u32(code.into()).filter(|c| !c.is_control())?;
            let is_own = ('\u{e000}'..='\u{f8ff}').contains(&c);
            let upper = c.to_uppercase().next().filter(|_| has_shift);
            (!is_own).then(|| KeyCode::Char(upper.unwrap_or(c)))?
        }
    })
}

/// The keypad's keys in kitty's order.
const KEYPAD: [KeyCode; 10] = [
    KeyCode::Left,
    KeyCode::Right,
    KeyCode::Up,
    KeyCode::Down,
    KeyCode::PageUp,
    KeyCode::PageDown,
    KeyCode::Home,
    KeyCode::End,
    KeyCode::Insert,
    KeyCode::Delete,
];

/// The key that sends a control character.
pub(super) fn from_control(byte: u8) -> Key {
    match byte {
        b'\t' => KeyCode::Tab.into(),
        b'\r' => KeyCode::Enter.into(),
        DELETE => KeyCode::Backspace.into(),
        0 => Key::control(' '),
        _ => Key::control(char::from(byte | 0x60)),
    }
}

/// The key for the last character of a sequence.
pub(super) fn from_letter(c: char) -> Option<KeyCode> {
    Some(match c {
        'A' => KeyCode::Up,
        'B' => KeyCode::Down,
        'C' => KeyCode::Right,
        'D' => KeyCode::Left,
        'F' => KeyCode::End,
        'H' => KeyCode::Home,
        'M' => KeyCode::Enter,
        'P'..='S' => function_key(c, 'P'),
        'Z' => KeyCode::BackTab,
        _ => return None,
    })
}

/// The function key for a character. `first` is the character for F1.
pub(super) fn function_key(c: char, first: char) -> KeyCode {
    KeyCode::Function((u32::from(c) - u32::from(first) + 1) as u8)
}

/// The key for a number in a sequence. The numbers are those of a VT220, with additions by rxvt,
/// the Linux console and others.
pub(super) fn from_number(number: u16) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::Function((number - 10) as u8),
        17..=21 => KeyCode::Function((number - 11) as u8),
        23 | 24 => KeyCode::Function((number - 12) as u8),
        _ => return None,
    })
}

/// Adds modifiers to a key. `modifiers` is one more than the sum of 1 for shift, 2 for alt and 4
/// for control, or 0 if there are none. Locks (64, 128) are ignored. `None` for other modifiers,
/// which we do not use.
pub(super) fn with_modifiers(code: Option<KeyCode>, modifiers: u16) -> Option<Key> {
    let held = modifiers.saturating_sub(1) & !(64 + 128);
    let known = held & !7 == 0;
    code.filter(|_| known).map(|code| Key { code, alt: held & 2 != 0, control: held & 4 != 0 })
}
