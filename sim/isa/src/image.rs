//! A program image: the contents of the PROG chip, with symbols, source map and presentation.

use std::collections::HashSet;
use std::sync::OnceLock;

use crate::address::{ROM_BYTES, ROM_WORDS, RamAddr, RomIndex};
use crate::image_error::ImageError;
use crate::naming::Names;
use crate::op::Operand;
use crate::presentation::Presentation;
use crate::routines::Routines;
use crate::source_map::{SourceLine, SourceMap};
use crate::symbol::{Symbol, SymbolKind};
use crate::text::printable;
use crate::word::Word;
use crate::{Half, panel};

/// A program: 8192 words, a title, symbols, a source map and a presentation.
///
/// The machine only needs the words. An image from an EPROM file has nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    title: Option<String>,
    words: Vec<Word>,
    symbols: Vec<Symbol>,
    source_map: SourceMap,
    presentation: Presentation,
    has_decimal_bytes: bool,
    names: Cached<Names>,
    routines: Cached<Routines>,
}

/// A value that follows from the rest of the image and is computed at its first use. It is ignored
/// when images are compared.
#[derive(Debug, Clone)]
struct Cached<T>(OnceLock<T>);

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> PartialEq for Cached<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Cached<T> {}

impl Default for Image {
    fn default() -> Self {
        Self::erased()
    }
}

impl Image {
    /// Returns the image of an erased chip, which halts at 0x1555.
    pub fn erased() -> Self {
        Self {
            title: None,
            words: vec![Word::ERASED; ROM_WORDS],
            symbols: Vec::new(),
            source_map: SourceMap::default(),
            presentation: Presentation::default(),
            has_decimal_bytes: false,
            names: Cached::default(),
            routines: Cached::default(),
        }
    }

    /// Returns an image with these words from index 0 on. The rest of program memory is erased.
    ///
    /// # Errors
    /// If there are more words than program memory holds.
    pub fn from_words(words: &[Word]) -> Result<Self, ImageError> {
        if words.len() > ROM_WORDS {
            let count = words.len();
            let message = format!("the program has {count} words; program memory has {ROM_WORDS}");
            return Err(ImageError(message));
        }
        let mut image = Self::erased();
        image.words[..words.len()].copy_from_slice(words);
        Ok(image)
    }

    /// Returns the image that a PROG chip with these contents holds.
    pub fn from_eprom(contents: &[u8; ROM_BYTES]) -> Self {
        let byte = |index: RomIndex, half| contents[index.eprom_address(half)];
        let words = RomIndex::all().map(|index| {
            let bytes = [byte(index, Half::High), byte(index, Half::Low)];
            Word::from_bits(u16::from_be_bytes(bytes))
        });
        Self { words: words.collect(), ..Self::erased() }
    }

    /// Returns the contents of the PROG chip in the order of its addresses, which is Gray order.
    /// Unused bytes are FF.
    pub fn to_eprom(&self) -> Box<[u8; ROM_BYTES]> {
        let mut contents = Box::new([0xff; ROM_BYTES]);
        for index in RomIndex::all() {
            let [high, low] = self.word(index).bits().to_be_bytes();
            contents[index.eprom_address(Half::High)] = high;
            contents[index.eprom_address(Half::Low)] = low;
        }
        contents
    }

    /// Replaces the word at an index.
    #[must_use]
    pub fn with_word(mut self, index: RomIndex, word: Word) -> Self {
        self.words[index.to_usize()] = word;
        Self { names: Cached::default(), routines: Cached::default(), ..self }
    }

    /// Replaces the title.
    #[must_use]
    pub fn with_title(self, title: Option<String>) -> Self {
        Self { title, ..self }
    }

    /// Replaces the symbols, and sorts them by kind, value and name.
    ///
    /// # Errors
    /// If a label or a variable is outside its memory, or if two symbols have the same name.
    pub fn with_symbols(self, mut symbols: Vec<Symbol>) -> Result<Self, ImageError> {
        if let Some(Symbol { name, kind, value, size, .. }) = symbols.iter().find(|it| !fits(it)) {
            return Err(ImageError(format!(
                "the {} '{}' has the value {value} and the size {size}, which is outside the machine",
                kind.name(),
                name.escape_debug()
            )));
        }
        let mut names = HashSet::new();
        if let Some(twice) = symbols.iter().find(|symbol| !names.insert(&symbol.name)) {
            let name = twice.name.escape_debug();
            return Err(ImageError(format!("the symbol '{name}' is defined twice")));
        }
        symbols.sort_unstable_by(|a, b| {
            (a.kind.name(), a.value, &a.name).cmp(&(b.kind.name(), b.value, &b.name))
        });
        Ok(Self { symbols, names: Cached::default(), ..self })
    }

