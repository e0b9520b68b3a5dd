//! Keeps settings, and the breakpoints and watches of programs, in a small file in the user's state
//! directory.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use gray1_session::SavedBreakpoints;
use gray1_tui::{Background, Colors, Preferences};
use serde::{Deserialize, Serialize};

use crate::files;
use crate::system;

/// The version of the file's format.
const VERSION: u32 = 1;
/// The maximum size of a file that is read. We write smaller ones.
const BYTES_MAX: u64 = 256 << 10;
/// The maximum number of programs whose breakpoints and watches are saved. Even if each has the
/// maximum size and every character is escaped, they fit into a file of [`BYTES_MAX`].
const PROGRAMS_MAX: usize = 16;
const PROGRAM_BYTES_MAX: usize = 1 << 10;

/// The contents of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsDocument {
    version: u32,
    alone: bool,
    colors: Colors,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    background: Option<Background>,
    #[serde(default = "on")]
    dwells: bool,
    #[serde(default = "on", skip_serializing_if = "Clone::clone")]
    mouse: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    waves: Vec<String>,
    /// The breakpoints and watches of programs, the most recent last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    programs: Vec<ProgramBreakpoints>,
}

/// The breakpoints and watches of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramBreakpoints {
    program: String,
    kept: SavedBreakpoints,
}

impl ProgramBreakpoints {
    /// Whether there are any breakpoints or watches, and they are not too large to save.
    fn is_worth_saving(&self) -> bool {
        let SavedBreakpoints { breaks, watches } = &self.kept;
        let texts = breaks.iter().map(|(text, _)| text).chain(watches);
        // Each entry has punctuation around it.
        let bytes: usize = texts.map(|text| text.len() + 16).sum();
        bytes > 0 && bytes + self.program.len() <= PROGRAM_BYTES_MAX
    }
}

impl Default for SettingsDocument {
    fn default() -> Self {
        Self::new(Preferences::default(), Vec::new())
    }
}

impl SettingsDocument {
    fn new(preferences: Preferences, programs: Vec<ProgramBreakpoints>) -> Self {
        let Preferences { alone, colors, background, dwells, mouse, waves } = preferences;
        Self { version: VERSION, alone, colors, background, dwells, mouse, waves, programs }
    }

    /// Stores the breakpoints and watches of a program. If there are more than [`PROGRAMS_MAX`]
    /// programs, drops those of the oldest.
    fn remember(&mut self, of: ProgramBreakpoints) {
        self.programs.retain(|known| known.program != of.program);
        if of.is_worth_saving() {
            self.programs.push(of);
        }
        self.programs.drain(..self.programs.len().saturating_sub(PROGRAMS_MAX));
    }
}

/// The default for a setting that an older file does not have.
const fn on() -> bool {
    true
}

/// The remembered settings, and the file that holds them.
pub(super) struct Settings {
    /// `None` if settings are not saved.
    file: Option<PathBuf>,
    contents: SettingsDocument,
    /// The breakpoints and watches of each program for which they have changed in this run.
    changes: Vec<ProgramBreakpoints>,
    /// The message to show if the file could not be read.
    pub(super) problem: Option<String>,
}

impl Settings {
    /// Finds and reads the file. `env_var` looks up an environment variable.
    pub(super) fn find(env_var: impl Fn(&str) -> Option<OsString>) -> Self {
        let file = settings_path(env_var);
        let read = file.as_deref().map_or(Ok(None), read);
        let problem = read.as_ref().err().map(|why| format!("using the default settings: {why}"));
        let contents = read.ok().flatten().unwrap_or_default();
        Self { file, contents, changes: Vec::new(), problem }
    }

    /// The user's last choices.
    pub(super) fn preferences(&self) -> Preferences {
        let SettingsDocument { alone, colors, background, dwells, mouse, ref waves, .. } =
            self.contents;
        Preferences { alone, colors, background, dwells, mouse, waves: waves.clone() }
    }

    /// The saved breakpoints and watches of a program.
    pub(super) fn saved(&self, program: &str) -> SavedBreakpoints {
        let key = key(program);
        let known = self.contents.programs.iter().find(|known| known.program == key);
        known.map(|known| known.kept.clone()).unwrap_or_default()
    }

