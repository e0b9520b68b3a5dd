//! A board brought to a given moment between two instructions, as if it had run there: what an
//! engine at the instruction level knows of the machine, on the lines of every chip.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Image, RomIndex, Word};

use super::wiring::Outputs;
use super::{Circuit, Panel, PanelError, PowerUp, Probe, Settled};
use crate::board::registers::{address_lines, master, opcode, program_counters};
use crate::board::{Board, NetId};

/// The state of the machine between two instructions: all that a board remembers in T0.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// The index of the instruction that comes next.
    pub pc: RomIndex,
    /// The accumulator.
    pub a: u8,
    /// The carry.
    pub carry: bool,
    /// Data memory.
    pub memory: &'a [u8; RAM_BYTES],
    /// The instruction that was executed last: the instruction register still holds it.
    pub last: Word,
}

/// A board that can be seated at any moment, as often as one likes.
#[derive(Debug)]
pub struct Seat {
    circuit: Settled,
    /// What the chips show in T0 of some instruction.
    at_rest: Outputs,
    /// A and C, masters and slaves.
    a: [Probe; 2],
    carry: [Probe; 2],
    opcode: Probe,
    operand: Probe,
    counters: Vec<Counter>,
}

/// A part of the program counter.
#[derive(Debug)]
struct Counter {
    lines: Probe,
    /// How many bits it has.
    width: u32,
    /// How many bits of the program's address lie below it.
    shift: u32,
}

