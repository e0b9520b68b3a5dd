//! Connects `gray1_tui`, which decides what the screen shows and what keys do, to the terminal,
//! threads, signals and files.
//!
//! The machine ([`machine`]) runs in its own thread and publishes snapshots. Two threads wait for
//! the keyboard and for signals ([`events`]). Another one reads programs that could be opened
//! ([`previews`]). The screen (here) takes their events from one channel, passes them to the
//! [`App`], and draws it.

mod child;
mod events;
mod keyboard;
mod lending;
mod machine;
mod previews;
mod screen;
mod settings;
mod terminal;
mod test_hook;
mod watch;

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use gray1_isa::panel::Buttons;
use gray1_session::{BreakChange, Command, Program, Session};
use gray1_tui::{App, Background, Depth, Effect, Key, Preferences, Programs, Theme};

pub(crate) use child::{ChildRequest, editor, wait};
pub(crate) use keyboard::{Keyboard, restore_modes};
pub(crate) use screen::size;
pub(crate) use terminal::{obstacle, suspend};
pub(crate) use watch::{FileChanges, WATCH_PERIOD};

use crate::system::{self, TerminalInput};
use events::FrontEvent;
use machine::{FRAME, MachineThread};
use previews::PreviewThread;
use settings::Settings;
use terminal::Terminal;
use watch::WatchedFiles;

/// The programs that can be opened, and their files.
pub(crate) trait ProgramSources: Programs {
    /// The files of a program, whether they exist or not. A built-in program has none.
    fn files(&self, program: &str) -> Vec<PathBuf>;

    /// The path of a file in a program's source map, if users can edit it.
    ///
    /// # Errors
    /// A message that says why they cannot, and what to do instead.
    fn editable(&self, program: &str, file: &str) -> Result<PathBuf, String>;
}

/// The reason why the front end ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitReason {
    /// The user has quit.
    Quit,
    /// The number of a signal, or of the signal that a key or an event stands for.
    Signal(u8),
}

/// Whether the command line asks for colours. Unset if it does not say.
static COLOURS: OnceLock<bool> = OnceLock::new();

/// Sets whether the front end has colours, overriding `NO_COLOR`.
pub(crate) fn choose_colours(wants: bool) {
    COLOURS.get_or_init(|| wants);
}

/// Runs the front end, starting with this pane, until the user or a signal ends it. The terminal is
/// restored in every case. If `reassembles` is set, the program is assembled again whenever its
/// sources change. `choose` replaces remembered preferences with those of the command line.
///
/// # Errors
/// If the terminal cannot be used. A terminal that goes away is not an error but an [`ExitReason`].
pub(crate) fn run(
    programs: &'static (dyn ProgramSources + Sync),
    mut session: Session,
    pane: &str,
    reassembles: bool,
    choose: impl FnOnce(Preferences) -> Preferences,
) -> io::Result<ExitReason> {
    let theme = Theme::from_environment(|name| match COLOURS.get() {
        Some(wants) if name == "NO_COLOR" => (!wants).then(|| "1".into()),
        _ => system::env_var(name),
    });
    let (sender, events) = channel();
    events::listen_to_signals(sender.clone())?;
    let settings = Settings::find(|name| std::env::var_os(name));
    let preferences = choose(settings.preferences());
    let terminal = Terminal::take(theme.depth, preferences.mouse)?;
    events::listen_to_keys(sender.clone());

    let remark = session.snapshot().remark;
    restore(&settings, &mut session);
    session.set_dwelling(preferences.dwells);
    let mut app = App::new(session.snapshot(), screen::size()?, pane, preferences);
    if let Some(problem) = &settings.problem {
        app.note(problem);
    } else if let Some(remark) = remark {
        app.note(remark.text);
    }
    let program = session.snapshot().program.name.clone();
    let watched = WatchedFiles::start(sender.clone());
    let previews = PreviewThread::start(programs, sender.clone());
    let machine = MachineThread::start(session, sender);
    let mut front = FrontEnd {
        programs,
        theme,
        terminal,
        events,
        machine,
        previews,
        app,
        program: String::new(),
        watched,
        assembled: WatchedFiles::default(),
        reassembles,
        settings,
        changed: true,
        asked: None,
        plays: false,
    };
    front.follow(program);
    let result =
        front.begin().and_then(|()| front.run()).or_else(|error| match error.raw_os_error() {
            // The write failed before the signal arrived, or there was no signal.
            Some(system::TERMINAL_GONE) => Ok(ExitReason::Signal(SIGHUP)),
            _ => Err(error),
        });

    let FrontEnd { terminal, machine, previews, app, mut settings, .. } = front;
    drop(terminal);
    machine.stop();
    previews.stop();
    if result.is_ok() {
        let (program, kept) = app.saved_breakpoints();
        settings.remember(program, kept);
        settings.save(app.preferences());
    }
    result
}

