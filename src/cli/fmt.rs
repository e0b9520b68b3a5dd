//! `gray1 fmt`: sources in the one style.

use std::path::{Path, PathBuf};

use gray1_asm::{Diagnostic, Files};
use gray1_isa::source_text::lines;

use super::messages::Messages;
use super::{Done, Failure, cannot_write};
use crate::files;
use crate::program;

#[derive(clap::Args)]
pub(super) struct FmtOptions {
    /// The sources, formatted in place; `-` is standard input, formatted to standard output
    #[arg(required = true, value_name = "FILE", add = super::complete::sources())]
    files: Vec<PathBuf>,
    /// Change nothing; list the files that are not formatted, and fail if there are any
    #[arg(long)]
    check: bool,
}

/// Formats all files, even if some have errors.
pub(super) fn fmt(options: &FmtOptions, messages: &mut Messages) -> Done {
    let mut known = Files::default();
    let mut errors = Vec::new();
    for path in &options.files {
        if let Err(mut found) = file(path, options.check, &mut known) {
            errors.append(&mut found);
        }
    }
    messages.render(&errors, &known);
    if errors.is_empty() { Done::Well } else { Done::Refuted }
}

/// Formats a file, or checks whether it is formatted.
fn file(path: &Path, check: bool, known: &mut Files) -> Result<(), Vec<Diagnostic>> {
    let source = program::source_at(path).map_err(|failure| Vec::from_iter(failure.message()))?;
    let (name, text) = (source.name.clone(), source.text.clone());
    let formatted = gray1_asm::format(source, known)?;
    let error = |message| vec![Diagnostic::error(message)];
    let is_same = formatted == text;
    if check && !is_same {
        let line = lines(&text).zip(lines(&formatted)).take_while(|(a, b)| a == b).count() + 1;
        return Err(error(format!("{name} is not formatted, from line {line} on")));
    }
    if check || (is_same && path.as_os_str() != files::STDIO) {
        return Ok(());
    }
    match files::rewrite(path, formatted.as_bytes()).map_err(|error| cannot_write(path, &error)) {
        Err(Failure::Message(message)) => Err(error(message)),
        _ => Ok(()),
    }
}
