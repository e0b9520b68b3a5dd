//! Tests that no error is swallowed: there is an image exactly when there is no error.
//!
//! If an error prevents a definition (or loses a file or block), uses of the name must not be
//! reported as undefined. So the assembler suppresses such errors, but a suppressed error must not
//! be the only one. These tests put mistakes into valid sources and expect an error.

mod support;

use std::collections::BTreeSet;
use std::path::Path;

use gray1_asm::{Assembly, InputFile, Loader, Severity, Source, assemble};
use gray1_isa::Op;
use support::{Case, Random, cases, sources};

/// A program: its files by name. The first one is assembled.
#[derive(Clone)]
struct Program {
    files: Vec<(String, String)>,
}

impl Loader for &Program {
    fn load(&mut self, _: &InputFile, name: &str) -> Result<Source, String> {
        let name = name.rsplit('/').next().unwrap_or(name);
        let found = self.files[1..].iter().find(|(known, _)| known == name);
        let (_, text) = found.ok_or("no such file")?;
        Ok(Source { id: name.to_owned(), name: name.to_owned(), text: text.clone() })
    }
}

impl Program {
    fn assemble(&self) -> Assembly {
        let (name, text) = self.files[0].clone();
        assemble(Source { id: name.clone(), name, text }, &mut &*self)
    }

    fn from_case(case: &Case<'_>) -> Self {
        let files = case.files.iter().map(|(name, text)| ((*name).to_owned(), text.clone()));
        Self { files: files.collect() }
    }

    /// Replaces the contents of one of its files.
    fn with(&self, file: usize, text: String) -> Self {
        let mut changed = self.clone();
        changed.files[file].1 = text;
        changed
    }
}

/// Returns all `.asm` files of a folder, by name.
fn folder(path: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let mut files: Vec<(String, String)> = std::fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == "asm"))
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// Programs without errors: those of the repository, and the cases of `tests/sources/`.
fn valid_programs() -> Vec<Program> {
    let library = folder("../programs/lib");
    let of_tree = folder("../programs").into_iter().map(|root| {
        let files = std::iter::once(root).chain(library.iter().cloned());
        Program { files: files.collect() }
    });
    let texts = sources();
    let of_tests =
        texts.iter().flat_map(|(_, text)| cases(text)).map(|case| Program::from_case(&case));
    let valid: Vec<Program> =
        of_tree.chain(of_tests).filter(|program| program.assemble().image.is_some()).collect();
    assert!(valid.len() > 60, "only {} valid programs were found", valid.len());
    valid
}

/// Checks the invariants of every assembly. Returns whether there are errors.
#[track_caller]
fn check_assembly(program: &Program) -> bool {
    let assembly = program.assemble();
    let is_error = |severity| severity == Severity::Error;
    let has_errors = assembly.diagnostics.iter().any(|found| is_error(found.severity));
    let text = &program.files[0].1;
    assert_eq!(assembly.image.is_none(), has_errors, "{:?} {text}", assembly.diagnostics);
    let internal = assembly.diagnostics.iter().find(|found| found.message.contains("internal"));
    assert!(internal.is_none(), "{internal:?} {text}");
    has_errors
}

/// Returns the names in a line of source, except in comments and strings, with their positions.
fn names(line: &str) -> Vec<(usize, &str)> {
    let code = &line[..line.find([';', '"', '\'']).unwrap_or(line.len())];
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_@.".contains(c);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = code[at..].find(is_part).map(|start| at + start) {
        at = code[start..].find(|c| !is_part(c)).map_or(code.len(), |length| start + length);
        let name = &code[start..at];
        if !name.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            found.push((start, name));
        }
    }
    found
}

/// Replaces line `number` of a source.
fn with_line(text: &str, number: usize, line: &str) -> String {
    let lines = text.lines().enumerate();
    let lines = lines.map(|(at, old)| if at == number { line } else { old });
    lines.fold(String::new(), |text, line| text + line + "\n")
}

const UNKNOWN: &str = "defined_nowhere";

/// Lines that use an undefined name, for every place where names can be used.
const LINES_WITH_UNKNOWN: [&str; 22] = [
    "JMP defined_nowhere",
    "LD q{defined_nowhere}",
    "q{defined_nowhere}: SHR",
    "q{defined_nowhere} = 5",
    ".var q{defined_nowhere}",
    ".var q, defined_nowhere",
    ".if defined_nowhere\n.include \"lost\"\n.endif",
    ".if defined_nowhere\n.struct s\n.var v\n.endstruct\n.endif",
    ".if defined_nowhere\nq{1}:\n.endif",
    ".repeat defined_nowhere, i\nq{i}: SHR\n.endrepeat",
    ".repeat 2\n.if defined_nowhere\nq{1}:\n.endif\n.endrepeat",
    "frob{defined_nowhere} 5",
    ".call r{defined_nowhere}()",
    ".routine r{defined_nowhere}()\n.endroutine",
    ".macro m{defined_nowhere} a\n.endmacro",
    ".struct s{defined_nowhere}\n.var v\n.endstruct",
    ".org defined_nowhere",
    ".ram defined_nowhere",
    ".assert defined_nowhere",
    ".word defined_nowhere",
    ".macro mk q\nmk{q}:\n.endmacro\nmk defined_nowhere",
    ".function fn(n) = n + defined_nowhere\nLDI fn(1)",
];

