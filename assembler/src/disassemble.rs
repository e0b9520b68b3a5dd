//! The disassembler: turns an image into source that assembles to the same words.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use gray1_isa::address::ROM_WORDS;
use gray1_isa::panel::LedColor;
use gray1_isa::presentation::{Caption, Grid, ShownValue};
use gray1_isa::reason::Reason;
use gray1_isa::text::is_harmful;
use gray1_isa::{Image, Names, Op, Operand, RamAddr, RomIndex, Symbol, SymbolKind, Word, panel};

use crate::format;

/// The maximum length of a title or a name that is kept, in characters. It exists because the
/// length of a line is limited.
const TEXT_CHARS_MAX: usize = 500;

/// Returns source that assembles to exactly the same words.
///
/// It uses the image's symbols that are valid names. A jump target without a label gets one, such
/// as `L0003`, and the panel's addresses get their names. The title and the presentation become
/// directives, and captions become comments.
pub fn disassemble(image: &Image) -> String {
    format::format_valid(&Disassembly::new(image).to_string())
}

struct Disassembly<'a> {
    image: &'a Image,
    constants: Vec<&'a Symbol>,
    /// Variables, by address.
    variables: Vec<&'a Symbol>,
    /// The names of their bytes.
    names: Names,
    /// The labels at each index, preferred one first.
    labels: BTreeMap<usize, Vec<String>>,
    /// The names of panel addresses: the image's own names, or else the usual ones.
    panel: HashMap<u16, String>,
    /// The usual panel names that the source must define.
    panel_constants: Vec<(&'static str, u16)>,
}

impl<'a> Disassembly<'a> {
    fn new(image: &'a Image) -> Self {
        let symbols = find_usable_symbols(image);
        let of_kind = |kind| {
            symbols.iter().copied().filter(move |symbol| symbol.kind == kind).collect::<Vec<_>>()
        };
        let mut labels: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for label in of_kind(SymbolKind::Label) {
            // An image has no label beyond the index right after program memory.
            let index = usize::try_from(label.value).unwrap_or(ROM_WORDS);
            labels.entry(index).or_default().push(label.name.clone());
        }
        let mut variables = of_kind(SymbolKind::Variable);
        variables.sort_by_key(|variable| variable.value);
        let mut disassembly = Self {
            image,
            constants: of_kind(SymbolKind::Constant),
            names: Names::new(variables.iter().copied(), image.words()),
            variables,
            labels,
            panel: HashMap::new(),
            panel_constants: Vec::new(),
        };
        let taken: HashSet<&str> = symbols.iter().map(|symbol| symbol.name.as_str()).collect();
        disassembly.name_panel(&taken);
        disassembly.recover_labels(&taken);
        disassembly
    }

    /// Returns the words that are not erased, with their indexes.
    fn words(&self) -> impl Iterator<Item = (RomIndex, Word)> {
        let all = RomIndex::all().zip(self.image.words().iter().copied());
        all.filter(|(_, word)| *word != Word::ERASED)
    }

    /// Chooses names for the panel addresses that the program uses.
    fn name_panel(&mut self, taken: &HashSet<&str>) {
        let side = panel::SIDE as u16;
        let named = [
            ("GREEN", panel::GREEN, side),
            ("RED", panel::RED, side),
            ("BUTTONS", panel::BUTTONS, 1),
            ("MAILBOX", panel::MAILBOX, 1),
        ];
        let used: HashSet<u16> = self
            .words()
            .filter(|(_, word)| word.op().operand() == Operand::Data)
            .map(|(_, word)| word.field())
            .collect();
        for (name, first, size) in named {
            let first = first.get();
            let base = match self.constants_with_value(first).as_slice() {
                [only] => (*only).to_owned(),
                [] if !taken.contains(name) && (first..first + size).any(|a| used.contains(&a)) => {
                    self.panel_constants.push((name, first));
                    name.to_owned()
                }
                _ => continue,
            };
            for offset in 0..size {
                self.panel.insert(first + offset, with_offset(&base, offset.into()));
            }
        }
    }

