//! Shows the progress of a long run on a terminal.

use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use gray1_isa::text::grouped;

use super::messages::{GlobalOptions, write_stderr};
use super::outcome::{Failure, print};

/// The time between two messages. Shorter runs show none.
const PERIOD: Duration = Duration::from_millis(400);
/// Moves to the start of the line and erases it.
const ERASE: &str = "\r\x1b[K";

/// A line on standard error that is updated while a program runs.
pub(crate) struct ProgressLine {
    is_terminal: bool,
    updated: Instant,
    is_shown: bool,
    /// True if the program's output on the same terminal has begun a line.
    is_in_line: bool,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        let is_terminal = io::stderr().is_terminal() && !GlobalOptions::get().is_quiet();
        Self { is_terminal, updated: Instant::now(), is_shown: false, is_in_line: false }
    }

    /// Prints output of the program in place of the line.
    pub(crate) fn print(&mut self, output: &[u8]) -> Result<(), Failure> {
        if let Some(last) = output.last() {
            self.clear();
            let is_in_line = *last != b'\n' && io::stdout().is_terminal();
            self.is_in_line = is_in_line && io::stderr().is_terminal();
        }
        print(output)
    }

    /// Ends the line that the program's output has begun.
    pub(crate) fn end_line(&mut self) {
        self.clear();
        if std::mem::take(&mut self.is_in_line) {
            write_stderr("\n");
        }
    }

    /// Shows the progress of a run, if it is time to.
    pub(crate) fn update(&mut self, name: &str, instructions: u64) {
        self.show(|| format!("{name:.50}: {} instructions", grouped(instructions)));
    }

    /// Replaces the line, if it is time to.
    pub(crate) fn show(&mut self, line: impl FnOnce() -> String) {
        if self.is_terminal && !self.is_in_line && self.updated.elapsed() >= PERIOD {
            write_stderr(&format!("{ERASE}{}", line()));
            self.updated = Instant::now();
            self.is_shown = true;
        }
    }

    /// Shows a line while a task runs that cannot report its progress, if it is not short.
    pub(crate) fn during<T>(line: &str, task: impl FnOnce() -> T) -> T {
        let mut progress = Self::new();
        if !progress.is_terminal {
            return task();
        }
        let (running, ended) = mpsc::channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                if ended.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                    progress.show(|| line.to_owned());
                    // The sender is dropped when the task has ended.
                    let _ = ended.recv();
                }
            });
            let result = task();
            drop(running);
            result
        })
    }

    /// Erases the line.
    pub(crate) fn clear(&mut self) {
        if self.is_shown {
            write_stderr(ERASE);
            self.is_shown = false;
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_shown_only_for_long_runs_on_a_terminal() {
        for (is_terminal, has_waited, is_shown) in
            [(true, true, true), (true, false, false), (false, true, false), (false, false, false)]
        {
            let wait = if has_waited { 2 * PERIOD } else { Duration::ZERO };
            let updated = Instant::now().checked_sub(wait).expect("this system runs for seconds");
            let mut progress =
                ProgressLine { is_terminal, updated, is_shown: false, is_in_line: false };
            progress.update("p", 1);
            assert_eq!(progress.is_shown, is_shown, "{is_terminal} {has_waited}");
            progress.update("p", 2);
            assert_eq!(progress.updated.elapsed() >= PERIOD, has_waited && !is_shown);
            progress.clear();
            assert!(!progress.is_shown);
        }
    }
}
