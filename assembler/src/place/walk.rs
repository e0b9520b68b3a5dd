//! The walk over the tree, which decides which line is next. It expands macros and repeats,
//! includes files and chooses the branches of an `.if`. The effect of a line is up to the
//! [`Draft`], which knows nothing of the walk.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::draft::{Draft, LineContext, Outcome, Unwinding, recover};
use super::macros::CallOfMacro;
use super::placement::{Placement, WordContent};
use super::plan::Plan;
use crate::diagnostic::Diagnostic;
use crate::evaluate::{Findings, Memo};
use crate::limits::{ARGUMENTS_MAX, DEPTH_MAX, LINES_MAX};
use crate::names::Name;
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::{FileId, Span};
use crate::sources::Sources;
use crate::symbols::{Binding, EnvId, Namespace, SiteId, SiteKind};
use crate::syntax::{
    Block, Branch, Expr, Head, Inclusion, Item, Items, MacroCall, RoutineHead, Statement,
    StatementKind, Symbol,
};

/// Places a program that starts with a file; also returns the state of evaluation for linking.
pub(crate) fn place(
    root: FileId,
    sources: &mut Sources<'_>,
    plan: &Plan,
) -> (Placement, Memo, Findings) {
    let mut walker = Walker {
        draft: Draft::new(sources, plan),
        including: Vec::new(),
        taken: HashSet::from([root]),
        lines: 0,
        endless: HashMap::new(),
    };
    walker.file(LineContext { file: root, env: EnvId::ROOT, site: SiteId::ROOT, depth: 0 });
    walker.draft.finish()
}

/// Walks over the tree, and over the bodies of macros and repeats again and again.
struct Walker<'a, 'l> {
    draft: Draft<'a, 'l>,
    /// The files whose lines are being placed, the root first.
    including: Vec<FileId>,
    /// The files that were placed, or are being.
    taken: HashSet<FileId>,
    /// The number of lines that were expanded.
    lines: u32,
    /// Macros that expand without end, with the error that says so.
    endless: HashMap<Name, Reported>,
}

impl Walker<'_, '_> {
    /// Places a file.
    fn file(&mut self, at: LineContext) {
        let parsed = self.draft.sources.parsed(at.file);
        self.draft.findings.reporter.extend(parsed.diagnostics.iter().cloned());
        self.including.push(at.file);
        self.items(&parsed.items, at);
        self.including.pop();
    }

    /// Places items in order. A caption among them holds to their end.
    fn items(&mut self, items: &Items, at: LineContext) {
        let around = self.draft.caption.clone();
        self.items_in_order(items, at);
        self.draft.caption = around;
    }

    fn items_in_order(&mut self, items: &Items, at: LineContext) {
        for item in items.iter() {
            match self.draft.unwinding {
                Some(Unwinding::ToRoot(_)) if at.depth == 0 => self.draft.unwinding = None,
                Some(_) => return,
                None => {}
            }
            recover(match item {
                Item::Label(label) => self.draft.label(label, at),
                Item::Statement(statement) => self.statement(statement, at),
                Item::Block(block) => self.block(block, at),
            });
        }
    }

    fn statement(&mut self, statement: &Statement, at: LineContext) -> Outcome {
        let span = statement.span;
        let draft = &mut self.draft;
        match &statement.kind {
            StatementKind::Call(call) => self.call_macro(call, span, at),
            StatementKind::Include(inclusion) => self.include(inclusion, at),
            StatementKind::Instruction { op, operand } => {
                draft.place(WordContent::Instruction(*op, operand.clone()), span, at)
            }
            StatementKind::Halt => draft.place(WordContent::Halt, span, at),
            StatementKind::Word(value) => draft.place(WordContent::Word(value.clone()), span, at),
            StatementKind::CallRoutine(call) => draft.call_routine(call, span, at),
            StatementKind::Return => draft.place_return(span, at),
            StatementKind::Assign(constant) => draft.constant(constant, at),
            StatementKind::Default(constant) => draft.default(constant, at),
            StatementKind::Var(variable) => draft.variable(variable, at),
            StatementKind::Pool => draft.place_pool(span, at),
            StatementKind::Function(head) => draft.function(head, at),
            StatementKind::Org(index) => draft.org(index, span, at),
            StatementKind::Ram(address) => draft.ram(address, span, at),
            StatementKind::Assert(assertion) => draft.assert(assertion, at),
            StatementKind::Error(text) => {
                Err(draft.report(&Problem::Stated(text.to_string()), span, at))
            }
            StatementKind::Title(text) => draft.title(text, span, at),
            StatementKind::Show(shown) => draft.show(shown, span, at),
            StatementKind::Caption(text) => {
                draft.caption.clone_from(text);
                Ok(())
            }
            StatementKind::Allow(lints) => {
                draft.settings.allowed.extend(lints.iter().copied());
                Ok(())
            }
            StatementKind::LostFunction(name) => {
                let reported = draft.refused_by_parser(span, at);
                draft.symbols.lost.lose_function(*name, reported);
                Err(reported)
            }
            StatementKind::Bad(name) => {
                let reported = draft.refused_by_parser(span, at);
                if let Some(name) = name {
                    draft.lose(Namespace::Symbols, name, reported);
                }
                Err(reported)
            }
            // The lines that open and close blocks were made blocks.
            StatementKind::Open(_) | StatementKind::Close(_) => Ok(()),
        }
    }

