//! The messages of the Debug Adapter Protocol.

use std::fmt;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::json;

/// A request from the client.
#[derive(Debug, Deserialize)]
pub(super) struct Request {
    /// Its sequence number, which the response repeats.
    pub(super) seq: i64,
    pub(super) command: String,
    #[serde(default)]
    pub(super) arguments: Value,
}

/// The reason why a request is refused, as a message for the user.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal(String);

/// The body of a response, or the reason for a refusal.
pub(super) type Answer = Result<Value, Refusal>;

impl Refusal {
    pub(super) fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

/// Turns an error into a refusal with the same message.
impl<E: std::error::Error> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::new(error.to_string())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Request {
    /// The request in a message; `None` for a response or an event.
    pub(super) fn parse(bytes: &[u8]) -> Result<Option<Self>, Refusal> {
        let refusal = |error: serde_json::Error| Refusal::new(format!("not a message: {error}"));
        let message = json::parse(bytes).map_err(refusal)?;
        match message["type"].as_str() {
            Some("request") => serde_json::from_value(message).map(Some).map_err(refusal),
            Some("response" | "event") => Ok(None),
            _ => Err(Refusal::new("expected a message of the type request")),
        }
    }

    /// The argument with this name. A missing argument is read as null.
    ///
    /// # Errors
    /// If it has another type.
    pub(super) fn get<'a, T: Deserialize<'a>>(&'a self, name: &str) -> Result<T, Refusal> {
        let argument = self.arguments.get(name).unwrap_or(&Value::Null);
        T::deserialize(argument)
            .map_err(|why| Refusal::new(format!("{}: {name}: {why}", self.command)))
    }

    /// The argument with this name, or the default if it is missing.
    ///
    /// # Errors
    /// If it has another type.
    pub(super) fn get_or_default<'a, T: Deserialize<'a> + Default>(
        &'a self,
        name: &str,
    ) -> Result<T, Refusal> {
        self.get::<Option<T>>(name).map(Option::unwrap_or_default)
    }

    /// Returns a copy of the request with these arguments.
    pub(super) fn with_arguments(&self, arguments: Value) -> Self {
        Self { seq: self.seq, command: self.command.clone(), arguments }
    }

    /// The response to this request.
    pub(super) fn response(&self, answer: Answer) -> Value {
        response(self.seq, &self.command, answer)
    }
}

/// The numbers that the client gives to the first line and column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbering {
    pub(super) first_line: u32,
    pub(super) first_column: u32,
}

impl Numbering {
    /// The client's number for a line that we count from 1.
    pub(super) fn line(self, line: u32) -> u32 {
        line - 1 + self.first_line
    }

    /// The line, counted from 1, for the client's number.
    pub(super) fn read_line(self, number: u32) -> Result<u32, Refusal> {
        let line = number.checked_sub(self.first_line).and_then(|line| line.checked_add(1));
        line.ok_or_else(|| Refusal::new(format!("there is no line {number}")))
    }
}

/// The response to a message that is not a request.
pub(super) fn refuse_message(refusal: Refusal) -> Value {
    response(0, "", Err(refusal))
}

fn response(seq: i64, command: &str, answer: Answer) -> Value {
    let message = json!({
        "type": "response", "request_seq": seq, "command": command, "success": answer.is_ok(),
    });
    match answer {
        Ok(Value::Null) => message,
        Ok(body) => with(message, "body", body),
        Err(Refusal(why)) => {
            // In the protocol's message format, names in braces are placeholders.
            let format = why.replace(['{', '}'], "\"");
            let error = json!({ "id": 1, "format": format, "showUser": true });
            with(with(message, "message", why.into()), "body", json!({ "error": error }))
        }
    }
}

/// The memory reference of an address or an instruction.
pub(super) fn reference(number: u16) -> String {
    format!("{number:#06x}")
}

pub(super) fn event(name: &str, body: Value) -> Value {
    let event = json!({ "type": "event", "event": name });
    if body.is_null() { event } else { with(event, "body", body) }
}

/// Adds a member to an object, and returns the object.
pub(super) fn with(mut object: Value, name: &str, member: Value) -> Value {
    object[name] = member;
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_messages_are_refused() {
        let parse = |text: &str| match Request::parse(text.as_bytes()) {
            Ok(request) => request.map_or("nothing".to_owned(), |request| request.command),
            Err(refusal) => refusal.to_string(),
        };
        assert_eq!(parse(r#"{"type":"request","seq":1,"command":"next"}"#), "next");
        assert_eq!(parse(r#"{"type":"event","seq":1}"#), "nothing");
        assert_eq!(parse("[]"), "expected a message of the type request");
        assert_eq!(parse("7"), "expected a message of the type request");
        // A lone surrogate in a string must not hide the number of the request.
        let half = r#"{"type":"request","seq":1,"command":"next\ud83d"}"#;
        assert_eq!(parse(half), "next\u{fffd}");
        for text in ["", "{", "\u{1}", r#"{"type":"request","command":"next"}"#] {
            assert!(parse(text).starts_with("not a message: "), "{text}");
        }
        let huge = r#"{"type":"request","seq":1e99,"command":"next"}"#;
        assert!(parse(huge).starts_with("not a message: "));
        assert!(parse(&"[".repeat(5000)).starts_with("not a message: "));
    }

    #[test]
    fn braces_in_a_refusal_are_not_placeholders() {
        let request = Request { seq: 4, command: "evaluate".into(), arguments: Value::Null };
        let response = request.response(Err(Refusal::new("no {x}")));
        assert_eq!((&response["message"], &response["request_seq"]), (&json!("no {x}"), &json!(4)));
        assert_eq!(response["body"]["error"]["format"], "no \"x\"");
    }
}
