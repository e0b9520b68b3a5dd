//! `gray1 [PROGRAM]`: the terminal front end, running.

use super::messages::Messages;
use super::{Outcome, run};

pub(super) fn watch(program: &str, messages: &mut Messages) -> Outcome {
    run::run(&run::Options::of(program), messages)
}
