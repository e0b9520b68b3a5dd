//! What a program leaves behind: registers and a range of data memory, as text.

use std::ops::Range;

use gray1_debugger::{Expression, MachineView};
use gray1_isa::Image;
use gray1_isa::address::RAM_BYTES;
use gray1_sim::{Engine, Registers};
use serde_json::{Value, json};

use crate::cli::Failure;

/// The address after the last one.
const MEMORY_END: i64 = RAM_BYTES.cast_signed() as i64;

/// The bytes in a line.
const LINE_BYTES: usize = 16;

/// A range of data memory without its end, as expressions of the state at the end of the run.
pub(super) struct DumpRange {
    from: Option<Expression>,
    to: Option<Expression>,
}

impl DumpRange {
    /// Reads `FROM..TO`; without FROM the range begins at 0, without TO it has all that follows.
    pub(super) fn read(text: &str, image: &Image) -> Result<Self, Failure> {
        let refused = |why: &str| Failure::Usage(format!("--dump {text}: {why}"));
        let (from, to) = text.split_once("..").ok_or_else(|| refused("expected FROM..TO"))?;
        let side = |side: &str| match side.trim() {
            "" => Ok(None),
            side => Expression::parse(side, image).map(Some),
        };
        let side = |text| side(text).map_err(|error| refused(&error.to_string()));
        let (from, to) = (side(from)?, side(to)?);
        // What is wrong whatever the program does is told before it runs.
        let known = |side: &Option<Expression>, missing| match side {
            None => Some(missing),
            Some(side) => side.constant(),
        };
        let (first, last) = (known(&from, 0), known(&to, MEMORY_END));
        range(first.unwrap_or(0), last.or(first).unwrap_or(0)).map_err(Failure::Usage)?;
        Ok(Self { from, to })
    }

    /// The bytes of a machine in the range, and the address of the first.
    ///
    /// # Errors
    /// If it is no range of data memory.
    pub(super) fn bytes<'a>(&self, engine: &'a dyn Engine) -> Result<(usize, &'a [u8]), String> {
        let view = MachineView::of(engine);
        let end = |side: &Option<Expression>, missing| match side {
            None => Ok(missing),
            Some(side) => side.value(view).ok_or("--dump: the value is too large"),
        };
        let range = range(end(&self.from, 0)?, end(&self.to, MEMORY_END)?)?;
        Ok((range.start, &engine.ram()[range]))
    }
}

/// Bytes from an address on, sixteen a line.
pub(super) fn lines(from: usize, bytes: &[u8]) -> String {
    let line = |(number, bytes): (usize, &[u8])| {
        let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("0x{:04x}: {}", from + number * LINE_BYTES, bytes.join(" "))
    };
    bytes.chunks(LINE_BYTES).enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// The addresses from one to another; none if these are the same.
fn range(from: i64, to: i64) -> Result<Range<usize>, String> {
    let place = |side: i64| usize::try_from(side).ok().filter(|side| *side <= RAM_BYTES);
    let range = place(from).zip(place(to)).filter(|(from, to)| from <= to);
    range.map(|(from, to)| from..to).ok_or_else(|| {
        format!("--dump: expected addresses of 0 to {RAM_BYTES}, FROM not above TO, and not {from}..{to}")
    })
}

/// The registers of a machine.
pub(super) fn registers(Registers { a, carry, pc }: Registers) -> (String, Value) {
    let (carry, pc) = (u8::from(carry), pc.get());
    let text = format!("A=0x{a:02x} C={carry} PC=0x{pc:04x}");
    (text, json!({ "a": a, "c": carry, "pc": pc }))
}
