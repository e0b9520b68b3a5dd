//! Requests to a page, and its answers.

use serde_json::Value;

use super::*;

/// The answer to a request, which is no error.
fn ask(page: &mut Page, request: &Value) -> Value {
    let answer: Value = serde_json::from_str(&page.ask(&request.to_string())).unwrap();
    assert!(answer["error"].is_null(), "{request}: {answer}");
    answer
}

/// Puts a program into a machine with this engine.
fn start(page: &mut Page, program: &str, engine: &str) -> Value {
    ask(page, &json!({ "do": "start", "program": program, "hardware": { "engine": engine } }))
}

#[test]
fn the_film_goes_back_to_a_result() {
    let mut page = Page::default();
    let about = start(&mut page, "queens", "instruction");
    assert_eq!(about["result"], "solution");
    while page.advance(Duration::from_millis(1)) {}
    let results = ask(&mut page, &json!({ "do": "results" }));
    assert_eq!(results.as_array().unwrap().len(), 92);
    assert_eq!(results[0]["text"], "15863724");
    ask(&mut page, &json!({ "do": "seek", "moment": results[40]["moment"] }));
    let state = ask(&mut page, &json!({ "do": "state" }));
    assert_eq!(state["leds"], results[40]["leds"]);
    assert_eq!((&state["status"], &state["lines"]), (&json!("paused"), &json!(41)));
}

#[test]
fn a_line_with_a_break_stops_the_machine() {
    let mut page = Page::default();
    let text = ".include \"lib/std.asm\"\n.pool\n.var x\n set x, 1\n\n copy x, x\n HALT\n";
    ask(&mut page, &json!({ "do": "edit", "name": "a.asm", "text": text }));
    start(&mut page, "a.asm", "chips");
    // An empty line stands for the next one.
    ask(&mut page, &json!({ "do": "break", "line": 5 }));
    ask(&mut page, &json!({ "do": "seek", "moment": 0 }));
    ask(&mut page, &json!({ "do": "transport", "button": "play" }));
    while page.advance(Duration::from_millis(100)) {}
    let state = ask(&mut page, &json!({ "do": "state" }));
    assert_eq!((&state["breaks"], &state["line"]), (&json!([6]), &json!(6)), "{state}");
    let eprom = ask(&mut page, &json!({ "do": "eprom", "name": "a.asm" }));
    assert!(eprom.as_str().unwrap().starts_with(':'));
}

#[test]
fn a_link_leads_another_page_to_the_same_moment() {
    let mut page = Page::default();
    let text = ".include \"lib/panel.asm\"\nl: LD BUTTONS\n ST RED\n JMP l\n";
    ask(&mut page, &json!({ "do": "edit", "name": "mine.asm", "text": text }));
    start(&mut page, "mine.asm", "chips");
    page.advance(Duration::from_millis(100));
    ask(&mut page, &json!({ "do": "hold", "buttons": "left+a" }));
    page.advance(Duration::from_millis(50));
    ask(&mut page, &json!({ "do": "transport", "button": "pause" }));
    let state = ask(&mut page, &json!({ "do": "state" }));
    assert_ne!(state["leds"]["red"][0], 0);
    let link = ask(&mut page, &json!({ "do": "link" }));

    let mut other = Page::default();
    start(&mut other, "queens", "instruction");
    ask(
        &mut other,
        &json!({ "do": "openLink", "text": format!("https://x/#{link}", link = link.as_str().unwrap()) }),
    );
    while ask(&mut other, &json!({ "do": "opening" }))["about"].is_null() {
        other.advance(Duration::ZERO);
    }
    let opened = ask(&mut other, &json!({ "do": "opening" }));
    assert_eq!(
        (&opened["about"]["name"], &opened["about"]["engine"]),
        (&json!("link/mine.asm"), &json!("chips"))
    );
    let there = ask(&mut other, &json!({ "do": "state" }));
    assert_eq!((&there["now"], &there["leds"]), (&state["now"], &state["leds"]));
    assert!(other.ask(&json!({ "do": "openLink", "text": "1.x" }).to_string()).contains("damaged"));
}

