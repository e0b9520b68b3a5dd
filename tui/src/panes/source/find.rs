//! Searches the source for a string: from the cursor in the shown file, then in all other files.

use gray1_isa::source_map::SourceLine;
use gray1_session::{Snapshot, instructions};

use super::SourcePane;
use super::draw::line_text;
use super::listing::{ListingRow, RowContents};
use crate::actions::Reply;

/// The number of a line's columns that are visible in a terminal of 80x24.
const COLUMNS_SHOWN: usize = 40;

impl SourcePane {
    /// Puts the cursor on the next or previous row that contains the string.
    pub(super) fn find_again(&mut self, snapshot: &Snapshot, forward: bool) -> Reply {
        if self.search_text.is_empty() {
            return Reply::Note("no search text yet: press /");
        }
        let here = self.here(snapshot);
        let mut rows = self.rows(&here);
        // The search wraps around: the rows after the cursor, other files, the rows up to the
        // cursor.
        let cursor = self.cursor_row(&rows, &here);
        let mut others = rows.split_off((cursor + 1).min(rows.len()));
        let at_cursor = rows.pop();
        others.extend(self.lines_of_other_files(self.file(&here)));
        others.append(&mut rows);
        if !forward {
            others.reverse();
        }
        let mut rows = others.into_iter().chain(at_cursor);
        match rows.find_map(|row| self.end_of_match(&row).map(|end| (row, end))) {
            Some((row, end)) => {
                (self.pinned, self.top) = (Some(row.without_iteration()), None);
                self.column = end.saturating_sub(COLUMNS_SHOWN);
                Reply::Done
            }
            None => Reply::Note("not found"),
        }
    }

    /// The lines of the files after this one, then of those before it.
    fn lines_of_other_files(&self, shown: Option<u16>) -> Vec<ListingRow> {
        let files = self.program.image.source_map().files();
        let Some(shown) = shown.map(usize::from) else { return Vec::new() };
        let others = (shown + 1..files.len()).chain(0..shown);
        let lines = others.flat_map(|file| {
            (1..=files[file].lines.len() as u32)
                .map(move |line| SourceLine { file: file as u16, line })
        });
        let kinds = lines.map(|place| RowContents::Line { place, code: None });
        kinds.map(|kind| ListingRow { path: Vec::new(), kind }).collect()
    }

    /// The column after the string in a row that contains it. Lower case also matches upper case.
    fn end_of_match(&self, row: &ListingRow) -> Option<usize> {
        let image = &self.program.image;
        let mut text = match row.kind {
            RowContents::Line { place, .. } => line_text(image, place),
            RowContents::Word(index) => instructions::disassemble(image, index),
            RowContents::Gap => return None,
        };
        if !self.search_text.chars().any(char::is_uppercase) {
            text = text.to_lowercase();
        }
        let start = text.find(&self.search_text)?;
        Some(text[..start + self.search_text.len()].chars().count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests as testing;

    #[test]
    fn find_searches_each_line_of_other_files_once() {
        let snapshot = testing::session(testing::program("queens"), true).snapshot();
        let view = SourcePane::new(&snapshot);
        let files = snapshot.program.image.source_map().files();
        assert!(files.len() > 2);
        for shown in 0..files.len() as u16 {
            let rows = view.lines_of_other_files(Some(shown));
            let mut seen: Vec<u16> = rows.iter().filter_map(ListingRow::file).collect();
            let lines = files.iter().map(|file| file.lines.len()).sum::<usize>();
            assert_eq!(seen.len(), lines - files[usize::from(shown)].lines.len());
            seen.dedup();
            let after = shown + 1..files.len() as u16;
            assert_eq!(seen, after.chain(0..shown).collect::<Vec<u16>>());
        }
        assert!(view.lines_of_other_files(None).is_empty());
    }
}
