//! The machine that is debugged: its past, its breakpoints, and its way from one stop to another.
//!
//! Where the machine stops is a function of the program, the breakpoints and what was done to it
//! from outside: conditions and counts of hits mean the same on the way back as on the way forward.

use std::iter::Peekable;
use std::vec::IntoIter;

use gray1_isa::panel::{BUTTONS, Buttons, Display};
use gray1_isa::{Image, RomIndex, run_off};
use gray1_sim::debugger::{
    Event, Found, History, Hit, Input, Lines, Progress, Scope, Search, Tally, View, WatchSet,
    reason,
};
use gray1_sim::{Engine, EngineError, Setup};

use super::breakpoints::{self, Breakpoint, Breakpoints, Kind, Met};
use super::sources::Sources;
use crate::cli::run::Press;
use crate::program::Program;

/// How many hits that do not stop the machine are worked off before the client is looked at.
const HITS_MAX: usize = 1000;
/// How many instructions back the past is looked at hit by hit, before it is searched at large.
const NEAR: u64 = 1 << 12;

/// The machine and its breakpoints.
pub(super) struct Debuggee {
    pub(super) program: Program,
    pub(super) sources: Sources,
    pub(super) history: History,
    /// The lines of the engine, if it has lines.
    pub(super) lines: Option<Lines>,
    breakpoints: Breakpoints,
    travel: Option<Travel>,
    /// How often each breakpoint was hit up to a position; of no worth at another one.
    counted: Option<((u64, u32), Vec<u64>)>,
    /// The buttons that are still to be held.
    presses: Peekable<IntoIter<Press>>,
    /// How often something was done to the machine from outside.
    inputs: u64,
    /// What log points have printed, with the places of the machine.
    logged: Vec<(RomIndex, String)>,
}

/// A way to the next stop.
struct Travel {
    /// Where it leads, besides breakpoints.
    goal: Option<Event>,
    watch_set: WatchSet,
    /// Counts the hits up to where it begins, if that is needed and not done.
    tally: Option<Tally>,
    /// How often each breakpoint was hit up to where it has come; empty if that is not needed.
    counts: Vec<u64>,
    way: Way,
}

enum Way {
    /// Up to a moment at most.
    Forward(u64),
    Backward(Past),
}

/// What is passed on the way back.
struct Past {
    /// The hits of the last instructions, the latest one last.
    near: Vec<Hit>,
    /// Finds those before.
    search: Box<Search>,
    /// The last stop that a tally came by: the hit, what it met, and the counts there.
    last: Option<(Hit, Met, Vec<u64>)>,
}

/// Where to go, besides breakpoints.
#[derive(Debug)]
pub(super) enum Goal {
    /// As far as breakpoints let it.
    None,
    /// So many instructions.
    Instructions(u64),
    Event(Event),
}

/// Why the machine stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It has gone where it was to go.
    Goal,
    /// At breakpoints: their numbers, the kind of the first, and what has happened.
    Breakpoints(Vec<i64>, Kind, String),
    /// On the way back there was nothing left.
    Beginning,
    /// The program has ended.
    Halted(String),
    /// The board cannot go on.
    Failed(String),
}

impl Debuggee {
    /// Powers a machine up with this program; these buttons will be held in time.
    ///
    /// # Errors
    /// If the board does not come to rest.
    pub(super) fn new(
        program: Program,
        setup: &Setup,
        presses: Vec<Press>,
    ) -> Result<Self, EngineError> {
        let history = History::new(setup.engine(&program.image)?);
        Ok(Self {
            sources: Sources::of(&program),
            lines: Lines::of(history.engine()),
            program,
            history,
            breakpoints: Breakpoints::default(),
            travel: None,
            counted: None,
            presses: presses.into_iter().peekable(),
            inputs: 0,
            logged: Vec::new(),
        })
    }

    /// Takes over the breakpoints of another machine.
    pub(super) fn take_breakpoints(&mut self, other: Self) {
        self.breakpoints = other.breakpoints;
        let Self { program, sources, lines, breakpoints, .. } = self;
        breakpoints.bind(of(program, lines.as_ref(), sources));
    }

