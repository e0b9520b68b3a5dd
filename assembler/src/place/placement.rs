//! The outcome of placing a program: words at their indexes, and the names of everything.

use std::collections::HashMap;
use std::rc::Rc;

use gray1_isa::reason::Reason;
use gray1_isa::{Op, Presentation, RamAddr};

use super::plan::CalledRoutine;
use crate::diagnostic::Lint;
use crate::names::Name;
use crate::source::{FileId, Location, Span};
use crate::symbols::{EnvId, Scope, Symbols};
use crate::syntax::{Assertion, Expr, RoutineHead};

/// A program whose words have their places. Read-only for all later stages.
#[derive(Debug, Default)]
pub(crate) struct Placement {
    pub(crate) symbols: Symbols,
    /// The words of program memory in the order in which they were placed, each at the index
    /// `scope.here`.
    pub(crate) words: Vec<PlacedWord>,
    /// The word at each index, as a number of `words`.
    pub(super) slots: Vec<Option<u16>>,
    /// The words of routines that nothing calls: they take no room, but may have mistakes.
    pub(crate) left_out: Vec<PlacedWord>,
    pub(crate) captions: Vec<CaptionRun>,
    /// The reasons of captions, by their text.
    pub(crate) reasons: HashMap<Rc<str>, Vec<Reason>>,
    pub(crate) pool: Option<PlacedPool>,
    pub(crate) routines: Vec<Routine>,
    pub(crate) calls: Vec<Call>,
    pub(crate) settings: ProgramSettings,
    /// The assertions that need names which were not defined yet.
    pub(crate) assertions: Vec<(Rc<Assertion>, Scope)>,
}

impl Placement {
    /// The word that a line has placed at an index.
    pub(crate) fn at(&self, index: usize) -> Option<&PlacedWord> {
        self.slots[index].map(|number| &self.words[usize::from(number)])
    }

    /// Notes the caption of a word.
    pub(super) fn note_caption(&mut self, index: u16, text: &Rc<str>) {
        match self.captions.last_mut() {
            Some(run) if Rc::ptr_eq(&run.text, text) && run.first + run.count == index => {
                run.count += 1;
            }
            _ => self.captions.push(CaptionRun { first: index, count: 1, text: Rc::clone(text) }),
        }
    }

    /// The line of the source itself that a word comes from: its own, if it stands in no block, or
    /// else that of the outermost block, call or include around it.
    pub(crate) fn outermost(&self, placed: &PlacedWord) -> Option<Location> {
        let sites = self.symbols.scopes.sites_of(placed.scope.site);
        let ways = std::iter::once(placed.location()).chain(sites.map(|(_, site)| site.call));
        ways.filter(|at| at.file == FileId::ROOT).last()
    }

    /// The place where the source itself starts to make words.
    pub(crate) fn start(&self) -> Option<Location> {
        self.outermost(self.words.iter().min_by_key(|placed| placed.scope.here)?)
    }
}

/// A word that has its place; its operand may not be known yet.
#[derive(Debug)]
pub(crate) struct PlacedWord {
    pub(crate) content: WordContent,
    pub(crate) span: Span,
    /// `here` is its index.
    pub(crate) scope: Scope,
}

impl PlacedWord {
    /// The statement that it comes from.
    pub(crate) fn location(&self) -> Location {
        Location { file: self.scope.file, span: self.span }
    }
}

/// Words in a row that a caption is about.
#[derive(Debug)]
pub(crate) struct CaptionRun {
    pub(crate) first: u16,
    pub(crate) count: u16,
    pub(crate) text: Rc<str>,
}

/// The contents of a word.
#[derive(Debug, Clone)]
pub(crate) enum WordContent {
    Instruction(Op, Option<Rc<Expr>>),
    Word(Rc<Expr>),
    /// The value of the pool's byte of this number, into A.
    PoolLoad(u16),
    /// A, into the pool's byte of this number.
    PoolStore(u16),
    /// The first word of an argument of a routine: its byte into A. In its value `$` is `call`, the
    /// index of the first word of the call.
    Argument {
        value: Rc<Expr>,
        call: u32,
    },
    /// An instruction of a call or a return, whose operand only the assembler knows.
    Linked(Op, LinkedOperand),
}

/// The operand of an instruction of a call or a return. Calls and routines go by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkedOperand {
    /// The number of a call among those of its routine.
    Site(u32),
    /// The byte that holds this number while the routine is active, for a call.
    SiteByteOfCall(u32),
    /// The same byte, for a routine.
    SiteByte(u32),
    /// The byte of a parameter of this number, for a call.
    Parameter {
        call: u32,
        number: usize,
    },
    /// The byte of the result, for a call.
    Result(u32),
    /// The start of the routine, for a call.
    Entry(u32),
    /// The instruction after the call of this number among those of the routine.
    Back {
        routine: u32,
        site: u32,
    },
    /// The word at which a routine returns.
    End(u32),
    Index(u32),
}

/// The place of the `.pool`, and the address of its first byte.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedPool {
    pub(crate) location: Location,
    pub(crate) first: RamAddr,
}

/// A routine that was defined.
#[derive(Debug)]
pub(crate) struct Routine {
    pub(crate) head: Rc<RoutineHead>,
    pub(crate) name: Name,
    pub(crate) scope: Scope,
    /// The environment of its own names.
    pub(crate) env: EnvId,
    /// `None` if the program never calls it.
    pub(crate) called: Option<CalledRoutine>,
    pub(crate) entry: u32,
    /// The index of the instruction that returns.
    pub(crate) end: u32,
    /// The statement that closes it.
    pub(crate) closer: Location,
    /// The address of its first byte.
    pub(crate) first_byte: u32,
}

impl Routine {
    /// The place of its name.
    pub(crate) fn location(&self) -> Location {
        Location { file: self.scope.file, span: self.head.name.span }
    }

    /// The number of places that call it.
    pub(crate) fn sites(&self) -> usize {
        self.called.map_or(0, |called| called.sites)
    }

    /// The address of a byte that calls use: the parameters, the result and the number of the call,
    /// in this order.
    pub(crate) fn byte(&self, number: usize) -> u32 {
        self.first_byte + number as u32
    }

    /// The address of the number of the call, which a routine with several callers has.
    pub(crate) fn site_byte(&self) -> Option<u32> {
        (self.sites() > 1).then(|| self.byte(self.head.variables().count()))
    }
}

/// A `.call`.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) name: Name,
    pub(crate) caller: Option<u32>,
    pub(crate) span: Span,
    pub(crate) scope: Scope,
    pub(crate) arguments: usize,
    /// The index behind it.
    pub(crate) back: u32,
}

/// The settings of a program.
#[derive(Debug, Default)]
pub(crate) struct ProgramSettings {
    pub(crate) title: Option<(Rc<str>, Location)>,
    /// The place of the `.result`.
    pub(crate) result: Option<Location>,
    /// The names of the constants that the command line can give other values.
    pub(crate) defaults: Vec<Name>,
    /// The warnings that were switched off.
    pub(crate) allowed: Vec<Lint>,
    pub(crate) presentation: Presentation,
}
