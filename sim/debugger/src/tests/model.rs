//! A model of the debugger that is too slow for use. It keeps every state and examines every
//! instruction.

use gray1_isa::{Executed, Image, RamAddr, panel};
use gray1_sim::{Engine, Snapshot};

use super::super::watch_set::Matches;
use super::super::*;

/// A moment, with the instruction that led to it, its inputs, and its state after them.
#[derive(Clone)]
struct Moment {
    arrival: Option<Arrival>,
    /// The inputs, each with the machine before and after it.
    inputs: Vec<GivenInput>,
    state: Box<dyn Engine>,
}

type GivenInput = (Input, Box<dyn Engine>, Box<dyn Engine>);

/// An instruction, with the machine before and after it.
type Arrival = (Executed, Box<dyn Engine>, Box<dyn Engine>);

pub(super) struct Model {
    moments: Vec<Moment>,
    now: usize,
    /// The inputs at moments that are not known yet.
    schedule: Vec<(u64, Input)>,
    conditions: Vec<(String, Condition)>,
    image: Image,
}

impl Model {
    pub(super) fn new(
        machine: Box<dyn Engine>,
        schedule: Vec<(u64, Input)>,
        texts: &[String],
        image: &Image,
    ) -> Self {
        let conditions = texts.iter().map(|text| {
            let words: Vec<&str> = text.splitn(2, " if ").collect();
            (words[0].to_owned(), Condition::parse(text, image).unwrap())
        });
        let mut model = Self {
            moments: vec![Moment { inputs: Vec::new(), state: machine, arrival: None }],
            now: 0,
            schedule,
            conditions: conditions.collect(),
            image: image.clone(),
        };
        model.receive_scheduled();
        model
    }

    /// Gives the machine the scheduled inputs of the present, which has just become known.
    fn receive_scheduled(&mut self) {
        let now = self.now as u64;
        let (due, later) = self.schedule.iter().partition(|(moment, _)| *moment == now);
        self.schedule = later;
        let due: Vec<(u64, Input)> = due;
        for (_, input) in due {
            self.give(input);
        }
    }

    pub(super) fn now(&self) -> Snapshot {
        self.moments[self.now].state.save()
    }

    pub(super) fn moment(&self) -> u64 {
        self.now as u64
    }

    pub(super) fn end(&self) -> u64 {
        self.moments.len() as u64 - 1
    }

    /// Executes one instruction, or repeats a known one. Returns false if the machine has halted.
    fn step(&mut self) -> bool {
        let before = &self.moments[self.now].state;
        if before.halted() {
            return false;
        }
        self.now += 1;
        if self.now == self.moments.len() {
            let mut after = before.clone();
            let executed = after.step().unwrap();
            let arrival = Some((executed, before.clone(), after.clone()));
            self.moments.push(Moment { inputs: Vec::new(), state: after, arrival });
            self.receive_scheduled();
        }
        true
    }

    pub(super) fn advance(&mut self, count: u64) {
        for _ in 0..count {
            self.step();
        }
    }

    pub(super) fn run(&mut self, limit: u64) -> RunResult {
        for _ in 0..limit {
            if !self.step() {
                return RunResult::Halted;
            }
            if let Some(hit) = self.hit(self.now, true, 0) {
                return RunResult::Hit(hit);
            }
        }
        if self.moments[self.now].state.halted() { RunResult::Halted } else { RunResult::Limit }
    }

    pub(super) fn seek(&mut self, moment: u64, start: u64) {
        self.now = moment.clamp(start, self.end()) as usize;
    }

    pub(super) fn give(&mut self, input: Input) {
        self.moments.truncate(self.now + 1);
        let moment = &mut self.moments[self.now];
        let before = moment.state.clone();
        moment.state.take_output();
        match input {
            Input::Reset => moment.state.reset(),
            Input::Hold(buttons) => moment.state.hold(buttons),
            Input::Poke(address, byte) => moment.state.poke(address, byte),
            Input::Load(registers) => assert!(moment.state.load(registers)),
        }
        let after = moment.state.clone();
        moment.inputs.push((input, before, after));
    }

    /// Returns the hits before the present, the last one first.
    pub(super) fn hits_before(&self, history: &History) -> Vec<Hit> {
        let first = history.start() as usize;
        (first..self.now).rev().filter_map(|n| self.known_hit(n, history)).collect()
    }

    pub(super) fn hit_now(&self, history: &History) -> Option<Hit> {
        self.known_hit(self.now, history)
    }

    fn known_hit(&self, moment: usize, history: &History) -> Option<Hit> {
        if moment as u64 > history.start() {
            return self.hit(moment, true, 0);
        }
        // The instruction that led to the first moment is no longer known, and perhaps not all of
        // its inputs.
        let known = history.given().iter().filter(|(at, _)| *at == moment as u64).count();
        self.hit(moment, false, self.moments[moment].inputs.len() - known)
    }

