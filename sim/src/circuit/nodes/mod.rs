//! A board as nodes: chips with an address gathered from the outputs of others, and their bytes.

pub(crate) mod memory_image;
pub(crate) mod powered;
pub(crate) mod wiring;
