//! Runs machines in a debugger up to a moment.

use std::sync::Arc;

use gray1_debugger::{Activity, Debugger, Goal, History, Input};
use gray1_isa::Image;
use gray1_isa::text::grouped;
use gray1_sim::Engine;

use super::outcome::{Failure, failure};
use super::progress::ProgressLine;
use super::signals::Signals;

/// Runs a machine from power-up to a moment, or to the end of its program, and returns the
/// debugger. `name` labels the progress.
///
/// # Errors
/// If a signal asks to stop.
pub(crate) fn run_debugger_to(
    name: &str,
    image: &Arc<Image>,
    engine: Box<dyn Engine>,
    inputs: impl IntoIterator<Item = (u64, Input)>,
    at: u64,
    signals: &Signals,
) -> Result<Debugger, Failure> {
    let history = History::with_first_writes(engine).with_schedule(inputs);
    let mut debugger = Debugger::new(Arc::clone(image), history);
    // This cannot fail, because any number of instructions is a valid goal.
    let _ = debugger.go(Goal::Instructions(at));
    finish(&mut debugger, name, signals)?;
    Ok(debugger)
}

/// The maximum number of instructions of a run if the user gives none.
pub(crate) const RUN_MAX: u64 = 1_000_000_000;

/// The moment at which a program ended.
///
/// # Errors
/// If the run was stopped at [`RUN_MAX`].
pub(crate) fn end_moment(debugger: &Debugger, name: &str) -> Result<u64, Failure> {
    let moment = debugger.position().moment;
    if moment < RUN_MAX {
        return Ok(moment);
    }
    let count = grouped(moment);
    Err(failure(format!(
        "{name} has not ended after {count} instructions: choose a moment with --at"
    )))
}

/// Advances the debugger until it has reached its goal or finished its search.
///
/// # Errors
/// If a signal asks to stop.
pub(crate) fn finish(
    debugger: &mut Debugger,
    name: &str,
    signals: &Signals,
) -> Result<(), Failure> {
    let mut progress = ProgressLine::new();
    while debugger.is_busy() {
        debugger.advance(u64::MAX);
        let at = match debugger.activity() {
            Activity::Searching(down_to) => down_to,
            _ => debugger.history().moment(),
        };
        progress.update(name, at);
        signals.check()?;
    }
    progress.clear();
    Ok(())
}
