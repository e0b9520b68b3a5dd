//! `gray1 convert`: writes a program in another format.

use std::ffi::OsString;

use super::shared::complete;
use super::shared::image_file::{OutputOptions, write_image};
use super::shared::messages::Messages;
use super::shared::outcome::Outcome;
use super::shared::source_options::{SourceOptions, load};

/// Convert a program to another format
#[derive(clap::Args)]
pub(super) struct ConvertOptions {
    /// The program: a path, `-`, or a built-in name
    #[arg(add = complete::programs())]
    program: OsString,
    #[command(flatten)]
    sources: SourceOptions,
    #[command(flatten)]
    output: OutputOptions,
}

pub(super) fn convert(options: &ConvertOptions, messages: &mut Messages) -> Outcome {
    let target = options.output.target(&options.program)?;
    let program = load(&options.program, &options.sources, messages)?;
    write_image(&program.image, target, &[], messages)
}
