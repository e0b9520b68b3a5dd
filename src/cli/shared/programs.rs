//! The programs that the front end can open: built-in ones and files.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use gray1_asm::{Rendering, Severity};
use gray1_programs as builtin;
use gray1_tui::{ListedProgram, Preview, ProgramPreview, Programs};

use super::complete::has_program_suffix;
use super::messages::explain_load;
use super::source_options::SourceOptions;
use crate::files;
use crate::front::ProgramSources;
use crate::program::{self, LoadFailure, LoadedProgram};

/// The error for `-`. The front end reads keys from standard input, so it cannot read a program
/// from there.
const NO_STDIN: &str = "cannot read standard input here; open a file";
/// The maximum number of names listed from a folder.
const NAMES_MAX: usize = 4096;

/// The built-in programs, and the files of the current folder.
#[derive(Debug, Default)]
pub(crate) struct BuiltInAndFiles {
    /// The program of the command line. Only this program gets the command line's options.
    program: OsString,
    sources: SourceOptions,
    /// Whether that program and its sources came from a link.
    is_linked: AtomicBool,
}

impl BuiltInAndFiles {
    /// Uses these options for a program. They are kept until the process ends.
    pub(crate) fn with(
        program: impl AsRef<OsStr>,
        sources: &SourceOptions,
        is_linked: bool,
    ) -> &'static Self {
        static PROGRAMS: OnceLock<BuiltInAndFiles> = OnceLock::new();
        PROGRAMS.get_or_init(|| Self {
            program: program.as_ref().to_owned(),
            sources: sources.clone(),
            is_linked: is_linked.into(),
        })
    }

    /// Whether this name means the program of the link, not a file of that name.
    fn is_linked(&self, name: &str) -> bool {
        self.is_given(name) && self.is_linked.load(Ordering::Relaxed)
    }

    fn load(&self, name: &str) -> Result<LoadedProgram, LoadFailure> {
        if self.is_given(name) { self.sources.load(&self.program) } else { program::load(name) }
    }

    /// Whether this is the program of the command line. That program's name is not necessarily
    /// UTF-8.
    fn is_given(&self, name: &str) -> bool {
        name == files::printable(&self.program)
    }

    fn files(&self, name: &str) -> Vec<PathBuf> {
        if self.is_given(name) {
            program::find_files(&self.program, &self.sources.folders)
        } else {
            program::find_files(name, &[])
        }
    }
}

impl Programs for BuiltInAndFiles {
    /// The files of the current folder with the suffixes of programs, and the built-in programs.
    fn list(&self) -> Vec<ListedProgram> {
        let names = names_in(Path::new("."))
            .into_iter()
            .filter(|name| !name.starts_with('.') && has_program_suffix(Path::new(name)));
        let files = names.map(|name| ListedProgram { name, title: String::new() });
        files.chain(builtin::programs().map(|(name, _)| built_in(name))).collect()
    }

    fn preview(&self, name: &str) -> Preview {
        let path = Path::new(name);
        if path.is_dir() && !builtin::programs().any(|(known, _)| known == name) {
            return Preview::Folder(names_in(path));
        }
        if name == files::STDIO {
            return Preview::Nothing(NO_STDIN.to_owned());
        }
        match self.load(name) {
            Ok(LoadedProgram { image, .. }) => Preview::Program(ProgramPreview::from_image(&image)),
            Err(failure) => Preview::Nothing(in_short(path, &failure)),
        }
    }

    fn open(&self, name: &str) -> Result<gray1_session::Program, String> {
        if name == files::STDIO {
            return Err(NO_STDIN.to_owned());
        }
        self.is_linked.fetch_and(!self.is_given(name), Ordering::Relaxed);
        match self.load(name) {
            Ok(LoadedProgram { name, image, .. }) => Ok(gray1_session::Program::new(name, image)),
            Err(failure) => Err(explain_load(&failure, Rendering::Plain)),
        }
    }
}

impl ProgramSources for BuiltInAndFiles {
    fn files(&self, name: &str) -> Vec<PathBuf> {
        if self.is_linked(name) { Vec::new() } else { self.files(name) }
    }

