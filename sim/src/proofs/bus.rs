//! Proof 4: shared lines have exactly one driver while settled, and while the drivers change no
//! open latch sees the lines.

use super::steps::{Step, Walk, node_name};
use super::story::{Counterexample, Scene};
use super::{Cases, Verdict};
use crate::board::{Board, Driver, NetId, Output};
use crate::circuit::plan::Planner;
use crate::circuit::wiring::{NODES_MAX, Outputs, Signal};

const ONE_DRIVER: &str = "a shared line has exactly one driver";
const UNSEEN: &str = "nothing that remembers sees shared lines while their drivers change";

pub(super) fn prove(board: &Board, walk: &Walk, cases: &mut Cases) -> Verdict {
    let shared = board.net_ids().filter_map(|net| match board.net(net).driver() {
        Driver::Shared { select, .. } => Some((net, select)),
        Driver::Outside | Driver::Chip(_) => None,
    });
    let shared: Vec<(NetId, NetId)> = shared.collect();
    for &(net, select) in &shared {
        one_driver(board, walk, net, select, cases)?;
    }
    let mut planner = Planner::new();
    for step in &walk.steps {
        cases.add(1);
        let changing = shared.iter().filter(|(_, select)| changes(walk, step, *select));
        let lines: Vec<Signal> = changing.map(|(net, _)| walk.wiring.signal(*net)).collect();
        if !lines.is_empty() {
            unseen(board, walk, step, &lines, &mut planner)?;
        }
    }
    Ok(())
}

fn changes(walk: &Walk, step: &Step, select: NetId) -> bool {
    let select = walk.wiring.signal(select);
    select.of(&walk.outputs(step.from)) != select.of(&walk.outputs(step.to))
}

/// Counts the drivers of a line wherever the sequencer can stand.
fn one_driver(board: &Board, walk: &Walk, net: NetId, select: NetId, cases: &mut Cases) -> Verdict {
    let drivers = board.chips().iter().filter(|chip| chip.data().contains(&net));
    let drivers: Vec<Output> = drivers.map(crate::board::Chip::output).collect();
    for &index in &walk.indexes {
        cases.add(1);
        let high = walk.wiring.signal(select).of(&walk.outputs(index));
        let on = drivers.iter().filter(|output| match output {
            Output::Always => true,
            Output::WhileLow(_) => !high,
            Output::WhileHigh(_) => high,
        });
        let on = on.count();
        if on != 1 {
            let phase = walk.phase(board, index);
            let note = format!("in T{phase} {} has {on} drivers", board.net(net).name());
            return Err(Counterexample::new(ONE_DRIVER, vec![Scene::Note(note)]));
        }
    }
    Ok(())
}

/// Follows the lines through all tables to something that remembers.
fn unseen(
    board: &Board,
    walk: &Walk,
    step: &Step,
    shared: &[Signal],
    planner: &mut Planner,
) -> Verdict {
    let mut moved: Outputs = [0; NODES_MAX];
    for line in shared {
        moved[line.node] |= 1 << line.bit;
    }
    let nodes = walk.wiring.nodes();
    loop {
        let before = moved;
        for node in (0..nodes.len()).filter(|node| !walk.sequencer.nodes().contains(node)) {
            let sights = [&step.movement.before, &step.movement.after]
                .map(|held| planner.sight(&walk.wiring, node, held[node]));
            for (pin, line) in nodes[node].pins.iter().filter(|(_, line)| line.node != node) {
                let seen = sights.iter().fold(0, |seen, s| seen | s.moves[usize::from(*pin)]);
                if moved[line.node] >> line.bit & 1 == 1 && seen != 0 {
                    moved[node] |= seen;
                    if nodes[node].own != 0 {
                        let story = vec![
                            walk.scene(board, step),
                            Scene::CanMove { line: walk.line_name(board, shared[0]) },
                            Scene::CanMove { line: walk.line_name(board, *line) },
                            Scene::Takes { chip: node_name(board, node) },
                        ];
                        return Err(Counterexample::new(UNSEEN, story));
                    }
                }
            }
        }
        if moved == before {
            return Ok(());
        }
    }
}
