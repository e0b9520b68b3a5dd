//! What drives the machine of a session. No other file here names an engine.

use gray1_isa::Image;
use gray1_sim::debugger::History;
use gray1_sim::{Machine, PowerUp};

/// Powers a machine up with this program.
pub(super) fn power_up(image: &Image, contents: PowerUp) -> History {
    History::new(Box::new(Machine::new(image, contents)))
}
