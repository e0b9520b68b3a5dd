//! Shared by the tests: the repository's programs and board, sessions, and helpers for screens.

pub(crate) mod goldens;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gray1_asm::{InputFile, Loader, NoIncludes, Source};
use gray1_board::{Board, Parts};
use gray1_sim::{Hardware, Setup};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Rect, Size};

use crate::actions::Effect;
use crate::app::App;
use crate::key::{Key, KeyCode};
use crate::panes::{Context, Pane};
use crate::preferences::Preferences;
use crate::session::{Command, Due, Program, Session, Snapshot, WireDetail};
use crate::theme::Theme;

/// The files of `programs/`.
struct Programs;

impl Programs {
    fn source(path: &str) -> Source {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../programs");
        let text = std::fs::read_to_string(Path::new(folder).join(path)).unwrap();
        Source { id: path.into(), name: path.into(), text }
    }
}

impl Loader for Programs {
    fn load(&mut self, includer: &InputFile, name: &str) -> Result<Source, String> {
        let path = Path::new(includer.id()).with_file_name(name);
        Ok(Self::source(path.to_str().unwrap()))
    }
}

/// The drawing of a pane that is in front and has this area.
pub(crate) fn draw_pane(pane: &dyn Pane, snapshot: &Snapshot, theme: Theme, area: Rect) -> Buffer {
    let context =
        Context { snapshot, theme, is_in_front: true, buttons_have_keys: false, answer: None };
    let mut buffer = Buffer::empty(area);
    pane.draw(&context, area, &mut buffer);
    buffer
}

/// The names of all programs.
pub(crate) fn programs() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../programs");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = files.filter_map(|file| Some(file.to_str()?.strip_suffix(".asm")?.to_owned()));
    let names: Vec<String> = names.collect();
    assert!(!names.is_empty());
    names
}

/// A program of the repository.
pub(crate) fn program(name: &str) -> Program {
    let assembly = gray1_asm::assemble(Programs::source(&format!("{name}.asm")), &mut Programs);
    Program::new(name.into(), assembly.image.unwrap())
}

/// Assembles a user's program.
pub(crate) fn assemble(text: &str) -> Program {
    let source = Source { id: "own".into(), name: "own.asm".into(), text: text.to_owned() };
    Program::new("own".into(), gray1_asm::assemble(source, &mut NoIncludes).image.unwrap())
}

/// The board of the repository.
pub(crate) fn board() -> Board {
    board_from(&board_text("gray1.ron"))
}

/// The description of a board of the repository.
pub(crate) fn board_text(file: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../roms");
    std::fs::read_to_string(Path::new(folder).join(file)).unwrap()
}

/// A board from its description.
pub(crate) fn board_from(text: &str) -> Board {
    let parts = Parts::load(&board_text("parts.ron")).unwrap();
    Board::load(text, &parts, |file| Err(format!("no file {file}"))).unwrap()
}

/// A machine on the chip engine, all of whose wires are visible.
pub(crate) fn on_chips() -> Setup {
    Setup { hardware: Hardware::Chips(Arc::new(board())), ..Setup::default() }
}

/// A session with this program.
pub(crate) fn session(program: Program, paused: bool) -> Session {
    session_on(Setup::default(), program, paused)
}

/// A session with this program on this setup.
pub(crate) fn session_on(setup: Setup, program: Program, paused: bool) -> Session {
    Session::new(program, setup, paused, Box::new(board)).unwrap()
}

/// Lets a session do all the work that is due at once.
pub(crate) fn settle(session: &mut Session) {
    const ROUNDS_MAX: usize = 10_000;
    let is_at_rest = (0..ROUNDS_MAX).any(|_| session.advance(Duration::ZERO) != Due::Now);
    assert!(is_at_rest, "there is always more to do");
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
