//! Checks the documents: their programs assemble, their commands run, and their links lead
//! somewhere.

#![allow(clippy::print_stdout, reason = "what a failing test prints says which example it was at")]

use std::path::{Path, PathBuf};

use crate::support::{Bench, RunResult, root};

/// The code blocks of a document that are marked as assembly, each with its line.
fn examples(document: &str) -> Vec<(usize, String)> {
    blocks(document, "asm")
}

/// The code blocks of a document that are marked with this language, each with its line.
fn blocks(document: &str, language: &str) -> Vec<(usize, String)> {
    let text = std::fs::read_to_string(root().join(document)).unwrap();
    let mut examples = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if line.strip_prefix("```") == Some(language) {
            let block = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
            examples.push((number + 1, block.flat_map(|line| [line, "\n"]).collect()));
        }
    }
    assert!(!examples.is_empty(), "{document} has examples");
    examples
}

#[test]
fn every_example_assembles_and_is_formatted() {
    for document in ["README.md", "docs/LANGUAGE.md", "docs/LIBRARY.md", "docs/TEACHING.md"] {
        for (line, example) in examples(document) {
            let bench = Bench::new();
            let ran = bench.gray1_with_input("asm - --format bin -o -", example.as_bytes());
            println!("{document}:{line}");
            let ran = ran.status(0);
            bench.gray1_with_input("fmt --check -", example.as_bytes()).status(0).stderr("");
            // Tests in this document may write to addresses that a program only reads.
            if document != "docs/TEACHING.md" {
                ran.stderr("");
            }
        }
    }
}

/// The code spans that begin with this string.
fn spans<'a>(text: &'a str, start: &'a str) -> impl Iterator<Item = &'a str> {
    text.split('`').skip(1).step_by(2).filter(move |span| span.starts_with(start))
}

/// The names of a crate's tests and of their files, without those of crates inside its folder.
fn test_names(root: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut folders = vec![root.join("src"), root.join("tests")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let tests = text.split("#[test]\n").skip(1);
                let tests = tests.filter_map(|test| test.split_once("fn ")?.1.split_once('('));
                let module = path.strip_prefix(root).unwrap().with_extension("");
                let module = module.to_string_lossy().replace('/', "::");
                names.extend(tests.map(|(name, _)| format!("{module}::{name}")));
            }
        }
    }
    names
}

/// The folder of a package, from the manifest of the workspace.
fn package_folder(package: &str) -> PathBuf {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let line = manifest.lines().find(|line| line.starts_with(&format!("{package} = ")));
    let path = line.and_then(|line| line.split_once("path = \"")?.1.split('"').next());
    root().join(path.unwrap_or_else(|| panic!("there is no package {package}")))
}

#[test]
fn every_command_of_the_page_on_trust_runs_a_test() {
    let page = std::fs::read_to_string(root().join("docs/TRUST.md")).unwrap();
    let commands: Vec<&str> = spans(&page, "cargo test ").collect();
    assert!(commands.len() > 15, "{commands:?}");
    for command in commands {
        let (mut folder, mut files, mut filters) = (root().to_owned(), Vec::new(), Vec::new());
        let mut words = command.split_whitespace().skip(2);
        while let Some(word) = words.next() {
            match word {
                "-p" => folder = package_folder(words.next().unwrap()),
                "--test" => files.push(words.next().unwrap()),
                "--" | "--release" | "--ignored" | "--nocapture" => {}
                word => filters.push(word),
            }
        }
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        for file in &files {
            let is_named = manifest.contains(&format!("[[test]]\nname = \"{file}\"\n"));
            let path = folder.join("tests").join(file).with_extension("rs");
            assert!(is_named || path.exists(), "{command}: {file}");
        }
        // Without a filter, all tests of the crate or of these files run.
        let names = test_names(&folder);
        for filter in &filters {
            assert!(names.iter().any(|name| name.contains(filter)), "{command}: {filter}");
        }
        assert!(!names.is_empty(), "{command}");
    }
    for bench in ["native", "verilog", "instruction", "published", "debugger"] {
        assert!(page.contains(bench) && root().join(format!("benches/{bench}.rs")).exists());
    }
}

