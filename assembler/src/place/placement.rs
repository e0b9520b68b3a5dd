//! The result of placing a program: words at their indexes, and the names of everything.

use std::collections::BTreeMap;
use std::rc::Rc;

use gray1_isa::reason::Reason;
use gray1_isa::{Op, Presentation, RamAddr};

use super::plan::CalledRoutine;
use crate::diagnostic::Lint;
use crate::names::Name;
use crate::source::{FileId, Location, Span};
use crate::symbols::{EnvId, Scope, Symbols};
use crate::syntax::{Assertion, Expr, RoutineHead};

/// A placed program. Later stages only read it.
#[derive(Debug, Default)]
pub(crate) struct Placement {
    pub(crate) symbols: Symbols,
    /// The words of program memory in the order in which they were placed. `scope.here` is the
    /// index of each.
    pub(crate) words: Vec<PlacedWord>,
    /// For each index, the position of its word in `words`.
    pub(super) slots: Vec<Option<u16>>,
    /// The words of routines that are never called. They take no memory but can have errors.
    pub(crate) left_out: Vec<PlacedWord>,
    pub(crate) captions: Vec<CaptionRun>,
    /// The reasons of captions, by the caption's place in the source.
    pub(crate) reasons: BTreeMap<Location, Vec<PlacedReason>>,
    pub(crate) pool: Option<PlacedPool>,
    pub(crate) routines: Vec<Routine>,
    pub(crate) calls: Vec<Call>,
    pub(crate) settings: ProgramSettings,
    /// The assertions whose names were not all defined yet.
    pub(crate) assertions: Vec<(Rc<Assertion>, Scope)>,
}

impl Placement {
    /// Returns the word at an index.
    pub(crate) fn at(&self, index: usize) -> Option<&PlacedWord> {
        self.slots[index].map(|number| &self.words[usize::from(number)])
    }

    /// Adds a word to the run of its caption.
    pub(super) fn note_caption(&mut self, index: u16, caption: &PlacedCaption) {
        match self.captions.last_mut() {
            Some(run) if run.caption == *caption && run.first + run.count == index => {
                run.count += 1;
            }
            _ => {
                let caption = caption.clone();
                self.captions.push(CaptionRun { first: index, count: 1, caption });
            }
        }
    }

    /// Returns the line of the main source that a word comes from. For a word inside a block, call
    /// or include, that is the line of the outermost one.
    pub(crate) fn outermost(&self, placed: &PlacedWord) -> Option<Location> {
        let sites = self.symbols.scopes.ancestors(placed.scope.site);
        let lines = std::iter::once(placed.location()).chain(sites.map(|(_, site)| site.call));
        lines.filter(|at| at.file == FileId::ROOT).last()
    }

    /// Returns the place of the first line in the main source that makes code.
    pub(crate) fn start(&self) -> Option<Location> {
        self.outermost(self.words.iter().min_by_key(|placed| placed.scope.here)?)
    }
}

/// A word with its index. Its operand may not be known yet.
#[derive(Debug)]
pub(crate) struct PlacedWord {
    pub(crate) content: WordContent,
    pub(crate) span: Span,
    /// The scope of its operand. `here` is the index of the word.
    pub(crate) scope: Scope,
}

impl PlacedWord {
    /// Returns the place of the statement that made the word.
    pub(crate) fn location(&self) -> Location {
        Location { file: self.scope.file, span: self.span }
    }
}

/// Consecutive words with the same caption.
#[derive(Debug)]
pub(crate) struct CaptionRun {
    pub(crate) first: u16,
    pub(crate) count: u16,
    pub(crate) caption: PlacedCaption,
}

/// A caption, and the place of its first line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct PlacedCaption {
    pub(crate) text: Rc<str>,
    pub(crate) at: Location,
}

/// A reason of a caption, and its place.
#[derive(Debug, Clone)]
pub(crate) struct PlacedReason {
    pub(crate) reason: Reason,
    pub(crate) span: Span,
    pub(crate) scope: Scope,
}

/// The contents of a word.
#[derive(Debug, Clone)]
pub(crate) enum WordContent {
    Instruction(Op, Option<Rc<Expr>>),
    Word(Rc<Expr>),
    /// Loads A from the byte of the pool with this number.
    PoolLoad(u16),
    /// Stores A in the byte of the pool with this number.
    PoolStore(u16),
    /// The instruction that loads an argument of a routine call into A. In `value`, `$` is `call`,
    /// the index of the first word of the call.
    Argument {
        value: Rc<Expr>,
        call: u32,
    },
    /// An instruction of a call or return, whose operand the assembler fills in.
    Linked(Op, LinkedOperand),
}

/// The operand of an instruction of a call or return. The numbers identify calls and routines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkedOperand {
    /// For a call: its number among the calls of its routine.
    Site(u32),
    /// For a call: the byte in which its routine keeps the number of the active call.
    SiteByteOfCall(u32),
    /// For a routine: the byte in which it keeps the number of the active call.
    SiteByte(u32),
    /// For a call: the byte of the routine's parameter with this number.
    Parameter {
        call: u32,
        number: usize,
    },
    /// For a call: the byte with the result of its routine.
    Result(u32),
    /// For a call: the start of its routine.
    Entry(u32),
    /// For a routine: the instruction after the call with this number.
    Back {
        routine: u32,
        site: u32,
    },
    /// For a routine: the word at which it returns.
    End(u32),
    Index(u32),
}

/// The place of the `.pool`, and the address of its first byte.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedPool {
    pub(crate) location: Location,
    pub(crate) first: RamAddr,
}

/// A routine that the source defines.
#[derive(Debug)]
pub(crate) struct Routine {
    pub(crate) head: Rc<RoutineHead>,
    pub(crate) name: Name,
    pub(crate) scope: Scope,
    /// The environment of the names inside it.
    pub(crate) env: EnvId,
    /// Facts about its calls. `None` if the program never calls it.
    pub(crate) called: Option<CalledRoutine>,
    pub(crate) entry: u32,
    /// The index of the instruction that returns.
    pub(crate) end: u32,
    /// The place of its `.endroutine`.
    pub(crate) closer: Location,
    /// The address of its first byte in data memory.
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

    /// Returns the address of one of the bytes that calls use. They are the parameters, the result
    /// and the number of the call, in this order.
    pub(crate) fn byte(&self, number: usize) -> u32 {
        self.first_byte + number as u32
    }

    /// Returns the address of the byte with the number of the call. Only routines that are called
    /// from several places have one.
    pub(crate) fn site_byte(&self) -> Option<u32> {
        (self.sites() > 1).then(|| self.byte(self.head.variables().count()))
    }
}

#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) name: Name,
    pub(crate) caller: Option<u32>,
    pub(crate) span: Span,
    pub(crate) scope: Scope,
    pub(crate) arguments: usize,
    /// The index after the call.
    pub(crate) back: u32,
}

/// Settings that a source can make once.
#[derive(Debug, Default)]
pub(crate) struct ProgramSettings {
    pub(crate) title: Option<(Rc<str>, Location)>,
    /// The place of the `.result`.
    pub(crate) result: Option<Location>,
    /// The names of the constants that the command line can set.
    pub(crate) defaults: Vec<Name>,
    /// The warnings that the source switched off.
    pub(crate) allowed: Vec<Lint>,
    pub(crate) presentation: Presentation,
}
