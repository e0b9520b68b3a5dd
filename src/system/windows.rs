//! Windows: consoles that send events, and exclusively opened files as locks. There are no signals:
//! ctrl-C and closing the window count as SIGINT, and processes are never stopped.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal as _};
use std::os::windows::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::os::windows::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crossterm::ansi_support::supports_ansi;
use crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyEvent, KeyEventKind,
    KeyModifiers, MouseButton, MouseEventKind,
};
use gray1_tui::{Key, KeyCode as Code, Mouse, MouseKind};
use ratatui::layout::{Position, Size};

use super::event::{Signal, TerminalInput};

// The numbers of Unix, used in the exit status.
pub(crate) const SIGHUP: i32 = 1;
pub(crate) const SIGINT: i32 = 2;
pub(crate) const SIGQUIT: i32 = 3;

/// The error of a console that has gone away: ERROR_BROKEN_PIPE.
pub(crate) const TERMINAL_GONE: i32 = 109;

/// Consoles are not asked questions, because their answers would arrive as keys.
pub(crate) const HAS_ANSWERS: bool = false;

/// Streams always block.
pub(crate) const fn make_streams_block() {}

/// The keys always come from the console.
pub(crate) const fn take_keyboard() -> bool {
    true
}

/// An environment variable. The variables that describe a terminal have defaults for all colours
/// and Unicode, which consoles support since Windows 10. Asking for `TERM` enables escape sequences
/// in the console.
pub(crate) fn env_var(name: &str) -> Option<OsString> {
    let is_terminal = name == "TERM" && supports_ansi();
    let console = match name {
        "TERM" => is_terminal.then_some("xterm-256color"),
        "COLORTERM" => Some("truecolor"),
        "LANG" => Some("C.UTF-8"),
        _ => None,
    };
    std::env::var_os(name).or_else(|| console.map(OsString::from))
}

/// All callbacks for ctrl-C, since a process has only one handler.
static LISTENERS: Mutex<Vec<Box<dyn FnMut(i32) + Send>>> = Mutex::new(Vec::new());

/// Calls back for ctrl-C, and when the console is closed.
///
/// # Errors
/// If the handler cannot be installed.
pub(crate) fn on_end_signal(notify: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    let listeners = || LISTENERS.lock().unwrap_or_else(PoisonError::into_inner);
    let is_first = listeners().is_empty();
    listeners().push(Box::new(notify));
    if is_first {
        ctrlc::set_handler(move || listeners().iter_mut().for_each(|notify| notify(SIGINT)))
            .map_err(io::Error::other)?;
    }
    Ok(())
}

/// Always fails. It would help only if a thread could not be started, and [`on_end_signal`] does
/// not fail for that reason.
pub(crate) fn store_end_signal(_: &Arc<AtomicUsize>) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A file name or argument from its bytes. Bytes that are not UTF-8 are replaced.
pub(crate) fn os_string(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// Always true. No check is needed on Windows, because the input ends when the client exits.
pub(crate) fn is_running(_: i32) -> bool {
    true
}

/// Does nothing, because Windows has no limit on file sizes.
pub(crate) fn ignore_file_size_signal() -> io::Result<()> {
    Ok(())
}

/// Calls back for the same events as [`on_end_signal`], in the form that the front end needs.
///
/// # Errors
/// If the handler cannot be installed.
pub(crate) fn on_signal(mut notify: impl FnMut(Signal) + Send + 'static) -> io::Result<()> {
    on_end_signal(move |signal| notify(Signal::End(signal)))
}

/// Processes are never asked to stop.
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
pub(crate) fn on_suspend(_: Arc<AtomicBool>) -> io::Result<()> {
    Ok(())
}

/// Always false, because Windows shells cannot continue stopped processes.
pub(crate) const fn can_stop() -> bool {
    false
}

/// Does nothing.
pub(crate) const fn stop() -> bool {
    false
}

/// Kills another process, because on Windows it cannot be asked to end.
pub(crate) fn terminate(child: &mut Child) {
    let _ = child.kill();
}

/// Runs a command in the shell. The command may contain options. These arguments are appended.
pub(crate) fn shell(command: &OsStr, arguments: &[OsString]) -> Command {
    let mut line = OsString::from("/S /C \"");
    line.push(command);
    for argument in arguments {
        // File names cannot contain a quote.
        line.push(OsString::from_iter([OsStr::new(" \""), argument, OsStr::new("\"")]));
    }
    line.push("\"");
    let mut shell = Command::new("cmd");
    shell.raw_arg(line);
    shell
}

/// Makes the console raw, with the mouse.
pub(crate) fn take_screen() -> io::Result<()> {
    crossterm::terminal::enable_raw_mode()?;
    crossterm::execute!(io::stdout(), EnableMouseCapture)
}

/// Restores the modes that the console had before [`take_screen`].
pub(crate) fn restore_screen() -> io::Result<()> {
    // Fails only if the mouse was never captured.
    let _ = crossterm::execute!(io::stdout(), DisableMouseCapture);
    crossterm::terminal::disable_raw_mode()
}

/// The columns and lines of the console.
pub(crate) fn screen_size() -> io::Result<Size> {
    crossterm::terminal::size().map(Size::from)
}

/// The modes of a console: none, since key events involve neither line editing nor echo.
#[derive(Debug, Clone)]
pub(crate) struct TerminalModes;

impl TerminalModes {
    /// The modes of the console at standard input.
    ///
    /// # Errors
    /// If it is not a console.
    pub(crate) fn get() -> io::Result<Self> {
        io::stdin().is_terminal().then_some(Self).ok_or_else(|| io::ErrorKind::Unsupported.into())
    }

    /// Sets the modes of the console.
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "elsewhere it has some")]
    pub(crate) fn set(&self) -> io::Result<()> {
        Ok(())
    }

    /// A copy of these modes. Nothing needs to be switched off.
    pub(crate) const fn silent(&self) -> Self {
        Self
    }
}

