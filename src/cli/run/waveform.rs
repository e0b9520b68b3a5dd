//! Writes the waveform file of a run on the chips, for a range of instructions.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use gray1_circuit::{Circuit, Timing};
use gray1_debugger::Run;
use gray1_hardware::vcd::{Vcd, VcdStyle};
use gray1_isa::text::{grouped, parse_number};
use gray1_isa::{Image, RomIndex};
use gray1_sim::Engine;

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

/// The options for a waveform file.
#[derive(Default, clap::Args)]
pub(super) struct WaveformOptions {
    /// Write the waveform of every wire of the board to this file, as a value change dump (VCD);
    /// needs `--engine chips` or `timed`
    #[arg(long, value_name = "FILE")]
    pub(super) vcd: Option<PathBuf>,
    /// Write only the waveform from instruction FROM up to but not including TO, counted from 0
    #[arg(long, value_name = "FROM..TO", default_value_t, requires = "vcd")]
    vcd_window: InstructionWindow,
    /// Write each wire separately and times in ns, because sigrok and `PulseView` cannot read
    /// vectors
    #[arg(long, requires = "vcd")]
    vcd_wires: bool,
    /// Also write two strings, the instruction and its source line, which `GTKWave` and Surfer show
    #[arg(long, requires = "vcd", conflicts_with = "vcd_wires")]
    vcd_text: bool,
}

impl WaveformOptions {
    /// Creates the file, if these options ask for one.
    pub(super) fn create(
        &self,
        engine: &dyn Engine,
        image: &Arc<Image>,
    ) -> Result<Option<Waveform>, Failure> {
        let style = match (self.vcd_wires, self.vcd_text) {
            (true, _) => VcdStyle::Wires,
            (_, true) => VcdStyle::Annotated,
            _ => VcdStyle::Buses,
        };
        let path = self.vcd.as_deref();
        path.map(|path| Waveform::new(path, self.vcd_window, style, engine, image)).transpose()
    }
}

/// A waveform file that is being written.
pub(super) struct Waveform {
    pub(super) path: PathBuf,
    window: InstructionWindow,
    style: VcdStyle,
    /// `None` only during a change of state.
    file: Option<WaveformState>,
    /// The length of a phase in a waveform without delays, and the time of its last change.
    phase_ps: u64,
    now_ps: u64,
    image: Arc<Image>,
}

/// The states of a waveform file.
enum WaveformState {
    /// The window has not begun.
    Waiting(Output),
    /// The window is open.
    Open(Vcd<Output>),
    /// The window is closed.
    Closed(Output),
}

impl Waveform {
    fn new(
        path: &Path,
        window: InstructionWindow,
        style: VcdStyle,
        engine: &dyn Engine,
        image: &Arc<Image>,
    ) -> Result<Self, Failure> {
        let Some(circuit) = engine.circuit() else {
            let why = "`--vcd` needs `--engine chips` or `timed`";
            return Err(Failure::Usage(why.to_owned()));
        };
        let output = Output::create(path).map_err(|error| cannot_write(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            window,
            style,
            file: Some(WaveformState::Waiting(output)),
            phase_ps: Timing::new(circuit.board(), 0).phase_ps,
            now_ps: 0,
            image: Arc::clone(image),
        })
    }

    /// Begins or ends the recording at the limits of the window. Returns the moment up to which the
    /// machine may run next.
    pub(super) fn next(&mut self, run: &Run) -> Result<u64, Failure> {
        let (now, engine) = (run.moment(), run.engine());
        let file = match (self.file.take(), engine.circuit()) {
            (Some(WaveformState::Waiting(output)), Some(circuit)) if now >= self.window.from => {
                let (levels, time_ps) = (circuit.levels(), circuit.time_ps().unwrap_or_default());
                let vcd = Vcd::new(output, circuit.board(), &levels, time_ps, self.style);
                let mut vcd = self.map_error(vcd)?;
                self.map_error(annotate(&mut vcd, time_ps, engine.pc(), &self.image))?;
                WaveformState::Open(vcd)
            }
            (Some(WaveformState::Open(vcd)), Some(circuit)) if now >= self.window.to => {
                WaveformState::Closed(self.map_error(vcd.finish(self.end_ps(circuit)))?)
            }
            (Some(file), _) => file,
            (None, _) => return Ok(u64::MAX),
        };
        let next = match file {
            WaveformState::Waiting(_) => self.window.from,
            WaveformState::Open(_) => self.window.to,
            WaveformState::Closed(_) => u64::MAX,
        };
        self.file = Some(file);
        Ok(next)
    }

    /// Whether the window is open, so that every edge must be recorded.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.file, Some(WaveformState::Open(_)))
    }

    /// Records what the last edge or input changed. Without delays, each of them takes a phase.
    /// After an edge that completed an instruction, the next one begins.
    pub(super) fn record(
        &mut self,
        engine: &dyn Engine,
        is_completed: bool,
    ) -> Result<(), Failure> {
        let (Some(WaveformState::Open(vcd)), Some(circuit)) = (&mut self.file, engine.circuit())
        else {
            return Ok(());
        };
        let mut recorded = if circuit.time_ps().is_some() {
            vcd.changes(circuit.changes())
        } else {
            self.now_ps += self.phase_ps;
            vcd.settled(self.now_ps, circuit.levels())
        };
        if is_completed && recorded.is_ok() {
            let time_ps = circuit.time_ps().unwrap_or(self.now_ps);
            recorded = annotate(vcd, time_ps, engine.pc(), &self.image);
        }
        recorded.map_err(|error| cannot_write(&self.path, &error))
    }

    /// The end of the last phase.
    fn end_ps(&self, circuit: &dyn Circuit) -> u64 {
        circuit.time_ps().unwrap_or(self.now_ps + self.phase_ps)
    }

    /// Whether the run has reached the window.
    pub(super) fn has_begun(&self) -> bool {
        !matches!(self.file, Some(WaveformState::Waiting(_)))
    }

    /// Completes the file. Fails if the run ended before the window.
    pub(super) fn finish(mut self, engine: &dyn Engine) -> Result<(), Failure> {
        let output = match (self.file.take(), engine.circuit()) {
            (Some(WaveformState::Waiting(_)), _) => {
                let from = grouped(self.window.from);
                return Err(failure(format!(
                    "no waveform: the run ended before instruction {from}, where --vcd-window begins"
                )));
            }
            (Some(WaveformState::Closed(output)), _) => Ok(output),
            (Some(WaveformState::Open(vcd)), Some(circuit)) => vcd.finish(self.end_ps(circuit)),
            _ => return Ok(()),
        };
        self.map_error(output.and_then(Output::finish))
    }

    fn map_error<T>(&self, result: std::io::Result<T>) -> Result<T, Failure> {
        result.map_err(|error| cannot_write(&self.path, &error))
    }
}

/// Writes the next instruction and its source line.
fn annotate(vcd: &mut Vcd<Output>, time_ps: u64, pc: RomIndex, image: &Image) -> io::Result<()> {
    vcd.annotate(time_ps, [&image.instruction(pc), &image.line_or_place(pc)])
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
