//! The call graph. This machine has no computed jumps, so the calls in a source are all the calls
//! there can be. Routines that are never active together share their bytes of data memory.

/// A call of one routine by another, or by the program outside all routines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) caller: Option<usize>,
    pub(super) callee: usize,
}

/// The facts that follow from the call graph.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The routines that the program calls, each before those that it calls.
    pub(super) live: Vec<usize>,
    /// The cycles of calls, as numbers of edges.
    pub(super) cycles: Vec<Vec<usize>>,
}

/// A routine, or the program, on the way through the graph.
struct Visit {
    node: usize,
    /// The edge that led here.
    via: Option<usize>,
    /// The number of its edges that were looked at.
    looked: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitState {
    Never,
    Active,
    Done,
}

/// Searches the calls of so many routines, depth first and without recursion.
pub(super) fn survey(routines: usize, edges: &[Edge]) -> Survey {
    // The program itself comes behind the routines.
    let mut edges_of: Vec<Vec<usize>> = vec![Vec::new(); routines + 1];
    let mut known = std::collections::HashSet::new();
    for (number, Edge { caller, callee }) in edges.iter().enumerate() {
        let caller = caller.unwrap_or(routines);
        if known.insert((caller, *callee)) {
            edges_of[caller].push(number);
        }
    }
    let mut survey = Survey::default();
    let mut seen = vec![VisitState::Never; routines + 1];
    // Routines that nothing calls come last: they may still call themselves.
    for root in std::iter::once(routines).chain(0..routines) {
        if seen[root] != VisitState::Never {
            continue;
        }
        let mut done = Vec::new();
        let mut path = vec![Visit { node: root, via: None, looked: 0 }];
        seen[root] = VisitState::Active;
        while let Some(step) = path.last_mut() {
            let Some(&edge) = edges_of[step.node].get(step.looked) else {
                seen[step.node] = VisitState::Done;
                done.push(step.node);
                path.pop();
                continue;
            };
            step.looked += 1;
            let node = edges[edge].callee;
            match seen[node] {
                VisitState::Never => {
                    seen[node] = VisitState::Active;
                    path.push(Visit { node, via: Some(edge), looked: 0 });
                }
                VisitState::Active => survey.cycles.push(cycle(&path, node, edge)),
                VisitState::Done => {}
            }
        }
        if root == routines {
            done.pop();
            done.reverse();
            survey.live = done;
        }
    }
    survey
}

/// The edges of a path from a node on, and the one that leads back to it.
fn cycle(path: &[Visit], node: usize, back: usize) -> Vec<usize> {
    let start = path.iter().position(|step| step.node == node).unwrap_or(0);
    path[start + 1..].iter().filter_map(|step| step.via).chain([back]).collect()
}

/// The starts of the bytes of each routine, and the number of all of them: behind those of every
/// routine that can be active with it. So the longest path decides, and nothing else does.
pub(super) fn overlay(live: &[usize], edges: &[Edge], sizes: &[i64]) -> (Vec<i64>, i64) {
    let mut callees: Vec<Vec<usize>> = vec![Vec::new(); sizes.len()];
    for edge in edges {
        if let Some(caller) = edge.caller {
            callees[caller].push(edge.callee);
        }
    }
    let mut starts = vec![0; sizes.len()];
    let mut total = 0;
    for &caller in live {
        let end = starts[caller] + sizes[caller];
        total = total.max(end);
        for &callee in &callees[caller] {
            starts[callee] = starts[callee].max(end);
        }
    }
    (starts, total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: usize, to: usize) -> Edge {
        Edge { caller: Some(from), callee: to }
    }

    #[test]
    fn routines_that_are_never_active_together_share_bytes() {
        // The program calls 0 and 1, both call 2; nothing calls 3.
        let main = |callee| Edge { caller: None, callee };
        let edges = [main(0), main(1), edge(0, 2), edge(1, 2), edge(1, 2), edge(3, 2)];
        let survey = survey(4, &edges);
        assert!(survey.cycles.is_empty());
        assert_eq!(survey.live, [1, 0, 2]);
        assert_eq!(overlay(&survey.live, &edges, &[3, 5, 2, 9]), (vec![0, 0, 5, 0], 7));
    }

    #[test]
    fn cycles_are_found_wherever_they_are() {
        let edges = [edge(0, 1), edge(1, 0), edge(2, 2)];
        assert_eq!(survey(3, &edges).cycles, [vec![0, 1], vec![2]]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let edges: Vec<Edge> = (1..200_000).map(|callee| edge(callee - 1, callee)).collect();
        let edges = [&[Edge { caller: None, callee: 0 }], &edges[..]].concat();
        let live = survey(200_000, &edges).live;
        assert_eq!(overlay(&live, &edges, &vec![1; 200_000]).1, 200_000);
    }
}
