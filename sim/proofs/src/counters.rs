//! Proof 1: counters change one wire at a time, stay constant while their inputs do, and load the
//! same value from any previous count.

use gray1_board::role::Counter;
use gray1_board::{Chip, ChipId, NetId};
use gray1_circuit::nodes::wiring::{NODES_MAX, NodeKind, OUTSIDE, OutputBit, Outputs, Wiring};

use super::Examination;
use super::counterexample::{Counterexample, Verdict, chip_shows, wire_moves};
use super::steps::{StateGraph, Transition};

const ONE_WIRE: &str = "a counter moves one wire at a time";
const UNCHANGED: &str = "a counter does not change while its clock does not";
const STEPS: &str = "a counter steps once on each edge of its clock";
const ALL_CODES: &str = "a counter walks through all its codes";
const COUNT_ONLY: &str = "a counter that only counts depends only on its count and its clock";
const LOADS: &str = "the loaded value depends on neither count nor clock";
const CLEARS: &str = "clearing depends on nothing";
const PARKS: &str = "a waiting counter counts to its parking position and stays there";
const OTHERS: &str = "an output outside the count does not depend on count, clock, load or clear";
const QUIET_END: &str = "nothing moves when loading or clearing ends";

/// The maximum number of wires that determine the loaded values.
const LOAD_WIRES_MAX: usize = 16;

impl Examination<'_> {
    pub(super) fn prove_counters(&mut self) -> Verdict {
        let graph = self.prover.graph()?;
        let mut counters: Vec<(ChipId, &Counter)> = graph.board.counters().collect();
        // A counter that is not clocked by a strobe gives a shorter explanation.
        counters.sort_by_key(|(id, counter)| !graph.is_strobe(clock_wire(graph, *id, counter)));
        for (id, counter) in counters {
            let clock = clock_wire(graph, id, counter);
            let table = CounterTable { graph, chip: graph.board.chip(id), counter, clock };
            self.check_each(table.chip.addresses().map(|address| table.check(address)))?;
            self.check_each(table.check_codes())?;
        }
        self.check_load_ends(graph)
    }

    /// Checks all counters that load together, for all values they can load. When a strobe that
    /// loads or clears counters falls, no count may change.
    fn check_load_ends(&mut self, graph: &StateGraph) -> Verdict {
        let loads = Loads::find(graph)?;
        let mut patterns: Vec<(Outputs, Outputs)> = Vec::new();
        for step in &graph.steps {
            let strobes = |index| loads.strobes(graph.outputs(index));
            let pattern = (strobes(step.from), strobes(step.to));
            let ending = loads.ending_strobes(step);
            if !ending.is_empty() && !patterns.contains(&pattern) {
                patterns.push(pattern);
                for value in 0..1 << loads.loaded.len() {
                    self.cases += ending.len() as u64;
                    loads.check(step, value)?;
                }
            }
        }
        Ok(())
    }
}

fn clock_wire(graph: &StateGraph, id: ChipId, counter: &Counter) -> OutputBit {
    let clock = graph.wiring.source(Wiring::chip(id), counter.clock);
    clock.unwrap_or(OutputBit { node: OUTSIDE, bit: 0 })
}

/// Returns true if the pin exists and is high.
fn on(address: u32, pin: Option<u8>) -> bool {
    pin.is_some_and(|pin| address >> pin & 1 == 1)
}

/// The contents of a counter.
struct CounterTable<'a> {
    graph: &'a StateGraph<'a>,
    chip: &'a Chip,
    counter: &'a Counter,
    clock: OutputBit,
}

