//! The files of the page: programs, tests and boards, either built in or the user's. This module
//! keeps them in memory. The page stores them.

use std::collections::BTreeMap;

use gray1_asm::{Assembly, Define, InputFile, Loader, Rendering, Severity, Source, assemble_with};
use gray1_board::BoardError;
use gray1_programs::testing::{TEST_SUFFIX, TestFile};
use gray1_programs::{
    BuiltIn, Link, LinkedBoard, Sources as InMemory, built_in_path, format_board_error,
    resolve_path,
};
use gray1_session::Program;
use gray1_tui::{ListedProgram, Preview, ProgramPreview, Programs};

/// The suffix of boards. Test files have a longer suffix.
const BOARD: &str = ".ron";
/// The folder of shared files, which came with a link.
pub(crate) const SHARED: &str = "link/";
/// The name of the program that shows messages.
pub(crate) const MESSAGES: &str = "scroll";

/// The kinds of files. The suffix of a file's name determines its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Source,
    Tests,
    Board,
}

impl FileKind {
    pub(crate) fn from_name(name: &str) -> Self {
        match name {
            _ if name.ends_with(TEST_SUFFIX) => Self::Tests,
            _ if name.ends_with(BOARD) => Self::Board,
            _ => Self::Source,
        }
    }
}

/// The user's files by name, the files of the last link, and the contents of chips.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageSources {
    pub(crate) texts: InMemory,
    /// The contents of chips for boards.
    pub(crate) contents: BTreeMap<String, Vec<u8>>,
    /// The files from the last link, in a separate folder so that they do not replace the user's
    /// files, and the values for the program's `.default` constants.
    shared: InMemory,
    /// The board with changed contents, which is not stored.
    pub(crate) damaged: Option<LinkedBoard>,
    defines: Vec<Define>,
    /// The message for the message program, as the value of its `.default` constant.
    message: Vec<Define>,
}

impl PageSources {
    /// Creates the user's files. Built-in files are always available.
    pub(crate) fn new(texts: BTreeMap<String, String>) -> Self {
        Self { texts: InMemory(texts), ..Self::default() }
    }

    /// Creates the files of the built-in lessons.
    pub(crate) fn built_in_lessons() -> Self {
        let files = gray1_programs::LESSONS.iter();
        Self::new(files.map(|file| (file.path.to_owned(), file.text.to_owned())).collect())
    }

    /// Adds the files of a link, unless they already exist. Returns the name of its program.
    pub(crate) fn add_shared(&mut self, link: &Link) -> String {
        let Link { program, sources, .. } = link;
        let built_in = |path: &str| gray1_programs::file(path).map(|file| file.text);
        let own = |path: &str| self.texts.0.get(path).map(String::as_str);
        let are_known = sources
            .0
            .iter()
            .all(|(path, text)| own(path).or_else(|| built_in(path)) == Some(text.as_str()));
        if link.defines.is_empty() && are_known {
            let name = program.strip_suffix(".asm").filter(|_| own(program).is_none());
            return name.unwrap_or(program).to_owned();
        }
        let own_files = sources
            .0
            .iter()
            .filter(|(path, text)| *path == program || built_in(path) != Some(text.as_str()));
        self.shared =
            InMemory(own_files.map(|(path, text)| (shared_name(path), text.clone())).collect());
        self.defines = link.defines.iter().filter_map(|define| define.parse().ok()).collect();
        shared_name(program)
    }

    /// Returns the names of a link's files, given the page's name for its program.
    pub(crate) fn names(&self, link: &Link, program: &str) -> Vec<String> {
        let names = link.sources.0.keys().map(|path| {
            let shared = shared_name(path);
            if self.is_shared(program) && self.is_shared(&shared) { shared } else { path.clone() }
        });
        names.collect()
    }

