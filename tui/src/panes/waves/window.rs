//! Which edges are on the screen, and in which columns.

/// The visible edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    /// The index of the first edge.
    pub(super) first: usize,
    /// The number of edges.
    pub(super) count: usize,
    /// The number of columns of an edge. The last edge can be cut off.
    pub(super) width: u16,
}

impl Window {
    /// The window with the current edge in the middle if the cursor is visible there. Otherwise the
    /// window is moved by half a screen or more.
    pub(super) fn new(
        columns: u16,
        width: u16,
        edges: usize,
        (now, cursor): (usize, usize),
    ) -> Self {
        let count = usize::from(columns / width).clamp(1, edges);
        let half = (count / 2).max(1).cast_signed();
        let (now, cursor) = (now.cast_signed(), cursor.cast_signed());
        let middle = now + (cursor - now) / half * half;
        let first = middle.saturating_sub_unsigned(count / 2).max(0).cast_unsigned();
        Self { first: first.min(edges - count), count, width }
    }

    /// The indexes of the edges.
    pub(super) fn edges(self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }

    /// The first column of a visible edge.
    pub(super) fn column(self, edge: usize) -> u16 {
        (edge - self.first) as u16 * self.width
    }

    /// The edge in a column.
    pub(super) fn edge_at(self, column: u16) -> Option<usize> {
        Some(self.first + usize::from(column / self.width)).filter(|it| self.edges().contains(it))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_is_visible_and_columns_map_to_their_edge() {
        for (columns, width) in [(1, 1), (7, 4), (38, 4), (60, 1), (61, 64), (200, 2)] {
            for edges in [1, 2, 9, 100, 257] {
                for (now, cursor) in
                    (0..edges).step_by(3).flat_map(|n| (0..edges).map(move |c| (n, c)))
                {
                    let window = Window::new(columns, width, edges, (now, cursor));
                    let seen = window.edges();
                    assert!(seen.contains(&cursor) && seen.end <= edges, "{window:?}: {cursor}");
                    let column = window.column(cursor);
                    assert_eq!(window.edge_at(column), Some(cursor));
                    assert_eq!(window.edge_at(column + width - 1), Some(cursor));
                    assert!(column < columns.max(width));
                }
            }
        }
    }

    #[test]
    fn the_current_edge_is_centred_while_the_cursor_is_near() {
        let first = |cursor| Window::new(80, 4, 257, (128, cursor)).first;
        assert_eq!([119, 128, 137].map(first), [118; 3]);
        assert_eq!([138, 118, 256, 0].map(first), [128, 108, 237, 0]);
    }
}
