//! Unix: signals, terminals that send bytes, locks on folders.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, Metadata, Permissions};
use std::io;
use std::os::fd::{AsFd, AsRawFd as _};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use filedescriptor::{Error, POLLERR, POLLHUP, POLLIN, pollfd};
use ratatui::layout::Size;
use rustix::fs::{FlockOperation, OFlags, fcntl_getfl, fcntl_setfl, flock};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{self, Pid, WaitOptions, waitpid};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGCONT, SIGIO, SIGPROF, SIGSYS, SIGTERM, SIGTRAP, SIGTSTP, SIGUSR1, SIGUSR2,
    SIGVTALRM, SIGWINCH, SIGXCPU, SIGXFSZ,
};
use signal_hook::flag;
use signal_hook::iterator::Signals;

use super::decoder::Decoder;
use super::event::{Signal, TerminalInput};

pub(crate) use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT};

/// Whether the terminal's answers arrive among the keys.
pub(crate) const HAS_ANSWERS: bool = true;

/// The error of a terminal that has gone away.
pub(crate) const TERMINAL_GONE: i32 = Errno::IO.raw_os_error();

/// An environment variable.
pub(crate) fn env_var(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// Every signal that would end the process and can be handled. It excludes those of a faulty
/// program (SIGSEGV, SIGBUS, SIGILL, SIGFPE), which could not be trusted to handle them.
fn ending_signals() -> impl Iterator<Item = i32> {
    let common = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2, SIGIO, SIGPROF,
        SIGSYS, SIGTRAP, SIGVTALRM, SIGXCPU,
    ];
    #[cfg(target_os = "linux")]
    let own = [process::Signal::POWER, process::Signal::STKFLT].map(process::Signal::as_raw);
    #[cfg(not(target_os = "linux"))]
    let own = [];
    common.into_iter().chain(own)
}

/// Calls back, in a thread, for the signals that end the process. A signal that was ignored when
/// the process was started stays ignored, unless it is SIGINT or SIGTERM.
///
/// # Errors
/// If the handlers cannot be installed.
pub(crate) fn on_end_signal(mut notify: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    let (give, take) = mpsc::channel::<Signals>();
    // The thread comes first: without it, a handled signal would be lost.
    thread::Builder::new().spawn(move || {
        if let Ok(mut signals) = take.recv() {
            signals.forever().for_each(&mut notify);
        }
    })?;
    let wanted = ending_signals()
        .filter(|signal| [SIGINT, SIGTERM].contains(signal) || !is_ignored(*signal));
    give.send(Signals::new(wanted)?).map_err(io::Error::other)
}

/// Stores the first signal that ends the process in `received`, where 0 means none. This is a
/// fallback for when no thread can be started. A second signal ends the process.
///
/// # Errors
/// If the handlers cannot be installed.
pub(crate) fn store_end_signal(received: &Arc<AtomicUsize>) -> io::Result<()> {
    let again = Arc::new(AtomicBool::new(false));
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
        flag::register_conditional_default(signal, Arc::clone(&again))?;
        flag::register(signal, Arc::clone(&again))?;
        flag::register_usize(signal, Arc::clone(received), signal.unsigned_abs() as usize)?;
    }
    Ok(())
}

/// Makes a write beyond the limit on file sizes fail, instead of ending the process.
///
/// # Errors
/// If the handler cannot be installed.
pub(crate) fn ignore_file_size_signal() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::default()).map(drop)
}

/// Calls back, in a thread, for every signal that the front end handles.
///
/// # Errors
/// If the handlers cannot be installed.
pub(crate) fn on_signal(mut notify: impl FnMut(Signal) + Send + 'static) -> io::Result<()> {
    let others = [SIGTSTP, SIGCONT, SIGWINCH];
    let mut signals = Signals::new(ending_signals().chain(others))?;
    let listener = thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            notify(match signal {
                SIGTSTP => Signal::Suspend,
                SIGCONT => Signal::Continued,
                SIGWINCH => Signal::Resized,
                _ => Signal::End(signal),
            });
        }
    });
    listener.map(drop)
}

/// Sets a flag whenever the process is asked to stop, for example by ctrl-Z.
///
/// # Errors
/// If the handler cannot be installed.
pub(crate) fn on_suspend(is_asked: Arc<AtomicBool>) -> io::Result<()> {
    flag::register(SIGTSTP, is_asked).map(drop)
}

/// A file name or argument from its bytes.
pub(crate) fn os_string(bytes: Vec<u8>) -> OsString {
    OsString::from_vec(bytes)
}

/// True if the process was started with this signal ignored, which `nohup` does, for example.
/// Always true on systems other than Linux, which do not report it.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read("/proc/self/status").unwrap_or_default();
    let status = String::from_utf8_lossy(&status);
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
}

