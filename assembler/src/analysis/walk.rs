//! Walks through the syntax tree of each file to build the index.

use gray1_language::{self as language, Lexer, Token, TokenKind, split_pieces};

use super::index::{EntityId, FileIndex, Fold, Index, NameKind, Scope, Use, UseTarget, Viewpoint};
use crate::limits::{LINE_BYTES_MAX, NESTING_MAX};
use crate::source::{FileId, Files, InputFile, Location, Span};
use crate::symbols::Namespace;
use crate::syntax::{
    Block, BlockKind, Constant, Expr, ExprKind, Function, FunctionHead, Head, Item, Items,
    MacroCall, MacroHead, NameExpr, Piece, RoutineHead, Shown, Statement, StatementKind, Symbol,
    Variable,
};

/// Comments with fewer lines are not folded.
const FOLDED_COMMENT_LINES_MIN: usize = 3;

/// Builds the index of these files from their syntax trees.
pub(super) fn build_index(files: &Files, trees: &[Items]) -> Index {
    let mut index = Index::default();
    for ((id, file), items) in files.iter_with_ids().zip(trees) {
        let view = Viewpoint { local: index.add_local_scope(None), env: None };
        let found = FileIndex::default();
        let mut walker =
            Walker { index: &mut index, id, file, view, routine: None, structure: None, found };
        walker.visit_items(items, None);
        walker.reach_line(file.lines().count() as u32);
        let mut found = walker.found;
        found.folds.extend(find_comments(file));
        found.folds.sort_by_key(|fold| (fold.last, fold.first));
        index.files.push(found);
    }
    index.resolve();
    index
}

/// Returns the comments of several lines, which an editor can fold.
fn find_comments(file: &InputFile) -> Vec<Fold> {
    let lines = file.lines().map(|line| line.trim_start_matches([' ', '\t']).starts_with(';'));
    let lines: Vec<(u32, bool)> = (1..).zip(lines).collect();
    let groups = lines.chunk_by(|(_, above), (_, below)| above == below);
    let comments = groups.filter_map(|group| match group {
        [(first, true), .., (last, _)] if group.len() >= FOLDED_COMMENT_LINES_MIN => {
            Some(Fold { first: *first, last: *last, is_comment: true })
        }
        _ => None,
    });
    comments.collect()
}

struct Walker<'a> {
    index: &'a mut Index,
    id: FileId,
    file: &'a InputFile,
    view: Viewpoint,
    /// The scope of the current routine's names.
    routine: Option<usize>,
    /// The name of the structure whose variables come next.
    structure: Option<String>,
    found: FileIndex,
}

impl<'a> Walker<'a> {
    /// Visits items. `end` is the last line of the innermost block around them that has an end.
    fn visit_items(&mut self, items: &Items, end: Option<u32>) {
        for item in items.iter() {
            let span = match item {
                Item::Label(label) => label.span,
                Item::Statement(statement) => statement.span,
                Item::Block(block) => block.branches[0].span,
            };
            let line = self.line_of(span);
            self.reach_line(line);
            match item {
                // The assembler rejects longer lines.
                Item::Label(_) | Item::Statement(_)
                    if self.file.line(line).len() > LINE_BYTES_MAX => {}
                Item::Label(label) => {
                    self.define_symbol(NameKind::Label, label);
                    if !self.text(label.span).starts_with('@') {
                        self.view.local = self.index.add_next_local_scope(self.view.local);
                    }
                }
                Item::Statement(Statement { span, kind: StatementKind::Bad }) => {
                    self.use_text(*span, 0);
                }
                Item::Statement(statement) => self.visit_statement(&statement.kind),
                Item::Block(block) => self.visit_block(block, end),
            }
        }
    }

    fn visit_block(&mut self, block: &Block, around_end: Option<u32>) {
        let (view, routine) = (self.view, self.routine);
        // A block without an end reaches to the end of the block around it.
        let end = block.end.map(|end| self.line_of(end)).or(around_end);
        let structure = self.structure.take();
        for (number, branch) in block.branches.iter().enumerate() {
            let first = self.line_of(branch.span);
            self.reach_line(first);
            self.visit_head(&branch.head);
            self.visit_items(&branch.body, end);
            let next = block.branches.get(number + 1).map(|next| self.line_of(next.span) - 1);
            let fold = next.or(end).map(|last| Fold { first, last, is_comment: false });
            self.found.folds.extend(fold);
        }
        self.reach_line(end.unwrap_or(0));
        // An `.if` has no scope of its own. Its labels belong to the scope around it.
        let kind = block.branches[0].head.kind();
        if !matches!(kind, BlockKind::If | BlockKind::Struct) {
            self.view = view;
        }
        (self.routine, self.structure) = (routine, structure);
    }

