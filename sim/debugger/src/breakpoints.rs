//! The user's breakpoints and log points: the requests, and the conditions to which they are bound
//! in a program.

use std::collections::BTreeMap;

use gray1_isa::{Indexes, RamAddr, RomIndex, SourceLine};
use gray1_sim::engine::Engine;

use super::condition::{Access, Condition, Event};
use super::expression::Expression;
use super::hit_condition::HitCondition;
use super::log_message::{LogMessage, split_message};
use super::parse_error::ParseError;
use super::scope::Scope;
use super::source_lines::SourceLines;
use super::watch_set::{CONDITIONS_MAX, Hit, WatchSet};

/// A list of breakpoints, the oldest first.
///
/// The list stores the original requests, so they can be bound again when the program changes. A
/// breakpoint that cannot be bound stays in the list.
#[derive(Debug, Clone, Default)]
pub struct Breakpoints {
    list: Vec<Breakpoint>,
    last_id: i64,
}

/// A breakpoint or a log point.
#[derive(Debug, Clone)]
pub struct Breakpoint {
    /// A number that no other breakpoint gets, even after this one is removed. The first breakpoint
    /// has number 1.
    pub id: i64,
    /// The user's request.
    pub request: BreakpointRequest,
    /// False if the breakpoint is switched off.
    pub enabled: bool,
    /// The breakpoint bound to the program, or a message that explains why it cannot be bound.
    pub bound: Result<BoundBreakpoint, String>,
}

/// A request for a breakpoint or a log point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BreakpointRequest {
    /// The event to stop at.
    pub target: BreakpointTarget,
    /// An expression that must be true when the event happens.
    pub condition: Option<String>,
    /// A condition on the hit count, in the syntax of [`HitCondition`].
    pub hit_condition: Option<String>,
    /// A message to log instead of stopping, in the syntax of [`LogMessage`].
    pub log_message: Option<String>,
}

/// An event that a breakpoint can wait for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BreakpointTarget {
    /// The start of a source line.
    Line {
        /// The name of the source, as in [`BindingContext::sources`].
        source: String,
        /// The line in the present version of the file, counted from 1.
        line: u32,
    },
    /// A condition in the syntax of [`Condition::parse`]. A colon and the message of a log point
    /// may follow.
    Text(String),
    /// The machine is about to execute this instruction.
    Instruction(RomIndex),
    /// Any byte from the first to the last address is accessed.
    Bytes(Access, RamAddr, RamAddr),
    /// The display changes.
    Display,
}

/// A breakpoint that is bound to a program: its condition, hit condition, log message and place.
#[derive(Debug, Clone)]
pub struct BoundBreakpoint {
    condition: Condition,
    hit_condition: Option<HitCondition>,
    log_message: Option<LogMessage>,
    /// The instruction at which the breakpoint is set. `None` if it waits for another event.
    pub index: Option<RomIndex>,
    /// The line of that instruction.
    pub place: Option<SourceLine>,
}

/// The facts about a program that are needed to bind breakpoints to it.
#[derive(Clone, Copy)]
pub struct BindingContext<'a> {
    /// The names that the program defines.
    pub scope: Scope<'a>,
    /// The source lines of the program.
    pub lines: &'a SourceLines,
    /// The file numbers of the source map, by the names that requests use.
    pub sources: &'a BTreeMap<String, u16>,
}

/// The maximum number of conditions that a run can watch in addition to breakpoints: one for a
/// notice, one for its goal, and one for the program's reads of the buttons.
const EXTRA_MAX: usize = 3;
const BREAKPOINTS_MAX: usize = CONDITIONS_MAX - EXTRA_MAX;

impl From<BreakpointTarget> for BreakpointRequest {
    fn from(target: BreakpointTarget) -> Self {
        Self { target, condition: None, hit_condition: None, log_message: None }
    }
}

impl Breakpoints {
    /// Returns the breakpoints, the oldest first.
    pub fn list(&self) -> &[Breakpoint] {
        &self.list
    }

    /// Returns true if the list has the maximum number of breakpoints that can be watched.
    pub fn is_full(&self) -> bool {
        self.list.len() >= BREAKPOINTS_MAX
    }

