//! Links that contain a moment of a program, and opening them in the debugger.

use std::fmt::Write as _;
use std::num::NonZeroU64;

use gray1_isa::PowerUp;
use gray1_isa::panel::Buttons;
use gray1_programs::{Link, LinkInput};
use gray1_sim::EngineKind;

use crate::support::terminal::Setup;
use crate::support::{Bench, root};

/// A program that adds three for ever, in four files, one of them built in.
fn bench() -> Bench {
    let program = ".include \"parts/step.asm\"\n.include \"lib/std.asm\"\n.var step\n";
    let program = format!("{program} LDI STEP\n ST step\nagain: ADD step\n JMP again\n");
    Bench::new()
        .file("game/main.asm", program)
        .file("game/parts/step.asm", ".include \"../byte.asm\"\nSTEP = BYTE\n")
        .file("game/byte.asm", "BYTE = 3\n")
        .file("pressed.txt", "4 left\n")
}

/// The link that `gray1 link` prints.
fn link(bench: &Bench, arguments: &str) -> String {
    let ran = bench.gray1(&format!("link {arguments}")).status(0);
    ran.text().trim_end().to_owned()
}

#[test]
fn a_link_opens_at_its_moment_without_the_files() {
    let bench = bench();
    let options = "--at 6 --engine chips --ram ones --buttons pressed.txt";
    let url = link(&bench, &format!("game/main.asm {options} --base https://example.org/g.html"));
    assert!(url.starts_with("https://example.org/g.html#1."), "{url}");
    for base in ["https://example.org/#door", "'example.org/g h'"] {
        bench.gray1(&format!("link game/main.asm --base {base}")).status(2).stdout("");
    }
    let elsewhere = Bench::new();
    let mut terminal = Setup::gray1(&elsewhere.path(""), &format!("--link {url}")).start();
    terminal.wait_for("paused").wait_for("main.asm");
    // A holds 9 after three additions of three.
    terminal.wait_for("A  09").wait_for("count 6");
    // The debugger can step back to everything before the moment.
    terminal.keys("S");
    terminal.wait_for("count 5");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn a_link_does_not_open_a_file_of_this_computer_in_the_editor() {
    let bench = bench();
    let text = link(&bench, "game/main.asm --at 1");
    // A file of the same name in another folder is another program.
    let elsewhere = Bench::new().file("main.asm", " HALT\n").file("game/main.asm", " HALT\n");
    let setup = Setup::gray1(&elsewhere.path(""), &format!("--link {text}"));
    let mut terminal = setup.env("VISUAL", "echo opened >").start();
    terminal.wait_for("paused");
    terminal.keys("v");
    terminal.wait_for("this source came with a link: there is no file to edit");
    // A file that the user opens in the front end did not come with the link, so it can be edited.
    terminal.keys("o");
    terminal.wait_for("open a program");
    terminal.keys("main.asm\r");
    terminal.wait_for("HALT");
    terminal.keys("v");
    terminal.wait_for_no("this came in a link");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn any_key_opens_a_link_before_it_reaches_a_far_moment() {
    let bench = bench();
    let text = link(&bench, "game/main.asm --at 5");
    let mut far = Link::decode(&text).unwrap();
    far.at = 1_000_000_000_000_000;
    for (key, status) in [("q", 0), ("\x03", 130)] {
        let setup = Setup::gray1(&bench.path(""), &format!("--link {}", far.encode()));
        let mut terminal = setup.start();
        terminal.wait_for("instructions");
        terminal.keys(key);
        if status == 0 {
            terminal.wait_for("paused");
            terminal.keys("q");
        }
        terminal.ends_with(status);
    }
}

#[test]
fn a_link_has_the_defines_and_the_included_files() {
    let source = ".include \"part.asm\"\n.default N = 1\n LDI N + PART\n HALT\n";
    let bench = Bench::new().file("p.asm", source).file("lib/part.asm", "PART = 4\n");
    let text = link(&bench, "p.asm -D N=3 -I lib --at 1");
    let elsewhere = Bench::new();
    let mut terminal = Setup::gray1(&elsewhere.path(""), &format!("--link {text}")).start();
    terminal.wait_for("paused").wait_for("A  07");
    terminal.keys("q");
    terminal.ends_with(0);
    bench.gray1("link p.asm -I lib -D M=3").status(1);
}

#[test]
fn a_link_has_the_machine_the_buttons_and_the_moment() {
    let presses = "4 left\n6 -\n7 a\n";
    let board = std::fs::read_to_string(root().join("roms/gray1.ron")).unwrap();
    let bench = bench().file("presses", presses).file("own.ron", &board);
    let machine = "--engine timed --seed 9 --glitch 50 --board own.ron --ram random:7";
    let full = link(&bench, &format!("game/main.asm {machine} --at 6 --buttons presses"));
    let full = Link::decode(&full).unwrap();
    assert_eq!((full.engine, full.seed, full.ram), (EngineKind::Timed, 9, PowerUp::Random(7)));
    assert_eq!(full.glitch.map(NonZeroU64::get), Some(50));
    assert_eq!(full.board.unwrap().text, board);
    let holds = |buttons: &str| LinkInput::Hold(buttons.parse().unwrap());
    assert_eq!(full.inputs, [(4, holds("left")), (6, LinkInput::Hold(Buttons::default()))]);
    assert_eq!((full.at, full.program.as_str()), (6, "main.asm"));
    for (options, engine, board) in [
        ("", EngineKind::Instruction, None),
        ("--board gray1 --engine chips", EngineKind::Chips, None),
        ("--board gray1-b", EngineKind::Instruction, Some("gray1-b")),
        ("--board binary-counter", EngineKind::Chips, Some("binary-counter")),
    ] {
        let link = Link::decode(&link(&bench, &format!("game/main.asm --at 0 {options}"))).unwrap();
        assert_eq!(link.engine, engine, "{options}");
        assert_eq!(link.board.map(|board| board.name).as_deref(), board, "{options}");
        assert_eq!((link.ram, link.seed, link.inputs, link.at), (PowerUp::Zero, 0, vec![], 0));
    }
}

#[test]
fn impossible_and_damaged_links_are_errors() {
    let bench = bench().file("bad.asm", " FLY\n").file("b.ron", "()");
    for (arguments, message) in [
        ("link bad.asm", "bad.asm:1:2"),
        ("link nothing.asm", "nothing.asm"),
        ("link queens --board b.ron", "b.ron"),
        ("link queens --buttons nothing", "nothing"),
    ] {
        let ran = bench.gray1(arguments).status(1);
        assert!(ran.out().is_empty());
        let stderr = ran.err();
        assert!(stderr.contains(message), "{arguments}: {stderr}");
    }
    bench.gray1("--link 1.abc --engine chips").status(2);
    let terminal = Setup::gray1(&bench.path(""), "--link 1.abc").start();
    let screen = terminal.ends_with(1);
    assert!(screen.contains("this link is damaged"), "{screen}");
}

/// The URL of the web page: `homepage` in Cargo.toml. It is empty until the page is published.
const PAGE: &str = env!("CARGO_PKG_HOMEPAGE");

/// In the documents, `words` in `<!-- page FRAGMENT -->words<!-- / -->` become a link once the page
/// is published. Words after a colon, as in `<!-- page FRAGMENT: words --><!-- / -->`, are shown
/// only then. `UPDATE_GOLDENS` writes the links.
#[test]
fn the_handbook_links_to_moments_of_the_programs_that_it_shows() {
    for (document, count) in [("docs/TUTORIAL.md", 8), ("docs/QUEENS.md", 6)] {
        let path = root().join(document);
        let text = std::fs::read_to_string(&path).unwrap();
        let mut parts = text.split("<!-- page ");
        let mut written = parts.next().unwrap().to_owned();
        let mut links = 0;
        for part in parts {
            let (head, rest) = part.split_once(" -->").unwrap();
            let (shown, rest) = rest.split_once("<!-- / -->").unwrap();
            let shown = shown.trim_start_matches('[').split("](").next().unwrap();
            let (fragment, words) = head.split_once(": ").unwrap_or((head, shown));
            assert_fragment(fragment, &text);
            let words = match PAGE {
                "" if head == fragment => words.to_owned(),
                "" => String::new(),
                page => format!("[{words}]({page}#{fragment})"),
            };
            write!(written, "<!-- page {head} -->{words}<!-- / -->{rest}").unwrap();
            links += 1;
        }
        if std::env::var_os("UPDATE_GOLDENS").is_some() {
            std::fs::write(&path, &written).unwrap();
        }
        assert!(written == text, "{document}: homepage is {PAGE:?}; UPDATE_GOLDENS=1 writes it");
        assert_eq!(links, count, "{document} links to each of its programs");
    }
}

/// The fragment is as short as possible. Its program is built in or printed in the document.
fn assert_fragment(fragment: &str, document: &str) {
    let link = Link::decode(fragment).unwrap();
    link.image().unwrap();
    assert_eq!(link.encode_short(), *fragment, "nothing is carried that need not be");
    let program = &link.sources.0[&link.program];
    let is_built_in = gray1_programs::file(&link.program).is_some_and(|it| it.text == program);
    assert!(is_built_in || document.contains(&format!("```asm\n{program}```")), "{fragment}");
}

/// The documents do not link to a page that is not published.
#[test]
fn documents_do_not_link_to_an_unpublished_page() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let mut documents = vec![readme];
    for entry in std::fs::read_dir(root().join("docs")).unwrap() {
        documents.extend(std::fs::read_to_string(entry.unwrap().path()));
    }
    assert!(documents.iter().all(|it| !it.contains("](../target") && !it.contains("](target")));
    let invitation = if PAGE.is_empty() { "](docs/gray1.html)" } else { PAGE };
    assert!(documents[0].contains(invitation), "README.md: {invitation}");
}
