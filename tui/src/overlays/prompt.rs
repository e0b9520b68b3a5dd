//! A question that the user answers by typing a line, such as where to go or which byte to change.

use gray1_isa::{Image, Symbol, SymbolKind};
use gray1_session::Snapshot;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::text::Line;

use super::answers;
use super::list_box::{CHROME_HEIGHT, ListBox};
use super::overlay::{Outcome, Overlay, centered, draw_box, inside};
use crate::actions::{Move, Question, Reply};
use crate::key::Key;
use crate::theme::Theme;
use crate::{text, widgets};

/// The question with the answer so far.
#[derive(Debug)]
pub(crate) struct Prompt {
    question: Question,
    list_box: ListBox,
    /// Examples of answers with their meanings.
    examples: Vec<(String, &'static str)>,
    /// The error in the answer.
    problem: Option<String>,
    /// The area of the answer to a question about a value.
    dock: Rect,
}

impl Prompt {
    /// A question about a program, with the beginning of an answer.
    pub(crate) fn new(question: Question, start: String, image: &Image) -> Self {
        let list_box = ListBox::with_text(start, question == Question::Why);
        let examples = examples(question, image);
        Self { question, list_box, examples, problem: None, dock: Rect::ZERO }
    }

    /// The title in the frame.
    fn title(&self) -> &'static str {
        match self.question {
            Question::Break => "break at",
            Question::ChangeBreak(_) => "change the break to",
            Question::Why => "explain why: type, or click a square",
            Question::Place { .. } => "go to",
            Question::Watch => "watch",
            Question::ChangeWatch(_) => "change the watch to",
            Question::Find => "find",
            Question::Change => "change",
        }
    }
}

/// Examples of answers for a program, with their meanings.
fn examples(question: Question, image: &Image) -> Vec<(String, &'static str)> {
    let ExampleNames { label, array, byte } = ExampleNames::choose(image);
    match question {
        Question::Break | Question::ChangeBreak(_) => vec![
            (format!("{label} + 2"), "the instruction there"),
            (format!("write {array}"), "read, write or access bytes"),
            ("led 0, 7".into(), "a square: row, column; or any"),
            ("mailbox '\\n'".into(), "prints this byte"),
            ("unwritten".into(), "reads a byte never written"),
            ("wire PCL.3 rises".into(), "a wire, on the chips"),
            (format!("when [{byte}] == 8"), "a condition becomes true"),
            (format!("{label} if A > 3"), "only while it holds"),
            (format!("{label}: {{A}}"), "a message instead of a stop"),
        ],
        Question::Why => vec![
            ("led 4, 3".into(), "a square: row, column"),
            (format!("{array} + 1"), "a byte; add .3 for bit 3"),
            ("A.3".into(), "A or C, or a bit of A"),
            (format!("{label} + 2"), "when this ran, and why"),
            ("PC".into(), "why this comes next"),
        ],
        Question::Place { .. } => vec![
            (format!("{label} + 2"), "an instruction, or a variable"),
            ("0x12".into(), "this address; in memory, a byte"),
            (":88".into(), "this line of the source"),
            ("41255".into(), "after 41,255 instructions"),
            ("line 50".into(), "when this line was printed"),
        ],
        Question::Watch | Question::ChangeWatch(_) => vec![
            (byte.to_owned(), "an address, and the byte there"),
            (format!("[{byte}] * 8 + A"), "an expression"),
        ],
        Question::Find => vec![("some text".into(), "lower case finds any case")],
        Question::Change => vec![
            ("A = 0x2a".into(), "a register: A, C or PC"),
            (format!("PC = {label}"), "where to continue"),
            (format!("{array} + 1 = A"), "a byte of data memory"),
        ],
    }
}

/// Names for examples, all global. Addresses take the place of missing names.
#[derive(Debug, PartialEq, Eq)]
struct ExampleNames<'a> {
    /// A label other than the program's start, if possible.
    label: &'a str,
    /// A variable of several bytes, if possible.
    array: &'a str,
    /// A variable of a single byte, if possible.
    byte: &'a str,
}

