//! The hardware that programs run on: the engine and the board that the page has chosen, or a test
//! case asks for.

use std::sync::Arc;

use gray1_debugger::History;
use gray1_isa::Image;
use gray1_programs::testing::{Asked, Case, Mistake, TestFile};
use gray1_programs::{EngineKind, Link, LinkedBoard};
use gray1_roms::DEFAULT;
use gray1_sim::{Engine, Setup};
use gray1_tui::Program;
use serde::Deserialize;

use crate::sources::Sources;

/// What the page has chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hardware {
    /// The name of the engine; empty for the one that is meant if none is named.
    pub engine: String,
    /// The name of the board; empty likewise.
    pub board: String,
}

impl Hardware {
    /// A link to a program on this hardware.
    ///
    /// # Errors
    /// In words, if there is no such engine or board.
    pub(crate) fn with(&self, link: Link, sources: &Sources) -> Result<Link, String> {
        let engine = match &*self.engine {
            "" => EngineKind::default(),
            name => name.parse()?,
        };
        Ok(Link { engine, board: board(&self.board, sources)?, ..link })
    }
}

/// The board of this name; `None` for the stock board.
fn board(name: &str, sources: &Sources) -> Result<Option<LinkedBoard>, String> {
    if name.is_empty() || name == DEFAULT { Ok(None) } else { sources.board(name).map(Some) }
}

/// The setup of the machine of a link. A board that the instruction engine refuses is run chip by
/// chip, which a note says, as in the terminal.
///
/// # Errors
/// In words, if its board is no board.
pub(crate) fn setup(link: &mut Link) -> Result<(Setup, Option<String>), String> {
    let why = match link.setup() {
        Ok(setup) => return Ok((setup, None)),
        Err(why) => why.to_string(),
    };
    if link.engine != EngineKind::Instruction || link.board.is_none() {
        return Err(why);
    }
    link.engine = EngineKind::Chips;
    let setup = link.setup().map_err(|error| error.to_string())?;
    Ok((setup, Some(format!("running the chips one by one: {why}"))))
}

/// The machines that the cases of a test file ask for.
pub(crate) struct Machines {
    /// The name of the test file, and what it says.
    file: String,
    pub(crate) tests: TestFile,
    /// Where boards are found: beside the test file.
    sources: Sources,
    /// The page's choice counts more than the file.
    chosen: Hardware,
    program: Program,
    /// A link to the program at its start.
    link: Link,
    /// The last machine.
    last: Option<(Link, Setup)>,
}

/// A machine that stands.
pub(crate) struct Stand {
    pub(crate) program: Program,
    pub(crate) link: Link,
    pub(crate) setup: Setup,
    pub(crate) history: History,
}

impl Machines {
    /// The machines for the cases of a test file on a program.
    ///
    /// # Errors
    /// If it is no test file, the mistake with its place.
    pub(crate) fn new(
        (file, text): (&str, &str),
        sources: &Sources,
        chosen: Hardware,
        (program, link): (Program, Link),
    ) -> Result<Self, String> {
        let mistake = |mistake: Mistake| format!("{file}:{mistake}");
        let tests = TestFile::read(text).map_err(mistake)?;
        let (file, sources) = (file.to_owned(), sources.clone());
        Ok(Self { file, tests, sources, chosen, program, link, last: None })
    }

    pub(crate) fn image(&self) -> &Arc<Image> {
        &self.program.image
    }

    /// The place at an offset of the test file: file, line and column.
    pub(crate) fn place(&self, offset: usize) -> String {
        format!("{}:{}", self.file, self.tests.position(offset))
    }

    /// Powers up the machine that a case asks for.
    ///
    /// # Errors
    /// In words, if there is none.
    pub(crate) fn engine(&mut self, case: &Case) -> Result<Box<dyn Engine>, String> {
        let mut link = self.link_for(case)?;
        let (setup, _) = setup(&mut link)?;
        let engine = setup.engine(self.image()).map_err(|error| error.to_string())?;
        self.last = Some((link, setup));
        Ok(engine)
    }

    fn link_for(&self, case: &Case) -> Result<Link, String> {
        let misread = |why: String| format!("{}: {why}", self.place(case.offset));
        let asked = Asked::read(case.engine.as_deref(), case.ram.as_deref()).map_err(misread)?;
        let mut link = self.chosen.with(self.link.clone(), &self.sources)?;
        if self.chosen.engine.is_empty() {
            link.engine = asked.engine.unwrap_or_default();
        }
        if self.chosen.board.is_empty() {
            let name = case.board.as_deref().unwrap_or_default();
            link.board = board(&self.sources.beside(&self.file, name), &self.sources)?;
        }
        // A seed for delays that another engine does not have was not meant for it.
        let is_asked = link.engine == asked.engine.unwrap_or_default();
        link.seed = case.seed.filter(|_| is_asked).unwrap_or_default();
        if case.seed.is_some() && is_asked && link.engine != EngineKind::Timed {
            return Err("a seed chooses delays, which only the engine `timed` has".to_owned());
        }
        link.ram = asked.ram.unwrap_or_default();
        Ok(link)
    }

    /// The last machine, with its past.
    pub(crate) fn stand(&mut self, history: History) -> Option<Stand> {
        let (link, setup) = self.last.take()?;
        Some(Stand { program: self.program.clone(), link, setup, history })
    }
}
