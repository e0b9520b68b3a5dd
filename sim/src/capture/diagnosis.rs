//! From evidence to a cause: one sentence that names the chip or the wires.

use gray1_isa::text::grouped;

use super::case::Case;
use super::clock::Breach;
use super::evidence::{ChipEvidence, First, Seen};
use super::journey::Journey;
use super::nets::levels;
use super::report::{Coverage, Finding, Report};
use super::suspicion::Suspicion;
use super::watched::{Brief, Clips, Late};
use crate::board::buses::names;
use crate::board::checked::{Board, Chip, DataPin, NetId, Source};

/// A chip with so few wrong addresses has wrong bits; with more, something else is wrong with it.
const WRONG_BITS_MAX: usize = 8;
/// A wire that carries another one's signal by chance has done so at fewer addresses than this.
const CARRIED_MIN: usize = 4;

/// How a fault was seen, the surest way first. A chip may seem to go astray, to forget, or not to
/// rest, because an input moved too quickly to be sampled: then the driver of this input is the
/// cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    AtRest,
    Moving,
    Doubtful,
}

/// A fault with the time at which it was first seen.
struct Timed {
    first_ps: i64,
    kind: Kind,
    finding: Finding,
}

/// The report of a finished check.
pub(super) fn report(case: &Case<'_>) -> Report {
    let mut found = Vec::new();
    let mut explained: Vec<NetId> = Vec::new();
    if case.clock.is_blurred() {
        return case.blurred();
    }
    let rules = case.rules();
    for net in case.wrong_wires() {
        if !explained.contains(&net)
            && let Some((timed, nets)) = case.wire(net)
        {
            explained.extend(nets);
            found.push(timed);
        }
    }
    for index in 0..case.chips.len() {
        found.extend(chip(case, index, &explained));
    }
    found.sort_by_key(|timed| (timed.kind, timed.first_ps));
    Report {
        findings: rules.into_iter().chain(found.into_iter().map(|timed| timed.finding)).collect(),
        glitches: case.glitches(),
        chips: case.coverage(),
        obstacle: None,
        notes: case.notes(),
    }
}