    /// Adds a breakpoint. If the list is full, the breakpoint is not bound.
    pub fn add(&mut self, request: BreakpointRequest, program: BindingContext) {
        let bound = if self.is_full() {
            Err(format!("there are already {BREAKPOINTS_MAX} breakpoints, the maximum"))
        } else {
            request.bind(program)
        };
        self.last_id += 1;
        self.list.push(Breakpoint { id: self.last_id, request, enabled: true, bound });
    }

    /// Replaces the request of the breakpoint at this position.
    pub fn replace(
        &mut self,
        position: usize,
        request: BreakpointRequest,
        program: BindingContext,
    ) {
        if let Some(breakpoint) = self.list.get_mut(position) {
            breakpoint.bound = request.bind(program);
            breakpoint.request = request;
        }
    }

    /// Removes the breakpoints for which `keep` returns false.
    pub fn retain(&mut self, keep: impl FnMut(&Breakpoint) -> bool) {
        self.list.retain(keep);
    }

    /// Removes the breakpoint at this position.
    pub fn remove(&mut self, position: usize) {
        if position < self.list.len() {
            self.list.remove(position);
        }
    }

    /// Switches the breakpoint at this position on or off.
    pub fn enable(&mut self, position: usize, enabled: bool) {
        if let Some(breakpoint) = self.list.get_mut(position) {
            breakpoint.enabled = enabled;
        }
    }

    /// Binds all breakpoints to another program.
    pub fn bind(&mut self, program: BindingContext) {
        for breakpoint in self.list.iter_mut().take(BREAKPOINTS_MAX) {
            breakpoint.bound = breakpoint.request.bind(program);
        }
    }

    /// Returns the position of the breakpoint at an instruction, if there is one.
    pub fn at(&self, index: RomIndex) -> Option<usize> {
        let event = Event::reaches(index);
        self.list.iter().position(|it| it.condition().is_some_and(|it| *it.event() == event))
    }

    /// Returns a set that watches the breakpoints for which a predicate holds, followed by up to
    /// three other conditions. The number of a breakpoint's condition is the position of the
    /// breakpoint in the list.
    pub fn watch_set(
        &self,
        extra: impl IntoIterator<Item = Condition>,
        engine: &dyn Engine,
        are_wanted: impl Fn(&Breakpoint) -> bool,
    ) -> WatchSet {
        let listed = self.list.iter().take(BREAKPOINTS_MAX).map(|breakpoint| {
            let condition = breakpoint.condition().filter(|_| are_wanted(breakpoint));
            condition.cloned().unwrap_or_else(Condition::never)
        });
        WatchSet::new(listed.chain(extra).collect(), engine)
    }

    /// Returns the number of the first condition after the breakpoints in a [`Self::watch_set`].
    pub(super) fn first_extra(&self) -> usize {
        self.list.len().min(BREAKPOINTS_MAX)
    }

    /// Returns the hit condition of each breakpoint, or `None` for a breakpoint without one.
    pub(super) fn hit_conditions(&self) -> impl Iterator<Item = Option<HitCondition>> {
        let wanted = self.list.iter().take(BREAKPOINTS_MAX);
        wanted.map(|it| it.bound.as_ref().ok()?.hit_condition)
    }

    /// Returns the breakpoints that were hit and whose hit condition is satisfied. `counts` has the
    /// number of hits of each breakpoint, including this hit.
    pub(super) fn satisfied_by<'a>(
        &'a self,
        hit: &Hit,
        counts: &'a [u64],
    ) -> impl Iterator<Item = &'a Breakpoint> {
        hit.matches.numbers().filter_map(move |number| {
            let breakpoint = self.list.get(number)?;
            let hit_condition = breakpoint.bound.as_ref().ok()?.hit_condition;
            let count = counts.get(number).copied().unwrap_or_default();
            hit_condition.is_none_or(|it| it.is_for(count)).then_some(breakpoint)
        })
    }

    /// Returns the breakpoints that were hit.
    pub fn hit_by(&self, hit: &Hit) -> impl Iterator<Item = &Breakpoint> {
        hit.matches.numbers().filter_map(|number| self.list.get(number))
    }
}

impl Breakpoint {
    /// Returns the condition for which the breakpoint waits, if it is bound.
    pub fn condition(&self) -> Option<&Condition> {
        Some(&self.bound.as_ref().ok()?.condition)
    }

