//! The processor time of a thread. Other load on the computer affects it less than it affects
//! elapsed time.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Runs something in this thread. Returns its processor time and its result.
pub(crate) fn timed<T>(run: impl FnOnce() -> T) -> (Duration, T) {
    let start = processor_time();
    let value = run();
    (processor_time().saturating_sub(start), value)
}

fn processor_time() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().expect("a time since the start")
}
