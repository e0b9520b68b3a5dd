//! Debuggers of runs that are repeated up to a moment.

use std::sync::Arc;

use gray1_debugger::{Activity, Debugger, Goal, History, Input};
use gray1_isa::Image;
use gray1_sim::Engine;

use super::progress::Progress;
use super::signals::Signals;

/// A debugger of a machine that was powered up, at a moment, or where the program ends before it.
/// Under its name the program's progress is shown.
///
/// # Errors
/// The number of a signal that asked to stop.
pub(crate) fn debugger_at(
    name: &str,
    image: &Arc<Image>,
    engine: Box<dyn Engine>,
    inputs: impl IntoIterator<Item = (u64, Input)>,
    at: u64,
    signals: &Signals,
) -> Result<Debugger, u8> {
    let history = History::new(engine);
    let mut debugger = Debugger::new(Arc::clone(image), history).with_schedule(inputs);
    // There is a way to any number of instructions.
    let _ = debugger.go(Goal::Instructions(at));
    finish(&mut debugger, name, signals)?;
    Ok(debugger)
}

/// Works until the debugger stands still.
///
/// # Errors
/// The number of a signal that asked to stop.
pub(crate) fn finish(debugger: &mut Debugger, name: &str, signals: &Signals) -> Result<(), u8> {
    let mut progress = Progress::new();
    while debugger.moves() {
        debugger.advance(u64::MAX);
        let at = match debugger.activity() {
            Activity::Searching(down_to) => down_to,
            _ => debugger.history().moment(),
        };
        progress.say(name, at);
        if let Some(signal) = signals.received() {
            return Err(signal);
        }
    }
    progress.clear();
    Ok(())
}
