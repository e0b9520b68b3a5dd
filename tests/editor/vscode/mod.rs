//! The extension for Visual Studio Code: its panel, opened in a browser, shows the LEDs that `gray1
//! run --leds` prints.

use std::fmt::Write as _;
use std::process::Command;

use serde_json::Value;

use crate::support::{Bench, RunResult, are_installed, node_modules, root};

/// Lights LEDs of both colours, some of them on the same square.
const PROGRAM: &str = "\
.include \"lib/panel.asm\"
        LDI  0b10010110
        ST   GREEN + 2
        ST   RED + 5
        LDI  0b11110000
        ST   RED + 2
        SHR
        HALT
";

/// Stands in for the editor's side of the page: posts the session's last message to the page,
/// presses a key, and records the page's own messages in the page.
fn other_side(posted: &Value) -> String {
    format!(
        "const heard = [];
         window.acquireVsCodeApi = () => ({{
           postMessage(message) {{
             heard.push(message);
             document.body.dataset.heard = JSON.stringify(heard);
           }},
         }});
         addEventListener('load', () => {{
           dispatchEvent(new MessageEvent('message', {{ data: {posted} }}));
           dispatchEvent(new KeyboardEvent('keydown', {{ key: 'ArrowUp' }}));
           dispatchEvent(new KeyboardEvent('keydown', {{ key: 'ArrowUp', repeat: true }}));
           dispatchEvent(new Event('blur'));
         }});"
    )
}

/// The LEDs of a page in the format of `gray1 run --leds`.
fn leds(dom: &str) -> String {
    let (_, leds) = dom.split_once("id=\"leds\"").expect(dom);
    let (leds, _) = leds.split_once("</div>").unwrap();
    let letters = leds.split("<span class=\"").skip(1).map(|led| {
        let colour = led.split('"').next().unwrap();
        ["dark", "red", "green", "yellow"]
            .iter()
            .position(|known| *known == colour)
            .map_or_else(|| panic!("{colour}"), |at| [".", "R", "G", "Y"][at])
    });
    let letters: Vec<_> = letters.collect();
    assert_eq!(letters.len(), 64, "{leds}");
    letters.chunks(8).fold(String::new(), |mut text, row| {
        writeln!(text, "{}", row.join(" ")).unwrap();
        text
    })
}

#[test]
fn the_panel_shows_the_leds_of_a_run() {
    let client = "@vscode/debugadapter-testsupport";
    if !are_installed(&["node", "chromium"]) {
        return;
    }
    let Some(modules) = node_modules(client) else { return };
    let bench = Bench::new().file("leds.asm", PROGRAM);
    let folder = root().join("tests/editor/vscode");
    let mut node = Command::new("node");
    node.arg(folder.join("session.js"))
        .arg(env!("CARGO_BIN_EXE_gray1"))
        .arg(bench.path("leds.asm"))
        .env("NODE_PATH", std::env::join_paths([modules, folder.join("editor")]).unwrap());
    let session: Value = serde_json::from_slice(RunResult::run(&mut node).status(0).out()).unwrap();

    let posted = session["posted"].as_array().unwrap().last().unwrap();
    let other_side = bench.path("editor.js");
    let page = session["html"].as_str().unwrap();
    let script = format!("<script src=\"file://{}\"></script></head>", other_side.display());
    let bench = bench
        .file("editor.js", self::other_side(posted))
        .file("page.html", page.replace("</head>", &script));
    let mut chromium = Command::new("chromium");
    chromium
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000"])
        .arg(format!("--user-data-dir={}", bench.path("profile").display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", bench.path("page.html").display()));
    let dom = String::from_utf8(RunResult::run(&mut chromium).status(0).out().to_owned()).unwrap();

    let run = bench.gray1("run leds.asm --leds").status(0);
    let shown = leds(&dom);
    assert!(run.err().starts_with(&shown), "{}\n{shown}", run.err());
    assert!(dom.contains("after 6 instructions"), "{dom}");
    // Buttons held by the machine are marked. Buttons held by the user are reported once each.
    assert_eq!(dom.matches("aria-pressed=\"true\"").count(), 2, "{dom}");
    let heard = r#"[{"ready":true},{"held":["up"]},{"held":[]}]"#;
    assert!(dom.contains(&heard.replace('"', "&quot;")), "{dom}");
}
