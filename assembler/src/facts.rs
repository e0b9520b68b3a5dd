//! Facts about an assembled program, by place: the values of names, the indexes of instructions,
//! and the costs of macro calls. They are for editors. The image does not contain them.

use std::collections::HashMap;
use std::rc::Rc;

use crate::link::Linked;
use crate::place::Placement;
use crate::source::{FileId, Location};
use crate::sources::LoadedSources;
use crate::symbols::{DefinitionId, Meaning, SiteKind, Value};
use crate::syntax::Items;

/// Facts by place. A place that is expanded several times has facts for each expansion.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// The names defined at a place, with their numbers filled in, and their meanings.
    pub(crate) meanings: HashMap<Location, Vec<(String, KnownMeaning)>>,
    /// The indexes of the words that the statement at a place makes itself, not through macros.
    pub(crate) words: HashMap<Location, Vec<u16>>,
    /// The cost of the statement at a place, without the macros in it.
    pub(crate) statements: HashMap<Location, Cost>,
    /// The cost of the macro call at a place.
    pub(crate) calls: HashMap<Location, Cost>,
    /// The cost of all calls of the macro whose name is defined at a place.
    pub(crate) macros: HashMap<Location, Cost>,
    /// The place of the first line in the source itself that makes code.
    pub(crate) start: Option<Location>,
    /// The file that each `.include` found.
    pub(crate) includes: HashMap<(FileId, Rc<str>), FileId>,
    /// The syntax tree of each file.
    pub(crate) trees: Vec<Items>,
}

/// The meaning of a name once everything is placed.
#[derive(Debug, Clone)]
pub(crate) enum KnownMeaning {
    Label(u32),
    /// The index of a routine's first instruction.
    Routine(u32),
    Constant(Value),
    Variable {
        address: i64,
        size: u16,
    },
}

/// A number of instructions, or a range if expansions differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) least: u32,
    pub(crate) most: u32,
}

impl Cost {
    fn with(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }
}

/// Gathers the facts about a program, as far as it was placed and linked.
pub(crate) fn gather(
    placement: &Placement,
    linked: &Linked,
    sources: &mut LoadedSources<'_>,
) -> Facts {
    let (start, includes, trees) = (placement.start(), sources.includes(), sources.trees());
    let mut facts = Facts { start, includes, trees, ..Facts::default() };
    let mut add = |place, name, meaning| {
        let name = sources.names.text(name).to_owned();
        facts.meanings.entry(place).or_default().push((name, meaning));
    };
    for (number, definition) in (0..).zip(&placement.symbols.definitions) {
        if let Some(meaning) = known_meaning(&definition.meaning, DefinitionId(number), linked) {
            add(definition.location, definition.name, meaning);
        }
    }
    for routine in placement.routines.iter().filter(|routine| routine.called.is_some()) {
        add(routine.location(), routine.name, KnownMeaning::Routine(routine.entry));
    }
    for placed in &placement.words {
        facts.words.entry(placed.location()).or_default().push(placed.scope.here as u16);
    }
    facts.words.values_mut().for_each(|indexes| indexes.sort_unstable());
    add_costs(&mut facts, placement);
    facts
}

fn known_meaning(meaning: &Meaning, id: DefinitionId, linked: &Linked) -> Option<KnownMeaning> {
    Some(match *meaning {
        Meaning::Label(index) => KnownMeaning::Label(index),
        Meaning::Variable { address, size, .. } => KnownMeaning::Variable { address, size },
        Meaning::Constant(_) => KnownMeaning::Constant(linked.constants.get(&id)?.clone()),
    })
}

/// Counts the words of each statement and of each macro call.
fn add_costs(facts: &mut Facts, placement: &Placement) {
    let symbols = &placement.symbols;
    let mut counts = HashMap::new();
    let mut statements = HashMap::new();
    for placed in &placement.words {
        *statements.entry((placed.location(), placed.scope.site)).or_insert(0) += 1;
        for (site, _) in symbols.scopes.ancestors(placed.scope.site) {
            *counts.entry(site).or_insert(0) += 1;
        }
    }
    let add = |costs: &mut HashMap<_, _>, place, cost: Cost| {
        costs.entry(place).and_modify(|known: &mut Cost| *known = known.with(cost)).or_insert(cost);
    };
    for ((place, _), count) in statements {
        add(&mut facts.statements, place, Cost { least: count, most: count });
    }
    for (id, site) in symbols.scopes.sites() {
        let SiteKind::Macro(name) = site.kind else { continue };
        let count = counts.get(&id).copied().unwrap_or(0);
        let cost = Cost { least: count, most: count };
        add(&mut facts.calls, site.call, cost);
        if let Some(called) = symbols.macros.get(&name) {
            add(&mut facts.macros, called.location, cost);
        }
    }
}
