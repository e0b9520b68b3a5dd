//! The levels that a maker should measure in each step, from the circuit of that step.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use gray1_board::buses::{Bus, name_from_high};
use gray1_board::phase::Phase;
use gray1_board::registers::{address_wires, opcode};
use gray1_board::role::{Function, Role};
use gray1_board::{Board, ChipId, NetId, Panel, number};
use gray1_circuit::panel::{hold, press_reset};
use gray1_circuit::{Circuit, Unsettled};
use gray1_isa::panel::{Buttons, SIDE};
use gray1_isa::{Op, Word};

use super::partial::circuit;
use super::steps::Step;

/// The number of instructions that are listed: once through the loop, and on.
const FOLLOWED: usize = 16;
/// The numbers of instructions after which the counters are read.
const COUNTS: [u32; 10] = [0, 1, 2, 3, 4, 31, 32, 64, 127, 128];
/// The operands that are loaded: each wire is low and high, and differs from its neighbour.
const TARGETS: [u16; 4] = [0x0000, 0x0aaa, 0x1555, 0x1fff];

/// The most instructions before the bring-up program prints something.
const LOOP_MAX: u32 = 1000;
/// The width of the names of rows of LEDs.
const LABEL_WIDTH: usize = 13;

type Readings = Result<Vec<String>, Box<Unsettled>>;

/// A part of a board, to be powered up with some wires tied high.
pub(super) struct Bench<'a> {
    pub(super) board: &'a Board,
    pub(super) present: BTreeSet<ChipId>,
    /// Wires that are high in addition to those of the step. The sheet has none; a test ties wires
    /// that make no difference.
    pub(super) high: Vec<NetId>,
    pub(super) seed: u64,
}

impl<'a> Bench<'a> {
    pub(super) fn new(board: &'a Board, step: Step) -> Self {
        Self { board, present: step.present(board), high: Vec::new(), seed: 0 }
    }

    /// The expected readings of a step, in lines.
    pub(super) fn readings(&self, step: Step) -> Readings {
        match step {
            Step::Clock | Step::Rest => Ok(Vec::new()),
            Step::Phase => self.phases(),
            Step::Control => self.strobes(),
            Step::Counter => self.counts(),
            Step::Fetch | Step::Arithmetic | Step::Memory => self.instructions(step),
            Step::Panel => self.board.panel().map_or(Ok(Vec::new()), |panel| self.panel(panel)),
        }
    }

    fn after_reset(&self, high: &[NetId]) -> Result<impl Circuit + use<>, Box<Unsettled>> {
        let high: Vec<NetId> = self.high.iter().chain(high).copied().collect();
        let mut circuit = circuit(self.board, &self.present, &high, self.seed)?;
        press_reset(&mut circuit)?;
        Ok(circuit)
    }

    fn phases(&self) -> Readings {
        let wires = &self.board.probes().phase;
        let mut circuit = self.after_reset(&[])?;
        let name = name_from_high(self.board, wires);
        let parked = binary(&circuit, wires);
        let mut walk = String::new();
        for _ in 0..Phase::COUNT {
            circuit.edge()?;
            walk += " ";
            walk += &binary(&circuit, wires);
        }
        Ok(vec![
            format!("RST high, after nine edges of OSC: {name} = {parked}, and stays"),
            format!("RST low, edge by edge:{walk}, and again"),
        ])
    }

    /// A line for each opcode at the inputs of the control table, and one for reset.
    fn strobes(&self) -> Readings {
        let Some(code) = opcode(self.board) else { return Ok(Vec::new()) };
        let carry = self.board.probes().carry;
        let mut lines = vec![format!(
            "{}  {}",
            name_from_high(self.board, &code),
            self.board.net(carry).name()
        )];
        for op in Op::ALL {
            let with = |c: bool| {
                let mut high = ones(&code, u32::from(op.code()));
                high.extend(c.then_some(carry));
                self.strobes_with(&high)
            };
            let [zero, one] = [with(false)?, with(true)?];
            let row = |c: &str, strobes: &str| format!("{:03b} {op:<4}  {c}  {strobes}", op.code());
            if zero == one {
                lines.push(row("0 or 1", &zero));
            } else {
                lines.extend([row("0     ", &zero), row("1     ", &one)]);
            }
        }
        let mut circuit = self.after_reset(&[])?;
        circuit.set_reset(true)?;
        let parked = self.strobes_on(&circuit);
        lines.push(format!("RST high, after nine edges of OSC: {}", parked.trim_start()));
        Ok(lines)
    }

