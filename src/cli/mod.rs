//! The command line: the table of commands, and the exit statuses.

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
mod plain;
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

use clap::error::{ContextKind, ErrorKind};
use clap::{ArgMatches, Args, FromArgMatches as _};

use crate::files;
use crate::program::{self, LoadFailure};
use crate::signals::STATUS_SIGNAL;
use crate::system;
use shared::complete;
use shared::messages::{GlobalOptions, MESSAGE_FORMAT, MessageFormat, Messages, message_format};
use shared::outcome::{
    Done, Failure, Outcome, STATUS_ERROR, STATUS_LIMIT, STATUS_UNDECIDED, STATUS_USAGE,
    cannot_write, failure,
};
use shared::signals::Signals;

/// The version, the commit of a release, and whether programs run as native code on this host.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let commit =
        option_env!("GRAY1_COMMIT").map_or_else(String::new, |it| format!("commit {it}, "));
    let engine = if gray1_sim::has_native_code() {
        "programs run as native code"
    } else {
        "no native code here: programs run on the portable engine"
    };
    format!("{} ({commit}{engine})", env!("CARGO_PKG_VERSION"))
});

/// Simulator, assembler and terminal front end of the Gray-1, a computer without a CPU chip.
///
/// Without a command, opens PROGRAM in the terminal front end and runs it. Without a terminal, runs
/// PROGRAM as `gray1 run` does.
#[derive(Args)]
#[command(version = VERSION.as_str(), propagate_version = true, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true)]
#[command(
    after_help = "PROGRAM is a path if such a file exists or if it contains a `/` or a `.`; \
    otherwise it is the name of a built-in program (see `gray1 list`). A file may contain source \
    or an image; gray1 recognises its contents.\n\n\
    Exit status: 0 halted or done; 1 an error; 2 wrong usage; 3 stopped by --max-instructions; \
    130 after SIGINT; 143 after SIGTERM."
)]
struct Root {
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

impl Root {
    /// Opens the program or the link in the front end.
    fn open(&self, messages: &mut Messages) -> Outcome {
        match &self.link {
            Some(text) => link::follow(text, &self.front),
            None => watch::watch(&self.program, &self.front, messages),
        }
    }
}

/// A command.
struct Command {
    /// Its name, its summary in the help, and its options.
    definition: clap::Command,
    /// Whether a signal ends it at once, and removes unfinished files. Other commands handle
    /// signals themselves, or write no files.
    ends_at_once: bool,
    /// Reads its options, and returns what it does with them.
    read: Read,
}

type Read = Box<dyn Fn(&ArgMatches) -> clap::error::Result<Work>>;
type Work = Box<dyn FnOnce(&mut Messages) -> Outcome>;

/// All commands, in the order of the help.
fn commands() -> Vec<Command> {
    vec![
        command("debug", debug::debug),
        command("run", run::run).with_report(),
        command("test", test::test).with_message_format(),
        command("learn", learn::learn).with_message_format(),
        command("asm", asm::asm).with_message_format().ends_at_once(),
        command("convert", convert::convert).with_message_format().ends_at_once(),
        command("disasm", disasm::disasm).with_message_format().ends_at_once(),
        command("fmt", |options, messages| Ok(fmt::fmt(options, messages)))
            .with_message_format()
            .ends_at_once(),
        command("export", export::export).with_message_format().ends_at_once(),
        command("check", |options, _| check::check(options)),
        command("probe", probe::probe),
        command("compare", compare::compare),
        command("diff", diff::diff),
        command("why", why::why),
        command("link", link::link),
        command("list", |options, _| list::list(options)),
        command("show", |options, _| show::show(options)),
        command("lsp", |_: &lsp::LspOptions, _| lsp::lsp()),
        command("dap", |options, _| dap::dap(options)),
        command("screenshot", screenshot::screenshot).with_message_format().ends_at_once(),
        command("record", record::record).with_message_format().ends_at_once(),
        command("completions", |options, _| completions::completions(options)),
        command("man", |options, _| man::man(options, definition())).ends_at_once(),
    ]
}

/// Makes an entry of the table. The doc comment of the options is the command's summary.
fn command<O: Args + 'static>(
    name: &'static str,
    execute: fn(&O, &mut Messages) -> Outcome,
) -> Command {
    Command {
        definition: O::augment_args(clap::Command::new(name)),
        ends_at_once: false,
        read: Box::new(move |matches| {
            let options = O::from_arg_matches(matches)?;
            Ok(Box::new(move |messages| execute(&options, messages)))
        }),
    }
}

