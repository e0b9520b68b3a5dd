//! From a word on the command line to a board: built in, or a file with its contents files beside
//! it.

use std::path::Path;

use gray1_sim::Board;

use crate::files;

/// The boards that travel inside the binary, by name.
pub(crate) const BUILT_IN: [(&str, &str); 2] = [
    ("gray1", include_str!("../roms/gray1.ron")),
    ("binary-counter", include_str!("../roms/binary-counter.ron")),
];

/// The name of the board that is meant when none is named.
pub(crate) const DEFAULT: &str = "gray1";

/// The names of the built-in boards.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.into_iter().map(|(name, _)| name)
}

/// Loads a board: the built-in one of this name, else a file. A file beside us that happens to be
/// called like a built-in board (this program is) is asked for with a `./` before it. Errors are in
/// words.
pub(crate) fn load(word: &str) -> Result<Board, String> {
    if let Some((name, text)) = BUILT_IN.into_iter().find(|(name, _)| *name == word) {
        let no_files = |file: &str| Err(format!("the built-in board {name} has no file {file}"));
        return Board::load(text, no_files).map_err(|error| error.to_string());
    }
    let path = Path::new(word);
    if !word.contains(['/', '.']) && !path.exists() {
        let names = BUILT_IN.map(|(name, _)| format!("`{name}`")).join(" and ");
        let word = files::printable(word);
        return Err(format!("there is no built-in board called `{word}`, only {names}"));
    }
    let shown = files::printable(path);
    let text = files::read_text(path)?;
    let beside =
        |file: &str| files::read(&path.with_file_name(file)).map_err(|error| error.to_string());
    Board::load(&text, beside).map_err(|error| match error.position() {
        Some(position) => format!("{shown}:{position}: {error}"),
        None => format!("{shown}: {error}"),
    })
}

/// The board that is meant when none is named.
pub(crate) fn stock() -> Board {
    load(DEFAULT).expect("the built-in board is valid")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_boards_are_boards() {
        for (name, _) in BUILT_IN {
            assert!(load(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn what_is_no_board_is_refused_in_words() {
        assert_eq!(
            load("gary1").unwrap_err(),
            "there is no built-in board called `gary1`, only `gray1` and `binary-counter`"
        );
        assert!(load("no/such.ron").unwrap_err().starts_with("cannot read no/such.ron: "));
    }
}
