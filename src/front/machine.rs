//! The thread in which the machine runs in real time.
//!
//! The machine never waits for the screen: its latest [`Snapshot`] replaces the previous one. Keys
//! never wait for the machine, because commands are read after each slice of at most a few
//! milliseconds. While paused, the thread sleeps until a command arrives.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use gray1_session::{Command, Due, Session, Snapshot};

use super::events::FrontEvent;
use super::test_hook;

/// The minimum time between two frames: sixty per second.
pub(super) const FRAME: Duration = Duration::from_micros(16_667);

/// The handle of the machine's thread.
pub(super) struct MachineThread {
    commands: Sender<Command>,
    /// The latest snapshot, until the screen takes it.
    latest: Arc<Mutex<Option<Snapshot>>>,
    /// Set when the screen has ended. Pending commands are then ignored.
    ended: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

/// The machine's thread.
struct MachineWorker {
    session: Session,
    commands: Receiver<Command>,
    latest: Arc<Mutex<Option<Snapshot>>>,
    ended: Arc<AtomicBool>,
    events: Sender<FrontEvent>,
    /// The time at which the machine was last advanced.
    served: Instant,
    /// The time of the last snapshot. `None` before the first.
    published: Option<Instant>,
}

impl MachineThread {
    /// Starts the thread. It sends an event when there is a new snapshot, and when it ends.
    pub(super) fn start(session: Session, events: Sender<FrontEvent>) -> Self {
        let (commands, receiver) = channel();
        let (latest, ended) = (Arc::default(), Arc::default());
        let mut worker = MachineWorker {
            session,
            commands: receiver,
            latest: Arc::clone(&latest),
            ended: Arc::clone(&ended),
            events,
            served: Instant::now(),
            published: None,
        };
        Self { commands, latest, ended, thread: thread::spawn(move || worker.run()) }
    }

    /// Sends a command to the machine.
    pub(super) fn command(&self, command: Command) {
        // If the machine's thread has died, its last event reports that.
        let _ = self.commands.send(command);
    }

    /// Pauses the machine during an action. Afterwards it runs again if it was running in the last
    /// snapshot. It can have stopped since then, and must not be started by the pause.
    pub(super) fn while_paused<T>(&self, was_running: bool, action: impl FnOnce() -> T) -> T {
        if was_running {
            self.command(Command::Cancel);
        }
        let done = action();
        if was_running {
            self.command(Command::Play);
        }
        done
    }

    /// Takes the latest snapshot, if there is a new one.
    pub(super) fn snapshot(&self) -> Option<Snapshot> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Ends the thread. A panic in it is resumed here, because its message has been printed.
    pub(super) fn stop(self) {
        self.ended.store(true, Ordering::Relaxed);
        drop(self.commands);
        if let Err(panic) = self.thread.join() {
            std::panic::resume_unwind(panic);
        }
    }
}

impl MachineWorker {
    fn run(&mut self) {
        let mut seen = self.session.progress();
        let mut due = self.session.advance(Duration::ZERO);
        self.publish();
        loop {
            let wait = self.wait(due, seen != self.session.progress());
            let Some(commanded) = self.execute_commands(wait) else { return };
            let elapsed = self.lap();
            due = self.session.advance(elapsed);
            if commanded || seen != self.session.progress() && self.frame_in().is_zero() {
                seen = self.session.progress();
                self.publish();
            }
        }
    }

    /// How long to wait for a command. `None` for no limit.
    fn wait(&self, due: Due, unseen: bool) -> Option<Duration> {
        let frame = unseen.then(|| self.frame_in());
        match due {
            Due::Now => Some(Duration::ZERO),
            Due::After(time) => Some(frame.map_or(time, |frame| frame.min(time))),
            Due::Never => frame,
        }
    }

    /// Executes the commands that arrive within this time, and returns whether there were any.
    /// `None` once the screen has ended.
    fn execute_commands(&mut self, wait: Option<Duration>) -> Option<bool> {
        let first = match wait {
            None => self.commands.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(wait) => self.commands.recv_timeout(wait),
        };
        let first = match first {
            Ok(command) => command,
            Err(RecvTimeoutError::Timeout) => return Some(false),
            Err(RecvTimeoutError::Disconnected) => return None,
        };
        test_hook::panic_in("machine");
        // The time until now belongs to the old pace. Time spent paused does not count.
        let elapsed = self.lap();
        self.session.advance(elapsed);
        self.session.command(first);
        while let Ok(command) = self.commands.try_recv() {
            // Two steps by quickly pressed keys are two goals, so the first must be reached.
            self.session.advance(Duration::ZERO);
            if self.ended.load(Ordering::Relaxed) {
                return None;
            }
            self.session.command(command);
        }
        Some(true)
    }

    /// The time since the last call.
    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now.duration_since(std::mem::replace(&mut self.served, now))
    }

    /// The time until the screen may get another snapshot.
    fn frame_in(&self) -> Duration {
        self.published.map_or(Duration::ZERO, |then| FRAME.saturating_sub(then.elapsed()))
    }

    fn publish(&mut self) {
        self.published = Some(Instant::now());
        let snapshot = self.session.snapshot();
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        // A snapshot that was not taken has been announced already.
        if latest.replace(snapshot).is_none() {
            // Fails only when the program ends and the receiver is gone.
            let _ = self.events.send(FrontEvent::Snapshot);
        }
    }
}

impl Drop for MachineWorker {
    fn drop(&mut self) {
        let _ = self.events.send(FrontEvent::ThreadGone);
    }
}

#[cfg(test)]
mod tests {
    use gray1_isa::{Image, Op, RomIndex, Word};
    use gray1_session::{Program, RunState};
    use gray1_sim::Setup;

    use super::*;

    /// The screen's last snapshot can be from before the machine stopped at a break.
    #[test]
    fn a_machine_that_has_just_stopped_stays_stopped_while_an_editor_is_open() {
        let image = Image::from_words(&[Word::ldi(1), Word::jump(Op::Jmp, RomIndex::truncate(0))]);
        let program = Program::new("test".into(), image.unwrap());
        let board = Box::new(gray1_roms::stock);
        let session = Session::new(program, Setup::default(), true, board).unwrap();
        let (sender, events) = channel();
        let machine = MachineThread::start(session, sender);
        let wait_for = |is_expected: &dyn Fn(&Snapshot) -> bool| {
            loop {
                events.recv_timeout(Duration::from_secs(60)).unwrap();
                if let Some(found) = machine.snapshot().filter(is_expected) {
                    return found;
                }
            }
        };
        let pace = wait_for(&|_| true).pace;
        machine.while_paused(true, || {
            machine.command(Command::Faster);
            assert_eq!(wait_for(&|it| it.pace != pace).run_state, RunState::Paused);
        });
        wait_for(&|it| it.run_state == RunState::Running);
        machine.stop();
    }
}
