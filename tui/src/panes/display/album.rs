//! The album next to the display: small pictures of the LEDs at the ends of printed lines, each
//! above its line.

use gray1_isa::panel::{Display, Led, SIDE};
use gray1_session::{AlbumEntry, PRINTED_LINE, Snapshot};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use crate::leds::{LedPart, LedSpot};
use crate::terminal::Depth;
use crate::theme::Theme;
use crate::{text, widgets};

/// The size of a picture. An LED takes one column and half a line, which looks square.
const PICTURE: Size = Size { width: SIDE as u16, height: SIDE as u16 / 2 };
/// The distance between pictures, including the printed line and a gap.
const PITCH: Size = Size { width: PICTURE.width + 2, height: PICTURE.height + 2 };
/// The heading above the pictures.
const HEADING_HEIGHT: u16 = 1;

/// Returns the lower part of an area, with the height of the heading and of whole rows of pictures.
/// At least `above` lines stay free above it, and one more as a gap. `None` if there is no room for
/// a picture.
pub(super) fn area_for_rows(area: Rect, above: u16) -> Option<Rect> {
    // The last row of pictures needs no gap below.
    let pictures = (area.height + 1).checked_sub(above + 1 + HEADING_HEIGHT)? / PITCH.height;
    let height = HEADING_HEIGHT + (pictures * PITCH.height).checked_sub(1)?;
    let fits = area.width >= PICTURE.width;
    fits.then(|| Rect { y: area.bottom() - height, height, ..area })
}

/// The visible pictures with their areas.
pub(super) fn pictures(
    snapshot: &Snapshot,
    area: Rect,
) -> impl Iterator<Item = (&AlbumEntry, Rect)> {
    let album = &*snapshot.time.marks.album;
    let columns = usize::from((area.width + PITCH.width - PICTURE.width) / PITCH.width);
    let lines = usize::from((area.height - HEADING_HEIGHT + 1) / PITCH.height);
    let current = album.count_until(snapshot.time.now).saturating_sub(1);
    let rows = album.entries().len().div_ceil(columns);
    let first = widgets::first_line(current / columns, rows, lines) * columns;
    (0..lines * columns).map_while(move |n| {
        let (column, line) = ((n % columns) as u16, (n / columns) as u16);
        let (x, y) = (area.x + column * PITCH.width, area.y + line * PITCH.height);
        let place = Rect::new(x, y + HEADING_HEIGHT, PICTURE.width, PICTURE.height + 1);
        Some((album.get(first + n)?, place))
    })
}

/// The entry whose picture or line is at a position.
pub(super) fn entry_at(snapshot: &Snapshot, area: Rect, at: Position) -> Option<&AlbumEntry> {
    pictures(snapshot, area).find(|(_, place)| place.contains(at)).map(|(entry, _)| entry)
}

/// Draws the heading and the pictures.
pub(super) fn draw(snapshot: &Snapshot, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let now = snapshot.time.now;
    let heading = Span::styled(heading(snapshot, area.width.into()), theme.label());
    let hint = Span::styled("  left/right", theme.key());
    widgets::draw_lines([vec![heading, hint].into()], theme, area, buffer);
    let last = snapshot.time.marks.album.entries().next_back();
    for (entry, place) in pictures(snapshot, area) {
        draw_picture(&shown(entry, snapshot), theme, place, buffer);
        let style = if entry.moment == now { theme.found() } else { theme.label() };
        // The line below the last picture of a row gets the rest of the row's width.
        let next = place.x + PITCH.width;
        let ends_row = Some(entry) == last || next + PICTURE.width > area.right();
        let end = if ends_row { area.right() } else { next - 1 };
        let line = caption(entry, (end - place.x).into(), theme);
        buffer.set_string(place.x, place.bottom() - 1, line, style);
    }
}

/// The LEDs of a picture. If a program prints results and red LEDs are lit, only those are shown.
/// In the queens search, the green ones are the squares still to be tried.
fn shown(entry: &AlbumEntry, snapshot: &Snapshot) -> Display {
    let is_result = snapshot.program.result().is_some() && entry.display.red != [0; SIDE];
    let green = if is_result { [0; SIDE] } else { entry.display.green };
    Display { green, ..entry.display }
}

