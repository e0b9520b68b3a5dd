//! The runs of the debugger: forward, backward, and to distant moments.

use std::ops::ControlFlow;
use std::sync::Arc;

use gray1_isa::RomIndex;

use super::backward_search::{Search, SearchResult};
use super::condition::Condition;
use super::controller::Debugger;
use super::expression::MachineView;
use super::goal::{Goal, GoalError};
use super::history::{History, RunResult};
use super::motion::{Activity, BackwardRun, Motion, Stop};
use super::position::Position;
use super::presses::Presses;
use super::seek::Seek;
use super::watch_set::{Hit, WatchSet};

/// The maximum number of hits in a slice that do not stop the machine.
const HITS_MAX: usize = 1000;
/// The length of a slice of a seek, in slices of the engine. A seek watches no breakpoints, so it
/// can use longer ones.
const SEEK_SLICES: u64 = 8;

impl Debugger {
    /// Returns the present activity.
    pub fn activity(&self) -> Activity {
        match &self.motion {
            None => Activity::Idle,
            Some(Motion::Seeking(seek, ..)) => {
                let (reached, target) = seek.progress();
                Activity::Seeking { reached, target }
            }
            Some(Motion::Explaining(search)) => Activity::Searching(search.down_to()),
            Some(_) if self.must_count() => Activity::Counting(self.counted().unwrap_or(0)),
            Some(Motion::Forward { .. }) => Activity::Running,
            Some(Motion::Backward(run)) => Activity::Searching(run.down_to),
        }
    }

    /// Returns true if a run, a seek or a search is in progress.
    pub fn is_busy(&self) -> bool {
        self.motion.is_some()
    }

    /// Returns the goal of the current run, or `None` if there is no run or only a seek.
    pub fn goal(&self) -> Option<&Goal> {
        match self.motion.as_ref()? {
            Motion::Forward { goal, .. } => Some(goal),
            Motion::Backward(run) => Some(&run.goal),
            Motion::Seeking(..) | Motion::Explaining(_) => None,
        }
    }

    /// Ends the current run. The machine stays at its position.
    pub fn pause(&mut self) {
        self.motion = None;
    }

    /// Starts a forward run.
    ///
    /// # Errors
    /// If the goal does not exist at this position.
    pub fn go(&mut self, goal: Goal) -> Result<(), GoalError> {
        let condition = goal.condition(&self.image, &self.source_lines, self.engine().pc())?;
        let end = match goal {
            Goal::Instructions(count) => self.history.moment().saturating_add(count),
            _ => u64::MAX,
        };
        self.motion = Some(Motion::Forward { goal, condition, end });
        Ok(())
    }

    /// Starts a backward run.
    ///
    /// # Errors
    /// If the goal does not exist at this position.
    pub fn go_back(&mut self, goal: Goal) -> Result<(), GoalError> {
        let now = self.position();
        let is_step = matches!(goal, Goal::Over | Goal::Instructions(_));
        let target = match goal {
            _ if is_step && now <= Position::at(self.history.start()) => {
                return Err(GoalError::Beginning);
            }
            // In the middle of an instruction, the start of that instruction is one step back.
            Goal::Instructions(_) if now.edges > 0 => Some(Position::at(now.moment)),
            Goal::Instructions(count) => Some(Position::at(now.moment.saturating_sub(count))),
            _ => None,
        };
        let condition = if target.is_some() {
            None
        } else {
            let pc = self.engine().pc();
            let last = if now.edges > 0 { Some(pc) } else { self.last_executed() };
            goal.backward_condition(&self.image, &self.source_lines, pc, last)?
        };
        self.start_backward(goal, condition, target);
        Ok(())
    }

    /// Returns the last executed instruction. At the end of a program, this is the one that repeats
    /// forever.
    pub(super) fn last_executed(&mut self) -> Option<RomIndex> {
        if let Some(step) = self.recent().newest() {
            return Some(step.index);
        }
        let before = self.history.moment().checked_sub(1)?;
        Some(self.history.replay_at(before).engine.pc())
    }

    /// Returns the watch set of a forward run to a condition.
    fn compile(&mut self, condition: Option<&Condition>, with_reads: bool) -> Arc<WatchSet> {
        let notice = self.notice.clone().map_or_else(Condition::never, Condition::from);
        let goal = condition.cloned().unwrap_or_else(Condition::never);
        let extra: Vec<Condition> =
            [notice, goal].into_iter().chain(with_reads.then(Presses::read_condition)).collect();
        let (extra, watch_set) = match self.compiled.take() {
            Some(compiled) if compiled.0 == extra => compiled,
            _ => {
                let watch_set = self.watch_set(extra.iter().cloned());
                (extra, Arc::new(watch_set))
            }
        };
        self.compiled = Some((extra, Arc::clone(&watch_set)));
        watch_set
    }

