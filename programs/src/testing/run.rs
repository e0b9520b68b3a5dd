//! Runs the steps of a test case on any engine.

use std::sync::Arc;

use gray1_debugger::{Condition, Debugger, Goal, History, Input, Stop, values};
use gray1_isa::text::{grouped, printable};
use gray1_isa::{Image, PowerUp, RamAddr};
use gray1_sim::Engine;

use super::document::TestCase;
use super::failure::{CaseFailure, Comparison};
use super::picture::Picture;
use super::step::{ExpectedValue, TestStep};

/// The maximum size of a condition for a step that runs to it. The condition is evaluated after
/// each instruction, so with the default limit of instructions this takes about a second.
const CONDITION_MAX: u64 = 100;

/// A case that has ended.
pub struct FinishedCase {
    /// The failure, if the case failed.
    pub failure: Option<Box<CaseFailure>>,
    /// The machine at the moment of the failure, or after the last step.
    pub history: History,
}

/// A test case in progress.
pub struct CaseRun {
    case: Arc<TestCase>,
    debugger: Debugger,
    /// The index of the current step.
    step: usize,
    /// The moment at which the current step started, or `None` if it has not started.
    began: Option<u64>,
    /// True while the machine runs for the current step.
    runs: bool,
    /// The number of printed bytes that matched the expected output.
    expected: u64,
    /// The number of those bytes that the current step matched.
    matched: usize,
    /// True if the program may print more than the steps expect.
    prints_more: bool,
}

/// How a run of the machine ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunEnd {
    AtGoal,
    Halted,
    OutOfTime,
}

/// The result of trying a step: a goal to run to first, or `None` if the step succeeded.
type StepResult = Result<Option<Goal>, Box<CaseFailure>>;

/// The step succeeded.
const TAKEN: StepResult = Ok(None);

impl CaseRun {
    /// Starts a case on a machine that has just been powered up with this program.
    #[must_use]
    pub fn new(case: &Arc<TestCase>, engine: Box<dyn Engine>, image: &Arc<Image>) -> Self {
        Self {
            case: Arc::clone(case),
            debugger: Debugger::new(Arc::clone(image), History::new(engine)),
            step: 0,
            began: None,
            runs: false,
            expected: 0,
            matched: 0,
            prints_more: false,
        }
    }

    /// Returns the number of executed instructions.
    #[must_use]
    pub fn moment(&self) -> u64 {
        self.debugger.history().moment()
    }

    /// Returns the machine with its history.
    #[must_use]
    pub fn into_history(self) -> History {
        self.debugger.into_history()
    }

    /// Continues for at most a few milliseconds. Returns true once all steps have succeeded.
    ///
    /// # Errors
    /// Returns the failure of the first step that fails.
    pub fn advance(&mut self) -> Result<bool, Box<CaseFailure>> {
        let ran = if self.runs {
            let Some(ran) = self.run_on()? else { return Ok(false) };
            Some(ran)
        } else {
            None
        };
        let case = Arc::clone(&self.case);
        let Some((_, step)) = case.steps.get(self.step) else {
            if self.moment() == 0 {
                let summary = "the case is over before the program has executed an instruction";
                return Err(self.failed(summary.to_owned(), None).into());
            }
            // Ignore the output unless the case checks it.
            let is_about_output = case.steps.iter().any(|(_, step)| step.printed().is_some());
            if is_about_output && !self.prints_more {
                self.prints_no_more()?;
            }
            return Ok(true);
        };
        self.began.get_or_insert(self.debugger.history().moment());
        match self.try_step(step, ran)? {
            None => {
                self.step += 1;
                (self.began, self.matched) = (None, 0);
            }
            Some(goal) => {
                // Only the goal to leave a call can be refused: there may be no call.
                self.debugger.go(goal).map_err(|no_way| self.failed(no_way.to_string(), None))?;
                self.runs = true;
            }
        }
        Ok(false)
    }

