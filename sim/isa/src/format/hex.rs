//! What the hexadecimal text formats share: digits, tokens with their places, and a chip that is
//! filled byte by byte.

use super::{LoadError, Position, Problem};
use crate::address::ROM_BYTES;
use crate::image::Image;

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

/// A PROG chip under the programmer: erased where nothing was written.
pub(super) struct Chip {
    contents: Box<[u8; ROM_BYTES]>,
    written: Box<[bool; ROM_BYTES]>,
}

impl Chip {
    pub(super) fn erased() -> Self {
        Self { contents: Box::new([0xff; ROM_BYTES]), written: Box::new([false; ROM_BYTES]) }
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
        let index = usize::try_from(address).ok().filter(|&index| index < ROM_BYTES);
        let index = index.ok_or_else(|| Problem::AddressBeyond(address).at(position))?;
        if std::mem::replace(&mut self.written[index], true) {
            return Err(Problem::AddressTwice(index).at(position));
        }
        self.contents[index] = byte;
        Ok(())
    }

    pub(super) fn image(&self) -> Image {
        Image::from_eprom(&self.contents)
    }
}
