//! The commands of the plain debugger, and their answers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gray1_board::Chip;
use gray1_debugger::why::CauseLine;
use gray1_debugger::{BreakpointRequest, Condition, Expression, Value};
use gray1_isa::panel::Buttons;
use gray1_isa::text::{grouped, printable, wrap};
use gray1_session::{
    BreakChange, Command, Destination, Goal, Levels, PRINTED_LINE, RunState, Session, Snapshot,
    WireDetail,
};

use super::commands::{Typed, find_named, unknown_command};
use super::interrupts::Interrupts;
use super::sentences::{
    capitalize, describe_differences, describe_movement, describe_stop, end_sentence,
};
use crate::cli::shared::outcome::{Failure, failure, print};

/// The maximum length of a printed line in characters.
const WIDTH_MAX: usize = 199;
/// The time that a slice of a run takes for a button that is held. It does not depend on a clock,
/// so that every run is the same.
const SLICE_TIME: Duration = Duration::from_secs(1);

/// The time after which a terminal says that a command still works.
const PATIENCE: Duration = Duration::from_secs(3);
/// Without a terminal, a run is announced after this many instructions, after ten times as many,
/// and so on. A number of instructions, unlike a time, is the same in every run.
const FIRST_REPORT: u64 = 10_000_000;

const HAS_ENDED: &str = "the program has ended: back goes back, restart starts it again";

/// The plain debugger: a session and the state of the dialogue.
pub(super) struct Face {
    pub(super) session: Session,
    pub(super) interrupts: Arc<Interrupts>,
    /// The steps of the last answer to `why`, and the moment of the question.
    steps: Vec<CauseLine>,
    asked_at: u64,
    /// The number of printed lines, or of pieces of long ones, that were reported.
    reported: usize,
    /// The last line that moved the machine, which an empty line repeats.
    repeated: String,
    is_terminal: bool,
    /// The lines of an answer, if they are collected.
    pub(super) collected: Option<Vec<String>>,
}

impl Face {
    pub(super) fn new(
        session: Session,
        interrupts: Arc<Interrupts>,
        is_terminal: bool,
        collects: bool,
    ) -> Self {
        Self {
            session: session.with_short_slices().with_decimal_bytes(),
            interrupts,
            steps: Vec::new(),
            asked_at: 0,
            reported: 0,
            repeated: String::new(),
            is_terminal,
            collected: collects.then(Vec::new),
        }
    }

    /// Says what is open, and where the machine is.
    pub(super) fn greet(&mut self) -> Result<(), Failure> {
        let snapshot = self.session.snapshot();
        self.see_printed(false)?;
        if let Some(remark) = &snapshot.remark {
            self.say(&remark.text)?;
        }
        let usage = snapshot.program.usage().map(|usage| format!(": {usage}"));
        self.say(&format!("Debugging {}{}", snapshot.program.name, usage.unwrap_or_default()))?;
        self.tell_where()?;
        if self.is_terminal { self.say("Type help for the commands.") } else { Ok(()) }
    }

    /// Carries out the command in a line. An empty line repeats the command before it, if that has
    /// moved the machine.
    ///
    /// # Errors
    /// [`Failure::Message`] if the command failed, which does not end the session.
    pub(super) fn execute(&mut self, line: &str) -> Result<(), Failure> {
        let last = std::mem::take(&mut self.repeated);
        let line = if line.is_empty() { last } else { line.to_owned() };
        if line.is_empty() {
            return Ok(());
        }
        if let Ok(number) = line.parse::<usize>() {
            return self.go_to_step(number);
        }
        if let Some((named, times)) = find_named(&line) {
            self.carry_out(&named.command, times)?;
            let is_reset = matches!(named.command, Command::Reset);
            self.repeated = if is_reset { String::new() } else { line };
            return Ok(());
        }
        let (first, argument) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        let typed = Typed::find(first).ok_or_else(|| unknown_command(first))?;
        typed.carry_out(self, argument.trim())
    }

    pub(super) fn say(&mut self, text: &str) -> Result<(), Failure> {
        let lines = wrap(&printable(text), WIDTH_MAX);
        match &mut self.collected {
            Some(collected) => collected.extend(lines),
            None => print(&(lines.join("\n") + "\n"))?,
        }
        Ok(())
    }

    // ---- Movements

