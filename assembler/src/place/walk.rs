//! The walk over the tree: what each statement and each block does.

use std::rc::Rc;

use super::placement::{Assertion, Content, Placement};
use super::placer::{At, Outcome, Placer, Unwinding, go_on};
use super::plan::Plan;
use crate::evaluate::{Findings, Memo, Unknown};
use crate::limits::{ADDRESSES, DEPTH_MAX, LINES_MAX};
use crate::names::Name;
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::{FileId, Location, Span};
use crate::sources::Sources;
use crate::symbols::{Binding, DefinedFunction, EnvId, Meaning, Namespace, SiteId, SiteKind};
use crate::syntax::{
    Block, Branch, Constant, Expr, FunctionHead, Head, Inclusion, Item, Items, Statement,
    StatementKind, Symbol,
};

/// Places a program that starts with a file, and gives what evaluation goes on with.
pub(crate) fn place(
    root: FileId,
    sources: &mut Sources<'_>,
    plan: &Plan,
) -> (Placement, Memo, Findings) {
    let mut placer = Placer::new(sources, plan);
    placer.walk.taken.insert(root);
    placer.file(At { file: root, env: EnvId::ROOT, site: SiteId::ROOT, depth: 0 });
    placer.finish()
}

impl Placer<'_, '_> {
    /// Places a file.
    fn file(&mut self, at: At) {
        let parsed = self.sources.parsed(at.file);
        self.findings.reporter.extend(parsed.diagnostics.iter().cloned());
        self.walk.including.push(at.file);
        self.items(&parsed.items, at);
        self.walk.including.pop();
    }

    /// Places items in order. A caption among them holds to their end.
    pub(super) fn items(&mut self, items: &Items, at: At) {
        let around = self.walk.caption.clone();
        self.items_in_order(items, at);
        self.walk.caption = around;
    }

    fn items_in_order(&mut self, items: &Items, at: At) {
        for item in items.iter() {
            match self.walk.unwinding {
                Some(Unwinding::ToRoot(_)) if at.depth == 0 => self.walk.unwinding = None,
                Some(_) => return,
                None => {}
            }
            go_on(match item {
                Item::Label(label) => self.label(label, at),
                Item::Statement(statement) => self.statement(statement, at),
                Item::Block(block) => self.block(block, at),
            });
        }
    }

    fn statement(&mut self, statement: &Statement, at: At) -> Outcome {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Instruction { op, operand } => {
                self.place(Content::Instruction(*op, operand.clone()), span, at)
            }
            StatementKind::Halt => self.place(Content::Halt, span, at),
            StatementKind::Word(value) => self.place(Content::Word(value.clone()), span, at),
            StatementKind::Call(call) => self.call_macro(call, span, at),
            StatementKind::CallRoutine(call) => self.call_routine(call, span, at),
            StatementKind::Return => self.place_return(span, at),
            StatementKind::Assign(constant) => self.constant(constant, at),
            StatementKind::Var(variable) => self.variable(variable, at),
            StatementKind::Pool => self.place_pool(span, at),
            StatementKind::Function(head) => self.function(head, at),
            StatementKind::Include(inclusion) => self.include(inclusion, at),
            StatementKind::Org(index) => self.org(index, span, at),
            StatementKind::Ram(address) => self.ram(address, span, at),
            StatementKind::Assert(assertion) => {
                let (condition, text) = (assertion.condition.clone(), assertion.text.clone());
                let scope = self.scope(at);
                self.assert(Assertion { condition, text, scope })
            }
            StatementKind::Error(text) => {
                Err(self.report(&Problem::Stated(text.to_string()), span, at))
            }
            StatementKind::Title(text) => self.title(text, span, at),
            StatementKind::Show(shown) => self.show(shown, span, at),
            StatementKind::Caption(text) => {
                self.walk.caption.clone_from(text);
                Ok(())
            }
            StatementKind::Allow(lints) => {
                self.settings.allowed.extend(lints.iter().copied());
                Ok(())
            }
            StatementKind::LostFunction(name) => {
                let reported = self.refused_by_parser(span, at);
                self.symbols.lost.lose_function(*name, reported);
                Err(reported)
            }
            StatementKind::Bad(name) => {
                let reported = self.refused_by_parser(span, at);
                if let Some(name) = name {
                    self.lose(Namespace::Symbols, name, reported);
                }
                Err(reported)
            }
            // The lines that open and close blocks were made blocks.
            StatementKind::Open(_) | StatementKind::Close(_) => Ok(()),
        }
    }

    /// A macro, a routine, a repeat, a structure or an `.if`.
    fn block(&mut self, block: &Block, at: At) -> Outcome {
        for branch in &block.branches {
            let is_taken = match &branch.head {
                Head::Macro(head) => return self.define_macro(head, branch, at),
                Head::Struct(name) => return self.structure(name, branch, at),
                Head::Routine(head) => return self.routine(head, branch, block.end, at),
                Head::Repeat { count, index } => return self.repeat(count, *index, branch, at),
                Head::LostMacro(_) | Head::LostRoutine(_) | Head::LostStruct => {
                    let reported = self.refused_by_parser(branch.span, at);
                    self.symbols.lost.lose_branch(&branch.head, &branch.body, reported);
                    return Err(reported);
                }
                Head::If(condition) => self.is_true(condition, "the condition of `.if`", at),
                Head::ElseIf(condition) => {
                    self.is_true(condition, "the condition of `.elseif`", at)
                }
                Head::Else => Ok(true),
            };
            // Whichever branch it would have been: what it defines is missing now.
            let is_taken = is_taken.inspect_err(|reported| {
                let bodies = block.branches.iter().map(|branch| &branch.body);
                bodies.for_each(|body| self.symbols.lost.lose_items(body, *reported));
            })?;
            if is_taken {
                self.items(&branch.body, at.deeper());
                return Ok(());
            }
        }
        Ok(())
    }

    fn is_true(&mut self, condition: &Expr, what: &'static str, at: At) -> Result<bool, Reported> {
        let scope = self.scope(at);
        self.evaluator().known_number(condition, &scope, what).map(|number| number != 0)
    }

    fn refused_by_parser(&mut self, span: Span, at: At) -> Reported {
        let scope = self.scope(at);
        self.evaluator().refused_by_parser(span, &scope)
    }
}

