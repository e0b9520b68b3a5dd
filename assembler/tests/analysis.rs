//! Tests of the analysis: references, definitions, renames, outlines and folds. In the sources, `¦`
//! marks the position of the request and is removed.

#[path = "support/request.rs"]
mod request;
mod support;

use std::fmt::Write as _;

use gray1_asm::{Analysis, CannotRename, FileId, Fold, Loader, NoIncludes, OutlineItem, Span};
use proptest::prelude::*;
use request::{Request, analysis, ask, ask_with, source};
use support::Texts;

#[test]
fn references_include_every_use() {
    // Uses in a skipped branch, an uncalled macro and an unfinished line count.
    let text = "x¦ = 5\n.if 0\n LDI x\n.endif\n.macro m a = x\n LD a + x\n.endmacro\n LDI (x\n";
    assert_eq!(ask(text).references(), "1:1 3:6 5:14 6:9 8:7");
    assert_eq!(ask(text).definitions(), "1:1");
    let text = "x = 5\n.repeat x, i\n LDI x¦ - i\n.endrepeat\n";
    assert_eq!(ask(text).references(), "1:1 2:9 3:6");
    // A name at the end of the count is not the index of the repeat.
    let text = "x = 5\ni = 9\n.repeat i - x¦\n LDI x\n.endrepeat\n";
    assert_eq!(ask(text).references(), "1:1 3:13 4:6");
}

#[test]
fn instructions_functions_and_comments_are_not_names() {
    for text in ["LD¦ x", " LDI l¦o(5)", "; x¦\nx = 5", " LDI len(\"x¦\")\nx = 5", ".or¦g 5"] {
        assert_eq!(ask(text).references(), "", "{text}");
    }
}

#[test]
fn local_names_belong_to_their_local_scope() {
    let text = "a: JC @x¦\n JMP @x\n@x: SHR\nb: JMP @x\n@x:\n";
    assert_eq!(ask(text).references(), "1:7 2:6 3:1");
    // An iteration sees the names around the repeat, but names inside are not visible outside.
    let text = "@x: SHR\n.repeat 2\n JC @x¦\n@y:\n.endrepeat\n JC @y\n";
    assert_eq!(ask(text).references(), "1:1 3:5");
    let text = "@x:\n.macro m t\n@x: JC @x¦\n JMP t\n.endmacro\n m @x\n";
    assert_eq!(ask(text).references(), "3:1 3:8");
    assert_eq!(ask(&text.replace("@x¦", "@x").replace("m @x", "m @x¦")).references(), "1:1 6:4");
    // An `.if` has no local scope of its own.
    assert_eq!(ask(".if 1\na:\n@x:\n.endif\n JC @x¦\n").references(), "3:1 5:5");
}

#[test]
fn parameters_hide_outer_names() {
    let text = "a = 5\n.macro m a¦, b = a\n LD a\n.endmacro\n LDI a\n m a, a = a\n";
    assert_eq!(ask(text).references(), "2:10 2:17 3:5 6:7");
    let text = "n = 1\n.function f(n) = n¦ + 1\n LDI f(n)\n";
    assert_eq!(ask(text).references(), "2:13 2:18");
    let text = ".repeat 3, r\nrow{r¦}: LDI r\n.endrepeat\n LDI row{r}\n";
    assert_eq!(ask(text).references(), "1:12 2:5 2:13");
}

#[test]
fn macros_functions_and_symbols_can_share_a_name() {
    let text = ".macro f\n LDI f(f)\n.endmacro\n.function f(a) = a\nf = 1\n f¦\n";
    assert_eq!(ask(text).references(), "1:8 6:2");
    let text = text.replace("f¦", "f").replace("f(f)", "f¦(f)");
    assert_eq!(ask(&text).references(), "2:6 4:11");
    let text = text.replace("f¦(f)", "f(f¦)");
    assert_eq!(ask(&text).references(), "2:8 5:1");
}

#[test]
fn the_braces_of_a_call_have_names() {
    let text = ".repeat 2, n¦\n.routine r{n}()\n.endroutine\n.macro m{n}\n.endmacro\n\
                .call r{n}()\n m{n}\n.endrepeat\n";
    assert_eq!(ask(text).references(), "1:12 2:12 4:10 6:9 7:4");
}

