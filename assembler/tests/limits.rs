//! Tests that sources cannot hang the assembler, overflow its stack or fill the memory. Everything
//! that can grow has a limit with an error message.

mod support;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use gray1_asm::assemble;
use support::{Texts, assembled, source};

/// Returns the error messages of a source.
fn messages(text: &str) -> Vec<String> {
    messages_with(text, |_| None)
}

/// Returns the error messages of a source that can include these files.
fn messages_with(text: &str, file: impl FnMut(&str) -> Option<String>) -> Vec<String> {
    let assembly = assemble(source(text), &mut Texts(file));
    assembly.diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect()
}

fn first_word(text: &str) -> u16 {
    let assembly = assembled(text);
    let messages: Vec<&String> = assembly.diagnostics.iter().map(|d| &d.message).collect();
    assembly.image.unwrap_or_else(|| panic!("{messages:?}")).words()[0].bits()
}

fn nested(levels: usize) -> String {
    format!("LDI {}5{}", "(".repeat(levels), ")".repeat(levels))
}

#[test]
fn brackets_nest_64_deep() {
    assert_eq!(first_word(&nested(64)), 5);
    assert_eq!(messages(&nested(65)), ["brackets are nested more than 64 deep"]);
    assert_eq!(messages(&nested(2000)), ["brackets are nested more than 64 deep"]);
    // Braces of built names and brackets of calls count.
    let names = format!("LDI {}1{}", "a{".repeat(65), "}".repeat(65));
    assert_eq!(messages(&names), ["brackets are nested more than 64 deep"]);
    let calls = format!("LDI {}1{}", "lo(".repeat(64), ")".repeat(64));
    assert_eq!(first_word(&calls), 1);
}

#[test]
fn conditionals_nest_64_deep() {
    let chain = |length| format!("LDI {}7", "0 ? 1 : ".repeat(length));
    assert_eq!(first_word(&chain(64)), 7);
    assert_eq!(messages(&chain(65)), ["a line can have at most 64 `?`"]);
    // The limit is the same for conditionals nested in the middle operand.
    let inner = |length| format!("LDI {}7{}", "1 ? ".repeat(length), " : 2".repeat(length));
    assert_eq!(first_word(&inner(64)), 7);
}

#[test]
fn a_line_can_reach_all_limits_at_once() {
    let open = "(1 ? lo(".repeat(32);
    let close = ") : 2)".repeat(32);
    assert_eq!(first_word(&format!("LDI {open}{}7{close}", "- -".repeat(60))), 7);
}

#[test]
fn operators_nest_256_deep() {
    let sum = |terms| format!("LDI 0{}", "+1".repeat(terms));
    assert_eq!(first_word(&sum(255)), 255);
    assert_eq!(messages(&sum(257)), ["the expression is nested more than 256 deep"]);
    let in_name = |terms| format!("LDI a{{{}}}{}", &sum(terms)[4..], "+1".repeat(terms));
    assert_eq!(messages(&in_name(100)), ["undefined symbol `a100`"]);
    assert_eq!(messages(&in_name(150)), ["the expression is nested more than 256 deep"]);
    let signs = |length| format!("LDI {}1", "~".repeat(length));
    assert_eq!(first_word(&signs(256)), 1);
    assert_eq!(messages(&signs(4000)), ["the expression is nested more than 256 deep"]);
}

#[test]
fn the_length_of_a_line_is_limited() {
    let line = format!("SHR ;{}", "x".repeat(4096 - 5));
    assert_eq!(first_word(&line), 0xa000);
    let longer = format!("{line}x\nSHR");
    assert_eq!(messages(&longer), ["the line has 4097 bytes; at most 4096 are allowed"]);
    assert_eq!(first_word(&format!("{}\nSHR", " \t".repeat(4096))), 0xa000);
    // A line that is too long still opens its block.
    let block = format!(".repeat 2 ;{}\n.endrepeat", "x".repeat(5000));
    assert_eq!(messages(&block).len(), 1);
}

#[test]
fn blocks_nest_64_deep() {
    let blocks = |levels| format!("{}SHR\n{}", ".if 1\n".repeat(levels), ".endif\n".repeat(levels));
    assert_eq!(first_word(&blocks(64)), 0xa000);
    assert_eq!(messages(&blocks(65)), ["blocks are nested more than 64 deep"]);
    assert_eq!(messages(&".repeat 2\n".repeat(20_000)), ["blocks are nested more than 64 deep"]);
}

