//! The time in which a board settles: the slowest path of any step, chip by chip.

use gray1_board::ChipId;
use gray1_board::phase::Phase;
use gray1_circuit::nodes::wiring::{OUTSIDE, OutputBit, RESET, Wiring};
use gray1_circuit::plans::sensitivity::Sensitivities;

use super::counterexample::{Cause, Counterexample};
use super::steps::{StateGraph, Transition};

/// The slowest path through a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlowestPath {
    /// The phase before the step.
    pub from: Phase,
    /// The phase after the step.
    pub to: Phase,
    /// The cause of the step.
    pub cause: Cause,
    /// The chips on the path.
    pub hops: Vec<Hop>,
}

/// A chip on a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    /// The wire through which the path enters the chip.
    pub wire: String,
    /// The chip.
    pub chip: ChipId,
    /// The delay of the wire's filter in ns, or 0 without a filter.
    pub filter_ns: u32,
    /// The chip's access time in ns.
    pub access_ns: u32,
    /// The time in ns from the start of the step until the chip has settled.
    pub settled_ns: u32,
}

impl SlowestPath {
    /// Returns the total delay, in ns.
    pub fn total_ns(&self) -> u32 {
        self.hops.last().map_or(0, |hop| hop.settled_ns)
    }

    /// Returns the highest frequency in Hz of an oscillator with 50 % duty cycle. A phase must be
    /// longer than the path.
    pub fn oscillator_hz_max(&self) -> f64 {
        1e9 / (2.0 * f64::from(self.total_ns()))
    }
}

/// Finds the slowest path of a board with these access times in ns, indexed by [`ChipId::index`].
///
/// # Errors
/// If the board's strobes do not depend on the phase, or wires depend on each other in a cycle
/// during a step.
pub(super) fn slowest_path(
    graph: &StateGraph,
    sensitivities: &mut Sensitivities,
    access_ns: impl Fn(ChipId) -> u32,
) -> Result<SlowestPath, Counterexample> {
    let filters = filters(graph);
    let settled_ns = |path: &[Arrival]| path.last().map_or(0, |arrival| arrival.settled_ns);
    let mut slowest: Option<(&Transition, Vec<Arrival>)> = None;
    let mut steps: Vec<&Transition> = graph.steps.iter().collect();
    // If several paths are equally slow, one without reset is preferred.
    steps.sort_by_key(|step| step.from & u16::from(RESET));
    for step in steps {
        let path = Timing { graph, step, filters: &filters, sensitivities }.slowest(&access_ns)?;
        if slowest.as_ref().is_none_or(|(_, slowest)| settled_ns(&path) > settled_ns(slowest)) {
            slowest = Some((step, path));
        }
    }
    let Some((step, path)) = slowest else {
        return Err(Counterexample::new("the board has steps", Vec::new()));
    };
    let hops = path.into_iter().filter_map(|arrival| {
        let chip = Wiring::chip_at(arrival.node, graph.board)?;
        Some(Hop {
            wire: graph.wire_name(arrival.wire),
            chip,
            filter_ns: filters[arrival.wire.node][usize::from(arrival.wire.bit)],
            access_ns: access_ns(chip),
            settled_ns: arrival.settled_ns,
        })
    });
    Ok(SlowestPath {
        from: graph.phase(step.from),
        to: graph.phase(step.to),
        cause: step.cause,
        hops: hops.collect(),
    })
}

/// Returns the delays of the filters on the outputs of each node, in ns.
fn filters(graph: &StateGraph) -> Vec<[u32; 8]> {
    let mut filters = vec![[0; 8]; graph.wiring.nodes().len()];
    for (net, id) in graph.board.nets().iter().zip(graph.board.net_ids()) {
        let wire = graph.wiring.output_bit(id);
        filters[wire.node][usize::from(wire.bit)] = net.filter_ns();
    }
    filters
}

/// A change of a wire, and the time at which its effect on a node has settled.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    wire: OutputBit,
    node: usize,
    settled_ns: u32,
}

/// The changes of one step.
struct Timing<'a> {
    graph: &'a StateGraph<'a>,
    step: &'a Transition,
    filters: &'a [[u32; 8]],
    sensitivities: &'a mut Sensitivities,
}

