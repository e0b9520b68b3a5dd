//! Where an image is written, and in which format.

use std::path::PathBuf;

use clap::ValueEnum;
use gray1_isa::format::Format;

use super::outcome::{Outcome, write};
use crate::files;

/// Where an image is written, and in which format.
#[derive(clap::Args)]
pub(super) struct OutputOptions {
    /// The file to write; `-` is standard output [default: the source's name with the format's
    /// suffix, beside it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The format [default: by the suffix of FILE, else ron]
    #[arg(short, long, value_enum)]
    format: Option<FormatName>,
}

/// The formats by their names on the command line.
#[derive(Clone, Copy)]
struct FormatName(Format);

impl ValueEnum for FormatName {
    fn value_variants<'a>() -> &'a [Self] {
        const NAMES: [FormatName; Format::ALL.len()] = {
            let mut names = [FormatName(Format::Bin); Format::ALL.len()];
            let mut n = 0;
            while n < names.len() {
                names[n] = FormatName(Format::ALL[n]);
                n += 1;
            }
            names
        };
        &NAMES
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        let help = match self.0 {
            Format::Bin => "The bytes of the program's EPROM",
            Format::Ihex => "The same as Intel HEX",
            Format::Readmemh => "The same for Verilog's $readmemh",
            Format::Logisim => "The same for Logisim",
            Format::Ron => "All that is known of the program: words, names, source",
            Format::Listing => "Index, word and source line of every instruction",
            Format::Symbols => "Name, kind, value and size of every symbol",
        };
        Some(clap::builder::PossibleValue::new(self.0.name()).help(help))
    }
}

impl OutputOptions {
    /// Writes the image of the program that the command line named by this word and that was read
    /// from these files.
    pub(super) fn write(
        &self,
        image: &gray1_isa::Image,
        word: &str,
        inputs: &files::Inputs,
    ) -> Outcome {
        let suffix = self.output.as_ref().and_then(|path| path.extension()?.to_str());
        let by_suffix = || suffix.and_then(Format::from_suffix);
        let format = self.format.map(|name| name.0).or_else(by_suffix).unwrap_or(Format::Ron);
        let path = match &self.output {
            Some(path) => path.clone(),
            None if word == files::STDIO => PathBuf::from(files::STDIO),
            None => PathBuf::from(word).with_extension(format.suffix()),
        };
        write(&path, &format.encode(image), inputs)
    }
}
