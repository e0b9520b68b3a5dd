//! `gray1 disasm`: turns an image into source.

use std::path::PathBuf;

use super::shared::messages::Messages;
use super::shared::outcome::Outcome;
use super::shared::source_options::ProgramOptions;
use crate::files;

/// Turn a program back into source that assembles to the same image
#[derive(clap::Args)]
pub(super) struct DisasmOptions {
    #[command(flatten)]
    program: ProgramOptions,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE", default_value = files::STDIO, hide_default_value = true)]
    output: PathBuf,
}

pub(super) fn disasm(options: &DisasmOptions, messages: &mut Messages) -> Outcome {
    let program = options.program.load(messages)?;
    let source = gray1_asm::disassemble(&program.image);
    messages.write(&[(&options.output, source.as_bytes())])
}
