//! Prints the final state of a program: its registers and a range of data memory.

use std::ops::Range;

use gray1_debugger::{Expression, MachineView, Run};
use gray1_isa::Image;
use gray1_isa::address::RAM_BYTES;
use gray1_sim::Registers;
use serde_json::{Value, json};

use crate::cli::shared::outcome::Failure;

/// The end of data memory: one more than the last address.
const MEMORY_END: i64 = RAM_BYTES.cast_signed() as i64;

/// The number of bytes in a line.
const LINE_BYTES: usize = 16;

/// A range of data memory, end excluded. Its limits are expressions evaluated at the end of the
/// run.
pub(super) struct DumpRange {
    from: Option<Expression>,
    to: Option<Expression>,
}

impl DumpRange {
    /// Parses `FROM..TO`. Without FROM, the range begins at 0. Without TO, it extends to the end of
    /// memory.
    pub(super) fn parse(text: &str, image: &Image) -> Result<Self, Failure> {
        let refused = |why: &str| Failure::Usage(format!("--dump {text}: {why}"));
        let (from, to) = text.split_once("..").ok_or_else(|| refused("expected FROM..TO"))?;
        let side = |side: &str| match side.trim() {
            "" => Ok(None),
            side => Expression::parse(side, image).map(Some),
        };
        let side = |text| side(text).map_err(|error| refused(&error.to_string()));
        let (from, to) = (side(from)?, side(to)?);
        // Errors that do not depend on the run are reported before it.
        let known = |side: &Option<Expression>, missing| match side {
            None => Some(missing),
            Some(side) => side.constant(),
        };
        let (first, last) = (known(&from, 0), known(&to, MEMORY_END));
        check_range(first.unwrap_or(0), last.or(first).unwrap_or(0)).map_err(Failure::Usage)?;
        Ok(Self { from, to })
    }

    /// The bytes in this range of a machine's data memory, and the address of the first one.
    ///
    /// # Errors
    /// If the limits do not form a range of data memory.
    pub(super) fn bytes<'a>(&self, run: &'a Run) -> Result<(usize, &'a [u8]), String> {
        let (engine, view) = (run.engine(), MachineView::new(run.engine(), run.moment()));
        let end = |side: &Option<Expression>, missing| match side {
            None => Ok(missing),
            Some(side) => side.value(view).ok_or("--dump: the value is too large"),
        };
        let range = check_range(end(&self.from, 0)?, end(&self.to, MEMORY_END)?)?;
        Ok((range.start, &engine.ram()[range]))
    }
}

/// Formats bytes from an address on, sixteen on a line.
pub(super) fn format_bytes(from: usize, bytes: &[u8]) -> String {
    let lines = bytes.chunks(LINE_BYTES).enumerate().map(|(number, bytes)| {
        let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("0x{:04x}: {}", from + number * LINE_BYTES, bytes.join(" "))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Checks the limits of a range, which may be empty.
fn check_range(from: i64, to: i64) -> Result<Range<usize>, String> {
    let place = |side: i64| usize::try_from(side).ok().filter(|side| *side <= RAM_BYTES);
    let range = place(from).zip(place(to)).filter(|(from, to)| from <= to);
    range.map(|(from, to)| from..to).ok_or_else(|| {
        format!("--dump: expected FROM..TO within 0..{RAM_BYTES}, found {from}..{to}")
    })
}

/// Formats the registers of a machine, as a line and as JSON.
pub(super) fn format_registers(Registers { a, carry, pc }: Registers) -> (String, Value) {
    let (carry, pc) = (u8::from(carry), pc.get());
    let text = format!("A=0x{a:02x} C={carry} PC=0x{pc:04x}");
    (text, json!({ "a": a, "c": carry, "pc": pc }))
}
