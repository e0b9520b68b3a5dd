//! Linking: gives operands their values and makes the image. Everything is placed and every name is
//! known by now.

mod calls;
mod image;
mod linker;
mod pool;
mod routines;

pub(crate) use self::image::{make_data_map, make_image};
pub(crate) use self::linker::{Linked, link};
