//! The debugger: a machine with its past, its breakpoints, and its way from one stop to the next.
//!
//! Where the machine stops is a function of the program, the breakpoints and its inputs. Conditions
//! and counts of hits mean the same on the way back as on the way forward.

use std::collections::VecDeque;
use std::sync::Arc;

use gray1_isa::panel::Buttons;
use gray1_isa::{Image, RomIndex, run_off};

use super::backward_search::{Found, Search};
use super::breakpoints::{Binding, Breakpoint, Breakpoints};
use super::condition::{Condition, Event};
use super::expression::View;
use super::goal::{Goal, NoWay};
use super::history::{History, Progress};
use super::hits::{HitCounts, Hits};
use super::inputs::Input;
use super::reason::{self, Reason};
use super::recent::RecentSteps;
use super::scope::{Scope, Wires};
use super::seek::Seek;
use super::source_lines::SourceLines;
use super::trail::Trail;
use super::watch_set::{Hit, Matches, WatchSet};
use crate::engine::{Engine, Registers};

/// A machine that is debugged. It knows no pace, no clock, no protocol and no screen: whoever
/// drives it sends it to a [`Goal`], and lets it [advance](Self::advance) for a slice of time.
pub struct Debugger {
    image: Arc<Image>,
    source_lines: SourceLines,
    source_names: Vec<String>,
    wires: Option<Arc<Wires>>,
    history: History,
    trail: Trail,
    breakpoints: Arc<Breakpoints>,
    hits: HitCounts,
    notice: Option<Event>,
    motion: Option<Motion>,
    /// The buttons that are still to be held, each from a moment on.
    schedule: VecDeque<(u64, Buttons)>,
    logged: Vec<(RomIndex, String)>,
}

/// A way to the next stop.
struct Motion {
    goal: Goal,
    /// The end of the way, besides breakpoints.
    condition: Option<Condition>,
    watch_set: WatchSet,
    direction: Direction,
}

enum Direction {
    /// Up to a moment at most.
    Forward(u64),
    Backward(Box<Past>),
    /// To a moment that takes some time to reach, and some edges on; then this is the stop.
    There(Box<Seek>, u32, Stop),
}

/// The past that is searched on a way back.
struct Past {
    search: Search,
    /// Nothing was found from this moment on.
    down_to: u64,
    /// How often each breakpoint was hit up to where the search is; empty if no breakpoint asks.
    counts: Vec<u64>,
    /// The position to which a way of some instructions leads.
    target: Option<(u64, u32)>,
}

/// The result of a slice of a way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Advanced {
    /// Whether the event that is to be [noticed](Debugger::notice) has happened just now.
    pub noticed: bool,
    /// Why the machine stands, if it stands.
    pub stop: Option<Stop>,
}

/// A stop, by its kind; [`Debugger::reason`] has the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// At the goal.
    Goal,
    /// At the breakpoints of these [ids](Breakpoint::id).
    Breakpoints(Vec<i64>),
    /// At the beginning, since nothing to stop at lies before.
    Beginning,
    /// Where the machine was, since the goal does not lie before.
    Nothing,
    /// At the end of the program.
    Halted,
    /// The board cannot go on; [`Engine::error`] says why.
    Failed,
}

/// What a debugger is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// The machine stands.
    Standing,
    /// It runs forward.
    Running,
    /// It stands while its past is searched. Nothing was found from this moment on.
    Searching(u64),
    /// It stands while hits in its past are counted, up to this moment so far.
    Counting(u64),
    /// It stands while its past is executed again to reach a moment.
    Seeking {
        /// How far the way has come.
        reached: u64,
        /// Its end.
        target: u64,
    },
}

/// How many hits that do not stop the machine are worked off before the driver is asked again.
const HITS_MAX: usize = 1000;
/// How many slices of the engine are executed at a time where no breakpoint is looked for.
const SEEK_SLICES: u64 = 8;

