//! Resolves calls: finds the routine of each call, and the calls that each return leads to.

use std::collections::HashMap;

use super::calls::search_calls;
use crate::diagnostic::{Diagnostic, Note};
use crate::evaluate::Evaluator;
use crate::limits::CALL_SITES_MAX;
use crate::names::Name;
use crate::place::{Call, CalledRoutine, LinkedOperand, Placement, Routine};
use crate::problem::Problem;
use crate::report::shorten;
use crate::source::Location;
use crate::symbols::Namespace;

/// The maximum number of notes for a cycle. A longer cycle is shown without its middle.
const CYCLE_NOTES_MAX: usize = 16;

/// The calls of a program, and the routines that they call.
pub(super) struct CallLinks<'a> {
    placement: &'a Placement,
    /// For each call, its routine and its number among the calls of that routine. `None` if the
    /// routine does not exist.
    sites: Vec<Option<(u32, u32)>>,
    /// For each routine, its calls that the program can reach.
    calls_of: Vec<Vec<u32>>,
}

/// Finds the routine of each call, and the routines that the program calls. Returns `None` if there
/// are errors, which were reported.
pub(super) fn link_calls<'a>(
    placement: &'a Placement,
    evaluator: &mut Evaluator<'_>,
) -> (CallLinks<'a>, Option<HashMap<Name, CalledRoutine>>) {
    let Placement { routines, calls, .. } = placement;
    let callees: Vec<Option<u32>> =
        calls.iter().map(|call| find_callee(call, routines, evaluator)).collect();
    let (is_live, cycles) = search_calls(routines.len(), calls, &callees);
    for cycle in &cycles {
        let calls: Vec<&Call> = cycle.iter().map(|&number| &calls[number]).collect();
        report_recursion(&calls, routines, evaluator);
    }
    let links = CallLinks::number(placement, &callees, &is_live);
    let is_possible = links.check_site_counts(evaluator) && cycles.is_empty();
    let called = is_possible.then(|| links.find_called(&is_live));
    (links, called)
}

/// Returns the routine of a call. Reports a call whose arguments do not match the routine.
fn find_callee(call: &Call, routines: &[Routine], evaluator: &mut Evaluator<'_>) -> Option<u32> {
    let Call { name, span, scope, arguments, .. } = call;
    let Some(&(callee, place)) = evaluator.symbols.routines.get(name) else {
        evaluator.report_undefined_name(Namespace::Routines, *name, *span, scope);
        return None;
    };
    let (expected, found) = (routines[callee as usize].head.parameters.len(), *arguments);
    if found != expected {
        let problem = Problem::ArgumentCount { name: evaluator.text(*name), expected, found };
        evaluator.report_with(&problem, *span, scope, |diagnostic| {
            diagnostic.note("the routine is defined here", Some(place))
        });
    }
    Some(callee)
}

/// Reports cycles of calls.
fn report_recursion(calls: &[&Call], routines: &[Routine], evaluator: &mut Evaluator<'_>) {
    let notes = calls.iter().map(|Call { name, caller, span, scope, .. }| {
        let caller = caller.map(|number| evaluator.names.text(routines[number as usize].name));
        let (caller, name) = (caller.unwrap_or("the program"), evaluator.names.text(*name));
        let message = format!("`{caller}` calls `{name}` here");
        Note { message, location: Some(Location { file: scope.file, span: *span }) }
    });
    let notes: Vec<Note> = notes.collect();
    let Some(Call { name, span, scope, .. }) = calls.last() else { return };
    let problem = Problem::Recursion(evaluator.text(*name));
    evaluator.report_with(&problem, *span, scope, |diagnostic| Diagnostic {
        notes: if notes.len() > CYCLE_NOTES_MAX { shorten(notes) } else { notes },
        ..diagnostic
    });
}

impl<'a> CallLinks<'a> {
    /// Numbers the calls of each routine that the program can reach.
    fn number(placement: &'a Placement, callees: &[Option<u32>], is_live: &[bool]) -> Self {
        let mut sites = vec![None; placement.calls.len()];
        let mut calls_of = vec![Vec::new(); placement.routines.len()];
        for ((call, callee), number) in placement.calls.iter().zip(callees).zip(0..) {
            let Some(callee) = *callee else { continue };
            let calls: &mut Vec<u32> = &mut calls_of[callee as usize];
            sites[number as usize] = Some((callee, calls.len() as u32));
            if call.caller.is_none_or(|caller| is_live[caller as usize]) {
                calls.push(number);
            }
        }
        Self { placement, sites, calls_of }
    }

    /// Returns true if a byte can number the calls of each routine. Reports every routine with too
    /// many calls.
    fn check_site_counts(&self, evaluator: &mut Evaluator<'_>) -> bool {
        let mut fits = true;
        for (routine, calls) in self.placement.routines.iter().zip(&self.calls_of) {
            let sites = calls.len();
            if sites > CALL_SITES_MAX {
                fits = false;
                let problem = Problem::TooManySites { name: evaluator.text(routine.name), sites };
                evaluator.report(&problem, routine.head.name.span, &routine.scope);
            }
        }
        fits
    }

    /// Returns the routines that the program calls.
    fn find_called(&self, is_live: &[bool]) -> HashMap<Name, CalledRoutine> {
        let routines = self.placement.routines.iter().zip(&self.calls_of).zip(is_live);
        let called = routines.filter(|(_, is_live)| **is_live).map(|((routine, calls), _)| {
            let has_result = routine.head.result.is_some();
            (routine.name, CalledRoutine { sites: calls.len(), has_result })
        });
        called.collect()
    }

    /// Returns the value of an operand. `None` if the call has no routine, or the plan is not right
    /// yet.
    pub(super) fn resolve(&self, link: LinkedOperand) -> Option<u32> {
        let numbers = |call: u32| *self.sites.get(call as usize)?;
        let routine = |number: u32| &self.placement.routines[number as usize];
        let callee = |call: u32| numbers(call).map(|(number, _)| routine(number));
        match link {
            LinkedOperand::Site(call) => numbers(call).map(|(_, site)| site),
            LinkedOperand::SiteByteOfCall(call) => callee(call)?.site_byte(),
            LinkedOperand::SiteByte(number) => routine(number).site_byte(),
            LinkedOperand::Parameter { call, number } => Some(callee(call)?.byte(number)),
            LinkedOperand::Result(call) => {
                let callee = callee(call)?;
                Some(callee.byte(callee.head.parameters.len()))
            }
            LinkedOperand::Entry(call) => Some(callee(call)?.entry),
            LinkedOperand::Back { routine, site } => {
                let call = *self.calls_of[routine as usize].get(site as usize)?;
                Some(self.placement.calls[call as usize].back)
            }
            LinkedOperand::End(number) => Some(routine(number).end),
            LinkedOperand::Index(index) => Some(index),
        }
    }
}
