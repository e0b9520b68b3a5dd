//! `gray1 lsp` in Neovim, with Neovim's own client and the configuration in docs/EDITORS.md.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Bench, are_installed, root};

/// The time limit for a whole Neovim session.
const TIMEOUT: Duration = Duration::from_secs(120);

const PROGRAM: &str = "\
.include \"lib/panel.asm\"
.var two

;; A <- twice the byte at a.
.macro add_up a
        LD   a
        ADD  a
.endmacro

start:  LDI  2
        ST   two
        add_up two
        ST   GREN
done:   HALT
";

const TESTS: &str = "\
Tests(version: 1, cases: [(name: \"four\", steps: [Halts, Is(\"[GREEN]\", 4)])])
";

/// Everything that docs/EDITORS.md tells Neovim users to put into `init.lua`.
fn configuration() -> String {
    let text = std::fs::read_to_string(root().join("docs/EDITORS.md")).unwrap();
    let (_, section) = text.split_once("\n## Neovim\n").expect("there is a section on Neovim");
    let section = section.split("\n## ").next().unwrap();
    let blocks = section.split("```lua\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.collect()
}

/// Runs Neovim with the actions in `drive.lua`, and returns the screen contents that a user sees.
fn seen_in_neovim(bench: &Bench) -> Value {
    let folder = bench.path("");
    let home = |name: &str| bench.path("home").join(name);
    let program = Path::new(env!("CARGO_BIN_EXE_gray1")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = [program.to_owned()].into_iter().chain(std::env::split_paths(&path));
    let log = std::fs::File::create(bench.path("log")).unwrap();
    let mut neovim = Command::new("nvim")
        .args(["--headless", "-n", "-i", "NONE", "-u", "init.lua", "main.asm"])
        .args(["-c", "luafile drive.lua"])
        .current_dir(&folder)
        .env("PATH", std::env::join_paths(paths).unwrap())
        .env("HOME", home(""))
        .env("XDG_CACHE_HOME", home("cache"))
        .env("XDG_CONFIG_HOME", home("config"))
        .env("XDG_DATA_HOME", home("data"))
        .env("XDG_STATE_HOME", home("state"))
        .env_remove("CI")
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .expect("nvim can be started");
    let deadline = Instant::now() + TIMEOUT;
    while neovim.try_wait().unwrap().is_none() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    // Kills a Neovim that is past its deadline. It has no effect on one that has ended.
    let _ = neovim.kill();
    neovim.wait().unwrap();
    let log = String::from_utf8_lossy(&bench.read("log")).into_owned();
    let result = std::fs::read(bench.path("result.json"));
    let seen = result.unwrap_or_else(|error| panic!("nvim wrote no result: {error}\n{log}"));
    let seen: Value = serde_json::from_slice(&seen).unwrap();
    assert_eq!(seen["failure"], Value::Null, "{}\n{log}", seen["failure"]);
    seen
}

#[test]
fn neovim_works_with_the_server() {
    if !are_installed(&["nvim"]) {
        return;
    }
    let script = std::fs::read(root().join("tests/editor/neovim/drive.lua")).unwrap();
    let bench = Bench::new()
        .file("main.asm", PROGRAM)
        .file("main.test.ron", TESTS)
        .file("init.lua", configuration())
        .file("drive.lua", script);
    let seen = seen_in_neovim(&bench);
    let wrong = "undefined symbol `GREN`\nhelp: did you mean `GREEN`?";
    assert_eq!(seen["wrong"], json!([wrong]));
    assert_eq!(seen["fixed"], "        ST   GREEN");
    assert_eq!(seen["definition"], "main.asm:5:8");
    assert_eq!(seen["built_in"]["name"], "panel.asm");
    assert_eq!(seen["built_in"]["readonly"], true);
    let outline = ["[Variable] two", "[Function] add_up", "[Event] start", "[Event] done"];
    assert_eq!(seen["outline"], json!(outline));
    assert_eq!(seen["lenses"], json!(["Debug", "Run 1 test"]));
    assert_eq!(seen["formatted"], "        JMP  start");
    // Compares only the text, because each version draws its own frames around it.
    for (what, words) in [
        ("hover", &[".macro add_up a", "Here: 2 instructions", "twice the byte at a."][..]),
        ("signature", &["add_up a", "twice the byte at a."]),
        ("hover_in_library", &["GREEN   = 0x1fe0", "The green LEDs: 8 bytes"]),
        ("tests", &["1 case, 6 instructions", "1 program, 1 case: all passed"]),
    ] {
        let text = seen[what].as_str().unwrap();
        assert!(words.iter().all(|words| text.contains(words)), "{what}: {text}");
    }
    assert!(seen["built_in"]["line"].as_str().unwrap().starts_with("GREEN "));
    assert!(seen["token_numbers"].as_u64().unwrap() > 100);
    let token = &seen["token"];
    assert!(token.is_null() || token == "label", "{token}");
}