#[test]
fn references_match_built_names_by_their_pattern() {
    let text = ".repeat 2, r\nrow{r}: JC row{r + 1}\n.endrepeat\nrow2: JMP row0¦\nrows:\n";
    assert_eq!(ask(text).definitions(), "2:1");
    assert_eq!(ask(text).references(), "2:1 2:12 4:11");
    let text = text.replace("row0¦", "row0").replace("row{r + 1}", "row¦{r + 1}");
    assert_eq!(ask(&text).definitions(), "2:1 4:1");
    // A macro or parameter with such a name is not an instance of the pattern.
    let rows = ".repeat 2, r\nrow{r}¦:\n.endrepeat\n";
    assert_eq!(ask(&format!("{rows} row1")).uses(), "");
    assert_eq!(ask(&format!("{rows}.macro m row1\n LDI row1\n.endmacro")).uses(), "");
}

#[test]
fn field_names_contain_the_structure() {
    let text = ".struct ball\n.var x\n.endstruct\n.var b, ball\n ST b + ball_x¦\nx = 1\n";
    assert_eq!(ask(text).references(), "2:6 5:9");
    assert_eq!(ask(text).hover(), "```gray1\nball_x (in a structure)\n```\n\nConstant: 0");
    assert_eq!(ask(text).renamed("y"), Err(CannotRename::Structure));
}

#[test]
fn names_in_a_routine_belong_to_it() {
    let text = "\
x = 1
        .call double(x)
        HALT
; Twice n.
.routine double(n) -> sum
  .var x
next:   LD   n
        ADD  x
        ST   sum
        JC   next
        .return
.endroutine
        JMP  x
";
    let request = |found: &str, with_mark: &str| ask(&text.replacen(found, with_mark, 1));
    assert_eq!(request("x = 1", "x¦ = 1").references(), "1:1 2:22 13:14");
    assert_eq!(request("ADD  x", "ADD  x¦").references(), "6:8 8:14");
    assert_eq!(request("LD   n", "LD   n¦").references(), "5:17 7:14");
    assert_eq!(request("ST   sum", "ST   s¦um").definitions(), "5:23");
    assert_eq!(request("call double", "call d¦ouble").references(), "2:15 5:10");
    assert_eq!(
        request("call double", "call d¦ouble").hover(),
        "```gray1\n.routine double(n) -> sum\n```\n\nRoutine: index 5 = 0x0005\n\nTwice n."
    );
    assert_eq!(
        request("LD   n", "LD   n¦").hover(),
        "```gray1\nn (a parameter)\n```\n\nVariable: a byte at address 0x0000"
    );
    assert_eq!(request("call double", "call d¦ouble").offered(), ["double"]);
    let inside = request("LD   n", "LD   ¦").offered();
    assert!(["n", "sum", "next", "x"].iter().all(|name| inside.contains(&(*name).to_owned())));
    assert!(!request("JMP  x", "JMP  ¦").offered().contains(&"next".to_owned()));
    let taken = Err(CannotRename::Taken("n".to_owned()));
    assert_eq!(request("ST   sum", "ST   sum¦").renamed("n"), taken);
    assert!(request("x = 1", "x¦ = 1").renamed("next").is_ok());
}

/// A library that defines a macro.
fn library() -> impl Loader {
    let text = "; Copies\n;   bytes.\n.macro copy a, b ; at once\n LD a\n ST b\n.endmacro\n";
    Texts(|_: &str| Some(text.to_owned()))
}

#[test]
fn includes_lead_to_other_files() {
    let text = ".include \"l¦ib\"\n copy 1, 2\n";
    assert_eq!(ask_with(text, &mut library()).definitions(), "lib1:1");
    let text = ".include \"lib\"\n copy¦ 1, 2\n";
    assert_eq!(ask_with(text, &mut library()).definitions(), "lib3:8");
    let hover = ask_with(text, &mut library()).hover();
    let nbsp = "\u{a0}";
    assert_eq!(
        hover,
        format!(
            "```gray1\n.macro copy a, b\n```\n\nHere: 2 instructions\n\n\
             Copies  \n{nbsp}{nbsp}bytes.  \nat once"
        )
    );
    assert_eq!(ask(".include \"l¦ib\"\n").definitions(), "");
}