    /// A macro, a routine, a repeat, a structure or an `.if`.
    fn block(&mut self, block: &Block, at: LineContext) -> Outcome {
        for branch in &block.branches {
            let is_taken = match &branch.head {
                Head::Macro(head) => return self.draft.define_macro(head, branch, at),
                Head::Struct(name) => return self.structure(name, branch, at),
                Head::Routine(head) => return self.routine(head, branch, block.end, at),
                Head::Repeat { count, index } => return self.repeat(count, *index, branch, at),
                Head::LostMacro(_) | Head::LostRoutine(_) | Head::LostStruct => {
                    let reported = self.draft.refused_by_parser(branch.span, at);
                    self.draft.symbols.lost.lose_branch(&branch.head, &branch.body, reported);
                    return Err(reported);
                }
                Head::If(condition) => self.draft.is_true(condition, "the condition of `.if`", at),
                Head::ElseIf(condition) => {
                    self.draft.is_true(condition, "the condition of `.elseif`", at)
                }
                Head::Else => Ok(true),
            };
            // Any branch might have been taken: the names of all are lost.
            let is_taken = is_taken.inspect_err(|reported| {
                let bodies = block.branches.iter().map(|branch| &branch.body);
                bodies.for_each(|body| self.draft.symbols.lost.lose_items(body, *reported));
            })?;
            if is_taken {
                self.items(&branch.body, at.deeper());
                return Ok(());
            }
        }
        Ok(())
    }

    /// `.struct name` … `.endstruct`: defines the offsets of its variables and its size as
    /// constants.
    fn structure(&mut self, symbol: &Symbol, branch: &Branch, at: LineContext) -> Outcome {
        let name = self.draft.open_structure(symbol, branch.span, at)?;
        self.items(&branch.body, at.deeper());
        self.draft.close_structure(name, symbol, at)
    }

    /// `.routine` … `.endroutine`
    fn routine(
        &mut self,
        head: &Rc<RoutineHead>,
        branch: &Branch,
        end: Span,
        at: LineContext,
    ) -> Outcome {
        let (number, inside) = self.draft.open_routine(head, (branch.span, end), at)?;
        let caption = self.draft.caption.take();
        self.expansion(&branch.body, inside);
        let outcome = self.draft.close_routine(number, end, inside);
        self.draft.caption = caption;
        outcome
    }

    /// Places the body of a macro, of a routine, or of an iteration of a repeat in a local scope of
    /// its own.
    fn expansion(&mut self, items: &Items, at: LineContext) {
        let around = self.draft.locals;
        self.draft.locals = self.draft.symbols.scopes.local_scope(around);
        self.items(items, at);
        self.draft.locals = around;
    }

    /// Counts lines that something expands to.
    ///
    /// # Errors
    /// If there are too many, or they are nested too deep.
    fn count_lines(&mut self, items: &[Item], span: Span, at: LineContext) -> Outcome {
        if let Some(unwinding) = self.draft.unwinding {
            return Err(unwinding.reported());
        }
        // Labels are counted as symbols.
        let lines = items.iter().filter(|item| !matches!(item, Item::Label(_))).count();
        let lines = u32::try_from(lines).unwrap_or(u32::MAX).max(1);
        self.lines = self.lines.saturating_add(lines);
        if self.lines > LINES_MAX {
            return Err(self.draft.use_up(&Problem::ExpandedTooFar, span, at));
        }
        if at.depth >= DEPTH_MAX {
            return Err(self.draft.give_up(&Problem::ExpandedTooDeep, span, at));
        }
        Ok(())
    }

