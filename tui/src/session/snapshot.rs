//! Snapshots: everything that can be shown of a session at one moment.

use std::borrow::Cow;
use std::sync::Arc;

use gray1_debugger::why::Story;
use gray1_debugger::{Breakpoints, Expression, Hits, MachineView, Scope, StopReason, Value, Wires};
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
    /// The pace.
    pub pace: Pace,
    /// The speed achieved, in instructions per second.
    pub speed: Option<u64>,
    /// Registers and memory.
    pub cpu: Cpu,
    /// The known history.
    pub time: Time,
    /// Breaks and watches.
    pub stops: Stops,
    /// A remark about the last command, if there is one.
    pub remark: Option<Remark>,
    /// The buttons of the panel that are held.
    pub buttons: Buttons,
    /// The output of the program.
    pub output: Arc<Output>,
    /// The wires that breaks can name, on an engine with wires.
    pub wires: Option<Arc<Wires>>,
    /// The levels of the board's wires, if they are wanted.
    pub levels: Option<Arc<Levels>>,
    /// The sentence of a tour about the present phase.
    pub tour: Option<String>,
    /// The waves of the board's wires, if they are wanted and the machine stands or runs slowly.
    pub waves: Option<Waves>,
    /// The execution counts, if they are wanted, once they reach the present.
    pub profile: Option<Option<Arc<Profile>>>,
}

/// The known history. Moments count instructions over all resets.
#[derive(Debug, Clone)]
pub struct Time {
    /// The present moment.
    pub now: u64,
    /// The earliest moment to return to.
    pub start: u64,
    /// The latest known moment.
    pub end: u64,
    /// The marked moments.
    pub marks: Marks,
    /// The moment from which a search in progress has found nothing.
    pub searched: Option<u64>,
}

/// Breaks, watches, the reason for the last stop, and the answer to the last question.
#[derive(Debug, Clone)]
pub struct Stops {
    /// The breaks.
    pub breaks: Arc<Breakpoints>,
    /// How often each break was hit.
    pub hits: Hits,
    /// The watched expressions, as they were written.
    pub watches: Arc<Vec<String>>,
    /// The reason the machine stopped here, while it stands.
    pub reason: Option<StopReason>,
    /// The answer to the last question, once it is found.
    pub story: Option<Arc<Story>>,
}

/// A remark about a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The text.
    pub text: Cow<'static, str>,
    /// The number of the command, which distinguishes equal remarks.
    pub command: u64,
}

impl Stops {
    /// The breaks and watches, as the settings save them.
    #[must_use]
    pub fn kept(&self) -> SavedBreakpoints {
        let breaks =
            self.breaks.list().iter().map(|entry| (entry.text().to_owned(), entry.enabled));
        SavedBreakpoints { breaks: breaks.collect(), watches: self.watches.to_vec() }
    }
}

impl Snapshot {
    /// The LEDs.
    #[must_use]
    pub fn display(&self) -> Display {
        Display::of(&self.cpu.ram)
    }

    /// The names that are visible at the next instruction.
    #[must_use]
    pub fn scope(&self) -> Scope<'_> {
        let at = Some(self.cpu.pc);
        Scope { image: &self.program.image, wires: self.wires.as_deref(), at }
    }

    /// The present state, as expressions see it.
    #[must_use]
    pub fn view(&self) -> MachineView<'_> {
        let Cpu { a, carry, pc, ref ram, .. } = self.cpu;
        MachineView { a, carry, pc, ram }
    }

    /// The present value of an expression, if it has one.
    #[must_use]
    pub fn value(&self, expression: &Expression) -> Option<Value> {
        Value::of(expression, self.view())
    }
}
