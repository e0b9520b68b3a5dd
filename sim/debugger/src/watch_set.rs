//! Conditions that are watched together, and their hits: the moments at which they become true.

use gray1_circuit::Circuit;
use gray1_isa::{Executed, Indexes, RomIndex, Write};
use gray1_sim::engine::Engine;

use super::condition::{Condition, Event};
use super::expression::MachineView;
use super::position::Position;

/// The maximum number of conditions that can be watched together.
pub const CONDITIONS_MAX: usize = 64;

/// Conditions that are compiled for runs of one program.
#[derive(Debug, Clone, Default)]
pub struct WatchSet {
    conditions: Vec<Condition>,
    /// The instructions to watch. The others run at full speed, because they cannot make a
    /// condition true.
    watched: Indexes,
    /// The same without those for [`Event::Unwritten`], which are fewer the more bytes are written.
    always_watched: Indexes,
    /// The total size of the expressions. Each watched instruction may require the evaluation of
    /// all of them.
    size: u64,
}

/// The watch set of runs that watch for nothing.
pub static NO_CONDITIONS: WatchSet = WatchSet {
    conditions: Vec::new(),
    watched: Indexes::NONE,
    always_watched: Indexes::NONE,
    size: 0,
};

/// Some of the conditions of a watch set, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Matches(u64);

/// A position at which conditions became true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// The moment of the hit.
    pub moment: u64,
    /// The number of oscillator edges after that moment. It is 0, unless wires changed in the
    /// middle of an instruction.
    pub edges: u32,
    /// The conditions that became true.
    pub matches: Matches,
    /// The instruction that made them true. `None` if an input did, or if they only waited for the
    /// next instruction.
    pub executed: Option<Executed>,
    /// The index of the next instruction.
    pub next: RomIndex,
}

impl Hit {
    /// Returns the position of the hit.
    pub const fn position(&self) -> Position {
        Position { moment: self.moment, edges: self.edges }
    }

    /// Returns the hit without these conditions, or `None` if no others became true.
    pub(super) fn without(self, known: Matches) -> Option<Self> {
        let matches = Matches(self.matches.0 & !known.0);
        (!matches.is_none()).then_some(Self { matches, ..self })
    }

    /// Returns the instruction that made the conditions true. If no instruction did, returns the
    /// next one.
    pub fn index(&self) -> RomIndex {
        self.executed.map_or(self.next, |executed| executed.index)
    }
}

impl WatchSet {
    /// Compiles conditions for a machine with its program.
    ///
    /// On a machine that can [deviate](Engine::can_deviate), any instruction may cause an event, so
    /// all of them are watched.
    ///
    /// # Panics
    /// If there are more than [`CONDITIONS_MAX`] conditions.
    pub fn new(conditions: Vec<Condition>, engine: &dyn Engine) -> Self {
        assert!(conditions.len() <= CONDITIONS_MAX, "too many conditions");
        let (mut watched, mut always_watched) = (Indexes::NONE, Indexes::NONE);
        for condition in &conditions {
            let waits = !matches!(condition.event(), Event::Reaches(_));
            let is_any = waits && engine.can_deviate();
            let causes = || condition.instructions(|index| engine.word(index));
            let causes = if is_any { RomIndex::all().collect() } else { causes() };
            watched.insert_all(&causes);
            if is_any || *condition.event() != Event::Unwritten {
                always_watched.insert_all(&causes);
            }
        }
        let size = conditions.iter().map(Condition::size).sum();
        Self { conditions, watched, always_watched, size }
    }

    /// Returns how many watched instructions take as long as a slice of this many instructions at
    /// full speed.
    pub(super) fn share(&self, slice: u64) -> u64 {
        (slice / (1 + self.size)).max(1)
    }

    /// Returns true if there are no conditions.
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Returns the number of conditions.
    pub(super) fn len(&self) -> usize {
        self.conditions.len()
    }

    /// Returns the instructions at which a condition may become true.
    pub fn watched(&self) -> &Indexes {
        &self.watched
    }

    /// Returns the instructions at which a condition other than [`Event::Unwritten`] may become
    /// true.
    pub(super) fn always_watched(&self) -> &Indexes {
        &self.always_watched
    }

    /// Returns true if a condition waits for a read of a byte that nothing has written.
    pub fn watches_unwritten(&self) -> bool {
        self.conditions.iter().any(|it| *it.event() == Event::Unwritten)
    }

    fn matching(&self, test: impl Fn(usize, &Condition) -> bool) -> Matches {
        let matching = self.conditions.iter().enumerate().filter(|(n, c)| test(*n, c));
        Matches(matching.fold(0, |bits, (n, _)| bits | 1 << n))
    }

    /// Returns the conditions whose expression is true now.
    pub(super) fn holding(&self, view: MachineView) -> Matches {
        self.matching(|_, condition| condition.holds(view))
    }

    /// Returns the conditions that an instruction made true, or an input if `executed` is `None`.
    /// `changes` are the bytes that it changed besides the write in `executed`. `held` are the
    /// conditions whose expression was true before it, and `now` those whose expression is true
    /// after it.
    pub(super) fn occurred(
        &self,
        executed: Option<&Executed>,
        changes: &[Write],
        held: Matches,
        now: Matches,
        after: MachineView,
    ) -> Matches {
        self.matching(|n, condition| {
            let turned = now.contains(n) && !held.contains(n);
            condition.occurred(executed, changes, turned, after)
        })
    }

    /// Returns true if an input can make a condition true, apart from a jump.
    pub(super) fn sees_inputs(&self) -> bool {
        self.conditions.iter().any(Condition::sees_inputs)
    }

    /// Returns true if a condition waits for an expression to become true.
    pub(super) fn watches_expressions(&self) -> bool {
        self.conditions.iter().any(|it| matches!(it.event(), Event::Turns(_)))
    }

    /// Returns true if a condition is on wires, because then every edge must be checked.
    pub(super) fn watches_wires(&self) -> bool {
        self.conditions.iter().any(|it| matches!(it.event(), Event::Wires(_)))
    }

    /// Returns the conditions on wires that the last edge or input made true.
    pub(super) fn moved_wires(
        &self,
        before: &[bool],
        circuit: &dyn Circuit,
        after: MachineView,
    ) -> Matches {
        self.matching(|_, condition| condition.moved_wires(before, circuit, after))
    }

    /// Returns the conditions that wait for the next instruction. `reads_unwritten` means that this
    /// instruction reads a byte that nothing has written.
    pub(super) fn reached(&self, now: MachineView, reads_unwritten: bool) -> Matches {
        self.matching(|_, condition| condition.is_reached(now, reads_unwritten))
    }
}

impl Matches {
    /// Returns true if the set contains the condition with this number.
    pub const fn contains(self, number: usize) -> bool {
        number < CONDITIONS_MAX && self.0 >> number & 1 == 1
    }

    /// Returns the numbers of the conditions in the set.
    pub(super) fn numbers(self) -> impl Iterator<Item = usize> {
        (0..CONDITIONS_MAX).filter(move |number| self.contains(*number))
    }

    /// Increments the count of each condition in the set. `counts` is indexed by number.
    pub fn count(self, counts: &mut [u64]) {
        for (number, count) in counts.iter_mut().enumerate() {
            *count += u64::from(self.contains(number));
        }
    }

    /// Returns true if the set is empty.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Returns the set with these numbers.
    #[cfg(test)]
    pub(super) fn from_numbers(numbers: &[usize]) -> Self {
        Self(numbers.iter().fold(0, |bits, number| bits | 1 << number))
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
