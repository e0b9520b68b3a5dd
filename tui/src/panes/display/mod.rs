//! The display pane: the LEDs. In front they are as large as possible, with pace, registers, output
//! and album next to them.

mod album;
mod caption;
pub(crate) mod layout;
mod panel;

use gray1_debugger::why::Asked;
use gray1_isa::panel::{Buttons, SIDE};
use gray1_session::{Command, Snapshot};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::symbols::border;
use ratatui::widgets::{Block, Widget};

use super::{Context, Pane, PaneSpec, Placement};
use crate::actions::{KeyBinding, KeyGroup, Reply, row};
use crate::key::{Key, KeyCode};
use crate::leds::{self, LedPainter, LedPart, LedSpot};
use crate::theme::Theme;
use crate::{text, widgets};
use layout::{DisplayLayout, Matrix};
pub(crate) use layout::{SIZE_MIN, split_for_answer};

/// The pane that shows the LED display.
pub(crate) struct DisplayPane;

impl PaneSpec for DisplayPane {
    const NAME: &'static str = "display";
    const TITLE: &'static str = "pane: the LED display";
    const KEYS: &'static [KeyBinding<Self>] = &[
        row(&[Key::plain(KeyCode::Left)], KeyGroup::Run, "", "album: previous picture")
            .sends(Command::PictureBack),
        row(&[Key::plain(KeyCode::Right)], KeyGroup::Run, "", "album: next picture")
            .sends(Command::PictureForward),
    ];
}

impl Pane for DisplayPane {
    fn placement(&self, _: &Snapshot) -> Placement {
        Placement::Column(SIZE_MIN.height)
    }

    fn click(&mut self, at: Position, area: Rect, snapshot: &Snapshot) -> Reply {
        let DisplayLayout { matrix, album, .. } = arrange(snapshot, area);
        let led = squares(matrix).find(|(_, square)| square.contains(at));
        if let Some(((row, column), _)) = led {
            let asked = Asked::Led { row: row as u8, column: column as u8 };
            return Reply::command(Command::Ask(asked));
        }
        match album.and_then(|album| album::entry_at(snapshot, album, at)) {
            None => Reply::Done,
            Some(entry) if entry.moment < snapshot.time.start => {
                Reply::Note("this picture is older than the recorded history")
            }
            Some(entry) => Reply::command(Command::Seek(entry.moment)),
        }
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        if !context.is_in_front {
            return draw(context, Matrix::small(area), true, buffer);
        }
        let DisplayLayout { matrix, caption, panel, album } = arrange(context.snapshot, area);
        draw(context, matrix, panel.is_none(), buffer);
        caption::draw(context.snapshot, context.theme, caption, buffer);
        caption::draw_usage(context, area, matrix.area, buffer);
        if let Some(area) = panel {
            panel::draw(context, album.is_some(), area, buffer);
        }
        if let Some(area) = album {
            album::draw(context.snapshot, context.theme, area, buffer);
        }
    }

    fn spots(&self, context: &Context, area: Rect) -> Vec<LedSpot> {
        let Context { snapshot, theme, .. } = *context;
        if !context.is_in_front {
            return spots(snapshot, theme, Matrix::small(area)).collect();
        }
        let DisplayLayout { matrix, album, .. } = arrange(snapshot, area);
        let pictures = album.into_iter().flat_map(|album| album::spots(snapshot, theme, album));
        spots(snapshot, theme, matrix).chain(pictures).collect()
    }

    fn is_framed(&self) -> bool {
        false
    }

    /// Enough for LEDs as large as the height allows.
    fn width_min(&self, height: u16) -> u16 {
        layout::width_min(height)
    }
}

/// Whether a display in front has room for a panel.
pub(crate) fn has_panel(area: Rect) -> bool {
    layout::arrange(area, false).panel.is_some()
}

fn arrange(snapshot: &Snapshot, area: Rect) -> DisplayLayout {
    layout::arrange(area, snapshot.time.marks.album.entries().len() > 0)
}

/// The squares of the matrix, each with the row and the column of its LED.
fn squares(matrix: Matrix) -> impl Iterator<Item = ((usize, usize), Rect)> {
    let places = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column)));
    places.map(move |(row, column)| ((row, column), matrix.square(row as u16, column as u16)))
}