    /// The phases in which strobes are active, with the strobes.
    fn strobes_with(&self, high: &[NetId]) -> Result<String, Box<Unsettled>> {
        let mut circuit = self.after_reset(high)?;
        circuit.edges(Phase::AFTER_RESET.edges_to_go())?;
        let mut text = String::new();
        for _ in 0..Phase::COUNT {
            text += &self.strobes_on(&circuit);
            circuit.edge()?;
        }
        Ok(text)
    }

    /// The phase with its active strobes, if there are any.
    fn strobes_on(&self, circuit: &impl Circuit) -> String {
        let mut text = String::new();
        for chip in self.board.chips() {
            let Role::Function(Function::Control(control)) = chip.role() else { continue };
            let low = usize::from(control.strobes.write_low);
            for (pin, &net) in chip.data().iter().enumerate() {
                if circuit.level(net) != (pin == low) {
                    let name = self.board.net(net).name();
                    let level = if pin == low { " low" } else { "" };
                    write!(text, " {name}{level}").expect("a String takes all");
                }
            }
        }
        if text.is_empty() {
            return text;
        }
        format!("  {}{text}", binary(circuit, &self.board.probes().phase))
    }

    fn counts(&self) -> Readings {
        let buses = self.buses_of(|role| matches!(role, Role::Counter(_)));
        let heading = |first: &str| format!("{first:<25}{}", titles(&buses));
        let row = |first: &str, circuit: &_| format!("{first:<25}{}", values(circuit, &buses));
        let mut lines = vec![heading("instructions done")];
        let mut circuit = self.after_reset(&[])?;
        let mut done = 0;
        for count in COUNTS {
            circuit.edges((count - done) * Phase::COUNT)?;
            done = count;
            lines.push(row(&count.to_string(), &circuit));
        }
        let code = opcode(self.board).unwrap_or_default();
        lines.push(heading("opcode, operand tied to"));
        for target in TARGETS {
            let mut high = ones(&code, u32::from(Op::Jmp.code()));
            high.extend(ones(&self.operand(), u32::from(target)));
            let mut circuit = self.after_reset(&high)?;
            circuit.edges(Phase::T7.number() - Phase::AFTER_RESET.number())?;
            lines.push(row(&format!("{:03b} {target:013b}", Op::Jmp.code()), &circuit));
        }
        Ok(lines)
    }

    /// The levels at the end of each instruction of the program.
    fn instructions(&self, step: Step) -> Readings {
        let mut buses = self.buses_of(|role| matches!(role, Role::Counter(_)));
        buses.extend(self.fetched());
        if step >= Step::Arithmetic {
            let probes = self.board.probes();
            buses.extend(self.buses_with(&[probes.a[0], probes.carry]));
        }
        // The byte at an address that no instruction asks for may be any.
        let memory = self.board.chip(self.board.memory());
        let data = if step >= Step::Memory { &memory.data()[..1] } else { &[] };
        let data = self.buses_with(data);
        let code = opcode(self.board).unwrap_or_default();
        let heading = format!("     {:<10}{}  {}", "executes", titles(&buses), titles(&data));
        let mut lines = vec![heading];
        let mut circuit = self.after_reset(&[])?;
        circuit.edges(Phase::T7.number() - Phase::AFTER_RESET.number())?;
        for number in 1..=FOLLOWED {
            let bits = number_on(&circuit, &code) << 13 | number_on(&circuit, &self.operand());
            let word = Word::from_bits(bits as u16);
            let op = word.op();
            let uses_memory = op.reads_memory() || op.writes_memory();
            let mut cells = values(&circuit, &buses);
            if uses_memory {
                cells.extend(["  ".to_owned(), values(&circuit, &data)]);
            }
            lines.push(format!("{number:>3}  {:<10}{cells}", instruction(word)));
            circuit.edges(Phase::COUNT)?;
        }
        Ok(lines)
    }

