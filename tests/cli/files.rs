//! Program files: every format keeps the program, and bad files are rejected.

use crate::support::{Bench, RunResult, UncheckedResult, arrangements, program, root, word};

#[test]
fn queens_runs_from_every_format() {
    let source = root().join("programs/queens.asm");
    for format in ["bin", "ihex", "readmemh", "logisim", "ron"] {
        let bench = Bench::new();
        let asm = format!("asm {} --format {format} -o q", word(&source));
        bench.gray1(&asm).status(0).stderr("wrote q\n");
        bench.gray1("run ./q").status(0).stdout(arrangements());
    }
}

/// A folder with a program that has names, as an EPROM image and its symbol file.
fn eprom() -> Bench {
    let source = ".title \"Named\"\n.var total\nstart: LDI 7\n ST total\ndone: HALT\n";
    let bench = Bench::new().file("p.asm", source);
    for output in ["p.bin", "named/p.ron", "named/p.sym"] {
        std::fs::create_dir_all(bench.path("named")).unwrap();
        bench.gray1(&format!("asm p.asm -o {output}")).status(0);
    }
    bench
}

#[test]
fn an_eprom_image_gets_its_names_from_the_file_next_to_it() {
    let bench = eprom();
    let nameless = bench.gray1("disasm p.bin").status(0).stderr("");
    for (file, has_title) in [("p.sym", false), ("p.ron", true)] {
        let bench = eprom();
        std::fs::copy(bench.path("named").join(file), bench.path(file)).unwrap();
        let source = bench.gray1("disasm p.bin").status(0).stderr("");
        let text = source.text();
        assert_eq!(text.contains(".title \"Named\""), has_title, "{text}");
        assert!(text.contains("start:") && text.contains("total"), "{text}");
        assert_ne!(source.out(), nameless.out());
        // The words are the same, and every command that loads programs knows the names.
        bench.gray1("convert p.bin --format symbols -o again.sym").status(0);
        assert_eq!(bench.read("again.sym"), bench.read("named/p.sym"));
        bench.gray1("convert p.bin -o p.ron").status(0).stderr("wrote p.ron\n");
    }
}

#[test]
fn names_that_do_not_match_are_a_note_and_not_an_error() {
    for (file, contents, why) in [
        ("p.ron", "Board(", "1:1: this describes a board (Board); expected a program (Image)"),
        ("p.sym", "start label 0x9 1", "they belong to another program"),
        ("p.sym", "start", "1:1: expected a symbol: name, kind, value and size, found 'start'"),
    ] {
        let bench = eprom().file(file, contents);
        let ran = bench.gray1("run p.bin").status(0);
        let note = format!("note: ignoring the names in {file}: {why}\n");
        assert!(ran.err().starts_with(&note), "{}", ran.err());
    }
    // The symbols belong to another program, of the same length or of a different one.
    let bench = eprom();
    bench.gray1("convert fibonacci -o p.ron").status(0);
    let ran = bench.gray1("disasm p.bin").status(0);
    let note = "note: ignoring the names in p.ron: they belong to another program\n";
    assert!(ran.err() == note && !ran.out().is_empty(), "{}", ran.err());
}

#[test]
fn the_name_of_the_output_follows_source_and_format() {
    let bench = Bench::new().file("p.asm", "HALT\n");
    for (arguments, made) in [
        ("asm p.asm", "p.ron"),
        ("asm p.asm --format ihex", "p.hex"),
        ("asm p.asm --format listing", "p.lst"),
        ("asm p.asm -o x.mem", "x.mem"),
        ("convert p.ron -o y.bin", "y.bin"),
        ("convert queens --format symbols", "queens.sym"),
    ] {
        bench.gray1(arguments).status(0).stdout("").stderr(&format!("wrote {made}\n"));
        assert!(bench.names().contains(&made.to_owned()), "{arguments}: {:?}", bench.names());
    }
    assert_eq!(bench.read("x.mem")[..3], *b"// ", "the suffix chose the format");
}

#[test]
fn an_unknown_suffix_is_a_usage_error() {
    let bench = Bench::new().file("p.asm", "HALT\n");
    for command in
        ["asm p.asm -o p.rom", "asm p.asm -o p.ihex", "convert queens -o p.asm", "asm - -o x.d/p.v"]
    {
        let ran = bench.gray1(command).status(2).stdout("");
        for part in ["unknown suffix .", "--format", "ihex (.hex)", "--help"] {
            assert!(ran.err().contains(part), "{command}: {}", ran.err());
        }
    }
    assert_eq!(bench.names(), ["p.asm"]);
    bench.gray1("asm p.asm -o p.rom --format bin").status(0);
    assert_eq!(bench.read("p.rom").len(), 16384);
    bench.gray1("asm p.asm -o p").status(0);
    assert!(bench.read("p").starts_with(b"Image("), "without a suffix it is ron");
}

