//! Random movements through a program's time.

use gray1_isa::SplitMix64;
use gray1_isa::panel::Buttons;

use super::model::Model;

/// A movement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Move {
    Forward(Way),
    Back(Way),
    Edge,
    EdgeBack,
    /// To a moment that is known.
    Seek(u64),
    /// To a moment, by running there if it is not known.
    To(u64),
    /// Holds buttons from now on.
    Hold(Buttons),
}

/// Something to go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Way {
    Run,
    Break,
    Step,
    Over,
    OverInstruction,
    Into,
    Out,
    Led,
    Printed,
    PrintedLine,
    Reaches(usize),
    Writer(u16),
}

use Move::{Back, Forward};

/// What both faces have. What stands there twice comes twice as often.
const COMMON: [Move; 17] = [
    Forward(Way::Run),
    Forward(Way::Run),
    Forward(Way::Run),
    Back(Way::Run),
    Back(Way::Run),
    Back(Way::Run),
    Forward(Way::Over),
    Forward(Way::Over),
    Back(Way::Over),
    Back(Way::Over),
    Back(Way::Over),
    Forward(Way::Step),
    Back(Way::Step),
    Forward(Way::Into),
    Forward(Way::Into),
    Forward(Way::Out),
    Forward(Way::OverInstruction),
];

/// What the terminal alone has.
const OF_TERMINAL: [Move; 16] = [
    Forward(Way::Break),
    Back(Way::Break),
    Back(Way::Out),
    Back(Way::Out),
    Forward(Way::Led),
    Back(Way::Led),
    Forward(Way::Printed),
    Back(Way::Printed),
    Forward(Way::PrintedLine),
    Back(Way::PrintedLine),
    Move::Edge,
    Move::Edge,
    Move::Edge,
    Move::EdgeBack,
    Move::EdgeBack,
    Move::EdgeBack,
];

impl Move {
    /// A movement from where the machine stands.
    pub(super) fn random(random: &mut SplitMix64, model: &Model, of_terminal: bool) -> Self {
        loop {
            let kinds = if of_terminal { 10 } else { 5 };
            let what = match random.below(kinds) {
                0 if random.below(4) == 0 => Self::Hold(Buttons(random.byte())),
                0..=4 => COMMON[random.below(COMMON.len() as u64) as usize].clone(),
                5..=7 => OF_TERMINAL[random.below(OF_TERMINAL.len() as u64) as usize].clone(),
                _ => Self::somewhere(random, model),
            };
            // At the end of a program there is no way but back.
            let is_back = matches!(what, Back(_) | Self::EdgeBack | Self::Seek(_));
            if is_back || !model.has_halted() {
                return what;
            }
        }
    }

    /// A movement to a place or a moment.
    fn somewhere(random: &mut SplitMix64, model: &Model) -> Self {
        let index = model.positions[random.below(model.positions.len() as u64) as usize].state.pc();
        let end = model.positions[model.positions.len() - 1].moment;
        match random.below(6) {
            0 => Forward(Way::Reaches(index)),
            1 => Back(Way::Reaches(index)),
            2 => Back(Way::Writer(random.below(4) as u16)),
            3 => Self::To(random.below(end + 3)),
            _ => Self::Seek(random.below(end + 3)),
        }
    }
}