#[test]
fn the_program_of_the_readme_does_what_it_says() {
    let (_, example) = examples("README.md").remove(0);
    let bench = Bench::new().file("diagonal.asm", example);
    bench.gray1("run diagonal.asm").status(0).stdout("!");
    bench.gray1("asm diagonal.asm --format ihex").status(0);
    bench.gray1("disasm diagonal.hex -o again.asm").status(0);
    bench.gray1("run again.asm").status(0).stdout("!");
}

#[test]
fn the_page_on_the_library_is_what_its_files_say() {
    let page = Bench::new().gray1("show library").status(0);
    let kept = std::fs::read(root().join("docs/LIBRARY.md")).unwrap();
    let remedy = "make it anew by: gray1 show library > docs/LIBRARY.md";
    assert!(page.out() == kept, "docs/LIBRARY.md is stale; {remedy}");
}

/// Chips that differ only in their number share one line: `GREEN0–7`.
#[test]
fn the_page_on_the_machine_says_what_the_boards_say_each_chip_is_for() {
    let page = std::fs::read_to_string(root().join("docs/MACHINE.md")).unwrap();
    let mut expected = std::collections::BTreeSet::new();
    for board in ["gray1", "gray1-b"] {
        for chip in gray1_roms::built_in(board).unwrap().chips() {
            let name = chip.name().trim_end_matches(|c: char| c.is_ascii_digit());
            let numbers = if name == chip.name() { "" } else { "0–7" };
            assert_ne!(chip.purpose(), "", "{board}: {}", chip.name());
            expected.insert(format!("| {name}{numbers} | {} |", chip.purpose()));
        }
    }
    let tables = page.split("| chip | what it is for |\n|---|---|\n").skip(1);
    let lines = tables.flat_map(|rest| rest.lines().take_while(|line| !line.is_empty()));
    assert_eq!(lines.map(str::to_owned).collect::<std::collections::BTreeSet<_>>(), expected);
}

#[test]
fn the_page_on_the_machine_has_the_sentences_of_each_phase() {
    let page = std::fs::read_to_string(root().join("docs/MACHINE.md")).unwrap();
    let (_, table) = page.split_once("| what happens |\n|---|---|---|---|\n").unwrap();
    let rows: Vec<&str> = table.lines().take_while(|line| !line.is_empty()).collect();
    for board in ["gray1", "gray1-b"] {
        let board = gray1_roms::built_in(board).unwrap();
        let row = |it: &gray1_board::PhaseSentence| {
            let at: Vec<String> = it.at.iter().map(ToString::to_string).collect();
            let of: Vec<&str> = it.of.iter().map(|op| op.mnemonic()).collect();
            let of = if of.is_empty() { "all".into() } else { format!("`{}`", of.join(" ")) };
            let carry = it.carry.map(|carry| format!(", C is {}", u8::from(carry)));
            let on: Vec<&str> = it.on.iter().map(|net| board.net(*net).name()).collect();
            let on = if on.is_empty() { "none".into() } else { on.join(", ") };
            let carry = carry.unwrap_or_default();
            format!("| {} | {of}{carry} | {on} | {} |", at.join(", "), it.says)
        };
        assert_eq!(board.phase_sentences().iter().map(row).collect::<Vec<_>>(), rows);
    }
}