#[test]
fn an_output_never_replaces_what_the_program_was_read_from() {
    let source = ".include \"inc.asm\"\nHALT\n";
    let bench = Bench::new().file("p.ron", source).file("inc.asm", "").file("keys", "");
    bench.gray1("asm p.ron -o image.bin").status(0);
    let before = [bench.read("p.ron"), bench.read("inc.asm"), bench.read("image.bin")];
    for (arguments, output) in [
        ("asm p.ron", "p.ron"),
        ("asm p.ron -o inc.asm --format bin", "inc.asm"),
        ("disasm p.ron -o p.ron", "p.ron"),
        ("convert image.bin -o image.bin", "image.bin"),
        ("run p.ron --trace inc.asm", "inc.asm"),
        ("run p.ron --buttons keys --trace keys", "keys"),
        ("run p.ron --engine chips --vcd p.ron", "p.ron"),
        ("screenshot p.ron -o p.ron --format text", "p.ron"),
        ("record p.ron -o inc.asm --format gif", "inc.asm"),
    ] {
        let expected = format!("cannot write {output}: it is also an input");
        bench.gray1(arguments).error(&expected);
    }
    assert_eq!([bench.read("p.ron"), bench.read("inc.asm"), bench.read("image.bin")], before);
    // The board file and the files with the contents of its chips are not overwritten either.
    let board = std::fs::read_to_string(root().join("roms/gray1.ron")).unwrap();
    let board = board.replacen("does: Buffer(", "contents: File(\"own.bin\"), does: Buffer(", 1);
    let bench = bench.file("own.ron", board).file("own.bin", [0x5a; 2048]);
    for (arguments, output) in [
        ("run p.ron --board own.ron --engine chips --trace own.ron", "own.ron"),
        ("run p.ron --board own.ron --engine chips --vcd own.bin", "own.bin"),
    ] {
        let message = format!("cannot write {output}: it is also an input");
        let stderr = bench.gray1(arguments).status(1).err();
        assert!(stderr.contains(&message), "{arguments}: {stderr}");
    }
    assert_eq!(bench.read("own.bin"), [0x5a; 2048]);
}

#[test]
fn an_output_never_replaces_the_file_on_standard_input() {
    let bench = Bench::new().file("keep", "HALT\n");
    for arguments in ["asm - -o keep --format bin", "run - --trace keep"] {
        let input = std::fs::File::open(bench.path("keep")).unwrap();
        let ran = bench.command(arguments).stdin(input).output().unwrap();
        let stderr = String::from_utf8_lossy(&ran.stderr);
        assert!(stderr.contains("cannot write keep: it is also an input"), "{arguments}: {stderr}");
        assert_eq!(bench.read("keep"), b"HALT\n");
    }
}

#[test]
fn standard_input_is_one_input() {
    for arguments in ["run - --buttons -", "why - A --at 1 --buttons -", "link - --buttons -"] {
        let why = "cannot read -: standard input is already another input of this command";
        Bench::new().gray1_with_input(arguments, b"HALT\n").error(why);
    }
}

#[test]
fn two_outputs_cannot_share_a_file() {
    let bench = Bench::new().file("p.asm", "HALT\n").file("old", "old");
    std::os::unix::fs::symlink("z", bench.path("link")).unwrap();
    for (arguments, output) in [
        ("asm p.asm -o z --map z", "z"),
        ("asm p.asm -o z --map link", "link"),
        ("asm p.asm -o - --map -", "standard output"),
        ("run p.asm --engine chips --trace z --vcd link", "link"),
    ] {
        bench
            .gray1(arguments)
            .error(&format!("cannot write {output}: another output has the same path"));
    }
    assert_eq!(bench.names(), ["link", "old", "p.asm"]);
    assert_eq!(bench.read("old"), b"old");
}

#[test]
fn an_empty_waveform_is_an_error() {
    let bench = Bench::new().file("p.asm", "LDI 1\nHALT\n");
    let run = "run p.asm --engine chips --vcd p.vcd --vcd-window 1000..";
    bench
        .gray1(run)
        .error("no waveform: the run ended before instruction 1,000, where --vcd-window begins");
    assert_eq!(bench.names(), ["p.asm"]);
}

