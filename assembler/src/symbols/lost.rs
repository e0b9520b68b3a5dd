//! Names whose definitions were lost to an error: in a bad line, or in a block that was not
//! expanded. Their uses are not reported as undefined. Each is kept with the evidence that its
//! error was reported; without that, every use is reported.

use std::collections::HashMap;

use super::ids::Namespace;
use crate::names::{Name, Names};
use crate::report::Reported;
use crate::syntax::{BlockKind, Head, Item, Items, NameExpr, StatementKind, Symbol};

/// Names whose definitions were lost to an error.
#[derive(Debug, Default)]
pub(crate) struct Lost {
    names: HashMap<(Namespace, Name), Reported>,
    pool: Option<Reported>,
    /// A label was lost, so that it is not known which local names are seen where.
    locals: Option<Reported>,
    /// Something was lost that could have defined any name.
    everything: Option<Reported>,
}

impl Lost {
    /// The error that a name was lost to, if it was.
    pub(crate) fn name(&self, namespace: Namespace, name: Name, names: &Names) -> Option<Reported> {
        let locals = self.locals.filter(|_| names.is_local(name));
        self.everything.or(locals).or_else(|| self.names.get(&(namespace, name)).copied())
    }

    /// The same for the `.pool`.
    pub(crate) fn pool(&self) -> Option<Reported> {
        self.everything.or(self.pool)
    }

    /// Loses all local names.
    pub(crate) fn lose_locals(&mut self, reported: Reported) {
        self.locals = Some(reported);
    }

    /// Loses every name.
    pub(crate) fn lose_everything(&mut self, reported: Reported) {
        self.everything = Some(reported);
    }

    /// Loses a name.
    pub(crate) fn lose_name(&mut self, namespace: Namespace, name: Name, reported: Reported) {
        self.names.insert((namespace, name), reported);
    }

    /// Loses a name as it is written; any name, if it is built from numbers.
    pub(crate) fn lose(&mut self, namespace: Namespace, symbol: &Symbol, reported: Reported) {
        match &symbol.name {
            NameExpr::Plain(name) => self.lose_name(namespace, *name, reported),
            NameExpr::Built(_) => self.lose_everything(reported),
        }
    }

    /// Loses all that items would have defined.
    pub(crate) fn lose_items(&mut self, items: &Items, reported: Reported) {
        for item in items.iter() {
            match item {
                Item::Label(label) => self.lose(Namespace::Symbols, label, reported),
                Item::Statement(statement) => self.lose_statement(&statement.kind, reported),
                Item::Block(block) => {
                    for branch in &block.branches {
                        self.lose_branch(&branch.head, &branch.body, reported);
                    }
                }
            }
        }
    }

    /// Loses what a block would have defined.
    pub(crate) fn lose_branch(&mut self, head: &Head, body: &Items, reported: Reported) {
        match head {
            Head::Macro(head) => self.lose(Namespace::Macros, &head.name, reported),
            Head::Lost(BlockKind::Macro, Some(name)) => {
                self.lose(Namespace::Macros, name, reported);
            }
            Head::Routine(head) => self.lose(Namespace::Routines, &head.name, reported),
            Head::Lost(BlockKind::Routine, Some(name)) => {
                self.lose(Namespace::Routines, name, reported);
                self.lose_items(body, reported);
            }
            Head::Lost(..) | Head::Struct(_) => self.lose_everything(reported),
            Head::Repeat { .. } | Head::If(_) | Head::ElseIf(_) | Head::Else => {
                self.lose_items(body, reported);
            }
        }
    }

    fn lose_statement(&mut self, kind: &StatementKind, reported: Reported) {
        match kind {
            StatementKind::Assign(constant) | StatementKind::Default(constant) => {
                self.lose(Namespace::Symbols, &constant.name, reported);
            }
            StatementKind::Var(variable) => {
                self.lose(Namespace::Symbols, &variable.name, reported);
            }
            StatementKind::Bad(Some(name)) => self.lose(Namespace::Symbols, name, reported),
            StatementKind::Pool => self.pool = Some(reported),
            StatementKind::Function(head) => {
                self.lose_name(Namespace::Functions, head.name, reported);
            }
            StatementKind::LostFunction(name) => self.lose_function(*name, reported),
            StatementKind::Include(_) => self.lose_everything(reported),
            _ => {}
        }
    }

    /// Loses a function; any name, if its own was lost too.
    pub(crate) fn lose_function(&mut self, name: Option<Name>, reported: Reported) {
        match name {
            Some(name) => self.lose_name(Namespace::Functions, name, reported),
            None => self.lose_everything(reported),
        }
    }
}
