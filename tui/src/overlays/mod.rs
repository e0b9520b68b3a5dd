//! The overlays: dialogs over the panes. The topmost one receives the keys.

mod answers;
mod list_box;
mod open;
mod overlay;
mod pager;
mod palette;
mod prompt;

pub(crate) use list_box::{CHROME_HEIGHT, ListBox};
pub(crate) use open::OpenDialog;
pub(crate) use overlay::{Outcome, Overlay, centered, draw_box};
pub(crate) use pager::Pager;
pub(crate) use palette::Palette;
pub(crate) use prompt::Prompt;
