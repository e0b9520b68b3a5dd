//! Links to moments: making and opening them.

use std::sync::Arc;

use gray1_programs::{Link, LinkInput, LinkOpening, OpenError, ResolvedMachine};
use gray1_tui::Program;

use crate::machine::Machine;

/// The most bytes of all sources of a link: the page waits for the assembler, which could take more
/// than a second for longer sources.
const SOURCES_MAX: usize = 1 << 18;

/// A link to the present moment of a machine.
///
/// # Errors
/// In words, if the machine's inputs are no longer known.
pub(crate) fn link(machine: &mut Machine) -> Result<String, String> {
    let inputs = machine.session.inputs().ok_or("what was done at the beginning is forgotten")?;
    let inputs = inputs.iter().map(|(moment, input)| (*moment, LinkInput::from(*input))).collect();
    let link = Link { inputs, ..machine.link.clone() };
    Ok(Link { at: machine.session.snapshot().time.now, ..link }.encode())
}

/// The name of the program of a link: its built-in name if it is the same program.
fn name(Link { program, sources, defines, .. }: &Link) -> String {
    let built_in = program.strip_suffix(".asm").filter(|_| {
        let file = gray1_programs::file(program);
        defines.is_empty()
            && file.is_some_and(|file| sources.0.get(program).is_some_and(|text| text == file.text))
    });
    built_in.unwrap_or(program).to_owned()
}

/// A link that is being opened: its machine is going to the moment.
pub(crate) struct OpeningLink {
    link: Link,
    program: Program,
    machine: ResolvedMachine,
    progress: LinkOpening,
}

impl OpeningLink {
    /// Begins to open a link.
    ///
    /// # Errors
    /// In words, if the link or its program is invalid.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let link = Link::decode(text).map_err(|error| error.to_string())?;
        let bytes: usize = link.sources.0.values().map(String::len).sum();
        if bytes > SOURCES_MAX {
            return Err(format!("the sources of this link have more than {SOURCES_MAX} bytes"));
        }
        let in_words = |error: OpenError| error.to_string();
        let image = Arc::new(link.image().map_err(in_words)?);
        let machine = link.machine().map_err(in_words)?;
        let progress =
            LinkOpening::new(&link, &machine.setup, &image).map_err(|error| error.to_string())?;
        Ok(Self { program: Program::new(name(&link), image), link, machine, progress })
    }

    /// Continues for about a millisecond. True if it has arrived.
    pub(crate) fn advance(&mut self) -> bool {
        self.progress.advance()
    }

    /// The present moment of the machine, and that of the link.
    pub(crate) fn progress(&self) -> (u64, u64) {
        self.progress.progress()
    }

    /// The machine at the moment.
    pub(crate) fn arrive(self) -> Machine {
        let Self { link, program, machine, progress } = self;
        Machine::resumed(program, (link, machine), progress.into_history())
    }
}
