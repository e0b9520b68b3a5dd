//! Tests of the analysis: hints, tokens, signatures, outlines and completions. In the sources, `¦`
//! marks the position of the request and is removed.

#[path = "support/request.rs"]
mod request;
mod support;

use gray1_asm::{Analysis, Completion, FileId, Hint, MeaningfulToken, OutlineItem, Span};
use request::{analysis, ask, ask_with};
use support::Texts;

/// Returns the hints with their lines and columns.
fn hints(analysis: &Analysis, first: u32, last: u32) -> Vec<String> {
    let file = analysis.files.get(FileId::ROOT);
    let shown = |Hint { offset, kind, text }: Hint| {
        let at = file.position(offset);
        format!("{}:{} {kind:?} {text}", at.line, at.column)
    };
    analysis.hints(FileId::ROOT, first..=last).into_iter().map(shown).collect()
}

#[test]
fn hints_show_addresses_and_costs() {
    for (text, expected) in [
        ("a:  SHR ; é", &["1:8 Address 0x0000"][..]),
        (" SHR\na: b: SHR", &["2:10 Address 0x0001", "2:10 Address 0x0001"]),
        (".var v", &["1:7 Address 0x0000"]),
        (".ram 5\n.var v, 4", &["2:10 Address 0x0005 to 0x0008"]),
        // A constant shows its own value, and an instruction always costs one instruction.
        ("x = 5\n LDI x", &[]),
        // A name with several addresses gets no hint.
        (".repeat 2, i\n@x: SHR\n.endrepeat", &[]),
        (".repeat 1, i\n@x: SHR\n.endrepeat", &["2:8 Address 0x0000"]),
        (
            ".macro m n\n.repeat n\n SHR\n.endrepeat\n.endmacro\n m 3\n m 1",
            &["6:5 Cost 3 instructions", "7:5 Cost 1 instruction"],
        ),
        (".pool\n LD #1\n LD #2\n HALT", &["1:6 Cost 4 instructions"]),
        (
            " .call r(5)\n HALT\n.routine r(n)\n LD n\n.endroutine",
            &["1:12 Cost 3 instructions", "3:14 Address 0x0004"],
        ),
    ] {
        assert_eq!(hints(&analysis(text), 0, u32::MAX), expected, "{text}");
    }
}

#[test]
fn hints_cover_only_the_requested_lines() {
    let seen = analysis("a: SHR\nb: SHR\nc: SHR\nd: SHR\n");
    assert_eq!(hints(&seen, 2, 3), ["2:7 Address 0x0001", "3:7 Address 0x0002"]);
    assert_eq!(hints(&seen, 4, 9), ["4:7 Address 0x0003"]);
    // Costs of lines in other files are left out.
    let library = ".macro two\n SHR\n SHR\n.endmacro\n.macro one\n SHR\n.endmacro\n";
    let library = &mut Texts(|_: &str| Some(library.to_owned()));
    let with_library = ask_with("¦.include \"lib\"\n two\n one\n", library).analysis;
    assert_eq!(hints(&with_library, 0, 9), ["2:5 Cost 2 instructions", "3:5 Cost 1 instruction"]);
}

/// Returns the words of a source with their classes. A `!` marks definitions.
fn words(text: &str, first: u32, last: u32) -> String {
    let analysis = analysis(text);
    let shown = |MeaningfulToken { span: Span { start, end }, class, defines }| {
        let mark = if defines { "!" } else { "" };
        format!("{}{mark}={class:?}", &text[start as usize..end as usize])
    };
    let tokens = analysis.tokens(FileId::ROOT, first..=last);
    tokens.into_iter().map(shown).collect::<Vec<_>>().join(" ")
}

