//! `gray1 show`: prints built-in files and the documentation of the library.

use std::fmt::Write as _;

use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use gray1_asm::{Definition, NameKind, find_definitions};
use gray1_programs as builtin;

use super::shared::outcome::{Done, Outcome, failure, print};
use crate::{board, files};

/// The name of the documentation of all libraries.
const LIBRARY: &str = "library";

/// Print a built-in file, or the reference of the library
#[derive(clap::Args)]
pub(super) struct ShowOptions {
    /// A built-in file, such as `lib/std.asm`, `queens` or `gray1.ron`; `library` for the reference
    /// of the library. Without a name, lists all names
    #[arg(add = ArgValueCandidates::new(candidates))]
    name: Option<String>,
}

pub(super) fn show(options: &ShowOptions) -> Outcome {
    let text = match options.name.as_deref() {
        None => names().join("\n") + "\n",
        Some(LIBRARY) => documentation(),
        Some(name) => match file(name) {
            Some(text) => text.to_owned(),
            None => return Err(failure(unknown(name))),
        },
    };
    print(&text).map(|()| Done::Success)
}

/// Completions for a shell.
fn candidates() -> Vec<CompletionCandidate> {
    names().into_iter().chain([LIBRARY.to_owned()]).map(CompletionCandidate::new).collect()
}

/// The names of all built-in files.
fn names() -> Vec<String> {
    let boards = board::names().map(|name| format!("{name}.ron"));
    builtin::FILES.iter().map(|file| file.path.to_owned()).chain(boards).collect()
}

/// The contents of the file of this name. The suffix of a program may be omitted.
fn file(name: &str) -> Option<&'static str> {
    let source = builtin::file(name).or_else(|| builtin::file(&format!("{name}.asm")));
    let board = name.strip_suffix(".ron").and_then(gray1_roms::description);
    source.map(|file| file.text).or(board)
}

fn unknown(name: &str) -> String {
    let names = names();
    let near = gray1_asm::find_nearest(name, names.iter().map(String::as_str));
    let hint = near.map_or_else(|| "`gray1 show` lists them".to_owned(), gray1_asm::did_you_mean);
    format!("there is no built-in file called `{}`; {hint}", files::printable(name))
}

/// The documentation of the library in Markdown, from the `;;` comments of its files.
fn documentation() -> String {
    let mut text = "\
# The library

For people who write programs: the macros and constants of the library, and what they cost.

These files are built in, so `.include \"lib/std.asm\"` works in any folder. This program shows the
bits that 12 and 10 have in common:

```asm
.include \"lib/panel.asm\"
.include \"lib/std.asm\"
.var x
.var y

.pool                           ; stores the constants of the macros
        set  x, 12
        set  y, 10
        and  x, y               ; A is now 8
        ST   GREEN
        HALT
```

In the tables below, `[a]` is the byte at the address a, and `A <- 5` sets A to 5.
`gray1 show library` prints this page, and `gray1 show lib/std.asm` prints a file.
"
    .to_owned();
    let mut files: Vec<_> = builtin::libraries().collect();
    // The library that every program needs comes first.
    files.sort_by_key(|file| file.path != "lib/std.asm");
    for file in files {
        write!(text, "\n## {}\n\n{}", file.path, head(file.text)).expect("a String takes all");
        let definitions = find_definitions(file.text);
        // Comments above labels are captions.
        let offered = definitions.iter().filter(|it| it.kind != NameKind::Label);
        let offered = offered.filter(|it| !it.documentation.is_empty());
        let rows: String = offered.map(row).collect();
        if !rows.is_empty() {
            text += "\n| name | meaning |\n|---|---|\n";
            text += &rows;
        }
    }
    text
}

/// The comment at the start of a file.
fn head(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix(';'));
    let lines: Vec<_> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    lines.join("\n") + "\n"
}

/// The row for a name in the table, with a function's parameters but not its expression.
fn row(definition: &Definition) -> String {
    let mut usage = definition.signature.trim_start_matches(".macro ");
    if definition.kind == NameKind::Function {
        usage = usage.split('=').next().unwrap_or(usage);
    }
    let usage = usage.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    let meaning = definition.documentation.join(" ").replace('|', "\\|").replace('*', "\\*");
    format!("| `{usage}` | {meaning} |\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_does_not_begin_a_cell_of_the_table() {
        let definitions = find_definitions("BOTH = A | B   ;; A | B * 2\n");
        assert_eq!(row(&definitions[0]), "| `BOTH = A \\| B` | A \\| B \\* 2 |\n");
    }
}
