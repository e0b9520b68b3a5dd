//! Follows each unknown bit back to the bits at power-up that it depends on.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Op, PartialByte, RamAddr, Word};

use super::place::{PowerUpBits, PowerUpPlace};
use crate::replay::{Happened, Watch};
use crate::run::Run;
use crate::watch_set::NO_CONDITIONS;

/// A search for the bits at power-up that unknown bits depend on, at a moment of a run.
#[derive(Debug)]
pub struct OriginSearch {
    /// The run that is followed. Its machine knows which bits are unknown.
    pub run: Run,
    moment: u64,
    /// The origin of each bit of data memory, eight for each byte. That of a known bit is never
    /// read.
    ram: Vec<Origin>,
    a: [Origin; 8],
    carry: Origin,
    /// The origins of bits that depend on several others.
    joined: Vec<[Origin; 2]>,
}

/// A bit at power-up, or a pair of other origins. Bits have the lower numbers: those of data
/// memory, then those of A, then C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Origin(u32);

const BITS_OF_RAM: u32 = 8 * RAM_BYTES as u32;
const CARRY_BIT: u32 = BITS_OF_RAM + 8;
const FIRST_PAIR: u32 = CARRY_BIT + 1;

/// The maximum number of pairs. A run that needs more loses origins, so its list is not complete.
const PAIRS_MAX: usize = 1 << 24;

impl OriginSearch {
    /// Starts at power-up, when each bit is its own origin. `run` is a run of a
    /// [machine with any contents](gray1_sim::Machine::with_any_contents) that has just begun.
    pub fn new(run: Run, moment: u64) -> Self {
        let bits = |first: u32| (first..).map(Origin);
        let mut of_a = bits(BITS_OF_RAM);
        Self {
            run,
            moment,
            ram: bits(0).take(8 * RAM_BYTES).collect(),
            a: std::array::from_fn(|_| of_a.next().unwrap_or(Origin(BITS_OF_RAM))),
            carry: Origin(CARRY_BIT),
            joined: Vec::new(),
        }
    }

    /// Continues for at most a few milliseconds. Returns true once it has reached the moment.
    pub fn advance(&mut self) -> bool {
        let slice = self.run.moment().saturating_add(self.run.engine().slice());
        let to = slice.min(self.moment);
        loop {
            let engine = self.run.engine();
            let word = engine.word(engine.pc());
            let data = word.address().to_usize();
            let operands = engine.partial_state().map(|state| (state.a, state.ram[data]));
            match (self.run.next(&mut Watch::instructions(&NO_CONDITIONS), to), operands) {
                (None, _) => return self.run.moment() >= self.moment || self.run.engine().halted(),
                (Some(Happened::Step(_)), Some((a, data))) => self.follow(word, a, data),
                _ => {}
            }
        }
    }

    /// Follows an instruction that was executed. `a` and `data` are its operands.
    fn follow(&mut self, word: Word, a: PartialByte, data: PartialByte) {
        let (op, place) = (word.op(), 8 * word.address().to_usize());
        if op.writes_memory() {
            self.ram[place..place + 8].copy_from_slice(&self.a);
        } else if op.writes_a() {
            let operands: [Origin; 16] =
                std::array::from_fn(|n| if n < 8 { self.a[n] } else { self.ram[place + n - 8] });
            let mut results = [None; 9];
            for (unknown, changed) in influences(op, a, data, word.immediate()) {
                for (result, origin) in results.iter_mut().enumerate() {
                    if changed >> result & 1 == 1 {
                        *origin = Some(self.join(*origin, operands[unknown]));
                    }
                }
            }
            for (origin, new) in self.a.iter_mut().zip(results) {
                *origin = new.unwrap_or(*origin);
            }
            if op.writes_carry() {
                self.carry = results[8].unwrap_or(self.carry);
            }
        }
    }

    fn join(&mut self, one: Option<Origin>, other: Origin) -> Origin {
        let Some(one) = one.filter(|one| *one != other) else { return other };
        if self.joined.len() == PAIRS_MAX {
            return one;
        }
        self.joined.push([one, other]);
        Origin(FIRST_PAIR + self.joined.len() as u32 - 1)
    }

    /// Returns the bits at power-up that the unknown bits of a register or byte depend on. Only the
    /// bits in `mask` count.
    pub fn bits(&self, place: PowerUpPlace, mask: u8) -> PowerUpBits {
        let Some(state) = self.run.engine().partial_state() else { return PowerUpBits::new() };
        let (origins, byte) = match place {
            PowerUpPlace::Carry => return self.trace([self.carry]),
            PowerUpPlace::A => (&self.a[..], state.a),
            PowerUpPlace::Byte(address) => {
                let address = address.to_usize();
                (&self.ram[8 * address..], state.ram[address])
            }
        };
        let unknown = mask & !byte.known();
        self.trace((0..8).filter(|bit| unknown >> bit & 1 == 1).map(|bit| origins[bit]))
    }

    fn trace(&self, origins: impl IntoIterator<Item = Origin>) -> PowerUpBits {
        let mut found = PowerUpBits::new();
        let mut waiting: Vec<Origin> = origins.into_iter().collect();
        let mut seen = vec![false; self.joined.len()];
        while let Some(Origin(number)) = waiting.pop() {
            if let Some(pair) = number.checked_sub(FIRST_PAIR) {
                if !std::mem::replace(&mut seen[pair as usize], true) {
                    waiting.extend(self.joined[pair as usize]);
                }
                continue;
            }
            let place = match number {
                CARRY_BIT => PowerUpPlace::Carry,
                BITS_OF_RAM.. => PowerUpPlace::A,
                _ => PowerUpPlace::Byte(RamAddr::truncate((number / 8) as u16)),
            };
            *found.entry(place).or_default() |= 1 << (number % 8);
        }
        found
    }
}

/// Returns the unknown bits of the operands that can change a result, each with the bits of the
/// result that it can change. The operand bits are those of A from 0 on, and those of the data byte
/// from 8 on. The highest bit of the result is the carry.
fn influences(
    op: Op,
    a: PartialByte,
    data: PartialByte,
    immediate: u8,
) -> impl Iterator<Item = (usize, u16)> {
    let unknown = u16::from(!a.known()) | u16::from(!data.known()) << 8;
    let outputs = move |operands: u16| {
        let [of_a, of_data] = (operands & unknown).to_le_bytes();
        let alu = op.alu(a.bits() | of_a, data.bits() | of_data, immediate);
        u16::from(alu.value) | u16::from(alu.carry) << 8
    };
    let (low, high) = (outputs(0), outputs(unknown));
    // Where no bit can change an output by itself, all of them together may.
    let is_alone = move |bit: u16| (outputs(bit) ^ low) | (outputs(unknown & !bit) ^ high);
    let bits = move || (0..16).map(|place| 1_u16 << place).filter(move |bit| unknown & bit != 0);
    let together = (low ^ high) & !bits().fold(0, |found, bit| found | is_alone(bit));
    bits().map(move |bit| (bit.trailing_zeros() as usize, is_alone(bit) | together))
}
