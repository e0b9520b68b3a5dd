//! Routines: `.routine`, `.call` and `.return` on a machine without a stack.
//!
//! A routine has bytes of its own for its parameters, its result and its variables, and, if it is
//! called from several places, one for the number of the place. To return is to jump to behind the
//! call of this number, which takes a decision for each of its bits.
//!
//! How many places there are, and where the bytes lie, is known only at the end, and what stands
//! below moves with it. So the program is expanded with what came out the time before, as for a
//! `.pool`, until that is right.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use gray1_isa::{Op, Symbol as ImageSymbol, SymbolKind};

use super::calls::{CALL_SITES_MAX, Edge, Frame, Link, Plan, overlay, survey};
use super::layout::Content;
use super::scope::Scope;
use super::{At, Expander, Meaning};
use crate::data_map::DataItem;
use crate::diagnostic::{Diagnostic, Note};
use crate::names::Name;
use crate::problem::Problem;
use crate::report::shorten;
use crate::source::{Location, Span};
use crate::suggest;
use crate::syntax::{Branch, Expr, RoutineHead, Symbol};

/// Longer circles are shown without their middle.
const CYCLE_NOTES_MAX: usize = 16;

/// All routines and calls of a program.
#[derive(Debug, Default)]
pub(super) struct Routines {
    /// What came out the time before; nothing the first time.
    plan: Option<Plan>,
    /// What came out this time; nothing if it cannot be had, which was reported.
    outcome: Option<Plan>,
    list: Vec<Routine>,
    numbers: HashMap<Name, u32>,
    calls: Vec<Call>,
    /// The routine whose lines are being expanded.
    current: Option<u32>,
    /// For each call the routine that it calls and its number among the calls of that routine,
    /// for each routine the calls of it: once all is expanded.
    sites: Vec<Option<(u32, u32)>>,
    callers: Vec<Vec<u32>>,
}

/// A routine that was defined.
#[derive(Debug)]
struct Routine {
    head: Rc<RoutineHead>,
    name: Name,
    scope: Scope,
    /// `None` if nothing came to call it the time before.
    frame: Option<Frame>,
    entry: u32,
    /// The index of what returns.
    end: u32,
    /// The statement that closes it.
    closer: Location,
    /// How many bytes it has, without the one for the number of the call.
    size: u32,
}

/// A `.call`.
#[derive(Debug)]
struct Call {
    name: Name,
    caller: Option<u32>,
    span: Span,
    scope: Scope,
    arguments: usize,
    /// The index behind it.
    back: u32,
}

impl Routines {
    /// Routines for another expansion, with what came out of this one.
    pub(super) fn again(self) -> Self {
        Self { plan: self.outcome.or(self.plan), ..Self::default() }
    }

    /// Whether something else came out than the program was expanded with.
    pub(super) fn is_unsettled(&self) -> bool {
        !self.list.is_empty() && self.outcome.is_some() && self.outcome != self.plan
    }

    /// What the first time knew of a routine, or what it has to believe.
    fn frame(&self, name: Name) -> Option<Frame> {
        match &self.plan {
            Some(plan) => plan.get(&name).copied(),
            None => Some(Frame { base: 0, sites: 1, has_result: false }),
        }
    }

    /// The place of the first routine.
    pub(super) fn location(&self) -> Option<Location> {
        let Routine { scope, head, .. } = self.list.first()?;
        Some(Location { file: scope.file, span: head.name.span })
    }

    /// The statements that close routines.
    pub(super) fn closers(&self) -> HashSet<Location> {
        self.list.iter().map(|routine| routine.closer).collect()
    }

    /// The names and places of routines that nothing comes to call.
    pub(super) fn uncalled(&self) -> impl Iterator<Item = (Name, Location)> {
        let uncalled = self.list.iter().filter(|routine| routine.frame.is_none());
        uncalled.map(|routine| {
            let at = Location { file: routine.scope.file, span: routine.head.name.span };
            (routine.name, at)
        })
    }

