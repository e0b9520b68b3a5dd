//! Walks over the syntax tree and decides which line is next. It expands macros and repeats,
//! includes files and chooses the branches of an `.if`. The statements themselves are handled by
//! `draft`.

use std::rc::Rc;

use gray1_isa::Op;

use super::draft::{Draft, LineContext, Outcome, Unwinding, recover};
use super::macros::ArgumentBinder;
use super::placement::{LinkedOperand, PlacedCaption, Placement, WordContent};
use super::plan::Plan;
use crate::evaluate::Findings;
use crate::limits::{ARGUMENTS_MAX, DEPTH_MAX, LINES_MAX};
use crate::names::Name;
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::{FileId, Location, Span};
use crate::sources::LoadedSources;
use crate::symbols::{Binding, EnvId, SiteId, SiteKind};
use crate::syntax::{
    Block, Branch, Expr, Head, Inclusion, Item, Items, MacroCall, PlainName, RoutineHead,
    Statement, StatementKind,
};

/// Places a program. Also returns the findings for linking.
pub(crate) fn place(
    root: FileId,
    sources: &mut LoadedSources<'_>,
    plan: &Plan,
) -> (Placement, Findings) {
    let root = LineContext { file: root, env: EnvId::ROOT, site: SiteId::ROOT, depth: 0 };
    let mut draft = Draft::new(root, sources, plan);
    draft.place_file(root);
    draft.finish()
}

/// The walk over the lines. It passes through the body of a macro for each call, and through the
/// body of a repeat for each iteration.
impl Draft<'_, '_> {
    /// Places a file.
    fn place_file(&mut self, at: LineContext) {
        let parsed = self.sources.parse(at.file);
        self.findings.reporter.extend(parsed.diagnostics.iter().cloned());
        self.open_files.push(at.file);
        self.place_items(&parsed.items, at);
        self.open_files.pop();
    }

    /// Places items in order. A caption among them applies up to their end.
    pub(super) fn place_items(&mut self, items: &Items, at: LineContext) {
        let around = std::mem::replace(&mut self.at, at);
        let caption = self.caption.clone();
        self.place_items_in_order(items);
        self.caption = caption;
        self.at = around;
    }

    fn place_items_in_order(&mut self, items: &Items) {
        for item in items.iter() {
            match self.unwinding {
                Some(Unwinding::ToRoot(_)) if self.at.depth == 0 => self.unwinding = None,
                Some(_) => return,
                None => {}
            }
            recover(match item {
                Item::Label(label) => self.define_label(label),
                Item::Statement(statement) => self.place_statement(statement),
                Item::Block(block) => self.place_block(block),
            });
        }
    }

