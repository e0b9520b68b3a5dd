//! What drives the machine of a session. No other file here says which engine it is.

use gray1_isa::Image;
use gray1_sim::{Machine, PowerUp, debugger};

/// The machine with its past.
pub(super) type History = debugger::History<Machine>;
/// A search in that past.
pub(super) type Search = debugger::Search<Machine>;

/// Powers a machine up with this program.
pub(super) fn power_up(image: &Image, contents: PowerUp) -> History {
    History::new(Machine::new(image, contents))
}
