//! Changes of the breaks and watches of a session.

use std::borrow::Cow;
use std::sync::Arc;

use gray1_sim::debugger::{BreakpointRequest, Breakpoints};

use super::{BreakChange, Kept, Session};

/// How many expressions can be watched.
const WATCHES_MAX: usize = 64;

impl Session {
    /// Makes a change, and says what was done, if anything was.
    pub(super) fn change(&mut self, change: BreakChange) -> Option<Cow<'static, str>> {
        Some(match change {
            BreakChange::Toggle(index) => {
                if let Some(number) = self.debugger.breakpoints().at(index) {
                    return Some(self.remove(number));
                }
                let place = self.program.image.names().place(index);
                self.add(&place)
            }
            BreakChange::Add(text) => self.add(&text),
            BreakChange::Remove(number) => self.remove(number),
            BreakChange::Switch(number) => self.switch(number),
            BreakChange::Replace(number, text) => {
                let request = BreakpointRequest::text(&text);
                self.debugger.change_breakpoints(|it, program| {
                    it.replace(number, request, program);
                });
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
            BreakChange::Restore(kept) => return self.restore(kept),
        })
    }

    /// Sets a break. One that is there already is switched on.
    fn add(&mut self, text: &str) -> Cow<'static, str> {
        let request = BreakpointRequest::text(text);
        let added = self.debugger.change_breakpoints(|breakpoints, program| {
            if let Some(number) = breakpoints.list().iter().position(|it| it.text() == text) {
                breakpoints.enable(number, true);
                return Ok(());
            }
            let added = breakpoints.add(request, program);
            if added.is_err() {
                breakpoints.remove(breakpoints.list().len() - 1);
            }
            added
        });
        match added {
            Ok(()) => format!("break set: {text}").into(),
            Err(_) => "too many breaks: remove one first".into(),
        }
    }

    fn remove(&mut self, number: usize) -> Cow<'static, str> {
        let Some(text) = self.break_text(number) else { return "no such break".into() };
        self.debugger.change_breakpoints(|breakpoints, _| breakpoints.remove(number));
        format!("break removed: {text}").into()
    }

    fn switch(&mut self, number: usize) -> Cow<'static, str> {
        let Some(text) = self.break_text(number) else { return "no such break".into() };
        let enabled = !self.debugger.breakpoints().list()[number].enabled;
        self.debugger.change_breakpoints(|breakpoints, _| breakpoints.enable(number, enabled));
        format!("break switched {}: {text}", if enabled { "on" } else { "off" }).into()
    }

    fn break_text(&self, number: usize) -> Option<String> {
        Some(self.debugger.breakpoints().list().get(number)?.text().to_owned())
    }

    fn watch(&mut self, text: String) -> Cow<'static, str> {
        if self.watches.len() >= WATCHES_MAX {
            return "too many watches: remove one first".into();
        }
        let said = format!("watch added: {text}").into();
        Arc::make_mut(&mut self.watches).push(text);
        said
    }

    /// Sets breaks and watches that were kept instead of all others, and says so of breaks: they
    /// may stop the machine before their user remembers them.
    fn restore(&mut self, kept: Kept) -> Option<Cow<'static, str>> {
        self.debugger.change_breakpoints(|breakpoints, program| {
            *breakpoints = Breakpoints::default();
            for (text, enabled) in kept.breaks {
                if breakpoints.add(BreakpointRequest::text(&text), program).is_err() {
                    return breakpoints.remove(breakpoints.list().len() - 1);
                }
                breakpoints.enable(breakpoints.list().len() - 1, enabled);
            }
        });
        self.watches = Arc::new(kept.watches.into_iter().take(WATCHES_MAX).collect());
        match self.debugger.breakpoints().list().len() {
            0 => None,
            1 => Some("one break from last time: its pane lists it".into()),
            count => Some(format!("{count} breaks from last time: their pane lists them").into()),
        }
    }
}
