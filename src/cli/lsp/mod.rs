//! `gray1 lsp`: the language server. It speaks the Language Server Protocol on standard input and
//! output and is thin: what there is to know comes from `gray1_asm::Analysis`.

mod answers;
mod capabilities;
mod client;
mod completion;
mod copies;
mod diagnostics;
mod documents;
mod edits;
mod explanations;
mod fixes;
mod hints;
mod lenses;
mod message;
mod names;
mod outline;
mod positions;
mod protocol;
mod tokens;
mod transport;
mod view;
mod workspace;

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use self::client::Client;
use self::message::{ErrorCode, Message, Params, ResponseError};
use self::transport::Incoming;
use self::workspace::Workspace;
use super::{Done, Failure, Outcome, failure};

/// The time that the client must be quiet before it is told what is wrong: while a user types,
/// every word of it would be stale.
const QUIET: Duration = Duration::from_millis(30);

#[derive(clap::Args)]
pub(super) struct Options {
    /// Use standard input and output: the only way, so this changes nothing; some editors pass it
    #[arg(long)]
    stdio: bool,
}

pub(super) fn lsp() -> Outcome {
    let incoming = transport::listen();
    let mut server = Server {
        incoming,
        workspace: Workspace::default(),
        client: Client::default(),
        stage: Stage::New,
        asked: 0,
    };
    match server.serve() {
        Ok(()) if server.stage == Stage::ShutDown => Ok(Done::Well),
        Ok(()) => Err(failure("the client ended without asking for a shutdown")),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::PipeClosed),
        Err(error) => Err(failure(format!("cannot understand the client: {error}"))),
    }
}

/// The stages of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Initialized,
    ShutDown,
}

struct Server {
    incoming: Receiver<io::Result<Incoming>>,
    workspace: Workspace,
    client: Client,
    stage: Stage,
    /// The number of requests to the client.
    asked: i32,
}

impl Server {
    /// Answers until the client ends, or says that it will.
    fn serve(&mut self) -> io::Result<()> {
        loop {
            let incoming = match self.incoming.recv_timeout(QUIET) {
                Err(RecvTimeoutError::Timeout) => {
                    self.publish()?;
                    self.incoming.recv().ok()
                }
                incoming => incoming.ok(),
            };
            match incoming {
                Some(Ok(Incoming::Message(Message::Request { id, method, params }))) => {
                    let result = self.result(&method, &params);
                    transport::send(&id.response(result))?;
                }
                Some(Ok(Incoming::Message(Message::Notification { method, params }))) => {
                    if method == "exit" {
                        return Ok(());
                    }
                    let hints = self.client.hints;
                    // One that is malformed is passed over, since a notification has no answer.
                    let _ = self.take_note(&method, &params);
                    if self.client.hints != hints {
                        self.refresh_hints()?;
                    }
                }
                // What the client was asked to do, it does or not.
                Some(Ok(Incoming::Message(Message::Response))) => {}
                Some(Ok(Incoming::Refused(answer))) => transport::send(&answer)?,
                Some(Err(error)) => return Err(error),
                None => return Ok(()),
            }
        }
    }

    fn result(&mut self, method: &str, params: &Params) -> Result<Value, ResponseError> {
        match (self.stage, method) {
            (Stage::New, "initialize") => {
                self.stage = Stage::Initialized;
                self.client = Client::new(params);
                Ok(capabilities::initialized())
            }
            (Stage::New, _) => {
                let message = "say `initialize` first";
                Err(ResponseError::new(ErrorCode::ServerNotInitialized, message))
            }
            (Stage::ShutDown, _) => {
                Err(ResponseError::new(ErrorCode::InvalidRequest, "the server is shut down"))
            }
            (Stage::Initialized, "shutdown") => {
                self.stage = Stage::ShutDown;
                Ok(Value::Null)
            }
            (Stage::Initialized, method) => {
                answers::result(&mut self.workspace, &self.client, method, params)
            }
        }
    }

    /// Takes a notification in.
    fn take_note(&mut self, method: &str, params: &Params) -> Result<(), ResponseError> {
        let workspace = &mut self.workspace;
        let (uri, version) = ("/textDocument/uri", "/textDocument/version");
        match method {
            "textDocument/didOpen" => {
                let text = params.get("/textDocument/text")?;
                workspace.open(params.get(uri)?, params.get(version)?, text);
            }
            "textDocument/didChange" => {
                // Changes are asked for whole: the last one is the text.
                let changes: Vec<ContentChange> = params.get("/contentChanges")?;
                if let Some(ContentChange { text }) = changes.into_iter().next_back() {
                    workspace.change(params.get(uri)?, params.get(version)?, text);
                }
            }
            "textDocument/didClose" => workspace.close(params.get(uri)?),
            "workspace/didChangeConfiguration" => self.client.set(params.value("/settings")),
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => workspace.touch(),
            _ => {}
        }
        Ok(())
    }

    /// Has the client ask for the hints that it shows, if it can.
    fn refresh_hints(&mut self) -> io::Result<()> {
        if !self.client.refreshes_hints {
            return Ok(());
        }
        self.asked += 1;
        let (id, method) = (self.asked, "workspace/inlayHint/refresh");
        transport::send(&json!({ "jsonrpc": "2.0", "id": id, "method": method }))
    }

    /// Tells the client what is wrong, where that may have changed.
    fn publish(&mut self) -> io::Result<()> {
        for params in self.workspace.news() {
            let method = "textDocument/publishDiagnostics";
            transport::send(&message::notification(method, params))?;
        }
        Ok(())
    }
}

/// A change of a document.
#[derive(Deserialize)]
struct ContentChange {
    /// All of its new text.
    text: String,
}
