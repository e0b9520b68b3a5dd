//! `gray1 test --test`: a teacher grades a class.

use crate::support::Bench;

/// A class's submissions: programs in folders, one program as a file, and a student without one.
fn class() -> Bench {
    let right = "LDI 7\nST 0x1fff\nHALT\n";
    let tests = "Tests(version: 1, cases: [(name: \"prints 7\", steps: [Prints(\"\\u{7}\")]),\n\
        (name: \"ends\", limit: 1000, steps: [PrintsMore, Halts])])\n";
    let bench = Bench::new().file("max.test.ron", tests).file("erik.asm", right);
    for (student, program) in [
        ("anna", Some(right)),
        ("ben", Some("turn: LDI 7\nST 0x1fff\nJMP turn\n")),
        ("carla", Some("FLY\n")),
        ("dora", None),
    ] {
        std::fs::create_dir_all(bench.path(&format!("class/{student}"))).unwrap();
        if let Some(program) = program {
            std::fs::write(bench.path(&format!("class/{student}/max.asm")), program).unwrap();
        }
    }
    bench
}

const CLASS: &str =
    "test --test max.test.ron class/anna/ class/ben/ class/carla/ class/dora/ erik.asm";

#[test]
fn a_class_is_tested_by_one_command() {
    let bench = class();
    let ran = bench.gray1(CLASS).status(1);
    let out = ran.text();
    let table = "
ok      class/anna   2 of 2 cases passed
FAILED  class/ben    1 of 2 cases passed
ERROR   class/carla  0 of 2 cases passed
ERROR   class/dora   0 of 2 cases passed
ok      erik.asm     2 of 2 cases passed

5 programs, 10 cases: 5 failed; 2 of 5 programs passed
";
    assert!(out.ends_with(table), "{out}");
    for line in [
        "ERROR   class/dora\n    there is no class/dora/max.asm: the folder is empty\n",
        "      gray1 debug class/ben/max.asm --test max.test.ron --case ends\n",
        "unknown instruction `FLY`",
    ] {
        assert!(out.contains(line), "{line}\n{out}");
    }
    bench.gray1("test --test max.test.ron class/anna erik.asm").status(0);
    bench.gray1("test --test max.test.ron").status(2);
}

/// A mistake in the test file is the teacher's: one error, and no verdict about a student.
#[test]
fn a_wrong_test_file_fails_no_student() {
    let tests = "Tests(version: 1, cases: [(name: \"c\", steps: [Haltz])])";
    let bench = class().file("max.test.ron", tests);
    let ran = bench.gray1(CLASS).status(2).stdout("");
    let error = "error: max.test.ron:1:47: unknown name `Haltz`";
    assert!(ran.err().starts_with(error), "{}", ran.err());

    for (wrong, error) in [
        ("steps: [RunTo(\"writ x\"), Halts]", "`writ x`: column 6: expected an operator"),
        ("steps: [Halts, Is(\"[max\", 5)]", "`[max`: column 5: expected ']'"),
        ("board: \"none.ron\", steps: [Halts]", "cannot read none.ron"),
    ] {
        let tests = format!("Tests(version: 1, cases: [(name: \"c\", {wrong})])");
        let bench = class().file("max.test.ron", tests);
        let ran = bench.gray1(CLASS).status(2).stdout("");
        assert!(ran.err().contains(error), "{}", ran.err());
    }
}

/// Whatever a program calls `GREEN`, its tests look at the machine's LEDs.
#[test]
fn the_names_of_the_panel_are_the_machines() {
    let tests = "Tests(version: 1, cases: [(name: \"five\", steps: [Halts, Is(\"[GREEN]\", 5)])])";
    let own = "Tests(version: 1, cases: [\
        (name: \"own\", steps: [Halts, Is(\"[program.GREEN]\", 5), Is(\"[GREEN]\", 0)])])";
    let light = |green: &str| format!("{green} LDI 5\n ST GREEN\n HALT\n");
    let bench = Bench::new()
        .file("sum.test.ron", tests)
        .file("own.test.ron", own)
        .file("cheat.asm", light("GREEN = 100\n"))
        .file("variable.asm", light(".var GREEN\n"))
        .file("innocent.asm", light("GREEN = 0x1fe1\n"))
        .file("number.asm", " LDI 5\n ST 0x1fe0\n HALT\n")
        .file("library.asm", light(".include \"lib/panel.asm\"\n"));
    for (program, status) in
        [("cheat", 1), ("variable", 1), ("innocent", 1), ("number", 0), ("library", 0)]
    {
        bench.gray1(&format!("test --test sum.test.ron {program}.asm")).status(status);
    }
    bench.gray1("test --test own.test.ron cheat.asm").status(0);
}

