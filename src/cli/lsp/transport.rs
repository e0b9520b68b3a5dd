//! The client's messages, from frames on standard input, and ours, in frames on standard output.

use std::io;
use std::sync::mpsc::Receiver;

use serde_json::Value;

use super::message::{ErrorCode, Message, RequestId, ResponseError};
use crate::cli::frames::{self, Frame};

/// Input from the client.
#[derive(Debug)]
pub(super) enum Incoming {
    Message(Message),
    /// A frame that is not a message: the answer to it.
    Refused(Value),
}

/// Reads standard input in a thread of its own.
pub(super) fn listen() -> Receiver<io::Result<Incoming>> {
    frames::listen(|| io::stdin().lock(), |frame| Some(incoming(frame)))
}

/// Writes a message to standard output.
pub(super) fn send(message: &Value) -> io::Result<()> {
    frames::write(&mut io::stdout().lock(), &message.to_string())
}

/// The content of a frame.
fn incoming(frame: Frame) -> Incoming {
    let refused = |code, why: String| {
        let error = ResponseError::new(code, why);
        Incoming::Refused(RequestId::default().response(Err(error)))
    };
    match frame {
        Frame::TooLong(length) => refused(ErrorCode::InvalidRequest, frames::too_long(length)),
        Frame::Message(bytes) => match frames::json(&bytes) {
            Ok(value) => Message::read(value).map_or_else(Incoming::Refused, Incoming::Message),
            Err(error) => refused(ErrorCode::ParseError, error.to_string()),
        },
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::frames::Frames;

    use super::*;

    /// The input from a client that sends this, in words.
    fn understood_of(input: &[u8]) -> Vec<String> {
        let mut frames = Frames::new(input);
        let in_words = |frame| match incoming(frame) {
            Incoming::Message(Message::Request { method, .. }) => method,
            Incoming::Refused(answer) => format!("{} {}", answer["id"], answer["error"]["code"]),
            Incoming::Message(other) => format!("{other:?}"),
        };
        let frames = std::iter::from_fn(|| frames.next().transpose());
        frames.map(|frame| in_words(frame.unwrap())).collect()
    }

    fn frame(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
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
            let found = understood_of(format!("{request}{bad}{request}").as_bytes());
            assert_eq!(found, ["good", expected, "good"], "{bad}");
        }
        let not_utf_8 = [b"Content-Length: 2\r\n\r\n\"\xff", request.as_bytes()].concat();
        assert_eq!(understood_of(&not_utf_8), ["null -32700", "good"]);
    }

    #[test]
    fn a_frame_that_is_too_long_is_refused() {
        let found = understood_of(b"Content-Length: 99999999999999\r\n\r\n{}");
        assert_eq!(found, ["null -32600"]);
    }
}