#[test]
fn a_rename_keeps_the_meaning_of_all_names() {
    let renamed = |text: &str, new: &str| ask(text).renamed(new);
    assert_eq!(renamed("x¦: JMP x", "y").as_deref(), Ok("y: JMP y"));
    let text = ".macro m a¦\n LDI a\n.endmacro\n m a = 1\na = 1";
    let expected = ".macro m b\n LDI b\n.endmacro\n m b = 1\na = 1";
    assert_eq!(renamed(text, "b").as_deref(), Ok(expected));
    // Other entities that already have the new name are refused.
    let taken = |name: &str| Err(CannotRename::Taken(name.to_owned()));
    assert_eq!(renamed("x¦ = 1\ny = 2", "y"), taken("y"));
    assert_eq!(renamed("x¦ = 1\n.macro m y\n LDI x + y\n.endmacro", "y"), taken("y"));
    assert_eq!(renamed("y = 1\n.macro m x¦\n LDI x + y\n.endmacro", "y"), taken("y"));
    assert_eq!(renamed(".function f(x¦, y) = x", "y"), taken("y"));
    assert_eq!(renamed(".function f(x¦, y) = 1", "y"), taken("y"));
    for kind in ["macro x¦\n.endmacro\n.macro y", "function x¦() = 1\n.function y() = 2"] {
        assert_eq!(renamed(&format!(".{kind}"), "y"), taken("y"));
    }
    assert_eq!(renamed("@x¦:\n@y:", "@y"), taken("@y"));
    assert_eq!(renamed("@y:\n.repeat 1\n@x¦: JC @y\n.endrepeat", "@y"), taken("@y"));
    assert_eq!(renamed(".repeat 2, r\nrow{r}:\n.endrepeat\nx¦:", "row1"), taken("row1"));
    // A name that is not visible at the renamed places can be used.
    assert!(renamed("a:\n@x¦:\nb:\n@y:", "@y").is_ok());
    assert!(renamed("x¦ = 1\n.macro m y\n LDI y\n.endmacro", "y").is_ok());
    assert!(renamed(".macro x¦\n.endmacro\ny:", "y").is_ok());
    assert!(renamed("x¦:", "x").is_ok());
    // Function names and symbols can be equal.
    assert!(renamed("x¦:", "lo").is_ok());
    assert!(renamed(".function f¦(n) = n", "g").is_ok());
}

#[test]
fn an_invalid_new_name_is_refused() {
    let refused = |text: &str, new: &str| ask(text).renamed(new).unwrap_err().to_string();
    assert_eq!(refused("x¦:", "halt"), "`halt` is reserved by the language");
    assert_eq!(refused(".function f¦(a) = a", "lo"), "`lo` is reserved by the language");
    assert_eq!(refused("x¦:", "2x"), "`2x` is not a name");
    assert_eq!(refused("@x¦:", "x"), "a rename cannot add or remove the `@` of a local name");
    let built = " cannot be renamed: it is built from numbers, or used by a name that is";
    assert_eq!(refused("x{1}¦:", "y"), format!("`x{{1}}`{built}"));
    assert_eq!(refused("x1¦:\n JC x{1}", "y"), format!("`x1`{built}"));
    let both = ".repeat 2, r\nrow{r}:\n.endrepeat\nrow5: JMP row¦5";
    assert_eq!(refused(both, "y"), format!("`row5`{built}"));
    let nothing = "this is not a name that the program defines";
    assert_eq!(refused(" JC nowhere¦", "y"), nothing);
    assert_eq!(refused(" SHR ; ¦", "y"), nothing);
}

