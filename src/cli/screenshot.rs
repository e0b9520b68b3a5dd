//! `gray1 screenshot`: draws the front end's screen as a picture, without a terminal.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use gray1_tui::{Background, PictureFormat, Script};
use ratatui::layout::Size;

use super::shared::machine::{self, MachineOptions};
use super::shared::messages::Messages;
use super::shared::options::{choice, pick_format};
use super::shared::outcome::Outcome;
use super::shared::programs::BuiltInAndFiles;
use super::shared::source_options::ProgramOptions;
use crate::files;
use crate::program::LoadedProgram;

/// The maximum number of columns and rows, larger than any terminal.
const SIDE_MAX: u16 = 500;

/// Press keys in the front end and draw its screen, without a terminal
#[derive(clap::Args)]
pub(super) struct ScreenshotOptions {
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    machine: MachineOptions,
    /// The keys to press, by their tmux names, and waits. The machine is paused until a key starts
    /// it: `Space wait:2s Space`, `+ + Space wait:5000i`
    #[arg(
        long,
        value_name = "KEYS",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    keys: Script,
    /// The size of the screen
    #[arg(long, value_name = "COLUMNSxROWS", default_value = "100x40", value_parser = parse_size)]
    size: Size,
    /// The format [default: by the suffix of FILE; without one, text]
    #[arg(short, long, value_parser = choice(&FORMATS, possible_value))]
    format: Option<PictureFormat>,
    /// The background to draw on
    #[arg(long, default_value = "dark", value_parser = choice(&THEMES, theme))]
    theme: Background,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE", default_value = files::STDIO, hide_default_value = true)]
    output: PathBuf,
}

fn parse_size(text: &str) -> Result<Size, String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=SIDE_MAX).contains(side));
    let sides = text.split_once('x').and_then(|(width, height)| side(width).zip(side(height)));
    let screen = sides.map(|(width, height)| Size { width, height });
    screen.ok_or_else(|| format!("expected COLUMNSxROWS with sides of 1 to {SIDE_MAX}"))
}

pub(super) fn screenshot(options: &ScreenshotOptions, messages: &mut Messages) -> Outcome {
    let formats = FORMATS.map(|it| (it, it.name(), it.suffix()));
    let format = pick_format(options.format, Some(&options.output), &formats, PictureFormat::Text)?;
    let LoadedProgram { name, image, .. } = options.program.load(messages)?;
    let program = gray1_session::Program::new(name, image);
    let session = machine::session(&options.machine.spec(), program, true, messages)?;
    let programs = BuiltInAndFiles::with(&options.program.name, &options.program.sources, false);
    let (keys, size) = (&options.keys, options.size);
    let picture = gray1_tui::screenshot(programs, session, keys, size, format, options.theme);
    messages.write(&[(&options.output, picture.as_bytes())])
}

const FORMATS: [PictureFormat; 4] =
    [PictureFormat::Text, PictureFormat::Ansi, PictureFormat::Svg, PictureFormat::Cast];

fn possible_value(format: PictureFormat) -> PossibleValue {
    PossibleValue::new(format.name()).help(match format {
        PictureFormat::Text => "The characters",
        PictureFormat::Ansi => "The characters with ANSI colours",
        PictureFormat::Svg => "A picture",
        PictureFormat::Cast => "An animation for asciinema",
    })
}

const THEMES: [Background; 2] = [Background::Dark, Background::Light];

pub(super) fn theme(background: Background) -> PossibleValue {
    let (name, help) = match background {
        Background::Light => ("light", "Dark letters on white"),
        Background::Dark => ("dark", "Light letters on black"),
    };
    PossibleValue::new(name).help(help)
}
