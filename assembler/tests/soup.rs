//! Whatever is thrown at the assembler, it answers: an image or messages, never a panic.

mod support;

use gray1_asm::{Loader, Rendering, Severity, Source, assemble, disassemble};
use proptest::prelude::*;
use support::{PIECES, source};

/// A file that includes the one that includes it.
struct Other;

impl Loader for Other {
    fn load(&mut self, _: &str, name: &str) -> Result<Source, String> {
        let text = "x = 5\n.macro m a, b = 2\nLDI a + b\n.endmacro\n.include \"f\"".to_owned();
        Ok(Source { id: name.to_owned(), name: name.to_owned(), text })
    }
}

fn answers(text: &str) {
    let assembly = assemble(source(text), &mut Other);
    let errors = assembly.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    assert_eq!(assembly.image.is_some(), errors == 0);
    for rendering in [Rendering::Plain, Rendering::Coloured, Rendering::Json] {
        let text = rendering.render(&assembly.diagnostics, &assembly.files);
        assert_eq!(text.is_empty(), assembly.diagnostics.is_empty());
    }
    if let Some(image) = assembly.image {
        let text = disassemble(&image);
        assert_eq!(assemble(source(&text), &mut Other).image.unwrap().words(), image.words());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn pieces_of_the_language(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60)) {
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