/// Restores a program's breakpoints and watches from its last session.
fn restore(settings: &Settings, session: &mut Session) {
    let program = session.snapshot().program.name.clone();
    session.command(Command::Change(BreakChange::Restore(settings.saved(&program))));
}

/// The state of the screen.
struct FrontEnd {
    programs: &'static dyn ProgramSources,
    theme: Theme,
    terminal: Terminal,
    events: Receiver<FrontEvent>,
    machine: MachineThread,
    previews: PreviewThread,
    app: App,
    /// The name of the program.
    program: String,
    /// Its files, whose changes are events.
    watched: WatchedFiles,
    /// Its files as they were when it was last assembled.
    assembled: WatchedFiles,
    /// Whether a change assembles the program again.
    reassembles: bool,
    settings: Settings,
    /// True while the screen is out of date.
    changed: bool,
    /// When the pending question was sent to the terminal.
    asked: Option<Instant>,
    /// Whether the terminal has been set up for keys that act as the panel's buttons.
    plays: bool,
}

/// How long the first frame waits for the terminal's answers. Later answers still count.
const FIRST_FRAME_WAIT: Duration = Duration::from_millis(100);

impl FrontEnd {
    /// Asks the terminal for settings that neither the environment nor an option gives.
    fn begin(&mut self) -> io::Result<()> {
        let mut questions = String::new();
        if self.theme.depth != Depth::None && self.app.preferences().background.is_none() {
            questions += terminal::ASK_BACKGROUND;
        }
        if self.theme.unicode {
            questions += terminal::ASK_WIDTH;
        }
        self.ask(&questions)
    }

    fn ask(&mut self, questions: &str) -> io::Result<()> {
        if system::HAS_ANSWERS && !questions.is_empty() {
            self.terminal.ask(questions)?;
            self.asked = Some(Instant::now());
        }
        Ok(())
    }

    /// Makes the terminal report key releases while the keys are the panel's buttons, if it can.
    fn follow_buttons(&mut self) -> io::Result<()> {
        let plays = self.app.buttons_have_keys;
        if std::mem::replace(&mut self.plays, plays) != plays {
            self.set_reports_releases(false)?;
            self.ask(if plays { terminal::ASK_RELEASES } else { "" })?;
        }
        Ok(())
    }

    fn set_reports_releases(&mut self, reports: bool) -> io::Result<()> {
        self.app.pressed = reports.then_some(Buttons::NONE);
        self.terminal.report_releases(reports)
    }

    fn retake(&mut self) -> io::Result<()> {
        // The terminal no longer reports releases.
        (self.plays, self.app.pressed) = (false, None);
        self.terminal.retake()
    }

    /// Handles events and draws frames until an event ends the front end.
    fn run(&mut self) -> io::Result<ExitReason> {
        let mut drawn: Option<Instant> = None;
        loop {
            let frame_in = match (drawn, self.asked) {
                (Some(then), _) => FRAME.saturating_sub(then.elapsed()),
                (None, Some(asked)) => FIRST_FRAME_WAIT.saturating_sub(asked.elapsed()),
                (None, None) => Duration::ZERO,
            };
            if self.changed && frame_in.is_zero() {
                self.draw()?;
                drawn = Some(Instant::now());
            } else if let Some(event) = self.next_event(frame_in)
                && let Some(reason) = self.handle(event)?
            {
                return Ok(reason);
            }
            self.follow_buttons()?;
            self.previews.ask(|| self.app.wanted_preview());
        }
    }

    /// Waits for an event, but only until a frame is due.
    fn next_event(&self, frame_in: Duration) -> Option<FrontEvent> {
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
        let (app, theme) = (&mut self.app, self.theme);
        self.terminal.draw(|frame| {
            test_hook::panic_in("frame");
            // The terminal's size may have changed. The signal for that can arrive later.
            app.resize(frame.area().as_size());
            app.draw(theme, frame.buffer_mut());
            if let Some(caret) = app.caret() {
                frame.set_cursor_position(caret);
            }
        })?;
        self.changed = false;
        Ok(())
    }

