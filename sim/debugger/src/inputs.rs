//! Inputs of the machine and their moments. A run depends on nothing else but the setup and the
//! program.

use gray1_isa::RamAddr;
use gray1_isa::panel::Buttons;
use gray1_sim::Registers;

/// An input of the machine, given between two instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Press reset: the program starts again with no button held.
    Reset,
    /// Hold these buttons from now on.
    Hold(Buttons),
    /// Change a byte of data memory from outside.
    Poke(RamAddr, u8),
    /// Change the registers from outside.
    Load(Registers),
}

/// The most inputs that are recorded: 16 MiB. At six a second they last for a day.
pub(super) const INPUTS_MAX: usize = (16 << 20) / INPUT_BYTES;
pub(super) const INPUT_BYTES: usize = size_of::<(u64, Input)>() + size_of::<Revision>();

/// Inputs with their moments, in order of time.
#[derive(Debug, Clone, Default)]
pub(super) struct Inputs {
    list: Vec<(u64, Input)>,
    /// For each input, the revision that began with it.
    revisions: Vec<Revision>,
    revision: u64,
    /// The buttons that the forgotten inputs left held.
    held_before: Buttons,
}

/// The number of inputs that were given up to one of them, and whether that one replaced another
/// one of its moment.
#[derive(Debug, Clone, Copy)]
struct Revision {
    number: u64,
    replaces: bool,
}

impl Inputs {
    /// The number of inputs that were ever given.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether a machine that had all inputs of a revision is still on the way of the history at a
    /// position: since then no input was given before that position. A machine in time also
    /// `remembers` an input that was replaced at that position.
    pub(super) fn lead_to(&self, position: (u64, u32), revision: u64, remembers: bool) -> bool {
        let first = self.revisions.partition_point(|it| it.number <= revision);
        let since = self.list.get(first).zip(self.revisions.get(first));
        since.is_none_or(|((moment, _), it)| {
            (*moment, 0) > position || (*moment, 0) == position && !(remembers && it.replaces)
        })
    }

    /// The inputs of a moment that were given after a revision.
    pub(super) fn since(&self, revision: u64, moment: u64) -> impl Iterator<Item = Input> + '_ {
        let first = self.revisions.partition_point(|it| it.number <= revision);
        let list = self.list[first..].iter().skip_while(move |(m, _)| *m < moment);
        list.take_while(move |(m, _)| *m == moment).map(|(_, input)| *input)
    }

    /// The next moment after this one that has an input.
    pub(super) fn next_after(&self, moment: u64) -> Option<u64> {
        self.list.get(self.end_of(moment)).map(|(moment, _)| *moment)
    }

    /// The inputs of a moment.
    pub(super) fn at(&self, moment: u64) -> impl Iterator<Item = Input> + '_ {
        let first = self.list.partition_point(|(m, _)| *m < moment);
        self.list[first..].iter().take_while(move |(m, _)| *m == moment).map(|(_, input)| *input)
    }

    /// The last moment up to this one with a reset, unless it is before `from`.
    pub(super) fn last_reset(&self, from: u64, moment: u64) -> Option<u64> {
        let near = self.until(moment).iter().rev().take_while(|(m, _)| *m >= from);
        near.filter(|(_, input)| *input == Input::Reset).map(|(m, _)| *m).next()
    }

    /// Whether one of the inputs of a moment changes the registers.
    pub(super) fn load_registers_at(&self, moment: u64) -> bool {
        self.at(moment).any(|input| matches!(input, Input::Load(_)))
    }

    /// The last moment up to this one with an input that may change the program counter.
    pub(super) fn last_jump(&self, moment: u64) -> Option<u64> {
        let jumps = |(_, input): &&_| matches!(input, Input::Reset | Input::Load(_));
        self.until(moment).iter().rev().find(jumps).map(|(moment, _)| *moment)
    }

    /// The inputs up to a moment, with their moments.
    pub(super) fn until(&self, moment: u64) -> &[(u64, Input)] {
        &self.list[..self.end_of(moment)]
    }

    /// The buttons that are held at a moment.
    pub(super) fn held(&self, moment: u64) -> Buttons {
        self.held_after(self.end_of(moment))
    }

    /// The buttons that are held after so many inputs.
    fn held_after(&self, count: usize) -> Buttons {
        let held = self.list[..count].iter().rev().find_map(|(_, input)| match input {
            Input::Hold(buttons) => Some(*buttons),
            Input::Reset => Some(Buttons::NONE),
            Input::Poke(..) | Input::Load(_) => None,
        });
        held.unwrap_or(self.held_before)
    }

    /// Forgets the inputs of later moments.
    pub(super) fn cut(&mut self, moment: u64) {
        self.list.truncate(self.end_of(moment));
        self.revisions.truncate(self.list.len());
    }

    /// Adds an input at the last moment or later. Returns whether it replaced another: of several
    /// button inputs at one moment, the last one counts.
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

    /// The moment of the middle input; 0 if there is none.
    pub(super) fn middle(&self) -> u64 {
        self.list.get(self.list.len() / 2).map_or(0, |(moment, _)| *moment)
    }

    /// Forgets the inputs of earlier moments.
    pub(super) fn forget_before(&mut self, moment: u64) {
        let earlier = self.list.partition_point(|(m, _)| *m < moment);
        self.held_before = self.held_after(earlier);
        self.list.drain(..earlier);
        self.revisions.drain(..earlier);
    }

    /// Its memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.list.capacity() * INPUT_BYTES
    }
}
