//! What a maker takes away, as text that people have read, in the folder beside this file. It is
//! written again after a change that is meant: `UPDATE_GOLDENS=1 cargo test -p gray1-hardware golden`.

use std::path::Path;

use super::*;

/// A change of a wire, a part or a phase is a change of these lines.
#[test]
fn exports_are_the_golden_ones() {
    let [board, _] = boards();
    let whole = gray1_roms::load(gray1_roms::GRAY1_B).unwrap();
    let exports = [
        ("board.v", text(Export::Verilog, &board, "board.v")),
        ("gray1_tb.v", text(Export::Verilog, &board, "gray1_tb.v")),
        ("netlist.csv", text(Export::Netlist, &board, "netlist.csv")),
        ("bom.csv", text(Export::Bom, &whole, "bom.csv")),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/export/tests/goldens");
    for (name, now) in exports {
        let path = folder.join(name);
        if std::env::var_os("UPDATE_GOLDENS").is_some() {
            std::fs::write(&path, &now).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap();
        let lines = (1..).zip(kept.lines().zip(now.lines()));
        for (line, (kept, now)) in lines {
            assert_eq!(kept, now, "line {line} of {name}");
        }
        assert_eq!(kept.len(), now.len(), "the length of {name}");
    }
}