    /// Runs the machine for a slice, but not beyond the limit. Returns how the run ended, once it
    /// has.
    fn run_on(&mut self) -> Result<Option<RunEnd>, Box<CaseFailure>> {
        let left = self.case.limit.saturating_sub(self.moment());
        let stop = self.debugger.advance(left);
        if stop == Some(Stop::Failed) {
            let error = self.debugger.engine().error().map(ToString::to_string);
            let summary = format!("the machine cannot go on: {}", error.unwrap_or_default());
            return Err(self.failed(summary, None).into());
        }
        if stop.is_none() && self.moment() < self.case.limit {
            return Ok(None);
        }
        self.debugger.pause();
        self.runs = false;
        Ok(Some(match stop {
            Some(Stop::Goal) => RunEnd::AtGoal,
            Some(Stop::Halted) => RunEnd::Halted,
            _ => RunEnd::OutOfTime,
        }))
    }

    /// Tries a step, or returns a goal to run to first. `ran` is the result of the run to that
    /// goal.
    fn try_step(&mut self, step: &TestStep, ran: Option<RunEnd>) -> StepResult {
        match step {
            TestStep::Hold(buttons) => self.debugger.give(Input::Hold(*buttons)),
            TestStep::Set(place, byte) => {
                let address = self.address(place)?;
                self.debugger.give(Input::Poke(address, *byte));
            }
            TestStep::Reset => self.debugger.give(Input::Reset),
            TestStep::PrintsMore => self.prints_more = true,
            TestStep::Run(count) => return self.advances(*count, ran),
            TestStep::RunTo(condition) => return self.runs_to(condition, ran),
            TestStep::Halts => return self.halts(ran),
            TestStep::Prints(_) | TestStep::Lines(_) => {
                return self.prints(&step.printed().unwrap_or_default(), ran);
            }
            TestStep::Shows(picture) => return self.shows(picture, ran),
            TestStep::Leds(picture) => return self.leds(picture),
            TestStep::Is(expression, value) => return self.is(expression, value),
            TestStep::Bytes(place, bytes) => return self.bytes(place, bytes),
            TestStep::AtMost(count) => return self.executed(*count, "at most", u64::le),
            TestStep::AtLeast(count) => return self.executed(*count, "at least", u64::ge),
        }
        TAKEN
    }

    // ---- Running the machine

    /// Goes to a recorded moment.
    fn go_to(&mut self, moment: u64) {
        self.debugger.seek(moment, 0);
        while self.debugger.is_busy() {
            self.debugger.advance(0);
        }
    }

    fn advances(&mut self, count: u64, ran: Option<RunEnd>) -> StepResult {
        match ran {
            None => return Ok(Some(Goal::Instructions(count))),
            Some(RunEnd::AtGoal) => return TAKEN,
            Some(_) => {}
        }
        let executed = self.moment() - self.began.unwrap_or_default();
        if executed == count {
            return TAKEN;
        }
        let comparison = Comparison::new(
            format!("{} instructions", grouped(count)),
            format!("{} instructions", grouped(executed)),
        );
        Err(self.failed(self.ended(), Some(comparison)).into())
    }

    fn runs_to(&mut self, text: &str, ran: Option<RunEnd>) -> StepResult {
        match ran {
            None => {
                let condition = Condition::parse(text, self.debugger.scope(None));
                let condition = condition.map_err(|error| self.unread(text, &error))?;
                if condition.size() > CONDITION_MAX {
                    let why =
                        format!("expected at most {CONDITION_MAX} names, numbers and operators");
                    return Err(self.unread(text, &why).into());
                }
                Ok(Some(Goal::Condition(condition)))
            }
            Some(RunEnd::AtGoal) => TAKEN,
            Some(_) => {
                let summary = format!("{} before `{}`", self.ended(), printable(text));
                Err(self.failed(summary, None).into())
            }
        }
    }

    fn halts(&mut self, ran: Option<RunEnd>) -> StepResult {
        match ran {
            None => Ok(Some(Goal::Run)),
            Some(RunEnd::Halted) => TAKEN,
            Some(_) => {
                let limit = grouped(self.case.limit);
                let summary = format!("the program does not halt within {limit} instructions");
                Err(self.failed(summary, None).into())
            }
        }
    }

