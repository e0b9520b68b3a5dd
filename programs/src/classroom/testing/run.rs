//! Runs the steps of a test case on any engine.

use std::ops::RangeBounds;
use std::sync::Arc;

use gray1_debugger::power_up::{OriginSearch, PowerUpPlace};
use gray1_debugger::{
    ChangeError, Condition, Debugger, Event, Expression, Goal, History, Input, Stop, values,
};
use gray1_isa::{Image, RamAddr};
use gray1_sim::{Engine, EngineError, Machine, RamSpec};

use super::comparison::Comparison;
use super::document::TestCase;
use super::failure::{
    CONDITION_MAX, CaseFailure, EarlyEnd, LedDifference, OutputDifference, StepFailure,
};
use super::picture::Picture;
use super::step::{ExpectedValue, TestStep};

/// A case that has ended.
pub struct FinishedCase {
    /// The failure, if the case failed.
    pub failure: Option<Box<CaseFailure>>,
    /// The machine at the moment of the failure, or after the last step.
    pub history: History,
    /// What is known about other contents of memory at power-up, if the case passed for some of
    /// them only.
    pub note: Option<String>,
}

/// A test case in progress.
pub struct CaseRun {
    case: Arc<TestCase>,
    debugger: Debugger,
    /// The index of the current step.
    step: usize,
    /// The moment at which the current step started, or `None` if it has not started.
    started_at: Option<u64>,
    /// True while the machine runs for the current step.
    is_running: bool,
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
const SUCCEEDED: StepResult = Ok(None);

impl CaseRun {
    /// Starts a case on a machine that has just been powered up with this program. It receives
    /// these inputs besides those of the steps.
    pub fn new(
        case: &Arc<TestCase>,
        engine: Box<dyn Engine>,
        image: &Arc<Image>,
        inputs: Vec<(u64, Input)>,
    ) -> Self {
        let mut history = History::new(engine).with_schedule(inputs);
        history.advance(0);
        Self {
            case: Arc::clone(case),
            debugger: Debugger::new(Arc::clone(image), history),
            step: 0,
            started_at: None,
            is_running: false,
            expected: 0,
            matched: 0,
            prints_more: false,
        }
    }

    /// Returns the number of executed instructions.
    pub fn moment(&self) -> u64 {
        self.debugger.history().moment()
    }

    /// Starts to search for the bits at power-up that decide now.
    pub(super) fn search_origins(&self) -> OriginSearch {
        let engine = Box::new(Machine::with_any_contents(self.debugger.image()));
        let inputs = self.debugger.history().given().iter().copied();
        OriginSearch::new(gray1_debugger::Run::new(engine, inputs), self.moment())
    }

    /// Returns the machine with its history.
    pub fn into_history(self) -> History {
        self.debugger.into_history()
    }

    /// Continues for at most a few milliseconds. Returns true once all steps have succeeded.
    ///
    /// # Errors
    /// Returns the failure of the first step that fails.
    pub fn advance(&mut self) -> Result<bool, Box<CaseFailure>> {
        let mut end = None;
        if self.is_running {
            end = self.continue_run()?;
            if end.is_none() {
                return Ok(false);
            }
        }
        let case = Arc::clone(&self.case);
        let Some((_, step)) = case.steps.get(self.step) else {
            if self.moment() == 0 {
                return Err(self.fail(StepFailure::NothingExecuted));
            }
            // Ignore the output unless the case checks it.
            let is_about_output = case.steps.iter().any(|(_, step)| step.printed().is_some());
            if is_about_output && !self.prints_more {
                self.check_no_more_output()?;
            }
            return Ok(true);
        };
        self.started_at.get_or_insert(self.debugger.history().moment());
        match self.try_step(step, end)? {
            None => {
                self.step += 1;
                (self.started_at, self.matched) = (None, 0);
            }
            Some(goal) => {
                // The debugger refuses only the goal to leave a call, if the program is not in one.
                self.debugger.go(goal).map_err(|error| self.fail(StepFailure::NoGoal(error)))?;
                self.is_running = true;
            }
        }
        Ok(false)
    }

