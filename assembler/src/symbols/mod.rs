//! The meanings of names. Placing fills in this data, and evaluation and linking read it.
//!
//! Code here does not evaluate expressions or report errors.

mod ids;
mod lost;
mod scope;
mod table;
mod value;

pub(crate) use self::ids::{DefinitionId, Namespace, ThunkId};
pub(crate) use self::scope::{Binding, EnvId, LocalScopeId, Scope, Site, SiteId, SiteKind};
pub(crate) use self::table::{DefinedFunction, Definition, Macro, Meaning, Symbols};
pub(crate) use self::value::{Known, Thunk, Value};
