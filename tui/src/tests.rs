//! Shared by the tests: sessions with the repository's programs, and helpers for screens.

pub(crate) mod goldens;
#[path = "../../sim/session/src/tests/machines.rs"]
mod machines;

use gray1_session::{Command, Session, Snapshot, WireDetail};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Rect, Size};

use crate::actions::Effect;
use crate::app::App;
use crate::key::{Key, KeyCode};
use crate::panes::{Context, Pane};
use crate::preferences::Preferences;
use crate::theme::Theme;

pub(crate) use machines::*;

/// The drawing of a pane that is in front and has this area.
pub(crate) fn draw_pane(pane: &dyn Pane, snapshot: &Snapshot, theme: Theme, area: Rect) -> Buffer {
    let context =
        Context { snapshot, theme, is_in_front: true, buttons_have_keys: false, answer: None };
    let mut buffer = Buffer::empty(area);
    pane.draw(&context, area, &mut buffer);
    buffer
}

/// An app that shows a session on a screen of this size, with this pane in front.
pub(crate) fn app_of(session: &mut Session, size: Size, front: &str) -> App {
    session.command(Command::ShowWires(match front {
        "board" => WireDetail::Levels,
        "waves" => WireDetail::Waves,
        _ => WireDetail::Nothing,
    }));
    App::new(session.snapshot(), size, front, Preferences::default())
}

/// The keys for the characters of a string. A line end is enter.
pub(crate) fn keys(text: &str) -> impl Iterator<Item = Key> {
    text.chars().map(|c| if c == '\n' { KeyCode::Enter.into() } else { Key::char(c) })
}

/// Presses keys, and lets the session carry out the resulting commands.
pub(crate) fn press_keys(
    session: &mut Session,
    app: &mut App,
    keys: impl IntoIterator<Item = Key>,
) {
    for key in keys {
        if let Some(Effect::Session(command)) = app.key(key) {
            session.command(command);
            settle(session);
            app.update(session.snapshot());
        }
    }
}

/// A program of the repository at its start, on a screen of 80x24.
pub(crate) fn app(name: &str) -> App {
    app_of(&mut session(program(name), true), Size::new(80, 24), "display")
}

/// The first byte of a variable.
pub(crate) fn variable(snapshot: &Snapshot, name: &str) -> u8 {
    let address = snapshot.program.image.symbol(name).unwrap().value;
    snapshot.cpu.ram[usize::try_from(address).unwrap()]
}

/// The characters of a screen, without spaces at the ends of lines.
pub(crate) fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width);
    let lines = buffer
        .content()
        .chunks(width)
        .map(|line| line.iter().map(Cell::symbol).collect::<String>().trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}