/// What expands.
impl Placer<'_, '_> {
    /// Places the body of a macro, a turn of a repeat or a routine in a local scope of its own.
    pub(super) fn expansion(&mut self, items: &Items, at: At) {
        let around = self.walk.locals;
        self.walk.locals = self.symbols.scopes.local_scope(around);
        self.items(items, at);
        self.walk.locals = around;
    }

    /// Counts lines that something expands to.
    ///
    /// # Errors
    /// If there are too many, or they are nested too deep.
    pub(super) fn count_lines(&mut self, items: &[Item], span: Span, at: At) -> Outcome {
        if let Some(unwinding) = self.walk.unwinding {
            return Err(unwinding.reported());
        }
        // Labels are counted as symbols.
        let lines = items.iter().filter(|item| !matches!(item, Item::Label(_))).count();
        let lines = u32::try_from(lines).unwrap_or(u32::MAX).max(1);
        self.walk.lines = self.walk.lines.saturating_add(lines);
        if self.walk.lines > LINES_MAX {
            return Err(self.use_up(&Problem::ExpandedTooFar, span, at));
        }
        if at.depth >= DEPTH_MAX {
            return Err(self.give_up(&Problem::ExpandedTooDeep, span, at));
        }
        Ok(())
    }

    /// `.repeat`
    fn repeat(&mut self, count: &Expr, index: Option<Name>, branch: &Branch, at: At) -> Outcome {
        let (scope, range) = (self.scope(at), (0, i64::from(LINES_MAX)));
        let what = "the count of `.repeat`";
        let count: u32 = self
            .evaluator()
            .known_in_range(count, &scope, what, range)
            .inspect_err(|reported| self.symbols.lost.lose_items(&branch.body, *reported))?;
        for turn in 0..count {
            self.count_lines(&branch.body, branch.span, at)?;
            let env = match index {
                Some(index) => {
                    self.symbols.scopes.env(at.env, [(index, Binding::Number(turn.into()))])
                }
                None => at.env,
            };
            let site = self.site(SiteKind::Repeat(turn), branch.span, at);
            self.expansion(&branch.body, At { env, site, ..at.deeper() });
        }
        Ok(())
    }

