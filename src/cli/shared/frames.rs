//! Frames of the editor protocols: a header with a length, and a message of that many bytes. The
//! language server and the debug adapter use them.

use std::io::{self, BufRead, Read as _, Write};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use super::outcome::{Failure, failure};

/// The maximum length of a message in bytes. It is enough for the largest program with every byte
/// escaped.
const MESSAGE_BYTES_MAX: u64 = 32 << 20;
/// The maximum length of a header line in bytes.
const HEADER_BYTES_MAX: u64 = 1 << 12;

/// The message in a frame, or an error if it was skipped because it is longer than
/// [`MESSAGE_BYTES_MAX`].
pub(crate) type Frame = Result<Vec<u8>, String>;

/// Reads the frames of an input.
pub(crate) struct Frames<R> {
    input: R,
    /// The remaining bytes of a frame that was too long.
    to_skip: u64,
}

impl<R: BufRead> Frames<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, to_skip: 0 }
    }

    /// The next frame, or `None` at the end of the input.
    ///
    /// # Errors
    /// If the input cannot be read, or the next frame cannot be located.
    pub(crate) fn next(&mut self) -> io::Result<Option<Frame>> {
        io::copy(&mut self.input.by_ref().take(self.to_skip), &mut io::sink())?;
        self.to_skip = 0;
        let Some(length) = self.length()? else { return Ok(None) };
        if length > MESSAGE_BYTES_MAX {
            self.to_skip = length;
            let why = format!("a message has {length} bytes, more than {MESSAGE_BYTES_MAX}");
            return Ok(Some(Err(why)));
        }
        let mut bytes = Vec::new();
        if self.input.by_ref().take(length).read_to_end(&mut bytes)? as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Some(Ok(bytes)))
    }

    /// Reads a header, and returns the length of the message after it.
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

/// Reads frames in its own thread. The channel ends at the end of the input, or after an error,
/// because no frame can be found after one.
///
/// # Errors
/// If the thread cannot be started.
pub(crate) fn listen<R: BufRead>(
    input: impl FnOnce() -> R + Send + 'static,
) -> Result<Receiver<io::Result<Frame>>, Failure> {
    // The channel has no buffer, so that input is only read on demand.
    let (sender, receiver) = sync_channel(0);
    let started = thread::Builder::new().spawn(move || {
        let mut frames = Frames::new(input());
        while let Some(frame) = frames.next().transpose() {
            let is_last = frame.is_err();
            if sender.send(frame).is_err() || is_last {
                break;
            }
        }
    });
    started.map_err(|error| failure(format!("cannot start a thread: {error}")))?;
    Ok(receiver)
}

/// Writes a message in a frame.
pub(crate) fn write(output: &mut impl Write, message: &str) -> io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n{message}", message.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contents of the frames of an input, or their errors.
    fn read_all(input: &[u8]) -> Vec<String> {
        let mut frames = Frames::new(input);
        let mut found = Vec::new();
        while found.last().is_none_or(|last: &String| !last.starts_with("broken")) {
            found.push(match frames.next() {
                Ok(Some(Ok(bytes))) => String::from_utf8(bytes).unwrap(),
                Ok(Some(Err(why))) => why,
                Ok(None) => return found,
                Err(error) => format!("broken: {error}"),
            });
        }
        found
    }

    #[test]
    fn messages_survive_a_round_trip() {
        let mut bytes = Vec::new();
        for message in ["{}", "", "\u{e9}\r\n"] {
            write(&mut bytes, message).unwrap();
        }
        bytes.extend(b"Content-Type: x\r\ncontent-length: 1\r\n\r\n7");
        assert_eq!(read_all(&bytes), ["{}", "", "\u{e9}\r\n", "7"]);
    }

    #[test]
    fn a_message_that_is_too_long_is_skipped() {
        let length = MESSAGE_BYTES_MAX + 1;
        let mut input = format!("Content-Length: {length}\r\n\r\n").into_bytes();
        input.extend(std::iter::repeat_n(b' ', length as usize));
        write(&mut input, "good").unwrap();
        let refused = "a message has 33554433 bytes, more than 33554432";
        assert_eq!(read_all(&input), [refused, "good"]);
        // The longest message that is accepted.
        input.truncate(0);
        write(&mut input, &" ".repeat(MESSAGE_BYTES_MAX as usize)).unwrap();
        assert_eq!(read_all(&input).concat().len() as u64, MESSAGE_BYTES_MAX);
        let endless = b"Content-Length: 99999999999999\r\n\r\n{}";
        assert_eq!(read_all(endless), ["a message has 99999999999999 bytes, more than 33554432"]);
    }

    #[test]
    fn an_invalid_frame_ends_the_session() {
        let input = &b"Content-Length: 1\r\n\r\n7GET /\r\nContent-Length: 1\r\n\r\n8"[..];
        let are_valid: Vec<bool> =
            listen(move || input).ok().unwrap().iter().map(|it| it.is_ok()).collect();
        assert_eq!(are_valid, [true, false]);
    }

    #[test]
    fn malformed_headers_are_errors() {
        for (input, expected) in [
            ("GET / HTTP/1.1\r\n\r\n", "broken: malformed header: \"GET / HTTP/1.1\\r\\n\""),
            ("Content-Length: 5\n\n", "broken: malformed header: \"Content-Length: 5\\n\""),
            ("Content-Length: -1\r\n", "broken: malformed header: \"Content-Length: -1\\r\\n\""),
            ("X: 5\r\n\r\n", "broken: malformed header: \"\\r\\n\""),
            ("Content-Length: 5\r\n\r\n{", "broken: unexpected end of file"),
        ] {
            assert_eq!(read_all(input.as_bytes()), [expected]);
        }
        assert!(read_all(&[b'x'; 10_000])[0].len() < 5000);
    }
}
