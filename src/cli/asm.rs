//! `gray1 asm`: source in, image out.

use super::messages::{MessageOptions, Messages};
use super::{Failure, Outcome, OutputOptions};
use crate::program::{self, LoadFailure};

#[derive(clap::Args)]
pub(super) struct Options {
    /// The source file; `-` is standard input
    source: String,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    pub(super) messages: MessageOptions,
}

pub(super) fn asm(options: &Options, messages: &mut Messages) -> Outcome {
    let assembly = program::assemble(&options.source).map_err(Failure::Load)?;
    match &assembly.image {
        Some(image) => {
            messages.assembly(&assembly);
            options.output.write(image, &options.source)
        }
        None => Err(Failure::Load(LoadFailure::Source(Box::new(assembly)))),
    }
}
