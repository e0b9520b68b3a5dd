//! The call graph. The machine has no computed jumps, so the calls in a source are all possible
//! calls. Routines that are never active at the same time share their bytes of data memory.

use std::collections::HashSet;

use crate::place::Call;

/// A routine, or the program itself, on the current path of the search.
struct Visit {
    node: usize,
    /// The call through which the search came here.
    via: Option<usize>,
    /// The number of its calls that have been followed.
    followed: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitState {
    Never,
    Active,
    Done,
}

/// Searches the calls depth first, without recursion. `callees` contains the routine of each call,
/// if it is known. Returns whether the program can call each routine, and the cycles as lists of
/// call numbers.
pub(super) fn search_calls(
    routines: usize,
    calls: &[Call],
    callees: &[Option<u32>],
) -> (Vec<bool>, Vec<Vec<usize>>) {
    // The program itself is the node after the routines.
    let mut calls_of: Vec<Vec<(usize, usize)>> = vec![Vec::new(); routines + 1];
    let mut known = HashSet::new();
    for (number, (call, callee)) in calls.iter().zip(callees).enumerate() {
        let caller = call.caller.map_or(routines, |caller| caller as usize);
        if let Some(callee) = *callee
            && known.insert((caller, callee))
        {
            calls_of[caller].push((number, callee as usize));
        }
    }
    let (mut is_live, mut cycles) = (Vec::new(), Vec::new());
    let mut seen = vec![VisitState::Never; routines + 1];
    // Start at the program, then at the routines that it does not reach, because those can still
    // call themselves.
    for root in std::iter::once(routines).chain(0..routines) {
        if seen[root] != VisitState::Never {
            continue;
        }
        let mut path = vec![Visit { node: root, via: None, followed: 0 }];
        seen[root] = VisitState::Active;
        while let Some(step) = path.last_mut() {
            let Some(&(call, node)) = calls_of[step.node].get(step.followed) else {
                seen[step.node] = VisitState::Done;
                path.pop();
                continue;
            };
            step.followed += 1;
            match seen[node] {
                VisitState::Never => {
                    seen[node] = VisitState::Active;
                    path.push(Visit { node, via: Some(call), followed: 0 });
                }
                VisitState::Active => cycles.push(list_cycle(&path, node, call)),
                VisitState::Done => {}
            }
        }
        if root == routines {
            is_live = seen[..routines].iter().map(|seen| *seen == VisitState::Done).collect();
        }
    }
    (is_live, cycles)
}

/// Returns the calls of a path from a node on, plus the call that leads back to it.
fn list_cycle(path: &[Visit], node: usize, back: usize) -> Vec<usize> {
    let start = path.iter().position(|step| step.node == node).unwrap_or(0);
    path[start + 1..].iter().filter_map(|step| step.via).chain([back]).collect()
}
