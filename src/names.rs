//! Adds names to an image without names, such as one from an EPROM. The names come from a file in
//! the same folder whose name differs only in the suffix.

use std::path::Path;

use gray1_isa::format::{self, Contents, Format, LoadError};
use gray1_isa::{Image, RomIndex, SymbolKind};

use crate::files;

/// Adds names to the image from files next to its own file. If there is an image in RON with the
/// same words, returns that image. Otherwise, the image gets the symbols of a symbol file. A file
/// that does not match is ignored, and a note explains why.
pub(crate) fn add_names(image: Image, path: &Path) -> (Image, Vec<String>) {
    let mut notes = Vec::new();
    if !image.symbols().is_empty() {
        return (image, notes);
    }
    for format in [Format::Ron, Format::Symbols] {
        let file = path.with_extension(format.suffix());
        if file == path || !file.exists() {
            continue;
        }
        match read_names(&image, &file, format) {
            Ok(named) => return (named, notes),
            Err(why) => {
                let file = files::printable(&file);
                notes.push(format!("ignoring the names in {file}: {why}"));
            }
        }
    }
    (image, notes)
}

fn read_names(image: &Image, path: &Path, format: Format) -> Result<Image, String> {
    // Not recorded as an input, because an image with these names may replace it.
    let bytes = files::read_own(path).map_err(|error| error.to_string())?;
    if format == Format::Symbols {
        let symbols = format::load_symbols(&bytes).map_err(|error| located(&error))?;
        let named = image.clone().with_symbols(symbols).map_err(|error| error.to_string())?;
        return if labels_are_inside(&named) { Ok(named) } else { Err(OTHER_PROGRAM.to_owned()) };
    }
    match format::load(&bytes).map_err(|error| located(&error))? {
        Contents::Image(named) if named.words() == image.words() => Ok(*named),
        Contents::Image(_) => Err(OTHER_PROGRAM.to_owned()),
        Contents::Source(_) => Err("it is not an image".to_owned()),
    }
}

const OTHER_PROGRAM: &str = "they belong to another program";

/// True if every label is at an instruction or right after one. This is the only check that symbols
/// belong to a program.
fn labels_are_inside(image: &Image) -> bool {
    let is_used = |index: i64| {
        let index = u16::try_from(index).ok().and_then(RomIndex::new);
        index.is_some_and(|index| image.is_used(index))
    };
    let mut labels = image.symbols().iter().filter(|symbol| symbol.kind == SymbolKind::Label);
    labels.all(|label| is_used(label.value) || is_used(label.value - 1))
}

/// Formats an error with its position in the file. The caller adds the file's name.
pub(crate) fn located(error: &LoadError) -> String {
    match error.position {
        Some(position) => format!("{position}: {error}"),
        None => error.to_string(),
    }
}
