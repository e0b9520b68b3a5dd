//! `gray1 list`: the built-in programs with their titles.

use std::fmt::Write as _;

use gray1_programs as builtin;

use super::{Done, Failure, Outcome, print};
use crate::{files, program};

pub(super) fn list() -> Outcome {
    let width = builtin::programs().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for (name, _) in builtin::programs() {
        let program = program::load(name).map_err(Failure::Load)?;
        let title = files::printable(program.image.title().unwrap_or_default());
        writeln!(text, "{name:width$}  {title}").expect("a String takes all");
    }
    print(&text).map(|()| Done::Well)
}
