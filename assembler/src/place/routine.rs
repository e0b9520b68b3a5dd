//! Routines: `.routine`, `.call` and `.return` on a machine without a stack.
//!
//! A routine has bytes for its parameters, its result and its variables. If it is called from
//! several places, it also has a byte for the number of the calling place. To return, it tests the
//! bits of this number one by one and jumps to the instruction after the call.

use std::rc::Rc;

use gray1_isa::Op;

use super::draft::{Draft, LineContext, Outcome, recover};
use super::placement::{Call, LinkedOperand, Routine, WordContent};
use super::plan::CalledRoutine;
use crate::names::Name;
use crate::problem::Problem;
use crate::report::Reported;
use crate::source::{Location, Span};
use crate::symbols::{Meaning, Namespace, SiteKind};
use crate::syntax::{RoutineCall, RoutineHead};

impl Draft<'_, '_> {
    /// Handles `.routine`. Returns the number of the routine. The names and words that follow
    /// belong to it.
    pub(super) fn open_routine(
        &mut self,
        head: &Rc<RoutineHead>,
        (opener, closer): (Span, Span),
    ) -> Result<u32, Reported> {
        self.refuse_in_structure(opener)
            .and_then(|()| self.refuse_in_routine(opener))
            .map_err(|reported| self.lose(Namespace::Routines, &head.name, reported))?;
        let name = self.known_name(&head.name)?;
        let scope = self.scope();
        if let Some((_, first)) = self.placed.symbols.routines.get(&name) {
            let (first, span) = (*first, head.name.span);
            return Err(self.evaluator().report_duplicate("routine", name, span, first, &scope));
        }
        let called = self.plan.called(name);
        // A routine that is never called takes no data memory.
        let (first_byte, width) = match called {
            Some(CalledRoutine { sites, .. }) => {
                let what = format!("the bytes of `{}`", self.sources.names.text(name));
                let bytes = head.variables().count() as u16 + u16::from(sites > 1);
                // Continue after a failure, because the lines of the routine can have other errors.
                (self.reserve(what, bytes, head.name.span).unwrap_or(0), 1)
            }
            None => (0, 0),
        };
        if called.is_none() {
            // The program never calls it, so its lines take no program memory.
            self.resume = Some((self.next_index, self.refused));
        }
        let routine = Routine {
            head: head.clone(),
            name,
            scope,
            env: self.placed.symbols.scopes.add_routine_env(self.at.env),
            called,
            entry: scope.here,
            end: 0,
            closer: Location { file: self.at.file, span: closer },
            first_byte,
        };
        let (number, env) = (self.placed.routines.len() as u32, routine.env);
        self.placed.symbols.routines.insert(name, (number, routine.location()));
        self.placed.routines.push(routine);
        self.routine = Some(number);
        let site = self.add_site(SiteKind::Routine(name), opener);
        self.at = LineContext { env, site, ..self.at.nested() };
        for (symbol, offset) in head.variables().zip(0..) {
            let name = self.known_name(symbol);
            let (address, routine) = (i64::from(first_byte) + offset, Some(number));
            let meaning = Meaning::Variable { address, size: width, routine, is_seed: false };
            recover(name.and_then(|name| self.define(name, symbol, meaning)));
        }
        Ok(number)
    }

    fn refuse_in_routine(&mut self, span: Span) -> Outcome {
        match self.routine {
            Some(_) => Err(self.report(&Problem::NestedRoutine, span)),
            None => Ok(()),
        }
    }

    /// Handles `.endroutine`: places the return to the instruction after the call.
    pub(super) fn close_routine(&mut self, number: u32, closer: Span) -> Outcome {
        let routine = &mut self.placed.routines[number as usize];
        routine.end = self.next_index;
        let (sites, is_left_out) = (routine.sites(), routine.called.is_none());
        let number_into_a = match sites {
            0 | 1 => Ok(()),
            _ => self.place(WordContent::Linked(Op::Ld, LinkedOperand::SiteByte(number)), closer),
        };
        let all = Sites { first: 0, step: 1, all: sites.max(1) };
        let outcome = number_into_a.and_then(|()| self.place_decision(number, all, closer));
        self.routine = None;
        if is_left_out {
            // Restore the index from before the lines that were left out.
            if let Some(before) = self.resume.take() {
                (self.next_index, self.refused) = before;
            }
        }
        outcome
    }

