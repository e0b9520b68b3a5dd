//! The language server, and an author who changes any place of a program, asks about any place, and
//! closes and opens documents.

use gray1_isa::SplitMix64;
use serde_json::json;

use super::Until;
use crate::support::editor::{Editor, REQUESTS};
use crate::support::{Bench, root};

/// Changes and requests in one round.
const TURNS: u64 = 20;

/// What an author types or deletes.
const PIECES: [&str; 12] = [
    "",
    "\n",
    " ",
    ":",
    "#",
    "(",
    ".macro m x\n",
    ".endmacro\n",
    ".repeat 9, i\n",
    "LD x\n",
    "é𝄞",
    ".include \"lib/std.asm\"\n",
];

pub(crate) fn soak(until: Until) {
    let mut editor = Editor::new(Bench::new());
    let original = std::fs::read_to_string(root().join("programs/snake.asm")).unwrap();
    let mut text = original.clone();
    editor.open("main.asm", &text);
    until.soak(|random| {
        for _ in 0..TURNS {
            match random.below(8) {
                0 => text.clone_from(&original),
                1 => {
                    editor.close("main.asm");
                    editor.open("main.asm", &text);
                }
                2..=4 => edit(&mut text, random),
                _ => ask(&mut editor, &text, random),
            }
            editor.change("main.asm", &text);
        }
        // It has kept up, and knows the text as it is.
        editor.diagnostics("main.asm");
        editor.server.id()
    });
    assert_eq!(editor.end(), Some(0));
}

/// Puts something in the place of a few characters.
fn edit(text: &mut String, random: &mut SplitMix64) {
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let start = random.below(ends.len() as u64) as usize;
    let end = (start + random.below(12) as usize).min(ends.len() - 1);
    text.replace_range(ends[start]..ends[end], PIECES[random.below(PIECES.len() as u64) as usize]);
}

/// Asks about a place, be it in the text or beyond it. An error is an answer, too.
fn ask(editor: &mut Editor, text: &str, random: &mut SplitMix64) {
    let line = random.below(text.lines().count() as u64 + 2);
    let place = json!({ "line": line, "character": random.below(90) });
    editor.ask(REQUESTS[random.below(REQUESTS.len() as u64) as usize], "main.asm", &place);
}
