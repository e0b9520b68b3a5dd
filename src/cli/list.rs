//! `gray1 list`: prints the built-in programs with their titles.

use gray1_programs as builtin;
use serde_json::json;

use super::shared::options::FormatOptions;
use super::shared::outcome::{Done, Failure, Outcome};
use crate::{files, program};

/// List the built-in programs
#[derive(clap::Args)]
pub(super) struct ListOptions {
    #[command(flatten)]
    format: FormatOptions,
}

pub(super) fn list(options: &ListOptions) -> Outcome {
    let width = builtin::programs().map(|(name, _)| name.len()).max().unwrap_or_default();
    let (mut lines, mut rows) = (Vec::new(), Vec::new());
    for (name, _) in builtin::programs() {
        let program = program::load(name).map_err(Failure::Load)?;
        let title = program.image.title().unwrap_or_default();
        lines.push(format!("{name:width$}  {}\n", files::printable(title)));
        rows.push(json!({ "name": name, "title": title }));
    }
    options.format.print(|| lines.concat(), || json!({ "programs": rows })).map(|()| Done::Success)
}
