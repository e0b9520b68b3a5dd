//! A question that a line of text answers: where to break, which byte is meant, which moment.

use crossterm::event::KeyEvent;
use gray1_sim::debugger::{Condition, Event, Expression};

use super::chooser::Chooser;
use super::player::{Command, Snapshot};

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ask {
    /// What to break at.
    Break,
    /// Whose last writer is wanted.
    Byte,
    /// Where in time to go.
    Moment,
    /// What to watch.
    Watch,
}

/// What comes of an answer.
#[derive(Debug)]
pub(super) enum Answer {
    /// Something that the machine is to do.
    Command(Command),
    /// An expression to watch.
    Watch(String),
}

/// The question with the answer so far.
#[derive(Debug)]
pub(super) struct Prompt {
    pub(super) ask: Ask,
    pub(super) chooser: Chooser,
    /// What is wrong with the answer.
    pub(super) problem: Option<String>,
}

impl Prompt {
    pub(super) fn new(ask: Ask) -> Self {
        Self { ask, chooser: Chooser::default(), problem: None }
    }

    /// What stands in the frame.
    pub(super) fn title(&self) -> &'static str {
        match self.ask {
            Ask::Break => "break at",
            Ask::Byte => "who wrote last",
            Ask::Moment => "go to",
            Ask::Watch => "watch",
        }
    }

    /// What can be answered.
    pub(super) fn examples(&self) -> &'static [&'static str] {
        match self.ask {
            Ask::Break => &[
                "row3 + 2            the instruction there",
                "write stack         read, write or access bytes",
                "led 0, 7            a square: row, column; or any",
                "mailbox '\\n'        a printed byte; or any",
                "when [N] == 8       an expression turns true",
                "row3 if A > 3       only while it holds",
            ],
            Ask::Byte => &["excluded + 9        a variable, or an address"],
            Ask::Moment => &[
                "41255               after so many instructions",
                "line 50             where that line was ended",
            ],
            Ask::Watch => &["[N] * 8 + A         an expression"],
        }
    }

    /// Edits the answer.
    pub(super) fn edit(&mut self, key: KeyEvent) {
        self.problem = None;
        self.chooser.edit(key);
    }

    /// What to do; `None` if the answer makes no sense, and then says why.
    pub(super) fn answer(&mut self, snapshot: &Snapshot) -> Option<Answer> {
        let typed = self.chooser.typed().trim();
        let answer = match self.ask {
            Ask::Break => break_at(typed, snapshot).map(Answer::Command),
            Ask::Byte => who_wrote(typed, snapshot).map(Answer::Command),
            Ask::Moment => go_to(typed, snapshot).map(Answer::Command),
            Ask::Watch => watch(typed, snapshot).map(Answer::Watch),
        };
        answer.map_err(|problem| self.problem = Some(problem)).ok()
    }
}

fn break_at(text: &str, snapshot: &Snapshot) -> Result<Command, String> {
    let condition = Condition::parse(text, &snapshot.program.image);
    condition.map(|_| Command::AddBreak(text.to_owned())).map_err(|problem| problem.to_string())
}

fn watch(text: &str, snapshot: &Snapshot) -> Result<String, String> {
    let expression = Expression::parse(text, &snapshot.program.image);
    expression.map(|_| text.to_owned()).map_err(|problem| problem.to_string())
}

fn who_wrote(text: &str, snapshot: &Snapshot) -> Result<Command, String> {
    const VERB: &str = "write ";
    let condition = Condition::parse(&format!("{VERB}{text}"), &snapshot.program.image);
    let condition = condition.map_err(|mut problem| {
        problem.column = problem.column.saturating_sub(VERB.len()).max(1);
        problem.to_string()
    })?;
    match condition.event() {
        Event::Touches(_, range) => {
            Ok(Command::WhoWrote { first: *range.start(), last: *range.end() })
        }
        _ => Err("expected a byte of data memory".to_owned()),
    }
}

fn go_to(text: &str, snapshot: &Snapshot) -> Result<Command, String> {
    let number = |text: &str| text.replace(['_', ','], "").parse::<u64>().ok();
    let Some(line) = text.strip_prefix("line ") else {
        let moment =
            number(text).ok_or("expected a number of instructions, or line and a number")?;
        let end = snapshot.time.end;
        if moment > end {
            return Err(format!("{end} instructions are known so far"));
        }
        return Ok(Command::Seek(moment));
    };
    let known = &snapshot.time.lines;
    let place = number(line.trim()).and_then(|line| usize::try_from(line.checked_sub(1)?).ok());
    let moment = place.and_then(|place| known.get(place));
    let problem = || format!("{} lines are known so far", known.len());
    moment.map(|moment| Command::Seek(*moment)).ok_or_else(problem)
}
