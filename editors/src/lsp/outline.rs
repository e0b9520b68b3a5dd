//! The outline and the folding ranges of a document.

use gray1_asm::{NameKind, OutlineItem};
use serde_json::{Value, json};

use super::view::View;

impl View<'_> {
    /// The definitions in the document, nested.
    pub(super) fn symbols(&self) -> Vec<Value> {
        self.nested(self.program.outline(self.file))
    }

    /// The definitions in the document as a flat list, for a client that does not support nesting.
    pub(super) fn flat_symbols(&self, uri: &str) -> Vec<Value> {
        let mut list = Vec::new();
        self.flatten(self.program.outline(self.file), None, uri, &mut list);
        list
    }

    fn nested(&self, items: Vec<OutlineItem>) -> Vec<Value> {
        let symbols = items.into_iter().map(|item| {
            let mut symbol = json!({
                "name": item.name, "kind": symbol_kind(item.kind),
                "range": self.range(item.span), "selectionRange": self.range(item.name_span),
            });
            if let Some(detail) = item.detail {
                symbol["detail"] = detail.into();
            }
            if !item.children.is_empty() {
                symbol["children"] = self.nested(item.children).into();
            }
            symbol
        });
        symbols.collect()
    }

    fn flatten(
        &self,
        items: Vec<OutlineItem>,
        container: Option<&str>,
        uri: &str,
        list: &mut Vec<Value>,
    ) {
        for item in items {
            let location = json!({ "uri": uri, "range": self.range(item.span) });
            let kind = symbol_kind(item.kind);
            let mut symbol = json!({ "name": item.name, "kind": kind, "location": location });
            if let Some(container) = container {
                symbol["containerName"] = container.into();
            }
            list.push(symbol);
            self.flatten(item.children, Some(&item.name), uri, list);
        }
    }

    /// The folding ranges of the document.
    pub(super) fn folds(&self) -> Vec<Value> {
        let folds = self.program.folds(self.file).iter().map(|fold| {
            let mut range = json!({ "startLine": fold.first - 1, "endLine": fold.last - 1 });
            if fold.is_comment {
                range["kind"] = "comment".into();
            }
            range
        });
        folds.collect()
    }
}

/// The protocol's number of a kind (`SymbolKind`).
fn symbol_kind(kind: NameKind) -> u8 {
    match kind {
        NameKind::Field => 8,
        NameKind::Macro | NameKind::Routine | NameKind::Function => 12, // Function
        NameKind::Variable | NameKind::Parameter => 13,                 // Variable
        NameKind::Constant => 14,
        NameKind::Structure => 23,
        NameKind::Label => 24, // Event
    }
}
