//! The way of a session from one stop to the next: steps, goals, runs at a pace, searches.

use std::time::Duration;

use gray1_sim::debugger::{Advanced, Goal, NoWay, Stop};

use super::mode::{Until, Way};
use super::{Destination, Rate, Session};

const ENDED_BEFORE: &str = "the program ended before that";
pub(super) const NO_BREAKS: &str = "no breaks: press b to set one here, B for any other";

impl Session {
    pub(super) fn set_way(&mut self, way: Way) {
        self.debugger.pause();
        self.way = way;
        self.clock.restart();
    }

    /// Sends the debugger to a goal, unless it is on its way there.
    pub(super) fn set_out(&mut self, goal: Goal) {
        if self.debugger.goal() != Some(&goal) {
            self.debugger.go(goal).expect("a run needs no way out");
        }
    }

    // ---- Steps

    pub(super) fn step(&mut self, goal: Goal) {
        self.set_way(Way::Paused);
        self.set_out(goal);
        while self.debugger.moves() {
            self.run_on(u64::MAX);
        }
    }

    pub(super) fn step_back(&mut self) {
        self.set_way(Way::Paused);
        self.let_go();
        if let Err(no_way) = self.debugger.go_back(Goal::Instructions(1)) {
            return self.refuse(no_way);
        }
        while self.debugger.moves() {
            self.run_on(u64::MAX);
        }
    }

    /// Lets one phase pass.
    pub(super) fn edge(&mut self) {
        let printed = self.debugger.history().printed_lines();
        self.debugger.edge();
        if self.debugger.history().printed_lines() > printed {
            self.marks.add_line(self.debugger.history());
        }
    }

    pub(super) fn edge_back(&mut self) {
        self.set_way(Way::Paused);
        self.let_go();
        if !self.debugger.edge_back() {
            self.refuse(NoWay::Beginning);
        }
    }

    /// Goes to a moment that is known.
    pub(super) fn seek(&mut self, moment: u64) {
        self.return_to(moment, 0);
    }

    fn return_to(&mut self, moment: u64, edges: u32) {
        self.set_way(Way::Paused);
        self.let_go();
        self.debugger.seek(moment, edges);
        if self.debugger.moves() {
            self.way = Way::Returning;
        }
    }

    /// Goes to an edge of the oscillator after a moment; executes what leads there where nothing is
    /// known yet.
    pub(super) fn seek_edge(&mut self, moment: u64, edges: u32) {
        if moment <= self.debugger.history().end() {
            return self.return_to(moment, edges);
        }
        self.set_way(Way::Paused);
        while self.debugger.position() < (moment, edges) && !self.debugger.engine().halted() {
            self.edge();
        }
    }

    // ---- Goals

    /// Runs to something, however far that is.
    pub(super) fn go(&mut self, goal: Goal) {
        if goal == Goal::Breakpoint && self.debugger.breakpoints().list().is_empty() {
            return self.pause_with(NO_BREAKS);
        }
        self.set_way(Way::Paused);
        if let Err(no_way) = self.debugger.go(goal.clone()) {
            return self.refuse(no_way);
        }
        self.note_jump(&goal);
        self.way = Way::Seeking(Until::Goal(goal));
    }

    /// Looks for something in the past.
    pub(super) fn go_back(&mut self, goal: Goal) {
        if goal == Goal::Breakpoint && self.debugger.breakpoints().list().is_empty() {
            return self.pause_with(NO_BREAKS);
        }
        self.set_way(Way::Paused);
        self.let_go();
        if let Err(no_way) = self.debugger.go_back(goal.clone()) {
            return self.refuse(no_way);
        }
        self.note_jump(&goal);
        self.way = Way::Searching(goal);
    }

    fn refuse(&mut self, no_way: NoWay) {
        self.set_way(Way::Paused);
        self.remark = Some(no_way.to_string().into());
    }

    /// Goes to a moment or a printed line; where that is not known yet, by running there.
    pub(super) fn run_to(&mut self, destination: Destination) {
        self.jumps.note(self.now());
        let end = self.debugger.history().end();
        let known = match destination {
            Destination::Moment(moment) => Some(moment).filter(|moment| *moment <= end),
            Destination::Line(line) => self.marks.lines.get(line.saturating_sub(1)).copied(),
        };
        if let Some(moment) = known {
            return self.seek(moment);
        }
        // Of very many printed lines, only the first ones are marked.
        self.seek(match destination {
            Destination::Line(line) if self.marks.lines_are_full() => {
                self.debugger.history().moment_before_line(line as u64)
            }
            Destination::Moment(_) | Destination::Line(_) => end,
        });
        if self.debugger.engine().halted() {
            return self.pause_with(ENDED_BEFORE);
        }
        self.set_out(match destination {
            Destination::Moment(moment) => Goal::Instructions(moment.saturating_sub(end)),
            Destination::Line(_) => Goal::Run,
        });
        self.way = Way::Seeking(Until::There(destination));
    }

    /// Remembers where the machine is before it goes far.
    fn note_jump(&mut self, goal: &Goal) {
        if *goal != Goal::Over {
            self.jumps.note(self.now());
        }
    }