impl Case<'_> {
    fn name(&self, net: NetId) -> &str {
        self.board.net(net).name()
    }

    /// The report of a capture with too few samples.
    fn blurred(&self) -> Report {
        let Case { clock, circumstances, .. } = self;
        let shortest = duration(clock.shortest_ps.unwrap_or_default());
        let resolution = duration(circumstances.resolution_ps);
        let obstacle = format!(
            "too few samples: one in {resolution}, but phases of {shortest}; take four a phase or more"
        );
        Report {
            findings: Vec::new(),
            glitches: Vec::new(),
            chips: Vec::new(),
            obstacle: Some(obstacle),
            notes: Vec::new(),
        }
    }

    /// The oscillator and the reset wire.
    fn rules(&self) -> Option<Finding> {
        let Case { board, clock, wires, .. } = self;
        let [oscillator, reset] = [board.oscillator(), board.reset()].map(|net| self.name(net));
        let is_captured = self.circumstances.wires.contains(&board.oscillator());
        if is_captured && clock.edges == 0 {
            let headline = format!("{oscillator} never moves: the machine has no clock");
            return Some(Finding { headline, details: Vec::new() });
        }
        if clock.reset_moves == 0 && wires.constant(board.reset()) == Some(true) {
            let headline = format!("{reset} is high all the time: the machine is held in reset");
            return Some(Finding { headline, details: Vec::new() });
        }
        let (breach, count) = clock.breach?;
        let (headline, time_ps) = match breach {
            Breach::ShortPhase { time_ps, duration_ps, is_high } => {
                let level = if is_high { "high" } else { "low" };
                let duration = duration(duration_ps);
                let min = clock.phase_ps_min.unwrap_or_default();
                let min = self::duration(min);
                (
                    format!(
                        "{oscillator} is too fast: it was {level} for {duration} only; the board needs {min}"
                    ),
                    time_ps,
                )
            }
            Breach::ResetWhileLow { time_ps } => (
                format!(
                    "{reset} moves while {oscillator} is low; it may do so only while that is high"
                ),
                time_ps,
            ),
            Breach::ResetNearEdge { time_ps, distance_ps } => {
                let distance = duration(distance_ps);
                (
                    format!(
                        "{reset} moves {distance} from an edge of {oscillator}, which is too close"
                    ),
                    time_ps,
                )
            }
            Breach::ShortReset { time_ps, phases } => {
                (format!("{reset} was high for {phases} phases only; a reset takes nine"), time_ps)
            }
        };
        Some(Finding {
            headline,
            details: vec![format!("first at {}{}", duration(time_ps), times(count))],
        })
    }

    /// The wires that had another level at rest than their chips should have given them.
    fn wrong_wires(&self) -> Vec<NetId> {
        let is_wrong = |net: &NetId| self.wires.is_wrong(*net);
        self.board.net_ids().filter(is_wrong).collect()
    }

    /// A fault of a wire, and the wires that it explains: all that are wrong on their chips.
    fn wire(&self, net: NetId) -> Option<(Timed, Vec<NetId>)> {
        let (index, pin) = self.driver(net)?;
        let evidence = &self.evidence[index];
        let addresses = evidence.wrong_addresses(pin);
        let (headline, nets) = self.suspected_wire(net, addresses)?;
        let explains = |net: NetId| {
            let Some((index, _)) = self.driver(net) else { return true };
            let clips = &self.chips[index].clips;
            let wrong = pins_of(self.chip(clips), self.evidence[index].wrong_pins());
            wrong.iter().all(|wrong| nets.contains(wrong))
        };
        if !nets.iter().all(|&net| explains(net)) {
            return None;
        }
        let First { what: address, time_ps, .. } = evidence.wrong?;
        let clips = &self.chips[index].clips;
        let data = evidence.seen.get(&(address & clips.known)).map(|seen| seen.data);
        let driven = format!(
            "{} is driven by {}, and wrong at {} of its addresses",
            self.name(net),
            self.chip(clips).name(),
            grouped(addresses as u64)
        );
        let wires = wires_at(self.board, clips, address, data);
        let details = vec![format!("at {}: {wires}", duration(time_ps)), driven];
        let finding = Finding { headline, details };
        Some((Timed { first_ps: time_ps, kind: Kind::AtRest, finding }, nets))
    }

    /// The fault of a wire that was wrong at so many addresses of its chip, and the wires that are
    /// part of it.
    fn suspected_wire(&self, net: NetId, addresses: usize) -> Option<(String, Vec<NetId>)> {
        if addresses < 2 {
            return None;
        }
        let (wires, name) = (&self.wires, self.name(net));
        if let Some(level) = wires.stuck(net) {
            let level = if level { "high" } else { "low" };
            return Some((format!("{name} is stuck {level}"), vec![net]));
        }
        let others = || self.board.net_ids().filter(move |&other| other != net);
        let carries = |other: &NetId| wires.carries(net, *other);
        if let Some(other) = others().filter(carries).find(|&other| wires.carries(other, net)) {
            return Some((
                format!("{name} and {} are exchanged", self.name(other)),
                vec![net, other],
            ));
        }
        if let Some(other) = others().find(|&other| wires.always_equal(net, other)) {
            return Some((shorted(name, self.name(other)), vec![net, other]));
        }
        let other = others().find(carries).filter(|_| addresses >= CARRIED_MIN)?;
        Some((format!("{name} carries the signal of {}", self.name(other)), vec![net]))
    }

    /// The chip that drives a wire, and the data pin; of two chips the one that was wrong more
    /// often.
    fn driver(&self, net: NetId) -> Option<(usize, u8)> {
        let place = |pin: DataPin| {
            let index = self.chips.iter().position(|it| it.clips.chip == pin.chip)?;
            Some((index, 1 << pin.pin))
        };
        let wrong = |&(index, pin): &(usize, u8)| self.evidence[index].wrong_addresses(pin);
        self.board.net(net).driver().pins().filter_map(place).max_by_key(wrong)
    }

    fn chip(&self, clips: &Clips) -> &Chip {
        self.board.chip(clips.chip)
    }

    fn glitches(&self) -> Vec<String> {
        let glitch = |(clips, evidence): (&Clips, &ChipEvidence)| {
            let First { what: Late { pins, .. }, time_ps, count } = evidence.glitch?;
            let nets = pins_of(self.chip(clips), pins);
            let nets = names(self.board, &nets);
            Some(format!(
                "a glitch: {nets} moved for a moment at {} while the inputs of {} stood still{}",
                duration(time_ps),
                self.chip(clips).name(),
                times(count)
            ))
        };
        let chips = self.chips.iter().map(|it| &it.clips);
        chips.zip(&self.evidence).filter_map(glitch).collect()
    }

    fn coverage(&self) -> Vec<Coverage> {
        let coverage = |(clips, evidence): (&Clips, &ChipEvidence)| {
            let chip = self.chip(clips);
            let is_captured = |net: &NetId| self.circumstances.wires.contains(net);
            let inputs = chip.inputs().map(|(_, net)| net);
            let mut missing: Vec<NetId> = Vec::new();
            for net in inputs.chain(chip.data().iter().copied()) {
                if !is_captured(&net) && !missing.contains(&net) {
                    missing.push(net);
                }
            }
            Coverage {
                chip: chip.name().to_owned(),
                checks: evidence.checks,
                addresses: evidence.seen.len(),
                missing: names(self.board, &missing),
            }
        };
        let chips = self.chips.iter().map(|it| &it.clips);
        chips.zip(&self.evidence).map(coverage).collect()
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let board = self.board;
        if !self.circumstances.knows_program {
            let program = board.chip(board.program()).name();
            notes.push(format!("{program} is not checked: name the program that it holds"));
        }
        let Case { clock, circumstances, .. } = self;
        if circumstances.wires.contains(&board.reset()) && clock.reset_moves == 0 {
            notes.push(format!("{} never moves", self.name(board.reset())));
        }
        let oscillator = self.name(board.oscillator());
        if !circumstances.wires.contains(&board.oscillator()) {
            notes.push(format!(
                "{oscillator} is not captured: the lengths of the phases are not checked"
            ));
        } else if clock.edges > 0 {
            let shortest = clock
                .shortest_ps
                .map_or_else(String::new, |it| format!(", the shortest phase {}", duration(it)));
            notes.push(format!("{oscillator}: {} edges{shortest}", grouped(clock.edges)));
        }
        notes
    }
}

