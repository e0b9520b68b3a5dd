//! Permutations, as published in C. Heap's algorithm generates all 40,320 by swapping two columns
//! at a time, so only diagonals need to be tested.

use super::{Arrangement, SIDE};

/// Finds all arrangements, in the order of the permutations.
pub(crate) fn search(found: &mut dyn FnMut(Arrangement)) {
    let mut columns: Arrangement = std::array::from_fn(|row| row as u8);
    let mut test = |columns: Arrangement| {
        if is_peaceful(columns) {
            found(columns);
        }
    };
    test(columns);
    // Heap's algorithm without recursion. `counts[k]` is the number of swaps at level k.
    let mut counts = [0; SIDE];
    let mut level = 1;
    while level < SIDE {
        if counts[level] < level {
            let other = if level % 2 == 0 { 0 } else { counts[level] };
            columns.swap(other, level);
            test(columns);
            counts[level] += 1;
            level = 1;
        } else {
            counts[level] = 0;
            level += 1;
        }
    }
}

/// Returns whether no two queens are on the same diagonal.
fn is_peaceful(columns: Arrangement) -> bool {
    let [mut rising, mut falling] = [0_u32; 2];
    columns.iter().enumerate().all(|(row, &column)| {
        let marks = [1 << (row + usize::from(column)), 1 << (SIDE - 1 - row + usize::from(column))];
        let is_free = rising & marks[0] | falling & marks[1] == 0;
        rising |= marks[0];
        falling |= marks[1];
        is_free
    })
}
