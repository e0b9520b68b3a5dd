//! Tests of the page's requests and answers.

use std::time::Duration;

use gray1_programs::Link;
use serde_json::{Value, json};

use super::*;

/// Returns the answer to a request, which must not be an error.
fn ask(page: &mut Page, request: &Value) -> Value {
    let answer: Value = serde_json::from_str(&page.ask(&request.to_string())).unwrap();
    assert!(answer["error"].is_null(), "{request}: {answer}");
    answer
}

/// Opens a link and waits until its machine has arrived. Returns the program in the machine.
fn opened(page: &mut Page, link: &Link) -> Value {
    ask(page, &json!(["openLink", link.encode()]));
    while !ask(page, &json!(["progress"])).is_null() {
        page.advance(Duration::ZERO);
    }
    ask(page, &json!(["about"]))
}

#[test]
fn a_link_does_not_replace_the_files_of_the_user() {
    let mut page = Page::default();
    ask(&mut page, &json!(["start", "queens", {}, false]));
    ask(&mut page, &json!(["keep", "mine.asm", " LDI 1\n HALT\n"]));
    let program = ".include \"lib/panel.asm\"\n.include \"sub/b.asm\"\n LDI OWN\n HALT\n";
    let texts = [
        ("mine.asm", program),
        ("lib/panel.asm", "OWN = 7\n"),
        ("sub/b.asm", ".include \"../c.asm\"\n"),
        ("c.asm", ""),
    ];
    let sources = texts.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
    let sources = gray1_programs::Sources(sources);
    let link = Link { program: "mine.asm".into(), sources, ..Link::default() };
    assert_eq!(opened(&mut page, &link)["name"], "link/mine.asm");
    let mut source = |name: &str| ask(&mut page, &json!(["source", name]));
    assert_eq!(source("mine.asm"), " LDI 1\n HALT\n");
    assert_eq!(source("link/mine.asm"), program);
    assert_ne!(source("lib/panel.asm"), "OWN = 7\n");
    // The shared program and the user's own programs can all be started, and so can the built-in
    // ones. The next link replaces only the files of this link.
    for name in ["link/mine.asm", "mine.asm", "snake", "queens"] {
        assert_eq!(ask(&mut page, &json!(["start", name, {}, false]))["name"], name);
    }
    let plain = Link { sources: gray1_programs::Sources::default(), ..link };
    let sources = [("mine.asm".to_owned(), " HALT\n".to_owned())].into();
    opened(&mut page, &Link { sources: gray1_programs::Sources(sources), ..plain });
    let source = ask(&mut page, &json!(["source", "link/mine.asm"]));
    assert_eq!(source, " HALT\n");
}

#[test]
fn a_link_opens_with_the_whole_run_and_the_inputs_of_the_link() {
    let mut page = Page::default();
    ask(&mut page, &json!(["start", "queens", {}, false]));
    while page.advance(Duration::ZERO) {}
    ask(&mut page, &json!(["seek", 50_000]));
    ask(&mut page, &json!(["hold", "left"]));
    ask(&mut page, &json!(["runTo", 80_000]));
    while ask(&mut page, &json!(["state"]))["now"] != 80_000 {
        page.advance(Duration::ZERO);
    }
    let link = ask(&mut page, &json!(["link"]));
    let link = Link::decode(link.as_str().unwrap()).unwrap();
    assert!(!link.inputs.is_empty());
    let mut other = Page::default();
    ask(&mut other, &json!(["start", "snake", {}, false]));
    assert_eq!(opened(&mut other, &link)["name"], "queens");
    while other.advance(Duration::ZERO) {}
    let state = ask(&mut other, &json!(["state"]));
    assert_eq!((&state["now"], &state["end"]), (&json!(80_000), &json!(184_039)));
    assert_eq!((&state["isWhole"], &state["results"][1]), (&json!(true), &json!(92)));
    let again = ask(&mut other, &json!(["link"]));
    let again = Link::decode(again.as_str().unwrap()).unwrap();
    assert_eq!((again.at, again.inputs), (link.at, link.inputs));
}

#[test]
fn opening_a_far_moment_can_be_stopped() {
    let mut page = Page::default();
    ask(&mut page, &json!(["start", "queens", {}, false]));
    let sources = [("l.asm".to_owned(), "l: LDI 1\n JMP l\n".to_owned())].into();
    let sources = gray1_programs::Sources(sources);
    let far = Link { program: "l.asm".into(), sources, at: 1 << 50, ..Link::default() };
    ask(&mut page, &json!(["openLink", far.encode()]));
    page.advance(Duration::ZERO);
    ask(&mut page, &json!(["stopOpening"]));
    let about = ask(&mut page, &json!(["about"]));
    assert_eq!(about["name"], "link/l.asm");
    assert!(about["note"].as_str().unwrap().starts_with("Stopped on the way"), "{about}");
    let mut old = far.clone();
    old.program = "queens.asm".into();
    old.built_in = [("queens.asm".to_owned(), 1)].into();
    assert_eq!(opened(&mut page, &old)["name"], "queens");
}

