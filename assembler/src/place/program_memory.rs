//! Program memory as it fills up.

use std::rc::Rc;

use gray1_isa::address::ROM_WORDS;

use super::placement::{CaptionRun, PlacedWord};
use crate::problem::Problem;
use crate::report::Reported;

/// Program memory.
#[derive(Debug)]
pub(super) struct ProgramMemory {
    /// The word at each index, as a number of `placed`.
    pub(super) slots: Vec<Option<u16>>,
    /// The words in the order in which they were placed.
    pub(super) placed: Vec<PlacedWord>,
    /// The index of the next instruction; beyond program memory once that is full.
    next: u32,
    /// The words that were left out.
    pub(super) left_out: Vec<PlacedWord>,
    pub(super) captions: Vec<CaptionRun>,
    /// The next index after the lines that are being left out, and the report before them.
    resume: Option<(u32, Option<Reported>)>,
    /// The error about words that were refused since the last `.org`: one for all of them.
    pub(super) reported: Option<Reported>,
}

impl ProgramMemory {
    pub(super) fn new() -> Self {
        Self {
            slots: vec![None; ROM_WORDS],
            placed: Vec::new(),
            next: 0,
            left_out: Vec::new(),
            captions: Vec::new(),
            resume: None,
            reported: None,
        }
    }

    /// The index of the next instruction.
    pub(super) fn next(&self) -> u32 {
        self.next
    }

    /// `.org`
    pub(super) fn go_to(&mut self, index: u32) {
        self.next = index;
        self.reported = None;
    }

    /// Puts a word with its caption at the next index.
    ///
    /// # Errors
    /// If another word is there already, or the memory is full.
    pub(super) fn place(
        &mut self,
        word: PlacedWord,
        caption: Option<&Rc<str>>,
    ) -> Result<(), Problem> {
        let index = self.next;
        self.next += 1;
        if self.resume.is_some() {
            if self.left_out.len() < ROM_WORDS {
                self.left_out.push(word);
            }
            return Ok(());
        }
        match self.slots.get_mut(index as usize) {
            Some(slot @ None) => {
                *slot = Some(self.placed.len() as u16);
                self.placed.push(word);
                if let Some(caption) = caption {
                    self.caption(index as u16, caption);
                }
                Ok(())
            }
            Some(Some(_)) => Err(Problem::Overlap(index as u16)),
            None => Err(Problem::ProgramFull),
        }
    }

    /// Notes the caption of a word.
    fn caption(&mut self, index: u16, text: &Rc<str>) {
        match self.captions.last_mut() {
            Some(run) if Rc::ptr_eq(&run.text, text) && run.first + run.count == index => {
                run.count += 1;
            }
            _ => self.captions.push(CaptionRun { first: index, count: 1, text: Rc::clone(text) }),
        }
    }

    /// The word at an index.
    pub(super) fn at(&self, index: u16) -> Option<&PlacedWord> {
        let slot = (*self.slots.get(usize::from(index))?)?;
        self.placed.get(usize::from(slot))
    }

    /// From here on words are left out.
    pub(super) fn leave_out(&mut self) {
        self.resume = Some((self.next, self.reported));
    }

    /// From here on words count again, as if nothing had been left out.
    pub(super) fn stop_leaving_out(&mut self) {
        if let Some(before) = self.resume.take() {
            (self.next, self.reported) = before;
        }
    }
}