impl CounterTable<'_> {
    /// Checks the properties of the counter at an address.
    fn check(&self, address: u32) -> Verdict {
        if on(address, self.counter.clear) {
            self.check_same(CLEARS, address, self.counter.clear.map_or(0, |pin| 1 << pin))?;
        } else if on(address, self.counter.load.as_ref().map(|load| load.on)) {
            self.check_load(address)?;
        } else if on(address, self.counter.park.map(|park| park.during)) {
            self.check_parked(address)?;
        } else {
            self.check_counting(address)?;
        }
        self.check_other_outputs(address)
    }

    fn shown(&self, address: u32) -> u8 {
        self.chip.contents()[address as usize]
    }

    /// Returns the count that is output at an address.
    fn next(&self, address: u32) -> u32 {
        self.counter.count.out.extract(u32::from(self.shown(address)))
    }

    /// Returns the address with this count at the feedback pins.
    fn at(&self, address: u32, count: u32) -> u32 {
        address & !self.counter.count.back.mask() | self.counter.count.back.put(count)
    }

    /// Returns a counterexample with the bytes at these addresses.
    fn refute(&self, law: &'static str, addresses: [u32; 2]) -> Verdict {
        let events = addresses.map(|at| chip_shows(self.chip.name(), at, self.shown(at), None));
        Err(Counterexample::new(law, events.into()))
    }

    /// Returns the address with only these pins kept. All other pins are low, except tied ones.
    fn keep_pins(&self, address: u32, kept: u32) -> u32 {
        address & kept | self.chip.tied().levels
    }

    /// Checks that the count at an address is the same as at the address with only these pins kept.
    fn check_same(&self, law: &'static str, address: u32, kept: u32) -> Verdict {
        let plain = self.keep_pins(address, kept);
        if self.next(address) == self.next(plain) {
            return Ok(());
        }
        self.refute(law, [plain, address])
    }

    fn check_counting(&self, address: u32) -> Verdict {
        let counter = self.counter;
        let count = counter.count.back.extract(address);
        let next = self.next(address);
        let moved = count ^ next;
        if moved.count_ones() > 1 {
            return Err(self.wires_move_together(address, moved));
        }
        if self.next(self.at(address, next)) != next {
            return self.refute(UNCHANGED, [address, self.at(address, next)]);
        }
        let other = address ^ 1 << counter.clock;
        if (self.next(other) != count) == (moved != 0) {
            return self.refute(STEPS, [address, other]);
        }
        self.check_same(COUNT_ONLY, address, counter.count.back.mask() | 1 << counter.clock)
    }

    /// Returns the counterexample for several wires that change at once. The counter may then read
    /// a mix of old and new levels as its count.
    fn wires_move_together(&self, address: u32, moved: u32) -> Counterexample {
        let high = on(address, Some(self.counter.clock));
        let expected = self.next(address);
        let count = self.counter.count.back.extract(address);
        let first = moved & moved.wrapping_neg();
        let read = count ^ first;
        let name = |bit: u32| {
            let pin = self.counter.count.out.pins()[bit as usize];
            self.graph.board.net(self.chip.data[usize::from(pin)]).name().to_owned()
        };
        let bits = (0..32).filter(|bit| moved >> bit & 1 == 1);
        let mut events: Vec<String> =
            self.clock_step(high).map(|step| self.graph.describe_step(step)).into_iter().collect();
        events.extend([
            wire_moves(&self.graph.wire_name(self.clock), high),
            chip_shows(self.chip.name(), address, self.shown(address), None),
            format!("{} move at once", bits.map(name).collect::<Vec<_>>().join(" and ")),
            format!(
                "{} notices {} first, reads {read:#x} and shows {:#x}, expected {expected:#x}",
                self.chip.name(),
                name(first.trailing_zeros()),
                self.next(self.at(address, read)),
            ),
        ]);
        Counterexample::new(ONE_WIRE, events)
    }

    /// Finds a step in which the clock changes, or may change, to this level.
    fn clock_step(&self, high: bool) -> Option<&Transition> {
        self.graph.steps.iter().find(|step| {
            let level = self.clock.is_high(&self.graph.outputs(step.to));
            self.graph.can_move(step, self.clock)
                && (!self.graph.is_strobe(self.clock) || level == high)
        })
    }

    fn check_load(&self, address: u32) -> Verdict {
        let Some(load) = &self.counter.load else { return Ok(()) };
        let wires = load.gray.iter().fold(1 << load.on, |wires, parity| wires | parity.0);
        self.check_same(LOADS, address, wires)
    }

    fn check_parked(&self, address: u32) -> Verdict {
        let Some(park) = self.counter.park else { return Ok(()) };
        let count = self.counter.count.back.extract(address);
        let free = address & !(1 << park.during);
        let expected = if count == park.at { count } else { self.next(free) };
        if self.next(address) == expected {
            return Ok(());
        }
        self.refute(PARKS, [free, address])
    }

    fn check_other_outputs(&self, address: u32) -> Verdict {
        for (pin, parity) in &self.counter.others {
            let plain = self.keep_pins(address, parity.0);
            let wire = |at: u32| self.shown(at) >> pin & 1;
            if wire(address) != wire(plain) {
                return self.refute(OTHERS, [plain, address]);
            }
        }
        Ok(())
    }

    /// Counts from 0 through all codes. Returns whether each code comes only once.
    fn check_codes(&self) -> impl Iterator<Item = Verdict> {
        let next = |count: u32, high: bool| {
            let clock = self.keep_pins(u32::from(high) << self.counter.clock, u32::MAX);
            self.next(self.at(clock, count))
        };
        let mut count = 0;
        (0..1_u32 << self.counter.count.out.width()).map(move |visited| {
            if visited > 0 && count == 0 {
                let note = format!("{} is back at 0 after {visited} steps", self.chip.name());
                return Err(Counterexample::new(ALL_CODES, vec![note]));
            }
            let is_still = next(count, false) == count;
            count = next(count, is_still);
            Ok(())
        })
    }
}

