//! The inputs of a machine with their moments. A run depends only on these inputs, the setup and
//! the program.

use gray1_isa::RamAddr;
use gray1_isa::panel::Buttons;
use gray1_sim::Registers;

/// An input of the machine, given between two instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Press reset. The program restarts, and no button is held.
    Reset,
    /// Hold these buttons, and only these, from now on.
    Hold(Buttons),
    /// Change a byte of data memory through the panel's port.
    Poke(RamAddr, u8),
    /// Replace the contents of the registers.
    Load(Registers),
}

/// The maximum number of inputs that are recorded. They take 16 MiB, which is enough for a day with
/// six inputs per second.
pub(super) const INPUTS_MAX: usize = (16 << 20) / INPUT_BYTES;
pub(super) const INPUT_BYTES: usize = size_of::<(u64, Input)>() + size_of::<Revision>();

/// Inputs with their moments, in order of time.
#[derive(Debug, Clone, Default)]
pub(super) struct Inputs {
    list: Vec<(u64, Input)>,
    /// For each input, the revision that it started.
    revisions: Vec<Revision>,
    revision: u64,
    /// The buttons that were held after the last forgotten input.
    held_before: Buttons,
}

/// The total number of inputs given up to and including one of the recorded inputs, and whether
/// that input replaced another one at the same moment.
#[derive(Debug, Clone, Copy)]
struct Revision {
    number: u64,
    replaces: bool,
}

impl Inputs {
    /// Returns the total number of inputs given so far.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns true if a machine with all inputs of a revision is still valid at a position: since
    /// that revision, no input was given before the position.
    ///
    /// `remembers` is true for an engine with delays, which a replaced input can still affect. For
    /// such an engine, a replacement at exactly that position also makes the machine invalid.
    pub(super) fn lead_to(&self, position: (u64, u32), revision: u64, remembers: bool) -> bool {
        let first = self.revisions.partition_point(|it| it.number <= revision);
        let since = self.list.get(first).zip(self.revisions.get(first));
        since.is_none_or(|((moment, _), it)| {
            (*moment, 0) > position || (*moment, 0) == position && !(remembers && it.replaces)
        })
    }

    /// Returns the inputs at a moment that were given after a revision.
    pub(super) fn since(&self, revision: u64, moment: u64) -> impl Iterator<Item = Input> + '_ {
        let first = self.revisions.partition_point(|it| it.number <= revision);
        let list = self.list[first..].iter().skip_while(move |(m, _)| *m < moment);
        list.take_while(move |(m, _)| *m == moment).map(|(_, input)| *input)
    }

    /// Returns the next moment after this one that has an input.
    pub(super) fn next_after(&self, moment: u64) -> Option<u64> {
        self.list.get(self.end_of(moment)).map(|(moment, _)| *moment)
    }

    /// Returns the inputs at a moment.
    pub(super) fn at(&self, moment: u64) -> impl Iterator<Item = Input> + '_ {
        let first = self.list.partition_point(|(m, _)| *m < moment);
        self.list[first..].iter().take_while(move |(m, _)| *m == moment).map(|(_, input)| *input)
    }

    /// Returns the moment of the last reset up to this moment, unless it is before `from`.
    pub(super) fn last_reset(&self, from: u64, moment: u64) -> Option<u64> {
        let near = self.until(moment).iter().rev().take_while(|(m, _)| *m >= from);
        near.filter(|(_, input)| *input == Input::Reset).map(|(m, _)| *m).next()
    }

    /// Returns true if an input at a moment changes the registers.
    pub(super) fn load_registers_at(&self, moment: u64) -> bool {
        self.at(moment).any(|input| matches!(input, Input::Load(_)))
    }

    /// Returns the last moment up to this one with an input that can change the program counter.
    pub(super) fn last_jump(&self, moment: u64) -> Option<u64> {
        let jumps = |(_, input): &&_| matches!(input, Input::Reset | Input::Load(_));
        self.until(moment).iter().rev().find(jumps).map(|(moment, _)| *moment)
    }

    /// Returns the inputs up to a moment, with their moments.
    pub(super) fn until(&self, moment: u64) -> &[(u64, Input)] {
        &self.list[..self.end_of(moment)]
    }

    /// Returns the buttons that are held at a moment.
    pub(super) fn held(&self, moment: u64) -> Buttons {
        self.held_after(self.end_of(moment))
    }

    /// Returns the buttons that are held after a number of inputs.
    fn held_after(&self, count: usize) -> Buttons {
        let held = self.list[..count].iter().rev().find_map(|(_, input)| match input {
            Input::Hold(buttons) => Some(*buttons),
            Input::Reset => Some(Buttons::NONE),
            Input::Poke(..) | Input::Load(_) => None,
        });
        held.unwrap_or(self.held_before)
    }

    /// Forgets all inputs after a moment.
    pub(super) fn cut(&mut self, moment: u64) {
        self.list.truncate(self.end_of(moment));
        self.revisions.truncate(self.list.len());
    }

    /// Adds an input that is not earlier than the last one. Returns true if it replaced an input: a
    /// second button input at the same moment replaces the first.
    pub(super) fn push(&mut self, moment: u64, input: Input) -> bool {
        self.revision += 1;
        let is_hold = |input: &Input| matches!(input, Input::Hold(_));
        let is_replaced =
            |(m, last): &mut (u64, Input)| *m == moment && is_hold(last) && is_hold(&input);
        let replaces = self.list.pop_if(is_replaced).is_some();
        self.revisions.truncate(self.list.len());
        self.list.push((moment, input));
        self.revisions.push(Revision { number: self.revision, replaces });
        replaces
    }

    fn end_of(&self, moment: u64) -> usize {
        self.list.partition_point(|(m, _)| *m <= moment)
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the moment of the middle input, or 0 if there are no inputs.
    pub(super) fn middle(&self) -> u64 {
        self.list.get(self.list.len() / 2).map_or(0, |(moment, _)| *moment)
    }

    /// Forgets all inputs before a moment.
    pub(super) fn forget_before(&mut self, moment: u64) {
        let earlier = self.list.partition_point(|(m, _)| *m < moment);
        self.held_before = self.held_after(earlier);
        self.list.drain(..earlier);
        self.revisions.drain(..earlier);
    }

    /// Returns the memory that the inputs use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.list.capacity() * INPUT_BYTES
    }
}
