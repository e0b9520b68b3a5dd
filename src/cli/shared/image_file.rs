//! The options for the output file of an image, and a function that writes the file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use gray1_isa::Image;
use gray1_isa::format::Format;

use super::messages::Messages;
use super::options::{choice, pick_format};
use super::outcome::{Failure, Outcome};
use crate::files;

/// The output file of an image, and its format.
#[derive(clap::Args)]
pub(crate) struct OutputOptions {
    /// The file to write; `-` is standard output [default: the name of the source, with the suffix
    /// of the format]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The format [default: by the suffix of FILE; without one, ron]
    #[arg(short, long, value_parser = choice(&Format::ALL, possible_value))]
    format: Option<Format>,
}

/// A format by its name on the command line, with its help.
fn possible_value(format: Format) -> PossibleValue {
    let help = match format {
        Format::Bin => "The bytes of the program's EPROM",
        Format::Ihex => "The same bytes as Intel HEX",
        Format::Readmemh => "The same bytes for Verilog's $readmemh",
        Format::Logisim => "The same bytes for Logisim",
        Format::Ron => "Everything known about the program: words, names, source",
        Format::Listing => "Index, word and source line of every instruction",
        Format::Symbols => "Name, kind, value and size of every symbol",
        Format::Coe => "Memory of AMD's tools for FPGAs (Xilinx)",
        Format::Mif => "Memory of Intel's tools for FPGAs (Altera)",
        Format::C => "Array in C",
    };
    PossibleValue::new(format.name()).help(help)
}

impl OutputOptions {
    /// The format and the output file for the program of this name.
    pub(crate) fn target(&self, name: &OsStr) -> Result<(Format, PathBuf), Failure> {
        let formats = Format::ALL.map(|it| (it, it.name(), it.suffix()));
        let format = pick_format(self.format, self.output.as_deref(), &formats, Format::Ron)?;
        let path = match &self.output {
            Some(path) => path.clone(),
            None if name == files::STDIO => PathBuf::from(files::STDIO),
            None => PathBuf::from(name).with_extension(format.suffix()),
        };
        Ok((format, path))
    }
}

/// Writes an image to a file, together with other outputs.
pub(crate) fn write_image(
    image: &Image,
    (format, path): (Format, PathBuf),
    others: &[(&Path, &[u8])],
    messages: &mut Messages,
) -> Outcome {
    let bytes = format.encode(image);
    let image = (path.as_path(), bytes.as_slice());
    messages.write(&[&[image], others].concat())
}
