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
    /// For each routine whether the program can come to call it.
    pub(super) is_live: Vec<bool>,
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

/// Searches the calls of so many routines, depth first and without recursion. A call of an unknown
/// routine is no edge.
pub(super) fn survey(routines: usize, edges: &[Option<Edge>]) -> Survey {
    // The program itself comes after the routines.
    let mut edges_of: Vec<Vec<usize>> = vec![Vec::new(); routines + 1];
    let mut known = std::collections::HashSet::new();
    for (number, edge) in edges.iter().enumerate() {
        let Some(Edge { caller, callee }) = edge else { continue };
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
        let mut path = vec![Visit { node: root, via: None, looked: 0 }];
        seen[root] = VisitState::Active;
        while let Some(step) = path.last_mut() {
            let Some(&edge) = edges_of[step.node].get(step.looked) else {
                seen[step.node] = VisitState::Done;
                path.pop();
                continue;
            };
            step.looked += 1;
            let Some(Edge { callee: node, .. }) = edges[edge] else { continue };
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
            survey.is_live =
                seen[..routines].iter().map(|seen| *seen == VisitState::Done).collect();
        }
    }
    survey
}

/// The edges of a path from a node on, and the one that leads back to it.
fn cycle(path: &[Visit], node: usize, back: usize) -> Vec<usize> {
    let start = path.iter().position(|step| step.node == node).unwrap_or(0);
    path[start + 1..].iter().filter_map(|step| step.via).chain([back]).collect()
}
