//! Writes the waveform file of a run on the chips, for a range of instructions.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use gray1_circuit::{Circuit, Timing};
use gray1_debugger::{NO_CONDITIONS, Run, Watch};
use gray1_hardware::vcd::{Vcd, VcdStyle};
use gray1_isa::text::{grouped, parse_number};
use gray1_sim::{BoardEngine, Engine, EngineError};

use crate::cli::shared::outcome::{Failure, cannot_write, failure};
use crate::files::Output;

/// A range of instructions, counted from 0, end excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InstructionWindow {
    from: u64,
    to: u64,
}

impl Default for InstructionWindow {
    fn default() -> Self {
        Self { from: 0, to: u64::MAX }
    }
}

impl fmt::Display for InstructionWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to {
            u64::MAX => write!(f, "{}..", self.from),
            to => write!(f, "{}..{to}", self.from),
        }
    }
}

impl FromStr for InstructionWindow {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected FROM..TO with instruction numbers, FROM below TO";
        let (from, to) = text.split_once("..").ok_or(EXPECTED)?;
        let number = |text: &str, missing| match text {
            "" => Ok(missing),
            digits => parse_number(digits).ok_or(EXPECTED),
        };
        let window = Self { from: number(from, 0)?, to: number(to, u64::MAX)? };
        if window.from < window.to { Ok(window) } else { Err(EXPECTED) }
    }
}

/// A waveform file that is being written.
pub(super) struct Waveform {
    pub(super) path: PathBuf,
    window: InstructionWindow,
    style: VcdStyle,
    /// `None` only during a change of state.
    file: Option<WaveformState>,
}

/// The states of a waveform file.
enum WaveformState {
    /// The window has not begun.
    Waiting(Output),
    /// The window is open. A recording machine on the timed engine follows the one that runs the
    /// program.
    Open(Vcd<Output>, Box<Run>),
    /// The window is closed.
    Closed(Output),
}

/// A fixed seed, so that waveforms are reproducible.
const SEED: u64 = 1;

impl Waveform {
    pub(super) fn new(
        path: &Path,
        window: InstructionWindow,
        style: VcdStyle,
        engine: &dyn Engine,
    ) -> Result<Self, Failure> {
        if engine.circuit().is_none() {
            let why = "`--vcd` needs `--engine chips` or `timed`";
            return Err(Failure::Usage(why.to_owned()));
        }
        let output = Output::create(path).map_err(|error| cannot_write(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            window,
            style,
            file: Some(WaveformState::Waiting(output)),
        })
    }

    /// Begins or ends the recording at the limits of the window. Returns the moment up to which the
    /// machine may run next.
    pub(super) fn next(&mut self, run: &Run) -> Result<u64, Failure> {
        let (now, engine) = (run.moment(), run.engine());
        let file = match (self.file.take(), engine.circuit()) {
            (Some(WaveformState::Waiting(output)), Some(circuit)) if now >= self.window.from => {
                let recorder = recorder(engine, circuit)?;
                let levels = recorder.circuit().map(Circuit::levels).unwrap_or_default();
                let time = recorder.circuit().and_then(Circuit::time_ps).unwrap_or_default();
                let recorder = Box::new(run.on(recorder));
                let vcd = Vcd::new(output, circuit.board(), &levels, time, self.style);
                WaveformState::Open(self.map_error(vcd)?, recorder)
            }
            (Some(WaveformState::Open(vcd, recorder)), _) if now >= self.window.to => {
                WaveformState::Closed(self.map_error(end(vcd, &recorder))?)
            }
            (Some(file), _) => file,
            (None, _) => return Ok(u64::MAX),
        };
        let next = match file {
            WaveformState::Waiting(_) => self.window.from,
            WaveformState::Open(..) => self.window.to,
            WaveformState::Closed(_) => u64::MAX,
        };
        self.file = Some(file);
        Ok(next)
    }

    /// Lets the recorder catch up with the machine that runs the program.
    pub(super) fn follow(&mut self, run: &Run) -> Result<(), Failure> {
        let Some(WaveformState::Open(vcd, recorder)) = &mut self.file else { return Ok(()) };
        // The edge at which a board fails is the most interesting one.
        let edges = run.engine().edges() + u32::from(run.engine().error().is_some());
        while recorder.moment() < run.moment() || recorder.engine().edges() < edges {
            if recorder.next(&mut Watch::edges(&NO_CONDITIONS), u64::MAX).is_none() {
                break;
            }
            let changes = recorder.engine().circuit().map(Circuit::changes).unwrap_or_default();
            vcd.changes(changes).map_err(|error| cannot_write(&self.path, &error))?;
        }
        recorder.take_output();
        Ok(())
    }

    /// The error that stopped the recorder.
    pub(super) fn error(&self) -> Option<&EngineError> {
        match self.file.as_ref()? {
            WaveformState::Open(_, recorder) => recorder.engine().error(),
            WaveformState::Waiting(_) | WaveformState::Closed(_) => None,
        }
    }

    /// Whether the run has reached the window.
    pub(super) fn has_begun(&self) -> bool {
        !matches!(self.file, Some(WaveformState::Waiting(_)))
    }

    /// Completes the file. Fails if the run ended before the window.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        let output = match self.file.take() {
            Some(WaveformState::Waiting(_)) => {
                let from = grouped(self.window.from);
                return Err(failure(format!(
                    "no waveform: the run ended before instruction {from}, where --vcd-window begins"
                )));
            }
            Some(WaveformState::Closed(output)) => Ok(output),
            Some(WaveformState::Open(vcd, recorder)) => end(vcd, &recorder),
            None => return Ok(()),
        };
        self.map_error(output.and_then(Output::finish))
    }

    fn map_error<T>(&self, result: std::io::Result<T>) -> Result<T, Failure> {
        result.map_err(|error| cannot_write(&self.path, &error))
    }
}

/// Makes a machine on the timed engine, in the state of another one.
fn recorder(engine: &dyn Engine, circuit: &dyn Circuit) -> Result<Box<dyn Engine>, Failure> {
    if circuit.time_ps().is_some() {
        return Ok(engine.boxed_clone());
    }
    let timing = Timing { mixes: false, ..Timing::new(circuit.board(), SEED) };
    match BoardEngine::timed_from(circuit, timing) {
        Ok(engine) => Ok(Box::new(engine)),
        Err(error) => Err(failure(error.to_string())),
    }
}

/// Ends a dump at the recorder's current moment.
fn end(vcd: Vcd<Output>, recorder: &Run) -> std::io::Result<Output> {
    vcd.finish(recorder.engine().circuit().and_then(Circuit::time_ps).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_may_be_open_at_either_end() {
        for (text, from, to) in [("3..0x9", 3, 9), ("3,000..", 3000, u64::MAX), ("..9", 0, 9)] {
            assert_eq!(text.parse(), Ok(InstructionWindow { from, to }));
        }
        assert_eq!("5..".parse::<InstructionWindow>().unwrap().to_string(), "5..");
        for text in ["", "3", "9..3", "3..3", "a..b", "-1..3"] {
            assert!(text.parse::<InstructionWindow>().is_err(), "{text}");
        }
    }
}