    pub(super) fn start_backward(
        &mut self,
        goal: Goal,
        condition: Option<Condition>,
        target: Option<Position>,
    ) {
        let extra = [Condition::never()].into_iter().chain(condition.clone());
        let watch_set = self
            .breakpoints
            .watch_set(extra, self.history.engine(), |it| it.enabled && it.log_message().is_none());
        self.history.prepare(&watch_set);
        let search = Search::new(&self.history, watch_set);
        let down_to = self.history.moment();
        let run = BackwardRun { goal, condition, target, search, down_to };
        self.motion = Some(Motion::Backward(Box::new(run)));
    }

    /// Returns true if hits must be counted before the machine can move.
    pub(super) fn must_count(&self) -> bool {
        self.hits.are_needed() && !self.hits.are_complete(&self.history)
    }

    /// Advances the current run by a slice of time. A forward run executes at most `limit`
    /// instructions. Returns the stop if the run ended.
    pub fn advance(&mut self, limit: u64) -> Option<Stop> {
        self.advance_noticing(limit, &mut |_| ControlFlow::Continue(()))
    }

    /// Like [`Self::advance`], but calls `notice` after each occurrence of the event set by
    /// [`Self::notice`]. The callback can end the slice.
    pub fn advance_noticing(
        &mut self,
        limit: u64,
        notice: &mut dyn FnMut(&History) -> ControlFlow<()>,
    ) -> Option<Stop> {
        self.hits.find(&self.history);
        let watches_breakpoints =
            matches!(self.motion, Some(Motion::Forward { .. } | Motion::Backward(_)));
        if watches_breakpoints && self.must_count() {
            self.count_hits();
            return None;
        }
        let mut motion = self.motion.take()?;
        let stop = match &mut motion {
            Motion::Seeking(seek, edges, stop) => self.run_seek(seek, *edges).then(|| stop.clone()),
            Motion::Forward { goal, condition, end } => {
                let watch_set =
                    self.compile(condition.as_ref(), self.presses.await_read(goal.is_step()));
                let stop = self.advance_forward(&watch_set, (*end, goal.is_step()), limit, notice);
                self.release_at_end();
                stop
            }
            Motion::Backward(run) => self.advance_backward(run),
            Motion::Explaining(search) => {
                let records = &mut self.trail.records;
                let explanation = search.advance(records, &mut self.history, &self.image);
                self.trail.explanation = explanation.map(Arc::new);
                self.trail.explanation.as_ref().map(|_| Stop::Answered)
            }
        };
        // A backward run may have turned into a seek.
        if stop.is_none() && self.motion.is_none() {
            self.motion = Some(motion);
        }
        stop
    }