    /// Replaces the source map.
    #[must_use]
    pub fn with_source_map(self, source_map: SourceMap) -> Self {
        Self { source_map, routines: Cached::default(), ..self }
    }

    /// Replaces the presentation.
    ///
    /// # Errors
    /// If the presentation cannot be shown ([`Presentation::check`]).
    pub fn with_presentation(self, presentation: Presentation) -> Result<Self, ImageError> {
        presentation.check()?;
        Ok(Self { presentation, ..self })
    }

    /// Makes names and sentences show bytes in decimal, for people who listen.
    #[must_use]
    pub fn with_decimal_bytes(self) -> Self {
        Self { has_decimal_bytes: true, ..self }
    }

    /// Returns the title from the program's `.title` line.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Returns the instruction at `index`.
    pub fn word(&self, index: RomIndex) -> Word {
        self.words[index.to_usize()]
    }

    /// Returns all 8192 words in the order of their indexes.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// Returns the runs of words that are not erased, each with the index of its first word.
    pub fn segments(&self) -> impl Iterator<Item = (RomIndex, &[Word])> {
        let erased = |word: &Word| *word == Word::ERASED;
        let mut end = 0;
        let runs = self.words.chunk_by(move |a, b| erased(a) == erased(b)).map(move |run| {
            let start = end;
            end += run.len();
            (RomIndex::truncate(start as u16), run)
        });
        runs.filter(move |(_, run)| !erased(&run[0]))
    }

    /// Returns true if `index` holds an instruction: a word that is not erased, or an erased
    /// pattern that a line of source wrote (`JMP 0x1555`).
    pub fn is_used(&self, index: RomIndex) -> bool {
        self.word(index) != Word::ERASED || self.source_map.origin(index).is_some()
    }

    /// Returns the number of words that are not erased.
    pub fn used_words(&self) -> usize {
        self.words.iter().filter(|&&word| word != Word::ERASED).count()
    }

