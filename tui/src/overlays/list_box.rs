//! A list box: a typed line, and the selected place in a list.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use tui_input::{Input, InputRequest};

use crate::actions::Move;
use crate::key::{Key, KeyCode};
use crate::text;
use crate::theme::Theme;

/// The typed line and the selected place. The overlay owns the list itself.
#[derive(Debug, Default)]
pub(crate) struct ListBox {
    input: Input,
    selected: usize,
    /// Whether the whole line is selected, so that typing replaces it.
    is_line_selected: bool,
}

/// The prompt before the line.
const PROMPT: &str = "> ";

/// The maximum length of the line, longer than any path. Further characters are dropped.
const TYPED_BYTES_MAX: usize = 4096;

/// The number of lines above the list in a box: the typed line and an empty line.
const HEAD_HEIGHT: u16 = 2;

/// The lines of a box other than its list: the head and the frame.
pub(crate) const CHROME_HEIGHT: u16 = HEAD_HEIGHT + 2;

impl ListBox {
    /// A list box with a line that can be edited, or replaced by typing.
    pub(crate) fn with_text(text: String, is_line_selected: bool) -> Self {
        Self { input: Input::new(text), selected: 0, is_line_selected }
    }

    /// The typed line.
    pub(crate) fn typed(&self) -> &str {
        self.input.value()
    }

    /// Replaces the typed line.
    pub(crate) fn set(&mut self, text: String) {
        self.input = Input::new(text);
        self.selected = 0;
    }

    /// The selected place in a list of this length.
    pub(crate) fn selected(&self, length: usize) -> usize {
        self.selected.min(length.saturating_sub(1))
    }

    pub(crate) fn select(&mut self, place: usize) {
        self.selected = place;
    }

    /// Moves the selection in a list of this length, in a box of this area. Moving up from the
    /// first place selects the last one, and moving down from the last place selects the first one.
    pub(crate) fn scroll(&mut self, to: Move, length: usize, area: Rect) {
        let page = usize::from(area.height.saturating_sub(CHROME_HEIGHT)).max(1);
        let (selected, last) = (self.selected(length), length.saturating_sub(1));
        self.selected = match to {
            Move::Up if selected == 0 => last,
            Move::Down if selected == last => 0,
            _ => to.along(selected, last, page),
        };
    }

    /// Edits the line. Returns whether it has changed, which selects the first place.
    pub(crate) fn edit(&mut self, key: Key) -> bool {
        let request = to_request(key).filter(|request| {
            !matches!(request, InputRequest::InsertChar(_)) || self.typed().len() < TYPED_BYTES_MAX
        });
        let types = matches!(key.code, KeyCode::Char(_) | KeyCode::Backspace | KeyCode::Delete);
        if std::mem::take(&mut self.is_line_selected) && types && !key.control {
            self.input.reset();
        }
        let change = request.and_then(|request| self.input.handle(request));
        let has_changed = change.is_some_and(|change| change.value);
        if has_changed {
            self.selected = 0;
        }
        has_changed
    }

    /// The width of the line inside a box, and the number of columns it is scrolled.
    fn scrolled(&self, inside: Rect) -> (usize, usize) {
        let width = usize::from(inside.width).saturating_sub(PROMPT.len() + 1);
        (width, self.input.visual_scroll(width))
    }

    /// The position of the line's cursor inside a box, if it is visible.
    pub(crate) fn caret(&self, inside: Rect) -> Option<Position> {
        let (_, scroll) = self.scrolled(inside);
        let column = PROMPT.len() + self.input.visual_cursor().saturating_sub(scroll);
        let at = Position { x: inside.x + column as u16, y: inside.y };
        inside.contains(at).then_some(at)
    }

