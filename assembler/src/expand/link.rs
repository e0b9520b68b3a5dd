//! After expansion: every name is known, so operands get their values, and the image is put
//! together.

use std::collections::HashMap;

use gray1_isa::address::ROM_WORDS;
use gray1_isa::{
    Expansion, ExpansionKind, Image, Op, Operand, Origin, RamAddr, RomIndex, SourceFile, SourceMap,
    Symbol, SymbolKind, Word,
};

use super::directives::ADDRESSES;
use super::layout::{Content, Placed};
use super::scope::{Scope, SiteId, SiteKind};
use super::value::{State, Stop, ThunkId, Value};
use super::{Assertion, Expander, Meaning, NoImage};
use crate::problem::Problem;
use crate::report::NoErrors;
use crate::source::{Location, Span};

/// What fits the low byte of an operand, with or without a sign.
pub(super) const IMMEDIATES: (i64, i64) = (-128, 255);

impl Expander<'_> {
    /// Works out all values and makes the image.
    ///
    /// # Errors
    /// If anything is wrong, or the program has to be expanded again. A word that cannot be had is a
    /// reason: there is no image with a hole.
    pub(super) fn link(&mut self) -> Result<Image, NoImage> {
        self.reword_needed();
        self.reword_unknown_calls();
        self.link_routines();
        let constants = self.constants();
        let words = self.words();
        for assertion in std::mem::take(&mut self.asserts) {
            self.assert(assertion);
        }
        let words = words?;
        let NoErrors { .. } = self.reporter.verdict()?;
        let origins = std::mem::take(&mut self.origins);
        self.warn(&words, &origins);
        let symbols = self.symbols(&constants);
        let source_map = self.source_map(&origins);
        self.origins = origins;
        let title = self.title.as_ref().map(|(title, _)| title.to_string());
        let image = Image::from_words(&words).ok().map(|image| image.with_title(title));
        let image = image.and_then(|image| image.with_symbols(symbols).ok());
        let image = image.zip(source_map);
        image.map(|(image, map)| image.with_source_map(map)).ok_or_else(|| {
            let problem = Problem::Internal("the image refuses its symbols or its source map");
            let scope = self.scope(super::At::ROOT);
            self.report(&problem, Span { start: 0, end: 0 }, &scope).into()
        })
    }

    /// The words of program memory, all of which are looked at for mistakes.
    fn words(&mut self) -> Result<Vec<Word>, NoImage> {
        let mut words = Ok(vec![Word::ERASED; ROM_WORDS]);
        self.origins = vec![None; ROM_WORDS];
        let layout = std::mem::replace(&mut self.layout, super::Layout::new());
        let (placed, left_out) = layout.into_placed();
        // What plants the pool comes last: only then are its values known.
        let (planting, plain): (Vec<&Placed>, Vec<&Placed>) =
            placed.iter().partition(|word| matches!(word.content, Content::Plant(_)));
        for placed in plain.into_iter().chain(planting) {
            let index = RomIndex::truncate(placed.scope.here as u16);
            self.origins[index.to_usize()] = Some((placed.span, placed.scope));
            match (self.word(placed, index), &mut words) {
                (Ok(word), Ok(words)) => words[index.to_usize()] = word,
                (Err(why), words) => *words = Err(why),
                (Ok(_), Err(_)) => {}
            }
        }
        for word in &left_out {
            self.check_left_out(word);
        }
        words
    }

    /// The values of all constants, the local ones too, so that every mistake is found.
    fn constants(&mut self) -> HashMap<u32, i64> {
        let constant = |meaning: &Meaning| match meaning {
            Meaning::Constant(thunk) => Some(*thunk),
            _ => None,
        };
        let thunks: Vec<(u32, ThunkId)> = (0..)
            .zip(&self.definitions)
            .filter_map(|(number, definition)| Some((number, constant(&definition.meaning)?)))
            .collect();
        thunks
            .into_iter()
            .filter_map(|(number, thunk)| match self.constant_value(thunk)? {
                Value::Number(value) => Some((number, value)),
                Value::Text(_) | Value::Pooled(_) => None,
            })
            .collect()
    }

    fn constant_value(&mut self, thunk: ThunkId) -> Option<Value> {
        self.force(thunk).ok()?;
        match &self.thunks[thunk.0 as usize].state {
            State::Done(known) => Some(known.value.clone()),
            _ => None,
        }
    }

    /// Looks for mistakes in an operand that nobody needs.
    fn check_left_out(&mut self, placed: &Placed) {
        match &placed.content {
            Content::Word(value)
            | Content::Instruction(_, Some(value))
            | Content::Argument(value) => {
                let _reported = self.known_value(value, &placed.scope, "an operand");
            }
            _ => {}
        }
    }

    /// The word of an instruction, with its operand.
    fn word(&mut self, placed: &Placed, index: RomIndex) -> Result<Word, NoImage> {
        let (op, operand) = match &placed.content {
            Content::Halt => return Ok(Word::jump(Op::Jmp, index)),
            Content::Plant(planting) => {
                return self.pool.planting(*planting).ok_or(NoImage::Unsettled);
            }
            Content::Word(value) => {
                let bits = self.known_in_range(value, &placed.scope, "a word", (0, 0xffff))?;
                return Ok(Word::from_bits(bits));
            }
            Content::Instruction(op, None) => {
                return Ok(Word::from_bits(u16::from(op.code()) << 13));
            }
            Content::Linked(op, link) => {
                let operand = self.routines.resolve(*link).ok_or(NoImage::Unsettled)? as u16;
                return Ok(match op.operand() {
                    Operand::Immediate | Operand::None => Word::ldi(operand as u8),
                    Operand::Data => Word::data(*op, RamAddr::truncate(operand)),
                    Operand::Target => Word::jump(*op, RomIndex::truncate(operand)),
                });
            }
            Content::Instruction(op, Some(operand)) => (*op, operand),
            Content::Argument(operand) => (Op::Ld, operand),
        };
        let (what, range) = match op.operand() {
            Operand::Immediate | Operand::None => ("the operand of LDI", IMMEDIATES),
            Operand::Data => ("a data address", ADDRESSES),
            Operand::Target => ("a jump target", ADDRESSES),
        };
        let known = self.known_value(operand, &placed.scope, what)?;
        if let Value::Pooled(value) = known.value {
            if let Content::Argument(_) = placed.content {
                return Ok(Word::ldi(value));
            }
            return Ok(self.pooled_word(op, value, operand.span, placed)?);
        }
        let value: i16 = self.in_range(&known, operand, &placed.scope, what, range)?;
        let value = value.cast_unsigned();
        Ok(match op.operand() {
            Operand::Immediate | Operand::None => Word::ldi(value as u8),
            Operand::Data => Word::data(op, RamAddr::truncate(value)),
            Operand::Target => Word::jump(op, RomIndex::truncate(value)),
        })
    }

    /// Checks an `.assert`, or keeps it until all is known.
    pub(super) fn assert(&mut self, assertion: Assertion) {
        let Assertion { condition, text, scope } = &assertion;
        let known = self.value(condition, scope);
        match known.and_then(|known| Ok(self.expect_number(&known, condition, scope)?)) {
            Ok((0, _)) => {
                let problem = Problem::AssertionFailed(text.as_ref().map(ToString::to_string));
                self.report(&problem, condition.span, scope);
            }
            Err(Stop::Missing(_)) => self.asserts.push(assertion),
            _ => {}
        }
    }

    /// What the whole program can see.
    fn symbols(&self, constants: &HashMap<u32, i64>) -> Vec<Symbol> {
        let symbol = |(&name, &number): (&crate::names::Name, &u32)| {
            let (kind, value, size) = match self.definitions[number as usize].meaning {
                Meaning::Label(index) => (SymbolKind::Label, i64::from(index), 1),
                Meaning::Constant(_) => (SymbolKind::Constant, *constants.get(&number)?, 1),
                Meaning::Variable { address, size, .. } => (SymbolKind::Variable, address, size),
            };
            Some(Symbol { name: self.sources.names.text(name).to_owned(), kind, value, size })
        };
        let globals = self.globals.iter().filter_map(symbol);
        globals.chain(self.pool.symbols()).chain(self.routine_symbols()).collect()
    }

    /// The way back from each index to the source.
    fn source_map(&self, origins: &[Option<(Span, Scope)>]) -> Option<SourceMap> {
        let files = self.sources.files.iter().map(|file| SourceFile {
            name: file.name().to_owned(),
            lines: file.lines().map(str::to_owned).collect(),
        });
        let mut expansions = Expansions::default();
        let used = origins.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let origins = origins[..used]
            .iter()
            .map(|origin| {
                let (span, scope) = (*origin)?;
                let place = self.sources.files.place(Location { file: scope.file, span });
                Some(Origin { place, expansion: expansions.number(scope.site, self) })
            })
            .collect();
        SourceMap::new(files.collect(), expansions.list, origins).ok()
    }
}

