//! Finds definitions that a use cannot see: in another scope, or in lines that are not assembled.

use crate::names::{Name, Names};
use crate::source::Span;
use crate::syntax::{Branch, Head, Item, NameExpr, Statement, StatementKind, Symbol};

/// Returns the place in these lines that defines a name, and a description of where the name is
/// visible.
pub(crate) fn find(items: &[Item], name: Name, names: &Names) -> Option<(Span, String)> {
    Search { name, names }.search(items, "other lines", None)
}

/// The search for a definition of a name.
struct Search<'a> {
    name: Name,
    names: &'a Names,
}

impl Search<'_> {
    /// Searches lines that share their local names. `owner` describes these lines if no global
    /// label divides them.
    fn search(&self, items: &[Item], owner: &str, routine: Option<&str>) -> Option<(Span, String)> {
        let mut lines = Vec::new();
        push_unbranched(items, &mut lines);
        lines.iter().enumerate().find_map(|(at, item)| match item {
            Item::Block(block) => block.branches.iter().find_map(|b| self.search_block(b, routine)),
            Item::Statement(Statement { span, kind: StatementKind::Function(head) }) => {
                let is_parameter = head.parameters.iter().any(|it| it.name == self.name);
                let visibility = "is a parameter of this function, visible only in its expression";
                is_parameter.then(|| (*span, self.note(visibility)))
            }
            item => {
                let symbol = defined(item).filter(|symbol| self.matches(symbol))?;
                let visibility = match routine {
                    _ if self.names.is_local(self.name) => self.describe_range(&lines, at, owner),
                    Some(routine) => format!("is visible only in the routine `{routine}`"),
                    None => "is defined here, in lines that are not assembled".to_owned(),
                };
                Some((symbol.span, self.note(&visibility)))
            }
        })
    }

    /// Searches a block that has names of its own.
    fn search_block(&self, branch: &Branch, routine: Option<&str>) -> Option<(Span, String)> {
        let Branch { head, span, body, .. } = branch;
        let text = |symbol: &Symbol| match &symbol.name {
            NameExpr::Plain(name) => self.names.text(*name).to_owned(),
            NameExpr::Built(_) | NameExpr::Missing => "…".to_owned(),
        };
        match head {
            Head::Repeat { index: Some(index), .. } if index.name == self.name => {
                let visibility = "is the index of this `.repeat`, visible only in its lines";
                Some((*span, self.note(visibility)))
            }
            Head::Macro(head) if head.parameters.iter().any(|it| it.name.name == self.name) => {
                Some((*span, self.note("is a parameter of this macro, visible only in its lines")))
            }
            Head::Macro(head) => {
                self.search(body, &format!("the macro `{}`", text(&head.name)), routine)
            }
            Head::Routine(head) => {
                let name = text(&head.name);
                let visibility = format!("is visible only in the routine `{name}`");
                let mut variables = head.variables();
                let own = variables.find(|symbol| self.matches(symbol));
                own.map(|symbol| (symbol.span, self.note(&visibility)))
                    .or_else(|| self.search(body, &format!("the routine `{name}`"), Some(&name)))
            }
            Head::Struct(structure) => {
                let field = body.iter().filter_map(defined).find(|it| self.matches(it));
                let (structure, field) = (text(structure), field?);
                let name = self.names.text(self.name);
                let visibility = format!("is called `{structure}_{name}` outside its structure");
                Some((field.span, self.note(&visibility)))
            }
            _ => self.search(body, "this `.repeat`", routine),
        }
    }

    /// Describes the lines that can use the local name defined at `at`: those between two global
    /// labels.
    fn describe_range(&self, lines: &[&Item], at: usize, owner: &str) -> String {
        let global = |item: &&Item| match item {
            Item::Label(Symbol { name: NameExpr::Plain(name), .. }) => {
                (!self.names.is_local(*name)).then(|| self.names.text(*name).to_owned())
            }
            _ => None,
        };
        let first = lines[..at].iter().rev().find_map(global);
        let next = lines[at..].iter().find_map(global);
        match (first, next) {
            (Some(first), Some(next)) => format!("belongs to the lines from `{first}` to `{next}`"),
            (Some(first), None) => format!("belongs to the lines from `{first}` on"),
            (None, Some(next)) => format!("belongs to the lines before `{next}`"),
            (None, None) => format!("belongs to {owner}"),
        }
    }

    fn matches(&self, symbol: &Symbol) -> bool {
        matches!(symbol.name, NameExpr::Plain(name) if name == self.name)
    }

    fn note(&self, visibility: &str) -> String {
        format!("`{}` {visibility}", self.names.text(self.name))
    }
}

/// Returns the name that an item defines.
fn defined(item: &Item) -> Option<&Symbol> {
    match item {
        Item::Label(symbol) => Some(symbol),
        Item::Statement(Statement { kind, .. }) => match kind {
            StatementKind::Assign(constant) | StatementKind::Default(constant) => {
                Some(&constant.name)
            }
            StatementKind::Var(variable) => Some(&variable.name),
            _ => None,
        },
        Item::Block(_) => None,
    }
}

/// Adds lines, replacing each `.if` by the lines of its branches, because a branch has no scope of
/// its own.
fn push_unbranched<'a>(items: &'a [Item], lines: &mut Vec<&'a Item>) {
    for item in items {
        match item {
            Item::Block(block) if block.branches.iter().all(|it| is_branch(&it.head)) => {
                block.branches.iter().for_each(|branch| push_unbranched(&branch.body, lines));
            }
            item => lines.push(item),
        }
    }
}

fn is_branch(head: &Head) -> bool {
    matches!(head, Head::If(_) | Head::ElseIf(_) | Head::Else)
}
