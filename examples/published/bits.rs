//! Bit-parallel descent, as published in AVX assembly: three bytes of state for each row, and no
//! board at all.

use super::{Arrangement, SIDE};

/// What a row knows of the queens above it: the squares of this row that they attack, a bit each.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    columns: u8,
    /// Attacked along diagonals that come from the right.
    left: u8,
    /// Attacked along diagonals that come from the left.
    right: u8,
    /// The squares still to be tried.
    candidates: u8,
}

impl Row {
    fn new(columns: u8, left: u8, right: u8) -> Self {
        Self { columns, left, right, candidates: !(columns | left | right) }
    }

    /// The row below a queen on this square.
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
