//! The terminal front end: watch a program run on the LEDs, pause it, step it, change its pace.
//!
//! Three threads and a channel. The *machine* ([`deck`]) runs on its own and leaves snapshots; the
//! *keyboard* and the *signals* ([`events`]) are waited for; the *screen* (here) takes what has
//! happened from the channel, changes the [`State`], and draws it. Views draw from `&State` and
//! nothing else; the machine's side ([`player`]) knows no screen and no clock.

mod actions;
mod arrangement;
mod breaks;
mod chips;
mod chooser;
mod deck;
mod events;
mod keys;
mod listing;
mod memory;
mod mouse;
mod names;
mod open;
mod pager;
mod palette;
mod picture;
mod player;
mod prompt;
mod remembered;
mod screen;
mod screenshot;
mod source;
mod state;
mod terminal;
mod test_hook;
mod text;
mod theme;
mod view;
mod watch;

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crossterm::event::KeyEvent;
use gray1_sim::PowerUp;

pub(crate) use keys::Script;
pub(crate) use picture::PictureFormat;
pub(crate) use player::Opened;
pub(crate) use screenshot::screenshots;
pub(crate) use terminal::usable;
pub(crate) use text::grouped;

use deck::Deck;
use events::Event;
use player::Player;
use remembered::Remembered;
use state::{Effect, State};
use terminal::Terminal;
use theme::Theme;
use watch::Watched;

/// The programs that can be opened.
pub(crate) trait Programs {
    /// The built-in programs, in the order in which they are to be shown.
    fn list(&self) -> Vec<Listed>;

    /// Opens a program by its path or name, as on the command line.
    ///
    /// # Errors
    /// What is wrong with it, in words; several lines if need be.
    fn open(&self, program: &str) -> Result<Opened, String>;

    /// The files that a program is made from, also if it has mistakes in it: those that change it
    /// when they change. A built-in one has none.
    fn files(&self, program: &str) -> Vec<PathBuf>;
}

/// A built-in program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    /// The name that opens it.
    pub(crate) name: String,
    /// What it calls itself; may be empty.
    pub(crate) title: String,
}

/// How the front end starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// Running, the display large.
    Watching,
    /// Paused at instruction 0, in the view that was used last.
    Debugging,
}

/// Why the front end ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitReason {
    /// The person at the keyboard was done.
    Quit,
    /// A signal of this number, or a key or an event that stands for it, asked to end.
    Signal(u8),
}

/// The time between two frames: sixty a second at most.
const FRAME: Duration = Duration::from_micros(16_667);

/// What `--watch` watches.
struct Watch {
    /// The program, as it was asked for.
    program: String,
    files: Watched,
}

/// Shows a program until the person at the keyboard, or a signal, ends it. The terminal is given
/// back however this ends. `watched` is the program under the name by which it was asked for, if it
/// is to be assembled anew whenever its sources change.
///
/// # Errors
/// If the terminal cannot be talked to. That it goes away is no error: see [`ExitReason`].
pub(crate) fn run(
    programs: &dyn Programs,
    first: Opened,
    power_up: PowerUp,
    start: Start,
    watched: Option<String>,
) -> io::Result<ExitReason> {
    let theme = Theme::from_environment(|name| std::env::var_os(name));
    let (sender, events) = channel();
    events::listen_to_signals(sender.clone())?;
    let terminal = Terminal::take(theme.depth)?;
    events::listen_to_keys(sender.clone());

    let player = Player::new(first, power_up, start == Start::Debugging);
    let size = crossterm::terminal::size()?;
    let remembered = Remembered::find(|name| std::env::var_os(name));
    let views = remembered.views(start);
    let mut state = State::new(Box::new(player.snapshot()), size.into(), views);
    state.colors = remembered.colors();
    state.note.clone_from(&remembered.problem);
    let watch = watched.map(|program| {
        let files = Watched::start(sender.clone());
        files.set(programs.files(&program));
        Watch { program, files }
    });
    let deck = Deck::start(player, sender);
    let mut front =
        FrontEnd { programs, theme, terminal, events, deck, state, watch, changed: true };
    let result = front.watch().or_else(|error| match error.raw_os_error() {
        // The write found out before the signal came, or instead of it.
        Some(EIO) => Ok(ExitReason::Signal(SIGHUP)),
        _ => Err(error),
    });

    let FrontEnd { terminal, deck, state, .. } = front;
    drop(terminal);
    deck.stop();
    if result.is_ok() {
        remembered.keep(state.views, state.colors);
    }
    result
}

/// The screen's side.
struct FrontEnd<'a> {
    programs: &'a dyn Programs,
    theme: Theme,
    terminal: Terminal,
    events: Receiver<Event>,
    deck: Deck,
    state: State,
    watch: Option<Watch>,
    /// Whether the screen does not show the state yet.
    changed: bool,
}

