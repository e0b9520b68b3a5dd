//! Events of the front end, and the threads that notice it: one for the keyboard, one for
//! the signals. Everything arrives in one channel.

use std::io;
use std::os::raw::c_int;
use std::process;
use std::sync::mpsc::Sender;
use std::thread;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use signal_hook::consts::{SIGCONT, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;

use super::input::{Decoder, Input};
use super::terminal;
use crate::signals::{end_soon, ending, status};

/// Something that happened.
#[derive(Debug, Clone, Copy)]
pub(super) enum Event {
    /// The user did something.
    Input(Input),
    /// The machine has left a snapshot.
    Snapshot,
    /// A source of the program has changed.
    SourcesChanged,
    /// The terminal has another size.
    Resized,
    /// We are asked to stop, as by ctrl-Z.
    Suspend,
    /// We go on after a stop; whoever had the terminal meanwhile may have changed it.
    Continued,
    /// A signal asks us to end.
    Ended(c_int),
    /// The terminal has gone away.
    TerminalGone,
    /// There is an answer to an inquiry.
    Found,
    /// The machine's thread has ended, or that of the inquiries.
    ThreadGone,
}

/// Starts to listen to the signals.
///
/// # Errors
/// If the handlers cannot be installed.
pub(super) fn listen_to_signals(events: Sender<Event>) -> io::Result<()> {
    let others = [SIGTSTP, SIGCONT, SIGWINCH];
    let mut signals = Signals::new(ending().into_iter().chain(others))?;
    thread::spawn(move || {
        let mut is_ending = false;
        for signal in signals.forever() {
            let event = match signal {
                SIGWINCH => Event::Resized,
                SIGTSTP => Event::Suspend,
                SIGCONT => Event::Continued,
                // The screen did not answer to the first one: it may hang in a terminal that
                // takes nothing (ctrl-S). The second one gives the terminal's settings back.
                _ if is_ending => {
                    terminal::abandon();
                    process::exit(status(signal));
                }
                _ => {
                    is_ending = true;
                    end_soon(signal, terminal::abandon);
                    Event::Ended(signal)
                }
            };
            // Without a receiver we are ending already, and what the terminal's end brings beside
            // SIGHUP must not take over. Only a signal to end gets an end at once.
            if events.send(event).is_err() && matches!(event, Event::Ended(_)) {
                process::exit(status(signal));
            }
        }
    });
    Ok(())
}

/// Starts to listen to the keyboard and the mouse.
pub(super) fn listen_to_keys(events: Sender<Event>) {
    thread::spawn(move || {
        let _ = forward_input(&events);
        let _ = events.send(Event::TerminalGone);
    });
}

/// Comes back when the terminal is gone, or the receiver.
fn forward_input(events: &Sender<Event>) -> io::Result<()> {
    let stdin = io::stdin();
    let mut decoder = Decoder::default();
    let mut bytes = [0; 1024];
    loop {
        wait_for_input(&stdin, None)?;
        while wait_for_input(&stdin, Some(&SEQUENCE))? {
            let count = retry_on_intr(|| rustix::io::read(&stdin, &mut bytes))?;
            if count == 0 {
                // Ctrl-D, typed while the terminal had the shell's settings, as around a stop. A
                // terminal that is gone hangs up as well, and that ends the waiting.
                break;
            }
            for input in decoder.take(&bytes[..count]) {
                events.send(Event::Input(input)).map_err(io::Error::other)?;
            }
        }
        if let Some(input) = decoder.idle() {
            events.send(Event::Input(input)).map_err(io::Error::other)?;
        }
    }
}

/// The time to wait for the rest of a key's sequence.
pub(super) const SEQUENCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };

/// Waits for the terminal. Says no if nothing has come in this time.
pub(super) fn wait_for_input(stdin: &io::Stdin, time: Option<&Timespec>) -> io::Result<bool> {
    let mut waited_for = [PollFd::new(stdin, PollFlags::IN)];
    let count = retry_on_intr(|| poll(&mut waited_for, time))?;
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    if waited_for[0].revents().intersects(gone) {
        return Err(io::ErrorKind::BrokenPipe.into());
    }
    Ok(count > 0)
}
