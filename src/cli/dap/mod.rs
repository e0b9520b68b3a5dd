//! `gray1 dap`: the debug adapter. It speaks the Debug Adapter Protocol on standard input and
//! output, or with one client on a port of the loopback address, and is thin: what there is to know
//! comes from `gray1_sim::debugger`.

mod adapter;
mod base64;
mod breakpoints;
mod call_view;
mod debuggee;
mod hit_condition;
mod launch;
mod log_message;
mod memory;
mod pace;
mod profile;
mod protocol;
mod requests;
mod run;
mod setting;
mod sources;
mod stepping;
mod values;
mod variables;

#[cfg(test)]
mod tests;

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};

use adapter::Adapter;
use protocol::{Refusal, Request};

use super::frames::{self, Frame, Frames, MESSAGE_BYTES_MAX};
use super::{Done, Failure, Outcome, failure};

#[derive(clap::Args)]
pub(super) struct Options {
    /// Wait for one client on this port of the loopback address; 0 takes a free port, and says
    /// which
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

pub(super) fn dap(options: &Options) -> Outcome {
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

/// Whether the client has gone.
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

/// What comes from the client.
enum Incoming {
    Request(Request),
    Refused(Refusal),
    /// No further frame can be found.
    Broken(io::Error),
}

/// Serves a client until it disconnects, which it says, or ends.
fn serve<R: BufRead>(
    input: impl FnOnce() -> R + Send + 'static,
    output: &mut impl Write,
) -> io::Result<bool> {
    let incoming = listen(input);
    let mut adapter = Adapter::new();
    while !adapter.is_over() {
        let next = match adapter.wait() {
            None => incoming.recv().ok(),
            Some(wait) => match incoming.recv_timeout(wait) {
                Err(RecvTimeoutError::Timeout) => {
                    adapter.work();
                    send(&mut adapter, output)?;
                    continue;
                }
                next => next.ok(),
            },
        };
        match next {
            Some(Incoming::Request(request)) => adapter.handle(request),
            Some(Incoming::Refused(refusal)) => adapter.refuse(refusal),
            Some(Incoming::Broken(error)) => return Err(error),
            None => return Ok(false),
        }
        send(&mut adapter, output)?;
    }
    Ok(true)
}

fn send(adapter: &mut Adapter, output: &mut impl Write) -> io::Result<()> {
    adapter.take_messages().iter().try_for_each(|it| frames::write(output, &it.to_string()))
}

/// Reads requests in a thread of its own. The channel ends with the input.
fn listen<R: BufRead>(input: impl FnOnce() -> R + Send + 'static) -> Receiver<Incoming> {
    // Without a buffer: what is not asked for is not read.
    let (sender, receiver) = sync_channel(0);
    std::thread::spawn(move || {
        let mut frames = Frames::new(input());
        loop {
            let incoming = match frames.next() {
                Ok(Some(Frame::Message(bytes))) => match Request::read(&bytes) {
                    Ok(Some(request)) => Incoming::Request(request),
                    Ok(None) => continue,
                    Err(refusal) => Incoming::Refused(refusal),
                },
                Ok(Some(Frame::TooLong(length))) => Incoming::Refused(Refusal::new(format!(
                    "a message has {length} bytes, more than {MESSAGE_BYTES_MAX}"
                ))),
                Ok(None) => break,
                Err(error) => Incoming::Broken(error),
            };
            let is_last = matches!(incoming, Incoming::Broken(_));
            if sender.send(incoming).is_err() || is_last {
                break;
            }
        }
    });
    receiver
}
