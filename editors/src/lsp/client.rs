//! The client: its capabilities, and the settings of its user.

use std::path::PathBuf;

use gray1_asm::Define;
use serde_json::{Value, json};

use super::message::Params;
use super::uri::path_of;

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
    /// What it is asked for once it is initialized: to watch files, if it can.
    pub(super) registrations: Vec<Value>,
    pub(super) hints: Hints,
    pub(super) assembly: AssemblySettings,
    /// The folder that it works in.
    root: PathBuf,
    /// What is wrong with the settings, for the user.
    pub(super) complaints: Vec<String>,
}

/// How programs are assembled: as the options `-D` and `-I` say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct AssemblySettings {
    pub(super) defines: Vec<Define>,
    pub(super) folders: Vec<PathBuf>,
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
        let watching = "workspace/didChangeWatchedFiles";
        let mut client = Self {
            process: params.get("/processId").ok().filter(|&process: &i32| process > 0),
            nests_symbols: can("textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            takes_offsets: can("textDocument/signatureHelp/signatureInformation\
                                    /parameterInformation/labelOffsetSupport"),
            refreshes_hints: can("workspace/inlayHint/refreshSupport"),
            registrations: if can(&format!("{watching}/dynamicRegistration")) {
                let options = json!({ "watchers": [{ "globPattern": "**/*.{asm,ron}" }] });
                vec![json!({ "id": watching, "method": watching, "registerOptions": options })]
            } else {
                Vec::new()
            },
            root: path_of(params.get("/rootUri").unwrap_or_default()).unwrap_or_default(),
            ..Self::default()
        };
        client.set(params.value("/initializationOptions"));
        client
    }

    /// Applies settings, `{ "inlayHints": { "addresses": true, "costs": true }, "define": ["N=3"],
    /// "include": ["lib"] }`, alone or below `gray1`. Settings that are not named stay.
    pub(super) fn set(&mut self, settings: &Value) {
        let settings = settings.get("gray1").unwrap_or(settings);
        let wanted = |what: &str| settings.pointer(&format!("/inlayHints/{what}"))?.as_bool();
        let Hints { addresses, costs } = self.hints;
        self.hints = Hints {
            addresses: wanted("addresses").unwrap_or(addresses),
            costs: wanted("costs").unwrap_or(costs),
        };
        let texts = |name: &str| {
            let texts = settings.get(name)?.as_array()?;
            Some(texts.iter().filter_map(Value::as_str).collect::<Vec<_>>())
        };
        if let Some(texts) = texts("define") {
            self.assembly.defines.clear();
            for text in texts {
                match text.parse() {
                    Ok(define) => self.assembly.defines.push(define),
                    Err(why) => self.complaints.push(format!("define: `{text}`: {why}")),
                }
            }
        }
        if let Some(folders) = texts("include") {
            self.assembly.folders = folders.iter().map(|folder| self.root.join(folder)).collect();
        }
    }
}
