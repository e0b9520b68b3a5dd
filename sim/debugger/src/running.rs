//! How the debugger goes from one stop to the next: forward, backward, and to a moment that takes
//! time to reach.

use std::ops::ControlFlow;
use std::sync::Arc;

use gray1_isa::RomIndex;

use super::backward_search::{Found, Search};
use super::breakpoints::Breakpoint;
use super::condition::Condition;
use super::controller::Debugger;
use super::goal::{Goal, NoWay};
use super::history::{History, Progress};
use super::inputs::Input;
use super::motion::{Activity, BackwardRun, Motion, Stop};
use super::seek::Seek;
use super::watch_set::{Hit, WatchSet};

/// How many hits that do not stop the machine are worked off before the driver is asked again.
const HITS_MAX: usize = 1000;
/// How many slices of the engine are executed at a time where no breakpoint is looked for.
const SEEK_SLICES: u64 = 8;

impl Debugger {
    /// What it is doing.
    #[must_use]
    pub fn activity(&self) -> Activity {
        match &self.motion {
            None => Activity::Standing,
            Some(Motion::Seeking(seek, ..)) => {
                let (reached, target) = seek.progress();
                Activity::Seeking { reached, target }
            }
            Some(_) if self.must_count() => Activity::Counting(self.counted().unwrap_or(0)),
            Some(Motion::Forward { .. }) => Activity::Running,
            Some(Motion::Backward(run)) => Activity::Searching(run.down_to),
        }
    }