    /// Changes the breakpoints. Hits are counted again; a machine on its way looks for the new
    /// ones.
    pub(super) fn change_breakpoints(
        &mut self,
        change: impl FnOnce(&mut Breakpoints, breakpoints::Program),
    ) {
        self.counted = None;
        let Self { program, sources, lines, breakpoints, .. } = self;
        change(breakpoints, of(program, lines.as_ref(), sources));
        match self.travel.take() {
            Some(Travel { goal, way: Way::Forward(end), .. }) => self.go_up_to(end, goal),
            Some(Travel { goal, way: Way::Backward(_), .. }) => self.go_back(goal),
            None => {}
        }
    }

    pub(super) fn image(&self) -> &Image {
        &self.program.image
    }

    pub(super) fn engine(&self) -> &dyn Engine {
        self.history.engine()
    }

    /// The names that mean something at an instruction.
    pub(super) fn scope(&self, at: RomIndex) -> Scope<'_> {
        Scope { image: self.image(), lines: self.lines.as_ref(), at: Some(at) }
    }

    /// What an expression sees now.
    pub(super) fn view(&self) -> View<'_> {
        View::of(self.engine())
    }

    pub(super) fn display(&self) -> Display {
        self.engine().display()
    }

    /// The buttons that are held.
    pub(super) fn buttons(&self) -> Buttons {
        Buttons(self.engine().ram()[BUTTONS.to_usize()])
    }

    /// The breakpoints.
    pub(super) fn breakpoints(&self) -> &[Breakpoint] {
        self.breakpoints.list()
    }

    /// Whether the machine is on its way.
    pub(super) fn travels(&self) -> bool {
        self.travel.is_some()
    }

    /// Stands still.
    pub(super) fn pause(&mut self) {
        self.travel = None;
    }

    /// What log points have printed since the last call.
    pub(super) fn take_logged(&mut self) -> Vec<(RomIndex, String)> {
        std::mem::take(&mut self.logged)
    }

    /// Does something to the machine from outside; another future begins.
    pub(super) fn give(&mut self, input: Input) {
        self.history.give(input);
        self.inputs += 1;
        self.counted = None;
    }

    /// How often something was done to the machine from outside.
    pub(super) fn inputs(&self) -> u64 {
        self.inputs
    }

    /// Holds these buttons from now on, also if the machine is on its way.
    pub(super) fn hold(&mut self, buttons: Buttons) {
        self.give(Input::Hold(buttons));
        let Some(travel) = &mut self.travel else { return };
        let is_forward = matches!(travel.way, Way::Forward(_));
        if travel.tally.is_some() || is_forward && self.breakpoints.count() {
            let all = self.breakpoints.watch_set(None, true, &self.program.image);
            travel.tally = Some(Tally::new(&self.history, all));
        }
    }

    /// Goes to a moment that is known.
    pub(super) fn seek(&mut self, moment: u64) {
        self.history.seek(moment);
    }

    /// The instruction that was executed last, if there is one.
    pub(super) fn last(&mut self) -> Option<RomIndex> {
        let (now, edges) = self.history.position();
        if now == self.history.start() {
            return None;
        }
        self.history.seek(now - 1);
        let last = self.engine().pc();
        self.history.seek_edge(now, edges);
        Some(last)
    }

    // ---- From one stop to another

    /// Sets out forward.
    pub(super) fn go(&mut self, goal: Goal) {
        let now = self.history.moment();
        let (event, end) = match goal {
            Goal::None => (None, u64::MAX),
            Goal::Instructions(count) => (None, now.saturating_add(count)),
            Goal::Event(event) => (Some(event), u64::MAX),
        };
        self.go_up_to(end, event);
    }

    fn go_up_to(&mut self, end: u64, goal: Option<Event>) {
        let watch_set = self.breakpoints.watch_set(goal.clone(), true, self.image());
        self.set_out(goal, watch_set, Way::Forward(end));
    }

    /// Sets out backward: as far as breakpoints let it, or to the instruction after an event.
    pub(super) fn go_back(&mut self, goal: Option<Event>) {
        let watch_set = self.breakpoints.watch_set(goal.clone(), false, self.image());
        let (near, before) = self.near(&watch_set);
        let search = Box::new(Search::before(&self.history, watch_set.clone(), before));
        let past = Past { near, search, last: None };
        self.set_out(goal, watch_set, Way::Backward(past));
    }

    /// The hits of the last instructions, and the position up to which these are all. Steps lead
    /// to one of them, as a rule, and far fewer instructions are executed than between checkpoints.
    fn near(&mut self, watch_set: &WatchSet) -> (Vec<Hit>, (u64, u32)) {
        let (now, edges) = self.history.position();
        let mut hits = Vec::new();
        if edges > 0 {
            return (hits, (now, edges));
        }
        let near = NEAR.min(self.engine().slice());
        let first = now.saturating_sub(near).max(self.history.start());
        self.history.seek(first);
        while let Progress::Hit(hit) = self.history.run(watch_set, now - self.history.moment()) {
            hits.push(hit);
        }
        self.history.seek(now);
        (hits, (first, 1))
    }

    fn set_out(&mut self, goal: Option<Event>, watch_set: WatchSet, way: Way) {
        let position = self.history.position();
        let counted = self.counted.take().filter(|(at, _)| *at == position);
        let tally = (counted.is_none() && self.breakpoints.count()).then(|| {
            let all = self.breakpoints.watch_set(None, true, self.image());
            Tally::new(&self.history, all)
        });
        let counts = counted.map(|(_, counts)| counts).unwrap_or_default();
        self.travel = Some(Travel { goal, watch_set, tally, counts, way });
    }

    /// The breakpoints that are met where the machine stands, without going anywhere: at its start.
    pub(super) fn met_here(&mut self) -> Option<Stop> {
        self.press();
        let watch_set = self.breakpoints.watch_set(None, true, self.image());
        let hit = self.history.hit_now(&watch_set)?;
        let mut tally = Tally::new(&self.history, watch_set);
        while !tally.advance(&self.history, u64::MAX, |_, _| {}) {}
        let met = self.breakpoints.met_by(&hit, tally.counts());
        self.log(&met);
        self.stop_at(&hit, met)
    }

    /// Goes on for a slice of time, forward up to this moment at most; the reason if the machine
    /// stops there.
    pub(super) fn advance(&mut self, due: u64) -> Option<Stop> {
        let mut travel = self.travel.take()?;
        if let Some(tally) = travel.tally.take() {
            return self.tally(tally, travel);
        }
        let Travel { watch_set, counts, way, .. } = &mut travel;
        let stop = match way {
            Way::Forward(end) => self.forward(watch_set, (due, *end), counts),
            Way::Backward(past) => self.backward(past, counts),
        };
        match (&stop, &travel.way) {
            (None, _) => self.travel = Some(travel),
            (Some(Stop::Breakpoints(..)), Way::Backward(..)) if self.breakpoints.count_logs() => {}
            (Some(Stop::Breakpoints(..)), _) | (_, Way::Forward(_)) => {
                self.counted = Some((self.history.position(), travel.counts));
            }
            // Of the hits there, some may have been counted already.
            (Some(_), Way::Backward(..)) => {}
        }
        stop
    }

    /// Counts hits for a slice of time, before the way begins. A way back without a goal ends at
    /// the last stop that is come by.
    fn tally(&mut self, mut tally: Tally, mut travel: Travel) -> Option<Stop> {
        let (now, slice) = (self.history.position(), self.engine().slice());
        let is_done = tally.advance(&self.history, slice, |hit, counts| {
            if let Way::Backward(past) = &mut travel.way
                && hit.position() < now
            {
                let met = self.breakpoints.met_by(hit, counts);
                if !met.ids.is_empty() {
                    past.last = Some((*hit, met, counts.to_vec()));
                }
            }
        });
        match travel.way {
            Way::Backward(Past { last, .. }) if is_done && travel.goal.is_none() => {
                let Some((hit, met, counts)) = last else { return Some(self.begin()) };
                self.history.seek_edge(hit.moment, hit.edges);
                self.counted = Some((hit.position(), counts));
                return self.stop_at(&hit, met);
            }
            _ if is_done => travel.counts = tally.counts().to_vec(),
            _ => travel.tally = Some(tally),
        }
        self.travel = Some(travel);
        None
    }

    /// Goes to the beginning, since nothing lies before.
    fn begin(&mut self) -> Stop {
        self.history.seek(self.history.start());
        Stop::Beginning
    }

    fn forward(
        &mut self,
        watch_set: &WatchSet,
        (due, end): (u64, u64),
        counts: &mut [u64],
    ) -> Option<Stop> {
        for _ in 0..HITS_MAX {
            let (now, slice) = (self.history.moment(), self.engine().slice());
            if now >= end {
                return Some(Stop::Goal);
            }
            if now >= due {
                return None;
            }
            let next_press = self.presses.peek().map_or(u64::MAX, |press| press.before);
            let stretch = end.min(due).min(next_press) - now;
            let progress = self.history.run(watch_set, slice.min(stretch));
            // What holds at a moment holds while the buttons of that moment are held.
            let hit = match progress {
                _ if self.press() => self.history.hit_now(watch_set),
                Progress::Hit(hit) => Some(hit),
                _ => None,
            };
            if let Some(stop) = hit.and_then(|hit| self.hit(&hit, counts)) {
                return Some(stop);
            }
            match progress {
                Progress::Halted => return Some(self.ended()),
                Progress::Limit if stretch > slice => return None,
                Progress::Limit | Progress::Hit(_) => {}
            }
        }
        None
    }

    /// Counts a hit on the way forward; the reason if the machine stops there.
    fn hit(&mut self, hit: &Hit, counts: &mut [u64]) -> Option<Stop> {
        hit.matches.count(counts);
        let met = self.breakpoints.met_by(hit, counts);
        self.log(&met);
        let at_goal = hit.matches.contains(self.breakpoints.goal());
        self.stop_at(hit, met).or(at_goal.then_some(Stop::Goal))
    }

    fn backward(&mut self, past: &mut Past, counts: &mut [u64]) -> Option<Stop> {
        for _ in 0..HITS_MAX {
            let found = match past.near.pop() {
                Some(hit) => Found::Hit(hit),
                None => past.search.advance(&self.history, self.engine().slice()),
            };
            let hit = match found {
                Found::DownTo(_) => return None,
                Found::Nothing => return Some(self.begin()),
                Found::Hit(hit) => hit,
            };
            let met = self.breakpoints.met_by(&hit, counts);
            let at_goal = hit.matches.contains(self.breakpoints.goal());
            if hit.position() < self.history.position() {
                // The goal lies an instruction after its event, and so nearer than a breakpoint
                // that is met by the same hit.
                if at_goal {
                    self.history.seek(hit.moment + 1);
                    return Some(Stop::Goal);
                }
                if !met.ids.is_empty() {
                    self.history.seek_edge(hit.moment, hit.edges);
                    return self.stop_at(&hit, met);
                }
            }
            for (number, count) in counts.iter_mut().enumerate() {
                *count -= u64::from(hit.matches.contains(number));
            }
        }
        None
    }

    /// Holds the buttons that are due; whether there are any.
    fn press(&mut self) -> bool {
        let now = self.history.moment();
        let mut are_due = false;
        while let Some(press) = self.presses.next_if(|press| press.before <= now) {
            self.give(Input::Hold(press.buttons));
            are_due = true;
        }
        are_due
    }

    fn log(&mut self, met: &Met) {
        let (at, view) = (self.engine().pc(), self.view());
        let texts: Vec<_> = met.logged.iter().map(|message| (at, message.text(view))).collect();
        self.logged.extend(texts);
    }

    fn stop_at(&self, hit: &Hit, met: Met) -> Option<Stop> {
        let kind = met.kind?;
        Some(Stop::Breakpoints(met.ids, kind, reason(hit, self.image())))
    }

    fn ended(&self) -> Stop {
        let engine = self.engine();
        if let Some(error) = engine.error() {
            return Stop::Failed(error.to_string());
        }
        let at = engine.pc();
        let count = self.history.moment();
        let halted = format!("halted at {:#06x} after {count} instructions", at.get());
        Stop::Halted(match run_off(self.image(), at) {
            Some(story) => format!("{halted}: {story}"),
            None => halted,
        })
    }
}

/// A program, as breakpoints look at it.
fn of<'a>(
    program: &'a Program,
    lines: Option<&'a Lines>,
    sources: &'a Sources,
) -> breakpoints::Program<'a> {
    breakpoints::Program { scope: Scope { image: &program.image, lines, at: None }, sources }
}
