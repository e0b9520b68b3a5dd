//! Noise margins: the guaranteed levels of outputs compared with the levels that inputs require.

use std::collections::BTreeMap;

use gray1_board::{Board, Part};

/// The noise margins of outputs of one part that drive inputs of another part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Margin<'a> {
    /// The part that drives.
    pub from: &'a Part,
    /// The part that reads.
    pub to: &'a Part,
    /// The number of wires that connect them.
    pub wires: usize,
}

impl Margin<'_> {
    /// Returns the low margin in millivolts: the difference between the highest level that reads
    /// low and the highest low output. `None` if the levels of a part are not known.
    pub fn low_mv(&self) -> Option<i64> {
        let (output, input) = (self.from.levels.as_ref()?, self.to.levels.as_ref()?);
        Some(i64::from(input.input_low_mv) - i64::from(output.output_low_mv))
    }

    /// Returns the high margin in millivolts: the difference between the lowest high output and the
    /// lowest level that reads high. `None` if the levels of a part are not known.
    pub fn high_mv(&self) -> Option<i64> {
        let (output, input) = (self.from.levels.as_ref()?, self.to.levels.as_ref()?);
        Some(i64::from(output.output_high_mv) - i64::from(input.input_high_mv))
    }
}

/// Returns the noise margins of a board, sorted by the names of the parts. Feedback inside a part
/// is left out. The data pins of data memory count as inputs as well.
pub fn margins(board: &Board) -> Vec<Margin<'_>> {
    let mut found: BTreeMap<(&str, &str), Margin<'_>> = BTreeMap::new();
    let memory = board.memory();
    for (id, net) in board.net_ids().zip(board.nets()) {
        let mut readers: Vec<_> = board.readers(id).map(|(chip, _)| chip).collect();
        readers.extend(board.chip(memory).data.contains(&id).then_some(memory));
        readers.retain(|chip| {
            let chip = board.chip(*chip);
            chip.part().logic.is_none() || !chip.data.contains(&id)
        });
        readers.dedup();
        for driver in net.driver.pins().map(|pin| pin.chip) {
            for &reader in readers.iter().filter(|reader| **reader != driver || driver != memory) {
                let [from, to] = [driver, reader].map(|chip| board.chip(chip).part());
                let margin = Margin { from, to, wires: 0 };
                found.entry((&from.name, &to.name)).or_insert(margin).wires += 1;
            }
        }
    }
    found.into_values().collect()
}
