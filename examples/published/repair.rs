//! Self-correcting queens, as published in recursive C: one queen in each column, on a random row.
//! Each looks at those in front of her and moves down, round the edge, until she is safe from them;
//! then it is the next one's turn. If no row is safe, the queen in front has to move. After n²
//! moves they give up, and start again from new random rows.
//!
//! The published program compared each queen with all in front of her. Here the queens in front
//! mark their rows and diagonals, so that a move takes the same short time on any board.

use gray1_isa::SplitMix64;

/// How far a search has come.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Progress {
    /// The number of times that the queens took new random rows.
    pub(crate) shuffles: u64,
    /// The number of moves, by one row each, since the beginning.
    pub(crate) moves: u64,
    /// The number of queens, from the front, that are safe now.
    pub(crate) safe: usize,
}

/// How often progress is reported, in moves: about once a second.
const REPORT_MOVES: u64 = 1 << 28;

/// The queens, the one in front first.
struct Queens {
    /// The row of each queen.
    row: Vec<usize>,
    /// The number of rows that each queen has found attacked or was sent away from.
    tried: Vec<usize>,
    /// The number of queens, from the front, that are safe.
    safe: usize,
    /// The rows, and the diagonals of both directions, on which a safe queen stands.
    marks: [Vec<bool>; 3],
}

/// Finds an arrangement of `n` queens: the row of each.
pub(crate) fn search(
    n: usize,
    random: &mut SplitMix64,
    report: &mut dyn FnMut(Progress),
) -> (Vec<usize>, Progress) {
    let mut progress = Progress::default();
    loop {
        progress.shuffles += 1;
        let mut queens = Queens::shuffled(n, random);
        let end = progress.moves + (n * n) as u64;
        loop {
            queens.settle();
            if queens.safe == n {
                progress.safe = n;
                return (queens.row, progress);
            }
            if progress.moves == end || !queens.play() {
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
    fn shuffled(n: usize, random: &mut SplitMix64) -> Self {
        Self {
            row: (0..n).map(|_| random.below(n as u64) as usize).collect(),
            tried: vec![0; n],
            safe: 0,
            marks: [vec![false; n], vec![false; 2 * n], vec![false; 2 * n]],
        }
    }

    /// The queens that are safe where they stand take their places, one after the other.
    fn settle(&mut self) {
        let n = self.row.len();
        while self.safe < n && self.tried[self.safe] < n && !self.is_attacked(self.safe) {
            self.mark(self.safe, true);
            self.safe += 1;
        }
    }

    /// The first queen that is not safe moves, or the one in front of her if she has tried all rows.
    /// Says no if there is none in front.
    fn play(&mut self) -> bool {
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

    /// The row and the two diagonals of a queen.
    fn lines(&self, queen: usize) -> [usize; 3] {
        let row = self.row[queen];
        [row, row + queen, row + self.row.len() - queen]
    }

    fn is_attacked(&self, queen: usize) -> bool {
        let lines = self.lines(queen);
        self.marks.iter().zip(lines).any(|(marks, line)| marks[line])
    }

    fn mark(&mut self, queen: usize, stands: bool) {
        let lines = self.lines(queen);
        for (marks, line) in self.marks.iter_mut().zip(lines) {
            marks[line] = stands;
        }
    }
}
