//! Proof 3: strobes do not glitch, and the inputs of a latch do not change while it closes.

use gray1_board::ChipId;
use gray1_board::role::Role;
use gray1_board::table::subsets;
use gray1_circuit::nodes::wiring::{NodeKind, OutputBit, RAM_WRITE_LOW, RAM_WRITE_PIN, Wiring};
use gray1_circuit::plans::sensitivity::Sensitivities;

use super::Examination;
use super::counterexample::{
    Counterexample, Verdict, chip_takes_either, wire_can_move, wire_closes, wire_moves,
};
use super::dependencies::DependencyGraph;
use super::steps::{StateGraph, Transition};

const NO_GLITCH: &str = "a strobe that is the same before and after a step does not glitch";
const ONCE: &str = "the strobes of a step do not depend on what the step moves";
const CLOSES: &str = "the inputs of a chip do not move in the step in which its enable ends";
const WRITE_ADDRESS: &str = "the write address does not move while data memory is written";
const ADDRESS_SETTLED: &str =
    "no latch of a write address closes in the step in which the write begins";
const CLOCK_STABLE: &str = "the phase does not clock a counter as its load begins or ends";
const ONE_COMMAND: &str = "a counter never has to load and clear at the same time";
const NO_CYCLE: &str = "latches that feed each other are never open in the same or adjacent phases";

impl Examination<'_> {
    pub(super) fn prove_strobes(&mut self) -> Verdict {
        let graph = self.prover.graph()?;
        let enables = find_enables(graph);
        let address_nodes = find_address_nodes(graph);
        for &index in &graph.indexes {
            self.check_each(enables.iter().map(|enable| check_one_command(graph, index, enable)))?;
        }
        for step in &graph.steps {
            self.check_glitches(graph, step)?;
            check_strobes_move_once(graph, step)?;
            self.check_each(enables.iter().map(|enable| {
                check_closing(graph, step, enable).and_then(|()| check_clock(graph, step, enable))
            }))?;
            self.check_each([check_write_address(graph, step)])?;
            let settled = check_address_has_settled(graph, step, &enables, &address_nodes);
            self.check_each([settled])?;
        }
        for step in &graph.steps {
            self.cases += 1;
            check_no_cycle(graph, step, &mut self.sensitivities)?;
        }
        Ok(())
    }

    /// Checks the tables of the sequencer at every mix of old and new levels of the wires that
    /// change.
    fn check_glitches(&mut self, graph: &StateGraph, step: &Transition) -> Verdict {
        let before = graph.outputs(step.from);
        let tables =
            graph.sequencer.nodes().iter().filter(|&&node| graph.wiring.nodes()[node].own == 0);
        for &node in tables {
            let from = graph.wiring.address(node, &before);
            for bits in subsets(u32::from(step.movement.external)) {
                let after = graph.outputs(step.to & !step.movement.external | bits as u16);
                let to = graph.wiring.address(node, &after);
                let mut mixes: Vec<u32> = subsets(from ^ to).collect();
                mixes.sort_by_key(|mix| mix.count_ones());
                let mixes = mixes.into_iter();
                self.check_each(mixes.map(|mix| check_mix(graph, step, node, (from, to, mix))))?;
            }
        }
        Ok(())
    }
}

/// A strobe that enables a chip to store something.
struct Enable {
    chip: ChipId,
    strobe: OutputBit,
    /// The level at which the chip stores.
    on: bool,
    /// The wires that are stored, and other wires that must not change when the strobe ends.
    inputs: Vec<OutputBit>,
    /// A strobe that has priority while it is high.
    overruled_by: Option<OutputBit>,
    /// The clock of a counter.
    clock: Option<OutputBit>,
}

impl Enable {
    /// Returns whether the strobe can turn on in a step, or off if `on` is false. A strobe from a
    /// table outside the sequencer is assumed to do so, for some operand, in every step in which it
    /// can change.
    fn turns(&self, graph: &StateGraph, step: &Transition, on: bool) -> bool {
        let is_on = |index| (self.strobe.is_high(&graph.outputs(index)) == self.on) == on;
        if graph.is_strobe(self.strobe) {
            !is_on(step.from) && is_on(step.to)
        } else {
            graph.can_move(step, self.strobe)
        }
    }
}

