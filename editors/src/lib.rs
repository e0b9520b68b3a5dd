//! The services for editors: the language server ([`lsp`]) and the debug adapter ([`dap`]).
//!
//! Both receive and return messages. They read files through the traits [`lsp::SavedFiles`] and
//! [`dap::Launcher`], and time is an argument. So the same code runs in a process that talks over a
//! stream and in a web page. Knowledge of the language and the machine is in `gray1_asm::Analysis`
//! and `gray1_debugger`.
//!
//! Start at [`lsp::Server`] and [`dap::Adapter`].

pub mod dap;
mod json;
pub mod lsp;
mod settings;

pub use settings::ProgramSettings;

use std::path::{Component, Path, PathBuf};

/// Removes `.` and `..` from a path. If the path contains links, the result may name another file.
pub fn without_dots(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut path, part| {
        match part {
            Component::ParentDir => drop(path.pop()),
            part => path.push(part),
        }
        path
    })
}