    fn visit_head(&mut self, head: &Head) {
        match head {
            Head::Macro(head) => self.visit_macro_head(head),
            Head::Routine(head) => self.visit_routine_head(head),
            Head::Struct(name) => {
                self.define_symbol(NameKind::Structure, name);
                self.structure = (!is_missing(name)).then(|| self.text(name.span).to_owned());
            }
            Head::Repeat { count, index } => {
                self.use_names(count);
                self.view.local = self.index.add_local_scope(Some(self.view.local));
                if let Some(index) = index {
                    let env = self.index.add_env(self.view.env);
                    self.view.env = Some(env);
                    self.define_parameter(index.span, env, None);
                }
            }
            Head::If(condition) | Head::ElseIf(condition) => self.use_names(condition),
            Head::Else => {}
        }
    }

    fn visit_macro_head(&mut self, head: &MacroHead) {
        let id = self.define_global(NameKind::Macro, &head.name, Namespace::Macros);
        let env = self.index.add_env(self.view.env);
        self.view = Viewpoint { local: self.index.add_local_scope(None), env: Some(env) };
        for parameter in &head.parameters {
            self.define_parameter(parameter.name.span, env, id);
            self.use_all(parameter.default.as_deref());
        }
    }

    fn visit_routine_head(&mut self, head: &RoutineHead) {
        let id = self.define_global(NameKind::Routine, &head.name, Namespace::Routines);
        let env = self.index.add_env(self.view.env);
        let local = self.index.add_local_scope(Some(self.view.local));
        self.view = Viewpoint { local, env: Some(env) };
        self.routine = Some(env);
        head.variables().for_each(|variable| self.define_parameter(variable.span, env, id));
    }

    fn visit_function(&mut self, head: &FunctionHead) {
        let id = self.define_global(NameKind::Function, &head.name, Namespace::Functions);
        let around = self.view;
        let env = self.index.add_env(around.env);
        self.view.env = Some(env);
        for parameter in &head.parameters {
            self.define_parameter(parameter.span, env, id);
        }
        self.use_names(&head.value);
        self.view = around;
    }

