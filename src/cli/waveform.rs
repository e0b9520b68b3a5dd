//! The waveform file of a run on the chips: which instructions it shows, and how it is written.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use gray1_sim::vcd::Vcd;

use super::run::{Options, stuck};
use super::{Failure, cannot_write, failure};
use crate::engine::{Engine, EngineKind};
use crate::files::Output;

/// How many instructions are recorded before the movements are written out: some megabytes.
const CHUNK: u64 = 1 << 12;

/// A range of instructions by their number, counted from 0; the end is not part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    from: u64,
    to: u64,
}

impl Default for Window {
    fn default() -> Self {
        Self { from: 0, to: u64::MAX }
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to {
            u64::MAX => write!(f, "{}..", self.from),
            to => write!(f, "{}..{to}", self.from),
        }
    }
}

impl FromStr for Window {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected FROM..TO with instruction numbers, FROM below TO";
        let (from, to) = text.split_once("..").ok_or(EXPECTED)?;
        let number = |text: &str, missing| match text {
            "" => Ok(missing),
            digits => digits.parse().map_err(|_| EXPECTED),
        };
        let window = Self { from: number(from, 0)?, to: number(to, u64::MAX)? };
        if window.from < window.to { Ok(window) } else { Err(EXPECTED) }
    }
}

/// A waveform file under way.
pub(super) struct Waveform {
    path: String,
    window: Window,
    /// `None` only while it changes.
    file: Option<File>,
    end_ps: u64,
}

/// How far the file has come.
enum File {
    /// The window has not begun.
    Waiting(Output),
    /// The window is open.
    Open(Vcd<Output>),
    /// The window is closed.
    Closed(Vcd<Output>),
}

impl Waveform {
    pub(super) fn new(path: &Path, options: &Options) -> Result<Self, Failure> {
        if options.engine != EngineKind::Chips {
            return Err(failure("only chips have lines to show: add --engine chips"));
        }
        let name = path.to_string_lossy().into_owned();
        let output = Output::create(path).map_err(|error| cannot_write(&name, &error))?;
        Ok(Self {
            path: name,
            window: options.vcd_window,
            file: Some(File::Waiting(output)),
            end_ps: 0,
        })
    }

    /// Begins or ends the recording where the window says; how many instructions may come next.
    pub(super) fn before(&mut self, engine: &mut Engine) -> Result<u64, Failure> {
        let now = engine.executed();
        let Engine::Chips(chips) = engine else { return Ok(u64::MAX) };
        let file = match self.file.take() {
            Some(File::Waiting(output)) if now >= self.window.from => {
                let levels = chips.start_recording().map_err(stuck)?;
                File::Open(self.put(Vcd::new(output, chips.board(), &levels))?)
            }
            Some(File::Open(vcd)) if now >= self.window.to => {
                chips.stop_recording().map_err(stuck)?;
                File::Closed(vcd)
            }
            Some(file) => file,
            None => return Ok(u64::MAX),
        };
        let next = match file {
            File::Waiting(_) => self.window.from - now,
            File::Open(_) => (self.window.to - now).min(CHUNK),
            File::Closed(_) => u64::MAX,
        };
        self.file = Some(file);
        Ok(next)
    }

    /// Writes down what was recorded.
    pub(super) fn after(&mut self, engine: &mut Engine) -> Result<(), Failure> {
        if let (Some(File::Open(vcd)), Engine::Chips(chips)) = (&mut self.file, engine) {
            let (changes, now_ps) = chips.take_changes();
            self.end_ps = now_ps;
            let written = vcd.changes(&changes);
            return self.put(written);
        }
        Ok(())
    }

    /// Puts the file in its place. If the program ended before its window, the file is empty.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let Self { path, file, end_ps, .. } = self;
        let output = match file {
            Some(File::Waiting(output)) => Ok(output),
            Some(File::Open(vcd) | File::Closed(vcd)) => vcd.finish(end_ps),
            None => return Ok(()),
        };
        output.and_then(Output::finish).map_err(|error| cannot_write(&path, &error))
    }

    fn put<T>(&self, result: std::io::Result<T>) -> Result<T, Failure> {
        result.map_err(|error| cannot_write(&self.path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_ranges_that_may_be_open() {
        for (text, from, to) in [("3..9", 3, 9), ("3..", 3, u64::MAX), ("..9", 0, 9)] {
            assert_eq!(text.parse(), Ok(Window { from, to }));
        }
        assert_eq!("5..".parse::<Window>().unwrap().to_string(), "5..");
        for text in ["", "3", "9..3", "3..3", "a..b", "-1..3"] {
            assert!(text.parse::<Window>().is_err(), "{text}");
        }
    }
}
