//! The processor time of a thread, which counts less of what else the computer does than the time
//! on the wall.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The processor time that something takes in this thread, and its result.
pub(crate) fn timed<T>(run: impl FnOnce() -> T) -> (Duration, T) {
    let start = processor_time();
    let value = run();
    (processor_time().saturating_sub(start), value)
}

fn processor_time() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().expect("a time since the start")
}
