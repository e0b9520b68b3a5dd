//! The front end of the Gray-1 without a terminal: the panes that show a session, and the keys that
//! control it.
//!
//! Nothing here does I/O, starts threads or reads a clock. The caller passes in keys, time and
//! snapshots, carries out each returned [`Effect`], and shows the cells that are drawn.
//!
//! ```text
//!  keys ──> App ──Effect::Session──> Session
//!            ^ ──draw──> cells          │
//!            └────────Snapshot──────────┘
//! ```

mod actions;
mod app;
mod escape;
mod key;
mod leds;
mod overlays;
mod panes;
pub mod picture;
mod preferences;
mod programs;
pub mod recording;
mod screenshot;
mod script;
mod terminal;
mod text;
mod theme;
mod widgets;

#[cfg(test)]
mod tests;

pub use actions::Effect;
pub use app::{App, Mouse, MouseKind};
pub use escape::write_cells;
pub use key::{Key, KeyCode};
pub use leds::{LedPart, LedSpot};
pub use picture::PictureFormat;
pub use preferences::Preferences;
pub use programs::{ListedProgram, Preview, ProgramPreview, Programs};
pub use screenshot::screenshot;
pub use script::Script;
pub use terminal::{Background, Depth};
pub use theme::{Colors, Theme};
