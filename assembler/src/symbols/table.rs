//! The symbol table: every name that a program defines, with its meaning.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::ids::{DefinitionId, Namespace, ThunkId};
use super::lost::Lost;
use super::scope::{Binding, EnvId, LocalScopeId, Scope, Scopes};
use super::value::Thunk;
use crate::names::{Name, Names};
use crate::source::{FileId, Location};
use crate::syntax::{FunctionHead, Items, MacroHead};

/// The meaning of a symbol.
#[derive(Debug)]
pub(crate) enum Meaning {
    Label(u32),
    Constant(ThunkId),
    /// A variable of the routine with this number, or of the whole program.
    Variable {
        address: i64,
        size: u16,
        routine: Option<u32>,
        /// True if the program uses its contents at power-up on purpose.
        is_seed: bool,
    },
}

impl Meaning {
    /// Returns the kind of symbol in words, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Label(_) => "label",
            Self::Constant(_) => "constant",
            Self::Variable { .. } => "variable",
        }
    }
}

/// A symbol with its meaning and its place.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: Name,
    pub(crate) meaning: Meaning,
    pub(crate) location: Location,
}

/// A function that the program defines.
#[derive(Debug)]
pub(crate) struct DefinedFunction {
    pub(crate) head: Rc<FunctionHead>,
    /// The scope of the definition, whose names the function's expression sees.
    pub(crate) scope: Scope,
}

impl DefinedFunction {
    /// Returns the place of the function's name.
    pub(crate) fn location(&self) -> Location {
        Location { file: self.scope.file, span: self.head.name.span }
    }
}

/// A macro, with the scope of its definition.
#[derive(Debug)]
pub(crate) struct Macro {
    pub(crate) head: Rc<MacroHead>,
    pub(crate) body: Items,
    /// The file with its definition.
    pub(crate) file: FileId,
    pub(crate) env: EnvId,
    pub(crate) location: Location,
}

/// All names of a program. Placing fills it in. Later stages only read it.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    pub(crate) scopes: Scopes,
    pub(crate) definitions: Vec<Definition>,
    /// Global names, in the order in which the sources mention them first.
    pub(crate) globals: BTreeMap<Name, DefinitionId>,
    pub(crate) thunks: Vec<Thunk>,
    pub(crate) functions: HashMap<Name, Rc<DefinedFunction>>,
    pub(crate) macros: HashMap<Name, Rc<Macro>>,
    /// The number of each routine, and the place of its name.
    pub(crate) routines: HashMap<Name, (u32, Location)>,
    pub(crate) lost: Lost,
}

impl Symbols {
    /// Returns true if the program defines no names.
    pub(crate) fn is_empty(&self) -> bool {
        let Self { definitions, functions, macros, routines, .. } = self;
        let counts = [definitions.len(), functions.len(), macros.len(), routines.len()];
        counts == [0; 4]
    }

    /// Returns a definition by its number.
    pub(crate) fn definition(&self, DefinitionId(number): DefinitionId) -> &Definition {
        &self.definitions[number as usize]
    }

    /// Returns an expression by its number.
    pub(crate) fn thunk(&self, ThunkId(number): ThunkId) -> &Thunk {
        &self.thunks[number as usize]
    }

    /// Keeps an expression for later evaluation.
    pub(crate) fn keep(&mut self, thunk: Thunk) -> ThunkId {
        self.thunks.push(thunk);
        ThunkId(self.thunks.len() as u32 - 1)
    }

    /// Defines a symbol. A local name goes to the local scope, and a name inside a routine to that
    /// routine. Any other name is global.
    ///
    /// # Errors
    /// Returns the place of the first definition if the name is already defined.
    pub(crate) fn define(
        &mut self,
        definition: Definition,
        names: &Names,
        env: EnvId,
        locals: LocalScopeId,
    ) -> Result<(), Location> {
        let number = DefinitionId(self.definitions.len() as u32);
        let name = definition.name;
        let first = if names.is_local(name) {
            *self.scopes.locals.entry((locals, name)).or_insert(number)
        } else if let Some(routine) = self.scopes.routine_around(env) {
            *self.scopes.inner.entry((routine, name)).or_insert(number)
        } else {
            *self.globals.entry(name).or_insert(number)
        };
        if first != number {
            return Err(self.definition(first).location);
        }
        self.definitions.push(definition);
        Ok(())
    }

    /// Returns the definition of a symbol that is not bound by an environment.
    pub(crate) fn find(
        &self,
        name: Name,
        names: &Names,
        locals: LocalScopeId,
    ) -> Option<DefinitionId> {
        if names.is_local(name) {
            self.scopes.find_local(locals, name)
        } else {
            self.globals.get(&name).copied()
        }
    }

    /// Returns the place where a name is defined, as seen from a scope.
    pub(crate) fn find_place(
        &self,
        namespace: Namespace,
        name: Name,
        names: &Names,
        scope: &Scope,
    ) -> Option<Location> {
        match namespace {
            Namespace::Symbols => {
                let definition = match self.scopes.find_binding(scope.env, name) {
                    Some(Binding::Inner(definition)) => Some(definition),
                    _ => self.find(name, names, scope.locals),
                };
                definition.map(|definition| self.definition(definition).location)
            }
            Namespace::Functions => self.functions.get(&name).map(|found| found.location()),
            Namespace::Macros => self.macros.get(&name).map(|found| found.location),
            Namespace::Routines => self.routines.get(&name).map(|(_, location)| *location),
        }
    }
}
