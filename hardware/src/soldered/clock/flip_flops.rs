//! The flip-flops that generate clock and reset, and the effect of an edge on them.

use gray1_board::WiredRole;

use crate::soldered::{Connection, SupportPart};

/// The maximum number of flip-flops, and of wires from outside, for which all states can be tried.
pub(super) const COUNT_MAX: usize = 6;

/// The source of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LevelSource {
    Tied(bool),
    /// The oscillator part.
    Oscillator,
    /// A flip-flop. The flag is true for its inverted output.
    FlipFlop(usize, bool),
    /// A wire that can change at any time.
    Outside(u32),
}

/// The levels of the flip-flops, of the oscillator, and of the wires from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ClockLevels {
    states: u32,
    oscillator: bool,
    outside: u32,
}

impl ClockLevels {
    pub(super) const fn level(self, source: LevelSource) -> bool {
        match source {
            LevelSource::Tied(level) => level,
            LevelSource::Oscillator => self.oscillator,
            LevelSource::FlipFlop(which, inverted) => (self.states >> which & 1 == 1) != inverted,
            LevelSource::Outside(which) => self.outside(which),
        }
    }

    pub(super) const fn outside(self, which: u32) -> bool {
        self.outside >> which & 1 == 1
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
    outside: Vec<String>,
    pub(super) source_hz: u32,
    /// The wire that a supervisor pulls low, and the minimum time in ms for which it does so.
    pub(super) supervisor: Option<(u32, u32)>,
}

/// One possible sequence of changes after an edge.
#[derive(Clone, Copy)]
struct Course {
    before: ClockLevels,
    now: ClockLevels,
    /// The flip-flops that have changed, or may still be changing.
    moved: u32,
}

impl FlipFlops {
    pub(super) fn new(around: &[SupportPart<'_>]) -> Result<Self, String> {
        let mut sources = around.iter().filter_map(|wired| match wired.part.does {
            WiredRole::Oscillator { hz, .. } => Some(hz),
            _ => None,
        });
        let count = sources.clone().count();
        let source_hz = sources.next().filter(|_| count == 1);
        let source_hz =
            source_hz.ok_or_else(|| format!("the board has {count} oscillators, expected one"))?;
        let mut parts = Self { all: Vec::new(), outside: Vec::new(), source_hz, supervisor: None };
        for (wired, flip_flop) in flip_flops(around) {
            let mut source = |pin: &str| parts.source(around, wired.connection(pin));
            let made = FlipFlop {
                name: format!("{}.{}", wired.name, flip_flop.q),
                d: source(&flip_flop.d),
                clock: source(&flip_flop.clock),
                set_low: source(&flip_flop.set_low),
                clear_low: source(&flip_flop.clear_low),
            };
            parts.all.push(made);
        }
        for wired in around {
            let WiredRole::Supervisor { out, low_ms } = &wired.part.does else { continue };
            if let LevelSource::Outside(which) = parts.source(around, wired.connection(out)) {
                parts.supervisor = Some((which, *low_ms));
            }
        }
        Ok(parts)
    }

    pub(super) const fn can_be_tried(&self) -> bool {
        self.all.len() <= COUNT_MAX && self.outside.len() <= COUNT_MAX
    }

    /// Returns the source of the level at a connection.
    pub(super) fn source(
        &mut self,
        around: &[SupportPart<'_>],
        connection: Option<Connection<'_>>,
    ) -> LevelSource {
        let wire = match connection {
            Some(Connection::Tied(level)) => return LevelSource::Tied(level),
            Some(Connection::Wire(wire)) => wire,
            Some(Connection::Open) | None => return LevelSource::Tied(true),
        };
        for wired in around {
            if let WiredRole::Oscillator { out, .. } = &wired.part.does
                && wired.connection(out) == connection
            {
                return LevelSource::Oscillator;
            }
        }
        for (which, (wired, flip_flop)) in flip_flops(around).enumerate() {
            for (pin, inverted) in [(&flip_flop.q, false), (&flip_flop.not_q, true)] {
                if wired.connection(pin) == connection {
                    return LevelSource::FlipFlop(which, inverted);
                }
            }
        }
        let known = self.outside.iter().position(|outside| outside == wire);
        let which = known.unwrap_or_else(|| {
            self.outside.push(wire.to_owned());
            self.outside.len() - 1
        });
        LevelSource::Outside(which as u32)
    }

    /// Returns every power-up state.
    pub(super) fn all_levels(&self) -> impl Iterator<Item = ClockLevels> + use<> {
        let bits = |count: usize| 0..1_u32 << count;
        let (states, outside) = (bits(self.all.len()), bits(self.outside.len()));
        states.flat_map(move |states| {
            outside.clone().flat_map(move |outside| {
                [false, true].map(|oscillator| ClockLevels { states, oscillator, outside })
            })
        })
    }

    /// Returns the number of combinations in which the wires from outside can change around an
    /// edge.
    pub(super) fn combinations(&self) -> u32 {
        3_u32.pow(self.outside.len() as u32)
    }

    /// Returns the wires from outside that change before an edge, and those that change at the same
    /// time as the edge.
    pub(super) fn changes_in(&self, mut combination: u32) -> (u32, u32) {
        let (mut before, mut during) = (0, 0);
        for which in 0..self.outside.len() {
            before |= u32::from(combination % 3 == 1) << which;
            during |= u32::from(combination % 3 == 2) << which;
            combination /= 3;
        }
        (before, during)
    }

    /// Returns all possible states after wires from outside change, with or without an edge of the
    /// oscillator. `None` if the flip-flops do not settle.
    pub(super) fn settle(
        &self,
        start: ClockLevels,
        edge: bool,
        moving: u32,
    ) -> Option<Vec<ClockLevels>> {
        let oscillator = start.oscillator != edge;
        let now = ClockLevels { oscillator, outside: start.outside ^ moving, ..start };
        let mut courses = vec![Course { before: start, now, moved: 0 }];
        let mut settled = Vec::new();
        for _ in 0..=self.all.len() + 1 {
            let mut next = Vec::new();
            for course in courses {
                let more = self.advance(course, moving, edge);
                if more.iter().all(|it| it.now == course.now && it.moved == course.moved) {
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

    /// Applies the most recent changes to the flip-flops. Returns all possible results.
    fn advance(&self, course: Course, moving: u32, edge: bool) -> Vec<Course> {
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
            LevelSource::FlipFlop(which, _) => moved >> which & 1 == 1,
            LevelSource::Outside(which) => moving >> which & 1 == 1,
        }
    }

    /// Returns whether the source is a flip-flop that may be clocked by this edge while its D
    /// input, a wire from outside, is changing.
    pub(super) fn samples_change(
        &self,
        before: ClockLevels,
        source: LevelSource,
        moving: u32,
    ) -> bool {
        let LevelSource::FlipFlop(which, _) = source else { return false };
        let flip_flop = &self.all[which];
        let LevelSource::Outside(outside) = flip_flop.d else { return false };
        let after = self.settle(before, true, moving).unwrap_or_default();
        moving >> outside & 1 == 1
            && !before.level(flip_flop.clock)
            && after.iter().any(|it| it.level(flip_flop.clock))
    }

    /// Describes the state of the flip-flops.
    pub(super) fn describe(&self, levels: ClockLevels) -> String {
        let all = (0..).zip(&self.all);
        let states = all.map(|(which, it)| format!("{}={}", it.name, levels.states >> which & 1));
        states.collect::<Vec<_>>().join(" ")
    }
}

impl Course {
    /// Returns the sequence after a flip-flop has got a level. If it could get either level, it may
    /// still be changing.
    fn with(self, which: usize, level: bool, is_choice: bool) -> Self {
        let bit = 1 << which;
        let states = if level { self.now.states | bit } else { self.now.states & !bit };
        let is_move = states != self.now.states || is_choice;
        let moved = self.moved | u32::from(is_move) << which;
        Self { now: ClockLevels { states, ..self.now }, moved, ..self }
    }
}

/// Returns the flip-flops of all parts, in the order of the board's description.
fn flip_flops<'a>(
    around: &'a [SupportPart<'a>],
) -> impl Iterator<Item = (&'a SupportPart<'a>, &'a gray1_board::FlipFlop)> {
    around.iter().flat_map(|wired| {
        let all = match &wired.part.does {
            WiredRole::FlipFlops(all) => &all[..],
            _ => &[],
        };
        all.iter().map(move |flip_flop| (wired, flip_flop))
    })
}
