//! Parts that the hexadecimal text formats share: digits, tokens with their places, and a chip that
//! is filled byte by byte.

use super::{LoadError, Position, address_beyond};

/// The byte of an erased EPROM.
pub(super) const ERASED: u8 = 0xff;

/// The value of a text of hexadecimal digits only, at most `digits_max` of them.
pub(super) fn number(text: &str, digits_max: usize) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let length = (1..=digits_max.min(16)).contains(&text.len());
    if digits && length { u64::from_str_radix(text, 16).ok() } else { None }
}

/// The words of a line with their columns (from 1), separated by white space.
pub(super) fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_ascii_whitespace().map(move |word| {
        let offset = word.as_ptr() as usize - line.as_ptr() as usize;
        (line[..offset].chars().count() + 1, word)
    })
}

/// A chip under the programmer: erased where nothing was written.
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
    /// If the chip has no such address, or the file gave it before.
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

    /// The contents, erased where nothing was written.
    pub(super) fn contents(self) -> Vec<u8> {
        self.contents
    }

    /// The contents of the smaller chip whose bytes these are: all from 0 on, and a power of two.
    pub(super) fn whole(self) -> Option<Vec<u8>> {
        let Self { mut contents, written } = self;
        let size = written.iter().take_while(|&&written| written).count();
        let is_whole = size.is_power_of_two() && !written[size..].contains(&true);
        contents.truncate(size);
        is_whole.then_some(contents)
    }

    /// The contents of a chip of which every byte was written.
    ///
    /// # Errors
    /// If one was not. `line` is the last one of the file.
    pub(super) fn full_contents(self, line: usize) -> Result<Vec<u8>, LoadError> {
        let (given, size) = (self.written.iter().filter(|&&w| w).count(), self.contents.len());
        if given < size {
            let problem = format!("the data ends after {given} bytes; the chip has {size}");
            return Err(LoadError::on_line(line, problem));
        }
        Ok(self.contents)
    }
}
