//! Tests that a program's presentation gets into the image, or is refused with an error.

mod support;

use std::collections::BTreeSet;

use gray1_asm::disassemble;
use gray1_isa::panel::{Led, LedColor};
use gray1_isa::presentation::{Grid, LedCount, LegendEntry, Presentation, ShownValue};
use gray1_isa::reason::{Reason, Sign};
use gray1_isa::{Image, RamAddr, RomIndex};

#[test]
fn the_image_contains_the_presentation() {
    let image = support::image(
        ".pool
.var N
.var stack, 8
.var excluded, 8 * 8
.show N
.show stack + 7, \"last queen\"
.grid stack, 8, \"Q\", rows = N
.grid excluded, 64, \"x\", index = N
.legend red, \"queen\"
.legend dark, \"attacked\"
.count red, \"queens set\"
.result \"solution\"
        LD   #1
        HALT
",
    );
    let at = RamAddr::truncate;
    let grid = |first, size, mark, rows, index| Grid { first, size, mark, rows, index };
    let value = |address, caption: &str| ShownValue { address, caption: caption.into() };
    let meaning = |led, text: &str| LegendEntry { led, text: text.into() };
    // The byte before N belongs to the pool.
    let expected = Presentation {
        values: vec![value(at(1), "N"), value(at(9), "last queen")],
        grids: vec![
            grid(at(2), 8, 'Q', Some(at(1)), None),
            grid(at(10), 64, 'x', None, Some(at(1))),
        ],
        legend: vec![meaning(Led::Red, "queen"), meaning(Led::Dark, "attacked")],
        counts: vec![LedCount { color: LedColor::Red, caption: "queens set".into() }],
        result: Some("solution".into()),
        captions: Vec::new(),
    };
    assert_eq!(*image.unwrap().presentation(), expected);
}

#[test]
fn the_disassembly_keeps_the_presentation() {
    let image = support::image(
        "\
SCORE = 0x1fe9
.var N
.var stack, 8
.show N
.show stack + 7, \"the \\\"last\\\" \\\\\"
.show SCORE
.grid stack, 8, \"\\\"\", rows = N
.grid 0x100, 64, \"\\\\\", index = 0x1fff, rows = stack + 1
.legend yellow, \"both\"
.legend dark, \";\"
.count green, \"births\"
.count red, \"deaths\"
.result \"a \\\"game\\\"\"
        HALT
",
    );
    let image = image.unwrap();
    let source = disassemble(&image);
    let again = support::image(&source).unwrap_or_else(|messages| panic!("{messages}\n{source}"));
    assert_eq!(again.presentation(), image.presentation(), "{source}");
    assert!(source.contains("\n.grid stack, 8, \"\\\"\", rows = N\n"), "{source}");
}

#[test]
fn an_invalid_presentation_is_an_error_at_its_line() {
    for (line, expected) in [
        (".show later", "`later` is not known yet"),
        (".show 8192", "8192"),
        (".show 0, \"\"", "invalid caption ''"),
        (".result \"\"", "invalid caption ''"),
        (".grid 0, 9, \"x\"", "invalid size 9 of a grid"),
        (".grid 0x1fff, 8, \"x\"", "ends outside data memory"),
        (".grid 0, 8, \"xy\"", "invalid mark \"xy\" (expected one character)"),
        (".grid 0, 8, \"é\"", "invalid mark 'é'"),
        (".grid 0, 8, \"x\", row = 1", "expected `rows = address` or `index = address`"),
        (".grid 0, 8, \"x\", 1", "expected `rows = address` or `index = address`"),
        (".grid 0, 8, \"x\", rows = 1, rows = 2", "each at most once"),
        (".grid 0, 8, \"x\", index = 1, index = 2", "each at most once"),
        (".legend blue, \"sea\"", "unknown colour `blue` (expected dark, green, red, yellow)"),
        (".legend red, \"a\"\n.legend red, \"b\"", "the colour red has two meanings"),
        (".count yellow, \"x\"", "unknown colour `yellow` (expected green, red)"),
        (".why red, \"x\"", "a reason belongs below the caption (`;; ...`) of its instructions"),
        (";; a\n.why blue, \"x\"", "unknown colour `blue` (expected dark, green, red, yellow)"),
        (";; a\n.why red, \"{nosuch Q}\"", "'{nosuch Q}' is not a placeholder"),
        (";; a\n.why red, \"{row blue}\"", "'{row blue}' is not a placeholder"),
        (";; a\n.why red, \"{neighbours Q}\"", "'{neighbours Q}' is not a placeholder"),
        (";; a\n.why red, \"{row Q\"", "'{row Q}' is not a placeholder"),
        (";; a\n.why red, \"{row Q}\"", "no grid has the mark `Q`"),
        (";; a\n.why red, \"x\", was = \"Q\"", "no grid has the mark `Q`"),
        (";; a\n.why red, \"\"", "invalid caption ''"),
        (";; a\n.why red, \"x\", was = \"blue\"", "expected `was = \"sign\"`"),
        (";; a\n.why red, \"x\", is = \"Q\"", "expected `was = \"sign\"`"),
    ] {
        // One mistake is one error, also if a right reason follows.
        let end = if line.starts_with(";;") { ".why green, \"y\"\n HALT\n" } else { " HALT\n" };
        let messages = support::image(&format!("{line}\nlater = 3\n{end}")).unwrap_err();
        assert!(messages.contains(expected), "{line}: {messages}");
        assert!(messages.ends_with("error: 1 error\n"), "{line}: {messages}");
    }
}