/// The exit status and standard error of a command that reads a source from standard input and
/// whose standard output is full.
#[cfg(target_os = "linux")]
fn on_full_output(arguments: &str) -> (Option<i32>, String) {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
    let mut command = std::process::Command::new(program());
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/life.asm");
    let source = std::fs::File::open(source).expect("it is in the repository");
    let command = command.args(arguments.split(' ')).stdin(source).stdout(full);
    let output = command.output().expect("gray1 starts");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[cfg(target_os = "linux")]
#[test]
fn an_error_names_standard_output() {
    let message = "error: cannot write standard output: No space left on device (os error 28)\n";
    for arguments in ["--help", "list", "disasm life", "convert life -f bin -o -", "man", "fmt -"] {
        let (status, stderr) = on_full_output(arguments);
        assert_eq!(status, Some(1), "{arguments}");
        assert!(stderr.starts_with(message), "{arguments}: {stderr}");
    }
}

#[test]
fn each_command_says_which_files_it_wrote() {
    let bench = Bench::new().file("p.asm", "HALT\n");
    for (command, expected) in [
        ("asm p.asm --map p.map", "wrote p.ron\nwrote p.map\n"),
        ("disasm p.ron -o again.asm", "wrote again.asm\n"),
        ("screenshot p.asm -o p.svg", "wrote p.svg\n"),
        ("record p.asm -o p.gif", "wrote p.gif\n"),
        ("disasm p.ron -o /dev/stdout", "wrote /dev/stdout\n"),
        ("disasm p.ron", ""),
    ] {
        bench.gray1(command).status(0).stderr(expected);
    }
}

#[test]
fn programs_from_standard_input_are_written_to_standard_output() {
    let bench = Bench::new();
    let ran = bench.gray1_with_input("asm -", b"HALT\n").status(0).stderr("");
    assert!(ran.out().starts_with(b"Image("), "{:?}", ran.out());
    assert_eq!(bench.names(), [""; 0]);
}

#[test]
fn help_into_a_closed_pipe_is_not_an_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = std::process::Command::new(program());
    let status = command.arg("--help").stdout(writer).status().unwrap();
    assert_eq!(status.code(), Some(0));
}

#[test]
fn a_failed_assembly_leaves_the_old_output() {
    let bench = Bench::new().file("p.asm", "HALT\n");
    bench.gray1("asm p.asm -o p.bin").status(0);
    let old = bench.read("p.bin");
    let bench = bench.file("p.asm", "HALTT\n");
    bench.gray1("asm p.asm -o p.bin").status(1);
    assert_eq!(bench.read("p.bin"), old);
    assert_eq!(bench.names(), ["p.asm", "p.bin"]);
}

#[test]
fn libraries_are_found_next_to_the_source_or_built_in() {
    let source = ".include \"lib/std.asm\"\n set 0x1fff, '!'\n HALT\n";
    let bench = Bench::new().file("p.asm", source);
    bench.gray1("run p.asm").status(0).stdout("!");
    let own = ".macro set to, value\n LDI '?'\n ST to\n.endmacro\n";
    std::fs::create_dir(bench.path("lib")).unwrap();
    bench.file("lib/std.asm", own).gray1("run p.asm").status(0).stdout("?");
}

#[test]
fn included_files_are_searched_for_in_more_folders() {
    let source = ".include \"one.asm\"\n.include \"lib/std.asm\"\n LDI ONE\n ST 0x1fff\n HALT\n";
    let bench = Bench::new()
        .file("p.asm", source)
        .file("inc/one.asm", ".include \"two.asm\"\nONE = TWO\n")
        .file("more/one.asm", "ONE = 'm'\n")
        .file("inc/two.asm", "TWO = 'i'\n");
    let missing = "cannot include `one.asm`: No such file";
    let stderr = bench.gray1("run p.asm -I nowhere").status(1).err();
    assert!(stderr.contains(missing), "{stderr}");
    bench.gray1("run p.asm -I nowhere -I inc -I more").status(0).stdout("i");
    bench.gray1("run p.asm -I more -I inc").status(0).stdout("m");
    // A folder with the file's name is skipped, and so is an include path that is not a folder.
    let bench = bench.file("folder/one.asm/readme", "");
    bench.gray1("run p.asm -I folder -I p.asm -I inc").status(0).stdout("i");
    let stderr = bench.gray1("run p.asm -I folder").status(1).err();
    assert!(stderr.contains("cannot include `one.asm`: is a directory"), "{stderr}");
    // A library's name without its folder is a near miss.
    for (name, found) in [
        ("std.asm", "did you mean `lib/std.asm`?"),
        ("", "cannot include ``: the name of the file is missing"),
    ] {
        let bench = Bench::new().file("p.asm", format!(".include \"{name}\"\n HALT\n"));
        let stderr = bench.gray1("run p.asm").status(1).err();
        assert!(stderr.contains(found), "{stderr}");
    }
    // The folder of the including file comes first, the library last.
    let bench = bench.file("one.asm", "ONE = 'b'\n").file("inc/lib/std.asm", "ONE = 's'\n");
    bench.gray1("run p.asm -I more").status(0).stdout("b");
    let stderr = bench.gray1("run p.asm -I inc").status(1).err();
    assert!(stderr.contains("--> inc/lib/std.asm:1:1"), "{stderr}");
}

