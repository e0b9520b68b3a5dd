//! The board in Verilog for an FPGA, with a flip-flop behind each data pin of each chip.
//!
//! A board that works for any delays of its chips works if each chip takes one clock of the FPGA.
//! The conductor (`conductor.v`) changes one wire from outside at a time, and then waits for longer
//! than the longest chain of chips takes. [`count_clocks`] computes this time from the proofs.
//!
//! The chips and their wires are generated. All other files are the same for every board.

mod diagrams;
mod tables;

use gray1_board::Board;
use gray1_proofs::Prover;

use super::file::ExportFile;
use super::model::{Model, Output};

/// The files that are the same for every board, with their names. In the Makefile, `{clocks}` is
/// the number of clocks between two changes of wires from outside.
const FILES: [(&str, &str); 12] = [
    ("Makefile", include_str!("Makefile")),
    ("ram.v", include_str!("ram.v")),
    ("conductor.v", include_str!("conductor.v")),
    ("serial.v", include_str!("serial.v")),
    ("displays.v", include_str!("displays.v")),
    ("top.v", include_str!("top.v")),
    ("bench.v", include_str!("bench.v")),
    ("icebreaker.pcf", include_str!("boards/icebreaker.pcf")),
    ("hx8k.pcf", include_str!("boards/hx8k.pcf")),
    ("tangnano9k.cst", include_str!("boards/tangnano9k.cst")),
    ("ulx3s.lpf", include_str!("boards/ulx3s.lpf")),
    ("colorlight-i5.lpf", include_str!("boards/colorlight-i5.lpf")),
];

/// Returns the files.
///
/// # Errors
/// If the board has no panel, or a proof that it works for any delays of its chips fails.
pub(super) fn make_files(board: &Board) -> Result<Vec<ExportFile>, String> {
    if board.panel().is_none() {
        return Err(format!(
            "{} has no panel (`panel`), so it would show nothing; `--board gray1-b` has one",
            board.title()
        ));
    }
    // A filter is a delay, and each delay is one clock.
    let board = board.without_filters();
    let clocks = count_clocks(&board)?.to_string();
    let mut files: Vec<ExportFile> = FILES
        .into_iter()
        .map(|(name, text)| ExportFile::new(name, text.replace("{clocks}", &clocks)))
        .collect();
    files.push(ExportFile::new("board.v", write_board(&Model::new(&board))));
    files.push(ExportFile::new(tables::PROGRAM_FILE, tables::program(&board).hex));
    Ok(files)
}

/// Returns the number of clocks between two changes of wires from outside: more than any change
/// takes to settle if each chip takes one clock.
fn count_clocks(board: &Board) -> Result<u32, String> {
    let mut prover = Prover::new(board);
    let chips = prover.check_delays().and_then(|()| {
        let after_step = prover.slowest_path(|_| 1)?.total_ns();
        Ok(after_step.max(prover.chips_after_buttons()?))
    });
    let chips = chips.map_err(|failed| {
        format!(
            "{} is not proved to work for any delays of its chips ({}), so it cannot run on an \
             FPGA; `gray1 check` with this board explains why",
            board.title(),
            failed.law
        )
    })?;
    Ok(chips + 1)
}

/// Returns the module of the board, and the modules of its chips.
fn write_board(model: &Model) -> String {
    let board = model.board;
    let title = board.title().escape_default();
    let modules = tables::find_modules(board);
    let tables: String = modules.iter().map(|module| module.write(board)).collect();
    let head = model.write_head("clk", &["[7:0] held"], &write_outputs(model));
    let chips = model.write_chips("clk", |id| {
        match modules.iter().find(|module| module.chips.contains(&id)) {
            Some(module) => module.name(board),
            None => format!("ram #({})", board.chip(id).part().address_bits),
        }
    });
    let buttons = board.panel().map_or(String::new(), |panel| model.nets(&panel.buttons));
    let [wires, drivers] = [model.write_wires(), model.write_drivers()];
    format!(
        "// {title}: the board, chip by chip and wire by wire, for an FPGA. docs/FPGA.md explains \
         it.\n{tables}\n{head}{wires}    assign {buttons} = held;\n{chips}{drivers}endmodule\n"
    )
}

/// Returns the wires that the parts around the board see.
fn write_outputs(model: &Model) -> Vec<Output> {
    let probes = model.board.probes();
    let mut outputs = model.fetch_outputs();
    outputs.push(Output::new("accumulator", probes.a.len(), model.nets(&probes.a)));
    outputs.push(Output::new("carry", 1, model.nets(&[probes.carry])));
    if let Some(panel) = model.board.panel() {
        let (green, red) = panel.leds.split_at(panel.leds.len() / 2);
        outputs.push(Output::new("green", green.len(), model.nets(green)));
        outputs.push(Output::new("red", red.len(), model.nets(red)));
        outputs.push(Output::new("printing", 1, model.nets(&[panel.mailbox])));
    }
    outputs
}

#[cfg(test)]
mod tests;
