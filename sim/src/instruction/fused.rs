//! Fused code: common sequences of instructions, each executed as one step.
//!
//! An interpreter spends most of its time finding the code for the next instruction. On this
//! machine, the operand of an instruction is a fixed address or target, so the whole sequence that
//! starts at each index is known in advance, for example `LD x, NAND y, NAND z, ST t`. Its code
//! branches only for jumps. Every index has an entry, so a jump may enter a sequence anywhere.

use gray1_isa::address::{RAM_BYTES, ROM_WORDS};
use gray1_isa::{Image, Indexes, Op, Operand, RamAddr, Registers, RomIndex, Word, panel};

use super::unit::Unit;
use crate::profile::ExecutionCounts;

/// The maximum length of a sequence, in instructions.
const LENGTH_MAX: usize = 6;

/// Receives the instructions that are executed.
pub(super) trait Observer {
    /// Reports that `length` consecutive instructions were executed, starting at `first`.
    fn executed(&mut self, first: RomIndex, length: usize);
}

/// Observes nothing and costs nothing.
impl Observer for () {
    fn executed(&mut self, _: RomIndex, _: usize) {}
}

impl Observer for ExecutionCounts {
    fn executed(&mut self, first: RomIndex, length: usize) {
        self.add(first, length);
    }
}

/// Program memory as words and as fused sequences.
#[derive(Debug, Clone)]
pub(super) struct FusedProgram {
    words: Box<[Word; ROM_WORDS]>,
    code: Box<[FusedSequence; ROM_WORDS]>,
    /// The instructions to stop at. No sequence contains one.
    watched: Indexes,
}

/// The sequence that starts at an index.
#[derive(Debug, Clone, Copy)]
// The size is 16 bytes, so that indexing only needs a shift.
#[repr(align(16))]
struct FusedSequence {
    sequence: Sequence,
    /// The operands of the instructions in the sequence.
    operands: [u16; LENGTH_MAX],
}

impl FusedProgram {
    pub(super) fn fuse(image: &Image) -> Self {
        let words: Box<[Word; ROM_WORDS]> =
            Box::new(std::array::from_fn(|n| image.word(RomIndex::truncate(n as u16))));
        let watched = Indexes::NONE;
        let code = Box::new(std::array::from_fn(|n| {
            FusedSequence::starting_at(&words, &watched, RomIndex::truncate(n as u16))
        }));
        Self { words, code, watched }
    }

    /// Replaces the watched instructions. Returns whether they changed.
    pub(super) fn watch(&mut self, indexes: &Indexes) -> bool {
        if self.watched == *indexes {
            return false;
        }
        let mut changed = indexes.clone();
        changed.combine(&self.watched, |new, old| new ^ old);
        self.watched.clone_from(indexes);
        for index in changed.iter() {
            // Rebuild the sequences that could contain the changed instruction.
            for back in 0..LENGTH_MAX as u16 {
                let start = RomIndex::truncate(index.get().wrapping_sub(back));
                self.code[start.to_usize()] =
                    FusedSequence::starting_at(&self.words, &self.watched, start);
            }
        }
        true
    }

    pub(super) fn watched(&self) -> &Indexes {
        &self.watched
    }

    pub(super) fn is_watched(&self, index: RomIndex) -> bool {
        self.watched.contains(index)
    }

    pub(super) fn words(&self) -> &[Word; ROM_WORDS] {
        &self.words
    }

    pub(super) fn word(&self, index: RomIndex) -> Word {
        self.words[index.to_usize()]
    }
}

impl FusedSequence {
    /// Returns the first sequence of the list that matches the program at `start`.
    fn starting_at(words: &[Word; ROM_WORDS], watched: &Indexes, start: RomIndex) -> Self {
        let first = words[start.to_usize()];
        if first == Word::ERASED && is_plain(first, start) && !watched.contains(start) {
            // A shortcut for erased words, which fill most of program memory. Searching the list
            // for each would take longer than a short run.
            return Self { sequence: Sequence::Jmp, operands: [first.operand(); LENGTH_MAX] };
        }
        let indexes = std::iter::successors(Some(start), |index| Some(index.next()));
        let upcoming: [(RomIndex, Word); LENGTH_MAX] = {
            let mut indexes = indexes.map(|index| (index, words[index.to_usize()]));
            std::array::from_fn(|_| indexes.next().unwrap_or((start, Word::ERASED)))
        };
        let plain = upcoming
            .iter()
            .take_while(|(index, word)| is_plain(*word, *index) && !watched.contains(*index))
            .count();
        let found = SEQUENCES.into_iter().find(|(_, ops)| {
            ops.len() <= plain && ops.iter().zip(upcoming).all(|(op, (_, word))| *op == word.op())
        });
        Self {
            sequence: found.map_or(Sequence::Single, |(sequence, _)| sequence),
            operands: upcoming.map(|(_, word)| word.operand()),
        }
    }
}

