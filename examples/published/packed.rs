//! Backtracking over a packed board, as published for MIPS and in Python. It is one loop with three
//! moves: push, pop and success. The board is a number of 24 bits, three for each row, with the
//! newest row in the lowest bits.

use super::{Arrangement, SIDE};

/// The board, and the lines on which it has queens.
#[derive(Default)]
struct Board {
    /// Three bits for each row with a queen: its column. The newest row is lowest.
    squares: u32,
    /// The number of rows with a queen.
    rows: usize,
    /// The columns with a queen: eight bits.
    columns: u32,
    /// The diagonals with a queen, by row + column: 15 bits.
    rising: u32,
    /// The diagonals with a queen, by 7 - row + column: 15 bits.
    falling: u32,
}

impl Board {
    /// Returns the bits for a queen in the next row: its column and its two diagonals.
    fn marks(&self, column: usize) -> [u32; 3] {
        [1 << column, 1 << (self.rows + column), 1 << (SIDE - 1 - self.rows + column)]
    }

    fn attacks(&self, column: usize) -> bool {
        let [in_column, rising, falling] = self.marks(column);
        self.columns & in_column | self.rising & rising | self.falling & falling != 0
    }

    /// Adds or removes these bits.
    fn toggle(&mut self, column: usize) {
        let [in_column, rising, falling] = self.marks(column);
        self.columns ^= in_column;
        self.rising ^= rising;
        self.falling ^= falling;
    }

    fn push(&mut self, column: usize) {
        self.toggle(column);
        self.squares = self.squares << 3 | column as u32;
        self.rows += 1;
    }

    /// Removes the newest queen and returns its column.
    fn pop(&mut self) -> usize {
        let column = (self.squares & 7) as usize;
        self.squares >>= 3;
        self.rows -= 1;
        self.toggle(column);
        column
    }

    fn arrangement(&self) -> Arrangement {
        std::array::from_fn(|row| (self.squares >> (3 * (SIDE - 1 - row)) & 7) as u8)
    }
}

/// Finds all arrangements, in ascending order.
pub(crate) fn search(found: &mut dyn FnMut(Arrangement)) {
    let mut board = Board::default();
    let mut column = 0;
    loop {
        if board.rows == SIDE {
            found(board.arrangement());
            column = SIDE;
        }
        match (column..SIDE).find(|&column| !board.attacks(column)) {
            Some(free) => {
                board.push(free);
                column = 0;
            }
            None if board.rows == 0 => return,
            None => column = board.pop() + 1,
        }
    }
}
