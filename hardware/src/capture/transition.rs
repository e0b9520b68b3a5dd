//! Chips with feedback: the states that they can reach from a state of rest.

use gray1_board::table::subsets;

use super::values::ChipTable;

/// The most pins of which all orders of movement are tried.
pub(super) const MOVED_PINS_MAX: u32 = 4;

/// Two successive states of rest of a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Transition {
    /// Address and data at the first one.
    pub(super) from: (u32, u8),
    /// Address and data at the second one.
    pub(super) to: (u32, u8),
    /// The address pins that moved once between them, other than the chip's own wires.
    pub(super) once: u32,
    /// Those that moved more often: they can have had either level at any time.
    pub(super) often: u32,
}

/// The data pins of a chip that are wired to its own address pins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Feedback {
    /// Pairs of an address pin and the data pin that drives it.
    pub(super) pins: Vec<(u8, u8)>,
    /// The data pins that are captured.
    pub(super) captured: u8,
}

impl Feedback {
    /// The address pins that are the chip's own wires.
    pub(super) fn address_mask(&self) -> u32 {
        self.pins.iter().fold(0, |mask, (pin, _)| mask | 1 << pin)
    }

    /// An address whose own wires have these levels.
    pub(super) fn address(&self, outside: u32, data: u8) -> u32 {
        self.pins.iter().fold(outside, |address, &(pin, bit)| {
            address & !(1 << pin) | u32::from(data >> bit & 1) << pin
        })
    }

    /// The bytes that the chip may show while its captured pins carry this.
    fn guesses(&self, data: u8) -> impl Iterator<Item = u8> {
        let fed_back = self.pins.iter().fold(0, |mask, (_, bit)| mask | 1_u8 << bit);
        let unseen = u32::from(fed_back & !self.captured);
        subsets(unseen).map(move |levels| data | levels as u8)
    }

    /// True if the chip can have made this transition. It reacts to each pin that moved once at
    /// some moment, and to its own wires one by one, and always shows the contents of the address
    /// to which it has reacted.
    pub(super) fn allows(&self, table: &mut ChipTable, transition: &Transition) -> bool {
        let Transition { from, to, once, often } = *transition;
        let arrived = |data: u8| (data ^ to.1) & self.captured == 0;
        // Nearly always the chip has kept its state, or gone a step.
        let direct = |table: &mut ChipTable, data| {
            arrived(data)
                || table.values(self.address(to.0, data), often).allows(to.1, self.captured)
        };
        if self.guesses(from.1).any(|data| direct(table, data)) {
            return true;
        }
        // Too many orders: then each of them may have had either level at any time.
        let is_many = once.count_ones() > MOVED_PINS_MAX;
        let (once, often) = if is_many { (0, once | often) } else { (once, often) };
        let orders: Vec<u32> = subsets(once).collect();
        let mut known = vec![[false; 256]; orders.len()];
        let mut waiting: Vec<(usize, u8)> = self.guesses(from.1).map(|data| (0, data)).collect();
        while let Some((order, data)) = waiting.pop() {
            if std::mem::replace(&mut known[order][usize::from(data)], true) {
                continue;
            }
            let noticed = orders[order];
            if noticed == once && arrived(data) {
                return true;
            }
            let more = orders.iter().enumerate().filter(|(_, more)| *more & noticed == noticed);
            waiting.extend(more.map(|(more, _)| (more, data)));
            let outside = from.0 & !noticed | to.0 & noticed;
            for shown in table.values(self.address(outside, data), often).bytes() {
                let moved = u32::from(shown ^ data);
                waiting.extend(subsets(moved).map(|some| (order, data ^ some as u8)));
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// A two-bit Gray counter: A0 is its clock, A1 and A2 its own wires.
    fn counter() -> (Feedback, Vec<u8>) {
        let next = [1, 3, 0, 2];
        let contents = (0..8_usize).map(|address| {
            let (clock, count) = (address & 1, address >> 1);
            let parity = count.count_ones() as usize & 1;
            if parity == clock { count as u8 } else { next[count] }
        });
        (Feedback { pins: vec![(1, 0), (2, 1)], captured: 3 }, contents.collect())
    }

    #[test]
    fn a_counter_goes_one_step_an_edge() {
        let (own, contents) = counter();
        let allows = |from: u8, to: u8, once, often| {
            let address = |clock, data| own.address(clock, data);
            let transition = Transition {
                from: (address(0, from), from),
                to: (address(1, to), to),
                once,
                often,
            };
            own.allows(&mut ChipTable::new(Arc::from(contents.as_slice()), 0, None), &transition)
        };
        assert!(allows(0b00, 0b01, 1, 0));
        assert!(!allows(0b00, 0b10, 1, 0), "it went back");
        assert!(!allows(0b00, 0b11, 1, 0), "it went on without an edge");
        assert!(allows(0b00, 0b10, 0, 1), "a clock that moved often can have led anywhere");
    }
}
