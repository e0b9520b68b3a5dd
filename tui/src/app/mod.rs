//! The app: panes and overlays on a screen, controlled by keys and the mouse. Requests that it
//! cannot carry out are returned as an [`Effect`](crate::Effect).

mod answer;
mod core;
mod draw;
mod footer;
mod input;
mod keys;
mod layout;
mod mouse;

pub use core::App;
pub use mouse::{Mouse, MouseKind};

#[cfg(test)]
mod tests;
