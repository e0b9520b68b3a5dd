//! Tests of the formatter. For any source, it only changes blanks and case, keeps the program the
//! same, and does not change its own output.

mod support;

use std::path::Path;

use gray1_asm::{
    Assembly, Files, InputFile, Loader, Severity, Source, assemble, disassemble, format,
    format_lines, format_range,
};
use gray1_isa::source_text::lines;
use gray1_isa::{Image, Symbol, Word};
use gray1_language::{Lexer, TokenKind};
use proptest::prelude::*;
use support::{Case, Random, cases, sources};

fn source(text: &str) -> Source {
    Source { id: String::new(), name: "t.asm".into(), text: text.to_owned() }
}

/// Formats a source and checks the invariants. Returns `None` if it has errors.
fn formatted(text: &str) -> Option<String> {
    let formatted = format(source(text), &mut Files::default()).ok()?;
    assert_eq!(words(&formatted), words(text), "{text}");
    assert_eq!(comments(&formatted), comments(text), "{text}");
    let again = format(source(&formatted), &mut Files::default()).expect("it is well formed");
    assert_eq!(again, formatted, "{text}");
    // Each line stays the same when it is formatted separately.
    for (number, line) in formatted.split_inclusive('\n').enumerate().take(50) {
        assert_eq!(format_range(&formatted, number..number + 1).as_deref(), Some(line), "{text}");
    }
    Some(formatted)
}

/// Returns the source without blanks and in one case, which formatting must not change.
fn words(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_uppercase).collect()
}

/// Returns the comments without trailing blanks.
fn comments(text: &str) -> Vec<&str> {
    lines(text).filter_map(|line| Some(line[comment(line)?..].trim_end())).collect()
}

