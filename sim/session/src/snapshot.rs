//! Snapshots: the complete state of a session at one moment, for display.

use std::borrow::Cow;
use std::sync::Arc;

use gray1_debugger::why::Explanation;
use gray1_debugger::{Breakpoints, Expression, Hits, MachineView, Scope, StopReason, Value, Wires};
use gray1_isa::panel::{Buttons, Display};
use gray1_isa::{Operand, RamAddr};

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
    /// Breakpoints and watches.
    pub stops: Stops,
    /// A remark about the last command, if there is one.
    pub remark: Option<Remark>,
    /// The buttons of the panel that are held.
    pub buttons: Buttons,
    /// The output of the program.
    pub output: Arc<Output>,
    /// The wires that breakpoint conditions can name, on an engine with wires.
    pub wires: Option<Arc<Wires>>,
    /// The levels of the board's wires, if they are shown.
    pub levels: Option<Arc<Levels>>,
    /// The sentence of a tour about the current phase.
    pub tour: Option<String>,
    /// The waves of the board's wires, if they are shown and the machine is stopped or runs slowly.
    pub waves: Option<Waves>,
    /// `Some` if a profile is shown. The inner value is `None` until the counts reach the current
    /// moment.
    pub profile: Option<Option<Arc<Profile>>>,
}

/// The known history. Moments count instructions over all resets.
#[derive(Debug, Clone)]
pub struct Time {
    /// The current moment.
    pub now: u64,
    /// The earliest moment that can be returned to.
    pub start: u64,
    /// The latest known moment.
    pub end: u64,
    /// The marked moments.
    pub marks: Marks,
    /// The earliest moment that a search in progress has reached. The search has found nothing from
    /// this moment on.
    pub searched: Option<u64>,
    /// Whether a jump can be undone.
    pub can_jump_back: bool,
}

/// Breakpoints, watches, the reason for the last stop, and the answer to the last question.
#[derive(Debug, Clone)]
pub struct Stops {
    /// The breakpoints.
    pub breaks: Arc<Breakpoints>,
    /// The number of hits of each breakpoint.
    pub hits: Hits,
    /// The watched expressions, as the user wrote them.
    pub watches: Arc<Vec<String>>,
    /// The reason why the machine stopped here. `None` while it runs.
    pub reason: Option<StopReason>,
    /// The answer to the last question, once it is found.
    pub explanation: Option<Arc<Explanation>>,
}

/// A remark about a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    pub text: Cow<'static, str>,
    /// Whether the command could not be carried out.
    pub is_error: bool,
    /// The number of the command, which distinguishes equal remarks.
    pub command: u64,
}

impl Stops {
    /// The breakpoints and watches, as the settings save them.
    pub fn to_saved(&self) -> SavedBreakpoints {
        let breaks =
            self.breaks.list().iter().map(|entry| (entry.text().to_owned(), entry.enabled));
        SavedBreakpoints { breaks: breaks.collect(), watches: self.watches.to_vec() }
    }
}

impl Snapshot {
    /// The LEDs.
    pub fn display(&self) -> Display {
        Display::from_ram(&self.cpu.ram)
    }

    /// Whether the machine is stopped where a breakpoint is hit.
    pub fn is_at_break(&self) -> bool {
        self.stops.reason.as_ref().is_some_and(|reason| !reason.hits.is_empty())
    }

    /// The names that are visible at the next instruction.
    pub fn scope(&self) -> Scope<'_> {
        let at = Some(self.cpu.pc);
        Scope { image: &self.program.image, wires: self.wires.as_deref(), at }
    }

    /// The current state, as expressions see it.
    pub fn view(&self) -> MachineView<'_> {
        let Cpu { a, carry, pc, ref ram, .. } = self.cpu;
        MachineView { a, carry, pc, moment: self.time.now, ram, partial: None }
    }

    /// Returns true if nothing has written a byte since power-up, as far as that is known.
    pub fn is_unwritten(&self, address: RamAddr) -> bool {
        let first_writes = self.cpu.first_writes.as_ref();
        first_writes.is_some_and(|it| it.is_unwritten(address, self.time.now))
    }

    /// The byte that the last instruction accessed, if it accessed one.
    pub fn last_byte(&self) -> Option<RamAddr> {
        let word = self.cpu.recent.newest()?.word;
        (word.op().operand() == Operand::Data).then(|| word.address())
    }

    /// The current value of an expression, if it has one.
    pub fn value(&self, expression: &Expression) -> Option<Value> {
        Value::evaluate(expression, self.view())
    }
}
