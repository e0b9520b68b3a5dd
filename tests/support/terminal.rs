//! A terminal for tests: a pseudo-terminal that runs `gray1` or a shell, and its screen.

use std::fs::{self, File};
use std::io::{self, Read as _, Write};
use std::num::NonZero;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::support::{Bench, TIMEOUT, environment, program};

/// The time between two checks of the screen.
const POLL_PERIOD: Duration = Duration::from_millis(2);

/// Shows a red, a green, a yellow and a dark LED, prints a line and halts.
pub(crate) const LIGHTS: &str = "
.title \"All the lights\"
        LDI 0b0101
        ST  0x1fe8              ; red
        LDI 0b0110
        ST  0x1fe0              ; green
        LDI '!'
        ST  0x1fff
        LDI 10
        ST  0x1fff
        HALT
";

/// Switches an LED off, then on and off for ever.
pub(crate) const BLINK: &str = "
.title \"Blink\"
        LDI 0
        ST  0x1fe8
again:  LDI 1
        ST  0x1fe8
        LDI 0
        ST  0x1fe8
        JMP again
";

/// A script that acts as the user's editor and needs the terminal in its normal mode. It prints its
/// arguments, reads a line, and changes the file according to that line.
const EDITOR: &str = "#!/bin/sh
stty -a | grep -q ' icanon' || exit 7
echo \"asked: $*\"
read change
for file; do :; done
sed \"$change\" \"$file\" > changed && cat changed > \"$file\"
";

/// Installs the editor script in a folder and returns its command, which has an option.
pub(crate) fn editor(folder: &Path) -> String {
    let path = folder.join("editor");
    fs::write(&path, EDITOR).expect("the folder is writable");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    format!("'{}' -x", path.display())
}

/// The input of the terminal. The test types into it, and the terminal sends its answers there.
type Keyboard = Arc<Mutex<Box<dyn Write + Send>>>;

/// A terminal in which no program runs yet.
pub(crate) struct Setup {
    command: CommandBuilder,
    size: PtySize,
    /// The answer to a query for the terminal's type, and its delay.
    answer: (String, Duration),
    /// Whether another program has left the terminal in non-blocking mode.
    is_nonblocking: bool,
}

/// A terminal with a program in it.
pub(crate) struct Terminal {
    master: Box<dyn MasterPty + Send>,
    keyboard: Keyboard,
    child: Box<dyn Child + Send + Sync>,
    screen: Arc<Mutex<vt100::Parser>>,
    reader: JoinHandle<()>,
    hang_up: Arc<AtomicBool>,
    /// Whether the program has sent an escape sequence.
    is_escaped: Arc<AtomicBool>,
    /// The terminal's settings before the program started.
    settings: String,
}

impl Setup {
    /// Sets up a truecolor terminal of 80x24 for `gray1` with these arguments in this folder, which
    /// also holds its settings.
    pub(crate) fn gray1(folder: &Path, arguments: &str) -> Self {
        let mut command = CommandBuilder::new(program());
        command.args(arguments.split_whitespace());
        Self::from_command(command, folder)
    }

    /// Sets up a shell with job control. Its `PATH` includes the folder of `gray1`.
    pub(crate) fn shell(folder: &Path) -> Self {
        Self::shell_with("sh", &["-i"], folder)
    }

    /// Sets up another shell with these arguments. Its `PATH` also includes the folder of `gray1`.
    pub(crate) fn shell_with(name: &str, arguments: &[&str], folder: &Path) -> Self {
        let mut command = CommandBuilder::new(name);
        command.args(arguments);
        command.env("PATH", format!("{}:/usr/bin:/bin", binaries().display()));
        command.env("PS1", "ready> ");
        // Prevents the user's start-up files from being read.
        command.env("ENV", "");
        Self::from_command(command, folder)
    }

    fn from_command(mut command: CommandBuilder, folder: &Path) -> Self {
        command.cwd(folder);
        for (name, value) in environment(folder) {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            }
        }
        command.env("TERM", "xterm-256color");
        command.env("COLORTERM", "truecolor");
        let answer = ("\x1b[?62c".to_owned(), Duration::ZERO);
        Self { command, size: size(80, 24), answer, is_nonblocking: false }
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Turns off colours and uses only ASCII. LEDs are then letters, which a test can wait for.
    pub(crate) fn plain(self) -> Self {
        self.env("NO_COLOR", "1").env("LC_ALL", "C")
    }

    pub(crate) fn size(self, columns: u16, rows: u16) -> Self {
        Self { size: size(columns, rows), ..self }
    }

