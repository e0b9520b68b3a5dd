//! The sheets of the schematic, and which component is on which.

use super::super::components::{Component, Kind};
use crate::board::checked::NetId;
use crate::board::role::{Function, Role};

/// The name of the project, and of its library of symbols.
pub(super) const PROJECT: &str = "gray1";

/// The sheets, by what their components are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Control,
    Counter,
    Latches,
    Alu,
    Memory,
    Outside,
}

impl Group {
    pub(super) const ALL: [Self; 6] =
        [Self::Control, Self::Counter, Self::Latches, Self::Alu, Self::Memory, Self::Outside];

    pub(super) fn of(component: &Component<'_>, oscillator: NetId) -> Self {
        let Kind::Chip(chip) = component.kind else { return Self::Outside };
        match chip.role() {
            Role::Counter(counter) if chip.wire(counter.clock) == Some(oscillator) => Self::Control,
            Role::Counter(_) => Self::Counter,
            Role::Latches(_) => Self::Latches,
            Role::Function(Function::AluLow(_) | Function::AluHigh(_)) => Self::Alu,
            Role::Program(_)
            | Role::Memory
            | Role::Function(
                Function::Buffer(..)
                | Function::Select(_)
                | Function::Choose(_)
                | Function::Decode(_),
            ) => Self::Memory,
            Role::Function(Function::Control(_) | Function::Table) => Self::Control,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Control => "Phase and control",
            Self::Counter => "Program counter",
            Self::Latches => "Registers",
            Self::Alu => "Arithmetic unit",
            Self::Memory => "Memory and data bus",
            Self::Outside => "Supply and connectors",
        }
    }

    pub(super) const fn file_name(self) -> &'static str {
        match self {
            Self::Control => "control.kicad_sch",
            Self::Counter => "counter.kicad_sch",
            Self::Latches => "registers.kicad_sch",
            Self::Alu => "alu.kicad_sch",
            Self::Memory => "memory.kicad_sch",
            Self::Outside => "outside.kicad_sch",
        }
    }
}
