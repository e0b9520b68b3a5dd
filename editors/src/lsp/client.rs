//! The client: its capabilities, and the settings of its user.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::message::Params;
use super::uri::path_from_uri;
use crate::settings::{PROGRAM_FIELDS, ProgramSettings, check};

/// The capabilities of a client, and the settings of its user.
#[derive(Debug, Default)]
pub(super) struct Client {
    /// The process that started the server, if the client has named it.
    pub(super) process: Option<i32>,
    /// Whether it supports nested symbols.
    pub(super) nested_symbols: bool,
    /// Whether it supports offsets into the label of a signature to identify operands.
    pub(super) label_offsets: bool,
    /// Whether the server may ask it to request all hints again.
    pub(super) hint_refresh: bool,
    /// The requests to send to the client after initialization. They ask it to watch files, if it
    /// can.
    pub(super) registrations: Vec<Value>,
    pub(super) hints: Hints,
    pub(super) settings: Settings,
    /// The errors in the settings, as messages for the user.
    pub(super) errors: Vec<String>,
    /// The errors in the previous settings, which the user has already seen.
    known_errors: Vec<String>,
}

/// The settings for programs, and the folders of the client.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Settings {
    /// The fields of [`ProgramSettings`] that are set.
    pub(super) fields: Map<String, Value>,
    /// The folders that the client works in.
    folders: Vec<PathBuf>,
}

impl Settings {
    /// The settings for the program at a path. Relative paths in the settings start at the client's
    /// folder that contains the program, or else at the client's first folder.
    pub(super) fn at(&self, program: &Path) -> ProgramSettings {
        let around = self.folders.iter().filter(|folder| program.starts_with(folder));
        let around = around.max_by_key(|folder| folder.as_os_str().len());
        let folder = around.or(self.folders.first()).map_or(Path::new(""), PathBuf::as_path);
        let settings = ProgramSettings::deserialize(Value::Object(self.fields.clone()));
        settings.unwrap_or_default().resolve_in(folder)
    }
}

/// The folders that the client works in. If it names none, the server's own folder.
fn find_folders(params: &Params, own: PathBuf) -> Vec<PathBuf> {
    let folders = params.value("/workspaceFolders").as_array().into_iter().flatten();
    let folders: Vec<PathBuf> =
        folders.filter_map(|folder| path_from_uri(folder["uri"].as_str()?)).collect();
    if !folders.is_empty() {
        return folders;
    }
    let root = params.get("/rootUri").ok().and_then(path_from_uri);
    let old = params.get::<&str>("/rootPath").ok().map(PathBuf::from);
    vec![root.or(old).unwrap_or(own)]
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
    /// Reads the parameters of `initialize`. A missing or malformed capability counts as absent.
    /// `own` is the folder that the server works in.
    pub(super) fn new(params: &Params, own: PathBuf) -> Self {
        let has = |what: &str| params.get(&format!("/capabilities/{what}")).unwrap_or(false);
        let watching = "workspace/didChangeWatchedFiles";
        let mut client = Self {
            process: params.get("/processId").ok().filter(|&process: &i32| process > 0),
            nested_symbols: has("textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            label_offsets: has("textDocument/signatureHelp/signatureInformation\
                                    /parameterInformation/labelOffsetSupport"),
            hint_refresh: has("workspace/inlayHint/refreshSupport"),
            registrations: if has(&format!("{watching}/dynamicRegistration")) {
                let options = json!({ "watchers": [{ "globPattern": "**/*.{asm,ron}" }] });
                vec![json!({ "id": watching, "method": watching, "registerOptions": options })]
            } else {
                Vec::new()
            },
            settings: Settings { folders: find_folders(params, own), ..Settings::default() },
            ..Self::default()
        };
        client.configure(params.value("/initializationOptions"));
        client
    }

    /// Applies settings: `{ "inlayHints": { "addresses": true, "costs": true }, "define": ["N=3"],
    /// "include": ["lib"] }`, at the top level or below `gray1`. Settings that are not named stay
    /// unchanged, and null removes a setting.
    pub(super) fn configure(&mut self, settings: &Value) {
        let settings = settings.get("gray1").unwrap_or(settings);
        let (valid, mut errors) = check(settings, &PROGRAM_FIELDS);
        self.settings.fields.extend(valid);
        self.settings.fields.retain(|_, value| !value.is_null());
        let hints = settings.get("inlayHints").unwrap_or(&Value::Null);
        if !hints.is_null() && !hints.is_object() {
            errors.push(format!("inlayHints: expected addresses and costs, found {hints}"));
        }
        let Hints { addresses, costs } = &mut self.hints;
        for (name, is_on) in [("addresses", addresses), ("costs", costs)] {
            match &hints[name] {
                Value::Null => {}
                Value::Bool(wanted) => *is_on = *wanted,
                found => {
                    let setting = format!("inlayHints.{name}");
                    errors.push(format!("{setting}: expected true or false, found {found}"));
                }
            }
        }
        let news = errors.iter().filter(|it| !self.known_errors.contains(it));
        self.errors.extend(news.cloned());
        self.known_errors = errors;
    }
}
