//! A board as a graph of nodes. A node is a chip with its contents; its address comes from the
//! outputs of other nodes.

pub mod memory_image;
pub mod powered;
pub mod wiring;
