//! `gray1 asm`: source in, image out.

use std::path::PathBuf;

use super::messages::{MessageOptions, Messages};
use super::{Failure, Outcome, OutputOptions, write};
use crate::program::{self, LoadFailure};

#[derive(clap::Args)]
pub(super) struct Options {
    /// The source file; `-` is standard input
    #[arg(add = super::complete::sources())]
    source: String,
    #[command(flatten)]
    output: OutputOptions,
    /// Also write the layout of data memory; `-` is standard output
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    #[command(flatten)]
    pub(super) messages: MessageOptions,
}

pub(super) fn asm(options: &Options, messages: &mut Messages) -> Outcome {
    let assembly = program::assemble(&options.source).map_err(Failure::Load)?;
    match &assembly.image {
        Some(image) => {
            messages.assembly(&assembly);
            let inputs = program::inputs(&assembly);
            if let Some(path) = &options.map {
                write(path, assembly.data.to_string().as_bytes(), &inputs)?;
            }
            options.output.write(image, &options.source, &inputs)
        }
        None => Err(Failure::Load(LoadFailure::Source(Box::new(assembly)))),
    }
}
