//! Answers about the present state of the machine.

use std::time::Duration;

use gray1_debugger::{Expression, Value, values};
use gray1_isa::panel::SIDE;
use gray1_isa::text::{grouped, plural};
use gray1_isa::{RamAddr, SourceLine};
use gray1_session::board::{explain_chip, hex};
use gray1_session::{EXPECTED_LINE, RunState, parse_line};

use super::commands::suggest;
use super::face::Face;
use super::sentences::{describe_line, describe_row, lower};
use crate::cli::shared::outcome::{Failure, failure};

/// The number of bytes in a line about memory.
const LINE_BYTES: usize = 8;
/// The lines of the source before and after the next one.
const SOURCE_AROUND: u64 = 2;

impl Face {
    pub(super) fn tell_breaks(&mut self) -> Result<(), Failure> {
        // The session counts past hits while the machine is stopped.
        while self.session.snapshot().stops.hits.counted.is_some() && !self.interrupts.take() {
            self.session.advance(Duration::ZERO);
        }
        let stops = self.session.snapshot().stops;
        if stops.breaks.list().is_empty() {
            return self.say("No breaks.");
        }
        for (number, entry) in stops.breaks.list().iter().enumerate() {
            let hits = stops.hits.counts.get(number).copied().unwrap_or_default();
            let state = match &entry.bound {
                Err(problem) => problem.clone(),
                Ok(_) => format!("{} {}", grouped(hits), plural(hits, "hit")),
            };
            self.say(&format!("{}: {}, {state}", number + 1, entry.text()))?;
        }
        Ok(())
    }

    pub(super) fn tell_where(&mut self) -> Result<(), Failure> {
        let snapshot = self.session.snapshot();
        let (image, pc) = (&snapshot.program.image, snapshot.cpu.pc);
        let phase = match self.position().edges {
            0 => String::new(),
            _ => format!(", phase T{}", snapshot.cpu.phase),
        };
        let next = if snapshot.run_state == RunState::Halted { "Halted at" } else { "Next is" };
        let caption =
            image.caption(pc).map(|caption| format!(" {}.", caption.trim_end_matches('.')));
        self.say(&format!(
            "Moment {}{phase}. {next} {}.{}",
            grouped(snapshot.time.now),
            lower(&describe_line(image, pc)),
            caption.unwrap_or_default()
        ))
    }

    pub(super) fn tell_registers(&mut self) -> Result<(), Failure> {
        let snapshot = self.session.snapshot();
        let (cpu, names) = (&snapshot.cpu, snapshot.program.image.names());
        let carry = u8::from(cpu.carry);
        self.say(&format!("A is {}, carry {carry}, PC {}.", cpu.a, names.place(cpu.pc)))
    }

    pub(super) fn tell_leds(&mut self) -> Result<(), Failure> {
        let display = self.session.snapshot().display();
        (0..SIDE).try_for_each(|row| self.say(&describe_row(&display, row)))
    }

    pub(super) fn print_value(&mut self, text: &str) -> Result<(), Failure> {
        let snapshot = self.session.snapshot();
        let expression = Expression::parse(text, snapshot.scope())
            .map_err(|error| failure(error.to_string()))?;
        let value = snapshot.value(&expression).ok_or_else(|| failure("this has no value now"))?;
        self.say(&match value {
            Value::Number(number) => format!("{text} is {number}."),
            Value::Data(address, byte) => {
                let is_unwritten = snapshot.is_unwritten(address);
                let remark = if is_unwritten { ", never written" } else { "" };
                format!("{text} is address {:#06x}, which holds {byte}{remark}.", address.get())
            }
        })
    }

    pub(super) fn tell_memory(&mut self, range: &str) -> Result<(), Failure> {
        let snapshot = self.session.snapshot();
        let address = |text: &str| {
            let value = values::value(text, snapshot.scope(), snapshot.view());
            value.and_then(values::data_address).map_err(|error| failure(error.to_string()))
        };
        let (from, to) = range.split_once("..").unwrap_or((range, ""));
        let from = address(from)?.to_usize();
        let to = if to.is_empty() { from + 1 } else { address(to)?.to_usize() };
        let bytes = snapshot.cpu.ram.get(from..to).filter(|bytes| !bytes.is_empty());
        let bytes = bytes.ok_or_else(|| failure("expected FROM..TO, which does not include TO"))?;
        for (number, bytes) in bytes.chunks(LINE_BYTES).enumerate() {
            let first = RamAddr::truncate((from + number * LINE_BYTES) as u16);
            let name = snapshot.program.image.byte_at(first, snapshot.cpu.pc);
            let bytes: Vec<String> = bytes.iter().map(u8::to_string).collect();
            self.say(&format!("{name}: {}", bytes.join(", ")))?;
        }
        Ok(())
    }

    pub(super) fn tell_source(&mut self, range: &str) -> Result<(), Failure> {
        let snapshot = self.session.snapshot();
        let map = snapshot.program.image.source_map();
        let next = map.calling_origin(snapshot.cpu.pc).map(|origin| origin.place);
        let next = next.unwrap_or(SourceLine { file: 0, line: 1 });
        let (file, around) = if range.is_empty() {
            let line = u64::from(next.line);
            (next.file, line.saturating_sub(SOURCE_AROUND).max(1)..=line + SOURCE_AROUND)
        } else {
            let (from, to) = range.split_once("..").unwrap_or((range, range));
            let lines = parse_line(from).zip(parse_line(to));
            let (from, to) = lines.ok_or_else(|| failure(EXPECTED_LINE))?;
            (0, from..=to)
        };
        let lines = around.map_while(|line| {
            let place = SourceLine { file, line: u32::try_from(line).ok()? };
            Some((place, map.line(place)?))
        });
        let lines: Vec<_> = lines.collect();
        if lines.is_empty() {
            return Err(failure("the source has no such line"));
        }
        for (place, text) in lines {
            let mark = if place == next { "next, " } else { "" };
            self.say(&format!("{mark}{}: {}", place.line, text.trim()))?;
        }
        Ok(())
    }

    pub(super) fn tell_chips(&mut self, name: &str) -> Result<(), Failure> {
        let levels = self.levels()?;
        let chips: Vec<_> = levels.board.chip_ids().map(|id| (id, levels.board.chip(id))).collect();
        let names = || chips.iter().map(|(_, chip)| chip.name());
        if !name.is_empty() && !names().any(|known| known.eq_ignore_ascii_case(name)) {
            return Err(failure(suggest(format!("no chip {name}"), name, names())));
        }
        for (id, chip) in &chips {
            if name.is_empty() || chip.name().eq_ignore_ascii_case(name) {
                let value = hex(&levels, &chip.data);
                self.say(&format!("{} 0x{value}: {}", chip.name(), explain_chip(&levels, *id)))?;
            }
        }
        Ok(())
    }
}
