//! What editors ask of the Gray-1: the language server ([`lsp`]) and the debug adapter ([`dap`]).
//!
//! Both take messages and give messages. Files come through a trait of each, [`lsp::SavedFiles`]
//! and [`dap::Launcher`]; time is an argument. So the same answers serve a program on a stream and
//! a page in a browser. What there is to know is known below: by `gray1_asm::Analysis` and by
//! `gray1_debugger`.
//!
//! Start at [`lsp::Server`] and [`dap::Adapter`].

pub mod dap;
mod json;
pub mod lsp;
mod settings;

pub use settings::ProgramSettings;

use std::path::{Component, Path, PathBuf};

/// A path without `.` and `..`. It may lead elsewhere than the path before, where links are on it.
#[must_use]
pub fn without_dots(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut path, part| {
        match part {
            Component::ParentDir => drop(path.pop()),
            part => path.push(part),
        }
        path
    })
}
