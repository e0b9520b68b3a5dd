//! An editor for tests: a client of `gray1 lsp`, connected to its standard input and output.

use std::io::{BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, channel};

use serde_json::{Value, json};

use crate::support::{Bench, TIMEOUT, drive};

/// All requests that a client can make about a place or a document.
pub(crate) const REQUESTS: [&str; 17] = [
    "textDocument/hover",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/completion",
    "textDocument/documentSymbol",
    "textDocument/codeAction",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "textDocument/foldingRange",
];

/// An editor with a server of its own.
pub(crate) struct Editor {
    pub(crate) bench: Bench,
    pub(crate) server: Child,
    pub(crate) stdin: ChildStdin,
    messages: Receiver<Value>,
    requests: u64,
    pub(crate) version: i32,
    /// The capabilities that the server announced.
    pub(crate) capabilities: Value,
    /// The last published diagnostics of each document, with its version.
    published: Vec<(String, Value)>,
}

impl Editor {
    /// Starts a server and initializes it.
    pub(crate) fn new(bench: Bench) -> Self {
        Self::with(bench, &json!({ "capabilities": {} }))
    }

    /// Starts a server and initializes it for a client with these parameters.
    pub(crate) fn with(bench: Bench, introduction: &Value) -> Self {
        let mut editor = Self::silent(bench);
        let answer = editor.request("initialize", introduction);
        assert_eq!(answer["serverInfo"]["name"], "gray1");
        editor.capabilities = answer["capabilities"].clone();
        editor.notify("initialized", &json!({}));
        editor
    }

    /// Starts a server without initializing it.
    pub(crate) fn silent(bench: Bench) -> Self {
        let mut command = bench.command("lsp");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn().expect("gray1 can be started");
        let (stdin, stdout) = (server.stdin.take().unwrap(), server.stdout.take().unwrap());
        let messages = messages(stdout);
        let published = Vec::new();
        let capabilities = Value::Null;
        Self { bench, server, stdin, messages, requests: 0, version: 0, capabilities, published }
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_raw(&framed(message));
    }

    /// Sends bytes unchanged.
    pub(crate) fn send_raw(&mut self, bytes: &str) {
        write!(self.stdin, "{bytes}").unwrap();
        self.stdin.flush().unwrap();
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Waits for the next message other than diagnostics. Stores the diagnostics that arrive before
    /// it.
    pub(crate) fn next(&mut self) -> Value {
        loop {
            let message = self.messages.recv_timeout(*TIMEOUT).expect("the server lives");
            if message["method"] != "textDocument/publishDiagnostics" {
                return message;
            }
            self.keep(&message["params"]);
        }
    }

    pub(crate) fn keep(&mut self, params: &Value) {
        let uri = params["uri"].as_str().unwrap().to_owned();
        self.published.retain(|(known, _)| *known != uri);
        self.published.push((uri, params.clone()));
    }

    /// Sends a request and returns the server's response, which can be a result or an error.
    pub(crate) fn response(&mut self, method: &str, params: &Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let response = self.next();
        assert_eq!(response["id"], id);
        response
    }

    /// Sends a request, which must succeed, and returns its result.
    #[track_caller]
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        let response = self.response(method, params);
        assert_eq!(response["error"], Value::Null, "{method}");
        response["result"].clone()
    }

    pub(crate) fn uri(&self, name: &str) -> String {
        let folder = self.bench.path("").canonicalize().unwrap();
        let drive = drive().map_or(String::new(), |letter| format!("/{letter}:"));
        format!("file://{drive}{}", folder.join(name).display()).replace(' ', "%20")
    }

