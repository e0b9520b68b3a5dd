//! The flip-flops that generate clock and reset, and the effect of an edge on them.

use gray1_board::{Board, Connection, SupportPart, WiredRole};

/// The maximum number of flip-flops, and of wires from outside, for which all states can be tried.
pub(super) const COUNT_MAX: usize = 6;

/// The source of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LevelSource {
    Tied(bool),
    /// The oscillator part.
    Oscillator,
    /// A flip-flop. The flag is true for its inverted output.
    Held(usize, bool),
    /// A wire that can change at any time.
    Free(u32),
}

/// The levels of the flip-flops, of the oscillator, and of the wires from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Levels {
    held: u32,
    source: bool,
    free: u32,
}

impl Levels {
    pub(super) const fn level(self, signal: LevelSource) -> bool {
        match signal {
            LevelSource::Tied(level) => level,
            LevelSource::Oscillator => self.source,
            LevelSource::Held(which, inverted) => (self.held >> which & 1 == 1) != inverted,
            LevelSource::Free(which) => self.free(which),
        }
    }

    pub(super) const fn free(self, which: u32) -> bool {
        self.free >> which & 1 == 1
    }
}

/// A flip-flop and the sources of its inputs.
struct FlipFlop {
    name: String,
    d: LevelSource,
    clock: LevelSource,
    set_low: LevelSource,
    clear_low: LevelSource,
}

/// The flip-flops of a board, and the outside signals that drive them.
pub(super) struct FlipFlops {
    all: Vec<FlipFlop>,
    /// The names of the wires from outside.
    free: Vec<String>,
    pub(super) source_hz: u32,
    /// The wire that a supervisor pulls low, and the minimum duration in ms.
    pub(super) supervisor: Option<(u32, u32)>,
}

/// One possible sequence of changes after an edge.
#[derive(Clone, Copy)]
struct Course {
    before: Levels,
    now: Levels,
    /// The flip-flops that have changed, or may still be changing.
    moved: u32,
}

impl FlipFlops {
    pub(super) fn new(board: &Board) -> Result<Self, String> {
        let mut sources =
            board.support_parts().iter().filter_map(|wired| match wired.part().does {
                WiredRole::Oscillator { hz, .. } => Some(hz),
                _ => None,
            });
        let count = sources.clone().count();
        let source_hz = sources.next().filter(|_| count == 1);
        let source_hz =
            source_hz.ok_or_else(|| format!("the board has {count} oscillators, expected one"))?;
        let mut parts = Self { all: Vec::new(), free: Vec::new(), source_hz, supervisor: None };
        for (wired, flip_flop) in flip_flops(board) {
            let mut signal = |pin: &str| parts.signal(board, wired.connection(pin));
            let made = FlipFlop {
                name: format!("{}.{}", wired.name(), flip_flop.q),
                d: signal(&flip_flop.d),
                clock: signal(&flip_flop.clock),
                set_low: signal(&flip_flop.set_low),
                clear_low: signal(&flip_flop.clear_low),
            };
            parts.all.push(made);
        }
        for wired in board.support_parts() {
            let WiredRole::Supervisor { out, low_ms } = &wired.part().does else { continue };
            if let LevelSource::Free(which) = parts.signal(board, wired.connection(out)) {
                parts.supervisor = Some((which, *low_ms));
            }
        }
        Ok(parts)
    }

    pub(super) const fn can_be_tried(&self) -> bool {
        self.all.len() <= COUNT_MAX && self.free.len() <= COUNT_MAX
    }

    /// Returns the source of the wire with this name.
    pub(super) fn signal_of(&mut self, board: &Board, wire: &str) -> LevelSource {
        self.signal(board, Some(&Connection::Wire(wire.to_owned())))
    }

    fn signal(&mut self, board: &Board, connection: Option<&Connection>) -> LevelSource {
        let wire = match connection {
            Some(Connection::Tied(level)) => return LevelSource::Tied(*level),
            Some(Connection::Wire(wire)) => wire,
            Some(Connection::Open) | None => return LevelSource::Tied(true),
        };
        for wired in board.support_parts() {
            if let WiredRole::Oscillator { out, .. } = &wired.part().does
                && wired.connection(out) == connection
            {
                return LevelSource::Oscillator;
            }
        }
        for (which, (wired, flip_flop)) in flip_flops(board).enumerate() {
            for (pin, inverted) in [(&flip_flop.q, false), (&flip_flop.not_q, true)] {
                if wired.connection(pin) == connection {
                    return LevelSource::Held(which, inverted);
                }
            }
        }
        let known = self.free.iter().position(|free| free == wire);
        let which = known.unwrap_or_else(|| {
            self.free.push(wire.clone());
            self.free.len() - 1
        });
        LevelSource::Free(which as u32)
    }

    /// Returns every power-up state.
    pub(super) fn all_levels(&self) -> impl Iterator<Item = Levels> + use<> {
        let bits = |count: usize| 0..1_u32 << count;
        let (held, free) = (bits(self.all.len()), bits(self.free.len()));
        held.flat_map(move |held| {
            free.clone()
                .flat_map(move |free| [false, true].map(|source| Levels { held, source, free }))
        })
    }

