//! Shared parts of the hexadecimal text formats: digits, tokens with positions, and a chip that is
//! filled byte by byte.

use super::error::{LoadError, Position, address_beyond};

/// The byte of an erased EPROM.
pub(super) const ERASED: u8 = 0xff;

/// Parses a string of at most `digits_max` hexadecimal digits and nothing else.
pub(super) fn parse(text: &str, digits_max: usize) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let length = (1..=digits_max.min(16)).contains(&text.len());
    if digits && length { u64::from_str_radix(text, 16).ok() } else { None }
}

/// Splits a line at white space. Returns each word with its column, counted from 1.
pub(super) fn split_words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_ascii_whitespace().map(move |word| {
        let offset = word.as_ptr() as usize - line.as_ptr() as usize;
        (line[..offset].chars().count() + 1, word)
    })
}

/// A chip that is being programmed. Unwritten bytes are erased.
pub(super) struct Chip {
    contents: Vec<u8>,
    written: Vec<bool>,
}

impl Chip {
    pub(super) fn erased(size: usize) -> Self {
        Self { contents: vec![ERASED; size], written: vec![false; size] }
    }

    /// Burns a byte.
    ///
    /// # Errors
    /// If the chip has no such address, or if this byte was already burned.
    pub(super) fn burn(
        &mut self,
        address: u64,
        byte: u8,
        position: Position,
    ) -> Result<(), LoadError> {
        let size = self.contents.len();
        let index = usize::try_from(address).ok().filter(|&index| index < size);
        let index = index.ok_or_else(|| LoadError::at(position, address_beyond(address, size)))?;
        if std::mem::replace(&mut self.written[index], true) {
            return Err(LoadError::at(position, format!("address {index:#x} is given twice")));
        }
        self.contents[index] = byte;
        Ok(())
    }

    /// Returns the contents. Unwritten bytes are FF.
    pub(super) fn contents(self) -> Vec<u8> {
        self.contents
    }

    /// Returns the written bytes if they could fill a smaller chip: they start at address 0 without
    /// gaps, and their number is a power of two.
    pub(super) fn if_complete(self) -> Option<Vec<u8>> {
        let Self { mut contents, written } = self;
        let size = written.iter().take_while(|&&written| written).count();
        let is_whole = size.is_power_of_two() && !written[size..].contains(&true);
        contents.truncate(size);
        is_whole.then_some(contents)
    }

    /// Returns the contents of a chip that must be written completely.
    ///
    /// # Errors
    /// If a byte was not written. The error is reported at `line`, the last line of the file.
    pub(super) fn full_contents(self, line: usize) -> Result<Vec<u8>, LoadError> {
        let given = self.written.iter().filter(|&&written| written).count();
        let size = self.contents.len();
        if given < size {
            let problem = format!("the data ends after {given} bytes; the chip has {size}");
            return Err(LoadError::on_line(line, problem));
        }
        Ok(self.contents)
    }
}