    /// Returns the names of the constants with this value.
    fn constants_with_value(&self, value: u16) -> Vec<&'a str> {
        let found = self.constants.iter().filter(|constant| constant.value == i64::from(value));
        found.map(|constant| constant.name.as_str()).collect()
    }

    /// Gives labels to the jump targets that have none.
    fn recover_labels(&mut self, taken: &HashSet<&str>) {
        let targets: Vec<RomIndex> = self
            .words()
            .filter(|(index, word)| self.is_plain(*word) && !word.halts_at(*index))
            .filter(|(_, word)| word.op().operand() == Operand::Target)
            .map(|(_, word)| word.target())
            .filter(|target| self.image.word(*target) != Word::ERASED)
            .collect();
        for target in targets {
            self.labels.entry(target.to_usize()).or_insert_with(|| {
                let mut name = format!("L{:04x}", target.get());
                while taken.contains(name.as_str()) {
                    name.push('_');
                }
                vec![name]
            });
        }
    }

    /// Returns true if assembling the mnemonic gives exactly this word. The bits that the machine
    /// ignores must be 0.
    #[expect(clippy::unused_self, reason = "called like the methods next to it")]
    fn is_plain(&self, word: Word) -> bool {
        match word.op() {
            Op::Ldi => word == Word::ldi(word.immediate()),
            Op::Shr => word == Word::shr(),
            _ => true,
        }
    }

    fn write_constants(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.panel_constants {
            writeln!(out, "{name} = 0x{value:04x}")?;
        }
        for constant in &self.constants {
            match constant.value {
                // The absolute value of `i64::MIN` is too large for a literal.
                i64::MIN => writeln!(out, "{} = {} - 1", constant.name, i64::MIN + 1)?,
                value => writeln!(out, "{} = {value}", constant.name)?,
            }
        }
        let none = self.panel_constants.is_empty() && self.constants.is_empty();
        if none { Ok(()) } else { writeln!(out) }
    }

    fn write_variables(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cursor = 0;
        for Symbol { name, value, size, is_seed, .. } in &self.variables {
            let end = *value + i64::from(*size);
            if *value != cursor {
                writeln!(out, ".ram 0x{value:04x}")?;
            }
            let directive = if *is_seed { ".seed" } else { ".var" };
            match size {
                1 => writeln!(out, "{directive} {name}")?,
                _ => writeln!(out, "{directive} {name}, {size}")?,
            }
            cursor = end;
        }
        if self.variables.is_empty() { Ok(()) } else { writeln!(out) }
    }

    fn write_presentation(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let presentation = self.image.presentation();
        for ShownValue { address, caption } in &presentation.values {
            writeln!(out, ".show {}, \"{}\"", self.format_address(*address), quote(caption))?;
        }
        for Grid { first, size, mark, rows, index } in &presentation.grids {
            let mark = quote(&mark.to_string());
            write!(out, ".grid {}, {size}, \"{mark}\"", self.format_address(*first))?;
            for (name, address) in [("rows", rows), ("index", index)] {
                if let Some(address) = address {
                    write!(out, ", {name} = {}", self.format_address(*address))?;
                }
            }
            writeln!(out)?;
        }
        for meaning in &presentation.legend {
            writeln!(out, ".legend {}, \"{}\"", meaning.led.name(), quote(&meaning.text))?;
        }
        for count in &presentation.counts {
            let color = match count.color {
                LedColor::Green => "green",
                LedColor::Red => "red",
            };
            writeln!(out, ".count {color}, \"{}\"", quote(&count.caption))?;
        }
        if let Some(word) = &presentation.result {
            writeln!(out, ".result \"{}\"", quote(word))?;
        }
        if presentation.is_empty() { Ok(()) } else { writeln!(out) }
    }

    fn write_program(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cursor = 0;
        let mut caption = None;
        for (index, word) in RomIndex::all().zip(self.image.words().iter().copied()) {
            let labels = self.labels.get(&index.to_usize()).map_or(&[][..], Vec::as_slice);
            // A label after the last word needs a statement before it.
            let needed = index == RomIndex::MAX && self.labels.contains_key(&ROM_WORDS);
            let is_there = word != Word::ERASED || needed;
            if !is_there && labels.is_empty() {
                continue;
            }
            if index.to_usize() != cursor {
                writeln!(out, "\n.org 0x{:04x}", index.get())?;
                cursor = index.to_usize();
            }
            let next = self.image.presentation().caption(index);
            if next != caption {
                caption = next;
                writeln!(out, ";; {}", next.map(|it| it.text.as_str()).unwrap_or_default())?;
                write_reasons(next, out)?;
            }
            let statement = if is_there { self.format_word(index, word) } else { String::new() };
            write_line(out, labels, &statement)?;
            cursor += usize::from(is_there);
        }
        let last_labels = self.labels.get(&ROM_WORDS).map_or(&[][..], Vec::as_slice);
        if last_labels.is_empty() { Ok(()) } else { write_line(out, last_labels, "") }
    }

    /// Returns the statement for a word.
    fn format_word(&self, index: RomIndex, word: Word) -> String {
        let op = word.op();
        if word == Word::ERASED || !self.is_plain(word) {
            return format!(".word 0x{:04x}", word.bits());
        }
        match op.operand() {
            Operand::None => op.to_string(),
            Operand::Immediate => format!("{op} 0x{:02x}", word.immediate()),
            Operand::Data => format!("{op} {}", self.format_address(word.address())),
            Operand::Target if word.halts_at(index) => "HALT".to_owned(),
            Operand::Target => format!("{op} {}", self.format_target(word.target())),
        }
    }

    /// Returns a data address by name, if it has one, or as a number.
    fn format_address(&self, address: RamAddr) -> String {
        let panel = self.panel.get(&address.get()).cloned();
        let name = panel.or_else(|| self.names.variable(address));
        name.unwrap_or_else(|| format!("0x{:04x}", address.get()))
    }

    fn format_target(&self, target: RomIndex) -> String {
        match self.labels.get(&target.to_usize()) {
            Some(labels) => labels[0].clone(),
            None => format!("0x{:04x}", target.get()),
        }
    }
}