#[test]
fn make_rules_list_the_files_that_an_output_depends_on() {
    let source = ".include \"my $1.asm\"\n.include \"lib/std.asm\"\n LDI ONE\n HALT\n";
    let bench = Bench::new()
        .file("src/p.asm", source)
        .file("src/my $1.asm", ".include \"one#.asm\"\n")
        .file("inc/one#.asm", "ONE = 1\n");
    let asm = "asm src/p.asm -I inc";
    bench.gray1(&format!("{asm} -o p.bin -M p.d")).status(0).stderr("wrote p.bin\nwrote p.d\n");
    let included = ["src/my\\ $$1.asm", "inc/one\\#.asm"];
    let [my, one] = included;
    let rule = format!("p.bin: src/p.asm {my} {one}\n{my}:\n{one}:\n");
    assert_eq!(String::from_utf8(bench.read("p.d")).unwrap(), rule);
    let ran = bench.gray1(&format!("{asm} --dependencies -")).status(0);
    assert_eq!(ran.out(), rule.replace("p.bin", "src/p.ron").as_bytes());
    bench.gray1(&format!("{asm} -o - -M p.d")).status(2);
    bench.gray1_with_input("asm - -o q.bin -M -", b"HALT\n").status(0).stdout("q.bin:\n");
    // Without an output file there is no make rule.
    let bench = bench.file("inc/one#.asm", "ONE = two\n");
    bench.gray1(&format!("{asm} -o new.bin -M new.d")).status(1);
    assert!(!bench.path("new.d").exists());
}

fn make_rule(bench: &Bench, name: &str) -> UncheckedResult {
    RunResult::run(bench.command("asm -o p.bin -M p.d").arg(name))
}

#[test]
fn a_name_that_make_cannot_read_is_refused() {
    for (name, escaped) in [("50%", "50%"), ("a:b", "a\\:b"), ("a|b", "a\\|b")] {
        let bench = Bench::new().file(name, " HALT\n");
        make_rule(&bench, name).status(0);
        assert_eq!(String::from_utf8(bench.read("p.d")).unwrap(), format!("p.bin: {escaped}\n"));
    }
    for name in ["p\nall:side\nx.asm", "a;b.asm", "a=b.asm", "a\\#b.asm", "a.asm "] {
        let bench = Bench::new().file(name, " HALT\n");
        let stderr = make_rule(&bench, name).status(1).err();
        assert!(stderr.contains("a make rule cannot contain the name"), "{stderr}");
        assert!(!bench.path("p.d").exists() && !bench.path("p.bin").exists());
    }
}

