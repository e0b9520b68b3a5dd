//! The repository's programs and board, and sessions with them, for tests of this crate and of the
//! faces that show a session.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gray1_asm::{InputFile, Loader, NoIncludes, Source};
use gray1_session::{Due, Program, Session};
use gray1_sim::{Hardware, Setup};

/// The files of `programs/`.
struct Programs;

impl Loader for Programs {
    fn load(&mut self, includer: &InputFile, name: &str) -> Result<Source, String> {
        let path = Path::new(includer.id()).with_file_name(name);
        Ok(source(path.to_str().unwrap()))
    }
}

fn source(path: &str) -> Source {
    let text = gray1_programs::file(path).unwrap().text.to_owned();
    Source { id: path.into(), name: path.into(), text }
}

/// A program of the repository.
pub(crate) fn program(name: &str) -> Program {
    let assembly = gray1_asm::assemble(source(&format!("{name}.asm")), &mut Programs);
    Program::new(name.into(), assembly.image.unwrap())
}

/// Assembles a user's program.
pub(crate) fn assemble(text: &str) -> Program {
    let source = Source { id: "own".into(), name: "own.asm".into(), text: text.to_owned() };
    Program::new("own".into(), gray1_asm::assemble(source, &mut NoIncludes).image.unwrap())
}

/// A machine on the chip engine, all of whose wires are visible.
pub(crate) fn on_chips() -> Setup {
    Setup {
        hardware: Hardware::Chips(Arc::new(gray1_roms::stock()), gray1_roms::nearest),
        ..Setup::default()
    }
}

/// A session with this program.
pub(crate) fn session(program: Program, paused: bool) -> Session {
    session_on(Setup::default(), program, paused)
}

/// A session with this program on this setup.
pub(crate) fn session_on(setup: Setup, program: Program, paused: bool) -> Session {
    Session::new(program, setup, paused, Box::new(gray1_roms::stock)).unwrap()
}

/// Lets a session do all the work that is due at once.
pub(crate) fn settle(session: &mut Session) {
    const ROUNDS_MAX: usize = 10_000;
    let is_at_rest = (0..ROUNDS_MAX).any(|_| session.advance(Duration::ZERO) != Due::Now);
    assert!(is_at_rest, "there is always more to do");
}
