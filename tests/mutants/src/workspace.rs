//! Copies of the workspace, below `target/mutants/`, and their builds.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::mutant::{Failure, Mutant};
use crate::splice::{Numbered, mutant_at, splice};

/// The module of the mutated crate that says which mutant is active.
const HOOK: &str = include_str!("hook.rs");

/// A copy of the workspace.
pub(crate) struct Copy {
    pub(crate) root: PathBuf,
    /// Shared between copies, so that dependencies are compiled once.
    output: PathBuf,
}

/// An executable with tests.
pub(crate) struct TestBinary {
    pub(crate) path: PathBuf,
    /// Where `cargo test` would run it.
    pub(crate) folder: PathBuf,
}

/// Why there is nothing to run.
pub(crate) enum BuildError {
    /// Errors in the code.
    Code(Vec<Message>),
    /// The build could not be done.
    Broken(Failure),
}

impl<E: Into<Failure>> From<E> for BuildError {
    fn from(error: E) -> Self {
        Self::Broken(error.into())
    }
}

/// What has to change so that spliced code compiles.
enum Cause {
    /// This mutant is wrong.
    Mutant(u32),
    /// This function has to stay `const`.
    Evaluated(String),
    /// None of ours, in the compiler's words.
    Unknown(String),
}

impl Copy {
    /// Copies what belongs to the repository at `source`, and nothing else. What has not changed is
    /// not written, so it is not compiled again.
    pub(crate) fn new(source: &Path, home: &Path, name: &str) -> io::Result<Self> {
        let root = home.join(name);
        let listed = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(source)
            .output()?;
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        // A file that was deleted is still listed until that is committed.
        let files = listed.split_terminator('\0').filter(|path| source.join(path).is_file());
        let files: BTreeSet<PathBuf> = files.map(|path| root.join(path)).collect();
        fs::create_dir_all(&root)?;
        remove_others(&root, &files)?;
        for file in files {
            let path = file.strip_prefix(&root).expect("it was joined to the root");
            write_changed(&file, &fs::read(source.join(path))?)?;
        }
        Ok(Self { root, output: home.join("build") })
    }

    pub(crate) fn read(&self, file: impl AsRef<Path>) -> io::Result<String> {
        fs::read_to_string(self.root.join(file))
    }

    pub(crate) fn write(&self, file: impl AsRef<Path>, text: &str) -> io::Result<()> {
        write_changed(&self.root.join(file), text.as_bytes())
    }

    /// Builds the tests of these packages.
    pub(crate) fn build(&self, packages: &[String]) -> Result<Vec<TestBinary>, BuildError> {
        let mut child = Command::new("cargo")
            .args(["test", "--no-run", "--tests", "--locked", "--message-format=json"])
            .args(packages.iter().flat_map(|package| ["--package", package]))
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.output)
            // Mutants are full of what lints forbid. Nobody debugs the result.
            .env("RUSTFLAGS", "--cap-lints=allow -Cdebuginfo=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (mut binaries, mut errors) = (Vec::new(), Vec::new());
        for line in BufReader::new(child.stdout.take().expect("piped")).lines() {
            match serde_json::from_str(&line?) {
                Ok(Line::CompilerMessage { message }) if message.level == "error" => {
                    errors.push(message);
                }
                Ok(Line::CompilerArtifact { executable: Some(path), profile, manifest_path })
                    if profile.test =>
                {
                    let folder = manifest_path.parent().expect("a manifest has a folder");
                    binaries.push(TestBinary { path, folder: folder.to_owned() });
                }
                _ => {}
            }
        }
        if child.wait()?.success() {
            return Ok(binaries);
        }
        if errors.is_empty() {
            return Err(BuildError::from("cargo test --no-run failed"));
        }
        Err(BuildError::Code(errors))
    }

    /// What the errors of spliced code follow from.
    fn causes(&self, errors: &[Message]) -> Vec<Cause> {
        let is_placed = |error: &&Message| !error.spans.is_empty();
        let cause = |error: &Message| {
            if let Some(name) = error.evaluated() {
                return Cause::Evaluated(name);
            }
            let unknown = || Cause::Unknown(error.rendered.clone().unwrap_or_default());
            self.mutant(error).map_or_else(unknown, Cause::Mutant)
        };
        errors.iter().filter(is_placed).map(cause).collect()
    }

    /// The mutant that an error is about.
    fn mutant(&self, error: &Message) -> Option<u32> {
        let (main, others): (Vec<_>, Vec<_>) = error.spans.iter().partition(|span| span.is_primary);
        main.into_iter().chain(others).find_map(|span| {
            let span = span.outermost();
            mutant_at(&self.read(&span.file_name).ok()?, span.byte_start)
        })
    }
}

/// Removes files that are not among these.
fn remove_others(folder: &Path, files: &BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(&path, files)?;
        } else if !files.contains(&path) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Writes a file unless it holds this already.
fn write_changed(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|present| present == bytes) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().expect("a file has a folder"))?;
    fs::write(path, bytes)
}

/// The tests of a package with branches for its mutants.
pub(crate) struct Spliced {
    pub(crate) binaries: Vec<TestBinary>,
    /// Mutants without a branch: the compiler evaluates their code, or it accepts no branch.
    pub(crate) alone: BTreeSet<u32>,
    /// Mutants that do not compile.
    pub(crate) unviable: BTreeSet<u32>,
}