    fn visit_statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Instruction { operand, .. } => {
                self.use_all(operand.as_deref());
            }
            StatementKind::Word(value) => self.use_names(value),
            StatementKind::Org(value) | StatementKind::Ram(value) => self.use_names(value),
            StatementKind::Assert(assertion) => self.use_names(&assertion.condition),
            StatementKind::Show(shown) => self.visit_shown(shown),
            StatementKind::Assign(constant) | StatementKind::Default(constant) => {
                let Constant { name, value } = &**constant;
                self.define_symbol(NameKind::Constant, name);
                self.use_names(value);
            }
            StatementKind::Var(variable) => self.visit_variable(variable),
            StatementKind::Function(head) => self.visit_function(head),
            StatementKind::Call(call) => self.visit_call(call),
            StatementKind::CallRoutine(call) => {
                self.use_symbol(&call.name, Namespace::Routines);
                self.use_all(call.arguments.iter().map(|argument| &**argument));
            }
            StatementKind::Include(inclusion) => {
                let Span { start, end } = inclusion.span;
                self.found.includes.push(Span { start: start + 1, end: end - 1 });
            }
            StatementKind::Lost(statement) => self.visit_statement(statement),
            StatementKind::Bad
            | StatementKind::Halt
            | StatementKind::Return
            | StatementKind::Pool
            | StatementKind::Error(_)
            | StatementKind::Allow(_)
            | StatementKind::Title(_)
            | StatementKind::Caption(_)
            | StatementKind::Open(_)
            | StatementKind::Close(_) => {}
        }
    }

    fn visit_shown(&mut self, shown: &Shown) {
        match shown {
            Shown::Value { address, .. } => self.use_names(address),
            Shown::Grid { first, size, rows, index, .. } => {
                self.use_all([first, size]);
                self.use_all(rows.iter().chain(index).map(|address| &**address));
            }
            Shown::Legend(..) | Shown::Count(..) | Shown::Why(_) | Shown::Result(_) => {}
        }
    }

    fn visit_variable(&mut self, Variable { name, size, .. }: &Variable) {
        match &self.structure {
            Some(structure) if !is_missing(name) => {
                let field = format!("{structure}_{}", self.text(name.span));
                let (scope, at) = (Scope::Global(Namespace::Symbols), self.location(name.span));
                self.index.define(NameKind::Field, field, scope, at, self.view);
            }
            _ => self.define_symbol(NameKind::Variable, name),
        }
        self.use_all(size);
    }

    fn visit_call(&mut self, MacroCall { name, arguments }: &MacroCall) {
        self.use_symbol(name, Namespace::Macros);
        for argument in arguments {
            if let Some(parameter) = argument.parameter {
                let target = UseTarget::ParameterOf(self.text(name.span).to_owned());
                self.record_use(parameter.span, target);
            }
            self.use_names(&argument.value);
        }
    }

    // --- Definitions ---------------------------------------------------------------------------

    fn define_symbol(&mut self, kind: NameKind, symbol: &Symbol) {
        let scope = match self.routine {
            _ if self.text(symbol.span).starts_with('@') => Scope::Local(self.view.local),
            Some(env) => Scope::Env(env),
            None => Scope::Global(Namespace::Symbols),
        };
        self.define(kind, symbol, scope);
    }

    fn define_global(
        &mut self,
        kind: NameKind,
        symbol: &Symbol,
        namespace: Namespace,
    ) -> Option<EntityId> {
        self.define(kind, symbol, Scope::Global(namespace))
    }

    fn define(&mut self, kind: NameKind, symbol: &Symbol, scope: Scope) -> Option<EntityId> {
        self.use_names_inside(&symbol.name);
        let (name, at) = (self.text(symbol.span).to_owned(), self.location(symbol.span));
        (!is_missing(symbol)).then(|| self.index.define(kind, name, scope, at, self.view))
    }

    fn define_parameter(&mut self, span: Span, env: usize, of: Option<EntityId>) {
        if span.start == span.end {
            return;
        }
        let (name, at) = (self.text(span).to_owned(), self.location(span));
        let id = self.index.define(NameKind::Parameter, name, Scope::Env(env), at, self.view);
        if let Some(of) = of {
            self.index.entities[of].parameters.push(id);
        }
    }

    // --- Uses ----------------------------------------------------------------------------------

    /// Records the names that an expression uses.
    fn use_names(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(_) => self.record_name(expr.span()),
            ExprKind::Built(pieces) => {
                self.record_name(expr.span());
                self.use_pieces(pieces);
            }
            ExprKind::Apply(call) => {
                self.record_use(call.function.span, UseTarget::Name(Namespace::Functions));
            }
            _ => {}
        }
        self.use_all(expr.parts());
    }

    fn use_all<'e>(&mut self, all: impl IntoIterator<Item = &'e Expr>) {
        for expr in all {
            self.use_names(expr);
        }
    }

    fn use_symbol(&mut self, symbol: &Symbol, namespace: Namespace) {
        self.record_use(symbol.span, UseTarget::Name(namespace));
        self.use_names_inside(&symbol.name);
    }

    /// Records the names in the braces of a name.
    fn use_names_inside(&mut self, name: &NameExpr) {
        if let NameExpr::Built(pieces) = name {
            self.use_pieces(pieces);
        }
    }

    fn use_pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            if let Piece::Number(number) = piece {
                self.use_names(number);
            }
        }
    }

    /// Records the names in a part of a line that could not be read.
    fn use_text(&mut self, part: Span, depth: usize) {
        let tokens: Vec<Token<'_>> = Lexer::new(self.text(part)).collect();
        for (number, token) in tokens.iter().enumerate() {
            let is_before =
                |symbol| tokens.get(number + 1).is_some_and(|next: &Token<'_>| next.is(symbol));
            // The name of a setting is not a symbol.
            if token.kind != TokenKind::Name || is_before("=") {
                continue;
            }
            let start = part.start + token.start as u32;
            let is_called = is_before("(");
            let namespace = if is_called { Namespace::Functions } else { Namespace::Symbols };
            if !is_called || Function::from_name(token.text).is_none() {
                let span = Span { start, end: start + token.text.len() as u32 };
                self.record_use(span, UseTarget::Name(namespace));
            }
            for piece in split_pieces(token.text) {
                if let language::Piece::Hole { start: inner, text } = piece
                    && depth < NESTING_MAX
                {
                    let start = start + inner as u32;
                    self.use_text(Span { start, end: start + text.len() as u32 }, depth + 1);
                }
            }
        }
    }

    /// Records a symbol whose range may include brackets around it.
    fn record_name(&mut self, span: Span) {
        const BRACKETS: [char; 4] = ['(', ')', ' ', '\t'];
        let text = self.text(span);
        let name = text.trim_start_matches(BRACKETS);
        let start = span.start + (text.len() - name.len()) as u32;
        let end = start + name.trim_end_matches(BRACKETS).len() as u32;
        self.record_use(Span { start, end }, UseTarget::Name(Namespace::Symbols));
    }

    fn record_use(&mut self, span: Span, target: UseTarget) {
        if span.start < span.end {
            let (location, name) = (self.location(span), self.text(span).to_owned());
            self.index.uses.push(Use { location, name, view: self.view, target });
        }
    }

    // --- Places --------------------------------------------------------------------------------

    /// Notes which names are visible at the start of the lines up to this one.
    fn reach_line(&mut self, line: u32) {
        if self.found.lines.len() < line as usize {
            self.found.lines.resize(line as usize, self.view);
        }
    }

    fn line_of(&self, span: Span) -> u32 {
        self.file.line_of(span.start)
    }

    fn location(&self, span: Span) -> Location {
        Location { file: self.id, span }
    }

    fn text(&self, Span { start, end }: Span) -> &'a str {
        &self.file.text()[start as usize..end as usize]
    }
}

/// Returns true for a name that an error left out.
fn is_missing(symbol: &Symbol) -> bool {
    symbol.span.start == symbol.span.end
}
