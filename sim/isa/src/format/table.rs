//! Memory files of tools for FPGAs and of C compilers. They are written, and recognised so that a
//! message can name them, but not read.

use super::error::LoadError;
use crate::source_text::lines;

const ROW_BYTES: usize = 16;

/// Encodes the contents of a chip for AMD's tools.
pub(super) fn encode_coe(contents: &[u8]) -> String {
    let rows = rows(contents).map(|(_, bytes)| bytes.join(","));
    format!(
        "; Gray-1 PROG chip, EPROM address order\nmemory_initialization_radix=16;\n\
         memory_initialization_vector=\n{};\n",
        rows.collect::<Vec<_>>().join(",\n")
    )
}

/// Encodes the contents of a chip for Intel's tools.
pub(super) fn encode_mif(contents: &[u8]) -> String {
    let rows = rows(contents).map(|(at, bytes)| format!("{at:04x} : {};\n", bytes.join(" ")));
    format!(
        "-- Gray-1 PROG chip, EPROM address order\nWIDTH=8;\nDEPTH={};\nADDRESS_RADIX=HEX;\n\
         DATA_RADIX=HEX;\nCONTENT BEGIN\n{}END;\n",
        contents.len(),
        rows.collect::<String>()
    )
}

/// Encodes the contents of a chip as an array in C.
pub(super) fn encode_c(contents: &[u8]) -> String {
    let rows = rows(contents).map(|(_, bytes)| format!("    0x{},\n", bytes.join(", 0x")));
    format!(
        "/* Gray-1 PROG chip, EPROM address order */\nconst unsigned char gray1_prog[{}] = {{\n\
         {}}};\n",
        contents.len(),
        rows.collect::<String>()
    )
}

/// Returns rows of bytes in hexadecimal, with the address of the first byte of each.
fn rows(contents: &[u8]) -> impl Iterator<Item = (usize, Vec<String>)> {
    contents.chunks(ROW_BYTES).enumerate().map(|(number, row)| {
        (number * ROW_BYTES, row.iter().map(|byte| format!("{byte:02x}")).collect())
    })
}

/// Recognises these files by a line. The error has the name of the format, and advice.
pub(super) fn recognise(text: &str) -> Option<LoadError> {
    lines(text).enumerate().find_map(|(index, line)| {
        // A source may mention these formats in its comments and titles.
        let (left, right) = line.split([';', '"']).next()?.split_once('=')?;
        let left = left.trim();
        let advice = if left.eq_ignore_ascii_case("memory_initialization_radix") {
            "this is a COE file, which cannot be loaded: convert it to Intel HEX"
        } else if left.eq_ignore_ascii_case("address_radix") {
            "this is a MIF file, which cannot be loaded: convert it to Intel HEX"
        } else if left.ends_with(']') && right.trim_start().starts_with('{') {
            "this is an array in C, which cannot be loaded: save its bytes as a binary file"
        } else {
            return None;
        };
        Some(LoadError::on_line(index + 1, advice))
    })
}