/// False if there is no process with this number.
pub(crate) fn is_running(process: i32) -> bool {
    let found = Pid::from_raw(process).map(process::test_kill_process);
    found.is_some_and(|found| found != Err(Errno::SRCH))
}

/// True if a shell can continue us after a stop. In an orphaned process group, no shell can, and
/// the system discards SIGTSTP. A child in the same group tests this, because this process handles
/// SIGTSTP.
pub(crate) fn can_stop() -> bool {
    let probe = Command::new("sh").args(["-c", "kill -TSTP $$"]).stdin(Stdio::null()).spawn();
    probe.is_ok_and(|mut probe| {
        let status =
            retry_on_intr(|| waitpid(Some(Pid::from_child(&probe)), WaitOptions::UNTRACED));
        let has_stopped = matches!(status, Ok(Some((_, status))) if status.stopped());
        if has_stopped {
            let _ = probe.kill();
            let _ = probe.wait();
        }
        has_stopped
    })
}

/// Stops the whole job and not only this process. The shell waits for the process that it started,
/// which can be another one (`cargo run`, a script) that waits for us.
pub(crate) fn stop() -> bool {
    // SIGTSTP would stop the other processes of the job first, because this process handles it.
    process::kill_current_process_group(process::Signal::STOP).is_ok()
}

/// Asks another process to end.
pub(crate) fn terminate(child: &mut Child) {
    let _ = process::kill_process(Pid::from_child(child), process::Signal::TERM);
}

/// Runs a command in a shell. The command may contain options. These arguments are appended.
pub(crate) fn shell(command: &OsStr, arguments: &[OsString]) -> Command {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(OsString::from_iter([command, OsStr::new(" \"$@\"")])).arg("sh");
    shell.args(arguments);
    shell
}

/// Sets blocking mode on the standard streams. Another program may have left a shared terminal or
/// pipe in non-blocking mode.
pub(crate) fn make_streams_block() {
    fn wait(stream: impl AsFd) -> Result<(), Errno> {
        let flags = fcntl_getfl(&stream)?;
        if flags.contains(OFlags::NONBLOCK) {
            fcntl_setfl(&stream, flags - OFlags::NONBLOCK)?;
        }
        Ok(())
    }
    // If a stream is closed, the code that uses it reports that.
    let _ = (wait(io::stdin()), wait(io::stdout()), wait(io::stderr()));
}

/// Makes the terminal standard input, for the keys. Returns whether there is one.
pub(crate) fn take_keyboard() -> bool {
    let terminal = File::open("/dev/tty");
    terminal.is_ok_and(|terminal| rustix::stdio::dup2_stdin(terminal).is_ok())
}

/// Makes the terminal raw. The mouse is not switched on here, but by an escape sequence.
pub(crate) fn take_screen() -> io::Result<()> {
    crossterm::terminal::enable_raw_mode()
}

/// Restores the modes that the terminal had before [`take_screen`].
pub(crate) fn restore_screen() -> io::Result<()> {
    crossterm::terminal::disable_raw_mode()
}

/// The columns and lines of the terminal. This does not use crossterm's function, which runs `tput`
/// and returns an unrelated error if the terminal is gone.
pub(crate) fn screen_size() -> io::Result<Size> {
    let size = tcgetwinsize(io::stdout())?;
    Ok(Size { width: size.ws_col, height: size.ws_row })
}

/// The modes of a terminal.
#[derive(Debug, Clone)]
pub(crate) struct TerminalModes(Termios);

impl TerminalModes {
    /// The modes of the terminal at standard input.
    ///
    /// # Errors
    /// If it is not a terminal.
    pub(crate) fn get() -> io::Result<Self> {
        Ok(Self(tcgetattr(io::stdin())?))
    }

    /// Sets the modes of the terminal.
    pub(crate) fn set(&self) -> io::Result<()> {
        Ok(tcsetattr(io::stdin(), OptionalActions::Now, &self.0)?)
    }

    /// These modes, but without line editing and echo.
    pub(crate) fn silent(&self) -> Self {
        let mut settings = self.0.clone();
        settings.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
        Self(settings)
    }
}

/// Reads the keys and the mouse.
#[derive(Default)]
pub(crate) struct KeyReader(Decoder);

/// How long to wait for the rest of a key's sequence.
const SEQUENCE: Duration = Duration::from_millis(20);
/// How long to wait for the rest of a sequence that only terminals send. Over a slow line it
/// arrives in pieces.
const PIECES: Duration = Duration::from_millis(500);