    fn shows(&mut self, picture: &Picture, ran: Option<RunEnd>) -> StepResult {
        if picture.difference(&self.debugger.engine().display()).is_none() {
            return TAKEN;
        }
        if matches!(ran, None | Some(RunEnd::AtGoal)) {
            return Ok(Some(Goal::LED_CHANGE));
        }
        let summary = format!("{} before the LEDs showed this", self.ended());
        Err(self.wrong_leds(summary, picture).into())
    }

    // ---- What the program prints

    fn prints(&mut self, text: &[u8], ran: Option<RunEnd>) -> StepResult {
        let text = &text[self.matched..];
        let fresh = self.fresh_output()?;
        let same = fresh.iter().zip(text).take_while(|(a, b)| a == b).count();
        let is_wrong = same < fresh.len().min(text.len());
        let text = &text[same..];
        self.matched += same;
        self.expected += same as u64;
        if is_wrong {
            return Err(self.wrong_output(text).into());
        }
        if text.is_empty() {
            return TAKEN;
        }
        if matches!(ran, None | Some(RunEnd::AtGoal)) {
            return Ok(Some(Goal::MAILBOX_BYTE));
        }
        let summary = format!("{} before it had printed this", self.ended());
        let comparison = self.compared_lines(text);
        Err(self.failed(summary, Some(comparison)).into())
    }

    fn prints_no_more(&mut self) -> Result<(), Box<CaseFailure>> {
        if self.fresh_output()?.is_empty() { Ok(()) } else { Err(self.wrong_output(b"").into()) }
    }

    /// Returns the output that has not been matched yet.
    fn fresh_output(&self) -> Result<&[u8], Box<CaseFailure>> {
        let history = self.debugger.history();
        let printed = history.printed_before_reset() + history.printed();
        let (first, bytes) = history.all_output();
        if first > self.expected {
            let summary = "the program prints more than can be compared".to_owned();
            return Err(self.failed(summary, None).into());
        }
        Ok(&bytes[(self.expected - first) as usize..(printed - first) as usize])
    }

    /// Returns the failure for output that does not continue with `text`. Moves the machine to the
    /// moment at which the wrong byte was printed.
    fn wrong_output(&mut self, text: &[u8]) -> CaseFailure {
        let moment = self.debugger.history().moment_printed(self.expected);
        let moment = moment.unwrap_or(self.moment());
        self.go_to(moment);
        let (first, bytes) = self.debugger.history().all_output();
        let before = &bytes[..(self.expected - first) as usize];
        let line = before.split(|byte| *byte == b'\n').count();
        let column = before.len() - line_start(before) + 1;
        let summary = if text.is_empty() {
            format!("more is printed than expected, from line {line}, column {column} on")
        } else {
            format!("the output differs from line {line}, column {column} on")
        };
        // Print the rest of the line for the message, unless that takes long.
        if self.debugger.go(Goal::PRINTED_LINE).is_ok() {
            self.debugger.advance(self.debugger.engine().slice());
            self.debugger.pause();
        }
        let comparison = self.compared_lines(text);
        self.go_to(moment);
        self.failed(summary, Some(comparison))
    }

