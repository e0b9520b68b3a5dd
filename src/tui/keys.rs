//! Scripts of key presses: tmux's names of the keys, and waits between them.

use std::str::FromStr;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The longest wait, so that no script runs for ever.
const WAIT_MAX: Duration = Duration::from_secs(600);
/// The same in instructions: some ten seconds of work.
const INSTRUCTIONS_MAX: u64 = 10_000_000_000;

/// What a person at the keyboard does, one thing after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Script(pub(super) Vec<Move>);

/// One thing that a person at the keyboard does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    /// Presses a key.
    Press(KeyEvent),
    /// Lets time pass.
    Wait(Duration),
    /// Waits until a running machine has executed so many more instructions.
    WaitInstructions(u64),
}

/// A word of a script that says nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BadMove(String);

impl std::fmt::Display for BadMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "'{}' is no key (expected a character, a name such as Space, Enter, Escape, Up, PgDn or \
             C-c, or a wait such as wait:200ms, wait:2s or wait:5000i, up to {} s or {} \
             instructions)",
            self.0.escape_debug(),
            WAIT_MAX.as_secs(),
            INSTRUCTIONS_MAX,
        )
    }
}

impl std::error::Error for BadMove {}

impl FromStr for Script {
    type Err = BadMove;

    fn from_str(text: &str) -> Result<Self, BadMove> {
        let bad = |word: &str| BadMove(word.to_owned());
        let moves = text.split_whitespace().map(|word| parse(word).ok_or_else(|| bad(word)));
        moves.collect::<Result<_, _>>().map(Self)
    }
}

fn parse(word: &str) -> Option<Move> {
    match word.strip_prefix("wait:") {
        Some(wait) => parse_wait(wait),
        None => key(word).map(Move::Press),
    }
}

fn parse_wait(wait: &str) -> Option<Move> {
    let number = |digits: &str| digits.parse::<u64>().ok();
    if let Some(count) = wait.strip_suffix('i') {
        return number(count).filter(|&n| n <= INSTRUCTIONS_MAX).map(Move::WaitInstructions);
    }
    let time = match wait.strip_suffix("ms") {
        Some(milliseconds) => Duration::from_millis(number(milliseconds)?),
        None => Duration::from_secs(number(wait.strip_suffix('s')?)?),
    };
    (time <= WAIT_MAX).then_some(Move::Wait(time))
}

/// A key by the name that tmux has for it.
fn key(name: &str) -> Option<KeyEvent> {
    if let Some(rest) = name.strip_prefix("C-").filter(|rest| !rest.is_empty()) {
        let KeyEvent { code, modifiers, .. } = key(rest)?;
        return Some(KeyEvent::new(code, modifiers | KeyModifiers::CONTROL));
    }
    if let Some(rest) = name.strip_prefix("M-").filter(|rest| !rest.is_empty()) {
        let KeyEvent { code, modifiers, .. } = key(rest)?;
        return Some(KeyEvent::new(code, modifiers | KeyModifiers::ALT));
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
        _ => function_key(name).or_else(|| single_character(name))?,
    };
    Some(KeyEvent::from(code))
}

fn function_key(name: &str) -> Option<KeyCode> {
    let number = name.strip_prefix('F')?.parse().ok()?;
    (1..=12).contains(&number).then_some(KeyCode::F(number))
}

fn single_character(name: &str) -> Option<KeyCode> {
    let mut characters = name.chars();
    let first = characters.next()?;
    (characters.next().is_none() && !first.is_control()).then_some(KeyCode::Char(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_keys_and_waits() {
        let script: Script = "Space s wait:200ms C-c wait:5000i F5 PgUp é".parse().unwrap();
        let press = |code| Move::Press(KeyEvent::from(code));
        assert_eq!(
            script.0,
            [
                press(KeyCode::Char(' ')),
                press(KeyCode::Char('s')),
                Move::Wait(Duration::from_millis(200)),
                Move::Press(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)),
                Move::WaitInstructions(5000),
                press(KeyCode::F(5)),
                press(KeyCode::PageUp),
                press(KeyCode::Char('é')),
            ]
        );
        assert_eq!("".parse(), Ok(Script::default()));
    }

    #[test]
    fn words_that_say_nothing_are_refused() {
        for word in
            ["Spacebar", "F13", "wait:", "wait:5", "wait:-1ms", "wait:601s", "wait:10000000001i"]
        {
            assert_eq!(word.parse::<Script>(), Err(BadMove(word.to_owned())), "{word}");
        }
    }
}