    /// Returns the symbols, sorted by kind, value and name.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// Returns the symbol with this name.
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.symbols.iter().find(|symbol| symbol.name == name)
    }

    /// Returns the presentation, which is empty if the program has none.
    pub fn presentation(&self) -> &Presentation {
        &self.presentation
    }

    /// Returns the caption of an instruction, if the program gives it one.
    pub fn caption(&self, at: RomIndex) -> Option<&str> {
        self.presentation.caption(at).map(|caption| caption.text.as_str())
    }

    /// Returns the names of all places in program and data memory.
    pub fn names(&self) -> &Names {
        self.names.0.get_or_init(|| Names::new(&self.symbols, &self.words))
    }

    /// Returns the name of an instruction's place, and its line: `row3+4 (queens.asm:88)`.
    ///
    /// For an instruction of a library macro, this is the line that calls the macro.
    pub fn place_and_line(&self, index: RomIndex) -> String {
        let name = self.names().place(index);
        match self.line_of(index) {
            None => name,
            Some(line) => format!("{name} ({line})"),
        }
    }

    /// Returns the source line of an instruction, such as `queens.asm:88`, or the name of its place
    /// if it has no source.
    pub fn line_or_place(&self, index: RomIndex) -> String {
        self.line_of(index).unwrap_or_else(|| self.names().place(index))
    }

    /// Returns the line of an instruction for a sentence: `line 6`, `line 6 of shift.asm` in a file
    /// that the program includes, or `address row3+4` if it has no source.
    pub fn name_line(&self, index: RomIndex) -> String {
        match self.source_map.calling_origin(index).map(|origin| origin.place) {
            Some(SourceLine { file: 0, line }) => format!("line {line}"),
            Some(SourceLine { file, line }) => {
                let file = printable(&self.source_map.files()[usize::from(file)].name);
                format!("line {line} of {file}")
            }
            None => format!("address {}", self.names().place(index)),
        }
    }

    fn line_of(&self, index: RomIndex) -> Option<String> {
        let SourceLine { file, line } = self.source_map.calling_origin(index)?.place;
        let file = printable(&self.source_map.files()[usize::from(file)].name);
        Some(format!("{file}:{line}"))
    }

    /// Returns the routines that the source map knows.
    pub fn routines(&self) -> &Routines {
        self.routines.0.get_or_init(|| Routines::find(&self.words, &self.source_map))
    }

    /// Returns the symbol that a name refers to at an instruction. A symbol of the routine that
    /// contains the instruction takes precedence over one of the whole program.
    pub fn symbol_at(&self, name: &str, index: RomIndex) -> Option<&Symbol> {
        let around = self.routines().around(index);
        around
            .and_then(|routine| self.symbol(&format!("{}.{name}", routine.name)))
            .or_else(|| self.symbol(name))
    }

    /// Returns the routines whose local names an instruction may use, nearest first: the one that
    /// its line calls, then the one that contains it.
    pub fn routines_at(&self, index: RomIndex) -> impl Iterator<Item = &str> {
        let routines = self.routines();
        let called = self.source_map.same_line(index).find_map(|index| routines.called(index));
        called.into_iter().chain(routines.around(index)).map(|routine| &*routine.name)
    }

    /// Returns the variables whose contents at power-up the program uses on purpose.
    pub fn seeds(&self) -> impl Iterator<Item = &Symbol> {
        self.symbols().iter().filter(|symbol| symbol.is_seed)
    }

    /// Returns the data bytes of these variables.
    pub fn seed_bytes(&self) -> impl Iterator<Item = RamAddr> {
        let addresses = self.seeds().flat_map(|seed| seed.value..seed.value + i64::from(seed.size));
        addresses.filter_map(|address| RamAddr::new(u16::try_from(address).ok()?))
    }

    /// Returns the name of a data byte for the instruction at an index.
    ///
    /// Routines can share a byte. A name from the instruction's own routine, or from the one it
    /// calls, comes before a name from another routine.
    pub fn byte_at(&self, address: RamAddr, index: RomIndex) -> String {
        let mut routines = self.routines_at(index);
        let own = routines.find_map(|routine| self.names().routine_variable(routine, address));
        own.unwrap_or_else(|| self.byte(address))
    }

    /// Returns the name of a data byte. That of a constant of `.pool` is its value: `#0xff`.
    pub fn byte(&self, address: RamAddr) -> String {
        match self.names().pool_constant(address) {
            Some(constant) => format!("#{}", self.format_byte(constant)),
            None => self.names().byte(address),
        }
    }

    /// Formats the value of a byte, as `0x05` or `5`.
    pub fn format_byte(&self, value: u8) -> String {
        if self.has_decimal_bytes { value.to_string() } else { format!("{value:#04x}") }
    }

    /// Returns the operand of an instruction as text, if it has one: `stack+3`, `row3+4`, `0x05`.
    pub fn operand(&self, index: RomIndex) -> Option<String> {
        let word = self.word(index);
        match word.op().operand() {
            Operand::None => None,
            Operand::Immediate => Some(self.format_byte(word.immediate())),
            Operand::Data => Some(self.byte_at(word.address(), index)),
            Operand::Target => Some(self.names().place(word.target())),
        }
    }

    /// Returns the instruction in assembly language, with the names of the program: `LD stack+3`.
    pub fn instruction(&self, index: RomIndex) -> String {
        let op = self.word(index).op();
        self.operand(index).map_or_else(|| op.to_string(), |operand| format!("{op} {operand}"))
    }

    /// Returns the origins of the instructions. The map is empty if they are not known.
    pub fn source_map(&self) -> &SourceMap {
        &self.source_map
    }
}

