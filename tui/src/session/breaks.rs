//! The breaks and watches of a session, and the watch sets compiled from the breaks.

use std::sync::Arc;

use gray1_isa::Image;
use gray1_sim::debugger::{Breaks, Event, Hit, Scope, WatchSet};

use super::BreakChange;

/// The position of the line ends, and of what is gone to, among the events of a watch set.
const LINE_END: usize = 0;
const GOAL: usize = 1;

/// The breaks with the watch sets for a run, and the watched expressions.
#[derive(Debug, Clone, Default)]
pub(super) struct BreakTable {
    pub(super) breaks: Arc<Breaks>,
    /// Expressions as they were written; in another program they may mean something else.
    pub(super) watches: Arc<Vec<String>>,
    /// Breaks and line ends, ...
    pub(super) running: Arc<WatchSet>,
    /// ... and LED changes too.
    pub(super) to_led_change: Arc<WatchSet>,
}

impl BreakTable {
    /// Binds the breaks to a program.
    pub(super) fn bind(&mut self, scope: Scope) {
        self.change(scope.image, |breaks| breaks.bind(scope));
    }

    /// Makes a change. Says no if there are too many breaks.
    pub(super) fn apply(&mut self, change: BreakChange, scope: Scope) -> bool {
        let image = scope.image;
        match change {
            BreakChange::Toggle(index) => match self.breaks.at(index) {
                Some(number) => self.change(image, |breaks| breaks.remove(number)),
                None => return self.add(&image.names().place(index), scope),
            },
            BreakChange::Add(text) => return self.add(&text, scope),
            BreakChange::Remove(number) => self.change(image, |breaks| breaks.remove(number)),
            BreakChange::Switch(number) => self.change(image, |breaks| {
                if let Some(entry) = breaks.get_mut(number) {
                    entry.enabled = !entry.enabled;
                }
            }),
            BreakChange::Watch(text) => Arc::make_mut(&mut self.watches).push(text),
            BreakChange::Unwatch(number) => drop(Arc::make_mut(&mut self.watches).remove(number)),
        }
        true
    }

    fn add(&mut self, text: &str, scope: Scope) -> bool {
        self.change(scope.image, |breaks| breaks.add(text, scope).is_ok())
    }

    /// Changes the breaks, and compiles the watch sets again.
    fn change<T>(&mut self, image: &Image, change: impl FnOnce(&mut Breaks) -> T) -> T {
        let result = change(Arc::make_mut(&mut self.breaks));
        self.running = Arc::new(self.watch_set([], image));
        self.to_led_change = Arc::new(self.watch_set([Event::Display], image));
        result
    }

    /// The watch set for a run: breaks, line ends, and perhaps something to go to.
    pub(super) fn watch_set(
        &self,
        goal: impl IntoIterator<Item = Event>,
        image: &Image,
    ) -> WatchSet {
        let events: Vec<Event> = std::iter::once(Event::Prints(Some(b'\n'))).chain(goal).collect();
        self.breaks.watch_set(&events, |index| image.word(index))
    }

    /// Whether a hit of such a set ends a line.
    pub(super) fn is_line_end(&self, hit: &Hit) -> bool {
        self.breaks.is_besides(hit, LINE_END)
    }

    /// Whether it is what was to be gone to.
    pub(super) fn is_goal(&self, hit: &Hit) -> bool {
        self.breaks.is_besides(hit, GOAL)
    }

    /// Counts a hit with the breaks it meets. Says whether it stops the machine.
    pub(super) fn count(&mut self, hit: &Hit) -> bool {
        self.breaks.met_by(hit).next().is_some() && Arc::make_mut(&mut self.breaks).count(hit)
    }
}
