//! The board in Verilog (IEEE 1364-2005): chips are memories without delay, and the wires are those
//! of the board.
//!
//! Simulators differ in how they evaluate tables with feedback. The model relies on only two
//! properties, which Icarus Verilog and Verilator have. A continuous assignment ends up consistent
//! with its inputs, and time does not advance until all of them are consistent. For a board that
//! passes its proofs, the order of evaluation does not matter.

use gray1_board::{Board, Chip};
use gray1_isa::format::readmemh;

use super::file::ExportFile;
use super::model::{Model, Output};
use super::test_bench;

/// Returns the model of the board, the test bench, and a memory file for each chip that is burned.
pub(super) fn make_files(board: &Board) -> Vec<ExportFile> {
    let model = Model::new(board);
    let test_bench = test_bench::test_bench(board, &model.wire_names());
    let mut files = vec![
        ExportFile::new("board.v", write_model(&model)),
        ExportFile::new("gray1_tb.v", test_bench),
    ];
    for chip in board.chips().iter().filter(|chip| !chip.contents().is_empty()) {
        let text = readmemh::encode(chip.name(), chip.contents());
        files.push(ExportFile::new(memory_file(chip), text));
    }
    files
}

fn memory_file(chip: &Chip) -> String {
    format!("{}.mem", chip.name())
}

/// The modules of the chips, which are the same for every board.
const CHIPS: &str = include_str!("chips.v");

/// The module of a filter, for boards that have filters.
const FILTER: &str = concat!(include_str!("filter.v"), "\n");

fn write_model(model: &Model) -> String {
    let board = model.board;
    let title = board.title().escape_default();
    let head = format!(
        "// {title}: the board, chip by chip and wire by wire.\n// gray1_tb.v says how to run it."
    );
    let has_filters = board.nets().iter().any(|net| net.filter.is_some());
    let filter = if has_filters { FILTER } else { "" };
    let ports = model.write_head("power", &[], &write_outputs(model));
    let chips = model.write_chips("power", |id| {
        let chip = board.chip(id);
        let lines = chip.part().address_bits;
        match chip.write_enable_low() {
            Some(_) => format!("ram #({lines})"),
            None => format!("rom #({lines}, \"{}\")", memory_file(chip)),
        }
    });
    let [wires, drivers] = [model.write_wires(), model.write_drivers()];
    let buttons = write_buttons(model);
    format!("{head}\n\n{CHIPS}\n{filter}{ports}{wires}{chips}{drivers}{buttons}endmodule\n")
}

/// Returns the signals that the test bench observes ([`test_bench`]).
fn write_outputs(model: &Model) -> Vec<Output> {
    let memory = model.board.chip(model.board.memory());
    let write_low = memory.write_enable_low().expect("data memory is written");
    let mut outputs = model.fetch_outputs();
    outputs.extend([
        Output::new("memory_address", memory.address.len(), model.sources(&memory.address)),
        Output::new("memory_data", memory.data.len(), model.nets(&memory.data)),
        Output::new("write_low", 1, model.nets(&[write_low])),
    ]);
    outputs
}

/// Returns the levels of the buttons, if the board has them. They would be unknown without a
/// driver.
fn write_buttons(model: &Model) -> String {
    model.board.panel().map_or(String::new(), |panel| {
        let (buttons, count) = (model.nets(&panel.buttons), panel.buttons.len());
        format!("    // No button is held.\n    assign {buttons} = {count}'d0;\n")
    })
}
