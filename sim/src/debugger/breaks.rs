//! The list of breaks as the user wrote them, and the reason of a stop in words.

use gray1_isa::{Image, RomIndex, Word};

use super::condition::{Condition, Event};
use super::parse::ParseError;
use super::scope::Scope;
use super::watch_set::{CONDITIONS_MAX, Hit, WatchSet};
use crate::executed::{Executed, Write};

/// A list of breaks.
#[derive(Debug, Clone, Default)]
pub struct Breaks(Vec<Break>);

/// Something to stop at.
#[derive(Debug, Clone)]
pub struct Break {
    /// As it was written: [`Condition::parse`] says how.
    pub text: String,
    /// What it means in the program; a break that means nothing there waits for a program in
    /// which it does.
    pub condition: Result<Condition, ParseError>,
    /// Whether it is to be stopped at.
    pub enabled: bool,
    /// How many more hits are to be passed over.
    pub ignore: u64,
    /// How many hits there were, on the way forward or back.
    pub hits: u64,
}

impl Break {
    /// Finds out what the text means. The hits start again.
    fn bind(&mut self, scope: Scope) {
        self.condition = Condition::parse(&self.text, scope);
        self.hits = 0;
    }
}

/// There are as many breaks as can be watched at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there are already {BREAKS_MAX} breaks, the maximum")]
pub struct TooMany;

/// How many things a run can look for besides.
const BESIDES_MAX: usize = 2;
const BREAKS_MAX: usize = CONDITIONS_MAX - BESIDES_MAX;

impl Breaks {
    /// The breaks, the oldest first.
    #[must_use]
    pub fn list(&self) -> &[Break] {
        &self.0
    }

    /// The break of this number, to switch it or to set its counts.
    pub fn get_mut(&mut self, number: usize) -> Option<&mut Break> {
        self.0.get_mut(number)
    }

    /// Adds a break, and gives its number.
    ///
    /// # Errors
    /// If there are too many.
    pub fn add<'a>(&mut self, text: &str, scope: impl Into<Scope<'a>>) -> Result<usize, TooMany> {
        if self.0.len() == BREAKS_MAX {
            return Err(TooMany);
        }
        self.0.push(Break {
            text: text.to_owned(),
            condition: Condition::parse(text, scope.into()),
            enabled: true,
            ignore: 0,
            hits: 0,
        });
        Ok(self.0.len() - 1)
    }

    /// Lets the break of this number wait for something else. Its hits start again.
    pub fn replace<'a>(&mut self, number: usize, text: &str, scope: impl Into<Scope<'a>>) {
        if let Some(entry) = self.0.get_mut(number) {
            text.clone_into(&mut entry.text);
            entry.bind(scope.into());
        }
    }

    /// Takes a break off the list.
    pub fn remove(&mut self, number: usize) {
        if number < self.0.len() {
            self.0.remove(number);
        }
    }

    /// Finds out what the texts mean in another program. Hits start again.
    pub fn bind<'a>(&mut self, scope: impl Into<Scope<'a>>) {
        let scope = scope.into();
        self.0.iter_mut().for_each(|entry| entry.bind(scope));
    }

    /// The break that waits for one instruction, if there is one.
    #[must_use]
    pub fn at(&self, index: RomIndex) -> Option<usize> {
        let event = Event::reaches(index);
        let waits = |entry: &Break| entry.condition.as_ref().is_ok_and(|c| *c.event() == event);
        self.0.iter().position(waits)
    }

    /// All breaks that are enabled and mean something, and what else to look for: two things at
    /// most.
    #[must_use]
    pub fn watch_set(&self, besides: &[Event], word: impl Fn(RomIndex) -> Word) -> WatchSet {
        // What is not to be stopped at keeps its number, and is never met.
        let never = || Event::Reaches(Box::default()).into();
        let condition = |entry: &Break| match &entry.condition {
            Ok(condition) if entry.enabled => condition.clone(),
            _ => never(),
        };
        let mut conditions: Vec<Condition> = self.0.iter().map(condition).collect();
        conditions.extend(besides.iter().cloned().map(Condition::from));
        WatchSet::new(conditions, word)
    }

    /// Whether a hit of a [`Self::watch_set`] is what was to be looked for besides, by its place
    /// there.
    #[must_use]
    pub fn is_besides(&self, hit: &Hit, place: usize) -> bool {
        hit.matches.contains(self.0.len() + place)
    }

    /// The breaks that a hit of a [`Self::watch_set`] is of.
    pub fn met_by(&self, hit: &Hit) -> impl Iterator<Item = &Break> {
        let matches = hit.matches;
        self.0.iter().enumerate().filter(move |(n, _)| matches.contains(*n)).map(|(_, entry)| entry)
    }

    /// Counts a hit of a [`Self::watch_set`], and says whether a break stops there.
    pub fn count(&mut self, hit: &Hit) -> bool {
        let mut stops = false;
        for (number, entry) in self.0.iter_mut().enumerate() {
            if hit.matches.contains(number) {
                entry.hits += 1;
                stops |= entry.ignore == 0;
                entry.ignore = entry.ignore.saturating_sub(1);
            }
        }
        stops
    }
}

/// A stop in words: the byte with its old and new value, the instruction that caused it and its
/// source line. `stack+1: 00 -> 10 by ST at row0+12 (queens.asm:88)`.
#[must_use]
pub fn reason(hit: &Hit, image: &Image) -> String {
    let Some(Executed { index, word, write, read }) = hit.executed else {
        return format!("at {}", image.place_and_line(hit.next));
    };
    let (op, place) = (word.op(), image.place_and_line(index));
    if let Some(Write { address, old, new }) = write {
        format!("{}: {old:02x} -> {new:02x} by {op} at {place}", image.byte_at(address, index))
    } else if let Some(byte) = read {
        let address = word.address();
        format!("{}: {byte:02x} read by {op} at {place}", image.byte_at(address, index))
    } else {
        format!("{} at {place}", image.instruction(index))
    }
}
