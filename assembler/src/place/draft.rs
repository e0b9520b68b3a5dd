//! The placement as it grows, the context of the next line, and the steps that statements consist
//! of.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use gray1_isa::address::ROM_WORDS;

use super::placement::{PlacedWord, Placement, WordContent};
use super::plan::Plan;
use crate::evaluate::{Evaluator, Findings};
use crate::limits::SYMBOLS_MAX;
use crate::names::Name;
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::{FileId, Location, Span};
use crate::sources::Sources;
use crate::symbols::{
    Definition, EnvId, LocalScopeId, Meaning, Namespace, Scope, Site, SiteId, SiteKind, Thunk,
    ThunkId,
};
use crate::syntax::{Expr, Symbol};

/// The outcome of a statement. An error was reported, and the lines that follow go on.
pub(super) type Outcome = Result<(), Reported>;

/// Continues after an error: it was reported, and the lines that follow may have others.
pub(super) fn recover(_: Outcome) {}

/// A placement as it grows, and the state of the walk over the lines.
pub(super) struct Draft<'a, 'l> {
    pub(super) sources: &'a mut Sources<'l>,
    pub(super) plan: &'a Plan,
    pub(super) placed: Placement,
    pub(super) findings: Findings,
    /// The index of the next instruction; beyond program memory once that is full.
    pub(super) next_index: u32,
    /// The next index after the lines that are being left out, and the report before them.
    pub(super) resume: Option<(u32, Option<Reported>)>,
    /// The error about words that were refused since the last `.org`: one for all of them.
    pub(super) refused: Option<Reported>,
    /// The address of the next variable.
    pub(super) next_byte: u32,
    /// The routine whose lines are being placed.
    pub(super) routine: Option<u32>,
    /// The context of the next line.
    pub(super) at: LineContext,
    /// The local scope of the next line.
    pub(super) locals: LocalScopeId,
    /// The structure that the next line is in.
    pub(super) structure: Option<Structure>,
    /// The caption of the words that come next.
    pub(super) caption: Option<Rc<str>>,
    /// Set while an expansion without end is unwound.
    pub(super) unwinding: Option<Unwinding>,
    /// The number of definitions so far, those of names that were defined already included.
    definition_count: usize,
    /// The files whose lines are being placed, the root first.
    pub(super) including: Vec<FileId>,
    /// The files that were placed, or are being.
    pub(super) taken: HashSet<FileId>,
    /// The number of lines that were expanded.
    pub(super) lines: u32,
    /// Macros that expand without end, with the error that says so.
    pub(super) endless: HashMap<Name, Reported>,
}

/// The line up to which the walk unwinds.
#[derive(Clone, Copy)]
pub(super) enum Unwinding {
    /// To the next line of the root file: it has nothing to do with the one that has no end.
    ToRoot(Reported),
    /// To the end of the program: a limit was reached.
    ToEnd(Reported),
}

impl Unwinding {
    /// The error that says why.
    pub(super) fn reported(self) -> Reported {
        let (Self::ToRoot(reported) | Self::ToEnd(reported)) = self;
        reported
    }
}

/// A structure whose fields are being read.
#[derive(Clone, Copy)]
pub(super) struct Structure {
    pub(super) name: Name,
    /// The size of the fields so far: the offset of the next.
    pub(super) size: i64,
}

/// The context of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineContext {
    pub(super) file: FileId,
    pub(super) env: EnvId,
    pub(super) site: SiteId,
    pub(super) depth: u32,
}

impl LineContext {
    /// One level further in.
    pub(super) fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

impl<'a, 'l> Draft<'a, 'l> {
    pub(super) fn new(at: LineContext, sources: &'a mut Sources<'l>, plan: &'a Plan) -> Self {
        Self {
            sources,
            plan,
            placed: Placement { slots: vec![None; ROM_WORDS], ..Placement::default() },
            findings: Findings::default(),
            next_index: 0,
            resume: None,
            refused: None,
            next_byte: 0,
            routine: None,
            at,
            locals: LocalScopeId::ROOT,
            structure: None,
            caption: None,
            unwinding: None,
            definition_count: 0,
            including: Vec::new(),
            taken: HashSet::from([at.file]),
            lines: 0,
            endless: HashMap::new(),
        }
    }

    /// The finished placement, and what evaluation goes on with.
    pub(super) fn finish(mut self) -> (Placement, Findings) {
        self.evaluator().reword_early();
        (self.placed, self.findings)
    }

    /// Works values out and reports problems, with the names that are defined so far.
    pub(super) fn evaluator(&mut self) -> Evaluator<'_> {
        Evaluator {
            symbols: &self.placed.symbols,
            names: &mut self.sources.names,
            findings: &mut self.findings,
            is_complete: false,
        }
    }

    /// The scope of an expression that stands here.
    pub(super) fn scope(&self) -> Scope {
        Scope {
            file: self.at.file,
            env: self.at.env,
            locals: self.locals,
            site: self.at.site,
            here: self.next_index,
            defined: self.placed.symbols.definitions.len() as u32,
        }
    }

