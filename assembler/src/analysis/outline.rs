//! The outline of a file: its definitions, nested by blocks and labels.

use std::collections::HashMap;
use std::vec::IntoIter;

use super::index::{NameKind, Occurrence};
use super::program::Analysis;
use crate::source::{FileId, InputFile, Location, Span};

/// A definition in the outline, with the definitions nested in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineItem {
    /// The name, as the definition spells it.
    pub name: String,
    /// The kind of thing that has this name.
    pub kind: NameKind,
    /// Its parameters, address or value.
    pub detail: Option<String>,
    /// The range of the name.
    pub name_span: Span,
    /// The range of its block, or of the lines up to the next global label.
    pub span: Span,
    /// The definitions nested in it, in source order. A label contains the local names after it.
    pub children: Vec<OutlineItem>,
}

impl Analysis {
    /// Returns the definitions of a file, by place.
    pub fn outline(&self, file: FileId) -> Vec<OutlineItem> {
        let Some(index) = self.index.file(file) else { return Vec::new() };
        let blocks = index.folds.iter().filter(|fold| !fold.is_comment);
        let blocks = blocks.map(|fold| (fold.first, fold.last)).collect();
        let defined = index.occurrences.iter().filter(|occurrence| occurrence.defines);
        let items = defined.filter_map(|occurrence| self.outline_item(file, occurrence));
        let items: Vec<OutlineItem> = items.collect();
        nest(&mut items.into_iter(), u32::MAX, false, self.files.get(file), &blocks)
    }

    fn outline_item(&self, file: FileId, occurrence: &Occurrence) -> Option<OutlineItem> {
        let entity = &self.index.entities[*occurrence.entities.first()?];
        let place = Location { file, span: occurrence.span };
        let detail = match entity.kind {
            NameKind::Parameter => return None,
            NameKind::Macro | NameKind::Routine | NameKind::Function => {
                self.usage(entity).strip_prefix(&*entity.name).map(|rest| rest.trim().to_owned())
            }
            _ => self.value_at(place),
        };
        Some(OutlineItem {
            name: self.files.text(place).to_owned(),
            kind: entity.kind,
            detail: detail.filter(|detail| !detail.is_empty()),
            name_span: place.span,
            span: place.span,
            children: Vec::new(),
        })
    }
}

impl OutlineItem {
    fn is_local(&self) -> bool {
        self.name.starts_with('@')
    }

    fn is_block(&self) -> bool {
        matches!(self.kind, NameKind::Macro | NameKind::Routine | NameKind::Structure)
    }

    fn is_label(&self) -> bool {
        self.kind == NameKind::Label && !self.is_local()
    }
}

/// Nests the items up to this line, which closes a block. Within a label, stops at the next label
/// or block. `blocks` has the last line of each block by its first line.
fn nest(
    items: &mut IntoIter<OutlineItem>,
    end: u32,
    in_label: bool,
    file: &InputFile,
    blocks: &HashMap<u32, u32>,
) -> Vec<OutlineItem> {
    let line = |item: &OutlineItem| file.line_of(item.name_span.start);
    let mut nested = Vec::new();
    while let Some(next) = items.as_slice().first()
        && line(next) <= end
        && !(in_label && (next.is_label() || next.is_block()))
        && let Some(mut item) = items.next()
    {
        let first = line(&item);
        let (mut last, mut after) = (first, Vec::new());
        if item.is_block() {
            last = blocks.get(&first).copied().unwrap_or(first);
            item.children = nest(items, last, false, file, blocks);
        } else if item.is_label() {
            item.children = nest(items, end, true, file, blocks);
            // Only local names are nested under a label.
            after = item.children.extract_if(.., |it| !it.is_local()).collect();
            let next = items.as_slice().first().map_or(end, line).min(end);
            last = end_of_code(file, next - 1).max(first);
        }
        item.span = file.line_span(first).to(file.line_span(last));
        // A definition on the line that ends the block is still in the block.
        let ends = item.children.iter().map(|child| child.span.end);
        item.span.end = ends.fold(item.span.end, u32::max);
        nested.push(item);
        nested.append(&mut after);
    }
    nested
}

/// Returns the last line with code up to this one. Comments belong to the code that follows
/// them.
fn end_of_code(file: &InputFile, line: u32) -> u32 {
    let mut lines = (1..=line.min(file.line_count())).rev();
    let last = lines.find(|line| {
        let text = file.line(*line).trim_start();
        !text.is_empty() && !text.starts_with(';')
    });
    last.unwrap_or(line)
}
