//! The placement while it grows, the context of the next line, and the operations that statements
//! consist of. The order of lines is decided in `walk`.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use gray1_isa::address::ROM_WORDS;

use super::placement::{PlacedCaption, PlacedWord, Placement, WordContent};
use super::plan::Plan;
use crate::evaluate::{Evaluator, Findings};
use crate::limits::SYMBOLS_MAX;
use crate::names::Name;
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::{FileId, Location, Span};
use crate::sources::LoadedSources;
use crate::symbols::{
    Definition, EnvId, LocalScopeId, Meaning, Namespace, Scope, Site, SiteId, SiteKind, Thunk,
    ThunkId,
};
use crate::syntax::{Expr, Symbol};

/// The result of placing a statement. If it is an error, that error has been reported, and placing
/// continues with the next line.
pub(super) type Outcome = Result<(), Reported>;

/// Ignores an error that has been reported, because the lines that follow may have others.
pub(super) fn recover(_: Outcome) {}

/// A placement while it grows, and the state of the walk over the lines.
pub(super) struct Draft<'a, 'l> {
    pub(super) sources: &'a mut LoadedSources<'l>,
    pub(super) plan: &'a Plan,
    pub(super) placed: Placement,
    pub(super) findings: Findings,
    /// The index of the next instruction. It exceeds program memory once that is full.
    pub(super) next_index: u32,
    /// The state to restore after lines that are left out: the next index and `refused`, as they
    /// were before those lines.
    pub(super) resume: Option<(u32, Option<Reported>)>,
    /// The error about words that were refused since the last `.org`. All these words share one
    /// error.
    pub(super) refused: Option<Reported>,
    /// The address of the next variable.
    pub(super) next_address: u32,
    /// The routine whose lines are being placed.
    pub(super) routine: Option<u32>,
    /// The context of the next line.
    pub(super) at: LineContext,
    /// The local scope of the next line.
    pub(super) locals: LocalScopeId,
    /// The structure around the next line.
    pub(super) structure: Option<Structure>,
    /// The caption of the next words.
    pub(super) caption: Option<PlacedCaption>,
    /// Set while the walk abandons an endless expansion.
    pub(super) unwinding: Option<Unwinding>,
    /// The number of definitions so far, including duplicates.
    definition_count: usize,
    /// The files whose lines are being placed, the root first.
    pub(super) open_files: Vec<FileId>,
    /// The files that have been placed or are being placed.
    pub(super) placed_files: HashSet<FileId>,
    /// The number of expanded lines.
    pub(super) lines: u32,
    /// Macros that expand endlessly, with the error that reported it.
    pub(super) endless: HashMap<Name, Reported>,
}

/// How far the walk unwinds after an error.
#[derive(Clone, Copy)]
pub(super) enum Unwinding {
    /// Unwinds to the next line of the root file, because that line is not part of the endless
    /// expansion.
    ToRoot(Reported),
    /// Unwinds to the end of the program, because a limit was reached.
    ToEnd(Reported),
}

impl Unwinding {
    /// Returns the error that caused the unwinding.
    pub(super) fn reported(self) -> Reported {
        let (Self::ToRoot(reported) | Self::ToEnd(reported)) = self;
        reported
    }
}

/// A structure whose fields are being read.
#[derive(Clone, Copy)]
pub(super) struct Structure {
    pub(super) name: Name,
    /// The size of the fields so far, which is the offset of the next field.
    pub(super) size: i64,
}

/// The file, scopes and depth in which a line is placed.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineContext {
    pub(super) file: FileId,
    pub(super) env: EnvId,
    pub(super) site: SiteId,
    pub(super) depth: u32,
}