    /// `.repeat`
    fn repeat(
        &mut self,
        count: &Expr,
        index: Option<Name>,
        branch: &Branch,
        at: LineContext,
    ) -> Outcome {
        let (scope, range) = (self.draft.scope(at), (0, i64::from(LINES_MAX)));
        let what = "the count of `.repeat`";
        let count: u32 =
            self.draft.evaluator().known_in_range(count, &scope, what, range).inspect_err(
                |reported| self.draft.symbols.lost.lose_items(&branch.body, *reported),
            )?;
        for turn in 0..count {
            self.count_lines(&branch.body, branch.span, at)?;
            let scopes = &mut self.draft.symbols.scopes;
            let env = match index {
                Some(index) => scopes.env(at.env, [(index, Binding::Number(turn.into()))]),
                None => at.env,
            };
            let site = self.draft.site(SiteKind::Repeat(turn), branch.span, at);
            self.expansion(&branch.body, LineContext { env, site, ..at.deeper() });
        }
        Ok(())
    }

    /// A call of a macro.
    fn call_macro(&mut self, call: &MacroCall, span: Span, at: LineContext) -> Outcome {
        let MacroCall { name: symbol, arguments } = call;
        let name = self.draft.known_name(symbol, at)?;
        let called = self.draft.called_macro(name, symbol.span, at)?;
        if let Some(reported) = self.endless.get(&name) {
            return Err(*reported);
        }
        self.refuse_endless(name, span, at)?;
        self.count_lines(&called.body, span, at)?;
        let bindings = self.draft.symbols.scopes.binding_count() + called.head.parameters.len();
        if bindings > ARGUMENTS_MAX {
            return Err(self.draft.use_up(&Problem::TooManyBindings, span, at));
        }
        let site = self.draft.site(SiteKind::Macro(name), span, at);
        let draft = &mut self.draft;
        let bindings = CallOfMacro { draft, called: &called, name, span, at, site }
            .bind(arguments)
            .inspect_err(|reported| self.draft.symbols.lost.lose_items(&called.body, *reported))?;
        let env = self.draft.symbols.scopes.env(called.env, bindings);
        self.expansion(&called.body, LineContext { file: called.file, env, site, ..at.deeper() });
        if let Some(unwinding) = self.draft.unwinding {
            let reported = unwinding.reported();
            self.endless.insert(name, reported);
            self.draft.symbols.lost.lose_items(&called.body, reported);
        }
        Ok(())
    }

    /// Refuses a call that is nested too deep, if the macro has called itself.
    fn refuse_endless(&mut self, name: Name, span: Span, at: LineContext) -> Outcome {
        let scopes = &self.draft.symbols.scopes;
        let is_itself = SiteKind::Macro(name);
        let calls_itself = || scopes.sites_of(at.site).any(|(_, site)| site.kind == is_itself);
        if at.depth < DEPTH_MAX || !calls_itself() {
            return Ok(());
        }
        let problem = Problem::EndlessMacro(self.draft.sources.names.text(name).to_owned());
        Err(self.draft.give_up(&problem, span, at))
    }

    /// `.include`
    fn include(&mut self, inclusion: &Inclusion, at: LineContext) -> Outcome {
        let Inclusion { name, span } = inclusion;
        let (span, draft) = (*span, &mut self.draft);
        draft.outside_structure(span, at)?;
        let found = if name.contains('\\') {
            Err(Problem::Backslash(name.to_string()))
        } else {
            draft.sources.include(at.file, name)
        };
        let file = found.map_err(|problem| {
            let help = draft.sources.include_help(name, at.file, span);
            let scope = draft.scope(at);
            let add = |diagnostic: Diagnostic| diagnostic.help(help);
            let reported = draft.reports().report_with(&problem, span, &scope, add);
            draft.symbols.lost.lose_everything(reported);
            reported
        })?;
        if !self.taken.insert(file) {
            let start = self.including.iter().position(|&known| known == file);
            return start.map_or(Ok(()), |start| Err(self.report_include_cycle(start, span, at)));
        }
        self.count_lines(&[], span, at)?;
        let site = self.draft.site(SiteKind::Include, span, at);
        self.file(LineContext { file, env: EnvId::ROOT, site, ..at.deeper() });
        Ok(())
    }

    fn report_include_cycle(&mut self, start: usize, span: Span, at: LineContext) -> Reported {
        let name = |file| self.draft.sources.files.get(file).name();
        let first = self.including[start];
        let cycle = self.including[start..].iter().chain([&first]);
        let path = cycle.map(|&file| name(file)).collect::<Vec<_>>().join(" -> ");
        let problem = Problem::IncludeCycle(name(first).to_owned());
        let scope = self.draft.scope(at);
        self.draft.reports().report_with(&problem, span, &scope, |diagnostic| {
            diagnostic.note(format!("the cycle is {path}"), None)
        })
    }
}
