//! The call stack of a machine without a stack: the macros around the next instruction, its routine,
//! and the calls that led there.
//!
//! A routine with one call site was called from there. With several call sites, the history tells
//! which was executed last; routines are not recursive.

use gray1_debugger::{Debugger, Event, Found, Search, WatchSet};
use gray1_isa::text::printable;
use gray1_isa::{Origin, RomIndex, Routine};

/// The limit of the search for calls, in hits.
const EFFORT_MAX: usize = 1 << 14;
/// The cost of searching a slice of the history, in hits.
const SLICE_EFFORT: usize = 1 << 10;
/// The largest number of frames: routines that call each other in a circle have no end.
const FRAMES_MAX: usize = 256;

/// A stack frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) name: String,
    /// The next instruction, or the active call.
    pub(super) index: RomIndex,
    /// Its line, or that of the macro call.
    pub(super) origin: Option<Origin>,
    /// Whether this is a frame, and not a note that the caller is unknown.
    pub(super) is_known: bool,
}

/// The frames, innermost first; there is at least one.
pub(super) fn frames(debugger: &Debugger) -> Vec<Frame> {
    let image = debugger.image();
    let mut frames = Vec::new();
    let mut callers = None;
    let mut index = debugger.engine().pc();
    while frames.len() < FRAMES_MAX {
        let routine = image.routines().around(index);
        frames.extend(frames_at(debugger, index, routine));
        let Some(routine) = routine else { break };
        let called_from = match *routine.calls.as_slice() {
            [call] => Some(call),
            _ => callers.get_or_insert_with(|| Callers::new(debugger)).of(debugger, routine),
        };
        let Some(call) = called_from else {
            frames.push(unknown(routine));
            break;
        };
        index = call;
    }
    frames
}

/// The frames of an instruction up to the routine around it.
fn frames_at(debugger: &Debugger, index: RomIndex, routine: Option<&Routine>) -> Vec<Frame> {
    let image = debugger.image();
    let frame = |name: String, origin| Frame { name, index, origin, is_known: true };
    let outer = || match routine {
        Some(routine) => printable(&routine.name),
        None => image.names().named_place(index).unwrap_or_else(|| "program".to_owned()),
    };
    let levels = debugger.source_lines().levels(image.source_map(), index);
    if levels.is_empty() {
        return vec![frame(outer(), None)];
    }
    let named = |in_macro: Option<&str>| in_macro.map_or_else(outer, printable);
    levels.iter().map(|level| frame(named(level.in_macro), Some(level.origin))).collect()
}

fn unknown(routine: &Routine) -> Frame {
    let name = match routine.calls.len() {
        0 => "nothing calls this".to_owned(),
        count => format!("caller unknown: one of {count} call sites"),
    };
    Frame { name, index: routine.indexes[0], origin: None, is_known: false }
}

/// The latest executed calls.
struct Callers {
    search: Search,
    /// The calls found so far, the latest first.
    found: Vec<RomIndex>,
    effort_left: usize,
}

impl Callers {
    /// Sets up a search for the calls of all routines with several call sites.
    fn new(debugger: &Debugger) -> Self {
        let image = debugger.image();
        let routines = image.routines().list().iter().filter(|routine| routine.calls.len() > 1);
        let calls = routines.flat_map(|routine| routine.calls.iter().copied()).collect();
        let event = Event::Reaches(Box::new(calls));
        let watch_set = WatchSet::new(vec![event.into()], |index| image.word(index));
        let search = Search::new(debugger.history(), watch_set);
        Self { search, found: Vec::new(), effort_left: EFFORT_MAX }
    }

    /// The latest executed call of a routine, if the search finds it within its limit.
    fn of(&mut self, debugger: &Debugger, routine: &Routine) -> Option<RomIndex> {
        let is_call = |index: &&RomIndex| routine.calls.contains(index);
        if let Some(call) = self.found.iter().find(is_call) {
            return Some(*call);
        }
        while self.effort_left > 0 {
            let effort = match self.search.advance(debugger.history(), debugger.engine().slice()) {
                Found::Hit(hit) => {
                    if !self.found.contains(&hit.next) {
                        self.found.push(hit.next);
                    }
                    if routine.calls.contains(&hit.next) {
                        return Some(hit.next);
                    }
                    1
                }
                Found::Nothing => self.effort_left,
                Found::DownTo(_) => SLICE_EFFORT,
            };
            self.effort_left = self.effort_left.saturating_sub(effort);
        }
        None
    }
}