    /// Returns the message of a log point.
    pub fn log_message(&self) -> Option<&LogMessage> {
        self.bound.as_ref().ok()?.log_message.as_ref()
    }

    /// Returns the name of the source, if the request is for a line.
    pub fn source(&self) -> Option<&str> {
        match &self.request.target {
            BreakpointTarget::Line { source, .. } => Some(source),
            _ => None,
        }
    }

    /// Returns the string of a [`BreakpointTarget::Text`]. It is empty for other requests.
    pub fn text(&self) -> &str {
        match &self.request.target {
            BreakpointTarget::Text(text) => text,
            _ => "",
        }
    }
}

impl BreakpointRequest {
    /// Creates a request for a [`BreakpointTarget::Text`].
    pub fn text(text: &str) -> Self {
        BreakpointTarget::Text(text.to_owned()).into()
    }

    /// Qualifies the names in a request, as [`Condition::qualified`] does. The request is a
    /// condition, optionally with the message of a log point.
    ///
    /// # Errors
    /// If the request is not a condition. The error is a message for users.
    pub fn qualified(text: &str, scope: Scope) -> Result<String, String> {
        let (condition, message) = split_message(text);
        let words = |error: ParseError| error.to_string();
        let at = Condition::parse(condition, scope).map_err(words)?.instruction();
        let condition = Condition::qualified(condition, scope).map_err(words)?;
        let Some(message) = message else { return Ok(condition) };
        let checked = LogMessage::parse(message, Scope { at, ..scope });
        checked.map_err(|error| error.to_string())?;
        Ok(format!("{condition}: {message}"))
    }

    fn bind(&self, program: BindingContext) -> Result<BoundBreakpoint, String> {
        let BindingContext { scope, lines, sources } = program;
        let mut message = self.log_message.as_deref();
        let (condition, place) = match &self.target {
            BreakpointTarget::Text(text) => {
                let (text, own_message) = split_message(text);
                message = message.or(own_message);
                let condition = Condition::parse(text, scope);
                (condition.map_err(|error| error.to_string())?, None)
            }
            BreakpointTarget::Line { source, line } => {
                let file = *sources.get(source).ok_or("the program has no such source")?;
                let starts = lines.starts(SourceLine { file, line: *line });
                let (place, starts) = starts.ok_or_else(|| {
                    if lines.has_changed(file) {
                        "this has changed since the program was assembled: restart to run it"
                    } else {
                        "there is no instruction here or below"
                    }
                })?;
                let indexes: Indexes = starts.iter().copied().collect();
                (Event::Reaches(Box::new(indexes)).into(), Some(place))
            }
            BreakpointTarget::Instruction(index) => (Event::reaches(*index).into(), None),
            BreakpointTarget::Bytes(access, first, last) => {
                (Event::Touches(*access, *first..=*last).into(), None)
            }
            BreakpointTarget::Display => (Event::Display.into(), None),
        };
        let at = condition.instruction();
        let guard = self.condition.as_deref();
        let guard = guard.map(|text| Expression::parse_condition(text, Scope { at, ..scope }));
        let guard = guard.transpose();
        let condition = match guard.map_err(|error| error.to_string())? {
            Some(guard) => condition.only_if(guard),
            None => condition,
        };
        self.bound(condition, place, message, scope)
    }

    fn bound(
        &self,
        condition: Condition,
        place: Option<SourceLine>,
        message: Option<&str>,
        scope: Scope,
    ) -> Result<BoundBreakpoint, String> {
        let index = condition.instruction();
        let place = place.or_else(|| Some(scope.image.source_map().origin(index?)?.place));
        let scope = Scope { at: index, ..scope };
        let hit_condition = self.hit_condition.as_deref().map(|text| {
            HitCondition::parse(text)
                .ok_or("expected a number of hits, optionally after one of == >= > <= < %")
        });
        let log_message = message.map(|text| LogMessage::parse(text, scope));
        let log_message = log_message.transpose().map_err(|error| error.to_string())?;
        let hit_condition = hit_condition.transpose()?;
        Ok(BoundBreakpoint { condition, hit_condition, log_message, index, place })
    }
}
