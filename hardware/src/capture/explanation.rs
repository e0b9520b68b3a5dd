//! Hypotheses: single faults of a machine, and mistakes of a capture. Each hypothesis is tested by
//! checking the capture again under the assumption that the hypothesis is true. The best one leaves
//! the fewest chips faulty.

use std::collections::BTreeSet;

use gray1_board::role::Code;
use gray1_board::table::subsets;
use gray1_board::{Chip, ChipId, DataPin, Driver, NetId};

use super::capture_evidence::CaptureEvidence;
use super::checker::{Checker, for_each_pin};
use super::evidence::{ChipEvidence, Transition};
use super::hypothesis::Hypothesis;
use super::report::Finding;
use super::suspicion::{Suspicion, pairs};
use super::transition::CHANGED_PINS_MAX;
use super::watched::WatchedChip;

/// The maximum number of wires that are tried in pairs.
const SUSPECTED_WIRES_MAX: usize = 12;
/// Once there are this many suspicions about chips, further chips are not suspected.
const SUSPICIONS_MAX: usize = 1000;

/// The maximum number of errors other than wrong outputs after settling that a hypothesis may add.
/// Too few samples also cause such errors.
const RESIDUE_MAX: u64 = 4;

impl Hypothesis {
    /// Describes the fault under this hypothesis, or `None` if there is none.
    pub(super) fn describe(self, capture: &CaptureEvidence<'_>) -> Option<Finding> {
        let board = capture.board;
        let name = |net: NetId| board.net(net).name();
        let both = |a: NetId, b: NetId| format!("{} and {}", name(a), name(b));
        Some(match self {
            Self::NoFault => return None,
            Self::Chip(chip, suspicion) => {
                let suspect = capture.suspects().find(|it| it.watched.chip == chip)?;
                suspect.describe(suspicion, &capture.wires)
            }
            Self::OtherImage(socket, image) => {
                let chips = board.chips().iter();
                let same = chips.filter(|it| it.contents() == board.chip(image).contents());
                let same: Vec<&str> = same.map(Chip::name).collect();
                let fault = format!("shows the image of {}", same.join(" or "));
                Finding::new(board.chip(socket).name(), &fault, "")
            }
            Self::SwappedChips(a, b) => {
                let [a, b] = [a, b].map(|chip| board.chip(chip).name());
                let why = format!("{a} shows the image of {b}");
                Finding::new(format!("{a} and {b}"), "are in each other's sockets", why)
            }
            Self::SwappedWires(a, b) => Finding::new(both(a, b), "are exchanged", ""),
            Self::Shorted(a, b) => {
                Finding::new(both(a, b), "are shorted", "they always have the same level")
            }
            Self::LooseClip(net) => {
                let chips = capture.faulty_chips().into_iter().map(|it| board.chip(it.chip));
                let reader = chips.min_by_key(|it| it.inputs().all(|(_, input)| input != net));
                let reader = reader.map_or("", |it| it.name());
                let fault = format!("never moves, but {reader} sees it move");
                Finding::new(name(net), &fault, "its clip is loose")
            }
            Self::SwappedClips(a, b) => {
                Finding::new(both(a, b), "are exchanged, at the clips of the analyser", "")
            }
        })
    }
}