#[test]
fn long_chains_of_constants_are_evaluated() {
    let chain = |length: usize| {
        let mut text = "LDI c0\n".to_owned();
        for n in 0..length {
            writeln!(text, "c{n} = c{}", n + 1).unwrap();
        }
        writeln!(text, "c{length} = 5").unwrap();
        text
    };
    assert_eq!(first_word(&chain(20_000)), 5);
    let cycle = chain(20_000).replace("c20000 = 5", "c20000 = c0");
    assert_eq!(messages(&cycle), ["`c0` is defined in terms of itself"]);
}

#[test]
fn an_argument_is_evaluated_once_however_often_it_is_used() {
    let macros = "\
.macro grow depth, n
  .if depth == 0
        LDI 0 ? n : 1
        .assert later == n
  .else
        grow depth - 1, n + n - n
  .endif
.endmacro
        grow 80, later
later = 5
";
    assert_eq!(first_word(macros), 1);
}

#[test]
fn exponential_macros_are_stopped() {
    let bomb = "\
.macro bomb n
  .if n > 0
    bomb n - 1
    bomb n - 1
  .endif
.endmacro
    bomb 100
";
    assert_eq!(messages(bomb), ["the program expands to more than 262144 lines"]);
    let repeats = ".repeat 1000\n".repeat(10) + &".endrepeat\n".repeat(10);
    assert_eq!(messages(&repeats), ["the program expands to more than 262144 lines"]);
    let endless = ".macro m\nm\nm\nm\n.endmacro\n".to_owned() + &"m\n".repeat(1000);
    assert_eq!(messages(&endless), ["macro `m` calls itself more than 256 times"]);
}

#[test]
fn the_deepest_expansion_has_stack_for_the_deepest_expression() {
    let depth: u16 = 255 / 3;
    let open = "(".repeat(60);
    let close = ")".repeat(60);
    let text = |depth: u16| {
        format!(
            ".macro down n, x\n.if n > 0\n.repeat 1\ndown n - 1, {open}x + 1{close}\n\
             .endrepeat\n.else\n.org 0\nLDI x\n.if x\n.endif\n.endif\n.endmacro\ndown {depth}, 0\n"
        )
    };
    assert_eq!(first_word(&text(depth)), depth);
    // Every `.if`, repeat and call around the place counts.
    let too_deep = "macros and includes are nested more than 256 deep here";
    assert_eq!(messages(&text(depth + 1)), [too_deep]);
    let in_routine = |depth| {
        let call = format!("down {depth}, 0\n");
        let routine = format!(".org 9\n.call r()\nHALT\n.routine r()\n{call}.endroutine\n");
        text(depth).replace(&call, &routine).replace(".org 0\nLDI", "LDI")
    };
    assert!(assembled(&in_routine(depth - 1)).image.is_some());
    assert_eq!(messages(&in_routine(depth)), ["macro `down` calls itself more than 256 times"]);
}

#[test]
fn the_number_of_symbols_is_limited() {
    let labels: Vec<String> = (0..300).map(|n| format!("a{n}_{{i}}:")).collect();
    let labels = labels.join(" ");
    let symbols = format!(".repeat 100000, i\n{labels}\n.endrepeat\n");
    assert_eq!(messages(&symbols), ["the program defines more than 262144 symbols"]);
    let again = symbols.replace("_{i}", "");
    assert!(messages(&again).contains(&"the program defines more than 262144 symbols".to_owned()));
}

#[test]
fn the_memory_of_names_built_from_numbers_is_limited() {
    let name = "n".repeat(4000);
    let names = format!(".repeat 131000, i\n{name}{{i}} = i\n.endrepeat\n");
    assert_eq!(messages(&names), ["the names that are built from numbers take more than 16 MiB"]);
    let uses = format!("{name}1 = 1\n.repeat 131000, i\n.assert {name}{{1}}\n.endrepeat\n");
    assert_eq!(messages(&uses), ["the names that are built from numbers take more than 16 MiB"]);
}

