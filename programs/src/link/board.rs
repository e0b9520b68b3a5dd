//! The board of a link: its description, and the ROM contents that belong to it.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use gray1_board::{Board, BoardError};
use serde::{Deserialize, Serialize};

/// The board of a link.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkedBoard {
    /// The name of the board.
    pub name: String,
    /// The contents of the board file.
    pub text: String,
    /// The files with ROM contents that belong to the board, in base64.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub contents: BTreeMap<String, String>,
    /// The name of the sound board, if this is a copy with changed contents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sound: Option<String>,
}

impl LinkedBoard {
    /// Reads a board from the contents of its file. `file` reads a file of ROM contents next to it.
    ///
    /// # Errors
    /// Returns an error if the board is invalid.
    pub fn read(
        name: &str,
        text: String,
        mut file: impl FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Self, BoardError> {
        let mut contents = BTreeMap::new();
        Board::load(&text, gray1_roms::parts(), |name| {
            let bytes = file(name)?;
            contents.insert(name.to_owned(), STANDARD_NO_PAD.encode(&bytes));
            Ok(bytes)
        })?;
        Ok(Self { name: name.to_owned(), text, contents, sound: None })
    }

    /// Returns the board.
    ///
    /// # Errors
    /// Returns a message if the board is invalid.
    pub fn load(&self) -> Result<Board, String> {
        let board = Board::load(&self.text, gray1_roms::parts(), |file| {
            let encoded = self.contents.get(file);
            let encoded = encoded.ok_or_else(|| format!("the link has no file {file}"))?;
            decode_contents(encoded).map_err(|error| format!("{file}: {error}"))
        });
        board.map_err(|error| format_board_error(&self.name, &error))
    }
}

impl LinkedBoard {
    /// Returns a copy of the board in which a chip has other contents. They become a file that
    /// belongs to the board.
    ///
    /// # Errors
    /// Returns a message if the board has no such chip, or if the chip cannot have these contents.
    pub fn with_contents(&self, chip: &str, contents: &[u8]) -> Result<Self, String> {
        let encoded = STANDARD_NO_PAD.encode(contents);
        let file_of = |board: &Self| {
            let loaded = board.load()?;
            let id = loaded.chip_named(chip).ok_or_else(|| format!("there is no chip {chip}"))?;
            Ok::<_, String>(loaded.chip(id).file().map(str::to_owned))
        };
        let mut copy = self.clone();
        if let Some(file) = file_of(self)? {
            copy.contents.insert(file, encoded);
            return Ok(copy);
        }
        let file = format!("{chip}.bin");
        copy.contents.insert(file.clone(), encoded);
        // The entry of a chip begins with its name, but other entries may contain the same word.
        let name = format!("\"{chip}\",");
        let places = self.text.match_indices(&name).map(|(at, _)| at + name.len());
        let mut copies = places.map(|at| {
            let text = [&self.text[..at], &format!(" contents: File({file:?}),"), &self.text[at..]];
            Self { text: text.concat(), ..copy.clone() }
        });
        let found = copies.find(|copy| file_of(copy).is_ok_and(|of| of.as_ref() == Some(&file)));
        found.ok_or_else(|| format!("{chip} cannot have these contents"))
    }
}

/// Returns the message for an invalid board file with this name, including the position in it.
pub fn format_board_error(name: &str, error: &BoardError) -> String {
    match error.position {
        Some(position) => format!("{name}:{position}: {error}"),
        None => format!("{name}: {error}"),
    }
}

/// Decodes base64, the form of ROM contents in a link.
///
/// # Errors
/// Returns a message if a character is missing or wrong.
pub fn decode_contents(base64: &str) -> Result<Vec<u8>, String> {
    STANDARD_NO_PAD.decode(base64.trim_end_matches('=')).map_err(|error| error.to_string())
}
