//! The command line: what can be asked for, who answers, and with which exit status.

mod asm;
mod check;
mod compare;
mod completions;
mod convert;
mod disasm;
mod export;
mod fmt;
mod list;
mod lsp;
mod machine;
mod messages;
mod record;
mod run;
mod screenshot;
mod watch;
mod waveform;

use std::io;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser, Subcommand, ValueEnum};
use gray1_isa::format::Format;

use crate::files;
use crate::program::{self, LoadFailure, Program};
use messages::{MessageOptions, Messages};

/// Simulator, assembler and terminal front end of the Gray-1, a computer whose CPU is made of
/// memory chips and nothing else.
///
/// Without a command: opens PROGRAM in the terminal front end, running; without a terminal it runs
/// PROGRAM as `gray1 run` does.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true, max_term_width = 100)]
#[command(
    after_help = "PROGRAM is a path if such a file exists or the word holds a `/` or a `.`, \
    else the name of a built-in program (see `gray1 list`). A file may hold source or an image: \
    its contents tell.\n\n\
    Exit status: 0 halted or done; 1 an error; 2 wrong usage; 3 stopped by --max-instructions; \
    130 and 143 after SIGINT and SIGTERM."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// The program to watch
    #[arg(default_value = "queens")]
    program: String,
    #[command(flatten)]
    front: watch::FrontOptions,
}

#[derive(Subcommand)]
enum Command {
    /// Open a program in the terminal front end, paused at its start, source in view
    Debug(watch::DebugOptions),
    /// Run a program without a screen until it halts; what it prints goes to standard output
    Run(run::Options),
    /// Assemble a source
    Asm(asm::Options),
    /// Write a program in another format
    Convert(convert::Options),
    /// Turn a program back into source that assembles to the same image
    Disasm(disasm::Options),
    /// Give sources the one style
    Fmt(fmt::Options),
    /// Write what it takes to build the machine: chip images, Verilog, wiring, parts
    Export(export::Options),
    /// Prove that a board works whatever its chips' delays, and say how fast it may run
    Check(check::Options),
    /// Set programs side by side: how long they are, what they execute, how fast they run
    Compare(compare::Options),
    /// List the built-in programs
    List,
    /// The language server, for editors: it speaks on standard input and output
    Lsp(lsp::Options),
    /// Draw the front end's screen after some keys were pressed, without a terminal
    Screenshot(screenshot::Options),
    /// Record the LED display as a picture that moves
    Record(record::Options),
    /// Print a completion script for a shell
    Completions(completions::Options),
}

/// How a command ended, when nothing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Done {
    /// The program halted, or the work is done.
    Well,
    /// A proof failed, or something is not as it should be; what it is was told.
    Refuted,
    /// `--max-instructions` was reached.
    Limit,
    /// A signal of this number asked to stop.
    Signal(u8),
}

/// Why a command failed.
enum Failure {
    /// There is no program to work on.
    Load(LoadFailure),
    /// Anything else that people can mend.
    Message(String),
    /// Nobody reads what we write: no reason to say anything.
    PipeClosed,
}

type Outcome = Result<Done, Failure>;

const STATUS_ERROR: u8 = 1;
const STATUS_USAGE: u8 = 2;
const STATUS_LIMIT: u8 = 3;
/// What a shell adds to the number of the signal that ended a process.
const STATUS_SIGNAL: u8 = 128;

/// Does what the command line asks for; the answer is the exit status.
pub(crate) fn main() -> u8 {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return misplaced_word(&error).unwrap_or_else(|| usage(&error)),
    };
    let mut messages = Messages::new(message_options(cli.command.as_ref()));
    let outcome = match &cli.command {
        None => watch::watch(&cli.program, &cli.front, &mut messages),
        Some(Command::Debug(options)) => watch::debug(options, &mut messages),
        Some(Command::Run(options)) => run::run(options, &mut messages),
        Some(Command::Asm(options)) => asm::asm(options, &mut messages),
        Some(Command::Convert(options)) => convert::convert(options, &mut messages),
        Some(Command::Disasm(options)) => disasm::disasm(options, &mut messages),
        Some(Command::Fmt(options)) => Ok(fmt::fmt(options, &mut messages)),
        Some(Command::Export(options)) => export::export(options, &mut messages),
        Some(Command::Check(options)) => check::check(options),
        Some(Command::Compare(options)) => compare::compare(options, &mut messages),
        Some(Command::List) => list::list(),
        Some(Command::Lsp(_)) => lsp::lsp(),
        Some(Command::Screenshot(options)) => screenshot::screenshot(options, &mut messages),
        Some(Command::Record(options)) => record::record(options, &mut messages),
        Some(Command::Completions(options)) => completions::completions(options),
    };
    match outcome {
        Ok(Done::Well) | Err(Failure::PipeClosed) => 0,
        Ok(Done::Refuted) => STATUS_ERROR,
        Ok(Done::Limit) => STATUS_LIMIT,
        Ok(Done::Signal(number)) => STATUS_SIGNAL + number,
        Err(Failure::Load(LoadFailure::Unknown { name, .. })) if cli.command.is_none() => {
            unknown_word(&name)
        }
        Err(failure) => {
            messages.failure(&failure);
            STATUS_ERROR
        }
    }
}

