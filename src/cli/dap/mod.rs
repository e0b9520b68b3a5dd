//! `gray1 dap`: the debug adapter on standard input and output, or for one client on a port of the
//! loopback address.

mod launcher;

use std::io::{self, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;

use gray1_editors::dap::Adapter;

use launcher::FromFiles;

use super::shared::frames::{self, Frame};
use super::shared::options::number_in;
use super::shared::outcome::{Done, Failure, Outcome, failure};

/// Start the debug adapter for editors, on standard input and output
#[derive(clap::Args)]
pub(super) struct DapOptions {
    /// Wait for one client on this port of the loopback address; 0 picks a free port and prints it
    /// to standard error
    #[arg(long, value_name = "PORT", value_parser = number_in(0..=u16::MAX))]
    port: Option<u16>,
}

pub(super) fn dap(options: &DapOptions) -> Outcome {
    let served = match options.port {
        None => serve(&frames::listen(|| io::stdin().lock())?, &mut io::stdout()),
        Some(port) => {
            let (input, output) = accept_client(port)
                .map_err(|error| failure(format!("cannot listen on port {port}: {error}")))?;
            serve(&frames::listen(move || input)?, &mut &output)
        }
    };
    match served {
        Ok(true) => Ok(Done::Success),
        Ok(false) => Err(failure("the client exited without disconnecting")),
        Err(error) if is_closed(&error) => Err(Failure::PipeClosed),
        Err(error) => Err(failure(format!("invalid message from the client: {error}"))),
    }
}

/// Whether the client has closed the connection.
fn is_closed(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
}

/// Waits for a client on a port of the loopback address.
fn accept_client(port: u16) -> io::Result<(BufReader<TcpStream>, TcpStream)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    writeln!(io::stderr(), "listening on {}", listener.local_addr()?)?;
    let (stream, _) = listener.accept()?;
    Ok((BufReader::new(stream.try_clone()?), stream))
}

/// Serves a client. Returns true if the client ended the session, and false if its input ended
/// first.
fn serve(incoming: &Receiver<io::Result<Frame>>, output: &mut impl Write) -> io::Result<bool> {
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
            Some(Ok(bytes)) => adapter.receive(&bytes, began.elapsed()),
            Some(Err(why)) => adapter.refuse(why),
            None => return Ok(false),
        }
        send(&mut adapter, output)?;
    }
    Ok(true)
}

fn send(adapter: &mut Adapter, output: &mut impl Write) -> io::Result<()> {
    adapter.take_messages().iter().try_for_each(|it| frames::write(output, &it.to_string()))
}
