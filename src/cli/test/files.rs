//! Finds test files, the program that each one tests, and the machine for a case.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::ErrorKind;
use std::path::{MAIN_SEPARATOR as SEPARATOR, Path, PathBuf, is_separator};
use std::sync::Arc;

use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use gray1_isa::format::Format;
use gray1_programs::testing::{MistakeReport, TEST_SUFFIX, TestCase, TestFile, find_mistakes};
use gray1_sim::MachineSpec;

use crate::cli::shared::complete::is_test_file;
use crate::cli::shared::machine;
use crate::cli::shared::messages::{Messages, explain};
use crate::files::{self, printable};
use crate::program::LoadedProgram;

/// The most names of a folder that a message lists.
const NAMES_MAX: usize = 3;

/// The test files at these paths. A path is a test file, a program with a test file next to it, or
/// a folder. Folders are searched with their subfolders, except hidden subfolders.
pub(super) fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in paths {
        let before = found.len();
        if path.is_dir() {
            search(path, &mut found)?;
        } else if is_test_file(path) {
            found.push(path.clone());
        } else {
            found
                .extend(Some(path.with_extension(&TEST_SUFFIX[1..])).filter(|file| file.is_file()));
        }
        if found.len() == before {
            let place = if path.is_dir() { "in" } else { "next to" };
            let path = printable(path);
            return Err(format!("there is no test file (*{TEST_SUFFIX}) {place} {path}"));
        }
    }
    Ok(found)
}

fn search(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let cannot_read = |error| format!("cannot read {}: {error}", printable(folder));
    let entries = fs::read_dir(folder).map_err(cannot_read)?;
    let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(cannot_read)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        // Links to folders are not followed, because they may form a loop.
        let is_folder = entry.file_type().map_err(cannot_read)?.is_dir();
        // Names are printed without `./` before them.
        let prefix = if folder == Path::new(".") { Path::new("") } else { folder };
        let path = files::inside(prefix, entry.file_name());
        match is_folder {
            true if !is_hidden => search(&path, found)?,
            false if is_test_file(&path) && path.is_file() => found.push(path),
            _ => {}
        }
    }
    Ok(())
}

/// A test file that was read.
pub(crate) struct Suite {
    file: PathBuf,
    pub(crate) tests: TestFile,
}

impl Suite {
    /// Reads a test file.
    pub(super) fn load(file: &Path) -> Result<Self, String> {
        Self::parse(file, &files::read_text(file)?)
    }

    /// The program that it tests, as a name on the command line.
    pub(super) fn program(&self) -> Result<OsString, String> {
        match &self.tests.program {
            Some(program) => Ok(resolve_name(&self.file, program)),
            None => find_program(&self.file).map_err(|source| {
                let file = printable(&self.file);
                format!("{file}: it does not name a program, and there is no {source}")
            }),
        }
    }

    /// Parses a test file.
    pub(crate) fn parse(file: &Path, text: &str) -> Result<Self, String> {
        let tests =
            TestFile::read(text).map_err(|mistake| format!("{}:{mistake}", printable(file)))?;
        Ok(Self { file: file.to_owned(), tests })
    }

    /// The place at this offset: file, line and column.
    pub(super) fn place(&self, offset: usize) -> String {
        format!("{}:{}", printable(&self.file), self.tests.position(offset))
    }

    /// Mutates a program that passes these cases, and finds the mutations that no case detects. The
    /// search stops when `proceed` returns false. `has_matrix` asks for the cases that notice each.
    pub(crate) fn find_mistakes<'a>(
        &self,
        cases: impl IntoIterator<Item = &'a Arc<TestCase>>,
        chosen: &MachineSpec,
        program: &LoadedProgram,
        messages: &mut Messages,
        has_matrix: bool,
        proceed: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<MistakeReport>, String> {
        let runs = cases.into_iter().flat_map(|case| case.runs(chosen)).map(|case| {
            let machine = machine::resolve(&chosen.clone().or(self.machine(&case)), messages);
            machine.map(|machine| (case, machine.setup)).map_err(|failure| explain(&failure))
        });
        let runs = runs.collect::<Result<_, _>>()?;
        find_mistakes(runs, &program.image, &self.tests.accepted, has_matrix, proceed)
    }