    /// The rows of LEDs and A, both times that the loop prints the buttons: with none held, and
    /// with all; and the phases in which the mailbox's strobe is on.
    fn panel(&self, panel: &Panel) -> Readings {
        let mut buses = self.buses_with(&[self.board.probes().a[0]]);
        let rows: Vec<NetId> = panel.leds.iter().step_by(SIDE).copied().collect();
        buses.extend(self.buses_with(&rows));
        let mut columns = vec![buses.iter().map(title).collect::<Vec<_>>()];
        let (mut heading, mut strobes) = (" ".repeat(LABEL_WIDTH), Vec::new());
        let mut circuit = self.after_reset(&[])?;
        // The first instruction.
        circuit.edges(Phase::AFTER_RESET.edges_to_go())?;
        let mut done = 1;
        for (held, words) in [(0x00, "no button held"), (0xff, "all buttons held")] {
            hold(&mut circuit, Buttons(held))?;
            let mut on = Vec::new();
            while on.is_empty() {
                if done > LOOP_MAX {
                    return Ok(vec!["the program never prints".to_owned()]);
                }
                on = self.phases_with(panel.mailbox, &mut circuit)?;
                done += 1;
            }
            strobes.push(format!("instruction {done}: {}", on.join(" ")));
            write!(heading, "{done} done, {words}   ").expect("a String takes all");
            columns.push(buses.iter().map(|bus| binary(&circuit, &bus.nets)).collect());
        }
        let mut lines = vec![heading.trim_end().to_owned()];
        for ((name, first), second) in columns[0].iter().zip(&columns[1]).zip(&columns[2]) {
            lines.push(format!("{name:<LABEL_WIDTH$}{first:<26}{second}"));
        }
        let strobe = self.board.net(panel.mailbox).name();
        lines.push(format!("{strobe} is high in {}, and never else", strobes.join(", in ")));
        Ok(lines)
    }

    /// Executes an instruction, and returns the phases in which a wire is high.
    fn phases_with(
        &self,
        wire: NetId,
        circuit: &mut impl Circuit,
    ) -> Result<Vec<String>, Box<Unsettled>> {
        let mut on = Vec::new();
        for _ in 0..Phase::COUNT {
            circuit.edge()?;
            if circuit.level(wire) {
                on.push(binary(circuit, &self.board.probes().phase));
            }
        }
        Ok(on)
    }

    /// The wires of the operand: the address of data memory.
    fn operand(&self) -> Vec<NetId> {
        address_wires(self.board, self.board.memory())
    }

    /// The instruction register's buses.
    fn fetched(&self) -> Vec<Bus> {
        let joined = Step::Fetch.joins(self.board);
        let latches = joined.into_iter().filter(|&id| id != self.board.program());
        let first: Vec<NetId> =
            latches.filter_map(|id| self.board.chip(id).data().first().copied()).collect();
        self.buses_with(&first)
    }

    /// The buses of the present chips with such a role, other than the phase.
    fn buses_of(&self, wanted: impl Fn(&Role) -> bool) -> Vec<Bus> {
        let chips = self.present.iter().map(|&id| self.board.chip(id));
        let chips = chips.filter(|chip| wanted(chip.role()));
        let first: Vec<NetId> = chips.filter_map(|chip| chip.data().first().copied()).collect();
        let phase = self.board.probes().phase[0];
        let first: Vec<NetId> = first.into_iter().filter(|net| *net != phase).collect();
        self.buses_with(&first)
    }

    /// The buses to which these wires belong.
    fn buses_with(&self, nets: &[NetId]) -> Vec<Bus> {
        let all = Bus::all(self.board);
        let with = |net: &NetId| all.iter().find(|bus| bus.nets.contains(net)).cloned();
        nets.iter().filter_map(with).collect()
    }
}

/// The wires that are high when they carry this number.
fn ones(nets: &[NetId], number: u32) -> Vec<NetId> {
    let bits = nets.iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
    bits.map(|(_, &net)| net).collect()
}

fn number_on(circuit: &impl Circuit, nets: &[NetId]) -> u32 {
    number(nets, |net| circuit.level(net))
}

/// The levels of wires, the highest bit first.
fn binary(circuit: &impl Circuit, nets: &[NetId]) -> String {
    format!("{:0width$b}", number_on(circuit, nets), width = nets.len())
}

/// The name of a bus with its range, the highest bit first.
fn title(bus: &Bus) -> String {
    match bus.nets.len() {
        1 => bus.name.clone(),
        wires => format!("{}.{}-0", bus.name, wires - 1),
    }
}

fn titles(buses: &[Bus]) -> String {
    columns(buses, title)
}

fn values(circuit: &impl Circuit, buses: &[Bus]) -> String {
    columns(buses, |bus| binary(circuit, &bus.nets))
}

fn columns(buses: &[Bus], cell: impl Fn(&Bus) -> String) -> String {
    let cells = buses.iter().map(|bus| {
        let width = title(bus).len().max(bus.nets.len());
        format!("{:<width$}", cell(bus))
    });
    cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

fn instruction(word: Word) -> String {
    match word.op() {
        Op::Shr => "SHR".to_owned(),
        Op::Ldi => format!("LDI {:02x}", word.operand()),
        op => format!("{op} {:04x}", word.operand()),
    }
}