    /// Sets the message that the built-in message program shows from now on.
    ///
    /// # Errors
    /// Returns the reason if the LEDs cannot show the message.
    pub(crate) fn set_message(&mut self, text: &str) -> Result<(), String> {
        let defines = Link::to_message(text)?.defines;
        self.message = defines.iter().filter_map(|define| define.parse().ok()).collect();
        Ok(())
    }

    /// Returns the contents of a file. The user's files take precedence over built-in ones, which
    /// are found by name or path.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let text = self.source(name).map(|source| source.text);
        text.or_else(|| gray1_roms::description(name).map(str::to_owned))
    }

    /// Iterates over the names of the user's files of a kind.
    pub(crate) fn own(&self, kind: FileKind) -> impl Iterator<Item = &String> {
        self.texts.0.keys().filter(move |name| FileKind::from_name(name) == kind)
    }

    /// Iterates over the names of all boards.
    pub(crate) fn boards(&self) -> impl Iterator<Item = String> {
        let built_in = gray1_roms::names().map(str::to_owned).into_iter();
        let damaged = self.damaged.iter().map(|it| it.name.clone());
        built_in.chain(self.own(FileKind::Board).cloned()).chain(damaged)
    }

    /// Returns a board. The contents of its chips come from the files next to it.
    ///
    /// # Errors
    /// Returns the errors in the format of the terminal.
    pub(crate) fn board(&self, name: &str) -> Result<LinkedBoard, String> {
        if let Some(damaged) = self.damaged.as_ref().filter(|it| it.name == name) {
            return Ok(damaged.clone());
        }
        let text =
            gray1_roms::description(name).or_else(|| self.texts.0.get(name).map(String::as_str));
        let text = text.ok_or_else(|| format!("there is no board {name}"))?;
        self.board_of(name, text.to_owned()).map_err(|error| format_board_error(name, &error))
    }

    /// Returns a board, given the contents of its file.
    ///
    /// # Errors
    /// Returns an error if the board is invalid.
    pub(crate) fn board_of(&self, name: &str, text: String) -> Result<LinkedBoard, BoardError> {
        LinkedBoard::read(name, text, |file| {
            let bytes = self.contents.get(&resolve_path(name, file)).cloned();
            bytes.ok_or_else(|| "there is no such file".to_owned())
        })
    }

    /// Resolves a file name that another file refers to. It is relative to that file if such a file
    /// exists.
    pub(crate) fn resolve(&self, path: &str, name: &str) -> String {
        let near = resolve_path(path, name);
        if self.texts.0.contains_key(&near) { near } else { name.to_owned() }
    }

    /// Returns the test file for a file in the editor, and the program that it tests. The file is
    /// either the test file itself or the program.
    ///
    /// # Errors
    /// Returns a message if there are no tests.
    pub(crate) fn tests_for(&self, name: &str) -> Result<(String, String), String> {
        if FileKind::from_name(name) == FileKind::Tests {
            let text = self.texts.0.get(name).map(String::as_str).unwrap_or_default();
            let tests = TestFile::read(text).map_err(|error| format!("{name}:{error}"))?;
            let source = format!("{}.asm", name.trim_end_matches(TEST_SUFFIX));
            let program = match tests.program {
                Some(program) => self.resolve(name, &program),
                None if self.texts.0.contains_key(&source) => source,
                None => {
                    return Err(format!(
                        "{name}: it does not name a program, and there is no {source}"
                    ));
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

    /// Returns a source for the assembler: a built-in program by its name, or else a shared file,
    /// one of the user's files, or a built-in file by its path.
    pub(crate) fn source(&self, name: &str) -> Option<Source> {
        let built_in = |path: &str| gray1_programs::file(path).map(gray1_programs::source);
        built_in(&format!("{name}.asm"))
            .or_else(|| self.shared.source(name))
            .or_else(|| self.texts.source(name))
            .or_else(|| built_in(name))
    }

    /// Assembles a program.
    ///
    /// # Errors
    /// Returns the errors in the format of the terminal.
    pub(crate) fn program(&self, name: &str) -> Result<Program, String> {
        self.linked(name).map(|(program, _)| program)
    }

    /// Assembles a program, and creates a link to its start.
    ///
    /// # Errors
    /// Returns the errors of [`Self::program`].
    pub(crate) fn linked(&self, name: &str) -> Result<(Program, Link), String> {
        let source = self.source(name).filter(|_| FileKind::from_name(name) == FileKind::Source);
        let source = source.ok_or_else(|| format!("there is no program {name}"))?;
        let defines = match name {
            MESSAGES => &self.message[..],
            _ if self.is_shared(name) => &self.defines,
            _ => &[],
        };
        let mut loader = self.loader(&source.id);
        let Assembly { image, mut diagnostics, files, .. } =
            assemble_with(source, &mut *loader, defines);
        diagnostics.retain(|it| it.severity == Severity::Error);
        let image = image.ok_or_else(|| Rendering::Plain.render(&diagnostics, &files))?;
        let path = |file: &InputFile| {
            built_in_path(file.id()).unwrap_or(file.id().trim_start_matches(SHARED)).to_owned()
        };
        let sources = files.iter().map(|file| (path(file), file.text().to_owned()));
        let link = Link {
            program: files.iter().next().map(path).unwrap_or_default(),
            sources: InMemory(sources.collect()),
            defines: defines.iter().map(Define::to_string).collect(),
            ..Link::default()
        };
        Ok((Program::new(name.to_owned(), image), link))
    }

    /// Returns true if a file came with a link.
    pub(crate) fn is_shared(&self, name: &str) -> bool {
        self.shared.0.contains_key(name)
    }

    /// Returns a loader for the files that a program includes. The user's programs include the
    /// user's files, shared files include shared files, and both can include built-in files.
    pub(crate) fn loader<'a>(&'a self, program: &str) -> Box<dyn Loader + 'a> {
        match () {
            () if built_in_path(program).is_some() => Box::new(BuiltIn),
            () if self.is_shared(program) => Box::new(SharedLoader(&self.shared)),
            () => Box::new(&self.texts),
        }
    }
}

/// Returns the name of a shared file, given its path in the link.
fn shared_name(path: &str) -> String {
    format!("{SHARED}{}", path.trim_start_matches(SHARED))
}

/// A loader for shared files. It loads other shared files, by their paths in the link, and built-in
/// files.
struct SharedLoader<'a>(&'a InMemory);

