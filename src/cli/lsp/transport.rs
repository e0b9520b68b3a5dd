//! Frames on standard input and output, each of which holds a message of the protocol.
//!
//! `lsp_server` reads frames of any size and ends at the first one that it does not understand.
//! Here frames are bounded, and one that is not understood is answered.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{Receiver, sync_channel};

use lsp_server::{ErrorCode, Message};
use serde_json::{Value, json};

/// The longest frame, in bytes: the largest program with every byte escaped.
const FRAME_BYTES_MAX: u64 = 32 << 20;
/// The longest line of a frame's header, in bytes.
const HEADER_BYTES_MAX: u64 = 1 << 12;

/// What comes from the client.
#[derive(Debug)]
pub(super) enum Incoming {
    Message(Message),
    /// A frame that is not a message: the answer to it.
    Refused(Value),
    /// No further frame can be found.
    Broken(io::Error),
}

/// Reads standard input in a thread of its own. The channel ends with the input.
pub(super) fn listen() -> Receiver<Incoming> {
    // Without a buffer: what is not asked for is not read.
    let (sender, receiver) = sync_channel(0);
    std::thread::spawn(move || {
        let mut frames = Frames { input: io::stdin().lock(), to_skip: 0 };
        while let Some(incoming) = frames.next().unwrap_or_else(|e| Some(Incoming::Broken(e))) {
            let is_last = matches!(incoming, Incoming::Broken(_));
            if sender.send(incoming).is_err() || is_last {
                break;
            }
        }
    });
    receiver
}

/// Writes a message to standard output.
pub(super) fn send(message: &Message) -> io::Result<()> {
    message.write(&mut io::stdout().lock())
}

/// Writes an answer to standard output.
pub(super) fn send_value(answer: &Value) -> io::Result<()> {
    let text = answer.to_string();
    let mut output = io::stdout().lock();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

/// The frames of an input.
struct Frames<R> {
    input: R,
    /// What is left of a frame that was refused, in bytes.
    to_skip: u64,
}

impl<R: BufRead> Frames<R> {
    /// The next frame; `None` at the end of the input.
    fn next(&mut self) -> io::Result<Option<Incoming>> {
        io::copy(&mut self.input.by_ref().take(self.to_skip), &mut io::sink())?;
        self.to_skip = 0;
        let Some(length) = self.length()? else { return Ok(None) };
        if length > FRAME_BYTES_MAX {
            self.to_skip = length;
            let why = format!("a message has {length} bytes, more than {FRAME_BYTES_MAX}");
            return Ok(Some(refusal(&Value::Null, ErrorCode::InvalidRequest, &why)));
        }
        let mut bytes = Vec::new();
        if self.input.by_ref().take(length).read_to_end(&mut bytes)? as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Some(understood(&bytes)))
    }

    /// Reads a header; the length of what follows it.
    fn length(&mut self) -> io::Result<Option<u64>> {
        let malformed = |line: &[u8]| {
            let line = String::from_utf8_lossy(line);
            io::Error::new(io::ErrorKind::InvalidData, format!("malformed header: {line:?}"))
        };
        let mut length = None;
        loop {
            let mut line = Vec::new();
            if self.input.by_ref().take(HEADER_BYTES_MAX).read_until(b'\n', &mut line)? == 0 {
                return Ok(None);
            }
            let field = line.strip_suffix(b"\r\n").and_then(|field| str::from_utf8(field).ok());
            let field = field.ok_or_else(|| malformed(&line))?;
            if field.is_empty() {
                return length.map(Some).ok_or_else(|| malformed(&line));
            }
            let (name, value) = field.split_once(": ").ok_or_else(|| malformed(&line))?;
            if name.eq_ignore_ascii_case("Content-Length") {
                length = Some(value.parse().map_err(|_| malformed(&line))?);
            }
        }
    }
}

