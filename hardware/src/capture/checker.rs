//! Holds every chip of a board against its table, from movements of some of the wires.

use gray1_board::{Board, ChipId, NetId};

use super::case::{Case, Circumstances};
use super::clock::Clock;
use super::diagnosis;
use super::evidence::{ChipEvidence, Scene, WireEvidence, note};
use super::memory::Memory;
use super::report::Report;
use super::watched::{Place, Rest, Shown, Watched};

/// A check under way. It takes the movements of the wires in the order of time.
#[derive(Debug)]
pub struct Checker<'a> {
    case: Case<'a>,
    /// For each wire the chips on it, and their pins.
    places: Vec<Vec<(usize, Place)>>,
    levels: Vec<Option<bool>>,
    memory: Memory,
    now: Moment,
    /// After so much time without a movement every chip is at rest.
    quiet_ps: i64,
    /// True if the oscillator is captured. Then chips are judged at the end of each phase only:
    /// within a phase, pulses that are too short to be seen can move a chip whose wires seem still.
    has_clock: bool,
}

/// The present moment, whose movements are not all known yet.
#[derive(Debug, Default)]
struct Moment {
    time_ps: Option<i64>,
    /// The wires that move, each once.
    movements: Vec<(NetId, Option<bool>)>,
    /// The chips whose data pins have moved, and the pins.
    shown: Vec<(usize, u8)>,
}

impl<'a> Checker<'a> {
    /// Begins a check.
    #[must_use]
    pub fn new(board: &'a Board, circumstances: Circumstances) -> Self {
        let is_captured = |net: NetId| circumstances.wires.contains(&net);
        let resolution_ps = circumstances.resolution_ps;
        let is_judged = |id| circumstances.knows_program || id != board.program();
        let watch = |id| Watched::new(board, id, &is_captured, resolution_ps);
        let chips: Vec<Watched> = board.chip_ids().filter(|&id| is_judged(id)).map(watch).collect();
        let mut places = vec![Vec::new(); board.nets().len()];
        for (index, watched) in chips.iter().enumerate() {
            if watched.clips.is_watched() {
                clip(board, watched.clips.chip, |net, place| {
                    if is_captured(net) {
                        places[net.index()].push((index, place));
                    }
                });
            }
        }
        let quiet_ps = chips.iter().map(Watched::settle_ps).max().unwrap_or_default();
        let phase_ps_min = circumstances.phase_ps_min;
        let near_ps =
            board.readers(board.reset()).map(|(chip, _)| board.chip(chip).access_ns()).max();
        let near_ps = 1000 * i64::from(near_ps.unwrap_or_default());
        let has_clock = is_captured(board.oscillator());
        let case = Case {
            board,
            evidence: chips.iter().map(|_| ChipEvidence::default()).collect(),
            chips,
            wires: WireEvidence::new(board),
            clock: Clock::new(phase_ps_min, near_ps, resolution_ps),
            circumstances,
        };
        Self {
            case,
            places,
            levels: vec![None; board.nets().len()],
            memory: Memory::default(),
            now: Moment::default(),
            quiet_ps,
            has_clock,
        }
    }

    /// A captured wire has this level from this time on, in ps; `None` if the capture says that the
    /// level is unknown. Times must not go back; movements at one time are one sample.
    pub fn movement(&mut self, time_ps: i64, net: NetId, level: Option<bool>) {
        if self.now.time_ps != Some(time_ps) {
            self.pass(time_ps);
        }
        match self.now.movements.iter_mut().find(|(moved, _)| *moved == net) {
            Some((_, last)) => *last = level,
            None => self.now.movements.push((net, level)),
        }
    }

    /// Ends the check at this time.
    #[must_use]
    pub fn finish(mut self, time_ps: i64) -> Report {
        self.pass(time_ps);
        if !self.has_clock {
            self.look_at_all(time_ps);
        }
        diagnosis::report(&self.case)
    }

    /// All movements of the present moment are known, the next moment is at this time.
    fn pass(&mut self, time_ps: i64) {
        let Some(now_ps) = self.now.time_ps.replace(time_ps) else { return };
        let mut movements = std::mem::take(&mut self.now.movements);
        movements.retain(|(net, level)| self.levels[net.index()] != *level);
        let outside = [self.case.board.oscillator(), self.case.board.reset()];
        if self.has_clock && movements.iter().any(|(net, _)| outside.contains(net)) {
            self.look_at_all(now_ps);
        }
        for (net, level) in movements.drain(..) {
            self.wire_moves(net, level, now_ps);
        }
        self.now.movements = movements;
        for (chip, pins) in std::mem::take(&mut self.now.shown) {
            self.case.chips[chip].explain(now_ps, pins);
        }
        if time_ps.saturating_sub(now_ps) >= self.quiet_ps {
            let scene = self.scene(time_ps);
            self.case.wires.rest(self.case.board, &scene);
        }
    }