/// All counters outside the sequencer.
struct Loads<'a> {
    graph: &'a StateGraph<'a>,
    counters: Vec<(ChipId, &'a Counter)>,
    /// The wires that determine the loaded values and do not come from these counters.
    loaded: Vec<OutputBit>,
}

impl<'a> Loads<'a> {
    fn find(graph: &'a StateGraph<'a>) -> Result<Self, Counterexample> {
        let mut counters: Vec<(ChipId, &Counter)> = graph.board.counters().collect();
        counters.retain(|(id, _)| !graph.sequencer.nodes().contains(&Wiring::chip(*id)));
        let mut loaded: Vec<OutputBit> = Vec::new();
        for (id, counter) in &counters {
            let pins = &graph.wiring.nodes()[Wiring::chip(*id)].pins;
            let load = counter.load.iter().flat_map(|load| &load.gray);
            let mask = load.fold(0, |mask, parity| mask | parity.0);
            for (_, wire) in pins.iter().filter(|(pin, _)| mask >> pin & 1 == 1) {
                let counts = counters.iter().any(|(id, _)| Wiring::chip(*id) == wire.node);
                if !counts && !loaded.contains(wire) {
                    loaded.push(*wire);
                }
            }
        }
        if loaded.len() > LOAD_WIRES_MAX {
            let note = format!("{} wires are loaded (maximum {LOAD_WIRES_MAX})", loaded.len());
            return Err(Counterexample::new(QUIET_END, vec![note]));
        }
        Ok(Self { graph, counters, loaded })
    }

    /// Returns the outputs of the sequencer that counters read.
    fn strobes(&self, outputs: Outputs) -> Outputs {
        let mut read = [0; NODES_MAX];
        for (id, _) in &self.counters {
            for (_, wire) in &self.graph.wiring.nodes()[Wiring::chip(*id)].pins {
                if self.graph.is_strobe(*wire) {
                    read[wire.node] |= outputs[wire.node] & 1 << wire.bit;
                }
            }
        }
        read
    }

    fn level(&self, id: ChipId, pin: u8, outputs: &Outputs) -> bool {
        let wire = self.graph.wiring.source(Wiring::chip(id), pin);
        wire.is_some_and(|wire| wire.is_high(outputs))
    }

    /// Returns the strobes that load or clear counters and fall in a step. Returns none if another
    /// of these strobes rises in the step.
    fn ending_strobes(&self, step: &Transition) -> Vec<NetId> {
        let (before, after) = (self.graph.outputs(step.from), self.graph.outputs(step.to));
        let pins = self.counters.iter().flat_map(|(id, counter)| {
            let pins = counter.load.iter().map(|load| load.on).chain(counter.clear);
            pins.map(move |pin| (*id, pin))
        });
        let mut ending = Vec::new();
        for (id, pin) in pins {
            match (self.level(id, pin, &before), self.level(id, pin, &after)) {
                (false, true) => return Vec::new(),
                (true, false) => ending.extend(self.graph.board.chip(id).wire(pin)),
                _ => {}
            }
        }
        ending.sort_unstable();
        ending.dedup();
        ending
    }

