//! The events of the front end, and the threads that wait for the keyboard and for signals. All
//! events are sent through one channel.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::terminal;
use crate::signals::{end, end_soon};
use crate::system::{self, KeyReader, SIGINT, SIGQUIT, Signal, TerminalInput};

/// An event of the front end.
#[derive(Debug, Clone, Copy)]
pub(super) enum FrontEvent {
    /// Input from the user or the terminal.
    Input(TerminalInput),
    /// The machine has published a new snapshot.
    Snapshot,
    /// A source of the program has changed.
    SourcesChanged,
    /// The size of the terminal has changed.
    Resized,
    /// The process was asked to stop, for example by ctrl-Z.
    Suspend,
    /// The process continues after a stop. Other programs may have changed the terminal meanwhile.
    Continued,
    /// A signal asked the process to end.
    Ended(i32),
    /// The terminal has gone away.
    TerminalGone,
    /// There is a preview of a program or a folder.
    Previewed,
    /// The machine's thread or the thread of the previews has ended.
    ThreadGone,
}

/// Held by the thread or the program that reads the keys.
static KEYBOARD: Mutex<()> = Mutex::new(());
/// True while another program has the terminal, so that ctrl-C is meant for it.
static IS_LENT: AtomicBool = AtomicBool::new(false);

/// Lends the keys to another program while `work` waits for it.
pub(super) fn lend<T>(work: impl FnOnce() -> T) -> T {
    let _keyboard = KEYBOARD.lock().unwrap_or_else(PoisonError::into_inner);
    IS_LENT.store(true, Ordering::SeqCst);
    let result = work();
    IS_LENT.store(false, Ordering::SeqCst);
    result
}

/// Starts to listen for signals.
///
/// # Errors
/// If the handlers cannot be installed.
pub(super) fn listen_to_signals(events: Sender<FrontEvent>) -> io::Result<()> {
    let mut is_ending = false;
    system::on_signal(move |signal| {
        let event = match signal {
            Signal::Resized => FrontEvent::Resized,
            Signal::Suspend => FrontEvent::Suspend,
            Signal::Continued => FrontEvent::Continued,
            Signal::End(SIGINT | SIGQUIT) if IS_LENT.load(Ordering::SeqCst) => return,
            // The screen did not react to the first signal. It may be blocked by a terminal that
            // accepts no output (ctrl-S). At the second signal, this thread restores the terminal's
            // settings.
            Signal::End(signal) if is_ending => {
                terminal::abandon();
                end(signal);
            }
            Signal::End(signal) => {
                is_ending = true;
                end_soon(signal, terminal::abandon);
                FrontEvent::Ended(signal)
            }
        };
        // Without a receiver, the front end is ending already. A terminal that closes sends more
        // than SIGHUP, and those events must not change how it ends. Only a signal to end acts at
        // once.
        if let (Err(_), Signal::End(signal)) = (events.send(event), signal) {
            end(signal);
        }
    })
}

/// Starts to read the keyboard and the mouse.
pub(super) fn listen_to_keys(events: Sender<FrontEvent>) {
    thread::spawn(move || {
        let _ = forward_input(&events);
        let _ = events.send(FrontEvent::TerminalGone);
    });
}

/// Sends the terminal's input as events. Returns when the terminal or the receiver is gone.
fn forward_input(events: &Sender<FrontEvent>) -> io::Result<()> {
    let mut keys = KeyReader::default();
    loop {
        keys.wait(None)?;
        // Another program may have the terminal now, and then the input is meant for it.
        let _ours = KEYBOARD.lock().unwrap_or_else(PoisonError::into_inner);
        // The end of input is ignored. If the terminal is gone, it also hangs up, and that ends the
        // wait.
        keys.read(|input| events.send(FrontEvent::Input(input)).map_err(io::Error::other))?;
    }
}