impl<'a> ExampleNames<'a> {
    /// Chooses names of a program, preferably short ones.
    fn choose(image: &'a Image) -> Self {
        let name = |kind, is_odd: fn(&Symbol) -> bool, other| {
            let best = image.symbols().iter().filter(|symbol| {
                symbol.kind == kind
                    && symbol.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            });
            let best = best.min_by_key(|it| (it.name.len() > NAME_CHARS_MAX, is_odd(it)));
            best.map_or(other, |symbol| &*symbol.name)
        };
        Self {
            label: name(SymbolKind::Label, |label| label.value == 0, "0x10"),
            array: name(SymbolKind::Variable, |variable| variable.size == 1, "0x40"),
            byte: name(SymbolKind::Variable, |variable| variable.size > 1, "0x40"),
        }
    }
}

/// The maximum length of a name that leaves room for the meaning.
const NAME_CHARS_MAX: usize = 7;

impl Overlay for Prompt {
    fn area(&self, screen: Size) -> Rect {
        if self.is_docked() {
            return self.dock;
        }
        centered(screen, 64, self.examples.len() as u16 + CHROME_HEIGHT)
    }

    fn dock(&mut self, answer: Rect) {
        self.dock = answer;
    }

    fn is_docked(&self) -> bool {
        self.question == Question::Why
    }

    fn caret(&self, screen: Size) -> Option<Position> {
        self.list_box.caret(inside(self.area(screen)))
    }

    fn moves(&self) -> &'static [Move] {
        &[]
    }

    fn edit(&mut self, key: Key) {
        self.problem = None;
        self.list_box.edit(key);
    }

    /// Returns the reply for the typed answer. If the answer is invalid, stores the error and keeps
    /// the prompt open.
    fn accept(&mut self, snapshot: &Snapshot) -> Outcome {
        let typed = self.list_box.typed().trim();
        match answers::parse(self.question, typed, snapshot) {
            Ok(reply) => Outcome::Close(reply),
            Err(problem) => {
                self.problem = Some(problem);
                Outcome::Stay(Reply::Done)
            }
        }
    }

    /// Draws the typed line, and below it the error or examples.
    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        let area = self.area(buffer.area.as_size());
        let inside = draw_box(self.title(), theme, area, buffer);
        let empty = if self.is_docked() { "enter: the last byte used" } else { "" };
        let list = self.list_box.draw(empty, theme, inside, buffer);
        let longest = self.examples.iter().map(|(text, _)| text.len()).max().unwrap_or_default();
        let examples =
            self.examples.iter().map(|(text, meaning)| format!("{text:<longest$}  {meaning}"));
        let (lines, style) = match &self.problem {
            Some(problem) => (text::wrap(problem, usize::from(list.width)), theme.alert()),
            None => (examples.collect(), theme.label()),
        };
        let lines = lines.into_iter().map(|line| Line::styled(line, style));
        widgets::draw_lines(lines, theme, list, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests as testing;

    #[test]
    fn examples_are_valid_answers_for_every_program() {
        let others = [" HALT\n", ".pool\n.var x\n LDI 1\n ADD #1\n", ".var wide, 9\nat: HALT\n"];
        let others = others.map(testing::assemble);
        let own = gray1_programs::programs().map(|(name, _)| testing::program(name));
        for program in own.chain(others) {
            let snapshot = testing::session(program, true).snapshot();
            let all = [
                Question::Break,
                Question::ChangeBreak(0),
                Question::Why,
                Question::Place { bytes: false },
                Question::Watch,
                Question::ChangeWatch(0),
                Question::Change,
            ];
            for question in all {
                for (example, _) in examples(question, &snapshot.program.image) {
                    // Wires exist only on the board.
                    let is_answer = answers::parse(question, &example, &snapshot).is_ok();
                    assert_eq!(is_answer, !example.contains("wire"), "{example}");
                }
            }
        }
    }

    #[test]
    fn examples_use_names_of_the_program() {
        let image = testing::program("queens").image;
        assert_eq!(examples(Question::Change, &image)[1].0, "PC = row0");
        let program = "
.var an_extremely_long_one
.var steps, 20
.var x
        HALT
begin:  HALT
";
        let image = testing::assemble(program).image;
        let names = ExampleNames { label: "begin", array: "steps", byte: "x" };
        assert_eq!(ExampleNames::choose(&image), names);
    }
}
