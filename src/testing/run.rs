//! A case on its way through its steps, on any engine.

use std::ops::ControlFlow;

use gray1_isa::panel::MAILBOX;
use gray1_isa::text::printable;
use gray1_isa::{Image, RamAddr};
use gray1_sim::Engine;
use gray1_sim::debugger::{
    Condition, Event, Expression, History, Input, Lines, ParseError, Progress, Scope, View,
    WatchSet,
};
use gray1_tui::grouped;

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
    image: &Image,
    goes_on: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Finished {
    let mut run = Run {
        lines: Lines::of(&*engine),
        history: History::new(engine),
        image,
        limit: case.limit,
        expected: 0,
        prints_more: false,
        offset: case.offset,
        goes_on,
    };
    let verdict = match run.take(&case.steps) {
        Ok(()) => Verdict::Passed,
        Err(Stop::Failed(failure)) => Verdict::Failed(failure),
        Err(Stop::Interrupted) => Verdict::Interrupted,
    };
    let history = run.history;
    Finished { verdict, executed: history.moment(), history }
}

/// Why the steps are not taken any further.
enum Stop {
    Failed(Box<Failure>),
    Interrupted,
}

struct Run<'a> {
    history: History,
    image: &'a Image,
    lines: Option<Lines>,
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
    fn take(&mut self, steps: &[(usize, Step)]) -> Result<(), Stop> {
        for (offset, step) in steps {
            self.offset = *offset;
            self.step(step)?;
        }
        // A case that is not about the output does not look at it.
        let is_about_output = steps.iter().any(|(_, step)| step.printed().is_some());
        if is_about_output && !self.prints_more { self.prints_no_more() } else { Ok(()) }
    }

    fn step(&mut self, step: &Step) -> Result<(), Stop> {
        match step {
            Step::Hold(buttons) => self.history.give(Input::Hold(*buttons)),
            Step::Set(place, byte) => {
                let address = self.address(place)?;
                self.history.give(Input::Poke(address, *byte));
            }
            Step::Reset => self.history.give(Input::Reset),
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

    /// Runs until a condition is met, the machine halts, or a moment is reached.
    fn run_until(&mut self, watch_set: &WatchSet, end: u64) -> Result<Progress, Stop> {
        loop {
            let left = end.saturating_sub(self.history.moment());
            let slice = self.history.engine().slice().min(left);
            let progress = self.history.run(watch_set, slice);
            if let Some(error) = self.history.engine().error() {
                let summary = format!("the machine cannot go on: {error}");
                return Err(self.failed(summary, None));
            }
            if progress != Progress::Limit || left == slice {
                return Ok(progress);
            }
            if (self.goes_on)(self.history.moment()).is_break() {
                return Err(Stop::Interrupted);
            }
        }
    }

    fn watch_set(&self, condition: impl Into<Condition>) -> WatchSet {
        WatchSet::new(vec![condition.into()], |index| self.image.word(index))
    }

    fn advance(&mut self, count: u64) -> Result<(), Stop> {
        let start = self.history.moment();
        let end = start.saturating_add(count);
        self.run_until(&WatchSet::default(), end.min(self.limit))?;
        if self.history.moment() == end {
            return Ok(());
        }
        let comparison = Comparison::new(
            format!("{} instructions", grouped(count)),
            format!("{} instructions", grouped(self.history.moment() - start)),
        );
        Err(self.failed(self.ended(), Some(comparison)))
    }

    fn run_to(&mut self, text: &str) -> Result<(), Stop> {
        let scope = Scope { image: self.image, lines: self.lines.as_ref(), at: None };
        let condition = Condition::parse(text, scope).map_err(|error| self.unread(text, &error))?;
        let watch_set = self.watch_set(condition);
        match self.run_until(&watch_set, self.limit)? {
            Progress::Hit(_) => Ok(()),
            Progress::Halted | Progress::Limit => {
                let summary = format!("{} before `{}`", self.ended(), printable(text));
                Err(self.failed(summary, None))
            }
        }
    }

    fn halts(&mut self) -> Result<(), Stop> {
        if self.run_until(&WatchSet::default(), self.limit)? == Progress::Halted {
            return Ok(());
        }
        let limit = grouped(self.limit);
        let summary = format!("the program does not halt within {limit} instructions");
        Err(self.failed(summary, None))
    }

    fn shows(&mut self, picture: &Picture) -> Result<(), Stop> {
        let watch_set = self.watch_set(Event::Display);
        while picture.difference(&self.history.engine().display()).is_some() {
            if !matches!(self.run_until(&watch_set, self.limit)?, Progress::Hit(_)) {
                let summary = format!("{} before the LEDs showed this", self.ended());
                return Err(self.wrong_leds(summary, picture));
            }
        }
        Ok(())
    }

    // ---- What the program prints

    fn prints(&mut self, mut text: &[u8]) -> Result<(), Stop> {
        let watch_set = self.watch_set(Event::writes(MAILBOX));
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
            if !matches!(self.run_until(&watch_set, self.limit)?, Progress::Hit(_)) {
                let summary = format!("{} before it had printed this", self.ended());
                let comparison = self.compared_lines(text);
                return Err(self.failed(summary, Some(comparison)));
            }
        }
    }

    fn prints_no_more(&mut self) -> Result<(), Stop> {
        if self.fresh_output()?.is_empty() { Ok(()) } else { Err(self.wrong_output(b"")) }
    }

    /// What was printed up to now and not expected yet.
    fn fresh_output(&self) -> Result<&[u8], Stop> {
        let printed = self.history.printed_before_reset() + self.history.printed();
        let (first, bytes) = self.history.all_output();
        if first > self.expected {
            let summary = "the program prints more than can be compared".to_owned();
            return Err(self.failed(summary, None));
        }
        Ok(&bytes[(self.expected - first) as usize..(printed - first) as usize])
    }

    /// The failure of an output that goes on otherwise than with this text. The machine goes to
    /// where the wrong byte was printed.
    fn wrong_output(&mut self, text: &[u8]) -> Stop {
        let moment = self.history.moment_printed(self.expected);
        let moment = moment.unwrap_or(self.history.moment());
        self.history.seek(moment);
        let (first, bytes) = self.history.all_output();
        let before = &bytes[..(self.expected - first) as usize];
        let line = before.split(|byte| *byte == b'\n').count();
        let column = before.len() - line_start(before) + 1;
        let summary = if text.is_empty() {
            format!("more is printed than expected, from line {line}, column {column} on")
        } else {
            format!("the output differs from line {line}, column {column} on")
        };
        // The rest of the line, if it comes soon.
        let line_end = self.watch_set(Event::Prints(Some(b'\n')));
        let slice = self.history.engine().slice();
        self.history.run(&line_end, slice);
        let comparison = self.compared_lines(text);
        self.history.seek(moment);
        self.failed(summary, Some(comparison))
    }

    /// The line in which the output goes on otherwise than with this text: as expected, and as
    /// printed.
    fn compared_lines(&self, text: &[u8]) -> Comparison {
        let (first, bytes) = self.history.all_output();
        let (before, after) = bytes.split_at(self.expected.saturating_sub(first) as usize);
        let before = &before[line_start(before)..];
        let line = |rest: &[u8]| {
            let end = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |at| at + 1);
            String::from_utf8_lossy(&[before, &rest[..end]].concat()).into_owned()
        };
        Comparison::of_texts(line(text), line(after))
    }

    // ---- What holds now

    fn leds(&mut self, picture: &Picture) -> Result<(), Stop> {
        match picture.difference(&self.history.engine().display()) {
            None => Ok(()),
            Some((row, column)) => {
                let summary = format!("the LEDs differ, first in row {row}, column {column}");
                Err(self.wrong_leds(summary, picture))
            }
        }
    }

    fn wrong_leds(&self, summary: String, picture: &Picture) -> Stop {
        let actual = self.history.engine().display().to_string();
        self.failed(summary, Some(Comparison::new(picture.to_string(), actual)))
    }

    fn is(&mut self, text: &str, value: &Value) -> Result<(), Stop> {
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

    fn bytes(&mut self, place: &str, expected: &[u8]) -> Result<(), Stop> {
        let first = self.address(place)?;
        let ram = &self.history.engine().ram()[first.to_usize()..];
        let actual = &ram[..expected.len().min(ram.len())];
        let Some(different) = (0..expected.len()).find(|&n| actual.get(n) != Some(&expected[n]))
        else {
            return Ok(());
        };
        let summary = match RamAddr::new(first.get().saturating_add(different as u16)) {
            Some(address) => format!("{} differs", self.image.names().byte(address)),
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
    ) -> Result<(), Stop> {
        let executed = self.history.moment();
        if holds(&executed, &bound) {
            return Ok(());
        }
        let summary = format!("expected {words} {} instructions", grouped(bound));
        let comparison = Comparison::new(grouped(bound), grouped(executed));
        Err(self.failed(summary, Some(comparison)))
    }

    // ---- Names and failures

    fn value(&self, text: &str) -> Result<i64, Stop> {
        let scope = Scope { image: self.image, lines: self.lines.as_ref(), at: None };
        let expression =
            Expression::parse(text, scope).map_err(|error| self.unread(text, &error))?;
        expression
            .value(View::of(self.history.engine()))
            .ok_or_else(|| self.failed(format!("`{}` has no value", printable(text)), None))
    }

    fn address(&self, text: &str) -> Result<RamAddr, Stop> {
        let value = self.value(text)?;
        let address = u16::try_from(value).ok().and_then(RamAddr::new);
        address.ok_or_else(|| {
            let text = printable(text);
            let summary = format!("`{text}` is {value}, outside data memory 0 to 8191");
            self.failed(summary, None)
        })
    }

    fn unread(&self, text: &str, error: &ParseError) -> Stop {
        self.failed(format!("`{}`: {error}", printable(text)), None)
    }

    /// How the run of the machine ended.
    fn ended(&self) -> String {
        if self.history.engine().halted() {
            "the program halted".to_owned()
        } else {
            format!("the limit of {} instructions was reached", grouped(self.limit))
        }
    }

    fn failed(&self, summary: String, comparison: Option<Comparison>) -> Stop {
        let (offset, moment) = (self.offset, self.history.moment());
        let place = self.image.place_and_line(self.history.engine().pc());
        Stop::Failed(Box::new(Failure { offset, summary, comparison, moment, place }))
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
