//! Raw EPROM contents, as a programmer burns them.

use super::{LoadError, Problem};
use crate::address::ROM_BYTES;
use crate::image::Image;

pub(super) fn encode(image: &Image) -> Vec<u8> {
    image.to_eprom().to_vec()
}

pub(super) fn decode(bytes: &[u8]) -> Result<Image, LoadError> {
    let contents: &[u8; ROM_BYTES] = bytes.try_into().map_err(|_| {
        Problem::unexpected(format!("{ROM_BYTES} bytes"), &bytes.len().to_string()).anywhere()
    })?;
    Ok(Image::from_eprom(contents))
}