impl KeyReader {
    /// Waits for input. Returns false if none arrives within `time`.
    ///
    /// # Errors
    /// If the terminal has gone away.
    #[expect(clippy::unused_self, reason = "it is needed elsewhere")]
    pub(crate) fn wait(&mut self, time: Option<Duration>) -> io::Result<bool> {
        // Not the system's own `poll`, which does not support terminals on macOS.
        let mut waited_for = [pollfd { fd: io::stdin().as_raw_fd(), events: POLLIN, revents: 0 }];
        let count = loop {
            match filedescriptor::poll(&mut waited_for, time) {
                Err(Error::Poll(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                count => break count.map_err(io::Error::other)?,
            }
        };
        if waited_for[0].revents & (POLLHUP | POLLERR) != 0 {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        Ok(count > 0)
    }

    /// Passes inputs on until none has followed for a while. Returns false at the end of input. The
    /// input ends if ctrl-D was typed while the terminal was in the shell's modes, for example just
    /// before or after a stop.
    ///
    /// # Errors
    /// If the terminal or the receiver has gone away.
    pub(crate) fn read(
        &mut self,
        mut forward: impl FnMut(TerminalInput) -> io::Result<()>,
    ) -> io::Result<bool> {
        let mut bytes = [0; 1024];
        let mut has_ended = false;
        while !has_ended && self.has_more(&mut forward)? {
            let count = retry_on_intr(|| rustix::io::read(io::stdin(), &mut bytes))?;
            self.0.decode(&bytes[..count]).into_iter().try_for_each(&mut forward)?;
            has_ended = count == 0;
        }
        self.0.give_up().map_or(Ok(()), forward)?;
        Ok(!has_ended)
    }

    /// Returns whether more input follows at once. In the middle of a known sequence or a paste,
    /// waits longer for it.
    fn has_more(
        &mut self,
        forward: &mut impl FnMut(TerminalInput) -> io::Result<()>,
    ) -> io::Result<bool> {
        if self.wait(Some(SEQUENCE))? {
            return Ok(true);
        }
        self.0.idle().map_or(Ok(()), forward)?;
        Ok(self.0.is_unfinished() && self.wait(Some(PIECES))?)
    }
}

/// Metadata that changes when a file is written or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileStamp {
    device: u64,
    inode: u64,
    bytes: u64,
    /// The time of the last change of contents or attributes, in seconds and nanoseconds.
    changed: (i64, i64),
}

impl FileStamp {
    pub(crate) fn from_metadata(metadata: &Metadata) -> Self {
        let changed = (metadata.ctime(), metadata.ctime_nsec());
        Self { device: metadata.dev(), inode: metadata.ino(), bytes: metadata.len(), changed }
    }
}

/// Opens a file. If it is a pipe, this does not wait for a writer.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

/// Whether a path names the file that is this process's standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    let input = io::stdin().as_fd().try_clone_to_owned().and_then(|it| File::from(it).metadata());
    let both = input.and_then(|input| Ok((input, path.metadata()?)));
    both.is_ok_and(|(input, metadata)| {
        input.is_file() && (input.dev(), input.ino()) == (metadata.dev(), metadata.ino())
    })
}

/// How long to wait for a pipe's reader, which the same shell may just be starting.
const READER: Duration = Duration::from_secs(1);

/// Opens a pipe or a device for writing. Waits a limited time for a reader of a pipe (FIFO).
///
/// # Errors
/// For example, if no process reads from it.
pub(crate) fn open_device(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let mut options = File::options();
    options.write(true).custom_flags(flags.bits().cast_signed());
    let start = Instant::now();
    let no_reader = Some(Errno::NXIO.raw_os_error());
    let device = loop {
        match options.open(path) {
            Err(error) if error.raw_os_error() == no_reader => {
                if start.elapsed() > READER {
                    return Err(io::Error::other("no process reads from it"));
                }
                thread::sleep(Duration::from_millis(10));
            }
            opened => break opened?,
        }
    };
    // From here on, writing waits for a slow reader.
    fcntl_setfl(&device, fcntl_getfl(&device)? - OFlags::NONBLOCK)?;
    Ok(device)
}

/// Creates a folder, with its parents, that only the user can access.
pub(crate) fn make_private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Sets the permissions of a temporary file to those that the user's umask gives a new file.
/// Without `may_write`, nobody may write to the file.
pub(crate) fn permit(file: &mut tempfile::Builder, may_write: bool) {
    file.permissions(Permissions::from_mode(if may_write { 0o666 } else { 0o444 }));
}

/// Locks a folder. `None` if another process has locked it. The lock is on the folder itself,
/// because files in it are replaced. If the file system does not support locks, the last writer
/// wins.
///
/// # Errors
/// If there is no such folder.
pub(crate) fn try_lock(folder: &Path) -> io::Result<Option<File>> {
    let flags = OFlags::DIRECTORY | OFlags::NONBLOCK;
    let lock = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(folder)?;
    let locked = retry_on_intr(|| flock(&lock, FlockOperation::NonBlockingLockExclusive));
    Ok((locked != Err(Errno::WOULDBLOCK)).then_some(lock))
}