    /// Runs the machine for a slice, but not beyond the limit. Returns how the run ended, once it
    /// has.
    fn continue_run(&mut self) -> Result<Option<RunEnd>, Box<CaseFailure>> {
        let left = self.case.limit.saturating_sub(self.moment());
        let stop = self.debugger.advance(left);
        if stop == Some(Stop::Failed) {
            match self.debugger.engine().error() {
                Some(EngineError::UnknownJump) => {
                    return Err(self.fail(StepFailure::Unknown(None)));
                }
                Some(EngineError::UnknownOutput) => return Err(self.fail_unknown(PowerUpPlace::A)),
                _ => {}
            }
            let error = self.debugger.engine().error().map(ToString::to_string);
            return Err(self.fail(StepFailure::MachineFailed(error.unwrap_or_default())));
        }
        if stop.is_none() && self.moment() < self.case.limit {
            return Ok(None);
        }
        self.debugger.pause();
        self.is_running = false;
        Ok(Some(match stop {
            Some(Stop::Goal) => RunEnd::AtGoal,
            Some(Stop::Halted) => RunEnd::Halted,
            _ => RunEnd::OutOfTime,
        }))
    }

    /// Tries a step, or returns a goal to run to first. `ran` is the result of the run to that
    /// goal.
    fn try_step(&mut self, step: &TestStep, end: Option<RunEnd>) -> StepResult {
        match step {
            TestStep::Hold(buttons) => self.debugger.give(Input::Hold(*buttons)),
            TestStep::Set(place, byte) => {
                let address = self.evaluate_address(place)?;
                self.debugger.give(Input::Poke(address, *byte));
            }
            TestStep::Reset => self.debugger.give(Input::Reset),
            TestStep::PrintsMore => self.prints_more = true,
            TestStep::Run(count) => return self.try_run(*count, end),
            TestStep::RunTo(condition) => return self.try_run_to(condition, end),
            TestStep::Halts => return self.try_halt(end),
            TestStep::Prints(_) | TestStep::Lines(_) => {
                return self.try_print(&step.printed().unwrap_or_default(), end);
            }
            TestStep::RunToLeds(picture) => return self.try_run_to_leds(picture, end),
            TestStep::Leds(picture) => return self.try_leds(picture),
            TestStep::Is(expression, value) => return self.try_is(expression, value),
            TestStep::Bytes(place, bytes) => return self.try_bytes(place, bytes),
            &TestStep::AtMost(bound) => return self.try_bound(bound, ..=bound),
            &TestStep::AtLeast(bound) => return self.try_bound(bound, bound..),
        }
        SUCCEEDED
    }

    // ---- Running the machine

    /// Goes to a recorded moment.
    fn go_to(&mut self, moment: u64) {
        self.debugger.seek(moment, 0);
        while self.debugger.is_busy() {
            self.debugger.advance(0);
        }
    }

    fn try_run(&mut self, count: u64, end: Option<RunEnd>) -> StepResult {
        match end {
            None => return Ok(Some(Goal::Instructions(count))),
            Some(RunEnd::AtGoal) => return SUCCEEDED,
            Some(_) => {}
        }
        let executed = self.moment() - self.started_at.unwrap_or_default();
        if executed == count {
            return SUCCEEDED;
        }
        Err(self.fail(StepFailure::Run { end: self.early_end(), count, executed }))
    }

    fn try_run_to(&mut self, text: &str, end: Option<RunEnd>) -> StepResult {
        match end {
            None => {
                let condition = Condition::parse(text, self.debugger.scope(None));
                let condition = condition.map_err(|error| self.fail_to_read(text, error))?;
                if condition.size() > CONDITION_MAX {
                    return Err(self.fail(StepFailure::LongCondition(text.to_owned())));
                }
                match condition.event().unknown_place(self.debugger.view()) {
                    None => Ok(Some(Goal::Condition(condition))),
                    Some(place) => Err(self.fail_unknown(place)),
                }
            }
            Some(RunEnd::AtGoal) => {
                let condition = Condition::parse(text, self.debugger.scope(None)).ok();
                let unknown = condition.and_then(|it| it.unknown_place(self.debugger.view()));
                unknown.map_or(SUCCEEDED, |place| Err(self.fail_unknown(place)))
            }
            Some(_) => Err(self.fail(StepFailure::RunTo(self.early_end(), text.to_owned()))),
        }
    }

    fn try_halt(&mut self, end: Option<RunEnd>) -> StepResult {
        match end {
            None => Ok(Some(Goal::Run)),
            Some(RunEnd::Halted) => SUCCEEDED,
            Some(_) => Err(self.fail(StepFailure::Halts(self.case.limit))),
        }
    }

