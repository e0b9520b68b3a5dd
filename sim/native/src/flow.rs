//! The control-flow graph of a program, and the points where C is live.
//!
//! All jump targets of this machine are constants, so the graph is complete before the program
//! runs.

use gray1_isa::address::{RAM_BYTES, ROM_WORDS};
use gray1_isa::{BitSet, Indexes, Op, Operand, RamAddr, RomIndex, Word, panel};

/// The maximum length of a block. Longer blocks are split to bound the work of the compiler.
const BLOCK_LENGTH_MAX: u16 = 256;

/// The maximum number of instructions between two checks of the limit. Where a path would be
/// longer, a check is added. The value bounds the number of instructions that are executed one by
/// one before a limit. With eight times this value, a backward search takes 1.5 times as long
/// (`benches/debugger.rs`).
const UNCHECKED_MAX: u16 = 128;

/// An index that is greater than the index of every instruction.
pub(crate) const NEVER: u16 = ROM_WORDS as u16;

/// A set of bytes of data memory.
pub(crate) type ByteSet = BitSet<RamAddr, [u64; RAM_BYTES / 64]>;

/// The part of a program that can be reached from index 0, as blocks.
pub(crate) struct FlowGraph<'a> {
    words: &'a [Word; ROM_WORDS],
    watched: &'a Indexes,
    /// The marks of each instruction.
    marks: Vec<InstructionMarks>,
    /// The blocks, in the order of their heads.
    pub(crate) blocks: Vec<Block>,
}

/// What is known about an instruction.
#[derive(Debug, Clone, Copy, Default)]
struct InstructionMarks {
    is_reachable: bool,
    /// Whether a block starts here. It does if an instruction other than the previous one leads
    /// here, or if execution may stop here.
    is_head: bool,
    /// Whether a jump from here or from a higher index leads here. Every loop has such a head.
    is_loop_head: bool,
    /// The number of the block that starts here.
    block: u16,
}

/// An extended basic block: it is entered only at its head, and left at its end or at any `JC` in
/// it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    /// The index of the first instruction.
    pub(crate) head: RomIndex,
    /// The kind of the first instruction. All others are plain.
    pub(crate) kind: InstructionKind,
    /// Whether the limit is checked at the head.
    pub(crate) is_checked: bool,
    /// The maximum number of instructions from the head to the next check of the limit.
    pub(crate) cost_max: u16,
    /// The minimum limit for entering the block. It leaves enough instructions to postpone a stop
    /// from the next check of the limit to the one after it.
    pub(crate) limit_min: u16,
    /// Whether C is live at the head, which means that it may be read before it is written.
    pub(crate) carry_is_live: bool,
}

impl Block {
    /// Returns whether execution may stop at the head. The whole state must be in memory then.
    pub(crate) fn may_stop(self) -> bool {
        self.is_checked || self.kind != InstructionKind::Plain
    }
}

/// What an instruction affects in addition to registers and data memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InstructionKind {
    /// Nothing.
    Plain,
    /// It stores a byte in the mailbox, which the panel reads.
    Mailbox,
    /// It jumps to itself, which halts the program.
    Halt,
    /// It is watched: the program stops before it.
    Watched,
}

/// A part of a block: one instruction or two, or the end of the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// An instruction that does not jump, and its index.
    Plain(Word, RomIndex),
    /// A `JC`.
    JumpIfCarry(RomIndex),
    /// A `JC` over a `JMP`, with the target of the `JMP`.
    JumpUnlessCarry(RomIndex),
    /// A `JMP`. It ends the block.
    Jump(RomIndex),
    /// The next block, into which this one falls through.
    Next(RomIndex),
}

impl<'a> FlowGraph<'a> {
    /// Analyses a program.
    pub(crate) fn analyse(words: &'a [Word; ROM_WORDS], watched: &'a Indexes) -> Self {
        let marks = vec![InstructionMarks::default(); ROM_WORDS];
        let mut flow = Self { words, watched, marks, blocks: Vec::new() };
        let mut pending = vec![RomIndex::default()];
        while let Some(index) = pending.pop() {
            flow.reach(index, &mut pending);
        }
        flow.split();
        flow.list_blocks();
        flow.complete_blocks();
        flow
    }

