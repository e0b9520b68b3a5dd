//! A case on its way through its steps, on any engine.

use std::ops::ControlFlow;
use std::sync::Arc;

use gray1_isa::text::{grouped, printable};
use gray1_isa::{Image, RamAddr};
use gray1_sim::Engine;
use gray1_sim::debugger::{Condition, Debugger, Goal, History, Input, Stop, values};

use super::document::Case;
use super::failure::{Comparison, Failure};
use super::picture::Picture;
use super::step::{Step, Value};

/// How a case ended.
#[derive(Debug)]
pub(crate) enum Verdict {
    Passed,
    Failed(Box<Failure>),
    /// The caller did not want to wait for the end.
    Interrupted,
}

/// A case that has ended.
pub(crate) struct Finished {
    pub(crate) verdict: Verdict,
    /// The machine: at the moment of the failure, or after the last step.
    pub(crate) history: History,
    /// How many instructions were executed.
    pub(crate) executed: u64,
}

/// Runs a case on a machine that was just powered up with this program. Every few milliseconds
/// `goes_on` is told how many instructions were executed, and may interrupt.
pub(crate) fn run(
    case: &Case,
    engine: Box<dyn Engine>,
    image: &Arc<Image>,
    goes_on: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Finished {
    let mut run = Run {
        debugger: Debugger::new(Arc::clone(image), History::new(engine)),
        limit: case.limit,
        expected: 0,
        prints_more: false,
        offset: case.offset,
        goes_on,
    };
    let verdict = match run.take(&case.steps) {
        Ok(()) => Verdict::Passed,
        Err(End::Failed(failure)) => Verdict::Failed(failure),
        Err(End::Interrupted) => Verdict::Interrupted,
    };
    let history = run.debugger.into_history();
    Finished { verdict, executed: history.moment(), history }
}

/// The reason why the steps are not taken any further.
enum End {
    Failed(Box<Failure>),
    Interrupted,
}

struct Run<'a> {
    debugger: Debugger,
    /// The moment beyond which the case may not go.
    limit: u64,
    /// How many of the printed bytes were as expected so far.
    expected: u64,
    /// Whether the program may print more than the steps say.
    prints_more: bool,
    /// Where the step under way stands in the test file.
    offset: usize,
    goes_on: &'a mut dyn FnMut(u64) -> ControlFlow<()>,
}

