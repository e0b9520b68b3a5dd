//! Searches in the past. The machine stays where it is until something is found.

use gray1_sim::debugger::{Condition, Found, Hit, Search, WatchSet};

use super::mode::{BackwardSearch, Mode};
use super::{Goal, Session};

impl Session {
    /// Looks for something in the past.
    pub(super) fn go_back(&mut self, goal: Goal) {
        let recorder = &self.run.recorder;
        let last = recorder.recent().newest().map(|step| step.index);
        let event = goal.earlier_event(&self.run.program.image, recorder.pc(), last);
        if let Some(events) = self.events(event) {
            self.note_jump(goal);
            let image = &self.run.program.image;
            let watch_set = self.run.stops.breaks.watch_set(&events, |index| image.word(index));
            let search = Search::new(self.run.recorder.history(), watch_set);
            self.search(goal, search);
        }
    }

    /// Looks for the last instruction that wrote a byte.
    pub(super) fn find_writer(&mut self, goal: Goal) {
        let image = &self.run.program.image;
        let event = goal.event(image, self.run.recorder.pc());
        let conditions = event.ok().flatten().into_iter().map(Condition::from);
        let watch_set = WatchSet::new(conditions.collect(), |index| image.word(index));
        let search = Search::up_to_now(self.run.recorder.history(), watch_set);
        self.note_jump(goal);
        self.search(goal, search);
    }

    fn search(&mut self, goal: Goal, search: Search) {
        let down_to = self.run.now();
        self.set_mode(Mode::Searching(Box::new(BackwardSearch { goal, search, down_to })));
    }

    /// Looks on for a slice of time.
    pub(super) fn search_on(&mut self) {
        let Mode::Searching(under_way) = &mut self.mode else { return };
        let goal = under_way.goal;
        let history = self.run.recorder.history();
        match under_way.search.advance(history, history.engine().slice()) {
            Found::DownTo(moment) => under_way.down_to = moment,
            // What comes first in the history has nothing in front of it.
            Found::Nothing if goal == Goal::Over && self.run.now() > history.start() => {
                self.seek(self.run.recorder.history().start());
            }
            Found::Nothing => self.pause_with(goal.none_before()),
            Found::Hit(hit) => self.found(goal, &hit),
        }
    }

    /// Ends a search in the past, if this is what is looked for.
    fn found(&mut self, goal: Goal, hit: &Hit) {
        let Some(at_break) = self.end_of_search(goal, hit) else { return };
        self.set_mode(Mode::Paused);
        self.let_go();
        if goal == Goal::Over && !at_break {
            // The hit is in front of the instruction that led into what is gone back over.
            self.run.seek(hit.moment + 1);
        } else {
            self.run.seek_hit(hit);
        }
    }

    /// Whether a hit in the past is a break, if it is that or what is looked for; a search for a
    /// writer stops at no break.
    fn end_of_search(&mut self, goal: Goal, hit: &Hit) -> Option<bool> {
        let is_writer = matches!(goal, Goal::Write { .. });
        let at_break = !is_writer && self.run.count_earlier(hit);
        let at_goal = goal != Goal::Break && self.run.stops.breaks.is_besides(hit, 0);
        (at_break || is_writer || at_goal).then_some(at_break)
    }
}
