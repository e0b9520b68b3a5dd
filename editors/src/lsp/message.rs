//! The messages of JSON-RPC 2.0: requests, notifications and responses.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A message from the client.
#[derive(Debug)]
pub(super) enum Message {
    Request {
        /// A number or a string.
        id: Value,
        method: String,
        params: Params,
    },
    Notification {
        method: String,
        params: Params,
    },
    /// The response to a request from the server.
    Response,
}

/// The parameters of a message.
#[derive(Debug)]
pub(super) struct Params(Value);

/// The error in a response.
#[derive(Debug)]
pub(super) struct ResponseError {
    pub(super) code: ErrorCode,
    pub(super) message: String,
}

/// The error codes of JSON-RPC and of the Language Server Protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorCode {
    ParseError = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    ServerNotInitialized = -32002,
    RequestFailed = -32803,
}

impl Message {
    /// The message in a JSON value.
    ///
    /// # Errors
    /// The error response if it is not a valid message.
    pub(super) fn from_json(mut value: Value) -> Result<Self, Value> {
        let mut take = |name: &str| value.get_mut(name).map(Value::take);
        let id = take("id").map(|id| (id.is_number() || id.is_string()).then_some(id));
        let params = Params(take("params").unwrap_or_default());
        match (take("method"), id) {
            (Some(Value::String(method)), Some(Some(id))) => {
                Ok(Self::Request { id, method, params })
            }
            (Some(Value::String(method)), None) => Ok(Self::Notification { method, params }),
            (None, Some(Some(_))) if take("result").or_else(|| take("error")).is_some() => {
                Ok(Self::Response)
            }
            (_, id) => {
                let message = "expected a request, a notification or a response of JSON-RPC 2.0";
                let error = ResponseError::new(ErrorCode::InvalidRequest, message);
                Err(response(&id.flatten().unwrap_or_default(), Err(error)))
            }
        }
    }
}

impl Params {
    /// The value at a JSON Pointer (RFC 6901) such as `/textDocument/uri`, or null if it is
    /// missing.
    pub(super) fn value(&self, pointer: &str) -> &Value {
        self.0.pointer(pointer).unwrap_or(&Value::Null)
    }

    /// The parameter at a JSON Pointer.
    ///
    /// # Errors
    /// If it is missing or has another type.
    pub(super) fn get<'a, T: Deserialize<'a>>(&'a self, pointer: &str) -> Result<T, ResponseError> {
        T::deserialize(self.value(pointer)).map_err(|why| {
            ResponseError::new(ErrorCode::InvalidParams, format!("{pointer}: {why}"))
        })
    }
}

impl ResponseError {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// A request that cannot be granted, with the reason for the user.
impl From<String> for ResponseError {
    fn from(message: String) -> Self {
        Self::new(ErrorCode::RequestFailed, message)
    }
}

/// The response to a request. `id` is null for a request without a valid identifier.
pub(super) fn response(id: &Value, result: Result<Value, ResponseError>) -> Value {
    match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(ResponseError { code, message }) => {
            let error = json!({ "code": code as i32, "message": message });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    }
}

/// A notification from the server.
pub(super) fn notification(method: &str, params: impl Serialize) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_messages_are_refused_with_their_id() {
        for (bad, id) in [
            (json!([]), Value::Null),
            (json!("x"), Value::Null),
            (json!({ "id": 7 }), json!(7)),
            (json!({ "id": [7], "method": "x" }), Value::Null),
            (json!({ "id": "a", "method": 5 }), json!("a")),
            (json!({ "method": 5, "result": 5 }), Value::Null),
        ] {
            let refusal = Message::from_json(bad.clone()).expect_err("it is none");
            assert_eq!((&refusal["id"], &refusal["error"]["code"]), (&id, &json!(-32600)), "{bad}");
        }
        for good in [
            json!({ "id": 7, "method": "x" }),
            json!({ "method": "x", "params": [] }),
            json!({ "id": 7, "result": null }),
            json!({ "id": "a", "error": {} }),
        ] {
            assert!(Message::from_json(good.clone()).is_ok(), "{good}");
        }
    }
}