    /// Whether it is on its way.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.motion.is_some()
    }

    /// The goal that it is on its way to; `None` on the way to a moment.
    #[must_use]
    pub fn goal(&self) -> Option<&Goal> {
        match self.motion.as_ref()? {
            Motion::Forward { goal, .. } => Some(goal),
            Motion::Backward(run) => Some(&run.goal),
            Motion::Seeking(..) => None,
        }
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
    pub(super) fn last_executed(&mut self) -> Option<RomIndex> {
        if let Some(step) = self.recent().newest() {
            return Some(step.executed.index);
        }
        let now = self.history.moment();
        self.history.seek(now.checked_sub(1)?);
        let last = self.engine().pc();
        self.history.seek(now);
        Some(last)
    }

    pub(super) fn set_out(&mut self, goal: Goal, condition: Option<Condition>, end: u64) {
        let watch_set = match self.compiled.take() {
            Some((known, watch_set)) if known == condition => watch_set,
            _ => {
                let notice = self.notice.clone().map(Condition::from);
                let besides = [notice.unwrap_or_else(Condition::never)];
                Arc::new(self.watch_set(besides.into_iter().chain(condition.clone())))
            }
        };
        self.compiled = Some((condition.clone(), Arc::clone(&watch_set)));
        self.motion = Some(Motion::Forward { goal, condition, watch_set, end });
    }

    pub(super) fn set_out_back(
        &mut self,
        goal: Goal,
        condition: Option<Condition>,
        target: Option<(u64, u32)>,
    ) {
        let is_writer = matches!(goal, Goal::Writer { .. });
        let new_search = if is_writer { Search::up_to_now } else { Search::new };
        let stops = |it: &Breakpoint| it.enabled && it.stops() && !is_writer;
        let besides = [Condition::never()].into_iter().chain(condition.clone());
        let watch_set = self.breakpoints.watch_set(stops, besides, |it| self.image.word(it));
        let search = new_search(&self.history, watch_set);
        let down_to = self.history.moment();
        let run = BackwardRun { goal, condition, target, search, down_to };
        self.motion = Some(Motion::Backward(Box::new(run)));
    }

    /// Whether hits have to be counted before the machine can move.
    pub(super) fn must_count(&self) -> bool {
        self.hits.are_needed() && !self.hits.are_whole(&self.history)
    }

    /// Goes on for a slice of time, forward by `limit` instructions at most; the stop, if there is
    /// one.
    pub fn advance(&mut self, limit: u64) -> Option<Stop> {
        self.advance_noticing(limit, &mut |_| ControlFlow::Continue(()))
    }

    /// The same. `notice` is told whenever the event to [notice](Self::notice) has happened, and
    /// may end the slice there.
    pub fn advance_noticing(
        &mut self,
        limit: u64,
        notice: &mut dyn FnMut(&History) -> ControlFlow<()>,
    ) -> Option<Stop> {
        self.hits.find(&self.history);
        let looks_for_breakpoints =
            matches!(self.motion, Some(Motion::Forward { .. } | Motion::Backward(_)));
        if looks_for_breakpoints && self.must_count() {
            self.count_hits();
            return None;
        }
        let mut motion = self.motion.take()?;
        let stop = match &mut motion {
            Motion::Seeking(seek, edges, stop) => self.seek_on(seek, *edges).then(|| stop.clone()),
            Motion::Forward { watch_set, end, .. } => self.forward(watch_set, *end, limit, notice),
            Motion::Backward(run) => self.backward(run),
        };
        // A way back may have found a moment that takes time to reach.
        if stop.is_none() && self.motion.is_none() {
            self.motion = Some(motion);
        }
        stop
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
        self.history.arrive(Seek::clone(seek).into_replay());
        (0..edges).for_each(|_| self.history.edge());
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

    fn forward(
        &mut self,
        watch_set: &WatchSet,
        end: u64,
        limit: u64,
        notice: &mut dyn FnMut(&History) -> ControlFlow<()>,
    ) -> Option<Stop> {
        let due = self.history.moment().saturating_add(limit);
        let besides = self.breakpoints.first_besides();
        for _ in 0..HITS_MAX {
            let now = self.history.moment();
            let slice = watch_set.share(self.engine().slice());
            if now >= end {
                return Some(Stop::Goal);
            }
            if now >= due {
                break;
            }
            let scheduled = self.schedule.front().map_or(u64::MAX, |(moment, _)| *moment);
            let stretch = end.min(due).min(scheduled.max(now)) - now;
            let progress = self.history.run(watch_set, slice.min(stretch));
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
                let is_noticed = hit.matches.contains(besides);
                let is_over = is_noticed && notice(&self.history).is_break();
                if is_over || stop.is_some() {
                    return stop;
                }
            }
            match progress {
                Progress::Halted => return Some(self.ended()),
                Progress::Limit if stretch > slice => break,
                Progress::Limit | Progress::Hit(_) => {}
            }
        }
        None
    }

    /// Logs the messages of a hit; the stop if it is for a breakpoint.
    fn meet(&mut self, hit: &Hit) -> Option<Stop> {
        let met = self.breakpoints.met_by(hit.matches, self.hits.counts());
        let (at, view) = (self.engine().pc(), self.view());
        let texts: Vec<_> = met.messages.iter().map(|it| (at, it.text(view))).collect();
        let ids = met.stops;
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

    fn backward(&mut self, run: &mut BackwardRun) -> Option<Stop> {
        let BackwardRun { goal, condition, target, search, down_to } = run;
        let budget = search.share(self.engine().slice());
        let found = search.advance_counting(&self.history, &self.hits, budget);
        let reached = match found {
            Found::Hit(hit) => hit.position(),
            Found::DownTo(moment) => (moment, 0),
            Found::Nothing => (0, 0),
        };
        let is_passed = |target: &_| found == Found::Nothing || reached < *target;
        if let Some((moment, edges)) = target.filter(is_passed) {
            return self.travel(moment, edges, Stop::Goal);
        }
        let hit = match found {
            Found::Hit(hit) => hit,
            Found::DownTo(moment) => {
                *down_to = moment;
                return None;
            }
            Found::Nothing => return self.nothing_before(goal),
        };
        let at_goal = hit.matches.contains(self.breakpoints.first_besides() + 1);
        // The start of a line lies an instruction after the last one outside of it, and so
        // nearer than a breakpoint that is met by the same hit, or within that instruction.
        let is_outside = || condition.as_ref().is_some_and(|it| it.waits_for(hit.next));
        if *goal == Goal::Over && (at_goal || hit.edges > 0 && is_outside()) {
            return self.travel(hit.moment + 1, 0, Stop::Goal);
        }
        let ids = self.breakpoints.met_by(hit.matches, search.counts()).stops;
        let is_goal = ids.is_empty() || matches!(goal, Goal::Writer { .. });
        let stop = if is_goal { Stop::Goal } else { Stop::Breakpoints(ids) };
        self.travel(hit.moment, hit.edges, stop)
    }

    /// Nothing to stop at lies before.
    fn nothing_before(&mut self, goal: &Goal) -> Option<Stop> {
        if !matches!(goal, Goal::Run | Goal::Over) {
            return Some(Stop::Nothing);
        }
        self.travel(self.history.start(), 0, Stop::Beginning)
    }

    /// Goes to a moment that is known, at once if it is near. Where it arrives, this is the stop.
    pub(super) fn travel(&mut self, moment: u64, edges: u32, stop: Stop) -> Option<Stop> {
        if let Some(seek) = Seek::new(&self.history, moment) {
            self.motion = Some(Motion::Seeking(Box::new(seek), edges, stop));
            return None;
        }
        self.history.seek_edge(moment, edges);
        Some(stop)
    }
}
