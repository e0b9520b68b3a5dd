//! Finds and loads the program for a name on the command line: a built-in name, a source file or an
//! image file.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use gray1_asm::{Assembly, Define, Diagnostic, InputFile, Loader, Source};
use gray1_isa::Image;
use gray1_isa::format::{self, Contents, Format, LoadError, Position};
use gray1_programs::{self as builtin, BuiltIn, Sources};

use crate::files;
use crate::names;

/// A program that can be run.
#[derive(Debug)]
pub(crate) struct LoadedProgram {
    /// The built-in name, or the path as it was given.
    pub(crate) name: String,
    pub(crate) image: Arc<Image>,
    /// The assembler's result, for a source.
    pub(crate) warnings: Option<Box<Assembly>>,
    /// Notes about files next to an image whose names were ignored, each with the reason.
    pub(crate) notes: Vec<String>,
}

/// The reason why a program cannot be loaded.
#[derive(Debug)]
pub(crate) enum LoadFailure {
    /// A name that is neither a path nor a built-in program.
    Unknown { name: String, suggestion: Option<&'static str> },
    /// A file that cannot be read or is not a program.
    File(String),
    /// An error at a position in a file that is not a source.
    Invalid { name: String, position: Position, problem: String },
    /// A source with errors.
    Source(Box<Assembly>),
}

impl LoadFailure {
    fn new(path: &Path, LoadError { problem, position }: LoadError) -> Self {
        let name = files::printable(path);
        match position {
            Some(position) => Self::Invalid { name, position, problem },
            None => Self::File(format!("{name}: {problem}")),
        }
    }

