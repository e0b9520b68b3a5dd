//! One run of a comparison, and the events recorded from it.

use std::collections::BTreeMap;
use std::sync::Arc;

use gray1_board::NetId;
use gray1_circuit::Circuit;
use gray1_debugger::why::{Asked, Question};
use gray1_debugger::{Condition, Event, Happened, Input, Run, Scope, Watch, WatchSet, Wires};
use gray1_isa::text::{grouped, plural, printable};
use gray1_isa::{Executed, Image, RamAddr, RomIndex, Write};
use gray1_sim::{Engine, Registers};

use super::event::{Effect, EventKind, RunEvent, Written};
use crate::cli::run::RunTarget;
use crate::cli::shared::debugger::{RUN_MAX, finish, run_debugger_to};
use crate::cli::shared::machine::{self, quote};
use crate::cli::shared::messages::Messages;
use crate::cli::shared::outcome::{Failure, failure};
use crate::cli::shared::signals::Signals;
use crate::cli::shared::source_options::load;
use crate::files;
use crate::program::LoadedProgram;

/// The maximum number of wires that a difference names.
const WIRES_MAX: usize = 8;

/// A run, and its recorded events that have not been compared.
pub(super) struct Side {
    pub(super) name: String,
    pub(super) image: Arc<Image>,
    target: RunTarget,
    /// The machine after power-up.
    pub(super) start: Box<dyn Engine>,
    pub(super) inputs: Vec<(u64, Input)>,
    run: Run,
    conditions: Arc<WatchSet>,
    /// The first byte that the condition watches, if it watches bytes.
    first_byte: Option<RamAddr>,
    /// The wires that both boards have, in the same order for both runs.
    wires: Vec<NetId>,
    last: Option<RomIndex>,
    pub(super) events: Vec<RunEvent>,
}

impl Side {
    /// Powers up the machine of a run. `program` has the arguments of `gray1 run`. `changes` are
    /// added to the changes of its `--set` options.
    pub(super) fn new(
        program: &str,
        changes: impl IntoIterator<Item = String>,
        kind: &EventKind,
        messages: &mut Messages,
    ) -> Result<Self, Failure> {
        let mut target = RunTarget::parse(program.as_ref())?;
        target.inputs.set.extend(changes);
        let LoadedProgram { name, image, .. } = load(&target.program, &target.sources, messages)?;
        let start = machine::engine(&target.machine.spec(), &image, messages)?;
        let end = target.max_instructions.unwrap_or(RUN_MAX);
        let inputs = target.inputs.read(&image, &*start, end, &Signals::default())?;
        let run = Run::new(start.clone(), inputs.iter().copied());
        let wires = Wires::from_engine(&*start);
        let scope = Scope { image: &image, wires: wires.as_ref(), at: None };
        let condition = match kind {
            EventKind::Output => Some(Event::Prints(None).into()),
            EventKind::Leds => Some(Event::Display.into()),
            EventKind::Instructions | EventKind::Wires => None,
            EventKind::Condition(text) => Some(Condition::parse(text, scope).map_err(|error| {
                let (name, text) = (printable(&name), printable(text));
                Failure::Usage(format!("{name}: --by '{text}': {error}"))
            })?),
        };
        let first_byte = match condition.as_ref().map(Condition::event) {
            Some(Event::Touches(_, bytes)) => Some(*bytes.start()),
            _ => None,
        };
        let conditions = Arc::new(WatchSet::new(condition.into_iter().collect(), &*start));
        let (wires, last, events) = Default::default();
        Ok(Self {
            name,
            image,
            target,
            start,
            inputs,
            run,
            conditions,
            first_byte,
            wires,
            last,
            events,
        })
    }

    /// Selects the wires that both boards have.
    pub(super) fn share_wires(sides: [&mut Self; 2]) -> Result<(), Failure> {
        let wires = |side: &Self| {
            let circuit = side.start.circuit().ok_or_else(|| {
                Failure::Usage("`--by wires` needs `--engine chips` or `timed`".to_owned())
            })?;
            let board = circuit.board();
            let names = board.nets().iter().map(|net| net.name().to_owned());
            Ok::<BTreeMap<_, _>, _>(names.zip(board.net_ids()).collect())
        };
        let [a, b] = sides;
        let (in_a, in_b) = (wires(a)?, wires(b)?);
        let both = in_a.iter().filter_map(|(name, net)| Some((*net, *in_b.get(name)?)));
        (a.wires, b.wires) = both.unzip();
        if a.wires.is_empty() {
            return Err(failure("the two boards have no wire in common"));
        }
        Ok(())
    }