impl Debugger {
    /// Debugs a machine with a program, from where its history stands.
    #[must_use]
    pub fn new(image: Arc<Image>, mut history: History) -> Self {
        let map = image.source_map();
        Self {
            source_lines: SourceLines::new(map),
            source_names: map.files().iter().map(|file| file.name.clone()).collect(),
            wires: Wires::of(history.engine()).map(Arc::new),
            trail: Trail::new(&mut history),
            image,
            history,
            breakpoints: Arc::default(),
            hits: HitCounts::default(),
            notice: None,
            motion: None,
            schedule: VecDeque::new(),
            logged: Vec::new(),
        }
    }

    /// Calls the sources by other names in requests for breakpoints, by their numbers in the source
    /// map, instead of by their names there.
    #[must_use]
    pub fn with_source_names(self, source_names: Vec<String>) -> Self {
        Self { source_names, ..self }
    }

    /// Holds buttons in time, each from a moment on, in order.
    #[must_use]
    pub fn with_schedule(self, schedule: impl IntoIterator<Item = (u64, Buttons)>) -> Self {
        Self { schedule: schedule.into_iter().collect(), ..self }
    }

    /// Takes over breakpoints of another program.
    #[must_use]
    pub fn with_breakpoints(mut self, breakpoints: Arc<Breakpoints>) -> Self {
        self.breakpoints = breakpoints;
        self.change_breakpoints(Breakpoints::bind);
        self
    }

    /// Interrupts [`Self::advance`] at this event, which does not end the way.
    #[must_use]
    pub fn notice(self, event: Event) -> Self {
        Self { notice: Some(event), ..self }
    }

    // ---- The present

    /// The program.
    #[must_use]
    pub fn image(&self) -> &Arc<Image> {
        &self.image
    }

    /// The lines of the program's sources.
    #[must_use]
    pub fn source_lines(&self) -> &SourceLines {
        &self.source_lines
    }

    /// The machine with its past.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The machine with its past, without its debugger.
    #[must_use]
    pub fn into_history(self) -> History {
        self.history
    }

    /// The machine.
    #[must_use]
    pub fn engine(&self) -> &dyn Engine {
        self.history.engine()
    }

    /// The present moment, and the edges of the oscillator since.
    #[must_use]
    pub fn position(&self) -> (u64, u32) {
        self.history.position()
    }

    /// The wires of the engine, if it has wires.
    #[must_use]
    pub fn wires(&self) -> Option<&Arc<Wires>> {
        self.wires.as_ref()
    }

