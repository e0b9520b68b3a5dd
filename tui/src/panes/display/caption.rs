//! The caption next to the LEDs: the program's current activity, from the comments of its source.

use gray1_session::Snapshot;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::panes::Context;
use crate::theme::Theme;
use crate::{text, widgets};

/// Draws the caption of the next instruction.
pub(super) fn draw(snapshot: &Snapshot, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let Some(caption) = snapshot.program.image.caption(snapshot.cpu.pc) else { return };
    let lines = wrap_caption(caption, area.width.into(), area.height.into(), theme.ellipsis());
    let lines = lines.into_iter().map(|line| Line::styled(line, Theme::VALUE));
    widgets::draw_lines(lines, theme, area, buffer);
}

/// Draws the program's description or instructions above the LEDs, if a line is free there.
pub(super) fn draw_usage(context: &Context, area: Rect, matrix: Rect, buffer: &mut Buffer) {
    let Some(usage) = context.snapshot.program.usage().filter(|_| area.y < matrix.y) else {
        return;
    };
    let row = Rect::new(matrix.x, area.y, area.right() - matrix.x, 1);
    let style = context.theme.label();
    let usage = text::truncate(&text::printable(usage), row.width.into(), context.theme.ellipsis());
    widgets::draw_lines([Line::styled(usage, style)], context.theme, row, buffer);
}

/// A caption in at most `height` lines of this width. If its end is cut off, `ellipsis` replaces
/// it.
fn wrap_caption(caption: &str, width: usize, height: usize, ellipsis: &str) -> Vec<String> {
    let lines = text::wrap(caption, width);
    let Some(last) = height.checked_sub(1) else { return Vec::new() };
    let whole = lines.iter().take(last).map(|line| line.trim_end().to_owned());
    let rest = lines.get(last..).unwrap_or_default().concat();
    whole.chain((!rest.is_empty()).then(|| text::truncate(&rest, width, ellipsis))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_caption_ends_in_an_ellipsis() {
        let caption = "Place a queen there.";
        let wrap = |width, height| wrap_caption(caption, width, height, "...");
        assert_eq!(wrap(10, 2), ["Place a", "queen t..."]);
        assert_eq!(wrap(10, 3), ["Place a", "queen", "there."]);
        assert_eq!(wrap(20, 2), [caption]);
        assert_eq!(wrap(5, 1), ["Pl..."]);
        assert!(wrap(10, 0).is_empty());
    }
}