/// Finds all strobes that enable a chip to store something.
fn find_enables(graph: &StateGraph) -> Vec<Enable> {
    let board = graph.board;
    let mut enables = Vec::new();
    for chip in board.chip_ids() {
        let pins = &graph.wiring.nodes()[Wiring::chip(chip)].pins;
        let sources = |mask: u32| {
            let wired = pins.iter().filter(move |(pin, _)| mask >> pin & 1 == 1);
            wired.map(|(_, wire)| *wire).collect::<Vec<OutputBit>>()
        };
        let source = |pin: u8| graph.wiring.source(Wiring::chip(chip), pin);
        let clear = match board.chip(chip).role() {
            Role::Counter(counter) => counter.clear,
            _ => None,
        };
        let clock = match board.chip(chip).role() {
            Role::Counter(counter) => source(counter.clock),
            _ => None,
        };
        let mut add = |pin: u8, on: bool, inputs: Vec<OutputBit>| {
            let overruled_by = clear.filter(|&clear| clear != pin).and_then(source);
            if let Some(strobe) = source(pin) {
                enables.push(Enable { chip, strobe, on, inputs, overruled_by, clock });
            }
        };
        match board.chip(chip).role() {
            Role::Latches(latches) => {
                for latch in latches {
                    add(latch.enable, true, sources(latch.d.mask()));
                }
            }
            Role::Counter(counter) => {
                if let Some(load) = &counter.load {
                    let wires = load.gray.iter().fold(1 << counter.clock, |m, p| m | p.0);
                    add(load.on, true, sources(wires));
                }
                if let Some(clear) = counter.clear {
                    add(clear, true, sources(1 << counter.clock));
                }
            }
            Role::Memory => {
                let mut inputs = sources(RAM_WRITE_LOW - 1);
                inputs.extend(written_wires(graph, chip));
                add(RAM_WRITE_PIN, false, inputs);
            }
            Role::Function(_) | Role::Program(_) => {}
        }
    }
    enables
}

/// Returns the wires that the written byte depends on: the inputs of the chip that drives the data
/// pins.
fn written_wires(graph: &StateGraph, memory: ChipId) -> Vec<OutputBit> {
    let data = graph.board.chip(memory).data.iter().map(|&net| graph.wiring.output_bit(net));
    let drivers = data.filter_map(|wire| graph.wiring.shared_driver(wire, u32::MAX, 0));
    let inputs = drivers.flat_map(|driver| graph.wiring.nodes()[driver.node].pins.iter());
    inputs.map(|(_, wire)| *wire).collect()
}

fn check_mix(
    graph: &StateGraph,
    step: &Transition,
    node: usize,
    (from, to, mix): (u32, u32, u32),
) -> Verdict {
    let NodeKind::Rom(contents) = &graph.wiring.nodes()[node].kind else { return Ok(()) };
    let shown = |address: u32| contents[address as usize];
    let (before, after, between) = (shown(from), shown(to), shown(from ^ mix));
    let glitches = !(before ^ after) & (before ^ between);
    if glitches == 0 {
        return Ok(());
    }
    let wire = OutputBit { node, bit: glitches.trailing_zeros() as u8 };
    let name = graph.wire_name(wire);
    let mut events = graph.describe_glitch(step, wire, from ^ mix, mix, between);
    events.extend(readers(graph, wire).map(|chip| format!("{chip} reads {name}")));
    Err(Counterexample::new(NO_GLITCH, events))
}

fn readers<'a>(graph: &'a StateGraph, wire: OutputBit) -> impl Iterator<Item = String> + 'a {
    let nodes = graph.wiring.nodes().iter().enumerate();
    let readers =
        nodes.filter(move |(_, node)| node.pins.iter().any(|(_, source)| *source == wire));
    readers.map(|(number, _)| graph.node_name(number))
}

fn check_strobes_move_once(graph: &StateGraph, step: &Transition) -> Verdict {
    for bits in subsets(u32::from(step.movement.external)) {
        let index = step.to & !step.movement.external | bits as u16;
        if graph.sequencer.shown(index) != graph.sequencer.shown(step.to) {
            let moved = graph.sequencer.inputs().filter(|(bit, _)| (index ^ step.to) & bit != 0);
            let mut events = vec![graph.describe_step(step)];
            events.extend(
                moved.map(|(bit, wire)| wire_moves(&graph.wire_name(wire), index & bit != 0)),
            );
            return Err(Counterexample::new(ONCE, events));
        }
    }
    Ok(())
}

fn check_closing(graph: &StateGraph, step: &Transition, enable: &Enable) -> Verdict {
    let after = graph.outputs(step.to);
    let ends = enable.turns(graph, step, false);
    if !ends || enable.overruled_by.is_some_and(|wire| wire.is_high(&after)) {
        return Ok(());
    }
    let Some(&wire) = enable.inputs.iter().find(|&&wire| graph.can_move(step, wire)) else {
        return Ok(());
    };
    let chip = graph.board.chip(enable.chip).name();
    let events = vec![
        graph.describe_step(step),
        wire_can_move(&graph.wire_name(wire)),
        wire_closes(&graph.wire_name(enable.strobe), chip),
        chip_takes_either(chip),
    ];
    Err(Counterexample::new(CLOSES, events))
}