    /// The names that mean something at an instruction; everywhere, if none is given.
    #[must_use]
    pub fn scope(&self, at: Option<RomIndex>) -> Scope<'_> {
        Scope { image: &self.image, wires: self.wires.as_deref(), at }
    }

    /// The present, as an expression sees it.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View::of(self.engine())
    }

    /// The instructions executed last.
    pub fn recent(&mut self) -> &RecentSteps {
        self.trail.find(&mut self.history);
        self.trail.recent()
    }

    /// The levels of all wires before the last edge, on an engine with wires; `None` just after a
    /// reset, and at the end of a program.
    pub fn levels_before(&mut self) -> Option<Vec<bool>> {
        self.trail.find(&mut self.history);
        self.trail.levels_before(self.history.engine())
    }

    /// The effect of the last instruction or edge, and the breakpoints that are met here. Both
    /// follow from where the machine is, not from how it got there. `None` before the first
    /// instruction.
    pub fn reason(&mut self) -> Option<Reason> {
        let pc = self.engine().pc();
        let ending = match self.engine().error() {
            Some(error) => Some(error.to_string()),
            None if self.engine().halted() => run_off(&self.image, pc),
            None => None,
        };
        if let Some(text) = ending {
            return Some(Reason { met: Vec::new(), text });
        }
        if let Some(hit) = self.history.hit_now(&self.watch_set([])) {
            let met = self.breakpoints.hit_by(&hit).map(|(position, _)| position).collect();
            let text = self.wires_story(&hit);
            return Some(Reason { met, text: text.unwrap_or_else(|| self.words(&hit)) });
        }
        let executed = Some(self.recent().newest()?.executed());
        let (moment, edges) = self.position();
        let hit = Hit { moment, edges, matches: Matches::default(), executed, next: pc };
        Some(Reason { met: Vec::new(), text: self.words(&hit) })
    }

    fn words(&self, hit: &Hit) -> String {
        reason::words(hit, &self.image)
    }

    /// The movements of wires that a breakpoint waits for, and where.
    fn wires_story(&mut self, hit: &Hit) -> Option<String> {
        let breakpoints = Arc::clone(&self.breakpoints);
        let mut events =
            breakpoints.hit_by(hit).filter_map(|(_, it)| Some(it.condition()?.event()));
        let event = events.find_map(|event| match event {
            Event::Wires(event) => Some(event),
            _ => None,
        })?;
        let before = self.levels_before()?;
        let story = event.story(&before, self.engine().circuit()?);
        let place = self.words(&Hit { executed: None, ..*hit });
        Some(format!("{story}, in {} {place}", self.engine().phase()))
    }

    /// The messages of log points since the last call, each with the instruction that came next.
    pub fn take_logged(&mut self) -> Vec<(RomIndex, String)> {
        std::mem::take(&mut self.logged)
    }

    // ---- Breakpoints

    /// The breakpoints.
    #[must_use]
    pub fn breakpoints(&self) -> &Arc<Breakpoints> {
        &self.breakpoints
    }

    /// Changes the breakpoints. A machine on its way looks for the new ones.
    pub fn change_breakpoints<T>(
        &mut self,
        change: impl FnOnce(&mut Breakpoints, Binding) -> T,
    ) -> T {
        let Self { image, wires, source_lines: lines, source_names: sources, .. } = self;
        let scope = Scope { image, wires: wires.as_deref(), at: None };
        let breakpoints = Arc::make_mut(&mut self.breakpoints);
        let result = change(breakpoints, Binding { scope, lines, sources });
        self.hits.set(self.watch_set([]));
        if let Some(Motion { goal, condition, direction, .. }) = self.motion.take() {
            match direction {
                Direction::Forward(end) => self.set_out(goal, condition, end),
                Direction::Backward(past) => self.set_out_back(goal, condition, past.target),
                direction @ Direction::There(..) => {
                    self.motion = Some(self.motion_of(goal, direction))
                }
            }
        }
        result
    }

    /// How often the breakpoints were hit.
    pub fn hits(&mut self) -> Hits {
        self.hits.find(&self.history);
        self.hits.shown()
    }

    /// Counts hits in the past for a slice of time, if that is still to be done; whether all are
    /// counted.
    pub fn count_hits(&mut self) -> bool {
        let slice = self.engine().slice();
        self.hits.recount(&self.history, slice)
    }

    /// The moment up to which hits in the past are counted, while they are still to be counted.
    #[must_use]
    pub fn counted(&self) -> Option<u64> {
        self.hits.counted()
    }

    /// Counts hits in the past no further.
    pub fn cancel_counting(&mut self) {
        self.hits.cancel();
    }

    /// The breakpoints that are on, and what else to look for.
    fn watch_set(&self, besides: impl IntoIterator<Item = Condition>) -> WatchSet {
        self.breakpoints.watch_set(|it| it.enabled, besides, |index| self.image.word(index))
    }

    // ---- Changes of the moment

    /// Does something to the machine from outside. What was known of later moments is forgotten.
    pub fn give(&mut self, input: Input) {
        self.trail.give(&mut self.history, input);
        self.hits.cut(self.history.moment());
    }

    /// Whether the engine lets its registers be changed to these.
    #[must_use]
    pub fn can_load(&self, registers: Registers) -> bool {
        self.engine().boxed_clone().load(registers)
    }

    /// Goes to a moment, or to the nearest one that is known, and some edges on. Where that takes
    /// time, it sets out: then it [moves](Self::moves), and [advances](Self::advance) to its goal.
    pub fn seek(&mut self, moment: u64, edges: u32) {
        self.motion = None;
        self.travel(moment, edges, Stop::Goal);
    }

    /// Goes to a moment that is known, at once if it is near. Where it arrives, this is the stop.
    fn travel(&mut self, moment: u64, edges: u32, stop: Stop) -> Option<Stop> {
        if let Some(seek) = Seek::new(&self.history, moment) {
            let direction = Direction::There(Box::new(seek), edges, stop);
            self.motion = Some(self.motion_of(Goal::Run, direction));
            return None;
        }
        self.history.seek_edge(moment, edges);
        self.trail.lose(&self.history);
        Some(stop)
    }

    /// Turns the oscillator over once, into the next phase.
    pub fn edge(&mut self) {
        self.trail.edge(&mut self.history);
        self.hits.forget_present();
    }

    /// Goes back by an edge of the oscillator; whether that is possible.
    pub fn edge_back(&mut self) -> bool {
        let is_later = self.history.edge_back();
        self.trail.lose(&self.history);
        is_later
    }

    // ---- From one stop to the next

    /// What it is doing.
    #[must_use]
    pub fn activity(&self) -> Activity {
        match &self.motion {
            None => Activity::Standing,
            Some(Motion { direction: Direction::There(seek, ..), .. }) => {
                let (reached, target) = seek.progress();
                Activity::Seeking { reached, target }
            }
            Some(_) if self.must_count() => Activity::Counting(self.counted().unwrap_or(0)),
            Some(Motion { direction: Direction::Forward(_), .. }) => Activity::Running,
            Some(Motion { direction: Direction::Backward(past), .. }) => {
                Activity::Searching(past.down_to)
            }
        }
    }

    /// Whether it is on its way.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.motion.is_some()
    }

    /// The goal that it is on its way to.
    #[must_use]
    pub fn goal(&self) -> Option<&Goal> {
        self.motion.as_ref().map(|motion| &motion.goal)
    }

    /// Stands still.
    pub fn pause(&mut self) {
        self.motion = None;
    }

    /// Sets out forward.
    ///
    /// # Errors
    /// If there is nothing of the kind to go to.
    pub fn go(&mut self, goal: Goal) -> Result<(), NoWay> {
        let condition = goal.ahead(&self.image, &self.source_lines, self.engine().pc())?;
        let end = match goal {
            Goal::Instructions(count) => self.history.moment().saturating_add(count),
            _ => u64::MAX,
        };
        self.set_out(goal, condition, end);
        Ok(())
    }

    /// Sets out backward.
    ///
    /// # Errors
    /// If there is nothing of the kind to go to.
    pub fn go_back(&mut self, goal: Goal) -> Result<(), NoWay> {
        let (now, edges) = self.position();
        let is_step = matches!(goal, Goal::Over | Goal::Instructions(_));
        let target = match goal {
            _ if is_step && (now, edges) <= (self.history.start(), 0) => {
                return Err(NoWay::Beginning);
            }
            // In the middle of an instruction, its start comes before.
            Goal::Instructions(_) if edges > 0 => Some((now, 0)),
            Goal::Instructions(count) => Some((now.saturating_sub(count), 0)),
            _ => None,
        };
        let condition = if target.is_some() {
            None
        } else {
            let pc = self.engine().pc();
            let last = if edges > 0 { Some(pc) } else { self.last_executed() };
            goal.behind(&self.image, &self.source_lines, pc, last)?
        };
        self.set_out_back(goal, condition, target);
        Ok(())
    }

    /// The instruction executed last. At the end of a program it is the one that repeats for ever.
    fn last_executed(&mut self) -> Option<RomIndex> {
        if let Some(step) = self.recent().newest() {
            return Some(step.index);
        }
        let now = self.history.moment();
        self.history.seek(now.checked_sub(1)?);
        let last = self.engine().pc();
        self.history.seek(now);
        Some(last)
    }

    fn set_out(&mut self, goal: Goal, condition: Option<Condition>, end: u64) {
        let notice = self.notice.clone().map(Condition::from);
        let besides = [notice.unwrap_or_else(Condition::never)];
        let watch_set = self.watch_set(besides.into_iter().chain(condition.clone()));
        self.motion =
            Some(Motion { goal, condition, watch_set, direction: Direction::Forward(end) });
    }

    /// A way on which breakpoints are not looked for.
    fn motion_of(&self, goal: Goal, direction: Direction) -> Motion {
        Motion { goal, condition: None, watch_set: WatchSet::default(), direction }
    }

    fn set_out_back(
        &mut self,
        goal: Goal,
        condition: Option<Condition>,
        target: Option<(u64, u32)>,
    ) {
        let is_writer = matches!(goal, Goal::Writer { .. });
        let stops = |it: &Breakpoint| it.enabled && it.stops() && !is_writer;
        let besides = [Condition::never()].into_iter().chain(condition.clone());
        let watch_set = self.breakpoints.watch_set(stops, besides, |it| self.image.word(it));
        // Hits where the machine stands have been counted.
        let search = Search::up_to_now(&self.history, watch_set.clone());
        let down_to = self.history.moment();
        let past = Past { search, down_to, counts: Vec::new(), target };
        let direction = Direction::Backward(Box::new(past));
        self.motion = Some(Motion { goal, condition, watch_set, direction });
    }

    /// Whether hits have to be counted before the machine can move.
    fn must_count(&self) -> bool {
        self.breakpoints.need_counts() && !self.hits.are_whole(&self.history)
    }

    /// Goes on for a slice of time, forward by `limit` instructions at most. Returns before if the
    /// machine stops, or notices something.
    pub fn advance(&mut self, limit: u64) -> Advanced {
        self.hits.find(&self.history);
        let is_there = matches!(&self.motion, Some(Motion { direction: Direction::There(..), .. }));
        if self.motion.is_some() && !is_there && self.must_count() {
            self.count_hits();
            return Advanced::default();
        }
        let Some(mut motion) = self.motion.take() else { return Advanced::default() };
        let advanced = match &mut motion.direction {
            Direction::There(seek, edges, stop) => {
                let stop = self.seek_on(seek, *edges).then(|| stop.clone());
                Advanced { noticed: false, stop }
            }
            Direction::Forward(end) => self.forward(&motion.watch_set, *end, limit),
            Direction::Backward(past) => {
                let condition = motion.condition.as_ref();
                Advanced { noticed: false, stop: self.backward(&motion.goal, condition, past) }
            }
        };
        // A way back may have found a moment that takes time to reach.
        if advanced.stop.is_none() && self.motion.is_none() {
            self.motion = Some(motion);
        }
        advanced
    }

    /// Goes on to a moment; whether it has arrived.
    fn seek_on(&mut self, seek: &mut Box<Seek>, edges: u32) -> bool {
        if !seek.serves(&self.history) {
            return true;
        }
        let budget = SEEK_SLICES * self.engine().slice();
        if !seek.advance(&mut self.history, budget) {
            return false;
        }
        self.history.arrive(Seek::clone(seek));
        (0..edges).for_each(|_| self.history.edge());
        self.trail.lose(&self.history);
        true
    }

    /// The breakpoints that are met where the machine stands, before it has gone anywhere.
    pub fn met_here(&mut self) -> Option<Stop> {
        self.press();
        while self.must_count() && !self.count_hits() {}
        self.hits.find(&self.history);
        let hit = self.history.hit_now(&self.watch_set([]))?;
        self.meet(&hit)
    }

    fn forward(&mut self, watch_set: &WatchSet, end: u64, limit: u64) -> Advanced {
        let due = self.history.moment().saturating_add(limit);
        let besides = self.breakpoints.first_besides();
        for _ in 0..HITS_MAX {
            let (now, slice) = (self.history.moment(), self.engine().slice());
            if now >= end {
                return Stop::Goal.into();
            }
            if now >= due {
                break;
            }
            let scheduled = self.schedule.front().map_or(u64::MAX, |(moment, _)| *moment);
            let stretch = end.min(due).min(scheduled.max(now)) - now;
            let progress = self.trail.run(&mut self.history, watch_set, slice.min(stretch));
            let hit = match progress {
                Progress::Hit(hit) => Some(hit),
                _ => None,
            };
            self.hits.note(hit.as_ref(), &self.history);
            // What holds at a moment holds while the buttons of that moment are held.
            let hit = if self.press() { self.history.hit_now(watch_set) } else { hit };
            if let Some(hit) = hit {
                let at_goal = hit.matches.contains(besides + 1).then_some(Stop::Goal);
                let stop = self.meet(&hit).or(at_goal);
                let noticed = hit.matches.contains(besides);
                if noticed || stop.is_some() {
                    return Advanced { noticed, stop };
                }
            }
            match progress {
                Progress::Halted => return self.ended().into(),
                Progress::Limit if stretch > slice => break,
                Progress::Limit | Progress::Hit(_) => {}
            }
        }
        Advanced::default()
    }

    /// Logs the messages of a hit; the stop if it is for a breakpoint.
    fn meet(&mut self, hit: &Hit) -> Option<Stop> {
        let met = self.breakpoints.met_by(hit.matches, self.hits.counts());
        let (at, view) = (self.engine().pc(), self.view());
        let texts: Vec<_> = met.messages.iter().map(|it| (at, it.text(view))).collect();
        let ids: Vec<i64> = met.stops.iter().map(|breakpoint| breakpoint.id).collect();
        self.logged.extend(texts);
        (!ids.is_empty()).then_some(Stop::Breakpoints(ids))
    }

    /// Holds the buttons that are due; whether there are any.
    fn press(&mut self) -> bool {
        let now = self.history.moment();
        let mut are_due = false;
        while let Some((_, buttons)) = self.schedule.front().filter(|(moment, _)| *moment <= now) {
            let input = Input::Hold(*buttons);
            self.give(input);
            self.schedule.pop_front();
            are_due = true;
        }
        if are_due {
            self.hits.find(&self.history);
        }
        are_due
    }

    fn ended(&self) -> Stop {
        if self.engine().error().is_some() { Stop::Failed } else { Stop::Halted }
    }

    fn backward(
        &mut self,
        goal: &Goal,
        condition: Option<&Condition>,
        past: &mut Past,
    ) -> Option<Stop> {
        if self.breakpoints.need_counts() && past.counts.is_empty() {
            past.counts = self.hits.counts().to_vec();
        }
        let is_writer = matches!(goal, Goal::Writer { .. });
        let (now, goal_number) = (self.position(), self.breakpoints.first_besides() + 1);
        for _ in 0..HITS_MAX {
            let found = past.search.advance(&self.history, self.engine().slice());
            let (reached, hit) = match found {
                Found::Hit(hit) => (hit.position(), Some(hit)),
                Found::DownTo(moment) => ((moment, 0), None),
                Found::Nothing => ((0, 0), None),
            };
            let is_passed = |target: &_| found == Found::Nothing || reached < *target;
            if let Some(target) = past.target.filter(is_passed) {
                return self.travel(target.0, target.1, Stop::Goal);
            }
            let Some(hit) = hit else {
                past.down_to = reached.0;
                return if found == Found::Nothing { self.nothing_before(goal) } else { None };
            };
            let at_goal = hit.matches.contains(goal_number);
            if hit.position() < now || is_writer {
                // The start of a line lies an instruction after the last one outside of it, and so
                // nearer than a breakpoint that is met by the same hit, or within that instruction.
                let is_outside = || condition.is_some_and(|it| it.waits_for(hit.next));
                if *goal == Goal::Over && (at_goal || hit.edges > 0 && is_outside()) {
                    return self.travel(hit.moment + 1, 0, Stop::Goal);
                }
                let met = self.breakpoints.met_by(hit.matches, &past.counts);
                let ids: Vec<i64> = met.stops.iter().map(|breakpoint| breakpoint.id).collect();
                if at_goal || !ids.is_empty() {
                    let is_goal = ids.is_empty() || is_writer;
                    let stop = if is_goal { Stop::Goal } else { Stop::Breakpoints(ids) };
                    return self.travel(hit.moment, hit.edges, stop);
                }
            }
            for (number, count) in past.counts.iter_mut().enumerate() {
                *count -= u64::from(hit.matches.contains(number));
            }
        }
        None
    }

    /// Nothing to stop at lies before.
    fn nothing_before(&mut self, goal: &Goal) -> Option<Stop> {
        if !matches!(goal, Goal::Run | Goal::Over) {
            return Some(Stop::Nothing);
        }
        self.travel(self.history.start(), 0, Stop::Beginning)
    }
}

impl From<Stop> for Advanced {
    fn from(stop: Stop) -> Self {
        Self { noticed: false, stop: Some(stop) }
    }
}
