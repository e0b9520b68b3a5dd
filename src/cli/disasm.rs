//! `gray1 disasm`: turns an image into source.

use std::ffi::OsString;
use std::path::PathBuf;

use super::shared::complete;
use super::shared::messages::Messages;
use super::shared::outcome::Outcome;
use super::shared::source_options::{SourceOptions, load};
use crate::files;

/// Turn a program back into source that assembles to the same image
#[derive(clap::Args)]
pub(super) struct DisasmOptions {
    /// The program: a path, `-`, or a built-in name
    #[arg(add = complete::programs())]
    program: OsString,
    #[command(flatten)]
    sources: SourceOptions,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE", default_value = files::STDIO, hide_default_value = true)]
    output: PathBuf,
}

pub(super) fn disasm(options: &DisasmOptions, messages: &mut Messages) -> Outcome {
    let program = load(&options.program, &options.sources, messages)?;
    let source = gray1_asm::disassemble(&program.image);
    messages.write(&[(&options.output, source.as_bytes())])
}