    /// `.include`
    fn include(&mut self, inclusion: &Inclusion, at: At) -> Outcome {
        let Inclusion { name, span } = inclusion;
        let span = *span;
        self.outside_structure(span, at)?;
        let file = self.sources.include(at.file, name).map_err(|problem| {
            let help = self.sources.include_help(name, at.file, span);
            let scope = self.scope(at);
            let reported = self
                .evaluator()
                .report_with(&problem, span, &scope, |diagnostic| diagnostic.help(help));
            self.symbols.lost.lose_everything(reported);
            reported
        })?;
        if !self.walk.taken.insert(file) {
            let start = self.walk.including.iter().position(|&known| known == file);
            return start.map_or(Ok(()), |start| Err(self.report_include_cycle(start, span, at)));
        }
        self.count_lines(&[], span, at)?;
        let site = self.site(SiteKind::Include, span, at);
        self.file(At { file, env: EnvId::ROOT, site, ..at.deeper() });
        Ok(())
    }

    fn report_include_cycle(&mut self, start: usize, span: Span, at: At) -> Reported {
        let name = |file| self.sources.files.get(file).name();
        let first = self.walk.including[start];
        let cycle = self.walk.including[start..].iter().chain([&first]);
        let path = cycle.map(|&file| name(file)).collect::<Vec<_>>().join(" -> ");
        let problem = Problem::IncludeCycle(name(first).to_owned());
        let scope = self.scope(at);
        self.evaluator().report_with(&problem, span, &scope, |diagnostic| {
            diagnostic.note(format!("the cycle is {path}"), None)
        })
    }
}

/// What defines a name, or says something about the program.
impl Placer<'_, '_> {
    /// A label at the next instruction. A global one ends the local scope before it.
    fn label(&mut self, symbol: &Symbol, at: At) -> Outcome {
        self.outside_structure(symbol.span, at)
            .map_err(|reported| self.lose(Namespace::Symbols, symbol, reported))?;
        let name = self.known_name(symbol, at)?;
        let index = self.program.next();
        let outcome = self.define(name, symbol, Meaning::Label(index), at);
        if !self.sources.names.is_local(name) {
            self.walk.locals = self.symbols.scopes.next_local_scope(self.walk.locals);
        }
        outcome
    }

    /// `name = value`
    fn constant(&mut self, constant: &Constant, at: At) -> Outcome {
        let name = self.known_name(&constant.name, at)?;
        let thunk = self.keep(&constant.value, name, at);
        self.define(name, &constant.name, Meaning::Constant(thunk), at)
    }

    /// `.function`
    fn function(&mut self, head: &Rc<FunctionHead>, at: At) -> Outcome {
        let scope = self.scope(at);
        if let Some(first) = self.symbols.functions.get(&head.name) {
            let first = first.location();
            let mut evaluator = self.evaluator();
            return Err(evaluator.report_twice("function", head.name, head.span, first, &scope));
        }
        let function = DefinedFunction { head: head.clone(), scope };
        self.symbols.functions.insert(head.name, Rc::new(function));
        Ok(())
    }

    /// `.org`
    fn org(&mut self, index: &Expr, span: Span, at: At) -> Outcome {
        let index = self.address(index, "an index", span, at)?;
        self.program.go_to(index);
        self.walk.refused = None;
        Ok(())
    }

    /// `.ram`
    fn ram(&mut self, address: &Expr, span: Span, at: At) -> Outcome {
        let address = self.address(address, "a data address", span, at)?;
        self.data.go_to(address.into());
        Ok(())
    }

    /// An address in one of the memories, for the next instruction or variable.
    fn address(
        &mut self,
        address: &Expr,
        what: &'static str,
        span: Span,
        at: At,
    ) -> Result<u32, Reported> {
        self.outside_structure(span, at)?;
        let scope = self.scope(at);
        self.evaluator().known_in_range(address, &scope, what, ADDRESSES)
    }

    /// `.assert`: checked at once if its value is known, else when everything is.
    fn assert(&mut self, assertion: Assertion) -> Outcome {
        match assertion.check(&mut self.evaluator()) {
            Err(Unknown::Reported(reported)) => Err(reported),
            Err(Unknown::Missing(_)) => {
                self.assertions.push(assertion);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// `.title`
    fn title(&mut self, text: &Rc<str>, span: Span, at: At) -> Outcome {
        let first = self.settings.title.as_ref().map(|(_, first)| *first);
        self.refuse_second("title", first, span, at)?;
        self.settings.title = Some((text.clone(), Location { file: at.file, span }));
        Ok(())
    }

    /// Refuses a setting that the program has already.
    pub(super) fn refuse_second(
        &mut self,
        what: &'static str,
        first: Option<Location>,
        span: Span,
        at: At,
    ) -> Outcome {
        let Some(first) = first else { return Ok(()) };
        let note = ("it is given here", first);
        Err(self.report_beside(&Problem::SecondSetting(what), span, at, Some(note)))
    }
}
