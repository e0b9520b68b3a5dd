//! `gray1 learn`: the built-in lessons as a student takes them, and a teacher's own course.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::terminal::Setup;
use crate::support::{Bench, RunResult, root};

/// The folders of the built-in lessons, in order.
fn lessons() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("programs/lessons")).unwrap();
    let mut folders: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn name(lesson: &Path) -> &str {
    lesson.file_name().unwrap().to_str().unwrap()
}

fn solution(lesson: &Path) -> String {
    fs::read_to_string(lesson.join("solution.asm")).unwrap()
}

/// The path of a student's program for a lesson.
fn program(bench: &Bench, lesson: &Path) -> PathBuf {
    bench.path(&format!("gray1-lessons/{}.asm", name(lesson)))
}

#[test]
fn every_solution_passes_and_every_skeleton_fails() {
    let bench = Bench::new();
    // The built-in course is not good in place of another one.
    bench.gray1("learn verify week1").status(2).stdout("");
    let ran = bench.gray1("learn verify").status(0);
    let out = ran.text();
    let found: Vec<&str> = out.lines().map(|line| line.strip_prefix("ok      ").unwrap()).collect();
    let lessons = lessons();
    assert_eq!(found.len(), lessons.len());
    for (line, lesson) in found.iter().zip(&lessons) {
        assert!(line.starts_with(&format!("{}: ", name(lesson))), "{line}");
    }
    assert!(bench.names().is_empty(), "it leaves nothing behind");
}

#[test]
fn the_keyboard_is_restored_for_a_stop_and_taken_again_afterwards() {
    let bench = Bench::new();
    let mut terminal = Setup::shell(&bench.path("")).plain().start();
    terminal.wait_for("ready> ");
    terminal.record_settings();
    terminal.keys("gray1 learn\r");
    terminal.wait_for("c check");
    terminal.keys("\x1a");
    // The shell echoes typed keys again.
    terminal.wait_for("topped").wait_for_shell();
    terminal.keys("echo back");
    terminal.wait_for("ready> echo back");
    terminal.keys("\r");
    terminal.wait_for("\nback");
    terminal.overwrite("\x1b[2J\x1b[H");
    terminal.keys("fg\r");
    terminal.wait_for("c check");
    terminal.keys("h");
    terminal.wait_for("Hint 1 of 2");
    terminal.keys("q");
    terminal.wait_for_shell();
    terminal.keys("exit 0\r");
    terminal.ends_with(0);
}

