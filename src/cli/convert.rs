//! `gray1 convert`: writes a program in another format.

use std::ffi::OsString;

use super::messages::{MessageOptions, Messages};
use super::{Outcome, OutputOptions, SourceOptions, load, write_image};

#[derive(clap::Args)]
pub(super) struct ConvertOptions {
    /// The program: a path, `-`, or a built-in name
    #[arg(add = super::complete::programs())]
    program: OsString,
    #[command(flatten)]
    sources: SourceOptions,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    pub(super) messages: MessageOptions,
}

pub(super) fn convert(options: &ConvertOptions, messages: &mut Messages) -> Outcome {
    let target = options.output.target(&options.program)?;
    let program = load(&options.program, &options.sources, messages)?;
    write_image(&program.image, target, &[], messages)
}
