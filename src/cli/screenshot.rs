//! `gray1 screenshot`: the front end without a terminal, as a picture.

use std::path::PathBuf;

use super::messages::Messages;
use super::watch::Shelf;
use super::{Done, Outcome, cannot_write, load};
use crate::files;
use crate::program::Program;
use crate::tui::{self, Opened, PictureFormat, Script};

/// The largest screen, in columns and rows: larger than any terminal, small enough to draw.
const SIDE_MAX: u16 = 500;

#[derive(clap::Args)]
pub(super) struct Options {
    /// The program: a path, `-`, or a built-in name
    program: String,
    /// The keys to press, with tmux's names, and waits: `Space wait:2s Space`, `+ + wait:5000i`
    #[arg(long, value_name = "KEYS", default_value = "", allow_hyphen_values = true)]
    keys: Script,
    /// Columns and rows of the screen
    #[arg(long, value_name = "SIZE", default_value = "100x40", value_parser = size)]
    size: (u16, u16),
    /// [default: by the suffix of FILE, else text]
    #[arg(short, long, value_enum)]
    format: Option<PictureFormat>,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE", default_value = files::STDIO, hide_default_value = true)]
    output: PathBuf,
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=SIDE_MAX).contains(side));
    let sides = text.split_once('x').and_then(|(width, height)| side(width).zip(side(height)));
    sides.ok_or_else(|| format!("expected COLUMNSxROWS with sides of 1 to {SIDE_MAX}"))
}

pub(super) fn screenshot(options: &Options, messages: &mut Messages) -> Outcome {
    let Program { name, image, .. } = load(&options.program, messages)?;
    let suffix = options.output.extension().and_then(|suffix| suffix.to_str());
    let by_suffix = suffix.and_then(PictureFormat::from_suffix);
    let format = options.format.or(by_suffix).unwrap_or(PictureFormat::Text);
    let first = Opened { name, image };
    let screens = tui::screenshots(&Shelf, first, &options.keys, options.size, format.moves());
    files::write(&options.output, format.encode(&screens).as_bytes())
        .map(|()| Done::Well)
        .map_err(|error| cannot_write(&options.output.to_string_lossy(), &error))
}
