//! The complete image in Rusty Object Notation.
//!
//! The file is readable and has a version, so a program can report a version that it cannot read.

use ::ron::error::SpannedError;
use ::ron::ser::PrettyConfig;
use serde::{Deserialize, Serialize};

use super::error::{LoadError, Position};
use super::hex;
use crate::address::{ROM_WORDS, RomIndex};
use crate::image::Image;
use crate::image_error::ImageError;
use crate::presentation::Presentation;
use crate::source_map::{Expansion, Origin, SourceFile, SourceLine, SourceMap};
use crate::symbol::Symbol;
use crate::word::Word;

const VERSION: u64 = 1;
/// The number of words in a row of `instructions`.
const RUN_WORDS: usize = 8;

/// An image as a RON document. This type defines the file format, so change it only together with
/// [`VERSION`].
#[derive(Serialize, Deserialize)]
#[serde(rename = "Image", deny_unknown_fields)]
struct ImageDocument {
    version: u64,
    title: Option<String>,
    instructions: Vec<WordRun>,
    symbols: Vec<Symbol>,
    files: Vec<SourceFile>,
    expansions: Vec<Expansion>,
    origins: Vec<InstructionOrigin>,
    /// Empty in older files, which have no presentation.
    #[serde(default, skip_serializing_if = "Presentation::is_empty")]
    presentation: Presentation,
}

/// A run of words of program memory, in hexadecimal, with the index of the first.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WordRun {
    at: u16,
    words: String,
}

/// The origin of the instruction at an index.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct InstructionOrigin {
    at: u16,
    file: u16,
    line: u32,
    expansion: Option<u32>,
}

/// The part of a document that is read first, to learn its version.
#[derive(Deserialize)]
#[serde(rename = "Image")]
struct DocumentVersion {
    version: u64,
}

/// Returns true if the text begins with the name of a document and an opening parenthesis. A macro
/// call before a parenthesis is still source.
pub(super) fn is_ron(text: &str) -> bool {
    let (name, rest) = split_name(text);
    matches!(name, "Image" | "Board" | "Tests") && rest.trim_start().starts_with('(')
}

/// Returns the name of a document, such as `Board`. It is empty if there is none.
pub fn document_name(text: &str) -> &str {
    split_name(text).0
}

/// Splits a document after its name, and skips comments and extensions before it.
fn split_name(text: &str) -> (&str, &str) {
    let mut rest = text.trim_start();
    loop {
        let after = if rest.starts_with("//") || rest.starts_with("#!") {
            rest.split_once('\n')
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/")
        } else {
            break;
        };
        rest = after.map_or("", |(_, rest)| rest.trim_start());
    }
    rest.split_at(rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len()))
}

pub(super) fn encode(image: &Image) -> String {
    let document = ImageDocument::from_image(image);
    // Each record of a list gets a line.
    let pretty = PrettyConfig::new().new_line("\n").struct_names(false).depth_limit(2);
    let body = ::ron::ser::to_string_pretty(&document, pretty)
        .expect("numbers, strings and lists can always be written");
    format!("Image{body}\n")
}

pub(super) fn decode(text: &str) -> Result<Image, LoadError> {
    let found = document_name(text);
    if is_ron(text) && found != "Image" {
        let what = match found {
            "Board" => "this describes a board (Board)".to_owned(),
            "Tests" => "this is a test file (Tests), which `gray1 test` runs".to_owned(),
            _ => format!("this is no program ({found})"),
        };
        let problem = format!("{what}; expected a program (Image)");
        return Err(LoadError::on_line(1, problem));
    }
    let DocumentVersion { version } = ::ron::from_str(text).map_err(|error| describe(&error))?;
    if version != VERSION {
        return Err(LoadError::anywhere(format!(
            "version {version} of Image is not supported (expected version {VERSION})"
        )));
    }
    let document: ImageDocument = ::ron::from_str(text).map_err(|error| describe(&error))?;
    document.image()
}

fn describe(error: &SpannedError) -> LoadError {
    let start = error.span.start;
    let position = Position { line: start.line, column: start.col };
    LoadError::at(position, error.code.to_string())
}

impl ImageDocument {
    fn from_image(image: &Image) -> Self {
        let map = image.source_map();
        let rows = image.segments().flat_map(|(first, run)| {
            let starts = (first.get()..).step_by(RUN_WORDS);
            starts.zip(run.chunks(RUN_WORDS)).map(|(at, words)| WordRun::new(at, words))
        });
        let origins = (0..).zip(map.origins()).filter_map(|(at, origin)| {
            let Origin { place: SourceLine { file, line }, expansion } = (*origin)?;
            Some(InstructionOrigin { at, file, line, expansion })
        });
        Self {
            version: VERSION,
            title: image.title().map(str::to_owned),
            instructions: rows.collect(),
            symbols: image.symbols().to_vec(),
            files: map.files().to_vec(),
            expansions: map.expansions().to_vec(),
            origins: origins.collect(),
            presentation: image.presentation().clone(),
        }
    }

    fn image(self) -> Result<Image, LoadError> {
        let mut words = vec![None; ROM_WORDS];
        for row in &self.instructions {
            row.burn(&mut words)?;
        }
        let words: Vec<Word> = words.into_iter().map(|word| word.unwrap_or(Word::ERASED)).collect();
        let mut origins = Vec::new();
        for InstructionOrigin { at, file, line, expansion } in self.origins {
            let Some(index) = RomIndex::new(at) else {
                return Err(outside(&format!("an origin at {at}")));
            };
            if origins.len() <= index.to_usize() {
                origins.resize(index.to_usize() + 1, None);
            }
            let origin = Origin { place: SourceLine { file, line }, expansion };
            if origins[index.to_usize()].replace(origin).is_some() {
                return Err(given_twice(index.to_usize()));
            }
        }
        let map = SourceMap::new(self.files, self.expansions, origins)
            .map_err(|ImageError(problem)| LoadError::anywhere(problem))?;
        Image::from_words(&words)
            .and_then(|image| image.with_symbols(self.symbols))
            .and_then(|image| image.with_presentation(self.presentation))
            .map(|image| image.with_title(self.title).with_source_map(map))
            .map_err(|ImageError(problem)| LoadError::anywhere(problem))
    }
}

impl WordRun {
    fn new(at: u16, words: &[Word]) -> Self {
        let words: Vec<_> = words.iter().map(|word| format!("{:04x}", word.bits())).collect();
        Self { at, words: words.join(" ") }
    }

    fn burn(&self, memory: &mut [Option<Word>]) -> Result<(), LoadError> {
        for (index, (_, word)) in (usize::from(self.at)..).zip(hex::split_words(&self.words)) {
            let bits = hex::parse(word, 4).filter(|_| word.len() == 4);
            let (Some(bits), Some(place)) = (bits, memory.get_mut(index)) else {
                return Err(outside(&format!("'{}' at {index}", word.escape_debug())));
            };
            if place.replace(Word::from_bits(bits as u16)).is_some() {
                return Err(given_twice(index));
            }
        }
        Ok(())
    }
}

fn outside(found: &str) -> LoadError {
    let expected = format!("words of four hexadecimal digits at 0 to {}", ROM_WORDS - 1);
    LoadError::anywhere(format!("expected {expected}, found {found}"))
}

fn given_twice(index: usize) -> LoadError {
    LoadError::anywhere(format!("index {index:#06x} is given twice"))
}
