//! `gray1 completions`: a script with which a shell asks us for the completions of a command line.
//!
//! It asks while the user types. Generated scripts do not know that `gray1 run` takes the name of a
//! built-in program or a file, and those for zsh offer the commands again after the optional
//! program.

use std::io;

use clap_complete::env::Shells;
use clap_complete::{CompleteEnv, Shell};

use super::{Done, Outcome, failure, print};

/// The environment variable with which a script asks.
const VARIABLE: &str = "GRAY1_COMPLETE";

/// Answers a script and ends the process. Returns if no script asks.
pub(super) fn answer(command: fn() -> clap::Command) {
    CompleteEnv::with_factory(command).var(VARIABLE).complete();
}

pub(super) fn completions(shell: Shell) -> Outcome {
    let script = script(&shell.to_string()).map_err(|error| failure(error.to_string()))?;
    print(&script).map(|()| Done::Well)
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

/// In place of clap's, which neither quotes candidates nor joins words that bash splits.
const BASH: &str = include_str!("completions.bash");

/// zsh reads a file of its `fpath` when the first word is to be completed: then it is not enough to
/// say what completes words from now on.
const ZSH_AUTOLOADED: &[u8] = b"
if [[ $funcstack[1] == _gray1 ]]; then
    _clap_dynamic_completer_gray1
fi
";
