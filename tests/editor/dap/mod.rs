//! `gray1 dap` as an editor uses it: through its standard input and output.

mod plain;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::support::editor::framed;
use crate::support::{Bench, RunResult, are_installed, node_modules, program, root};

/// Runs a session of VS Code's own debug adapter client.
fn session(engine: &str) {
    if !are_installed(&["node"]) {
        return;
    }
    let Some(modules) = node_modules("@vscode/debugadapter-testsupport") else { return };
    let folder = root().join("tests/editor/dap");
    let mut node = Command::new("node");
    node.arg(folder.join("session.js"))
        .args([program().as_os_str(), folder.join("counting.asm").as_os_str()])
        .arg(engine)
        .env("NODE_PATH", modules);
    let ran = RunResult::run(&mut node);
    let stdout = String::from_utf8_lossy(ran.out());
    assert!(stdout.ends_with(" stops, there and back\n"), "{stdout}{}", ran.err());
    ran.status(0);
}

#[test]
fn a_client_sees_the_same_states_in_both_directions() {
    session("instruction");
}

#[test]
fn a_client_sees_the_same_states_in_both_directions_on_the_chips() {
    session("chips");
}

#[test]
fn a_client_sees_the_same_states_in_both_directions_on_the_timed_engine() {
    session("timed");
}

/// A server whose standard error is captured.
fn server(arguments: &str) -> Child {
    let mut command = Bench::new().command(arguments);
    command.current_dir(root());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("gray1 can be started")
}

fn request(seq: u32, command: &str, arguments: &Value) -> String {
    framed(&json!({ "seq": seq, "type": "request", "command": command, "arguments": arguments }))
}

/// Reads messages up to the first one for which `is_it` is true, and returns that one.
fn next(from: &mut impl std::io::BufRead, is_it: impl Fn(&Value) -> bool) -> Value {
    loop {
        let mut header = String::new();
        from.read_line(&mut header).unwrap();
        let length = header.trim().strip_prefix("Content-Length: ").expect(&header);
        let mut bytes = vec![0; length.parse().unwrap()];
        from.read_line(&mut String::new()).unwrap();
        from.read_exact(&mut bytes).unwrap();
        let message: Value = serde_json::from_slice(&bytes).unwrap();
        if is_it(&message) {
            return message;
        }
    }
}

/// Waits for the server to end. Returns its exit status and its standard error.
fn end(server: Child) -> (Option<i32>, String) {
    let output = server.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_client_that_vanishes_ends_the_server_even_while_the_program_runs() {
    let mut server = server("dap");
    let mut stdin = server.stdin.take().unwrap();
    for (seq, command, arguments) in [
        (1, "initialize", json!({})),
        // A program that draws for ever.
        (2, "launch", json!({ "program": "life" })),
        (3, "configurationDone", json!({})),
    ] {
        stdin.write_all(request(seq, command, &arguments).as_bytes()).unwrap();
    }
    let mut stdout = BufReader::new(server.stdout.take().unwrap());
    next(&mut stdout, |message| message["request_seq"] == 3);
    drop(stdin);
    let (status, stderr) = end(server);
    assert_eq!(status, Some(1));
    assert!(stderr.contains("the client exited without disconnecting"), "{stderr}");
}

#[test]
fn one_client_on_a_port_of_the_loopback_address() {
    let mut server = server("dap --port 0");
    let mut stderr = BufReader::new(server.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("listening on ").expect(&line);
    assert!(address.starts_with("127.0.0.1:"));
    let mut client = TcpStream::connect(address).unwrap();
    client.write_all(request(1, "initialize", &json!({})).as_bytes()).unwrap();
    let mut answers = BufReader::new(client.try_clone().unwrap());
    assert_eq!(next(&mut answers, |_| true)["success"], true);
    assert!(TcpStream::connect(address).is_err(), "there is one client");
    client.write_all(request(2, "disconnect", &json!({})).as_bytes()).unwrap();
    assert_eq!(next(&mut answers, |_| true)["success"], true);
    let mut rest = Vec::new();
    answers.read_to_end(&mut rest).unwrap();
    assert_eq!((rest.len(), server.wait().unwrap().code()), (0, Some(0)));
}

#[test]
fn a_bad_message_is_refused_and_a_bad_frame_ends_the_session() {
    let mut server = server("dap");
    let mut stdin = server.stdin.take().unwrap();
    let nothing = framed(&json!([7]));
    let text = "Content-Length: 2\r\n\r\n{{".to_owned() + &nothing;
    stdin.write_all((text + &request(9, "next", &json!({}))).as_bytes()).unwrap();
    let mut stdout = BufReader::new(server.stdout.take().unwrap());
    for expected in ["not a message", "expected a message", "expected initialize first"] {
        let refused = next(&mut stdout, |_| true);
        assert_eq!(refused["success"], false);
        assert!(refused["message"].as_str().unwrap().starts_with(expected), "{refused}");
    }
    stdin.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let (status, stderr) = end(server);
    assert_eq!(status, Some(1));
    assert!(stderr.contains("invalid message from the client: malformed header"), "{stderr}");
}

/// The paths of the sources in an answer.
fn paths(answer: &Value, list: &str) -> Vec<String> {
    let list = answer["body"][list].as_array().unwrap().iter();
    list.map(|it| it["source"]["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn files_have_the_names_that_the_client_uses() {
    let bench = Bench::new();
    let folder = bench.path("folder");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("a.asm"), ".include \"../k.asm\"\n two\n HALT\n").unwrap();
    let macros = ".macro two\n LDI 1\n LDI 2\n.endmacro\n";
    std::fs::write(bench.path("k.asm"), macros).unwrap();
    std::os::unix::fs::symlink("folder", bench.path("link")).unwrap();
    std::os::unix::fs::symlink("folder/a.asm", bench.path("file.asm")).unwrap();
    let path = |name: &str| bench.path(name).to_str().unwrap().to_owned();
    for program in ["link/a.asm", "file.asm"] {
        let mut server = server("dap");
        let mut stdin = server.stdin.take().unwrap();
        let source = |name: &str| json!({ "path": path(name) });
        let breakpoints = json!([{ "line": 3 }]);
        for (seq, command, arguments) in [
            (1, "initialize", json!({})),
            (2, "launch", json!({ "program": path(program) })),
            (3, "setBreakpoints", json!({ "source": source(program), "breakpoints": [] })),
            (4, "setBreakpoints", json!({ "source": source("k.asm"), "breakpoints": breakpoints })),
            (5, "configurationDone", json!({})),
        ] {
            stdin.write_all(request(seq, command, &arguments).as_bytes()).unwrap();
        }
        let mut stdout = BufReader::new(server.stdout.take().unwrap());
        let set = next(&mut stdout, |message| message["request_seq"] == 4);
        assert_eq!(paths(&set, "breakpoints"), [path("k.asm")]);
        next(&mut stdout, |message| message["event"] == "stopped");
        stdin.write_all(request(6, "stackTrace", &json!({ "threadId": 1 })).as_bytes()).unwrap();
        let frames = next(&mut stdout, |message| message["request_seq"] == 6);
        assert_eq!(paths(&frames, "stackFrames"), [path("k.asm"), path(program)]);
        stdin.write_all(request(7, "disconnect", &json!({})).as_bytes()).unwrap();
        assert_eq!(end(server), (Some(0), String::new()));
    }
}