    /// Sends the session a command this many times, and says what happened. A break ends the
    /// repetition, unless the command runs from break to break.
    fn carry_out(&mut self, command: &Command, times: u32) -> Result<(), Failure> {
        let command = match command {
            // Without a break, such a run ends where the program ends or begins.
            Command::Go(Goal::Breakpoint) => &Command::Go(Goal::Run),
            Command::GoBack(Goal::Breakpoint) => &Command::GoBack(Goal::Run),
            other => other,
        };
        let is_run = matches!(command, Command::Go(Goal::Run) | Command::GoBack(Goal::Run));
        let (before, start) = (self.session.snapshot(), self.session.position());
        let mut after = before.clone();
        let (mut is_interrupted, mut problem, mut done) = (false, None, 0);
        for _ in 0..times {
            if after.run_state == RunState::Halted && command.needs_a_future() {
                problem = Some(HAS_ENDED.into());
                break;
            }
            done += 1;
            self.session.command(command.clone());
            is_interrupted = self.finish(matches!(command, Command::Step | Command::StepPhase))?;
            after = self.session.snapshot();
            problem = after.remark.take_if(|it| it.is_error).map(|it| it.text);
            if problem.is_some() || is_interrupted || after.is_at_break() && !is_run {
                break;
            }
        }
        if problem.is_none() || self.session.position() != start {
            let is_within = self.session.position().edges > 0;
            let mut said = describe_stop(&after, is_interrupted);
            match command {
                Command::StepPhase | Command::StepPhaseBack if is_within => {
                    said.push(self.describe_phase()?);
                }
                _ => said.extend(describe_movement(command, done, &before, &after, is_within)),
            }
            let read = Buttons(before.buttons.0 & !after.buttons.0);
            let is_later = after.time.now > before.time.now;
            if read != Buttons::NONE && is_later && after.run_state != RunState::Halted {
                said.push(format!("The program has read {read}."));
            }
            said.retain(|it| !it.is_empty());
            self.say(&said.join(" "))?;
            self.tell_watches(&before, &after)?;
        }
        problem.map_or(Ok(()), |problem| Err(failure(problem)))
    }

    /// Waits until the session has nothing left to do. Reports log points, and lines that the
    /// program prints, if it runs or `has_run`. Returns whether the user has interrupted it.
    fn finish(&mut self, has_run: bool) -> Result<bool, Failure> {
        let mut runs = has_run;
        let mut patience = self.is_terminal.then(|| Instant::now() + PATIENCE);
        let start = self.session.position().moment;
        let mut report_at = FIRST_REPORT;
        loop {
            if patience.take_if(|end| Instant::now() > *end).is_some() {
                self.say("Still working. Ctrl-C interrupts.")?;
            }
            for message in self.session.logged().to_vec() {
                self.say(&message)?;
            }
            self.see_printed(runs)?;
            let state = self.session.run_state();
            if self.interrupts.take() {
                self.session.command(Command::Cancel);
                return Ok(true);
            }
            if state.is_stopped() {
                return Ok(false);
            }
            runs = matches!(state, RunState::Seeking(_));
            let executed = self.session.position().moment.saturating_sub(start);
            if runs && !self.is_terminal && executed >= report_at {
                let pc = self.session.snapshot().cpu.pc;
                let line = self.session.program().image.name_line(pc);
                let count = grouped(report_at);
                self.say(&format!("Still running: {count} instructions, now at {line}."))?;
                report_at *= 10;
            }
            self.session.advance(SLICE_TIME);
        }
    }

    /// Counts the lines of the output, and reports new ones if the machine `has_run`.
    fn see_printed(&mut self, has_run: bool) -> Result<(), Failure> {
        let output = Arc::clone(self.session.output());
        let program = Arc::clone(self.session.program());
        let ended = output.lines().count() - usize::from(!output.unfinished().is_empty());
        let total = output.forgotten + ended;
        let new = total.saturating_sub(std::mem::replace(&mut self.reported, total));
        let name = capitalize(program.result().unwrap_or(PRINTED_LINE));
        for line in output.lines().take(ended).skip(ended.saturating_sub(new)) {
            if has_run {
                self.say(&format!("{name} {}: {line}", output.finished))?;
            }
        }
        Ok(())
    }

    /// The phase that has just begun, in the words of the board, and the chips that moved.
    fn describe_phase(&mut self) -> Result<String, Failure> {
        let levels = self.levels()?;
        let phase = self.session.snapshot().cpu.phase;
        let sentence = levels.board.phase_sentence(|net| levels.level(net));
        let chips = levels.board.chips().iter();
        let moved = chips.filter(|chip| chip.data.iter().any(|net| levels.moved(*net)));
        let moved: Vec<&str> = moved.map(Chip::name).collect();
        let moved = if moved.is_empty() { "No chip".to_owned() } else { moved.join(", ") };
        Ok(format!("Phase T{phase}: {sentence} {moved} moved."))
    }