/// The fault of a chip, unless these wires explain all that is wrong with it.
fn chip(case: &Case<'_>, index: usize, explained: &[NetId]) -> Option<Timed> {
    let board = case.board;
    let evidence = &case.evidence[index];
    let first_ps = evidence.first_wrong_ps()?;
    let id = case.chips[index].clips.chip;
    let data = board.chip(id).data();
    if data.iter().any(|net| explained.contains(net)) {
        return None;
    }
    let clips = &case.chips[index].clips;
    let (kind, finding) = if evidence.forgotten.is_some() {
        (Kind::Doubtful, forgotten(case, index))
    } else if evidence.wrong.is_some() {
        (Kind::AtRest, wrong(case, index))
    } else if let Some(brief) = evidence.brief {
        (Kind::Moving, shows_briefly(board, clips, brief))
    } else if let Some(astray) = evidence.astray {
        (Kind::Moving, went_astray(board, clips, astray))
    } else {
        (Kind::Moving, never_rests(board, clips, evidence.restless?))
    };
    Some(Timed { first_ps, kind, finding })
}

/// A chip that shows other bytes than its image holds.
fn wrong(case: &Case<'_>, index: usize) -> Finding {
    let (board, evidence) = (case.board, &case.evidence[index]);
    let clips = &case.chips[index].clips;
    let chip = board.chip(clips.chip);
    let name = chip.name();
    let mut wrong: Vec<(u32, Seen)> = evidence
        .seen
        .iter()
        .filter(|(_, seen)| seen.wrong > 0)
        .map(|(it, seen)| (*it, *seen))
        .collect();
    wrong.sort_by_key(|(address, _)| *address);
    let all = evidence.seen.len();
    let first = evidence.wrong.expect("it is wrong");
    let at = first.what & clips.known;
    let (address, seen) = *wrong.iter().find(|(address, _)| *address == at).unwrap_or(&wrong[0]);
    let (count, right) = (wrong.len(), all - wrong.len());
    let is_whole = clips.missing() == 0;
    let suspicions = if is_whole && count >= 2 {
        Suspicion::of(chip.contents(), &evidence.seen, clips.wired, clips.data)
    } else {
        Vec::new()
    };
    let mut suspicions = suspicions.into_iter().map(|it| suspected(board, chip, it));
    let place = shown_at(board, clips, address, seen.data);
    let headline = match suspicions.next() {
        Some(suspicion) => suspicion,
        None if seen.right > 0 => {
            format!(
                "{name} is unreliable: {place}, in {} of {} looks",
                seen.wrong,
                seen.wrong + seen.right
            )
        }
        None if count > WRONG_BITS_MAX && count * 4 > all => {
            format!(
                "{name} holds another image or has no supply: {count} of {all} addresses are wrong"
            )
        }
        None => format!("{name} has a wrong bit: {place}"),
    };
    let mut details = vec![
        format!("at {}: {}", duration(first.time_ps), wires_at(board, clips, first.what, None)),
        shown(board, chip, clips.data, seen.data),
    ];
    details.extend(suspicions.map(|it| format!("or: {it}")));
    for (address, seen) in wrong.iter().take(WRONG_BITS_MAX).filter(|_| count > 1) {
        details.push(shown_at(board, clips, *address, seen.data));
    }
    details.push(format!(
        "seen {} times; of its addresses {} wrong, {} right",
        grouped(first.count),
        grouped(count as u64),
        grouped(right as u64)
    ));
    Finding { headline, details }
}