/// Opens a link, and waits until its machine has arrived; what is in the machine.
fn opened(page: &mut Page, link: &Link) -> Value {
    ask(page, &json!({ "do": "openLink", "text": link.encode() }));
    loop {
        let about = ask(page, &json!({ "do": "opening" }))["about"].clone();
        if !about.is_null() {
            return about;
        }
        page.advance(Duration::ZERO);
    }
}

#[test]
fn what_comes_with_a_link_takes_the_place_of_nothing() {
    let mut page = Page::default();
    ask(&mut page, &json!({ "do": "start", "program": "queens" }));
    ask(&mut page, &json!({ "do": "keep", "name": "mine.asm", "text": " LDI 1\n HALT\n" }));
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
    let mut source = |name: &str| ask(&mut page, &json!({ "do": "source", "name": name }));
    assert_eq!(source("mine.asm"), " LDI 1\n HALT\n");
    assert_eq!(source("link/mine.asm"), program);
    assert_ne!(source("lib/panel.asm"), "OWN = 7\n");
    // All of them can be started, and the next link brings its own files.
    for name in ["link/mine.asm", "mine.asm", "snake", "queens"] {
        assert_eq!(ask(&mut page, &json!({ "do": "start", "program": name }))["name"], name);
    }
    let plain = Link { sources: gray1_programs::Sources::default(), ..link };
    let sources = [("mine.asm".to_owned(), " HALT\n".to_owned())].into();
    opened(&mut page, &Link { sources: gray1_programs::Sources(sources), ..plain });
    let source = ask(&mut page, &json!({ "do": "source", "name": "link/mine.asm" }));
    assert_eq!(source, " HALT\n");
}

#[test]
fn built_in_programs_include_built_in_files_whatever_the_user_has() {
    let mut page = Page::default();
    for name in ["lib/panel.asm", "queens", "queens.asm", "link/x.asm"] {
        ask(&mut page, &json!({ "do": "keep", "name": name, "text": " FLY\n" }));
    }
    assert_eq!(ask(&mut page, &json!({ "do": "start", "program": "queens" }))["name"], "queens");
}

#[test]
fn a_link_opens_with_the_whole_run_and_the_inputs_of_the_link() {
    let mut page = Page::default();
    ask(&mut page, &json!({ "do": "start", "program": "queens" }));
    while page.advance(Duration::ZERO) {}
    ask(&mut page, &json!({ "do": "seek", "moment": 50_000 }));
    ask(&mut page, &json!({ "do": "hold", "buttons": "left" }));
    ask(&mut page, &json!({ "do": "runTo", "moment": 80_000 }));
    while ask(&mut page, &json!({ "do": "state" }))["now"] != 80_000 {
        page.advance(Duration::ZERO);
    }
    let link = ask(&mut page, &json!({ "do": "link" }));
    let link = Link::decode(link.as_str().unwrap()).unwrap();
    assert!(!link.inputs.is_empty());
    let mut other = Page::default();
    ask(&mut other, &json!({ "do": "start", "program": "snake" }));
    assert_eq!(opened(&mut other, &link)["name"], "queens");
    while other.advance(Duration::ZERO) {}
    let state = ask(&mut other, &json!({ "do": "state" }));
    assert_eq!((&state["now"], &state["end"]), (&json!(80_000), &json!(184_039)));
    assert_eq!((&state["isWhole"], &state["results"][1]), (&json!(true), &json!(92)));
    let again = ask(&mut other, &json!({ "do": "link" }));
    let again = Link::decode(again.as_str().unwrap()).unwrap();
    assert_eq!((again.at, again.inputs), (link.at, link.inputs));
}

#[test]
fn the_way_to_a_far_moment_is_left_where_it_has_come() {
    let mut page = Page::default();
    ask(&mut page, &json!({ "do": "start", "program": "queens" }));
    let sources = [("l.asm".to_owned(), "l: LDI 1\n JMP l\n".to_owned())].into();
    let sources = gray1_programs::Sources(sources);
    let far = Link { program: "l.asm".into(), sources, at: 1 << 50, ..Link::default() };
    ask(&mut page, &json!({ "do": "openLink", "text": far.encode() }));
    page.advance(Duration::ZERO);
    ask(&mut page, &json!({ "do": "stopOpening" }));
    let about = ask(&mut page, &json!({ "do": "opening" }))["about"].clone();
    assert_eq!(about["name"], "link/l.asm");
    assert!(about["note"].as_str().unwrap().starts_with("Stopped on the way"), "{about}");
    let mut old = far.clone();
    old.program = "queens.asm".into();
    old.built_in = [("queens.asm".to_owned(), 1)].into();
    assert_eq!(opened(&mut page, &old)["name"], "queens");
}

