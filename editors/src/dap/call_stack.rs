//! The call stack of a machine without a stack: the macros around the next instruction, its
//! routine, and the calls that led there.
//!
//! If a routine has one call site, it was called from there. If it has several, the history shows
//! which of them was executed last, because routines are not recursive.

use std::collections::BTreeMap;

use gray1_debugger::{Debugger, Event, Search, SearchResult, WatchSet};
use gray1_isa::text::printable;
use gray1_isa::{Origin, RomIndex, Routine};

/// The maximum number of slices of the past that are searched for calls.
const SLICES_MAX: usize = 16;
/// The maximum number of frames. Without it, the search would not end if routines called each other
/// in a loop.
const FRAMES_MAX: usize = 256;

/// A stack frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) name: String,
    /// The next instruction, or the active call.
    pub(super) index: RomIndex,
    /// The source line of the instruction, or of the macro call that leads to it.
    pub(super) origin: Option<Origin>,
    /// False for an entry that only says that the caller is unknown.
    pub(super) is_known: bool,
}

/// The frames, innermost first. There is at least one.
pub(super) fn find_frames(debugger: &Debugger) -> Vec<Frame> {
    let image = debugger.image();
    let mut frames = Vec::new();
    let mut last_calls = BTreeMap::new();
    let mut slices_left = SLICES_MAX;
    let mut index = debugger.engine().pc();
    while frames.len() < FRAMES_MAX {
        let routine = image.routines().around(index);
        frames.extend(frames_at(debugger, index, routine));
        let Some(routine) = routine else { break };
        let called_from = match *routine.calls.as_slice() {
            [call] => Some(call),
            _ => *last_calls
                .entry(routine.indexes[0])
                .or_insert_with(|| last_call(debugger, routine, &mut slices_left)),
        };
        let Some(call) = called_from else {
            frames.push(unknown_caller(routine));
            break;
        };
        index = call;
    }
    frames
}

/// The stack frames at an instruction, from the innermost macro out to the routine that contains
/// it.
fn frames_at(debugger: &Debugger, index: RomIndex, routine: Option<&Routine>) -> Vec<Frame> {
    let image = debugger.image();
    let frame = |name: String, origin| Frame { name, index, origin, is_known: true };
    let outer = || match routine {
        Some(routine) => printable(&routine.name),
        None => image.names().named_place(index).unwrap_or_else(|| "program".to_owned()),
    };
    let levels = debugger.source_lines().lines_of(image.source_map(), index);
    if levels.is_empty() {
        return vec![frame(outer(), None)];
    }
    let frames = levels.iter().map(|level| {
        let name = level.in_macro.map_or_else(outer, printable);
        frame(name, Some(level.origin))
    });
    frames.collect()
}

fn unknown_caller(routine: &Routine) -> Frame {
    let name = match routine.calls.len() {
        0 => "nothing calls this".to_owned(),
        count => format!("caller unknown: one of {count} call sites"),
    };
    Frame { name, index: routine.indexes[0], origin: None, is_known: false }
}

/// Finds the most recent call of a routine, unless it is too far back in the history.
fn last_call(debugger: &Debugger, routine: &Routine, slices_left: &mut usize) -> Option<RomIndex> {
    let history = debugger.history();
    let event = Event::Reaches(Box::new(routine.calls.iter().copied().collect()));
    let watch_set = WatchSet::new(vec![event.into()], history.engine());
    let mut search = Search::new(history, watch_set);
    while *slices_left > 0 {
        match search.advance(history, debugger.engine().slice()) {
            SearchResult::Hit(hit) => return Some(hit.next),
            SearchResult::Nothing => return None,
            SearchResult::DownTo(_) => *slices_left -= 1,
        }
    }
    None
}