    /// Returns the hit at a moment. The instruction that led there counts only if
    /// `is_arrival_known` is true, and the first inputs do not count.
    fn hit(&self, moment: usize, is_arrival_known: bool, unknown_inputs: usize) -> Option<Hit> {
        let Moment { state, arrival, inputs } = &self.moments[moment];
        let arrival = arrival.as_ref().filter(|_| is_arrival_known);
        let inputs = &inputs[unknown_inputs..];
        let mut bits = Vec::new();
        let mut any_occurred = false;
        for (number, (text, condition)) in self.conditions.iter().enumerate() {
            let occurred = arrival.is_some_and(|(executed, before, after)| {
                happened(text, executed, &**before, &**after, &self.image)
                    && guarded(condition, &**after)
            });
            let next = state.word(state.pc());
            let is_next = match text.as_str() {
                "unwritten" => {
                    next.op().reads_memory() && self.is_unwritten(moment, next.address())
                }
                index => index.parse() == Ok(state.pc().get()),
            };
            let reached = is_next && !state.halted() && guarded(condition, &**state);
            any_occurred |= occurred;
            let given = inputs.iter().any(|(_, before, after)| {
                changed(text, &**before, &**after, &self.image) && guarded(condition, &**after)
            });
            if occurred || given || reached {
                bits.push(number);
            }
        }
        let executed = arrival.filter(|_| any_occurred).map(|(executed, ..)| *executed);
        let (moment, next, matches) = (moment as u64, state.pc(), Matches::from_numbers(&bits));
        (!bits.is_empty()).then_some(Hit { moment, edges: 0, matches, executed, next })
    }

    /// Returns true if neither an instruction nor an input has written a byte so far.
    pub(super) fn is_unwritten_now(&self, address: RamAddr) -> bool {
        self.is_unwritten(self.now, address)
    }

    /// Returns true if neither an instruction nor an input has written a byte up to a moment.
    fn is_unwritten(&self, moment: usize, address: RamAddr) -> bool {
        let mut moments = self.moments[..=moment].iter();
        let is_written = |moment: &Moment| {
            let write = moment.arrival.as_ref().and_then(|(executed, ..)| executed.write);
            let pokes =
                |(input, ..): &GivenInput| matches!(input, Input::Poke(at, _) if *at == address);
            write.is_some_and(|write| write.address == address) || moment.inputs.iter().any(pokes)
        };
        address != panel::BUTTONS && !moments.any(is_written)
    }

    pub(super) fn output_since_reset(&self) -> Vec<u8> {
        let mut output = Vec::new();
        for moment in &self.moments[..=self.now] {
            let write = moment.arrival.as_ref().and_then(|(executed, ..)| executed.write);
            output.extend(write.filter(|write| write.address == panel::MAILBOX).map(|w| w.new));
            if moment.inputs.iter().any(|(input, ..)| *input == Input::Reset) {
                output.clear();
            }
        }
        output
    }
}

fn guarded(condition: &Condition, machine: &dyn Engine) -> bool {
    condition.guard().is_none_or(|guard| guard.holds(view(machine)))
}

fn view(machine: &dyn Engine) -> MachineView<'_> {
    MachineView {
        a: machine.a(),
        carry: machine.carry(),
        pc: machine.pc(),
        moment: machine.executed(),
        ram: machine.ram(),
        partial: None,
    }
}

/// Returns true if an instruction did what the condition says, judged by the states before and
/// after it.
fn happened(
    text: &str,
    executed: &Executed,
    before: &dyn Engine,
    after: &dyn Engine,
    image: &Image,
) -> bool {
    let op = executed.word.op();
    let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
    let is_here = rest.parse() == Ok(executed.word.address().get());
    match verb {
        "write" => op.writes_memory() && is_here,
        "read" => op.reads_memory() && is_here,
        "access" => (op.reads_memory() || op.writes_memory()) && is_here,
        "mailbox" => {
            let printed = executed.write.filter(|write| write.address == panel::MAILBOX);
            printed.is_some_and(|write| rest.is_empty() || rest.parse() == Ok(write.new))
        }
        _ => changed(text, before, after, image),
    }
}

/// Returns true if the state changed as the condition says, by an instruction or an input.
fn changed(text: &str, before: &dyn Engine, after: &dyn Engine, image: &Image) -> bool {
    match text.split_once(' ').unwrap_or((text, "")) {
        ("led", "") => before.display() != after.display(),
        ("led", square) => {
            let (row, column) = square.split_once(", ").unwrap();
            let (row, column) = (row.parse().unwrap(), column.parse().unwrap());
            before.display().led(row, column) != after.display().led(row, column)
        }
        ("when", expression) => {
            let expression = Expression::parse(expression, image).unwrap();
            !expression.holds(view(before)) && expression.holds(view(after))
        }
        _ => false,
    }
}
