//! Finds every possible step of a board's strobes, starting from reset, and the wires that can
//! change in it.
//!
//! A state is an index of the sequencer. The panel changes reset only while the oscillator is high,
//! and lowers it only after the phase has parked. In the steps in which the external inputs of the
//! sequencer (opcode and carry) can change, they may change from any level to any other. A slave
//! latch changes only if its master has changed since they last had the same value.

use std::collections::{BTreeMap, BTreeSet};

use gray1_board::phase::Phase;
use gray1_board::table::subsets;
use gray1_board::{Board, number};
use gray1_circuit::nodes::wiring::{
    NODES_MAX, OSCILLATOR, OUTSIDE, OutputBit, Outputs, RESET, Wiring,
};
use gray1_circuit::plans::planner::Movement;
use gray1_circuit::plans::sensitivity::Sensitivities;
use gray1_circuit::plans::sequencer::Sequencer;
use gray1_circuit::quick_hash::{QuickMap, QuickSet};

use super::counterexample::{Cause, Counterexample, chip_shows, wire_moves};

/// All possible steps of a board's strobes.
#[derive(Debug)]
pub(super) struct StateGraph<'a> {
    pub(super) board: &'a Board,
    pub(super) wiring: Wiring,
    pub(super) sequencer: Sequencer,
    pub(super) steps: Vec<Transition>,
    /// The indexes at which the sequencer can be settled.
    pub(super) indexes: BTreeSet<u16>,
}

#[derive(Debug, Clone)]
pub(super) struct Transition {
    pub(super) cause: Cause,
    pub(super) from: u16,
    /// The index after the strobes have changed, before the external inputs change.
    pub(super) to: u16,
    pub(super) movement: Movement,
}

/// The index of the sequencer, and the slaves that may differ from their masters.
type StrobeState = (u16, u16);

/// An external input of the sequencer that is a slave, which means that its latch copies another
/// latch's output.
struct Slave {
    bit: u16,
    master: OutputBit,
    enable: OutputBit,
}

impl<'a> StateGraph<'a> {
    /// Explores all states that can be reached from reset.
    pub(super) fn explore(
        board: &'a Board,
        wiring: Wiring,
        sensitivities: &mut Sensitivities,
    ) -> Result<Self, Counterexample> {
        let sequencer = Sequencer::find(&wiring).ok_or_else(|| {
            let note = "no counter reads only the oscillator and reset".to_owned();
            Counterexample::new("the strobes come from the phase", vec![note])
        })?;
        let mut explorer = Explorer {
            slaves: find_slaves(board, &wiring, &sequencer),
            sensitivities,
            known: QuickMap::default(),
        };
        let mut seen: QuickSet<StrobeState> = QuickSet::default();
        let mut pending: Vec<StrobeState> = parked(&sequencer).map(|index| (index, 0)).collect();
        let mut steps: BTreeMap<(u16, u16, u16), Transition> = BTreeMap::new();
        while let Some(state) = pending.pop() {
            if !seen.insert(state) {
                continue;
            }
            for (cause, raw) in possible_causes(&sequencer, state.0) {
                let to = sequencer.settled_index(raw).ok_or_else(|| moves_twice(state.0))?;
                let (movement, differs) = explorer.movement(&wiring, &sequencer, state, to);
                for bits in subsets(u32::from(movement.external)) {
                    pending.push((to & !movement.external | bits as u16, differs));
                }
                let step = Transition { cause, from: state.0, to, movement };
                steps.entry((step.from, to, step.movement.external)).or_insert(step);
            }
        }
        let indexes = seen.into_iter().map(|(index, _)| index).collect();
        Ok(Self { board, wiring, sequencer, steps: steps.into_values().collect(), indexes })
    }

    /// Returns the levels of the wires that the sequencer's nodes drive or read at an index.
    pub(super) fn outputs(&self, index: u16) -> Outputs {
        let mut outputs = [0; NODES_MAX];
        for (bit, signal) in self.sequencer.inputs() {
            outputs[signal.node] |= u8::from(index & bit != 0) << signal.bit;
        }
        self.sequencer.show(index, &mut outputs);
        outputs
    }

