//! The runs of a session: steps, goals, running at a pace, searches.

use std::ops::ControlFlow;
use std::time::Duration;

use gray1_debugger::why::{Asked, Question};
use gray1_debugger::{Event, Goal, GoalError, History, Position, Stop};

use super::clock::Clock;
use super::{Destination, Rate, RunState, Session, marks};

/// The maximum number of steps in an explanation.
const EXPLANATION_DEPTH: usize = 12;
const ENDED_BEFORE: &str = "the program ended before that";
pub(super) const NO_BREAKS: &str = "no breaks: press b to set one here, B for any other";

impl Session {
    pub(super) fn set_run_state(&mut self, run_state: RunState) {
        self.debugger.pause();
        self.run_state = run_state;
        self.clock.restart();
    }

    /// Sends the debugger to a goal, unless it already has this goal.
    pub(super) fn set_goal(&mut self, goal: Goal) {
        if self.debugger.goal() != Some(&goal) {
            self.debugger.go(goal).expect("such a goal exists everywhere");
        }
    }

    // ---- Steps

    /// Steps forward or back by one instruction.
    pub(super) fn step(&mut self, is_back: bool) {
        self.send_to(Goal::Instructions(1), is_back);
        while self.debugger.is_busy() {
            self.run_slice(u64::MAX, |_, _| false);
        }
    }

    /// Pauses, and sends the debugger to a goal, forward or backward. Returns false if there is
    /// none.
    fn send_to(&mut self, goal: Goal, is_back: bool) -> bool {
        self.set_run_state(RunState::Paused);
        let sent = if is_back { self.debugger.go_back(goal) } else { self.debugger.go(goal) };
        if let Err(error) = sent {
            self.refuse(error.to_string());
        }
        sent.is_ok()
    }

    /// Advances by one phase.
    pub(super) fn step_phase(&mut self) {
        let printed = self.debugger.history().printed_lines();
        self.debugger.edge();
        if self.debugger.history().printed_lines() > printed {
            self.marks.add_line(self.debugger.history());
        }
    }

    pub(super) fn step_phase_back(&mut self) {
        self.set_run_state(RunState::Paused);
        if !self.debugger.edge_back() {
            self.refuse(GoalError::Beginning.to_string());
        }
    }

    /// Goes to a known moment.
    pub(super) fn seek(&mut self, moment: u64) {
        self.return_to(Position::at(moment));
    }

    fn return_to(&mut self, Position { moment, edges }: Position) {
        self.set_run_state(RunState::Paused);
        self.debugger.seek(moment, edges);
        if self.debugger.is_busy() {
            self.run_state = RunState::Searching;
        }
    }

    /// Goes to an edge of the oscillator. If the edge is beyond the known history, the machine runs
    /// to it.
    pub(super) fn seek_edge(&mut self, to: Position) {
        if to.moment <= self.debugger.history().end() {
            return self.return_to(to);
        }
        self.set_run_state(RunState::Paused);
        while self.debugger.position() < to && !self.debugger.engine().halted() {
            self.step_phase();
        }
    }

    /// Explains the cause of a value or event at the current moment.
    pub(super) fn ask(&mut self, asked: Asked) {
        self.set_run_state(RunState::Paused);
        let question = Question { asked, depth: EXPLANATION_DEPTH, is_folded: true };
        self.debugger.ask(question, self.now());
        self.run_state = RunState::Searching;
    }

    // ---- Goals

    /// Runs to a goal, or searches for it in the past.
    pub(super) fn go(&mut self, goal: Goal, is_back: bool) {
        if goal == Goal::Breakpoint && self.debugger.breakpoints().list().is_empty() {
            return self.pause_with(NO_BREAKS);
        }
        let is_far = goal != Goal::Over;
        if self.send_to(goal, is_back) {
            if is_far {
                self.jumps.record(self.now());
            }
            self.run_state = if is_back { RunState::Searching } else { RunState::Seeking(None) };
        }
    }

    /// Goes to a moment or a printed line. If it is beyond the known history, the machine runs to
    /// it.
    pub(super) fn run_to(&mut self, destination: Destination) {
        self.jumps.record(self.now());
        let end = self.debugger.history().end();
        let known = match destination {
            Destination::Moment(moment) => Some(moment).filter(|moment| *moment <= end),
            Destination::Line(line) => self.marks.lines.get(line.saturating_sub(1)).copied(),
        };
        if let Some(moment) = known {
            return self.seek(moment);
        }
        // Only the first printed lines are marked.
        self.seek(match destination {
            Destination::Line(line) if self.marks.lines_are_full() => {
                self.debugger.history().moment_before_line(line as u64)
            }
            Destination::Moment(_) | Destination::Line(_) => end,
        });
        if self.is_printed(destination) {
            return;
        }
        if self.debugger.engine().halted() {
            return self.pause_with(ENDED_BEFORE);
        }
        self.set_goal(match destination {
            Destination::Moment(moment) => Goal::Instructions(moment.saturating_sub(end)),
            Destination::Line(_) => Goal::Run,
        });
        self.run_state = RunState::Seeking(Some(destination));
    }

