//! All access to files goes through this module. Only regular files of a bounded size are read, so
//! that no command blocks on a pipe (FIFO) or a device. Writes are atomic and never overwrite an
//! input.

mod conflicts;
mod input;
mod lock;
mod output;
mod paths;

use std::fmt::Display;
use std::path::Path;

pub(crate) use input::{open_stream, read, read_own, read_text};
pub(crate) use lock::lock;
pub(crate) use output::{
    Output, discard_unfinished, make_folder, print, rewrite, rewrite_unlinked, write, write_new,
};
pub(crate) use paths::{app_folder, canonical, decode_path, encode_path, inside, is_path, resolve};

/// The name of standard input or output on a command line.
pub(crate) const STDIO: &str = "-";

/// The name of standard input in messages.
pub(crate) const STDIN_NAME: &str = "<stdin>";

/// A path or another external string, safe to display: characters that could do more to a terminal
/// than appear in their place are escaped.
pub(crate) fn printable(text: impl AsRef<Path>) -> String {
    gray1_isa::text::printable(&text.as_ref().to_string_lossy())
}

/// The message for an error in a file, with the position in it.
pub(crate) fn message(path: &Path, position: Option<impl Display>, error: &impl Display) -> String {
    let name = printable(path);
    match position {
        Some(position) => format!("{name}:{position}: {error}"),
        None => format!("{name}: {error}"),
    }
}

/// The parent folder of a path.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_not_shown() {
        assert_eq!(printable("a\u{1b}[31m\nb"), r"a\u{1b}[31m\nb");
    }
}
