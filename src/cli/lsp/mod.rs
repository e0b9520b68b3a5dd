//! `gray1 lsp`: the language server on standard input and output.

mod copies;
mod disk;

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use gray1_editors::lsp::Server;

use self::disk::Disk;
use super::shared::frames::{self, Frame};
use super::shared::outcome::{Done, Failure, Outcome, failure};
use crate::system;

/// Diagnostics are published after this time without a message from the client. While a user types,
/// they would be out of date at once.
const QUIET: Duration = Duration::from_millis(30);
/// The time between two checks that the client's process still exists.
const CLIENT_CHECK: Duration = Duration::from_secs(1);

/// Start the language server for editors, on standard input and output
#[derive(clap::Args)]
pub(super) struct LspOptions {
    /// Accepted because some editors pass it; standard input and output are always used
    #[arg(long)]
    stdio: bool,
}

pub(super) fn lsp() -> Outcome {
    let incoming = frames::listen(|| io::stdin().lock())?;
    let folder = std::env::current_dir().unwrap_or_default();
    let mut server = Server::new(Box::new(Disk), folder);
    match serve(&mut server, &incoming) {
        Ok(()) if server.was_shut_down() => Ok(Done::Success),
        Ok(()) => Err(failure("the client exited without a shutdown request")),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::PipeClosed),
        Err(error) => Err(failure(format!("invalid message from the client: {error}"))),
    }
}

/// Serves the client until it ends the session or its input ends.
fn serve(server: &mut Server, incoming: &Receiver<io::Result<Frame>>) -> io::Result<()> {
    while !server.is_over() {
        let next = match incoming.recv_timeout(QUIET) {
            Err(RecvTimeoutError::Timeout) => {
                server.publish();
                send(server)?;
                wait(incoming, server.client_process())
            }
            next => next.ok(),
        };
        match next.transpose()? {
            Some(Ok(bytes)) => server.receive(&bytes),
            Some(Err(why)) => server.refuse(why),
            None => break,
        }
        send(server)?;
    }
    Ok(())
}

/// Waits for a frame. Returns `None` at the end of the input. Also returns `None` when the client's
/// process has ended, because another process can keep the input open.
fn wait(incoming: &Receiver<io::Result<Frame>>, client: Option<i32>) -> Option<io::Result<Frame>> {
    loop {
        match incoming.recv_timeout(CLIENT_CHECK) {
            Err(RecvTimeoutError::Timeout) if client.is_none_or(system::is_running) => {}
            next => return next.ok(),
        }
    }
}

fn send(server: &mut Server) -> io::Result<()> {
    let messages = server.take_messages();
    messages.iter().try_for_each(|it| frames::write(&mut io::stdout().lock(), &it.to_string()))
}
