//! The story behind a value: a sentence, and the steps that led there, each of them a moment to go
//! to.

use std::sync::Arc;

use gray1_debugger::why::{Story, StoryLine};
use gray1_isa::Image;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::text::Line;

use super::overlay::{Answer, Overlay, centered, inside, window};
use crate::actions::{Move, Reply};
use crate::session::{Command, Destination, Snapshot};
use crate::theme::Theme;
use crate::{text, widgets};

/// The widest box.
const WIDTH_MAX: u16 = 104;
/// The lines below the list: a free line, and what is known of the selected step.
const FOOT_HEIGHT: u16 = 4;

/// The box.
#[derive(Debug)]
pub(crate) struct StoryBox {
    sentence: String,
    lines: Vec<StoryLine>,
    selected: usize,
}

impl StoryBox {
    /// The box of a story about a program.
    #[must_use]
    pub(crate) fn new(story: &Arc<Story>, image: &Image) -> Self {
        Self { sentence: story.sentence.clone(), lines: story.lines(image), selected: 0 }
    }

    /// The sentence in lines of a width.
    fn sentence(&self, width: u16) -> Vec<String> {
        text::wrap(&text::printable(&self.sentence), width.max(1).into())
    }

    /// The area of the list in a box of this area.
    fn list_area(&self, area: Rect) -> Rect {
        let inside = inside(area);
        let head = (self.sentence(inside.width).len() as u16 + 1).min(inside.height);
        let height = (inside.height - head).saturating_sub(FOOT_HEIGHT);
        Rect { y: inside.y + head, height, ..inside }
    }

    /// The first line of the list that is shown.
    fn first(&self, list: Rect) -> usize {
        widgets::first_line(self.selected, self.lines.len(), list.height.into())
    }
}

impl Overlay for StoryBox {
    fn area(&self, screen: Size) -> Rect {
        let width = screen.width.min(WIDTH_MAX);
        let head = self.sentence(width.saturating_sub(4)).len() + 1;
        let lines = head + self.lines.len() + usize::from(FOOT_HEIGHT) + 2;
        centered(screen, width, u16::try_from(lines).unwrap_or(u16::MAX))
    }

    fn scroll(&mut self, to: Move, screen: Size) {
        let page = usize::from(self.list_area(self.area(screen)).height).max(1);
        self.selected = to.along(self.selected, self.lines.len().saturating_sub(1), page);
    }

    fn click(&mut self, at: Position, screen: Size) -> bool {
        let list = self.list_area(self.area(screen));
        let line = self.first(list) + usize::from(at.y.saturating_sub(list.y));
        let is_line = list.contains(at) && line < self.lines.len();
        if is_line {
            self.selected = line;
        }
        is_line
    }

    /// Goes to the moment of the selected step.
    fn accept(&mut self, _: &Snapshot) -> Answer {
        match self.lines.get(self.selected).and_then(|line| line.moment) {
            Some(moment) => {
                Answer::Close(Reply::command(Command::RunTo(Destination::Moment(moment))))
            }
            None => Answer::Stay(Reply::Note("this has no moment to go to")),
        }
    }

    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        let area = self.area(buffer.area.as_size());
        let inside = window("why", theme, area, buffer);
        let sentence = self.sentence(inside.width).into_iter();
        widgets::lines(sentence.map(|line| Line::styled(line, Theme::VALUE)), inside, buffer);
        let list = self.list_area(area);
        let line = |line: &StoryLine| {
            let indent = " ".repeat(2 * line.indent);
            let told = Line::raw(format!("{indent}{}", text::printable(&line.text)));
            widgets::window(told, 0, list.width.into(), theme)
        };
        widgets::list(self.lines.iter().map(line), (self.first(list), self.selected), list, buffer);
        let Some(selected) = self.lines.get(self.selected) else { return };
        let foot = Rect { y: list.bottom() + 1, height: FOOT_HEIGHT - 1, ..list };
        let caption = selected.caption.iter().map(|caption| format!("\"{caption}\""));
        let told = selected.place.iter().cloned().chain(caption);
        let told = told.flat_map(|it| text::wrap(&text::printable(&it), list.width.into()));
        widgets::lines(
            told.map(|line| Line::styled(line, theme.label())),
            foot.intersection(inside),
            buffer,
        );
    }
}