/// The expansions that instructions refer to; sites of includes do not count as such.
#[derive(Default)]
struct Expansions {
    numbers: HashMap<SiteId, Option<u32>>,
    list: Vec<Expansion>,
}

impl Expansions {
    /// The number of a site's expansion; those around it get theirs first.
    fn number(&mut self, site: SiteId, of: &Expander<'_>) -> Option<u32> {
        let unknown: Vec<_> = of
            .scopes
            .sites_of(site)
            .take_while(|(site, _)| !self.numbers.contains_key(site))
            .map(|(id, site)| (id, *site))
            .collect();
        for (id, site) in unknown.into_iter().rev() {
            let parent = self.numbers.get(&site.parent).copied().flatten();
            let kind = match site.kind {
                SiteKind::Macro(name) => {
                    ExpansionKind::Macro(of.sources.names.text(name).to_owned())
                }
                SiteKind::Repeat(turn) => ExpansionKind::Repeat(turn),
                SiteKind::Include | SiteKind::Function(_) => {
                    self.numbers.insert(id, parent);
                    continue;
                }
            };
            self.numbers.insert(id, Some(self.list.len() as u32));
            self.list.push(Expansion { kind, call: of.sources.files.place(site.call), parent });
        }
        self.numbers.get(&site).copied().flatten()
    }
}