    fn wire_moves(&mut self, net: NetId, level: Option<bool>, now_ps: i64) {
        self.levels[net.index()] = level;
        if net == self.case.board.oscillator() {
            self.case.clock.oscillator_moves(level, now_ps);
        }
        if net == self.case.board.reset() {
            self.case.clock.reset_moves(level, now_ps);
        }
        let rest_ps = self.case.clock.rest_ps();
        for index in 0..self.places[net.index()].len() {
            let (chip, place) = self.places[net.index()][index];
            if !self.has_clock {
                self.look(chip, now_ps);
            }
            if self.case.chips[chip].clips.chip == self.case.board.memory() {
                self.memory_moves(chip, place, level, now_ps);
            }
            let shown = self.case.chips[chip].moves(place, level, now_ps, rest_ps);
            self.note(chip, shown);
            if let Place::Data(bit) = place {
                self.now.shown.push((chip, 1 << bit));
            }
        }
    }

    fn look_at_all(&mut self, now_ps: i64) {
        for chip in 0..self.case.chips.len() {
            self.look(chip, now_ps);
        }
    }

    /// The wires at a moment of rest.
    fn scene(&mut self, time_ps: i64) -> Scene {
        let mut scene = Scene::default();
        for net in self.case.board.net_ids() {
            if let Some(level) = self.levels[net.index()] {
                scene.known.set(net, true);
                scene.levels.set(net, level);
            }
        }
        for watched in &mut self.case.chips {
            let chip = self.case.board.chip(watched.clips.chip);
            if chip.contents().is_empty() || !watched.clips.is_watched() {
                continue;
            }
            let Some((certain, levels)) = watched.expected(time_ps) else { continue };
            for (bit, &net) in chip.data().iter().enumerate() {
                if certain >> bit & 1 == 1 {
                    scene.expected.set(net, true);
                    scene.expected_levels.set(net, levels >> bit & 1 == 1);
                }
            }
        }
        scene
    }

    /// Judges a chip that was at rest until now.
    fn look(&mut self, index: usize, time_ps: i64) {
        let watched = &mut self.case.chips[index];
        let Some(rest) = watched.rest(time_ps) else { return };
        let chip = watched.clips.chip;
        if chip == self.case.board.memory() {
            return self.look_at_memory(index, rest);
        }
        let (mask, key) = (watched.clips.data, rest.address & watched.clips.known);
        let values = watched.values(rest.address);
        let evidence = &mut self.case.evidence[index];
        let wrong = values.wrong(rest.data, mask);
        if values.is_telling(mask) {
            evidence.rest(rest, key, wrong);
        }
        if let Some(journey) = rest.journey.filter(|_| wrong == 0) {
            let Watched { clips, table, .. } = watched;
            if !clips.own.allows(table, &journey) {
                note(&mut evidence.astray, journey, rest.since_ps);
            }
        }
    }

    fn look_at_memory(&mut self, index: usize, rest: Rest) {
        let Rest { address, data, since_ps, .. } = rest;
        let clips = &self.case.chips[index].clips;
        if clips.missing() != 0
            || clips.data.count_ones() as usize != self.case.board.chip(clips.chip).data().len()
        {
            return;
        }
        let evidence = &mut self.case.evidence[index];
        let cell = self.memory.shows(address, data, since_ps);
        evidence.rest(rest, address, cell.map_or(0, |cell| cell.byte ^ data));
        if let Some(cell) = cell {
            note(&mut evidence.forgotten, (address, data, cell), since_ps);
        }
    }

    /// A pin of data memory is about to move.
    fn memory_moves(&mut self, index: usize, place: Place, level: Option<bool>, time_ps: i64) {
        match place {
            Place::Address(_) => self.memory.address_moved(),
            Place::Data(_) => {}
            Place::Enable(on_while) if level == Some(!on_while) => self.memory.opens(),
            Place::Enable(_) => {
                let cell = self.case.chips[index].written(time_ps);
                self.memory.takes(cell, time_ps);
            }
        }
    }

    fn note(&mut self, index: usize, shown: Shown) {
        let evidence = &mut self.case.evidence[index];
        match shown {
            Shown::Nothing => {}
            Shown::Restless(late) => note(&mut evidence.restless, late, late.time_ps),
            Shown::Glitch(late) => note(&mut evidence.glitch, late, late.time_ps),
            Shown::Brief(brief) => note(&mut evidence.brief, brief, brief.time_ps),
        }
    }
}

/// Finds the wired pins of a chip.
fn clip(board: &Board, id: ChipId, mut found: impl FnMut(NetId, Place)) {
    let chip = board.chip(id);
    for (pin, source) in (0..).zip(chip.address()) {
        if let Some(net) = source.net() {
            found(net, Place::Address(pin));
        }
    }
    for (bit, &net) in (0..).zip(chip.data()) {
        found(net, Place::Data(bit));
    }
    if let Some((net, on_while)) = chip.output().switch() {
        found(net, Place::Enable(on_while));
    }
}
