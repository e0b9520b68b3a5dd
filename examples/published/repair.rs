//! Self-correcting queens, as published in recursive C. There is one queen in each column, on a
//! random row. Each queen checks the queens before it and moves down, with wraparound, until none
//! of them attacks it. Then the next queen moves. If no row is safe, the queen before it has to
//! move. After n² moves the search starts again from new random rows.
//!
//! The published program compared each queen with all queens before it. This version marks the rows
//! and diagonals of those queens, so that a move takes the same short time on any board.

use gray1_isa::SplitMix64;

/// The progress of a search.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Progress {
    /// The number of times that the queens got new random rows.
    pub(crate) shuffles: u64,
    /// The number of moves, by one row each, since the start.
    pub(crate) moves: u64,
    /// The number of safe queens, counted from the front.
    pub(crate) safe: usize,
}

/// The number of moves between two progress reports. They take about a second.
const REPORT_MOVES: u64 = 1 << 28;

/// The queens, in the order of their columns.
struct Queens {
    /// The row of each queen.
    row: Vec<usize>,
    /// The number of rows that each queen has tried.
    tried: Vec<usize>,
    /// The number of safe queens, counted from the front.
    safe: usize,
    /// The rows, and the diagonals of both directions, that have a safe queen.
    marks: [Vec<bool>; 3],
}

/// Finds an arrangement of `n` queens. Returns the row of each.
pub(crate) fn search(
    n: usize,
    random: &mut SplitMix64,
    report: &mut dyn FnMut(Progress),
) -> (Vec<usize>, Progress) {
    let mut progress = Progress::default();
    loop {
        progress.shuffles += 1;
        let mut queens = Queens::shuffle(n, random);
        let end = progress.moves + (n * n) as u64;
        loop {
            queens.accept_safe_queens();
            if queens.safe == n {
                progress.safe = n;
                return (queens.row, progress);
            }
            if progress.moves == end || !queens.move_next() {
                break;
            }
            progress.moves += 1;
            if progress.moves % REPORT_MOVES == 0 {
                report(Progress { safe: queens.safe, ..progress });
            }
        }
    }
}

impl Queens {
    fn shuffle(n: usize, random: &mut SplitMix64) -> Self {
        Self {
            row: (0..n).map(|_| random.below(n as u64) as usize).collect(),
            tried: vec![0; n],
            safe: 0,
            marks: [vec![false; n], vec![false; 2 * n], vec![false; 2 * n]],
        }
    }

    /// Marks queens as safe, in order, until one is attacked.
    fn accept_safe_queens(&mut self) {
        let n = self.row.len();
        while self.safe < n && self.tried[self.safe] < n && !self.is_attacked(self.safe) {
            self.mark(self.safe, true);
            self.safe += 1;
        }
    }

    /// Moves the first queen that is not safe. If that queen has tried all rows, moves the queen
    /// before it instead, or returns false if there is none.
    fn move_next(&mut self) -> bool {
        let n = self.row.len();
        if self.tried[self.safe] == n {
            self.tried[self.safe] = 0;
            let Some(in_front) = self.safe.checked_sub(1) else { return false };
            self.mark(in_front, false);
            self.safe = in_front;
        }
        let queen = self.safe;
        self.row[queen] = if self.row[queen] + 1 == n { 0 } else { self.row[queen] + 1 };
        self.tried[queen] += 1;
        true
    }

    /// Returns the row and the two diagonals of a queen.
    fn lines(&self, queen: usize) -> [usize; 3] {
        let row = self.row[queen];
        [row, row + queen, row + self.row.len() - queen]
    }

    fn is_attacked(&self, queen: usize) -> bool {
        let lines = self.lines(queen);
        self.marks.iter().zip(lines).any(|(marks, line)| marks[line])
    }

    fn mark(&mut self, queen: usize, is_occupied: bool) {
        let lines = self.lines(queen);
        for (marks, line) in self.marks.iter_mut().zip(lines) {
            marks[line] = is_occupied;
        }
    }
}