/// Why a board cannot be seated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSeat {
    /// It does not run.
    #[error(transparent)]
    Panel(#[from] PanelError),
    /// It has no such register, or it is not made of latches and counters.
    #[error("the board keeps {0} in no latch or counter that is known")]
    Unknown(&'static str),
}

impl Seat {
    /// Powers a board up and gets it ready.
    ///
    /// # Errors
    /// If the board does not run, or keeps its registers in another way.
    pub fn new(board: &Board) -> Result<Self, NoSeat> {
        let power_up = PowerUp::holding(board, Box::new([0; RAM_BYTES]), 0, false);
        // The instruction at 0 brings it from reset, which ends in T1, to T0 of the next one.
        let mut panel = Panel::new(Settled::power_up(board, &power_up).map_err(PanelError::from)?)?;
        panel.step()?;
        let circuit = panel.into_circuit();
        let pair = |lines: &[NetId], what| {
            let masters: Option<Vec<NetId>> =
                lines.iter().map(|&line| master(board, line)).collect();
            let masters = masters.ok_or(NoSeat::Unknown(what))?;
            Ok::<_, NoSeat>([circuit.probe(lines), circuit.probe(&masters)])
        };
        let probes = board.probes();
        let (a, carry) = (pair(&probes.a, "A")?, pair(&[probes.carry], "C")?);
        let opcode = opcode(board).ok_or(NoSeat::Unknown("the opcode"))?;
        let counters = program_counters(board).into_iter().map(|(lines, shift)| Counter {
            lines: circuit.probe(&lines),
            width: lines.len() as u32,
            shift,
        });
        let counters: Vec<Counter> = counters.collect();
        if counters.is_empty() {
            return Err(NoSeat::Unknown("the program counter"));
        }
        Ok(Self {
            at_rest: circuit.snapshot(),
            a,
            carry,
            opcode: circuit.probe(&opcode),
            operand: circuit.probe(&address_lines(board, board.memory())),
            counters,
            circuit,
        })
    }

    /// Puts another program into its socket.
    pub fn insert(&mut self, program: &Image) {
        self.circuit.insert(program);
    }

    /// Seats the board in T0 before an instruction.
    pub fn at(&mut self, moment: &Moment<'_>) -> &mut Settled {
        let code = self.circuit.board().code();
        let word = moment.last;
        let mut levels = vec![
            (&self.opcode, u32::from(word.op().code())),
            (&self.operand, u32::from(word.field())),
        ];
        levels.extend(self.a.iter().map(|probe| (probe, u32::from(moment.a))));
        levels.extend(self.carry.iter().map(|probe| (probe, u32::from(moment.carry))));
        levels.extend(self.counters.iter().map(|Counter { lines, width, shift }| {
            // Two bytes an instruction; a code of few bits is the low end of the number's.
            let count = ((2 * moment.pc.get()) >> shift) & u16::MAX >> (u16::BITS - width);
            (lines, u32::from(code.encode(count)))
        }));
        *self.circuit.memory_mut() = *moment.memory;
        self.circuit.place(&self.at_rest, &levels);
        &mut self.circuit
    }

    /// The board where it was seated, or where it has run since.
    #[must_use]
    pub const fn circuit(&self) -> &Settled {
        &self.circuit
    }
}

#[cfg(test)]
mod tests {
    use super::super::reference::{
        BINARY, Dice, GRAY1, Reference, board, random_memory, random_program,
    };
    use super::*;

    /// All lines and data memory.
    fn seen(circuit: &Settled) -> (Vec<bool>, Vec<u8>) {
        let levels = circuit.board().net_ids().map(|net| circuit.level(net));
        (levels.collect(), circuit.memory().to_vec())
    }

    /// Runs a board with a program, and holds the seat to it after each instruction and in each
    /// phase of the next one.
    fn follow(board: &Board, seat: &mut Seat, program: &Image, dice: &mut Dice, steps: u32) {
        let (a, carry) = (dice.byte(), dice.below(2) == 1);
        let power_up = PowerUp::holding(board, random_memory(dice), a, carry);
        let mut reference = Reference::new(program, &power_up, a, carry);
        let with_program = board.with_program(program);
        let mut panel = Panel::new(Settled::power_up(&with_program, &power_up).unwrap()).unwrap();
        seat.insert(program);
        let mut last = Word::ldi(0);
        for n in 0..steps {
            let moment = Moment {
                pc: reference.index,
                a: reference.a,
                carry: reference.carry,
                memory: &reference.memory,
                last,
            };
            let seated = seat.at(&moment);
            if n == 0 {
                // Reset has ended in T1.
                seated.edge().unwrap();
            }
            for phase in u32::from(n == 0)..8 {
                let names = board.net_ids().zip(seen(panel.circuit()).0).zip(seen(seated).0);
                let wrong: Vec<&str> = names
                    .filter(|((_, is), seated)| is != seated)
                    .map(|((net, _), _)| board.net(net).name())
                    .collect();
                assert!(wrong.is_empty(), "{wrong:?} before {n}, {last:?}, T{phase}");
                assert_eq!(seen(panel.circuit()).1, seen(seated).1, "before {n}, T{phase}");
                panel.circuit_mut().edge().unwrap();
                seated.edge().unwrap();
            }
            last = reference.step().word;
        }
    }

    #[test]
    fn a_seated_board_is_where_the_running_one_is() {
        let dice = &mut Dice(1);
        for text in [GRAY1, BINARY] {
            let board = board(text);
            let mut seat = Seat::new(&board).unwrap();
            for _ in 0..10 {
                let program = random_program(dice);
                follow(&board, &mut seat, &program, dice, 100);
            }
        }
    }

    #[test]
    fn a_board_without_an_instruction_register_has_no_seat() {
        let text = GRAY1.replace(
            r#"does: Latches([(enable: "AS_EN", d: ["AM.0-7"], q: ["AS.0-7"])])"#,
            r#"does: Table, contents: File("as")"#,
        );
        let contents = |_: &str| {
            let latch = |address: u32| {
                if address >> 16 & 1 == 1 { address as u8 } else { (address >> 8) as u8 }
            };
            Ok((0..1 << 17).map(latch).collect())
        };
        let board = Board::load(&text, contents).unwrap();
        assert_eq!(Seat::new(&board).unwrap_err(), NoSeat::Unknown("A"));
    }
}
