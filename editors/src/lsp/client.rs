//! The client: its capabilities, and the settings of its user.

use serde_json::Value;

use super::message::Params;

/// The capabilities of a client, and the settings of its user.
#[derive(Debug, Default)]
pub(super) struct Client {
    /// The process that started the server, if it has said so.
    pub(super) process: Option<i32>,
    /// Whether it nests symbols.
    pub(super) nests_symbols: bool,
    /// Whether it takes the operands of a signature as offsets into the label.
    pub(super) takes_offsets: bool,
    /// Whether the server may ask it to request all hints again.
    pub(super) refreshes_hints: bool,
    pub(super) hints: Hints,
}

/// The kinds of inlay hints that are switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hints {
    pub(super) addresses: bool,
    pub(super) costs: bool,
}

impl Default for Hints {
    fn default() -> Self {
        Self { addresses: true, costs: true }
    }
}

impl Client {
    /// Reads the parameters of `initialize`. A capability that is missing or malformed counts as
    /// absent.
    pub(super) fn new(params: &Params) -> Self {
        let can = |what: &str| params.get(&format!("/capabilities/{what}")).unwrap_or(false);
        let mut client = Self {
            process: params.get("/processId").ok().filter(|&process: &i32| process > 0),
            nests_symbols: can("textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            takes_offsets: can("textDocument/signatureHelp/signatureInformation\
                                    /parameterInformation/labelOffsetSupport"),
            refreshes_hints: can("workspace/inlayHint/refreshSupport"),
            hints: Hints::default(),
        };
        client.set(params.value("/initializationOptions"));
        client
    }

    /// Applies settings, `{ "inlayHints": { "addresses": true, "costs": true } }`, alone or below
    /// `gray1`. Settings that are not named stay.
    pub(super) fn set(&mut self, settings: &Value) {
        let settings = settings.get("gray1").unwrap_or(settings);
        let wanted = |what: &str| settings.pointer(&format!("/inlayHints/{what}"))?.as_bool();
        let Hints { addresses, costs } = self.hints;
        self.hints = Hints {
            addresses: wanted("addresses").unwrap_or(addresses),
            costs: wanted("costs").unwrap_or(costs),
        };
    }
}