    /// Marks the instructions from `index` to the next `JMP`, or to one that is already marked.
    fn reach(&mut self, mut index: RomIndex, pending: &mut Vec<RomIndex>) {
        while !std::mem::replace(&mut self.mark(index).is_reachable, true) {
            let (word, kind) = (self.word(index), self.kind(index));
            if kind != InstructionKind::Plain {
                self.mark(index).is_head = true;
            }
            let [next, target] = word.successors(index);
            if let Some(target) = target {
                pending.push(target);
                self.mark(target).is_loop_head |= target <= index;
                self.mark(target).is_head |= self.skipped(index).is_none();
            }
            let Some(next) = next else { break };
            index = next;
            if kind == InstructionKind::Watched {
                // The caller executes the watched instruction and continues here.
                self.mark(index).is_head = true;
            }
        }
    }

    /// Marks the remaining heads: at index 0, in long blocks, and after a `JC` over a `JMP` if the
    /// two cannot be combined into one step.
    fn split(&mut self) {
        self.mark(RomIndex::default()).is_head = true;
        let mut length = 0;
        for index in RomIndex::all() {
            length = if self.is_head(index) { 0 } else { length + 1 };
            if length == BLOCK_LENGTH_MAX {
                self.mark(index).is_head = true;
                length = 0;
            }
        }
        for index in RomIndex::all() {
            if self.skipped(index).is_some() && self.is_head(index.next()) {
                self.mark(index.next().next()).is_head = true;
            }
        }
    }

    /// Creates a block for each reachable head. [`complete_blocks`](Self::complete_blocks) fills in
    /// its costs and limits.
    fn list_blocks(&mut self) {
        for head in RomIndex::all() {
            let InstructionMarks { is_reachable, is_head, is_loop_head, .. } = *self.mark(head);
            if is_reachable && is_head {
                self.mark(head).block = self.blocks.len() as u16;
                self.blocks.push(Block {
                    head,
                    kind: self.kind(head),
                    is_checked: is_loop_head || head == RomIndex::default(),
                    cost_max: 0,
                    limit_min: 0,
                    carry_is_live: true,
                });
            }
        }
    }

    /// Completes the blocks, starting with the last one. The successors of a block are complete by
    /// then, except for loop heads, which are checked.
    fn complete_blocks(&mut self) {
        for number in (0..self.blocks.len()).rev() {
            let mut block = self.blocks[number];
            block.cost_max = self.cost_max(block, |to| if to.is_checked { 0 } else { to.cost_max });
            block.is_checked |= block.cost_max > UNCHECKED_MAX;
            if !block.may_stop() {
                block.carry_is_live = self.carry_is_live(self.steps(block.head), false);
            }
            self.blocks[number] = block;
        }
        for number in (0..self.blocks.len()).rev() {
            self.blocks[number].limit_min = self.cost_max(self.blocks[number], |to| {
                if to.is_checked { to.cost_max } else { to.limit_min }
            });
        }
    }

    /// Returns the maximum number of instructions that are executed from a head. `following`
    /// returns that number for each successor.
    fn cost_max(&self, block: Block, following: impl Fn(Block) -> u16) -> u16 {
        match block.kind {
            InstructionKind::Watched => return 0,
            InstructionKind::Halt => return 1,
            InstructionKind::Plain | InstructionKind::Mailbox => {}
        }
        let following = |to| following(self.block(to));
        let (mut executed, mut most) = (0, 0);
        for step in self.steps(block.head) {
            most = most.max(match step {
                Step::Plain(..) => 0,
                Step::JumpIfCarry(to) | Step::Jump(to) => executed + 1 + following(to),
                Step::JumpUnlessCarry(to) => executed + 2 + following(to),
                Step::Next(to) => executed + following(to),
            });
            executed += 1;
        }
        most
    }

    /// Returns whether C is live before the rest of a block. If `flags_hold_carry`, jumps do not
    /// count as reads until the flags are overwritten.
    pub(crate) fn carry_is_live(
        &self,
        rest: impl Iterator<Item = Step>,
        mut flags_hold_carry: bool,
    ) -> bool {
        for step in rest {
            match step {
                Step::Plain(word, _) if word.op().writes_carry() => return false,
                Step::Plain(word, _) => flags_hold_carry &= word.op() != Op::Nand,
                Step::JumpIfCarry(to) | Step::JumpUnlessCarry(to) => {
                    if !flags_hold_carry || self.block(to).carry_is_live {
                        return true;
                    }
                }
                Step::Jump(to) | Step::Next(to) => return self.block(to).carry_is_live,
            }
        }
        unreachable!("a block ends with `Jump` or `Next`")
    }