    /// Returns whether a wire is driven by the sequencer or is the oscillator or reset wire from
    /// outside.
    pub(super) fn is_strobe(&self, wire: OutputBit) -> bool {
        wire.node == OUTSIDE || self.sequencer.nodes().contains(&wire.node)
    }

    /// Returns whether a wire can change in a step.
    pub(super) fn can_move(&self, step: &Transition, wire: OutputBit) -> bool {
        if self.is_strobe(wire) {
            wire.is_high(&self.outputs(step.from)) != wire.is_high(&self.outputs(step.to))
        } else {
            step.movement.wires[wire.node] >> wire.bit & 1 == 1
        }
    }

    /// Describes when a step happens.
    pub(super) fn describe_step(&self, step: &Transition) -> String {
        let outputs = self.outputs(step.from);
        let reset = if outputs[OUTSIDE] & RESET == 0 { "" } else { ", under reset" };
        let [from, to] = [step.from, step.to].map(|index| self.phase(index));
        let event = format!("{from} -> {to}{reset}: {}", step.cause);
        self.sequencer.inputs().fold(event, |event, (_, wire)| {
            format!("{event}, {} = {}", self.wire_name(wire), u8::from(wire.is_high(&outputs)))
        })
    }

    /// Explains a glitch: a wire briefly has another level, because its node reads an address at
    /// which some pins have changed and others have not.
    pub(super) fn describe_glitch(
        &self,
        step: &Transition,
        wire: OutputBit,
        address: u32,
        moved: u32,
        shown: u8,
    ) -> Vec<String> {
        let pins = self.wiring.nodes()[wire.node].pins.iter();
        let mut events = vec![self.describe_step(step)];
        events.extend(
            pins.filter(|(pin, _)| moved >> pin & 1 == 1)
                .map(|(pin, wire)| wire_moves(&self.wire_name(*wire), address >> pin & 1 == 1)),
        );
        events.push(chip_shows(&self.node_name(wire.node), address, shown, None));
        let is_high = shown >> wire.bit & 1 == 1;
        let (now, rest) = if is_high { ("high", "low") } else { ("low", "high") };
        let wire = self.wire_name(wire);
        events.push(format!("{wire} is {now} for a moment, though it is {rest} before and after"));
        events
    }

    /// Returns the phase at an index.
    pub(super) fn phase(&self, index: u16) -> Phase {
        let outputs = self.outputs(index);
        Phase::from_code(number(&self.board.probes().phase, |net| {
            self.wiring.output_bit(net).is_high(&outputs)
        }))
    }

    /// Returns the name of a wire.
    pub(super) fn wire_name(&self, wire: OutputBit) -> String {
        let net = self.board.net_ids().find(|&net| self.wiring.output_bit(net) == wire);
        net.map_or_else(
            || format!("D{} of {}", wire.bit, self.node_name(wire.node)),
            |net| self.board.net(net).name().to_owned(),
        )
    }

    /// Returns the name of a node.
    pub(super) fn node_name(&self, node: usize) -> String {
        Wiring::chip_at(node, self.board).map_or_else(
            || "the shared wires".to_owned(),
            |id| self.board.chip(id).name().to_owned(),
        )
    }
}

/// Finds the wires that can change in a step. Does not repeat the search for an equal step.
struct Explorer<'a> {
    slaves: Vec<Slave>,
    sensitivities: &'a mut Sensitivities,
    known: QuickMap<(u16, u16, u16), Movement>,
}

impl Explorer<'_> {
    /// Returns the changes in the step from a state to an index, and the slaves that may differ
    /// from their masters afterwards.
    fn movement(
        &mut self,
        wiring: &Wiring,
        sequencer: &Sequencer,
        (from, differs): StrobeState,
        to: u16,
    ) -> (Movement, u16) {
        let still = self.slaves.iter().filter(|slave| differs & slave.bit == 0);
        let mut still = still.fold(0, |bits, slave| bits | slave.bit);
        let movement = loop {
            let movement = self.find_movement(wiring, sequencer, (from, to, still));
            let moved = self.slaves.iter().filter(|slave| moves(&movement, slave.master));
            let moved = moved.fold(0, |bits, slave| bits | slave.bit);
            if still & moved == 0 {
                break movement;
            }
            let before = still;
            still &= !moved;
            debug_assert!(still < before, "fewer wires are constant each time");
        };
        let mut outputs = [0; NODES_MAX];
        sequencer.show(to, &mut outputs);
        let mut differs = differs;
        for slave in &self.slaves {
            if moves(&movement, slave.master) {
                differs |= slave.bit;
            }
            if slave.enable.is_high(&outputs) {
                differs &= !slave.bit;
            }
        }
        (movement, differs)
    }

    fn find_movement(
        &mut self,
        wiring: &Wiring,
        sequencer: &Sequencer,
        (from, to, still): (u16, u16, u16),
    ) -> Movement {
        let known = self.known.entry((from, to, still));
        known
            .or_insert_with(|| {
                Movement::find(self.sensitivities, wiring, sequencer, (from, to), still)
            })
            .clone()
    }
}