    fn place_statement(&mut self, statement: &Statement) -> Outcome {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Call(call) => self.call_macro(call, span),
            StatementKind::Include(inclusion) => self.include(inclusion),
            StatementKind::Instruction { op, operand } => {
                self.place(WordContent::Instruction(*op, operand.clone()), span)
            }
            StatementKind::Halt => {
                let itself = LinkedOperand::Index(self.next_index);
                self.place(WordContent::Linked(Op::Jmp, itself), span)
            }
            StatementKind::Word(value) => self.place(WordContent::Word(value.clone()), span),
            StatementKind::CallRoutine(call) => self.call_routine(call, span),
            StatementKind::Return => self.place_return(span),
            StatementKind::Assign(constant) => self.define_constant(constant),
            StatementKind::Default(constant) => self.define_default(constant),
            StatementKind::Var(variable) => self.define_variable(variable),
            StatementKind::Pool => self.place_pool(span),
            StatementKind::Function(head) => self.define_function(head),
            StatementKind::Org(index) => self.set_next_index(index, span),
            StatementKind::Ram(address) => self.set_next_address(address, span),
            StatementKind::Assert(assertion) => self.assert(assertion),
            StatementKind::Error(text) => {
                Err(self.report(&Problem::Stated(text.to_string()), span))
            }
            StatementKind::Title(text) => self.set_title(text, span),
            StatementKind::Show(shown) => self.show(shown, span),
            StatementKind::Caption(text) => {
                let at = Location { file: self.at.file, span };
                self.caption = text.clone().map(|text| PlacedCaption { text, at });
                Ok(())
            }
            StatementKind::Allow(lints) => {
                self.placed.settings.allowed.extend(lints.iter().copied());
                Ok(())
            }
            StatementKind::Lost(lost) => {
                let reported = self.find_parser_error(span);
                self.placed.symbols.lost.lose_statement(lost, reported);
                Err(reported)
            }
            StatementKind::Bad => Err(self.find_parser_error(span)),
            // The parser has turned these lines into blocks.
            StatementKind::Open(_) | StatementKind::Close(_) => Ok(()),
        }
    }

    /// Places a macro, routine, repeat, structure or `.if`.
    fn place_block(&mut self, block: &Block) -> Outcome {
        let Some(end) = block.end else { return self.place_unfinished(block) };
        for branch in &block.branches {
            let is_taken = match &branch.head {
                _ if branch.is_lost => Err(self.find_parser_error(branch.span)),
                Head::Macro(head) => return self.define_macro(head, branch),
                Head::Struct(name) => return self.define_structure(name, branch),
                Head::Routine(head) => return self.place_routine(head, branch, end),
                Head::Repeat { count, index } => return self.place_repeat(count, *index, branch),
                Head::If(condition) => self.is_true(condition, "the condition of `.if`"),
                Head::ElseIf(condition) => self.is_true(condition, "the condition of `.elseif`"),
                Head::Else => Ok(true),
            };
            // Any branch could have been the right one, so the names of all branches are lost.
            let is_taken = is_taken
                .inspect_err(|reported| self.placed.symbols.lost.lose_block(block, *reported))?;
            if is_taken {
                self.place_items(&branch.body, self.at.nested());
                return Ok(());
            }
        }
        Ok(())
    }

    /// Places the lines of a block without an end, if they mean the same outside of it. Otherwise
    /// their names are lost.
    fn place_unfinished(&mut self, block: &Block) -> Outcome {
        if let [Branch { head: Head::If(_) | Head::Repeat { index: None, .. }, body, .. }] =
            block.branches.as_slice()
        {
            self.place_items_in_order(body);
            return Ok(());
        }
        let reported = self.find_parser_error(block.branches[0].span);
        self.placed.symbols.lost.lose_block(block, reported);
        Err(reported)
    }

    /// Handles `.routine` … `.endroutine`.
    fn place_routine(&mut self, head: &Rc<RoutineHead>, branch: &Branch, end: Span) -> Outcome {
        let around = self.at;
        let number = self.open_routine(head, (branch.span, end))?;
        let caption = self.caption.take();
        self.place_expansion(&branch.body, self.at);
        let outcome = self.close_routine(number, end);
        self.caption = caption;
        self.at = around;
        outcome
    }

    /// Places the body of a macro, of a routine, or of one iteration of a repeat in a new local
    /// scope.
    fn place_expansion(&mut self, items: &Items, at: LineContext) {
        let around = self.locals;
        self.locals = self.placed.symbols.scopes.add_local_scope(around);
        self.place_items(items, at);
        self.locals = around;
    }

    /// Counts lines of an expansion.
    ///
    /// # Errors
    /// Fails if there are too many lines, or if they are nested too deep.
    fn count_lines(&mut self, items: &[Item], span: Span) -> Outcome {
        if let Some(unwinding) = self.unwinding {
            return Err(unwinding.reported());
        }
        // Labels count as symbols instead.
        let lines = items.iter().filter(|item| !matches!(item, Item::Label(_))).count();
        let lines = u32::try_from(lines).unwrap_or(u32::MAX).max(1);
        self.lines = self.lines.saturating_add(lines);
        if self.lines > LINES_MAX {
            return Err(self.stop_at_limit(&Problem::ExpandedTooFar, span));
        }
        if self.at.depth >= DEPTH_MAX {
            return Err(self.give_up(&Problem::ExpandedTooDeep, span));
        }
        Ok(())
    }

    /// Handles `.repeat`.
    fn place_repeat(&mut self, count: &Expr, index: Option<PlainName>, branch: &Branch) -> Outcome {
        let (scope, range) = (self.scope(), (0, i64::from(LINES_MAX)));
        let what = "the count of `.repeat`";
        let count: u32 = self
            .evaluator()
            .known_in_range(count, &scope, what, range)
            .inspect_err(|reported| self.placed.symbols.lost.lose_items(&branch.body, *reported))?;
        for turn in 0..count {
            self.count_lines(&branch.body, branch.span)?;
            let scopes = &mut self.placed.symbols.scopes;
            let env = match index {
                Some(PlainName { name, .. }) => {
                    scopes.add_env(self.at.env, [(name, Binding::Number(turn.into()))])
                }
                None => self.at.env,
            };
            let site = self.add_site(SiteKind::Repeat(turn), branch.span);
            self.place_expansion(&branch.body, LineContext { env, site, ..self.at.nested() });
        }
        Ok(())
    }

    /// Handles a macro call.
    fn call_macro(&mut self, call: &MacroCall, span: Span) -> Outcome {
        let MacroCall { name: symbol, arguments } = call;
        let name = self.known_name(symbol)?;
        let called = self.find_macro(name, symbol.span, span)?;
        if let Some(reported) = self.endless.get(&name) {
            return Err(*reported);
        }
        self.refuse_endless(name, span)?;
        self.count_lines(&called.body, span)?;
        let bindings = self.placed.symbols.scopes.binding_count() + called.head.parameters.len();
        if bindings > ARGUMENTS_MAX {
            return Err(self.stop_at_limit(&Problem::TooManyBindings, span));
        }
        let site = self.add_site(SiteKind::Macro(name), span);
        let bindings = ArgumentBinder { draft: self, called: &called, name, span, site }
            .bind(arguments)
            .inspect_err(|reported| self.placed.symbols.lost.lose_items(&called.body, *reported))?;
        let env = self.placed.symbols.scopes.add_env(called.env, bindings);
        self.place_expansion(
            &called.body,
            LineContext { file: called.file, env, site, ..self.at.nested() },
        );
        if let Some(unwinding) = self.unwinding {
            let reported = unwinding.reported();
            self.endless.insert(name, reported);
            self.placed.symbols.lost.lose_items(&called.body, reported);
        }
        Ok(())
    }

    /// Refuses a call that is nested too deep if the macro has called itself.
    fn refuse_endless(&mut self, name: Name, span: Span) -> Outcome {
        let (scopes, this) = (&self.placed.symbols.scopes, SiteKind::Macro(name));
        let calls_itself = self.at.depth >= DEPTH_MAX
            && scopes.ancestors(self.at.site).any(|(_, site)| site.kind == this);
        if !calls_itself {
            return Ok(());
        }
        let problem = Problem::EndlessMacro(self.sources.names.text(name).to_owned());
        Err(self.give_up(&problem, span))
    }

    /// Handles `.include`.
    fn include(&mut self, inclusion: &Inclusion) -> Outcome {
        let Inclusion { name, span } = inclusion;
        let span = *span;
        self.refuse_in_structure(span)?;
        let found = if name.contains('\\') {
            Err(Problem::Backslash(name.to_string()))
        } else {
            self.sources.include(self.at.file, name)
        };
        let file = found.map_err(|problem| {
            let help = self.sources.include_help(name, self.at.file, span);
            let scope = self.scope();
            let reported = self.evaluator().report_with(&problem, span, &scope, |it| it.help(help));
            self.placed.symbols.lost.lose_everything(reported);
            reported
        })?;
        if !self.placed_files.insert(file) {
            let start = self.open_files.iter().position(|&known| known == file);
            return start.map_or(Ok(()), |start| Err(self.report_include_cycle(start, span)));
        }
        self.count_lines(&[], span)?;
        let site = self.add_site(SiteKind::Include, span);
        self.place_file(LineContext { file, env: EnvId::ROOT, site, ..self.at.nested() });
        Ok(())
    }

    fn report_include_cycle(&mut self, start: usize, span: Span) -> Reported {
        let name = |file| self.sources.files.get(file).name();
        let first = self.open_files[start];
        let cycle = self.open_files[start..].iter().chain([&first]);
        let path = cycle.map(|&file| name(file)).collect::<Vec<_>>().join(" -> ");
        let problem = Problem::IncludeCycle(name(first).to_owned());
        let scope = self.scope();
        self.evaluator().report_with(&problem, span, &scope, |diagnostic| {
            diagnostic.note(format!("the cycle is {path}"), None)
        })
    }
}
