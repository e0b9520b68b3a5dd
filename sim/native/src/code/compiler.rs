//! Generates machine code from a control-flow graph.
//!
//! Conventions at block boundaries: memory is up to date, except for dead bytes. A is in its home
//! register, and so is C if it is live. The other registers cache the cells that all predecessors
//! have cached. At a block where execution may stop, they cache nothing.

use gray1_isa::address::ROM_WORDS;
use gray1_isa::{Op, Operand, RomIndex, Word};

use super::host::{Emitter, Jump};
use super::operations::{Operations as _, Position};
use super::register_cache::{Cache, CachedCell, CellAccess};
use crate::constants::Constants;
use crate::dead::Dead;
use crate::flow::{Block, ByteSet, FlowGraph, InstructionKind, NEVER, Step};

/// Machine code. Only [`Compiler::compile`] creates it.
///
/// The code starts with a [`CompiledFunction`](super::executable::CompiledFunction). The arguments
/// of this function are a context and the address of the entry at which it continues. [`decode`]
/// reads its result. It writes only to its stack, the context, data memory (at constant offsets
/// made from 13-bit addresses) and the output buffer (between the two pointers of the context).
pub(super) struct MachineCode {
    pub(super) code: Vec<u8>,
    /// The entry of each block.
    pub(super) entries: Vec<Position>,
}

/// Generates the code of the blocks in the order of their heads.
pub(super) struct Compiler<'a> {
    flow: &'a FlowGraph<'a>,
    constants: &'a Constants,
    dead: &'a Dead,
    next_uses: Box<[u16; ROM_WORDS]>,
    code: Emitter,
    /// The start of each compiled block.
    starts: Vec<Position>,
    /// For each block, the cells that all predecessors compiled so far have cached. `None` before
    /// the first predecessor.
    inherited: Vec<Option<Vec<CachedCell>>>,
    /// Jumps to blocks.
    jumps: Vec<(Jump, usize)>,
    /// Jumps out of the code, each with the result to return.
    exits: Vec<(Jump, u32)>,
}

/// The state of code generation within a block.
struct BlockState {
    cache: Cache,
    /// The constants that memory contains at this point.
    known: ByteSet,
    /// The number of executed instructions that are not yet subtracted from `REMAINING`. Negative
    /// if a skipped `JMP` was subtracted together with its `JC`.
    uncounted: i32,
    /// Whether C is in the carry flag of the host.
    flags_hold_carry: bool,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(flow: &'a FlowGraph<'a>, dead: &'a Dead, constants: &'a Constants) -> Self {
        let count = flow.blocks.len();
        Self {
            flow,
            constants,
            dead,
            next_uses: flow.next_uses(),
            code: Emitter::default(),
            starts: Vec::with_capacity(count),
            inherited: vec![None; count],
            jumps: Vec::new(),
            exits: Vec::new(),
        }
    }

    /// Compiles the program.
    pub(super) fn compile(mut self) -> MachineCode {
        self.code.enter();
        for (number, block) in self.flow.blocks.iter().enumerate() {
            self.starts.push(self.code.position());
            self.compile_block(number, *block);
        }
        for (jump, to) in &self.jumps {
            self.code.patch(jump, self.starts[*to]);
        }
        let entries = (0..self.starts.len()).map(|number| self.compile_entry(number)).collect();
        self.compile_epilogue();
        MachineCode { code: self.code.into_code(), entries }
    }

    /// Generates the end of every exit: sets the result and returns.
    fn compile_epilogue(&mut self) {
        let mut returns = Vec::new();
        for (jump, result) in std::mem::take(&mut self.exits) {
            self.code.patch_here(&jump);
            self.code.set_result(result);
            returns.push(self.code.jump());
        }
        for jump in returns {
            self.code.patch_here(&jump);
        }
        self.code.leave();
    }

    /// Generates the entry at which the caller of the code continues in a block. If the block
    /// inherits cells, this is a stub that loads them.
    fn compile_entry(&mut self, number: usize) -> Position {
        let start = self.starts[number];
        let Some(cells) = self.inherited[number].as_ref().filter(|cells| !cells.is_empty()) else {
            return start;
        };
        let entry = self.code.position();
        for cell in cells {
            cell.load(&mut self.code);
        }
        let jump = self.code.jump();
        self.code.patch(&jump, start);
        entry
    }

    fn compile_block(&mut self, number: usize, block: Block) {
        let Block { head, kind, is_checked, limit_min, .. } = block;
        if is_checked && kind != InstructionKind::Watched {
            let jump = self.code.jump_if_fewer_remain(limit_min);
            self.exits.push((jump, encode(false, head)));
        }
        match kind {
            InstructionKind::Plain => {}
            InstructionKind::Mailbox => {
                let jump = self.code.print();
                self.exits.push((jump, encode(false, head)));
            }
            InstructionKind::Halt => {
                self.count(1);
                return self.exit(true, head);
            }
            InstructionKind::Watched => return self.exit(false, head),
        }
        let cells = self.inherited[number].clone().unwrap_or_default();
        let mut state = BlockState {
            cache: Cache::new(cells),
            known: self.constants.known_at(number),
            uncounted: 0,
            flags_hold_carry: false,
        };
        let mut steps = self.flow.steps(head);
        while let Some(step) = steps.next() {
            match step {
                Step::Plain(word, index) => self.compile_op(&mut state, word, index, steps.clone()),
                Step::JumpIfCarry(to) => self.compile_jump_if(&mut state, true, to),
                Step::JumpUnlessCarry(to) => self.compile_jump_if(&mut state, false, to),
                Step::Jump(to) => {
                    state.uncounted += 1;
                    self.compile_end(&mut state, number, to);
                }
                Step::Next(to) => self.compile_end(&mut state, number, to),
            }
        }
    }