#[test]
fn a_program_that_is_not_found_is_looked_for_in_the_folder() {
    let bench = Bench::new()
        .file("sum.test.ron", "Tests(version: 1, cases: [(name: \"ends\", steps: [Halts])])")
        .file("class/anna/Sum.asm", " HALT\n")
        .file("class/ben/sum (1).asm", " HALT\n")
        .file("class/ben/sum.asm.txt", " HALT\n")
        .file("class/carla/sum.asm/main.asm", " HALT\n")
        .file("class/dora/notes.txt", "")
        .file("groups/one/sum.asm", " HALT\n");
    for (folder, there) in [
        ("class/anna", "the folder has `Sum.asm`"),
        ("class/ben", "the folder has `sum (1).asm`, `sum.asm.txt`"),
        ("class/carla", "that is a folder"),
        ("class/dora", "the folder has no program"),
        ("groups", "for the folders in it, write `groups/*/`"),
    ] {
        let out = bench.gray1(&format!("test --test sum.test.ron {folder}")).status(1).text();
        let message = format!("there is no {folder}/sum.asm: {there}\n");
        assert!(out.contains(&message), "{message}\n{out}");
    }
}

#[test]
fn a_class_gets_points_on_one_screen_and_in_a_spreadsheet() {
    let tests = "Tests(version: 1, cases: [(name: \"seven\", points: 3, steps: [Prints(\"\\u{7}\")]),\n\
        (name: \"ends\", limit: 1000, points: 2, steps: [PrintsMore, Halts])])\n";
    let bench = class().file("max.test.ron", tests);
    let quiet = "\
        ok      class/anna   2 of 2 cases passed, 5 of 5 points\n\
        FAILED  class/ben    1 of 2 cases passed, 3 of 5 points\n\
        ERROR   class/carla  0 of 2 cases passed, 0 of 5 points\n\
        ERROR   class/dora   0 of 2 cases passed, 0 of 5 points\n\
        ok      erik.asm     2 of 2 cases passed, 5 of 5 points\n\n\
        5 programs, 10 cases: 5 failed; 2 of 5 programs passed\n";
    bench.gray1(&format!("{CLASS} -q")).status(1).stdout(quiet);
    let csv = bench.gray1(&format!("{CLASS} --format csv")).status(1).text();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "name,program,verdict,passed,cases,points,points_of,error,reason");
    assert_eq!(
        lines[2],
        "\"class/ben\",\"class/ben/max.asm\",\"FAILED\",1,2,3,5,\"\",\
         \"ends: the program does not halt within 1,000 instructions\""
    );
    let why = "\"there is no class/dora/max.asm: the folder is empty\"";
    assert_eq!(lines[4], format!("\"class/dora\",\"\",\"ERROR\",0,2,0,5,{why},{why}"));
    assert_eq!(lines.len(), 6);
}

