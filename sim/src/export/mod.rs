//! What a maker takes away from a board: chip images, a Verilog model, the wiring, the parts list.
//!
//! Everything here turns a checked [`Board`] into the bytes of files; writing them is the
//! caller's. `docs/BUILD-IT.md` says what to do with them.

mod bom;
mod csv;
mod images;
mod netlist;
mod pinout;
mod test_bench;
mod verilog;

use crate::board::Board;

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its name, without a folder.
    pub name: String,
    /// Its bytes.
    pub contents: Vec<u8>,
}

impl File {
    fn new(name: impl Into<String>, contents: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), contents: contents.into() }
    }
}

/// What can be taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Export {
    /// What is burned into each chip, raw (`.bin`) and as Intel HEX (`.hex`).
    Images,
    /// A model of the board and a test bench that runs its program.
    Verilog,
    /// The wiring, chip by chip and pin by pin.
    Netlist,
    /// The parts to buy.
    Bom,
}

impl Export {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Images, Self::Verilog, Self::Netlist, Self::Bom];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Images => "images",
            Self::Verilog => "verilog",
            Self::Netlist => "netlist",
            Self::Bom => "bom",
        }
    }

    /// What it is, in a line.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Images => "One EPROM file a chip, raw and Intel HEX",
            Self::Verilog => "A model of the board, and a test bench that runs the program",
            Self::Netlist => "The wiring, pin by pin, as CSV",
            Self::Bom => "The parts to buy, as CSV",
        }
    }

    /// The files, for a board in which a program is burned.
    #[must_use]
    pub fn files(self, board: &Board) -> Vec<File> {
        match self {
            Self::Images => images::files(board),
            Self::Verilog => verilog::files(board),
            Self::Netlist => vec![File::new("netlist.csv", netlist::netlist(board))],
            Self::Bom => vec![File::new("bom.csv", bom::bom(board))],
        }
    }
}

#[cfg(test)]
mod tests;