#[test]
fn every_command_that_assembles_gives_values_to_defaults() {
    let source = ".default MARK = '2'\n LDI MARK\n ST 0x1fff\n ST 0x1fe0\n HALT\n";
    let tests = "Tests(version: 1, cases: [(name: \"a\", steps: [Prints(\"7\"), Halts])])";
    let bench = Bench::new().file("p.asm", source).file("p.test.ron", tests);
    bench.gray1("run p.asm").status(0).stdout("2");
    bench.gray1("run p.asm -D MARK=0x37").status(0).stdout("7");
    bench.gray1("test p.asm").status(1);
    bench.gray1("test p.asm -D MARK=55").status(0);
    let debug = bench.gray1("test p.asm -D MARK=1 -I a").status(1).out().to_vec();
    assert!(String::from_utf8(debug).unwrap().contains(" -D MARK=1 -I a"));
    bench.gray1("asm p.asm --define MARK=55 -o p.bin").status(0);
    let expected = bench.read("p.bin");
    bench.gray1("convert p.asm -D MARK=55 -o q.bin").status(0);
    bench.gray1("export images p.asm -D MARK=55 -o chips").status(0);
    assert_eq!([bench.read("q.bin"), bench.read("chips/PROG.bin")], [&*expected; 2]);
    let source = bench.gray1("disasm p.asm -D MARK=55").status(0);
    assert!(source.text().contains("0x37"));
    for command in ["compare p.asm", "record p.asm -o p.gif", "screenshot p.asm --keys s"] {
        let [two, seven] = ["50", "55"].map(|mark| {
            let ran = bench.gray1(&format!("{command} -D MARK={mark}")).status(0);
            let drawn = command.starts_with("record").then(|| bench.read("p.gif"));
            drawn.unwrap_or_else(|| ran.out().to_vec())
        });
        assert!(two != seven || command.starts_with("compare"), "{command}");
    }
    // Three errors: `x` is not a value, `MARKS` has no default, and an image is not a source.
    bench.gray1("run p.asm -D MARK=x").status(2);
    let stderr = bench.gray1("run p.asm -D MARKS=1").status(1).stdout("").err();
    assert!(stderr.contains("did you mean `MARK`?"), "{stderr}");
    bench.gray1("run p.bin -D MARK=1").error("p.bin is an image: -D needs a source");
}

/// `gray1 export verilog -o queens queens` leaves a folder called `queens`.
#[test]
fn a_folder_with_the_name_of_a_built_in_program_does_not_hide_it() {
    let bench = Bench::new().file("gray1", "no board");
    std::fs::create_dir(bench.path("fibonacci")).unwrap();
    bench.gray1("run fibonacci --engine chips").status(0);
    // A file of that name does take precedence.
    let bench = bench.file("counter", "LDI 'c'\nST 0x1fff\nHALT\n");
    bench.gray1("run counter").status(0).stdout("c");
}

#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let bench = Bench::new().file("p.asm", "HALT\n");
    for (path, why) in [
        ("no/such/folder/p.bin", "No such file or directory (os error 2)"),
        ("p.asm/p.bin", "Not a directory (os error 20)"),
    ] {
        let message = format!("cannot write {path}: {why}");
        bench.gray1(&format!("asm p.asm -o {path}")).error(&message);
    }
    assert_eq!(bench.names(), ["p.asm"]);
}

/// A folder whose name is not UTF-8, with a program that includes two files with such names.
#[cfg(target_os = "linux")]
fn named_in_bytes() -> (Bench, std::path::PathBuf) {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let bench = Bench::new();
    let folder = bench.path("").join(OsStr::from_bytes(b"b\xfcro"));
    std::fs::create_dir(&folder).unwrap();
    let tests = "Tests(version: 1, cases: [(name: \"a\", steps: [Prints(\"A\"), Halts])])";
    for (name, text) in [
        (&b"p.asm"[..], ".include \"part.asm\"\n"),
        (b"part.asm", " LDI 65\n ST 0x1fff\n HALT\n"),
        (b"p.test.ron", tests),
        (b"\xff.asm", ".include \"part.asm\"\n"),
        (b"\xfe.asm", " HALT\n"),
    ] {
        std::fs::write(folder.join(OsStr::from_bytes(name)), text).unwrap();
    }
    (bench, folder)
}

#[cfg(target_os = "linux")]
#[test]
fn file_names_need_not_be_utf_8() {
    use crate::support::RunResult;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let (bench, folder) = named_in_bytes();
    let [program, other] =
        [&b"p.asm"[..], b"\xff.asm"].map(|it| folder.join(OsStr::from_bytes(it)));
    let run = |words: &str, last: &std::path::Path| {
        RunResult::run(bench.command(words).arg(last)).status(0)
    };
    for path in [&program, &other] {
        run("run", path).stdout("A");
        run("asm -o -", path);
        run("convert --format symbols -o -", path);
        run("screenshot --keys s", path);
        run("export images -o chips", path);
        run("link", path);
        run("compare", path);
        run("", path).stdout("A");
        let source = run("disasm", path);
        assert!(source.text().contains("LDI"), "{}", source.err());
    }
    // Run from inside the folder, so that the folder's name is not in the arguments.
    RunResult::run(bench.command("run p.asm").current_dir(&folder)).status(0).stdout("A");
    RunResult::run(bench.command("asm p.asm").current_dir(&folder)).status(0);
    run("test", &program);
    let tests = folder.join("p.test.ron");
    let table =
        RunResult::run(bench.command("test --test").args([&tests, &folder, &other])).status(0);
    let table = table.text();
    assert!(table.ends_with("2 programs, 2 cases: all passed\n"), "{table}");
}

