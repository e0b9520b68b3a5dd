//! Loads boards for the command line: a built-in board, or a board file with the contents files
//! next to it.

use std::path::{Path, PathBuf};

use gray1_board::{Board, BoardError, PartChoice};
use gray1_hardware::soldered;
use gray1_programs::{LinkedBoard, format_board_error};
pub(crate) use gray1_roms::{DEFAULT, names, stock};
use gray1_roms::{built_in, description, parts};

use crate::files;

/// Loads the built-in board of this name, or else the board file whose path [`files::encode_path`]
/// has encoded. A file with the name of a built-in board needs a `./` before it. Errors are
/// messages for users.
pub(crate) fn load(name: &str) -> Result<Board, String> {
    built_in(name).map_or_else(|| load_with(name, &[]), Ok)
}

/// Loads a board as [`load`] does, with other parts for some of its chips ([`Board::load_with`]).
pub(crate) fn load_with(name: &str, instead: &[PartChoice]) -> Result<Board, String> {
    if let Some(text) = description(name) {
        return read(text, instead, |_| Err("a built-in board has no files".to_owned()))
            .map_err(|error| format_board_error(name, &error));
    }
    let path = file(name)?;
    let text = files::read_text(&path)?;
    read(&text, instead, next_to(&path))
        .map_err(|error| format_board_error(&files::printable(&path), &error))
}

/// Reads a description, and checks what is soldered around its chips, which no engine looks at.
fn read(
    text: &str,
    instead: &[PartChoice],
    file: impl FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Board, BoardError> {
    let board = Board::load_with(text, parts(), instead, file)?;
    soldered::connect(&board)?;
    Ok(board)
}

/// Loads a board as [`load`] does, in the form that links hold: its source and its contents files.
pub(crate) fn linked(name: &str) -> Result<LinkedBoard, String> {
    if let Some(text) = description(name) {
        let (name, text) = (name.to_owned(), text.to_owned());
        return Ok(LinkedBoard { name, text, ..LinkedBoard::default() });
    }
    let path = file(name)?;
    let name = files::printable(&path);
    let board = LinkedBoard::read(&name, files::read_text(&path)?, next_to(&path));
    let board = board.map_err(|error| format_board_error(&name, &error))?;
    soldered::connect(&board.load()?).map_err(|error| format_board_error(&name, &error))?;
    Ok(board)
}

/// Returns the name as a path if it looks like one or if such a file exists.
fn file(name: &str) -> Result<PathBuf, String> {
    let path = files::decode_path(name);
    if files::is_path(name) || path.exists() || name == files::STDIO {
        return Ok(path);
    }
    let [others @ .., last] = names().map(|name| format!("`{name}`"));
    let names = format!("{} and {last}", others.join(", "));
    let name = files::printable(path);
    Err(format!("there is no built-in board called `{name}`, only {names}"))
}

/// Returns a reader of the contents files next to a board file.
fn next_to(path: &Path) -> impl FnMut(&str) -> Result<Vec<u8>, String> {
    |file| files::read(&path.with_file_name(file)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_board_is_refused_with_the_names_of_the_known_ones() {
        assert_eq!(
            load("gary1").unwrap_err(),
            "there is no built-in board called `gary1`, only `gray1`, `gray1-b` and `binary-counter`"
        );
        assert!(load("no/such.ron").unwrap_err().starts_with("cannot read no/such.ron: "));
    }
}
