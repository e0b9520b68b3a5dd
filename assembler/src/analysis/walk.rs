//! Reads files line by line and token by token to build the index.

use gray1_language::{Lexer, Piece, Token, TokenKind, split_pieces};

use super::index::{EntityId, FileIndex, Fold, Index, NameKind, Scope, Use, UseTarget, Viewpoint};
use crate::directives::{self, Directive, Operands, Role};
use crate::keywords::Mnemonic;
use crate::limits::{LINE_BYTES_MAX, NESTING_MAX};
use crate::line_parts::LineParts;
use crate::source::{FileId, Files, InputFile, Location, Span};
use crate::symbols::Namespace;
use crate::syntax::{BlockKind, Function};

/// Comments with fewer lines are not folded.
const FOLDED_COMMENT_LINES_MIN: u32 = 3;

/// Builds the index of these files.
pub(super) fn build_index(files: &Files) -> Index {
    let mut index = Index::default();
    for (id, file) in files.iter_with_ids() {
        let found = walk(id, file, &mut index);
        index.files.push(found);
    }
    index.resolve();
    index
}

/// Adds the names of a file to the index.
fn walk(id: FileId, file: &InputFile, index: &mut Index) -> FileIndex {
    let local = index.add_local_scope(None);
    let mut walker = Walker {
        index,
        file: id,
        base: 0,
        line: 0,
        view: Viewpoint { local, env: None },
        blocks: Vec::new(),
        routine: None,
        found: FileIndex::default(),
        comment: None,
    };
    for (number, line) in (1..).zip(file.lines()) {
        walker.line = number;
        walker.base = file.line_span(number).start;
        walker.read_line(line);
    }
    walker.end_comment(walker.line);
    walker.found
}

struct Walker<'a> {
    index: &'a mut Index,
    file: FileId,
    /// The offset and the number of the current line.
    base: u32,
    line: u32,
    view: Viewpoint,
    blocks: Vec<OpenBlock>,
    /// The scope of the current routine's names.
    routine: Option<usize>,
    found: FileIndex,
    /// The first line of the current comment block.
    comment: Option<u32>,
}

/// A block that is still open.
struct OpenBlock {
    kind: BlockKind,
    /// The line of the block's opening directive, or of its current branch.
    line: u32,
    around: Viewpoint,
    /// The name, if it is a structure.
    structure: Option<String>,
}