    /// Advances a seek. Returns true if it has arrived.
    fn run_seek(&mut self, seek: &mut Box<Seek>, edges: u32) -> bool {
        if !seek.is_valid(&self.history) {
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

    /// Handles a hit at the present position before the machine runs. Returns a stop if a
    /// breakpoint that is not a log point was hit.
    pub fn hit_breakpoints(&mut self) -> Option<Stop> {
        while self.must_count() && !self.count_hits() {}
        self.hits.find(&self.history);
        let hit = self.history.hit_now(&self.watch_set([]))?;
        self.handle_hit(&hit)
    }

    fn advance_forward(
        &mut self,
        watch_set: &WatchSet,
        (end, is_step): (u64, bool),
        limit: u64,
        notice: &mut dyn FnMut(&History) -> ControlFlow<()>,
    ) -> Option<Stop> {
        if let Some(hit) = self.hit_by_input.take()
            && let ControlFlow::Break(stop) = self.pass_hit(&hit, notice)
        {
            return stop;
        }
        let due = self.history.moment().saturating_add(limit);
        let first = self.breakpoints.first_extra();
        for _ in 0..HITS_MAX {
            let now = self.history.moment();
            let slice = watch_set.share(self.engine().slice());
            if now >= end {
                return Some(Stop::Goal);
            }
            if now >= due {
                break;
            }
            let stretch = end.min(due) - now;
            let known = self.history.end();
            let progress = self.history.run(watch_set, slice.min(stretch));
            let hit = match progress {
                RunResult::Hit(hit) => Some(hit),
                _ => None,
            };
            self.hits.note(hit.as_ref(), &self.history);
            let new = hit.as_ref().filter(|hit| hit.moment > known);
            let is_read = new.is_some_and(|hit| hit.matches.contains(first + 2));
            let is_changed = is_read && self.record_read(is_step);
            // Conditions at a moment must see the buttons that are held from that moment on.
            let hit = if is_changed { self.history.hit_now(watch_set) } else { hit };
            if let Some(hit) = hit
                && let ControlFlow::Break(stop) = self.pass_hit(&hit, notice)
            {
                return stop;
            }
            match progress {
                RunResult::Halted => return Some(self.end_stop()),
                RunResult::Limit if stretch > slice => break,
                RunResult::Limit | RunResult::Hit(_) => {}
            }
        }
        None
    }

    /// Handles a hit of a forward run. Breaks if the slice ends there, with the stop if there is
    /// one.
    fn pass_hit(
        &mut self,
        hit: &Hit,
        notice: &mut dyn FnMut(&History) -> ControlFlow<()>,
    ) -> ControlFlow<Option<Stop>> {
        let first = self.breakpoints.first_extra();
        let at_goal = hit.matches.contains(first + 1).then_some(Stop::Goal);
        let stop = self.handle_hit(hit).or(at_goal);
        let is_over = hit.matches.contains(first) && notice(&self.history).is_break();
        if is_over || stop.is_some() { ControlFlow::Break(stop) } else { ControlFlow::Continue(()) }
    }

    /// Logs the messages of the log points that were hit. Returns a stop if a breakpoint that is
    /// not a log point was hit.
    fn handle_hit(&mut self, hit: &Hit) -> Option<Stop> {
        let engine = self.history.engine();
        let (at, view) = (engine.pc(), MachineView::new(engine, self.history.moment()));
        let mut ids = Vec::new();
        for breakpoint in self.breakpoints.satisfied_by(hit, self.hits.counts()) {
            match breakpoint.log_message() {
                Some(message) => {
                    self.logged.push((at, message.text(hit, view, &self.image)));
                }
                None => ids.push(breakpoint.id),
            }
        }
        (!ids.is_empty()).then_some(Stop::Breakpoints(ids))
    }

    fn end_stop(&self) -> Stop {
        if self.engine().error().is_some() { Stop::Failed } else { Stop::Halted }
    }

    fn advance_backward(&mut self, run: &mut BackwardRun) -> Option<Stop> {
        let BackwardRun { goal, condition, target, search, down_to } = run;
        let budget = search.share(self.engine().slice());
        let found = search.advance_counting(&self.history, &self.hits, budget);
        let reached = match found {
            SearchResult::Hit(hit) => hit.position(),
            SearchResult::DownTo(moment) => Position::at(moment),
            SearchResult::Nothing => Position::at(0),
        };
        let passed = target.filter(|it| found == SearchResult::Nothing || reached < *it);
        if let Some(target) = passed {
            return self.move_to(target, Stop::Goal);
        }
        let hit = match found {
            SearchResult::Hit(hit) => hit,
            SearchResult::DownTo(moment) => {
                *down_to = moment;
                return None;
            }
            SearchResult::Nothing => return self.end_without_hit(goal),
        };
        let at_goal = hit.matches.contains(self.breakpoints.first_extra() + 1);
        // The hit is at the last instruction outside the line, and the line starts one instruction
        // later. A backward run reaches that start before it reaches a breakpoint at the hit or
        // inside that instruction.
        let is_outside = condition.as_ref().is_some_and(|it| it.waits_for(hit.next));
        if *goal == Goal::Over && (at_goal || hit.edges > 0 && is_outside) {
            return self.move_to(Position::at(hit.moment + 1), Stop::Goal);
        }
        let ids = self.breakpoints.satisfied_by(&hit, search.counts()).map(|it| it.id);
        let ids: Vec<i64> = ids.collect();
        let stop = if ids.is_empty() { Stop::Goal } else { Stop::Breakpoints(ids) };
        self.move_to(hit.position(), stop)
    }

    /// Ends a backward run that has found nothing.
    fn end_without_hit(&mut self, goal: &Goal) -> Option<Stop> {
        if !matches!(goal, Goal::Run | Goal::Over) {
            return Some(Stop::Nothing);
        }
        self.move_to(Position::at(self.history.start()), Stop::Beginning)
    }

    /// Moves to a known position, either directly or through a seek. Reports `stop` on arrival.
    pub(super) fn move_to(&mut self, to: Position, stop: Stop) -> Option<Stop> {
        if let Some(seek) = Seek::new(&self.history, to.moment) {
            self.motion = Some(Motion::Seeking(Box::new(seek), to.edges, stop));
            return None;
        }
        self.history.seek_edge(to.moment, to.edges);
        Some(stop)
    }
}