    pub(super) fn go(&mut self, place: &str) -> Result<(), Failure> {
        if let Some(destination) = Destination::parse(place).map_err(misuse)? {
            return self.carry_out(&Command::RunTo(destination), 1);
        }
        let condition = Condition::parse(place, self.session.snapshot().scope());
        let condition = condition.map_err(|error| misuse(error.to_string()))?;
        self.carry_out(&Command::Go(Goal::Condition(condition)), 1)
    }

    pub(super) fn press(&mut self, buttons: &str) -> Result<(), Failure> {
        let buttons: Buttons = buttons.replace(' ', "+").parse().map_err(Failure::Usage)?;
        if buttons == Buttons::NONE {
            return Err(misuse("expected a button"));
        }
        if !self.session.snapshot().program.reads_buttons {
            return Err(failure("this program does not read the buttons"));
        }
        self.session.command(Command::Tap(buttons));
        match self.session.snapshot().buttons {
            Buttons::NONE => Err(failure(HAS_ENDED)),
            held => self.say(&format!("Holding {held} until the program has read it.")),
        }
    }

    pub(super) fn set(&mut self, text: &str) -> Result<(), Failure> {
        let command = Command::change_state(text, &self.session.snapshot());
        let said = self.change(command.map_err(Failure::Usage)?)?;
        self.say(&said)
    }

    /// Sends the session a command that it answers with a remark.
    fn change(&mut self, command: Command) -> Result<String, Failure> {
        self.session.command(command);
        match self.session.snapshot().remark {
            Some(remark) if remark.is_error => Err(failure(remark.text)),
            remark => Ok(remark.map_or_else(String::new, |it| capitalize(&it.text))),
        }
    }

    // ---- Values

    pub(super) fn print_value(&mut self, text: &str) -> Result<(), Failure> {
        let value = describe_value(text, &self.session.snapshot())?;
        self.say(&value)
    }

    /// Fails if a condition is not true, with the two sides of a comparison.
    pub(super) fn expect(&mut self, text: &str) -> Result<(), Failure> {
        let snapshot = self.session.snapshot();
        let condition = Expression::parse_condition(text, snapshot.scope());
        let condition = condition.map_err(|error| misuse(error.to_string()))?;
        if condition.holds(snapshot.view()) {
            return self.say(&format!("{text} is true."));
        }
        let sides = if let Expression::Binary(_, sides) = &condition { &sides[..] } else { &[] };
        let values = sides.iter().filter_map(|side| side.value(snapshot.view()));
        let values: Vec<String> = values.map(|value| value.to_string()).collect();
        Err(failure(format!("this is not true now ({})", values.join(" and "))))
    }

    /// Begins to report changes of a value, or ends that.
    pub(super) fn watch(&mut self, text: &str) -> Result<(), Failure> {
        let snapshot = self.session.snapshot();
        let watch = Expression::qualified(text, snapshot.scope());
        let watch = watch.map_err(|error| misuse(error.to_string()))?;
        describe_value(&watch, &snapshot)?;
        let known = snapshot.stops.watches.iter().position(|it| *it == watch);
        let added = || BreakChange::Watch(watch);
        let said = self.change(Command::Change(known.map_or_else(added, BreakChange::Unwatch)))?;
        self.say(&said)
    }

    /// Reports the watched values that have changed.
    fn tell_watches(&mut self, before: &Snapshot, after: &Snapshot) -> Result<(), Failure> {
        for watch in after.stops.watches.iter() {
            let value = describe_value(watch, after).ok();
            if value != describe_value(watch, before).ok() {
                value.iter().try_for_each(|value| self.say(value))?;
            }
        }
        Ok(())
    }

    // ---- Why

    pub(super) fn why(&mut self, question: &str) -> Result<(), Failure> {
        let snapshot = self.session.snapshot();
        if question == "back" {
            if self.steps.is_empty() {
                return Err(failure("no question was asked"));
            }
            return self.carry_out(&Command::Seek(self.asked_at), 1);
        }
        if question.contains("--") {
            return Err(misuse("no options here: `gray1 why` in a shell takes --depth and --all"));
        }
        self.session.command(Command::ask(question, &snapshot).map_err(Failure::Usage)?);
        self.finish(false)?;
        let answer = self.session.snapshot().stops.explanation;
        let answer = answer.ok_or_else(|| failure("interrupted"))?;
        let image = &snapshot.program.image;
        self.asked_at = answer.moment;
        self.steps = answer.steps(image);
        if self.steps.is_empty() {
            self.steps = answer.lines(image);
        }
        self.say(&answer.spoken_answer())?;
        for (number, step) in (1..).zip(self.steps.clone()) {
            let place = step.index.zip(step.moment).map(|(index, moment)| {
                format!(" {}, moment {}.", capitalize(&image.name_line(index)), grouped(moment))
            });
            let text = end_sentence(&step.text);
            self.say(&format!("{number}: {text}{}", place.unwrap_or_default()))?;
        }
        Ok(())
    }

