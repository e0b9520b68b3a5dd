//! Random movements through a program's history.

use gray1_isa::SplitMix64;

use super::model::Model;

/// A movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    Forward(MoveKind),
    Back(MoveKind),
    Edge,
    EdgeBack,
    /// To a known moment.
    Seek(u64),
    /// To a moment, by running there if it is not known.
    To(u64),
}

/// Where a forward or backward move stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveKind {
    Run,
    Step,
    Over,
    OverInstruction,
    Into,
    Out,
}

use Move::{Back, Forward};

/// The movements of both front ends. An entry that is listed twice is twice as likely.
const COMMON: [Move; 17] = [
    Forward(MoveKind::Run),
    Forward(MoveKind::Run),
    Forward(MoveKind::Run),
    Back(MoveKind::Run),
    Back(MoveKind::Run),
    Back(MoveKind::Run),
    Forward(MoveKind::Over),
    Forward(MoveKind::Over),
    Back(MoveKind::Over),
    Back(MoveKind::Over),
    Back(MoveKind::Over),
    Forward(MoveKind::Step),
    Back(MoveKind::Step),
    Forward(MoveKind::Into),
    Forward(MoveKind::Into),
    Forward(MoveKind::Out),
    Forward(MoveKind::OverInstruction),
];

/// The movements of the terminal only.
const TERMINAL_ONLY: [Move; 5] =
    [Back(MoveKind::Out), Move::Edge, Move::Edge, Move::EdgeBack, Move::EdgeBack];

impl Move {
    /// A random movement from the current position.
    pub(super) fn random(random: &mut SplitMix64, model: &Model, is_terminal_only: bool) -> Self {
        loop {
            let kinds = if is_terminal_only { 10 } else { 5 };
            let what = match random.below(kinds) {
                0..=4 => COMMON[random.below(COMMON.len() as u64) as usize],
                5..=7 => TERMINAL_ONLY[random.below(TERMINAL_ONLY.len() as u64) as usize],
                _ => Self::to_random_moment(random, model),
            };
            // At the end of a program, only movements back are possible.
            let is_back = matches!(what, Back(_) | Self::EdgeBack | Self::Seek(_));
            if is_back || !model.has_halted() {
                return what;
            }
        }
    }

    /// A movement to a random moment.
    fn to_random_moment(random: &mut SplitMix64, model: &Model) -> Self {
        let end = model.positions[model.positions.len() - 1].moment;
        let moment = random.below(end + 3);
        if random.below(4) == 0 { Self::To(moment) } else { Self::Seek(moment) }
    }
}