    /// Stores the breakpoints and watches of a program, if they have changed.
    pub(super) fn remember(&mut self, program: &str, kept: SavedBreakpoints) {
        if self.saved(program) != kept {
            let change = ProgramBreakpoints { program: key(program), kept };
            self.contents.remember(change.clone());
            self.changes.push(change);
        }
    }

    /// Saves the user's choices and the changed breakpoints and watches, if anything has changed.
    pub(super) fn save(self, preferences: Preferences) {
        let has_changed = preferences != self.preferences() || !self.changes.is_empty();
        let is_due = has_changed || self.problem.is_some();
        let Some(file) = self.file.filter(|_| is_due) else { return };
        // If the file is not writable, nothing is saved. No error is shown, because the user did
        // not ask to save.
        let Ok(_lock) = lock(&file) else { return };
        // Another front end may have written the file meanwhile. It keeps the breakpoints of its
        // programs, but our choices replace its choices.
        let theirs = read(&file).unwrap_or_else(|_| {
            // It may be from a newer version, or have a mistake that the user can repair.
            if file.is_file() {
                let _ = fs::rename(&file, file.with_extension("ron.damaged"));
            }
            None
        });
        let theirs = theirs.unwrap_or_default();
        let mut contents = SettingsDocument::new(preferences, theirs.programs);
        self.changes.into_iter().for_each(|change| contents.remember(change));
        let _ = write(&file, &contents);
    }
}

/// The key for the breakpoints and watches of a program: the name of a built-in program, or an
/// absolute path.
fn key(program: &str) -> String {
    let path = files::canonical(program.as_ref()).ok();
    path.map_or_else(|| program.to_owned(), |path| path.to_string_lossy().into_owned())
}

/// The path of the file, in the user's state directory.
fn settings_path(env_var: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = files::app_folder(env_var, "XDG_STATE_HOME", ".local/state");
    folder.map(|folder| folder.join("settings.ron"))
}

/// The contents of the file. `None` if it does not exist.
fn read(file: &Path) -> Result<Option<SettingsDocument>, String> {
    let describe = |what: &str| format!("{} {what}", files::printable(file));
    let failed = |error: io::Error| describe(&format!("cannot be read ({error})"));
    let metadata = match fs::metadata(file) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    // Reading a pipe could block.
    if !metadata.is_file() || metadata.len() > BYTES_MAX {
        return Err(describe("is not a settings file"));
    }
    let contents = ron::de::from_bytes(&files::read_own(file).map_err(failed)?).ok();
    let ours = contents.filter(|contents: &SettingsDocument| contents.version == VERSION);
    ours.map(Some).ok_or_else(|| describe("is damaged"))
}

/// Locks the file against other processes. Its folder is created if it is missing.
fn lock(file: &Path) -> io::Result<impl Sized + use<>> {
    let folder = file.parent().ok_or(io::ErrorKind::NotFound)?;
    system::make_private_folder(folder)?;
    files::lock(folder)
}

