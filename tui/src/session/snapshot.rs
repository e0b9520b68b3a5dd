//! Everything there is to see of a session at one moment.

use std::borrow::Cow;
use std::sync::Arc;

use gray1_debugger::{Breakpoints, Expression, Hits, MachineView, Scope, StopReason, Value, Wires};
use gray1_isa::SymbolKind;
use gray1_isa::panel::{Buttons, Display};

use super::{
    Cpu, Levels, Marks, Output, Pace, Profile, Program, RunState, SavedBreakpoints, Waves,
};

/// A session at one moment.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The program in the machine.
    pub program: Arc<Program>,
    /// What the machine is doing.
    pub run_state: RunState,
    /// How fast it is to run, ...
    pub pace: Pace,
    /// ... and how fast it runs, in instructions a second.
    pub speed: Option<u64>,
    /// Registers and memory.
    pub cpu: Cpu,
    /// The past and what is known of the future.
    pub time: Time,
    /// Breaks and watches.
    pub stops: Stops,
    /// What the last command came to, if there is something to say.
    pub remark: Option<Remark>,
    /// The buttons of the panel that are held.
    pub buttons: Buttons,
    /// What the program has printed.
    pub output: Arc<Output>,
    /// The lines that breaks can name, on an engine with lines.
    pub lines: Option<Arc<Wires>>,
    /// The levels of the board's lines, if they were asked for.
    pub levels: Option<Arc<Levels>>,
    /// What the lines do around the present, if that was asked for and the machine stands, or runs
    /// slowly.
    pub waves: Option<Waves>,
    /// How often instructions were executed, if that was asked for: the last counts, once there
    /// are some. They are of the present if they are of its moment.
    pub profile: Option<Option<Arc<Profile>>>,
}

/// The past and what is known of the future. Moments count instructions over all resets.
#[derive(Debug, Clone)]
pub struct Time {
    /// The present moment.
    pub now: u64,
    /// The earliest moment that can be gone back to.
    pub start: u64,
    /// The latest that is known.
    pub end: u64,
    /// The moments worth finding again.
    pub marks: Marks,
    /// A search in the past has found nothing from here on.
    pub searched: Option<u64>,
}

/// What the machine is to stop at, what is watched, and why it stands where it stands.
#[derive(Debug, Clone)]
pub struct Stops {
    /// The breaks.
    pub breaks: Arc<Breakpoints>,
    /// How often each break was hit.
    pub hits: Hits,
    /// The watched expressions, as they were written.
    pub watches: Arc<Vec<String>>,
    /// Why the machine stands here, while it stands.
    pub reason: Option<StopReason>,
}

/// What a command came to, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The words.
    pub text: Cow<'static, str>,
    /// The number of the command, which tells two remarks of the same words apart.
    pub command: u64,
}

impl Stops {
    /// The breaks and watches as they are kept for the next time.
    #[must_use]
    pub fn kept(&self) -> SavedBreakpoints {
        let breaks =
            self.breaks.list().iter().map(|entry| (entry.text().to_owned(), entry.enabled));
        SavedBreakpoints { breaks: breaks.collect(), watches: self.watches.to_vec() }
    }
}

impl Snapshot {
    /// What the LEDs show.
    #[must_use]
    pub fn display(&self) -> Display {
        Display::of(&self.cpu.ram)
    }

    /// What the names in a break or an expression can mean where the machine is.
    #[must_use]
    pub fn scope(&self) -> Scope<'_> {
        let at = Some(self.cpu.pc);
        Scope { image: &self.program.image, wires: self.lines.as_deref(), at }
    }

    /// The present, as an expression sees it.
    #[must_use]
    pub fn view(&self) -> MachineView<'_> {
        let Cpu { a, carry, pc, ref ram, .. } = self.cpu;
        MachineView { a, carry, pc, ram }
    }

    /// The value of an expression now; `None` if it has none.
    #[must_use]
    pub fn value(&self, expression: &Expression) -> Option<Value> {
        Value::of(expression, self.view())
    }

    /// The byte of a variable that has this name.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<u8> {
        let symbol = self.program.image.symbol(name)?;
        let address = usize::try_from(symbol.value).ok()?;
        (symbol.kind == SymbolKind::Variable).then(|| self.cpu.ram.get(address).copied())?
    }
}
