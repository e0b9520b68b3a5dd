//! What expanding a program brought to light, by place: what names came to, where instructions
//! went, what macro calls cost. For who explains a source, not for the image.

use std::collections::HashMap;
use std::rc::Rc;

use super::scope::SiteKind;
use super::value::{State, Value};
use super::{Expander, Meaning};
use crate::source::{FileId, Location};

/// See above. A place that is expanded several times has something for each time.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// What the names that are defined at a place came to.
    pub(crate) meanings: HashMap<Location, Vec<NamedMeaning>>,
    /// The indexes of the words that the statement at a place made itself.
    pub(crate) words: HashMap<Location, Vec<u16>>,
    /// What the macro call at a place expands to.
    pub(crate) calls: HashMap<Location, Cost>,
    /// The same for all calls of the macro whose name is defined at a place.
    pub(crate) macros: HashMap<Location, Cost>,
    /// The files that were found under the names that files include.
    pub(crate) includes: HashMap<(FileId, Rc<str>), FileId>,
}

/// A name, with the numbers in it, and what it stands for.
#[derive(Debug, Clone)]
pub(crate) struct NamedMeaning {
    pub(crate) name: String,
    pub(crate) meaning: KnownMeaning,
}

/// What a name stands for, now that all is known.
#[derive(Debug, Clone)]
pub(crate) enum KnownMeaning {
    Label(u32),
    /// The index where a routine starts.
    Routine(u32),
    Constant(Value),
    Variable {
        address: i64,
        size: u16,
    },
}

/// How many instructions something takes.
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

/// What there is to know after a program was linked.
pub(super) fn gather(expander: &Expander<'_>) -> Facts {
    let mut facts = Facts { includes: expander.sources.includes(), ..Facts::default() };
    for definition in &expander.definitions {
        if let Some(meaning) = expander.known_meaning(&definition.meaning) {
            let name = expander.sources.names.text(definition.name).to_owned();
            let there = facts.meanings.entry(definition.location).or_default();
            there.push(NamedMeaning { name, meaning });
        }
    }
    for (place, name, entry) in expander.routines.entry_places() {
        let name = expander.sources.names.text(name).to_owned();
        let meaning = KnownMeaning::Routine(entry);
        facts.meanings.entry(place).or_default().push(NamedMeaning { name, meaning });
    }
    for (index, origin) in (0..).zip(&expander.origins) {
        if let Some((span, scope)) = origin {
            let place = Location { file: scope.file, span: *span };
            facts.words.entry(place).or_default().push(index);
        }
    }
    expander.add_costs(&mut facts);
    facts
}

impl Expander<'_> {
    fn known_meaning(&self, meaning: &Meaning) -> Option<KnownMeaning> {
        Some(match meaning {
            Meaning::Label(index) => KnownMeaning::Label(*index),
            Meaning::Variable { address, size, .. } => {
                KnownMeaning::Variable { address: *address, size: *size }
            }
            Meaning::Constant(thunk) => match &self.thunks[thunk.0 as usize].state {
                State::Done(known) => KnownMeaning::Constant(known.value.clone()),
                _ => return None,
            },
        })
    }

    /// Counts the words of each call of a macro.
    fn add_costs(&self, facts: &mut Facts) {
        let mut counts = HashMap::new();
        for (_, scope) in self.origins.iter().flatten() {
            for (site, _) in self.scopes.sites_of(scope.site) {
                *counts.entry(site).or_insert(0) += 1;
            }
        }
        for (id, site) in self.scopes.sites() {
            let SiteKind::Macro(name) = site.kind else { continue };
            let count = counts.get(&id).copied().unwrap_or(0);
            let cost = Cost { least: count, most: count };
            let mut add = |costs: fn(&mut Facts) -> &mut HashMap<_, _>, place| {
                costs(facts)
                    .entry(place)
                    .and_modify(|c: &mut Cost| *c = c.with(cost))
                    .or_insert(cost);
            };
            add(|facts| &mut facts.calls, site.call);
            if let Some(called) = self.macros.get(&name) {
                add(|facts| &mut facts.macros, called.location);
            }
        }
    }
}
