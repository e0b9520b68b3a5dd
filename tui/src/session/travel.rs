//! Ways through time: single steps and phases, and to something, forward and back.

use std::sync::Arc;

use gray1_isa::panel::Buttons;
use gray1_sim::debugger::{Condition, Event, Found, Input, Lookout};

use super::engine::Search;
use super::held::Held;
use super::{Goal, Mode, PHASES, SLICE, Session, marks};

pub(super) const NO_BREAKS: &str = "no breaks: press b to set one here, B for any other";

/// A search in the past.
pub(super) struct BackwardSearch {
    goal: Goal,
    search: Search,
    /// Nothing was found from this moment on.
    pub(super) down_to: u64,
}

impl Session {
    pub(super) fn step_back(&mut self) {
        let now = self.now();
        match (self.phases, now > self.recorder.history().start()) {
            (0, true) => self.seek(now - 1),
            (0, false) => self.pause_with("this is the beginning"),
            _ => self.seek(now),
        }
    }

    pub(super) fn step_phase(&mut self) {
        self.set_mode(Mode::Paused);
        if self.recorder.halted() {
            return;
        }
        self.phases += 1;
        if self.phase() == PHASES {
            self.step();
        }
    }

    pub(super) fn step_phase_back(&mut self) {
        self.set_mode(Mode::Paused);
        if self.phases > 0 {
            self.phases -= 1;
            return;
        }
        self.step_back();
        if self.remark.is_none() {
            self.phases = PHASES - 1 - self.first_phase();
        }
    }

    /// Goes to a moment that is known.
    pub(super) fn seek(&mut self, moment: u64) {
        self.set_mode(Mode::Paused);
        self.phases = 0;
        if self.held.wait().is_some() {
            // To let go of the buttons later would begin another future.
            self.held = Held::default();
            self.give(Input::Hold(Buttons::NONE));
        }
        self.recorder.seek(moment);
    }

    pub(super) fn scrub_step(&self) -> u64 {
        let history = self.recorder.history();
        (history.end() - history.start()).div_ceil(50)
    }

    pub(super) fn pause_with(&mut self, remark: &'static str) {
        self.set_mode(Mode::Paused);
        self.remark = Some(remark);
    }

    /// Runs to something, however far that is.
    pub(super) fn go(&mut self, goal: Goal) {
        if let Some(events) = self.events(goal) {
            let lookout = self.stops.watch_set(events, &self.program.image);
            self.set_mode(Mode::Seeking(Arc::new(lookout)));
        }
    }

    pub(super) fn go_on(&mut self) {
        let Mode::Seeking(lookout) = &self.mode else { return };
        let lookout = Arc::clone(lookout);
        if self.run_with(&lookout, SLICE).at_goal {
            self.set_mode(Mode::Paused);
        }
    }

    /// Looks for something in the past.
    pub(super) fn go_back(&mut self, goal: Goal) {
        if let Some(events) = self.events(goal) {
            let image = &self.program.image;
            let lookout = self.stops.breaks.lookout(&events, |index| image.word(index));
            let search = Search::new(self.recorder.history(), lookout);
            self.search(goal, search);
        }
    }

    /// What to look for besides the breaks; pauses with a remark if there is nothing to look for.
    fn events(&mut self, goal: Goal) -> Option<Vec<Event>> {
        match goal.event(&self.program.image, self.recorder.pc()) {
            Err(remark) => self.pause_with(remark),
            Ok(None) if self.stops.breaks.list().is_empty() => self.pause_with(NO_BREAKS),
            Ok(event) => return Some(event.into_iter().collect()),
        }
        None
    }

    pub(super) fn find_writer(&mut self, goal: Goal) {
        let image = &self.program.image;
        let event = goal.event(image, self.recorder.pc());
        let conditions = event.ok().flatten().into_iter().map(Condition::from);
        let lookout = Lookout::new(conditions.collect(), |index| image.word(index));
        let search = Search::up_to_now(self.recorder.history(), lookout);
        self.search(goal, search);
    }

    fn search(&mut self, goal: Goal, search: Search) {
        let down_to = self.now();
        self.set_mode(Mode::Searching(Box::new(BackwardSearch { goal, search, down_to })));
    }

    pub(super) fn search_on(&mut self) {
        let Mode::Searching(under_way) = &mut self.mode else { return };
        let goal = under_way.goal;
        match under_way.search.advance(self.recorder.history(), SLICE) {
            Found::DownTo(moment) => under_way.down_to = moment,
            Found::Nothing => self.pause_with(goal.none_before()),
            Found::Hit(hit) => {
                // A search for a writer stops at no break.
                let is_writer = matches!(goal, Goal::Write { .. });
                let at_break = !is_writer && self.stops.count(&hit);
                if at_break {
                    marks::add(&mut self.marks.stops, hit.moment);
                }
                let at_goal = match goal {
                    Goal::Write { .. } => true,
                    Goal::Break => false,
                    _ => self.stops.breaks.is_besides(&hit, 0),
                };
                if at_break || at_goal {
                    self.seek(hit.moment);
                }
            }
        }
    }
}