/// The fault of a pin, in words.
fn suspected(board: &Board, chip: &Chip, suspicion: Suspicion) -> String {
    let name = chip.name();
    let level = |high| if high { "high" } else { "low" };
    let input = |pin: u8| match chip.address()[usize::from(pin)] {
        Source::Net(net) => board.net(net).name(),
        Source::Tied(_) => "a tied wire",
    };
    let output = |pin: u8| board.net(chip.data()[usize::from(pin)]).name();
    match suspicion {
        Suspicion::AddressStuck(pin, high) => {
            format!(
                "{name} does not see {}: its pin A{pin} acts as if it were always {}",
                input(pin),
                level(high)
            )
        }
        Suspicion::AddressSwapped(a, b) => {
            format!("{name} has {} and {} exchanged, its pins A{a} and A{b}", input(a), input(b))
        }
        Suspicion::DataStuck(pin, high) => format!("{} is stuck {}", output(pin), level(high)),
        Suspicion::DataSwapped(a, b) => {
            format!(
                "{} and {} are exchanged, the pins D{a} and D{b} of {name}",
                output(a),
                output(b)
            )
        }
        Suspicion::DataShorted(a, b, _) => shorted(output(a), output(b)),
    }
}

/// A short of two wires, in words.
fn shorted(a: &str, b: &str) -> String {
    format!("{a} and {b} are shorted: they always have the same level")
}

fn forgotten(case: &Case<'_>, index: usize) -> Finding {
    let evidence = &case.evidence[index];
    let clips = &case.chips[index].clips;
    let name = case.board.chip(clips.chip).name();
    let First { what: (address, byte, cell), time_ps, count } =
        evidence.forgotten.expect("it was seen");
    let how = if cell.is_written { "was written" } else { "was read" };
    let headline = format!(
        "{name} shows {byte:02x} at address {address:04x}, where {:02x} {how} before",
        cell.byte
    );
    let details = vec![
        format!("{:02x} {how} at {}", cell.byte, duration(cell.time_ps)),
        format!("{byte:02x} was read at {}{}", duration(time_ps), times(count)),
        format!("different bits: {:02x}", cell.byte ^ byte),
    ];
    Finding { headline, details }
}

fn went_astray(board: &Board, clips: &Clips, astray: First<Journey>) -> Finding {
    let First { what: Journey { from, to, once, often }, time_ps, count } = astray;
    let chip = board.chip(clips.chip);
    let own = clips.own.address_mask();
    let address = from.0 & own | to.0 & !own;
    let mut nets: Vec<NetId> = Vec::new();
    for (pin, source) in chip.address().iter().enumerate() {
        if let Source::Net(net) = *source
            && (once | often) >> pin & 1 == 1
        {
            nets.push(net);
        }
    }
    let cause = if nets.is_empty() {
        "although its inputs stood still".to_owned()
    } else {
        format!("when {} moved", names(board, &nets))
    };
    let shown = |data: u8| shown(board, chip, clips.data, data);
    let headline =
        format!("{} went from {} to {} {cause}", chip.name(), shown(from.1), shown(to.1));
    let byte = chip.contents()[address as usize];
    let should = format!(
        "at address {address:0w$x} ({}) its image holds {byte:02x}: {}",
        wires_at(board, clips, address, None),
        shown(byte),
        w = digits(chip)
    );
    Finding {
        headline,
        details: vec![format!("first at {}{}", duration(time_ps), times(count)), should],
    }
}