    /// Opens a document with this content, whatever its file contains.
    pub(crate) fn open(&mut self, name: &str, text: &str) {
        self.version += 1;
        let document = json!({
            "uri": self.uri(name), "languageId": "gray1", "version": self.version, "text": text
        });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    /// Replaces the text of a document.
    pub(crate) fn change(&mut self, name: &str, text: &str) {
        self.version += 1;
        let document = json!({ "uri": self.uri(name), "version": self.version });
        let changes = json!([{ "text": text }]);
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", &params);
    }

    pub(crate) fn close(&mut self, name: &str) {
        let params = json!({ "textDocument": { "uri": self.uri(name) } });
        self.notify("textDocument/didClose", &params);
    }

    /// The diagnostics of a document's newest version, one line each: place, severity, message, and
    /// related places.
    pub(crate) fn diagnostics(&mut self, name: &str) -> Vec<String> {
        let uri = self.uri(name);
        self.wait_for(|params| params["uri"] == uri.as_str())
    }

    /// The last published diagnostics of a document.
    pub(crate) fn published_for(&self, name: &str) -> Vec<Value> {
        let uri = self.uri(name);
        let found = self.published.iter().find(|(known, _)| *known == uri);
        found.map(|(_, it)| it["diagnostics"].as_array().unwrap().clone()).unwrap_or_default()
    }

    pub(crate) fn wait_for(&mut self, is_it: impl Fn(&Value) -> bool) -> Vec<String> {
        let newest = self.version;
        loop {
            let is_new = |(_, p): &&(String, Value)| is_it(p) && p["version"] == newest;
            if let Some((_, params)) = self.published.iter().find(is_new) {
                return params["diagnostics"].as_array().unwrap().iter().map(diagnostic).collect();
            }
            let message = self.messages.recv_timeout(*TIMEOUT).expect("diagnostics come");
            self.keep(&message["params"]);
        }
    }

    /// The parameters of a request about the place of a string in a document.
    pub(crate) fn place(&self, name: &str, text: &str, at: &str) -> Value {
        let (before, _) = text.split_once(at).expect("the place is in the text");
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap().encode_utf16().count();
        json!({
            "textDocument": { "uri": self.uri(name) },
            "position": { "line": line, "character": column },
        })
    }

    /// The server's answer to one of [`REQUESTS`] about a place.
    pub(crate) fn ask(&mut self, method: &str, name: &str, place: &Value) -> Value {
        // Each request takes the parameters that it knows.
        let params = json!({
            "textDocument": { "uri": self.uri(name) },
            "position": place,
            "range": { "start": place, "end": place },
            "context": {
                "includeDeclaration": true, "diagnostics": [], "triggerKind": 1,
                "isRetrigger": false,
            },
            "options": { "tabSize": 8, "insertSpaces": true },
            "newName": "renamed",
        });
        self.response(method, &params)
    }

    /// Shuts the server down and returns its exit status.
    pub(crate) fn end(mut self) -> Option<i32> {
        assert_eq!(self.request("shutdown", &Value::Null), Value::Null);
        self.notify("exit", &Value::Null);
        self.server.wait().unwrap().code()
    }
}

/// The messages of a server, as they arrive.
pub(crate) fn messages(stdout: ChildStdout) -> Receiver<Value> {
    let (sender, messages) = channel();
    std::thread::spawn(move || {
        let mut stdout = BufReader::new(stdout);
        while let Some(message) = receive(&mut stdout) {
            if sender.send(message).is_err() {
                break;
            }
        }
    });
    messages
}

/// A message with its length header.
pub(crate) fn framed(message: &Value) -> String {
    let text = message.to_string();
    format!("Content-Length: {}\r\n\r\n{text}", text.len())
}

/// Reads a message, or returns `None` at the end.
fn receive(from: &mut impl std::io::BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut header = String::new();
        if from.read_line(&mut header).ok()? == 0 {
            return None;
        }
        match header.trim_end().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().unwrap(),
            Some(_) => {}
            None => break,
        }
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).ok()?;
    Some(serde_json::from_slice(&bytes).expect("the server speaks JSON"))
}

fn diagnostic(diagnostic: &Value) -> String {
    let severity = if diagnostic["severity"] == 1 { "error" } else { "warning" };
    let message = diagnostic["message"].as_str().unwrap().replace('\n', " | ");
    let mut line = vec![format!("{} {severity}: {message}", range(&diagnostic["range"]))];
    for related in diagnostic["relatedInformation"].as_array().into_iter().flatten() {
        let message = related["message"].as_str().unwrap();
        line.push(format!("[{message} {}]", location(&related["location"])));
    }
    line.join(" ")
}

/// Formats a range as `line:column-column`, or as `line:column-line:column` if it ends in another
/// line. Lines and columns are counted from 0.
pub(crate) fn range(range: &Value) -> String {
    let (start, end) = (&range["start"], &range["end"]);
    let line = if start["line"] == end["line"] { "" } else { &format!("{}:", end["line"]) };
    format!("{}:{}-{line}{}", start["line"], start["character"], end["character"])
}

pub(crate) fn location(location: &Value) -> String {
    let uri = location["uri"].as_str().unwrap();
    format!("{} {}", uri.rsplit('/').next().unwrap(), range(&location["range"]))
}

pub(crate) fn locations(found: &Value) -> Vec<String> {
    found.as_array().unwrap().iter().map(location).collect()
}
