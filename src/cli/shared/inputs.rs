//! The options for input to a running machine: buttons and changes of its state.

use std::path::{Path, PathBuf};

use gray1_debugger::{ChangeError, Changeable, Input, MachineView, Run, Scope};
use gray1_isa::Image;
use gray1_isa::panel::Buttons;
use gray1_isa::source_text::lines;
use gray1_isa::text;
use gray1_sim::Engine;

use super::machine::quote;
use super::outcome::{Failure, failure};
use super::progress::ProgressLine;
use super::signals::Signals;
use crate::files;

/// The options for input to a running machine.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct InputOptions {
    /// Press buttons at the times in this file. For example, the line `5000 left+a` holds left and
    /// A from instruction 5000 on, and `6000 -` releases all
    #[arg(long, value_name = "FILE")]
    pub(crate) buttons: Option<PathBuf>,
    /// Change a byte or a register at a moment: `5000: total + 1 = 0`; can be repeated
    #[arg(long, value_name = "MOMENT: CHANGE")]
    pub(crate) set: Vec<String>,
}

impl InputOptions {
    /// Reads the inputs for a machine after power-up, ordered by moment. A change may depend on the
    /// state of the machine at its moment, so the machine runs up to the last change, but not
    /// beyond `limit`, where the run of the command ends.
    ///
    /// # Errors
    /// For example, if a signal asks to stop.
    pub(crate) fn read(
        &self,
        image: &Image,
        engine: &dyn Engine,
        limit: u64,
        signals: &Signals,
    ) -> Result<Vec<(u64, Input)>, Failure> {
        let presses = self.buttons.as_deref().map(read_buttons).transpose()?.unwrap_or_default();
        let presses = presses.into_iter().map(|(before, buttons)| (before, Input::Hold(buttons)));
        let inputs: Vec<(u64, Input)> = presses.collect();
        let changes = self.set.iter().map(|text| {
            let change = text.split_once(':');
            let change = change.and_then(|(at, change)| Some((text::parse_number(at)?, change)));
            change.ok_or_else(|| Failure::Usage(format!("--set '{text}': expected MOMENT: CHANGE")))
        });
        let mut changes = changes.collect::<Result<Vec<_>, _>>()?;
        changes.sort_by_key(|(at, _)| *at);
        let mut run = Run::new(engine.boxed_clone(), inputs);
        let mut progress = ProgressLine::new();
        for (at, text) in changes {
            let to = at.min(limit);
            run.go_to_while(to, &mut |moment| {
                progress.update("--set", moment);
                signals.received().is_none()
            });
            progress.clear();
            signals.check()?;
            run.take_output();
            // The run is stopped before this change.
            if run.engine().error().is_some() || at > limit && !run.engine().halted() {
                break;
            }
            if run.moment() < at {
                let ended = run.moment();
                return Err(failure(format!("--set '{at}:{text}': the program ended at {ended}")));
            }
            let view = MachineView::new(run.engine(), run.moment());
            let input = Changeable::assignment(text, Scope::from(image), view);
            let input = input.and_then(|input| match input {
                Input::Load(registers) if !run.engine().boxed_clone().load(registers) => {
                    Err(ChangeError::Fixed)
                }
                input => Ok(input),
            });
            let input =
                input.map_err(|error| Failure::Usage(format!("--set '{at}:{text}': {error}")))?;
            run.give(input);
        }
        Ok(run.into_inputs())
    }

    /// Formats the command-line options for the same inputs, each with a space before it.
    pub(crate) fn to_args(&self) -> String {
        let buttons = self.buttons.as_deref().map(files::printable);
        let buttons = buttons.map(|file| format!(" --buttons {}", quote(&file)));
        let changes = self.set.iter().map(|text| format!(" --set {}", quote(text)));
        buttons.into_iter().chain(changes).collect()
    }
}

/// Reads a file of button presses. Each line has the number of an instruction, counted from 0, and
/// the buttons that are held from just before this instruction on.
pub(crate) fn read_buttons(path: &Path) -> Result<Vec<(u64, Buttons)>, Failure> {
    let name = files::printable(path);
    let contents = files::read_text(path).map_err(failure)?;
    let mut presses: Vec<(u64, Buttons)> = Vec::new();
    for (number, line) in lines(&contents).enumerate().map(|(n, line)| (n + 1, line)) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let wrong = |why: String| failure(format!("{name}:{number}: {why}"));
        let (before, buttons) = match *fields.as_slice() {
            [] => continue,
            [before, buttons] => (before, buttons),
            _ => {
                return Err(wrong("expected an instruction number and the buttons to hold".into()));
            }
        };
        let before = text::parse_number(before).ok_or_else(|| {
            wrong(format!("expected an instruction number, found '{}'", before.escape_debug()))
        })?;
        if presses.last().is_some_and(|(last, _)| *last > before) {
            return Err(wrong(format!("instruction {before} is before the one on the line above")));
        }
        let buttons = buttons.parse().map_err(wrong)?;
        presses.push((before, buttons));
    }
    Ok(presses)
}