/// A student cannot include the teacher's solution or another student's program. A report does not
/// quote files of the teacher's computer.
#[test]
#[cfg(unix)]
fn a_submission_cannot_include_other_submissions() {
    let include = |name: &str| format!(".include \"{name}\"\n");
    let bench = class()
        .file("max.asm", "LDI 7\nST 0x1fff\nHALT\n")
        .file("inc/seven.asm", include("rest.asm"))
        .file("inc/rest.asm", "LDI 7\nST 0x1fff\nHALT\n")
        .file("class/own/max.asm", include("part/rest.asm"))
        .file("class/own/part/rest.asm", "LDI 7\nST 0x1fff\nHALT\n")
        .file("class/given/max.asm", include("seven.asm"))
        .file("class/up/max.asm", include("../../max.asm"))
        .file("class/around/max.asm", include("../own/part/rest.asm"))
        .file("class/through/max.asm", include("linked.asm"))
        .file("class/root/max.asm", include("/etc/passwd"))
        .file("flat/copy.asm", include("good.asm"))
        .file("flat/good.asm", "LDI 7\nST 0x1fff\nHALT\n")
        .file("class/link/notes", "");
    let link = |to: &str, at: &str| std::os::unix::fs::symlink(to, bench.path(at)).unwrap();
    link("../../max.asm", "class/through/linked.asm");
    link("../../max.asm", "class/link/max.asm");
    let students = "class/own class/given class/up class/around class/through class/root \
        class/link flat/copy.asm flat/good.asm";
    let test = format!("test --test max.test.ron -I inc {students}");
    let out = bench.gray1(&test).status(1).text();
    for (student, verdict) in [
        ("own ", "ok"),
        ("given", "ok"),
        ("up", "ERROR"),
        ("around", "ERROR"),
        ("through", "ERROR"),
        ("root", "ERROR"),
        ("link", "ERROR"),
        ("copy", "ERROR"),
        ("good", "ok"),
    ] {
        let last = out.lines().rev().find(|it| it.contains(&format!("/{student}"))).unwrap();
        assert!(last.starts_with(verdict), "{student}: {last}\n{out}");
    }
    assert_eq!(out.matches("it is outside the folder of this program").count(), 5, "{out}");
    assert_eq!(out.matches("it is another program of the class").count(), 1, "{out}");
    assert!(!out.contains("root:"), "{out}");
}

/// When a time limit ends the run, reports in every format contain the results so far.
#[test]
#[cfg(unix)]
fn an_interrupted_run_reports_what_it_knows() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::process::Stdio;
    let tests = "Tests(version: 1, cases: [(name: \"a\", steps: [Prints(\"7\")]),\n\
        (name: \"b\", limit: 900_000_000_000, steps: [PrintsMore, Halts])])\n";
    let bench = Bench::new()
        .file("s.test.ron", tests)
        .file("ann/s.asm", "LDI '7'\nST 0x1fff\nHALT\n")
        .file("bob/s.asm", "LDI '7'\nST 0x1fff\nx: LDI 1\nADD 5\nST 5\nJMP x\n");
    for format in ["text", "json", "junit", "csv"] {
        let mut test = bench.command("test --test s.test.ron ann bob missing --format");
        let test = test.arg(format).stdout(Stdio::piped()).stderr(Stdio::null());
        let child = test.spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(800));
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        let output = child.wait_with_output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(143), "{out}");
        for word in ["ann", "bob", "missing"] {
            assert!(out.contains(word), "{format}: {word} is missing in\n{out}");
        }
        if format == "csv" {
            assert!(out.contains("\"bob\",\"bob/s.asm\",\"FAILED\",1,2,1,2"), "{out}");
        }
    }
}

/// An autograder divides by the number of cases.
#[test]
fn the_number_of_cases_does_not_depend_on_the_programs() {
    let bench = class();
    let json = bench.gray1(&format!("{CLASS} --format json")).status(1);
    let json: serde_json::Value = serde_json::from_slice(json.out()).unwrap();
    assert_eq!((&json["cases"], &json["failed"]), (&10.into(), &5.into()));
    let [carla, dora] = [2, 3].map(|n| &json["programs"][n]);
    assert_eq!((&carla["student"], &dora["program"]), (&"class/carla".into(), &"".into()));
    for program in [carla, dora] {
        assert_eq!(program["cases"][1]["passed"], false, "{program}");
    }
    let junit = bench.gray1(&format!("{CLASS} --format junit")).status(1).text();
    assert!(junit.contains("tests=\"10\" failures=\"1\" errors=\"4\""), "{junit}");
    for student in ["class/anna", "class/carla", "class/dora"] {
        assert_eq!(junit.matches(&format!("classname=\"{student}\"")).count(), 2, "{junit}");
    }
    // The number of cases also stays the same with a single test file that names its own program.
    std::fs::write(bench.path("max.asm"), "FLY\n").unwrap();
    let junit = bench.gray1("test max.test.ron --format junit").status(1).text();
    assert!(junit.contains("tests=\"2\" failures=\"0\" errors=\"2\""), "{junit}");
}