fn write(file: &Path, contents: &SettingsDocument) -> io::Result<()> {
    // Writing to a pipe could block.
    if fs::metadata(file).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let text = ron::ser::to_string_pretty(contents, ron::ser::PrettyConfig::new().new_line("\n"));
    let text = text.map_err(io::Error::other)?;
    files::rewrite(file, format!("{text}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the settings in this state directory.
    fn find(state: &Path) -> Settings {
        Settings::find(|name| (name == "XDG_STATE_HOME").then(|| state.into()))
    }

    const SAFE: Preferences = Preferences {
        alone: false,
        colors: Colors::Safe,
        background: None,
        dwells: true,
        mouse: true,
        waves: Vec::new(),
    };

    #[test]
    fn choices_are_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("not/there/yet");
        for colors in [Colors::Safe, Colors::Lettered, Colors::None, Colors::Usual] {
            for (alone, dwells) in [(true, false), (false, true)] {
                let waves = ["PCL.3", "PC"].into_iter().filter(|_| alone).map(str::to_owned);
                let background = alone.then_some(Background::Light);
                let waves = waves.collect();
                let chosen =
                    Preferences { alone, colors, background, dwells, mouse: dwells, waves };
                find(&state).save(chosen.clone());
                let found = find(&state);
                assert_eq!((found.preferences(), found.problem), (chosen, None));
            }
        }
        find(&state).save(SAFE);
        let text = fs::read_to_string(state.join("gray1/settings.ron")).unwrap();
        assert_eq!(
            text,
            "(\n    version: 1,\n    alone: false,\n    colors: Safe,\n    dwells: true,\n)\n"
        );
        assert_eq!(fs::read_dir(state.join("gray1")).unwrap().count(), 1);
    }

    fn breakpoints(text: &str) -> SavedBreakpoints {
        SavedBreakpoints { breaks: vec![(text.into(), false)], watches: vec!["[N]".into()] }
    }

    #[test]
    fn breakpoints_and_watches_are_remembered_for_each_program() {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = find(folder.path());
        settings.remember("queens", breakpoints("row3"));
        settings.remember("life", breakpoints("next"));
        settings.remember("snake", SavedBreakpoints::default());
        assert_eq!(settings.saved("life"), breakpoints("next"));
        settings.save(SAFE);
        let mut settings = find(folder.path());
        let names = settings.contents.programs.iter().map(|known| &*known.program);
        assert_eq!(names.collect::<Vec<_>>(), ["queens", "life"], "without those that have none");
        assert_eq!(settings.saved("queens"), breakpoints("row3"));
        // Two front ends that run at the same time both save their changes.
        let mut other = find(folder.path());
        other.remember("life", SavedBreakpoints::default());
        other.save(SAFE);
        settings.remember("queens", breakpoints("row4"));
        settings.save(SAFE);
        let found = find(folder.path());
        assert_eq!(
            (found.saved("queens"), found.saved("life")),
            (breakpoints("row4"), SavedBreakpoints::default())
        );
        assert_eq!(found.contents.programs.len(), 1, "a program without any has no entry");
    }

    #[test]
    fn front_ends_that_end_at_the_same_time_save_all_their_breakpoints() {
        let folder = tempfile::tempdir().unwrap();
        let all: Vec<Settings> = (0..PROGRAMS_MAX).map(|_| find(folder.path())).collect();
        let chosen = |n| Preferences { alone: n % 2 == 0, mouse: n % 2 == 0, ..SAFE };
        std::thread::scope(|threads| {
            for (n, mut settings) in all.into_iter().enumerate() {
                threads.spawn(move || {
                    settings.remember(&format!("program {n}"), breakpoints("row3"));
                    settings.save(chosen(n));
                });
            }
        });
        let found = find(folder.path());
        assert_eq!(found.contents.programs.len(), PROGRAMS_MAX);
        assert!([0, 1].map(chosen).contains(&found.preferences()), "the choices of one of them");
    }

    #[test]
    fn the_last_choices_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = [(); 2].map(|()| find(folder.path()));
        let lettered = Preferences { colors: Colors::Lettered, ..Preferences::default() };
        second.save(lettered.clone());
        first.save(SAFE);
        assert_eq!(find(folder.path()).preferences(), SAFE);
        // One that has changed nothing writes nothing.
        find(folder.path()).save(SAFE);
        let idle = find(folder.path());
        find(folder.path()).save(lettered.clone());
        idle.save(SAFE);
        assert_eq!(find(folder.path()).preferences(), lettered);
    }

    #[test]
    fn a_program_has_one_key_whatever_path_leads_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.asm");
        fs::write(&file, "").unwrap();
        let roundabout = folder.path().join("../").join(folder.path().file_name().unwrap());
        assert_eq!(key(roundabout.join("a.asm").to_str().unwrap()), key(file.to_str().unwrap()));
        assert_eq!(key("queens"), "queens");
    }

    #[test]
    fn the_file_stays_small() {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = find(folder.path());
        settings.remember("large", breakpoints(&"x".repeat(PROGRAM_BYTES_MAX)));
        // The control character takes the most room when escaped.
        let wide = "\u{1}".repeat(PROGRAM_BYTES_MAX - 100);
        (0..100).for_each(|n| settings.remember(&n.to_string(), breakpoints(&wide)));
        settings.save(SAFE);
        let length = fs::metadata(folder.path().join("gray1/settings.ron")).unwrap().len();
        assert!(length <= BYTES_MAX, "{length}");
        let found = find(folder.path());
        assert_eq!(
            (found.saved("99"), found.saved("large")),
            (breakpoints(&wide), SavedBreakpoints::default())
        );
        assert_eq!(found.contents.programs.len(), PROGRAMS_MAX);
    }

    #[test]
    fn a_program_with_too_many_breakpoints_is_not_saved() {
        let folder = tempfile::tempdir().unwrap();
        let watch = |bytes: usize| SavedBreakpoints {
            breaks: Vec::new(),
            watches: vec!["x".repeat(bytes)],
        };
        // Without the name and the punctuation.
        let most = PROGRAM_BYTES_MAX - "queens".len() - 16;
        for (kept, count) in
            [(watch(most), 1), (watch(most + 1), 0), (SavedBreakpoints::default(), 0)]
        {
            let mut settings = find(folder.path());
            settings.remember("queens", kept);
            settings.save(SAFE);
            assert_eq!(find(folder.path()).contents.programs.len(), count);
        }
    }

    #[test]
    fn an_older_file_without_some_settings_is_read() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("gray1")).unwrap();
        let file = folder.path().join("gray1/settings.ron");
        let text = "(version: 1, alone: false, colors: Safe)";
        // A short file and the longest possible one.
        for padding in [0, BYTES_MAX as usize - text.len()] {
            fs::write(&file, format!("{text}{}", " ".repeat(padding))).unwrap();
            let found = find(folder.path());
            assert_eq!((found.preferences(), found.problem), (SAFE, None));
        }
    }

    #[test]
    fn no_file_is_written_without_a_change() {
        let folder = tempfile::tempdir().unwrap();
        find(folder.path()).save(Preferences::default());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_damaged_file_is_reported_and_set_aside() {
        let good = "(version: 1, alone: true, colors: None)";
        let large = format!("{good}{}", " ".repeat(BYTES_MAX as usize));
        let nested = "(".repeat(1000);
        for bad in [
            "",
            "\0\u{ff}",
            &good[..good.len() - 1],
            &good.replace('1', "2"),
            &good.replace("None", "Kitchen"),
            &good.replace("alone: true", "alone: true, more: 1"),
            &good.replace("None)", "None, programs: [(program: 1)])"),
            &large,
            &nested,
        ] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("gray1/settings.ron");
            fs::create_dir(folder.path().join("gray1")).unwrap();
            fs::write(&file, bad).unwrap();
            let found = find(folder.path());
            assert_eq!(found.preferences(), Preferences::default(), "{bad}");
            assert!(found.problem.as_ref().unwrap().contains("settings.ron is "), "{bad}");
            found.save(Preferences::default());
            assert_eq!(find(folder.path()).problem, None, "{bad}");
            let kept = fs::read_to_string(folder.path().join("gray1/settings.ron.damaged"));
            assert_eq!(kept.unwrap(), bad);
        }
    }

    #[test]
    fn a_folder_with_the_name_of_the_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gray1/settings.ron");
        fs::create_dir_all(&path).unwrap();
        let found = find(folder.path());
        assert!(found.problem.as_ref().unwrap().ends_with("is not a settings file"));
        found.save(SAFE);
        assert!(path.is_dir());
        // A file has the name of the folder.
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(find(&file).problem.unwrap().contains("settings.ron cannot be read"));
    }

    #[test]
    fn the_environment_chooses_the_folder() {
        let path = |state: Option<&str>, home: Option<&str>| {
            let path = settings_path(|name| match name {
                "XDG_STATE_HOME" => state.map(OsString::from),
                "HOME" => home.map(OsString::from),
                _ => None,
            });
            path.map(|path| path.to_str().unwrap().to_owned())
        };
        let at = |path: &str| Some(path.to_owned());
        assert_eq!(path(Some("/state"), Some("/home")), at("/state/gray1/settings.ron"));
        for state in [None, Some(""), Some("here")] {
            let in_home = at("/home/.local/state/gray1/settings.ron");
            assert_eq!(path(state, Some("/home")), in_home);
            assert_eq!(path(state, None), None);
            assert_eq!(path(state, Some("")), None);
        }
    }
}
