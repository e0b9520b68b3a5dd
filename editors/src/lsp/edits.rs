//! Edits of documents: renaming and formatting.

use std::collections::BTreeMap;

use gray1_asm::{Files, Location as Place, Source, Span};
use gray1_isa::source_text::replaced_lines;

use super::protocol::{Position, Range, TextEdit, WorkspaceEdit};
use super::view::View;

impl View<'_> {
    /// The place of the name at a position, if it can be renamed.
    ///
    /// # Errors
    /// A message for the user that says why it cannot be renamed.
    pub fn prepare_rename(&self, at: Position) -> Result<Range, String> {
        let span = self.program.renamable(self.file, self.offset(at));
        let span = span.map_err(|why| why.to_string())?;
        // A name that cannot be renamed to itself cannot be renamed at all.
        self.rename(at, self.program.files.text(Place { file: self.file, span }))?;
        Ok(self.range(span))
    }

    /// The edits that rename the name at a position in all programs that share it.
    ///
    /// # Errors
    /// A message for the user that says why the name cannot be changed to `new`.
    pub fn rename(&self, at: Position, new: &str) -> Result<WorkspaceEdit, String> {
        let mut changes: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
        let programs = [self.program].into_iter().chain(self.programs.iter().copied());
        let places = gray1_asm::rename_in(programs, self.document(), self.offset(at), new);
        for (file, spans) in places.map_err(|why| why.to_string())? {
            for span in spans {
                let Some(location) = self.editable_location_in(file, span) else {
                    return Err(format!("it is used in {}, which cannot be changed", file.name()));
                };
                let edit = TextEdit { range: location.range, new_text: new.to_owned() };
                changes.entry(location.uri).or_default().push(edit);
            }
        }
        Ok(WorkspaceEdit { changes })
    }

    /// The edit that formats the document, as one range of lines. Empty if the document is already
    /// formatted, and `None` if it has errors.
    pub fn format(&self) -> Option<Vec<TextEdit>> {
        let file = self.document();
        let source = Source {
            id: file.id().to_owned(),
            name: file.name().to_owned(),
            text: file.text().to_owned(),
        };
        let new = gray1_asm::format(source, &mut Files::default()).ok()?;
        Some(self.replace_lines(0, file.text(), &new))
    }

    /// The edit that formats the lines of a range to match the lines around them. Lines with errors
    /// are left as they were. Empty if no line changes.
    pub(super) fn format_lines(&self, Range { start, end }: Range) -> Vec<TextEdit> {
        let file = self.document();
        let excludes_end = end.character == 0 && end.line > start.line;
        let begin = |line: u32| {
            let is_there = line < file.line_count();
            if is_there { file.line_span(line + 1).start } else { file.text().len() as u32 }
        };
        let end = end.line.saturating_add(u32::from(!excludes_end)).max(start.line);
        let first = begin(start.line);
        let old = &file.text()[first as usize..begin(end) as usize];
        let new = gray1_asm::format_range(file.text(), start.line as usize..end as usize);
        new.map_or_else(Vec::new, |new| self.replace_lines(first, old, &new))
    }

    /// The edit that replaces `old`, which begins at this byte, with `new`, as one range of lines.
    /// Empty if `old` and `new` are equal.
    fn replace_lines(&self, at: u32, old: &str, new: &str) -> Vec<TextEdit> {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let lines: Vec<&str> = new.split_inclusive('\n').collect();
        let [gone, come] = replaced_lines([&old, &lines]);
        let bytes = |lines: &[&str]| lines.iter().map(|line| line.len() as u32).sum::<u32>();
        let start = at + bytes(&old[..gone.start]);
        let end = start + bytes(&old[gone]);
        let new_text = lines[come].concat();
        if start == end && new_text.is_empty() {
            return Vec::new();
        }
        vec![TextEdit { range: self.range(Span { start, end }), new_text }]
    }
}
