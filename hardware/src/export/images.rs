//! The contents of the chips: files for a programmer, a table that lists what to burn, and a script
//! that burns it.

use flate2::Crc;
use gray1_board::{Board, Chip, FixedPins};
use gray1_isa::format::ihex;

use super::csv::Csv;
use super::file::ExportFile;

/// Returns two image files for each chip that is burned, and the files `programming.csv` and
/// `burn.sh`. Logic parts are not burned. The images have every byte of the device, because
/// programmers differ in how they fill the rest of their buffer, and chips differ in the value of a
/// blank byte.
pub(super) fn make_files(board: &Board) -> Vec<ExportFile> {
    let burned = board.chips().iter().filter(|chip| chip.is_burned());
    let both = burned.clone().flat_map(|chip| {
        let (name, contents) = (chip.name(), chip.contents());
        [
            ExportFile::new(format!("{name}.bin"), contents),
            ExportFile::new(format!("{name}.hex"), ihex::encode(contents, None)),
        ]
    });
    let others = [
        ExportFile::new("programming.csv", make_table(burned.clone())),
        ExportFile::new("burn.sh", make_script(burned)),
    ];
    both.chain(others).collect()
}

/// The start of the script.
const BURN: &str = include_str!("burn.sh");

/// Returns the script, with a line for each chip. A part that minipro is not known to burn is
/// skipped and reported at the end.
fn make_script<'a>(chips: impl Iterator<Item = &'a Chip> + Clone) -> String {
    let names: Vec<&str> = chips.clone().map(Chip::name).collect();
    let lines = chips.map(|chip| match &chip.part().minipro {
        // A board may define parts with any text in this field.
        Some(device) => format!("burn {} '{}'\n", chip.name(), device.replace('\'', r"'\''")),
        None => format!("leave {} # {}\n", chip.name(), chip.part().name),
    });
    BURN.replace("{chips}", &names.join(" ")) + &lines.collect::<String>() + BURNED
}

/// The end of the script.
const BURNED: &str = "[ -z \"$left\" ] ||
    { echo \"burn.sh: not burned, as minipro's names for their parts are not known:$left\" >&2; exit 1; }
";

/// Returns the table, with a row for each chip.
fn make_table<'a>(chips: impl Iterator<Item = &'a Chip>) -> String {
    let mut csv = Csv::new(
        "file,device,kind,programmer,bytes,from,to,elsewhere,\
        blank reads,sum16,crc32,label",
    );
    for chip in chips {
        let (part, contents) = (chip.part(), chip.contents());
        let FixedPins { pins: mask, levels: first } = chip.tied();
        let last = first | !mask & (contents.len() - 1) as u32;
        let reached_all = mask == 0;
        csv.row(&[
            &format!("{}.bin", chip.name()),
            &part.minipro.as_deref().unwrap_or(&part.name),
            &part.kind,
            &part.programmer.as_deref().unwrap_or_default(),
            &contents.len(),
            &format!("0x{first:05x}"),
            &format!("0x{last:05x}"),
            &if reached_all { "" } else { "ff" },
            &format!("{:02x}", part.kind.blank()),
            &format!("{:04x}", sum16(contents)),
            &format!("{:08x}", crc32(contents)),
            &chip.name(),
        ]);
    }
    csv.finish()
}

/// The checksum that programmers show: the low 16 bits of the sum of all bytes.
fn sum16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |sum: u16, byte| sum.wrapping_add(u16::from(*byte)))
}

/// The CRC-32 that zip files use. EPROM programmers and the command `crc32` show the same value.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values for the digits are the check values that catalogues of checksums list.
    #[test]
    fn checksums_equal_those_of_other_tools() {
        assert_eq!((crc32(b"123456789"), sum16(b"123456789")), (0xcbf4_3926, 0x01dd));
        assert_eq!(sum16(&[0xff; 0x100]), 0xff00);
    }
}