/// Checks that the clock does not change in the step in which loading begins or ends.
fn check_clock(graph: &StateGraph, step: &Transition, enable: &Enable) -> Verdict {
    let Some(clock) = enable.clock.filter(|&wire| graph.is_strobe(wire)) else { return Ok(()) };
    if !graph.can_move(step, enable.strobe) || !graph.can_move(step, clock) {
        return Ok(());
    }
    let after = graph.outputs(step.to);
    let [clock, strobe] =
        [clock, enable.strobe].map(|wire| wire_moves(&graph.wire_name(wire), wire.is_high(&after)));
    let effect = chip_takes_either(graph.board.chip(enable.chip).name());
    Err(Counterexample::new(CLOCK_STABLE, vec![graph.describe_step(step), clock, strobe, effect]))
}

/// Checks that a strobe and the one with priority over it are not on at the same time, because they
/// would end at the same time.
fn check_one_command(graph: &StateGraph, index: u16, enable: &Enable) -> Verdict {
    let outputs = graph.outputs(index);
    match enable.overruled_by.filter(|wire| wire.is_high(&outputs)) {
        Some(other) if enable.strobe.is_high(&outputs) == enable.on => {
            let [one, other] = [enable.strobe, other].map(|wire| graph.wire_name(wire));
            let phase = graph.phase(index);
            let chip = graph.board.chip(enable.chip).name();
            let note = format!("in {phase} {chip} is commanded by both {one} and {other}");
            Err(Counterexample::new(ONE_COMMAND, vec![note]))
        }
        _ => Ok(()),
    }
}

fn check_write_address(graph: &StateGraph, step: &Transition) -> Verdict {
    let memory = graph.wiring.memory();
    let Some(strobe) = graph.wiring.source(memory, RAM_WRITE_PIN) else { return Ok(()) };
    let low = |index| !strobe.is_high(&graph.outputs(index));
    if !low(step.from) && !low(step.to) {
        return Ok(());
    }
    let pins = graph.wiring.nodes()[memory].pins.iter();
    let mut address = pins.filter(|(pin, _)| *pin < RAM_WRITE_PIN);
    let Some((_, wire)) = address.find(|(_, wire)| graph.can_move(step, *wire)) else {
        return Ok(());
    };
    let events = vec![
        graph.describe_step(step),
        wire_can_move(&graph.wire_name(*wire)),
        format!("{} is low in this step", graph.wire_name(strobe)),
    ];
    Err(Counterexample::new(WRITE_ADDRESS, events))
}

/// Returns the nodes that drive the address of data memory, and the nodes that affect this address
/// through tables.
fn find_address_nodes(graph: &StateGraph) -> Vec<usize> {
    let sources = |node: usize, pins: u8| {
        let wired = graph.wiring.nodes()[node].pins.iter().filter(move |(pin, _)| *pin < pins);
        wired.map(|(_, wire)| wire.node)
    };
    let mut nodes: Vec<usize> = sources(graph.wiring.memory(), RAM_WRITE_PIN).collect();
    let mut at = 0;
    while let Some(&node) = nodes.get(at) {
        at += 1;
        // While a chip holds its output by feedback, the output does not depend on other chips.
        if graph.wiring.nodes()[node].own == 0 {
            let feeding = sources(node, u8::MAX).filter(|source| !nodes.contains(source));
            nodes.extend(feeding.collect::<Vec<usize>>());
        }
    }
    nodes
}

/// Checks that the address is stable before a write begins. A latch that closes at the same time
/// may still change its output after the write has begun.
fn check_address_has_settled(
    graph: &StateGraph,
    step: &Transition,
    enables: &[Enable],
    address_nodes: &[usize],
) -> Verdict {
    let memory = graph.board.memory();
    let mut writes = enables.iter().filter(|enable| enable.chip == memory);
    let Some(write) = writes.find(|write| write.turns(graph, step, true)) else { return Ok(()) };
    let mut latches = enables.iter().filter(|it| address_nodes.contains(&Wiring::chip(it.chip)));
    let Some(latch) = latches.find(|it| it.turns(graph, step, false)) else { return Ok(()) };
    let events = vec![
        graph.describe_step(step),
        wire_closes(&graph.wire_name(latch.strobe), graph.board.chip(latch.chip).name()),
        format!("{} begins a write in this step", graph.wire_name(write.strobe)),
    ];
    Err(Counterexample::new(ADDRESS_SETTLED, events))
}