/// For each output wire of each node: the last arrival that changes it.
type Arrivals = Vec<[Option<Arrival>; 8]>;

impl Timing<'_> {
    /// Finds the slowest chain of arrivals.
    fn slowest(
        &mut self,
        access_ns: &impl Fn(ChipId) -> u32,
    ) -> Result<Vec<Arrival>, Counterexample> {
        let nodes = self.graph.wiring.nodes().len();
        let mut latest: Arrivals = vec![[None; 8]; nodes];
        let mut last: Option<Arrival> = None;
        // Without a cycle, no chain is longer than the number of wires.
        for _ in 0..=latest.as_flattened().len() {
            let before = latest.clone();
            for node in 1..nodes {
                let delay = self.delay(node, access_ns);
                for arrival in self.arrivals(node, delay, &before) {
                    self.propagate(arrival, &mut latest);
                    if last.is_none_or(|last| arrival.settled_ns > last.settled_ns) {
                        last = Some(arrival);
                    }
                }
            }
            if settling_times(&latest) == settling_times(&before) {
                return Ok(trace_back(last, &latest));
            }
        }
        let events = vec![self.graph.describe_step(self.step)];
        Err(Counterexample::new("wires do not feed each other in a circle", events))
    }

    /// Returns the delay of a node. Shared wires add no delay.
    fn delay(&self, node: usize, access_ns: &impl Fn(ChipId) -> u32) -> u32 {
        Wiring::chip_at(node, self.graph.board).map_or(0, access_ns)
    }

    /// Returns the changes at the inputs of a node, each with the time at which its effect on the
    /// outputs settles.
    fn arrivals(&self, node: usize, delay: u32, latest: &Arrivals) -> Vec<Arrival> {
        let pins = self.graph.wiring.nodes()[node].pins.iter();
        let arrivals = pins.filter_map(|&(_, wire)| {
            let moved_ns = if wire.node == OUTSIDE {
                self.graph.can_move(self.step, wire).then_some(0)
            } else {
                latest[wire.node][usize::from(wire.bit)].map(|arrival| arrival.settled_ns)
            };
            let delay = delay + self.filters[wire.node][usize::from(wire.bit)];
            moved_ns.map(|ns| Arrival { wire, node, settled_ns: ns + delay })
        });
        arrivals.collect()
    }

    /// Propagates a change to the wires that it can change.
    fn propagate(&mut self, arrival: Arrival, latest: &mut Arrivals) {
        let Arrival { wire, node, settled_ns } = arrival;
        if wire.node == node {
            return;
        }
        let moved = self.moved_by(node, wire);
        for (bit, last) in latest[node].iter_mut().enumerate() {
            let later = last.is_none_or(|known| settled_ns > known.settled_ns);
            if moved >> bit & 1 == 1 && later {
                *last = Some(arrival);
            }
        }
    }

    fn moved_by(&mut self, node: usize, wire: OutputBit) -> u8 {
        let graph = self.graph;
        let can_move = (0..8).filter(|&bit| graph.can_move(self.step, OutputBit { node, bit }));
        let can_move = can_move.fold(0, |wires, bit| wires | 1 << bit);
        match (graph.sequencer.nodes().contains(&node), graph.is_strobe(wire)) {
            (_, true) => return can_move,
            // Strobes do not respond to their own effects, according to proof 3.
            (true, false) => return 0,
            (false, false) => {}
        }
        let [before, after] = [&self.step.movement.before, &self.step.movement.after]
            .map(|fixed| self.sensitivities.get(&graph.wiring, node, fixed[node]));
        let pins = graph.wiring.nodes()[node].pins_reading(|source| source == wire);
        (before.moved_by(pins) | after.moved_by(pins)) & can_move
    }
}

fn settling_times(latest: &Arrivals) -> Vec<Option<u32>> {
    latest.iter().flatten().map(|last| last.map(|arrival| arrival.settled_ns)).collect()
}

/// Returns the arrivals that lead to the last one, in order.
fn trace_back(last: Option<Arrival>, latest: &Arrivals) -> Vec<Arrival> {
    let mut chain = Vec::new();
    let mut next = last;
    while let Some(arrival) = next {
        chain.push(arrival);
        next = latest[arrival.wire.node][usize::from(arrival.wire.bit)];
    }
    chain.reverse();
    chain
}
