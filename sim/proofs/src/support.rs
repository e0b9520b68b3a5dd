//! Shows, for proof 5, that the result of an instruction depends only on the values that the
//! instruction names.
//!
//! Proof 5 tries all values of A, C and one of two bytes: the low byte of the operand, or the byte
//! at its address. That is exhaustive only if the other byte does not matter.

use gray1_board::registers::{address_wires, master_wire, opcode_wires};
use gray1_board::role::{Function, Latch, Role};
use gray1_board::{ChipId, number};
use gray1_circuit::nodes::wiring::{NodeKind, OutputBit, Wiring};
use gray1_circuit::plans::sensitivity::Sensitivities;
use gray1_isa::{Op, Operand};

use super::Examination;
use super::counterexample::{Counterexample, Verdict, chip_takes_either, wire_can_move};
use super::steps::{StateGraph, Transition};

const NAMED: &str = "the new A and C depend only on what the instruction names";

impl Examination<'_> {
    pub(super) fn prove_support(&mut self) -> Verdict {
        let graph = self.prover.graph()?;
        let (board, probes) = (graph.board, graph.board.probes());
        let wires =
            probes.a.iter().chain([&probes.carry]).filter_map(|&net| master_wire(board, net));
        let wires: Vec<OutputBit> = wires.map(|net| graph.wiring.output_bit(net)).collect();
        for (id, latch) in graph.board.latches() {
            let node = Wiring::chip(id);
            let mut out = latch.q.out.pins().iter();
            if !out.any(|&bit| wires.contains(&OutputBit { node, bit })) {
                continue;
            }
            for step in graph.steps.iter().filter(|step| is_open(graph, step, id, latch)) {
                self.cases += 1;
                let sensitivities = &mut self.sensitivities;
                Support { graph, step, sensitivities, seen: Vec::new() }.check(id, latch)?;
            }
        }
        Ok(())
    }
}

fn is_open(graph: &StateGraph, step: &Transition, id: ChipId, latch: &Latch) -> bool {
    let enable = graph.wiring.source(Wiring::chip(id), latch.enable);
    enable.is_some_and(|wire| wire.is_high(&graph.outputs(step.to)))
}

/// The dependencies of a latch after a step.
struct Support<'a> {
    graph: &'a StateGraph<'a>,
    step: &'a Transition,
    sensitivities: &'a mut Sensitivities,
    seen: Vec<OutputBit>,
}

impl Support<'_> {
    fn check(&mut self, id: ChipId, latch: &Latch) -> Verdict {
        let op = self.op();
        for &pin in latch.d.pins() {
            if let Some(wire) = self.graph.wiring.source(Wiring::chip(id), pin) {
                self.follow(wire);
            }
        }
        let memory = self.graph.wiring.memory();
        let operand = address_wires(self.graph.board, self.graph.board.memory());
        let operand: Vec<OutputBit> =
            operand.into_iter().map(|net| self.graph.wiring.output_bit(net)).collect();
        let names_memory = op.reads_memory();
        let names_operand = op.operand() == Operand::Immediate;
        let unnamed = self.seen.iter().find(|wire| {
            let depends_on_memory = wire.node == memory || self.is_select(wire.node);
            depends_on_memory && !names_memory || operand.contains(wire) && !names_operand
        });
        let Some(&wire) = unnamed else { return Ok(()) };
        let chip = self.graph.board.chip(id).name();
        let events = vec![
            self.graph.describe_step(self.step),
            format!("{op} is under way, and {chip} is open"),
            wire_can_move(&self.graph.wire_name(wire)),
            chip_takes_either(chip),
        ];
        Err(Counterexample::new(NAMED, events))
    }

    /// Returns the operation whose opcode the sequencer reads.
    fn op(&self) -> Op {
        let outputs = self.graph.outputs(self.step.to);
        let nets = opcode_wires(self.graph.board).unwrap_or_default();
        let code = number(&nets, |net| self.graph.wiring.output_bit(net).is_high(&outputs));
        Op::from_code(code as u8)
    }

    /// Returns whether a node is an address decoder. Such a node reads the operand, as data memory
    /// does. Proof 6 shows that its output is correct.
    fn is_select(&self, node: usize) -> bool {
        let board = self.graph.board;
        let role = Wiring::chip_at(node, board).map(|id| board.chip(id).role());
        matches!(role, Some(Role::Function(Function::Select(_))))
    }

    /// Collects the wires that a wire depends on, back to stored wires, memories and address
    /// decoders.
    fn follow(&mut self, wire: OutputBit) {
        if self.seen.contains(&wire) {
            return;
        }
        self.seen.push(wire);
        let wiring = &self.graph.wiring;
        let ends = matches!(wiring.nodes()[wire.node].kind, NodeKind::Ram | NodeKind::Program);
        if ends || wiring.is_fed_back(wire) || self.is_select(wire.node) {
            return;
        }
        let fixed = self.step.movement.after[wire.node];
        let sensitivity = self.sensitivities.get(wiring, wire.node, fixed);
        for (pin, source) in &wiring.nodes()[wire.node].pins {
            if sensitivity.moves[usize::from(*pin)] >> wire.bit & 1 == 1 {
                self.follow(*source);
            }
        }
    }
}