#[test]
fn the_number_of_macro_arguments_is_limited() {
    let parameters: Vec<String> = (100..800).map(|n| format!("p{n}")).collect();
    let (parameters, arguments) = (parameters.join(","), vec!["1+i"; 700].join(","));
    let call = format!(".macro m {parameters}\n.endmacro\n.repeat 40000, i\nm {arguments}\n");
    let arguments = call + ".endrepeat\n";
    assert_eq!(
        messages(&arguments),
        ["the program's macro calls have more than 1048576 arguments in all"]
    );
}

#[test]
fn a_program_ends_where_it_reaches_a_limit() {
    let text = ".repeat 262145\n.endrepeat\n";
    assert_eq!(messages(text), ["the count of `.repeat` must be 0 to 262144, not 262145"]);
    let text = ".repeat 262144\nSHR\n.endrepeat\n.repeat 2\nfrob\n.endrepeat\n JMP nowhere\n";
    let used_up = "the program expands to more than 262144 lines";
    assert_eq!(messages(text), ["program memory is full: it holds 8192 instructions", used_up]);
}

#[test]
fn suggestions_for_long_names_are_limited() {
    let suggested = |lines: usize, letters: usize| {
        let tail = "z".repeat(letters);
        let text = (0..lines).fold(String::new(), |mut text, n| {
            writeln!(text, "k{n}_{tail} = q{n}_{tail}").unwrap();
            text
        });
        let diagnostics = assembled(&text).diagnostics;
        assert_eq!(diagnostics.len(), lines);
        diagnostics.iter().filter(|diagnostic| diagnostic.help.is_some()).count()
    };
    assert_eq!(suggested(50, 2000), 0);
    assert_eq!(suggested(250, 200), 3);
    assert_eq!(suggested(250, 2), 250);
}

#[test]
fn a_garbage_file_has_at_most_a_thousand_errors() {
    let garbage = "%%% (((\n".repeat(20_000);
    let messages = messages(&garbage);
    assert_eq!(messages.len(), 1001);
    assert_eq!(messages[1000], "too many errors: only the first 1000 are shown");
    assert_eq!(self::messages(&"%\n".repeat(1000)).len(), 1000);
    let unknown: String = (0..5_000).fold(String::new(), |mut text, n| {
        writeln!(text, "label{n}: frob{n} lable{n}").unwrap();
        text
    });
    assert_eq!(self::messages(&unknown).len(), 1001);
}

#[test]
fn at_most_a_hundred_warnings_of_a_kind_are_shown() {
    let unused = |count: usize| {
        let text = (0..count).fold(" HALT\n".to_owned(), |mut text, n| {
            writeln!(text, "c{n} = {n}").unwrap();
            text
        });
        messages(&text)
    };
    assert_eq!([unused(99), unused(100)].map(|found| found.len()), [99, 100]);
    let many = unused(102);
    assert_eq!(many.len(), 101);
    assert_eq!(many[100], "too many warnings: only the first 100 of a kind are shown");
    let text = (0..102).fold(String::new(), |text, n| text + &format!("c{n} = {n}\n"));
    let mixed = messages(&(text + " LDI 1\n ST 5\n LD 6\n HALT\n"));
    assert_eq!(mixed.len(), 102, "a warning of another kind is lost");
}

#[test]
fn a_long_cycle_of_calls_is_shown_without_its_middle() {
    let notes = |length: usize| {
        let text = (0..length).fold(" .call r0()\n HALT\n".to_owned(), |mut text, n| {
            let next = (n + 1) % length;
            writeln!(text, ".routine r{n}()\n .call r{next}()\n.endroutine").unwrap();
            text
        });
        let diagnostics = assembled(&text).diagnostics;
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        diagnostics.into_iter().flat_map(|found| found.notes).count()
    };
    assert_eq!([1, 2, 16, 17, 40].map(notes), [1, 2, 16, 7, 7]);
}

#[test]
fn the_deepest_function_calls_do_not_overflow_the_stack() {
    let text = format!(
        ".function f(n) = n > 0 ? {} : 7\nLDI {}f(3){}\n",
        format_args!("{}f(n - 1)", "0+".repeat(120)),
        "-(-(0+".repeat(21),
        "))".repeat(21)
    );
    assert_eq!(first_word(&text), 7);
    let endless = text.replace("n > 0", "1");
    assert_eq!(messages(&endless), ["functions are nested too deeply here: `f` may call itself"]);
    let steps = ".function f(n) = n ? f(n - 1) : 7\nLDI f(120)\n";
    assert_eq!(first_word(steps), 7);
}

