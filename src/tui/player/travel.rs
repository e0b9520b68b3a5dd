//! Ways through time: single steps and phases, and to something, forward and back.

use std::sync::Arc;

use gray1_isa::panel::Buttons;
use gray1_sim::debugger::{Condition, Event, Found, Input, Search, WatchSet};

use super::held::Held;
use super::{Goal, Mode, PHASES, Player, SLICE, note};

pub(super) const NO_BREAKS: &str = "there are no breaks: b sets one here, B any other";

/// A search in the past.
pub(super) struct Quest {
    goal: Goal,
    search: Search,
    /// Down to where nothing was found.
    pub(super) down_to: u64,
}

impl Player {
    pub(super) fn step_back(&mut self) {
        let now = self.tape.history().moment();
        match (self.phases, now > self.tape.history().start()) {
            (0, true) => self.seek(now - 1),
            (0, false) => self.pause_with("this is the beginning"),
            _ => self.seek(now),
        }
    }

    pub(super) fn step_phase(&mut self) {
        self.set_mode(Mode::Paused);
        if self.tape.machine().halted() {
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
        self.tape.seek(moment);
    }

    pub(super) fn scrub_step(&self) -> u64 {
        let history = self.tape.history();
        (history.end() - history.start()).div_ceil(50)
    }

    pub(super) fn pause_with(&mut self, remark: &'static str) {
        self.set_mode(Mode::Paused);
        self.remark = Some(remark);
    }

    /// Runs to something, however far that is.
    pub(super) fn go(&mut self, goal: Goal) {
        match goal.event(&self.program.image, self.tape.machine().pc()) {
            Err(remark) => self.pause_with(remark),
            Ok(None) if self.breaks.list().is_empty() => self.pause_with(NO_BREAKS),
            Ok(event) => {
                let watch_set = Arc::new(self.watch_set_for(event));
                self.set_mode(Mode::Seeking(watch_set));
            }
        }
    }

    pub(super) fn go_on(&mut self) {
        let Mode::Seeking(watch_set) = &self.mode else { return };
        let watch_set = Arc::clone(watch_set);
        if self.run_with(&watch_set, SLICE).at_goal {
            self.set_mode(Mode::Paused);
        }
    }

    /// Looks for something in the past.
    pub(super) fn go_back(&mut self, goal: Goal) {
        match goal.event(&self.program.image, self.tape.machine().pc()) {
            Err(remark) => self.pause_with(remark),
            Ok(None) if self.breaks.list().is_empty() => self.pause_with(NO_BREAKS),
            Ok(event) => {
                let besides: Vec<Event> = event.into_iter().collect();
                let word = |index| self.tape.machine().word(index);
                let watch_set = self.breaks.watch_set(&besides, word);
                let search = Search::new(self.tape.history(), watch_set);
                self.search(goal, search);
            }
        }
    }

    pub(super) fn find_writer(&mut self, goal: Goal) {
        let word = |index| self.tape.machine().word(index);
        let event = goal.event(&self.program.image, self.tape.machine().pc());
        let conditions = event.ok().flatten().into_iter().map(Condition::from);
        let search =
            Search::up_to_now(self.tape.history(), WatchSet::new(conditions.collect(), word));
        self.search(goal, search);
    }

    pub(super) fn search(&mut self, goal: Goal, search: Search) {
        let down_to = self.tape.history().moment();
        self.set_mode(Mode::Searching(Box::new(Quest { goal, search, down_to })));
    }

    pub(super) fn search_on(&mut self) {
        let Mode::Searching(quest) = &mut self.mode else { return };
        let goal = quest.goal;
        match quest.search.advance(self.tape.history(), SLICE) {
            Found::DownTo(moment) => quest.down_to = moment,
            Found::Nothing => self.pause_with(goal.none_before()),
            Found::Hit(hit) => {
                // Who looks for a writer looks for nothing else.
                let at_break = !matches!(goal, Goal::Write { .. })
                    && Arc::make_mut(&mut self.breaks).count(&hit);
                if at_break {
                    note(&mut self.stops, hit.moment);
                }
                let at_goal = match goal {
                    Goal::Write { .. } => true,
                    Goal::Break => false,
                    _ => self.breaks.is_besides(&hit, 0),
                };
                if at_break || at_goal {
                    self.seek(hit.moment);
                }
            }
        }
    }
}
