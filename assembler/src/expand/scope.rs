//! Who sees which names: environments of parameters and indexes, stretches of local labels, and
//! the sites that expansions were called from.

use std::collections::HashMap;

use super::value::ThunkId;
use crate::names::Name;
use crate::source::{FileId, Location};

/// A set of parameters or an index, and the environment around it. Lexical: a macro's body sees
/// what its definition saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct EnvId(u32);

/// The lines between two global labels of one expansion (or of the file). Dynamic: what is not
/// found in it is looked up in the stretch from which the expansion was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct StretchId(u32);

/// An expansion of a macro, a turn of a repeat, or an include, as a place in the tree of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct SiteId(u32);

impl EnvId {
    pub(crate) const ROOT: Self = Self(0);
}

impl SiteId {
    /// The file that the assembler was started on.
    pub(crate) const ROOT: Self = Self(0);
}

/// What an expression needs to mean the same at any later time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope {
    pub(crate) file: FileId,
    pub(crate) env: EnvId,
    pub(crate) stretch: StretchId,
    pub(crate) site: SiteId,
    /// What `$` is.
    pub(crate) here: u32,
    /// How many names were defined before it.
    pub(crate) defined: u32,
}

/// What a parameter or an index stands for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Binding {
    Number(i64),
    Thunk(ThunkId),
    /// A name that a routine defines, as a number of a definition.
    Inner(u32),
}

/// What a site is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SiteKind {
    Macro(Name),
    /// A turn, counted from 0.
    Repeat(u32),
    Include,
    Function(Name),
}

/// Where an expansion was called from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site {
    pub(crate) kind: SiteKind,
    pub(crate) call: Location,
    pub(crate) parent: SiteId,
}

#[derive(Debug)]
struct Env {
    parent: EnvId,
    /// Whether it is that of a routine, which has names of its own.
    is_routine: bool,
    /// Where its bindings start; they end where those of the next environment start.
    start: u32,
    end: u32,
}

/// See [`Scopes::mark`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    envs: usize,
    bindings: usize,
    sites: usize,
}

/// All environments, stretches and sites of an assembly.
#[derive(Debug)]
pub(crate) struct Scopes {
    envs: Vec<Env>,
    bindings: Vec<(Name, Binding)>,
    /// The stretch around each.
    stretches: Vec<Option<StretchId>>,
    sites: Vec<Site>,
    locals: HashMap<(StretchId, Name), u32>,
    /// What routines define, by the environment of the routine.
    inner: HashMap<(EnvId, Name), u32>,
}

impl Scopes {
    /// Scopes with the root environment and one stretch.
    pub(crate) fn new() -> Self {
        Self {
            envs: vec![Env { parent: EnvId::ROOT, is_routine: false, start: 0, end: 0 }],
            bindings: Vec::new(),
            stretches: Vec::new(),
            sites: Vec::new(),
            locals: HashMap::new(),
            inner: HashMap::new(),
        }
    }

    /// A new environment inside another.
    pub(crate) fn env(
        &mut self,
        parent: EnvId,
        bindings: impl IntoIterator<Item = (Name, Binding)>,
    ) -> EnvId {
        let start = self.bindings.len() as u32;
        self.bindings.extend(bindings);
        let id = EnvId(self.envs.len() as u32);
        let end = self.bindings.len() as u32;
        self.envs.push(Env { parent, is_routine: false, start, end });
        id
    }

    /// A new environment for a routine.
    pub(crate) fn routine_env(&mut self, parent: EnvId) -> EnvId {
        let id = self.env(parent, []);
        self.envs[id.0 as usize].is_routine = true;
        id
    }

    /// The environment of the routine whose lines are in this one.
    pub(crate) fn routine_around(&self, env: EnvId) -> Option<EnvId> {
        self.env_outward(env).find(|env| self.envs[env.0 as usize].is_routine)
    }

    /// Defines a name of a routine; gives back the definition that is there already.
    pub(crate) fn define_inner(&mut self, of: EnvId, name: Name, definition: u32) -> Option<u32> {
        let there = *self.inner.entry((of, name)).or_insert(definition);
        (there != definition).then_some(there)
    }

    /// The environment that the next call of [`env`](Self::env) makes.
    pub(crate) fn next_env(&self) -> EnvId {
        EnvId(self.envs.len() as u32)
    }