impl Walker<'_> {
    fn read_line(&mut self, text: &str) {
        self.found.lines.push(self.view);
        // The assembler rejects longer lines.
        let text = if text.len() > LINE_BYTES_MAX { "" } else { text };
        let tokens: Vec<Token<'_>> = Lexer::new(text).collect();
        let parts = LineParts::new(&tokens);
        if parts.is_empty() && parts.comment.is_some() {
            self.comment.get_or_insert(self.line);
        } else {
            self.end_comment(self.line - 1);
        }
        parts.labels().for_each(|name| self.define_label(name));
        if let Some((first, rest)) = parts.statement.split_first() {
            self.read_statement(first, rest);
        }
    }

    /// Ends a comment block whose last line is given.
    fn end_comment(&mut self, last: u32) {
        if let Some(first) = self.comment.take()
            && last + 1 >= first + FOLDED_COMMENT_LINES_MIN
        {
            self.found.folds.push(Fold { first, last, is_comment: true });
        }
    }

    fn define_label(&mut self, name: &Token<'_>) {
        self.define_symbol(NameKind::Label, name);
        if !name.text.starts_with('@') {
            self.view.local = self.index.add_next_local_scope(self.view.local);
        }
    }

    fn read_statement(&mut self, first: &Token<'_>, rest: &[Token<'_>]) {
        if first.kind == TokenKind::Directive {
            return match directives::find(first.text) {
                Some(directive) => self.read_directive(directive, rest),
                None => self.record_uses(rest),
            };
        }
        if let [equals, value @ ..] = rest
            && first.kind == TokenKind::Name
            && equals.is("=")
        {
            self.define_symbol(NameKind::Constant, first);
            return self.record_uses(value);
        }
        if first.kind != TokenKind::Name || Mnemonic::from_name(first.text).is_some() {
            return self.record_uses(rest);
        }
        self.record_use(first, first.start, UseTarget::Name(Namespace::Macros));
        for argument in split_arguments(rest) {
            match argument {
                [name, equals, value @ ..] if name.kind == TokenKind::Name && equals.is("=") => {
                    let target = UseTarget::ParameterOf(first.text.to_owned());
                    self.record_use(name, name.start, target);
                    self.record_uses(value);
                }
                value => self.record_uses(value),
            }
        }
    }

    fn read_directive(&mut self, directive: &Directive, rest: &[Token<'_>]) {
        let operands = directive.operands;
        if let Role::Opens(kind) = directive.role {
            let structure = split_name(rest).filter(|_| kind == BlockKind::Struct);
            let is_open = self.open_block(kind, structure.map(|(name, _)| name.text.to_owned()));
            if !is_open {
                return self.record_uses(rest);
            }
        }
        match operands {
            Operands::Variable => self.read_variable(rest),
            Operands::Macro => self.read_macro_head(rest),
            Operands::Routine => self.read_routine(rest),
            Operands::RoutineCall => self.read_call(rest),
            Operands::Function => self.read_function(rest),
            Operands::Repeat => self.read_repeat(rest),
            Operands::Default => {
                if let Some((name, value)) = split_name(rest) {
                    self.define_symbol(NameKind::Constant, name);
                    self.record_uses(value);
                }
            }
            Operands::Structure => {
                if let Some((name, _)) = split_name(rest) {
                    self.define_symbol(NameKind::Structure, name);
                }
            }
            Operands::File => {
                let name = rest.first().filter(|name| name.kind == TokenKind::Text);
                self.found.includes.extend(name.map(|name| {
                    let Span { start, end } = self.span(name.start, name.text);
                    Span { start: start + 1, end: end - 1 }
                }));
            }
            // The names of settings are not symbols.
            Operands::Grid => {
                let operands = rest.split(|token| token.is(","));
                operands.for_each(|operand| self.record_uses(setting_value(operand)));
            }
            Operands::Lints | Operands::Legend | Operands::Count | Operands::Why => {}
            Operands::Nothing(_)
            | Operands::Value(_)
            | Operands::Text(_)
            | Operands::Assertion
            | Operands::ValueShown => self.record_uses(rest),
        }
        match directive.role {
            Role::Branches(kind) => self.read_branch(kind),
            Role::Closes(kind) => self.close_block(kind),
            Role::Alone | Role::Code | Role::Opens(_) => {}
        }
    }

    /// Reads `.var name, size`.
    fn read_variable(&mut self, rest: &[Token<'_>]) {
        let Some((name, size)) = split_name(rest) else { return };
        let structure = self.blocks.last().and_then(|block| block.structure.clone());
        match structure {
            Some(structure) => {
                let field = format!("{structure}_{}", name.text);
                let (scope, at) = (Scope::Global(Namespace::Symbols), self.location(name));
                self.index.define(NameKind::Field, field, scope, at, self.view);
            }
            None => self.define_symbol(NameKind::Variable, name),
        }
        self.record_uses(size);
    }

    /// Reads `.macro name parameter [= default], …`.
    fn read_macro_head(&mut self, rest: &[Token<'_>]) {
        let around = self.view;
        let env = self.index.add_env(around.env);
        let local = self.index.add_local_scope(None);
        let Some((name, parameters)) = split_name(rest) else { return };
        let scope = Scope::Global(Namespace::Macros);
        let id = self.define(NameKind::Macro, name, scope, around);
        self.view = Viewpoint { local, env: Some(env) };
        for parameter in split_arguments(parameters) {
            let Some((name, default)) = split_name(parameter) else { continue };
            self.define_parameter(name, env, Some(id));
            self.record_uses(default);
        }
    }

    /// Reads `.routine name(parameter, …) -> result`.
    fn read_routine(&mut self, rest: &[Token<'_>]) {
        let around = self.view;
        let env = self.index.add_env(around.env);
        self.view =
            Viewpoint { local: self.index.add_local_scope(Some(around.local)), env: Some(env) };
        self.routine = Some(env);
        let Some((name, rest)) = split_name(rest) else { return };
        let scope = Scope::Global(Namespace::Routines);
        let id = self.define(NameKind::Routine, name, scope, around);
        for name in rest.iter().filter(|token| token.kind == TokenKind::Name) {
            self.define_parameter(name, env, Some(id));
        }
    }

    /// Reads `.call name(argument, …)`.
    fn read_call(&mut self, rest: &[Token<'_>]) {
        let Some((name, arguments)) = split_name(rest) else { return };
        self.record_use(name, name.start, UseTarget::Name(Namespace::Routines));
        self.record_uses(arguments);
    }

    /// Reads `.function name(parameter, …) = expression`.
    fn read_function(&mut self, rest: &[Token<'_>]) {
        let Some((name, rest)) = split_name(rest) else { return };
        let around = self.view;
        let scope = Scope::Global(Namespace::Functions);
        let id = self.define(NameKind::Function, name, scope, around);
        let env = self.index.add_env(around.env);
        let end = rest.iter().position(|token| token.is(")")).unwrap_or(rest.len());
        for name in rest[..end].iter().filter(|token| token.kind == TokenKind::Name) {
            self.define_parameter(name, env, Some(id));
        }
        self.view.env = Some(env);
        self.record_uses(&rest[end..]);
        self.view = around;
    }

    /// Reads `.repeat count, index`.
    fn read_repeat(&mut self, rest: &[Token<'_>]) {
        let (count, index) = match rest {
            [count @ .., comma, index] if comma.is(",") && index.kind == TokenKind::Name => {
                (count, Some(index))
            }
            count => (count, None),
        };
        self.record_uses(count);
        let around = self.view;
        self.view.local = self.index.add_local_scope(Some(around.local));
        if let Some(index) = index {
            let env = self.index.add_env(around.env);
            self.define_parameter(index, env, None);
            self.view.env = Some(env);
        }
    }

    fn define_parameter(&mut self, name: &Token<'_>, env: usize, of: Option<EntityId>) {
        let view = Viewpoint { env: Some(env), ..self.view };
        let id = self.define(NameKind::Parameter, name, Scope::Env(env), view);
        if let Some(of) = of {
            self.index.entities[of].parameters.push(id);
        }
    }

    /// Opens a block. Returns false if it is nested deeper than the assembler accepts. Names in
    /// such a block are not defined, which bounds the chains of scopes.
    fn open_block(&mut self, kind: BlockKind, structure: Option<String>) -> bool {
        let is_open = self.blocks.len() < NESTING_MAX;
        if is_open {
            let (line, around) = (self.line, self.view);
            self.blocks.push(OpenBlock { kind, line, around, structure });
        }
        is_open
    }

    /// Reads `.else` and `.elseif`.
    fn read_branch(&mut self, kind: BlockKind) {
        if let Some(block) = self.blocks.last_mut().filter(|block| block.kind == kind) {
            let first = std::mem::replace(&mut block.line, self.line);
            self.found.folds.push(Fold { first, last: self.line - 1, is_comment: false });
        }
    }

    fn close_block(&mut self, kind: BlockKind) {
        let Some(at) = self.blocks.iter().rposition(|block| block.kind == kind) else { return };
        for block in self.blocks.drain(at..) {
            let fold = Fold { first: block.line, last: self.line, is_comment: false };
            self.found.folds.push(fold);
            // An `.if` has no scope of its own. Its labels belong to the scope around it.
            if !matches!(block.kind, BlockKind::If | BlockKind::Struct) {
                self.view = block.around;
            }
            if block.kind == BlockKind::Routine {
                self.routine = None;
            }
        }
    }

    // --- Names ---------------------------------------------------------------------------------

    fn define_symbol(&mut self, kind: NameKind, name: &Token<'_>) {
        let scope = match self.routine {
            _ if name.text.starts_with('@') => Scope::Local(self.view.local),
            Some(env) => Scope::Env(env),
            None => Scope::Global(Namespace::Symbols),
        };
        self.define(kind, name, scope, self.view);
        self.record_inner_uses(name.text, name.start, 0);
    }

    fn define(
        &mut self,
        kind: NameKind,
        name: &Token<'_>,
        scope: Scope,
        view: Viewpoint,
    ) -> EntityId {
        self.index.define(kind, name.text.to_owned(), scope, self.location(name), view)
    }

    /// Records the names used in expressions.
    fn record_uses(&mut self, tokens: &[Token<'_>]) {
        self.record_uses_at(tokens, 0, 0);
    }

    fn record_uses_at(&mut self, tokens: &[Token<'_>], start: usize, depth: usize) {
        for (number, token) in tokens.iter().enumerate() {
            if token.kind != TokenKind::Name {
                continue;
            }
            let is_call = tokens.get(number + 1).is_some_and(|next| next.is("("));
            let namespace = if is_call { Namespace::Functions } else { Namespace::Symbols };
            if !is_call || Function::from_name(token.text).is_none() {
                self.record_use(token, start + token.start, UseTarget::Name(namespace));
            }
            self.record_inner_uses(token.text, start + token.start, depth);
        }
    }

    /// Records the names used in the braces of a name.
    fn record_inner_uses(&mut self, name: &str, start: usize, depth: usize) {
        if depth >= NESTING_MAX {
            return;
        }
        for piece in split_pieces(name) {
            if let Piece::Hole { start: inner, text } = piece {
                let tokens: Vec<Token<'_>> = Lexer::new(text).collect();
                self.record_uses_at(&tokens, start + inner, depth + 1);
            }
        }
    }

    fn record_use(&mut self, name: &Token<'_>, start: usize, target: UseTarget) {
        let location = Location { file: self.file, span: self.span(start, name.text) };
        self.index.uses.push(Use { location, name: name.text.to_owned(), view: self.view, target });
    }

    fn location(&self, name: &Token<'_>) -> Location {
        Location { file: self.file, span: self.span(name.start, name.text) }
    }

    fn span(&self, start: usize, text: &str) -> Span {
        let start = self.base + start as u32;
        Span { start, end: start + text.len() as u32 }
    }
}

/// Splits tokens into the leading name and the rest.
fn split_name<'a, 't>(tokens: &'a [Token<'t>]) -> Option<(&'a Token<'t>, &'a [Token<'t>])> {
    tokens.split_first().filter(|(first, _)| first.kind == TokenKind::Name)
}

/// Splits tokens at the commas outside brackets.
pub(super) fn split_arguments<'a, 't>(tokens: &'a [Token<'t>]) -> Vec<&'a [Token<'t>]> {
    let mut arguments = Vec::new();
    let (mut start, mut depth) = (0, 0_u32);
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            "," if depth == 0 => {
                arguments.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    arguments.push(&tokens[start..]);
    arguments
}

/// Returns the value of `name = value`, or the whole operand if it has no name.
fn setting_value<'a, 't>(operand: &'a [Token<'t>]) -> &'a [Token<'t>] {
    match operand {
        [name, equals, value @ ..] if name.kind == TokenKind::Name && equals.is("=") => value,
        value => value,
    }
}