    /// Checks a step while the loaded wires have this value.
    fn check(&self, step: &Transition, value: u32) -> Verdict {
        let mut outputs = self.graph.outputs(step.from);
        self.load(&mut outputs, value);
        for _ in 0..=self.counters.len() {
            self.update_counts(&mut outputs);
        }
        let loaded = outputs;
        let after = self.graph.outputs(step.to);
        for &node in self.graph.sequencer.nodes() {
            outputs[node] = after[node];
        }
        outputs[OUTSIDE] = after[OUTSIDE];
        let still = outputs;
        self.update_counts(&mut outputs);
        for (id, _) in &self.counters {
            let node = Wiring::chip(*id);
            if outputs[node] != loaded[node] {
                return Err(self.count_changes(step, *id, &still, loaded[node]));
            }
        }
        Ok(())
    }

    fn load(&self, outputs: &mut Outputs, value: u32) {
        for (bit, wire) in self.loaded.iter().enumerate() {
            let level = (value >> bit & 1) as u8;
            outputs[wire.node] = outputs[wire.node] & !(1 << wire.bit) | level << wire.bit;
        }
    }

    fn update_counts(&self, outputs: &mut Outputs) {
        for (id, _) in &self.counters {
            let node = Wiring::chip(*id);
            let address = self.graph.wiring.address(node, outputs);
            if let NodeKind::Rom(contents) = &self.graph.wiring.nodes()[node].kind {
                outputs[node] = contents[address as usize];
            }
        }
    }

    fn count_changes(
        &self,
        step: &Transition,
        id: ChipId,
        outputs: &Outputs,
        expected: u8,
    ) -> Counterexample {
        let address = self.graph.wiring.address(Wiring::chip(id), outputs);
        let chip = self.graph.board.chip(id);
        let shown = chip.contents()[address as usize];
        let event = chip_shows(chip.name(), address, shown, Some(expected));
        Counterexample::new(QUIET_END, vec![self.graph.describe_step(step), event])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use gray1_roms::{GRAY1, load};

    use super::*;
    use crate::tests::graph;

    /// Adds a third counter, which loads the parity of some wires of A.
    #[test]
    fn sixteen_wires_can_be_loaded() {
        let with_wires_of_a = |wires: &str| {
            let more = format!(
                r#"chips: [(
                    name: "MORE", part: "82S123",
                    address: ["MORE", "PC_LOAD", {wires}],
                    data: ["MORE"],
                    does: Counter(
                        code: Gray, clock: "AS.7", count: ["MORE"],
                        load: (on: "PC_LOAD", gray: [Parity([{wires}])]),
                    ),
                ),"#
            );
            load(&GRAY1.replacen("chips: [", &more, 1)).unwrap()
        };
        let most = with_wires_of_a(r#""AS.5-7""#);
        let steps = graph(&most);
        assert_eq!(Loads::find(&steps).map(|loads| loads.loaded.len()), Ok(16));
    }

    #[test]
    fn each_loaded_number_has_different_levels() {
        let board = load(GRAY1).unwrap();
        let graph = graph(&board);
        let loads = Loads::find(&graph).unwrap();
        for shown in [0, u8::MAX] {
            let loaded: BTreeSet<Outputs> = (0..1 << 13)
                .map(|value| {
                    let mut outputs = [shown; NODES_MAX];
                    loads.load(&mut outputs, value);
                    outputs
                })
                .collect();
            assert_eq!(loaded.len(), 1 << 13);
            // All other wires do not change.
            let moved = loaded.iter().flatten().map(|byte| (byte ^ shown).count_ones());
            assert_eq!(moved.sum::<u32>(), 13 << 12);
        }
    }
}