    /// Returns, for each instruction that accesses a byte of data memory, the index of the next
    /// instruction that reads the byte, or [`NEVER`] if there is none or a store comes first.
    ///
    /// "Next" ignores jumps: it is exact within a block, and a guess beyond its end.
    pub(crate) fn next_uses(&self) -> Box<[u16; ROM_WORDS]> {
        let mut upcoming = [NEVER; RAM_BYTES];
        let mut next_uses = Box::new([NEVER; ROM_WORDS]);
        for index in RomIndex::all().rev() {
            let word = self.word(index);
            if word.op().operand() == Operand::Data {
                let use_before = if word.op().reads_memory() { index.get() } else { NEVER };
                let upcoming = &mut upcoming[word.address().to_usize()];
                next_uses[index.to_usize()] = std::mem::replace(upcoming, use_before);
            }
        }
        next_uses
    }

    /// Returns the number of the block that starts at an index.
    pub(crate) fn number_of(&self, head: RomIndex) -> usize {
        debug_assert!(self.is_head(head));
        usize::from(self.marks[head.to_usize()].block)
    }

    /// Returns the steps of the block that starts at an index.
    pub(crate) fn steps(&self, head: RomIndex) -> impl Iterator<Item = Step> + Clone {
        let mut next = Some(head);
        std::iter::from_fn(move || {
            let index = next?;
            if index != head && self.is_head(index) {
                next = None;
                return Some(Step::Next(index));
            }
            let (step, following) = self.step(index);
            next = following;
            Some(step)
        })
    }

    /// Returns the step at an index, and where the block continues.
    fn step(&self, index: RomIndex) -> (Step, Option<RomIndex>) {
        let word = self.word(index);
        let [next, target] = word.successors(index);
        match (next, target, self.skipped(index)) {
            (_, _, Some(jump)) if !self.is_head(index.next()) => {
                (Step::JumpUnlessCarry(jump.target()), target)
            }
            (Some(_), Some(target), _) => (Step::JumpIfCarry(target), next),
            (None, Some(target), _) => (Step::Jump(target), None),
            (_, None, _) => (Step::Plain(word, index), next),
        }
    }

    /// Returns the `JMP` that the instruction at an index jumps over, if it is a `JC` over a plain
    /// `JMP`.
    fn skipped(&self, index: RomIndex) -> Option<Word> {
        let (word, over) = (self.word(index), index.next());
        let is_pair = word.op() == Op::Jc && word.target() == over.next();
        let jump = self.word(over);
        (is_pair && jump.op() == Op::Jmp && self.kind(over) == InstructionKind::Plain)
            .then_some(jump)
    }

    /// Returns the block that starts at an index.
    pub(crate) fn block(&self, head: RomIndex) -> Block {
        self.blocks[self.number_of(head)]
    }

    fn word(&self, index: RomIndex) -> Word {
        self.words[index.to_usize()]
    }

    fn is_head(&self, index: RomIndex) -> bool {
        self.marks[index.to_usize()].is_head
    }

    fn mark(&mut self, index: RomIndex) -> &mut InstructionMarks {
        &mut self.marks[index.to_usize()]
    }