    fn try_run_to_leds(&mut self, picture: &Picture, end: Option<RunEnd>) -> StepResult {
        let Some(leds) = self.find_led_difference(picture)? else { return SUCCEEDED };
        if matches!(end, None | Some(RunEnd::AtGoal)) {
            return Ok(Some(Goal::LED_CHANGE));
        }
        Err(self.fail(StepFailure::RunToLeds(self.early_end(), leds)))
    }

    // ---- Output of the program

    fn try_print(&mut self, text: &[u8], end: Option<RunEnd>) -> StepResult {
        let text = &text[self.matched..];
        let new = self.new_output()?;
        let same = new.iter().zip(text).take_while(|(a, b)| a == b).count();
        let is_wrong = same < new.len().min(text.len());
        let text = &text[same..];
        self.matched += same;
        self.expected += same as u64;
        if is_wrong {
            return Err(self.fail_output(text));
        }
        if text.is_empty() {
            return SUCCEEDED;
        }
        if matches!(end, None | Some(RunEnd::AtGoal)) {
            return Ok(Some(Goal::MAILBOX_BYTE));
        }
        Err(self.fail(StepFailure::Unprinted(self.early_end(), self.compare_lines(text))))
    }

    fn check_no_more_output(&mut self) -> Result<(), Box<CaseFailure>> {
        if self.new_output()?.is_empty() { Ok(()) } else { Err(self.fail_output(b"")) }
    }

    /// Returns the output that has not been matched yet.
    fn new_output(&self) -> Result<&[u8], Box<CaseFailure>> {
        let history = self.debugger.history();
        let printed = history.printed_before_reset() + history.printed();
        let (first, bytes) = history.all_output();
        if first > self.expected {
            return Err(self.fail(StepFailure::LongOutput));
        }
        Ok(&bytes[(self.expected - first) as usize..(printed - first) as usize])
    }

    /// Returns the failure for output that does not continue with `text`. Moves the machine to the
    /// moment at which the wrong byte was printed.
    fn fail_output(&mut self, text: &[u8]) -> Box<CaseFailure> {
        let moment = self.debugger.history().moment_printed(self.expected);
        let moment = moment.unwrap_or(self.moment());
        self.go_to(moment);
        let (first, bytes) = self.debugger.history().all_output();
        let before = &bytes[..(self.expected - first) as usize];
        let column = before.len() - find_line_start(before) + 1;
        // Let the program print the rest of the line for the message, unless that takes long.
        if self.debugger.go(Goal::PRINTED_LINE).is_ok() {
            self.debugger.advance(self.debugger.engine().slice());
            self.debugger.pause();
        }
        let difference = self.compare_lines(text);
        self.go_to(moment);
        self.fail(StepFailure::Output { difference, column, is_excess: text.is_empty() })
    }

    /// Compares the printed line with the expected line, which would have continued with `text`.
    fn compare_lines(&self, text: &[u8]) -> OutputDifference {
        let (first, bytes) = self.debugger.history().all_output();
        let (before, after) = bytes.split_at(self.expected.saturating_sub(first) as usize);
        let number = before.split(|byte| *byte == b'\n').count();
        let before = &before[find_line_start(before)..];
        let line = |rest: &[u8]| {
            let end = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |at| at + 1);
            [before, &rest[..end]].concat()
        };
        OutputDifference {
            line: number,
            comparison: Comparison::from_bytes(&line(text), &line(after)),
        }
    }

    // ---- Checks of the current state

    fn try_leds(&mut self, picture: &Picture) -> StepResult {
        match self.find_led_difference(picture)? {
            None => SUCCEEDED,
            Some(leds) => Err(self.fail(StepFailure::Leds(leds))),
        }
    }

    /// Compares the LEDs with a picture. If those that are known are as in the picture, the others
    /// must be known.
    fn find_led_difference(
        &self,
        picture: &Picture,
    ) -> Result<Option<LedDifference>, Box<CaseFailure>> {
        let actual = self.debugger.engine().display();
        let state = self.debugger.engine().partial_state();
        let known = state.map(|state| picture.of_known(state));
        let does_differ = known.as_ref().unwrap_or(picture).find_difference(&actual).is_some();
        if !does_differ && known.is_some_and(|known| known != *picture) {
            let unknown = Event::Display.unknown_place(self.debugger.view());
            return Err(self.fail_unknown(unknown.unwrap_or(PowerUpPlace::A)));
        }
        Ok(does_differ.then(|| LedDifference { expected: picture.clone(), actual }))
    }