/// Returns true if an instruction needs only registers and memory.
///
/// Three kinds need more: stores to the mailbox print, stores to the buttons have no effect on some
/// boards, and a jump to itself ends the program.
fn is_plain(word: Word, index: RomIndex) -> bool {
    let prints = word.op().writes_memory() && word.address() == panel::MAILBOX;
    !prints && !stores_to_buttons(word) && !word.halts_at(index)
}

/// Returns true if an instruction stores to the address of the buttons.
pub(crate) fn stores_to_buttons(word: Word) -> bool {
    word.op().writes_memory() && word.address() == panel::BUTTONS
}

/// Declares the sequences and the loop that executes them.
macro_rules! sequences {
    ($($name:ident: $($op:ident)+;)+) => {
        /// A sequence of instructions that is executed as one step.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum Sequence {
            $($name,)+
            /// An instruction that is watched or not plain. [`super::Machine::step`] executes it.
            Single,
        }

        /// All sequences, in the order in which they are tried.
        const SEQUENCES: [(Sequence, &[Op]); [$(stringify!($name)),+].len()] =
            [$((Sequence::$name, &[$(Op::$op),+])),+];

        impl FusedProgram {
            /// Executes at most `limit` plain instructions and returns their number.
            ///
            /// Stops early before an instruction that is not plain, and when fewer instructions
            /// remain than the longest sequence has.
            pub(super) fn run(
                &self,
                unit: &impl Unit,
                registers: &mut Registers,
                ram: &mut [u8; RAM_BYTES],
                limit: u64,
                observer: &mut impl Observer,
            ) -> u64 {
                // As local variables, they stay in the host's registers.
                let (mut now, mut left) = (*registers, limit);
                'sequence: while left >= LENGTH_MAX as u64 {
                    let fused = &self.code[now.pc.to_usize()];
                    match fused.sequence {
                        $(Sequence::$name => {
                            let mut length = 0;
                            $(
                                let operand = fused.operands[length];
                                length += 1;
                                let target = execute(unit, Op::$op, &mut now, operand, ram);
                                if let Some(target) = target {
                                    observer.executed(now.pc, length);
                                    now.pc = target;
                                    left -= length as u64;
                                    continue 'sequence;
                                }
                            )+
                            observer.executed(now.pc, length);
                            now.pc = RomIndex::truncate(now.pc.get() + length as u16);
                            left -= length as u64;
                        })+
                        Sequence::Single => break,
                    }
                }
                *registers = now;
                limit - left
            }
        }
    };
}

// These sequences were found by counting the instructions that programs execute. Longer ones come
// first. The pairs and single instructions at the end ensure that every plain instruction starts a
// sequence.
sequences! {
    LdShrStLdAddSt: Ld Shr St Ld Add St;
    LdAddStLdShrSt: Ld Add St Ld Shr St;
    LdNandNandStAddJc: Ld Nand Nand St Add Jc;
    LdNandStLdNandSt: Ld Nand St Ld Nand St;
    LdStLdSt: Ld St Ld St;
    LdiStLdiSt: Ldi St Ldi St;
    LdNandNandSt: Ld Nand Nand St;
    LdNandAddNand: Ld Nand Add Nand;
    AddAddNandSt: Add Add Nand St;
    AddJcAddJc: Add Jc Add Jc;
    LdAddSt: Ld Add St;
    LdAddJc: Ld Add Jc;
    LdNandSt: Ld Nand St;
    LdShrSt: Ld Shr St;
    NandNandSt: Nand Nand St;
    AddNandSt: Add Nand St;
    StStSt: St St St;
    LdiSt: Ldi St;
    LdSt: Ld St;
    LdAdd: Ld Add;
    LdNand: Ld Nand;
    AddSt: Add St;
    AddJc: Add Jc;
    NandSt: Nand St;
    ShrSt: Shr St;
    StLd: St Ld;
    StLdi: St Ldi;
    JcJmp: Jc Jmp;
    Ldi: Ldi;
    Ld: Ld;
    St: St;
    Add: Add;
    Nand: Nand;
    Shr: Shr;
    Jc: Jc;
    Jmp: Jmp;
}