    /// Records the state at power-up, with the inputs of that moment, if it is compared.
    pub(super) fn power_up(&mut self, kind: &EventKind) {
        if kind.begins_at_power_up() {
            self.run.go_to(0);
            let effect = if *kind == EventKind::Leds { self.leds() } else { self.levels() };
            self.record(self.run.engine().pc(), effect);
        }
    }

    fn leds(&self) -> Effect {
        Effect::Leds(Box::new(self.run.engine().display()))
    }

    /// The levels at the end of a phase, so with the inputs that come before the next one.
    fn levels(&self) -> Effect {
        let engine = self.run.engine();
        let all = engine.circuit().map(Circuit::levels).unwrap_or_default();
        Effect::Wires(engine.phase(), self.wires.iter().map(|net| all[net.index()]).collect())
    }

    fn record(&mut self, index: RomIndex, effect: Effect) {
        let is_repeated = self.last.replace(index) == Some(index);
        self.events.push(RunEvent { moment: self.moment(), index, is_repeated, effect });
    }

    pub(super) fn moment(&self) -> u64 {
        self.run.moment()
    }

    fn limit(&self) -> u64 {
        self.target.max_instructions.unwrap_or(RUN_MAX)
    }

    /// Whether there is nothing left to compare and the run has not ended.
    pub(super) fn needs_events(&self) -> bool {
        self.events.is_empty() && !self.run.engine().halted() && !self.is_at_limit()
    }

    pub(super) fn is_at_limit(&self) -> bool {
        self.moment() >= self.limit()
    }

    /// How the run ended, for messages.
    pub(super) fn describe_end(&self) -> String {
        let engine = self.run.engine();
        let how = if engine.halted() { "halted" } else { "stopped" };
        let place = self.image.place_and_line(engine.pc());
        let error = engine.error().map_or(String::new(), |error| format!(": {error}"));
        let (count, instructions) = (grouped(self.moment()), plural(self.moment(), "instruction"));
        format!("{how} at {place} after {count} {instructions}{error}")
    }

    /// Runs for a slice of time, or until `enough` events are recorded.
    pub(super) fn advance(&mut self, kind: &EventKind, enough: usize) {
        let to = self.limit().min(self.moment().saturating_add(self.run.engine().slice()));
        let conditions = Arc::clone(&self.conditions);
        let mut watch = match kind {
            EventKind::Instructions => Watch::instructions(&conditions),
            EventKind::Wires => Watch::edges(&conditions),
            _ => Watch::hits(&conditions),
        };
        while self.events.len() < enough
            && let Some(happened) = self.run.next(&mut watch, to)
        {
            let (index, effect) = match (kind, happened) {
                (EventKind::Wires, Happened::Step(executed)) => {
                    let index = executed.map(|executed| executed.index);
                    self.run.go_to(self.moment());
                    (index.unwrap_or(self.run.engine().pc()), self.levels())
                }
                (_, Happened::Step(None) | Happened::Input(_)) => continue,
                (_, Happened::Step(Some(Executed { index, word, .. }))) => {
                    (index, Effect::state(Some(word), self.run.engine()))
                }
                (EventKind::Leds, Happened::Hit(hit)) => (hit.index(), self.leds()),
                (_, Happened::Hit(hit)) => {
                    let write = hit.executed.and_then(|executed| executed.write);
                    let effect = match write {
                        Some(Write { address, new, .. }) => {
                            let first = self.first_byte;
                            let offset = first.map(|it| address.get().wrapping_sub(it.get()));
                            Effect::Wrote(Written { address, offset, new })
                        }
                        None if conditions.watches_unwritten() => {
                            let byte = self.image.word(hit.next).address();
                            Effect::Unwritten(self.image.byte_at(byte, hit.next))
                        }
                        None => Effect::state(None, self.run.engine()),
                    };
                    (hit.index(), effect)
                }
            };
            self.record(index, effect);
        }
        self.run.take_output();
    }