/// Returns the names of an outline, with nested names in brackets.
fn names(items: &[OutlineItem]) -> String {
    let name = |item: &OutlineItem| match item.children.as_slice() {
        [] => item.name.clone(),
        children => format!("{}({})", item.name, names(children)),
    };
    items.iter().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_outline_follows_blocks_and_labels() {
    for (text, expected) in [
        ("a:\n@b:\n.var c\n@d:\ne: @f:\n@g:", "a(@b @d) c e(@f @g)"),
        ("a:\n.macro m p\n@b:\nc:\n@d: .endmacro\n@e:", "a m(@b c(@d)) @e"),
        ("a:\n.repeat 2, i\n@b:\nr{i}:\n.endrepeat\n@c:", "a(@b) r{i}(@c)"),
        (".routine r(x) -> y\nl:\n@m:\nK = 1\n.endroutine\nb:", "r(l(@m) K) b"),
        (".struct s\n.var x\n.endstruct\nb = 1", "s(x) b"),
        // Blocks that are not closed yet.
        (".macro m\na:\n@b:\nc = 1", "m a(@b) c"),
        (".function f(x) = x\n.endmacro\n.var v", "f v"),
    ] {
        let analysis = Analysis::new(source(text), &mut NoIncludes);
        assert_eq!(names(&analysis.outline(FileId::ROOT)), expected, "{text}");
    }
}

#[test]
fn blocks_and_comments_can_be_folded() {
    let text = "; a\n; b\n; c\n.if 1\n SHR\n.else\n.repeat 2\n.endrepeat\n.endif\n; d\n; e\n¦";
    let folds = ask(text).analysis.folds(FileId::ROOT).to_vec();
    let fold = |first, last, is_comment| Fold { first, last, is_comment };
    assert_eq!(folds, [fold(1, 3, true), fold(4, 5, false), fold(7, 8, false), fold(6, 9, false)]);
    for text in
        ["; a\n; b\n SHR", "; a\n; b\n\n; c", " SHR ; a\n SHR ; b\n SHR ; c", "a: ; a\n\n; b\n; c"]
    {
        assert_eq!(analysis(text).folds(FileId::ROOT), [], "{text}");
    }
    let text = "\n SHR\n; a\n; b\n; c";
    assert_eq!(analysis(text).folds(FileId::ROOT), [fold(3, 5, true)]);
    // The assembler rejects deeper blocks.
    let deep = ".if 1\n".repeat(65) + &".endif\n".repeat(65);
    assert_eq!(analysis(&deep).folds(FileId::ROOT).len(), 64);
}

/// Makes every kind of request at every position.
fn request_everything(text: &str) {
    let analysis = Analysis::new(source(text), &mut library());
    let Some(file) = analysis.files.find("main") else { return };
    for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
        let offset = offset as u32;
        for place in analysis.references(file, offset, true) {
            assert!(!analysis.files.text(place).is_empty());
        }
        let _ = analysis.definitions(file, offset);
        let _ = analysis.completions(file, offset);
        let _ = analysis.rename(file, offset, "new_name");
        if let Some(hover) = analysis.hover(file, offset) {
            assert!(hover.span.start <= offset && offset <= hover.span.end);
        }
        if let Some(help) = analysis.signature_help(file, offset) {
            help.parameters.iter().for_each(|at| assert!(!help.text[at.clone()].is_empty()));
        }
    }
    request_whole_file(&analysis, file, text);
    for fold in analysis.folds(file) {
        assert!(fold.first <= fold.last);
    }
}

