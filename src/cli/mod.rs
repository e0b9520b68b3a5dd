//! The command line: the commands, their dispatch, and the exit statuses.

mod asm;
mod check;
mod compare;
mod completions;
mod convert;
mod dap;
mod debug;
mod diff;
mod disasm;
mod export;
mod fmt;
mod learn;
mod link;
mod list;
mod lsp;
mod man;
mod probe;
mod record;
mod run;
mod screenshot;
mod shared;
mod show;
mod test;
#[cfg(test)]
mod tests;
mod watch;
mod why;

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::LazyLock;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::files;
use crate::program::{self, LoadFailure};
use crate::signals::STATUS_SIGNAL;
use crate::system;
use shared::messages::{GlobalOptions, MessageOptions, Messages};
use shared::options::TextOrJson;
use shared::outcome::{
    Done, Failure, STATUS_ERROR, STATUS_LIMIT, STATUS_UNDECIDED, STATUS_USAGE, cannot_write,
    failure,
};
use shared::{complete, signals};

/// The version, the commit of a release, and whether programs run as native code on this host.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let commit =
        option_env!("GRAY1_COMMIT").map_or_else(String::new, |it| format!("commit {it}, "));
    let engine = if gray1_sim::HAS_NATIVE_CODE {
        "programs run as native code"
    } else {
        "no native code here: programs run on the portable engine"
    };
    format!("{} ({commit}{engine})", env!("CARGO_PKG_VERSION"))
});

/// Simulator, assembler and terminal front end of the Gray-1, a computer whose CPU is made of
/// memory chips.
///
/// Without a command, opens PROGRAM in the terminal front end and runs it. Without a terminal, runs
/// PROGRAM as `gray1 run` does.
#[derive(Parser)]
#[command(version = VERSION.as_str(), propagate_version = true, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true)]
#[command(
    after_help = "PROGRAM is a path if such a file exists or if it contains a `/` or a `.`; \
    otherwise it is the name of a built-in program (see `gray1 list`). A file may contain source \
    or an image; gray1 recognises its contents.\n\n\
    Exit status: 0 halted or done; 1 an error; 2 wrong usage; 3 stopped by --max-instructions; \
    130 after SIGINT; 143 after SIGTERM."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// The program to watch
    #[arg(default_value = "queens", add = complete::programs())]
    program: OsString,
    /// Open a link to a moment, as `gray1 link` prints it: the whole URL, or the part after `#`
    #[arg(long, value_name = "TEXT", conflicts_with_all = LINKED)]
    link: Option<String>,
    #[command(flatten)]
    front: watch::FrontOptions,
    #[command(flatten)]
    global: GlobalOptions,
}

/// The arguments that a link replaces.
const LINKED: [&str; 12] = [
    "program", "defines", "folders", "allow", "deny", "engine", "board", "ram", "seed", "glitch",
    "pulse", "watch",
];

#[derive(Subcommand)]
enum Command {
    /// Open a program in the debugger, paused at its start
    Debug(debug::DebugOptions),
    /// Run a program without a screen until it halts; its output goes to standard output
    Run(run::RunOptions),
    /// Test programs with the test files next to them
    Test(test::TestOptions),
    /// Learn to program the machine: small lessons, each with a check
    Learn(learn::LearnOptions),
    /// Assemble a source file
    Asm(asm::AsmOptions),
    /// Convert a program to another format
    Convert(convert::ConvertOptions),
    /// Turn a program back into source that assembles to the same image
    Disasm(disasm::DisasmOptions),
    /// Format source files
    Fmt(fmt::FmtOptions),
    /// Write files for building the machine: chip images, Verilog, wiring, parts
    Export(export::ExportOptions),
    /// Prove that a board works for any delays of its chips, and compute its highest speed
    Check(check::CheckOptions),
    /// Find the faulty chip or wire of a real machine in a logic analyser's capture
    Probe(probe::ProbeOptions),
    /// Compare the size, the instruction count and the run time of programs
    Compare(compare::CompareOptions),
    /// Find the first difference between two runs, and its cause
    Diff(diff::DiffOptions),
    /// Explain why an LED, a byte or a register has its value at a moment
    Why(why::WhyOptions),
    /// Print a link to a moment of a program, for the page or for `gray1 --link`
    Link(link::LinkOptions),
    /// List the built-in programs
    List(list::ListOptions),
    /// Print a built-in file, or the reference of the library
    Show(show::ShowOptions),
    /// Start the language server for editors, on standard input and output
    Lsp {
        /// Use standard input and output, as always; some editors pass this option
        #[arg(long)]
        stdio: bool,
    },
    /// Start the debug adapter for editors, on standard input and output
    Dap(dap::DapOptions),
    /// Press keys in the front end and draw its screen, without a terminal
    Screenshot(screenshot::ScreenshotOptions),
    /// Record the LED display as an animation
    Record(record::RecordOptions),
    /// Print the completion script for a shell
    Completions {
        /// The shell to print the script for
        shell: clap_complete::Shell,
    },
    /// Write the manual pages
    Man(man::ManOptions),
}

