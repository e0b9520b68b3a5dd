//! The model: a machine that keeps all of its states and searches them. It implements the rules of
//! `docs/DEBUGGER.md`, independently of the debugger.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Executed, Image};
use gray1_sim::{Engine, Registers};

use super::breaks::Break;
use super::lines::{Lines, Set};
use super::script::{Move, MoveKind};

/// The state that a programmer sees.
pub(super) struct State {
    pub(super) registers: Registers,
    pub(super) ram: Box<[u8; RAM_BYTES]>,
}

/// A machine after an edge of the oscillator.
pub(super) struct Position {
    pub(super) moment: u64,
    pub(super) phase: u32,
    /// Whether it is between two instructions.
    is_whole: bool,
    halted: bool,
    /// The instruction that this edge has completed.
    pub(super) executed: Option<Executed>,
    pub(super) state: State,
}

/// A stop: the position and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stop {
    /// The moment and the phase.
    pub(super) at: (u64, u32),
    pub(super) reason: StopReason,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StopReason {
    Goal,
    /// At these breakpoints.
    Breaks(Vec<usize>),
    Beginning,
    /// The movement goes back, but finds neither its goal nor a breakpoint. The machine does not
    /// move.
    Nothing,
    /// The movement is not possible here.
    Impossible,
    Halted,
}

/// A machine with all of its states.
pub(super) struct Model<'a> {
    lines: Lines<'a>,
    pub(super) positions: Vec<Position>,
    /// The index of the current position.
    pub(super) now: usize,
    /// The latest moment that the terminal knows.
    pub(super) known: u64,
    breaks: Vec<Break>,
    /// Whether each breakpoint is hit at each position, and its number of hits up to there.
    hits: Vec<Vec<(bool, u64)>>,
}

impl State {
    fn new(engine: &dyn Engine) -> Self {
        Self { registers: engine.registers(), ram: Box::new(*engine.ram()) }
    }

    pub(super) fn pc(&self) -> usize {
        self.registers.pc.to_usize()
    }
}

impl Position {
    fn new(engine: &dyn Engine, moment: u64, executed: Option<Executed>) -> Self {
        Self {
            moment,
            phase: engine.phase().number(),
            is_whole: moment == 0 && engine.edges() == 0 || executed.is_some(),
            halted: engine.halted(),
            executed,
            state: State::new(engine),
        }
    }
}

impl<'a> Model<'a> {
    /// A machine that has run the program from power-up to its end.
    pub(super) fn new(image: &'a Image, power_up: &'a dyn Engine) -> Self {
        let lines = Lines { image };
        let mut engine = power_up.boxed_clone();
        let mut positions = vec![Position::new(&*engine, 0, None)];
        let mut moment = 0;
        while !engine.halted() {
            let executed = engine.edge();
            moment += u64::from(executed.is_some());
            positions.push(Position::new(&*engine, moment, executed));
        }
        Self { lines, positions, now: 0, known: 0, breaks: Vec::new(), hits: Vec::new() }
    }

    /// Goes to the beginning, and replaces all breakpoints.
    pub(super) fn restart(&mut self, known: u64, breaks: Vec<Break>) {
        (self.now, self.known, self.breaks) = (0, known, breaks);
        self.find_hits();
    }

    pub(super) fn breaks(&self) -> &[Break] {
        &self.breaks
    }

    fn find_hits(&mut self) {
        let mut counts = vec![0; self.breaks.len()];
        self.hits = Vec::new();
        for number in 0..self.positions.len() {
            let hit = |(it, count): (&Break, &mut u64)| {
                let is_hit = it.is_hit(self, number);
                *count += u64::from(is_hit);
                (is_hit, *count)
            };
            let hits = self.breaks.iter().zip(&mut counts).map(hit).collect();
            self.hits.push(hits);
        }
    }

    // ---- What there is to see

    fn present(&self) -> &Position {
        &self.positions[self.now]
    }

    /// Whether the program has ended here.
    pub(super) fn has_halted(&self) -> bool {
        self.present().halted
    }

    /// The moment and the phase.
    pub(super) fn at(&self) -> (u64, u32) {
        (self.present().moment, self.present().phase)
    }

    /// The number of hits of each breakpoint up to now.
    pub(super) fn counts(&self) -> Vec<u64> {
        self.hits[self.now].iter().map(|(_, count)| *count).collect()
    }

    /// The breakpoints that are hit here, whether or not this hit stops the machine.
    pub(super) fn hit_here(&self) -> Vec<usize> {
        let hits = self.hits[self.now].iter().enumerate();
        hits.filter(|(_, (is_hit, _))| *is_hit).map(|(number, _)| number).collect()
    }

    /// The position before the instruction that a position completes.
    pub(super) fn before(&self, number: usize) -> &Position {
        let before = self.positions[..number].iter().rfind(|it| it.is_whole);
        before.expect("there is one")
    }

    /// Whether the next instruction is in a set.
    pub(super) fn reaches(&self, number: usize, set: &Set) -> bool {
        let position = &self.positions[number];
        position.is_whole && !position.halted && set[position.state.pc()]
    }

    // ---- Movements