/// Returns the position of the comment in a line.
fn comment(line: &str) -> Option<usize> {
    let mut quote = None;
    let mut characters = line.char_indices();
    while let Some((at, c)) = characters.next() {
        match (quote, c) {
            (None, ';') => return Some(at),
            (None, '"' | '\'') => quote = Some(c),
            (Some(_), '\\') => {
                characters.next();
            }
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

/// The title, the words and the symbols.
type Program = (Option<String>, Vec<Word>, Vec<Symbol>);
type Message = (Severity, String, Option<String>);

/// Returns the program and all messages, which formatting must not change.
fn outcome(assembly: &Assembly) -> (Option<Program>, Vec<Message>) {
    let messages = assembly
        .diagnostics
        .iter()
        .map(|d| (d.severity, d.message.clone(), d.help.as_ref().map(|help| help.text.clone())))
        .collect();
    let program = |image: &Image| {
        (image.title().map(str::to_owned), image.words().to_vec(), image.symbols().to_vec())
    };
    (assembly.image.as_ref().map(program), messages)
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(formatted(text).expect("the text is well formed"), expected);
    assert_eq!(formatted(expected).as_deref(), Some(expected));
}

#[test]
fn the_parts_of_a_line_have_fixed_columns() {
    check(
        "start:ldi 5;five
 a : B:st x
a_long_label: SHR ; half
halt
  copy x,y
 .WORD 0xffff
x: .VAR  y ,8",
        "\
start:  LDI  5                  ; five
a: B:   ST   x
a_long_label:
        SHR                     ; half
        HALT
        copy x, y
        .word 0xffff
x:
.var y, 8
"
        .replace("; five", ";five")
        .as_str(),
    );
}

#[test]
fn blocks_are_indented() {
    check(
        ".macro m a,b=1
.var @x
; at the edge
 ; with the code
.if a
x=1
.repeat 2 , i
l{ i + 1 }: m a , b
 ; the last word
.endrepeat
.elseif b
  .else
.endif
.endmacro
",
        "\
.macro m a, b = 1
  .var @x
; at the edge
  ; with the code
  .if a
    x = 1
    .repeat 2, i
l{i+1}: m    a, b
    ; the last word
    .endrepeat
  .elseif b
  .else
  .endif
.endmacro
",
    );
}

#[test]
fn routines_are_blocks_and_calls_are_code() {
    check(
        ".ROUTINE f (a,b)->c
.var @x
more:.call f(#1,a)
.RETURN
.endroutine
",
        "\
.routine f(a, b) -> c
  .var @x
more:   .call f(#1, a)
        .return
.endroutine
",
    );
}

#[test]
fn infix_operators_have_blanks_and_prefixes_do_not() {
    check(
        " LDI -1- -x*( a+~b )<<max ( 1,2 )
 LDI a?b :c==!d&&'\\''
 m #-5,target=$ , (a)
 m (a),b
 .assert len( \"a  ;b\" )==6,\"no\"
.function f (n,m)=n%m
",
        "        LDI  -1 - -x * (a + ~b) << max(1, 2)
        LDI  a ? b : c == !d && '\\''
        m    #-5, target = $, (a)
        m    (a), b
.assert len(\"a  ;b\") == 6, \"no\"
.function f(n, m) = n % m
",
    );
}

#[test]
fn consecutive_constants_and_comments_are_aligned() {
    check(
        "a=1;one
longer_name=2;two
  ;and so on
;edge

x = 1
 LDI 0b0000_0000 + 0b1111_1111;long
 SHR;short
 SHR
 SHR ;alone
",
        "\
a           = 1                 ;one
longer_name = 2                 ;two
;and so on
;edge

x       = 1
        LDI  0b0000_0000 + 0b1111_1111  ;long
        SHR                             ;short
        SHR
        SHR                     ;alone
",
    );
    // A wide letter takes two columns of a terminal.
    check(
        ".title \"\u{6f22}\u{5b57}\";one\n HALT;two\n",
        ".title \"\u{6f22}\u{5b57}\"                   ;one\n        HALT                    ;two\n",
    );
    check(
        ".var a ; first\n       ; second\n.var b\n",
        ".var a                          ; first\n                                ; second\n.var b\n",
    );
}

#[test]
fn consecutive_empty_lines_become_one() {
    check("\n\n\nSHR\n \n\t\nSHR\n\n", "        SHR\n\n        SHR\n");
    check("", "");
    check("\n \n", "");
    check("SHR", "        SHR\n");
    check("SHR\r\n; a \r\n", "        SHR\r\n; a\r\n");
    check("SHR\r", "        SHR\n");
    check("; a\rSHR\r\r", "; a\n        SHR\n");
}

#[test]
fn only_lines_without_errors_are_formatted() {
    for (part, expected) in [
        // Unclosed blocks, superfluous closing lines, and errors between correct lines.
        (".repeat 2\n", ".repeat 2\n"),
        ("shr\n.ENDREPEAT\nhalt", "        SHR\n.endrepeat\n        HALT\n"),
        (
            "ldi (5\n  ldi 5;a\n\tSHR SHR \n",
            "ldi (5\n        LDI  5                  ;a\n\tSHR SHR \n",
        ),
        ("x:shr\r\n.allow all\r\n", "x:      SHR\r\n.allow all\r\n"),
        // The indentation shows how deep the surrounding blocks are.
        (
            "shr\n  .var   x\n  .if x\nshr\n  .endif\n",
            "        SHR\n  .var x\n  .if x\n        SHR\n  .endif\n",
        ),
        ("    x=1\n  .endif\n.endif\n", "    x = 1\n  .endif\n.endif\n"),
        ("  .else\n  .org  5\n", "  .else\n    .org 5\n"),
        // Source that is not in our style.
        ("        .repeat  2\n", ".repeat 2\n"),
        // Empty lines at both ends are kept for the surrounding lines.
        ("\n\nshr\n\n\n\nshr\n\n", "\n        SHR\n\n        SHR\n\n"),
        ("", ""),
    ] {
        assert_eq!(format_lines(part), expected, "{part:?}");
        assert_eq!(format_lines(expected), expected, "{part:?}");
    }
    let large = ";\n".repeat(1 << 22);
    assert!(format_lines(&large) == large);
    assert_eq!(format_range(&large, 0..1), None);
}

#[test]
fn a_range_is_aligned_with_the_lines_around_it() {
    let text = "\
.if 1
 long_name = 1
 x=2
.endif
 LDI 0b0000_0000 + 0b1111_1111 ; first
                               ; second

shr (


    ; of the next
  HALT
";
    for (part, expected) in [
        (2..3, "  x         = 2\n"),
        (5..6, "                                        ; second\n"),
        (6..9, "\nshr (\n\n"),
        (9..10, ""),
        (10..11, "        ; of the next\n"),
        (11..99, "        HALT\n"),
        (12..99, ""),
    ] {
        assert_eq!(format_range(text, part.clone()).as_deref(), Some(expected), "{part:?}");
    }
}

#[test]
fn a_line_that_would_become_too_long_is_not_formatted() {
    let long = format!("m {}1 ; ones", "1,".repeat(1500));
    check(&format!("{long} \nSHR"), &format!("{long}\n        SHR\n"));
}

#[test]
fn only_syntax_errors_prevent_formatting() {
    let mut files = Files::default();
    let errors = format(source(" LDI (1\n SHR 5\n LDI nothing\n"), &mut files).unwrap_err();
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(messages, ["this `(` is never closed", "`SHR` takes no operand, not 1"]);
    assert_eq!(files.text(errors[0].location.unwrap()), "(");
    assert!(formatted(" LDI nothing\n nobody 1\n").is_some());
}

/// Returns the message with which a source is refused, if it is.
fn refusal(text: &str) -> Option<String> {
    let errors = format(source(text), &mut Files::default()).err()?;
    assert_eq!(errors.len(), 1);
    Some(errors[0].message.clone())
}

const TOO_LARGE: &str = "t.asm: the program's files are larger than 4 MiB";
const TOO_LONG: &str = "t.asm: the program's files have more than 262144 lines";

#[test]
fn a_source_that_is_too_large_for_the_assembler_is_refused() {
    let large = format!(";{}\n", "c".repeat(4094)).repeat(1 << 10);
    assert_eq!(large.len(), 4 << 20);
    assert_eq!(refusal(&large), None);
    assert_eq!(refusal(&(large + "\n")).as_deref(), Some(TOO_LARGE));
}

#[test]
fn a_source_with_too_many_lines_for_the_assembler_is_refused() {
    assert_eq!(refusal(&"\n".repeat(1 << 18)), None);
    assert_eq!(refusal(&"\n".repeat((1 << 18) + 1)).as_deref(), Some(TOO_LONG));
}

#[test]
fn a_source_that_would_become_too_large_is_refused() {
    // Moving its comments to the right would make it too large.
    assert_eq!(refusal(&" SHR;c\n".repeat(1 << 17)).as_deref(), Some(TOO_LARGE));
}

#[test]
fn comments_are_aligned_with_the_code_nearby() {
    // Tab stops are every eight columns, so the second comment continues the first.
    let comments = "        SHR                     ; a\n                                ; b\n";
    check(&format!(" SHR\t\t; a\n{:16}; b", ""), comments);
    // Code without a comment does not move the comments of other lines.
    let call = format!("m    {}1", "1, ".repeat(12));
    let alone = format!("        {call}\n        SHR                     ; c\n");
    check(&format!("{call}\nSHR ; c"), &alone);
    // Code that fills the column moves the comments one step. Longer code does not.
    let full = format!("m    {}10000", "1, ".repeat(6));
    let moved = format!("        {full}    ; a\n        SHR{:29}; b\n", "");
    check(&format!("{full} ; a\nSHR ; b"), &moved);
    let long = format!("m    {}1", "1, ".repeat(20));
    check(
        &format!("{long} ; a\nSHR ; b"),
        &format!("        {long} ; a\n        SHR                     ; b\n"),
    );
}

#[test]
fn operands_are_spaced_by_their_kind() {
    check("jmp $-1", "        JMP  $ - 1\n");
    check("jmp $ -(1)", "        JMP  $ - (1)\n");
    check("ldi a{b{ 1 + 2 }c}", "        LDI  a{b{1+2}c}\n");
}

#[test]
fn a_label_shares_the_line_of_its_instruction_if_it_fits() {
    check("abcdef: SHR", "abcdef: SHR\n");
    check("abcdefg: SHR", "abcdefg:\n        SHR\n");
}

#[test]
fn code_and_comment_stay_unchanged_if_they_are_too_long() {
    // Code and comment may have 3968 bytes together, which leaves room for the blanks.
    let line = |comment: usize| format!("ab:ldi 5;{}\n", "c".repeat(comment - 1));
    let code = "ab:".len() + "LDI  5".len();
    assert_ne!(formatted(&line(3968 - code)), Some(line(3968 - code)));
    assert_eq!(formatted(&line(3969 - code)), Some(line(3969 - code)));
    let constant = |comment: usize| format!("x=5;{}\n", "c".repeat(comment - 1));
    let code = "x".len() + " = ".len() + "5".len();
    assert_ne!(formatted(&constant(3968 - code)), Some(constant(3968 - code)));
    assert_eq!(formatted(&constant(3969 - code)), Some(constant(3969 - code)));
}

/// A loader for the files of `programs/`.
struct Programs;

impl Loader for Programs {
    fn load(&mut self, includer: &InputFile, name: &str) -> Result<Source, String> {
        let path = Path::new(includer.id()).with_file_name(name);
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        Ok(Source { id: path.display().to_string(), name: name.to_owned(), text })
    }
}

#[test]
fn formatted_programs_assemble_to_the_same_words() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs");
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|suffix| suffix != "asm") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let assembled = |text| {
            let id = path.display().to_string();
            assemble(Source { id, name: "p".into(), text }, &mut Programs)
        };
        // Without indentation, the formatter has work to do.
        let squeezed: Vec<&str> = text.lines().map(str::trim).collect();
        let formatted = formatted(&squeezed.join("\n")).unwrap();
        assert_eq!(outcome(&assembled(formatted)), outcome(&assembled(text)), "{}", path.display());
    }
}

#[test]
fn disassembled_programs_are_formatted() {
    let text = " LDI 5\nx: y: ST 9\na_long_name: JMP x\n.org 20\n .word 0xa001\n HALT\nc = 4\n";
    let image = assemble(source(text), &mut gray1_asm::NoIncludes).image.unwrap();
    let disassembled = disassemble(&image);
    assert_eq!(formatted(&disassembled).unwrap(), disassembled);
}

/// Returns a case with each of its files changed by `change`, if that is possible for all.
fn changed<'a>(
    case: &Case<'a>,
    mut change: impl FnMut(&str) -> Option<String>,
) -> Option<Case<'a>> {
    let files = case.files.iter().map(|(name, text)| Some((*name, change(text)?)));
    Some(Case { title: case.title, files: files.collect::<Option<_>>()? })
}

/// Replaces the blanks between tokens by other blanks.
fn respaced(text: &str, random: &mut Random) -> String {
    let mut respaced = String::new();
    for line in lines(text) {
        let mut end = 0;
        for token in Lexer::new(line) {
            let is_apart = token.start > end || token.kind == TokenKind::Comment;
            let blanks = ["", " ", "\t", "     "][random.below(4)];
            respaced += if is_apart && blanks.is_empty() { " " } else { blanks };
            respaced += token.text;
            end = token.end();
        }
        respaced.push('\n');
    }
    respaced
}

#[test]
fn blanks_do_not_change_the_result_of_an_assembly() {
    let mut random = Random::new(1);
    for (path, text) in sources() {
        for case in cases(&text) {
            let assembled = |case: &Case<'_>| case.assemble(source(&case.files[""]));
            let Some(tidy) = changed(&case, formatted) else { continue };
            let place = format!("{path}: {}", case.title);
            assert_eq!(outcome(&assembled(&tidy)), outcome(&assembled(&case)), "{place}");
            let untidy = changed(&case, |text| formatted(&respaced(text, &mut random)));
            let [untidy, case] = [&untidy.expect(&place), &case].map(assembled);
            assert_eq!(outcome(&untidy).0, outcome(&case).0, "{place}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_pieces_of_the_language_can_be_formatted(pieces in prop::collection::vec(prop::sample::select(support::pieces()), 0..20)) {
        formatted(&pieces.concat());
    }

    #[test]
    fn any_text_can_be_formatted(text in "([ -~\n\t\réa;:{}'\"])*") {
        formatted(&text);
    }
}