/// Waits for tests, or a check.
fn outcome(page: &mut Page) -> Value {
    while !ask(page, &json!({ "do": "job" }))["news"].is_null() {
        page.advance(Duration::ZERO);
    }
    ask(page, &json!({ "do": "job" }))["outcome"].clone()
}

#[test]
fn a_program_is_tested_on_a_board_of_the_users_own() {
    let mut page = Page::default();
    let board = gray1_roms::BUILT_IN[1].1.replacen("title: \"", "title: \"My ", 1);
    let tests = |byte: u32| {
        format!(
            "Tests(version: 1, cases: [\n (name: \"sum\", board: \"mine.ron\", \
             engine: \"chips\", steps: [Halts,\n  Is(\"[x]\", {byte})]),\n])"
        )
    };
    for (name, text) in [
        ("a.asm", ".var x\n LDI 5\n ST x\n HALT\n"),
        ("mine.ron", &board),
        ("a.test.ron", &tests(5)),
    ] {
        let told = ask(&mut page, &json!({ "do": "edit", "name": name, "text": text }));
        assert_eq!(told["diagnostics"], json!([]), "{name}");
    }
    let boards = ask(&mut page, &json!({ "do": "boards" }));
    assert_eq!(boards, json!(["gray1", "gray1-b", "binary-counter", "mine.ron"]));
    ask(&mut page, &json!({ "do": "test", "name": "a.asm" }));
    let passed = outcome(&mut page);
    let text = "ok      a.asm: 1 case, 3 instructions\n1 program, 1 case: all passed\n";
    assert_eq!(passed["text"], text);

    ask(&mut page, &json!({ "do": "edit", "name": "a.test.ron", "text": tests(6) }));
    ask(&mut page, &json!({ "do": "test", "name": "a.test.ron" }));
    let failed = outcome(&mut page);
    let text = failed["text"].as_str().unwrap();
    assert!(text.contains("a.test.ron:3:3: `[x]` has a different value\n"), "{text}");
    assert!(text.contains("after 3 instructions, at 0x0002 (a.asm:4)\n"), "{text}");
    let about = ask(&mut page, &json!({ "do": "failure" }));
    assert_eq!((&about["board"], &about["engine"]), (&json!("mine.ron"), &json!("chips")));
    assert_eq!(ask(&mut page, &json!({ "do": "state" }))["now"], 3);

    let broken = board.replacen("chips:", "chps:", 1);
    let told = ask(&mut page, &json!({ "do": "edit", "name": "mine.ron", "text": broken }));
    assert!(told["diagnostics"][0]["range"]["start"]["line"].as_u64() > Some(0), "{told}");
    ask(&mut page, &json!({ "do": "test", "name": "a.asm" }));
    let text = outcome(&mut page)["text"].as_str().unwrap().to_owned();
    assert!(text.contains("\n    mine.ron:"), "{text}");
    let none = page.ask(&json!({ "do": "test", "name": "b.asm" }).to_string());
    assert!(none.contains("there is no test file b.test.ron beside b.asm"), "{none}");
}

#[test]
fn a_test_that_takes_its_time_does_not_hold_the_page() {
    let mut page = Page::default();
    let tests = "Tests(version: 1, cases: [(name: \"a\", limit: 1_000_000_000_000, \
                 steps: [Prints(\"x\")])])";
    ask(&mut page, &json!({ "do": "edit", "name": "a.asm", "text": "l: LDI 1\n JMP l\n" }));
    ask(&mut page, &json!({ "do": "edit", "name": "a.test.ron", "text": tests }));
    ask(&mut page, &json!({ "do": "test", "name": "a.asm" }));
    for _ in 0..10 {
        assert!(page.advance(Duration::ZERO));
    }
    let news = ask(&mut page, &json!({ "do": "job" }))["news"].clone();
    assert!(news.as_str().unwrap().ends_with(" instructions"), "{news}");
    ask(&mut page, &json!({ "do": "stopJob" }));
    assert!(!page.advance(Duration::ZERO));
}

