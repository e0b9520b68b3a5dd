//! Scripts of waits and key presses. Keys have the names that tmux uses.

use std::str::FromStr;
use std::time::Duration;

use gray1_isa::text::parse_number;

use crate::key::{Key, KeyCode};

/// The maximum wait, so that scripts end.
const WAIT_MAX: Duration = Duration::from_secs(600);
/// The maximum wait in instructions, which takes some ten seconds.
const INSTRUCTIONS_MAX: u64 = 10_000_000_000;

/// A sequence of key presses and waits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Script(pub(crate) Vec<ScriptEntry>);

/// A key press or a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScriptEntry {
    /// Press a key.
    Press(Key),
    /// Let time pass.
    Wait(Duration),
    /// Let a running machine execute this many instructions.
    WaitInstructions(u64),
}

impl FromStr for Script {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut entries = Vec::new();
        for word in text.split_whitespace() {
            entries.push(parse(word).ok_or_else(|| {
                format!(
                    "'{}' is not a key (expected a character, a name such as Space, Enter, \
                     Escape, Up, PgDn or C-c, or a wait such as wait:200ms, wait:2s or \
                     wait:5000i, up to {} s or {INSTRUCTIONS_MAX} instructions)",
                    word.escape_debug(),
                    WAIT_MAX.as_secs(),
                )
            })?);
        }
        Ok(Self(entries))
    }
}

fn parse(word: &str) -> Option<ScriptEntry> {
    match word.strip_prefix("wait:") {
        Some(wait) => parse_wait(wait),
        None => parse_key(word).map(ScriptEntry::Press),
    }
}

fn parse_wait(wait: &str) -> Option<ScriptEntry> {
    if let Some(count) = wait.strip_suffix('i') {
        return parse_number(count)
            .filter(|&n| n <= INSTRUCTIONS_MAX)
            .map(ScriptEntry::WaitInstructions);
    }
    let time = match wait.strip_suffix("ms") {
        Some(milliseconds) => Duration::from_millis(parse_number(milliseconds)?),
        None => Duration::from_secs(parse_number(wait.strip_suffix('s')?)?),
    };
    (time <= WAIT_MAX).then_some(ScriptEntry::Wait(time))
}

/// The key with this name in tmux.
fn parse_key(name: &str) -> Option<Key> {
    if let Some(rest) = name.strip_prefix("C-").filter(|rest| !rest.is_empty()) {
        return parse_key(rest).map(|key| Key { control: true, ..key });
    }
    if let Some(rest) = name.strip_prefix("M-").filter(|rest| !rest.is_empty()) {
        return parse_key(rest).map(|key| Key { alt: true, ..key });
    }
    let code = match name {
        "Space" => KeyCode::Char(' '),
        "Enter" => KeyCode::Enter,
        "Escape" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "BTab" => KeyCode::BackTab,
        "BSpace" => KeyCode::Backspace,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "PgUp" | "PageUp" | "PPage" => KeyCode::PageUp,
        "PgDn" | "PageDown" | "NPage" => KeyCode::PageDown,
        "IC" | "Insert" => KeyCode::Insert,
        "DC" | "Delete" => KeyCode::Delete,
        _ => parse_function_key(name).or_else(|| parse_character(name))?,
    };
    Some(Key::plain(code))
}

fn parse_function_key(name: &str) -> Option<KeyCode> {
    let number = name.strip_prefix('F')?.parse().ok()?;
    (1..=12).contains(&number).then_some(KeyCode::Function(number))
}

fn parse_character(name: &str) -> Option<KeyCode> {
    let mut characters = name.chars();
    let first = characters.next()?;
    (characters.next().is_none() && !first.is_control()).then_some(KeyCode::Char(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_parsed_into_keys_and_waits() {
        let script: Script = "Space s wait:200ms C-c wait:5000i F5 PgUp é".parse().unwrap();
        let press = |code| ScriptEntry::Press(Key::plain(code));
        assert_eq!(
            script.0,
            [
                press(KeyCode::Char(' ')),
                press(KeyCode::Char('s')),
                ScriptEntry::Wait(Duration::from_millis(200)),
                ScriptEntry::Press(Key::control('c')),
                ScriptEntry::WaitInstructions(5000),
                press(KeyCode::Function(5)),
                press(KeyCode::PageUp),
                press(KeyCode::Char('é')),
            ]
        );
        assert_eq!("".parse(), Ok(Script::default()));
    }

    #[test]
    fn scripts_use_the_key_names_of_tmux() {
        let named = [
            ("Space", KeyCode::Char(' ')),
            ("Enter", KeyCode::Enter),
            ("Escape", KeyCode::Esc),
            ("Tab", KeyCode::Tab),
            ("BTab", KeyCode::BackTab),
            ("BSpace", KeyCode::Backspace),
            ("Up", KeyCode::Up),
            ("Down", KeyCode::Down),
            ("Left", KeyCode::Left),
            ("Right", KeyCode::Right),
            ("Home", KeyCode::Home),
            ("End", KeyCode::End),
            ("PgUp PageUp PPage", KeyCode::PageUp),
            ("PgDn PageDown NPage", KeyCode::PageDown),
            ("IC Insert", KeyCode::Insert),
            ("DC Delete", KeyCode::Delete),
            ("F1", KeyCode::Function(1)),
            ("F12", KeyCode::Function(12)),
            ("F", KeyCode::Char('F')),
        ];
        for (names, code) in named {
            let script: Script = names.parse().unwrap();
            let count = names.split(' ').count();
            assert_eq!(script.0, vec![ScriptEntry::Press(code.into()); count], "{names}");
        }
        let both = Key { control: true, alt: true, code: KeyCode::Delete };
        assert_eq!("C-M-DC".parse(), Ok(Script(vec![ScriptEntry::Press(both)])));
        let dashes = ["C-", "M-"].map(str::parse::<Script>);
        assert!(dashes.iter().all(Result::is_err), "{dashes:?}");
    }

    #[test]
    fn the_longest_waits_are_accepted() {
        let script: Script =
            "wait:600s wait:600000ms wait:10,000,000,000i wait:0s".parse().unwrap();
        let wait = |seconds| ScriptEntry::Wait(Duration::from_secs(seconds));
        let longest = ScriptEntry::WaitInstructions(INSTRUCTIONS_MAX);
        assert_eq!(script.0, [wait(600), wait(600), longest, wait(0)]);
    }

    #[test]
    fn unknown_keys_and_waits_are_rejected() {
        for word in
            ["Spacebar", "F13", "wait:", "wait:5", "wait:-1ms", "wait:601s", "wait:10,000,000,001i"]
        {
            let problem = word.parse::<Script>().unwrap_err();
            assert!(problem.starts_with(&format!("'{word}' is not a key (")), "{problem}");
        }
        let problem = "s Spa\u{7}ce".parse::<Script>().unwrap_err();
        assert!(problem.starts_with(r"'Spa\u{7}ce' is not a key (expected "), "{problem}");
        assert!(problem.ends_with("up to 600 s or 10000000000 instructions)"), "{problem}");
    }
}