impl<'a> Checker<'a> {
    /// Returns the hypotheses that explain a capture best, likeliest first, and the evidence under
    /// the first of them. Returns `None` if no hypothesis explains the errors.
    pub(super) fn explain(&self, end_ps: i64) -> Option<(Vec<Hypothesis>, CaptureEvidence<'a>)> {
        let capture = &self.capture;
        let (wrong, others) = capture.count_errors();
        // If chips are wrong, an explanation must leave fewer of them wrong. If there are only odd
        // changes, it must leave at most a quarter of these.
        let mut most = match (wrong, others) {
            (0, 0) => return None,
            (0, _) => (0, others / 4),
            _ => (wrong - 1, u64::MAX),
        };
        let mut best: Option<(Vec<Hypothesis>, CaptureEvidence<'a>)> = None;
        let exchanges = std::iter::once_with(|| capture.list_clip_exchanges()).flatten();
        for hypothesis in capture.list_hypotheses().into_iter().chain(exchanges) {
            let is_about_clips = hypothesis.is_about_clips();
            if is_about_clips
                && most == (0, 0)
                && best.as_ref().is_some_and(|(all, _)| !all[0].is_about_clips())
            {
                break;
            }
            let most_here = if is_about_clips { (0, 0) } else { most };
            let rest = Some(hypothesis)
                .filter(|&it| capture.is_consistent(it))
                .and_then(|it| self.recheck(it, most_here, end_ps));
            match (rest, &mut best) {
                (Some(rest), _) if rest.count_errors().1 > others + RESIDUE_MAX => {}
                (Some(rest), Some((all, _))) if rest.count_errors() == most => all.push(hypothesis),
                (Some(rest), _) => {
                    most = rest.count_errors();
                    best = Some((vec![hypothesis], rest));
                }
                (None, _) => {}
            }
        }
        best
    }

    /// Returns the evidence under a hypothesis. Gives up and returns `None` once there are more
    /// faults than `most`.
    fn recheck(
        &self,
        hypothesis: Hypothesis,
        most: (usize, u64),
        end_ps: i64,
    ) -> Option<CaptureEvidence<'a>> {
        const BETWEEN: usize = 64;
        let CaptureEvidence { board, conditions, .. } = &self.capture;
        let mut checker = Self::with_hypothesis(board, conditions.clone(), hypothesis);
        for (count, &(time_ps, net, level)) in self.kept.iter().enumerate() {
            if let Some(net) = hypothesis.recorded_wire(net) {
                checker.process((time_ps, net, level));
            }
            if count % BETWEEN == 0 && checker.capture.count_errors() > most {
                return None;
            }
        }
        checker.end(end_ps);
        (checker.capture.count_errors() <= most).then_some(checker.capture)
    }
}

