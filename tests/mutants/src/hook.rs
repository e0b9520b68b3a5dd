//! Which mutant is active, and which ones are reached. A copy of this file is added, as a module,
//! to the crate under judgement; the code of its mutants asks here.

use std::env;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The number of the active mutant; mutants count from 1. It is asked for in the innermost loops,
/// so a look must cost next to nothing.
static ACTIVE: AtomicU32 = AtomicU32::new(UNKNOWN);
/// The environment was not read yet.
const UNKNOWN: u32 = u32::MAX;
/// None is active; the mutants that are reached are noted.
const RECORDING: u32 = u32::MAX - 1;

/// Notes the mutants that are reached, each once.
struct Record {
    seen: Vec<AtomicBool>,
    /// Written to at once, since not every process ends by itself; shared with child processes.
    file: File,
}

impl Record {
    fn note(&self, mutant: u32) {
        let seen = &self.seen[mutant as usize];
        // A plain look first, because a write is expensive where threads share the line.
        if !seen.load(Ordering::Relaxed) && !seen.swap(true, Ordering::Relaxed) {
            (&self.file).write_all(format!("{mutant}\n").as_bytes()).expect("the record grows");
        }
    }
}

fn number(name: &str) -> u32 {
    env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(0)
}

/// Where a process notes the mutants that it reaches, if it is asked to.
fn record() -> Option<&'static Record> {
    static RECORD: OnceLock<Option<Record>> = OnceLock::new();
    let open = || {
        let path = env::var_os("GRAY1_REACHED")?;
        let file = OpenOptions::new().append(true).create(true).open(path).expect("a file");
        let seen = (0..=number("GRAY1_MUTANTS")).map(|_| AtomicBool::new(false)).collect();
        Some(Record { seen, file })
    };
    RECORD.get_or_init(open).as_ref()
}

/// Whether this mutant is active.
#[expect(clippy::inline_always, reason = "asked for in the innermost loops")]
#[inline(always)]
pub(crate) fn is(mutant: u32) -> bool {
    !usual(&[mutant])
}

/// Whether none of these mutants is active.
#[expect(clippy::inline_always, reason = "asked for in the innermost loops")]
#[inline(always)]
pub(crate) fn usual(mutants: &[u32]) -> bool {
    let active = ACTIVE.load(Ordering::Relaxed);
    if active >= RECORDING {
        return usual_so_far(mutants);
    }
    !mutants.contains(&active)
}

/// The same before the environment was read, or while mutants are noted.
#[cold]
fn usual_so_far(mutants: &[u32]) -> bool {
    if let Some(record) = record() {
        ACTIVE.store(RECORDING, Ordering::Relaxed);
        for mutant in mutants {
            record.note(*mutant);
        }
        return true;
    }
    let active = number("GRAY1_MUTANT");
    ACTIVE.store(active, Ordering::Relaxed);
    !mutants.contains(&active)
}

/// What a function returns that promises some iterator: its own, or the items of a mutant.
#[derive(Debug, Clone)]
pub(crate) enum Items<I, T> {
    Usual(I),
    Mutant(std::vec::IntoIter<T>),
}

impl<I: Iterator<Item = T>, T> Items<I, T> {
    pub(crate) fn mutant(items: impl Iterator<Item = T>) -> Self {
        Self::Mutant(items.collect::<Vec<T>>().into_iter())
    }
}

impl<I: Iterator<Item = T>, T> Iterator for Items<I, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match self {
            Self::Usual(items) => items.next(),
            Self::Mutant(items) => items.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Usual(items) => items.size_hint(),
            Self::Mutant(items) => items.size_hint(),
        }
    }
}

impl<I: DoubleEndedIterator<Item = T>, T> DoubleEndedIterator for Items<I, T> {
    fn next_back(&mut self) -> Option<T> {
        match self {
            Self::Usual(items) => items.next_back(),
            Self::Mutant(items) => items.next_back(),
        }
    }
}

impl<I: ExactSizeIterator<Item = T>, T> ExactSizeIterator for Items<I, T> {}