    /// Compiles an instruction that does not jump. `rest` is the rest of its block.
    fn compile_op(
        &mut self,
        state: &mut BlockState,
        word: Word,
        index: RomIndex,
        rest: impl Iterator<Item = Step> + Clone,
    ) {
        let access = self.describe_access(state, word, index);
        let carry_is_live =
            word.op().writes_carry() && self.flow.carry_is_live(rest.clone(), false);
        let (code, cache) = (&mut self.code, &mut state.cache);
        match word.op() {
            Op::Ldi => cache.set_a(code, word.immediate()),
            Op::Ld => cache.load_a(code, access),
            Op::St => cache.store_a(access),
            Op::Add => cache.add(code, access, carry_is_live),
            Op::Nand => {
                cache.nand(code, access);
                state.flags_hold_carry = false;
            }
            Op::Shr => cache.shift_a_right(code, carry_is_live),
            Op::Jc | Op::Jmp => unreachable!("a jump is another kind of step"),
        }
        if carry_is_live {
            self.save_carry(state, rest);
        }
        state.uncounted += 1;
    }

    /// Describes the access of an instruction to its cell.
    fn describe_access(&self, state: &mut BlockState, word: Word, index: RomIndex) -> CellAccess {
        let is_last = self.dead.after[index.to_usize()];
        self.constants.record_store(&mut state.known, word);
        let has_cell = word.op().operand() == Operand::Data;
        let constant = self.constants.value(word.address(), &state.known).filter(|_| has_cell);
        let is_read_there = !is_last && constant.is_none();
        let next_use = if is_read_there { self.next_uses[index.to_usize()] } else { NEVER };
        CellAccess { address: word.address(), next_use, is_last, constant }
    }

    /// Saves the carry, which may be in the host's flags, unless only the next jumps read it.
    fn save_carry(&mut self, state: &mut BlockState, rest: impl Iterator<Item = Step>) {
        state.flags_hold_carry = true;
        if self.flow.carry_is_live(rest, true) {
            self.code.save_carry();
        }
    }

    /// Compiles a jump to `to`: a `JC` if `carry` is true, otherwise a `JC` over a `JMP`.
    fn compile_jump_if(&mut self, state: &mut BlockState, carry: bool, to: RomIndex) {
        self.prepare_successor(state, to);
        // If the carry is not set, the `JMP` after the `JC` is executed as well.
        let (falling_through, jumping) = if carry { (1, 1) } else { (1, 2) };
        self.count(state.uncounted + jumping);
        state.uncounted = falling_through - jumping;
        let jump = self.code.jump_if_carry(carry, state.flags_hold_carry);
        self.jumps.push((jump, self.flow.number_of(to)));
    }

    fn compile_end(&mut self, state: &mut BlockState, number: usize, to: RomIndex) {
        self.prepare_successor(state, to);
        self.count(state.uncounted);
        if self.flow.number_of(to) != number + 1 {
            let jump = self.code.jump();
            self.jumps.push((jump, self.flow.number_of(to)));
        }
    }

    /// Establishes the conventions for a successor block. Preserves the flags.
    fn prepare_successor(&mut self, state: &mut BlockState, to: RomIndex) {
        let block = self.flow.block(to);
        let number = self.flow.number_of(to);
        state
            .cache
            .write_back(&mut self.code, |address| !self.dead.is_dead_at_entry(number, address));
        state.cache.move_a_home(&mut self.code);
        // All predecessors of any other block come before it, so they are compiled first.
        if !block.may_stop() {
            match &mut self.inherited[self.flow.number_of(to)] {
                Some(cells) => cells.retain(|cell| state.cache.contains(*cell)),
                none => *none = Some(state.cache.inheritable()),
            }
        }
    }

    fn exit(&mut self, halts: bool, pc: RomIndex) {
        let jump = self.code.jump();
        self.exits.push((jump, encode(halts, pc)));
    }

    /// Subtracts executed instructions from `REMAINING`. Preserves the flags.
    fn count(&mut self, executed: i32) {
        if executed != 0 {
            self.code.count(executed);
        }
    }
}

/// Encodes the result of generated code: whether the program halts, and the program counter.
fn encode(halts: bool, pc: RomIndex) -> u32 {
    u32::from(halts) << 16 | u32::from(pc.get())
}

/// The inverse of [`encode`].
pub(super) fn decode(number: u32) -> (bool, RomIndex) {
    (number >> 16 == 1, RomIndex::truncate(number as u16))
}