    /// Places a jump to the instruction after the call whose number is in A. `sites` contains the
    /// possible numbers. The bits that they have in common have already been shifted out of A.
    fn place_decision(&mut self, routine: u32, sites: Sites, span: Span) -> Outcome {
        let back = |site| LinkedOperand::Back { routine, site: site as u32 };
        if sites.count() == 1 {
            return self.place(WordContent::Linked(Op::Jmp, back(sites.first)), span);
        }
        let (even, odd) = sites.split_by_next_bit();
        self.place(WordContent::Instruction(Op::Shr, None), span)?;
        if odd.count() == 1 {
            self.place(WordContent::Linked(Op::Jc, back(odd.first)), span)?;
            return self.place_decision(routine, even, span);
        }
        let odd_index = self.next_index + 1 + even.count_words();
        self.place(WordContent::Linked(Op::Jc, LinkedOperand::Index(odd_index)), span)?;
        self.place_decision(routine, even, span)?;
        self.place_decision(routine, odd, span)
    }

    /// Handles `.call`.
    pub(super) fn call_routine(&mut self, call: &RoutineCall, span: Span) -> Outcome {
        let RoutineCall { name: symbol, arguments } = call;
        self.refuse_in_structure(span)?;
        let name = self.known_name(symbol)?;
        let called = self.plan.called(name);
        let call = self.placed.calls.len() as u32;
        self.placed.calls.push(Call {
            name,
            caller: self.routine,
            span: symbol.span,
            scope: self.scope(),
            arguments: arguments.len(),
            back: 0,
        });
        let first = self.next_index;
        let mut words = Vec::new();
        if called.is_some_and(|called| called.sites > 1) {
            words.push(WordContent::Linked(Op::Ldi, LinkedOperand::Site(call)));
            words.push(WordContent::Linked(Op::St, LinkedOperand::SiteByteOfCall(call)));
        }
        for (argument, number) in arguments.iter().zip(0..) {
            words.push(WordContent::Argument { value: argument.clone(), call: first });
            words.push(WordContent::Linked(Op::St, LinkedOperand::Parameter { call, number }));
        }
        words.push(WordContent::Linked(Op::Jmp, LinkedOperand::Entry(call)));
        let outcome = words.into_iter().try_for_each(|word| self.place(word, span));
        self.placed.calls[call as usize].back = self.next_index;
        if called.is_some_and(|called| called.has_result) {
            self.place(WordContent::Linked(Op::Ld, LinkedOperand::Result(call)), span)?;
        }
        outcome
    }

    /// Handles `.return`.
    pub(super) fn place_return(&mut self, span: Span) -> Outcome {
        self.refuse_in_structure(span)?;
        let Some(routine) = self.routine else {
            return Err(self.report(&Problem::ReturnOutside, span));
        };
        let has_several_sites = self.placed.routines[routine as usize].sites() > 1;
        let link = if has_several_sites {
            LinkedOperand::End(routine)
        } else {
            LinkedOperand::Back { routine, site: 0 }
        };
        self.place(WordContent::Linked(Op::Jmp, link), span)
    }

    /// Returns the current routine, if a variable with this name belongs to it.
    pub(super) fn owning_routine(&self, name: Name) -> Option<u32> {
        let scopes = &self.placed.symbols.scopes;
        let is_local = self.sources.names.is_local(name);
        self.routine.filter(|_| is_local || scopes.routine_around(self.at.env).is_some())
    }
}

/// The call numbers `first`, `first + step`, … below `all`. They agree in their lowest bits.
#[derive(Debug, Clone, Copy)]
struct Sites {
    first: usize,
    step: usize,
    all: usize,
}

impl Sites {
    fn count(self) -> usize {
        (self.all - self.first).div_ceil(self.step)
    }

    fn split_by_next_bit(self) -> (Self, Self) {
        let step = 2 * self.step;
        (Self { step, ..self }, Self { first: self.first + self.step, step, ..self })
    }

    /// Returns the number of instructions that choose one of these calls and jump to the
    /// instruction after it.
    fn count_words(self) -> u32 {
        if self.count() == 1 {
            return 1;
        }
        let (even, odd) = self.split_by_next_bit();
        2 + even.count_words() + if odd.count() == 1 { 0 } else { odd.count_words() }
    }
}
