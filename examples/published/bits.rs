//! Bit-parallel descent, as published in AVX assembly. It has no board, only three bytes of state
//! for each row.

use super::{Arrangement, SIDE};

/// The squares of a row that the queens above it attack, one bit each.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    columns: u8,
    /// Squares attacked along diagonals that come from the right.
    left: u8,
    /// Squares attacked along diagonals that come from the left.
    right: u8,
    /// The squares that are not attacked and have not been tried yet.
    candidates: u8,
}

impl Row {
    fn new(columns: u8, left: u8, right: u8) -> Self {
        Self { columns, left, right, candidates: !(columns | left | right) }
    }

    /// Returns the state of the row below a queen on this square.
    fn below(self, queen: u8) -> Self {
        Self::new(self.columns | queen, (self.left | queen) >> 1, (self.right | queen) << 1)
    }
}

/// Finds all arrangements, in ascending order.
pub(crate) fn search(found: &mut dyn FnMut(Arrangement)) {
    let mut rows = [Row::new(0, 0, 0); SIDE];
    let mut arrangement = [0; SIDE];
    let mut depth = 0;
    loop {
        let row = &mut rows[depth];
        let queen = row.candidates & row.candidates.wrapping_neg();
        if queen == 0 {
            if depth == 0 {
                return;
            }
            depth -= 1;
            continue;
        }
        row.candidates ^= queen;
        let below = row.below(queen);
        arrangement[depth] = queen.trailing_zeros() as u8;
        if depth + 1 == SIDE {
            found(arrangement);
        } else {
            depth += 1;
            rows[depth] = below;
        }
    }
}