#[test]
fn each_word_has_a_class() {
    for (text, expected) in [
        ("; é", "; é=Comment"),
        ("x: ldi 'a' ; c", "x!=Name(Label) ldi=Instruction 'a'=Number ; c=Comment"),
        (".Title \"t\"", ".Title=Directive \"t\"=Text"),
        (".titel \"t\"", "\"t\"=Text"),
        ("x = LO(5)", "x!=Name(Constant) 5=Number"),
        ("x = lo(y) + lo", "x!=Name(Constant) lo=BuiltIn"),
        (
            "x = len(\"a\")\n LDI x",
            "x!=Name(Constant) len=BuiltIn \"a\"=Text LDI=Instruction x=Name(Constant)",
        ),
        (
            ".function f(n) = n\n LDI f(1) + f",
            ".function=Directive f!=Name(Function) n!=Name(Parameter) n=Name(Parameter) \
             LDI=Instruction f=Name(Function) 1=Number",
        ),
        (
            ".repeat 2, r\na{r}b{lo(r)}:\n.endrepeat",
            ".repeat=Directive 2=Number r!=Name(Parameter) a!=Name(Label) r=Name(Parameter) \
             b!=Name(Label) lo=BuiltIn r=Name(Parameter) .endrepeat=Directive",
        ),
        ("x{nothing}y", ""),
        // Colours and names of warnings are not names.
        (".count max, \"t\"", ".count=Directive \"t\"=Text"),
    ] {
        assert_eq!(words(text, 0, u32::MAX), expected, "{text}");
    }
    let text = "a: SHR\n SHR\nb: SHR\n";
    assert_eq!(words(text, 2, 2), "SHR=Instruction");
    assert_eq!(words(text, 3, 9), "b!=Name(Label) SHR=Instruction");
    // The assembler rejects longer lines and deeper braces.
    let long = |length: usize| words(&format!("SHR{:1$}", "", length - 3), 1, 1);
    assert_eq!([long(4096), long(4097)], ["SHR=Instruction", ""]);
    let deep = |depth: usize| words(&format!("{}1{}", "a{".repeat(depth), "}".repeat(depth)), 1, 1);
    assert_eq!([deep(64), deep(65)], ["1=Number", ""]);
}

/// Returns the signature, with the active parameter in angle brackets.
fn signature(text: &str) -> String {
    let request = ask(text);
    let Some(help) = request.analysis.signature_help(FileId::ROOT, request.offset) else {
        return "-".to_owned();
    };
    match help.parameters.get(help.active) {
        Some(at) => {
            let (before, after) = (&help.text[..at.start], &help.text[at.end..]);
            format!("{before}<{}>{after}", &help.text[at.clone()])
        }
        None => format!("{} {}", help.text, help.active),
    }
}

#[test]
fn signatures_mark_the_operand_being_typed() {
    for (text, expected) in [
        (" LDI ¦", "LDI <n>"),
        (" LDI ¦ x", "LDI <n>"),
        (" ldi x + ¦", "LDI <n>"),
        (" LDI 1, 2,¦", "LDI n 2"),
        (" SHR ¦", "SHR 0"),
        (" LDI¦", "-"),
        (" LDI ; ¦", "-"),
        ("¦", "-"),
        ("a: ¦", "-"),
        (" 5 ¦", "-"),
        (" LDI lo(¦", "lo(<x>)"),
        (" LDI lo(1)¦", "LDI <n>"),
        (" LDI MAX(1, ¦", "max(a, <b>)"),
        (" LDI max(lo(1), ¦", "max(a, <b>)"),
        (" LDI max((1, ¦", "max(<a>, b)"),
        (" SHR\n LDI max(¦1, 2)", "max(<a>, b)"),
        (" LDI max(1, (2¦", "max(a, <b>)"),
        (" LDI (1, ¦", "LDI <n>"),
        (" LDI nothing(1, ¦", "LDI <n>"),
        (".macro m p, q = 1\n.endmacro\n m ¦", "m <p>, q = 1"),
        (".macro m p, q = 1\n.endmacro\n m q = ¦", "m p, <q = 1>"),
        (".macro m p, q = 1\n.endmacro\n m 1, p = ¦", "m <p>, q = 1"),
        (".macro m p, q = 1\n.endmacro\n m q == ¦", "m <p>, q = 1"),
        (".macro m p, q = 1\n.endmacro\n m z = ¦", "m <p>, q = 1"),
        (".macro m p, q = 1\n.endmacro\n m 1, lo(2), ¦", "m p, q = 1 2"),
        (".macro m\n.endmacro\n m ¦", "m 0"),
        (".function f(p, q) = p\n LDI f(1, ¦", "f(p, <q>) = p"),
        (".routine r(p, q) -> s\n.endroutine\n .call r(1, ¦", "r(p, <q>) -> s"),
        (".routine r(p, q) -> s\n.endroutine\n .call r(max(¦", "max(<a>, b)"),
        // While a routine is being defined, only the directive has a signature.
        (".routine r(¦", ".routine <name(parameter, …) -> result>"),
        (".routine lo(¦", ".routine <name(parameter, …) -> result>"),
        (".function lo(¦", ".function <name(parameter, …) = expression>"),
        (".function f(n) = lo(¦", "lo(<x>)"),
        (".allow carry, unused, loop, ¦", ".allow warning, <…>"),
        (".repeat 5, ¦", ".repeat count, <index>"),
        (".nothing ¦", "-"),
    ] {
        assert_eq!(signature(text), expected, "{text}");
    }
}

