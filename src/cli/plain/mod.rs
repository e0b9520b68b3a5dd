//! The debugger without a screen: it reads a command a line, and prints the answer as sentences.

mod commands;
mod face;
mod interrupts;
mod sentences;
mod state;

use std::io::{self, BufRead, IsTerminal as _, Read as _};

use gray1_isa::text::printable;
use gray1_session::Session;
use serde_json::json;

use super::shared::options::TextOrJson;
use super::shared::outcome::{Done, Failure, Outcome, failure, print};
use commands::QUIT;
use face::Face;
use interrupts::Interrupts;

/// The sign that a command can be typed.
const PROMPT: &str = "> ";
/// The maximum length of a command in bytes.
const COMMAND_MAX: u64 = 4096;

/// Options of the debugger without a screen.
#[derive(clap::Args)]
pub(super) struct PlainOptions {
    /// Read commands from standard input, and answer in sentences, without a screen. This is the
    /// default if `GRAY1_PLAIN=1` is set, or if no terminal can show the front end
    #[arg(long)]
    plain: bool,
    /// Print each command before its answer (implies --plain)
    #[arg(long)]
    echo: bool,
    /// Continue after a command that fails, also in a script (implies --plain)
    #[arg(long)]
    keep_going: bool,
    /// The format of the answers: json prints one object per command (implies --plain)
    #[arg(short, long, value_enum, value_name = "FORMAT", default_value_t)]
    format: TextOrJson,
}

impl PlainOptions {
    /// Whether an option chooses this debugger.
    pub(super) fn are_chosen(&self) -> bool {
        self.plain || self.echo || self.keep_going || self.is_json()
    }

    fn is_json(&self) -> bool {
        self.format == TextOrJson::Json
    }
}

/// Reads and carries out commands until the end of the input. In a script, the first command that
/// fails ends the session, unless the options say otherwise.
pub(super) fn run(session: Session, options: &PlainOptions) -> Outcome {
    let is_terminal = io::stdin().is_terminal();
    let keeps_going = is_terminal || options.keep_going;
    let prompt = if is_terminal { PROMPT } else { "" };
    let interrupts = Interrupts::listen(keeps_going)?;
    let mut face = Face::new(session, interrupts.clone(), is_terminal, options.is_json());
    let greeted = face.greet();
    finish(&mut face, "", greeted)?;
    let mut input = io::stdin().lock();
    for number in 1_u64.. {
        print(prompt)?;
        let Some(line) = read_line(&mut input)? else { break };
        let command = uncomment(&line);
        if options.echo && !options.is_json() {
            print(&format!("{PROMPT}{}\n", printable(&line)))?;
        }
        if QUIT.contains(&command) {
            return Ok(Done::Success);
        }
        if command.is_empty() && !(is_terminal && line.trim().is_empty()) {
            continue;
        }
        let answered = interrupts.during(|| face.execute(command));
        match finish(&mut face, command, answered)? {
            Some(problem) if !keeps_going => {
                return Err(failure(format!("line {number}: {}: {problem}", printable(command))));
            }
            Some(problem) if !options.is_json() => print(&format!("Error: {problem}\n"))?,
            _ => {}
        }
    }
    print(if is_terminal { "\n" } else { "" }).map(|()| Done::Success)
}

/// Prints the answer to a command as JSON, if the face collects it. Returns the command's problem.
fn finish(
    face: &mut Face,
    command: &str,
    answered: Result<(), Failure>,
) -> Result<Option<String>, Failure> {
    let problem = match answered {
        Ok(()) => None,
        Err(Failure::Message(problem)) => Some(problem),
        Err(other) => return Err(other),
    };
    if let Some(answer) = face.collected.as_mut().map(std::mem::take) {
        let object = json!({
            "command": command, "answer": answer, "error": problem,
            "moment": face.session.position().moment, "edges": face.session.position().edges,
        });
        print(&format!("{object}\n"))?;
    }
    Ok(problem)
}

/// Reads a line, or returns `None` at the end of the input. A line that is too long is cut off.
fn read_line(input: &mut impl BufRead) -> Result<Option<String>, Failure> {
    let cannot_read = |error| failure(format!("cannot read standard input: {error}"));
    let mut line = Vec::new();
    input.take(COMMAND_MAX).read_until(b'\n', &mut line).map_err(cannot_read)?;
    if line.len() as u64 == COMMAND_MAX && !line.ends_with(b"\n") {
        input.skip_until(b'\n').map_err(cannot_read)?;
    }
    let text = String::from_utf8_lossy(&line);
    Ok((!line.is_empty()).then(|| text.trim_end_matches(['\r', '\n']).to_owned()))
}

/// A command without its comment, which begins with `#` and a space, or at the start of the line.
/// The message of a log point, which follows a colon, has no comment.
fn uncomment(line: &str) -> &str {
    let line = line.trim();
    let end = if line.starts_with('#') { Some(0) } else { line.find(" # ") };
    let end = end.filter(|end| !line[..*end].contains(": "));
    line[..end.unwrap_or(line.len())].trim()
}
