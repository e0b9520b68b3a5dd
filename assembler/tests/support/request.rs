//! Requests to the analysis of a source. In the source, `¦` marks the position and is removed.
#![allow(dead_code, reason = "each test file uses only a part")]

use gray1_asm::{Analysis, CannotRename, FileId, Loader, Location, NoIncludes, Source};

/// An analysed source, and the byte offset of the request.
pub(crate) struct Request {
    pub(crate) analysis: Analysis,
    pub(crate) offset: u32,
}

pub(crate) fn source(text: &str) -> Source {
    Source { id: "main".into(), name: "main.asm".into(), text: text.to_owned() }
}

/// Analyses a source without a marked position.
pub(crate) fn analysis(text: &str) -> Analysis {
    Analysis::new(source(text), &mut NoIncludes)
}

pub(crate) fn ask(text: &str) -> Request {
    ask_with(text, &mut NoIncludes)
}

pub(crate) fn ask_with(text: &str, loader: &mut dyn Loader) -> Request {
    let (before, after) = text.split_once('¦').expect("the text shows the place");
    let analysis = Analysis::new(source(&format!("{before}{after}")), loader);
    Request { analysis, offset: before.len() as u32 }
}

impl Request {
    /// Returns places as lines and columns.
    fn shown(&self, places: &[Location]) -> String {
        let place = |at: &Location| {
            let file = self.analysis.files.get(at.file);
            let position = file.position(at.span.start);
            let name = if at.file == FileId::ROOT { "" } else { file.name() };
            format!("{name}{}:{}", position.line, position.column)
        };
        places.iter().map(place).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn definitions(&self) -> String {
        self.shown(&self.analysis.definitions(FileId::ROOT, self.offset))
    }

    pub(crate) fn references(&self) -> String {
        self.shown(&self.analysis.references(FileId::ROOT, self.offset, true))
    }

    /// Returns the references without the definitions.
    pub(crate) fn uses(&self) -> String {
        self.shown(&self.analysis.references(FileId::ROOT, self.offset, false))
    }

    pub(crate) fn hover(&self) -> String {
        self.analysis.hover(FileId::ROOT, self.offset).map_or(String::new(), |hover| hover.markdown)
    }

    /// Returns the source after a rename.
    pub(crate) fn renamed(&self, new: &str) -> Result<String, CannotRename> {
        let places = self.analysis.rename(FileId::ROOT, self.offset, new)?;
        let mut text = self.analysis.files.get(FileId::ROOT).text().to_owned();
        for place in places.iter().rev() {
            text.replace_range(place.span.start as usize..place.span.end as usize, new);
        }
        Ok(text)
    }

    pub(crate) fn offered(&self) -> Vec<String> {
        let found = self.analysis.completions(FileId::ROOT, self.offset);
        found.items.into_iter().map(|item| item.text).collect()
    }
}