impl Loader for SharedLoader<'_> {
    fn load(&mut self, includer: &InputFile, name: &str) -> Result<Source, String> {
        let path = includer.id().trim_start_matches(SHARED);
        let source = |path: &str| self.0.source(&shared_name(path));
        let found = source(&resolve_path(path, name)).or_else(|| source(name));
        found.map_or_else(|| BuiltIn.load(includer, name), Ok)
    }

    fn libraries(&self) -> Option<&dyn Loader> {
        Some(&BuiltIn)
    }
}

impl Programs for PageSources {
    fn list(&self) -> Vec<ListedProgram> {
        let shared = self.shared.0.keys().filter(|it| FileKind::from_name(it) == FileKind::Source);
        let own = shared.chain(self.own(FileKind::Source)).map(String::as_str);
        let names = own.chain(gray1_programs::programs().map(|(name, _)| name));
        let listed = names.map(|name| {
            let text = self.text(name).unwrap_or_default();
            let title = text.lines().find_map(|line| line.trim_start().strip_prefix(".title \""));
            let title = title.and_then(|rest| rest.split('"').next()).unwrap_or_default();
            ListedProgram { name: name.to_owned(), title: title.to_owned() }
        });
        listed.collect()
    }

    fn preview(&self, word: &str) -> Preview {
        match self.program(word) {
            Ok(program) => Preview::Program(ProgramPreview::from_image(&program.image)),
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
        for ListedProgram { name, title } in PageSources::default().list() {
            let program = PageSources::default().program(&name).unwrap();
            assert_eq!(program.image.title(), Some(title.as_str()), "{name}");
        }
    }
}