    /// Names and indexes of those that are called, and where they are defined.
    pub(super) fn entries(&self) -> impl Iterator<Item = (Name, u32, (Span, Scope))> {
        let called = self.list.iter().filter(|routine| routine.frame.is_some());
        called.map(|routine| {
            let origin = (routine.head.name.span, routine.scope);
            (routine.name, routine.entry, origin)
        })
    }

    /// The same, with the places of the names.
    pub(super) fn entry_places(&self) -> impl Iterator<Item = (Location, Name, u32)> {
        let called = self.list.iter().filter(|routine| routine.frame.is_some());
        called.map(|Routine { scope, head, name, entry, .. }| {
            (Location { file: scope.file, span: head.name.span }, *name, *entry)
        })
    }

    /// What an operand stands for; `None` if a call does not fit, or the plan is not right yet.
    pub(super) fn resolve(&self, link: Link) -> Option<u32> {
        let called = |call: u32| *self.sites.get(call as usize)?;
        let routine = |number: u32| &self.list[number as usize];
        let byte = |number: u32, offset: u32| {
            let base = self.frame(routine(number).name)?.base;
            u32::try_from(base + i64::from(offset)).ok()
        };
        match link {
            Link::Site { call } => called(call).map(|(_, site)| site),
            Link::SiteByteOfCall { call } => {
                let (number, _) = called(call)?;
                byte(number, routine(number).size)
            }
            Link::SiteByte { routine: number } => byte(number, routine(number).size),
            Link::Parameter { call, number } => byte(called(call)?.0, number),
            Link::Result { call } => {
                let (number, _) = called(call)?;
                byte(number, routine(number).head.parameters.len() as u32)
            }
            Link::Entry { call } => Some(routine(called(call)?.0).entry),
            Link::Back { routine, site } => {
                let call = *self.callers[routine as usize].get(site as usize)?;
                Some(self.calls[call as usize].back)
            }
            Link::End { routine: number } => Some(routine(number).end),
            Link::Index(index) => Some(index),
        }
    }
}

// --- Expansion --------------------------------------------------------------------------------