    fn go_to_step(&mut self, number: usize) -> Result<(), Failure> {
        let step = number.checked_sub(1).and_then(|number| self.steps.get(number));
        let step = step.ok_or_else(|| failure(format!("no step {number}: ask why first")))?;
        let moment = step.moment.ok_or_else(|| failure("this has no moment to go to"))?;
        self.carry_out(&Command::RunTo(Destination::Moment(moment)), 1)
    }

    /// Says what differs between another known moment and the present.
    pub(super) fn compare(&mut self, moment: &str) -> Result<(), Failure> {
        let (now, here) = (self.session.snapshot(), self.session.position());
        let Some(Destination::Moment(moment)) = Destination::parse(moment).map_err(misuse)? else {
            return Err(misuse("expected a moment"));
        };
        self.session.command(Command::Seek(moment));
        self.finish(false)?;
        let then = self.session.snapshot();
        self.session.command(Command::SeekEdge(here));
        self.finish(false)?;
        if then.time.now != moment {
            return Err(failure("this moment is not known yet: go there and compare from there"));
        }
        let (before, after) = if moment < now.time.now { (&then, &now) } else { (&now, &then) };
        let moments = format!("{} and {}", grouped(before.time.now), grouped(after.time.now));
        let said = describe_differences(before, after);
        let first = if said.is_empty() { "Nothing differs" } else { "These differ" };
        self.say(&format!("{first} between moments {moments}."))?;
        said.iter().try_for_each(|line| self.say(line))
    }

    // ---- Breaks

    pub(super) fn set_break(&mut self, text: &str) -> Result<(), Failure> {
        let condition = BreakpointRequest::qualified(text, self.session.snapshot().scope());
        let condition = condition.map_err(Failure::Usage)?;
        let said = self.change(Command::Change(BreakChange::Add(condition.clone())))?;
        let breaks = self.session.snapshot().stops.breaks;
        let set = breaks.list().iter().find(|it| it.text() == condition);
        self.say(&format!("{said}. Number {}.", set.map_or(0, |it| it.id)))
    }

    pub(super) fn delete_break(&mut self, number: &str) -> Result<(), Failure> {
        let breaks = self.session.snapshot().stops.breaks;
        let numbers = breaks.list().iter().map(|it| it.id.to_string());
        let is_all = ["", "all"].contains(&number);
        let positions: Vec<_> = numbers.enumerate().filter(|it| is_all || it.1 == number).collect();
        if is_all && positions.is_empty() {
            return self.tell_breaks();
        }
        if positions.is_empty() {
            return Err(misuse("expected a number that breaks has listed"));
        }
        for (position, _) in positions.into_iter().rev() {
            let said = self.change(Command::Change(BreakChange::Remove(position)))?;
            self.say(&said)?;
        }
        Ok(())
    }

    pub(super) fn levels(&mut self) -> Result<Arc<Levels>, Failure> {
        self.session.command(Command::ShowWires(WireDetail::Levels));
        let levels = self.session.snapshot().levels;
        self.session.command(Command::ShowWires(WireDetail::Nothing));
        levels.ok_or_else(|| failure("this machine has no chips"))
    }
}

/// The value of an expression in a sentence.
fn describe_value(text: &str, snapshot: &Snapshot) -> Result<String, Failure> {
    // `total == 42` compares the address, which a listener does not notice in the answer.
    let parsed = match Expression::parse(text, snapshot.scope()) {
        Ok(it) if it.is_comparison() => Expression::parse_condition(text, snapshot.scope()),
        parsed => parsed,
    };
    match snapshot.value(&parsed.map_err(|error| misuse(error.to_string()))?) {
        None => Err(failure("this has no value now")),
        Some(Value::Number(number)) => Ok(format!("{text} is {number}.")),
        Some(Value::Data(address, byte)) => {
            let is_unwritten = snapshot.is_unwritten(address);
            let remark = if is_unwritten { ", never written" } else { "" };
            Ok(format!("{text} holds {byte}{remark}, at {:#06x}.", address.get()))
        }
    }
}

/// The failure of a wrong argument.
pub(super) fn misuse(problem: impl Into<String>) -> Failure {
    Failure::Usage(problem.into())
}