#[test]
fn signatures_include_the_comments_of_the_author() {
    let documentation = |text| {
        let request = ask(text);
        let help = request.analysis.signature_help(FileId::ROOT, request.offset);
        help.and_then(|help| help.documentation).unwrap_or_default()
    };
    assert_eq!(documentation("; Says so.\n.macro m\n.endmacro\n m ¦"), "Says so.");
    assert_eq!(documentation(".macro m\n.endmacro\n m ¦"), "");
    assert_eq!(documentation(" JMP ¦"), "Goes to t.");
}

/// Returns one indented line for each outline item: name, kind, detail, and the source lines it
/// covers.
fn outline(text: &str) -> Vec<String> {
    fn add(items: &[OutlineItem], depth: usize, text: &str, lines: &mut Vec<String>) {
        for item in items {
            let Span { start, end } = item.span;
            let all = text[start as usize..end as usize].replace('\n', "/");
            let detail = item.detail.as_deref().map_or(String::new(), |it| format!(" [{it}]"));
            lines.push(format!("{:depth$}{} {:?}{detail}: {all}", "", item.name, item.kind));
            add(&item.children, depth + 1, text, lines);
        }
    }
    let mut lines = Vec::new();
    add(&analysis(text).outline(FileId::ROOT), 0, text, &mut lines);
    lines
}

#[test]
fn the_outline_has_values_and_ranges() {
    for (text, expected) in [
        (
            "X = 5\n.var v\nl: SHR ; c\n",
            &[
                "X Constant [5]: X = 5",
                "v Variable [0x0000]: .var v",
                "l Label [0x0000]: l: SHR ; c",
            ][..],
        ),
        (
            ".macro m p, q = 1 ; c\n.endmacro\n.macro n\n.endmacro",
            &["m Macro [p, q = 1]: .macro m p, q = 1 ; c/.endmacro", "n Macro: .macro n/.endmacro"],
        ),
        (
            ".routine r(p) -> s\n.endroutine\n.function f(n) = n + 1",
            &[
                "r Routine [(p) -> s]: .routine r(p) -> s/.endroutine",
                "f Function [(n) = n + 1]: .function f(n) = n + 1",
            ],
        ),
        // A label extends to the next one, but comments and blanks above that belong to the next
        // one.
        (
            "a: SHR\n SHR\n\n; b\nb: SHR\n\n",
            &["a Label [0x0000]: a: SHR/ SHR", "b Label [0x0002]: b: SHR"],
        ),
        (
            "a: SHR\n@b: SHR\n SHR\n.macro m\n.endmacro\n",
            &[
                "a Label [0x0000]: a: SHR/@b: SHR/ SHR",
                " @b Label [0x0001]: @b: SHR",
                "m Macro: .macro m/.endmacro",
            ],
        ),
        (
            ".struct s\n.var x, 2\n.var y\n.endstruct\n",
            &[
                "s Structure [3]: .struct s/.var x, 2/.var y/.endstruct",
                " x Field [0]: .var x, 2",
                " y Field [2]: .var y",
            ],
        ),
        // A label in a block ends with the block.
        (
            ".macro m\na:\n SHR\n.endmacro\nb: SHR",
            &[
                "m Macro: .macro m/a:/ SHR/.endmacro",
                " a Label: a:/ SHR",
                "b Label [0x0000]: b: SHR",
            ],
        ),
    ] {
        assert_eq!(outline(text), expected, "{text}");
    }
}

/// The lines after the line in which completions are requested.
const REST: &str = "
; How so.
X = 40 + 2
.var v, 5
l: SHR
; Twice.
.macro m p, q = 1
.endmacro
.routine r(a) -> b
.endroutine
.function f(n) = n + 1
T = \"t\"
.repeat 2, i
@w: SHR
.endrepeat
.struct s
.var x
.endstruct
";

/// Returns the kind, the detail and the description of the completion `word` in a line.
fn offered(line: &str, word: &str) -> Option<String> {
    let request = ask(&format!("{line}{REST}"));
    let found = request.analysis.completions(FileId::ROOT, request.offset);
    let Completion { kind, detail, documentation, .. } =
        found.items.into_iter().find(|item| item.text == word)?;
    let [detail, documentation] =
        [detail, documentation].map(|text| text.unwrap_or("-".to_owned()));
    Some(format!("{kind:?} | {detail} | {documentation}"))
}

