//! The client: its capabilities, and the settings of its user.

use serde_json::Value;

use super::message::Params;

/// The abilities and settings of a client.
#[derive(Debug, Default)]
pub(super) struct Client {
    /// Whether it shows symbols inside of others.
    pub(super) nests_symbols: bool,
    /// Whether it takes the operands of a signature as offsets into the label.
    pub(super) takes_offsets: bool,
    /// Whether it asks for all hints again when it is told to.
    pub(super) refreshes_hints: bool,
    pub(super) hints: Hints,
}

/// Which hints the user wants to see.
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
    /// Reads the parameters of `initialize`. What is not there, or not as it should be, the client
    /// cannot do.
    pub(super) fn new(params: &Params) -> Self {
        let can = |what: &str| params.get(&format!("/capabilities/{what}")).unwrap_or(false);
        let mut client = Self {
            nests_symbols: can("textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            takes_offsets: can("textDocument/signatureHelp/signatureInformation\
                                    /parameterInformation/labelOffsetSupport"),
            refreshes_hints: can("workspace/inlayHint/refreshSupport"),
            hints: Hints::default(),
        };
        client.set(params.value("/initializationOptions"));
        client
    }

    /// Takes in settings: `{ "inlayHints": { "addresses": true, "costs": true } }`, by themselves
    /// or as those of `gray1` among others. Others stay.
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
