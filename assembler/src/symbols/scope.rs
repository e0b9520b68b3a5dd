//! The visibility of names: environments of parameters and indexes, scopes of local names, and the
//! sites from which expansions were called.

use std::collections::HashMap;

use super::ids::{DefinitionId, ThunkId};
use crate::names::Name;
use crate::source::{FileId, Location};

/// A set of parameters or an index, and the environment around it. Lexical: a macro's body sees
/// what its definition saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct EnvId(u32);

/// The lines between two global labels of one expansion (or of the file). Dynamic: a name that it
/// lacks is looked up in the local scope from which the expansion was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LocalScopeId(u32);

/// An expansion of a macro, an iteration of a repeat, or an include, as a place in the tree of
/// calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct SiteId(u32);

impl EnvId {
    pub(crate) const ROOT: Self = Self(0);
}

impl LocalScopeId {
    /// The first one of the file that the assembler was started on.
    pub(crate) const ROOT: Self = Self(0);
}

impl SiteId {
    /// The file that the assembler was started on.
    pub(crate) const ROOT: Self = Self(0);
}

/// The context in which an expression means the same at any later time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope {
    pub(crate) file: FileId,
    pub(crate) env: EnvId,
    pub(crate) locals: LocalScopeId,
    pub(crate) site: SiteId,
    /// The value of `$`.
    pub(crate) here: u32,
    /// The number of names that were defined before it.
    pub(crate) defined: u32,
}

/// The meaning of a parameter or an index.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Binding {
    Number(i64),
    Thunk(ThunkId),
    /// A name that a routine defines.
    Inner(DefinitionId),
}

/// The kinds of sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SiteKind {
    Macro(Name),
    /// An iteration, counted from 0.
    Repeat(u32),
    Include,
    /// The body of this routine.
    Routine(Name),
}

/// The call of an expansion.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site {
    pub(crate) kind: SiteKind,
    pub(crate) call: Location,
    pub(crate) parent: SiteId,
}

#[derive(Debug)]
struct Env {
    parent: EnvId,
    /// True if it is that of a routine, which has names of its own.
    is_routine: bool,
    /// The start and the end of its bindings.
    start: u32,
    end: u32,
}

/// All environments, local scopes and sites of an assembly.
#[derive(Debug)]
pub(crate) struct Scopes {
    envs: Vec<Env>,
    bindings: Vec<(Name, Binding)>,
    /// The local scope around each.
    around: Vec<Option<LocalScopeId>>,
    sites: Vec<Site>,
    pub(super) locals: HashMap<(LocalScopeId, Name), DefinitionId>,
    /// The definitions of routines, by the environment of the routine.
    pub(super) inner: HashMap<(EnvId, Name), DefinitionId>,
}

impl Default for Scopes {
    /// The root environment and the root local scope.
    fn default() -> Self {
        Self {
            envs: vec![Env { parent: EnvId::ROOT, is_routine: false, start: 0, end: 0 }],
            bindings: Vec::new(),
            around: vec![None],
            sites: Vec::new(),
            locals: HashMap::new(),
            inner: HashMap::new(),
        }
    }
}

impl Scopes {
    /// A new environment inside another.
    pub(crate) fn env(
        &mut self,
        parent: EnvId,
        bindings: impl IntoIterator<Item = (Name, Binding)>,
    ) -> EnvId {
        let start = self.bindings.len() as u32;
        self.bindings.extend(bindings);
        let id = self.next_env();
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

    /// The environment that the next call of [`env`](Self::env) makes.
    pub(crate) fn next_env(&self) -> EnvId {
        EnvId(self.envs.len() as u32)
    }

    /// The number of parameters and indexes that are bound.
    pub(crate) fn binding_count(&self) -> usize {
        self.bindings.len()
    }

    /// The environment of the routine whose lines are in this one.
    pub(crate) fn routine_around(&self, env: EnvId) -> Option<EnvId> {
        self.env_outward(env).find(|env| self.envs[env.0 as usize].is_routine)
    }

    /// The binding of a name here.
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

    fn env_outward(&self, env: EnvId) -> impl Iterator<Item = EnvId> {
        std::iter::successors(Some(env), |&env| {
            (env != EnvId::ROOT).then(|| self.envs[env.0 as usize].parent)
        })
    }

    /// A new local scope of an expansion that is called in another one.
    pub(crate) fn local_scope(&mut self, around: LocalScopeId) -> LocalScopeId {
        self.push_local_scope(Some(around))
    }

    /// The local scope that follows another one in the same expansion.
    pub(crate) fn next_local_scope(&mut self, before: LocalScopeId) -> LocalScopeId {
        self.push_local_scope(self.around[before.0 as usize])
    }

    fn push_local_scope(&mut self, around: Option<LocalScopeId>) -> LocalScopeId {
        self.around.push(around);
        LocalScopeId(self.around.len() as u32 - 1)
    }

    /// The definition of a local name, from the innermost local scope outward.
    pub(crate) fn local(&self, of: LocalScopeId, name: Name) -> Option<DefinitionId> {
        self.outward(of).find_map(|of| self.locals.get(&(of, name)).copied())
    }

    /// The definitions of routines, each name with the environment of its routine.
    pub(crate) fn inner(&self) -> impl Iterator<Item = (EnvId, Name, DefinitionId)> {
        self.inner.iter().map(|((env, name), definition)| (*env, *name, *definition))
    }

    /// The number of names of local scopes and routines.
    pub(crate) fn local_count(&self) -> usize {
        self.locals.len() + self.inner.len()
    }

    /// All names but the global ones that are seen from a scope. Slow: for suggestions.
    pub(crate) fn visible(&self, from: &Scope) -> impl Iterator<Item = Name> {
        let bound = self.env_outward(from.env).flat_map(|env| {
            let Env { start, end, .. } = self.envs[env.0 as usize];
            self.bindings[start as usize..end as usize].iter().map(|(name, _)| *name)
        });
        let scopes: Vec<LocalScopeId> = self.outward(from.locals).collect();
        let locals = self.locals.keys().filter(move |(of, _)| scopes.contains(of));
        let routine = self.routine_around(from.env);
        let inner = self.inner.keys().filter(move |(of, _)| Some(*of) == routine);
        bound.chain(locals.map(|(_, name)| *name)).chain(inner.map(|(_, name)| *name))
    }

    fn outward(&self, from: LocalScopeId) -> impl Iterator<Item = LocalScopeId> {
        std::iter::successors(Some(from), |of| self.around[of.0 as usize])
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