#[test]
fn the_number_of_function_calls_is_limited() {
    let text = ".function f(n) = n ? f(n - 1) + f(n - 1) : 0\nLDI f(60)\n";
    assert_eq!(messages(text), ["functions are called more than 1048576 times"]);
}

#[test]
fn endless_includes_are_stopped() {
    let next = |name: &str| Some(format!(".include \"{}\"\n", name.parse::<u32>().ok()? + 1));
    let messages = messages_with(".include \"0\"", next);
    assert_eq!(messages, ["macros and includes are nested more than 256 deep here"]);
}

#[test]
fn the_number_of_files_is_limited_to_16_bits() {
    let text = (0..65_536).fold(String::new(), |mut text, n| {
        writeln!(text, ".include \"{n}\"").unwrap();
        text
    });
    let messages = messages_with(&text, |_| Some(String::new()));
    assert_eq!(messages, ["more than 65535 files are included"]);
}

#[test]
fn the_size_of_a_file_is_limited() {
    let large = messages(&";".repeat((4 << 20) + 1));
    assert_eq!(large, ["t.asm: the program's files are larger than 4 MiB"]);
    let long = messages(&"\n".repeat((1 << 18) + 1));
    assert_eq!(long, ["t.asm: the program's files have more than 262144 lines"]);
    // The largest file and the longest file.
    let large = messages(&";".repeat(4 << 20));
    assert_eq!(large, ["the line has 4194304 bytes; at most 4096 are allowed"]);
    let long = messages(&"\n".repeat(1 << 18));
    assert_eq!(long, ["this source has no instructions"]);
}

#[test]
fn the_size_of_all_files_together_is_limited() {
    let text = (0..6).fold(String::new(), |mut text, n| {
        writeln!(text, ".include \"{n}\"").unwrap();
        text
    });
    let large = format!(";{}\n", " ".repeat(4000)).repeat(256);
    let messages = messages_with(&text, |_| Some(large.clone()));
    assert_eq!(messages, ["the program's files are larger than 4 MiB"; 2]);
}

/// Tests lines that would make a backtracking grammar slow: as deep and as long as allowed, with
/// half of them invalid at the end.
#[test]
fn no_line_takes_long_to_parse() {
    let start = Instant::now();
    for (open, close) in [
        ("(", ")"),
        ("lo(", ")"),
        ("max(1, ", ")"),
        ("a{", "}"),
        ("1?", ":1"),
        ("(1?a{", "}:2)"),
        ("-", ""),
        ("- ", ""),
        ("1+", ""),
        ("1 ? 2 : ", ""),
        ("x=", ""),
        ("x:", ""),
        ("a{1}", ""),
        ("a,", ""),
        ("\"\\\"\"", ""),
    ] {
        for levels in [32, 64, 4000 / open.len()] {
            for end in ["1", "", "1 1", "1]"] {
                let line = format!("{}{end}{}", open.repeat(levels), close.repeat(levels));
                let lines = ["", "LDI ", "x = ", ".if ", ".call f(", ".word 1 + "];
                let text = lines.map(|before| format!("{before}{line}\n")).concat();
                assembled(&text);
            }
        }
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn long_chains_of_routine_calls_are_accepted() {
    let chain = |length: usize, last: &str| {
        let routines = (0..length).fold(String::new(), |mut text, n| {
            let next = n + 1;
            writeln!(text, ".routine r{n}(a)\n.call r{next}(a)\n.endroutine").unwrap();
            text
        });
        format!(".call r0(#1)\nHALT\n{routines}.routine r{length}(a)\n{last}\n.endroutine\n")
    };
    assert_eq!(messages(&chain(2000, "LD a")), [""; 0]);
    assert_eq!(messages(&chain(2000, ".call r0(a)")).len(), 1);
    // Too many words for the machine, but not for the assembler.
    let full = messages(&chain(20_000, "LD a"));
    assert_eq!(full[0], "program memory is full: it holds 8192 instructions");
    assert!(full[1].starts_with("the bytes of `r8160` would take 0x1fe0"), "{}", full[1]);
}
