//! The lines of the board over the last and the next edges of the oscillator.

use std::sync::Arc;

use gray1_board::Board;
use gray1_debugger::{self, WaveEdge};

/// How much is worked out of the board's lines for each snapshot: what the pane in front draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineDetail {
    /// Nothing.
    #[default]
    Nothing,
    /// Their levels now and before the last edge.
    Levels,
    /// What they do over the last and the next edges.
    Waves,
}

/// The lines of the board over some edges around the present.
#[derive(Debug, Clone)]
pub struct Waves {
    /// The board that the lines belong to.
    pub board: Arc<Board>,
    /// Whether it stands beside an engine that has no lines.
    pub is_replica: bool,
    /// More than is shown.
    pub(super) record: Arc<gray1_debugger::Waves>,
    /// The number of the present edge in the record.
    pub(super) now: usize,
}

impl Waves {
    /// How many edges there are on each side of the present, as far as there are any.
    pub const REACH: usize = 128;

    /// The edges, in order.
    #[must_use]
    pub fn edges(&self) -> &[WaveEdge] {
        let end = (self.now + Self::REACH + 1).min(self.record.edges.len());
        &self.record.edges[self.first()..end]
    }

    /// The number of the present edge.
    #[must_use]
    pub fn now(&self) -> usize {
        self.now - self.first()
    }

    /// The edge before one of them; `None` if nothing is remembered before it.
    #[must_use]
    pub fn before(&self, edge: usize) -> Option<&WaveEdge> {
        self.record.edges.get((self.first() + edge).checked_sub(1)?)
    }

    /// Whether the lines move in time, so that there are glitches.
    #[must_use]
    pub fn are_in_time(&self) -> bool {
        self.record.edges.iter().any(|edge| edge.duration_ps > 0)
    }

    fn first(&self) -> usize {
        self.now.saturating_sub(Self::REACH)
    }
}