/// Puts mutants into a copy and builds its tests.
pub(crate) fn build_spliced(
    copy: &Copy,
    plain: &Copy,
    mutants: &[Numbered<'_>],
    packages: &[String],
) -> Result<Spliced, Failure> {
    let (_, first) = mutants.first().ok_or("there are no mutants")?;
    let mut roots = ["lib.rs", "main.rs"].map(|root| first.sources().to_owned() + root).into_iter();
    let crate_root = roots.find(|root| copy.root.join(root).is_file()).ok_or("no crate")?;
    let files = mutants.iter().map(|(_, mutant)| mutant.file.as_str());
    copy.write(Path::new(&crate_root).with_file_name("gray1_mutant.rs"), HOOK)?;
    let files: BTreeSet<&str> = files.chain([crate_root.as_str()]).collect();
    let (mut wrong, mut evaluated) = (BTreeSet::new(), BTreeSet::new());
    loop {
        let mut alone = BTreeSet::new();
        for file in &files {
            let here =
                |(number, mutant): &&Numbered<'_>| mutant.file == *file && !wrong.contains(number);
            let here: Vec<_> = mutants.iter().filter(here).copied().collect();
            let mut spliced = splice(&plain.read(file)?, &here, &evaluated)?;
            if *file == crate_root {
                spliced.text += "\nmod gray1_mutant;\n";
            }
            copy.write(file, &spliced.text)?;
            alone.extend(spliced.left_out);
        }
        let errors = match copy.build(packages) {
            Ok(binaries) => return Ok(spliced(binaries, alone, &wrong, mutants)),
            Err(BuildError::Code(errors)) => errors,
            Err(BuildError::Broken(failure)) => return Err(failure),
        };
        let (mut is_better, mut unknown) = (false, None);
        for cause in copy.causes(&errors) {
            match cause {
                Cause::Mutant(mutant) => is_better |= wrong.insert(mutant),
                Cause::Evaluated(function) => is_better |= evaluated.insert(function),
                Cause::Unknown(message) => unknown = Some(message),
            }
        }
        // Unknown errors may follow from the others.
        if !is_better {
            return Err(unknown.unwrap_or_else(|| "errors without a cause".to_owned()).into());
        }
    }
}

fn spliced(
    binaries: Vec<TestBinary>,
    mut alone: BTreeSet<u32>,
    wrong: &BTreeSet<u32>,
    mutants: &[Numbered<'_>],
) -> Spliced {
    let wrong = mutants.iter().filter(|(number, _)| wrong.contains(number));
    // Where a function may not return a value early, it may not return it at all.
    let (unviable, others): (Vec<_>, Vec<_>) =
        wrong.partition(|(_, mutant)| mutant.is_whole_function);
    alone.extend(others.iter().map(|(number, _)| number));
    Spliced { binaries, alone, unviable: unviable.iter().map(|(number, _)| *number).collect() }
}

/// A change alone, in a copy without branches.
pub(crate) fn build_alone(
    copy: &Copy,
    mutant: &Mutant,
    packages: &[String],
) -> Result<Vec<TestBinary>, BuildError> {
    let text = copy.read(&mutant.file)?;
    copy.write(&mutant.file, &mutant.applied(&text))?;
    let binaries = copy.build(packages);
    copy.write(&mutant.file, &text)?;
    binaries
}

/// A line of `--message-format=json`.
#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Line {
    CompilerMessage {
        message: Message,
    },
    CompilerArtifact {
        executable: Option<PathBuf>,
        profile: Profile,
        manifest_path: PathBuf,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

#[derive(Deserialize)]
pub(crate) struct Message {
    level: String,
    #[serde(rename = "message")]
    text: String,
    code: Option<Code>,
    spans: Vec<Span>,
    rendered: Option<String>,
}

impl Message {
    /// The function that is called where the compiler evaluates, if that is the error.
    fn evaluated(&self) -> Option<String> {
        self.code.as_ref().filter(|code| code.code == "E0015")?;
        let (_, quoted) = self.text.split_once('`')?;
        last_name(quoted.split('`').next()?)
    }
}

/// The name at the end of a path, without the generics that may stand anywhere in it.
fn last_name(path: &str) -> Option<String> {
    let mut depth = 0_usize;
    let outside = path.chars().filter(|letter| match letter {
        '<' => {
            depth += 1;
            false
        }
        '>' => {
            depth = depth.saturating_sub(1);
            false
        }
        _ => depth == 0,
    });
    let outside: String = outside.collect();
    outside.rsplit("::").find(|name| !name.is_empty()).map(str::to_owned)
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    byte_start: usize,
    is_primary: bool,
    expansion: Option<Box<Expansion>>,
}

#[derive(Deserialize)]
struct Expansion {
    span: Span,
}

impl Span {
    /// Where the macro is called, for code that a macro makes.
    fn outermost(&self) -> &Self {
        self.expansion.as_ref().map_or(self, |expansion| expansion.span.outermost())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_known_by_its_name_whatever_its_generics() {
        for path in ["f", "a::f", "a::f::<u8>", "A::<b::C>::f", "<A as B<u8>>::f::<C>"] {
            assert_eq!(last_name(path).as_deref(), Some("f"), "{path}");
        }
    }
}
