//! Inputs of the machine and their moments. A run depends on nothing else but the setup and the
//! program.

use gray1_isa::RamAddr;
use gray1_isa::panel::Buttons;
use gray1_sim::engine::Registers;

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

/// The most inputs that are recorded: 16 MiB. At 13 a second, faster than anybody types, that is a
/// day.
pub(super) const INPUTS_MAX: usize = (16 << 20) / size_of::<(u64, Input)>();

/// Inputs with their moments, in order of time.
#[derive(Debug, Clone, Default)]
pub(super) struct Inputs(Vec<(u64, Input)>);

impl Inputs {
    /// The next moment after this one that has an input.
    pub(super) fn next_after(&self, moment: u64) -> Option<u64> {
        self.0.get(self.end_of(moment)).map(|(moment, _)| *moment)
    }

    /// The inputs of a moment.
    pub(super) fn at(&self, moment: u64) -> impl Iterator<Item = Input> + '_ {
        let first = self.0.partition_point(|(m, _)| *m < moment);
        self.0[first..].iter().take_while(move |(m, _)| *m == moment).map(|(_, input)| *input)
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
        &self.0[..self.end_of(moment)]
    }

    /// Forgets the inputs of later moments.
    pub(super) fn cut(&mut self, moment: u64) {
        self.0.truncate(self.end_of(moment));
    }

    /// Adds an input at the last moment or later. Returns whether it replaced another: of several
    /// button inputs at one moment, the last one counts.
    pub(super) fn push(&mut self, moment: u64, input: Input) -> bool {
        match (self.0.last_mut(), input) {
            (Some((m, Input::Hold(held))), Input::Hold(buttons)) if *m == moment => {
                *held = buttons;
                true
            }
            _ => {
                self.0.push((moment, input));
                false
            }
        }
    }

    fn end_of(&self, moment: u64) -> usize {
        self.0.partition_point(|(m, _)| *m <= moment)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The moment of the middle input; 0 if there is none.
    pub(super) fn middle(&self) -> u64 {
        self.0.get(self.0.len() / 2).map_or(0, |(moment, _)| *moment)
    }

    /// Forgets the inputs of earlier moments.
    pub(super) fn forget_before(&mut self, moment: u64) {
        self.0.drain(..self.0.partition_point(|(m, _)| *m < moment));
    }

    /// Its memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<(u64, Input)>()
    }
}