#[test]
fn the_test_of_the_page_on_testing_passes_and_fails_as_it_says() {
    let document = "docs/TEACHING.md";
    let page = std::fs::read_to_string(root().join(document)).unwrap();
    let (_, program) = examples(document).remove(0);
    let (_, tests) = blocks(document, "ron").remove(0);
    let wrong = program.replace("GREEN", "RED");
    let half = program.replace("        ADD  y\n", "");
    let bench = Bench::new().file("class/anna/sum.asm", &program).file("class/ben/sum.asm", half);
    let bench = bench.file("class/carla/sum.asm", " FLY\n").file("class/dora/other", "");
    let weak = r#"(name: "a", steps: [Set("x", 2), Set("y", 3), Prints("5"), Halts])"#;
    let bench = bench.file("weak.test.ron", format!("Tests(version: 1, cases: [{weak}])"));
    let bench = bench.file("sum.asm", program).file("sum.test.ron", tests);
    let shown = |out: &[u8]| page.contains(std::str::from_utf8(out).unwrap());
    assert!(shown(bench.gray1("test sum.asm").status(0).out()));
    let class = "class/anna class/ben class/carla class/dora";
    assert!(shown(bench.gray1(&format!("test --test sum.test.ron {class} -q")).status(1).out()));
    let ran = bench.gray1("test weak.test.ron --program sum.asm --mistakes").status(1);
    assert!(shown(ran.out()), "{}", ran.text());
    let bench = bench.file("sum.asm", wrong);
    let ran = bench.gray1("test sum.asm").status(1);
    let text = ran.text();
    let first = text.split("\n\n    case").take(2).collect::<Vec<_>>().join("\n\n    case");
    assert!(shown(first.as_bytes()), "{first}");
}

/// The commands whose output a document shows, each with what is shown of it: in a block after
/// `$ gray1`, or in the block below a comment with the command.
fn transcripts(text: &str) -> Vec<(&str, String)> {
    let mut transcripts = Vec::new();
    let mut parts = text.split("```text\n");
    let mut before = parts.next().unwrap();
    for part in parts {
        let (block, _) = part.split_once("```").unwrap();
        let (_, comment) = before.rsplit_once("<!-- part of: gray1 ").unwrap_or_default();
        if let Some(command) = comment.trim_end().strip_suffix(" -->") {
            transcripts.push((command, format!("...\n{block}\n...")));
        }
        let runs = block.split("$ gray1 ").skip(1).map(|it| it.split_once('\n').unwrap());
        transcripts.extend(runs.map(|(command, shown)| (command, shown.to_owned())));
        before = part;
    }
    transcripts
}

/// The wrong copy of `fibonacci` that a reader of docs/DEBUGGER.md makes: the page says which two
/// calls to exchange. A label in front of a call stays in place.
fn fibonacci_with_exchanged_calls() -> String {
    let page = std::fs::read_to_string(root().join("docs/DEBUGGER.md")).unwrap();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, calls) = page.split_once("exchange the calls").unwrap();
    let mut calls = calls.split('`').skip(1).step_by(2);
    let (first, second) = (calls.next().unwrap(), calls.next().unwrap());
    let right = std::fs::read_to_string(root().join("programs/fibonacci.asm")).unwrap();
    for call in [first, second] {
        assert_eq!(right.matches(call).count(), 1, "{call}");
    }
    right.replace(first, "\0").replace(second, first).replace('\0', second)
}

/// White space does not count. A line `...` stands for lines that the document leaves out. Lines
/// after `>` are typed. A program whose first line is a comment with its name is in the folder of
/// the commands.
#[test]
fn every_output_in_a_document_is_what_the_command_prints() {
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mine = fibonacci_with_exchanged_calls();
    let mut count = 0;
    for document in documents().iter().filter(|path| !path.ends_with("TEACHING.md")) {
        let text = std::fs::read_to_string(root().join(document)).unwrap();
        let mut bench = Bench::new().file("mine.asm", &mine);
        // A program with a mistake is marked `asm wrong`.
        for example in text.split("```asm").skip(1) {
            let (program, _) = example.split_once('\n').unwrap().1.split_once("```").unwrap();
            let first = program.lines().next().and_then(|line| line.strip_prefix("; "));
            if let Some(name) = first.and_then(|name| name.strip_suffix(".asm")) {
                bench = bench.file(&format!("{name}.asm"), program);
            }
        }
        for (command, shown) in transcripts(&text) {
            println!("{}: gray1 {command}", document.display());
            let lines: Vec<&str> = shown.trim_end().lines().map(str::trim).collect();
            let typed = lines.iter().filter_map(|line| line.strip_prefix("> "));
            let typed: String = typed.flat_map(|line| [line, "\n"]).collect();
            let echo = if typed.is_empty() { "" } else { " --echo" };
            let ran = bench.gray1_with_input(&format!("{command}{echo}"), typed.as_bytes());
            let output = squeezed(&(String::from_utf8_lossy(ran.out()) + &*ran.err()));
            let mut rest = output.as_str();
            for (number, piece) in lines.split(|line| *line == "...").enumerate() {
                let piece = squeezed(&piece.join(" "));
                let found = rest.split_once(&piece);
                let (skipped, after) = found.unwrap_or_else(|| panic!("{piece}\nnot in\n{rest}"));
                assert!(number > 0 || skipped.is_empty(), "{skipped}");
                rest = after;
            }
            assert!(rest.is_empty() || lines.last() == Some(&"..."), "{rest}");
            count += 1;
        }
    }
    assert!(count > 15, "{count}");
}