    /// The command that opens the debugger at a moment.
    pub(super) fn debug_command(&self, moment: u64) -> String {
        let RunTarget { program, sources, machine, inputs, .. } = &self.target;
        let program = quote(&files::printable(program));
        let options = sources.to_args() + &machine::to_args(&machine.spec()) + &inputs.to_args();
        format!("gray1 debug {program}{options} --at {moment}")
    }

    /// Describes in which way this run's event differs from the other run's event.
    pub(super) fn describe(&self, own: &RunEvent, other: &RunEvent, is_second: bool) -> String {
        match (&own.effect, &other.effect) {
            (Effect::Leds(leds), Effect::Leds(others)) => {
                let (row, column) = leds.first_difference(others).unwrap_or_default();
                format!("led {row}, {column} is {}", leds.led(row, column).name())
            }
            _ if own.is_step() && own.index != other.index => {
                let again = if own.is_repeated { " again" } else { "" };
                let should = format!(" where {:04x} should follow", other.index.get());
                let should = if is_second { &should } else { "" };
                format!("{:04x} was executed{again}{should}", own.index.get())
            }
            (Effect::Wires(phase, levels), Effect::Wires(_, others)) => {
                let board = self.start.circuit().map(Circuit::board);
                let wires = self.wires.iter().zip(levels).zip(others);
                let moved = wires.filter(|((_, own), other)| own != other).take(WIRES_MAX);
                let moved = moved.filter_map(|((net, level), _)| {
                    Some(format!("{}={}", board?.net(*net).name(), u8::from(*level)))
                });
                format!("{phase}: {}", moved.collect::<Vec<_>>().join(" "))
            }
            (Effect::Wrote(Written { address, new: written, .. }), _) => {
                let letter = char::from(*written);
                let letter =
                    if letter.is_ascii_graphic() { format!(" '{letter}'") } else { String::new() };
                let place = self.image.names().byte(*address);
                format!("writes {written:#04x}{letter} to {place}")
            }
            (Effect::Unwritten(byte), _) => format!("reads {byte}, which nothing has written"),
            (Effect::State(word, Registers { a, carry, .. }), _) => {
                let word =
                    word.map(|word| format!("{} {:04x}, and then ", word.op(), word.operand()));
                format!("{}A={a:#04x} C={}", word.unwrap_or_default(), u8::from(*carry))
            }
            (Effect::Leds(_) | Effect::Wires(..), _) => String::new(),
        }
    }

    /// Explains the cause of the event in one sentence. Returns `None` if no cause is found, or
    /// after a signal.
    pub(super) fn why(
        &self,
        own: &RunEvent,
        other: &RunEvent,
        signals: &Signals,
    ) -> Option<String> {
        let (question, moment) = question(own, other)?;
        let (engine, inputs) = (self.start.clone(), self.inputs.iter().copied());
        let debugger = run_debugger_to(&self.name, &self.image, engine, inputs, moment, signals);
        let mut debugger = debugger.ok()?;
        let scope = Scope::from(&*self.image);
        let asked = Asked::parse(&question, scope, debugger.engine().pc()).ok()?;
        debugger.ask(Question { asked, depth: 1, is_folded: true }, moment);
        finish(&mut debugger, &self.name, signals).ok()?;
        debugger.explanation().map(|explanation| explanation.sentence.clone())
    }
}

/// The question that asks for the cause of a difference, and the moment to ask about.
fn question(own: &RunEvent, other: &RunEvent) -> Option<(String, u64)> {
    let question = match (&own.effect, &other.effect) {
        (Effect::Wrote(written), _) => format!("{:#x}", written.address.get()),
        (Effect::Leds(leds), Effect::Leds(others)) => {
            let (row, column) = leds.first_difference(others)?;
            format!("led {row}, {column}")
        }
        _ if own.is_step() && own.index != other.index => {
            return Some(("PC".to_owned(), own.moment.checked_sub(1)?));
        }
        // If the instructions differ, this run's own history does not explain it.
        (Effect::State(word, _), Effect::State(other, _)) if word != other => return None,
        (Effect::State(_, own), Effect::State(_, other)) => {
            if own.a == other.a { "C" } else { "A" }.to_owned()
        }
        _ => "PC".to_owned(),
    };
    Some((question, own.moment))
}
