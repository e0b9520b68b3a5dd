//! What crossterm reports, as the front end's own keys and mouse events.

use crossterm::event::{
    Event as Report, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent,
    MouseEventKind,
};
use gray1_tui::{Code, Key, Mouse, MouseKind};
use ratatui::layout::Position;

use super::events::Event;

/// The event that a report stands for; `None` for what has no meaning here. Sizes are asked for
/// when SIGWINCH comes.
pub(super) fn convert(report: &Report) -> Option<Event> {
    match report {
        Report::Key(event) if event.kind != KeyEventKind::Release => key(event).map(Event::Key),
        Report::Mouse(event) => mouse(*event).map(Event::Mouse),
        _ => None,
    }
}

/// Shift is part of a character; of the other modifiers control and alt count.
fn key(event: &KeyEvent) -> Option<Key> {
    let control = event.modifiers.contains(KeyModifiers::CONTROL);
    let alt = event.modifiers.contains(KeyModifiers::ALT);
    let others = KeyModifiers::SHIFT | KeyModifiers::CONTROL | KeyModifiers::ALT;
    let code = code(event.code).filter(|_| others.contains(event.modifiers))?;
    Some(Key { code, control, alt })
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

fn mouse(event: MouseEvent) -> Option<Mouse> {
    let kind = match event.kind {
        MouseEventKind::Down(MouseButton::Left) => MouseKind::Press,
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
        let press = |code, modifiers| key(&KeyEvent::new(code, modifiers));
        let plus = KeyCode::Char('+');
        assert_eq!(press(plus, KeyModifiers::SHIFT), Some(Key::char('+')));
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Key::control('c')));
        let alt = Key { alt: true, ..Key::char('q') };
        assert_eq!(press(KeyCode::Char('q'), KeyModifiers::ALT), Some(alt));
        assert_eq!(press(KeyCode::Char('q'), KeyModifiers::SUPER), None);
        assert_eq!(press(KeyCode::CapsLock, KeyModifiers::NONE), None);
    }
}