/// Executes a plain instruction except for the increment of the program counter. Returns the target
/// of a jump that is taken.
///
/// `op` is a constant wherever this is called, so the compiler removes the `match`.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the speed of the fused code comes from it")]
fn execute(
    unit: &impl Unit,
    op: Op,
    registers: &mut Registers,
    operand: u16,
    ram: &mut [u8; RAM_BYTES],
) -> Option<RomIndex> {
    if let Operand::Target = op.operand() {
        return op.jumps(registers.carry).then_some(RomIndex::truncate(operand));
    }
    let data = &mut ram[RamAddr::truncate(operand).to_usize()];
    if op.writes_memory() {
        *data = registers.a;
    } else {
        registers.apply(op, unit.alu(op, registers.a, *data, operand as u8));
    }
    None
}

#[cfg(test)]
mod tests {
    use gray1_isa::{PowerUp, SplitMix64};

    use super::*;
    use crate::{Engine as _, Machine};

    #[test]
    fn each_sequence_does_what_its_instructions_do_one_by_one() {
        let random = &mut SplitMix64::new(3);
        for (name, ops) in SEQUENCES {
            for limit in 0..40 {
                let word = |op: &Op| match op.operand() {
                    Operand::Immediate => Word::ldi(random.byte()),
                    Operand::Data => Word::data(*op, RamAddr::truncate(random.below(4) as u16)),
                    Operand::Target => Word::jump(*op, RomIndex::truncate(random.below(7) as u16)),
                    Operand::None => Word::shr(),
                };
                let words: Vec<Word> = ops.iter().cycle().take(48).map(word).collect();
                let image = Image::from_words(&words).unwrap();
                let mut fused = Machine::new(&image, PowerUp::Random(random.next())).interpreted();
                // The machine starts within an instruction, so the run has to complete that one
                // first.
                fused.edge();
                let (mut stepped, mut counting) = (fused.clone(), fused.clone());
                let mut executed = ExecutionCounts::default();
                let indexes = (0..limit).map_while(|_| stepped.step()).map(|it| it.index);
                indexes.for_each(|index| executed.add(index, 1));
                fused.run(limit);
                assert_eq!(fused.save(), stepped.save(), "{name:?}, {limit}");
                let mut counts = ExecutionCounts::default();
                counting.run_counting(limit, &mut counts);
                assert_eq!(counting.save(), stepped.save(), "{name:?}, {limit}");
                assert_eq!(counts.by_index(), executed.by_index(), "{name:?}, {limit}");
            }
        }
    }

    /// Fused instructions run several times faster than single ones.
    #[test]
    fn all_instructions_are_fused_except_printing_halting_and_watched_ones() {
        let jump = |to| Word::jump(Op::Jmp, RomIndex::truncate(to));
        let mailbox = |op| Word::data(op, panel::MAILBOX);
        let words = [Word::ldi(1), mailbox(Op::St), mailbox(Op::Ld), Word::ldi(2), jump(4)];
        let mut program = FusedProgram::fuse(&Image::from_words(&words).unwrap());
        let single = |program: &FusedProgram| {
            let is_single = |index: &usize| program.code[*index].sequence == Sequence::Single;
            (0..ROM_WORDS).filter(is_single).collect::<Vec<_>>()
        };
        // The jump in erased memory leads to 1555, where it halts.
        assert_eq!(single(&program), [1, 4, 0x1555]);
        assert!(program.watch(&Indexes::from_iter([RomIndex::truncate(3)])));
        assert_eq!(single(&program), [1, 3, 4, 0x1555]);
        let watched = Indexes::from_iter([RomIndex::truncate(6)]);
        assert!(program.watch(&watched) && !program.watch(&watched), "the same once more");
        assert_eq!(single(&program), [1, 4, 6, 0x1555]);
    }

    #[test]
    fn every_plain_instruction_starts_a_sequence() {
        for op in Op::ALL {
            assert!(SEQUENCES.iter().any(|(_, ops)| *ops == [op]), "{op}");
        }
    }

    #[test]
    fn no_sequence_hides_a_longer_one() {
        for (place, (name, ops)) in SEQUENCES.iter().enumerate() {
            assert!(ops.len() <= LENGTH_MAX);
            for (earlier, shorter) in &SEQUENCES[..place] {
                assert!(!ops.starts_with(shorter), "{name:?} is never found after {earlier:?}");
            }
        }
    }

    #[test]
    fn no_sequence_continues_after_a_jump() {
        for (name, ops) in SEQUENCES {
            let inner = &ops[..ops.len() - 1];
            assert!(!inner.contains(&Op::Jmp), "{name:?}");
        }
    }
}
