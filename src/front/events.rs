//! The events of the front end, and the threads that wait for the keyboard and for signals. All
//! events go through one channel.

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
    /// Input of the user or the terminal.
    Input(TerminalInput),
    /// There is a new snapshot of the machine.
    Snapshot,
    /// A source of the program has changed.
    SourcesChanged,
    /// The size of the terminal has changed.
    Resized,
    /// The process is asked to stop, as by ctrl-Z.
    Suspend,
    /// The process continues after a stop, in which the terminal may have been changed.
    Continued,
    /// A signal asks the process to end.
    Ended(i32),
    /// The terminal has gone away.
    TerminalGone,
    /// There is an answer to an inquiry.
    Found,
    /// The machine's thread has ended, or that of the inquiries.
    ThreadGone,
}

/// Held by the thread or the program that reads the keys.
static KEYBOARD: Mutex<()> = Mutex::new(());
/// True while another program has the terminal, and with it ctrl-C.
static IS_LENT: AtomicBool = AtomicBool::new(false);

/// Lends the keys to another program while `work` waits for it.
pub(super) fn lend<T>(work: impl FnOnce() -> T) -> T {
    let _keyboard = KEYBOARD.lock().unwrap_or_else(PoisonError::into_inner);
    IS_LENT.store(true, Ordering::SeqCst);
    let result = work();
    IS_LENT.store(false, Ordering::SeqCst);
    result
}

/// Starts to listen to the signals.
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
            // The screen did not answer to the first one: it may hang in a terminal that
            // takes nothing (ctrl-S). The second one gives the terminal's settings back.
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
        // Without a receiver we are ending already, and what the terminal's end brings beside
        // SIGHUP must not take over. Only a signal to end gets an end at once.
        if let (Err(_), Signal::End(signal)) = (events.send(event), signal) {
            end(signal);
        }
    })
}

/// Starts to listen to the keyboard and the mouse.
pub(super) fn listen_to_keys(events: Sender<FrontEvent>) {
    thread::spawn(move || {
        let _ = forward_input(&events);
        let _ = events.send(FrontEvent::TerminalGone);
    });
}

/// Returns when the terminal or the receiver is gone.
fn forward_input(events: &Sender<FrontEvent>) -> io::Result<()> {
    let mut keys = KeyReader::default();
    loop {
        keys.wait(None)?;
        // Another program may have the terminal; then this is not for us.
        let _ours = KEYBOARD.lock().unwrap_or_else(PoisonError::into_inner);
        // An end of input is none of ours: a terminal that is gone hangs up as well, and that ends
        // the waiting.
        keys.read(|input| events.send(FrontEvent::Input(input)).map_err(io::Error::other))?;
    }
}