impl Command {
    fn with_message_format(self) -> Self {
        Self { definition: self.definition.arg(message_format()), ..self }
    }

    /// Adds the same option, which is also the format of a report on standard error.
    fn with_report(self) -> Self {
        let format = message_format().visible_alias("format");
        Self { definition: self.definition.arg(format), ..self }
    }

    fn ends_at_once(self) -> Self {
        Self { ends_at_once: true, ..self }
    }
}

/// A command line.
struct CommandLine {
    global: GlobalOptions,
    message_format: MessageFormat,
    has_command: bool,
    ends_at_once: bool,
    work: Work,
}

/// Executes the command line and returns the exit status.
pub(crate) fn main() -> u8 {
    system::make_streams_block();
    completions::answer(definition);
    let line = match parse(arguments()) {
        Ok(line) => line,
        Err(error) => {
            let error = sanitize(error);
            return report_misplaced_word(&error).unwrap_or_else(|| report_clap_error(&error));
        }
    };
    line.global.apply();
    let mut messages = Messages::new(line.message_format);
    if line.ends_at_once {
        Signals::end_at_once();
    }
    if let Err(error) = system::ignore_file_size_signal() {
        messages.report(&failure(format!("cannot handle signals: {error}")));
        return STATUS_ERROR;
    }
    match (line.work)(&mut messages) {
        Ok(Done::Success) | Err(Failure::PipeClosed) => 0,
        Ok(Done::Refuted) => STATUS_ERROR,
        Ok(Done::Undecided) => STATUS_UNDECIDED,
        Ok(Done::Limit) => STATUS_LIMIT,
        Ok(Done::Signal(number)) | Err(Failure::Signal(number)) => STATUS_SIGNAL + number,
        Err(Failure::Load(LoadFailure::Unknown { name, .. })) if !line.has_command => {
            report_unknown_word(&name)
        }
        Err(Failure::Usage(message)) => report_misuse(&message),
        Err(failure) => {
            messages.report(&failure);
            STATUS_ERROR
        }
    }
}

/// The options and commands of `gray1`.
fn definition() -> clap::Command {
    let commands = commands().into_iter().map(|it| it.definition);
    // The commands come first, so that the options of all commands are listed after their own.
    Root::augment_args(clap::Command::new("gray1").subcommands(commands))
}

/// Parses these arguments. Error messages follow the `--color` option in these arguments.
fn parse<W: Into<OsString> + Clone>(
    arguments: impl IntoIterator<Item = W>,
) -> clap::error::Result<CommandLine> {
    let matches = coloured_definition().try_get_matches_from(arguments)?;
    let root = Root::from_arg_matches(&matches)?;
    let global = root.global;
    let Some((name, matches)) = matches.subcommand() else {
        return Ok(CommandLine {
            global,
            message_format: MessageFormat::Text,
            has_command: false,
            ends_at_once: false,
            work: Box::new(move |messages| root.open(messages)),
        });
    };
    let command = commands().into_iter().find(|it| it.definition.get_name() == name);
    let command = command.expect("clap has looked at the name");
    let format = matches.try_get_one::<MessageFormat>(MESSAGE_FORMAT).ok().flatten();
    Ok(CommandLine {
        global,
        message_format: format.copied().unwrap_or_default(),
        has_command: true,
        ends_at_once: command.ends_at_once,
        work: (command.read)(matches)?,
    })
}

/// [`definition`] with the colours that the `--color` option asks for, and with examples.
fn coloured_definition() -> clap::Command {
    let args: Vec<String> =
        arguments().into_iter().filter_map(|arg| arg.into_string().ok()).collect();
    let next = args.iter().skip_while(|arg| *arg != "--color").nth(1);
    let joined = args.iter().find_map(|arg| arg.strip_prefix("--color="));
    let choice = joined.or(next.map(String::as_str)).and_then(|value| value.parse().ok());
    let definition = with_example(definition()).mut_subcommands(with_example);
    definition.color(choice.unwrap_or_default())
}