/// The number of printed lines so far, and of those in the known history.
fn heading(snapshot: &Snapshot, width: usize) -> String {
    let (album, now) = (&snapshot.time.marks.album, snapshot.time.now);
    let name = snapshot.program.result().unwrap_or(PRINTED_LINE);
    let last = album.entries().next_back().map_or(0, |entry| entry.line);
    let current = album.count_until(now).checked_sub(1).and_then(|position| album.get(position));
    let current = current.map_or(0, |entry| entry.line);
    let count = format!("{name} {} of {}", text::grouped(current), text::grouped(last));
    if count.len() + "album, ".len() > width { count } else { format!("album, {count}") }
}

/// The line as far as it fits, or its number if it is empty.
pub(super) fn caption(entry: &AlbumEntry, width: usize, theme: Theme) -> String {
    if !entry.text.trim().is_empty() {
        return text::truncate(&entry.text, width, theme.ellipsis());
    }
    let number = text::format_number(entry.line, width);
    if number.len() + 5 > width { number } else { format!("line {number}") }
}

fn draw_picture(display: &Display, theme: Theme, place: Rect, buffer: &mut Buffer) {
    for row in 0..PICTURE.height {
        for column in 0..PICTURE.width {
            let led = |row: u16| display.led(row.into(), column.into());
            let (symbol, style) = half_cells(led(2 * row), led(2 * row + 1), display, theme);
            buffer.set_string(place.x + column, place.y + row, symbol, style);
        }
    }
}

/// A cell with an LED in its upper half and one in its lower half.
fn half_cells(upper: Led, lower: Led, display: &Display, theme: Theme) -> (&'static str, Style) {
    if theme.depth > Depth::None && theme.unicode {
        let [above, below] = [upper, lower].map(|led| theme.led_color(led));
        // In many fonts the blocks do not fill their half and leave an edge of the background. So
        // the background is the dark LED if there is one, and equal LEDs have no block.
        return match (upper, lower) {
            _ if upper == lower => (" ", Style::new().bg(above)),
            (Led::Dark, _) => ("▄", Style::new().fg(below).bg(above)),
            _ => ("▀", Style::new().fg(above).bg(below)),
        };
    }
    // Without colours, only one kind of LED can be shown: the red ones, if there are any.
    let has_red = display.red != [0; SIDE];
    let is_shown =
        |led| if has_red { matches!(led, Led::Red | Led::Yellow) } else { led != Led::Dark };
    let symbols = if theme.unicode { [" ", "▀", "▄", "█"] } else { [" ", "'", ".", ":"] };
    let symbol = symbols[usize::from(is_shown(upper)) + 2 * usize::from(is_shown(lower))];
    (symbol, theme.panel().add_modifier(Modifier::BOLD))
}

/// The LEDs of the album's pictures, for pictures of the screen.
pub(super) fn spots(
    snapshot: &Snapshot,
    theme: Theme,
    area: Rect,
) -> impl Iterator<Item = LedSpot> {
    pictures(snapshot, area).flat_map(move |(entry, place)| {
        let display = shown(entry, snapshot);
        let positions = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column)));
        positions.map(move |(row, column)| LedSpot {
            color: theme.led_color(display.led(row, column)),
            cells: Rect::new(place.x + column as u16, place.y + row as u16 / 2, 1, 1),
            part: if row % 2 == 0 { LedPart::UpperHalf } else { LedPart::LowerHalf },
        })
    })
}

#[cfg(test)]
mod tests {
    use gray1_session::Command;

    use super::*;
    use crate::tests as testing;