#[test]
fn completions_have_a_description() {
    for (line, word, expected) in [
        (" ¦", "JMP", "Instruction | JMP t | Goes to t."),
        (" J¦", ".org", "Directive | .org n | The next instruction goes to index n."),
        (" ¦", "m", "Name(Macro) | .macro m p, q = 1 | Twice."),
        (" LDI ¦", "X", "Name(Constant) | 42 | How so."),
        (" LDI ¦", "T", "Name(Constant) | \"t\" | -"),
        (" LDI ¦", "v", "Name(Variable) | 0x0000 | -"),
        (" LDI ¦", "l", "Name(Label) | 0x0000 | -"),
        (" LDI ¦", "s_x", "Name(Field) | 0 | -"),
        (" LDI ¦", "f", "Name(Function) | .function f(n) = n + 1 | -"),
        (" LDI ¦", "lo", "BuiltIn | lo(x) | Bits 0 to 7 of x."),
        (" .call ¦", "r", "Name(Routine) | .routine r(a) -> b | -"),
        (" .call r¦", "r", "Name(Routine) | .routine r(a) -> b | -"),
        (" m ¦", "p = ", "Argument | - | -"),
        (" m 1, q¦", "q = ", "Argument | - | -"),
        (".allow ¦", "carry", "Warning | - | -"),
        (".why ¦", "yellow", "Colour | - | -"),
        (".count r¦", "red", "Colour | - | -"),
        (".why red, \"a\", ¦", "was = ", "Argument | - | -"),
        (".grid v, 8, \"Q\", r¦", "rows = ", "Argument | - | -"),
    ] {
        assert_eq!(offered(line, word).as_deref(), Some(expected), "{line}: {word}");
    }
}

#[test]
fn names_are_completed_only_where_values_can_be() {
    for line in [
        " LDI X + ¦",
        " LDI 1 ? v : ¦",
        " LDI X¦",
        " LDI \"t\" ¦",
        ".var z, ¦",
        ".macro z a = ¦",
        ".function z(a) = ¦",
        ".repeat ¦",
        ".if ¦",
        ".org ¦",
        ".assert ¦",
        ".show ¦",
        ".grid ¦",
        " .call r(¦",
        " (¦",
        "z = ¦",
        "z: LDI ¦",
    ] {
        assert!(offered(line, "X").is_some(), "{line}");
    }
    for line in [
        " ¦",
        ".var ¦",
        ".macro ¦",
        ".macro z a, ¦",
        ".function z(¦",
        ".struct ¦",
        ".routine ¦",
        ".title ¦",
        ".include ¦",
        ".legend ¦",
        ".count ¦",
        ".endmacro ¦",
        ".nothing ¦",
        " LDI \"¦",
        " LDI '¦",
        " LDI 4¦",
    ] {
        assert_eq!(offered(line, "X"), None, "{line}");
    }
}

#[test]
fn only_valid_words_are_completed() {
    for (line, word) in [
        (" ; ¦", "JMP"),
        (" LDI ¦", "m"),
        (" LDI ¦", "r"),
        (" LDI ¦", "p"),
        (" LDI ¦", "@w"),
        (" LDI 1 ¦", ".org"),
        (" LDI 1 ? v : ¦", "JMP"),
        (" LDI .¦", ".org"),
        (" m 1 + ¦", "p = "),
        (" l ¦", "p = "),
        (".repeat ¦, i\n.endrepeat", "i"),
    ] {
        assert_eq!(offered(line, word), None, "{line}: {word}");
    }
}

#[test]
fn a_completion_replaces_the_word_being_typed() {
    let replaced = |text: &str| {
        let request = ask(text);
        let Span { start, end } = request.analysis.completions(FileId::ROOT, request.offset).span;
        let file = request.analysis.files.get(FileId::ROOT);
        file.text()[start as usize..end as usize].to_owned()
    };
    for (text, expected) in [
        (" LDI lo¦op", "lo"),
        ("x: .re¦", ".re"),
        (" LDI ¦loop", ""),
        (" LDI lo ¦", ""),
        (" LDI 12¦", ""),
        (" SHR\n LDI @b¦", "@b"),
        ("¦", ""),
    ] {
        assert_eq!(replaced(text), expected, "{text}");
    }
}
