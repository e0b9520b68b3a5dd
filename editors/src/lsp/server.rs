//! The language server: the stages of a session, and its messages.
//!
//! It does no I/O, and has no thread and no clock. Its driver passes in the client's messages,
//! calls it when the client is quiet, and takes the answers.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::client::Client;
use super::message::{ErrorCode, Message, Params, ResponseError, notification, response};
use super::saved::SavedFiles;
use super::workspace::Workspace;
use super::{answers, capabilities};
use crate::json;

/// A language server with its client.
pub struct Server {
    workspace: Workspace,
    client: Client,
    /// The folder that the server works in. Empty after initialization, when `client` has it.
    folder: PathBuf,
    stage: Stage,
    /// The number of requests sent to the client.
    requests: i32,
    /// Messages that the driver has not taken yet.
    outbox: Vec<Value>,
}

/// The stages of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Initialized,
    ShutDown,
    /// The client has ended the session. True if it requested a shutdown first.
    Over(bool),
}

impl Server {
    /// Creates a server that works in `folder`. It uses `saved` to read files that are not open.
    pub fn new(saved: Box<dyn SavedFiles>, folder: PathBuf) -> Self {
        Self {
            workspace: Workspace::new(saved),
            client: Client::default(),
            folder,
            stage: Stage::New,
            requests: 0,
            outbox: Vec::new(),
        }
    }

    /// Handles a message from the client. `bytes` is a JSON document.
    pub fn receive(&mut self, bytes: &[u8]) {
        let message = match json::parse(bytes) {
            Ok(value) => Message::from_json(value),
            Err(error) => return self.send_error(ErrorCode::ParseError, error.to_string()),
        };
        match message {
            Ok(Message::Request { id, method, params }) => {
                let result = self.answer(&method, &params);
                self.apply_settings();
                self.outbox.push(response(&id, result));
            }
            Ok(Message::Notification { method, params }) => {
                let hints = self.client.hints;
                // A malformed notification is ignored, because notifications have no response.
                let _ = self.handle_notification(&method, &params);
                self.apply_settings();
                if self.client.hints != hints && self.client.hint_refresh {
                    self.send_request("workspace/inlayHint/refresh", Value::Null);
                }
            }
            Ok(Message::Response) => {}
            Err(refusal) => self.outbox.push(refusal),
        }
    }

    /// Responds to a message that could not be read, with the reason.
    pub fn refuse(&mut self, why: String) {
        self.send_error(ErrorCode::InvalidRequest, why);
    }

    /// Publishes the diagnostics that may have changed.
    pub fn publish(&mut self) {
        let news = self.workspace.new_diagnostics().into_iter();
        let method = "textDocument/publishDiagnostics";
        self.outbox.extend(news.map(|params| notification(method, params)));
    }

    /// The messages for the client since the last call.
    pub fn take_messages(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.outbox)
    }

    /// Whether the client has ended the session.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over(_))
    }

    /// Whether the client has asked for a shutdown.
    pub fn was_shut_down(&self) -> bool {
        matches!(self.stage, Stage::ShutDown | Stage::Over(true))
    }

    /// The process that started the server. The session ends when that process ends.
    pub fn client_process(&self) -> Option<i32> {
        self.client.process
    }

    fn send_error(&mut self, code: ErrorCode, why: String) {
        self.outbox.push(response(&Value::Null, Err(ResponseError::new(code, why))));
    }

    fn answer(&mut self, method: &str, params: &Params) -> Result<Value, ResponseError> {
        match (self.stage, method) {
            (Stage::New, "initialize") => {
                self.stage = Stage::Initialized;
                self.client = Client::new(params, std::mem::take(&mut self.folder));
                Ok(capabilities::initialize_result())
            }
            (Stage::New, _) => {
                let message = "send `initialize` first";
                Err(ResponseError::new(ErrorCode::ServerNotInitialized, message))
            }
            (Stage::ShutDown | Stage::Over(_), _) => {
                Err(ResponseError::new(ErrorCode::InvalidRequest, "the server is shut down"))
            }
            (Stage::Initialized, "shutdown") => {
                self.stage = Stage::ShutDown;
                Ok(Value::Null)
            }
            (Stage::Initialized, method) => {
                answers::answer(&mut self.workspace, &self.client, method, params)
            }
        }
    }

    /// Handles a notification.
    fn handle_notification(&mut self, method: &str, params: &Params) -> Result<(), ResponseError> {
        let workspace = &mut self.workspace;
        let uri = "/textDocument/uri";
        let version = "/textDocument/version";
        match method {
            "textDocument/didOpen" => {
                let text = params.get("/textDocument/text")?;
                workspace.open(params.get(uri)?, params.get(version)?, text);
            }
            "textDocument/didChange" => {
                // Each change has the complete document, so the last one counts.
                let changes = params.value("/contentChanges").as_array();
                if let Some(text) = changes.and_then(|it| it.last()?["text"].as_str()) {
                    workspace.change(params.get(uri)?, params.get(version)?, text.to_owned());
                }
            }
            "textDocument/didClose" => workspace.close(params.get(uri)?),
            "workspace/didChangeConfiguration" => self.client.configure(params.value("/settings")),
            "exit" => self.stage = Stage::Over(self.stage == Stage::ShutDown),
            "initialized" if !self.client.registrations.is_empty() => {
                let params = json!({ "registrations": self.client.registrations });
                self.send_request("client/registerCapability", params);
            }
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => workspace.invalidate(),
            _ => {}
        }
        Ok(())
    }

    /// Applies the user's settings, and reports errors in them.
    fn apply_settings(&mut self) {
        self.workspace.configure(&self.client.settings);
        let messages = self.client.errors.drain(..).map(|message| {
            let params = json!({ "type": 1, "message": format!("gray1.{message}") });
            notification("window/showMessage", params)
        });
        self.outbox.extend(messages);
    }

    /// Sends the client a request. The server ignores the results.
    fn send_request(&mut self, method: &str, params: Value) {
        self.requests += 1;
        let mut request = json!({ "jsonrpc": "2.0", "id": self.requests, "method": method });
        if !params.is_null() {
            request["params"] = params;
        }
        self.outbox.push(request);
    }
}
