//! `gray1 lsp`: the language server. It speaks the Language Server Protocol on standard input and
//! output and is thin: what there is to know comes from `gray1_asm::Analysis`.
#![expect(clippy::mutable_key_type, reason = "what a `Uri` may change is not compared")]

mod answers;
mod capabilities;
mod client;
mod copies;
mod diagnostics;
mod documents;
mod fixes;
mod hints;
mod lenses;
mod outline;
mod places;
mod signatures;
mod tokens;
mod transport;
mod view;
mod workspace;

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use lsp_server::{ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeConfiguration, DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument,
    DidOpenTextDocument, DidSaveTextDocument, Exit, Notification as _,
};
use lsp_types::request::{Initialize, InlayHintRefreshRequest, Request as _, Shutdown};

use self::client::Client;
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
                Some(Ok(Incoming::Message(Message::Request(request)))) => {
                    let response = self.answer(request);
                    transport::send(&response.into())?;
                }
                Some(Ok(Incoming::Message(Message::Notification(notification)))) => {
                    if notification.method == Exit::METHOD {
                        return Ok(());
                    }
                    let hints = self.client.hints;
                    self.take_note(notification);
                    if self.client.hints != hints {
                        self.refresh_hints()?;
                    }
                }
                // What the client was asked to do, it does or not.
                Some(Ok(Incoming::Message(Message::Response(_)))) => {}
                Some(Ok(Incoming::Refused(answer))) => transport::send_value(&answer)?,
                Some(Err(error)) => return Err(error),
                None => return Ok(()),
            }
        }
    }

    fn answer(&mut self, request: Request) -> Response {
        let refuse = |code: ErrorCode, message: &str| {
            Response::new_err(request.id.clone(), code as i32, message.to_owned())
        };
        match (self.stage, request.method.as_str()) {
            (Stage::New, Initialize::METHOD) => {
                self.stage = Stage::Initialized;
                self.client = Client::new(&request.params);
                Response::new_ok(request.id, capabilities::initialized())
            }
            (Stage::New, _) => refuse(ErrorCode::ServerNotInitialized, "say `initialize` first"),
            (Stage::ShutDown, _) => refuse(ErrorCode::InvalidRequest, "the server is shut down"),
            (Stage::Initialized, Shutdown::METHOD) => {
                self.stage = Stage::ShutDown;
                Response::new_ok(request.id, ())
            }
            (Stage::Initialized, _) => answers::answer(&mut self.workspace, &self.client, request),
        }
    }

    fn take_note(&mut self, notification: Notification) {
        let workspace = &mut self.workspace;
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => read::<DidOpenTextDocument>(notification, |params| {
                workspace.open(params.text_document);
            }),
            DidChangeTextDocument::METHOD => {
                read::<DidChangeTextDocument>(notification, |mut params| {
                    // Changes are asked for whole: the last one is the text.
                    let Some(change) = params.content_changes.pop() else { return };
                    workspace.change(&params.text_document, change.text);
                });
            }
            DidCloseTextDocument::METHOD => read::<DidCloseTextDocument>(notification, |params| {
                workspace.close(&params.text_document.uri);
            }),
            DidChangeConfiguration::METHOD => {
                read::<DidChangeConfiguration>(notification, |params| {
                    self.client.set(&params.settings);
                });
            }
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => workspace.touch(),
            _ => {}
        }
    }

    /// Has the client ask for the hints that it shows, if it can.
    fn refresh_hints(&mut self) -> io::Result<()> {
        if !self.client.refreshes_hints {
            return Ok(());
        }
        self.asked += 1;
        let method = InlayHintRefreshRequest::METHOD.to_owned();
        transport::send(&Request::new(self.asked.into(), method, ()).into())
    }

    /// Tells the client what is wrong, where that may have changed.
    fn publish(&mut self) -> io::Result<()> {
        for params in self.workspace.news() {
            let method = lsp_types::notification::PublishDiagnostics::METHOD.to_owned();
            transport::send(&Notification::new(method, params).into())?;
        }
        Ok(())
    }
}

/// Reads the parameters of a notification. Malformed ones are passed over, since a notification
/// has no answer.
fn read<N: lsp_types::notification::Notification>(
    notification: Notification,
    then: impl FnOnce(N::Params),
) {
    if let Ok(params) = notification.extract(N::METHOD) {
        then(params);
    }
}
