//! Changes the breakpoints, the watches and the machine of a session.

use std::borrow::Cow;
use std::sync::Arc;

use gray1_debugger::{Breakpoint, BreakpointRequest, Breakpoints, Input};

use super::{BreakChange, RunState, SavedBreakpoints, Session};

/// The maximum number of watched expressions.
const WATCHES_MAX: usize = 64;

impl Session {
    /// Makes a change. Returns a remark about it, or why it cannot be made.
    pub(super) fn change(
        &mut self,
        change: BreakChange,
    ) -> Result<Option<Cow<'static, str>>, &'static str> {
        let (breaks, watches) = (self.debugger.breakpoints().list().len(), self.watches.len());
        Ok(Some(match change {
            BreakChange::Remove(number)
            | BreakChange::Switch(number)
            | BreakChange::Replace(number, _)
                if number >= breaks =>
            {
                return Err("no such break");
            }
            BreakChange::Rewatch(number, _) | BreakChange::Unwatch(number) if number >= watches => {
                return Err("no such watch");
            }
            BreakChange::Toggle(index) => match self.debugger.breakpoints().at(index) {
                Some(number) => self.remove(number),
                None => self.add(&self.program.image.names().place(index))?,
            },
            BreakChange::Add(condition) => self.add(&condition)?,
            BreakChange::Remove(number) => self.remove(number),
            BreakChange::Switch(number) => self.switch(number),
            BreakChange::Replace(number, condition) => {
                let request = BreakpointRequest::text(&condition);
                self.debugger.change_breakpoints(|it, program| {
                    it.replace(number, request, program);
                });
                format!("break changed: {condition}").into()
            }
            BreakChange::Watch(expression) => self.watch(expression)?,
            BreakChange::Rewatch(number, expression) => {
                let remark = format!("watch changed: {expression}").into();
                Arc::make_mut(&mut self.watches)[number] = expression;
                remark
            }
            BreakChange::Unwatch(number) => {
                let removed = Arc::make_mut(&mut self.watches).remove(number);
                format!("watch removed: {removed}").into()
            }
            BreakChange::Restore(saved) => return Ok(self.restore(saved)),
        }))
    }

    /// Sets a breakpoint, or switches it on if it exists already.
    fn add(&mut self, condition: &str) -> Result<Cow<'static, str>, &'static str> {
        let breakpoints = self.debugger.breakpoints();
        let known = breakpoints.list().iter().position(|it| it.text() == condition);
        if known.is_none() && breakpoints.is_full() {
            return Err("too many breaks: remove one first");
        }
        self.debugger.change_breakpoints(|breakpoints, program| match known {
            Some(number) => breakpoints.enable(number, true),
            None => breakpoints.add(BreakpointRequest::text(condition), program),
        });
        let set = self.debugger.breakpoints().list().iter().find(|it| it.text() == condition);
        let hint = set.and_then(|set| self.explain_break(set));
        Ok(format!("break set: {condition}{}", hint.unwrap_or_default()).into())
    }

    /// A remark about a break that can mean something else than the user expects.
    fn explain_break(&self, set: &Breakpoint) -> Option<String> {
        let first = set.text().split(' ').next().unwrap_or_default();
        // Without the colon, a number that was meant as a line is an index.
        if first.bytes().all(|digit| digit.is_ascii_digit()) {
            return Some(format!(" ({first} is an index in program memory; :{first} is a line)"));
        }
        let image = &self.program.image;
        if set.condition()?.instructions(|index| image.word(index)).is_empty() {
            return Some(" (the program has no instruction that does this)".to_owned());
        }
        let asked: u32 = first.rsplit_once(':')?.1.parse().ok()?;
        let place = set.bound.as_ref().ok()?.place.filter(|place| place.line != asked)?;
        Some(format!(" (line {} is the next with an instruction)", place.line))
    }

    fn remove(&mut self, number: usize) -> Cow<'static, str> {
        let remark = format!("break removed: {}", self.condition(number)).into();
        self.debugger.change_breakpoints(|breakpoints, _| breakpoints.remove(number));
        remark
    }

    fn switch(&mut self, number: usize) -> Cow<'static, str> {
        let enabled = !self.debugger.breakpoints().list()[number].enabled;
        self.debugger.change_breakpoints(|breakpoints, _| breakpoints.enable(number, enabled));
        let state = if enabled { "on" } else { "off" };
        format!("break switched {state}: {}", self.condition(number)).into()
    }

    fn condition(&self, number: usize) -> &str {
        self.debugger.breakpoints().list()[number].text()
    }

    fn watch(&mut self, expression: String) -> Result<Cow<'static, str>, &'static str> {
        if self.watches.len() >= WATCHES_MAX {
            return Err("too many watches: remove one first");
        }
        let remark = format!("watch added: {expression}").into();
        Arc::make_mut(&mut self.watches).push(expression);
        Ok(remark)
    }

    /// Replaces all breakpoints and watches by saved ones. Returns a remark if there are
    /// breakpoints, which could stop the machine unexpectedly.
    fn restore(&mut self, saved: SavedBreakpoints) -> Option<Cow<'static, str>> {
        self.debugger.change_breakpoints(|breakpoints, program| {
            *breakpoints = Breakpoints::default();
            for (number, (condition, enabled)) in saved.breaks.into_iter().enumerate() {
                if breakpoints.is_full() {
                    break;
                }
                breakpoints.add(BreakpointRequest::text(&condition), program);
                breakpoints.enable(number, enabled);
            }
        });
        self.watches = Arc::new(saved.watches.into_iter().take(WATCHES_MAX).collect());
        match self.debugger.breakpoints().list().len() {
            0 => None,
            1 => Some("one break restored: the breaks pane lists it".into()),
            count => Some(format!("{count} breaks restored: the breaks pane lists them").into()),
        }
    }

    /// Changes the state of the machine, which starts a new future.
    pub(super) fn change_state(&mut self, input: Input) {
        self.set_run_state(RunState::Paused);
        let changed = self.describe_change(input);
        if let Err(error) = self.debugger.change(input) {
            return self.refuse(error.to_string());
        }
        self.forget_future();
        self.note(format!("{changed}. Running from here starts a new future."));
    }

    /// The place that an input changes, with its old and its new value.
    fn describe_change(&self, input: Input) -> String {
        let (engine, image) = (self.debugger.engine(), &self.program.image);
        let bytes = |name: &str, old, new| {
            let [old, new] = [old, new].map(|byte| image.format_byte(byte));
            format!("Changed {name} from {old} to {new}")
        };
        match input {
            Input::Poke(address, new) => {
                let name = image.byte_at(address, engine.pc());
                bytes(&name, engine.ram()[address.to_usize()], new)
            }
            Input::Load(new) if new.a != engine.a() => bytes("A", engine.a(), new.a),
            Input::Load(new) if new.carry != engine.carry() => {
                format!("Changed C to {}", u8::from(new.carry))
            }
            Input::Load(new) if new.pc != engine.pc() => {
                format!("Changed PC to {}", image.names().place(new.pc))
            }
            _ => "Nothing changed".to_owned(),
        }
    }
}