impl FrontEnd<'_> {
    /// Serves events and draws, until something ends it.
    fn watch(&mut self) -> io::Result<ExitReason> {
        let mut drawn: Option<Instant> = None;
        loop {
            let frame_in =
                drawn.map_or(Duration::ZERO, |then| FRAME.saturating_sub(then.elapsed()));
            if self.changed && frame_in.is_zero() {
                self.draw()?;
                drawn = Some(Instant::now());
            } else if let Some(event) = self.next_event(frame_in)
                && let Some(reason) = self.serve(event)?
            {
                return Ok(reason);
            }
        }
    }

    /// Waits for an event, but no longer than until a frame is due.
    fn next_event(&self, frame_in: Duration) -> Option<Event> {
        let gone = "the threads of the signals and of the machine hold senders";
        if !self.changed {
            return Some(self.events.recv().expect(gone));
        }
        match self.events.recv_timeout(frame_in) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => unreachable!("{gone}"),
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        let (state, theme) = (&self.state, self.theme);
        self.terminal.draw(|frame| view::draw(state, theme, frame.buffer_mut()))?;
        self.changed = false;
        Ok(())
    }

    fn serve(&mut self, event: Event) -> io::Result<Option<ExitReason>> {
        match event {
            Event::Key(key) => return self.key(key),
            Event::Mouse(mouse) => {
                self.changed = true;
                let effect = self.state.mouse(mouse);
                return self.effect(effect);
            }
            Event::Snapshot => {
                if let Some(snapshot) = self.deck.snapshot() {
                    self.state.see(snapshot);
                }
            }
            Event::Resized => self.measure(),
            Event::SourcesChanged => self.assemble_anew(),
            Event::Suspend => self.suspend(),
            Event::Continued => {
                self.terminal.retake()?;
                self.measure();
            }
            Event::Ended(signal) => {
                return Ok(Some(ExitReason::Signal(signal.unsigned_abs() as u8)));
            }
            Event::TerminalGone => return Ok(Some(ExitReason::Signal(SIGHUP))),
            // It panicked; joining it carries the panic on.
            Event::MachineGone => return Ok(Some(ExitReason::Quit)),
        }
        self.changed = true;
        Ok(None)
    }

    fn key(&mut self, key: KeyEvent) -> io::Result<Option<ExitReason>> {
        test_hook::panic_in("screen");
        let had_note = self.state.note.is_some();
        let effect = self.state.key(key);
        // What a command does is seen in the snapshot that follows at once. A frame drawn now
        // would show nothing new, and keep that one waiting.
        self.changed |= had_note || !matches!(effect, Some(Effect::Machine(_)));
        self.effect(effect)
    }

    fn effect(&mut self, effect: Option<Effect>) -> io::Result<Option<ExitReason>> {
        match effect {
            None => {}
            Some(Effect::Machine(command)) => self.deck.command(command),
            Some(Effect::ListPrograms) => self.state.show_programs(self.programs.list()),
            Some(Effect::Open(name)) => {
                let opened = self.programs.open(&name);
                if let (Some(watch), true) = (&mut self.watch, opened.is_ok()) {
                    watch.files.set(self.programs.files(&name));
                    watch.program.clone_from(&name);
                }
                let effect = self.state.opened(&name, opened);
                return self.effect(effect);
            }
            Some(Effect::Redraw) => self.terminal.retake()?,
            Some(Effect::Suspend) => self.suspend(),
            Some(Effect::Interrupt) => return Ok(Some(ExitReason::Signal(SIGINT))),
            Some(Effect::Quit) => return Ok(Some(ExitReason::Quit)),
        }
        Ok(None)
    }

    /// A source has changed.
    fn assemble_anew(&mut self) {
        let Some(Watch { program, files }) = &self.watch else { return };
        files.set(self.programs.files(program));
        let opened = self.programs.open(program);
        if let Some(command) = self.state.assembled_anew(program, opened) {
            self.deck.command(command);
        }
    }

    /// Finds out how large the screen is; of one that has gone away, the next frame will tell.
    fn measure(&mut self) {
        if let Ok(size) = crossterm::terminal::size() {
            self.state.size = size.into();
        }
    }

    /// Stops. What follows happens after SIGCONT, which is an event of its own.
    fn suspend(&mut self) {
        if !terminal::suspend() {
            self.state.note = Some("there is no shell to return to".to_owned());
        }
    }
}

/// What reading and writing say of a terminal that has gone away.
const EIO: i32 = rustix::io::Errno::IO.raw_os_error();
const SIGHUP: u8 = signal_hook::consts::SIGHUP as u8;
const SIGINT: u8 = signal_hook::consts::SIGINT as u8;
