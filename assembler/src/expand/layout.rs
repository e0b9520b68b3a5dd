//! Where instructions and variables come to stand.

use std::rc::Rc;

use gray1_isa::address::ROM_WORDS;
use gray1_isa::{Op, panel};

use super::calls::Link;
use super::pool::Planting;
use super::scope::Scope;
use crate::source::Span;
use crate::syntax::Expr;

/// What makes a word.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    Instruction(Op, Option<Rc<Expr>>),
    /// A jump to itself.
    Halt,
    Word(Rc<Expr>),
    /// A part of a `.pool`.
    Plant(Planting),
    /// What an argument of a routine starts with: its byte into A.
    Argument(Rc<Expr>),
    /// An instruction of a call or a return, whose operand only the assembler knows.
    Linked(Op, Link),
}

/// A word that has its place; its operand may not be known yet.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) content: Content,
    pub(crate) span: Span,
    /// `here` is its index.
    pub(crate) scope: Scope,
}

/// Why a word cannot be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// Another word stands there already.
    Taken(u16),
    Full,
    /// As the word before it, which was reported.
    Again,
}

/// The two memories as they fill up.
#[derive(Debug)]
pub(crate) struct Layout {
    /// What stands at each index, as a number of `placed`.
    slots: Vec<Option<u16>>,
    placed: Vec<Placed>,
    /// The index of the next instruction; beyond program memory once that is full.
    next: u32,
    /// Whether the words since the last `.org` were refused already.
    refused: bool,
    /// The address of the next variable.
    next_variable: i64,
    /// The stretches of data memory that are taken: first bytes and ends.
    taken: Vec<(i64, i64)>,
    /// The words of routines that nothing calls: they take no room, but may have mistakes.
    left_out: Vec<Placed>,
    /// Where to go on after the lines that are being left out.
    resume: Option<(u32, bool)>,
}

impl Layout {
    pub(crate) fn new() -> Self {
        Self {
            slots: vec![None; ROM_WORDS],
            placed: Vec::new(),
            next: 0,
            refused: false,
            next_variable: 0,
            taken: Vec::new(),
            left_out: Vec::new(),
            resume: None,
        }
    }

    /// The index of the next instruction.
    pub(crate) fn next(&self) -> u32 {
        self.next
    }

    /// `.org`
    pub(crate) fn go_to(&mut self, index: u32) {
        self.next = index;
        self.refused = false;
    }

    /// Puts a word at the next index.
    pub(crate) fn place(&mut self, word: Placed) -> Result<(), Refused> {
        let index = self.next;
        self.next += 1;
        if self.resume.is_some() {
            if self.left_out.len() < ROM_WORDS {
                self.left_out.push(word);
            }
            return Ok(());
        }
        let slot = self.slots.get_mut(index as usize);
        let refusal = match slot {
            Some(slot @ None) => {
                *slot = Some(self.placed.len() as u16);
                self.placed.push(word);
                return Ok(());
            }
            Some(Some(_)) => Refused::Taken(index as u16),
            None => Refused::Full,
        };
        // One error for a run of words that have no place.
        let again = std::mem::replace(&mut self.refused, true);
        Err(if again { Refused::Again } else { refusal })
    }

    /// What stands at an index.
    pub(crate) fn at(&self, index: u16) -> Option<&Placed> {
        let slot = (*self.slots.get(usize::from(index))?)?;
        self.placed.get(usize::from(slot))
    }

    /// `.ram`
    pub(crate) fn go_to_variable(&mut self, address: i64) {
        self.next_variable = address;
    }

    /// Takes `size` bytes; gives the address of the first.
    ///
    /// # Errors
    /// If they would reach the panel's memory, with the addresses of the first and the last.
    pub(crate) fn reserve(&mut self, size: i64) -> Result<i64, (i64, i64)> {
        let first = self.next_variable;
        let end = first.saturating_add(size);
        if end > i64::from(panel::RESERVED.get()) {
            return Err((first, end - 1));
        }
        self.next_variable = end;
        self.taken.push((first, end));
        Ok(first)
    }

    /// The first address from which on so many bytes are free.
    pub(crate) fn free_stretch(&self, size: i64) -> Option<i64> {
        let mut taken = self.taken.clone();
        taken.sort_unstable();
        let mut first = 0;
        for (start, end) in taken {
            if first + size <= start {
                break;
            }
            first = first.max(end);
        }
        (first + size <= i64::from(panel::RESERVED.get())).then_some(first)
    }

    /// From here on words are left out.
    pub(crate) fn leave_out(&mut self) {
        self.resume = Some((self.next, self.refused));
    }

    /// From here on words count again, as if nothing had been left out.
    pub(crate) fn stop_leaving_out(&mut self) {
        if let Some((next, refused)) = self.resume.take() {
            (self.next, self.refused) = (next, refused);
        }
    }

    /// The words in the order in which they were placed, and those that were left out.
    pub(crate) fn into_placed(self) -> (Vec<Placed>, Vec<Placed>) {
        (self.placed, self.left_out)
    }
}
