//! Chips with feedback: the states that they can reach from a settled state.

use gray1_board::table::subsets;

use super::evidence::Transition;
use super::watched::WatchedChip;

/// The maximum number of changed pins for which all orders are tried.
pub(super) const CHANGED_PINS_MAX: u32 = 4;

impl WatchedChip {
    /// Returns the address `outside` with the pins that are connected to the chip's own outputs set
    /// to the levels of `data`.
    pub(super) fn address_with(&self, outside: u32, data: u8) -> u32 {
        self.own.iter().fold(outside, |address, &(pin, bit)| {
            address & !(1 << pin) | u32::from(data >> bit & 1) << pin
        })
    }

    /// True if the chip could have made this transition. The chip reacts at some moment to each pin
    /// that changed once, and to its own wires one at a time. It always outputs the contents of the
    /// address that it has reacted to.
    pub(super) fn allows(&mut self, Transition { from, to, once, often }: Transition) -> bool {
        let captured = self.captured;
        let arrived = |data: u8| (data ^ to.1) & captured == 0;
        // Its own wires that are not captured may have had any level.
        let feedback = self.own.iter().fold(0, |mask, (_, bit)| mask | 1_u8 << bit);
        let starts: Vec<u8> =
            subsets(u32::from(feedback & !captured)).map(|levels| from.1 | levels as u8).collect();
        // In nearly all cases the chip has kept its state or advanced by one step.
        for &data in &starts {
            let next = self.address_with(to.0, data);
            if arrived(data) || self.table.values(next, often).allows(to.1, captured) {
                return true;
            }
        }
        // If there are too many orders, each pin may have had either level at any time.
        let is_many = once.count_ones() > CHANGED_PINS_MAX;
        let (once, often) = if is_many { (0, once | often) } else { (once, often) };
        let orders: Vec<u32> = subsets(once).collect();
        let mut known = vec![[false; 256]; orders.len()];
        let mut waiting: Vec<(usize, u8)> = starts.into_iter().map(|data| (0, data)).collect();
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
            let address = self.address_with(from.0 & !noticed | to.0 & noticed, data);
            for shown in self.table.values(address, often).bytes() {
                let changed = u32::from(shown ^ data);
                waiting.extend(subsets(changed).map(|some| (order, data ^ some as u8)));
            }
        }
        false
    }
}
