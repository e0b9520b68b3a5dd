//! What an error took away. Names whose definitions were lost with a bad line or a block that was
//! not expanded are remembered, so that their uses are not called mistakes. What is remembered is
//! the evidence that the error was reported: without it, no use goes unreported.

use std::collections::HashMap;

use crate::names::Name;
use crate::report::Reported;
use crate::syntax::{Head, Item, Items, Line, NameExpr, StatementKind, Symbol};

/// Names whose definitions were lost to an error.
#[derive(Debug, Default)]
pub(super) struct Lost {
    symbols: HashMap<Name, Reported>,
    macros: HashMap<Name, Reported>,
    functions: HashMap<Name, Reported>,
    routines: HashMap<Name, Reported>,
    pool: Option<Reported>,
    /// Something was lost that could have defined any name.
    everything: Option<Reported>,
}

impl Lost {
    /// The error that took a symbol away, if there was one.
    pub(super) fn symbol(&self, name: Name) -> Option<Reported> {
        self.everything.or_else(|| self.symbols.get(&name).copied())
    }

    /// The same for a macro.
    pub(super) fn macro_(&self, name: Name) -> Option<Reported> {
        self.everything.or_else(|| self.macros.get(&name).copied())
    }

    /// The same for a function.
    pub(super) fn function(&self, name: Name) -> Option<Reported> {
        self.everything.or_else(|| self.functions.get(&name).copied())
    }

    /// The same for a routine.
    pub(super) fn routine(&self, name: Name) -> Option<Reported> {
        self.everything.or_else(|| self.routines.get(&name).copied())
    }

    /// The same for the `.pool`.
    pub(super) fn pool(&self) -> Option<Reported> {
        self.everything.or(self.pool)
    }

    /// Loses whatever any name could have stood for.
    pub(super) fn lose_everything(&mut self, reported: Reported) {
        self.everything = Some(reported);
    }

    /// Loses a symbol by its name.
    pub(super) fn lose_name(&mut self, name: Name, reported: Reported) {
        self.symbols.insert(name, reported);
    }

    /// Loses a symbol.
    pub(super) fn lose_symbol(&mut self, symbol: &Symbol, reported: Reported) {
        self.lose(symbol, reported, |lost| &mut lost.symbols);
    }

    /// Loses a macro.
    pub(super) fn lose_macro(&mut self, symbol: &Symbol, reported: Reported) {
        self.lose(symbol, reported, |lost| &mut lost.macros);
    }

    /// Loses a routine.
    pub(super) fn lose_routine(&mut self, symbol: &Symbol, reported: Reported) {
        self.lose(symbol, reported, |lost| &mut lost.routines);
    }

    /// Loses a function; any of them, if its name was lost too.
    pub(super) fn lose_function(&mut self, name: Option<Name>, reported: Reported) {
        match name {
            Some(name) => {
                self.functions.insert(name, reported);
            }
            None => self.lose_everything(reported),
        }
    }

    fn lose(
        &mut self,
        symbol: &Symbol,
        reported: Reported,
        names: impl FnOnce(&mut Self) -> &mut HashMap<Name, Reported>,
    ) {
        match &symbol.name {
            NameExpr::Plain(name) => {
                names(self).insert(*name, reported);
            }
            NameExpr::Built(_) => self.lose_everything(reported),
        }
    }

    /// Loses all that items would have defined.
    pub(super) fn lose_items(&mut self, items: &Items, reported: Reported) {
        for item in items.iter() {
            match item {
                Item::Line(line) => self.lose_line(line, reported),
                Item::Block(block) => {
                    for branch in &block.branches {
                        self.lose_branch(&branch.head, &branch.body, reported);
                    }
                }
            }
        }
    }

    fn lose_branch(&mut self, head: &Head, body: &Items, reported: Reported) {
        match head {
            Head::Macro(head) => self.lose_macro(&head.name, reported),
            Head::Routine(head) => self.lose_routine(&head.name, reported),
            Head::LostRoutine(Some(name)) => self.lose_routine(name, reported),
            Head::LostMacro(Some(name)) => self.lose_macro(name, reported),
            Head::LostMacro(None)
            | Head::LostRoutine(None)
            | Head::Struct(_)
            | Head::LostStruct => self.lose_everything(reported),
            Head::Repeat { .. } | Head::If(_) | Head::ElseIf(_) | Head::Else => {
                self.lose_items(body, reported);
            }
        }
    }

    fn lose_line(&mut self, line: &Line, reported: Reported) {
        for label in &line.labels {
            self.lose_symbol(label, reported);
        }
        match line.statement.as_ref().map(|statement| &statement.kind) {
            Some(
                StatementKind::Assign { name, .. }
                | StatementKind::Var { name, .. }
                | StatementKind::Bad(Some(name)),
            ) => self.lose_symbol(name, reported),
            Some(StatementKind::Pool) => self.pool = Some(reported),
            Some(StatementKind::Function(head)) => self.lose_function(Some(head.name), reported),
            Some(StatementKind::LostFunction(name)) => self.lose_function(*name, reported),
            Some(StatementKind::Include { .. }) => self.lose_everything(reported),
            _ => {}
        }
    }
}