    #[test]
    fn the_album_keeps_the_current_picture_visible() {
        let mut session = testing::session(testing::program("queens"), false);
        session.advance_by(100_000);
        let moments: Vec<u64> =
            session.snapshot().time.marks.album.entries().map(|it| it.moment).collect();
        assert!(moments.len() > 20);
        for (width, height) in [(8, 7), (18, 12), (28, 19), (60, 31), (200, 60)] {
            let area = area_for_rows(Rect::new(3, 2, width, height), 0).unwrap();
            for (current, &now) in moments.iter().enumerate() {
                session.command(Command::Seek(now));
                let snapshot = session.snapshot();
                let all: Vec<_> = pictures(&snapshot, area).collect();
                let first = moments.iter().position(|moment| *moment == all[0].0.moment).unwrap();
                assert!((first..first + all.len()).contains(&current), "{area}: {current}");
                for (n, (entry, place)) in all.iter().enumerate() {
                    assert_eq!(entry.moment, moments[first + n]);
                    assert_eq!(place.intersection(area), *place, "{area}");
                    assert!(place.y > area.y, "the heading");
                    assert!(!all[..n].iter().any(|(_, other)| other.intersects(*place)));
                    let corner = Position { x: place.right() - 1, y: place.bottom() - 1 };
                    assert_eq!(entry_at(&snapshot, area, corner), Some(*entry));
                }
            }
        }
    }

    #[test]
    fn a_line_is_as_long_as_the_next_picture_or_the_album_allows() {
        let printed = "HELLO READER\n123456789\nHELLO AGAIN\n".bytes();
        let source: Vec<String> =
            printed.map(|byte| format!(" LDI {byte}\n ST 0x1fff\n")).collect();
        let program = testing::assemble(&(source.concat() + " HALT\n"));
        let mut session = testing::session(program, false);
        session.advance_by(1000);
        for (width, lines) in [
            (40, &["HELLO RE… 123456789 HELLO AGAIN"][..]),
            (30, &["HELLO RE… 123456789 HELLO AGA…"]),
            (20, &["HELLO RE… 123456789", "HELLO AGAIN"]),
            (12, &["HELLO READER", "123456789", "HELLO AGAIN"]),
        ] {
            let area = Rect::new(0, 0, width, 19);
            let mut buffer = Buffer::empty(area);
            draw(&session.snapshot(), Theme::PICTURE, area, &mut buffer);
            let text = testing::text(&buffer);
            let found = text.lines().filter(|line| line.contains(['E', '9'])).map(str::trim_end);
            assert_eq!(found.collect::<Vec<_>>(), lines, "{width}");
        }
    }

    /// Blocks of many fonts do not fill their half of a cell. A background does.
    #[test]
    fn half_blocks_are_drawn_only_between_different_leds() {
        let display = Display::default();
        for (upper, lower, symbol, fg, bg) in [
            (Led::Dark, Led::Dark, " ", None, Led::Dark),
            (Led::Red, Led::Red, " ", None, Led::Red),
            (Led::Dark, Led::Red, "▄", Some(Led::Red), Led::Dark),
            (Led::Red, Led::Dark, "▀", Some(Led::Red), Led::Dark),
            (Led::Green, Led::Red, "▀", Some(Led::Green), Led::Red),
        ] {
            let color = |led| Theme::PICTURE.led_color(led);
            let style = Style { fg: fg.map(color), ..Style::new().bg(color(bg)) };
            let drawn = half_cells(upper, lower, &display, Theme::PICTURE);
            assert_eq!(drawn, (symbol, style), "{upper:?} over {lower:?}");
        }
    }

    #[test]
    fn each_led_of_an_album_picture_takes_half_a_cell() {
        let mut session = testing::session(testing::program("queens"), false);
        session.advance_by(20_000);
        let (snapshot, area) = (session.snapshot(), Rect::new(3, 2, 60, 30));
        let mut spots = spots(&snapshot, Theme::PICTURE, area);
        for (entry, place) in pictures(&snapshot, area) {
            for (row, column) in (0..8).flat_map(|row| (0..8).map(move |column| (row, column))) {
                let spot = spots.next().unwrap();
                let (x, y) = (place.x + column, place.y + row / 2);
                let part = [LedPart::UpperHalf, LedPart::LowerHalf][usize::from(row % 2)];
                assert_eq!((spot.cells, spot.part), (Rect::new(x, y, 1, 1), part));
                let is_red = entry.display.red[usize::from(row)] >> column & 1 == 1;
                let led = if is_red { Led::Red } else { Led::Dark };
                assert_eq!(spot.color, Theme::PICTURE.led_color(led));
            }
        }
        assert!(spots.next().is_none());
    }
}
