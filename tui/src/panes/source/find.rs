//! Finds a text in the source: from the cursor on in the file that is shown, then in all others.

use gray1_isa::source_map::Place;

use super::Source;
use super::listing::{Path, Row, RowKind};
use crate::actions::Reply;
use crate::names;
use crate::session::Snapshot;

impl Source {
    /// Puts the cursor on the next row that holds the text, or on the one before.
    pub(super) fn find_again(&mut self, snapshot: &Snapshot, forward: bool) -> Reply {
        if self.wanted.is_empty() {
            return Reply::Note("nothing was looked for yet: press /");
        }
        let here = self.here(snapshot);
        let mut rows = self.rows(&here);
        // Round and round: what comes behind the cursor, other files, the rows up to the cursor.
        let cursor = self.place(&rows, &here);
        let mut others = rows.split_off((cursor + 1).min(rows.len()));
        let at_cursor = rows.pop();
        others.extend(self.lines_of_other_files(self.file(&here)));
        others.append(&mut rows);
        if !forward {
            others.reverse();
        }
        match others.into_iter().chain(at_cursor).find(|row| self.matches(row)) {
            Some(row) => {
                (self.put, self.top) = (Some(row.in_any_turn()), None);
                Reply::Done
            }
            None => Reply::Note("not found"),
        }
    }

    /// The lines of the files behind this one, then of those before it.
    fn lines_of_other_files(&self, shown: Option<u16>) -> Vec<Row> {
        let files = self.program.image.source_map().files();
        let Some(shown) = shown.map(usize::from) else { return Vec::new() };
        let others = (shown + 1..files.len()).chain(0..shown);
        let lines = others.flat_map(|file| {
            (1..=files[file].lines.len() as u32).map(move |line| Place { file: file as u16, line })
        });
        let row = |place| Row { path: Path::new(), kind: RowKind::Line { place, code: None } };
        lines.map(row).collect()
    }

    /// Whether a row holds the text. Small letters find capitals too.
    fn matches(&self, row: &Row) -> bool {
        let image = &self.program.image;
        let text = match row.kind {
            RowKind::Line { place, .. } => {
                image.source_map().line(place).unwrap_or_default().into()
            }
            RowKind::Word(index) => names::instruction(image, index),
            RowKind::Gap => return false,
        };
        if self.wanted.chars().any(char::is_uppercase) {
            text.contains(&self.wanted)
        } else {
            text.to_lowercase().contains(&self.wanted)
        }
    }
}