    fn try_bound(&self, bound: u64, accepted: impl RangeBounds<u64>) -> StepResult {
        let executed = self.moment();
        if accepted.contains(&executed) {
            return SUCCEEDED;
        }
        Err(self.fail(StepFailure::Bound { bound, executed }))
    }

    fn try_is(&mut self, text: &str, value: &ExpectedValue) -> StepResult {
        let expression = Expression::parse(text, self.debugger.scope(None));
        if expression.is_ok_and(|it| it.is_address() || it.is_comparison()) {
            let varies = Expression::parse_condition(text, self.debugger.scope(None));
            varies.map_err(|error| self.fail_to_read(text, error))?;
        }
        let actual = self.evaluate(text)?;
        let expected = match value {
            ExpectedValue::Number(number) => *number,
            ExpectedValue::Expression(text) => self.evaluate(text)?,
        };
        if actual == expected {
            return SUCCEEDED;
        }
        Err(self.fail(StepFailure::Is { text: text.to_owned(), expected, actual }))
    }

    fn try_bytes(&mut self, place: &str, expected: &[u8]) -> StepResult {
        let first = self.evaluate_address(place)?;
        let addresses = (first.get()..).take(expected.len()).filter_map(RamAddr::new);
        let unknown =
            addresses.map(Expression::At).find_map(|byte| byte.unknown_place(self.debugger.view()));
        if let Some(place) = unknown {
            return Err(self.fail_unknown(place));
        }
        let ram = &self.debugger.engine().ram()[first.to_usize()..];
        let actual = &ram[..expected.len().min(ram.len())];
        let Some(different) = (0..expected.len()).find(|&n| actual.get(n) != Some(&expected[n]))
        else {
            return SUCCEEDED;
        };
        let address = RamAddr::new(first.get().saturating_add(different as u16));
        let name = address.map(|address| self.debugger.image().names().byte(address));
        let list = |bytes: &[u8]| {
            let texts: Vec<String> = bytes.iter().map(|byte| format!("{byte:#04x}")).collect();
            texts.join(" ")
        };
        let comparison = Comparison::from_texts(&list(expected), &list(actual));
        Err(self.fail(StepFailure::Bytes { name, comparison }))
    }

    // ---- Names and failures

    fn evaluate(&self, text: &str) -> Result<i64, Box<CaseFailure>> {
        let value = values::value(text, self.debugger.scope(None), self.debugger.view());
        value.map_err(|error| self.fail_to_read(text, error))
    }

    fn evaluate_address(&self, text: &str) -> Result<RamAddr, Box<CaseFailure>> {
        let address = values::data_address(self.evaluate(text)?);
        address.map_err(|error| self.fail_to_read(text, error))
    }

    fn fail_to_read(&self, text: &str, error: impl Into<ChangeError>) -> Box<CaseFailure> {
        let error = error.into();
        if let ChangeError::Unknown(place) = error {
            return self.fail_unknown(place);
        }
        self.fail(StepFailure::Unreadable { text: text.to_owned(), error })
    }

    /// Returns the failure of a proof because of unknown bits of a register or byte. If the step is
    /// a wait, they need not be wrong, so they are not named.
    fn fail_unknown(&self, place: PowerUpPlace) -> Box<CaseFailure> {
        let is_wait = self.case.steps.get(self.step).is_some_and(|(_, step)| step.is_wait());
        self.fail(StepFailure::Unknown(Some(place).filter(|_| !is_wait)))
    }

    /// Returns how the run of the machine ended, if it ended before its goal.
    fn early_end(&self) -> EarlyEnd {
        if self.debugger.engine().halted() {
            EarlyEnd::Halted
        } else {
            EarlyEnd::Limit(self.case.limit)
        }
    }

    fn fail(&self, step: StepFailure) -> Box<CaseFailure> {
        // A failure after the last step is attributed to that step.
        let last = self.case.steps.len() - 1;
        let (offset, _) = self.case.steps[self.step.min(last)];
        let moment = self.moment();
        let place = self.debugger.image().place_and_line(self.debugger.engine().pc());
        let ram = self.case.machine.ram.and_then(RamSpec::contents).filter(|_| self.case.any_ram);
        Box::new(CaseFailure {
            offset,
            step,
            moment,
            place,
            ram,
            change: None,
            unwritten: Vec::new(),
        })
    }
}

/// Returns the start of the last line of these bytes.
fn find_line_start(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
}
