//! The files of the page: programs, tests and boards, built in or the user's own.

use std::collections::BTreeMap;

use gray1_asm::{Assembly, Diagnostic, InputFile, Loader, Rendering, Severity, Source, assemble};
use gray1_board::BoardError;
use gray1_programs::testing::{TEST_SUFFIX, TestFile};
use gray1_programs::{Link, LinkedBoard, Sources as InMemory, beside, no_board, path_of};
use gray1_tui::{ListedProgram, Preview, Program, ProgramPreview, Programs};

/// The suffix of boards; test files have a longer one.
const BOARD: &str = ".ron";

/// The kind of a file, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Source,
    Tests,
    Board,
}

impl FileKind {
    pub(crate) fn of(name: &str) -> Self {
        match name {
            _ if name.ends_with(TEST_SUFFIX) => Self::Tests,
            _ if name.ends_with(BOARD) => Self::Board,
            _ => Self::Source,
        }
    }
}

/// The files that the user has brought, by name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sources {
    texts: InMemory,
    /// Contents of chips, beside boards.
    contents: BTreeMap<String, Vec<u8>>,
}

impl Sources {
    /// These files, and what is built in.
    pub(crate) fn of(texts: BTreeMap<String, String>) -> Self {
        Self { texts: InMemory(texts), contents: BTreeMap::new() }
    }

    /// The files of the built-in lessons.
    pub(crate) fn of_lessons() -> Self {
        let files = gray1_programs::LESSONS.iter();
        Self::of(files.map(|file| (file.path.to_owned(), file.text.to_owned())).collect())
    }

    /// Keeps a source under a name.
    pub(crate) fn put(&mut self, name: &str, text: String) {
        self.texts.0.insert(name.to_owned(), text);
    }

    /// Forgets the file of this name.
    pub(crate) fn forget(&mut self, name: &str) {
        self.texts.0.remove(name);
    }

    /// Keeps the contents of a chip under a name.
    pub(crate) fn put_contents(&mut self, name: &str, bytes: Vec<u8>) {
        self.contents.insert(name.to_owned(), bytes);
    }