/// Returns true if a label or a variable is inside its memory.
fn fits(symbol: &Symbol) -> bool {
    let start = usize::try_from(symbol.value);
    match symbol.kind {
        // A label may follow the last instruction.
        SymbolKind::Label => start.is_ok_and(|index| index <= ROM_WORDS),
        SymbolKind::Constant => true,
        SymbolKind::Variable => start.is_ok_and(|first| {
            first.saturating_add(usize::from(symbol.size)) <= panel::RESERVED.to_usize()
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presentation::Caption;
    use crate::{Expansion, ExpansionKind, Op, SourceFile};

    #[test]
    fn a_small_program_is_burned_in_gray_order() {
        let start = RomIndex::default();
        let image = Image::from_words(&[Word::ldi(0x12), Word::jump(Op::Jmp, start)]).unwrap();
        let eprom = image.to_eprom();
        // Bytes 0, 1, 2, 3 of the program are at the Gray codes 0, 1, 3, 2.
        assert_eq!(eprom[..5], [0x00, 0x12, 0x00, 0xe0, 0xff]);
        assert!(eprom[4..].iter().all(|&byte| byte == 0xff));
    }

    #[test]
    fn new_symbols_and_sources_replace_cached_names_and_routines() {
        let image = Image::from_words(&[Word::shr()]).unwrap();
        let (start, index) = (RomIndex::default(), RomIndex::truncate);
        assert_eq!((image.names().label(start), image.routines().list().len()), (None, 0));
        let label = Symbol {
            name: "start".into(),
            kind: SymbolKind::Label,
            value: 0,
            size: 1,
            is_seed: false,
        };
        let place = SourceLine { file: 0, line: 1 };
        let kind = ExpansionKind::Routine("halve".into());
        let map = SourceMap::new(
            vec![SourceFile { name: "a.asm".into(), lines: vec!["SHR"].into() }],
            vec![Expansion { kind, call: place, parent: None }],
            vec![Some(crate::Origin { place, expansion: Some(0) })],
        );
        let caption = Caption { text: "halve".into(), at: vec![(start, 1)], reasons: Vec::new() };
        let presentation = Presentation { captions: vec![caption], ..Presentation::default() };
        let image = image.with_symbols(vec![label]).unwrap().with_source_map(map.unwrap());
        let image = image.with_presentation(presentation).unwrap();
        assert_eq!((image.names().label(start), image.routines().list().len()), (Some("start"), 1));
        assert_eq!((image.caption(start), image.caption(index(1))), (Some("halve"), None));
        assert_eq!((image.words().len(), image.words()[0]), (ROM_WORDS, Word::shr()));
    }

    #[test]
    fn segments_leave_out_erased_words() {
        let mut words = vec![Word::ERASED; 10];
        words[2] = Word::ldi(1);
        words[3] = Word::ldi(2);
        words[9] = Word::ldi(3);
        let image = Image::from_words(&words).unwrap();
        let segments: Vec<(u16, usize)> =
            image.segments().map(|(index, run)| (index.get(), run.len())).collect();
        assert_eq!(segments, [(2, 2), (9, 1)]);
        assert_eq!(image.used_words(), 3);
    }

    #[test]
    fn programs_that_do_not_fit_into_the_machine_are_refused() {
        let too_many = vec![Word::ERASED; ROM_WORDS + 1];
        assert_eq!(
            Image::from_words(&too_many).unwrap_err().to_string(),
            "the program has 8193 words; program memory has 8192"
        );
        let symbol =
            |kind, value, size| Symbol { name: "x".into(), kind, value, size, is_seed: false };
        for (kind, value, size, fits) in [
            (SymbolKind::Label, 8192, 1, true),
            (SymbolKind::Label, 8193, 1, false),
            (SymbolKind::Label, -1, 1, false),
            (SymbolKind::Constant, i64::MIN, 1, true),
            (SymbolKind::Variable, 0x1fd8, 8, true),
            (SymbolKind::Variable, 0x1fd9, 8, false),
            (SymbolKind::Variable, i64::MAX, 8, false),
        ] {
            let result = Image::erased().with_symbols(vec![symbol(kind, value, size)]);
            assert_eq!(result.is_ok(), fits, "{kind:?} {value} {size}");
        }
    }

    #[test]
    fn instructions_read_as_in_a_source() {
        let data = |op, address| Word::data(op, RamAddr::truncate(address));
        let of = [
            (Word::ldi(5), "LDI 0x05"),
            (data(Op::Add, 9), "ADD stack+1"),
            (data(Op::St, 0x400), "ST 0x0400"),
            (Word::shr(), "SHR"),
            (Word::jump(Op::Jc, RomIndex::truncate(4)), "JC again+1"),
            (Word::ERASED, "JMP 0x1555"),
        ];
        let words = of.map(|(word, _)| word);
        let symbols = vec![
            Symbol {
                name: "stack".into(),
                kind: SymbolKind::Variable,
                value: 8,
                size: 8,
                is_seed: false,
            },
            Symbol {
                name: "again".into(),
                kind: SymbolKind::Label,
                value: 3,
                size: 1,
                is_seed: false,
            },
        ];
        let image = Image::from_words(&words).unwrap().with_symbols(symbols).unwrap();
        for (index, (_, expected)) in RomIndex::all().zip(of) {
            assert_eq!(image.instruction(index), expected);
        }
    }
}
