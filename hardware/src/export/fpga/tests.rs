//! The tables for an FPGA against the contents of the chips, and the boards that are refused.

use std::collections::HashMap;

use gray1_board::{Board, ChipId};
use gray1_isa::{Image, Op, RomIndex, SplitMix64, Word};
use gray1_roms::{GRAY1, GRAY1_B, load};

use super::*;

/// A board with a program that uses its first and its last block.
fn board(description: &str) -> Board {
    let mut words = vec![Word::ldi(7); 8192];
    words[1..8191].fill(Word::from_bits(0xffff));
    words[8191] = Word::jump(Op::Jmp, RomIndex::truncate(8191));
    load(description).unwrap().with_program(&Image::from_words(&words).unwrap())
}

/// The exported files by name.
fn files(board: &Board) -> HashMap<String, String> {
    let files = make_files(board).unwrap().into_iter();
    files.map(|file| (file.name, String::from_utf8(file.contents).unwrap())).collect()
}

/// The lines of the module that a chip is an instance of.
fn module_of<'a>(verilog: &'a str, chip: &str) -> Vec<&'a str> {
    let instance = format!(" {chip}_chip (clk,");
    let line = verilog.lines().find(|line| line.ends_with(&instance)).unwrap();
    let head = format!("module {} (", line.trim().trim_end_matches(&instance));
    let lines = verilog.lines().skip_while(|line| !line.starts_with(&head));
    lines.take_while(|line| *line != "endmodule").collect()
}

/// A table as Verilog describes it: wires that choose by an address pin, and the data pins.
struct Table {
    /// The pin, and the numbers of the levels while it is high and low.
    nodes: Vec<(u32, [usize; 2])>,
    /// The numbers of the levels of the data pins, D7 first.
    outputs: Vec<usize>,
}

impl Table {
    fn parse(module: &[&str]) -> Self {
        // 0 and 1 are constants, the levels of nodes follow.
        let level = |text: &str| match text.trim_end_matches(';') {
            "1'b0" => 0,
            "1'b1" => 1,
            node => 2 + node.strip_prefix('n').unwrap().parse::<usize>().unwrap(),
        };
        let mut nodes = Vec::new();
        for line in module.iter().filter(|line| line.starts_with("    wire n")) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let ["wire", name, "=", pin, "?", high, ":", low] = words[..] else { panic!("{line}") };
            assert_eq!(level(name), 2 + nodes.len(), "{line}");
            let pin = pin.strip_prefix("address[").unwrap().trim_end_matches(']').parse().unwrap();
            let levels = [high, low].map(level);
            assert!(levels.iter().all(|level| *level < 2 + nodes.len()), "{line}: no cycle");
            nodes.push((pin, levels));
        }
        let outputs = module.iter().find_map(|line| {
            line.trim().strip_prefix("always @(posedge clk) data <= {")?.strip_suffix("};")
        });
        Self { nodes, outputs: outputs.unwrap().split(", ").map(level).collect() }
    }

    fn data(&self, address: u32) -> u8 {
        let mut levels = vec![false, true];
        for (pin, [high, low]) in &self.nodes {
            levels.push(levels[if address >> pin & 1 == 1 { *high } else { *low }]);
        }
        self.outputs.iter().fold(0, |data, output| data << 1 | u8::from(levels[*output]))
    }
}

/// The byte of the program at an address, from its module and the file with its blocks.
fn program_byte(module: &[&str], hex: &[u8], address: u32) -> u8 {
    let case = format!("            5'd{}: block = ", address >> 9);
    let line = module.iter().find_map(|line| line.strip_prefix(&*case));
    line.map_or(0xff, |line| {
        let place: usize = line.split_once("'d").unwrap().1.trim_end_matches(';').parse().unwrap();
        hex[place * 512 + (address & 511) as usize]
    })
}

/// Returns the first address at which a chip's module differs from the contents of the chip.
fn first_difference(files: &HashMap<String, String>, board: &Board, id: ChipId) -> Option<u32> {
    let chip = board.chip(id);
    let module = module_of(&files["board.v"], chip.name());
    if id == board.program() {
        let hex = files[tables::PROGRAM_FILE].lines();
        let hex: Vec<u8> = hex.map(|line| u8::from_str_radix(line, 16).unwrap()).collect();
        return chip.addresses().find(|address| {
            program_byte(&module, &hex, *address) != chip.contents()[*address as usize]
        });
    }
    let table = Table::parse(&module);
    chip.addresses().find(|address| table.data(*address) != chip.contents()[*address as usize])
}

/// Returns a copy of a board with random bytes in its chip ALUL.
fn with_random_alu(board: &Board) -> Board {
    let alu = board.chip_named("ALUL").unwrap();
    let random = &mut SplitMix64::new(69);
    let mut contents = board.chip(alu).contents().to_vec();
    // One random byte for 64 addresses, so that the diagrams stay small enough for a test.
    for block in contents.chunks_mut(64) {
        block.fill(random.below(256) as u8);
    }
    board.with_contents(alu, contents).unwrap()
}

/// A wrong node would be a wrong byte in a chip, which the proofs of the board do not see.
#[test]
fn each_table_has_the_byte_of_its_chip_at_every_address() {
    let stock = board(GRAY1_B);
    for board in [with_random_alu(&stock), stock] {
        let files = files(&board);
        let mut addresses = 0;
        for id in board.chip_ids().filter(|id| !board.chip(*id).contents().is_empty()) {
            let chip = board.chip(id);
            assert_eq!(first_difference(&files, &board, id), None, "{}", chip.name());
            addresses += chip.addresses().count();
        }
        assert!(addresses > 1_000_000, "{addresses}");
    }
}

#[test]
fn the_comparison_of_tables_notices_one_wrong_level() {
    let board = board(GRAY1_B);
    let mut files = files(&board);
    let verilog = &files["board.v"];
    let (start, table) = verilog.split_once("module table_FLAGS ").unwrap();
    let wrong = table.replacen("? 1'b1 : 1'b0;", "? 1'b1 : 1'b1;", 1);
    assert_ne!(table, wrong);
    let wrong = format!("{start}module table_FLAGS {wrong}");
    files.insert("board.v".to_owned(), wrong);
    assert!(first_difference(&files, &board, board.chip_named("FLAGS").unwrap()).is_some());
}

#[test]
fn a_tick_is_longer_than_the_longest_chain_of_chips() {
    let files = files(&board(GRAY1_B));
    // PHASE, CTRL, IRH, ...: nine chips, each a clock.
    assert!(files["Makefile"].contains("\nCLOCKS = 10\n"), "{}", files["Makefile"]);
    assert!(files["top.v"].contains("CLOCKS = 10,"), "its default is that of the stock board");
}

#[test]
fn a_board_that_no_fpga_can_run_is_refused_with_the_reason() {
    assert_eq!(
        make_files(&board(GRAY1)).unwrap_err(),
        "Gray-1 has no panel (`panel`), so it would show nothing; `--board gray1-b` has one"
    );
    // A latch of the panel takes the bus, whose driver changes as the latch closes.
    let unsound = GRAY1_B.replacen("[\"AS.0-7\", \"RED_EN.7\"]", "[\"BUS.0-7\", \"RED_EN.7\"]", 1);
    assert_eq!(
        make_files(&board(&unsound)).unwrap_err(),
        "Gray-1 B is not proved to work for any delays of its chips (the inputs of a chip do not \
         move in the step in which its enable ends), so it cannot run on an FPGA; `gray1 check` \
         with this board explains why"
    );
}
