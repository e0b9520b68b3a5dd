//! A session over a stream: messages in frames, the end of a session, and the errors of a client
//! that closes the connection or sends no frames.

use std::io::{self, BufRead, Cursor, Write};
use std::sync::mpsc::Receiver;

use serde_json::json;

use super::{is_closed, serve};
use crate::cli::frames::{self, Frame};

/// These messages in frames.
fn framed(messages: &[serde_json::Value]) -> Cursor<Vec<u8>> {
    let mut wire = Vec::new();
    for message in messages {
        frames::write(&mut wire, &message.to_string()).unwrap();
    }
    Cursor::new(wire)
}

/// The stream of a client that has closed it.
struct Gone;

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

/// The frames of an input.
fn listen(input: impl BufRead + Send + 'static) -> Receiver<io::Result<Frame>> {
    frames::listen(|| input).ok().expect("there are threads")
}

#[test]
fn every_request_on_the_wire_has_its_response_there_and_disconnect_ends_it() {
    let initialize = json!({ "type": "request", "seq": 1, "command": "initialize" });
    let event = json!({ "type": "event", "seq": 2, "event": "nothing" });
    let nonsense = json!({ "type": "nonsense" });
    let disconnect = json!({ "type": "request", "seq": 3, "command": "disconnect" });
    let wire = framed(&[initialize.clone(), event, nonsense, disconnect]);
    let mut output = Vec::new();
    assert!(serve(&listen(wire), &mut output).unwrap());
    let text = String::from_utf8(output).unwrap();
    assert_eq!(text.matches("Content-Length: ").count(), 3);
    let places = [
        r#""command":"initialize""#,
        "expected a message of the type request",
        r#""command":"disconnect""#,
    ];
    assert!(places.map(|part| text.find(part).expect(part)).is_sorted(), "{text}");

    let wire = framed(&[initialize]);
    assert!(!serve(&listen(wire), &mut Vec::new()).unwrap(), "it has not disconnected");
}

#[test]
fn a_client_that_has_gone_is_told_from_one_that_cannot_be_understood() {
    let wire = framed(&[json!({ "type": "request", "seq": 1, "command": "initialize" })]);
    assert!(is_closed(&serve(&listen(wire), &mut Gone).unwrap_err()));
    assert!(is_closed(&io::ErrorKind::ConnectionReset.into()));
    let garbage = Cursor::new("GET / HTTP/1.1\r\n\r\n");
    assert!(!is_closed(&serve(&listen(garbage), &mut Vec::new()).unwrap_err()));
}
