//! What an error took away. Names whose definitions were lost with a bad line or a block that was
//! not expanded are remembered, so that their uses are not called mistakes.

use super::Expander;
use crate::names::Name;
use crate::syntax::{Head, Item, Items, Line, NameExpr, StatementKind, Symbol};

impl Expander<'_> {
    /// A definition that was lost to an error.
    pub(super) fn lose(&mut self, symbol: &Symbol) {
        match &symbol.name {
            NameExpr::Plain(name) => {
                self.lost.symbols.insert(*name);
            }
            NameExpr::Built(_) => self.lost.everything = true,
        }
    }

    /// Loses all that items would have defined.
    pub(super) fn lose_items(&mut self, items: &Items) {
        for item in items.iter() {
            match item {
                Item::Line(line) => self.lose_line(line),
                Item::Block(block) => {
                    for branch in &block.branches {
                        match &branch.head {
                            Head::Macro(head) => self.lose_macro(&head.name),
                            Head::Routine(head) => self.lose_routine(&head.name),
                            Head::LostRoutine(Some(name)) => self.lose_routine(name),
                            Head::LostMacro(Some(name)) => self.lose_macro(name),
                            Head::LostMacro(None)
                            | Head::LostRoutine(None)
                            | Head::Struct(_)
                            | Head::LostStruct => {
                                self.lost.everything = true;
                            }
                            _ => self.lose_items(&branch.body),
                        }
                    }
                }
            }
        }
    }

    fn lose_line(&mut self, line: &Line) {
        for label in &line.labels {
            self.lose(label);
        }
        match line.statement.as_ref().map(|statement| &statement.kind) {
            Some(
                StatementKind::Assign { name, .. }
                | StatementKind::Var { name, .. }
                | StatementKind::Bad(Some(name)),
            ) => self.lose(name),
            Some(StatementKind::Pool) => self.lost.pool = true,
            Some(StatementKind::Function(head)) => {
                self.lost.functions.insert(head.name);
            }
            Some(StatementKind::LostFunction(name)) => self.lose_function(*name),
            Some(StatementKind::Include { .. }) => self.lost.everything = true,
            _ => {}
        }
    }

    /// A function whose definition was lost to an error.
    pub(super) fn lose_function(&mut self, name: Option<Name>) {
        match name {
            Some(name) => {
                self.lost.functions.insert(name);
            }
            None => self.lost.everything = true,
        }
    }

    /// A routine whose definition was lost to an error.
    pub(super) fn lose_routine(&mut self, symbol: &Symbol) {
        match &symbol.name {
            NameExpr::Plain(name) => {
                self.lost.routines.insert(*name);
            }
            NameExpr::Built(_) => self.lost.everything = true,
        }
    }

    /// A macro whose definition was lost to an error.
    pub(super) fn lose_macro(&mut self, symbol: &Symbol) {
        match &symbol.name {
            NameExpr::Plain(name) => {
                self.lost.macros.insert(*name);
            }
            NameExpr::Built(_) => self.lost.everything = true,
        }
    }
}