#[test]
fn the_bug_of_a_lesson_is_found_as_its_page_says() {
    let bench = Bench::new();
    bench.gray1("learn go 17").status(0);
    let mut terminal = Setup::gray1(&bench.path(""), "learn").plain().start();
    terminal.wait_for("c check");
    terminal.keys("c");
    terminal.wait_for("d debug");
    terminal.keys("d");
    terminal.wait_for("count 44");
    terminal.keys("w");
    terminal.wait_for("explain why");
    terminal.keys("led 3, 1\r");
    terminal
        .wait_for("LED 3, 1 is dark because `ST red row 3`")
        .wait_for("bar.1 is 0: set dots + n, 0");
    terminal.keys("\x1b[B\x1b[B\r");
    terminal.wait_for("bar: 7e -> 00 by ST at 0x001c (gray1-lessons/17-bug.asm:13)");
    terminal.keys("q");
    terminal.wait_for("d debug");
    terminal.keys("w");
    terminal.wait_for("running");
    terminal.keys("q");
    terminal.wait_for("d debug");
    let source = fs::read_to_string(program(&bench, &lessons()[16])).unwrap();
    let line = source.lines().nth(12).unwrap();
    assert_eq!(line, "        set  dots + n, 0");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn a_student_continues_at_the_current_lesson() {
    let bench = Bench::new();
    bench.gray1("learn go 7").status(0);
    assert!(bench.gray1("learn hint").status(0).text().starts_with("Hint 1 of 2\n"));
    assert!(bench.gray1("learn hint").status(0).text().starts_with("Hint 2 of 2\n"));
    // The student also continues at the current lesson when `gray1` is started inside the folder.
    let mut inside = bench.command("learn");
    let page = RunResult::run(inside.current_dir(bench.path("gray1-lessons"))).status(0);
    assert!(page.text().starts_with("Lesson 7 of 22: Again and again\n"));
    assert!(
        page.text().contains("Edit 07-loop.asm, then check it:\n  gray1 learn check\n"),
        "{}",
        page.text()
    );
    assert!(bench.gray1("learn hint").status(0).text().starts_with("Hint 1 of 2\n"));
    // A long message is wrapped. An impossible count in the file is ignored.
    let progress = bench.path("gray1-lessons/progress.ron");
    let kept = fs::read_to_string(&progress).unwrap();
    let odd = kept.replace("hints: 1", &format!("hints: {}", usize::MAX - 1));
    assert_ne!(odd, kept);
    fs::write(&progress, odd).unwrap();
    let hint = bench.gray1("learn hint").status(0).text();
    assert!(
        hint.starts_with("Hint 1 of 2\n") && hint.lines().all(|line| line.len() < 80),
        "{hint}"
    );
    bench.gray1("learn hint").status(0);
    bench.gray1("learn hint 3").status(1);
    assert_eq!(bench.names(), ["gray1-lessons"]);
}

#[test]
fn the_best_scores_are_kept() {
    let bench = Bench::new();
    bench.gray1("learn go 2").status(0);
    let file = program(&bench, &lessons()[1]);
    let score = |source: &str| {
        fs::write(&file, source).unwrap();
        let solved = bench.gray1("learn check").status(0).text();
        let list = bench.gray1("learn list").status(0).text();
        let line = list.lines().find(|line| line.contains("Eight LEDs")).unwrap().to_owned();
        (solved, line.split_whitespace().rev().take(4).collect::<Vec<_>>().join(" "))
    };
    let long = "LDI 0xaa\nST 0x1fe0\nJMP end\nSHR\nend: HALT\n";
    let (solved, best) = score(long);
    assert!(solved.contains("  words                    5             3\n"), "{solved}");
    assert!(solved.contains("  instructions             4             3\n"), "{solved}");
    assert_eq!(best, "instructions 4 words 5");
    // A program without `HALT` gets no score for being short.
    let (solved, best) = score("LDI 0xaa\nST 0x1fe0\n");
    assert!(solved.contains("  words                    2             3\n"), "{solved}");
    assert!(solved.contains("has no HALT and ran into erased memory"), "{solved}");
    assert_eq!(best, "instructions 4 words 3");
    for source in ["LDI 0xaa\nST 0x1fe0\nHALT\n", long] {
        let (solved, best) = score(source);
        assert!(!solved.contains("HALT"), "{solved}");
        assert_eq!(best, "instructions 3 words 3");
    }
}

/// A program that does not clear the panel, or that expects zeros in memory, fails the check.
#[test]
fn lessons_reject_programs_that_assume_zeros_at_power_up() {
    let bench = Bench::new();
    bench.gray1("learn page 4").status(0);
    let stdout = bench.gray1("learn check 4").status(1).text();
    assert!(stdout.contains(" --ram zero\n") && !stdout.contains("power-up"), "{stdout}");
    let clear = [4, 7, 8, 11, 14, 17, 19, 20, 21].map(|lesson| (lesson, "        clear_leds"));
    for (lesson, line) in clear.into_iter().chain([(17, "        set  dots + n, 0")]) {
        let folder = &lessons()[lesson - 1];
        let solution = solution(folder);
        let without: Vec<&str> = solution.lines().filter(|it| !it.starts_with(line)).collect();
        assert_eq!(without.len() + 1, solution.lines().count(), "lesson {lesson}: {line}");
        bench.gray1(&format!("learn page {lesson}")).status(0);
        fs::write(program(&bench, folder), without.join("\n") + "\n").unwrap();
        let stdout = bench.gray1(&format!("learn check {lesson}")).status(1).text();
        let ones = [
            "\nThis happens if all bits of memory are 1 at the start.\n",
            " can hold anything, so your program must set it first.\n",
        ];
        assert!(ones.iter().any(|it| stdout.contains(it)), "lesson {lesson}: {stdout}");
        assert!(stdout.contains(" --ram ones\n"), "lesson {lesson}: {stdout}");
    }
}

#[test]
fn a_students_file_is_never_replaced() {
    let bench = Bench::new();
    bench.gray1("learn").status(0);
    let lesson = &lessons()[0];
    let file = program(&bench, lesson);
    fs::write(&file, "; mine\nturn: JMP back\nback: JMP turn\n").unwrap();
    bench.gray1("learn").status(0);
    let ran = bench.gray1("learn check").status(1);
    let expected = "Not yet (one LED): the program does not halt within 1,000 instructions\n";
    assert!(ran.text().starts_with(expected), "{}", ran.text());
    assert!(fs::read_to_string(&file).unwrap().starts_with("; mine\n"));
    fs::remove_file(&file).unwrap();
    bench
        .gray1("learn check")
        .error("there is no gray1-lessons/01-first-led.asm; `gray1 learn page` writes one");
    bench.gray1("learn page").status(0);
    let skeleton = fs::read(lesson.join("skeleton.asm")).unwrap();
    assert_eq!(fs::read(&file).unwrap(), skeleton);
    // If the program does not assemble, the assembler's message is on standard error.
    fs::write(&file, "LDA 1\n").unwrap();
    let ran = bench.gray1("learn check").status(1).stdout("");
    assert!(ran.err().contains("--> gray1-lessons/01-first-led.asm:1:1"), "{}", ran.err());
}

#[test]
fn an_error_says_that_progress_cannot_be_saved() {
    let bench = Bench::new().file("gray1-lessons", "");
    let ran = bench.gray1("learn").status(1).stdout("");
    assert!(ran.err().starts_with("error: cannot "), "{}", ran.err());
    let bench = Bench::new();
    bench.gray1("learn").status(0);
    let progress = bench.path("gray1-lessons/progress.ron");
    let kept = fs::read_to_string(&progress).unwrap();
    for (old, new, place) in [
        ("lesson:", "lessen:", "5:5: unknown field `lessen`; did you mean `lesson`?"),
        ("version: 1", "version: 2", "2:14: version 2 is not supported, only 1"),
        ("Progress(", "(((((", "1:2: "),
    ] {
        fs::write(&progress, kept.replace(old, new)).unwrap();
        let ran = bench.gray1("learn").status(1).stdout("");
        let expected = format!("error: gray1-lessons/progress.ron:{place}");
        assert!(ran.err().starts_with(&expected), "{}", ran.err());
    }
    // If the course no longer has the current lesson, the first unsolved lesson is shown.
    fs::write(&progress, kept.replace("01-first-led", "01-last-led")).unwrap();
    assert!(bench.gray1("learn").status(0).text().starts_with("Lesson 1 of 22: "));
    bench.gray1("learn go 23").error("there is no lesson `23`; `gray1 learn list` shows them");
    bench.gray1("learn go").error("which lesson? `gray1 learn list` shows them");
}

/// A teacher's course with two lessons, in `week1`.
fn course() -> Bench {
    let bench = Bench::new();
    for (number, letter) in [(1, 'a'), (2, 'b')] {
        let folder = bench.path(&format!("week1/{number}-{letter}"));
        fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        write("lesson.ron", &format!("Lesson(version: 1, title: \"{letter}\", hints: [])"));
        write("page.md", "Print it. \x1b[2J\n");
        write("skeleton.asm", "HALT\n");
        write("solution.asm", &format!("LDI '{letter}'\nST 0x1fff\nHALT\n"));
        let case = format!("(name: \"c\", steps: [Prints(\"{letter}\"), Halts])");
        write("solution.test.ron", &format!("Tests(version: 1, cases: [\n{case}\n])"));
    }
    bench
        .file("week1/course.ron", "Course(version: 1, title: \"Week 1\")")
        .file("week1/ending.md", "Well done.\n")
}

#[test]
fn a_teachers_course_works_like_the_built_in_one() {
    let bench = course();
    bench
        .gray1("learn verify --path week1")
        .status(0)
        .stdout("ok      1-a: 3 words, 3 instructions\nok      2-b: 3 words, 3 instructions\n");
    let page = bench.gray1("learn --course week1").status(0).text();
    assert!(page.starts_with("Lesson 1 of 2: a\n\nPrint it. \\u{1b}[2J\n"), "{page}");
    let solve = |name: &str, letter: char| {
        let text = format!("LDI '{letter}'\nST 0x1fff\nHALT\n");
        fs::write(bench.path(&format!("week1-lessons/{name}.asm")), text).unwrap();
    };
    solve("1-a", 'a');
    // The command that the page prints is complete.
    let check = "learn check --course week1";
    assert!(
        page.contains(&format!("  gray1 {check}\nIf you are stuck:\n  gray1 learn hint --course"))
    );
    let solved = bench.gray1(check).status(0).text();
    assert!(solved.ends_with(
        "`gray1 learn next --course week1` continues, \
         `gray1 learn solution --course week1` shows how we did it.\n"
    ));
    bench.gray1("learn hint --course week1").status(0).stdout("This lesson has no hints.\n\n");
    // Inside the course, the folder need not be given.
    let within = |action: &str| {
        RunResult::run(
            bench.command(&format!("learn {action}")).current_dir(bench.path("week1-lessons")),
        )
    };
    within("next").status(0);
    solve("2-b", 'a');
    let ran = within("check").status(1);
    assert!(ran.text().starts_with("Not yet (c): the output first differs"), "{}", ran.text());
    solve("2-b", 'b');
    within("check").status(0);
    let page = within("page --course ../week1").status(0).text();
    assert!(page.contains("  gray1 learn check\n"), "it is told to the folder: {page}");
    let end = within("next").status(0).text();
    assert!(end.starts_with("The end of: Week 1\n\nWell done.\n"), "{end}");
    bench.gray1("learn --folder week1-lessons --course week1").status(0);
    // A new folder does not know its course yet, so the command that is printed names it.
    let page = "gray1 learn page --folder mine --course week1";
    let ran = bench.gray1("learn check --course week1 --folder mine");
    ran.error(&format!("there is no mine/1-a.asm; `{page}` writes one"));
    // A folder belongs to one course.
    fs::write(bench.path("week1/course.ron"), "Course(version: 1, title: \"Other\")").unwrap();
    let ran = bench.gray1("learn --course week1").status(1);
    let expected = "error: week1-lessons/progress.ron belongs to another course, \"Week 1\"";
    assert!(ran.err().starts_with(expected), "{}", ran.err());
}

#[test]
fn mistakes_in_a_teachers_course_have_a_place() {
    let tests = "Tests(version: 1, cases: [(name: \"c\", steps: [Fly])])";
    let passes = "Tests(version: 1, cases: [(name: \"c\", steps: [Halts])])";
    for (file, text, expected) in [
        ("course.ron", "Course(version: 1)", "week1/course.ron:1:18: the field `title` is missing"),
        ("1-a/page.md", "\0", "week1/1-a/page.md:1:1: a NUL byte is not text"),
        ("2-b/solution.test.ron", tests, "week1/2-b/solution.test.ron:1:47: unknown name `Fly`"),
        ("2-b/solution.asm", "ST 5\nFLY", "unknown instruction `FLY`"),
        ("2-b/solution.asm", "HALT", "FAILED  2-b: solution.asm does not pass\n"),
        ("2-b/solution.test.ron", passes, "FAILED  2-b: skeleton.asm already passes\n"),
    ] {
        let bench = course().file(&format!("week1/{file}"), text);
        let ran = bench.gray1("learn verify --course week1").status(1);
        let all = format!("{}{}", ran.text(), ran.err());
        assert!(all.contains(expected), "{expected}\n{all}");
    }
    let bench = course();
    fs::remove_file(bench.path("week1/1-a/page.md")).unwrap();
    let ran = bench.gray1("learn --course week1").status(1).stdout("");
    assert!(ran.err().starts_with("error: cannot read week1/1-a/page.md: "), "{}", ran.err());
    fs::create_dir(bench.path("empty")).unwrap();
    let expected = "there are no lessons (folders with a lesson.ron) in empty";
    bench.gray1("learn --course empty").error(expected);
}

/// The code blocks of a lesson's page that are marked with this language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let start = format!("\n```{language}\n");
    page.split(&start).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_course_in_the_document_on_teaching_works() {
    let page = fs::read_to_string(root().join("docs/TEACHING.md")).unwrap();
    let bench = Bench::new();
    fs::create_dir_all(bench.path("week1/01-sum")).unwrap();
    let [tests, _, course, lesson] = blocks(&page, "ron")[..] else { panic!("four in RON") };
    let [text] = blocks(&page, "md")[..] else { panic!("one in Markdown") };
    let [solution] = blocks(&page, "asm")[..] else { panic!("one source") };
    let skeleton = &solution.replace("        ADD  y\n", "");
    let bench = bench
        .file("week1/course.ron", course)
        .file("week1/ending.md", "That was the first week.\n")
        .file("week1/01-sum/lesson.ron", lesson)
        .file("week1/01-sum/page.md", text)
        .file("week1/01-sum/skeleton.asm", skeleton)
        .file("week1/01-sum/solution.asm", solution)
        .file("week1/01-sum/solution.test.ron", tests)
        .file("anna.asm", solution);
    let ran = bench.gray1("learn verify --course week1").status(0);
    assert!(page.contains(&format!("```text\n{}```", ran.text())), "{}", ran.text());
    bench.gray1("test week1").status(0);
    bench.gray1("test week1/01-sum/solution.test.ron --program anna.asm").status(0);
    for source in [skeleton, solution] {
        bench.gray1_with_input("fmt --check -", source.as_bytes()).status(0);
    }
}

/// The code spans between backquotes.
fn spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn pages_fit_a_terminal_and_name_existing_commands() {
    let bench = Bench::new();
    let help = bench.gray1("--help").status(0).text() + &bench.gray1("list").status(0).text();
    let words: Vec<&str> = help.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let lessons = lessons();
    let texts =
        lessons.iter().flat_map(|lesson| ["page.md", "lesson.ron"].map(|it| lesson.join(it)));
    let mut commands = 0;
    for path in texts.chain([root().join("programs/lessons/ending.md")]) {
        let text = fs::read_to_string(&path).unwrap();
        for command in spans(&text).filter_map(|span| span.strip_prefix("gray1 ")) {
            let word = command.split_whitespace().next().unwrap();
            assert!(words.contains(&word), "{}: {command}", path.display());
            if word == "show" {
                bench.gray1(command).status(0);
            }
            commands += 1;
        }
        for document in text.split_whitespace().filter(|word| word.starts_with("docs/")) {
            assert!(root().join(document.trim_end_matches('.')).exists(), "{document}");
        }
        let is_page = path.extension().is_some_and(|suffix| suffix == "md");
        let is_wide = |line: &&str| is_page && line.chars().count() > 80;
        assert_eq!(text.lines().find(is_wide), None, "{}", path.display());
    }
    assert!(commands > 5, "{commands}");
}

#[test]
fn a_program_is_checked_whenever_it_is_saved() {
    let bench = Bench::new();
    let mut terminal = Setup::gray1(&bench.path(""), "learn").plain().size(80, 60).start();
    terminal.wait_for("Lesson 1 of 22: ").wait_for("whenever you save it.");
    let lesson = &lessons()[0];
    let (file, right) = (program(&bench, lesson), solution(lesson));
    fs::write(&file, right.replacen("LDI  1", "LDI  3", 1)).unwrap();
    terminal.wait_for("G G . . . . . .  <");
    fs::write(&file, right).unwrap();
    terminal.wait_for("Solved: ").wait_for("1 of 22 solved").wait_for("n next  e edit");
    terminal.keys("q");
    terminal.ends_with(0);
    let mut again = Setup::gray1(&bench.path(""), "learn").plain().start();
    again.wait_for("n next  e edit  s solution");
    again.keys("q");
    again.ends_with(0);
}

#[test]
fn a_student_without_a_terminal_gets_to_the_end() {
    let bench = Bench::new();
    let lessons = lessons();
    for (number, lesson) in (1..).zip(&lessons) {
        if number < 3 {
            let page = bench.gray1(if number == 1 { "learn" } else { "learn page" }).status(0);
            assert!(page.text().starts_with(&format!("Lesson {number} of {}: ", lessons.len())));
            bench.gray1("learn check").status(1);
            bench.gray1("learn next").status(1);
            bench.gray1("learn solution").status(1);
        }
        fs::write(program(&bench, lesson), solution(lesson)).unwrap();
        let solved = bench.gray1("learn check").status(0).text();
        assert!(solved.contains("Solved: ") && !solved.contains("Lesson "), "{solved}");
        if number < 3 {
            bench.gray1("learn solution").status(0).stdout(solution(lesson));
        }
        bench.gray1("learn next").status(0);
    }
    let end = bench.gray1("learn next").status(0).text();
    assert!(end.starts_with("The end of: From one LED to a program of your own\n"), "{end}");
    assert!(end.ends_with(&format!("[{}] 22 of 22 solved\n\n", "#".repeat(22))), "{end}");
    // The tests are next to the programs, so that anybody can run them.
    let ran = bench.gray1("test gray1-lessons").status(0).text();
    assert!(ran.contains("\n22 programs, "), "{ran}");
}
