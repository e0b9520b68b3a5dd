//! Waves: the levels of a board's wires over the last and the next edges of the oscillator.

use std::sync::Arc;

use gray1_board::Board;

use super::history::History;
use super::position::Position;
use super::recorder::{Recorder, WaveEdge};
use super::replay::Mark;
use super::replica::Replica;

/// The length of the shortest instruction in edges. This is the first instruction after a reset,
/// because a reset ends in T1.
const EDGES_MIN: u64 = 7;

/// The levels of a board's wires over some edges before and after the present.
#[derive(Debug, Clone)]
pub struct Waves {
    /// The board that has these wires.
    pub board: Arc<Board>,
    /// True if the board is a replica, because the engine has no wires.
    pub is_replica: bool,
    pub(super) record: Arc<WaveRecord>,
    /// Indexes into the record: the first edge, the present one, and the end.
    pub(super) first: usize,
    pub(super) now: usize,
    pub(super) end: usize,
}

/// Edges that were executed again, with the facts that decide whether they are still valid.
#[derive(Debug)]
pub(super) struct WaveRecord {
    /// The edges in order of time. The wire changes of the first one are not known.
    pub(super) edges: Vec<WaveEdge>,
    /// True if the first edge is the start of the history.
    pub(super) is_whole_past: bool,
    /// True if the machine cannot continue after the last edge.
    pub(super) is_whole_future: bool,
    /// The position after the last edge.
    end: Mark,
}

impl Waves {
    /// Returns the edges in order of time.
    pub fn edges(&self) -> &[WaveEdge] {
        &self.record.edges[self.first..self.end]
    }

    /// Returns the index of the present edge.
    pub fn now(&self) -> usize {
        self.now - self.first
    }

    /// Returns the edge before the one with this index, or `None` if it is not known.
    pub fn before(&self, edge: usize) -> Option<&WaveEdge> {
        self.record.edges.get((self.first + edge).checked_sub(1)?)
    }

    /// Returns true if the circuit has delays, so that there are glitches.
    pub fn are_in_time(&self) -> bool {
        self.record.edges.iter().any(|edge| edge.duration_ps > 0)
    }
}

impl WaveRecord {
    /// Returns the index of the last edge up to a position.
    pub(super) fn last_up_to(&self, position: Position) -> usize {
        self.edges.partition_point(|edge| edge.position <= position).saturating_sub(1)
    }

    /// Returns true if the record is valid and has `reach` edges on each side of the present, or as
    /// many as exist.
    pub(super) fn serves(&self, history: &History, reach: usize) -> bool {
        let now = self.last_up_to(history.position());
        history.leads_to(self.end)
            && self.edges[now].position == history.position()
            && (self.is_whole_past || now >= reach)
            && (self.is_whole_future || now + reach < self.edges.len())
    }
}

impl History {
    /// Records up to `reach` edges before the present and as many after it, assuming no new inputs.
    /// An engine without wires needs a replica.
    pub(super) fn waves(&self, reach: usize, replica: Option<&mut Replica>) -> WaveRecord {
        let present = self.position();
        let begin = present.moment.saturating_sub(reach as u64 / EDGES_MIN + 2).max(self.start());
        let (inputs, mut replica) = (self.inputs(), replica);
        let mut recorder = Recorder::new(self.replay_at(begin));
        recorder.record_present(inputs, replica.as_deref_mut());
        while recorder.replay.position() < present
            && recorder.record_edge(inputs, replica.as_deref_mut())
        {}
        let is_whole_future =
            !(0..reach).all(|_| recorder.record_edge(inputs, replica.as_deref_mut()));
        let now = recorder.edges.partition_point(|edge| edge.position <= present) - 1;
        let excess = now.saturating_sub(reach);
        recorder.edges.drain(..excess);
        let is_whole_past = begin == self.start() && excess == 0;
        let (end, edges) = (recorder.replay.mark(), recorder.edges);
        WaveRecord { edges, is_whole_past, is_whole_future, end }
    }
}
