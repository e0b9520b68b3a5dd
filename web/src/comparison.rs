//! Runs a program on the instructions and on the chips of a board side by side, and compares the
//! two machines after each instruction.

use std::sync::Arc;

use gray1_board::ChipId;
use gray1_debugger::History;
use gray1_isa::RamAddr;
use gray1_isa::text::counted;
use gray1_programs::{Link, LinkedBoard};
use gray1_roms::DEFAULT;
use gray1_session::board::{Lookup, contents};
use gray1_sim::{Engine, EngineKind};

use crate::answer::{CellChange, JobOutcome};
use crate::link::recorded_link;
use crate::machine::Machine;

/// The maximum number of instructions that are compared.
const LIMIT: u64 = 10_000_000;
/// The maximum on a damaged board, where each phase is observed.
const DAMAGED_LIMIT: u64 = 1_000_000;
/// A comparison of one instruction takes about as long as this many instructions.
const COST: u64 = 8;
/// All memory is compared once in this many instructions, because that takes long. In between, the
/// byte at the address of the instruction is enough.
const WHOLE: u64 = 1 << 10;

/// Bytes of a chip that are changed.
struct ChangedBytes {
    chip: ChipId,
    addresses: Vec<u32>,
    /// The number of phases in which the chip has read one of them.
    reads: u64,
}

/// Prepares to compare a machine with a copy of its board in which a cell is changed.
///
/// # Errors
/// Returns a message if the cell cannot be changed.
pub(crate) fn damage(machine: &mut Machine, change: &CellChange) -> Result<Comparison, String> {
    let snapshot = machine.session.snapshot();
    let levels = snapshot.levels.as_ref().ok_or("the wires are not shown")?;
    let id = levels.board.chip_ids().nth(change.chip).ok_or("there is no such chip")?;
    let (chip, mut contents) = (levels.board.chip(id), contents(&snapshot, levels, id));
    let lookup = Lookup::new(levels, chip, &contents, Some(change.view));
    let alike = lookup.filter(|_| change.all).map(|it| it.alike(&contents, change.address));
    let addresses = alike.unwrap_or_else(|| vec![change.address]);
    for address in &addresses {
        let byte = contents.get_mut(*address as usize).ok_or("there is no such address")?;
        *byte = change.byte;
    }
    let link = recorded_link(machine)?;
    let stock = || LinkedBoard {
        name: DEFAULT.to_owned(),
        text: gray1_roms::description(DEFAULT).unwrap_or_default().to_owned(),
        ..LinkedBoard::default()
    };
    let board = link.board.clone().unwrap_or_else(stock);
    let mut board = board.with_contents(chip.name(), &contents)?;
    if board.sound.is_none() {
        board.sound = Some(board.name.clone());
        board.name.insert_str(0, "damaged ");
    }
    let changed = ChangedBytes { chip: id, addresses, reads: 0 };
    Comparison::with_board(link, Some(board), Some(changed))
}

/// A comparison in progress.
pub(crate) struct Comparison {
    instructions: History,
    chips: History,
    /// A link to the start of the program on the chips.
    link: Link,
    changed: Option<ChangedBytes>,
    led_changes: u64,
}

impl Comparison {
    /// Prepares to compare a machine's run on the instructions with the one on the chips.
    ///
    /// # Errors
    /// Returns a message if one of the machines cannot be set up.
    pub(crate) fn new(machine: &Machine) -> Result<Self, String> {
        let link = recorded_link(machine)?;
        let board = link.board.clone();
        Self::with_board(link, board, None)
    }