    fn editable(&self, name: &str, file: &str) -> Result<PathBuf, String> {
        if let Some(file) = builtin::built_in_path(file) {
            return Err(format!("built in: `gray1 show {file} > my.asm` makes a copy to edit"));
        }
        if self.is_linked(name) {
            return Err("this source came with a link: there is no file to edit".to_owned());
        }
        let identity = program::identity(Path::new(file));
        let files = self.files(name);
        // Prefer `file`, which is the path as the user would write it, unless bytes that are not
        // UTF-8 were lost in it.
        if files.iter().any(|it| program::identity(it) == identity) {
            return Ok(file.into());
        }
        let path = files.into_iter().find(|it| files::printable(it) == file);
        path.ok_or_else(|| format!("this is an image: edit {file} and assemble it again"))
    }
}

fn built_in(name: &str) -> ListedProgram {
    let program = program::load(name);
    let title = program.ok().and_then(|program| program.image.title().map(str::to_owned));
    ListedProgram { name: name.to_owned(), title: title.unwrap_or_default() }
}

/// The names in a folder, sorted. Those of folders end in `/`. Names that are not UTF-8 are left
/// out, because they cannot be typed.
pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().take(NAMES_MAX).flatten();
    let names = entries.filter_map(|entry| {
        let slash = if entry.path().is_dir() { "/" } else { "" };
        Some(entry.file_name().into_string().ok()? + slash)
    });
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    names
}

/// The reason for a failure, in one line.
fn in_short(path: &Path, failure: &LoadFailure) -> String {
    match failure {
        LoadFailure::Unknown { .. } => "no such program".to_owned(),
        LoadFailure::Source(assembly) => {
            let severities = assembly.diagnostics.iter().map(|it| it.severity);
            match severities.filter(|severity| *severity == Severity::Error).count() {
                1 => "1 error; enter shows it".to_owned(),
                errors => format!("{errors} errors; enter shows them"),
            }
        }
        LoadFailure::Invalid { position, problem, .. } => format!("{position}: {problem}"),
        LoadFailure::File(message) => match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => "no such file".to_owned(),
            _ => message.clone(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_shows_the_title_or_the_error_and_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        fs::write(path("good.asm"), ".title \"Good\"\nHALT\n").unwrap();
        fs::write(path("bad.asm"), "FLY\nFLY\n").unwrap();
        let not_a_folder = path("good.asm/p.asm");
        let not_a_folder = format!("cannot read {not_a_folder}: Not a directory (os error 20)");
        let nothing = |why: &str| Preview::Nothing(why.to_owned());
        for (name, preview) in [
            (path(""), Preview::Folder(vec!["bad.asm".to_owned(), "good.asm".to_owned()])),
            (path("bad.asm"), nothing("2 errors; enter shows them")),
            (path("other.asm"), nothing("no such file")),
            (path("good.asm/p.asm"), nothing(&not_a_folder)),
            ("lief".to_owned(), nothing("no such program")),
            ("-".to_owned(), nothing(NO_STDIN)),
            ("/dev/null".to_owned(), nothing("cannot read /dev/null: not a regular file")),
        ] {
            assert_eq!(BuiltInAndFiles::default().preview(&name), preview, "{name}");
        }
        for (name, title) in
            [(path("good.asm"), "Good"), ("life".into(), "The Game of Life on a torus")]
        {
            let found = BuiltInAndFiles::default().preview(&name);
            let Preview::Program(poster) = found else { panic!("{name}") };
            assert_eq!(poster.title, title);
        }
    }

    #[test]
    fn programs_in_a_folder_are_recognised_by_their_suffixes() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.hex", "a.asm", "c.txt", "d.lst"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::create_dir(folder.path().join("sub")).unwrap();
        let names = names_in(folder.path());
        assert_eq!(names, ["a.asm", "b.hex", "c.txt", "d.lst", "sub/"]);
        let is_one = |name: &&String| has_program_suffix(&folder.path().join(name));
        assert_eq!(names.iter().filter(is_one).count(), 2);
    }
}