    // ---- Runs

    /// Goes on by so many instructions at most, but for a stop; notes the ends of printed lines.
    pub(super) fn run_on(&mut self, limit: u64) -> Option<Stop> {
        let end = self.now().saturating_add(limit);
        loop {
            let (stop, ended_line) = self.run_to_line_end(end);
            if !ended_line || stop.is_some() || self.now() >= end {
                return stop;
            }
        }
    }

    /// Goes on to a moment, or to the end of a printed line; the stop if there is one, and whether
    /// a line has ended.
    fn run_to_line_end(&mut self, end: u64) -> (Option<Stop>, bool) {
        let Advanced { noticed, stop } = self.debugger.advance(end - self.now());
        if noticed {
            self.marks.add_line(self.debugger.history());
        }
        match &stop {
            Some(Stop::Breakpoints(_)) => {
                self.marks.add_stop(self.now());
                self.set_way(Way::Paused);
            }
            Some(Stop::Goal) => self.note_led_change(),
            _ => {}
        }
        (stop, noticed)
    }

    /// Marks a change of an LED, if the machine went to it.
    fn note_led_change(&mut self) {
        let goes_there = match &self.way {
            Way::Running => matches!(self.clock.pace.rate(), Rate::LedChanges(_)),
            Way::Seeking(until) => *until == Until::Goal(Goal::LedChange),
            Way::Paused | Way::Searching(_) | Way::Returning => false,
        };
        if goes_there {
            self.marks.add_led(self.now());
        }
    }

    /// Executes up to `limit` instructions, or to the end of a line that is worth dwelling on.
    fn play_on(&mut self, goal: Goal, limit: u64) -> Option<Stop> {
        self.set_out(goal);
        let dwells =
            self.dwells && self.clock.pace.is_watchable() && self.clock.dwell.is_worthwhile();
        let end = self.now().saturating_add(limit);
        loop {
            let (stop, ended_line) = self.run_to_line_end(end);
            match ended_line {
                true if dwells => self.clock.dwell.begin(),
                true => self.clock.dwell.pass_line(),
                false => {}
            }
            if !ended_line || dwells || stop.is_some() || self.now() >= end {
                return stop;
            }
        }
    }

    pub(super) fn play(&mut self, elapsed: Duration) {
        let Some(elapsed) = self.clock.dwell.pass(elapsed) else { return };
        match self.clock.pace.rate() {
            Rate::Unlimited => {
                self.play_on(Goal::Run, self.slice());
            }
            Rate::Instructions(per_second) => {
                self.clock.credit.earn(elapsed, per_second);
                let units = self.clock.credit.units().min(self.slice());
                self.clock.credit.spend(units);
                self.play_on(Goal::Run, units);
            }
            Rate::LedChanges(per_second) => {
                self.clock.credit.earn(elapsed, per_second);
                if self.clock.credit.units() > 0
                    && self.play_on(Goal::LedChange, self.slice()) == Some(Stop::Goal)
                {
                    self.clock.credit.spend(1);
                }
            }
        }
    }

    pub(super) fn seek_on(&mut self) {
        let Way::Seeking(until) = &self.way else { return };
        let until = until.clone();
        let end = self.now().saturating_add(self.slice());
        let is_there = |session: &Self| {
            let printed = session.debugger.history().all_printed_lines();
            matches!(until, Until::There(Destination::Line(line)) if printed >= line as u64)
        };
        let mut stop = None;
        let mut ended_line = true;
        while ended_line && stop.is_none() && !is_there(self) && self.now() < end {
            (stop, ended_line) = self.run_to_line_end(end);
        }
        match until {
            _ if is_there(self) => self.set_way(Way::Paused),
            Until::There(_) if matches!(stop, Some(Stop::Halted | Stop::Failed)) => {
                self.pause_with(ENDED_BEFORE);
            }
            _ if stop.is_some() => self.set_way(Way::Paused),
            _ => {}
        }
    }

    /// Looks on for a slice of time.
    pub(super) fn search_on(&mut self) {
        let remark = match &self.way {
            Way::Searching(goal) => none_before(goal),
            _ => "",
        };
        self.let_go();
        match self.debugger.advance(0).stop {
            None => {}
            Some(Stop::Nothing) => self.pause_with(remark),
            Some(stop) => {
                if matches!(stop, Stop::Breakpoints(_)) {
                    self.marks.add_stop(self.now());
                }
                self.set_way(Way::Paused);
            }
        }
    }
}

/// The message that there is none before now.
const fn none_before(goal: &Goal) -> &'static str {
    match goal {
        Goal::LedChange => "no earlier LED change",
        Goal::Breakpoint => "no break was hit earlier",
        Goal::MailboxByte => "nothing was printed earlier",
        Goal::PrintedLine => "no line was printed earlier",
        Goal::Out => "nothing earlier is outside this macro, repeat or routine",
        Goal::Reaches(_) => "the machine was not there earlier",
        Goal::Writer { .. } => "no instruction has written that byte",
        _ => "this is the beginning",
    }
}