/// Makes the requests that concern whole files.
fn request_whole_file(analysis: &Analysis, file: FileId, text: &str) {
    let tokens = analysis.tokens(file, 0..=u32::MAX);
    for Span { start, end } in tokens.iter().map(|token| token.span) {
        assert!(!text[start as usize..end as usize].is_empty());
    }
    assert!(tokens.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
    for hint in analysis.hints(file, 0..=u32::MAX) {
        assert!(text.is_char_boundary(hint.offset as usize));
    }
    let all = Span { start: 0, end: text.len() as u32 };
    analysis.outline(file).iter().for_each(|item| check_outline(item, all, text));
    for edit in analysis.diagnostics.iter().filter_map(|d| d.help.as_ref()?.edit.as_ref()) {
        let place = edit.place(&analysis.files);
        assert!(place.is_none_or(|at| analysis.files.text(at) == edit.old));
    }
}

/// Checks that an item contains its own name and is inside the item around it.
fn check_outline(item: &OutlineItem, around: Span, text: &str) {
    let is_inside = |inner: Span, outer: Span| outer.start <= inner.start && inner.end <= outer.end;
    assert!(is_inside(item.span, around), "{item:?}");
    assert!(is_inside(item.name_span, item.span), "{item:?}");
    let Span { start, end } = item.name_span;
    assert_eq!(text[start as usize..end as usize], item.name);
    item.children.iter().for_each(|child| check_outline(child, item.span, text));
}

#[test]
fn unfinished_programs_can_be_analysed() {
    let program = include_str!("sources/macros.asm");
    let ends = program.char_indices().map(|(end, _)| end).take(1500).step_by(7);
    ends.for_each(|end| request_everything(&program[..end]));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_pieces_of_the_language_can_be_analysed(pieces in prop::collection::vec(prop::sample::select(support::pieces()), 0..40)) {
        request_everything(&pieces.concat());
    }

    #[test]
    fn any_text_can_be_analysed(text in "\\PC{0,40}|(?s).{0,40}") {
        request_everything(&text);
    }

    /// Checks that a rename does not change the assembled program.
    #[test]
    fn a_renamed_program_assembles_to_the_same_words(number in 0_usize..1000) {
        let text = "\
x = 3
.var v, x
.macro m a, b = x
 LD a + v
@l: JC @l
 ST b
.endmacro
.function f(n, k) = n * k + x
start: m v, b = v + 1
@l: JMP @l
.repeat x, i
row{i}: LDI f(i, 2)
 JMP @m
@m:
.endrepeat
 JMP start
";
        let before = Analysis::new(source(text), &mut NoIncludes);
        prop_assert!(before.diagnostics.iter().all(|d| d.severity != gray1_asm::Severity::Error));
        let offset = (number * text.len() / 1000) as u32;
        let new = if text[..=(offset as usize)].rsplit([' ', '\n']).next().unwrap().contains('@') {
            "@other"
        } else {
            "other"
        };
        let Ok(places) = before.rename(FileId::ROOT, offset, new) else { return Ok(()) };
        let mut renamed = text.to_owned();
        for place in places.iter().rev() {
            renamed.replace_range(place.span.start as usize..place.span.end as usize, new);
        }
        prop_assert_ne!(&renamed, text);
        let words = |text: &str| {
            gray1_asm::assemble(source(text), &mut NoIncludes).image.map(|image| image.words().to_vec())
        };
        prop_assert_eq!(words(&renamed), words(text));
    }
}

#[test]
fn every_operand_of_a_directive_is_searched_for_names() {
    for (text, expected) in [
        (".org x¦\n.ram x\n.word x", "1:6 2:6 3:7"),
        (".if x¦\n.elseif x\n.endif", "1:5 2:9"),
        (".assert x¦, \"x\"\n.show x, \"x\"", "1:9 2:7"),
        // The names of settings are not symbols.
        (".grid x¦, x, \"x\", rows = x, index = x", "1:7 1:10 1:25 1:36"),
        (".grid x¦, 1, \"x\", x = 5", "1:7"),
        (".grid x¦ + 1, x", "1:7 1:14"),
        (".var v, x¦", "1:9"),
        (".call r(x¦, (x))\n m x, p = x, lo(x)", "1:9 1:13 2:4 2:11 2:17"),
        (" m x¦ + 1, x", "1:4 1:11"),
        (".function f(n) = x¦ + n", "1:18"),
        (".nothing x¦", "1:10"),
        ("y = x¦ + y{x}", "1:5 1:11"),
        // Keywords, colours and names of warnings are not symbols.
        (".allow x¦", ""),
        (".legend x¦, \"x\"", ""),
        (".count x¦, \"x\"", ""),
    ] {
        assert_eq!(ask(&format!("{text}\nx = 5")).uses(), expected, "{text}");
    }
}

#[test]
fn the_cursor_selects_a_name_up_to_its_last_letter() {
    for text in ["x¦y = 1", "¦xy = 1", "xy¦ = 1"] {
        assert_eq!(ask(text).definitions(), "1:1", "{text}");
    }
    for text in ["xy ¦= 1", "xy = 1 ¦", "¦ xy = 1"] {
        assert_eq!(ask(text).definitions(), "", "{text}");
    }
    // In nested names, the position selects the inner one.
    let text = ".repeat 1, r\nrow{r}s: JC row{r + 1}s\n.endrepeat\n";
    for (place, expected) in
        [("r¦ow{", "2:1"), ("row{¦r", "1:12"), ("row{r¦", "1:12"), ("row{r}¦", "2:1")]
    {
        let marked = text.replacen(&place.replace('¦', ""), place, 1);
        assert_eq!(ask(&marked).definitions(), expected, "{place}");
    }
}

#[test]
fn only_the_file_name_of_an_include_leads_to_the_file() {
    let ask = |text: &str| ask_with(text, &mut library()).definitions();
    for text in [".include \"¦lib\"", ".include \"lib¦\"", ".if 0\n.endif\n.include \"l¦ib\""] {
        assert_eq!(ask(text), "lib1:1", "{text}");
    }
    for text in [
        ".include ¦\"lib\"",
        ".include \"lib\"¦",
        ".title \"l¦ib\"",
        ".if 0\n.include \"l¦ib\"\n.endif",
    ] {
        assert_eq!(ask(text), "", "{text}");
    }
}

#[test]
fn fields_belong_to_the_innermost_structure() {
    let text = ".struct a\n.var x\n.endstruct\n.var x¦\n LD a_x";
    assert_eq!(ask(text).references(), "4:6");
    // A `.var` in a macro is a variable, even if the macro is named like a structure.
    let text = ".macro a\n.var x\n.endmacro\n LD a_x¦";
    assert_eq!(ask(text).definitions(), "");
}

#[test]
fn names_before_a_block_are_visible_after_it() {
    for text in [
        "x = 1\n.macro m x\n LDI x\n.endmacro\n LDI x¦",
        "x = 1\n.repeat 2, x\n LDI x\n.endrepeat\n LDI x¦",
        "x = 1\n.routine r(x)\n LD x\n.endroutine\n LDI x¦",
        "x = 1\n.repeat 2, x\n.if 1\n LDI x\n.endrepeat\n LDI x¦",
    ] {
        assert_eq!(ask(text).definitions(), "1:1", "{text}");
    }
    // A name defined after a routine does not belong to the routine.
    let text = ".routine r()\n.endroutine\ny = 1\n.routine s()\n LDI y¦\n.endroutine\n";
    assert_eq!(ask(text).definitions(), "3:1");
    // Superfluous closing lines have no effect.
    let text = ".repeat 2, x\n.endif\n.endmacro\n LDI x¦\n.endrepeat";
    assert_eq!(ask(text).definitions(), "1:12");
}

#[test]
fn lines_that_are_too_long_or_too_deep_have_no_names() {
    let line = |length: usize| format!("x¦ = 1 ;{}\n LDI x", "c".repeat(length - "x = 1 ;".len()));
    assert_eq!(ask(&line(4096)).references(), "1:1 2:6");
    assert_eq!(ask(&line(4097)).references(), "");
    let deep = |depth: usize| format!("x¦ = 1\n JC {}x{}", "a{".repeat(depth), "}".repeat(depth));
    assert_eq!(ask(&deep(64)).uses(), "2:133");
    assert_eq!(ask(&deep(65)).uses(), "");
}

#[test]
fn the_search_for_built_names_is_bounded() {
    // The limit is enough to compare 1,024 uses with 1,024 names. Later uses are not compared.
    let mut text = String::from("y7:");
    (1..1024).for_each(|number| writeln!(text, "z{number}:").unwrap());
    (0..1026).for_each(|_| text.push_str(" JC y{7}\n"));
    let found = analysis(&text).references(FileId::ROOT, 0, false);
    assert_eq!(found.len(), 1024);
}

#[test]
fn the_start_is_the_first_line_of_the_main_file_that_makes_code() {
    let start = |text: &str| {
        let analysis = ask_with(&format!("¦{text}"), &mut library()).analysis;
        analysis.start().map(|at| (at.file, analysis.files.text(at).to_owned()))
    };
    let at = |text: &str| Some((FileId::ROOT, text.to_owned()));
    assert_eq!(start("x = 5\n.var v\nl: LDI x\n SHR\n"), at("LDI x"));
    assert_eq!(start(".include \"lib\"\n.pool\n copy 1, 2\n LD #1\n"), at(".pool"));
    assert_eq!(start(".include \"lib\"\n copy 1, 2\n SHR\n"), at("copy 1, 2"));
    assert_eq!(start(".macro m\n SHR\n.endmacro\n"), None);
}

#[test]
fn the_range_of_a_renamable_name_is_returned() {
    let shown = |text: &str| {
        let Request { analysis, offset } = ask(text);
        let span = analysis.renamable(FileId::ROOT, offset)?;
        Ok(analysis.files.get(FileId::ROOT).text()[span.start as usize..span.end as usize]
            .to_owned())
    };
    assert_eq!(shown("start: JMP sta¦rt"), Ok("start".to_owned()));
    assert_eq!(shown(" JMP sta¦rt"), Err(CannotRename::NoName));
    assert_eq!(shown(".struct s¦\n.endstruct"), Err(CannotRename::Structure));
    assert_eq!(shown("x{1}¦:"), Err(CannotRename::Built("x{1}".to_owned())));
}
