//! The rules of `docs/DEBUGGER.md` about displayed lines and the targets of steps. They are
//! computed as sets of instructions, by examining each instruction.

use gray1_isa::{ExpansionKind, Image, Origin, RomIndex};

/// A set of instructions, by index.
pub(super) type Set = Vec<bool>;

/// The lines of a program.
pub(super) struct Lines<'a> {
    pub(super) image: &'a Image,
}

impl Lines<'_> {
    /// The number of instructions of the program.
    pub(super) fn len(&self) -> usize {
        self.image.source_map().origins().len()
    }

    fn set(&self, is_inside: impl Fn(usize) -> bool) -> Set {
        (0..self.len()).map(is_inside).collect()
    }

    fn origin(&self, index: usize) -> Origin {
        self.image.source_map().origin(at(index)).expect("all of it has a source")
    }

    fn kind(&self, expansion: u32) -> &ExpansionKind {
        &self.image.source_map().expansions()[expansion as usize].kind
    }

    fn caller(&self, expansion: u32) -> Origin {
        self.image.source_map().expansions()[expansion as usize].caller()
    }

    /// The expansions around a line, innermost first.
    fn around(&self, origin: Origin) -> Vec<u32> {
        self.image.source_map().outward(origin.expansion).collect()
    }

    /// The macro calls that contain an instruction, innermost first, up to its routine.
    fn macros(&self, index: usize) -> Vec<u32> {
        let around = self.around(self.origin(index)).into_iter();
        around
            .take_while(|it| !matches!(self.kind(*it), ExpansionKind::Routine(_)))
            .filter(|it| matches!(self.kind(*it), ExpansionKind::Macro(_)))
            .collect()
    }

    fn begins_with(&self, expansion: u32, index: usize) -> bool {
        let is_inside = |index: &usize| self.around(self.origin(*index)).contains(&expansion);
        (0..self.len()).find(is_inside) == Some(index)
    }

    /// The displayed line. At the beginning of a macro, it is the line of the call.
    pub(super) fn shown(&self, index: usize) -> Origin {
        let beginning = self.macros(index).into_iter().rfind(|it| self.begins_with(*it, index));
        beginning.map_or_else(|| self.origin(index), |expansion| self.caller(expansion))
    }

    /// The instructions of a line, and of the macros that it calls.
    fn instructions_of(&self, line: Origin) -> Set {
        self.set(|index| {
            self.origin(index) == line
                || self.macros(index).into_iter().any(|it| self.caller(it) == line)
        })
    }

    /// Adds the routines that these instructions call, directly or indirectly.
    fn with_routines(&self, mut set: Set) -> Set {
        loop {
            let before = set.clone();
            let inside = before.iter().enumerate().filter(|(_, is_inside)| **is_inside);
            for (index, _) in inside {
                let called = self.image.routines().called(at(index)).into_iter();
                let indexes = called.flat_map(|routine| &routine.indexes);
                indexes.for_each(|it| set[it.to_usize()] = true);
            }
            if set == before {
                return set;
            }
        }
    }

    /// The instructions that the machine must leave to complete a step over the displayed line.
    pub(super) fn over(&self, index: usize) -> Set {
        self.with_routines(self.instructions_of(self.shown(index)))
    }

    /// The instructions that the machine must leave to complete a step over an instruction.
    pub(super) fn over_instruction(&self, index: usize) -> Set {
        self.with_routines(self.set(|it| it == index))
    }

    /// The instructions that the machine must leave to complete a step into a line: all
    /// instructions of the displayed line except the first.
    pub(super) fn rest_of_line(&self, index: usize) -> Set {
        let line = self.shown(index);
        let is_first = |index| (0..index).all(|before| self.shown(before) != line);
        self.set(|index| self.shown(index) == line && !is_first(index))
    }

    /// The instructions that the machine must leave to complete a step out: those of the innermost
    /// macro call or repeat that contains the displayed line. A repeat includes all of its
    /// iterations.
    pub(super) fn out(&self, index: usize) -> Option<Set> {
        let innermost = self.shown(index).expansion?;
        let is_iteration = |expansion| matches!(self.kind(expansion), ExpansionKind::Repeat(_));
        let is_part = |other: u32| {
            let are_iterations = is_iteration(other) && is_iteration(innermost);
            other == innermost || are_iterations && self.caller(other) == self.caller(innermost)
        };
        if let ExpansionKind::Routine(_) = self.kind(innermost) {
            return None;
        }
        let is_inside = |index| self.around(self.origin(index)).into_iter().any(is_part);
        Some(self.with_routines(self.set(is_inside)))
    }

    /// The calls of the routine that contains an instruction.
    pub(super) fn calls(&self, index: usize) -> Option<Vec<usize>> {
        let routine = self.image.routines().around(at(index))?;
        Some(routine.calls.iter().map(|call| call.to_usize()).collect())
    }

    /// The instructions that the machine passes in a step back over a line. `last` is the
    /// instruction that was executed last, and `next` is the next one. The line is the largest one
    /// that the machine has left, or else the line that it is inside.
    pub(super) fn back_over(&self, last: usize, next: usize) -> Set {
        let called = next.checked_sub(1).filter(|call| {
            let is_call = self.calls(last).is_some_and(|calls| calls.contains(call));
            let here = self.image.routines().around(at(next)).map(|it| &it.name);
            is_call && here != self.image.routines().around(at(last)).map(|it| &it.name)
        });
        let last = called.unwrap_or(last);
        let callers = self.macros(last).into_iter().map(|it| self.caller(it));
        let lines: Vec<Set> = [self.origin(last)]
            .into_iter()
            .chain(callers)
            .map(|it| self.instructions_of(it))
            .collect();
        let left = lines.iter().rfind(|line| !line[next]);
        self.with_routines(left.unwrap_or(&lines[0]).clone())
    }

    /// The instructions with which the execution of a line begins.
    pub(super) fn starts(&self, line: u32) -> Set {
        let levels = |index: usize| {
            let origin = self.origin(index);
            let callers = self.around(origin).into_iter().map(|it| self.caller(it));
            [origin].into_iter().chain(callers).collect::<Vec<_>>()
        };
        self.set(|index| {
            let before = index.checked_sub(1).map_or_else(Vec::new, levels);
            let begins = |origin: &Origin| !before.contains(origin);
            levels(index).iter().any(|origin| origin.place.line == line && begins(origin))
        })
    }
}

fn at(index: usize) -> RomIndex {
    RomIndex::truncate(index as u16)
}
