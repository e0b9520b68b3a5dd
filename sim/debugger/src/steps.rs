//! Steps over, into and out of code, by the lines that [`SourceLines`] shows.
//!
//! | step | leads |
//! |---|---|
//! | over | past the shown line, including the macros and routines that it calls |
//! | into | to the next shown line, even inside a macro or a routine |
//! | out | past the macro call or the repeat that contains the shown line, or out of the routine |
//! | back over | to the start of the current line, or of the previous line if already there |
//! | back out | to before the macro call or the repeat, or to the call of the routine |

use gray1_isa::{Expansion, ExpansionKind, Image, Indexes, Origin, RomIndex};

use super::condition::Event;
use super::source_lines::{SourceLines, all_lines_of, expansions};

/// The events that end steps. A forward step runs until the event happens. A backward step goes to
/// the last moment at which it happened, or one instruction after that.
impl SourceLines {
    /// Returns the event that ends a step over the line shown for an instruction.
    pub fn step_over(&self, image: &Image, index: RomIndex) -> Event {
        let line = self.shown(image.source_map(), index).map(|origin| code_of(image, origin));
        Event::leaves(image, line.unwrap_or_else(|| Indexes::from_iter([index])))
    }

    /// Returns the event that ends a step into the next shown line, or back to the start of the
    /// present one.
    pub fn step_into(&self, image: &Image, index: RomIndex) -> Event {
        let shown = |index| self.shown(image.source_map(), index);
        let line = shown(index);
        let same = RomIndex::all().filter(|other| line.is_some() && shown(*other) == line);
        let rest: Indexes = same.skip(1).collect();
        Event::Reaches(Box::new(RomIndex::all().filter(|it| !rest.contains(*it)).collect()))
    }

    /// Returns the event that ends a step out of the macro call, repeat or routine that contains
    /// the shown line. Returns `None` if there is none.
    pub fn step_out(&self, image: &Image, index: RomIndex) -> Option<Event> {
        self.find_end(image, index, |calls| calls.iter().map(|call| call.next()).collect())
    }

    /// Returns the event that ends a backward step out of the macro call, repeat or routine that
    /// contains the shown line. A step out of a routine ends at its call.
    pub fn step_back_out(&self, image: &Image, index: RomIndex) -> Option<Event> {
        self.find_end(image, index, |calls| calls.iter().copied().collect())
    }

    /// Returns the event for a backward step over the line that the machine has left or is in the
    /// middle of. That line starts one instruction after the event.
    ///
    /// `last` is the last executed instruction, and `next` is the next one.
    pub fn step_back_over(&self, image: &Image, last: RomIndex, next: RomIndex) -> Event {
        let call = next.previous();
        let has_returned = image.routines().around(last).is_some_and(|routine| {
            routine.calls.contains(&call) && !routine.indexes.contains(&next)
        });
        let last = if has_returned { call } else { last };
        let lines = all_lines_of(image.source_map(), last).map(|origin| code_of(image, origin));
        let lines: Vec<Indexes> = lines.collect();
        let left = lines.iter().rev().find(|line| !line.contains(next));
        let line = left.or(lines.first()).cloned();
        Event::leaves(image, line.unwrap_or_else(|| Indexes::from_iter([last])))
    }

    fn find_end(
        &self,
        image: &Image,
        index: RomIndex,
        of_routine: impl Fn(&[RomIndex]) -> Indexes,
    ) -> Option<Event> {
        if let Some(around) = self.around(image, index) {
            return Some(Event::leaves(image, around));
        }
        let routine = image.routines().around(index)?;
        Some(Event::Reaches(Box::new(of_routine(&routine.calls))))
    }

    /// Returns the instructions of the innermost macro call or repeat that contains the shown line.
    /// For a repeat, these are the instructions of all its iterations.
    fn around(&self, image: &Image, index: RomIndex) -> Option<Indexes> {
        let map = image.source_map();
        let around: Vec<u32> = expansions(map, map.origin(index)?).collect();
        let expansion = |number: u32| &map.expansions()[number as usize];
        let hidden = around.iter().rposition(|&number| {
            matches!(expansion(number).kind, ExpansionKind::Macro(_))
                && self.starts_at(number, index)
        });
        let innermost = *around.get(hidden.map_or(0, |outermost| outermost + 1))?;
        let inside = RomIndex::all().filter(|index| {
            let mut outward =
                map.origin(*index).into_iter().flat_map(|it| map.outward(it.expansion));
            outward.any(|it| it == innermost || are_iterations(expansion(it), expansion(innermost)))
        });
        Some(inside.collect())
    }
}

impl Event {
    /// Returns the event that happens when the machine leaves these instructions and all routines
    /// that they call, directly or indirectly.
    pub fn leaves(image: &Image, instructions: Indexes) -> Self {
        let mut inside = instructions;
        let mut unseen: Vec<RomIndex> = inside.iter().collect();
        while let Some(index) = unseen.pop() {
            let called = image.routines().called(index);
            for &index in called.iter().flat_map(|routine| &routine.indexes) {
                if !inside.contains(index) {
                    inside.insert(index);
                    unseen.push(index);
                }
            }
        }
        let outside = RomIndex::all().filter(|index| !inside.contains(*index)).collect();
        Self::Reaches(Box::new(outside))
    }
}

/// Returns the instructions of a line and of the macros that it calls.
fn code_of(image: &Image, line: Origin) -> Indexes {
    let map = image.source_map();
    RomIndex::all().filter(|index| all_lines_of(map, *index).any(|it| it == line)).collect()
}

/// Returns true if two expansions are iterations of the same repeat.
fn are_iterations(a: &Expansion, b: &Expansion) -> bool {
    let is_iteration = |expansion: &Expansion| matches!(expansion.kind, ExpansionKind::Repeat(_));
    is_iteration(a) && is_iteration(b) && (a.call, a.parent) == (b.call, b.parent)
}