impl LineContext {
    /// Returns the context one level deeper.
    pub(super) fn nested(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

impl<'a, 'l> Draft<'a, 'l> {
    pub(super) fn new(at: LineContext, sources: &'a mut LoadedSources<'l>, plan: &'a Plan) -> Self {
        Self {
            sources,
            plan,
            placed: Placement { slots: vec![None; ROM_WORDS], ..Placement::default() },
            findings: Findings::default(),
            next_index: 0,
            resume: None,
            refused: None,
            next_address: 0,
            routine: None,
            at,
            locals: LocalScopeId::ROOT,
            structure: None,
            caption: None,
            unwinding: None,
            definition_count: 0,
            open_files: Vec::new(),
            placed_files: HashSet::from([at.file]),
            lines: 0,
            endless: HashMap::new(),
        }
    }

    /// Returns the finished placement, and the findings that linking continues with.
    pub(super) fn finish(mut self) -> (Placement, Findings) {
        self.evaluator().reword_early();
        (self.placed, self.findings)
    }

    /// Returns an evaluator that knows the names defined so far.
    pub(super) fn evaluator(&mut self) -> Evaluator<'_> {
        Evaluator {
            symbols: &self.placed.symbols,
            names: &mut self.sources.names,
            findings: &mut self.findings,
            is_complete: false,
        }
    }

    /// Returns the scope of an expression in the current line.
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

    /// Adds a site that is called from the current line.
    pub(super) fn add_site(&mut self, kind: SiteKind, span: Span) -> SiteId {
        let call = Location { file: self.at.file, span };
        self.placed.symbols.scopes.add_site(Site { kind, call, parent: self.at.site })
    }

    /// Reports a problem in the current line.
    pub(super) fn report(&mut self, problem: &Problem, span: Span) -> Reported {
        self.report_with_note(problem, span, None)
    }

    /// Reports a problem in the current line, with a note about another place.
    pub(super) fn report_with_note(
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

    /// Reports an endless expansion, and starts to unwind.
    pub(super) fn give_up(&mut self, problem: &Problem, span: Span) -> Reported {
        let reported = self.report(problem, span);
        self.unwinding.get_or_insert(Unwinding::ToRoot(reported));
        reported
    }

    /// Reports that a limit was reached, and starts to unwind to the end.
    pub(super) fn stop_at_limit(&mut self, problem: &Problem, span: Span) -> Reported {
        let reported = self.report(problem, span);
        self.unwinding = Some(Unwinding::ToEnd(reported));
        self.placed.symbols.lost.lose_everything(reported);
        reported
    }

    /// Returns the name that is defined or called here. The numbers in it can only depend on
    /// definitions above. If the name cannot be determined, marks every name as lost.
    pub(super) fn known_name(&mut self, symbol: &Symbol) -> Result<Name, Reported> {
        let scope = self.scope();
        let name = self.evaluator().known_name(symbol, &scope);
        name.inspect_err(|reported| self.placed.symbols.lost.lose_everything(*reported))
    }

    /// Defines a symbol, or reports that it is already defined.
    pub(super) fn define(&mut self, name: Name, symbol: &Symbol, meaning: Meaning) -> Outcome {
        if let Some(unwinding) = self.unwinding {
            return Err(unwinding.reported());
        }
        self.definition_count += 1;
        if self.definition_count > SYMBOLS_MAX {
            return Err(self.stop_at_limit(&Problem::TooManySymbols, symbol.span));
        }
        let kind = meaning.kind();
        let location = Location { file: self.at.file, span: symbol.span };
        let definition = Definition { name, meaning, location };
        let locals = self.locals;
        self.placed.symbols.define(definition, &self.sources.names, self.at.env, locals).map_err(
            |first| {
                let scope = self.scope();
                self.evaluator().report_duplicate(kind, name, symbol.span, first, &scope)
            },
        )
    }

    /// Keeps an expression of the current line for later evaluation.
    pub(super) fn keep(&mut self, expr: &Rc<Expr>, name: Name) -> ThunkId {
        let scope = self.scope();
        self.placed.symbols.keep(Thunk { expr: expr.clone(), scope, name })
    }

    /// Records that an error prevented the definition of a name.
    pub(super) fn lose(
        &mut self,
        namespace: Namespace,
        symbol: &Symbol,
        reported: Reported,
    ) -> Reported {
        self.placed.symbols.lost.lose(namespace, symbol, reported);
        reported
    }

    /// Refuses a statement inside a structure.
    pub(super) fn refuse_in_structure(&mut self, span: Span) -> Outcome {
        match self.structure {
            Some(_) => Err(self.report(&Problem::NotInStructure, span)),
            None => Ok(()),
        }
    }

    /// Puts a word at the next index.
    pub(super) fn place(&mut self, content: WordContent, span: Span) -> Outcome {
        self.refuse_in_structure(span)?;
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
                self.report_with_note(&Problem::Overlap(index as u16), span, Some(note))
            }
            None => self.report(&Problem::ProgramFull, span),
        };
        self.refused = Some(reported);
        Err(reported)
    }
}
