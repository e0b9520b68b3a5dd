//! The reason for a stop, as a message: an error, running off the end of the program, the wires of
//! a breakpoint, or the effect of the last instruction.

use std::sync::Arc;

use gray1_isa::{Executed, Image, Write, run_off};

use super::condition::Event;
use super::controller::Debugger;
use super::position::Position;
use super::watch_set::{Hit, Matches};

/// The reason why the machine stopped at its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StopReason {
    /// The breakpoints that were hit, as the user wrote them.
    pub hits: Vec<String>,
    /// The last event: `stack+1: 00 -> 10 by ST at row0+12 (queens.asm:88)`.
    pub text: String,
    /// True if `text` describes the effect of the last instruction, and false if it explains the
    /// stop.
    pub is_effect: bool,
}

impl Debugger {
    /// Describes the effect of the last instruction or edge, and lists the breakpoints that were
    /// hit.
    ///
    /// Both depend only on the position of the machine. Returns `None` before the first
    /// instruction.
    pub fn reason(&mut self) -> Option<StopReason> {
        let pc = self.engine().pc();
        let ending = match self.engine().error() {
            Some(error) => Some(error.to_string()),
            None if self.engine().halted() => run_off(&self.image, pc),
            None => None,
        };
        if let Some(text) = ending {
            return Some(StopReason { hits: Vec::new(), text, is_effect: false });
        }
        if let Some(hit) = self.history.hit_now(&self.watch_set([])) {
            let hits = self.breakpoints.hit_by(&hit).map(|it| it.text().to_owned()).collect();
            let text = self.describe_wires(&hit).or_else(|| self.describe_unwritten(&hit));
            let is_effect = text.is_none();
            let text = text.unwrap_or_else(|| self.describe(&hit));
            return Some(StopReason { hits, text, is_effect });
        }
        let executed = Some(self.recent().newest()?.executed());
        let Position { moment, edges } = self.position();
        let hit = Hit { moment, edges, matches: Matches::default(), executed, next: pc };
        Some(StopReason { hits: Vec::new(), text: self.describe(&hit), is_effect: true })
    }

    fn describe(&self, hit: &Hit) -> String {
        describe_hit(hit, &self.image)
    }

    /// If a breakpoint on wires was hit, describes how its wires changed, with the phase and the
    /// instruction.
    fn describe_wires(&mut self, hit: &Hit) -> Option<String> {
        let breakpoints = Arc::clone(&self.breakpoints);
        let event = breakpoints.hit_by(hit).find_map(|it| match it.condition()?.event() {
            Event::Wires(event) => Some(event),
            _ => None,
        })?;
        let before = self.trail.levels_before(&self.history)?;
        let changes = event.describe(before, self.history.engine().circuit()?);
        let place = self.describe(&Hit { executed: None, ..*hit });
        Some(format!("{changes}, in {} {place}", self.engine().phase()))
    }

    /// If a breakpoint on unwritten bytes was hit, describes the instruction that reads one.
    fn describe_unwritten(&self, hit: &Hit) -> Option<String> {
        let mut events =
            self.breakpoints.hit_by(hit).filter_map(|it| Some(it.condition()?.event()));
        events.any(|event| *event == Event::Unwritten).then(|| {
            let (word, place) = (self.image.word(hit.next), self.image.place_and_line(hit.next));
            let byte = self.image.byte_at(word.address(), hit.next);
            format!("{byte}: never written, read next by {} at {place}", word.op())
        })
    }
}

/// Describes the byte that an instruction accessed, with its old and new value, the instruction and
/// its source line. If nothing was executed, describes the next instruction.
pub(super) fn describe_hit(hit: &Hit, image: &Image) -> String {
    let Some(Executed { index, word, write, read }) = hit.executed else {
        return format!("at {}", image.place_and_line(hit.next));
    };
    let (op, place) = (word.op(), image.place_and_line(index));
    if let Some(Write { address, old, new }) = write {
        format!("{}: {old:02x} -> {new:02x} by {op} at {place}", image.byte_at(address, index))
    } else if let Some(byte) = read {
        let address = word.address();
        format!("{}: {byte:02x} read by {op} at {place}", image.byte_at(address, index))
    } else {
        format!("{} at {place}", image.instruction(index))
    }
}
