//! A board as nodes: chips with an address gathered from the outputs of others, and their bytes.

pub mod memory_image;
pub mod powered;
pub mod wiring;