#[test]
fn the_panes_are_those_of_the_terminal() {
    let mut page = Page::default();
    start(&mut page, "queens", "chips");
    let size = json!({ "do": "resize", "columns": 120, "rows": 40, "light": false });
    ask(&mut page, &size);
    ask(&mut page, &json!({ "do": "pane", "name": "board" }));
    assert!(page.draw().len() >= 120 * 40 * 4);
    let shown = ask(&mut page, &json!({ "do": "text" })).to_string();
    assert!(shown.contains("PHASE.2"), "{shown}");
    let left = ask(&mut page, &json!({ "do": "key", "key": "q" }));
    assert_eq!(left["leaves"], true);
}

#[test]
fn what_is_no_request_is_an_error() {
    let mut page = Page::default();
    for request in ["", "{}", "{\"do\":\"fly\"}", "{\"do\":\"state\"}", "{\"do\":\"pane\"}"] {
        assert!(page.ask(request).starts_with("{\"error\":"), "{request}");
    }
}

/// The story behind something, which is asked for in each frame.
fn why(page: &mut Page, question: &str) -> Value {
    for _ in 0..1000 {
        let story = ask(page, &json!({ "do": "why", "question": question }));
        if !story.is_null() {
            return story;
        }
        page.advance(Duration::from_millis(10));
    }
    panic!("{question} is never answered");
}

#[test]
fn a_square_tells_why_and_its_steps_lead_to_their_moments() {
    let mut page = Page::default();
    let start = json!({ "do": "start", "program": "queens" });
    ask(&mut page, &start);
    while page.advance(Duration::from_millis(1)) {}
    ask(&mut page, &json!({ "do": "seek", "moment": 5000 }));
    let story = why(&mut page, "led 4, 3");
    assert_eq!(
        story["sentence"],
        "led 4, 3 is dark (attacked or tried): \"Exclude the squares that she attacks in the rows \
         below\", Q at 1, 3 (moment 3103)"
    );
    let step = &story["lines"][1];
    assert_eq!(step["text"], "A.3 is 0: LD untried+4");
    assert_eq!(step["caption"], "The queen stays: each row below has a free square.");
    assert_eq!((&step["depth"], &step["moment"]), (&json!(1), &json!(4894)));
    ask(&mut page, &json!({ "do": "runTo", "moment": 4894 }));
    assert_eq!(ask(&mut page, &json!({ "do": "state" }))["now"], 4894);
    // The page shows the answer, and the panes do not do so once more.
    let size = json!({ "do": "resize", "columns": 80, "rows": 24, "light": true });
    ask(&mut page, &size);
    let text = |page: &mut Page| {
        page.draw();
        ask(page, &json!({ "do": "text" })).to_string()
    };
    why(&mut page, "stack");
    assert!(!text(&mut page).contains(" why "));
    for key in ["w", "s", "t", "a", "c", "k", "Enter"] {
        ask(&mut page, &json!({ "do": "key", "key": key }));
    }
    while page.advance(Duration::from_millis(10)) {}
    assert!(text(&mut page).contains(" why "), "w asks in the panes");
    // The same square is asked about at another moment.
    assert_eq!(why(&mut page, "led 4, 3")["moment"], 4894);
    let refused = page.ask(&json!({ "do": "why", "question": "led 9, 3" }).to_string());
    assert!(refused.contains("error"), "{refused}");
}

#[test]
fn a_question_to_a_running_machine_stops_it_and_outlasts_the_run_ahead() {
    for slices in 0..60 {
        let mut page = Page::default();
        ask(&mut page, &json!({ "do": "start", "program": "queens" }));
        (0..slices).for_each(|_| _ = page.advance(Duration::from_millis(5)));
        let story = why(&mut page, "led 1, 1");
        let state = ask(&mut page, &json!({ "do": "state" }));
        assert_eq!((&state["status"], &story["moment"]), (&json!("paused"), &state["now"]));
    }
}
