//! Waveforms: the changes of a board's wires as a value change dump, for `GTKWave` and other
//! viewers.
//!
//! Format: IEEE 1364-2005, clause 18.

use std::collections::BTreeSet;
use std::io::{self, Write};

use gray1_board::buses::Bus;
use gray1_board::{Board, NetId};
use gray1_circuit::Change;

/// How to write the wires of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VcdStyle {
    /// For viewers. Wires that share a name are one vector, and times are exact, in ps.
    Buses,
    /// For sigrok. Each wire is a separate variable, because sigrok does not read vectors. Times
    /// are in ns, because sigrok uses the unit of time as its sample period.
    Wires,
    /// As [`Self::Buses`], with two strings: the instruction and its source line. `GTKWave` and
    /// Surfer show them.
    Annotated,
}

/// A value change dump that is being written.
#[derive(Debug)]
pub struct Vcd<W> {
    out: W,
    buses: Vec<Bus>,
    /// The identifier code of each bus.
    codes: Vec<String>,
    /// The identifier codes of the strings, if there are any.
    text_codes: Vec<String>,
    /// The number of each wire's bus, by [`NetId::index`].
    bus_by_net: Vec<usize>,
    levels: Vec<bool>,
    /// The unit of time, and the last written time in this unit.
    unit_ps: u64,
    time: u64,
}

impl<W: Write> Vcd<W> {
    /// Starts a dump of all wires of a board. `levels` has the level of each net at `time_ps`.
    /// Times are in ps.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn new(
        mut out: W,
        board: &Board,
        levels: &[bool],
        time_ps: u64,
        style: VcdStyle,
    ) -> io::Result<Self> {
        let (buses, unit, unit_ps) = match style {
            VcdStyle::Buses | VcdStyle::Annotated => (Bus::group_all(board), "ps", 1),
            VcdStyle::Wires => (Bus::single_wires(board), "ns", 1000),
        };
        let codes: Vec<String> = (0..buses.len()).map(code).collect();
        let mut bus_by_net = vec![0; board.nets().len()];
        for (number, bus) in buses.iter().enumerate() {
            for net in &bus.nets {
                bus_by_net[net.index()] = number;
            }
        }
        writeln!(out, "$version gray1 {} $end", env!("CARGO_PKG_VERSION"))?;
        writeln!(out, "$timescale 1 {unit} $end\n$scope module board $end")?;
        for (Bus { name, nets }, code) in buses.iter().zip(&codes) {
            match nets.len() {
                1 => writeln!(out, "$var wire 1 {code} {name} $end")?,
                width => writeln!(out, "$var wire {width} {code} {name} [{}:0] $end", width - 1)?,
            }
        }
        let names: &[&str] =
            if style == VcdStyle::Annotated { &["instruction", "line"] } else { &[] };
        let text_codes = (buses.len()..).map(code).take(names.len()).collect::<Vec<_>>();
        for (name, code) in names.iter().zip(&text_codes) {
            writeln!(out, "$var string 1 {code} {name} $end")?;
        }
        let (levels, time) = (levels.to_vec(), time_ps / unit_ps);
        writeln!(out, "$upscope $end\n$enddefinitions $end\n#{time}\n$dumpvars")?;
        let mut vcd = Self { out, buses, codes, text_codes, bus_by_net, levels, unit_ps, time };
        for number in 0..vcd.buses.len() {
            vcd.write_value(number)?;
        }
        writeln!(vcd.out, "$end")?;
        Ok(vcd)
    }

    /// Writes changes. Their times must not decrease.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn changes(&mut self, changes: &[Change]) -> io::Result<()> {
        for change in changes {
            self.go_to(change.time_ps)?;
            self.levels[change.net.index()] = change.level;
            self.write_value(self.bus_by_net[change.net.index()])?;
        }
        Ok(())
    }

    /// Writes the wires whose levels have changed at `time_ps`. `levels` has the level of each net,
    /// and times must not decrease.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn settled(&mut self, time_ps: u64, levels: Vec<bool>) -> io::Result<()> {
        let before = std::mem::replace(&mut self.levels, levels);
        let moved = before.iter().zip(&self.levels).zip(&self.bus_by_net);
        let moved = moved.filter(|((before, now), _)| before != now).map(|(_, bus)| *bus);
        let moved: BTreeSet<usize> = moved.collect();
        if !moved.is_empty() {
            self.go_to(time_ps)?;
        }
        moved.into_iter().try_for_each(|bus| self.write_value(bus))
    }

    /// Writes the strings of an annotated dump: the instruction, and its source line. A string of
    /// the format has no blanks, so they become underscores. Times must not decrease.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn annotate(&mut self, time_ps: u64, texts: [&str; 2]) -> io::Result<()> {
        if !self.text_codes.is_empty() {
            self.go_to(time_ps)?;
        }
        for (code, text) in self.text_codes.iter().zip(texts) {
            writeln!(self.out, "s{} {code}", text.replace(char::is_whitespace, "_"))?;
        }
        Ok(())
    }

    fn go_to(&mut self, time_ps: u64) -> io::Result<()> {
        let time = time_ps / self.unit_ps;
        if self.time != time {
            self.time = time;
            writeln!(self.out, "#{time}")?;
        }
        Ok(())
    }

    /// Ends the dump at `time_ps` and returns the writer.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn finish(mut self, time_ps: u64) -> io::Result<W> {
        writeln!(self.out, "#{}", time_ps.div_ceil(self.unit_ps))?;
        Ok(self.out)
    }

    fn write_value(&mut self, number: usize) -> io::Result<()> {
        let code = &self.codes[number];
        let bit = |net: &NetId| if self.levels[net.index()] { '1' } else { '0' };
        match self.buses[number].nets.as_slice() {
            [net] => writeln!(self.out, "{}{code}", bit(net)),
            nets => {
                let bits: String = nets.iter().rev().map(bit).collect();
                writeln!(self.out, "b{bits} {code}")
            }
        }
    }
}