fn message_options(command: Option<&Command>) -> MessageOptions {
    match command {
        Some(Command::Run(options)) => options.messages.clone(),
        Some(Command::Asm(options)) => options.messages.clone(),
        _ => MessageOptions::default(),
    }
}

/// Reports wrong usage, or prints what `--help` and `--version` ask for.
fn usage(error: &clap::Error) -> u8 {
    // A closed pipe is no reason to complain.
    let _ = error.print();
    if error.use_stderr() { STATUS_USAGE } else { 0 }
}

/// For `gray1 rnu queens` clap takes `rnu` for the program, and blames the word behind it, which it
/// calls a subcommand.
fn misplaced_word(error: &clap::Error) -> Option<u8> {
    let word = std::env::args_os().nth(1)?.into_string().ok()?;
    let mut command = Cli::command();
    command.build(); // with `help`
    let is_known = || command.find_subcommand(&word).is_some();
    if !error.use_stderr() || word.starts_with('-') || is_known() {
        return None;
    }
    if matches!(program::locate(&word), Err(LoadFailure::Unknown { .. })) {
        return Some(unknown_word(&word));
    }
    (error.kind() == ErrorKind::ArgumentConflict).then(|| two_words(&word))
}

/// A program and another word, for which there must be a command first.
fn two_words(program: &str) -> u8 {
    let program = files::printable(program);
    let message = format!(
        "`{program}` is taken for the program, and no other word goes with it\n\n  \
        commands stand before the program, as in `gray1 run {program}`"
    );
    usage(&Cli::command().error(ErrorKind::ArgumentConflict, message))
}

/// A first word that is no path, no program and no command: most likely one of them, mistyped.
fn unknown_word(word: &str) -> u8 {
    let command = Cli::command();
    let commands = command.get_subcommands().map(clap::Command::get_name);
    let programs = crate::builtin::programs().map(|(name, _)| name);
    let hint = match program::nearest(word, commands.chain(programs)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`gray1 list` shows the programs, `gray1 --help` the commands".to_owned(),
    };
    let word = files::printable(word);
    let message = format!("`{word}` is neither a command nor a built-in program\n\n  {hint}");
    usage(&Cli::command().error(ErrorKind::InvalidSubcommand, message))
}

/// Loads a program; says aloud what the assembler warns of.
fn load(word: &str, messages: &mut Messages) -> Result<Program, Failure> {
    let program = program::load(word).map_err(Failure::Load)?;
    if let Some(assembly) = &program.warnings {
        messages.assembly(assembly);
    }
    Ok(program)
}

/// A failure of this wording.
fn failure(message: impl Into<String>) -> Failure {
    Failure::Message(message.into())
}

/// The failure to write a file or standard output.
fn cannot_write(path: &str, error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Failure::PipeClosed;
    }
    failure(format!("cannot write {}: {error}", files::printable(path)))
}

/// Where an image goes, and how it is written down.
#[derive(clap::Args)]
struct OutputOptions {
    /// The file to write; `-` is standard output [default: the source's name with the format's
    /// suffix, beside it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// [default: by the suffix of FILE, else ron]
    #[arg(short, long, value_enum)]
    format: Option<FormatName>,
}

/// The formats by their names on the command line.
#[derive(Clone, Copy)]
struct FormatName(Format);

impl ValueEnum for FormatName {
    fn value_variants<'a>() -> &'a [Self] {
        const NAMES: [FormatName; Format::ALL.len()] = {
            let mut names = [FormatName(Format::Bin); Format::ALL.len()];
            let mut n = 0;
            while n < names.len() {
                names[n] = FormatName(Format::ALL[n]);
                n += 1;
            }
            names
        };
        &NAMES
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.0.name()))
    }
}

impl OutputOptions {
    /// Writes the image of a program that was asked for by this word.
    fn write(&self, image: &gray1_isa::Image, word: &str) -> Outcome {
        let suffix = self.output.as_ref().and_then(|path| path.extension()?.to_str());
        let by_suffix = || suffix.and_then(Format::from_suffix);
        let format = self.format.map(|name| name.0).or_else(by_suffix).unwrap_or(Format::Ron);
        let path = match &self.output {
            Some(path) => path.clone(),
            None if word == files::STDIO => PathBuf::from(files::STDIO),
            None => PathBuf::from(word).with_extension(format.suffix()),
        };
        if same_file(&path, word) {
            let path = files::printable(&path);
            return Err(failure(format!("{path} would be written over itself")));
        }
        files::write(&path, &format.encode(image))
            .map(|()| Done::Well)
            .map_err(|error| cannot_write(&path.to_string_lossy(), &error))
    }
}

fn same_file(output: &std::path::Path, input: &str) -> bool {
    input != files::STDIO
        && output.is_file()
        && match (output.canonicalize(), std::path::Path::new(input).canonicalize()) {
            (Ok(output), Ok(input)) => output == input,
            _ => false,
        }
}
