//! The files of an assembly. Each is loaded and parsed once, however often it is expanded.

use std::collections::HashMap;
use std::rc::Rc;

use gray1_language::{Lexer, Token, did_you_mean};

use crate::define::Define;
use crate::diagnostic::{Diagnostic, Help};
use crate::limits::{SOURCE_BYTES_MAX, SOURCE_LINES_MAX};
use crate::line_parts::LineParts;
use crate::names::{Name, Names};
use crate::out_of_scope;
use crate::parse;
use crate::problem::Problem;
use crate::source::{FileId, Files, InputFile, Loader, Location, Source, Span};
use crate::syntax::{Item, Items};

/// The items of a file, and the errors in its lines.
#[derive(Debug)]
pub(crate) struct ParsedFile {
    pub(crate) items: Items,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The files so far, and the loader for more.
pub(crate) struct LoadedSources<'a> {
    loader: &'a mut dyn Loader,
    pub(crate) files: Files,
    pub(crate) names: Names,
    /// The values that the command line sets.
    pub(crate) defines: HashMap<Name, Define>,
    bytes: usize,
    lines: usize,
    parsed: HashMap<FileId, Rc<ParsedFile>>,
    /// The result of each `.include`, by the including file and the name.
    included: HashMap<(FileId, Rc<str>), Result<FileId, Problem>>,
}

/// Returns the offset where a program can include another file, and whether that is the end of a
/// line. It is after the leading title and includes, or else before the first statement.
fn find_include_place(file: &InputFile) -> Option<(u32, bool)> {
    let mut head = None;
    for (number, line) in (1..).zip(file.lines()) {
        let tokens: Vec<Token<'_>> = Lexer::new(line).collect();
        let parts = LineParts::new(&tokens);
        if parts.is_empty() {
            continue;
        }
        let is_head = parts.directive().is_some_and(|directive| {
            [".include", ".title"].iter().any(|name| directive.text.eq_ignore_ascii_case(name))
        });
        if !is_head {
            return head.or(Some((file.line_span(number).start, false)));
        }
        head = Some((file.line_span(number).end, true));
    }
    head
}

impl<'a> LoadedSources<'a> {
    pub(crate) fn new(loader: &'a mut dyn Loader) -> Self {
        Self {
            loader,
            files: Files::default(),
            names: Names::default(),
            defines: HashMap::new(),
            bytes: 0,
            lines: 0,
            parsed: HashMap::new(),
            included: HashMap::new(),
        }
    }

    /// Adds a file to the assembly.
    pub(crate) fn add(&mut self, source: Source) -> Result<FileId, Problem> {
        self.bytes = self.bytes.saturating_add(source.text.len());
        if self.bytes > SOURCE_BYTES_MAX {
            return Err(Problem::SourceTooLarge);
        }
        let file = InputFile::new(source);
        self.lines += file.lines.len();
        if self.lines > SOURCE_LINES_MAX {
            return Err(Problem::SourceTooLong);
        }
        self.files.add(file).ok_or(Problem::TooManyFiles)
    }

    /// Returns the file that an `.include` in `includer` names, loading it if it is new.
    pub(crate) fn include(&mut self, includer: FileId, name: &Rc<str>) -> Result<FileId, Problem> {
        let key = (includer, name.clone());
        if let Some(known) = self.included.get(&key) {
            return known.clone();
        }
        let file = self.fetch(includer, name);
        self.included.insert(key, file.clone());
        file
    }

    fn fetch(&mut self, includer: FileId, name: &str) -> Result<FileId, Problem> {
        let includer = self.files.get(includer);
        let cannot = |why| Problem::CannotInclude { name: name.to_owned(), why };
        if name.is_empty() {
            return Err(cannot("the name of the file is missing".to_owned()));
        }
        let source = self.loader.load(includer, name).map_err(cannot)?;
        match self.files.find(&source.id) {
            Some(known) => Ok(known),
            None => self.add(source),
        }
    }

    /// Returns help for a file name that cannot be included.
    pub(crate) fn include_help(&self, name: &str, file: FileId, span: Span) -> Option<Help> {
        let quoted = |name: &str| format!("\"{name}\"");
        let edit = |advice, better: &str| {
            Some(Help::edit(advice, Location { file, span }, quoted(name), quoted(better)))
        };
        if name.contains('\\') {
            let path = name.replace(r"\\", "/").replace('\\', "/");
            return edit(format!("write `/` between folders: `{path}`"), &path);
        }
        let similar = self.loader.find_similar(name).filter(|similar| similar != name)?;
        edit(did_you_mean(&similar), &similar)
    }

    /// Returns help for an undefined name that a library defines.
    pub(crate) fn library_help(&self, name: Name) -> Option<Help> {
        let name = self.names.text(name);
        let library = self.loader.find_library(name)?;
        let line = format!(".include \"{library}\"");
        let advice = format!("`{library}` defines `{name}`: write `{line}`");
        let Some((offset, is_after)) = find_include_place(self.files.get(FileId::ROOT)) else {
            return Some(advice.into());
        };
        let new = if is_after { format!("\n{line}") } else { format!("{line}\n") };
        let at = Location { file: FileId::ROOT, span: Span { start: offset, end: offset } };
        Some(Help::edit(advice, at, "", new))
    }

    /// Returns a definition of the name in another scope, with a description of who can see it.
    pub(crate) fn out_of_scope(&self, name: Name) -> Option<(Location, String)> {
        self.files.iter_with_ids().find_map(|(file, _)| {
            let items = &self.parsed.get(&file)?.items;
            let (span, visibility) = out_of_scope::find(items, name, &self.names)?;
            Some((Location { file, span }, visibility))
        })
    }

    /// Returns help for a missing `.pool`, which belongs at the start of the program.
    pub(crate) fn pool_help(&self, start: Option<Location>) -> Help {
        let advice = "write `.pool` where the program starts: it initialises the bytes there";
        let Some(Location { file, span }) = start else { return advice.into() };
        let lines = self.files.get(file);
        let start = lines.line_span(lines.line_of(span.start)).start;
        let at = Location { file, span: Span { start, end: start } };
        Help::edit(advice, at, "", ".pool\n")
    }

    /// Returns the file that each `.include` found.
    pub(crate) fn includes(&self) -> HashMap<(FileId, Rc<str>), FileId> {
        let all = self.included.iter();
        all.filter_map(|(key, file)| Some((key.clone(), file.clone().ok()?))).collect()
    }

    /// Returns the items of the main source, once it is parsed.
    pub(crate) fn root(&self) -> &[Item] {
        self.parsed.get(&FileId::ROOT).map_or(&[], |parsed| &parsed.items)
    }

    /// Returns the items of every file.
    pub(crate) fn trees(&mut self) -> Vec<Items> {
        let files: Vec<FileId> = self.files.iter_with_ids().map(|(file, _)| file).collect();
        files.into_iter().map(|file| self.parse(file).items.clone()).collect()
    }

    /// Returns the items of a file, parsing it if necessary.
    pub(crate) fn parse(&mut self, file: FileId) -> Rc<ParsedFile> {
        if let Some(parsed) = self.parsed.get(&file) {
            return parsed.clone();
        }
        let lines = &self.files.get(file).lines;
        let (items, diagnostics) = parse::parse(file, lines, &mut self.names);
        let parsed = Rc::new(ParsedFile { items, diagnostics });
        self.parsed.insert(file, parsed.clone());
        parsed
    }
}