/// The commands that make a document's pictures, from its comments. Each comes without `gray1`,
/// once as a whole and once split into words.
fn pictures(document: &str) -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(root().join(document)).unwrap();
    let commands = text.lines().filter_map(|line| {
        line.strip_prefix("<!-- gray1 ")?.strip_suffix(" -->").map(str::to_owned)
    });
    let pictures: Vec<_> = commands
        .map(|command| {
            // Splits at spaces. A quoted string is one word.
            let quoted = command.split('"').enumerate();
            let words = quoted.flat_map(|(n, part)| match n % 2 {
                0 => part.split_whitespace().map(str::to_owned).collect(),
                _ => vec![part.to_owned()],
            });
            (command.clone(), words.collect())
        })
        .collect();
    assert!(!pictures.is_empty(), "{document} has pictures");
    pictures
}

#[test]
fn the_pictures_are_what_the_program_draws() {
    for (command, mut words) in ["README.md", "docs/DEBUGGER.md"].into_iter().flat_map(pictures) {
        let mut path = words.pop().unwrap();
        let bench = Bench::new();
        let mut name = "picture.svg".to_owned();
        RunResult::run(bench.command("").args(&words).arg(&name)).status(0);
        // An export writes a folder.
        if bench.path(&name).is_dir() {
            path += "/drawing.svg";
            name += "/drawing.svg";
        }
        let kept = std::fs::read(root().join(&path)).unwrap();
        assert!(bench.read(&name) == kept, "{path} is stale; make it anew by: gray1 {command}");
    }
}

/// The anchor that GitHub gives a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The paths of all documents, from the root.
fn documents() -> Vec<PathBuf> {
    let mut documents: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(PathBuf::from).into();
    for folder in ["docs", "docs/internals", "docs/editors/vscode"] {
        let entries = std::fs::read_dir(root().join(folder)).unwrap();
        let paths = entries.map(|entry| Path::new(folder).join(entry.unwrap().file_name()));
        documents.extend(paths.filter(|path| path.extension().is_some_and(|it| it == "md")));
    }
    documents
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let documents = documents();
    let mut broken = Vec::new();
    for document in &documents {
        let text = std::fs::read_to_string(root().join(document)).unwrap();
        for rest in text.split("](").skip(1) {
            let target = rest.split([')', ' ']).next().unwrap();
            if target.contains("://") {
                continue;
            }
            let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
            let path = match file {
                "" => document.clone(),
                _ => document.parent().unwrap().join(file),
            };
            let headings = || {
                let text = std::fs::read_to_string(root().join(&path)).unwrap_or_default();
                let lines = text.lines().filter(|line| line.starts_with('#'));
                lines.map(anchor).collect::<Vec<_>>()
            };
            let is_there = root().join(&path).exists()
                && (fragment.is_empty() || headings().iter().any(|it| it == fragment));
            if !is_there {
                broken.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// README links to a built copy of the web page, for people without a toolchain. The copy is
/// replaced at each release.
#[test]
fn the_built_page_is_that_of_the_newest_release() {
    let changes = std::fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    let mut headings = changes.lines().filter_map(|line| line.strip_prefix("## "));
    let (version, _) = headings.find_map(|heading| heading.split_once(" - ")).unwrap();
    let page = std::fs::read_to_string(root().join("docs/gray1.html")).unwrap();
    assert!(page.contains(&format!("Gray-1 {version}, ")), "make it anew by: web/build");
}