    /// The machine for a case.
    pub(crate) fn machine(&self, case: &TestCase) -> MachineSpec {
        let board = case.machine.board.as_deref();
        let board = board.map(|board| files::encode_path(resolve_name(&self.file, board).as_ref()));
        MachineSpec { board, ..case.machine.clone() }
    }
}

/// Resolves a name in a test file: a path from the file's folder, or a built-in name.
fn resolve_name(file: &Path, name: &str) -> OsString {
    let folder = file.parent().filter(|_| !Path::new(name).has_root());
    let path = files::inside(folder.unwrap_or(Path::new("")), name);
    let is_path = files::is_path(name) || path.is_file();
    if is_path { path.into() } else { name.into() }
}

/// The name of a student: the given path without a trailing separator.
pub(super) fn student_name(path: &Path) -> String {
    let name = printable(path);
    let trimmed = name.trim_end_matches(is_separator);
    if trimmed.is_empty() { name } else { trimmed.to_owned() }
}

/// Finds a student's program for a test file. The student's path is a file, or a folder that has a
/// program with the name of the test file.
pub(super) fn find_submission(tests: &Path, student: &Path) -> Result<OsString, String> {
    match student.metadata() {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Ok(student.into()),
        Err(_) if student.as_os_str() == files::STDIO => return Ok(student.into()),
        // Do not use a built-in program of this name instead of a missing file.
        Err(error) => return Err(format!("cannot read {}: {error}", printable(student))),
    }
    let sibling = files::inside(student, tests.file_name().unwrap_or_default());
    find_program(&sibling).map_err(|source| {
        let there = describe_folder(student, Path::new(&source), tests);
        format!("there is no {source}: {there}")
    })
}

/// What a student's folder has in place of the expected program.
fn describe_folder(folder: &Path, source: &Path, tests: &Path) -> String {
    if source.is_dir() {
        return "that is a folder".to_owned();
    }
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let stem = source.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let names = paths.iter().filter_map(|path| {
        let name = path.file_name()?;
        let is_source = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("asm"));
        let is_similar = name.to_string_lossy().to_lowercase().contains(&stem);
        (is_source || is_similar).then(|| format!("`{}`", printable(name)))
    });
    let names: Vec<String> = names.collect();
    let name = tests.file_name().unwrap_or_default();
    if !names.is_empty() {
        let more = if names.len() > NAMES_MAX { ", …" } else { "" };
        return format!("the folder has {}{more}", names[..names.len().min(NAMES_MAX)].join(", "));
    }
    let mut folders = paths.iter().filter(|path| path.is_dir());
    if folders.any(|folder| find_program(&files::inside(folder, name)).is_ok()) {
        let all = student_name(folder);
        return format!("for the folders in it, write `{all}{SEPARATOR}*{SEPARATOR}`");
    }
    let nothing = if paths.is_empty() { "is empty" } else { "has no program" };
    format!("the folder {nothing}")
}

/// Finds the program next to a test file that has the same name as the test file: a source, or else
/// an image. The error is the name of the expected source.
fn find_program(file: &Path) -> Result<OsString, String> {
    let path = |suffix| {
        if is_test_file(file) {
            file.with_extension("").with_extension(suffix)
        } else {
            OsString::from_iter([file.as_os_str(), OsStr::new("."), OsStr::new(suffix)]).into()
        }
    };
    let images = Format::ALL.into_iter().filter(|format| format.loads()).map(Format::suffix);
    let mut candidates = ["asm"].into_iter().chain(images).map(path);
    let found = candidates.find(|name| match fs::metadata(name) {
        Err(error) => error.kind() != ErrorKind::NotFound,
        Ok(metadata) => !metadata.is_dir(),
    });
    found.map(PathBuf::into_os_string).ok_or_else(|| printable(path("asm")))
}

/// Completes names of cases, from the test files on the command line or in the current folder.
pub(crate) fn cases() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let args = std::env::args_os().skip(3).map(PathBuf::from);
        let mut files: Vec<PathBuf> =
            args.filter_map(|path| find(&[path]).ok()).flatten().collect();
        if files.is_empty() {
            files = find(&[PathBuf::from(".")]).unwrap_or_default();
        }
        let suites = files.iter().filter_map(|file| Suite::load(file).ok());
        let cases = suites.flat_map(|suite| suite.tests.cases);
        cases.map(|case| CompletionCandidate::new(case.name.clone())).collect()
    })
}
