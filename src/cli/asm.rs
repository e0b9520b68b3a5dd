//! `gray1 asm`: source in, image out.

use super::messages::{MessageFormat, Messages};
use super::{Failure, Outcome, OutputOptions};
use crate::program::{self, LoadFailure};

#[derive(clap::Args)]
pub(super) struct Options {
    /// The source file; `-` is standard input
    source: String,
    #[command(flatten)]
    output: OutputOptions,
    /// How to say what is wrong
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(super) message_format: MessageFormat,
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
