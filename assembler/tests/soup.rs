//! Whatever is thrown at the assembler, it answers: an image or messages, never a panic.

mod support;

use gray1_asm::{Assembly, Rendering, Severity, assemble, disassemble};
use proptest::prelude::*;
use support::{Texts, source};

/// A text, assembled where every file includes the one that includes it.
fn assembled(text: &str) -> Assembly {
    let other = "x = 5\n.macro m a, b = 2\nLDI a + b\n.endmacro\n.include \"f\"";
    assemble(source(text), &mut Texts(|_: &str| Some(other.to_owned())))
}

fn answers(text: &str) {
    let assembly = assembled(text);
    let errors = assembly.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    assert_eq!(assembly.image.is_some(), errors == 0);
    for rendering in [Rendering::Plain, Rendering::Coloured, Rendering::Json] {
        let text = rendering.render(&assembly.diagnostics, &assembly.files);
        assert_eq!(text.is_empty(), assembly.diagnostics.is_empty());
    }
    if let Some(image) = assembly.image {
        let text = disassemble(&image);
        assert_eq!(assembled(&text).image.unwrap().words(), image.words());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn pieces_of_the_language(pieces in prop::collection::vec(prop::sample::select(support::pieces()), 0..60)) {
        answers(&pieces.concat());
    }

    #[test]
    fn any_text(text in "\\PC{0,40}|(?s).{0,40}") {
        answers(&text);
    }
}

#[test]
fn every_start_of_a_program() {
    // What an editor sends while its user types.
    let program = include_str!("sources/macros.asm");
    for (end, _) in program.char_indices().take(800) {
        answers(&program[..end]);
    }
}
