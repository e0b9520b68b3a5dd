//! Child processes that get the terminal for a while, such as the user's editor.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::Duration;

use super::terminal;
use crate::signals::STATUS_SIGNAL;
use crate::system;

/// The time between two checks whether a child has ended.
const POLL_PERIOD: Duration = Duration::from_millis(10);

/// How long to wait for our own copy of a signal that was sent to a child and to us.
const SIGNAL_DELAY: Duration = Duration::from_millis(200);

/// The message if no editor is set.
const NO_EDITOR: &str = "no editor is set: quit, type `export EDITOR=nano`, and start again";

/// A request to this process while a child has the terminal.
pub(crate) enum ChildRequest {
    /// Stop, for example after ctrl-Z.
    Stop,
    /// End the process.
    End,
}

/// The command that opens a file at this line in the user's editor, and the editor's name.
///
/// # Errors
/// If no editor is set in the environment.
pub(crate) fn editor(file: &Path, line: Option<u32>) -> Result<(Command, OsString), &'static str> {
    let named = ["VISUAL", "EDITOR"].into_iter().filter_map(std::env::var_os);
    let editor = named.into_iter().find(|editor| !editor.is_empty()).ok_or(NO_EDITOR)?;
    // With `./`, no file name can be taken for an option.
    let file = Path::new(".").join(file).into_os_string();
    let Some(line) = line else {
        return Ok((system::shell(&editor, &[file]), editor));
    };
    let place = || OsString::from_iter([&file, OsStr::new(&format!(":{line}"))]);
    let program = editor.to_string_lossy();
    let program = program.split_whitespace().next().unwrap_or_default().trim_matches(['\'', '"']);
    let arguments = match Path::new(program).file_stem().and_then(OsStr::to_str) {
        Some("code" | "code-insiders" | "codium") => vec!["--goto".into(), place()],
        Some("hx" | "subl" | "zed") => vec![place()],
        // Like vi, most editors accept `+LINE`.
        _ => vec![format!("+{line}").into(), file],
    };
    Ok((system::shell(&editor, &arguments), editor))
}

/// Waits for the end of a child, and passes requests to stop or to end on to it.
pub(crate) fn wait(
    mut child: Child,
    mut request: impl FnMut() -> Option<ChildRequest>,
) -> io::Result<ExitStatus> {
    let mut is_asked = false;
    loop {
        if let Some(status) = child.try_wait()? {
            // A signal such as ctrl-C ended the child, or a command in the child's shell. Wait for
            // our own copy of that signal, which is ignored here.
            if status.code().is_none_or(|code| code > i32::from(STATUS_SIGNAL)) {
                thread::sleep(SIGNAL_DELAY);
            }
            return Ok(status);
        }
        match request() {
            Some(ChildRequest::Stop) => {
                terminal::suspend();
            }
            Some(ChildRequest::End) if !is_asked => {
                is_asked = true;
                system::terminate(&mut child);
            }
            _ => {}
        }
        thread::sleep(POLL_PERIOD);
    }
}
