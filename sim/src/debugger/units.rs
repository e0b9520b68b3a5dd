//! What steps over code, and out of it, wait for.
//!
//! A *unit* is what stands in a source as one thing: the instructions of one line, a macro call, a
//! repeat. While a unit runs, the machine may also be in the routines that it calls.

use gray1_isa::{Expansion, ExpansionKind, Image, RomIndex};

use super::condition::Event;
use crate::indexes::Indexes;

/// A way out of code, or over it.
///
/// Forward, the machine runs until the event happens. Backward, it goes back to the moment at which
/// the event happened last.
impl Event {
    /// Out of the innermost line, macro call or turn of a repeat around an instruction, or forward
    /// out of the routine around it; `None` if it stands in none of them.
    #[must_use]
    pub fn leaves_unit(image: &Image, index: RomIndex) -> Option<Self> {
        let returns = |calls: &[RomIndex]| calls.iter().map(|call| call.next()).collect();
        Self::leaves_around(image, index, returns)
    }

    /// The same backward: out of a routine, to its call.
    #[must_use]
    pub fn enters_unit(image: &Image, index: RomIndex) -> Option<Self> {
        Self::leaves_around(image, index, |calls| calls.iter().copied().collect())
    }

    /// Out of these instructions, and of the routines that they call, directly or indirectly.
    #[must_use]
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

    /// Over the largest unit that begins at an instruction, or over that instruction alone.
    #[must_use]
    pub fn passes_unit(image: &Image, index: RomIndex) -> Self {
        let begins_here = |unit: &Indexes| unit.iter().next() == Some(index);
        let unit = units(image, index, are_turns).filter(begins_here).last();
        Self::leaves(image, unit.unwrap_or_else(|| Indexes::from_iter([index])))
    }

    /// Back over the largest unit that the machine has left by executing `last`, which led to
    /// `next`: one instruction after this event, that unit begins.
    #[must_use]
    pub fn precedes_unit(image: &Image, last: RomIndex, next: RomIndex) -> Self {
        let call = next.previous();
        let returned = image.routines().around(last).is_some_and(|routine| {
            routine.calls.contains(&call) && !routine.indexes.contains(&next)
        });
        let last = if returned { call } else { last };
        let is_left = |unit: &Indexes| !unit.contains(next);
        let unit = units(image, last, are_turns).filter(is_left).last();
        Self::leaves(image, unit.unwrap_or_else(|| Indexes::from_iter([last])))
    }

    fn leaves_around(
        image: &Image,
        index: RomIndex,
        of_routine: impl Fn(&[RomIndex]) -> Indexes,
    ) -> Option<Self> {
        if let Some(unit) = units(image, index, |_, _| false).next() {
            return Some(Self::leaves(image, unit));
        }
        let routine = image.routines().around(index)?;
        Some(Self::Reaches(Box::new(of_routine(&routine.calls))))
    }
}

/// The units around an instruction, innermost first, up to the routine around it. Expansions that
/// are `alike` count as one.
fn units(
    image: &Image,
    index: RomIndex,
    alike: fn(&Expansion, &Expansion) -> bool,
) -> impl Iterator<Item = Indexes> + '_ {
    let map = image.source_map();
    let line: Indexes = map.same_line(index).collect();
    let line = (line.iter().count() > 1).then_some(line);
    let innermost = map.origin(index).and_then(|origin| origin.expansion);
    let expansion = |number: u32| &map.expansions()[number as usize];
    let is_unit = move |number: &u32| !matches!(expansion(*number).kind, ExpansionKind::Routine(_));
    let expansions = map.outward(innermost).take_while(is_unit).map(move |number| {
        let is_of = |other: u32| other == number || alike(expansion(other), expansion(number));
        let is_inside = |index: &RomIndex| {
            let origin = map.origin(*index);
            origin.is_some_and(|origin| map.outward(origin.expansion).any(is_of))
        };
        RomIndex::all().filter(is_inside).collect()
    });
    line.into_iter().chain(expansions)
}

/// Whether two expansions are turns of the same repeat.
fn are_turns(a: &Expansion, b: &Expansion) -> bool {
    let is_turn = |expansion: &Expansion| matches!(expansion.kind, ExpansionKind::Repeat(_));
    is_turn(a) && is_turn(b) && (a.call, a.parent) == (b.call, b.parent)
}