impl Run<'_> {
    fn take(&mut self, steps: &[(usize, Step)]) -> Result<(), End> {
        for (offset, step) in steps {
            self.offset = *offset;
            self.step(step)?;
        }
        // A case that is not about the output does not look at it.
        let is_about_output = steps.iter().any(|(_, step)| step.printed().is_some());
        if is_about_output && !self.prints_more { self.prints_no_more() } else { Ok(()) }
    }

    fn step(&mut self, step: &Step) -> Result<(), End> {
        match step {
            Step::Hold(buttons) => self.debugger.give(Input::Hold(*buttons)),
            Step::Set(place, byte) => {
                let address = self.address(place)?;
                self.debugger.give(Input::Poke(address, *byte));
            }
            Step::Reset => self.debugger.give(Input::Reset),
            Step::PrintsMore => self.prints_more = true,
            Step::Run(count) => return self.advance(*count),
            Step::RunTo(condition) => return self.run_to(condition),
            Step::Halts => return self.halts(),
            Step::Prints(_) | Step::Lines(_) => {
                return self.prints(step.printed().unwrap_or_default().as_bytes());
            }
            Step::Shows(picture) => return self.shows(picture),
            Step::Leds(picture) => return self.leds(picture),
            Step::Is(expression, value) => return self.is(expression, value),
            Step::Bytes(place, bytes) => return self.bytes(place, bytes),
            Step::AtMost(count) => return self.executed(*count, "at most", u64::le),
            Step::AtLeast(count) => return self.executed(*count, "at least", u64::ge),
        }
        Ok(())
    }

    // ---- What runs the machine

    /// Runs to a goal, but not beyond the limit; the stop, if there is one before that.
    fn run_until(&mut self, goal: Goal) -> Result<Option<Stop>, End> {
        // Out of nothing is the only goal to which there is no way.
        self.debugger.go(goal).map_err(|no_way| self.failed(no_way.to_string(), None))?;
        loop {
            let left = self.limit.saturating_sub(self.moment());
            let stop = self.debugger.advance(left).stop;
            if stop == Some(Stop::Failed) {
                let error = self.debugger.engine().error().map(ToString::to_string);
                let summary = format!("the machine cannot go on: {}", error.unwrap_or_default());
                return Err(self.failed(summary, None));
            }
            if stop.is_some() || self.moment() >= self.limit {
                self.debugger.pause();
                return Ok(stop);
            }
            let moment = self.moment();
            if (self.goes_on)(moment).is_break() {
                return Err(End::Interrupted);
            }
        }
    }

    /// Goes to a moment that is known.
    fn go_to(&mut self, moment: u64) {
        self.debugger.seek(moment, 0);
        while self.debugger.moves() {
            self.debugger.advance(0);
        }
    }

    fn moment(&self) -> u64 {
        self.debugger.history().moment()
    }

    fn advance(&mut self, count: u64) -> Result<(), End> {
        let start = self.moment();
        if self.run_until(Goal::Instructions(count))? == Some(Stop::Goal) {
            return Ok(());
        }
        let comparison = Comparison::new(
            format!("{} instructions", grouped(count)),
            format!("{} instructions", grouped(self.moment() - start)),
        );
        Err(self.failed(self.ended(), Some(comparison)))
    }

    fn run_to(&mut self, text: &str) -> Result<(), End> {
        let condition = Condition::parse(text, self.debugger.scope(None));
        let condition = condition.map_err(|error| self.unread(text, &error))?;
        if self.run_until(Goal::Condition(condition))? == Some(Stop::Goal) {
            return Ok(());
        }
        let summary = format!("{} before `{}`", self.ended(), printable(text));
        Err(self.failed(summary, None))
    }

    fn halts(&mut self) -> Result<(), End> {
        if self.run_until(Goal::Run)? == Some(Stop::Halted) {
            return Ok(());
        }
        let limit = grouped(self.limit);
        let summary = format!("the program does not halt within {limit} instructions");
        Err(self.failed(summary, None))
    }

    fn shows(&mut self, picture: &Picture) -> Result<(), End> {
        while picture.difference(&self.debugger.engine().display()).is_some() {
            if self.run_until(Goal::LedChange)? != Some(Stop::Goal) {
                let summary = format!("{} before the LEDs showed this", self.ended());
                return Err(self.wrong_leds(summary, picture));
            }
        }
        Ok(())
    }

    // ---- What the program prints

    fn prints(&mut self, mut text: &[u8]) -> Result<(), End> {
        loop {
            let fresh = self.fresh_output()?;
            let same = fresh.iter().zip(text).take_while(|(a, b)| a == b).count();
            let is_wrong = same < fresh.len().min(text.len());
            text = &text[same..];
            self.expected += same as u64;
            if is_wrong {
                return Err(self.wrong_output(text));
            }
            if text.is_empty() {
                return Ok(());
            }
            if self.run_until(Goal::MailboxByte)? != Some(Stop::Goal) {
                let summary = format!("{} before it had printed this", self.ended());
                let comparison = self.compared_lines(text);
                return Err(self.failed(summary, Some(comparison)));
            }
        }
    }

    fn prints_no_more(&mut self) -> Result<(), End> {
        if self.fresh_output()?.is_empty() { Ok(()) } else { Err(self.wrong_output(b"")) }
    }

    /// What was printed up to now and not expected yet.
    fn fresh_output(&self) -> Result<&[u8], End> {
        let history = self.debugger.history();
        let printed = history.printed_before_reset() + history.printed();
        let (first, bytes) = history.all_output();
        if first > self.expected {
            let summary = "the program prints more than can be compared".to_owned();
            return Err(self.failed(summary, None));
        }
        Ok(&bytes[(self.expected - first) as usize..(printed - first) as usize])
    }

    /// The failure of an output that goes on otherwise than with this text. The machine goes to
    /// where the wrong byte was printed.
    fn wrong_output(&mut self, text: &[u8]) -> End {
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
        // The rest of the line, if it comes soon.
        if self.debugger.go(Goal::PrintedLine).is_ok() {
            self.debugger.advance(self.debugger.engine().slice());
            self.debugger.pause();
        }
        let comparison = self.compared_lines(text);
        self.go_to(moment);
        self.failed(summary, Some(comparison))
    }

    /// The line in which the output goes on otherwise than with this text: as expected, and as
    /// printed.
    fn compared_lines(&self, text: &[u8]) -> Comparison {
        let (first, bytes) = self.debugger.history().all_output();
        let (before, after) = bytes.split_at(self.expected.saturating_sub(first) as usize);
        let before = &before[line_start(before)..];
        let line = |rest: &[u8]| {
            let end = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |at| at + 1);
            String::from_utf8_lossy(&[before, &rest[..end]].concat()).into_owned()
        };
        Comparison::of_texts(line(text), line(after))
    }

    // ---- What holds now

    fn leds(&mut self, picture: &Picture) -> Result<(), End> {
        match picture.difference(&self.debugger.engine().display()) {
            None => Ok(()),
            Some((row, column)) => {
                let summary = format!("the LEDs differ, first in row {row}, column {column}");
                Err(self.wrong_leds(summary, picture))
            }
        }
    }

    fn wrong_leds(&self, summary: String, picture: &Picture) -> End {
        let actual = self.debugger.engine().display().to_string();
        self.failed(summary, Some(Comparison::new(picture.to_string(), actual)))
    }

    fn is(&mut self, text: &str, value: &Value) -> Result<(), End> {
        let actual = self.value(text)?;
        let expected = match value {
            Value::Number(number) => *number,
            Value::Expression(text) => self.value(text)?,
        };
        if actual == expected {
            return Ok(());
        }
        let summary = format!("`{}` has a different value", printable(text));
        Err(self.failed(summary, Some(Comparison::new(number(expected), number(actual)))))
    }

    fn bytes(&mut self, place: &str, expected: &[u8]) -> Result<(), End> {
        let first = self.address(place)?;
        let ram = &self.debugger.engine().ram()[first.to_usize()..];
        let actual = &ram[..expected.len().min(ram.len())];
        let Some(different) = (0..expected.len()).find(|&n| actual.get(n) != Some(&expected[n]))
        else {
            return Ok(());
        };
        let summary = match RamAddr::new(first.get().saturating_add(different as u16)) {
            Some(address) => format!("{} differs", self.debugger.image().names().byte(address)),
            None => "these bytes do not fit into data memory".to_owned(),
        };
        let list = |bytes: &[u8]| {
            let texts: Vec<String> = bytes.iter().map(|byte| format!("{byte:#04x}")).collect();
            texts.join(" ")
        };
        Err(self.failed(summary, Some(Comparison::of_texts(list(expected), list(actual)))))
    }

    fn executed(
        &mut self,
        bound: u64,
        words: &str,
        holds: fn(&u64, &u64) -> bool,
    ) -> Result<(), End> {
        let executed = self.moment();
        if holds(&executed, &bound) {
            return Ok(());
        }
        let summary = format!("expected {words} {} instructions", grouped(bound));
        let comparison = Comparison::new(grouped(bound), grouped(executed));
        Err(self.failed(summary, Some(comparison)))
    }

    // ---- Names and failures

    fn value(&self, text: &str) -> Result<i64, End> {
        let value = values::value(text, self.debugger.scope(None), self.debugger.view());
        value.map_err(|error| self.unread(text, &error))
    }

    fn address(&self, text: &str) -> Result<RamAddr, End> {
        let address = values::data_address(self.value(text)?);
        address.map_err(|error| self.unread(text, &error))
    }

    fn unread(&self, text: &str, error: &impl std::fmt::Display) -> End {
        self.failed(format!("`{}`: {error}", printable(text)), None)
    }

    /// How the run of the machine ended.
    fn ended(&self) -> String {
        if self.debugger.engine().halted() {
            "the program halted".to_owned()
        } else {
            format!("the limit of {} instructions was reached", grouped(self.limit))
        }
    }

    fn failed(&self, summary: String, comparison: Option<Comparison>) -> End {
        let (offset, moment) = (self.offset, self.moment());
        let place = self.debugger.image().place_and_line(self.debugger.engine().pc());
        End::Failed(Box::new(Failure { offset, summary, comparison, moment, place }))
    }
}

/// Where the last line of these bytes starts.
fn line_start(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
}

/// A number in decimal, and in hexadecimal if it may be a byte or an address.
fn number(number: i64) -> String {
    match u16::try_from(number) {
        Ok(word) => format!("{number} ({word:#04x})"),
        Err(_) => number.to_string(),
    }
}