    /// Returns the number of combinations in which the wires from outside can change around an
    /// edge.
    pub(super) fn free_moves(&self) -> u32 {
        3_u32.pow(self.free.len() as u32)
    }

    /// Returns the wires that change before an edge, and those that change at the same time.
    pub(super) fn moves(&self, mut way: u32) -> (u32, u32) {
        let (mut before, mut during) = (0, 0);
        for which in 0..self.free.len() {
            before |= u32::from(way % 3 == 1) << which;
            during |= u32::from(way % 3 == 2) << which;
            way /= 3;
        }
        (before, during)
    }

    /// Returns all possible states after wires from outside change, with or without an edge of the
    /// oscillator. `None` if the flip-flops do not settle.
    pub(super) fn settle(&self, start: Levels, edge: bool, moving: u32) -> Option<Vec<Levels>> {
        let now =
            Levels { source: start.source != edge, free: start.free ^ moving, held: start.held };
        let mut courses = vec![Course { before: start, now, moved: 0 }];
        let mut settled = Vec::new();
        for _ in 0..=self.all.len() + 1 {
            let mut next = Vec::new();
            for course in courses {
                let more = self.round(course, moving, edge);
                let rests = |it: &Course| it.now == course.now && it.moved == course.moved;
                if more.iter().all(rests) {
                    settled.push(course.now);
                } else {
                    next.extend(more);
                }
            }
            courses = next;
            if courses.is_empty() {
                return Some(settled);
            }
        }
        None
    }

    /// Applies the last changes to the flip-flops. Returns all possible results.
    fn round(&self, course: Course, moving: u32, edge: bool) -> Vec<Course> {
        let Course { before, now, .. } = course;
        let mut all = vec![Course { before: now, ..course }];
        for (which, flip_flop) in self.all.iter().enumerate() {
            let rises = !before.level(flip_flop.clock) && now.level(flip_flop.clock);
            let taken = if !now.level(flip_flop.set_low) {
                [Some(true), None]
            } else if !now.level(flip_flop.clear_low) {
                [Some(false), None]
            } else if !rises {
                continue;
            } else if Self::is_moving(flip_flop.d, course.moved, moving, edge) {
                [Some(false), Some(true)]
            } else {
                [Some(before.level(flip_flop.d)), None]
            };
            let is_choice = taken[1].is_some();
            let options = taken.into_iter().flatten();
            all = options
                .flat_map(|level| {
                    all.iter().map(move |course| course.with(which, level, is_choice))
                })
                .collect();
        }
        all
    }

    /// Returns whether the source of D is changing now. A flip-flop that samples it may get either
    /// level.
    const fn is_moving(d: LevelSource, moved: u32, moving: u32, edge: bool) -> bool {
        match d {
            LevelSource::Tied(_) => false,
            LevelSource::Oscillator => edge,
            LevelSource::Held(which, _) => moved >> which & 1 == 1,
            LevelSource::Free(which) => moving >> which & 1 == 1,
        }
    }

    /// Returns whether the flip-flop that drives a signal samples, after this edge, a wire that
    /// changes with the edge.
    pub(super) fn takes_moving(&self, before: Levels, signal: LevelSource, moving: u32) -> bool {
        let LevelSource::Held(which, _) = signal else { return false };
        let flip_flop = &self.all[which];
        let LevelSource::Free(free) = flip_flop.d else { return false };
        let after = self.settle(before, true, moving).unwrap_or_default();
        let rises = |it: &Levels| !before.level(flip_flop.clock) && it.level(flip_flop.clock);
        moving >> free & 1 == 1 && after.iter().any(rises)
    }

    /// Describes the state of the flip-flops.
    pub(super) fn describe(&self, levels: Levels) -> String {
        let held = self.all.iter().enumerate().map(|(which, it)| {
            format!("{}={}", it.name, u32::from(levels.level(LevelSource::Held(which, false))))
        });
        held.collect::<Vec<_>>().join(" ")
    }
}

impl Course {
    /// Returns the sequence in which a flip-flop gets a level. If it could get either level, it may
    /// still be changing.
    fn with(self, which: usize, level: bool, is_choice: bool) -> Self {
        let bit = 1 << which;
        let held = if level { self.now.held | bit } else { self.now.held & !bit };
        let is_move = held != self.now.held || is_choice;
        let moved = self.moved | u32::from(is_move) << which;
        Self { now: Levels { held, ..self.now }, moved, ..self }
    }
}

/// Returns the flip-flops of all parts, in the order of the board.
fn flip_flops(board: &Board) -> impl Iterator<Item = (&SupportPart, &gray1_board::FlipFlop)> {
    board.support_parts().iter().flat_map(|wired| {
        let all = match &wired.part().does {
            WiredRole::FlipFlops(all) => &all[..],
            _ => &[],
        };
        all.iter().map(move |flip_flop| (wired, flip_flop))
    })
}