    /// Makes the terminal send this string before it reports its type. It sends both after this
    /// delay.
    pub(crate) fn answers(mut self, answer: &str, late: Duration) -> Self {
        self.answer = (format!("{answer}\x1b[?62c"), late);
        self
    }

    pub(crate) fn nonblocking(self) -> Self {
        Self { is_nonblocking: true, ..self }
    }

    pub(crate) fn start(self) -> Terminal {
        let pair = native_pty_system().openpty(self.size).expect("a pseudo-terminal");
        let settings = settings(pair.master.as_ref());
        let child = if self.is_nonblocking {
            let slave = pair.master.tty_name().expect("a pseudo-terminal has a name");
            nonblocking_child(&self.command, &slave)
        } else {
            pair.slave.spawn_command(self.command).expect("the program can be started")
        };
        // A terminal that does not know its size gets the usual one.
        let [rows, columns] = [(self.size.rows, 24), (self.size.cols, 80)]
            .map(|(size, usual)| some(if size == 0 { usual } else { size }));
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows, columns, 0)));
        let hang_up = Arc::new(AtomicBool::new(false));
        let keyboard = pair.master.take_writer().expect("a keyboard");
        let keyboard = Arc::new(Mutex::new(keyboard));
        let is_escaped = Arc::new(AtomicBool::new(false));
        let answering = (self.answer, Arc::clone(&keyboard));
        let flags = [&hang_up, &is_escaped].map(Arc::clone);
        let reader = read(pair.master.as_ref(), Arc::clone(&screen), flags, answering);
        let master = pair.master;
        Terminal { master, keyboard, child, screen, reader, hang_up, is_escaped, settings }
    }
}