    fn with_board(
        link: Link,
        board: Option<LinkedBoard>,
        changed: Option<ChangedBytes>,
    ) -> Result<Self, String> {
        // The tables of another board may be wrong, so the instructions do not use them.
        let reference = Link { engine: EngineKind::Instruction, board: None, at: u64::MAX, ..link };
        let link = Link { engine: EngineKind::Chips, board, ..reference.clone() };
        let history = |link: &Link| {
            let image = Arc::new(link.image().map_err(|error| error.to_string())?);
            link.history(&link.machine()?.setup, &image).map_err(|error| error.to_string())
        };
        let (instructions, chips) = (history(&reference)?, history(&link)?);
        Ok(Self { instructions, chips, link, changed, led_changes: 0 })
    }

    /// Returns the board with changed contents, if that is compared.
    pub(crate) fn damaged_board(&self) -> Option<LinkedBoard> {
        self.link.board.clone().filter(|_| self.changed.is_some())
    }

    /// The number of instructions that have been compared.
    pub(crate) fn moment(&self) -> u64 {
        self.instructions.moment()
    }

    /// Continues for at most a few milliseconds. Returns the result once there is one.
    pub(crate) fn advance(&mut self) -> Option<JobOutcome> {
        let limit = if self.changed.is_some() { DAMAGED_LIMIT } else { LIMIT };
        for _ in 0..self.chips.engine().slice().div_ceil(COST) {
            if self.instructions.engine().halted() || self.moment() >= limit {
                return Some(self.end());
            }
            let engine = self.instructions.engine();
            let (before, used) = (engine.display(), engine.word(engine.pc()).address());
            self.instructions.advance(1);
            self.advance_chips();
            self.led_changes += u64::from(self.instructions.engine().display() != before);
            if self.differs(used) {
                return Some(self.differ());
            }
        }
        None
    }

    /// Lets the chips complete an instruction. Counts the phases in which a changed byte is read.
    fn advance_chips(&mut self) {
        let Some(changed) = &mut self.changed else { return self.chips.advance(1) };
        let end = self.chips.moment() + 1;
        while self.chips.moment() < end && !self.chips.engine().halted() {
            self.chips.edge();
            let Some(circuit) = self.chips.engine().circuit() else { continue };
            let chip = circuit.board().chip(changed.chip);
            let address = chip.address_at(|net| circuit.level(net));
            changed.reads += u64::from(changed.addresses.contains(&address));
        }
    }

    /// Returns true if the machines differ after an instruction with this address. On a damaged
    /// board, only the LEDs count, unless its chips cannot continue.
    fn differs(&self, used: RamAddr) -> bool {
        let [a, b] = [&self.instructions, &self.chips].map(History::engine);
        if self.changed.is_some() || b.error().is_some() {
            return a.display() != b.display() || b.error().is_some();
        }
        let states = [a, b].map(|engine| (engine.registers(), engine.halted()));
        let bytes = [a, b].map(|engine| engine.ram()[usize::from(used.get())]);
        let moment = self.moment();
        let is_due = moment.is_multiple_of(WHOLE) || moment == LIMIT || a.halted();
        states[0] != states[1] || bytes[0] != bytes[1] || is_due && a.ram() != b.ram()
    }

    fn end(&self) -> JobOutcome {
        let instructions = counted(self.moment(), "instruction");
        let limit = if self.instructions.engine().halted() { "" } else { " (the limit)" };
        let text = match &self.changed {
            Some(ChangedBytes { reads: 0, .. }) => {
                format!("No LED differs in {instructions}{limit}, because no chip read the byte.")
            }
            Some(changed) => format!(
                "No LED differs in {instructions}{limit}, although the byte was read in {}.",
                counted(changed.reads, "phase")
            ),
            None => format!(
                "{instructions}{limit}, {}, 0 differences between instructions and chips",
                counted(self.led_changes, "LED change")
            ),
        };
        let link = self.changed.is_some().then(|| self.link());
        JobOutcome { text, passed: true, link, ..JobOutcome::default() }
    }

    /// Describes what was compared so far, for a user who stops the comparison.
    pub(crate) fn describe_stopped(&self) -> String {
        let instructions = counted(self.moment(), "instruction");
        if self.changed.is_some() {
            return format!("Stopped after {instructions}. No LED differs so far.");
        }
        let led_changes = counted(self.led_changes, "LED change");
        format!("Stopped after {instructions}, {led_changes}, 0 differences so far")
    }

