//! Creates and opens links to moments.

use std::sync::Arc;

use gray1_debugger::History;
use gray1_isa::Image;
use gray1_isa::panel::{self, Display};
use gray1_isa::text::grouped;
use gray1_programs::{Link, LinkInput};
use gray1_session::{Program, Snapshot};
use gray1_sim::ResolvedMachine;

use crate::machine::Machine;
use crate::sources::PageSources;

/// The maximum total size of the sources of a link, in bytes. The page waits for the assembler,
/// which could take more than a second for larger sources.
const SOURCES_MAX: usize = 1 << 18;

/// Creates a link to the current moment of a machine, or to the message that it shows.
///
/// # Errors
/// Returns a message if the machine's inputs are no longer recorded.
pub(crate) fn create_link(machine: &mut Machine) -> Result<String, String> {
    if let Some(message) = machine.link.encode_message() {
        return Ok(message);
    }
    let link = recorded_link(machine)?;
    let (at, pace) = (machine.session.snapshot().time.now, machine.session.pace_steps());
    Ok(Link { at, pace, ..link }.encode_short())
}

/// Returns a link to the start of the program in a machine, with all inputs.
///
/// # Errors
/// Returns a message if the machine's inputs are no longer recorded.
pub(crate) fn recorded_link(machine: &Machine) -> Result<Link, String> {
    let inputs = machine.session.inputs().ok_or("the first inputs are no longer recorded")?;
    let inputs = inputs.iter().map(|(moment, input)| (*moment, LinkInput::from(*input))).collect();
    Ok(Link { inputs, ..machine.link.clone() })
}

/// A link that is being opened. Its machine is running to the moment of the link.
pub(crate) struct OpeningLink {
    link: Link,
    image: Arc<Image>,
    machine: ResolvedMachine,
    history: History,
}

impl OpeningLink {
    /// Starts to open a link.
    ///
    /// # Errors
    /// Returns a message if the program or the board is invalid.
    pub(crate) fn new(link: Link) -> Result<Self, String> {
        let bytes: usize = link.sources.0.values().map(String::len).sum();
        if bytes > SOURCES_MAX {
            return Err(format!("the sources of this link have more than {SOURCES_MAX} bytes"));
        }
        let image = Arc::new(link.image().map_err(|error| error.to_string())?);
        let machine = link.machine()?;
        let history = link.history(&machine.setup, &image).map_err(|error| error.to_string())?;
        Ok(Self { link, image, machine, history })
    }

    /// Continues for about a millisecond. Returns true once the machine has arrived.
    pub(crate) fn advance(&mut self) -> bool {
        self.history.advance_to(self.link.at)
    }

    /// Returns the current moment of the machine, and the moment of the link.
    pub(crate) fn progress(&self) -> (u64, u64) {
        (self.history.moment(), self.link.at)
    }

    /// Returns the machine at its current moment. Its program is added to `sources` as a shared
    /// file.
    pub(crate) fn arrive(self, sources: &mut PageSources) -> Machine {
        let (now, at) = self.progress();
        let Self { link, image, machine, history } = self;
        let damaged = link.board.clone().filter(|board| board.sound.is_some());
        sources.damaged = damaged.or(sources.damaged.take());
        let is_there = now >= at || history.engine().halted();
        let program = Program::new(sources.add_shared(&link), image);
        let mut machine = Machine::opened(program, (link, machine), history.without_schedule());
        let snapshot = machine.session.snapshot();
        machine.note = if is_there {
            (at > 0 && snapshot.display() == Display::default()).then(|| explain_dark(&snapshot))
        } else {
            let [now, at] = [now, at].map(grouped);
            Some(format!("Stopped on the way to the moment of the link: {now} of {at}."))
        };
        machine
    }
}

/// Returns the reason why all LEDs are dark.
fn explain_dark(snapshot: &Snapshot) -> String {
    let is_unwritten = panel::leds().all(|address| snapshot.is_unwritten(address));
    let why = if is_unwritten {
        "nothing has been written to them yet"
    } else {
        "the program has turned them off"
    };
    format!("All LEDs are dark at this moment, because {why}.")
}
