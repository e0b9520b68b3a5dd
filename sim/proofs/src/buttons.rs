//! The part of proof 6 about buttons that change in T1: no chip takes anything from them then.
//! An FPGA lets them change in T1 only.

use gray1_board::Panel;
use gray1_board::phase::Phase;
use gray1_circuit::nodes::wiring::{OutputBit, Wiring};
use gray1_circuit::plans::sensitivity::Sensitivities;

use super::counterexample::{Counterexample, chip_takes_either, wire_can_move};
use super::dependencies::Spread;
use super::steps::{StateGraph, Transition};

const UNSEEN: &str = "buttons that change in T1 reach no chip that takes them";

/// Returns the steps that leave T1. The levels before them are those in T1.
pub(super) fn steps_from_t1<'a>(graph: &'a StateGraph<'_>) -> impl Iterator<Item = &'a Transition> {
    graph.steps.iter().filter(move |step| graph.phase(step.from) == Phase::T1)
}

/// Follows a change of the buttons in T1, before this step. Returns an upper limit for the number
/// of chips that it passes one after the other.
pub(super) fn follow(
    graph: &StateGraph,
    sensitivities: &mut Sensitivities,
    panel: &Panel,
    step: &Transition,
) -> Result<u32, Counterexample> {
    let buttons = panel.buttons.iter().map(|&net| graph.wiring.output_bit(net));
    let buttons: Vec<OutputBit> = buttons.collect();
    let refuse = |wire: OutputBit, node: usize| {
        let wires = [buttons[0], wire].map(|wire| wire_can_move(&graph.wire_name(wire)));
        let mut events = vec![format!("in {}", graph.phase(step.from))];
        events.extend(wires);
        events.push(chip_takes_either(&graph.node_name(node)));
        Counterexample::new(UNSEEN, events)
    };
    let spread = Spread::follow(graph, sensitivities, &[&step.movement.before[..]], &buttons)
        .map_err(|taken| refuse(taken.wire, taken.node))?;
    // Data memory and the strobes must not see them at all.
    let memory = Wiring::chip(graph.board.memory());
    for &node in graph.sequencer.nodes().iter().chain([&memory]) {
        let mut wires = graph.wiring.nodes()[node].pins.iter().map(|(_, wire)| *wire);
        if let Some(wire) = wires.find(|wire| spread.wires[wire.node] >> wire.bit & 1 == 1) {
            return Err(refuse(wire, node));
        }
    }
    Ok(spread.chips)
}
