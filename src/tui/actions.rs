//! What can be done, and with which keys: the one table behind the keys, the context line and the
//! help.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Something that the person at the keyboard can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    RunOrPause,
    Step,
    NextLedChange,
    Faster,
    Slower,
    Reset,
    Open,
    Help,
    Quit,
    Redraw,
    Suspend,
    Interrupt,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    Accept,
    Close,
}

/// Who gets the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// The machine.
    Main,
    /// A text to read: help, a message.
    Pager,
    /// The dialog that opens a program: keys that are not in the table edit the line.
    Open,
}

/// A row of the table.
#[derive(Debug)]
pub(super) struct Binding {
    pub(super) action: Action,
    pub(super) keys: &'static [Key],
    pub(super) modes: &'static [Mode],
    /// The word on the context line; empty for what is not offered there. Neighbours that share
    /// a word share an entry: `+/- pace`.
    pub(super) label: &'static str,
    /// What it does, in the help.
    pub(super) title: &'static str,
}

/// A key with the modifier that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    code: KeyCode,
    control: bool,
}

use Mode::{Main, Open, Pager};

/// Where a key works whatever is shown.
pub(super) const ALL: &[Mode] = &[Main, Pager, Open];
const DIALOGS: &[Mode] = &[Pager, Open];

/// All that can be done, what matters most first: a narrow context line shows the head of it.
pub(super) const TABLE: [Binding; 20] = [
    bind(Action::RunOrPause, &[key(' ')], &[Main], "run", "run or pause"),
    bind(Action::Accept, &[code(KeyCode::Enter)], &[Open], "open", "open what is selected"),
    bind(Action::Close, &[code(KeyCode::Esc)], DIALOGS, "back", "back"),
    bind(Action::Quit, &[key('q')], &[Main], "quit", "quit"),
    bind(Action::Help, &[key('?')], &[Main], "help", "this help"),
    bind(Action::Step, &[key('s')], &[Main], "step", "one instruction"),
    bind(Action::NextLedChange, &[key('n')], &[Main], "next LED", "to the next LED change"),
    bind(Action::Faster, &[key('+'), key('=')], &[Main], "pace", "faster"),
    bind(Action::Slower, &[key('-'), key('_')], &[Main], "pace", "slower"),
    bind(Action::Reset, &[key('r')], &[Main], "reset", "reset: start the program again"),
    bind(Action::Open, &[key('o')], &[Main], "open", "open another program"),
    bind(Action::Up, &[code(KeyCode::Up)], DIALOGS, "", "up"),
    bind(Action::Down, &[code(KeyCode::Down)], DIALOGS, "", "down"),
    bind(Action::PageUp, &[code(KeyCode::PageUp)], DIALOGS, "", "a page up"),
    bind(Action::PageDown, &[code(KeyCode::PageDown)], DIALOGS, "", "a page down"),
    bind(Action::First, &[code(KeyCode::Home)], &[Pager], "", "to the top"),
    bind(Action::Last, &[code(KeyCode::End)], &[Pager], "", "to the bottom"),
    bind(Action::Redraw, &[control('l')], ALL, "", "draw the screen anew"),
    bind(Action::Suspend, &[control('z')], ALL, "", "stop for now, as any job of the shell"),
    bind(Action::Interrupt, &[control('c')], ALL, "", "end, with status 130"),
];

const fn bind(
    action: Action,
    keys: &'static [Key],
    modes: &'static [Mode],
    label: &'static str,
    title: &'static str,
) -> Binding {
    Binding { action, keys, modes, label, title }
}

const fn key(c: char) -> Key {
    code(KeyCode::Char(c))
}

const fn control(c: char) -> Key {
    Key { code: KeyCode::Char(c), control: true }
}

const fn code(code: KeyCode) -> Key {
    Key { code, control: false }
}

/// What a key does in a mode.
pub(super) fn find(mode: Mode, event: KeyEvent) -> Option<Action> {
    let key = Key::from_event(event)?;
    let row = TABLE.iter().find(|row| row.modes.contains(&mode) && row.keys.contains(&key));
    row.map(|row| row.action)
}

impl Key {
    /// `None` for a key with modifiers that nothing here uses. (Shift is part of a character.)
    fn from_event(event: KeyEvent) -> Option<Self> {
        let modifiers = event.modifiers - KeyModifiers::SHIFT;
        let control = modifiers == KeyModifiers::CONTROL;
        (control || modifiers.is_empty()).then_some(Self { code: event.code, control })
    }

    /// The key as help and context line call it.
    pub(super) fn name(self) -> String {
        let name = match self.code {
            KeyCode::Char(' ') => "space".into(),
            KeyCode::Char(c) => c.to_string(),
            KeyCode::PageUp => "pgup".into(),
            KeyCode::PageDown => "pgdn".into(),
            other => other.to_string().to_lowercase(),
        };
        if self.control { format!("^{}", name.to_uppercase()) } else { name }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things_in_one_mode() {
        for mode in [Main, Pager, Open] {
            let rows = TABLE.iter().filter(|row| row.modes.contains(&mode));
            let keys: Vec<Key> = rows.flat_map(|row| row.keys).copied().collect();
            for (n, key) in keys.iter().enumerate() {
                assert!(!keys[..n].contains(key), "{} in {mode:?}", key.name());
            }
        }
    }

    #[test]
    fn every_action_has_one_row_with_a_key_and_words() {
        for (n, row) in TABLE.iter().enumerate() {
            assert!(!row.keys.is_empty() && !row.title.is_empty() && !row.modes.is_empty());
            assert!(TABLE[..n].iter().all(|other| other.action != row.action), "{row:?}");
        }
        // The highest of the enumeration: a new action without a row would be one more.
        assert_eq!(TABLE.len(), Action::Close as usize + 1);
    }

    #[test]
    fn keys_are_found_whatever_the_shift_but_not_with_other_modifiers() {
        let press = |code, modifiers| find(Main, KeyEvent::new(code, modifiers));
        assert_eq!(press(KeyCode::Char('+'), KeyModifiers::SHIFT), Some(Action::Faster));
        assert_eq!(press(KeyCode::Char('q'), KeyModifiers::NONE), Some(Action::Quit));
        assert_eq!(press(KeyCode::Char('q'), KeyModifiers::ALT), None);
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Action::Interrupt));
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::NONE), None);
    }

    #[test]
    fn in_the_dialog_letters_are_text() {
        for c in ' '..='~' {
            assert_eq!(find(Open, KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)), None);
        }
    }

    #[test]
    fn keys_have_names() {
        let names = TABLE.iter().flat_map(|row| row.keys).map(|key| key.name());
        let names: Vec<String> = names.collect();
        assert_eq!(
            names.join(" "),
            "space enter esc q ? s n + = - _ r o up down pgup pgdn home end ^L ^Z ^C"
        );
    }
}