    /// Compares the printed line with the expected line, which would have continued with `text`.
    fn compared_lines(&self, text: &[u8]) -> Comparison {
        let (first, bytes) = self.debugger.history().all_output();
        let (before, after) = bytes.split_at(self.expected.saturating_sub(first) as usize);
        let output_line = Some(before.split(|byte| *byte == b'\n').count());
        let before = &before[line_start(before)..];
        let line = |rest: &[u8]| {
            let end = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |at| at + 1);
            [before, &rest[..end]].concat()
        };
        Comparison { output_line, ..Comparison::from_bytes(&line(text), &line(after)) }
    }

    // ---- What holds now

    fn leds(&mut self, picture: &Picture) -> StepResult {
        match picture.difference(&self.debugger.engine().display()) {
            None => TAKEN,
            Some((row, column)) => {
                let summary = format!("the LEDs differ, first in row {row}, column {column}");
                Err(self.wrong_leds(summary, picture).into())
            }
        }
    }

    fn wrong_leds(&self, summary: String, picture: &Picture) -> CaseFailure {
        let actual = self.debugger.engine().display().to_string();
        self.failed(summary, Some(Comparison::new(picture.to_string(), actual)))
    }

    fn is(&mut self, text: &str, value: &ExpectedValue) -> StepResult {
        let actual = self.value(text)?;
        let expected = match value {
            ExpectedValue::Number(number) => *number,
            ExpectedValue::Expression(text) => self.value(text)?,
        };
        if actual == expected {
            return TAKEN;
        }
        let summary = format!("`{}` differs", printable(text));
        Err(self.failed(summary, Some(Comparison::new(number(expected), number(actual)))).into())
    }

    fn bytes(&mut self, place: &str, expected: &[u8]) -> StepResult {
        let first = self.address(place)?;
        let ram = &self.debugger.engine().ram()[first.to_usize()..];
        let actual = &ram[..expected.len().min(ram.len())];
        let Some(different) = (0..expected.len()).find(|&n| actual.get(n) != Some(&expected[n]))
        else {
            return TAKEN;
        };
        let summary = match RamAddr::new(first.get().saturating_add(different as u16)) {
            Some(address) => format!("{} differs", self.debugger.image().names().byte(address)),
            None => "these bytes do not fit into data memory".to_owned(),
        };
        let list = |bytes: &[u8]| {
            let texts: Vec<String> = bytes.iter().map(|byte| format!("{byte:#04x}")).collect();
            texts.join(" ")
        };
        let comparison = Comparison::from_texts(&list(expected), &list(actual));
        Err(self.failed(summary, Some(comparison)).into())
    }

    fn executed(&mut self, bound: u64, words: &str, holds: fn(&u64, &u64) -> bool) -> StepResult {
        let executed = self.moment();
        if holds(&executed, &bound) {
            return TAKEN;
        }
        let summary = format!("expected {words} {} instructions", grouped(bound));
        let comparison = Comparison::new(grouped(bound), grouped(executed));
        Err(self.failed(summary, Some(comparison)).into())
    }

    // ---- Names and failures

    fn value(&self, text: &str) -> Result<i64, Box<CaseFailure>> {
        let value = values::value(text, self.debugger.scope(None), self.debugger.view());
        value.map_err(|error| self.unread(text, &error).into())
    }

    fn address(&self, text: &str) -> Result<RamAddr, Box<CaseFailure>> {
        let address = values::data_address(self.value(text)?);
        address.map_err(|error| self.unread(text, &error).into())
    }

    fn unread(&self, text: &str, error: &impl std::fmt::Display) -> CaseFailure {
        self.failed(format!("`{}`: {error}", printable(text)), None)
    }

    /// Describes how the run of the machine ended.
    fn ended(&self) -> String {
        if self.debugger.engine().halted() {
            "the program halted".to_owned()
        } else {
            format!("the limit of {} instructions was reached", grouped(self.case.limit))
        }
    }

    fn failed(&self, summary: String, comparison: Option<Comparison>) -> CaseFailure {
        // After the last step, the failure belongs to that step.
        let last = self.case.steps.len() - 1;
        let (offset, _) = self.case.steps[self.step.min(last)];
        let moment = self.moment();
        let place = self.debugger.image().place_and_line(self.debugger.engine().pc());
        let ram = self.case.machine.ram.filter(|_| self.case.any_ram);
        let summary = match ram {
            None | Some(PowerUp::Zero) => summary,
            Some(ram) => format!("{summary} (memory at power-up: {ram})"),
        };
        CaseFailure { offset, summary, comparison, moment, place, ram }
    }
}

/// Returns the start of the last line of these bytes.
fn line_start(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
}

/// Returns a number in decimal, and in hexadecimal if it fits a byte or an address.
fn number(number: i64) -> String {
    match u16::try_from(number) {
        Ok(word) => format!("{number} ({word:#04x})"),
        Err(_) => number.to_string(),
    }
}