#[test]
fn the_disassembly_keeps_the_reasons_of_colours() {
    let reasons = "\
;; Place a queen.
.why red, \"the queen in {row Q} says \\\"no\\\", {direction Q}\"
.why dark, \"{count red} {queen is|queens are} placed\", was = \"red\"
.why green, \"{neighbours green}: {square}\", was = \"\\\\\"
";
    // The other passage with the same caption has a reason of its own.
    let other = ";; Place a queen.\n.why red, \"it is the first\"\n";
    let grids = ".grid 0, 8, \"Q\"\n.grid 8, 8, \"\\\\\"\n";
    let source = format!("{grids}{reasons} LDI 1\n{other} LDI 2\n;; b\n HALT\n");
    let image = support::image(&source).unwrap();
    let reason = |led, text: &str, was| Reason { led, text: text.into(), was };
    let expected = [
        reason(Led::Red, "the queen in {row Q} says \"no\", {direction Q}", None),
        reason(Led::Dark, "{count red} {queen is|queens are} placed", Some(Sign::Led(Led::Red))),
        reason(Led::Green, "{neighbours green}: {square}", Some(Sign::Mark('\\'))),
    ];
    assert_eq!(image.presentation().captions[0].reasons, expected);
    assert_eq!(
        image.presentation().captions[1].reasons,
        [reason(Led::Red, "it is the first", None)]
    );
    let source = disassemble(&image);
    assert!(source.contains(reasons) && source.contains(other), "{source}");
    let again = support::image(&source).unwrap();
    assert_eq!(again.presentation(), image.presentation(), "{source}");
}

/// Returns the captions of the instructions, with `-` for none.
fn captions(image: &Image) -> String {
    let used = RomIndex::all().take_while(|index| image.is_used(*index));
    used.map(|index| image.caption(index).unwrap_or("-")).collect::<Vec<_>>().join("|")
}

#[test]
fn a_caption_applies_up_to_the_next_one_or_the_end_of_its_block() {
    for (source, expected) in [
        ("LDI 0\n;; a\nLDI 1\nLDI 2\n;; b\nHALT", "-|a|a|b"),
        // Consecutive lines form one caption, and an empty caption ends it.
        (";; a\n;;b  \nLDI 0\n;;\nHALT", "a b|-"),
        (";; a\n; no matter\nx: LDI 0 ;; not one\n\nHALT", "a|a"),
        // A blank line separates two captions.
        (";; a\n\n;; b\nHALT", "b"),
        ("LDI 0\n.repeat 2\nLDI 1\n;; a\nLDI 2\n.endrepeat\nHALT", "-|-|a|-|a|-"),
        (";; a\n.if 1\nLDI 0\n;; b\nLDI 1\n.endif\nHALT", "a|b|a"),
        (";; a\nLDI 0\n.org 4\nLDI 1\n.org 1\nHALT", "a|a"),
        // The captions of a macro replace the caption of its call.
        (".macro m\nLDI 1\n;; b\nLDI 2\n.endmacro\nm\n;; a\nm\nHALT", "-|b|a|b|a"),
        // A caption directly above a definition documents the name.
        (";; m\n.macro m\nLDI 1\n.endmacro\n;; x\n.var x\n;; n\nn = 5\nm\nHALT", "-|-"),
        (";; a\n@n = 5\nLDI @n\nHALT", "a|a"),
        (";; f\n.function f(n) = n\n;; s\n.struct s\n.endstruct\nHALT", "-"),
        (";; m\n\n.var x\nLDI x\nHALT", "m|m"),
        // A caption above a routine does not apply to the lines inside.
        (
            ";; a\n.call r()\nHALT\n;; r\n.routine r()\nLDI 1\n.endroutine\n.routine q()\n\
             LDI 1\n.endroutine",
            "a|a|r|-",
        ),
        (".title \"\"\n.pool\n;; a\nLD #1\nHALT", "-|-|a|a"),
    ] {
        let image = support::image(source).unwrap_or_else(|messages| panic!("{messages}{source}"));
        assert_eq!(captions(&image), expected, "{source}");
        let texts = image.presentation().captions.iter().map(|caption| &caption.text);
        assert_eq!(texts.clone().count(), texts.collect::<BTreeSet<_>>().len(), "{source}");
        let again = support::image(&disassemble(&image)).unwrap();
        assert_eq!(captions(&again), expected, "{}", disassemble(&image));
    }
}

#[test]
fn an_invalid_caption_is_an_error() {
    for text in ["x".repeat(201), "\u{7}".to_owned()] {
        let messages = support::image(&format!(" LDI 1\n;; {text}\n HALT\n")).unwrap_err();
        assert!(messages.contains("invalid caption") && messages.contains("t.asm:2:1"), "{text}");
        assert!(messages.ends_with("error: 1 error\n"), "{messages}");
    }
}
