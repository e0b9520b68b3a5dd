//! `gray1 convert`: writes a program in another format.

use super::shared::image_file::{OutputOptions, write_image};
use super::shared::messages::Messages;
use super::shared::outcome::Outcome;
use super::shared::source_options::ProgramOptions;

/// Convert a program to another format
#[derive(clap::Args)]
pub(super) struct ConvertOptions {
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    output: OutputOptions,
}

pub(super) fn convert(options: &ConvertOptions, messages: &mut Messages) -> Outcome {
    let target = options.output.target(&options.program.name)?;
    let program = options.program.load(messages)?;
    write_image(&program.image, target, &[], messages)
}