impl Terminal {
    /// Types keys: `\x1b` is escape, `\x03` ctrl-C. A key sent right after escape would combine
    /// with it, so wait for the effect of escape first.
    pub(crate) fn keys(&mut self, keys: &str) {
        type_in(&self.keyboard, keys).expect("the terminal takes keys");
    }

    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        // Resizes our screen first, so that it has room for the program's next output.
        self.screen.lock().unwrap().screen_mut().set_size(some(rows), some(columns));
        self.master.resize(size(columns, rows)).expect("the terminal can be resized");
    }

    /// Clears the terminal without the program's knowledge.
    pub(crate) fn blank(&self) {
        self.screen.lock().unwrap().process(b"\x1b[2J");
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).expect("the program is there");
    }

    /// Sends a signal to the foreground job.
    pub(crate) fn signal_foreground(&self, signal: Signal) {
        let leader = self.master.process_group_leader().and_then(Pid::from_raw);
        let job = leader.expect("some job has the terminal");
        kill_process_group(job, signal).expect("the job is there");
    }

    /// Stops the foreground job as ctrl-Z does, and waits until all its processes have stopped. The
    /// shell reports the job as stopped as soon as its first process has stopped. A second process
    /// that waits for a line could still read keys.
    #[track_caller]
    pub(crate) fn stop_foreground(&self) {
        let job = self.master.process_group_leader().expect("some job has the terminal");
        self.signal_foreground(Signal::TSTP);
        self.wait_until("stop of each process", |_| has_stopped(job));
    }

    pub(crate) fn pid(&self) -> Pid {
        let id = self.child.process_id().expect("the program has a process");
        Pid::from_raw(id.cast_signed()).expect("process numbers are positive")
    }

    /// Calls a function with the screen and returns its result.
    pub(crate) fn inspect<T>(&self, inspect: impl FnOnce(&vt100::Screen) -> T) -> T {
        inspect(self.screen.lock().unwrap().screen())
    }

    /// Writes to the screen, as another program would.
    pub(crate) fn overwrite(&self, output: &str) {
        self.screen.lock().unwrap().process(output.as_bytes());
    }

    /// The characters on the screen.
    pub(crate) fn text(&self) -> String {
        self.inspect(vt100::Screen::contents)
    }

    /// Waits until the screen shows this text.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) -> &Self {
        self.wait_until(&format!("{text:?} on the screen"), |terminal| {
            terminal.text().contains(text)
        })
    }

    /// Waits until a shell prompts for the next command and reads keys again.
    #[track_caller]
    pub(crate) fn wait_for_shell(&self) -> &Self {
        self.wait_until("prompt", |terminal| terminal.text().trim_end().ends_with("ready>"))
    }

    /// Waits until the debugger is at this index, on a source line with this text.
    #[track_caller]
    pub(crate) fn wait_for_place(&self, index: &str, line: &str) -> &Self {
        self.wait_until(&format!("▶ at {index}: {line:?}"), |terminal| {
            let text = terminal.text();
            let present = text.lines().find_map(|row| Some(row.split_once('▶')?.1));
            present.is_some_and(|row| row.contains(index) && row.contains(line))
        })
    }

    /// Waits until this text has disappeared from the screen.
    #[track_caller]
    pub(crate) fn wait_for_no(&self, text: &str) -> &Self {
        self.wait_until(&format!("end of {text:?} on the screen"), |terminal| {
            !terminal.text().contains(text)
        })
    }

    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, mut is: impl FnMut(&Self) -> bool) -> &Self {
        let start = Instant::now();
        while !is(self) {
            assert!(start.elapsed() < *TIMEOUT, "no {what}:\n{}", self.text());
            thread::sleep(POLL_PERIOD);
        }
        self
    }

    /// The cell this many columns to the right of the start of this text.
    #[track_caller]
    pub(crate) fn cell(&self, text: &str, offset: u16) -> vt100::Cell {
        self.inspect(|screen| {
            let (_, width) = screen.size();
            for (row, line) in (0..).zip(screen.rows(0, width.get())) {
                if let Some(start) = line.find(text) {
                    let column = line[..start].chars().count() as u16 + offset;
                    return screen.cell(row, column).expect("it is on the screen").clone();
                }
            }
            panic!("{text:?} is not on the screen:\n{}", screen.contents());
        })
    }

    /// Whether the terminal is restored: its original settings, a visible cursor, the main screen,
    /// and no mouse reports.
    pub(crate) fn is_restored(&self) -> bool {
        let silent = vt100::MouseProtocolMode::None;
        self.inspect(|screen| {
            !screen.alternate_screen()
                && !screen.hide_cursor()
                && screen.mouse_protocol_mode() == silent
        }) && settings(self.master.as_ref()) == self.settings
    }

    /// Records the current settings as the ones that must be restored.
    pub(crate) fn record_settings(&mut self) {
        self.settings = settings(self.master.as_ref());
    }

    /// Waits for the program to end with this status and a restored terminal. Returns the final
    /// screen.
    #[track_caller]
    pub(crate) fn ends_with(mut self, status: u32) -> String {
        let ended = self.wait_for_end();
        self.wait_until("end of the output", |terminal| terminal.reader.is_finished());
        assert_eq!(ended.exit_code(), status, "{}", self.text());
        assert_eq!(ended.signal(), None, "{}", self.text());
        assert!(self.is_restored(), "{}", self.text());
        self.text()
    }

    /// Stops reading, so that the program's output piles up. Asks the program for one more frame,
    /// because the reader notices the stop only after a read.
    #[track_caller]
    pub(crate) fn stop_reading(&mut self) {
        self.hang_up.store(true, Ordering::SeqCst);
        self.keys("\x0c");
        self.wait_until("end of reading", |terminal| terminal.reader.is_finished());
    }

    /// Makes the program draw until its output blocks: whole frames, far more than a terminal
    /// buffers.
    pub(crate) fn fill(&mut self) {
        self.stop_reading();
        for _ in 0..30 {
            self.keys("\x0c");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// True if the program has sent an escape sequence.
    pub(crate) fn is_escaped(&self) -> bool {
        self.is_escaped.load(Ordering::SeqCst)
    }

    /// True if the program has closed the terminal.
    pub(crate) fn has_ended(&self) -> bool {
        self.reader.is_finished()
    }

    /// Sends a signal until the program ends, and checks that the settings are restored. Returns
    /// the status and the number of signals sent.
    #[track_caller]
    pub(crate) fn signal_until_end(mut self, signal: Signal) -> (u32, usize) {
        let start = Instant::now();
        let mut signals = 0;
        loop {
            if let Some(status) = self.child.try_wait().expect("the program is ours") {
                assert_eq!(settings(self.master.as_ref()), self.settings);
                return (status.exit_code(), signals);
            }
            assert!(start.elapsed() < *TIMEOUT, "the program does not end");
            // The process may have ended just now.
            let _ = kill_process(self.pid(), signal);
            signals += 1;
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// Closes the terminal while the program runs, and returns the program's status. Stop reading
    /// first.
    #[track_caller]
    pub(crate) fn close(self) -> u32 {
        let Self { master, keyboard, mut child, .. } = self;
        drop((master, keyboard));
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait().expect("the program is ours") {
                return status.exit_code();
            }
            assert!(start.elapsed() < *TIMEOUT, "the program does not end");
            thread::sleep(POLL_PERIOD);
        }
    }

    #[track_caller]
    fn wait_for_end(&mut self) -> portable_pty::ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the program is ours") {
                return status;
            }
            if start.elapsed() > *TIMEOUT {
                let _ = self.child.kill();
                panic!("the program does not end:\n{}", self.text());
            }
            thread::sleep(POLL_PERIOD);
        }
    }
}