/// The message that a frame holds, or why it holds none.
fn understood(bytes: &[u8]) -> Incoming {
    let value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(error) => return refusal(&Value::Null, ErrorCode::ParseError, &error.to_string()),
    };
    let id = value.get("id").filter(|id| id.is_number() || id.is_string()).cloned();
    match serde_json::from_value(value) {
        Ok(message) => Incoming::Message(message),
        Err(error) => {
            let id = id.unwrap_or_default();
            refusal(&id, ErrorCode::InvalidRequest, &error.to_string())
        }
    }
}

fn refusal(id: &Value, code: ErrorCode, why: &str) -> Incoming {
    let error = json!({ "code": code as i32, "message": why });
    Incoming::Refused(json!({ "jsonrpc": "2.0", "id": id, "error": error }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the frames of an input are, in words.
    fn frames(input: &[u8]) -> Vec<String> {
        let mut frames = Frames { input, to_skip: 0 };
        let mut found = Vec::new();
        while found.last().is_none_or(|last: &String| !last.starts_with("broken")) {
            found.push(match frames.next() {
                Ok(Some(Incoming::Message(Message::Request(request)))) => request.method,
                Ok(Some(Incoming::Refused(answer))) => {
                    format!("{} {}", answer["id"], answer["error"]["code"])
                }
                Ok(Some(other)) => format!("{other:?}"),
                Ok(None) => return found,
                Err(error) => format!("broken: {error}"),
            });
        }
        found
    }

    fn frame(text: &str) -> String {
        format!("Content-Type: x\r\nContent-Length: {}\r\n\r\n{text}", text.len())
    }

    #[test]
    fn a_frame_that_is_not_understood_does_not_hide_the_next_one() {
        let request = frame(r#"{"jsonrpc":"2.0","id":1,"method":"good"}"#);
        for (bad, expected) in [
            (frame("{"), "null -32700"),
            (frame(""), "null -32700"),
            (frame("[]"), "null -32600"),
            (frame(r#"{"id":7}"#), "7 -32600"),
            (frame(r#"{"id":[7],"method":5}"#), "null -32600"),
            (frame(&"[".repeat(5000)), "null -32700"),
        ] {
            let found = frames(format!("{request}{bad}{request}").as_bytes());
            assert_eq!(found, ["good", expected, "good"], "{bad}");
        }
        let not_utf_8 = [b"Content-Length: 2\r\n\r\n\"\xff", request.as_bytes()].concat();
        assert_eq!(frames(&not_utf_8), ["null -32700", "good"]);
    }

    #[test]
    fn a_frame_that_is_too_long_is_skipped() {
        let length = FRAME_BYTES_MAX + 1;
        let mut input = format!("Content-Length: {length}\r\n\r\n").into_bytes();
        input.extend(std::iter::repeat_n(b' ', length as usize));
        input.extend(frame(r#"{"id":1,"method":"good"}"#).bytes());
        assert_eq!(frames(&input), ["null -32600", "good"]);
        assert_eq!(frames(b"Content-Length: 99999999999999\r\n\r\n{}"), ["null -32600"]);
    }

    #[test]
    fn headers_that_lead_nowhere_end_the_conversation() {
        for (input, expected) in [
            ("GET / HTTP/1.1\r\n\r\n", "broken: malformed header: \"GET / HTTP/1.1\\r\\n\""),
            ("Content-Length: 5\n\n", "broken: malformed header: \"Content-Length: 5\\n\""),
            ("Content-Length: -1\r\n", "broken: malformed header: \"Content-Length: -1\\r\\n\""),
            ("X: 5\r\n\r\n", "broken: malformed header: \"\\r\\n\""),
            ("Content-Length: 5\r\n\r\n{", "broken: unexpected end of file"),
        ] {
            assert_eq!(frames(input.as_bytes()), [expected]);
        }
        assert!(frames(&[b'x'; 10_000])[0].len() < 5000);
    }
}
