//! `gray1 asm`: source in, image out.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use gray1_asm::Assembly;

use super::messages::{MessageOptions, Messages};
use super::{Failure, Outcome, OutputOptions, SourceOptions, write_image};
use crate::files;
use crate::program::{self, LoadFailure};

#[derive(clap::Args)]
pub(super) struct AsmOptions {
    /// The source file; `-` is standard input
    #[arg(add = super::complete::sources())]
    source: OsString,
    #[command(flatten)]
    sources: SourceOptions,
    #[command(flatten)]
    output: OutputOptions,
    /// Also write the layout of data memory; `-` is standard output
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Also write a rule for make: what the output depends on, which is the source and all files
    /// that it includes; `-` is standard output
    #[arg(short = 'M', long, value_name = "FILE")]
    dependencies: Option<PathBuf>,
    #[command(flatten)]
    pub(super) messages: MessageOptions,
}

pub(super) fn asm(options: &AsmOptions, messages: &mut Messages) -> Outcome {
    let AsmOptions { source, sources, output, map, dependencies, .. } = options;
    let target = output.target(source)?;
    if dependencies.is_some() && target.1.as_os_str() == files::STDIO {
        let message = "-M needs the name of an output: give one by -o FILE";
        return Err(Failure::Usage(message.to_owned()));
    }
    let assembly =
        program::assemble(source, &sources.defines, &sources.folders).map_err(Failure::Load)?;
    let Some(image) = &assembly.image else {
        return Err(Failure::Load(LoadFailure::Source(Box::new(assembly))));
    };
    messages.assembly(&assembly)?;
    let (layout, rule) = (assembly.data.to_string(), rule(&target.1, &assembly));
    let map = map.as_deref().map(|path| (path, layout.as_bytes()));
    let rule = dependencies.as_deref().map(|path| (path, &*rule));
    let beside: Vec<(&Path, &[u8])> = map.into_iter().chain(rule).collect();
    write_image(image, target, &beside, messages)
}

/// The rule that an output depends on the source and the files that it includes, but for those
/// that are built in.
fn rule(target: &Path, assembly: &Assembly) -> Vec<u8> {
    let mut rule = escaped(target);
    rule.push(b':');
    for path in assembly.files.iter().filter_map(program::path_of) {
        rule.push(b' ');
        rule.extend(escaped(&path));
    }
    rule.push(b'\n');
    rule
}

/// A file name as make reads it, which takes any bytes.
fn escaped(name: &Path) -> Vec<u8> {
    let mut escaped = Vec::new();
    for &byte in name.as_os_str().as_encoded_bytes() {
        match byte {
            b' ' | b'#' | b'%' => escaped.extend([b'\\', byte]),
            b'$' => escaped.extend(b"$$"),
            _ => escaped.push(byte),
        }
    }
    escaped
}