/// Mistakes that prevent definitions and do not mention the undefined name.
const LOSSES: [&str; 9] = [
    ".include \"no such file\"",
    "lost = (",
    ".struct (",
    ".routine (",
    ".macro (",
    ".function (",
    "x{0 - 1} = 5",
    ".if )\n.include \"lost\"\n.endif",
    ".repeat \"text\", i\nz{i} = 1\n.endrepeat",
];

#[test]
fn an_undefined_name_is_an_error_wherever_it_is_used() {
    for line in LINES_WITH_UNKNOWN {
        let program = Program { files: vec![("t.asm".to_owned(), format!("{line}\n HALT\n"))] };
        assert!(check_assembly(&program), "{line}");
        let found = program.assemble().diagnostics;
        let names_it = found.iter().any(|found| found.message.contains(UNKNOWN));
        assert!(names_it, "{line}: {found:?}");
    }
}

#[test]
fn a_duplicate_label_is_reported_once() {
    let text = "a: SHR\n JMP @x\na: SHR\n@x: SHR\n JMP @x\nb: HALT\n";
    let program = Program { files: vec![("t.asm".to_owned(), text.to_owned())] };
    let found = program.assemble().diagnostics;
    let messages: Vec<&str> = found.iter().map(|found| &*found.message).collect();
    assert_eq!(messages, ["label `a` is defined twice"]);
}

#[test]
fn two_mistakes_that_hide_each_other_leave_an_error() {
    // Each mistake could have defined what the other one needs.
    for first in LINES_WITH_UNKNOWN.into_iter().chain(LOSSES) {
        for second in LINES_WITH_UNKNOWN.into_iter().chain(LOSSES) {
            let text = format!(" SHR\n{first}\n{second}\n HALT\n");
            assert!(
                check_assembly(&Program { files: vec![("t.asm".to_owned(), text)] }),
                "{first}\n{second}"
            );
        }
    }
}

#[test]
fn a_line_with_an_unknown_name_is_an_error_in_every_program() {
    let mut random = Random::new(1);
    for program in valid_programs() {
        let lines = LINES_WITH_UNKNOWN.into_iter().chain(LOSSES).collect();
        for line in random.some(lines, 8) {
            let text = &program.files[0].1;
            // At the start of a program, nothing can hide the mistake.
            let changed = program.with(0, format!("{line}\n{text}"));
            assert!(check_assembly(&changed), "{line} before {text}");
            // The mistake must also be found at any other line, including blocks that are not
            // expanded.
            let at = random.below(text.lines().count());
            let old = text.lines().nth(at).unwrap();
            check_assembly(&program.with(0, with_line(text, at, &format!("{line}\n{old}"))));
        }
    }
}

/// Returns the lines of the first file that make code outside of blocks, with the positions of the
/// names in them that only the program can define. The program does not assemble if any of these
/// names is missing.
fn needed_names(program: &Program) -> Vec<(usize, usize, String)> {
    let image = program.assemble().image.unwrap();
    let map = image.source_map();
    let mut live = BTreeSet::new();
    for index in gray1_isa::RomIndex::all() {
        if let Some(origin) = map.origin(index)
            && origin.place.file == 0
        {
            live.insert(origin.place.line as usize - 1);
        }
    }
    let defined: BTreeSet<&str> = image.symbols().iter().map(|symbol| &*symbol.name).collect();
    let mut needed = Vec::new();
    let mut depth = 0;
    for (number, line) in program.files[0].1.lines().enumerate() {
        let word = line.trim_start().to_ascii_lowercase();
        let opens = [".macro", ".repeat", ".if", ".routine", ".struct", ".function"];
        depth += usize::from(opens.iter().any(|opener| word.starts_with(opener)));
        depth -= usize::from(word.starts_with(".end"));
        if depth > 0 || !live.contains(&number) || line.contains(['?', '&', '|', '{', ':']) {
            continue;
        }
        let all = names(line);
        let is_instruction = all.first().is_some_and(|(_, word)| Op::from_mnemonic(word).is_some());
        let used = all.iter().skip(1).filter(|(_, name)| is_instruction && defined.contains(name));
        needed.extend(used.map(|(at, name)| (number, *at, (*name).to_owned())));
    }
    needed
}

#[test]
fn an_undefined_name_is_an_error_in_every_program() {
    let mut seeded = 0;
    let mut random = Random::new(2);
    for program in valid_programs() {
        let text = program.files[0].1.clone();
        for (number, at, name) in random.some(needed_names(&program), 6) {
            let line = text.lines().nth(number).unwrap();
            let line = format!("{}{UNKNOWN}{}", &line[..at], &line[at + name.len()..]);
            let renamed = with_line(&text, number, &line);
            assert!(check_assembly(&program.with(0, renamed.clone())), "{line}");
            let others = LOSSES.into_iter().chain(LINES_WITH_UNKNOWN).collect();
            for other in random.some(others, 3) {
                assert!(
                    check_assembly(&program.with(0, format!("{other}\n{renamed}"))),
                    "{other}\n{line}"
                );
            }
            seeded += 1;
        }
    }
    assert!(seeded > 80, "only {seeded} mistakes were seeded");
}
