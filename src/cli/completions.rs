//! `gray1 completions`: prints a script with which a shell asks `gray1` to complete command lines.
//!
//! The shell asks while the user types. The scripts that clap could generate do not know that
//! `gray1 run` takes the name of a built-in program or a file. In addition, its script for zsh
//! offers the commands again after the optional program.

use std::io;

use clap::Command;
use clap_complete::env::Shells;
use clap_complete::{CompleteEnv, Shell};

use super::shared::outcome::{Done, Outcome, failure, print};

/// The environment variable that the scripts set.
const VARIABLE: &str = "GRAY1_COMPLETE";

/// Answers a script's request and ends the process. Returns if there is no request.
pub(super) fn answer(command: fn() -> Command) {
    CompleteEnv::with_factory(|| offered(command())).var(VARIABLE).complete();
}

/// Hides the options unless the word to complete begins with a dash. They would clutter the list of
/// programs.
fn offered(command: Command) -> Command {
    let mut arguments = std::env::args_os().skip_while(|word| word != "--").skip(1);
    let index = std::env::var("_CLAP_COMPLETE_INDEX").ok().and_then(|index| index.parse().ok());
    let word = match index {
        Some(index) => arguments.nth(index),
        None => arguments.last(),
    };
    if word.is_some_and(|word| word.as_encoded_bytes().starts_with(b"-")) {
        return command;
    }
    let hide = |command: Command| {
        command.mut_args(|arg| if arg.is_positional() { arg } else { arg.hide(true) })
    };
    let hidden = command.disable_help_flag(true).disable_version_flag(true).mut_subcommands(hide);
    hide(hidden)
}

/// Print the completion script for a shell
#[derive(clap::Args)]
pub(super) struct CompletionsOptions {
    /// The shell to print the script for
    shell: Shell,
}

pub(super) fn completions(options: &CompletionsOptions) -> Outcome {
    let script = script(&options.shell.to_string()).map_err(|error| failure(error.to_string()))?;
    print(&script).map(|()| Done::Success)
}

fn script(shell: &str) -> io::Result<Vec<u8>> {
    if shell == "bash" {
        return Ok(BASH.into());
    }
    let mut script = Vec::new();
    let shells = Shells::builtins();
    let shell = shells.completer(shell).ok_or(io::ErrorKind::Unsupported)?;
    shell.write_registration(VARIABLE, "gray1", "gray1", "gray1", &mut script)?;
    if shell.name() == "zsh" {
        script.extend_from_slice(ZSH_AUTOLOADED);
    }
    Ok(script)
}

/// Replaces clap's script, which neither quotes candidates nor joins words that bash splits.
const BASH: &str = include_str!("completions.bash");

/// zsh loads a file of its `fpath` during the first completion. The script must then also complete
/// the current word, and not only register itself for later ones.
const ZSH_AUTOLOADED: &[u8] = b"
if [[ $funcstack[1] == _gray1 ]]; then
    _clap_dynamic_completer_gray1
fi
";