    /// A new site that was called here.
    pub(super) fn site(&mut self, kind: SiteKind, span: Span) -> SiteId {
        let call = Location { file: self.at.file, span };
        self.placed.symbols.scopes.site(Site { kind, call, parent: self.at.site })
    }

    /// Reports a problem in this line.
    pub(super) fn report(&mut self, problem: &Problem, span: Span) -> Reported {
        self.report_beside(problem, span, None)
    }

    /// Reports a problem here, with a note on another place.
    pub(super) fn report_beside(
        &mut self,
        problem: &Problem,
        span: Span,
        note: Option<(&str, Location)>,
    ) -> Reported {
        let scope = self.scope();
        self.evaluator().report_with(problem, span, &scope, |diagnostic| match note {
            Some((text, place)) => diagnostic.note(text, Some(place)),
            None => diagnostic,
        })
    }

    /// Reports an expansion without end, and starts to unwind.
    pub(super) fn give_up(&mut self, problem: &Problem, span: Span) -> Reported {
        let reported = self.report(problem, span);
        self.unwinding.get_or_insert(Unwinding::ToRoot(reported));
        reported
    }

    /// Reports that a limit is reached, and starts to unwind to the end.
    pub(super) fn use_up(&mut self, problem: &Problem, span: Span) -> Reported {
        let reported = self.report(problem, span);
        self.unwinding = Some(Unwinding::ToEnd(reported));
        self.placed.symbols.lost.lose_everything(reported);
        reported
    }

    /// The name that is defined or called here; it can depend only on what is defined above.
    /// Without it, any name may be the one that is lost.
    pub(super) fn known_name(&mut self, symbol: &Symbol) -> Result<Name, Reported> {
        let scope = self.scope();
        let name = self.evaluator().known_name(symbol, &scope);
        name.inspect_err(|reported| self.placed.symbols.lost.lose_everything(*reported))
    }

    /// Defines a symbol, unless it is defined already.
    pub(super) fn define(&mut self, name: Name, symbol: &Symbol, meaning: Meaning) -> Outcome {
        if let Some(unwinding) = self.unwinding {
            return Err(unwinding.reported());
        }
        self.definition_count += 1;
        if self.definition_count > SYMBOLS_MAX {
            return Err(self.use_up(&Problem::TooManySymbols, symbol.span));
        }
        let kind = meaning.kind();
        let location = Location { file: self.at.file, span: symbol.span };
        let definition = Definition { name, meaning, location };
        let locals = self.locals;
        self.placed.symbols.define(definition, &self.sources.names, self.at.env, locals).map_err(
            |first| {
                let scope = self.scope();
                self.evaluator().report_twice(kind, name, symbol.span, first, &scope)
            },
        )
    }

    /// Keeps an expression of this place for later.
    pub(super) fn keep(&mut self, expr: &Rc<Expr>, name: Name) -> ThunkId {
        let scope = self.scope();
        self.placed.symbols.keep(Thunk { expr: expr.clone(), scope, name })
    }

    /// Remembers that an error took a name away.
    pub(super) fn lose(
        &mut self,
        namespace: Namespace,
        symbol: &Symbol,
        reported: Reported,
    ) -> Reported {
        self.placed.symbols.lost.lose(namespace, symbol, reported);
        reported
    }

    /// Refuses a statement in a structure.
    pub(super) fn outside_structure(&mut self, span: Span) -> Outcome {
        match self.structure {
            Some(_) => Err(self.report(&Problem::NotInStructure, span)),
            None => Ok(()),
        }
    }

    /// Puts a word at the next index.
    pub(super) fn place(&mut self, content: WordContent, span: Span) -> Outcome {
        self.outside_structure(span)?;
        let word = PlacedWord { content, span, scope: self.scope() };
        let index = self.next_index;
        self.next_index += 1;
        if self.resume.is_some() {
            if self.placed.left_out.len() < ROM_WORDS {
                self.placed.left_out.push(word);
            }
            return Ok(());
        }
        let first = match self.placed.slots.get_mut(index as usize) {
            Some(slot @ None) => {
                *slot = Some(self.placed.words.len() as u16);
                self.placed.words.push(word);
                if let Some(caption) = &self.caption {
                    self.placed.note_caption(index as u16, caption);
                }
                return Ok(());
            }
            Some(Some(_)) => self.placed.at(index as usize).map(PlacedWord::location),
            None => None,
        };
        if let Some(reported) = self.refused {
            return Err(reported);
        }
        let reported = match first {
            Some(first) => {
                let note = ("the first one is here", first);
                self.report_beside(&Problem::Overlap(index as u16), span, Some(note))
            }
            None => self.report(&Problem::ProgramFull, span),
        };
        self.refused = Some(reported);
        Err(reported)
    }
}
