//! The modules of the chips that are burned, and of logic parts: decision diagrams, and block RAM
//! for the program.

use std::fmt::Write as _;

use gray1_board::{Board, Chip, ChipId};

use super::diagrams::Diagrams;

/// The file with the contents of the program's blocks.
pub(super) const PROGRAM_FILE: &str = "PROG.hex";

/// The number of bytes in a block. It is the smallest block RAM of these FPGAs, an iCE40's.
const BLOCK: usize = 512;

/// A module, and the chips that it serves: they have the same contents where their tied pins leave
/// them.
pub(super) struct Module {
    pub(super) chips: Vec<ChipId>,
}

/// The program, in blocks.
pub(super) struct Program {
    /// The numbers of the blocks that are not erased.
    blocks: Vec<usize>,
    /// Their bytes, one a line.
    pub(super) hex: String,
}

/// Returns the modules of all chips that have contents.
pub(super) fn find_modules(board: &Board) -> Vec<Module> {
    let mut modules: Vec<Module> = Vec::new();
    let are_equal =
        |one: &Chip, other: &Chip| one.tied() == other.tied() && one.contents() == other.contents();
    for id in board.chip_ids().filter(|id| !board.chip(*id).contents().is_empty()) {
        let found = modules.iter_mut().find(|module| {
            let first = module.chips[0];
            ![first, id].contains(&board.program()) && are_equal(board.chip(first), board.chip(id))
        });
        match found {
            Some(module) => module.chips.push(id),
            None => modules.push(Module { chips: vec![id] }),
        }
    }
    modules
}

/// Returns the blocks of the program that are not erased, or the first if all are.
pub(super) fn program(board: &Board) -> Program {
    let contents = &board.chip(board.program()).contents()[board.program_bytes()];
    let is_used = |block: &[u8]| block.iter().any(|byte| *byte != 0xff);
    let blocks = contents.chunks(BLOCK).enumerate();
    let blocks: Vec<usize> =
        blocks.filter(|(number, block)| *number == 0 || is_used(block)).map(|it| it.0).collect();
    let mut hex = String::new();
    for byte in blocks.iter().flat_map(|block| &contents[block * BLOCK..][..BLOCK]) {
        let _ = writeln!(hex, "{byte:02x}");
    }
    Program { blocks, hex }
}

impl Module {
    /// Returns the name of the module, which is that of its first chip.
    pub(super) fn name(&self, board: &Board) -> String {
        format!("table_{}", board.chip(self.chips[0]).name())
    }

    /// Returns the module.
    pub(super) fn write(&self, board: &Board) -> String {
        let name = self.name(board);
        let high = board.chip(self.chips[0]).part().address_bits - 1;
        let head =
            format!("\nmodule {name} (input wire clk, input wire [{high}:0] address, output ");
        if self.chips[0] == board.program() {
            return head + &write_program(board);
        }
        let (nodes, outputs) = Diagrams::new(board.chip(self.chips[0])).write();
        format!(
            "{head}reg [7:0] data = 8'h00);
{nodes}    always @(posedge clk) data <= {outputs};
endmodule
"
        )
    }
}

/// Returns the module of the program without the beginning of its head. An erased block reads as
/// ff.
fn write_program(board: &Board) -> String {
    let Program { blocks, .. } = program(board);
    let high = board.program_bytes().len().ilog2() - 1;
    let low = BLOCK.ilog2();
    let bits = blocks.len().next_power_of_two().ilog2().max(1);
    let size = blocks.len() * BLOCK - 1;
    let width = high + 1 - low;
    let cases = blocks.iter().enumerate().fold(String::new(), |mut cases, (place, block)| {
        let _ = writeln!(cases, "            {width}'d{block}: block = {bits}'d{place};");
        cases
    });
    format!(
        "wire [7:0] data);
    reg [7:0] contents [0:{size}];
    initial $readmemh(\"{PROGRAM_FILE}\", contents);
    reg [{top}:0] block;
    reg erased, blank = 1'b0;
    reg [7:0] shown;
    always @* begin
        erased = 1'b0;
        case (address[{high}:{low}])
{cases}            default: begin
                block = {bits}'d0;
                erased = 1'b1;
            end
        endcase
    end
    always @(posedge clk) begin
        shown <= contents[{{block, address[{below}:0]}}];
        blank <= erased;
    end
    assign data = blank ? 8'hff : shown;
endmodule
",
        top = bits - 1,
        below = low - 1,
    )
}