    /// Moves, and returns the new position and the reason for the stop.
    pub(super) fn go(&mut self, what: Move) -> Stop {
        let reason = match what {
            Move::Forward(kind) => self.forward(kind),
            Move::Back(kind) => self.back(kind),
            Move::Edge => {
                self.now += 1;
                StopReason::Goal
            }
            Move::EdgeBack if self.now == 0 => StopReason::Impossible,
            Move::EdgeBack => {
                self.now -= 1;
                StopReason::Goal
            }
            Move::Seek(moment) => {
                self.now = self.whole(moment.min(self.known));
                StopReason::Goal
            }
            Move::To(moment) => self.go_to(moment),
        };
        self.known = self.known.max(self.present().moment);
        Stop { at: self.at(), reason }
    }

    /// The position between two instructions at a moment.
    fn whole(&self, moment: u64) -> usize {
        let is_there = |it: &Position| it.moment == moment && it.is_whole;
        self.positions.iter().position(is_there).unwrap_or(self.positions.len() - 1)
    }

    /// The breakpoints that stop the machine at a position.
    fn stops(&self, number: usize) -> Vec<usize> {
        let hits = self.hits[number].iter().enumerate();
        hits.filter(|(place, (is_hit, count))| *is_hit && self.breaks[*place].is_for(*count))
            .map(|(place, _)| place)
            .collect()
    }

    /// Runs to a goal, a breakpoint or the end.
    fn run(&mut self, is_goal: impl Fn(&Self, usize) -> bool) -> StopReason {
        while !self.has_halted() {
            self.now += 1;
            let stops = self.stops(self.now);
            if !stops.is_empty() {
                return StopReason::Breaks(stops);
            } else if !self.has_halted() && is_goal(self, self.now) {
                return StopReason::Goal;
            }
        }
        StopReason::Halted
    }

    fn go_to(&mut self, moment: u64) -> StopReason {
        self.now = self.whole(moment.min(self.known));
        match moment {
            _ if moment <= self.known => StopReason::Goal,
            _ if self.has_halted() => StopReason::Impossible,
            _ => self.run(|model, number| number == model.whole(moment)),
        }
    }

    fn forward(&mut self, kind: MoveKind) -> StopReason {
        let pc = self.present().state.pc();
        let left = match kind {
            MoveKind::Run => return self.run(|_, _| false),
            MoveKind::Step => {
                let next = self.present().moment + 1;
                return self.run(move |model, number| number == model.whole(next));
            }
            MoveKind::Over => self.lines.over(pc),
            MoveKind::OverInstruction => self.lines.over_instruction(pc),
            MoveKind::Into => self.lines.rest_of_line(pc),
            MoveKind::Out => match (self.lines.out(pc), self.lines.calls(pc)) {
                (Some(left), _) => left,
                (None, Some(calls)) => {
                    let is_inside = |index: usize| !calls.iter().any(|call| call + 1 == index);
                    (0..self.lines.len()).map(is_inside).collect()
                }
                (None, None) => return StopReason::Impossible,
            },
        };
        let outside: Set = left.iter().map(|is_left| !is_left).collect();
        self.run(move |model, number| model.reaches(number, &outside))
    }

    /// Goes back to a goal or a breakpoint. Does not move if there is none.
    fn run_back(&mut self, is_goal: impl Fn(&Self, usize) -> bool) -> StopReason {
        for number in (0..self.now).rev() {
            let stops = self.stops(number);
            if !stops.is_empty() {
                self.now = number;
                return StopReason::Breaks(stops);
            } else if is_goal(self, number) {
                self.now = number;
                return StopReason::Goal;
            }
        }
        StopReason::Nothing
    }

    fn back(&mut self, kind: MoveKind) -> StopReason {
        let pc = self.present().state.pc();
        let is_step = matches!(kind, MoveKind::Step | MoveKind::Over);
        match kind {
            _ if is_step && self.now == 0 => StopReason::Impossible,
            MoveKind::Run => match self.run_back(|_, _| false) {
                StopReason::Nothing => {
                    self.now = 0;
                    StopReason::Beginning
                }
                reason => reason,
            },
            MoveKind::Step => {
                let is_start = |model: &Self, number: usize| model.positions[number].is_whole;
                self.run_back(is_start)
            }
            MoveKind::Over => self.back_over(),
            MoveKind::Out => {
                let inside = match (self.lines.out(pc), self.lines.calls(pc)) {
                    (Some(inside), _) => inside,
                    (None, Some(calls)) => {
                        (0..self.lines.len()).map(|index| !calls.contains(&index)).collect()
                    }
                    (None, None) => return StopReason::Impossible,
                };
                let outside: Set = inside.iter().map(|is_inside| !is_inside).collect();
                self.run_back(move |model, number| model.reaches(number, &outside))
            }
            MoveKind::OverInstruction | MoveKind::Into => {
                unreachable!("no front end goes back by {kind:?}")
            }
        }
    }

    /// Goes back to the start of the line that was left, or of the line that the machine is inside.
    fn back_over(&mut self) -> StopReason {
        let present = self.present();
        let next = present.state.pc();
        let last = if present.is_whole { self.before(self.now).state.pc() } else { next };
        let line = self.lines.back_over(last, next);
        let is_inside = |number: &usize| {
            let position = &self.positions[*number];
            !position.is_whole || line[position.state.pc()]
        };
        let before = (0..self.now).rev().take_while(is_inside);
        let start = before.filter(|number| self.positions[*number].is_whole).last();
        let start = start.expect("the last instruction belongs to it");
        match self.run_back(|_, number| number == start) {
            StopReason::Goal if start == 0 => StopReason::Beginning,
            reason => reason,
        }
    }
}
