//! The steps of bringing a board up, and the chips that each step adds, by their roles.

use std::collections::BTreeSet;

use gray1_board::registers::address_wires;
use gray1_board::role::{Function, Role};
use gray1_board::{Board, ChipId, NetId};

/// The steps, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// Power, oscillator and reset, with empty sockets.
    Clock,
    /// The counter of the phases.
    Phase,
    /// The control table.
    Control,
    /// The other counters.
    Counter,
    /// The program and the instruction register.
    Fetch,
    /// The arithmetic unit, the accumulator, the carry.
    Arithmetic,
    /// Data memory, the other drivers of its bus, and the chips that read it.
    Memory,
    /// The panel, where it is on the board.
    Panel,
    /// The remaining chips.
    Rest,
}

impl Step {
    pub(super) const ALL: [Self; 9] = [
        Self::Clock,
        Self::Phase,
        Self::Control,
        Self::Counter,
        Self::Fetch,
        Self::Arithmetic,
        Self::Memory,
        Self::Panel,
        Self::Rest,
    ];

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Clock => "clock",
            Self::Phase => "phase",
            Self::Control => "control",
            Self::Counter => "program counter",
            Self::Fetch => "program and instruction register",
            Self::Arithmetic => "arithmetic",
            Self::Memory => "memory",
            Self::Panel => "panel",
            Self::Rest => "the other chips",
        }
    }

    /// The chips that this step adds.
    pub(super) fn joins(self, board: &Board) -> Vec<ChipId> {
        board.chip_ids().filter(|&id| Self::of(board, id) == self).collect()
    }

    /// The chips that are in their sockets.
    pub(super) fn present(self, board: &Board) -> BTreeSet<ChipId> {
        board.chip_ids().filter(|&id| Self::of(board, id) <= self).collect()
    }

    /// The step that adds a chip.
    fn of(board: &Board, id: ChipId) -> Self {
        let chip = board.chip(id);
        let drives = |nets: &[NetId]| nets.iter().all(|net| chip.data().contains(net));
        match chip.role() {
            Role::Counter(_) if drives(&board.probes().phase) => Self::Phase,
            Role::Counter(_) => Self::Counter,
            Role::Program(_) => Self::Fetch,
            Role::Latches(_) => Self::of_latches(board, id),
            Role::Function(Function::Control(_)) => Self::Control,
            Role::Function(Function::AluLow(_) | Function::AluHigh(_)) => Self::Arithmetic,
            Role::Memory | Role::Function(Function::Buffer(..) | Function::Choose(_)) => {
                Self::Memory
            }
            Role::Function(Function::Select(_) | Function::Decode(_)) => Self::Panel,
            Role::Function(Function::Table) => Self::Rest,
        }
    }

    /// The latches of the instruction register take the program chip's outputs; those of the panel
    /// drive LEDs.
    fn of_latches(board: &Board, id: ChipId) -> Self {
        let leds = board.panel().map_or(&[][..], |panel| &panel.leds);
        if fetches(board, id) {
            Self::Fetch
        } else if board.chip(id).data().iter().all(|net| leds.contains(net)) {
            Self::Panel
        } else {
            Self::Arithmetic
        }
    }
}

/// True for a latch whose inputs are the program chip's outputs.
fn fetches(board: &Board, id: ChipId) -> bool {
    let program = board.chip(board.program()).data();
    address_wires(board, id).iter().any(|net| program.contains(net))
}
