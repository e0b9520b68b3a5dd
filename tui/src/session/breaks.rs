//! The breaks and watches of a session, and the watch sets compiled from the breaks.

use std::borrow::Cow;
use std::sync::Arc;

use gray1_isa::Image;
use gray1_sim::debugger::{Breaks, Event, Hit, Scope, WatchSet};

use super::{BreakChange, Kept};

/// The position of the line ends, and of what is gone to, among the events of a watch set.
const LINE_END: usize = 0;
const GOAL: usize = 1;

/// How many expressions can be watched.
const WATCHES_MAX: usize = 64;

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

    /// Makes a change, and says what was done.
    pub(super) fn apply(&mut self, change: BreakChange, scope: Scope) -> Cow<'static, str> {
        let image = scope.image;
        match change {
            BreakChange::Toggle(index) => match self.breaks.at(index) {
                Some(number) => self.remove(number, image),
                None => self.add(&image.names().place(index), scope),
            },
            BreakChange::Add(text) => self.add(&text, scope),
            BreakChange::Remove(number) => self.remove(number, image),
            BreakChange::Switch(number) => self.switch(number, image),
            BreakChange::Replace(number, text) => {
                self.change(image, |breaks| breaks.replace(number, &text, scope));
                format!("break changed: {text}").into()
            }
            BreakChange::Watch(text) => self.watch(text),
            BreakChange::Rewatch(number, text) => {
                let said = format!("watch changed: {text}").into();
                if let Some(watch) = Arc::make_mut(&mut self.watches).get_mut(number) {
                    *watch = text;
                }
                said
            }
            BreakChange::Unwatch(number) if number < self.watches.len() => {
                let removed = Arc::make_mut(&mut self.watches).remove(number);
                format!("watch removed: {removed}").into()
            }
            BreakChange::Unwatch(_) => "no such watch".into(),
            BreakChange::Restore(kept) => {
                self.restore(kept, scope);
                "breaks and watches restored".into()
            }
        }
    }

    fn add(&mut self, text: &str, scope: Scope) -> Cow<'static, str> {
        if self.change(scope.image, |breaks| breaks.add(text, scope).is_ok()) {
            format!("break set: {text}").into()
        } else {
            "too many breaks: remove one first".into()
        }
    }

    fn remove(&mut self, number: usize, image: &Image) -> Cow<'static, str> {
        let Some(text) = self.breaks.list().get(number).map(|entry| entry.text.clone()) else {
            return "no such break".into();
        };
        self.change(image, |breaks| breaks.remove(number));
        format!("break removed: {text}").into()
    }

    fn switch(&mut self, number: usize, image: &Image) -> Cow<'static, str> {
        let switched = self.change(image, |breaks| {
            let entry = breaks.get_mut(number)?;
            entry.enabled = !entry.enabled;
            Some((if entry.enabled { "on" } else { "off" }, entry.text.clone()))
        });
        switched.map_or("no such break".into(), |(state, text)| {
            format!("break switched {state}: {text}").into()
        })
    }

    fn watch(&mut self, text: String) -> Cow<'static, str> {
        if self.watches.len() >= WATCHES_MAX {
            return "too many watches: remove one first".into();
        }
        let said = format!("watch added: {text}").into();
        Arc::make_mut(&mut self.watches).push(text);
        said
    }

    fn restore(&mut self, kept: Kept, scope: Scope) {
        self.change(scope.image, |breaks| {
            *breaks = Breaks::default();
            for (text, enabled) in kept.breaks {
                if let Some(entry) =
                    breaks.add(&text, scope).ok().and_then(|number| breaks.get_mut(number))
                {
                    entry.enabled = enabled;
                }
            }
        });
        self.watches = Arc::new(kept.watches.into_iter().take(WATCHES_MAX).collect());
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
