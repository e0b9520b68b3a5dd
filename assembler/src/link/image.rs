//! Makes the image of a program: its words, its symbols and the source map.

use std::collections::HashMap;

use gray1_isa::presentation::{Caption, Presentation};
use gray1_isa::reason::Reason;
use gray1_isa::{
    Expansion, ExpansionKind, Image, Origin, RomIndex, SourceFile, SourceMap, Symbol, SymbolKind,
    Word,
};

use super::linker::Linked;
use super::pool;
use crate::data_map::{DataItem, DataMap};
use crate::names::{Name, Names};
use crate::place::{CaptionRun, PlacedCaption, Placement};
use crate::report::NoErrors;
use crate::source::Files;
use crate::symbols::{DefinitionId, EnvId, Meaning, SiteId, SiteKind, Value};

/// Makes the image of a program without errors. Returns `None` if the image refuses the symbols,
/// the presentation or the source map, which would be a bug of the assembler.
pub(crate) fn make_image(
    placement: &Placement,
    linked: &Linked,
    words: &[Word],
    names: &Names,
    files: &Files,
    _: &NoErrors,
) -> Option<Image> {
    let title = placement.settings.title.as_ref().map(|(title, _)| title.to_string());
    let image = Image::from_words(words).ok()?.with_title(title);
    let image = image.with_symbols(collect_symbols(placement, linked, names)).ok()?;
    let captions = collect_captions(placement);
    let presentation = Presentation { captions, ..placement.settings.presentation.clone() };
    let image = image.with_presentation(presentation).ok()?;
    Some(image.with_source_map(make_source_map(placement, names, files)?))
}

/// Returns the captions of the program. Captions with equal texts and reasons become one.
fn collect_captions(placement: &Placement) -> Vec<Caption> {
    let mut captions: Vec<Caption> = Vec::new();
    let mut numbers: HashMap<(&str, Vec<&Reason>), usize> = HashMap::new();
    for CaptionRun { first, count, caption: PlacedCaption { text, at } } in &placement.captions {
        let placed = placement.reasons.get(at).into_iter().flatten();
        let reasons: Vec<&Reason> = placed.map(|placed| &placed.reason).collect();
        let number = *numbers.entry((text, reasons.clone())).or_insert(captions.len());
        if number == captions.len() {
            let reasons = reasons.into_iter().cloned().collect();
            captions.push(Caption { text: text.to_string(), at: Vec::new(), reasons });
        }
        captions[number].at.push((RomIndex::truncate(*first), *count));
    }
    captions
}

/// Returns the global names, and the names inside routines as `routine.name`.
fn collect_symbols(placement: &Placement, linked: &Linked, names: &Names) -> Vec<Symbol> {
    let table = &placement.symbols;
    let symbol = |name: String, id: DefinitionId| {
        let (kind, value, size) = match table.definition(id).meaning {
            Meaning::Label(index) => (SymbolKind::Label, i64::from(index), 1),
            Meaning::Constant(_) => match linked.constants.get(&id)? {
                Value::Number(value) => (SymbolKind::Constant, *value, 1),
                Value::Text(_) | Value::Pooled(_) => return None,
            },
            Meaning::Variable { address, size, .. } => (SymbolKind::Variable, address, size),
        };
        let meaning = &table.definition(id).meaning;
        let is_seed = matches!(meaning, Meaning::Variable { is_seed: true, .. });
        Some(Symbol { name, kind, value, size, is_seed })
    };
    let text = |name: Name| names.text(name).to_owned();
    let globals = table.globals.iter().filter_map(|(name, id)| symbol(text(*name), *id));
    let called = || placement.routines.iter().filter(|routine| routine.called.is_some());
    let routine_of: HashMap<EnvId, Name> =
        called().map(|routine| (routine.env, routine.name)).collect();
    let inner = table.scopes.inner().iter().filter_map(|((env, name), id)| {
        symbol(format!("{}.{}", names.text(*routine_of.get(env)?), names.text(*name)), *id)
    });
    // A routine gets its own name as a symbol, unless a global has that name.
    let free = called().filter(|routine| !table.globals.contains_key(&routine.name));
    let routines = free.map(|routine| Symbol {
        name: text(routine.name),
        kind: SymbolKind::Label,
        value: routine.entry.into(),
        size: 1,
        is_seed: false,
    });
    globals.chain(inner).chain(pool::symbols(placement, &linked.pool)).chain(routines).collect()
}

