//! The inputs of a machine with their moments. A run depends only on these inputs, the setup and
//! the program.

use gray1_isa::RamAddr;
use gray1_isa::panel::{self, Buttons};
use gray1_sim::Registers;

use super::position::Position;

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

impl Input {
    /// Returns the address of the byte that the input changes, if it changes one.
    pub(super) const fn cell(self) -> Option<RamAddr> {
        match self {
            Self::Reset | Self::Hold(_) => Some(panel::BUTTONS),
            Self::Poke(address, _) => Some(address),
            Self::Load(_) => None,
        }
    }
}

/// The maximum number of inputs that are recorded. They take 12 MiB, which is enough for a day with
/// six inputs per second.
pub(super) const INPUTS_MAX: usize = (12 << 20) / INPUT_BYTES;
pub(super) const INPUT_BYTES: usize = size_of::<(u64, Input)>() + size_of::<u64>();

/// Inputs with their moments, in order of time. Some can be later than the known end of a history,
/// such as presses that are listed in a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Inputs {
    list: Vec<(u64, Input)>,
    /// The number of each input, in the order in which they were given. No number is used twice.
    numbers: Vec<u64>,
    revision: u64,
    /// The inputs that have been forgotten.
    forgotten: Received,
    /// The buttons that were held after them.
    held_before: Buttons,
}

/// The inputs that a machine has received since power-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Received {
    count: usize,
    /// The number of the last one, or 0 if there is none.
    last: u64,
}

impl Inputs {
    /// Returns the total number of inputs given so far.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns true if a machine that has received these inputs can continue from its position: it
    /// has received exactly the inputs before that position.
    ///
    /// It may lack inputs at the position itself, because it receives them next.
    pub(super) fn lead_to(&self, position: Position, received: Received) -> bool {
        let Some(next) = received.count.checked_sub(self.forgotten.count) else { return false };
        let last = match next.checked_sub(1) {
            Some(last) => self.numbers.get(last).copied(),
            None => Some(self.forgotten.last),
        };
        let next = self.list.get(next).map(|(moment, _)| Position::at(*moment));
        last == Some(received.last) && next.is_none_or(|next| next >= position)
    }

    /// Returns the inputs before a moment.
    pub(super) fn before(&self, moment: u64) -> Received {
        let end = self.list.partition_point(|(m, _)| *m < moment);
        let last = end.checked_sub(1).map_or(self.forgotten.last, |last| self.numbers[last]);
        Received { count: self.forgotten.count + end, last }
    }

    /// Returns the first input that is not among these, with its moment.
    pub(super) fn next(&self, received: Received) -> Option<(u64, Input)> {
        self.list.get(received.count.checked_sub(self.forgotten.count)?).copied()
    }

    /// Returns these inputs and the next one.
    pub(super) fn with_next(&self, Received { count, .. }: Received) -> Received {
        Received { count: count + 1, last: self.numbers[count - self.forgotten.count] }
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

    /// Returns the last moment up to this one with an input.
    pub(super) fn last(&self, moment: u64) -> Option<u64> {
        self.until(moment).last().map(|(moment, _)| *moment)
    }

    /// Returns the last moment up to this one with an input that can change the program counter.
    pub(super) fn last_jump(&self, moment: u64) -> Option<u64> {
        let mut inputs = self.until(moment).iter();
        let last = inputs.rfind(|(_, input)| matches!(input, Input::Reset | Input::Load(_)));
        last.map(|(moment, _)| *moment)
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

    /// Forgets the inputs after a moment, up to the known end of the history.
    pub(super) fn cut(&mut self, moment: u64, end: u64) {
        let future = self.end_of(moment)..self.end_of(end);
        self.list.drain(future.clone());
        self.numbers.drain(future);
    }

    /// Forgets all inputs except these.
    pub(super) fn keep(&mut self, received: Received) {
        self.list.truncate(received.count - self.forgotten.count);
        self.numbers.truncate(self.list.len());
    }

    /// Adds inputs with their moments, after the others up to each moment.
    pub(super) fn extend(&mut self, inputs: impl IntoIterator<Item = (u64, Input)>) {
        let numbers = std::mem::take(&mut self.numbers);
        let known = std::mem::take(&mut self.list).into_iter().zip(numbers);
        let mut all: Vec<_> = known.collect();
        for input in inputs {
            self.revision += 1;
            all.push((input, self.revision));
        }
        all.sort_by_key(|((moment, _), _)| *moment);
        (self.list, self.numbers) = all.into_iter().unzip();
    }

    /// Adds an input after the others up to its moment.
    pub(super) fn insert(&mut self, moment: u64, input: Input) {
        let place = self.end_of(moment);
        self.revision += 1;
        self.list.insert(place, (moment, input));
        self.numbers.insert(place, self.revision);
    }

    pub(super) fn into_list(self) -> Vec<(u64, Input)> {
        self.list
    }

    fn end_of(&self, moment: u64) -> usize {
        self.list.partition_point(|(m, _)| *m <= moment)
    }

    /// Forgets all inputs before a moment.
    pub(super) fn forget_before(&mut self, moment: u64) {
        let earlier = self.list.partition_point(|(m, _)| *m < moment);
        self.held_before = self.held_after(earlier);
        self.forgotten = self.before(moment);
        self.list.drain(..earlier);
        self.numbers.drain(..earlier);
    }

    /// Returns the memory that the inputs use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.list.capacity() * INPUT_BYTES
    }
}