/// `gray1` in the folder of a bench with these arguments, without colours.
pub(crate) fn start(bench: &Bench, arguments: &str) -> Terminal {
    Setup::gray1(&bench.path(""), arguments).plain().start()
}

/// The number after the word `count`.
pub(crate) fn count(terminal: &Terminal) -> Option<u64> {
    let text = terminal.text();
    let digits = text.split("count").nth(1)?.split_whitespace().next()?.replace(',', "");
    digits.parse().ok()
}

/// Starts a thread that shows the program's output on the screen and answers its queries for the
/// terminal's type. The thread ends when the terminal closes or `hang_up` is set. It sets
/// `is_escaped` at an escape sequence.
fn read(
    master: &dyn MasterPty,
    screen: Arc<Mutex<vt100::Parser>>,
    [hang_up, is_escaped]: [Arc<AtomicBool>; 2],
    ((answer, late), keyboard): ((String, Duration), Keyboard),
) -> JoinHandle<()> {
    const QUESTION: &[u8] = b"\x1b[c";
    let mut output = master.try_clone_reader().expect("a screen");
    thread::spawn(move || {
        let mut bytes = vec![0; 1 << 16];
        let mut tail: Vec<u8> = Vec::new();
        while !hang_up.load(Ordering::SeqCst) {
            let Ok(n @ 1..) = output.read(&mut bytes) else { break };
            is_escaped.fetch_or(bytes[..n].contains(&0x1b), Ordering::SeqCst);
            screen.lock().unwrap().process(&bytes[..n]);
            tail.extend(&bytes[..n]);
            if tail.windows(QUESTION.len()).any(|it| it == QUESTION) {
                tail.clear();
                let (answer, keyboard) = (answer.clone(), Arc::clone(&keyboard));
                let answers = move || {
                    thread::sleep(late);
                    // The process that asked may have ended.
                    let _ = type_in(&keyboard, &answer);
                };
                if late.is_zero() { answers() } else { drop(thread::spawn(answers)) }
            }
            tail.drain(..tail.len().saturating_sub(QUESTION.len()));
        }
    })
}

fn type_in(keyboard: &Keyboard, keys: &str) -> io::Result<()> {
    let mut keyboard = keyboard.lock().unwrap();
    keyboard.write_all(keys.as_bytes())?;
    keyboard.flush()
}

/// Starts a command in a non-blocking terminal. It has no job control.
fn nonblocking_child(command: &CommandBuilder, slave: &Path) -> Box<dyn Child + Send + Sync> {
    let terminal = File::options().read(true).write(true).open(slave).expect("there it is");
    let flags = fcntl_getfl(&terminal).unwrap();
    fcntl_setfl(&terminal, flags | OFlags::NONBLOCK).unwrap();
    let stream = || terminal.try_clone().unwrap();
    let words = command.get_argv();
    let child = std::process::Command::new(&words[0])
        .args(&words[1..])
        .envs(command.iter_extra_env_as_str())
        .current_dir(command.get_cwd().expect("it was set"))
        .stdin(stream())
        .stdout(stream())
        .stderr(stream())
        .spawn();
    Box::new(child.expect("the program can be started"))
}

/// True if all processes of a job have stopped. Works only on Linux.
fn has_stopped(job: i32) -> bool {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = processes.filter_map(|it| fs::read_to_string(it.path().join("stat")).ok());
    stats.into_iter().all(|stat| {
        // proc_pid_stat(5): the state, the parent and the group follow the name in parentheses.
        let (_, fields) = stat.rsplit_once(") ").unwrap_or_default();
        let fields: Vec<&str> = fields.split_whitespace().collect();
        fields.get(2) != Some(&job.to_string().as_str()) || ["T", "Z"].contains(&fields[0])
    })
}

/// All settings of the terminal.
fn settings(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().expect("a terminal has settings"))
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn some(number: u16) -> NonZero<u16> {
    NonZero::new(number).expect("a terminal has rows and columns")
}

fn binaries() -> &'static Path {
    program().parent().expect("a binary is in a folder")
}