    /// What a name is bound to here.
    pub(crate) fn binding(&self, mut env: EnvId, name: Name) -> Option<Binding> {
        while env != EnvId::ROOT {
            let Env { parent, is_routine, start, end } = self.envs[env.0 as usize];
            let bindings = &self.bindings[start as usize..end as usize];
            if let Some(&(_, binding)) = bindings.iter().find(|(bound, _)| *bound == name) {
                return Some(binding);
            }
            if is_routine && let Some(&definition) = self.inner.get(&(env, name)) {
                return Some(Binding::Inner(definition));
            }
            env = parent;
        }
        None
    }

    /// All names that are bound here, inner ones first.
    pub(crate) fn bound(&self, env: EnvId) -> impl Iterator<Item = Name> {
        self.env_outward(env).flat_map(|env| {
            let Env { start, end, .. } = self.envs[env.0 as usize];
            self.bindings[start as usize..end as usize].iter().map(|(name, _)| *name)
        })
    }

    /// All names of the routine around. Slow: for suggestions.
    pub(crate) fn inner_names(&self, env: EnvId) -> impl Iterator<Item = Name> {
        let around = self.routine_around(env);
        let own = self.inner.keys().filter(move |(of, _)| Some(*of) == around);
        own.map(|(_, name)| *name)
    }

    fn env_outward(&self, env: EnvId) -> impl Iterator<Item = EnvId> {
        std::iter::successors(Some(env), |&env| {
            (env != EnvId::ROOT).then(|| self.envs[env.0 as usize].parent)
        })
    }

    /// A new stretch: of the file without `around`, of an expansion called in `around` with it.
    pub(crate) fn stretch(&mut self, around: Option<StretchId>) -> StretchId {
        let id = StretchId(self.stretches.len() as u32);
        self.stretches.push(around);
        id
    }

    /// The stretch that follows another one in the same expansion.
    pub(crate) fn next_stretch(&mut self, stretch: StretchId) -> StretchId {
        self.stretch(self.stretches[stretch.0 as usize])
    }

    /// Defines a local name; gives back the definition that is there already.
    pub(crate) fn define_local(
        &mut self,
        stretch: StretchId,
        name: Name,
        definition: u32,
    ) -> Option<u32> {
        match self.locals.entry((stretch, name)) {
            std::collections::hash_map::Entry::Occupied(there) => Some(*there.get()),
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(definition);
                None
            }
        }
    }

    /// The definition of a local name, from the innermost stretch outward.
    pub(crate) fn local(&self, stretch: StretchId, name: Name) -> Option<u32> {
        self.outward(stretch).find_map(|stretch| self.locals.get(&(stretch, name)).copied())
    }

    /// How many local names there are.
    pub(crate) fn local_count(&self) -> usize {
        self.locals.len() + self.inner.len()
    }

    /// All local names that are seen from a stretch. Slow: for suggestions.
    pub(crate) fn visible_locals(&self, stretch: StretchId) -> impl Iterator<Item = Name> {
        let seen: Vec<StretchId> = self.outward(stretch).collect();
        self.locals.keys().filter(move |key| seen.contains(&key.0)).map(|key| key.1)
    }

    fn outward(&self, stretch: StretchId) -> impl Iterator<Item = StretchId> {
        std::iter::successors(Some(stretch), |stretch| self.stretches[stretch.0 as usize])
    }

    /// How much there is, to be given back by [`release`](Self::release).
    pub(crate) fn mark(&self) -> Mark {
        Mark { envs: self.envs.len(), bindings: self.bindings.len(), sites: self.sites.len() }
    }

    /// Forgets the environments and sites since a mark.
    pub(crate) fn release(&mut self, mark: Mark) {
        self.envs.truncate(mark.envs);
        self.bindings.truncate(mark.bindings);
        self.sites.truncate(mark.sites);
    }

    /// A new site.
    pub(crate) fn site(&mut self, site: Site) -> SiteId {
        self.sites.push(site);
        SiteId(self.sites.len() as u32)
    }

    /// All sites but the root.
    pub(crate) fn sites(&self) -> impl Iterator<Item = (SiteId, &Site)> {
        (1..).map(SiteId).zip(&self.sites)
    }

    /// The sites from this one outward, the root not included.
    pub(crate) fn sites_of(&self, site: SiteId) -> impl Iterator<Item = (SiteId, &Site)> {
        let get = |id: SiteId| (id != SiteId::ROOT).then(|| (id, &self.sites[id.0 as usize - 1]));
        std::iter::successors(get(site), move |(_, site)| get(site.parent))
    }
}
