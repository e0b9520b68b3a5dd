//! The capabilities of the server.

use serde_json::{Value, json};

use super::{fixes, tokens};

/// The result of `initialize`.
pub(super) fn initialize_result() -> Value {
    json!({
        "capabilities": {
            // Sources are short, so sending complete documents is simpler than tracking changes.
            "textDocumentSync": { "openClose": true, "change": 1, "save": true },
            "hoverProvider": true,
            "definitionProvider": true,
            "referencesProvider": true,
            "renameProvider": { "prepareProvider": true },
            "completionProvider": { "triggerCharacters": [".", "@", "\"", "/"] },
            "signatureHelpProvider": { "triggerCharacters": [" ", "(", ","] },
            "codeActionProvider": { "codeActionKinds": [fixes::QUICK_FIX] },
            "semanticTokensProvider": { "legend": tokens::legend(), "range": true, "full": true },
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "inlayHintProvider": true,
            "codeLensProvider": {},
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "foldingRangeProvider": true,
        },
        "serverInfo": { "name": "gray1", "version": env!("CARGO_PKG_VERSION") },
    })
}