impl fmt::Display for Disassembly<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(title) = self.image.title() {
            writeln!(out, ".title \"{}\"\n", quote(title))?;
        }
        self.write_constants(out)?;
        self.write_variables(out)?;
        self.write_presentation(out)?;
        self.write_program(out)
    }
}

/// Returns the symbols whose names are valid in source code.
fn find_usable_symbols(image: &Image) -> Vec<&Symbol> {
    image.symbols().iter().filter(|symbol| is_name(&symbol.name)).collect()
}

/// Returns true if source can define this name.
fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    name.len() <= TEXT_CHARS_MAX
        && bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && Op::from_mnemonic(name).is_none()
        && !name.eq_ignore_ascii_case("HALT")
}

fn with_offset(name: &str, offset: i64) -> String {
    if offset == 0 { name.to_owned() } else { format!("{name} + {offset}") }
}

/// Quotes a string. Replaces the characters that the language cannot write.
fn quote(text: &str) -> String {
    let mut quoted = String::new();
    for c in text.chars().take(TEXT_CHARS_MAX) {
        match c {
            '\n' => quoted.push_str("\\n"),
            '\0' => quoted.push_str("\\0"),
            '"' | '\\' => quoted.extend(['\\', c]),
            _ if is_harmful(c) => quoted.push('\u{fffd}'),
            _ => quoted.push(c),
        }
    }
    quoted
}

/// Writes the reasons of a caption as directives.
fn write_reasons(caption: Option<&Caption>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    for Reason { led, text, was } in caption.iter().flat_map(|caption| &caption.reasons) {
        write!(out, ".why {}, \"{}\"", led.name(), quote(text))?;
        let was = was.map(|sign| format!(", was = \"{}\"", quote(&sign.to_string())));
        writeln!(out, "{}", was.unwrap_or_default())?;
    }
    Ok(())
}

/// Writes labels and a statement. The last label shares the statement's line.
fn write_line(out: &mut fmt::Formatter<'_>, labels: &[String], statement: &str) -> fmt::Result {
    let lines: Vec<String> = labels.iter().map(|label| format!("{label}:")).collect();
    writeln!(out, "{} {statement}", lines.join("\n"))
}
