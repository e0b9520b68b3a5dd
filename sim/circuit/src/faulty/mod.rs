//! Boards with wrong bits: edges that have no plan there, and a plan on the right board.
//!
//! Nothing here concerns a right board: all of its edges have plans.

pub(super) mod model;
mod possible;
