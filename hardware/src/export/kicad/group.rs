//! The sheets of the schematic, and the assignment of components to sheets.

use gray1_board::role::{Function, Role};
use gray1_board::{NetId, Sheet};

use super::super::components::{Component, ComponentKind};

/// The name of the project and of its symbol library.
pub(super) const PROJECT: &str = "gray1";

/// The sheets, by the function of their components.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Control,
    Counter,
    Latches,
    Alu,
    Memory,
    Clock,
    Panel,
    Display,
    Outside,
}

impl Group {
    /// All sheets, with their titles and file names.
    pub(super) const TABLE: [(Self, &'static str, &'static str); 9] = [
        (Self::Control, "Phase and control", "control.kicad_sch"),
        (Self::Counter, "Program counter", "counter.kicad_sch"),
        (Self::Latches, "Registers", "registers.kicad_sch"),
        (Self::Alu, "Arithmetic unit", "alu.kicad_sch"),
        (Self::Memory, "Memory and data bus", "memory.kicad_sch"),
        (Self::Clock, "Clock and reset", "clock.kicad_sch"),
        (Self::Panel, "Panel", "panel.kicad_sch"),
        (Self::Display, "Display", "display.kicad_sch"),
        (Self::Outside, "Supply and connectors", "outside.kicad_sch"),
    ];

    pub(super) fn new(component: &Component<'_>, oscillator: NetId) -> Self {
        let chip = match component.kind {
            ComponentKind::Chip(chip)
            | ComponentKind::FilterResistor(_, chip)
            | ComponentKind::FilterCapacitor(_, chip) => chip,
            ComponentKind::Wired(wired) => {
                return match wired.sheet() {
                    Sheet::Clock => Self::Clock,
                    Sheet::Panel => Self::Panel,
                    Sheet::Display => Self::Display,
                };
            }
            _ => return Self::Outside,
        };
        match chip.role() {
            _ if chip.part().logic.is_some() => Self::Panel,
            Role::Counter(counter) if chip.wire(counter.clock) == Some(oscillator) => Self::Control,
            Role::Counter(_) => Self::Counter,
            Role::Latches(_) => Self::Latches,
            Role::Function(Function::AluLow(_) | Function::AluHigh(_)) => Self::Alu,
            Role::Program(_) | Role::Memory | Role::Function(Function::Buffer(..)) => Self::Memory,
            Role::Function(Function::Select(_) | Function::Choose(_) | Function::Decode(_)) => {
                Self::Panel
            }
            Role::Function(Function::Control(_) | Function::Table) => Self::Control,
        }
    }

    /// Whether a component starts a series that must stay together in a column. Only the display's
    /// sheet has such series.
    pub(super) const fn is_lead(self, component: &Component<'_>) -> bool {
        match component.kind {
            ComponentKind::Wired(wired) => matches!(self, Self::Display) && wired.is_first(),
            _ => false,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        Self::TABLE[self as usize].1
    }

    pub(super) const fn file_name(self) -> &'static str {
        Self::TABLE[self as usize].2
    }
}