/// Executes the command line and returns the exit status.
pub(crate) fn main() -> u8 {
    system::make_streams_block();
    completions::answer(Cli::command);
    let cli = match parse(arguments()) {
        Ok(cli) => cli,
        Err(error) => {
            let error = sanitize(error);
            return report_misplaced_word(&error).unwrap_or_else(|| report_clap_error(&error));
        }
    };
    let mut messages = cli.messages();
    if let Err(error) = prepare(cli.command.as_ref()) {
        messages.report(&failure(format!("cannot handle signals: {error}")));
        return STATUS_ERROR;
    }
    let outcome = match &cli.command {
        None => match &cli.link {
            Some(text) => link::follow(text, &cli.front),
            None => watch::watch(&cli.program, &cli.front, &mut messages),
        },
        Some(Command::Debug(options)) => debug::debug(options, &mut messages),
        Some(Command::Run(options)) => run::run(options, &mut messages),
        Some(Command::Test(options)) => test::test(options, &mut messages),
        Some(Command::Learn(options)) => learn::learn(options, &mut messages),
        Some(Command::Asm(options)) => asm::asm(options, &mut messages),
        Some(Command::Convert(options)) => convert::convert(options, &mut messages),
        Some(Command::Disasm(options)) => disasm::disasm(options, &mut messages),
        Some(Command::Fmt(options)) => Ok(fmt::fmt(options, &mut messages)),
        Some(Command::Export(options)) => export::export(options, &mut messages),
        Some(Command::Check(options)) => check::check(options),
        Some(Command::Probe(options)) => probe::probe(options, &mut messages),
        Some(Command::Compare(options)) => compare::compare(options, &mut messages),
        Some(Command::Diff(options)) => diff::diff(options, &mut messages),
        Some(Command::Why(options)) => why::why(options, &mut messages),
        Some(Command::Link(options)) => link::link(options, &mut messages),
        Some(Command::List(options)) => list::list(options),
        Some(Command::Show(options)) => show::show(options),
        Some(Command::Lsp { .. }) => lsp::lsp(),
        Some(Command::Dap(options)) => dap::dap(options),
        Some(Command::Screenshot(options)) => screenshot::screenshot(options, &mut messages),
        Some(Command::Record(options)) => record::record(options, &mut messages),
        Some(Command::Completions { shell }) => completions::completions(*shell),
        Some(Command::Man(options)) => man::man(options, Cli::command()),
    };
    match outcome {
        Ok(Done::Success) | Err(Failure::PipeClosed) => 0,
        Ok(Done::Refuted) => STATUS_ERROR,
        Ok(Done::Undecided) => STATUS_UNDECIDED,
        Ok(Done::Limit) => STATUS_LIMIT,
        Ok(Done::Signal(number)) => STATUS_SIGNAL + number,
        Err(Failure::Load(LoadFailure::Unknown { name, .. })) if cli.command.is_none() => {
            report_unknown_word(&name)
        }
        Err(Failure::Usage(message)) => report_misuse(&message),
        Err(failure) => {
            messages.report(&failure);
            STATUS_ERROR
        }
    }
}

/// Prepares for signals that would end the process while it writes a file. Commands not listed here
/// handle signals themselves or write no files.
fn prepare(command: Option<&Command>) -> io::Result<()> {
    use Command::{Asm, Convert, Disasm, Export, Fmt, Man, Record, Screenshot};
    if let Some(
        Asm(_) | Convert(_) | Disasm(_) | Export(_) | Fmt(_) | Man(_) | Record(_) | Screenshot(_),
    ) = command
    {
        signals::Signals::end_at_once();
    }
    system::ignore_file_size_signal()
}

impl Cli {
    /// Applies the options of all commands, and returns the writer of messages in the chosen
    /// format.
    fn messages(&self) -> Messages {
        self.global.apply();
        let options = match &self.command {
            Some(Command::Run(options)) => options.messages,
            Some(Command::Asm(options)) => options.messages,
            Some(Command::Convert(options)) => options.messages,
            Some(Command::Disasm(options)) => options.messages,
            Some(Command::Fmt(options)) => options.messages,
            Some(Command::Export(options)) => options.messages,
            Some(Command::Screenshot(options)) => options.messages,
            Some(Command::Record(options)) => options.messages,
            _ => MessageOptions::default(),
        };
        Messages::new(options.message_format)
    }
}

