//! `gray1 compare`: its table, and the table in docs/QUEENS.md, whose counts must be right.

use crate::support::{Bench, RunResult, root};

/// The cells of a program's row without the time: words, executed, queens set, end.
fn counts(table: &str, program: &str) -> Vec<String> {
    let row = table.lines().find(|line| line.split_whitespace().next() == Some(program));
    let row = row.unwrap_or_else(|| panic!("no {program} in\n{table}"));
    let cells: Vec<&str> = row.split_whitespace().skip(1).collect();
    let end = row.rsplit("  ").next().unwrap();
    cells[..3].iter().chain([&end]).map(ToString::to_string).collect()
}

fn compare(arguments: &str) -> String {
    let ran = Bench::new().gray1(&format!("compare {arguments}")).status(0).stderr("");
    ran.text()
}

#[test]
fn programs_are_compared_in_a_table() {
    let table = compare("queens fibonacci life --max-instructions 200000");
    let heading: Vec<&str> = table.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(heading.join(" "), "program words executed queens set births built end");
    assert_eq!(counts(&table, "queens")[1..], ["184,039", "1,164", "halted"]);
    assert_eq!(counts(&table, "fibonacci")[2..], ["-", "halted"], "it declares no count");
    assert_eq!(counts(&table, "life")[1..], ["200,000", "-", "stopped"]);
    // 184,039 instructions of eight phases of 1,070 ns each.
    assert!(table.contains(" 1.6 s  halted"), "{table}");
}

#[test]
fn each_count_that_a_program_declares_has_a_column() {
    let source = "GREEN = 0x1fe0
RED = 0x1fe8
.count green, \"doors opened\"
.count red, \"alarms\"
        LDI  0b0000_0111
        ST   GREEN
        ST   RED + 7
        LDI  0b0000_1110
        ST   GREEN              ; one more came on, one went off
        ST   0x1ff0
        HALT
";
    let bench = Bench::new().file("own.asm", source);
    let ran = bench.gray1("compare own.asm counter --max-instructions 100").status(0).stderr("");
    let table = ran.text();
    let heading = table.lines().next().unwrap();
    assert!(heading.contains(" doors opened      alarms "), "{table}");
    let row = |name| table.lines().find(|line| line.starts_with(name)).unwrap();
    let cells: Vec<&str> = row("own").split_whitespace().collect();
    assert_eq!(cells[1..5], ["7", "7", "4", "3"], "{table}");
    // Headings and cells are right-aligned.
    let end = heading.find(" alarms").unwrap() + " alarms".len();
    assert!(row("own")[..end].ends_with(" 3") && row("counter")[..end].ends_with(" -"), "{table}");
}

#[test]
fn an_endless_program_stops_after_enough_lines() {
    let table = compare("queens-repair --lines 3");
    let [_, executed, _, end] = &counts(&table, "queens-repair")[..] else { panic!("{table}") };
    assert_eq!(end, "all lines");
    let printed = Bench::new()
        .gray1(&format!("run queens-repair --max-instructions {}", executed.replace(',', "")));
    let mut lines: Vec<&[u8]> = printed.out().split(|byte| *byte == b'\n').collect();
    assert_eq!(lines.pop(), Some(&b""[..]), "the last line is complete");
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 3);
}

/// A program in quotes has options of its own, and a row that names them.
#[test]
fn a_program_in_quotes_has_options() {
    let source = ".default COUNT = 3\n.pool\n.var left\n LDI COUNT\n ST left\nloop: LD left\n \
        ADD #-1\n ST left\n JC loop\n HALT\n";
    let bench = Bench::new().file("p.asm", source).file("a b.asm", source);
    let mut command = bench.command("compare p.asm --max-instructions 90");
    command.args(["p.asm -D COUNT=9", "p.asm --set '4: left = 0'", "a b.asm"]);
    let table = RunResult::run(command.arg("p.asm --max-instructions 7")).status(0).text();
    let cells = |row: &str| {
        let row = table.lines().find_map(|line| line.strip_prefix(row)).expect(row);
        let cells: Vec<&str> = row.split_whitespace().collect();
        [cells[1], cells[cells.len() - 1]].map(str::to_owned)
    };
    for (row, executed, end) in [
        ("p.asm  ", "21", "halted"),
        ("p.asm -D COUNT=9", "45", "halted"),
        ("p.asm --set '4: left = 0'", "9", "halted"),
        ("a b.asm", "21", "halted"),
        ("p.asm --max-instructions 7", "7", "stopped"),
    ] {
        assert_eq!(cells(row), [executed, end], "{row}\n{table}");
    }
    let wrong = bench.command("compare p.asm").arg("p.asm --leds").output().unwrap();
    let error = String::from_utf8(wrong.stderr).unwrap();
    assert!(error.contains("'p.asm --leds': unexpected argument '--leds' found"), "{error}");
}

#[test]
fn a_missing_program_is_an_error_before_any_run() {
    Bench::new().gray1("compare queens nothing").status(1).stdout("");
    Bench::new().gray1("compare").status(2);
}

/// Leaves out the odometer, which would take a minute. Another test counts its instructions.
#[test]
fn the_counts_of_the_handbook_are_right() {
    let page = std::fs::read_to_string(root().join("docs/QUEENS.md")).unwrap();
    let (page, _) = page.split_once("## Then and now").unwrap();
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| `queens"))
        .map(|line| line.split('|').map(|cell| cell.trim().trim_matches('`')).collect())
        .filter(|row: &Vec<&str>| row.len() == 7)
        .collect();
    assert_eq!(rows.len(), 6, "{page}");
    for row in rows {
        let options = match row[1] {
            "queens-odometer" => continue,
            "queens-repair" => "queens-repair --lines 92",
            program => program,
        };
        let table = compare(options);
        assert_eq!(counts(&table, row[1])[..3], row[2..5], "{table}");
    }
}