fn never_rests(board: &Board, clips: &Clips, restless: First<Late>) -> Finding {
    let First { what: Late { pins, address, .. }, time_ps, count } = restless;
    let chip = board.chip(clips.chip);
    let nets = pins_of(chip, pins);
    let headline = format!(
        "{} does not come to rest: {} move{} on although its inputs stand still",
        chip.name(),
        names(board, &nets),
        if nets.len() == 1 { "s" } else { "" }
    );
    let details = vec![
        format!("first at {}{}", duration(time_ps), times(count)),
        format!(
            "address {address:0w$x}: {}",
            wires_at(board, clips, address, None),
            w = digits(chip)
        ),
    ];
    Finding { headline, details }
}

fn shows_briefly(board: &Board, clips: &Clips, brief: First<Brief>) -> Finding {
    let First { what: Brief { address, data, pins, .. }, time_ps, count } = brief;
    let chip = board.chip(clips.chip);
    let shown = shown(board, chip, pins, data);
    let headline =
        format!("{} shows {shown} for a while, which no address of that time holds", chip.name());
    let details = vec![
        format!("first at {}{}", duration(time_ps), times(count)),
        format!(
            "address {address:0w$x}: {}",
            wires_at(board, clips, address, Some(data)),
            w = digits(chip)
        ),
    ];
    Finding { headline, details }
}

/// `at address 02b it shows 12, its image holds 10 (AM_EN)`.
fn shown_at(board: &Board, clips: &Clips, address: u32, data: u8) -> String {
    let chip = board.chip(clips.chip);
    let unknown = clips.missing();
    if unknown != 0 {
        let shown = shown(board, chip, clips.data, data);
        return format!(
            "with {} it shows {shown}, which no such address holds",
            wires_at(board, clips, address, None)
        );
    }
    let byte = chip.contents()[address as usize];
    let wrong = pins_of(chip, (byte ^ data) & clips.data);
    let (data, byte) = (data & clips.data, byte & clips.data);
    format!(
        "at address {address:0w$x} it shows {data:02x}, its image holds {byte:02x} ({})",
        names(board, &wrong),
        w = digits(chip)
    )
}

/// The levels of a chip's captured wires.
fn wires_at(board: &Board, clips: &Clips, address: u32, data: Option<u8>) -> String {
    let chip = board.chip(clips.chip);
    let mut inputs = Vec::new();
    let mut high = Vec::new();
    for (pin, source) in chip.address().iter().enumerate() {
        if let Source::Net(net) = *source
            && clips.known >> pin & 1 == 1
        {
            inputs.push(net);
            high.extend((address >> pin & 1 == 1).then_some(net));
        }
    }
    let inputs = levels(board, &inputs, |net| if high.contains(&net) { '1' } else { '0' });
    match data {
        Some(data) => {
            let outputs = shown(board, chip, clips.data, data);
            format!("{inputs} -> {outputs}")
        }
        None => inputs,
    }
}

/// The wires of a chip's data pins.
fn pins_of(chip: &Chip, pins: u8) -> Vec<NetId> {
    let wires = chip.data().iter().enumerate();
    wires.filter(|(bit, _)| pins >> bit & 1 == 1).map(|(_, net)| *net).collect()
}

/// The levels of the wires of a chip's data pins that show a byte.
fn shown(board: &Board, chip: &Chip, pins: u8, data: u8) -> String {
    levels(board, &pins_of(chip, pins), |net| {
        let bit = chip.data().iter().position(|&it| it == net).unwrap_or_default();
        if data >> bit & 1 == 1 { '1' } else { '0' }
    })
}

/// The hexadecimal digits of a chip's addresses.
fn digits(chip: &Chip) -> usize {
    usize::from(chip.part().address_lines).div_ceil(4)
}

/// A time in words, to the nanosecond.
fn duration(time_ps: i64) -> String {
    let ns = time_ps.unsigned_abs().div_ceil(1000).max(u64::from(time_ps != 0));
    let sign = if time_ps < 0 { "-" } else { "" };
    if ns < 10_000 {
        format!("{sign}{ns} ns")
    } else {
        format!("{sign}{}.{:03} us", ns / 1000, ns % 1000)
    }
}

fn times(count: u64) -> String {
    if count == 1 { String::new() } else { format!(", {} times in all", grouped(count)) }
}