fn moves(movement: &Movement, wire: OutputBit) -> bool {
    movement.wires[wire.node] >> wire.bit & 1 == 1
}

/// Returns the indexes at which reset has parked the phase and the oscillator is high.
fn parked(sequencer: &Sequencer) -> impl Iterator<Item = u16> + '_ {
    (0..sequencer.indexes() as u16).filter(|&index| is_parked(sequencer, index))
}

fn is_parked(sequencer: &Sequencer, index: u16) -> bool {
    let waiting = u16::from(OSCILLATOR | RESET);
    let low = index ^ u16::from(OSCILLATOR);
    index & waiting == waiting
        && sequencer.settled_index(index) == Some(index)
        && sequencer.settled_index(low) == Some(low)
}

/// Returns the possible causes of the next step from an index, each with the index after the
/// outside wire has changed and before the sequencer responds.
fn possible_causes(sequencer: &Sequencer, index: u16) -> Vec<(Cause, u16)> {
    let mut causes = vec![(Cause::Oscillator, index ^ u16::from(OSCILLATOR))];
    if index & u16::from(OSCILLATOR) != 0 {
        let raw = index ^ u16::from(RESET);
        if index & u16::from(RESET) == 0 {
            causes.push((Cause::ResetRises, raw));
        } else if is_parked(sequencer, index) {
            causes.push((Cause::ResetFalls, raw));
        }
    }
    causes
}

fn find_slaves(board: &Board, wiring: &Wiring, sequencer: &Sequencer) -> Vec<Slave> {
    let mut slaves = Vec::new();
    for (bit, wire) in sequencer.inputs() {
        let source = |pin: u8| wiring.source(wire.node, pin);
        for (_, latch) in board.latches().filter(|(id, _)| Wiring::chip(*id) == wire.node) {
            let place = latch.q.out.pins().iter().position(|&pin| pin == wire.bit);
            let Some(place) = place else { continue };
            let (master, enable) = (source(latch.d.pins()[place]), source(latch.enable));
            if let (Some(master), Some(enable)) = (master, enable)
                && wiring.is_fed_back(master)
                && sequencer.nodes().contains(&enable.node)
            {
                slaves.push(Slave { bit, master, enable });
            }
        }
    }
    slaves
}

fn moves_twice(index: u16) -> Counterexample {
    let note = format!("from the state {index:#x} of oscillator, reset and phase it moves twice");
    Counterexample::new("the phase comes to rest in one step", vec![note])
}

#[cfg(test)]
mod tests {
    use gray1_isa::Op;

    use super::*;
    use crate::tests::{graph, laws};

    /// Master and slave of the carry are both open in T7, so the slave follows its master's input
    /// at once.
    #[test]
    fn a_slave_can_change_in_the_same_step_as_its_master() {
        let board = laws::with_strobes(&[
            ("CM_EN", false, |now| now.op == Op::Add && now.phase == Phase::T5),
            ("CM_EN", true, |now| now.op == Op::Add && now.phase == Phase::T7),
        ]);
        let graph = graph(&board);
        let carry_moves = |op: Op| {
            let from = Phase::T6.code() as u16 * 4 + u16::from(op.code()) * 32;
            let step = graph.steps.iter().find(|step| step.from == from).unwrap();
            step.movement.external == 1 << 8
        };
        let moving: Vec<Op> = Op::ALL.into_iter().filter(|&op| carry_moves(op)).collect();
        assert_eq!(moving, [Op::Add, Op::Shr]);
    }
}