#[cfg(target_os = "linux")]
#[test]
fn names_of_boards_and_make_rules_need_not_be_utf_8() {
    use crate::support::{RunResult, root};
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let (bench, folder) = named_in_bytes();
    let [board, program] =
        [&b"\xff.ron"[..], b"\xff.asm"].map(|it| folder.join(OsStr::from_bytes(it)));
    std::fs::copy(root().join("roms/gray1.ron"), &board).unwrap();
    let mut run = bench.command("run queens --engine chips --max-instructions 9 --board");
    RunResult::run(run.arg(&board)).status(3);

    let mut asm = bench.command("asm -M - -o");
    let rule = RunResult::run(asm.arg(folder.join("p.bin")).arg(&program)).status(0);
    let name = |file: &[u8]| [folder.as_os_str().as_bytes(), b"/", file].concat();
    let [target, source, part] = [&b"p.bin"[..], b"\xff.asm", b"part.asm"].map(name);
    let rules = [&*target, b": ", &source, b" ", &part, b"\n", &part, b":\n"].concat();
    assert_eq!(OsStr::from_bytes(rule.out()), OsStr::from_bytes(&rules));
}

/// The paths of the two files `part.asm` look alike when displayed, because neither is UTF-8. The
/// files must not be confused.
#[cfg(target_os = "linux")]
#[test]
fn include_files_with_similar_invalid_names_are_not_confused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let bench = Bench::new();
    let folders = [&b"\xfe"[..], b"\xff"].map(|it| bench.path("").join(OsStr::from_bytes(it)));
    for (folder, name) in folders.iter().zip(["one", "two"]) {
        std::fs::create_dir(folder).unwrap();
        std::fs::write(folder.join(format!("{name}.asm")), ".include \"part.asm\"\n").unwrap();
        std::fs::write(folder.join("part.asm"), format!("{name} = 65\n")).unwrap();
    }
    let bench = bench
        .file("p.asm", ".include \"one.asm\"\n.include \"two.asm\"\n LDI one\n ST two\n HALT\n");
    let mut command = bench.command("asm p.asm -o -");
    crate::support::RunResult::run(command.arg("-I").arg(&folders[0]).arg("-I").arg(&folders[1]))
        .status(0);
}

#[test]
fn files_that_are_not_programs_are_refused_with_one_message() {
    let no_text = "this byte is not UTF-8 (save the file as UTF-8); it is not an EPROM image \
                   either: those have 16384, 32768, 65536, … bytes, this file has 16383";
    let bench = Bench::new()
        .file("short.bin", [0xff; 16383])
        .file("sum.hex", ":0100000042BE\n:00000001FF\n")
        .file("board.ron", "Board(version: 1)")
        .file("sum.test.ron", "Tests(version: 1, cases: [])");
    std::fs::create_dir(bench.path("folder.asm")).unwrap();
    // A sparse file: a gibibyte of zeros that occupies no disk space.
    std::fs::File::create(bench.path("zeros")).unwrap().set_len(1 << 30).unwrap();
    let names = bench.names();
    for (path, message) in [
        ("short.bin", format!("short.bin:1:1: {no_text}").as_str()),
        ("sum.hex", "sum.hex:1:12: the checksum is be, but the record adds up to bd"),
        ("board.ron", "board.ron:1:1: this describes a board (Board); expected a program (Image)"),
        (
            "sum.test.ron",
            "sum.test.ron:1:1: this is a test file (Tests), which `gray1 test` runs; \
             expected a program (Image)",
        ),
        ("folder.asm", "cannot read folder.asm: is a directory"),
        ("./zeros", "cannot read ./zeros: larger than 16 MiB"),
        ("nothing.asm", "cannot read nothing.asm: No such file or directory (os error 2)"),
    ] {
        for command in ["run", "disasm -o out", "convert -o out"] {
            bench.gray1(&format!("{command} {path}")).error(message);
        }
    }
    // The size of a pipe or of a growing file is not known beforehand.
    let endless = vec![b'\n'; (16 << 20) + 1];
    let stderr = bench.gray1_with_input("run -", &endless).status(1).stdout("").err();
    assert!(stderr.contains("larger than 16 MiB"), "{stderr}");
    assert_eq!(bench.names(), names);
}
