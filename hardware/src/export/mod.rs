//! The files for building a board: chip images, a Verilog model, the machine for an FPGA, the
//! wiring, the parts list and a drawing.
//!
//! This module converts a checked [`Board`] to the bytes of files, which the caller writes.
//! `docs/BUILD-IT.md` explains how to use them.

mod bom;
mod components;
mod csv;
mod file;
mod fpga;
mod images;
mod model;
mod netlist;
mod test_bench;
mod verilog;

use gray1_board::{Board, drawing};

pub use file::ExportFile;

/// The kinds of export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Export {
    /// The contents of each chip that is burned, raw (`.bin`) and as Intel HEX (`.hex`), with
    /// `programming.csv` and `burn.sh`.
    Images,
    /// A model of the board, and a test bench that runs its program.
    Verilog,
    /// The board for an FPGA, with its program, a Makefile and a test bench.
    Fpga,
    /// The wiring, chip by chip and pin by pin.
    Netlist,
    /// The parts to buy.
    Bom,
    /// A drawing of the board, with its chips and the wires between them.
    Drawing,
}

impl Export {
    /// All kinds, with their names on the command line and their descriptions.
    pub const TABLE: [(Self, &'static str, &'static str); 6] = [
        (
            Self::Images,
            "images",
            "An image of each chip with contents, raw and as Intel HEX, a table, and a script that \
            burns them",
        ),
        (Self::Verilog, "verilog", "A model of the board, and a test bench that runs the program"),
        (
            Self::Fpga,
            "fpga",
            "The machine and its program for an FPGA board, by default that of `--board gray1-b`",
        ),
        (Self::Netlist, "netlist", "The wiring, pin by pin, as CSV"),
        (Self::Bom, "bom", "The parts of a complete machine, such as `--board gray1-b`, as CSV"),
        (Self::Drawing, "drawing", "A picture of the chips and wires of `--board gray1` (SVG)"),
    ];

    /// Returns the files for a board whose chips contain a program.
    ///
    /// # Errors
    /// If no resistor can hold an external input of the board low, if a parts list is requested for
    /// a board that is not a complete machine, if a drawing is requested for a board whose chips or
    /// wires differ from those of the stock board, or if a board for an FPGA has no panel or is not
    /// proved to work for any delays of its chips.
    pub fn files(self, board: &Board) -> Result<Vec<ExportFile>, String> {
        Ok(match self {
            Self::Images => images::make_files(board),
            Self::Verilog => verilog::make_files(board),
            Self::Fpga => fpga::make_files(board)?,
            Self::Netlist => vec![ExportFile::new("netlist.csv", netlist::make_netlist(board)?)],
            Self::Bom if board.around().is_empty() => {
                return Err(format!(
                    "{} lacks a clock, reset and panel (`around`), so it is not a complete \
                     machine; `--board gray1-b` is",
                    board.title()
                ));
            }
            Self::Bom => vec![ExportFile::new("bom.csv", bom::make_bom(board)?)],
            Self::Drawing => {
                let svg = drawing::svg(board, drawing::STYLE);
                let svg = svg.ok_or_else(|| {
                    format!(
                        "{} cannot be drawn, because its chips or wires differ from those of \
                         `--board gray1`; `gray1 export netlist` lists the wires of any board",
                        board.title()
                    )
                })?;
                vec![ExportFile::new("drawing.svg", svg)]
            }
        })
    }
}

#[cfg(test)]
mod tests;
