//! The list of all that can be done, searched by typing: the help (`?`) in the order of the table,
//! the palette (`:`) with the best match first. Enter does what is selected.

use super::actions::{Binding, Group, Key, TABLE};
use super::chooser::Chooser;

/// What the list was opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To learn the keys.
    Help,
    /// To do something.
    Do,
}

/// The list.
#[derive(Debug)]
pub(super) struct Palette {
    pub(super) purpose: Purpose,
    pub(super) chooser: Chooser,
}

impl Palette {
    pub(super) fn new(purpose: Purpose) -> Self {
        Self { purpose, chooser: Chooser::default() }
    }

    /// What stands in the frame.
    pub(super) fn title(&self) -> &'static str {
        match self.purpose {
            Purpose::Help => "help: type to search, enter does it",
            Purpose::Do => "do",
        }
    }

    /// The rows that match what was typed: by group, or the best match first.
    pub(super) fn matches(&self) -> Vec<&'static Binding> {
        let wanted = self.chooser.typed().to_lowercase();
        let mut rows: Vec<(usize, &Binding)> =
            TABLE.iter().filter_map(|row| Some((badness(row, &wanted)?, row))).collect();
        match self.purpose {
            Purpose::Help => rows.sort_by_key(|(_, row)| row.group),
            Purpose::Do => rows.sort_by_key(|(badness, _)| *badness),
        }
        rows.into_iter().map(|(_, row)| row).collect()
    }

    /// The row that is selected, if any matches.
    pub(super) fn choice(&self) -> Option<&'static Binding> {
        let matches = self.matches();
        matches.get(self.chooser.selected(matches.len())).copied()
    }

    /// The heading that stands over a row, if the row before is of another group.
    pub(super) fn heading(&self, rows: &[&Binding], row: usize) -> Option<Group> {
        let group = rows[row].group;
        let begins = row == 0 || rows[row - 1].group != group;
        (begins && self.purpose == Purpose::Help).then_some(group)
    }
}

/// How badly a row matches what was typed, in lower case; `None` if it does not. Best is its key,
/// then the start of its title, of a word in it, any part of it; last its letters in this order,
/// the closer together the better.
fn badness(row: &Binding, wanted: &str) -> Option<usize> {
    let title = row.title.to_lowercase();
    let is_key = |key: &Key| key.name().to_lowercase() == wanted;
    match title.find(wanted) {
        _ if row.keys.iter().any(is_key) => Some(0),
        Some(0) => Some(1),
        Some(at) if title.as_bytes()[at - 1] == b' ' => Some(2),
        Some(_) => Some(3),
        None => shortest_stretch(&title, wanted).map(|length| 4 + length),
    }
}

/// The length of the shortest stretch of a text that holds these letters in this order.
fn shortest_stretch(text: &str, letters: &str) -> Option<usize> {
    let from = |start: usize| {
        let mut rest = text[start..].char_indices();
        let mut end = 0;
        for letter in letters.chars() {
            end = rest.find(|(_, c)| *c == letter)?.0;
        }
        Some(end)
    };
    text.char_indices().filter_map(|(start, _)| from(start)).min()
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use super::*;
    use crate::tui::actions::Action;

    fn typed(purpose: Purpose, text: &str) -> Palette {
        let mut palette = Palette::new(purpose);
        for c in text.chars() {
            palette.chooser.edit(KeyCode::Char(c).into());
        }
        palette
    }

    #[test]
    fn every_action_is_in_the_list() {
        for purpose in [Purpose::Help, Purpose::Do] {
            let rows = Palette::new(purpose).matches();
            assert_eq!(rows.len(), TABLE.len());
            for row in TABLE {
                assert!(rows.iter().any(|listed| listed.action == row.action), "{}", row.title);
            }
        }
    }

    #[test]
    fn the_best_match_is_what_enter_does() {
        for (text, action) in [
            ("reset", Action::Reset),
            ("r", Action::Reset),
            ("led", Action::NextLedChange),
            ("S", Action::Step),
            ("opn", Action::Open),
            ("redraw", Action::Redraw),
        ] {
            let choice = typed(Purpose::Do, text).choice().map(|row| row.action);
            assert_eq!(choice, Some(action), "{text}");
        }
        assert!(typed(Purpose::Do, "xyzzy").choice().is_none());
    }

    #[test]
    fn in_the_help_every_group_has_one_heading() {
        let help = Palette::new(Purpose::Help);
        let rows = help.matches();
        let headings = (0..rows.len()).filter_map(|row| help.heading(&rows, row));
        let headings: Vec<Group> = headings.collect();
        assert!(headings.is_sorted() && headings.len() > 3, "{headings:?}");
        assert!(headings.windows(2).all(|pair| pair[0] != pair[1]));
    }

    /// The keys as docs/DEBUGGER.md lists them.
    fn documented() -> String {
        let palette = Palette::new(Purpose::Help);
        let rows = palette.matches();
        let lines = rows.iter().enumerate().map(|(n, row)| {
            let heading = palette.heading(&rows, n).map(|group| {
                let gap = if n == 0 { "" } else { "\n" };
                format!("{gap}**{}**\n\n| | |\n|---|---|\n", group.title())
            });
            let keys = row.keys.iter().map(|key| format!("`{}`", key.name()));
            let keys = keys.collect::<Vec<_>>().join(" ");
            format!("{}| {keys} | {} |\n", heading.unwrap_or_default(), row.title)
        });
        lines.collect()
    }

    #[test]
    fn the_handbook_lists_the_keys_as_they_are() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/DEBUGGER.md");
        let text = std::fs::read_to_string(path).unwrap();
        let (_, listed) = text.split_once("<!-- keys -->\n").unwrap();
        let (listed, _) = listed.split_once("<!-- end of keys -->").unwrap();
        let expected = documented();
        assert!(listed == expected, "docs/DEBUGGER.md is stale; its keys are now:\n{expected}");
    }
}
