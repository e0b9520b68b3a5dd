//! Proof 4: shared wires have exactly one driver while settled, and no open latch sees the wires
//! while the driver changes.

use gray1_board::{Driver, NetId};
use gray1_circuit::nodes::wiring::OutputBit;
use gray1_circuit::plans::sensitivity::Sensitivities;

use super::Examination;
use super::counterexample::{Counterexample, Verdict, chip_takes_either, wire_can_move};
use super::dependencies::Spread;
use super::steps::{StateGraph, Transition};

const ONE_DRIVER: &str = "a shared wire has exactly one driver";
const UNSEEN: &str = "no latch or counter reads shared wires while their drivers change";

impl Examination<'_> {
    pub(super) fn prove_bus(&mut self) -> Verdict {
        let graph = self.prover.graph()?;
        let shared = graph.board.net_ids().filter_map(|net| match graph.board.net(net).driver {
            Driver::Shared { select, .. } => Some((net, select)),
            Driver::Outside | Driver::Chip(_) => None,
        });
        let shared: Vec<(NetId, NetId)> = shared.collect();
        for &(net, select) in &shared {
            let states = graph.indexes.iter();
            self.check_each(states.map(|index| check_one_driver(graph, net, select, *index)))?;
        }
        for step in &graph.steps {
            self.cases += 1;
            let changing = shared.iter().filter(|(_, select)| driver_changes(graph, step, *select));
            let wires: Vec<OutputBit> =
                changing.map(|(net, _)| graph.wiring.output_bit(*net)).collect();
            if !wires.is_empty() {
                check_unseen(graph, step, &wires, &mut self.sensitivities)?;
            }
        }
        Ok(())
    }
}

fn driver_changes(graph: &StateGraph, step: &Transition, select: NetId) -> bool {
    let select = graph.wiring.output_bit(select);
    select.is_high(&graph.outputs(step.from)) != select.is_high(&graph.outputs(step.to))
}

/// Checks that a wire has exactly one driver in a state of the sequencer.
fn check_one_driver(graph: &StateGraph, net: NetId, select: NetId, index: u16) -> Verdict {
    let high = graph.wiring.output_bit(select).is_high(&graph.outputs(index));
    let drivers = graph.board.chips().iter().filter(|chip| chip.data.contains(&net));
    let on = drivers.filter(|chip| chip.output.is_on(|_| high)).count();
    if on == 1 {
        return Ok(());
    }
    let (phase, wire) = (graph.phase(index), graph.board.net(net).name());
    Err(Counterexample::new(ONE_DRIVER, vec![format!("in {phase} {wire} has {on} drivers")]))
}

/// Checks that changes of the shared wires do not reach a chip that stores bits.
fn check_unseen(
    graph: &StateGraph,
    step: &Transition,
    shared: &[OutputBit],
    sensitivities: &mut Sensitivities,
) -> Verdict {
    let levels = [&step.movement.before[..], &step.movement.after];
    let Err(taken) = Spread::follow(graph, sensitivities, &levels, shared) else { return Ok(()) };
    let events = vec![
        graph.describe_step(step),
        wire_can_move(&graph.wire_name(shared[0])),
        wire_can_move(&graph.wire_name(taken.wire)),
        chip_takes_either(&graph.node_name(taken.node)),
    ];
    Err(Counterexample::new(UNSEEN, events))
}
