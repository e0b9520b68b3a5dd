//! `gray1 asm`: assembles a source to an image.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use gray1_asm::Assembly;

use super::shared::complete;
use super::shared::image_file::{OutputOptions, write_image};
use super::shared::messages::Messages;
use super::shared::outcome::{Failure, Outcome, failure};
use super::shared::source_options::{SourceOptions, while_reading};
use crate::files;
use crate::program::{self, LoadFailure};

/// Assemble a source file
#[derive(clap::Args)]
pub(super) struct AsmOptions {
    /// The source file; `-` is standard input
    #[arg(add = complete::sources())]
    source: OsString,
    #[command(flatten)]
    sources: SourceOptions,
    #[command(flatten)]
    output: OutputOptions,
    /// Also write the layout of data memory; `-` is standard output
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Also write a make rule in which the output depends on the source and all files that it
    /// includes; `-` is standard output
    #[arg(short = 'M', long, value_name = "FILE")]
    dependencies: Option<PathBuf>,
}

pub(super) fn asm(options: &AsmOptions, messages: &mut Messages) -> Outcome {
    let AsmOptions { source, sources, output, map, dependencies, .. } = options;
    let target = output.target(source)?;
    if dependencies.is_some() && target.1.as_os_str() == files::STDIO {
        let message = "-M needs a named output: add -o FILE";
        return Err(Failure::Usage(message.to_owned()));
    }
    let assembled =
        while_reading(source, || program::assemble(source, &sources.defines, &sources.folders));
    let mut assembly = assembled.map_err(Failure::Load)?;
    let is_refused = sources.judge(&mut assembly);
    let Some(image) = assembly.image.as_ref().filter(|_| !is_refused) else {
        return Err(Failure::Load(LoadFailure::Source(Box::new(assembly))));
    };
    messages.print_diagnostics(&assembly);
    let layout = assembly.data.to_string();
    let rule = dependencies.as_ref().map(|_| make_rule(&target.1, &assembly)).transpose()?;
    let map = map.as_deref().map(|path| (path, layout.as_bytes()));
    let rule = dependencies.as_deref().zip(rule.as_deref());
    let others: Vec<(&Path, &[u8])> = map.into_iter().chain(rule).collect();
    write_image(image, target, &others, messages)
}

/// Makes a rule in which the output depends on the source and on its included files, except
/// built-in ones. Each included file also gets an empty rule, so that make continues when the file
/// and the line that includes it are deleted.
fn make_rule(target: &Path, assembly: &Assembly) -> Result<Vec<u8>, Failure> {
    let files: Vec<PathBuf> = assembly.files.iter().filter_map(program::file_path).collect();
    let mut rule = [&escape(target, Side::Target)?, &b":"[..]].concat();
    for file in &files {
        rule.extend([b" ", &*escape(file, Side::Prerequisite)?].concat());
    }
    rule.push(b'\n');
    for file in files.iter().skip(1) {
        rule.extend([&*escape(file, Side::Target)?, b":\n"].concat());
    }
    Ok(rule)
}

/// The side of a rule on which a file name appears.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Target,
    Prerequisite,
}

/// Escapes a file name for GNU make.
///
/// # Errors
/// If make cannot express the name.
fn escape(name: &Path, side: Side) -> Result<Vec<u8>, Failure> {
    let bytes = name.as_os_str().as_encoded_bytes();
    let mut pairs = bytes.windows(2);
    let hides_sign = pairs.any(|pair| pair[0] == b'\\' && b" #%:|".contains(&pair[1]));
    let ends_badly = bytes.ends_with(b" ") || bytes.ends_with(b"\\");
    let is_unreadable = bytes.iter().any(|byte| matches!(byte, b';' | b'=' | 0..b' '));
    if ends_badly || is_unreadable || hides_sign {
        let name = files::printable(name);
        return Err(failure(format!("-M: a make rule cannot contain the name {name}")));
    }
    let mut escaped = Vec::new();
    for &byte in bytes {
        match byte {
            b'$' => escaped.push(b'$'),
            b' ' | b'#' | b':' => escaped.push(b'\\'),
            b'%' if side == Side::Target => escaped.push(b'\\'),
            b'|' if side == Side::Prerequisite => escaped.push(b'\\'),
            _ => {}
        }
        escaped.push(byte);
    }
    Ok(escaped)
}
