//! The placement as it grows, the context of the next line, and the steps that statements consist
//! of.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::placement::{
    Call, PlacedPool, PlacedWord, Placement, ProgramSettings, Routine, WordContent,
};
use super::plan::Plan;
use super::program_memory::ProgramMemory;
use crate::evaluate::{Evaluator, Findings, Memo, Reports};
use crate::limits::SYMBOLS_MAX;
use crate::names::Name;
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::{FileId, Location, Span};
use crate::sources::Sources;
use crate::symbols::{
    Definition, EnvId, LocalScopeId, Meaning, Namespace, Scope, Site, SiteId, SiteKind, Symbols,
    Thunk, ThunkId,
};
use crate::syntax::{Assertion, Expr, Symbol};

/// The outcome of a statement. An error was reported, and the lines that follow go on.
pub(super) type Outcome = Result<(), Reported>;

/// Continues after an error: it was reported, and the lines that follow may have others.
pub(super) fn recover(_: Outcome) {}

/// A placement as it grows, and the state of the walk over the lines.
pub(super) struct Draft<'a, 'l> {
    pub(super) sources: &'a mut Sources<'l>,
    pub(super) plan: &'a Plan,
    pub(super) symbols: Symbols,
    pub(super) memo: Memo,
    pub(super) findings: Findings,
    pub(super) program: ProgramMemory,
    /// The address of the next variable.
    pub(super) next_byte: u32,
    pub(super) pool: Option<PlacedPool>,
    pub(super) routines: Vec<Routine>,
    pub(super) calls: Vec<Call>,
    /// The routine whose lines are being placed.
    pub(super) routine: Option<u32>,
    pub(super) settings: ProgramSettings,
    pub(super) assertions: Vec<(Rc<Assertion>, Scope)>,
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
            symbols: Symbols::default(),
            memo: Memo::default(),
            findings: Findings::default(),
            program: ProgramMemory::new(),
            next_byte: 0,
            pool: None,
            routines: Vec::new(),
            calls: Vec::new(),
            routine: None,
            settings: ProgramSettings::default(),
            assertions: Vec::new(),
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
    pub(super) fn finish(mut self) -> (Placement, Memo, Findings) {
        self.reports().reword_early();
        let placement = Placement {
            symbols: self.symbols,
            words: self.program.placed,
            slots: self.program.slots,
            left_out: self.program.left_out,
            captions: self.program.captions,
            pool: self.pool,
            routines: self.routines,
            calls: self.calls,
            settings: self.settings,
            assertions: self.assertions,
        };
        (placement, self.memo, self.findings)
    }

    /// Reports problems, with the names that are defined so far.
    pub(super) fn reports(&mut self) -> Reports<'_> {
        self.evaluator().reports
    }

    /// Works values out, with the names that are defined so far.
    pub(super) fn evaluator(&mut self) -> Evaluator<'_> {
        let reports = Reports {
            symbols: &self.symbols,
            names: &mut self.sources.names,
            findings: &mut self.findings,
            is_complete: false,
        };
        Evaluator { reports, memo: &mut self.memo }
    }

    /// The scope of an expression that stands here.
    pub(super) fn scope(&self) -> Scope {
        Scope {
            file: self.at.file,
            env: self.at.env,
            locals: self.locals,
            site: self.at.site,
            here: self.program.next(),
            defined: self.symbols.definitions.len() as u32,
        }
    }

    /// A new site that was called here.
    pub(super) fn site(&mut self, kind: SiteKind, span: Span) -> SiteId {
        let call = Location { file: self.at.file, span };
        self.symbols.scopes.site(Site { kind, call, parent: self.at.site })
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
        self.reports().report_with(problem, span, &scope, |diagnostic| match note {
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
        self.symbols.lost.lose_everything(reported);
        reported
    }

    /// The name that is defined or called here; it can depend only on what is defined above.
    /// Without it, any name may be the one that is lost.
    pub(super) fn known_name(&mut self, symbol: &Symbol) -> Result<Name, Reported> {
        let scope = self.scope();
        let name = self.evaluator().known_name(symbol, &scope);
        name.inspect_err(|reported| self.symbols.lost.lose_everything(*reported))
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
        self.symbols.define(definition, &self.sources.names, self.at.env, locals).map_err(|first| {
            let scope = self.scope();
            self.reports().report_twice(kind, name, symbol.span, first, &scope)
        })
    }

    /// Keeps an expression of this place for later.
    pub(super) fn keep(&mut self, expr: &Rc<Expr>, name: Name) -> ThunkId {
        let scope = self.scope();
        self.symbols.keep(Thunk { expr: expr.clone(), scope, name })
    }

    /// Remembers that an error took a name away.
    pub(super) fn lose(
        &mut self,
        namespace: Namespace,
        symbol: &Symbol,
        reported: Reported,
    ) -> Reported {
        self.symbols.lost.lose(namespace, symbol, reported);
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
        let scope = self.scope();
        let caption = self.caption.as_ref();
        let Err(problem) = self.program.place(PlacedWord { content, span, scope }, caption) else {
            return Ok(());
        };
        if let Some(reported) = self.program.reported {
            return Err(reported);
        }
        let first = match problem {
            Problem::Overlap(index) => self.program.at(index),
            _ => None,
        };
        let note = first.map(|first| ("the first one is here", first.location()));
        let reported = self.report_beside(&problem, span, note);
        self.program.reported = Some(reported);
        Err(reported)
    }
}