impl Expander<'_> {
    /// `.routine` … `.endroutine`
    pub(super) fn routine(&mut self, head: &Rc<RoutineHead>, branch: &Branch, end: Span, at: At) {
        let scope = self.scope(at);
        let placed = self.in_place(branch.span, at).and_then(|()| match self.routines.current {
            Some(_) => Err(self.report(&Problem::NestedRoutine, branch.span, &scope)),
            None => Ok(()),
        });
        if let Err(reported) = placed {
            return self.lost.lose_routine(&head.name, reported);
        }
        let Ok(name) = self.defined_name(&head.name, at) else { return };
        if let Some(first) = self.routines.numbers.get(&name) {
            let first = &self.routines.list[*first as usize];
            let first = Location { file: first.scope.file, span: first.head.name.span };
            let text = self.sources.names.text(name).to_owned();
            let problem = Problem::DefinedTwice { kind: "routine", name: text.clone() };
            self.report_with(&problem, head.name.span, &scope, |_, diagnostic| {
                diagnostic.note(format!("`{text}` is first defined here"), Some(first))
            });
            return;
        }
        let frame = self.routines.frame(name);
        let number = self.routines.list.len() as u32;
        self.routines.numbers.insert(name, number);
        self.routines.list.push(Routine {
            head: head.clone(),
            name,
            scope,
            frame,
            entry: scope.here,
            end: 0,
            closer: Location { file: at.file, span: end },
            size: 0,
        });
        if frame.is_none() {
            self.layout.leave_out();
        }
        self.routines.current = Some(number);
        self.routine_body(number, branch, end, at);
        self.routines.current = None;
        self.layout.stop_leaving_out();
    }

    fn routine_body(&mut self, number: u32, branch: &Branch, end: Span, at: At) {
        let env = self.scopes.routine_env(at.env);
        let at = At { env, depth: at.depth + 1, ..at };
        let head = self.routines.list[number as usize].head.clone();
        for symbol in head.parameters.iter().chain(&head.result) {
            if let Ok(name) = self.defined_name(symbol, at) {
                self.routine_variable(name, symbol, 1, at);
            }
        }
        self.expansion(&branch.body, at);
        self.routines.list[number as usize].end = self.layout.next();
        let sites = self.routines.list[number as usize].frame.map_or(0, |frame| frame.sites);
        if sites > 1 {
            self.place(Content::Linked(Op::Ld, Link::SiteByte { routine: number }), end, at);
        }
        self.place_decision(number, Sites { first: 0, step: 1, all: sites.max(1) }, end, at);
    }

    /// Goes to behind the call whose number A holds, after the bits that all of these have in
    /// common were shifted out.
    fn place_decision(&mut self, routine: u32, sites: Sites, span: Span, at: At) {
        let back = |site| Link::Back { routine, site: site as u32 };
        if sites.count() == 1 {
            return self.place(Content::Linked(Op::Jmp, back(sites.first)), span, at);
        }
        let (even, odd) = sites.by_next_bit();
        self.place(Content::Instruction(Op::Shr, None), span, at);
        if odd.count() == 1 {
            self.place(Content::Linked(Op::Jc, back(odd.first)), span, at);
            return self.place_decision(routine, even, span, at);
        }
        let odd_index = self.layout.next() + 1 + even.words();
        self.place(Content::Linked(Op::Jc, Link::Index(odd_index)), span, at);
        self.place_decision(routine, even, span, at);
        self.place_decision(routine, odd, span, at);
    }

    /// `.call`
    pub(super) fn call_routine(
        &mut self,
        symbol: &Symbol,
        arguments: &[Rc<Expr>],
        span: Span,
        at: At,
    ) {
        let Ok(name) = self.defined_name(symbol, at) else { return };
        let frame = self.routines.frame(name);
        let call = self.routines.calls.len() as u32;
        self.routines.calls.push(Call {
            name,
            caller: self.routines.current,
            span: symbol.span,
            scope: self.scope(at),
            arguments: arguments.len(),
            back: 0,
        });
        if frame.is_some_and(|frame| frame.sites > 1) {
            self.place(Content::Linked(Op::Ldi, Link::Site { call }), span, at);
            self.place(Content::Linked(Op::St, Link::SiteByteOfCall { call }), span, at);
        }
        for (argument, number) in arguments.iter().zip(0..) {
            self.place(Content::Argument(argument.clone()), span, at);
            self.place(Content::Linked(Op::St, Link::Parameter { call, number }), span, at);
        }
        self.place(Content::Linked(Op::Jmp, Link::Entry { call }), span, at);
        self.routines.calls[call as usize].back = self.layout.next();
        if frame.is_some_and(|frame| frame.has_result) {
            self.place(Content::Linked(Op::Ld, Link::Result { call }), span, at);
        }
    }

    /// `.return`
    pub(super) fn place_return(&mut self, span: Span, at: At) {
        let Some(routine) = self.routines.current else {
            self.report(&Problem::ReturnOutside, span, &self.scope(at));
            return;
        };
        let sites = self.routines.list[routine as usize].frame.map_or(0, |frame| frame.sites);
        let link = if sites > 1 { Link::End { routine } } else { Link::Back { routine, site: 0 } };
        self.place(Content::Linked(Op::Jmp, link), span, at);
    }

    /// Whether a variable of this name belongs to the routine that is being expanded.
    pub(super) fn is_of_routine(&self, name: Name, at: At) -> bool {
        let is_inner = || self.scopes.routine_around(at.env).is_some();
        self.routines.current.is_some() && (self.sources.names.is_local(name) || is_inner())
    }

    /// A variable of the routine that is being expanded.
    pub(super) fn routine_variable(&mut self, name: Name, symbol: &Symbol, size: u16, at: At) {
        let Some(current) = self.routines.current else { return };
        let routine = &mut self.routines.list[current as usize];
        let offset = routine.size;
        routine.size = routine.size.saturating_add(size.into());
        // The bytes of a routine that is left out are nowhere.
        let (address, size) =
            routine.frame.map_or((0, 0), |frame| (frame.base + i64::from(offset), size));
        let meaning = Meaning::Variable { address, size, routine: Some(current) };
        self.define(name, symbol, meaning, at);
    }
}

