//! What each statement does.

use std::rc::Rc;

use super::layout::{Content, Placed, Refused};
use super::scope::{Binding, SiteKind};
use super::structure::places;
use super::{Assertion, At, Expander, LINES_MAX, Meaning};
use crate::names::Name;
use crate::problem::Problem;
use crate::source::{Location, Span};
use crate::syntax::{Block, Branch, Expr, Head, Statement, StatementKind, Symbol};

/// Program indexes and data addresses, as they are checked.
pub(super) const ADDRESSES: (i64, i64) = (0, 8191);

impl Expander<'_> {
    pub(super) fn statement(&mut self, statement: &Statement, at: At) {
        let span = statement.span;
        if places(&statement.kind) && self.in_place(span, at).is_err() {
            return;
        }
        match &statement.kind {
            StatementKind::Instruction { op, operand } => {
                self.place(Content::Instruction(*op, operand.clone()), span, at);
            }
            StatementKind::Halt => self.place(Content::Halt, span, at),
            StatementKind::Word(value) => self.place(Content::Word(value.clone()), span, at),
            StatementKind::Call { name, arguments } => self.call_macro(name, arguments, span, at),
            StatementKind::Assign { name, value } => self.constant(name, value, at),
            StatementKind::Org(index) => {
                let scope = self.scope(at);
                if let Ok(index) = self.known_in_range(index, &scope, "an index", ADDRESSES) {
                    self.layout.go_to(index);
                }
            }
            StatementKind::Ram(address) => {
                let scope = self.scope(at);
                let what = "a data address";
                if let Ok(address) = self.known_in_range(address, &scope, what, ADDRESSES) {
                    self.layout.go_to_variable(address);
                }
            }
            StatementKind::Pool => self.place_pool(span, at),
            StatementKind::CallRoutine { name, arguments } => {
                self.call_routine(name, arguments, span, at);
            }
            StatementKind::Return => self.place_return(span, at),
            StatementKind::Var { name, size } => self.variable(name, size.as_ref(), at),
            StatementKind::Include { name, span } => self.include(name, *span, at),
            StatementKind::Assert { condition, text } => {
                let (condition, text) = (condition.clone(), text.clone());
                let scope = self.scope(at);
                self.assert(Assertion { condition, text, scope });
            }
            StatementKind::Error(text) => {
                let problem = Problem::Stated(text.to_string());
                self.report(&problem, span, &self.scope(at));
            }
            StatementKind::Allow(lints) => self.allowed.extend(lints),
            StatementKind::Title(text) => self.set_title(text, span, at),
            StatementKind::Function(head) => self.define_function(head, at),
            StatementKind::LostFunction(name) => {
                let reported = self.refused_by_parser(span, &self.scope(at));
                self.lost.lose_function(*name, reported);
            }
            StatementKind::Bad(name) => {
                let reported = self.refused_by_parser(span, &self.scope(at));
                if let Some(name) = name {
                    self.lost.lose_symbol(name, reported);
                }
            }
            // The lines that open and close blocks were made blocks.
            StatementKind::Open(_) | StatementKind::Close(_) => {}
        }
    }

    /// Puts a word at the next index.
    pub(super) fn place(&mut self, content: Content, span: Span, at: At) {
        let scope = self.scope(at);
        let problem = match self.layout.place(Placed { content, span, scope }) {
            Ok(()) | Err(Refused::Again) => return,
            Err(Refused::Full) => Problem::ProgramFull,
            Err(Refused::Taken(index)) => Problem::Overlap(index),
        };
        let first = match problem {
            Problem::Overlap(index) => self.layout.at(index),
            _ => None,
        };
        let first = first.map(|first| Location { file: first.scope.file, span: first.span });
        self.report_with(&problem, span, &scope, |_, diagnostic| match first {
            Some(_) => diagnostic.note("the first one is here", first),
            None => diagnostic,
        });
    }

    /// `.var`
    fn variable(&mut self, symbol: &Symbol, size: Option<&Expr>, at: At) {
        let Ok(name) = self.defined_name(symbol, at) else { return };
        let scope = self.scope(at);
        let size = match size {
            Some(size) => self.known_in_range(size, &scope, "the size of a variable", (0, 8192)),
            None => Ok(1),
        };
        let size = match size {
            Ok(size) => size,
            Err(reported) => return self.lost.lose_symbol(symbol, reported),
        };
        if let Some(structure) = self.structure {
            return self.field(structure, name, symbol, size, at);
        }
        if self.is_of_routine(name, at) {
            return self.routine_variable(name, symbol, size, at);
        }
        match self.layout.reserve(size.into()) {
            Ok(address) => {
                let meaning = Meaning::Variable { address, size, routine: None };
                self.define(name, symbol, meaning, at);
            }
            Err((start, last)) => {
                let name = self.sources.names.text(name).to_owned();
                let problem = Problem::ReachesPanel { name, start, last };
                let reported = self.report(&problem, symbol.span, &scope);
                self.lost.lose_symbol(symbol, reported);
            }
        }
    }

    /// `.include`
    fn include(&mut self, name: &Rc<str>, span: Span, at: At) {
        let file = match self.sources.include(at.file, name) {
            Ok(file) => file,
            Err(problem) => {
                let reported = self.report(&problem, span, &self.scope(at));
                return self.lost.lose_everything(reported);
            }
        };
        if !self.taken.insert(file) {
            let start = self.including.iter().position(|&known| known == file);
            if let Some(start) = start {
                self.report_include_cycle(start, span, at);
            }
            return;
        }
        if self.may_expand(0, span, at) {
            let env = super::EnvId::ROOT;
            let site = self.site(SiteKind::Include, span, at);
            self.file(At { file, env, site, depth: at.depth + 1 });
        }
    }

    fn report_include_cycle(&mut self, start: usize, span: Span, at: At) {
        let name = |file| self.sources.files.get(file).name();
        let first = self.including[start];
        let circle = self.including[start..].iter().chain([&first]);
        let path = circle.map(|&file| name(file)).collect::<Vec<_>>().join(" -> ");
        let problem = Problem::IncludeCycle(name(first).to_owned());
        let scope = self.scope(at);
        self.report_with(&problem, span, &scope, |_, diagnostic| {
            diagnostic.note(format!("the circle is {path}"), None)
        });
    }

    /// `.title`
    fn set_title(&mut self, text: &Rc<str>, span: Span, at: At) {
        let location = Location { file: at.file, span };
        let Some((_, first)) = self.title else {
            self.title = Some((text.clone(), location));
            return;
        };
        let scope = self.scope(at);
        self.report_with(&Problem::TitleTwice, span, &scope, |_, diagnostic| {
            diagnostic.note("it is given here", Some(first))
        });
    }

    /// A macro, a repeat, a structure or an `.if`.
    pub(super) fn block(&mut self, block: &Block, at: At) {
        for branch in &block.branches {
            let (condition, what) = match &branch.head {
                Head::Macro(head) => return self.define_macro(head, branch, at),
                Head::Struct(name) => return self.structure(name, branch, at),
                Head::Routine(head) => return self.routine(head, branch, block.end, at),
                Head::LostMacro(_) | Head::LostRoutine(_) | Head::LostStruct => {
                    return self.lost_block(branch, at);
                }
                Head::Repeat { count, index } => return self.repeat(count, *index, branch, at),
                Head::If(condition) => (condition, "the condition of `.if`"),
                Head::ElseIf(condition) => (condition, "the condition of `.elseif`"),
                Head::Else => return self.branch(branch, at),
            };
            let scope = self.scope(at);
            match self.known_number(condition, &scope, what) {
                Ok(0) => {}
                Ok(_) => return self.branch(branch, at),
                // Whichever branch it would have been: what it defines is missing now.
                Err(reported) => {
                    let bodies = block.branches.iter().map(|branch| &branch.body);
                    return bodies.for_each(|body| self.lost.lose_items(body, reported));
                }
            }
        }
    }

    /// A block whose first line has an error: what it would have defined is missing now.
    fn lost_block(&mut self, branch: &Branch, at: At) {
        let reported = self.refused_by_parser(branch.span, &self.scope(at));
        match &branch.head {
            Head::LostMacro(Some(name)) => self.lost.lose_macro(name, reported),
            Head::LostRoutine(Some(name)) => {
                self.lost.lose_routine(name, reported);
                self.lost.lose_items(&branch.body, reported);
            }
            _ => self.lost.lose_everything(reported),
        }
    }

    fn branch(&mut self, branch: &Branch, at: At) {
        self.items(&branch.body, At { depth: at.depth + 1, ..at });
    }

    /// `.repeat`
    fn repeat(&mut self, count: &Expr, index: Option<Name>, branch: &Branch, at: At) {
        let scope = self.scope(at);
        let range = (0, i64::from(LINES_MAX));
        let what = "the count of `.repeat`";
        let count: u32 = match self.known_in_range(count, &scope, what, range) {
            Ok(count) => count,
            Err(reported) => return self.lost.lose_items(&branch.body, reported),
        };
        for turn in 0..count {
            if !self.may_expand(branch.body.len(), branch.span, at) {
                return;
            }
            let env = match index {
                Some(index) => self.scopes.env(at.env, [(index, Binding::Number(turn.into()))]),
                None => at.env,
            };
            let site = self.site(SiteKind::Repeat(turn), branch.span, at);
            self.expansion(&branch.body, At { env, site, depth: at.depth + 1, ..at });
        }
    }
}