    fn handle(&mut self, event: FrontEvent) -> io::Result<Option<ExitReason>> {
        match event {
            FrontEvent::Input(TerminalInput::Key(key)) => return self.handle_key(key),
            FrontEvent::Input(TerminalInput::Mouse(mouse)) => {
                self.changed = true;
                let effect = self.app.mouse(mouse);
                return self.apply(effect);
            }
            FrontEvent::Input(TerminalInput::Background(rgb)) => {
                self.theme.background = Background::nearest(rgb);
                self.app.keeps_background = Background::is_near(rgb);
            }
            FrontEvent::Input(TerminalInput::Released(key)) => {
                let effect = self.app.release(key);
                return self.apply(effect);
            }
            FrontEvent::Input(TerminalInput::Pasted(c)) => self.app.paste(c),
            // The terminal draws box characters two columns wide, which would break the layout.
            FrontEvent::Input(TerminalInput::Column(column)) => {
                self.theme.unicode &= self.asked.is_none() || column == 2;
            }
            FrontEvent::Input(TerminalInput::CanReportReleases) => {
                self.set_reports_releases(self.plays)?;
            }
            FrontEvent::Input(TerminalInput::Answered) => self.asked = None,
            FrontEvent::Snapshot => {
                if let Some(snapshot) = self.machine.snapshot() {
                    self.app.update(snapshot);
                }
            }
            FrontEvent::Previewed => {
                if let Some((name, preview)) = self.previews.preview() {
                    self.app.take_preview(&name, &preview);
                }
            }
            // The next frame reads the new size. Redraw everything even if the size is the one that
            // was assumed so far, because the terminal can have garbled the screen before it knew
            // its size.
            FrontEvent::Resized => self.terminal.invalidate()?,
            // The program may have been assembled since.
            FrontEvent::SourcesChanged if self.assembled.poll() => {
                self.app.has_new_source = true;
                if self.reassembles {
                    self.assemble();
                }
            }
            FrontEvent::SourcesChanged => {}
            FrontEvent::Suspend => return self.suspend(),
            FrontEvent::Continued => self.retake()?,
            FrontEvent::Ended(signal) => {
                return Ok(Some(ExitReason::Signal(signal.unsigned_abs() as u8)));
            }
            FrontEvent::TerminalGone => return Ok(Some(ExitReason::Signal(SIGHUP))),
            // The thread panicked. Joining it resumes the panic.
            FrontEvent::ThreadGone => return Ok(Some(ExitReason::Quit)),
        }
        self.changed = true;
        Ok(None)
    }

    fn handle_key(&mut self, key: Key) -> io::Result<Option<ExitReason>> {
        test_hook::panic_in("screen");
        let had_note = self.app.shown_note().is_some();
        let effect = self.app.key(key);
        // The effect of a command appears in the next snapshot, which follows at once. A frame
        // drawn now would show nothing new, and would delay the frame with the effect.
        self.changed |= had_note || !matches!(effect, Some(Effect::Session(_)));
        self.apply(effect)
    }

    fn apply(&mut self, effect: Option<Effect>) -> io::Result<Option<ExitReason>> {
        match effect {
            None => {}
            Some(Effect::Session(command)) => self.machine.command(command),
            Some(Effect::ListPrograms) => self.app.show_programs(self.programs.list()),
            Some(Effect::Open(name)) => {
                let opened = self.programs.open(&name);
                if opened.is_ok() {
                    self.follow(name.clone());
                }
                self.show_opened(&name, opened);
            }
            Some(Effect::Reassemble) if self.programs.files(&self.program).is_empty() => {
                self.app.note("this program is not from a file");
            }
            Some(Effect::Reassemble) => self.assemble(),
            Some(Effect::Edit { file, line }) => return self.edit(&file, line),
            Some(Effect::Redraw) => self.retake()?,
            Some(Effect::Suspend) => return self.suspend(),
            Some(Effect::Interrupt) => {
                return Ok(self.await_answers()?.or(Some(ExitReason::Signal(SIGINT))));
            }
            Some(Effect::Quit) => return Ok(self.await_answers()?.or(Some(ExitReason::Quit))),
        }
        Ok(None)
    }

    /// Shows the program that was opened, with its own breakpoints and watches, or the reason for a
    /// failure.
    fn show_opened(&mut self, name: &str, opened: Result<Program, String>) {
        let (before, kept) = self.app.saved_breakpoints();
        let replaces = opened.is_ok() && before != name;
        let plays = self.app.shows_display() && opened.as_ref().is_ok_and(|it| it.reads_buttons);
        self.settings.remember(before, kept);
        if let Some(load) = self.app.load_opened(name, opened) {
            self.machine.command(load);
        }
        if replaces {
            let kept = self.settings.saved(name);
            self.machine.command(Command::Change(BreakChange::Restore(kept)));
        }
        if plays {
            self.machine.command(Command::Play);
        }
    }

    /// Notices changes of a program's files from now on.
    fn follow(&mut self, program: String) {
        let files = self.programs.files(&program);
        self.watched.set(files.clone());
        self.assembled.poll();
        self.assembled.set(files);
        self.program = program;
    }

    /// Assembles the program again.
    fn assemble(&mut self) {
        self.follow(self.program.clone());
        let opened = self.programs.open(&self.program);
        if let Some(load) = self.app.reload(&self.program, opened) {
            self.machine.command(load);
        }
    }
}

const SIGHUP: u8 = system::SIGHUP as u8;
const SIGINT: u8 = system::SIGINT as u8;
