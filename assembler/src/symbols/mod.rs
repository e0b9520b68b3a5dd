//! The meanings of names: the data that placing fills in and that evaluation and linking read.
//!
//! Nothing here evaluates or reports.

mod ids;
mod lost;
mod scope;
mod table;
mod value;

pub(crate) use self::ids::{DefinitionId, Namespace, ThunkId};
pub(crate) use self::scope::{Binding, EnvId, LocalScopeId, Scope, Site, SiteId, SiteKind};
pub(crate) use self::table::{DefinedFunction, Definition, Macro, Meaning, Symbols};
pub(crate) use self::value::{Known, Thunk, Value};