/// Returns the identifier code for a number. It consists of printable characters.
fn code(number: usize) -> String {
    const FIRST: u8 = b'!';
    const COUNT: usize = (b'~' - FIRST + 1) as usize;
    let first = char::from(FIRST + (number % COUNT) as u8);
    match number / COUNT {
        0 => first.to_string(),
        rest => format!("{first}{}", code(rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stock() -> Board {
        let text = include_str!("../../roms/gray1.ron");
        Board::load(text, gray1_roms::parts(), |name| Err(format!("no file {name}"))).unwrap()
    }

    #[test]
    fn a_dump_has_every_wire_and_every_change() {
        let board = stock();
        let phase = board.net_named("PHASE.1").unwrap();
        let oscillator = board.oscillator();
        let mut vcd =
            Vcd::new(Vec::new(), &board, &vec![false; board.nets().len()], 3, VcdStyle::Buses)
                .unwrap();
        let change = |time_ps, net, level| Change { time_ps, net, level };
        vcd.changes(&[change(5, oscillator, true), change(5, phase, true)]).unwrap();
        vcd.changes(&[change(9, phase, false)]).unwrap();
        let text = String::from_utf8(vcd.finish(20).unwrap()).unwrap();
        let (head, body) = text.split_once("$enddefinitions $end\n").unwrap();
        let code = |name: &str| {
            let line = head.lines().find(|line| line.contains(&format!(" {name} "))).unwrap();
            line.split(' ').nth(3).unwrap().to_owned()
        };
        assert!(head.contains(&format!("$var wire 3 {} PHASE [2:0] $end\n", code("PHASE"))));
        let lines: usize = head
            .lines()
            .filter_map(|line| {
                line.strip_prefix("$var wire ")?.split(' ').next()?.parse::<usize>().ok()
            })
            .sum();
        assert_eq!(lines, board.nets().len());
        let (levels, moves) = body.split_once("$end\n").unwrap();
        assert!(levels.starts_with("#3\n$dumpvars\n"), "{levels}");
        let (osc, phase) = (code("OSC"), code("PHASE"));
        assert_eq!(moves, format!("#5\n1{osc}\nb010 {phase}\n#9\nb000 {phase}\n#20\n"));
    }

    #[test]
    fn a_dump_of_wires_has_no_vectors_and_counts_ns() {
        let board = stock();
        let mut vcd =
            Vcd::new(Vec::new(), &board, &vec![false; board.nets().len()], 0, VcdStyle::Wires)
                .unwrap();
        let net = board.net_named("PHASE.1").unwrap();
        let change = |time_ps, level| Change { time_ps, net, level };
        vcd.changes(&[change(1999, true), change(2000, false), change(2999, true)]).unwrap();
        let text = String::from_utf8(vcd.finish(3001).unwrap()).unwrap();
        assert!(text.contains("$timescale 1 ns $end"), "{text}");
        assert_eq!(text.matches("$var wire 1 ").count(), board.nets().len());
        assert!(text.contains(" PHASE.1 $end\n") && !text.contains("$var wire 3"), "{text}");
        let times: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
        assert_eq!(times, ["#0", "#1", "#2", "#4"]);
    }

    #[test]
    fn identifier_codes_are_short_and_unique() {
        let codes: Vec<String> = (0..1000).map(code).collect();
        let mut sorted = codes.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), codes.len());
        assert_eq!((codes[0].as_str(), codes[93].as_str(), codes[94].as_str()), ("!", "~", "!\""));
    }
}