    /// Draws the line at the top of a box, scrolled to its cursor. Returns the area for the list.
    pub(crate) fn draw(
        &self,
        empty: &str,
        theme: Theme,
        inside: Rect,
        buffer: &mut Buffer,
    ) -> Rect {
        let y = inside.y;
        if inside.height > 0 {
            buffer.set_string(inside.x, y, PROMPT, theme.key());
            let (width, scroll) = self.scrolled(inside);
            let x = inside.x + PROMPT.len() as u16;
            if self.typed().is_empty() {
                let empty = text::truncate(empty, width, theme.ellipsis());
                buffer.set_string(x + 1, y, empty, theme.label());
            }
            let visible: String = self.typed().chars().skip(scroll).collect();
            buffer.set_stringn(x, y, text::printable(&visible), width, Style::new());
            if self.is_line_selected {
                let length = self.input.visual_cursor().min(width) as u16;
                buffer.set_style(Rect::new(x, y, length, 1), Theme::SELECTED);
            }
            if let Some(Position { x, y }) = self.caret(inside) {
                buffer.set_style(Rect::new(x, y, 1, 1), Theme::SELECTED);
            }
        }
        list_area(inside)
    }
}

/// How badly a lower-case string matches a typed word, or `None` if it does not. The best match is
/// the string's start, then the start of a word in it, then any part. The worst is a string that
/// only contains the letters in this order, where fewer letters between them are better.
pub(super) fn badness(text: &str, query: &str) -> Option<usize> {
    match text.find(query) {
        Some(0) => Some(1),
        Some(at) if !text.as_bytes()[at - 1].is_ascii_alphanumeric() => Some(2),
        Some(_) => Some(4),
        None => shortest_span(text, query).map(|length| SCATTERED + length),
    }
}

/// The minimum badness of a string that only contains the letters in order. The distance from the
/// first letter to the last is added.
pub(super) const SCATTERED: usize = 5;

/// The length of the shortest part of a string that contains these letters in order.
fn shortest_span(text: &str, letters: &str) -> Option<usize> {
    text.char_indices().filter_map(|(start, _)| find_last(&text[start..], letters)).min()
}

/// The place of the last letter in a string that contains these letters in order.
fn find_last(text: &str, letters: &str) -> Option<usize> {
    let mut rest = text.char_indices();
    let mut end = 0;
    for letter in letters.chars() {
        end = rest.find(|(_, c)| *c == letter)?.0;
    }
    Some(end)
}

/// The area for the list inside a box.
pub(crate) fn list_area(inside: Rect) -> Rect {
    let height = inside.height.saturating_sub(HEAD_HEIGHT);
    Rect { y: inside.y + HEAD_HEIGHT, height, ..inside }
}

/// The editing command for a key, as in shells.
fn to_request(key: Key) -> Option<InputRequest> {
    use InputRequest as Request;
    Some(match (key.code, key.control, key.alt) {
        (KeyCode::Char(c), false, false) => Request::InsertChar(c),
        (KeyCode::Backspace, false, false) | (KeyCode::Char('h'), true, false) => {
            Request::DeletePrevChar
        }
        (KeyCode::Backspace, false, true) | (KeyCode::Char('w'), true, false) => {
            Request::DeletePrevWord
        }
        (KeyCode::Delete, false, false) => Request::DeleteNextChar,
        (KeyCode::Delete, true, false) => Request::DeleteNextWord,
        (KeyCode::Left, false, false) | (KeyCode::Char('b'), true, false) => Request::GoToPrevChar,
        (KeyCode::Left, true, false) => Request::GoToPrevWord,
        (KeyCode::Right, false, false) | (KeyCode::Char('f'), true, false) => Request::GoToNextChar,
        (KeyCode::Right, true, false) => Request::GoToNextWord,
        (KeyCode::Home, false, false) | (KeyCode::Char('a'), true, false) => Request::GoToStart,
        (KeyCode::End, false, false) | (KeyCode::Char('e'), true, false) => Request::GoToEnd,
        (KeyCode::Char('u'), true, false) => Request::DeleteLine,
        (KeyCode::Char('k'), true, false) => Request::DeleteTillEnd,
        (KeyCode::Char('y'), true, false) => Request::Yank,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_line_can_still_be_edited() {
        let mut list_box = ListBox::with_text("x".repeat(TYPED_BYTES_MAX - 1), false);
        assert!(list_box.edit(Key::char('y')));
        assert!(!list_box.edit(Key::char('z')));
        assert!(list_box.typed().len() == TYPED_BYTES_MAX && list_box.typed().ends_with('y'));
        assert!(list_box.edit(KeyCode::Backspace.into()));
        assert_eq!(list_box.typed().len(), TYPED_BYTES_MAX - 1);
    }
}
