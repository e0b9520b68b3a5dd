//! A question that a line of text answers: where to break, which byte is meant, where to go.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::text::Line;

use super::answers;
use super::list_box::{ListBox, RIM_HEIGHT};
use super::overlay::{Answer, Overlay, centered, window};
use crate::actions::{Ask, Move};
use crate::key::Key;
use crate::session::Snapshot;
use crate::theme::Theme;
use crate::{text, widgets};

/// The question with the answer so far.
#[derive(Debug)]
pub(crate) struct Prompt {
    ask: Ask,
    list_box: ListBox,
    /// The problem of the answer.
    problem: Option<String>,
}

impl Prompt {
    /// The question, with the beginning of an answer.
    #[must_use]
    pub(crate) fn new(ask: Ask, text: String) -> Self {
        Self { ask, list_box: ListBox::holding(text), problem: None }
    }

    /// The title in the frame.
    fn title(&self) -> &'static str {
        match self.ask {
            Ask::Break => "break at",
            Ask::ChangeBreak(_) => "change the break to",
            Ask::Byte => "last writer of",
            Ask::Place { .. } => "go to",
            Ask::Watch => "watch",
            Ask::ChangeWatch(_) => "change the watch to",
            Ask::Find => "find",
            Ask::Change => "change",
        }
    }

    /// Examples of answers.
    fn examples(&self) -> &'static [&'static str] {
        match self.ask {
            Ask::Break | Ask::ChangeBreak(_) => &[
                "row3 + 2            the instruction there",
                "write stack         read, write or access bytes",
                "led 0, 7            a square: row, column; or any",
                "mailbox '\\n'        a printed byte; or any",
                "wire PCL.3 rises    a wire, on the chips",
                "when [N] == 8       an expression turns true",
                "row3 if A > 3       only while it holds",
            ],
            Ask::Byte => &["table + 9           a variable, or an address"],
            Ask::Place { .. } => &[
                "row3 + 2            an instruction, or a variable",
                "0x12                this address: in memory a byte",
                ":88                 this line of the source",
                "41255               in time: after so many instructions",
                "line 50             in time: when this line was printed",
            ],
            Ask::Watch | Ask::ChangeWatch(_) => &[
                "N                   an address, and the byte there",
                "[N] * 8 + A         an expression",
            ],
            Ask::Find => &["a text; small letters find capitals too"],
            Ask::Change => &[
                "A = 0x2a            a register: A, C or PC",
                "PC = row3           where to go on",
                "table + 1 = A       a byte of data memory",
            ],
        }
    }
}

impl Overlay for Prompt {
    fn area(&self, screen: Size) -> Rect {
        centered(screen, 64, self.examples().len() as u16 + RIM_HEIGHT)
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
        match answers::to(self.ask, typed, snapshot) {
            Ok(answer) => answer,
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