/// Reads the keys and the mouse.
#[derive(Default)]
pub(crate) struct KeyReader;

/// The maximum wait for an event, after which another program may get the console.
const TURN: Duration = Duration::from_millis(50);
/// The time between two waits, in which another program can get the console.
const GAP: Duration = Duration::from_millis(2);

impl KeyReader {
    /// Waits for input. Returns false if none arrives within `time`. If `time` is `None`, leaves
    /// the waiting to [`read`], because waiting here would remove an event that may be meant for
    /// another program.
    ///
    /// [`read`]: Self::read
    ///
    /// # Errors
    /// If the console has gone away.
    #[expect(clippy::unused_self, reason = "elsewhere it is needed")]
    pub(crate) fn wait(&mut self, time: Option<Duration>) -> io::Result<bool> {
        match time {
            Some(time) => event::poll(time),
            None => {
                thread::sleep(GAP);
                Ok(true)
            }
        }
    }

    /// Waits up to [`TURN`] for inputs, and passes on all that have arrived.
    ///
    /// # Errors
    /// If the console or the receiver has gone away.
    #[expect(clippy::unused_self, reason = "elsewhere it is needed")]
    pub(crate) fn read(
        &mut self,
        mut forward: impl FnMut(TerminalInput) -> io::Result<()>,
    ) -> io::Result<bool> {
        let mut time = TURN;
        while event::poll(time)? {
            input(&event::read()?).map_or(Ok(()), &mut forward)?;
            time = Duration::ZERO;
        }
        Ok(true)
    }
}

fn input(event: &Event) -> Option<TerminalInput> {
    match event {
        Event::Key(pressed) if pressed.kind != KeyEventKind::Release => {
            key(pressed).map(TerminalInput::Key)
        }
        Event::Mouse(mouse) => {
            let kind = match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => MouseKind::Press,
                MouseEventKind::Drag(MouseButton::Left) => MouseKind::Drag,
                MouseEventKind::ScrollUp => MouseKind::WheelUp,
                MouseEventKind::ScrollDown => MouseKind::WheelDown,
                _ => return None,
            };
            let at = Position { x: mouse.column, y: mouse.row };
            Some(TerminalInput::Mouse(Mouse { kind, at }))
        }
        Event::Resize(..) => Some(TerminalInput::Answered),
        _ => None,
    }
}

fn key(pressed: &KeyEvent) -> Option<Key> {
    let mut control = pressed.modifiers.contains(KeyModifiers::CONTROL);
    let mut alt = pressed.modifiers.contains(KeyModifiers::ALT);
    let code = match pressed.code {
        KeyCode::Char(c) => {
            // Control and alt together are AltGr, which has already been applied to the character.
            if control && alt {
                (control, alt) = (false, false);
            }
            Code::Char(if control { c.to_ascii_lowercase() } else { c })
        }
        KeyCode::F(number @ 1..=12) => Code::Function(number),
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab => Code::Tab,
        KeyCode::BackTab => Code::BackTab,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Insert => Code::Insert,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        _ => return None,
    };
    Some(Key { code, control, alt })
}

/// Metadata that changes when a file is written or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileStamp {
    bytes: u64,
    /// The times of its last write and of its creation.
    times: [u64; 2],
}

impl FileStamp {
    pub(crate) fn from_metadata(metadata: &Metadata) -> Self {
        let times = [metadata.last_write_time(), metadata.creation_time()];
        Self { bytes: metadata.len(), times }
    }
}

/// Opens a file.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Whether a path names the file that is this process's standard input. Always false, because
/// Windows does not tell.
pub(crate) const fn is_standard_input(_path: &Path) -> bool {
    false
}

/// Opens a pipe or a device for writing.
pub(crate) fn open_device(path: &Path) -> io::Result<File> {
    File::options().write(true).open(path)
}

/// Creates a folder, with its parents. Folders of the user are private already.
pub(crate) fn make_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// Does nothing, because a file inherits the permissions of its folder.
pub(crate) const fn permit(_: &mut tempfile::Builder<'_, '_>, _may_write: bool) {}

/// Locks a folder by a file in it that only one process can have open. `None` if another process
/// has it.
///
/// # Errors
/// If there is no such folder, or it is not writable.
pub(crate) fn try_lock(folder: &Path) -> io::Result<Option<File>> {
    const ERROR_SHARING_VIOLATION: i32 = 32;
    let mut options = File::options();
    options.write(true).create(true).truncate(false).share_mode(0);
    match options.open(folder.join(".gray1-lock")) {
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => Ok(None),
        opened => opened.map(Some),
    }
}
