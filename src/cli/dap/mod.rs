//! `gray1 dap`: the debug adapter on standard input and output, or with one client on a port of the
//! loopback address.

mod launcher;

#[cfg(test)]
mod tests;

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Instant;

use gray1_editors::dap::Adapter;

use super::frames::{self, Frame};
use super::{Done, Failure, Outcome, failure};
use launcher::FromFiles;

#[derive(clap::Args)]
pub(super) struct DapOptions {
    /// Wait for one client on this port of the loopback address; 0 takes a free port, which
    /// standard error reports
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

pub(super) fn dap(options: &DapOptions) -> Outcome {
    let served = match options.port {
        None => serve(|| io::stdin().lock(), &mut io::stdout()),
        Some(port) => serve_port(port),
    };
    match served {
        Ok(true) => Ok(Done::Well),
        Ok(false) => Err(failure("the client ended without disconnecting")),
        Err(error) if is_closed(&error) => Err(Failure::PipeClosed),
        Err(error) => Err(failure(format!("cannot understand the client: {error}"))),
    }
}

/// Whether the client has closed the connection.
fn is_closed(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
}

/// Serves one client on a port of the loopback address.
fn serve_port(port: u16) -> io::Result<bool> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    writeln!(io::stderr(), "listening on {}", listener.local_addr()?)?;
    let (stream, _) = listener.accept()?;
    drop(listener);
    let input = BufReader::new(stream.try_clone()?);
    serve(move || input, &mut &stream)
}

/// Serves a client; true if it has disconnected, false if its input has ended before.
fn serve<R: BufRead>(
    input: impl FnOnce() -> R + Send + 'static,
    output: &mut impl Write,
) -> io::Result<bool> {
    let incoming = frames::listen(input)?;
    let began = Instant::now();
    let mut adapter = Adapter::new(Box::new(FromFiles));
    while !adapter.is_over() {
        let next = match adapter.wait(began.elapsed()) {
            None => incoming.recv().ok(),
            Some(wait) => match incoming.recv_timeout(wait) {
                Err(RecvTimeoutError::Timeout) => {
                    adapter.work(began.elapsed());
                    send(&mut adapter, output)?;
                    continue;
                }
                next => next.ok(),
            },
        };
        match next.transpose()? {
            Some(Frame::Message(bytes)) => adapter.receive(&bytes, began.elapsed()),
            Some(Frame::TooLong(length)) => adapter.refuse(frames::too_long(length)),
            None => return Ok(false),
        }
        send(&mut adapter, output)?;
    }
    Ok(true)
}

fn send(adapter: &mut Adapter, output: &mut impl Write) -> io::Result<()> {
    adapter.take_messages().iter().try_for_each(|it| frames::write(output, &it.to_string()))
}
