//! What the program says that it does at the moment: the captions of its source.

use gray1_isa::presentation::Caption;
use ratatui::text::Line;

use crate::session::Snapshot;
use crate::text;
use crate::theme::Theme;

/// The caption of the instruction that comes next, in lines of this width. There are as many lines
/// as the longest caption of the program takes, so that nothing below moves.
pub(super) fn lines(snapshot: &Snapshot, width: usize) -> Vec<Line<'static>> {
    let image = &snapshot.program.image;
    let wrapped = block(&image.presentation().captions, image.caption(snapshot.cpu.pc), width);
    wrapped.into_iter().map(|line| Line::styled(line, Theme::VALUE)).collect()
}

fn block(captions: &[Caption], current: Option<&str>, width: usize) -> Vec<String> {
    let longest = captions.iter().map(|caption| text::wrap(&caption.text, width).len()).max();
    let mut lines = current.map_or(Vec::new(), |current| text::wrap(current, width));
    lines.resize(longest.unwrap_or(0), String::new());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_below_moves_when_the_caption_changes() {
        let caption = |text: &str| Caption { text: text.into(), at: Vec::new() };
        let captions = [caption("place a queen"), caption("step back")];
        assert_eq!(block(&captions, Some("place a queen"), 7), ["place ", "a queen"]);
        assert_eq!(block(&captions, Some("step back"), 9), ["step back", ""]);
        assert_eq!(block(&captions, None, 80), [""]);
        assert!(block(&[], None, 80).is_empty());
    }
}
