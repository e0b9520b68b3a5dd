//! `gray1 record`: records the LED display as an animation.

use std::path::PathBuf;

use clap::ValueEnum;
use gray1_debugger::Run;
use gray1_tui::recording::{FRAMES_MAX, Recording};

use super::shared::machine::{self, MachineOptions, check};
use super::shared::messages::Messages;
use super::shared::options::{number_in, pick_format};
use super::shared::outcome::Outcome;
use super::shared::source_options::ProgramOptions;
use crate::program::LoadedProgram;

/// The file formats of recordings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RecordingFormat {
    /// An animation for all browsers
    Gif,
}

/// Record the LED display as an animation
#[derive(clap::Args)]
pub(super) struct RecordOptions {
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    machine: MachineOptions,
    /// The file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The format [default: by the suffix of FILE; without one, gif]
    #[arg(short, long, value_enum)]
    format: Option<RecordingFormat>,
    /// The number of LED changes to record
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = number_in(1..=FRAMES_MAX))]
    changes: u32,
    /// The number of LED changes to skip first
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number_in(0..=u32::MAX))]
    skip: u32,
    /// The number of LED changes per second
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number_in(1..=50_u16))]
    rate: u16,
    /// Write only the last of these changes, as a still picture
    #[arg(long)]
    still: bool,
}

pub(super) fn record(options: &RecordOptions, messages: &mut Messages) -> Outcome {
    let formats = [(RecordingFormat::Gif, "gif", "gif")];
    pick_format(options.format, Some(&options.output), &formats, RecordingFormat::Gif)?;
    let LoadedProgram { image, .. } = options.program.load(messages)?;
    let engine = machine::engine(&options.machine.spec(), &image, messages)?;
    let mut run = Run::new(engine, []);
    let recording = Recording::record(&mut run, options.skip, options.changes, 100 / options.rate);
    check(run.engine())?;
    let recording = if options.still { recording.into_still() } else { recording };
    messages.write(&[(&options.output, &recording.gif())])
}
