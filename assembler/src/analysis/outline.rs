//! The outline of a file: its definitions, nested by blocks and labels.

use std::collections::HashMap;

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
        let mut tree = OutlineTree {
            file: self.files.get(file),
            blocks: blocks.map(|fold| (fold.first, fold.last)).collect(),
            roots: Vec::new(),
            open: Vec::new(),
        };
        for occurrence in index.occurrences.iter().filter(|occurrence| occurrence.defines) {
            if let Some(item) = self.outline_item(file, occurrence) {
                tree.add(item);
            }
        }
        tree.finish()
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

/// The outline while it is built, line by line.
struct OutlineTree<'a> {
    file: &'a InputFile,
    /// The last line of each block, by its first line.
    blocks: HashMap<u32, u32>,
    roots: Vec<OutlineItem>,
    /// The blocks and labels that contain the current line, outermost first. Each block comes with
    /// the number of its last line. A label comes with `None`, because the next label ends it.
    open: Vec<(OutlineItem, Option<u32>)>,
}

impl OutlineTree<'_> {
    fn add(&mut self, mut item: OutlineItem) {
        let line = self.file.line_of(item.name_span.start);
        item.span = self.file.line_span(line);
        let is_local = item.name.starts_with('@');
        let is_label = item.kind == NameKind::Label && !is_local;
        let is_block =
            matches!(item.kind, NameKind::Macro | NameKind::Routine | NameKind::Structure);
        while self.open.iter().any(|(_, last)| last.is_some_and(|last| last < line)) {
            self.close(line);
        }
        if (is_label || is_block) && self.open.last().is_some_and(|(_, last)| last.is_none()) {
            self.close(line - 1);
        }
        if is_block {
            let last = self.blocks.get(&line).copied().unwrap_or(line);
            self.open.push((item, Some(last)));
        } else if is_label {
            self.open.push((item, None));
        } else {
            // Only local names are nested under a label.
            let mut around = self.open.iter_mut().rev();
            let around = around.find(|(_, last)| is_local || last.is_some());
            around.map_or(&mut self.roots, |(open, _)| &mut open.children).push(item);
        }
    }

    /// Closes the innermost open item. A label extends to the last line with code up to this one,
    /// but not to the line that closes the enclosing block.
    fn close(&mut self, line: u32) {
        let Some((mut item, last)) = self.open.pop() else { return };
        let first = self.file.line_of(item.name_span.start);
        let closer = self.open.iter().filter_map(|(_, last)| *last).min().unwrap_or(u32::MAX);
        let last = last.unwrap_or_else(|| self.end_of_code(line.min(closer - 1))).max(first);
        // A definition on the line that ends the block is still in the block.
        let ends = item.children.iter().map(|child| child.span.end);
        item.span.end = ends.fold(self.file.line_span(last).end, u32::max);
        item.children.sort_unstable_by_key(|child| child.name_span.start);
        self.open.last_mut().map_or(&mut self.roots, |(open, _)| &mut open.children).push(item);
    }

    /// Returns the last line with code up to this one. Comments belong to the code that follows
    /// them.
    fn end_of_code(&self, line: u32) -> u32 {
        let has_code = |line: &u32| {
            let text = self.file.line(*line).trim_start();
            !text.is_empty() && !text.starts_with(';')
        };
        (1..=line).rev().find(has_code).unwrap_or(line)
    }

    fn finish(mut self) -> Vec<OutlineItem> {
        while !self.open.is_empty() {
            self.close(self.file.line_count());
        }
        self.roots.sort_unstable_by_key(|item| item.name_span.start);
        self.roots
    }
}
