//! What the wires of a board show: what each chip does and why, and which bytes move.

mod action;
mod explanation;
mod lookup;
mod transfers;
mod wires;

pub use action::{describe_action, drives};
pub use explanation::explain_chip;
pub use lookup::{Lookup, LookupAxis, LookupCell, contents};
pub use transfers::{Hop, Transfer, collect_hops, describe_paths, driver, find_transfers, is_high};
pub use wires::{drivers_and_readers, hex, inputs, name, outputs};
