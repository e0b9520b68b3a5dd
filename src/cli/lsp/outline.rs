//! The outline of a document, as the protocol puts it.

use gray1_asm::{NameKind, OutlineItem};
use lsp_types::{
    DocumentSymbol, DocumentSymbolResponse, Location, SymbolInformation, SymbolKind, Uri,
};

use super::client::Client;
use super::view::View;

impl View<'_> {
    /// The definitions in the document. A client that does not nest symbols gets them in a row.
    pub(super) fn symbols(&self, client: &Client, uri: &Uri) -> DocumentSymbolResponse {
        let items = self.program.outline(self.file);
        if client.nests_symbols {
            let symbols = items.into_iter().map(|item| self.symbol(item));
            return DocumentSymbolResponse::Nested(symbols.collect());
        }
        let mut row = Vec::new();
        self.line_up(items, None, uri, &mut row);
        DocumentSymbolResponse::Flat(row)
    }

    #[expect(deprecated, reason = "the field is there to be left empty")]
    fn symbol(&self, item: OutlineItem) -> DocumentSymbol {
        let children: Vec<_> = item.children.into_iter().map(|child| self.symbol(child)).collect();
        DocumentSymbol {
            name: item.name,
            detail: item.detail,
            kind: symbol_kind(item.kind),
            tags: None,
            deprecated: None,
            range: self.range(item.span),
            selection_range: self.range(item.name_span),
            children: (!children.is_empty()).then_some(children),
        }
    }

    #[expect(deprecated, reason = "the field is there to be left empty")]
    fn line_up(
        &self,
        items: Vec<OutlineItem>,
        around: Option<&str>,
        uri: &Uri,
        row: &mut Vec<SymbolInformation>,
    ) {
        for item in items {
            row.push(SymbolInformation {
                name: item.name.clone(),
                kind: symbol_kind(item.kind),
                tags: None,
                deprecated: None,
                location: Location { uri: uri.clone(), range: self.range(item.span) },
                container_name: around.map(str::to_owned),
            });
            self.line_up(item.children, Some(&item.name), uri, row);
        }
    }
}

fn symbol_kind(kind: NameKind) -> SymbolKind {
    match kind {
        NameKind::Label => SymbolKind::EVENT,
        NameKind::Constant => SymbolKind::CONSTANT,
        NameKind::Variable | NameKind::Parameter => SymbolKind::VARIABLE,
        NameKind::Structure => SymbolKind::STRUCT,
        NameKind::Field => SymbolKind::FIELD,
        NameKind::Macro | NameKind::Routine | NameKind::Function => SymbolKind::FUNCTION,
    }
}
