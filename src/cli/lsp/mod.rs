//! `gray1 lsp`: the language server. It speaks the Language Server Protocol on standard input and
//! output and is thin: what there is to know comes from `gray1_asm::Analysis`.
#![expect(clippy::mutable_key_type, reason = "what a `Uri` may change is not compared")]

mod answers;
mod diagnostics;
mod places;
mod workspace;

use std::time::Duration;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument,
    DidSaveTextDocument, Exit, Notification as _,
};
use lsp_types::request::{Initialize, Request as _, Shutdown};

use self::workspace::Workspace;
use super::{Done, Failure, Outcome, failure};

/// How long nothing must have come from the client before it is told what is wrong: while somebody
/// types, every word of it would be stale.
const QUIET: Duration = Duration::from_millis(30);

#[derive(clap::Args)]
pub(super) struct Options {
    /// Standard input and output; there is no other way, editors may say it
    #[arg(long)]
    stdio: bool,
}

pub(super) fn lsp() -> Outcome {
    let (connection, threads) = Connection::stdio();
    let mut server = Server { connection, workspace: Workspace::default(), stage: Stage::New };
    server.serve();
    let is_shut_down = server.stage == Stage::ShutDown;
    drop(server);
    match threads.join() {
        Ok(()) if is_shut_down => Ok(Done::Well),
        Ok(()) => Err(failure("the client has gone without a word")),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(Failure::PipeClosed),
        Err(error) => Err(failure(format!("cannot understand the client: {error}"))),
    }
}

/// How far the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Initialized,
    ShutDown,
}

struct Server {
    connection: Connection,
    workspace: Workspace,
    stage: Stage,
}

impl Server {
    /// Answers until the client says that it ends, or is gone.
    fn serve(&mut self) {
        loop {
            let message = match self.connection.receiver.recv_timeout(QUIET) {
                Ok(message) => Some(message),
                Err(error) if error.is_timeout() => {
                    self.publish();
                    self.connection.receiver.recv().ok()
                }
                Err(_) => None,
            };
            match message {
                Some(Message::Request(request)) => {
                    let response = self.answer(request);
                    self.send(response);
                }
                Some(Message::Notification(notification))
                    if notification.method == Exit::METHOD =>
                {
                    return;
                }
                Some(Message::Notification(notification)) => self.take_note(notification),
                // Nothing was asked of the client.
                Some(Message::Response(_)) => {}
                None => return,
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
                Response::new_ok(request.id, answers::initialized())
            }
            (Stage::New, _) => refuse(ErrorCode::ServerNotInitialized, "say `initialize` first"),
            (Stage::ShutDown, _) => refuse(ErrorCode::InvalidRequest, "the server is shut down"),
            (Stage::Initialized, Shutdown::METHOD) => {
                self.stage = Stage::ShutDown;
                Response::new_ok(request.id, ())
            }
            (Stage::Initialized, _) => answers::answer(&mut self.workspace, request),
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
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => workspace.touch(),
            _ => {}
        }
    }

    /// Tells the client what is wrong, where that may have changed.
    fn publish(&mut self) {
        for params in self.workspace.news() {
            let method = lsp_types::notification::PublishDiagnostics::METHOD.to_owned();
            self.send(Notification::new(method, params));
        }
    }

    /// A client that does not listen any more will not speak either: that ends the server.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.connection.sender.send(message.into());
    }
}

/// What a notification says. One that says nothing that can be understood is passed over: there is
/// nobody who waits for an answer.
fn read<N: lsp_types::notification::Notification>(
    notification: Notification,
    then: impl FnOnce(N::Params),
) {
    if let Ok(params) = notification.extract(N::METHOD) {
        then(params);
    }
}
