//! A question that a line of text answers: where to break, which byte is meant, which moment.

use gray1_sim::debugger::{Condition, Event, Expression};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::text::Line;

use super::list_box::{HEAD_HEIGHT, ListBox};
use super::overlay::{Answer, Overlay, centered, window};
use crate::actions::Move;
use crate::key::Key;
use crate::session::{BreakChange, Command, Snapshot};
use crate::theme::Theme;
use crate::{text, widgets};

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// What to break at.
    Break,
    /// Which byte's last writer is wanted.
    Byte,
    /// Where in time to go.
    Moment,
    /// What to watch.
    Watch,
}

/// The question with the answer so far.
#[derive(Debug)]
pub(crate) struct Prompt {
    ask: Ask,
    list_box: ListBox,
    /// What is wrong with the answer.
    problem: Option<String>,
}

impl Prompt {
    /// The question, not answered yet.
    #[must_use]
    pub(crate) fn new(ask: Ask) -> Self {
        Self { ask, list_box: ListBox::default(), problem: None }
    }

    /// What stands in the frame.
    fn title(&self) -> &'static str {
        match self.ask {
            Ask::Break => "break at",
            Ask::Byte => "last writer of",
            Ask::Moment => "go to",
            Ask::Watch => "watch",
        }
    }

    /// What can be answered.
    fn examples(&self) -> &'static [&'static str] {
        match self.ask {
            Ask::Break => &[
                "row3 + 2            the instruction there",
                "write stack         read, write or access bytes",
                "led 0, 7            a square: row, column; or any",
                "mailbox '\\n'        a printed byte; or any",
                "line PCL.3 rises    a line, on the chips",
                "when [N] == 8       an expression turns true",
                "row3 if A > 3       only while it holds",
            ],
            Ask::Byte => &["table + 9           a variable, or an address"],
            Ask::Moment => &[
                "41255               after so many instructions",
                "line 50             at the end of that line",
            ],
            Ask::Watch => &["[N] * 8 + A         an expression"],
        }
    }
}

impl Overlay for Prompt {
    fn area(&self, screen: Size) -> Rect {
        centered(screen, 64, self.examples().len() as u16 + HEAD_HEIGHT + 2)
    }

    fn moves(&self) -> &'static [Move] {
        &[]
    }

    fn scroll(&mut self, _: Move, _: Size) {}

    fn edit(&mut self, key: Key) {
        self.problem = None;
        self.list_box.edit(key);
    }

    /// What to do; if the answer makes no sense, keeps what is wrong with it.
    fn accept(&mut self, snapshot: &Snapshot) -> Answer {
        let typed = self.list_box.typed().trim();
        let command = match self.ask {
            Ask::Break => break_at(typed, snapshot),
            Ask::Byte => who_wrote(typed, snapshot),
            Ask::Moment => go_to(typed, snapshot),
            Ask::Watch => watch(typed, snapshot),
        };
        match command {
            Ok(command) => Answer::Command(command),
            Err(problem) => {
                self.problem = Some(problem);
                Answer::Nothing
            }
        }
    }

    /// The line that is typed, and what is wrong with it or what could be answered.
    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        let area = self.area(buffer.area.as_size());
        let inside = window(self.title(), theme, area, buffer);
        let list = self.list_box.draw("", theme, inside, buffer);
        let (lines, style) = match &self.problem {
            Some(problem) => (text::wrap(problem, usize::from(list.width)), theme.alert()),
            None => (self.examples().iter().copied().map(str::to_owned).collect(), theme.label()),
        };
        widgets::lines(lines.into_iter().map(|line| Line::styled(line, style)), list, buffer);
    }
}

fn break_at(text: &str, snapshot: &Snapshot) -> Result<Command, String> {
    let condition = Condition::parse(text, snapshot.scope());
    condition
        .map(|_| Command::Change(BreakChange::Add(text.to_owned())))
        .map_err(|problem| problem.to_string())
}

fn watch(text: &str, snapshot: &Snapshot) -> Result<Command, String> {
    let expression = Expression::parse(text, &snapshot.program.image);
    expression
        .map(|_| Command::Change(BreakChange::Watch(text.to_owned())))
        .map_err(|problem| problem.to_string())
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
            number(text).ok_or("expected a number of instructions, or `line` and a number")?;
        let end = snapshot.time.end;
        if moment > end {
            return Err(format!("{end} instructions are known so far"));
        }
        return Ok(Command::Seek(moment));
    };
    let known = &snapshot.time.marks.lines;
    let place = number(line.trim()).and_then(|line| usize::try_from(line.checked_sub(1)?).ok());
    let moment = place.and_then(|place| known.get(place));
    let problem = || format!("{} lines are known so far", known.len());
    moment.map(|moment| Command::Seek(*moment)).ok_or_else(problem)
}
