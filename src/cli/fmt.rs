//! `gray1 fmt`: formats sources.

use std::path::{Path, PathBuf};

use gray1_asm::{Diagnostic, Files};
use gray1_isa::source_text::lines;

use super::shared::complete;
use super::shared::messages::Messages;
use super::shared::outcome::{Done, Failure, cannot_write, print};
use crate::files;
use crate::program;

/// Format source files
#[derive(clap::Args)]
pub(super) struct FmtOptions {
    /// The files to format in place; `-` formats standard input to standard output
    #[arg(required = true, value_name = "FILE", add = complete::sources())]
    files: Vec<PathBuf>,
    /// Change nothing; list the files that are not formatted, and fail if there are any
    #[arg(long)]
    check: bool,
    /// Treat each file as part of a source, such as a selection in an editor: format all lines
    /// without mistakes, leave the others unchanged, and report nothing
    #[arg(long, conflicts_with = "check")]
    fragment: bool,
}

/// Formats all files, even if some have errors.
pub(super) fn fmt(options: &FmtOptions, messages: &mut Messages) -> Done {
    let mut known = Files::default();
    let mut errors = Vec::new();
    for path in &options.files {
        let done =
            if options.fragment { part(path) } else { file(path, options.check, &mut known) };
        if let Err(mut found) = done {
            errors.append(&mut found);
        }
    }
    messages.render(&errors, &known);
    if errors.is_empty() { Done::Success } else { Done::Refuted }
}

/// Formats a file, or checks whether it is formatted.
fn file(path: &Path, check: bool, known: &mut Files) -> Result<(), Vec<Diagnostic>> {
    let source = program::read_source(path).map_err(|failure| Vec::from_iter(failure.message()))?;
    let (name, text) = (source.name.clone(), source.text.clone());
    let formatted = gray1_asm::format(source, known)?;
    let is_same = formatted == text;
    if check && !is_same {
        let line = lines(&text).zip(lines(&formatted)).take_while(|(a, b)| a == b).count() + 1;
        let message = format!("{name} is not formatted: see line {line}");
        let _ = print(&format!("{name}\n"));
        return Err(vec![Diagnostic::error(message)]);
    }
    if check || (is_same && path.as_os_str() != files::STDIO) {
        return Ok(());
    }
    rewrite(path, formatted.as_bytes())
}

/// Formats the lines of a file. A file that is not UTF-8 stays unchanged.
fn part(path: &Path) -> Result<(), Vec<Diagnostic>> {
    let name = files::printable(path);
    let bytes = files::read(path)
        .map_err(|error| vec![Diagnostic::error(format!("cannot read {name}: {error}"))])?;
    match std::str::from_utf8(&bytes) {
        Ok(text) => rewrite(path, gray1_asm::format_lines(text).as_bytes()),
        Err(_) => rewrite(path, &bytes),
    }
}

fn rewrite(path: &Path, bytes: &[u8]) -> Result<(), Vec<Diagnostic>> {
    match files::rewrite(path, bytes).map_err(|error| cannot_write(path, &error)) {
        Err(Failure::Message(message)) => Err(vec![Diagnostic::error(message)]),
        _ => Ok(()),
    }
}