/// Parses these arguments. Error messages follow the `--color` option in these arguments.
fn parse<W: Into<OsString> + Clone>(
    arguments: impl IntoIterator<Item = W>,
) -> clap::error::Result<Cli> {
    let matches = command().try_get_matches_from(arguments)?;
    Cli::from_arg_matches(&matches)
}

fn command() -> clap::Command {
    let args: Vec<String> = arguments().filter_map(|arg| arg.into_string().ok()).collect();
    let next = args.iter().skip_while(|arg| *arg != "--color").nth(1);
    let joined = args.iter().find_map(|arg| arg.strip_prefix("--color="));
    let choice = joined.or(next.map(String::as_str)).and_then(|value| value.parse().ok());
    Cli::command().color(choice.unwrap_or_default())
}

/// The arguments, changed where clap would misread them. In `help --help`, clap would take `--help`
/// for the name of a command, so it is removed. If a command follows options that all commands
/// have, it is moved in front of them.
fn arguments() -> impl Iterator<Item = OsString> {
    let mut args: Vec<OsString> = std::env::args_os().collect();
    let is_any = |arg: &OsString, names: &[&str]| names.iter().any(|name| arg == name);
    if args.len() == 3 && args[1] == "help" && is_any(&args[2], &["--help", "-h"]) {
        args.pop();
    }
    let mut rest = args.iter().enumerate().skip(1);
    while let Some((number, arg)) = rest.next() {
        let text = arg.to_string_lossy();
        if text == "--color" {
            rest.next();
        } else if !text.starts_with('-') {
            args[1..=number].rotate_right(1);
            break;
        } else if !is_any(arg, &["-q", "--quiet"]) && !text.starts_with("--color=") {
            break;
        }
    }
    args.into_iter()
}

/// Replaces the control characters in the arguments and parses them again, because clap would print
/// these characters unchanged. Returns the new error.
fn sanitize(error: clap::Error) -> clap::Error {
    let arguments = arguments().map(|argument| files::printable(&argument));
    parse(arguments).err().unwrap_or(error)
}

/// Reports a usage error that clap does not detect.
fn report_misuse(message: &str) -> u8 {
    let mut root = command();
    root.build();
    let used = arguments().nth(1).and_then(|word| root.find_subcommand(word).cloned());
    report_clap_error(&used.unwrap_or(root).error(ErrorKind::ValueValidation, message))
}

/// Reports a usage error, or prints the output of `--help` and `--version`.
fn report_clap_error(error: &clap::Error) -> u8 {
    match error.print() {
        _ if error.use_stderr() => STATUS_USAGE,
        // A closed pipe is not reported.
        Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => {
            Messages::new(TextOrJson::Text).report(&cannot_write(Path::new(files::STDIO), &cause));
            STATUS_ERROR
        }
        _ => 0,
    }
}

/// Replaces clap's message if the first word is not a command. For `gray1 rnu queens`, clap takes
/// `rnu` for the program and reports `queens` as a wrong subcommand. Returns the exit status, or
/// `None` if clap's message is right.
fn report_misplaced_word(error: &clap::Error) -> Option<u8> {
    let word = arguments().nth(1)?.into_string().ok()?;
    let mut command = command();
    command.build(); // with `help`
    let is_known = || command.find_subcommand(&word).is_some();
    if !error.use_stderr() || word.starts_with('-') || is_known() {
        return None;
    }
    if matches!(program::locate(&word), Err(LoadFailure::Unknown { .. })) {
        return Some(report_unknown_word(&word));
    }
    (error.kind() == ErrorKind::ArgumentConflict).then(|| report_second_word(&word))
}

/// Reports that another word follows the program. A command must come before the program. Returns
/// the exit status.
fn report_second_word(program: &str) -> u8 {
    let program = files::printable(program);
    let message = format!(
        "unexpected word after the program `{program}`\n\n  \
        commands come before the program, as in `gray1 run {program}`"
    );
    report_clap_error(&command().error(ErrorKind::ArgumentConflict, message))
}

/// Reports a first word that is not a path, a program or a command, and is probably mistyped.
/// Returns the exit status.
fn report_unknown_word(word: &str) -> u8 {
    let known = command();
    let commands = known.get_subcommands().map(clap::Command::get_name);
    let programs = gray1_programs::programs().map(|(name, _)| name);
    let is_option = known.get_arguments().any(|option| option.get_long() == Some(word));
    let hint = match gray1_programs::find_nearest(word, commands.chain(programs)) {
        _ if is_option => format!("did you mean `gray1 --{word}`?"),
        Some(near) => format!("did you mean `{near}`?"),
        None => "`gray1 list` shows the programs, `gray1 --help` the commands".to_owned(),
    };
    let word = files::printable(word);
    let message = format!("`{word}` is neither a command nor a built-in program\n\n  {hint}");
    report_clap_error(&command().error(ErrorKind::InvalidSubcommand, message))
}