/// Draws the LEDs in their frame. If `alone`, the frame also shows the pace, or which buttons are
/// held. The frame also shows a printed line that has just ended.
fn draw(context: &Context, matrix: Matrix, alone: bool, buffer: &mut Buffer) {
    let (snapshot, theme) = (context.snapshot, context.theme.on_panel());
    let found = snapshot.time.marks.album.at(snapshot.time.now);
    draw_frame(theme, matrix, found.is_some(), buffer);
    let room = usize::from(matrix.area.width) - 2;
    let bottom = match (found, alone) {
        (Some(entry), _) => {
            Some((format!(" {} ", album::caption(entry, room - 2, theme)), theme.found()))
        }
        (None, true) if snapshot.buttons != Buttons::NONE => {
            Some((snapshot.buttons.to_string(), theme.label()))
        }
        (None, true) => Some((snapshot.pace.short(), theme.label())),
        (None, false) => None,
    };
    if let Some((caption, style)) = bottom {
        let caption = text::truncate(&caption, room, theme.ellipsis());
        let x = matrix.area.x + (matrix.area.width - caption.chars().count() as u16) / 2;
        buffer.set_string(x, matrix.area.bottom() - 1, caption, style);
    }
    let (display, painter) = (snapshot.display(), LedPainter::new(matrix.cell, theme));
    for ((row, column), square) in squares(matrix) {
        painter.draw(display.led(row, column), square, buffer);
    }
    let Some(explanation) = context.answer else { return };
    for square in &explanation.squares {
        draw_ring(matrix, *square, theme.border(), theme.key(), buffer);
    }
    if let Some(asked) = explanation.asked_led {
        let lines = if theme.unicode { border::THICK } else { theme.border() };
        draw_ring(matrix, asked.square, lines, Theme::VALUE, buffer);
    }
}

/// Draws a ring around an LED, in the gaps between LEDs and on the frame of the matrix. Small LEDs
/// are put in brackets.
fn draw_ring(
    matrix: Matrix,
    (row, column): (u8, u8),
    lines: border::Set,
    style: Style,
    buffer: &mut Buffer,
) {
    let square = matrix.square(row.into(), column.into());
    if matrix.cell == 1 {
        for (x, bracket) in [(square.x - 1, "["), (square.x + 1, "]")] {
            buffer.set_string(x, square.y, bracket, style);
        }
        return;
    }
    let ring = Rect { width: square.width + 1, height: square.height + 1, ..square };
    Block::bordered().border_set(lines).border_style(style).render(ring, buffer);
}

/// Draws a frame around the matrix, with the numbers of rows and columns.
fn draw_frame(theme: Theme, matrix: Matrix, has_found: bool, buffer: &mut Buffer) {
    let style = if has_found { theme.found() } else { theme.line() };
    let block = Block::bordered().border_style(style).style(theme.panel());
    widgets::draw_frame(block, theme, matrix.area, buffer);
    for n in 0..SIDE as u16 {
        let number = n.to_string();
        let (row, column) = (matrix.square(n, 0), matrix.square(0, n));
        let (left, top) = (leds::middle(column).x, leds::middle(row).y);
        buffer.set_string(left, matrix.area.y, &number, theme.label());
        buffer.set_string(matrix.area.x, top, &number, theme.label());
    }
}

/// The LEDs of the matrix, for pictures of the screen.
fn spots(snapshot: &Snapshot, theme: Theme, matrix: Matrix) -> impl Iterator<Item = LedSpot> {
    let display = snapshot.display();
    squares(matrix).map(move |((row, column), cells)| LedSpot {
        color: theme.led_color(display.led(row, column)),
        cells,
        part: LedPart::Whole,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::Effect;
    use crate::tests as testing;

    #[test]
    fn an_empty_album_takes_no_room() {
        let area = Rect::new(0, 1, 120, 38);
        let mut session = testing::session(testing::program("queens"), false);
        assert!(arrange(&session.snapshot(), area).album.is_none());
        session.advance_by(20_000);
        assert!(arrange(&session.snapshot(), area).album.is_some());
    }

    #[test]
    fn a_click_on_an_album_picture_seeks_to_its_moment() {
        let area = Rect::new(0, 1, 120, 38);
        let mut session = testing::session(testing::program("queens"), false);
        session.advance_by(20_000);
        let mut snapshot = session.snapshot();
        let album = arrange(&snapshot, area).album.expect("the screen is large enough");
        let mut entries = album.positions().map(|at| (at, album::entry_at(&snapshot, album, at)));
        let (at, first) = entries.find_map(|(at, it)| Some((at, it?.moment))).expect("a picture");
        for start in [0, first] {
            snapshot.time.start = start;
            let reply = DisplayPane.click(at, area, &snapshot);
            let Reply::Ask(Effect::Session(Command::Seek(moment))) = reply else {
                panic!("{start}: it leads nowhere");
            };
            assert_eq!(moment, first);
        }
        snapshot.time.start = first + 1;
        let reply = DisplayPane.click(at, area, &snapshot);
        assert!(matches!(reply, Reply::Note("this picture is older than the recorded history")));
        // A click next to the album.
        assert!(matches!(DisplayPane.click(area.as_position(), area, &snapshot), Reply::Done));
    }
}