    /// The text of a file: the user's own, else a built-in one, by its name or its path.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let board = || built_in_board(name).map(str::to_owned);
        self.source(name).map(|source| source.text).or_else(board)
    }

    /// The names of the user's own files of a kind.
    pub(crate) fn own(&self, kind: FileKind) -> impl Iterator<Item = &String> {
        self.texts.0.keys().filter(move |name| FileKind::of(name) == kind)
    }

    /// The names of all boards.
    pub(crate) fn boards(&self) -> impl Iterator<Item = String> {
        gray1_roms::names().map(str::to_owned).chain(self.own(FileKind::Board).cloned())
    }

    /// A board, with the contents of its chips from the files beside it.
    ///
    /// # Errors
    /// What is wrong with it, as the terminal prints it.
    pub(crate) fn board(&self, name: &str) -> Result<LinkedBoard, String> {
        let own = || self.texts.0.get(name).map(String::as_str);
        let text = built_in_board(name).or_else(own);
        let text = text.ok_or_else(|| format!("there is no board {name}"))?;
        self.board_of(name, text.to_owned()).map_err(|error| no_board(name, &error))
    }

    /// The same, given the text of its file.
    ///
    /// # Errors
    /// If the board is invalid.
    pub(crate) fn board_of(&self, name: &str, text: String) -> Result<LinkedBoard, BoardError> {
        LinkedBoard::read(name, text, |file| {
            let bytes = self.contents.get(&beside(name, file)).cloned();
            bytes.ok_or_else(|| "there is no such file".to_owned())
        })
    }

    /// The name of a file that another file refers to: beside that file if it exists there.
    pub(crate) fn beside(&self, path: &str, name: &str) -> String {
        let near = beside(path, name);
        if self.texts.0.contains_key(&near) { near } else { name.to_owned() }
    }

    /// The test file for a file in the editor, which is that file or has the name of a program, and
    /// the program that it tests.
    ///
    /// # Errors
    /// In words, if there is none.
    pub(crate) fn tests_for(&self, name: &str) -> Result<(String, String), String> {
        if FileKind::of(name) == FileKind::Tests {
            let text = self.texts.0.get(name).map(String::as_str).unwrap_or_default();
            let tests = TestFile::read(text).map_err(|mistake| format!("{name}:{mistake}"))?;
            let source = format!("{}.asm", name.trim_end_matches(TEST_SUFFIX));
            let program = match tests.program {
                Some(program) => self.beside(name, &program),
                None if self.texts.0.contains_key(&source) => source,
                None => {
                    return Err(format!("{name}: it names no program, and there is no {source}"));
                }
            };
            return Ok((name.to_owned(), program));
        }
        let tests = format!("{}{TEST_SUFFIX}", name.strip_suffix(".asm").unwrap_or(name));
        if !self.texts.0.contains_key(&tests) {
            return Err(format!("there is no test file {tests} beside {name}"));
        }
        Ok((tests, name.to_owned()))
    }

    /// A source, for the assembler.
    pub(crate) fn source(&self, name: &str) -> Option<Source> {
        let built_in = || {
            let file = gray1_programs::file(&format!("{name}.asm"));
            file.or_else(|| gray1_programs::file(name)).map(gray1_programs::source)
        };
        self.texts.source(name).or_else(built_in)
    }

    /// Assembles a program.
    ///
    /// # Errors
    /// What is wrong with it, as the terminal prints it.
    pub(crate) fn program(&self, name: &str) -> Result<Program, String> {
        self.linked(name).map(|(program, _)| program)
    }

    /// The same, with a link to its beginning.
    ///
    /// # Errors
    /// As [`Self::program`].
    pub(crate) fn linked(&self, name: &str) -> Result<(Program, Link), String> {
        let source = self.source(name).filter(|_| FileKind::of(name) == FileKind::Source);
        let source = source.ok_or_else(|| format!("there is no program {name}"))?;
        let Assembly { image, diagnostics, files, .. } = assemble(source, &mut self.loader());
        let is_error = |it: &Diagnostic| it.severity == Severity::Error;
        let errors: Vec<_> = diagnostics.into_iter().filter(is_error).collect();
        let image = image.ok_or_else(|| Rendering::Plain.render(&errors, &files))?;
        let path = |file: &InputFile| path_of(file.id()).unwrap_or(file.id()).to_owned();
        let sources = files.iter().map(|file| (path(file), file.text().to_owned()));
        let link = Link {
            program: files.iter().next().map(path).unwrap_or_default(),
            sources: InMemory(sources.collect()),
            ..Link::default()
        };
        Ok((Program::new(name.to_owned(), image), link))
    }

    /// A loader of included files: the user's own, or else the built-in ones.
    pub(crate) fn loader(&self) -> impl Loader {
        &self.texts
    }
}

/// The text of the built-in board of this name.
fn built_in_board(name: &str) -> Option<&'static str> {
    let mut boards = gray1_roms::BUILT_IN.into_iter();
    boards.find(|(board, _)| *board == name).map(|(_, text)| text)
}

impl Programs for Sources {
    fn list(&self) -> Vec<ListedProgram> {
        let own = self
            .own(FileKind::Source)
            .map(|name| ListedProgram { name: name.clone(), title: String::new() });
        let titled = |(name, file): (&str, gray1_programs::BuiltInFile)| {
            let lines = file.text.lines();
            let mut titles = lines.filter_map(|line| line.strip_prefix(".title \""));
            let title = titles.next().unwrap_or_default().trim_end_matches('"').to_owned();
            ListedProgram { name: name.to_owned(), title }
        };
        own.chain(gray1_programs::programs().map(titled)).collect()
    }

    fn folder(&self, _: &str) -> Vec<String> {
        Vec::new()
    }

    fn preview(&self, word: &str) -> Preview {
        match self.program(word) {
            Ok(program) => Preview::Program(ProgramPreview::of(&program.image)),
            Err(why) => Preview::Nothing(why.lines().next().unwrap_or_default().to_owned()),
        }
    }

    fn open(&self, word: &str) -> Result<Program, String> {
        self.program(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_program_has_its_title() {
        for ListedProgram { name, title } in Sources::default().list() {
            let program = Sources::default().program(&name).unwrap();
            assert_eq!(program.image.title(), Some(title.as_str()), "{name}");
        }
    }

    #[test]
    fn own_sources_include_each_other_and_the_library() {
        let mut sources = Sources::default();
        sources
            .put("a.asm", ".include \"b.asm\"\n.include \"lib/panel.asm\"\n LDI X\n HALT".into());
        assert!(sources.program("a.asm").unwrap_err().contains("b.asm"));
        sources.put("b.asm", "X = 7\n".into());
        assert_eq!(sources.program("a.asm").unwrap().image.words()[0].bits() & 0xff, 7);
    }
}