    /// Whether the destination is a line that has been printed.
    fn is_printed(&self, destination: Destination) -> bool {
        let printed = self.debugger.history().all_printed_lines();
        matches!(destination, Destination::Line(line) if line as u64 <= printed)
    }

    // ---- Runs

    /// Runs for a slice, by at most `limit` instructions. Returns the stop, if there is one. Marks
    /// the ends of printed lines. `at_line_end` returns whether to end the slice there.
    pub(super) fn run_slice(
        &mut self,
        limit: u64,
        mut at_line_end: impl FnMut(&mut Clock, &History) -> bool,
    ) -> Option<Stop> {
        let to_led_change = self.debugger.goal() == Some(&Goal::LED_CHANGE);
        let Self { debugger, marks, clock, .. } = self;
        let stop = debugger.advance_noticing(limit, &mut |history| {
            marks.add_line(history);
            if at_line_end(clock, history) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let logged = self.debugger.take_logged().into_iter().map(|(_, message)| message);
        self.logged.extend(logged);
        if let Some(message) = self.logged.last().cloned() {
            self.note(message);
        }
        let now = self.now();
        match &stop {
            Some(Stop::Breakpoints(_)) => {
                marks::add(&mut self.marks.stops, now);
                self.set_run_state(RunState::Paused);
            }
            Some(Stop::Goal) if to_led_change => marks::add(&mut self.marks.leds, now),
            _ => {}
        }
        stop
    }

    /// Runs by at most `limit` instructions, or to the end of a line at which to pause.
    fn play_slice(&mut self, goal: Goal, limit: u64) -> Option<Stop> {
        self.set_goal(goal);
        let dwells = self.clock.dwells_now();
        self.run_slice(limit, |clock, _| {
            clock.end_line(dwells);
            dwells
        })
    }

    pub(super) fn play(&mut self, elapsed: Duration) {
        let Some(elapsed) = self.clock.pass(elapsed) else { return };
        match self.clock.pace.rate() {
            Rate::Unlimited => {
                self.play_slice(Goal::Run, self.slice());
            }
            Rate::Phases(per_second) => {
                if self.clock.refill(elapsed, per_second) > 0 {
                    self.clock.consume(1);
                    self.play_phase();
                }
            }
            Rate::Instructions(per_second) => {
                let units = self.clock.refill(elapsed, per_second).min(self.slice());
                self.clock.consume(units);
                self.play_slice(Goal::Run, units);
            }
            Rate::LedChanges(per_second) => {
                if self.clock.refill(elapsed, per_second) > 0
                    && self.play_slice(Goal::LED_CHANGE, self.slice()) == Some(Stop::Goal)
                {
                    self.clock.consume(1);
                }
            }
        }
    }

    /// Begins a phase-by-phase run, or ends it.
    pub(super) fn play_phases(&mut self) {
        let plays = self.clock.plays_phases();
        self.set_run_state(if plays { RunState::Paused } else { RunState::Running });
        if !plays {
            self.clock.play_phases();
        }
    }

    /// Advances by a phase. A breakpoint at the end of an instruction pauses the machine.
    fn play_phase(&mut self) {
        self.step_phase();
        let now = self.debugger.position();
        if now.edges == 0 && matches!(self.debugger.hit_breakpoints(), Some(Stop::Breakpoints(_))) {
            marks::add(&mut self.marks.stops, now.moment);
            self.set_run_state(RunState::Paused);
        }
    }

    pub(super) fn continue_seek(&mut self, destination: Option<Destination>) {
        let line = match destination {
            Some(Destination::Line(line)) => line as u64,
            _ => u64::MAX,
        };
        let is_short = self.has_short_slices;
        let has_place =
            destination.is_some() || matches!(self.debugger.goal(), Some(Goal::Condition(_)));
        let stop = self
            .run_slice(self.slice(), |_, history| is_short || history.all_printed_lines() >= line);
        match stop {
            _ if destination.is_some_and(|it| self.is_printed(it)) => {
                self.set_run_state(RunState::Paused);
            }
            Some(Stop::Halted | Stop::Failed) if has_place => {
                self.pause_with(ENDED_BEFORE);
            }
            Some(_) => self.set_run_state(RunState::Paused),
            None => {}
        }
    }

    /// Continues a search for one slice of time.
    pub(super) fn continue_search(&mut self) {
        let remark = self.debugger.goal().map_or("", not_found);
        match self.debugger.advance(0) {
            None => {}
            Some(Stop::Nothing) => self.pause_with(remark),
            Some(stop) => {
                if matches!(stop, Stop::Breakpoints(_)) {
                    let now = self.now();
                    marks::add(&mut self.marks.stops, now);
                }
                self.set_run_state(RunState::Paused);
            }
        }
    }
}

/// The remark after a search without a result.
const fn not_found(goal: &Goal) -> &'static str {
    match goal {
        Goal::Event(Event::Display) => "no earlier LED change",
        Goal::Breakpoint => "no break was hit earlier",
        Goal::Event(Event::Prints(None)) => "nothing was printed earlier",
        Goal::Event(Event::Prints(Some(_))) => "no earlier {result}",
        Goal::Out => "nothing ran before this macro, repeat or routine",
        Goal::Event(Event::Reaches(_)) => "the machine was not there earlier",
        _ => "already at the beginning",
    }
}