    fn differ(&self) -> JobOutcome {
        let (text, link) = (self.describe_difference(), Some(self.link()));
        JobOutcome { text, link, ..JobOutcome::default() }
    }

    fn describe_difference(&self) -> String {
        let [a, b] = [&self.instructions, &self.chips].map(History::engine);
        let moment = counted(self.moment(), "instruction");
        if let Some(error) = b.error() {
            return format!("The chips stop after {moment}: {error}.");
        }
        let leds = [a.display(), b.display()];
        if let Some((row, column)) = leds[0].first_difference(&leds[1]) {
            let [expected, actual] = leds.map(|leds| leds.led(row, column).name());
            return format!(
                "The first LED that differs is in row {row}, column {column}, after {moment}: \
                 it is {actual} instead of {expected}."
            );
        }
        let [expected, actual] = [a, b].map(Engine::registers);
        let byte = a.ram().iter().zip(b.ram()).position(|(a, b)| a != b);
        let (name, [expected, actual]) = if expected.a != actual.a {
            ("A".to_owned(), [expected, actual].map(|it| format!("{:02x}", it.a)))
        } else if expected.carry != actual.carry {
            ("C".to_owned(), [expected, actual].map(|it| u8::from(it.carry).to_string()))
        } else if let Some(address) = byte {
            let values = [a, b].map(|engine| format!("{:02x}", engine.ram()[address]));
            (format!("the byte at {address:#06x}"), values)
        } else {
            ("PC".to_owned(), [expected, actual].map(|it| it.pc.get().to_string()))
        };
        format!(
            "After {moment}, {name} is {expected} on the instructions and {actual} on \
             the chips."
        )
    }

    /// Returns a link to the present moment on the chips.
    fn link(&self) -> String {
        Link { at: self.moment(), ..self.link.clone() }.encode_short()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares a program with a run on chips of which one holds this byte at all addresses.
    fn compare(program: &str, chip: &str, byte: u8) -> JobOutcome {
        let sources = [("a.asm".to_owned(), program.to_owned())].into();
        let sources = gray1_programs::Sources(sources);
        let link = Link { program: "a.asm".into(), sources, ..Link::default() };
        let board = LinkedBoard {
            name: DEFAULT.to_owned(),
            text: gray1_roms::description(DEFAULT).unwrap().to_owned(),
            ..LinkedBoard::default()
        };
        let loaded = board.load().unwrap();
        let size = loaded.chip(loaded.chip_named(chip).unwrap()).contents().len();
        let board = board.with_contents(chip, &vec![byte; size]).unwrap();
        let link = Link { board: Some(board.clone()), ..link };
        let mut comparison = Comparison::with_board(link, Some(board), None).unwrap();
        loop {
            if let Some(outcome) = comparison.advance() {
                return outcome;
            }
        }
    }

    #[test]
    fn what_differs_between_instructions_and_chips_is_named() {
        let program = " LDI 3\n ST 0x5\n LDI 0\n ST 0x1fe0\n LDI 1\n ST 0x1fe0\nl: JMP l\n";
        for (chip, byte, text) in [
            ("ALUH", 0xff, "After 1 instruction, A is 03 on the instructions and f3 on the chips."),
            ("FLAGS", 0xff, "After 1 instruction, C is 0 on the instructions and 1 on the chips."),
            (
                "BUF",
                0xff,
                "After 2 instructions, the byte at 0x0005 is 03 on the instructions and ff on the \
                 chips.",
            ),
            (
                "PHASE",
                1,
                "The chips stop after 1 instruction: the phase does not return to T0 within 64 \
                 edges of the oscillator.",
            ),
        ] {
            assert_eq!(compare(program, chip, byte).text, text);
        }
    }
}
