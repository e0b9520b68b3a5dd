//! `gray1 asm`: source in, image out.

use std::path::PathBuf;

use super::messages::{MessageOptions, Messages};
use super::{Failure, Outcome, OutputOptions, SourceOptions};
use crate::program::{self, LoadFailure};

#[derive(clap::Args)]
pub(super) struct AsmOptions {
    /// The source file; `-` is standard input
    #[arg(add = super::complete::sources())]
    source: String,
    #[command(flatten)]
    sources: SourceOptions,
    #[command(flatten)]
    output: OutputOptions,
    /// Also write the layout of data memory; `-` is standard output
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    #[command(flatten)]
    pub(super) messages: MessageOptions,
}

pub(super) fn asm(options: &AsmOptions, messages: &mut Messages) -> Outcome {
    let assembly =
        program::assemble(&options.source, &options.sources.defines, &options.sources.folders)
            .map_err(Failure::Load)?;
    match &assembly.image {
        Some(image) => {
            messages.assembly(&assembly);
            let layout = assembly.data.to_string();
            let map = options.map.as_deref().map(|path| (path, layout.as_bytes()));
            options.output.write(image, &options.source, map, messages)
        }
        None => Err(Failure::Load(LoadFailure::Source(Box::new(assembly)))),
    }
}
