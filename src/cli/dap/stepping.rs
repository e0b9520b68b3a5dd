//! What steps by lines wait for: a step goes by the lines that the client shows.

use gray1_isa::{Image, Origin, RomIndex};
use gray1_sim::Indexes;
use gray1_sim::debugger::Event;

use super::sources::Sources;

/// The program, and how its lines are shown.
#[derive(Clone, Copy)]
pub(super) struct Lines<'a> {
    pub(super) image: &'a Image,
    pub(super) sources: &'a Sources,
}

impl Lines<'_> {
    /// Over the line that is shown for an instruction, with all that it calls.
    pub(super) fn over(self, index: RomIndex) -> Event {
        let line = self.shown(index).map(|origin| self.inside(origin));
        Event::leaves(self.image, line.unwrap_or_else(|| Indexes::from_iter([index])))
    }

    /// To the next line that is shown, be it in a macro or in a routine; to the start of the same
    /// line again, too.
    pub(super) fn into(self, index: RomIndex) -> Event {
        let line = self.shown(index);
        let is_same = |other: &RomIndex| line.is_some() && self.shown(*other) == line;
        let rest: Indexes = RomIndex::all().filter(is_same).skip(1).collect();
        Event::Reaches(Box::new(RomIndex::all().filter(|it| !rest.contains(*it)).collect()))
    }

    /// Out of the macro or the routine that is shown for an instruction, if it is one.
    pub(super) fn out(self, index: RomIndex) -> Option<Event> {
        if let [_, outer, ..] = self.sources.levels(self.image.source_map(), index).as_slice() {
            return Some(Event::leaves(self.image, self.inside(outer.origin)));
        }
        let routine = self.image.routines().around(index)?;
        let returns = routine.calls.iter().map(|call| call.next()).collect();
        Some(Event::Reaches(Box::new(returns)))
    }

    /// Back over the line that the machine has left, or whose middle it is in, where `last` was
    /// executed and `next` comes next. An instruction after this event, that line begins.
    pub(super) fn back(self, last: RomIndex, next: RomIndex) -> Event {
        let call = next.previous();
        let has_returned = self.image.routines().around(last).is_some_and(|routine| {
            routine.calls.contains(&call) && !routine.indexes.contains(&next)
        });
        let last = if has_returned { call } else { last };
        let lines: Vec<Indexes> = self.lines_of(last).map(|origin| self.inside(origin)).collect();
        let left = lines.iter().rev().find(|line| !line.contains(next));
        let line = left.or(lines.first()).cloned();
        Event::leaves(self.image, line.unwrap_or_else(|| Indexes::from_iter([last])))
    }

    fn shown(self, index: RomIndex) -> Option<Origin> {
        self.sources.shown(self.image.source_map(), index)
    }

    /// The instructions of a line, with those of the macros that it calls.
    fn inside(self, line: Origin) -> Indexes {
        RomIndex::all().filter(|index| self.lines_of(*index).any(|it| it == line)).collect()
    }

    /// The lines in which an instruction stands, innermost first.
    fn lines_of(self, index: RomIndex) -> impl Iterator<Item = Origin> {
        self.sources.lines_of(self.image.source_map(), index)
    }
}