impl CaptureEvidence<'_> {
    /// The hypotheses other than exchanged clips, likeliest first.
    fn list_hypotheses(&self) -> Vec<Hypothesis> {
        let (mut wires, mut found) = (Vec::new(), Vec::new());
        let loose = self.find_loose_clips();
        let mut suspicions = Vec::new();
        for watched in self.faulty_chips() {
            let WatchedChip { chip, evidence, .. } = watched;
            let in_chip = |suspicion| Hypothesis::Chip(*chip, suspicion);
            let data = (0..).zip(&self.board.chip(*chip).data);
            for (bit, &net) in data.filter(|(bit, _)| evidence.suspected_pins() >> bit & 1 == 1) {
                let level = self.wires.constant(net);
                found.extend(level.map(|level| in_chip(Suspicion::DataStuck(bit, level))));
                found.extend(evidence.only_wrong().map(|at| in_chip(Suspicion::WrongBit(at, bit))));
                if !evidence.is_ambiguous && !wires.contains(&net) {
                    wires.push(net);
                }
            }
            if suspicions.len() < SUSPICIONS_MAX {
                suspicions.extend(self.list_suspicions(watched, &loose).into_iter().map(in_chip));
            }
        }
        wires.truncate(SUSPECTED_WIRES_MAX);
        // If a wire never moves, a loose clip is likelier than an exchange of wires.
        let (later, likely): (Vec<_>, Vec<_>) =
            pairs(&wires).partition(|(a, b)| loose.contains(a) || loose.contains(b));
        let swap = |(a, b)| Hypothesis::SwappedWires(a, b);
        found.extend(likely.into_iter().map(swap));
        found.extend(suspicions);
        found.extend(self.list_images());
        found.extend(loose.into_iter().map(Hypothesis::LooseClip));
        found.extend(later.into_iter().map(swap));
        for (place, &a) in wires.iter().enumerate() {
            let touching = self.board.net_ids().filter(|&b| {
                let vary = self.wires.varies(a) && self.wires.varies(b);
                let is_new = !wires[..=place].contains(&b);
                is_new && !self.wires.differ(a, b) && (vary || wires.contains(&b))
            });
            let touching = touching.filter(|&b| !self.follows(a, b) && !self.follows(b, a));
            found.extend(touching.map(|b| Hypothesis::Shorted(a, b)));
        }
        // It explains whatever the program chip shows, so it comes last.
        let program = self.faulty_chips().into_iter().find(|it| it.chip == self.board.program());
        let program = program.map(|it| &it.evidence);
        if program.is_some_and(|it| it.only_wrong().is_none() && it.is_steady()) {
            found.push(Hypothesis::Chip(self.board.program(), Suspicion::OtherProgram));
        }
        found
    }

    /// The images that the faulty chips may hold instead of their own.
    fn list_images(&self) -> Vec<Hypothesis> {
        let board = self.board;
        let contents = |chip: ChipId| board.chip(chip).contents();
        let fits = |a: ChipId, b: ChipId| {
            contents(a) != contents(b)
                && board.chip(a).part().package == board.chip(b).part().package
        };
        let burned = |chips: Vec<&WatchedChip>| -> Vec<ChipId> {
            let chips = chips.into_iter().map(|it| it.chip);
            chips.filter(|&chip| board.chip(chip).is_burned()).collect()
        };
        let faulty = burned(self.faulty_chips());
        let mut images = burned(self.chips.iter().collect());
        images.sort_by_key(|chip| contents(*chip));
        images.dedup_by_key(|chip| contents(*chip));
        let mut found = Vec::new();
        for &chip in &faulty {
            found.extend([true, false].map(|it| Hypothesis::Chip(chip, Suspicion::Constant(it))));
            let others = images.iter().filter(|&&image| fits(chip, image));
            found.extend(others.map(|&image| Hypothesis::OtherImage(chip, image)));
        }
        let exchanged = pairs(&faulty).filter(|&(a, b)| fits(a, b));
        found.extend(exchanged.map(|(a, b)| Hypothesis::SwappedChips(a, b)));
        let program = board.program();
        if faulty.contains(&program) && board.code() == Code::Gray {
            found.push(Hypothesis::Chip(program, Suspicion::CountingOrder));
        }
        found
    }

    /// The possible faults of a chip. `loose` has the wires whose clips may be loose. Address pins
    /// on these wires are not suspected of being stuck.
    fn list_suspicions(&self, watched: &WatchedChip, loose: &[NetId]) -> Vec<Suspicion> {
        let chip = self.board.chip(watched.chip);
        let is_memory = watched.chip == self.board.memory();
        let pins = watched.wired & watched.known & ((1 << chip.part().address_pins()) - 1);
        let mut found = Suspicion::all(pins, watched.captured);
        found.retain(|it| match *it {
            // In data memory, exchanged address pins are harmless, and a stuck address pin has the
            // same effect at either level.
            Suspicion::AddressSwapped(..) | Suspicion::AddressStuck(_, true) if is_memory => false,
            Suspicion::AddressStuck(pin, _) => {
                !chip.wire(pin).is_some_and(|it| loose.contains(&it))
            }
            Suspicion::DataStuck(pin, level) => {
                self.wires.constant(chip.data[usize::from(pin)]) != Some(level)
            }
            _ => true,
        });
        // A wrong bit can make the chip leave an address before it settles there.
        if let Some(Transition { from, to, once, often }) =
            watched.evidence.impossible.map(|it| it.what)
            && watched.missing() == 0
        {
            let mixes = subsets(once | often).take(1 << CHANGED_PINS_MAX);
            for outside in mixes.map(|mix| to.0 ^ mix) {
                let start = watched.address_with(outside, from.1);
                let next = watched.address_with(outside, chip.contents()[start as usize]);
                let bits = |at| (0..chip.data.len() as u8).map(move |it| (at, it));
                let bits = bits(next).chain(bits(start));
                found.extend(bits.map(|(at, bit)| Suspicion::WrongBit(at, bit)));
            }
        }
        found
    }

    /// Returns the data pin that is a wire's only driver, and the evidence about the pin's chip.
    /// Returns `None` if the wire has no such driver, or if the evidence is ambiguous or empty.
    fn driver(&self, net: NetId) -> Option<(DataPin, &ChipEvidence)> {
        let Driver::Chip(pin) = self.board.net(net).driver else { return None };
        let watched = self.chips.iter().find(|it| it.chip == pin.chip)?;
        let is_known = !watched.evidence.is_ambiguous && watched.evidence.checks > 0;
        is_known.then_some((pin, &watched.evidence))
    }

    /// True if `other` is an input of the chip that drives `net`, and if a change of that input
    /// inverts `net` at every address that has been checked.
    fn follows(&self, net: NetId, other: NetId) -> bool {
        let Some((driver, evidence)) = self.driver(net) else { return false };
        let chip = self.board.chip(driver.chip);
        let Some(pin) = chip.address.iter().position(|it| it.net() == Some(other)) else {
            return false;
        };
        let shows = |address: u32| chip.contents()[address as usize] >> driver.pin & 1;
        evidence.seen.keys().all(|&address| shows(address) != shows(address ^ 1 << pin))
    }

    /// Finds the captured wires on the pins of the most suspicious chip, or the oscillator and the
    /// reset wire if all chips are right.
    fn find_suspected_wires(&self) -> BTreeSet<NetId> {
        let mut wires = BTreeSet::from([self.board.oscillator(), self.board.reset()]);
        if let Some(faulty) = self.faulty_chips().first() {
            let chip = self.board.chip(faulty.chip);
            wires = chip.inputs().map(|(_, net)| net).chain(chip.data.iter().copied()).collect();
        }
        wires.retain(|net| self.conditions.wires.contains(net));
        wires
    }

    /// Finds the wires whose clips may be loose. They never change, and no faultless driver
    /// explains their constant level.
    fn find_loose_clips(&self) -> Vec<NetId> {
        let mut nets = self.find_suspected_wires();
        nets.retain(|&net| {
            self.wires.constant(net).is_some()
                && self.driver(net).is_none_or(|(_, it)| it.first_wrong_ps().is_some())
        });
        nets.into_iter().collect()
    }

    /// Lists the pairs of clips that may be exchanged.
    fn list_clip_exchanges(&self) -> Vec<Hypothesis> {
        let suspected = self.find_suspected_wires();
        let mut found = Vec::new();
        for &a in &suspected {
            for &b in &self.conditions.wires {
                let is_new =
                    if suspected.contains(&b) { a < b } else { !self.wrong_moments.is_empty() };
                if is_new {
                    found.push(Hypothesis::SwappedClips(a, b));
                }
            }
        }
        // The oscillator of a machine that runs is not on a channel that never moves.
        let oscillator = self.board.oscillator();
        found.retain(|it| {
            let channel = it.recorded_wire(oscillator);
            channel == Some(oscillator) || channel.is_some_and(|it| self.wires.changed.contains(it))
        });
        // Try exchanges of the oscillator or reset clip last, because they leave fewer checks that
        // could contradict them.
        let outside = [self.board.oscillator(), self.board.reset()].map(Some);
        found.sort_by_key(|it| outside.map(|net| it.recorded_wire(net?)) != outside);
        found
    }

    /// True if the chips at the recorded wrong moments would have been right under this hypothesis.
    /// A hypothesis that is not about clips is compared with the first moment only.
    fn is_consistent(&self, hypothesis: Hypothesis) -> bool {
        let count = if hypothesis.is_about_clips() { self.wrong_moments.len() } else { 1 };
        self.wrong_moments.iter().take(count).all(|&(id, ref levels)| {
            let mut chip = WatchedChip::new(self.board, id, &self.conditions, hypothesis);
            for_each_pin(self.board, id, hypothesis, |net, place| {
                if let Some(level) = hypothesis.recorded_wire(net).and_then(|it| levels.level(it)) {
                    chip.change_pin(place, Some(level), 0, i64::MAX);
                }
            });
            chip.wrong_pins() == 0
        })
    }
}

#[cfg(test)]
mod tests {
    use gray1_roms::{GRAY1, load};

    use super::super::capture_evidence::CaptureConditions;
    use super::*;

    #[test]
    fn a_wire_that_never_moves_is_not_tried_as_the_oscillator() {
        let board = load(GRAY1).unwrap();
        let wires = vec![board.oscillator(), board.reset()];
        for is_moving in [false, true] {
            let conditions = CaptureConditions {
                wires: wires.clone(),
                resolution_ps: 1000,
                phase_ps_min: None,
                knows_program: false,
            };
            let mut checker = Checker::new(&board, conditions);
            for sample in 0..100 {
                checker.set_level(sample * 10_000, wires[0], Some(sample % 2 == 1));
                checker.set_level(sample * 10_000, wires[1], Some(is_moving && sample > 50));
            }
            let exchanges = checker.capture.list_clip_exchanges();
            assert_eq!(exchanges.len(), usize::from(is_moving), "{exchanges:?}");
        }
    }
}