/// The numbers `first`, `first + step`, … below `all`: those that agree in their lowest bits.
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

    fn by_next_bit(self) -> (Self, Self) {
        let step = 2 * self.step;
        (Self { step, ..self }, Self { first: self.first + self.step, step, ..self })
    }

    /// How many instructions decide between them.
    fn words(self) -> u32 {
        if self.count() == 1 {
            return 1;
        }
        let (even, odd) = self.by_next_bit();
        2 + even.words() + if odd.count() == 1 { 0 } else { odd.words() }
    }
}

// --- When all is expanded ---------------------------------------------------------------------

impl Expander<'_> {
    /// Finds what each call calls, and works out the plan.
    pub(super) fn link_routines(&mut self) {
        let callees: Vec<Option<u32>> =
            (0..self.routines.calls.len()).map(|call| self.callee(call)).collect();
        let calls = self.routines.calls.iter().zip(0..).zip(callees.iter().copied());
        let (edges, edge_calls): (Vec<Edge>, Vec<u32>) = calls
            .filter_map(|((call, number), callee)| {
                let caller = call.caller.map(|caller| caller as usize);
                Some((Edge { caller, callee: callee? as usize }, number))
            })
            .unzip();
        let survey = survey(self.routines.list.len(), &edges);
        for cycle in &survey.cycles {
            let calls: Vec<usize> = cycle.iter().map(|&edge| edge_calls[edge] as usize).collect();
            self.report_recursion(&calls);
        }
        let mut is_live = vec![false; self.routines.list.len()];
        survey.live.iter().for_each(|&routine| is_live[routine] = true);
        self.number_sites(&callees, &is_live);
        if survey.cycles.is_empty() && self.have_room_for_sites() {
            self.routines.outcome = self.plan(&survey.live, &edges);
        }
    }

    /// The routine that a call calls, if there is one that takes its arguments.
    fn callee(&mut self, call: usize) -> Option<u32> {
        let Call { name, span, scope, arguments, .. } = self.routines.calls[call];
        let text = self.sources.names.text(name).to_owned();
        let Some(&callee) = self.routines.numbers.get(&name) else {
            if self.lost.routine(name).is_none() {
                let problem = Problem::UnknownRoutine(text);
                self.report_with(&problem, span, &scope, |this, diagnostic| {
                    diagnostic.help(this.similar_routine(name))
                });
            }
            return None;
        };
        let Routine { head, scope: defined, .. } = &self.routines.list[callee as usize];
        let (expected, found) = (head.parameters.len(), arguments);
        if found != expected {
            let place = Location { file: defined.file, span: head.name.span };
            let problem = Problem::ArgumentCount { name: text, expected, found };
            self.report_with(&problem, span, &scope, |_, diagnostic| {
                diagnostic.note("the routine is defined here", Some(place))
            });
        }
        Some(callee)
    }

    /// What to do with the name of a routine that stands where none can.
    pub(super) fn routine_help(&self, name: Name) -> Option<String> {
        let text = self.sources.names.text(name);
        let is_routine = self.routines.numbers.contains_key(&name);
        is_routine.then(|| format!("`{text}` is a routine: `.call {text}(…)`"))
    }

    /// What could have been meant by the name of a routine that there is none of.
    fn similar_routine(&mut self, name: Name) -> Option<String> {
        let text = self.sources.names.text(name);
        if self.macros.contains_key(&name) {
            return Some(format!("`{text}` is a macro, which is called without `.call`"));
        }
        let text = text.to_owned();
        if !self.may_compare(self.routines.list.len()) {
            return None;
        }
        let known = self.routines.list.iter().map(|known| self.sources.names.text(known.name));
        suggest::nearest(&text, known)
    }

    /// Reports calls that lead around in a circle.
    fn report_recursion(&mut self, calls: &[usize]) {
        let names = &self.sources.names;
        let notes: Vec<_> = calls
            .iter()
            .map(|&call| {
                let Call { name, caller, span, scope, .. } = &self.routines.calls[call];
                let caller = caller.map_or("the program", |number| {
                    names.text(self.routines.list[number as usize].name)
                });
                let message = format!("`{caller}` calls `{}` here", names.text(*name));
                Note { message, location: Some(Location { file: scope.file, span: *span }) }
            })
            .collect();
        let Some(&last) = calls.last() else { return };
        let Call { name, span, scope, .. } = self.routines.calls[last];
        let problem = Problem::Recursion(names.text(name).to_owned());
        self.report_with(&problem, span, &scope, |_, diagnostic| Diagnostic {
            notes: if notes.len() > CYCLE_NOTES_MAX { shorten(notes) } else { notes },
            ..diagnostic
        });
    }

    /// Numbers the calls that the program can come to.
    fn number_sites(&mut self, callees: &[Option<u32>], is_live: &[bool]) {
        let routines = &mut self.routines;
        routines.sites = vec![None; routines.calls.len()];
        routines.callers = vec![Vec::new(); routines.list.len()];
        for ((call, callee), number) in routines.calls.iter().zip(callees).zip(0..) {
            let Some(callee) = *callee else { continue };
            let calls = &mut routines.callers[callee as usize];
            routines.sites[number as usize] = Some((callee, calls.len() as u32));
            if call.caller.is_none_or(|caller| is_live[caller as usize]) {
                calls.push(number);
            }
        }
    }

    /// Whether the number of the call fits a byte in each routine; reports those in which it does
    /// not.
    fn have_room_for_sites(&mut self) -> bool {
        let mut fits = true;
        for number in 0..self.routines.list.len() {
            let sites = self.routines.callers[number].len();
            if sites > CALL_SITES_MAX {
                fits = false;
                let Routine { name, scope, head, .. } = &self.routines.list[number];
                let (scope, span) = (*scope, head.name.span);
                let name = self.sources.names.text(*name).to_owned();
                self.report(&Problem::TooManySites { name, sites }, span, &scope);
            }
        }
        fits
    }

    /// Gives each routine that is called its place in data memory.
    fn plan(&mut self, live: &[usize], edges: &[Edge]) -> Option<Plan> {
        let routines = &self.routines;
        let lengths: Vec<i64> = routines
            .list
            .iter()
            .zip(&routines.callers)
            .map(|(routine, calls)| i64::from(routine.size) + i64::from(calls.len() > 1))
            .collect();
        let (starts, total) = overlay(live, edges, &lengths);
        let Some(first) = self.layout.free_stretch(total) else {
            let at = self.routines.location()?;
            let scope = self.routines.list[0].scope;
            self.report(&Problem::NoRoomForRoutines(total), at.span, &scope);
            return None;
        };
        let frame = |&number: &usize| {
            let Routine { name, head, .. } = &routines.list[number];
            let sites = routines.callers[number].len();
            let base = first + starts[number];
            (*name, Frame { base, sites, has_result: head.result.is_some() })
        };
        Some(live.iter().map(frame).collect())
    }

    /// The name of a routine.
    pub(super) fn routine_name(&self, number: u32) -> String {
        self.sources.names.text(self.routines.list[number as usize].name).to_owned()
    }

    /// The bytes that hold the numbers of calls.
    pub(super) fn site_bytes(&self) -> impl Iterator<Item = DataItem> {
        let several = |frame: &Frame| frame.sites > 1;
        self.routines.list.iter().zip(0..).filter_map(move |(routine, number)| {
            let address = routine.frame.filter(several)?.base + i64::from(routine.size);
            let first = u16::try_from(address).ok()?;
            let name = "the number of its call".to_owned();
            Some(DataItem { first, size: 1, routine: Some(self.routine_name(number)), name })
        })
    }

    /// The routines that are called, as the image names them.
    pub(super) fn routine_symbols(&self) -> impl Iterator<Item = ImageSymbol> {
        let free = self.routines.entries().filter(|(name, ..)| !self.globals.contains_key(name));
        free.map(|(name, entry, _)| ImageSymbol {
            name: self.sources.names.text(name).to_owned(),
            kind: SymbolKind::Label,
            value: entry.into(),
            size: 1,
        })
    }
}
