//! What crossterm reports, as the front end's own keys and mouse events.

use crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use gray1_tui::{Code, Key, Mouse, MouseKind};
use ratatui::layout::Position;

/// The key that was pressed. Shift is part of a character; of the other modifiers control and alt
/// count.
pub(super) fn key(event: KeyEvent) -> Option<Key> {
    let control = event.modifiers.contains(KeyModifiers::CONTROL);
    let alt = event.modifiers.contains(KeyModifiers::ALT);
    let others = KeyModifiers::SHIFT | KeyModifiers::CONTROL | KeyModifiers::ALT;
    if event.kind == KeyEventKind::Release || !others.contains(event.modifiers) {
        return None;
    }
    Some(Key { code: code(event.code)?, control, alt })
}

fn code(code: KeyCode) -> Option<Code> {
    Some(match code {
        KeyCode::Char(c) => Code::Char(c),
        KeyCode::F(n) => Code::Function(n),
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab => Code::Tab,
        KeyCode::BackTab => Code::BackTab,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Insert => Code::Insert,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        _ => return None,
    })
}

/// What the mouse did.
pub(super) fn mouse(event: MouseEvent) -> Option<Mouse> {
    let kind = match event.kind {
        MouseEventKind::Down(MouseButton::Left) => MouseKind::Press,
        MouseEventKind::Drag(MouseButton::Left) => MouseKind::Drag,
        MouseEventKind::ScrollUp => MouseKind::WheelUp,
        MouseEventKind::ScrollDown => MouseKind::WheelDown,
        _ => return None,
    };
    Some(Mouse { kind, at: Position { x: event.column, y: event.row } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_the_modifiers_that_count() {
        let press = |code, modifiers| key(KeyEvent::new(code, modifiers));
        let plus = KeyCode::Char('+');
        assert_eq!(press(plus, KeyModifiers::SHIFT), Some(Key::char('+')));
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Key::control('c')));
        let alt = Key { alt: true, ..Key::char('q') };
        assert_eq!(press(KeyCode::Char('q'), KeyModifiers::ALT), Some(alt));
        assert_eq!(press(KeyCode::Char('q'), KeyModifiers::SUPER), None);
        assert_eq!(press(KeyCode::CapsLock, KeyModifiers::NONE), None);
    }
}
