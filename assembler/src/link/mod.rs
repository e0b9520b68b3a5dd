//! Linking: all is placed and every name is known, so operands get their values and the image is
//! put together.

mod calls;
mod image;
mod pool;
mod routines;
mod words;

pub(crate) use self::image::{data_map, image};
pub(crate) use self::words::{Linked, link};
