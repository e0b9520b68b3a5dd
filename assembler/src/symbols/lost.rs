//! Names whose definitions were lost to an error, in a bad line or in a block that was not
//! expanded. Their uses are not reported as undefined. Each is kept with the evidence that its
//! error was reported. Without that evidence, every use is reported.

use std::collections::HashMap;

use super::ids::Namespace;
use crate::names::{Name, Names};
use crate::report::Reported;
use crate::syntax::{Block, Branch, Head, Item, Items, NameExpr, StatementKind, Symbol};

/// The names whose definitions were lost to an error.
#[derive(Debug, Default)]
pub(crate) struct Lost {
    names: HashMap<(Namespace, Name), Reported>,
    pool: Option<Reported>,
    /// Set once a label was lost. Then it is unknown where local names are visible.
    locals: Option<Reported>,
    /// Set once something was lost that could have defined any name.
    everything: Option<Reported>,
}

impl Lost {
    /// Returns the error that caused the loss of a name, if it was lost.
    pub(crate) fn name(&self, namespace: Namespace, name: Name, names: &Names) -> Option<Reported> {
        let locals = self.locals.filter(|_| names.is_local(name));
        self.everything.or(locals).or_else(|| self.names.get(&(namespace, name)).copied())
    }

    /// Returns the error that caused the loss of the `.pool`, if it was lost.
    pub(crate) fn pool(&self) -> Option<Reported> {
        self.everything.or(self.pool)
    }

    /// Marks all local names as lost.
    pub(crate) fn lose_locals(&mut self, reported: Reported) {
        self.locals = Some(reported);
    }

    /// Marks every name as lost.
    pub(crate) fn lose_everything(&mut self, reported: Reported) {
        self.everything = Some(reported);
    }

    /// Marks a name as lost.
    pub(crate) fn lose_name(&mut self, namespace: Namespace, name: Name, reported: Reported) {
        self.names.insert((namespace, name), reported);
    }

    /// Marks a name as lost. If it is built from numbers, marks every name. So does the missing
    /// name of a macro, a routine or a function, because it could be any.
    pub(crate) fn lose(&mut self, namespace: Namespace, symbol: &Symbol, reported: Reported) {
        match &symbol.name {
            NameExpr::Plain(name) => self.lose_name(namespace, *name, reported),
            NameExpr::Missing if namespace == Namespace::Symbols => {}
            NameExpr::Built(_) | NameExpr::Missing => self.lose_everything(reported),
        }
    }

    /// Marks all names as lost that these items would have defined.
    pub(crate) fn lose_items(&mut self, items: &Items, reported: Reported) {
        for item in items.iter() {
            match item {
                Item::Label(label) => self.lose(Namespace::Symbols, label, reported),
                Item::Statement(statement) => self.lose_statement(&statement.kind, reported),
                Item::Block(block) => self.lose_block(block, reported),
            }
        }
    }

    /// Marks all names as lost that a block would have defined.
    pub(crate) fn lose_block(&mut self, block: &Block, reported: Reported) {
        for Branch { head, body, .. } in &block.branches {
            match head {
                Head::Macro(head) => self.lose(Namespace::Macros, &head.name, reported),
                Head::Struct(_) => self.lose_everything(reported),
                Head::Routine(head) => {
                    self.lose(Namespace::Routines, &head.name, reported);
                    self.lose_items(body, reported);
                }
                Head::Repeat { .. } | Head::If(_) | Head::ElseIf(_) | Head::Else => {
                    self.lose_items(body, reported);
                }
            }
        }
    }

    /// Marks the name as lost that a statement would have defined.
    pub(crate) fn lose_statement(&mut self, kind: &StatementKind, reported: Reported) {
        match kind {
            StatementKind::Assign(constant) | StatementKind::Default(constant) => {
                self.lose(Namespace::Symbols, &constant.name, reported);
            }
            StatementKind::Var(variable) => {
                self.lose(Namespace::Symbols, &variable.name, reported);
            }
            StatementKind::Pool => self.pool = Some(reported),
            StatementKind::Function(head) => {
                self.lose(Namespace::Functions, &head.name, reported);
            }
            StatementKind::Lost(lost) => self.lose_statement(lost, reported),
            StatementKind::Include(_) => self.lose_everything(reported),
            _ => {}
        }
    }
}
