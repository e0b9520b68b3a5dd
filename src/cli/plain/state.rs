//! Answers about the present state of the machine.

use std::time::Duration;

use gray1_asm::{find_nearest, suggest};
use gray1_board::Chip;
use gray1_debugger::values;
use gray1_debugger::why::{Asked, describe_square};
use gray1_isa::panel::{Display, LedColor, SIDE};
use gray1_isa::text::{counted, grouped};
use gray1_isa::{ExpansionKind, RamAddr, SourceLine};
use gray1_session::board::{explain_chip, hex};
use gray1_session::{EXPECTED_LINE, RunState, parse_line};

use super::face::{Face, misuse};
use super::sentences::{describe_line, describe_row, end_sentence};
use crate::cli::shared::outcome::{Failure, failure};

/// The number of bytes in a line about memory.
const LINE_BYTES: usize = 8;
/// The lines of the source before and after the next one.
const SOURCE_AROUND: u32 = 2;

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
        let since = match stops.hits.from {
            0 => "power-up".to_owned(),
            from => format!("moment {}", grouped(from)),
        };
        for (entry, hits) in stops.breaks.list().iter().zip(&stops.hits.counts) {
            let hits = counted(*hits, "hit");
            self.say(&format!("{}: {}, {hits} since {since}", entry.id, entry.text()))?;
        }
        Ok(())
    }

    pub(super) fn tell_where(&mut self) -> Result<(), Failure> {
        let snapshot = self.session.snapshot();
        let (image, pc) = (&snapshot.program.image, snapshot.cpu.pc);
        let phase = match self.session.position().edges {
            0 => String::new(),
            _ => format!(", phase T{}", snapshot.cpu.phase),
        };
        let next = if snapshot.run_state == RunState::Halted { "Halted at" } else { "Next is" };
        let caption = image.caption(pc).map(|caption| format!(" {}", end_sentence(caption)));
        let map = image.source_map();
        let expansions = map.calling_origin(pc).into_iter().flat_map(|it| map.expansions_of(it));
        let iterations = expansions.filter_map(|it| match it.kind {
            ExpansionKind::Repeat(number) => {
                Some(format!(", iteration {number} of the repeat in line {}", it.call.line))
            }
            _ => None,
        });
        self.say(&format!(
            "Moment {}{phase}. {next} {}{}.{}",
            grouped(snapshot.time.now),
            describe_line(image, pc),
            iterations.collect::<String>(),
            caption.unwrap_or_default()
        ))
    }

    pub(super) fn tell_registers(&mut self) -> Result<(), Failure> {
        let snapshot = self.session.snapshot();
        let (cpu, names) = (&snapshot.cpu, snapshot.program.image.names());
        let carry = u8::from(cpu.carry);
        self.say(&format!("A is {}, C is {carry}, PC is {}.", cpu.a, names.place(cpu.pc)))
    }

    pub(super) fn tell_leds(&mut self) -> Result<(), Failure> {
        let display = self.session.snapshot().display();
        if display == Display::default() {
            return self.say("All LEDs are dark.");
        }
        (0..SIDE).try_for_each(|row| self.say(&describe_row(&display, row)))
    }

    pub(super) fn tell_led(&mut self, square: &str) -> Result<(), Failure> {
        let snapshot = self.session.snapshot();
        let asked = Asked::parse(&format!("led {square}"), snapshot.scope(), snapshot.cpu.pc);
        let Asked::Led { row, column } = asked.map_err(|error| misuse(error.to_string()))? else {
            return Err(misuse("expected a row and a column"));
        };
        let led = snapshot.display().led(row.into(), column.into());
        let is_written = [LedColor::Green, LedColor::Red].iter().any(|color| {
            !snapshot.is_unwritten(RamAddr::truncate(color.first().get() + u16::from(row)))
        });
        let image = &snapshot.program.image;
        let said = describe_square((row, column), led, is_written, image);
        let remark = if is_written { "" } else { " The program has not written this row yet." };
        self.say(&format!("{said}.{remark}"))
    }

    pub(super) fn tell_memory(&mut self, range: &str) -> Result<(), Failure> {
        let snapshot = self.session.snapshot();
        let address = |text: &str| {
            let value = values::value(text, snapshot.scope(), snapshot.view());
            value.and_then(values::data_address).map_err(|error| misuse(error.to_string()))
        };
        let (from, to) = split_range(range);
        let from = address(from)?.to_usize();
        let to = to.map_or(Ok(from + 1), |to| address(to).map(RamAddr::to_usize))?;
        let bytes = snapshot.cpu.ram.get(from..to).filter(|bytes| !bytes.is_empty());
        let bytes = bytes.ok_or_else(|| misuse("expected FROM..TO, which does not include TO"))?;
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
        let first = next.line.saturating_sub(SOURCE_AROUND).max(1);
        let line = |text| parse_line(text).ok_or_else(|| misuse(EXPECTED_LINE));
        let (file, lines) = match split_range(range) {
            ("", None) => (next.file, first..next.line + SOURCE_AROUND + 1),
            (from, None) => (0, line(from)?..line(from)?.saturating_add(1)),
            (from, Some(to)) => (0, line(from)?..line(to)?),
        };
        let places = lines.map(|line| SourceLine { file, line });
        let lines: Vec<_> = places.map_while(|place| Some((place, map.line(place)?))).collect();
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
        let board = &levels.board;
        let is_wanted = |known: &str| name.is_empty() || known.eq_ignore_ascii_case(name);
        let mut wanted = board.chip_ids().filter(|id| is_wanted(board.chip(*id).name())).peekable();
        if wanted.peek().is_none() {
            let near = suggest(find_nearest(name, board.chips().iter().map(Chip::name)));
            return Err(failure(format!("no chip `{name}`{near}")));
        }
        for id in wanted {
            let (chip, text) = (board.chip(id), explain_chip(&levels, id));
            self.say(&format!("{} 0x{}: {text}", chip.name(), hex(&levels, &chip.data)))?;
        }
        Ok(())
    }
}

/// The limits of a range such as `80..90`, which does not include its end, or a single place.
fn split_range(text: &str) -> (&str, Option<&str>) {
    text.split_once("..").map_or((text, None), |(from, to)| (from, Some(to)))
}
