//! The visibility of names: environments of parameters and indexes, scopes of local names, and the
//! sites from which expansions were called.

use std::collections::HashMap;

use super::ids::{DefinitionId, ThunkId};
use crate::names::Name;
use crate::source::{FileId, Location};

/// A set of parameters or an index, and the environment around it. The scoping is lexical: a
/// macro's body sees the names that its definition saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct EnvId(u32);

/// The lines between two global labels in one expansion or in the file. The scoping is dynamic: a
/// name that is not found in these lines is looked up in the local scope of the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LocalScopeId(u32);

/// A node in the tree of calls: an expansion of a macro, an iteration of a repeat, or an include.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct SiteId(u32);

impl EnvId {
    pub(crate) const ROOT: Self = Self(0);
}

impl LocalScopeId {
    /// The first local scope of the root file.
    pub(crate) const ROOT: Self = Self(0);
}

impl SiteId {
    /// The root file.
    pub(crate) const ROOT: Self = Self(0);
}

/// The context of an expression. With it, the expression can be evaluated at any later time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope {
    pub(crate) file: FileId,
    pub(crate) env: EnvId,
    pub(crate) locals: LocalScopeId,
    pub(crate) site: SiteId,
    /// The value of `$`.
    pub(crate) here: u32,
    /// The number of names that were defined before the expression.
    pub(crate) defined: u32,
}

/// The value of a parameter or an index.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Binding {
    Number(i64),
    /// A number that a call passes as an argument, and the place of the argument.
    Argument(i64, Location),
    Thunk(ThunkId),
    /// A name that is defined inside a routine.
    Inner(DefinitionId),
}

/// The kinds of expansions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SiteKind {
    Macro(Name),
    /// An iteration of a repeat, counted from 0.
    Repeat(u32),
    Include,
    /// The body of a routine.
    Routine(Name),
}

/// A call of an expansion.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site {
    pub(crate) kind: SiteKind,
    pub(crate) call: Location,
    pub(crate) parent: SiteId,
}

#[derive(Debug)]
struct Env {
    parent: EnvId,
    /// True for a routine, which has names of its own.
    is_routine: bool,
    /// The start of its bindings.
    start: u32,
    end: u32,
}

/// All environments, local scopes and sites of an assembly.
#[derive(Debug)]
pub(crate) struct Scopes {
    envs: Vec<Env>,
    bindings: Vec<(Name, Binding)>,
    /// For each local scope, the enclosing one.
    around: Vec<Option<LocalScopeId>>,
    sites: Vec<Site>,
    pub(super) locals: HashMap<(LocalScopeId, Name), DefinitionId>,
    /// The definitions inside routines, by the environment of the routine.
    pub(super) inner: HashMap<(EnvId, Name), DefinitionId>,
}

impl Default for Scopes {
    /// Creates the root environment and the root local scope.
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
    /// Creates an environment inside another.
    pub(crate) fn add_env(
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

    /// Creates an environment for a routine.
    pub(crate) fn add_routine_env(&mut self, parent: EnvId) -> EnvId {
        let id = self.add_env(parent, []);
        self.envs[id.0 as usize].is_routine = true;
        id
    }

    /// Returns the environment that the next call of [`add_env`](Self::add_env) will create.
    pub(crate) fn next_env(&self) -> EnvId {
        EnvId(self.envs.len() as u32)
    }

    /// Returns the number of bound parameters and indexes.
    pub(crate) fn binding_count(&self) -> usize {
        self.bindings.len()
    }

    /// Returns the environment of the routine that contains this environment.
    pub(crate) fn routine_around(&self, env: EnvId) -> Option<EnvId> {
        self.env_outward(env).find(|env| self.envs[env.0 as usize].is_routine)
    }

    /// Returns the binding of a name that is visible in an environment.
    pub(crate) fn find_binding(&self, mut env: EnvId, name: Name) -> Option<Binding> {
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

    /// Creates a local scope for an expansion that is called in another one.
    pub(crate) fn add_local_scope(&mut self, around: LocalScopeId) -> LocalScopeId {
        self.push_local_scope(Some(around))
    }

    /// Creates the local scope that follows another one in the same expansion.
    pub(crate) fn add_next_local_scope(&mut self, before: LocalScopeId) -> LocalScopeId {
        self.push_local_scope(self.around[before.0 as usize])
    }

    fn push_local_scope(&mut self, around: Option<LocalScopeId>) -> LocalScopeId {
        self.around.push(around);
        LocalScopeId(self.around.len() as u32 - 1)
    }

    /// Returns the definition of a local name, searching from the innermost scope outward.
    pub(crate) fn find_local(&self, of: LocalScopeId, name: Name) -> Option<DefinitionId> {
        self.outward(of).find_map(|of| self.locals.get(&(of, name)).copied())
    }

    /// Returns the names inside routines, each with the environment of its routine.
    pub(crate) fn inner(&self) -> &HashMap<(EnvId, Name), DefinitionId> {
        &self.inner
    }

    /// Returns the number of names in local scopes and routines.
    pub(crate) fn local_count(&self) -> usize {
        self.locals.len() + self.inner.len()
    }

    /// Iterates over all non-global names that a scope sees. It is slow, so it is only used for
    /// suggestions.
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

    /// Adds a site.
    pub(crate) fn add_site(&mut self, site: Site) -> SiteId {
        self.sites.push(site);
        SiteId(self.sites.len() as u32)
    }

    /// Iterates over all sites except the root.
    pub(crate) fn sites(&self) -> impl Iterator<Item = (SiteId, &Site)> {
        (1..).map(SiteId).zip(&self.sites)
    }

    /// Iterates over this site and the sites around it, without the root.
    pub(crate) fn ancestors(&self, site: SiteId) -> impl Iterator<Item = (SiteId, &Site)> {
        let get = |id: SiteId| (id != SiteId::ROOT).then(|| (id, &self.sites[id.0 as usize - 1]));
        std::iter::successors(get(site), move |(_, site)| get(site.parent))
    }
}
