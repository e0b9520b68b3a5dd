//! The board as a KiCad project: a readable schematic in sheets with its symbols, and a circuit
//! board with its footprints.
//!
//! The schematic has the format of KiCad 6 (20211123), which later versions can read. Each pin has
//! a global label with the name of its net. KiCad's netlist of the schematic is therefore the same
//! as that of [`super::netlist`].

mod circuit_board;
mod footprint;
mod geometry;
mod group;
mod placement;
mod sheet;
mod symbol;
mod uuid;

use std::collections::BTreeMap;

use gray1_board::Board;

use super::ExportFile;
use super::components::{Component, list_components};
use footprint::Footprint;
use group::{Group, PROJECT};
use sheet::Sheet;

/// The project file, with a net class for the supply.
const PROJECT_FILE: &str = include_str!("project.kicad_pro");

/// Returns the files of the project.
pub(super) fn make_files(board: &Board) -> Result<Vec<ExportFile>, String> {
    let components = list_components(board)?;
    let mut sheets: Vec<Sheet<'_>> = Group::TABLE.map(|(group, ..)| Sheet::new(group)).into();
    for component in &components {
        let group = Group::new(component, board.oscillator());
        let sheet = sheets.iter_mut().find(|sheet| sheet.group == group);
        sheet.expect("each group has a sheet").components.push(component);
    }
    sheets.retain(|sheet| !sheet.components.is_empty());
    let mut files = vec![
        ExportFile::new(format!("{PROJECT}.kicad_sch"), sheet::write_root(board.title(), &sheets)),
        ExportFile::new(format!("{PROJECT}.kicad_sym"), symbol::write_library(&components)),
        ExportFile::new(format!("{PROJECT}.kicad_pro"), PROJECT_FILE),
        ExportFile::new("sym-lib-table", library_table("sym", "kicad_sym")),
        ExportFile::new("fp-lib-table", library_table("fp", "pretty")),
    ];
    for sheet in &sheets {
        files.push(ExportFile::new(sheet.group.file_name(), sheet.write(board.title())));
    }
    let footprints: BTreeMap<String, Footprint> = components
        .iter()
        .filter_map(Footprint::new)
        .map(|footprint| (footprint.name.clone(), footprint))
        .collect();
    files.extend(
        circuit_board::library_entries(&footprints).into_iter().map(|(name, text)| {
            ExportFile::new(format!("{PROJECT}.pretty/{name}.kicad_mod"), text)
        }),
    );
    if let Some(plan) = placement::lay_out(&components, board.oscillator()) {
        let text = circuit_board::write(board, &plan);
        files.push(ExportFile::new(format!("{PROJECT}.kicad_pcb"), text));
    }
    Ok(files)
}

/// Returns the number of screw holes. 0 if there is no circuit board.
pub(super) fn count_holes(components: &[Component<'_>], board: &Board) -> usize {
    placement::lay_out(components, board.oscillator()).map_or(0, |plan| plan.holes.len())
}

/// Returns the table that locates a library of symbols (`sym`) or footprints (`fp`).
fn library_table(kind: &str, suffix: &str) -> String {
    format!(
        "({kind}_lib_table\n  (lib (name \"{PROJECT}\")(type \"KiCad\")\
         (uri \"${{KIPRJMOD}}/{PROJECT}.{suffix}\")(options \"\")(descr \"\"))\n)\n"
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use gray1_roms::{GRAY1, GRAY1_B, parts};

    use super::*;
    use crate::export::kicad::symbol::Symbol;

    /// Symbols are shared by name. If two different symbols had the same name, labels would miss
    /// their pins.
    #[test]
    fn components_that_share_a_symbol_have_the_same_pins() {
        // An address pin with an unusual name, tied on one chip and wired on the other.
        let odd = parts().named("2716").unwrap().pins.iter().fold(String::new(), |pins, pin| {
            let name = if pin.name == "A7" { "BANK=A7" } else { &pin.name };
            pins + &format!("\"{}\", ", name.replace("VPP", "VPP=1"))
        });
        let part = format!(
            "    parts: [(name: \"2716\", kind: Eprom, package: \"DIP-24\", access_ns: 450,\n\
             pins: [{odd}])],\n    probes:"
        );
        let text = GRAY1.replacen("    probes:", &part, 1);
        let instead = [("PHASE".to_owned(), "2716".to_owned())];
        let none = &instead[..0];
        for (text, instead) in [(GRAY1, none), (&text, &instead[..]), (GRAY1_B, none)] {
            let board = Board::load_with(text, parts(), instead, |_| Err(String::new())).unwrap();
            let mut drawn = BTreeMap::new();
            for component in list_components(&board).unwrap() {
                let symbol = Symbol::new(&component);
                let definition = symbol.write(&component, "");
                let before = drawn.entry(symbol.name).or_insert_with(|| definition.clone());
                assert_eq!(*before, definition, "{}", component.name);
            }
            assert!(drawn.len() < board.chips().len(), "{:?}", drawn.keys());
        }
    }
}