/// Checks that wires do not depend on each other in a cycle through several chips in a step.
fn check_no_cycle(
    graph: &StateGraph,
    step: &Transition,
    sensitivities: &mut Sensitivities,
) -> Verdict {
    let cycle = DependencyGraph::new(graph, step, sensitivities).find_cycle();
    let Some(cycle) = cycle else { return Ok(()) };
    let wires: Vec<String> = cycle.into_iter().map(|wire| graph.wire_name(wire)).collect();
    let cycle = format!("{} and back, through open latches", wires.join(" -> "));
    Err(Counterexample::new(NO_CYCLE, vec![graph.describe_step(step), cycle]))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use gray1_roms::{GRAY1, load};

    use super::*;
    use crate::tests::graph;

    fn describe(graph: &StateGraph, enable: &Enable) -> String {
        let name = |wire: OutputBit| graph.wire_name(wire);
        let inputs: BTreeSet<String> = enable.inputs.iter().map(|&wire| name(wire)).collect();
        let inputs: Vec<String> = inputs.into_iter().collect();
        let (chip, strobe) = (graph.board.chip(enable.chip).name(), name(enable.strobe));
        let level = if enable.on { "high" } else { "low" };
        let unless =
            enable.overruled_by.map_or(String::new(), |wire| format!(" unless {}", name(wire)));
        let clock =
            enable.clock.map_or(String::new(), |wire| format!(", clocked by {}", name(wire)));
        format!("{chip} takes {} while {strobe} is {level}{unless}{clock}", inputs.join(" "))
    }

    #[test]
    fn each_strobe_has_the_inputs_that_it_stores() {
        let board = load(GRAY1).unwrap();
        let graph = graph(&board);
        let enables: Vec<String> =
            find_enables(&graph).iter().map(|enable| describe(&graph, enable)).collect();
        assert_eq!(
            enables,
            [
                "PCH takes IRH.0 IRH.1 IRH.2 IRH.3 IRH.4 IRL.6 IRL.7 PCL.7 \
                 while PC_LOAD is high unless CLR, clocked by PCL.7",
                "PCH takes PCL.7 while CLR is high, clocked by PCL.7",
                "PCL takes IRL.0 IRL.1 IRL.2 IRL.3 IRL.4 IRL.5 PCH.7 PHASE.2 \
                 while PC_LOAD is high unless CLR, clocked by PHASE.2",
                "PCL takes PHASE.2 while CLR is high, clocked by PHASE.2",
                "IRH takes PROG.0 PROG.1 PROG.2 PROG.3 PROG.4 PROG.5 PROG.6 PROG.7 \
                 while IRH_EN is high",
                "IRL takes PROG.0 PROG.1 PROG.2 PROG.3 PROG.4 PROG.5 PROG.6 PROG.7 \
                 while IRL_EN is high",
                "AM takes ALUH.0 ALUH.1 ALUH.2 ALUH.3 ALUL.0 ALUL.1 ALUL.2 ALUL.3 \
                 while AM_EN is high",
                "AS takes AM.0 AM.1 AM.2 AM.3 AM.4 AM.5 AM.6 AM.7 while AS_EN is high",
                "FLAGS takes ALUH.4 while CM_EN is high",
                "FLAGS takes FLAGS.0 while AS_EN is high",
                "RAM takes AS.0 AS.1 AS.2 AS.3 AS.4 AS.5 AS.6 AS.7 IRH.0 IRH.1 IRH.2 IRH.3 IRH.4 \
                 IRL.0 IRL.1 IRL.2 IRL.3 IRL.4 IRL.5 IRL.6 IRL.7 while nWE is low",
            ]
        );
    }

    /// A table between a latch and data memory makes no difference.
    #[test]
    fn the_latches_of_a_write_address_are_found_through_tables() {
        let between = r#"(
            name: "SELECT", part: "2716",
            address: ["IRL.0-7", "0", "0", "0"], data: ["CELL.0-7"], does: Buffer(from: ["IRL.0-7"]),
        ),
        (
            name: "RAM","#;
        let text = GRAY1.replacen("(\n            name: \"RAM\",", between, 1);
        let (chips, ram) = text.split_once("name: \"RAM\",").unwrap();
        let ram = ram.replacen("[\"OPERAND\"]", "[\"CELL.0-7\", \"IRH.0-4\"]", 1);
        let board = load(&format!("{chips}name: \"RAM\",{ram}")).unwrap();
        for (board, expected) in
            [(load(GRAY1).unwrap(), &["IRL", "IRH"][..]), (board, &["SELECT", "IRH", "IRL"])]
        {
            let graph = graph(&board);
            let nodes = find_address_nodes(&graph).into_iter().map(|node| graph.node_name(node));
            let mut nodes: Vec<String> = nodes.collect();
            nodes.dedup();
            assert_eq!(nodes, expected);
        }
    }
}