/// Ends the help of a command with its first example in the manual.
fn with_example(command: clap::Command) -> clap::Command {
    let notes = command.get_after_help().map_or_else(String::new, |notes| format!("{notes}\n\n"));
    let example = man::entries(command.get_name()).next().map_or("", |(example, _)| example);
    command.after_help(format!("{notes}Example: {example}"))
}

/// The arguments. If a command follows options of all commands, it is moved in front of them,
/// because clap would take them for options of the front end.
fn arguments() -> Vec<OsString> {
    let mut args: Vec<OsString> = std::env::args_os().collect();
    let mut at = 1;
    while let Some(arg) = args.get(at) {
        let arg = arg.to_string_lossy();
        match &*arg {
            "--color" => at += 2,
            "-q" | "--quiet" => at += 1,
            _ if arg.starts_with("--color=") => at += 1,
            _ if arg.starts_with('-') => break,
            _ => {
                args[1..=at].rotate_right(1);
                break;
            }
        }
    }
    args
}

/// Replaces the control characters in the arguments and parses them again, because clap would print
/// these characters unchanged. Returns the new error.
fn sanitize(error: clap::Error) -> clap::Error {
    let arguments = arguments();
    parse(arguments.iter().map(files::printable)).err().unwrap_or(error)
}

/// Reports a usage error that clap does not detect.
fn report_misuse(message: &str) -> u8 {
    let mut root = coloured_definition();
    root.build();
    let used = arguments().get(1).and_then(|word| root.find_subcommand(word).cloned());
    report_clap_error(&used.unwrap_or(root).error(ErrorKind::ValueValidation, message))
}

/// Reports a usage error, or prints the output of `--help` and `--version`.
fn report_clap_error(error: &clap::Error) -> u8 {
    match error.print() {
        _ if error.use_stderr() => STATUS_USAGE,
        // A closed pipe is not reported.
        Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => {
            Messages::new(MessageFormat::Text)
                .report(&cannot_write(Path::new(files::STDIO), &cause));
            STATUS_ERROR
        }
        _ => 0,
    }
}

/// Replaces clap's message if the first word is neither a command nor a program, or if another word
/// follows a program. For `gray1 rnu queens`, clap takes `rnu` for the program and reports `queens`
/// as a wrong subcommand.
/// Returns the exit status, or `None` if clap's message is right.
fn report_misplaced_word(error: &clap::Error) -> Option<u8> {
    let word = arguments().into_iter().nth(1)?.into_string().ok()?;
    let mut root = definition();
    root.build(); // with `help`
    let is_known = word.starts_with('-')
        || root.find_subcommand(&word).is_some()
        || !matches!(program::locate(&word), Err(LoadFailure::Unknown { .. }));
    if error.use_stderr() && !is_known {
        return Some(report_unknown_word(&word));
    }
    let second = error.get(ContextKind::InvalidSubcommand);
    let second = second.filter(|_| error.kind() == ErrorKind::ArgumentConflict)?;
    let message =
        format!("`{second}` follows a program; gray1 opens one, and a command comes first");
    Some(report_clap_error(&coloured_definition().error(error.kind(), message)))
}

/// Reports a first word that is not a path, a program or a command, and is probably mistyped.
/// Returns the exit status.
fn report_unknown_word(word: &str) -> u8 {
    let mut known = coloured_definition();
    let commands = known.get_subcommands().map(clap::Command::get_name);
    let programs = gray1_programs::programs().map(|(name, _)| name);
    let is_option = known.get_arguments().any(|option| option.get_long() == Some(word));
    let hint = match gray1_asm::find_nearest(word, commands.chain(programs)) {
        _ if is_option => gray1_asm::did_you_mean(&format!("gray1 --{word}")),
        Some(near) => gray1_asm::did_you_mean(near),
        None => "`gray1 list` shows the programs, `gray1 --help` the commands".to_owned(),
    };
    let word = files::printable(word);
    let message = format!("`{word}` is neither a command nor a built-in program\n\n  {hint}");
    report_clap_error(&known.error(ErrorKind::InvalidSubcommand, message))
}