/// Makes the map of data memory.
pub(crate) fn make_data_map(placement: &Placement, linked: &Linked, names: &Names) -> DataMap {
    let text = |name| names.text(name).to_owned();
    let variables = placement.symbols.definitions.iter().filter_map(|definition| {
        let Meaning::Variable { address, size, routine, .. } = definition.meaning else {
            return None;
        };
        let first = u16::try_from(address).ok()?;
        let routine = routine.map(|number| text(placement.routines[number as usize].name));
        (size > 0).then(|| DataItem { first, size, routine, name: text(definition.name) })
    });
    let pool = pool::symbols(placement, &linked.pool).filter_map(
        |Symbol { name, value, size, .. }| {
            Some(DataItem { first: u16::try_from(value).ok()?, size, routine: None, name })
        },
    );
    let site_bytes = placement.routines.iter().filter_map(|routine| {
        let first = u16::try_from(routine.site_byte()?).ok()?;
        let (routine, name) = (Some(text(routine.name)), "the number of its call".to_owned());
        Some(DataItem { first, size: 1, routine, name })
    });
    let mut items: Vec<DataItem> = variables.chain(pool).chain(site_bytes).collect();
    items.sort_unstable();
    DataMap { items }
}

/// Makes the source map: the origin of each index in the source.
fn make_source_map(placement: &Placement, names: &Names, files: &Files) -> Option<SourceMap> {
    let texts = files
        .iter()
        .map(|file| SourceFile { name: file.name().to_owned(), lines: file.lines.clone() });
    let mut expansions =
        Expansions { placement, names, files, numbers: HashMap::new(), list: vec![] };
    let end = placement.words.iter().map(|placed| placed.scope.here + 1).max().unwrap_or(0);
    let origins = (0..end as usize).map(|index| {
        let placed = placement.at(index)?;
        let place = files.place(placed.location());
        Some(Origin { place, expansion: expansions.number(placed.scope.site) })
    });
    let origins = origins.collect();
    SourceMap::new(texts.collect(), expansions.list, origins).ok()
}

/// The expansions that instructions refer to. Includes do not count as expansions.
struct Expansions<'a> {
    placement: &'a Placement,
    names: &'a Names,
    files: &'a Files,
    numbers: HashMap<SiteId, Option<u32>>,
    list: Vec<Expansion>,
}

impl Expansions<'_> {
    /// Returns the number of a site's expansion, and numbers the expansions around it first.
    fn number(&mut self, site: SiteId) -> Option<u32> {
        let sites = self.placement.symbols.scopes.ancestors(site);
        let unknown: Vec<_> =
            sites.take_while(|(site, _)| !self.numbers.contains_key(site)).collect();
        for (id, site) in unknown.into_iter().rev() {
            let parent = self.numbers.get(&site.parent).copied().flatten();
            let kind = match site.kind {
                SiteKind::Macro(name) => ExpansionKind::Macro(self.names.text(name).to_owned()),
                SiteKind::Repeat(turn) => ExpansionKind::Repeat(turn),
                SiteKind::Routine(name) => ExpansionKind::Routine(self.names.text(name).to_owned()),
                SiteKind::Include => {
                    self.numbers.insert(id, parent);
                    continue;
                }
            };
            self.numbers.insert(id, Some(self.list.len() as u32));
            self.list.push(Expansion { kind, call: self.files.place(site.call), parent });
        }
        self.numbers.get(&site).copied().flatten()
    }
}