    /// The message for every failure other than errors in the source.
    pub(crate) fn message(&self) -> Option<Diagnostic> {
        match self {
            Self::Unknown { name, suggestion } => {
                let name = files::printable(name);
                let message = format!("there is no built-in program called `{name}`");
                let help = suggestion.map_or_else(
                    || {
                        "`gray1 list` shows the built-in programs; a path contains a `/` or a `.`"
                            .to_owned()
                    },
                    gray1_asm::did_you_mean,
                );
                Some(Diagnostic::error(message).help(Some(help)))
            }
            Self::File(message) => Some(Diagnostic::error(message.clone())),
            Self::Invalid { name, position, problem } => {
                Some(Diagnostic::error(format!("{name}:{position}: {problem}")))
            }
            Self::Source(_) => None,
        }
    }
}

/// The meaning of a program's name on the command line.
#[derive(Debug, Clone)]
pub(crate) enum ProgramLocation {
    BuiltIn(&'static str, builtin::BuiltInFile),
    Path(PathBuf),
}

/// Finds the meaning of a name: a path if such a file exists or the name contains a `/` or a `.`
/// (or is `-`), else a built-in program. A folder is not a program, so it does not hide a built-in
/// program of the same name.
pub(crate) fn locate(name: impl AsRef<OsStr>) -> Result<ProgramLocation, LoadFailure> {
    let name = name.as_ref();
    let path = Path::new(name);
    if name == files::STDIO || files::is_path(name) || path.exists() && !path.is_dir() {
        return Ok(ProgramLocation::Path(path.to_owned()));
    }
    match builtin::programs().find(|(known, _)| *known == name) {
        Some((name, file)) => Ok(ProgramLocation::BuiltIn(name, file)),
        None => Err(LoadFailure::Unknown {
            name: name.to_string_lossy().into_owned(),
            suggestion: gray1_asm::find_nearest(
                &name.to_string_lossy(),
                builtin::programs().map(|(name, _)| name),
            ),
        }),
    }
}

/// Loads the program of this name. A source is assembled.
pub(crate) fn load(name: impl AsRef<OsStr>) -> Result<LoadedProgram, LoadFailure> {
    load_as(name.as_ref(), &[], &[])
}

/// Loads a student's program. It may include only files from its own folder, from `folders` and
/// from the library, but not from `others`, the programs of the class.
pub(crate) fn load_submission(
    name: &OsStr,
    defines: &[Define],
    folders: &[PathBuf],
    others: &[PathBuf],
) -> Result<LoadedProgram, LoadFailure> {
    let own = Path::new(name);
    let folder = own.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let real = |path: &Path| fs::canonicalize(path).ok();
    let roots = [folder].into_iter().chain(folders.iter().map(|it| &**it)).filter_map(real);
    // Two submissions can be the same file. The one whose folder is a link is not the original.
    let is_link = fs::symlink_metadata(folder).is_ok_and(|it| it.is_symlink());
    let others = others.iter().filter(|it| **it != own).filter_map(|it| real(it));
    let others = others.filter(|it| is_link || real(own).as_ref() != Some(it));
    let bounds = Bounds { roots: roots.collect(), others: others.collect() };
    let checked = bounds.check(own);
    checked.map_err(|why| LoadFailure::File(format!("{}: {why}", files::printable(own))))?;
    load_with(name, &mut FileLoader { bounds, ..FileLoader::new(folders) }, defines)
}

/// The files that a program may include.
#[derive(Default)]
struct Bounds {
    /// The allowed folders. If empty, all folders are allowed.
    roots: Vec<PathBuf>,
    /// The files that the program may not include.
    others: Vec<PathBuf>,
}

impl Bounds {
    /// Rejects a file that the program may not include, even if a link leads to it.
    fn check(&self, path: &Path) -> Result<(), String> {
        let Ok(real) = fs::canonicalize(path) else { return Ok(()) };
        if !self.roots.is_empty() && !self.roots.iter().any(|root| real.starts_with(root)) {
            return Err("it is outside the folder of this program".to_owned());
        }
        if self.others.contains(&real) {
            return Err("it is another program of the class".to_owned());
        }
        Ok(())
    }
}

/// Like [`load`], but with values for `.default` symbols and with more include folders.
pub(crate) fn load_as(
    name: &OsStr,
    defines: &[Define],
    folders: &[PathBuf],
) -> Result<LoadedProgram, LoadFailure> {
    load_with(name, &mut FileLoader::new(folders), defines)
}

fn load_with(
    name: &OsStr,
    loader: &mut dyn Loader,
    defines: &[Define],
) -> Result<LoadedProgram, LoadFailure> {
    match locate(name)? {
        ProgramLocation::BuiltIn(name, file) => {
            assemble_source(name.to_owned(), builtin::source(file), loader, defines)
        }
        ProgramLocation::Path(path) => {
            let name = files::printable(&path);
            let bytes = read(&path)?;
            let mended;
            let contents = if let Ok(contents) = format::load(&bytes) {
                contents
            } else {
                mended = mend_comments(bytes);
                format::load(&mended).map_err(|error| LoadFailure::new(&path, error))?
            };
            match contents {
                Contents::Image(_) if !defines.is_empty() => {
                    let message = format!("{name} is an image: -D needs a source");
                    Err(LoadFailure::File(message))
                }
                Contents::Image(image) => {
                    let (image, notes) = names::add_names(*image, &path);
                    let image = Arc::new(image);
                    Ok(LoadedProgram { name, image, warnings: None, notes })
                }
                Contents::Source(text) => {
                    assemble_source(name, source(&path, text.to_owned()), loader, defines)
                }
            }
        }
    }
}

/// Assembles the source of this name, whatever its suffix.
pub(crate) fn assemble(
    name: &OsStr,
    defines: &[Define],
    folders: &[PathBuf],
) -> Result<Assembly, LoadFailure> {
    let source = match locate(name)? {
        ProgramLocation::BuiltIn(_, file) => builtin::source(file),
        ProgramLocation::Path(path) => to_source(&path, mend_comments(read(&path)?))?,
    };
    Ok(gray1_asm::assemble_with(source, &mut FileLoader::new(folders), defines))
}

/// The files of a program: an image, or a source with its include files, whether they exist or not.
/// A built-in program has none.
pub(crate) fn find_files(name: impl AsRef<OsStr>, folders: &[PathBuf]) -> Vec<PathBuf> {
    let Ok(ProgramLocation::Path(path)) = locate(name) else { return Vec::new() };
    let requested = vec![path.clone()];
    let mut loader = FileLoader { folders, requested, ..Default::default() };
    if let Ok(source) = read_source(&path) {
        gray1_asm::assemble(source, &mut loader);
    }
    loader.requested
}

/// A program with all its sources, including built-in ones, by their paths relative to the
/// program's folder.
pub(crate) struct ProgramWithSources {
    pub(crate) program: LoadedProgram,
    pub(crate) path: String,
    pub(crate) sources: Sources,
}

/// Loads a program as [`load`] does, with its sources.
pub(crate) fn load_with_sources(
    name: &OsStr,
    defines: &[Define],
    folders: &[PathBuf],
) -> Result<ProgramWithSources, LoadFailure> {
    let file_name = match locate(name)? {
        ProgramLocation::BuiltIn(_, file) => file.path.to_owned(),
        ProgramLocation::Path(path) if path.as_os_str() == files::STDIO => "stdin.asm".to_owned(),
        ProgramLocation::Path(path) => files::printable(path.file_name().unwrap_or_default()),
    };
    let mut loader = FileLoader { program: file_name, folders, ..Default::default() };
    let program = load_with(name, &mut loader, defines)?;
    let mut sources = Sources::default();
    if let Some(assembly) = &program.warnings {
        for file in assembly.files.iter() {
            sources.0.insert(loader.path(file).to_owned(), file.text().to_owned());
        }
    } else {
        let text = String::from_utf8(Format::Ron.encode(&program.image)).expect("RON is text");
        sources.0.insert(loader.program.clone(), text);
    }
    Ok(ProgramWithSources { program, path: loader.program, sources })
}

/// The message for a file that cannot be read. If it is missing, suggests a similar name next to
/// it.
fn read_error(path: &Path, error: &io::Error) -> String {
    let message = format!("cannot read {}: {error}", files::printable(path));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let names = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    let names: Vec<String> =
        names.take(NAMES_MAX).filter_map(|it| it.file_name().into_string().ok()).collect();
    let word = path.file_name().unwrap_or_default().to_string_lossy();
    let others = names.iter().map(|name| &**name).filter(|name| *name != word);
    match (gray1_asm::find_nearest(&word, others), fs::read_link(path)) {
        (_, Ok(target)) => format!("{message}; it is a link to {}", files::printable(target)),
        (Some(name), _) if error.kind() == io::ErrorKind::NotFound => {
            message + &gray1_asm::suggest(Some(&files::printable(path.with_file_name(name))))
        }
        _ => message,
    }
}

/// The maximum number of names compared in a folder.
const NAMES_MAX: usize = 4096;

/// Puts U+FFFD in place of bytes that are not UTF-8, if all of them are in comments, where they do
/// no harm. The assembler warns about that character.
fn mend_comments(bytes: Vec<u8>) -> Vec<u8> {
    if str::from_utf8(&bytes).is_ok() {
        return bytes;
    }
    let is_harmless = bytes.split(|byte| *byte == b'\n').all(|line| match str::from_utf8(line) {
        Ok(_) => true,
        Err(error) => {
            let before = String::from_utf8_lossy(&line[..error.valid_up_to()]);
            gray1_language::split_comment(&before).1.is_some()
        }
    });
    if is_harmless { String::from_utf8_lossy(&bytes).into_owned().into_bytes() } else { bytes }
}

/// The source in a file, or on standard input for `-`.
pub(crate) fn read_source(path: &Path) -> Result<Source, LoadFailure> {
    to_source(path, read(path)?)
}

fn to_source(path: &Path, bytes: Vec<u8>) -> Result<Source, LoadFailure> {
    let text = format::into_text(bytes).map_err(|error| LoadFailure::new(path, error))?;
    Ok(source(path, text))
}

fn read(path: &Path) -> Result<Vec<u8>, LoadFailure> {
    files::read(path).map_err(|error| LoadFailure::File(read_error(path, &error)))
}

fn assemble_source(
    name: String,
    source: Source,
    loader: &mut dyn Loader,
    defines: &[Define],
) -> Result<LoadedProgram, LoadFailure> {
    let mut assembly = Box::new(gray1_asm::assemble_with(source, loader, defines));
    match assembly.image.take() {
        Some(image) => {
            let image = Arc::new(image);
            Ok(LoadedProgram { name, image, warnings: Some(assembly), notes: Vec::new() })
        }
        None => Err(LoadFailure::Source(assembly)),
    }
}

/// Assembles a source as if it were the file at `path`. Included files are searched for next to
/// that path.
pub(crate) fn assemble_text(path: &Path, text: &str) -> Result<LoadedProgram, LoadFailure> {
    let name = files::printable(path);
    assemble_source(name, source(path, text.to_owned()), &mut FileLoader::new(&[]), &[])
}

/// A file's contents as a source for the assembler.
fn source(path: &Path, text: String) -> Source {
    let name =
        if path.as_os_str() == files::STDIO { files::STDIN_NAME.into() } else { path.to_owned() };
    Source { id: identity(path), name: files::printable(name), text }
}

/// The identity of a file, so that a file with two names is included once.
pub(crate) fn identity(path: &Path) -> String {
    // A file that does not exist yet is identified by its folder.
    let found = files::canonical(path)
        .ok()
        .or_else(|| Some(files::canonical(path.parent()?).ok()?.join(path.file_name()?)));
    files::encode_path(found.as_deref().unwrap_or(path))
}

/// The path of a file that was assembled. A path in UTF-8 has the form that the user would write.
/// `None` for a built-in file and standard input.
pub(crate) fn file_path(file: &InputFile) -> Option<PathBuf> {
    let is_file = !is_built_in(file.id()) && file.name() != files::STDIN_NAME;
    let called = Path::new(file.name());
    let is_text = identity(called) == file.id();
    is_file.then(|| if is_text { called.to_owned() } else { files::decode_path(file.id()) })
}

/// True for the identity of a built-in file.
pub(crate) fn is_built_in(identity: &str) -> bool {
    builtin::built_in_path(identity).is_some()
}

/// Finds an include file: next to the including file, then in these folders, then among the
/// built-in files, so that `.include "lib/std.asm"` works anywhere.
pub(crate) fn load_include(
    includer: &InputFile,
    name: &str,
    folders: &[PathBuf],
) -> Result<Source, String> {
    load_include_within(&Bounds::default(), includer, name, folders)
}

fn load_include_within(
    bounds: &Bounds,
    includer: &InputFile,
    name: &str,
    folders: &[PathBuf],
) -> Result<Source, String> {
    if is_built_in(includer.id()) {
        return BuiltIn.load(includer, name);
    }
    // Each path has a display name. For the file next to the including file, it is derived from the
    // name that the user gave.
    let sibling = files::decode_path(includer.id()).with_file_name(name);
    let sibling = (sibling, PathBuf::from(files::resolve(includer.name(), name)));
    let others = folders.iter().map(|folder| files::inside(folder, name));
    let mut missing = None;
    for (path, called) in [sibling].into_iter().chain(others.map(|path| (path.clone(), path))) {
        bounds.check(&path)?;
        match files::read(&path) {
            Ok(bytes) => {
                let text = format::into_text(mend_comments(bytes));
                let text = text.map_err(|error| names::located(&error))?;
                return Ok(Source { name: files::printable(called), ..source(&path, text) });
            }
            Err(error) if cannot_be_source(error.kind()) => {
                let is_informative = error.kind() != io::ErrorKind::NotFound;
                if missing.is_none() || is_informative {
                    missing = Some(error);
                }
            }
            Err(error) => return Err(error.to_string()),
        }
    }
    let why = missing.map_or_else(String::new, |error| error.to_string());
    BuiltIn.load(includer, name).map_err(|_| why)
}

/// Whether the error means that no regular file has this name. It can be the name of a folder, for
/// example. The search then continues, as a C compiler's does.
fn cannot_be_source(why: io::ErrorKind) -> bool {
    use io::ErrorKind::{InvalidInput, IsADirectory, NotADirectory, NotFound};
    matches!(why, NotFound | IsADirectory | NotADirectory | InvalidInput)
}

/// Loads included files, and records them.
#[derive(Default)]
struct FileLoader<'a> {
    /// The folders to search after the one of the including file.
    folders: &'a [PathBuf],
    /// The path of the program.
    program: String,
    /// The path of each included file that was found, relative to the program's folder. The keys
    /// are the identities of the files.
    paths: HashMap<String, String>,
    /// The files that were searched for, found or not.
    requested: Vec<PathBuf>,
    bounds: Bounds,
}

impl<'a> FileLoader<'a> {
    fn new(folders: &'a [PathBuf]) -> Self {
        Self { folders, ..Self::default() }
    }

    fn path(&self, file: &InputFile) -> &str {
        self.paths.get(file.id()).unwrap_or(&self.program)
    }
}

impl Loader for FileLoader<'_> {
    fn load(&mut self, includer: &InputFile, name: &str) -> Result<Source, String> {
        if !is_built_in(includer.id()) {
            self.requested.push(files::decode_path(includer.id()).with_file_name(name));
            self.requested.extend(self.folders.iter().map(|folder| files::inside(folder, name)));
        }
        let source = load_include_within(&self.bounds, includer, name, self.folders)?;
        let path = match builtin::built_in_path(&source.id) {
            Some(path) => path.to_owned(),
            None => builtin::resolve_path(self.path(includer), name),
        };
        self.paths.entry(source.id.clone()).or_insert(path);
        Ok(source)
    }

    fn libraries(&self) -> Option<&dyn Loader> {
        Some(&BuiltIn)
    }
}