#[test]
fn a_long_test_does_not_block_the_page() {
    let mut page = Page::default();
    let tests = "Tests(version: 1, cases: [(name: \"a\", limit: 1_000_000_000_000, \
                 steps: [Prints(\"x\")])])";
    ask(&mut page, &json!(["edit", "a.asm", "l: LDI 1\n JMP l\n"]));
    ask(&mut page, &json!(["edit", "a.test.ron", tests]));
    ask(&mut page, &json!(["test", "a.asm", {}]));
    for _ in 0..10 {
        assert!(page.advance(Duration::ZERO));
    }
    let news = ask(&mut page, &json!(["job"]))["news"].clone();
    assert!(news.as_str().unwrap().ends_with(" instructions"), "{news}");
    ask(&mut page, &json!(["stopJob"]));
    assert!(!page.advance(Duration::ZERO));
}

#[test]
fn an_invalid_request_is_an_error() {
    let mut page = Page::default();
    for request in ["", "{}", "[]", "[\"fly\"]", "[\"state\"]", "[\"keep\", \"a.asm\"]"] {
        assert!(page.ask(request).starts_with("{\"error\":"), "{request}");
    }
}

/// Asks for an explanation in every frame until there is one.
fn why(page: &mut Page, question: &str) -> Value {
    for _ in 0..1000 {
        let explanation = ask(page, &json!(["why", question]));
        if !explanation.is_null() {
            return explanation;
        }
        page.advance(Duration::from_millis(10));
    }
    panic!("{question} is never answered");
}

#[test]
fn the_page_and_the_panes_show_only_their_own_answers() {
    let mut page = Page::default();
    ask(&mut page, &json!(["start", "queens", {}, false]));
    while page.advance(Duration::from_millis(1)) {}
    ask(&mut page, &json!(["seek", 5000]));
    assert_eq!(why(&mut page, "led 4, 3")["moment"], 5000);
    ask(&mut page, &json!(["seek", 4894]));
    // The page shows the answer, so the panes must not.
    let size = json!(["resize", 80, 24, true]);
    ask(&mut page, &size);
    let text = |page: &mut Page| {
        page.draw();
        ask(page, &json!(["text"])).to_string()
    };
    why(&mut page, "stack");
    assert!(!text(&mut page).contains(" why "));
    for key in ["w", "s", "t", "a", "c", "k", "Enter"] {
        ask(&mut page, &json!(["key", key, false, false]));
    }
    while page.advance(Duration::from_millis(10)) {}
    assert!(text(&mut page).contains(" why "), "w asks in the panes");
    // Ask about the square of the first question again, at another moment.
    assert_eq!(why(&mut page, "led 4, 3")["moment"], 4894);
    let refused = page.ask(&json!(["why", "led 9, 3"]).to_string());
    assert!(refused.contains("error"), "{refused}");
}

#[test]
fn a_question_stops_a_running_machine_and_gets_its_answer() {
    for slices in 0..60 {
        let mut page = Page::default();
        ask(&mut page, &json!(["start", "queens", {}, false]));
        (0..slices).for_each(|_| _ = page.advance(Duration::from_millis(5)));
        let explanation = why(&mut page, "led 1, 1");
        let state = ask(&mut page, &json!(["state"]));
        assert_eq!((&state["status"], &explanation["moment"]), (&json!("paused"), &state["now"]));
    }
}

#[test]
fn a_program_that_relies_on_power_up_is_explained_in_plain_words() {
    let clear: Vec<String> = (0x1fe0..0x1ff0).map(|led| format!(" ST {led}\n")).collect();
    let clear = clear.concat();
    for (program, subject, reason) in [
        (
            format!(" LDI 0\n{clear} LD 5\n ADD 5\n JC l\nl: HALT\n"),
            "Whether `JC l` at 0x0013 (a.asm:20) jumps",
            "0x0005 held at power-up, because the program does not set it first",
        ),
        (
            format!(" LDI 0\n{clear} LD 5\n NAND 6\n ST 0x1fff\n HALT\n"),
            "The byte that `ST mailbox` at 0x0013 (a.asm:20) prints",
            "0x0005, 0x0006 held at power-up, because the program does not set them first",
        ),
        (
            format!("{clear} HALT\n"),
            "The LED in column 0 of green row 0",
            "A held at power-up, because the program does not set it first",
        ),
    ] {
        let mut page = Page::default();
        ask(&mut page, &json!(["keep", "a.asm", program]));
        ask(&mut page, &json!(["start", "a.asm", {}, true]));
        ask(&mut page, &json!(["prove"]));
        while page.advance(Duration::ZERO) {}
        let outcome = &ask(&mut page, &json!(["job"]))["outcome"];
        let expected = format!(
            "This program does not do the same at every power-up. {subject} depends on what \
             {reason}. In this simulator, everything starts as 0. In a real machine, it can be \
             anything."
        );
        assert_eq!(outcome["text"], expected);
        assert!(outcome["details"].as_str().unwrap().starts_with("disproved: "));
    }
}
