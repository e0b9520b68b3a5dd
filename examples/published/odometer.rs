//! The odometer, as published in C. A counter of eight digits in base 8 is the board. Each of its
//! 16,777,216 values is tested up to the first conflict.

use super::{Arrangement, SIDE};

/// Finds all arrangements, in ascending order.
pub(crate) fn search(found: &mut dyn FnMut(Arrangement)) {
    let mut wheels = [0; SIDE];
    loop {
        if is_peaceful(wheels) {
            found(wheels);
        }
        if !turn(&mut wheels) {
            return;
        }
    }
}

/// Returns whether no queen attacks another one.
fn is_peaceful(wheels: Arrangement) -> bool {
    (1..SIDE).all(|row| (0..row).all(|above| !attacks(wheels, above, row)))
}

fn attacks(wheels: Arrangement, above: usize, row: usize) -> bool {
    let distance = wheels[above].abs_diff(wheels[row]);
    distance == 0 || usize::from(distance) == row - above
}

/// Turns the last wheel. A wheel that wraps also turns the wheel before it. Returns false after the
/// last board.
fn turn(wheels: &mut Arrangement) -> bool {
    for wheel in wheels.iter_mut().rev() {
        *wheel += 1;
        if usize::from(*wheel) < SIDE {
            return true;
        }
        *wheel = 0;
    }
    false
}
