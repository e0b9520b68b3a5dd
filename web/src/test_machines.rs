//! Sets up the machines that run the cases of a test file.

use gray1_debugger::History;
use gray1_programs::Link;
use gray1_programs::testing::{TestCase, TestFile};
use gray1_session::Program;
use gray1_sim::{Engine, MachineSpec, ResolvedMachine};

use crate::machine::Machine;
use crate::sources::PageSources;

/// The machines that run the cases of a test file on a program.
pub(crate) struct TestMachines {
    /// The name and the contents of the test file.
    file: String,
    pub(crate) tests: TestFile,
    /// The files that contain boards, which are found relative to the test file.
    sources: PageSources,
    /// The machine that the user chose on the page. It takes precedence over the test file.
    pub(crate) chosen: MachineSpec,
    pub(crate) program: Program,
    /// A link to the start of the program.
    link: Link,
    /// The last machine.
    last: Option<(Link, ResolvedMachine)>,
}

impl TestMachines {
    /// Prepares the machines for the cases of a test file on a program.
    ///
    /// # Errors
    /// Returns a message with the position if the test file is invalid.
    pub(crate) fn new(
        (file, text): (&str, &str),
        sources: &PageSources,
        chosen: MachineSpec,
        (program, link): (Program, Link),
    ) -> Result<Self, String> {
        let tests = TestFile::read(text).map_err(|error| format!("{file}:{error}"))?;
        let (file, sources) = (file.to_owned(), sources.clone());
        Ok(Self { file, tests, sources, chosen, program, link, last: None })
    }

    /// Returns the position of an offset in the test file: file, line and column.
    pub(crate) fn position(&self, offset: usize) -> String {
        format!("{}:{}", self.file, self.tests.position(offset))
    }

    /// Powers up the machine for a case.
    ///
    /// # Errors
    /// Returns a message if the machine cannot be set up.
    pub(crate) fn power_up(&mut self, case: &TestCase) -> Result<Box<dyn Engine>, String> {
        let board = case.machine.board.as_ref();
        let board = board.map(|board| self.sources.resolve(&self.file, board));
        let spec = self.chosen.clone().or(MachineSpec { board, ..case.machine.clone() });
        let (link, machine) = self.link.clone().move_to(&spec, |name| self.sources.board(name))?;
        let engine =
            machine.setup.engine(&self.program.image).map_err(|error| error.to_string())?;
        self.last = Some((link, machine));
        Ok(engine)
    }

    /// Returns the last machine, paused at the end of its history.
    pub(crate) fn take_stopped(&mut self, history: History) -> Option<Box<Machine>> {
        let machine = self.last.take()?;
        Some(Box::new(Machine::resumed(self.program.clone(), machine, history)))
    }
}
