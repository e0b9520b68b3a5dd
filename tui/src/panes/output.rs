//! The output pane: the last printed lines, in columns if they are short.

use gray1_session::{Output, Snapshot};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Context, Pane, PaneSpec, Placement};
use crate::theme::Theme;
use crate::{text, widgets};

/// The pane.
pub(crate) struct OutputPane;

impl PaneSpec for OutputPane {
    const NAME: &'static str = "output";
    const TITLE: &'static str = "pane: the program's output";
}

impl Pane for OutputPane {
    fn placement(&self, _: &Snapshot) -> Placement {
        Placement::Column(HEIGHT)
    }

    fn subtitle(&self, snapshot: &Snapshot) -> Option<String> {
        describe_count(&snapshot.output, COUNT_WIDTH)
    }

    fn height_max(&self, snapshot: &Snapshot, width: u16) -> u16 {
        let output = &snapshot.output;
        let rows = arrange_in_columns(output, usize::from(width - 2), usize::MAX).len();
        u16::try_from(rows + 2).map_or(u16::MAX, |height| height.max(HEIGHT))
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        let output = &context.snapshot.output;
        let mut lines = arrange_in_columns(output, area.width.into(), area.height.into());
        if lines.is_empty() {
            lines.push(Line::styled("nothing yet", context.theme.label()));
        }
        widgets::draw_lines(lines, context.theme, area, buffer);
    }
}

/// The height in the column on the left, and the minimum height elsewhere.
const HEIGHT: u16 = 8;

/// The last lines of the output under a heading, in columns if they are short.
pub(super) fn lines(
    output: &Output,
    theme: Theme,
    width: usize,
    height: usize,
) -> Vec<Line<'static>> {
    let rows = arrange_in_columns(output, width, height.saturating_sub(1));
    let room = width.saturating_sub("output,  lines".len());
    let heading = describe_count(output, room)
        .map_or("output".to_owned(), |count| format!("output, {count}"));
    let heading = (!rows.is_empty()).then(|| Line::styled(heading, theme.label()));
    heading.into_iter().chain(rows).collect()
}

/// The width of a count in the frame of the narrowest pane.
const COUNT_WIDTH: usize = 7;

/// The number of finished lines in words, if there are any.
fn describe_count(output: &Output, width: usize) -> Option<String> {
    match output.finished {
        0 => None,
        1 => Some("1 line".to_owned()),
        count => Some(format!("{} lines", text::format_number(count, width))),
    }
}

/// Arranges lines in columns to be read row by row, with the newest line at the end of the last
/// row. A line stays in its column while others follow.
fn arrange_in_columns(output: &Output, width: usize, height: usize) -> Vec<Line<'static>> {
    const GAP: usize = 2;
    let lines: Vec<&str> = output.lines().collect();
    let longest = lines.iter().map(|line| line.len()).max().unwrap_or_default().clamp(1, width);
    let columns = (width + GAP) / (longest + GAP);
    // The number of lines before the oldest one that is kept.
    let forgotten = output.forgotten;
    let skipped = (columns - forgotten % columns) % columns;
    let chunks: Vec<&[&str]> = lines[skipped.min(lines.len())..].chunks(columns).collect();
    let shown = &chunks[chunks.len().saturating_sub(height)..];
    let rows = shown.iter().map(|row| {
        let cells = row.iter().map(|line| format!("{line:<longest$.longest$}{:GAP$}", ""));
        Line::raw(cells.collect::<String>())
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_heading_needs_a_line_below_it() {
        let mut output = Output::default();
        output.push(b"one\n");
        let rows = |output: &Output, height| {
            let rows = lines(output, Theme::PICTURE, 20, height);
            rows.iter().map(|row| row.to_string().trim_end().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!([rows(&output, 0), rows(&output, 1)], [[""; 0]; 2]);
        assert_eq!(rows(&output, 2), ["output, 1 line", "one"]);
        output.push(b"2\n");
        assert_eq!(rows(&output, 2), ["output, 2 lines", "one  2"]);
    }

    #[test]
    fn a_printed_line_keeps_its_column() {
        let mut output = Output::default();
        // More lines than are kept.
        for n in 0..1300 {
            output.push(format!("{n:04}\n").as_bytes());
            // Four columns of four characters, with gaps of two.
            for (width, columns) in [(22, 4), (21, 3), (4, 1)] {
                let rows = lines(&output, Theme::PICTURE, width, 6);
                let rows: Vec<String> = rows.iter().map(Line::to_string).collect();
                assert!(rows[0].starts_with("output, ") && rows.len() <= 6);
                for row in &rows[1..] {
                    let cells: Vec<usize> =
                        row.split_whitespace().map(|cell| cell.parse().unwrap()).collect();
                    assert_eq!(cells[0] % columns, 0, "{n}: {rows:?}");
                    assert!(cells.len() <= columns && cells.is_sorted(), "{n}: {rows:?}");
                }
                assert!(rows.last().unwrap().trim_end().ends_with(&format!("{n:04}")), "{rows:?}");
            }
        }
    }
}
