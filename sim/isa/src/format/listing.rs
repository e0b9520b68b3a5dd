//! The listing: index, word and source line of every instruction.
//!
//! Lines from macros and repeats are indented under the line that called them.

use std::fmt::Write as _;

use crate::address::RomIndex;
use crate::image::Image;
use crate::source_map::{ExpansionKind, Origin, SourceLine, SourceMap};
use crate::word::Word;

/// The width in characters of an index and a word, as in `0000 2010 LD   0010 `.
const CODE_WIDTH: usize = 20;

pub(super) fn encode(image: &Image) -> String {
    let mut listing = Listing { map: image.source_map(), text: String::new(), shown: Vec::new() };
    if let Some(title) = image.title() {
        let title: String = title.chars().flat_map(char::escape_debug).collect();
        writeln!(listing.text, "; {title}\n").expect("a String takes all");
    }
    for index in RomIndex::all().filter(|&index| image.is_used(index)) {
        listing.push(index, image.word(index));
    }
    listing.text
}

struct Listing<'a> {
    map: &'a SourceMap,
    text: String,
    /// The expansions whose calling lines have been printed for the last instruction, outermost
    /// first.
    shown: Vec<u32>,
}

impl Listing<'_> {
    fn push(&mut self, index: RomIndex, word: Word) {
        let code = format!(
            "{:04x} {:04x} {:<4} {:04x}",
            index.get(),
            word.bits(),
            word.op().mnemonic(),
            word.operand()
        );
        match self.map.origin(index) {
            Some(origin) => {
                self.push_calls(origin);
                self.push_line(&code, self.shown.len(), origin.place);
            }
            None => writeln!(self.text, "{code}").expect("a String takes all"),
        }
    }

    /// Prints the calling line of each expansion that contains this instruction but not the
    /// previous one.
    fn push_calls(&mut self, origin: Origin) {
        let mut chain: Vec<u32> = self.map.outward(origin.expansion).collect();
        chain.reverse();
        // A routine is assembled at its own lines, so these are not indented.
        chain.retain(|number| {
            let kind = &self.map.expansions()[*number as usize].kind;
            !matches!(kind, ExpansionKind::Routine(_))
        });
        let common = chain.iter().zip(&self.shown).take_while(|(a, b)| a == b).count();
        for (depth, &number) in chain.iter().enumerate().skip(common) {
            let call = self.map.expansions()[number as usize].call;
            self.push_line("", depth, call);
        }
        self.shown = chain;
    }

    fn push_line(&mut self, code: &str, depth: usize, place: SourceLine) {
        let line = self.map.line(place).unwrap_or_default();
        // Tabs and other control characters would break the columns.
        let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let indent = 2 * depth;
        writeln!(self.text, "{code:CODE_WIDTH$} {:>5}  {:indent$}{line}", place.line, "")
            .expect("a String takes all");
    }
}