    fn kind(&self, index: RomIndex) -> InstructionKind {
        let word = self.word(index);
        if self.watched.contains(index) {
            InstructionKind::Watched
        } else if word.halts_at(index) {
            InstructionKind::Halt
        } else if word.op() == Op::St && word.address() == panel::MAILBOX {
            InstructionKind::Mailbox
        } else {
            InstructionKind::Plain
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use gray1_isa::RamAddr;

    use super::*;

    pub(crate) fn index(n: u16) -> RomIndex {
        RomIndex::truncate(n)
    }

    fn jump(op: Op, target: u16) -> Word {
        Word::jump(op, index(target))
    }

    pub(crate) fn data(op: Op, address: u16) -> Word {
        Word::data(op, RamAddr::truncate(address))
    }

    /// Calls `check` with the flow of a program, some of whose instructions are watched.
    fn with_flow(program: &[Word], watched: &[u16], check: impl Fn(&FlowGraph<'_>)) {
        let mut words = [Word::ERASED; ROM_WORDS];
        words[..program.len()].copy_from_slice(program);
        let watched = watched.iter().copied().map(index).collect();
        check(&FlowGraph::analyse(&words, &watched));
    }

    fn heads(flow: &FlowGraph<'_>) -> Vec<u16> {
        flow.blocks.iter().map(|block| block.head.get()).collect()
    }

    #[test]
    fn code_that_cannot_be_reached_is_left_out() {
        let program = [jump(Op::Jmp, 2), Word::shr(), Word::shr(), jump(Op::Jmp, 3), Word::shr()];
        with_flow(&program, &[], |flow| {
            assert_eq!(heads(flow), [0, 2, 3]);
            assert_eq!(flow.block(index(3)).kind, InstructionKind::Halt);
        });
    }

    #[test]
    fn a_jump_over_a_jump_is_one_step() {
        let program =
            [jump(Op::Jc, 2), jump(Op::Jmp, 3), Word::shr(), Word::ldi(1), jump(Op::Jmp, 4)];
        with_flow(&program, &[], |flow| {
            assert_eq!(heads(flow), [0, 3, 4]);
            let steps: Vec<Step> = flow.steps(index(0)).collect();
            let shr = Step::Plain(Word::shr(), index(2));
            assert_eq!(steps, [Step::JumpUnlessCarry(index(3)), shr, Step::Next(index(3))]);
        });
        // They are two steps if another instruction jumps to the `JMP`, or if the `JMP` is watched.
        let mut entered = program;
        entered[3] = jump(Op::Jc, 1);
        with_flow(&entered, &[], |flow| assert_eq!(heads(flow), [0, 1, 2, 3, 4]));
        with_flow(&program, &[1], |flow| assert_eq!(heads(flow), [0, 1, 2, 3, 4]));
    }

    #[test]
    fn a_watched_instruction_is_a_separate_block() {
        let program = [Word::shr(), Word::shr(), Word::shr(), jump(Op::Jmp, 3)];
        with_flow(&program, &[1], |flow| {
            assert_eq!(heads(flow), [0, 1, 2, 3]);
            assert_eq!(flow.block(index(1)).kind, InstructionKind::Watched);
        });
    }

    #[test]
    fn the_limit_is_checked_in_every_loop_and_often_enough() {
        let mut program = vec![Word::shr(); 8000];
        program.extend([jump(Op::Jc, 7900), jump(Op::Jmp, 0)]);
        with_flow(&program, &[], |flow| {
            assert!(flow.block(index(7900)).is_checked && flow.block(index(0)).is_checked);
            let mut costs = flow.blocks.iter().map(|block| block.cost_max);
            assert!(costs.clone().all(|cost| cost <= UNCHECKED_MAX + BLOCK_LENGTH_MAX));
            assert_eq!(costs.next_back(), Some(102), "the loop and the jump out of it");
        });
    }

    #[test]
    fn a_stop_can_be_postponed_by_one_check() {
        let program = [Word::ldi(1), Word::shr(), Word::shr(), jump(Op::Jc, 1), jump(Op::Jmp, 4)];
        with_flow(&program, &[], |flow| {
            let limits = flow.blocks.iter().map(|block| (block.cost_max, block.limit_min));
            // From the check at 1 there are three instructions to the next check. From there it is
            // three more to another check, or one to the end.
            assert_eq!(limits.collect::<Vec<_>>(), [(1, 4), (3, 6), (1, 1)]);
        });
    }

    #[test]
    fn a_carry_that_is_overwritten_before_it_is_read_is_not_live() {
        let program = [
            jump(Op::Jc, 4),
            Word::ldi(0),
            Word::shr(),
            jump(Op::Jmp, 5),
            data(Op::St, 0),
            data(Op::Ld, 0),
            data(Op::Add, 1),
            jump(Op::Jmp, 7),
        ];
        with_flow(&program, &[], |flow| {
            let live = |n| flow.block(index(n)).carry_is_live;
            assert!(live(0), "execution may stop there");
            assert!(!live(4) && !live(5));
            assert!(live(7), "the end");
            assert!(!flow.carry_is_live(flow.steps(index(2)).skip(1), true));
        });
    }

    #[test]
    fn the_next_use_of_a_byte_is_known() {
        let program = [
            data(Op::St, 0),
            data(Op::Add, 0),
            data(Op::Nand, 1),
            data(Op::St, 0),
            jump(Op::Jmp, 4),
        ];
        with_flow(&program, &[], |flow| {
            assert_eq!(flow.next_uses()[..4], [1, NEVER, NEVER, NEVER]);
        });
    }
}
