//! The settings that are kept from one time to the next, in a small file in the user's state
//! directory.

use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use gray1_tui::{Colors, Preferences};
use serde::{Deserialize, Serialize};

use crate::files;

/// The format of the file.
const VERSION: u32 = 1;
/// Ours are a tenth of this.
const BYTES_MAX: u64 = 1024;

/// The contents of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    version: u32,
    alone: bool,
    colors: Colors,
    #[serde(default = "dwells")]
    dwells: bool,
}

/// Files of before this setting was kept have none.
const fn dwells() -> bool {
    true
}

/// What was kept, and where the next time will look for it.
pub(super) struct Settings {
    /// `None` where nothing is kept.
    file: Option<PathBuf>,
    pub(super) preferences: Preferences,
    /// What was wrong with the file.
    pub(super) problem: Option<String>,
}

impl Settings {
    /// Looks for the file; `variable` looks an environment variable up.
    pub(super) fn find(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let file = place(variable);
        let read = file.as_deref().map_or(Ok(None), read);
        let problem = read.as_ref().err().map(|problem| format!("default settings: {problem}"));
        Self { file, preferences: read.ok().flatten().unwrap_or_default(), problem }
    }

    /// Keeps what the user has chosen, if that is news.
    pub(super) fn keep(self, preferences: Preferences) {
        if let Some(file) = self.file
            && (preferences != self.preferences || self.problem.is_some())
        {
            // Where it cannot be written, nothing is kept: the user did not ask for it.
            let _ = write(&file, preferences);
        }
    }
}

/// The file, after the XDG Base Directory Specification: paths that are not absolute do not count.
fn place(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state =
        folder("XDG_STATE_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/state")));
    state.map(|state| state.join("gray1/settings.ron"))
}

/// What the file holds, `None` if there is none.
fn read(file: &Path) -> Result<Option<Preferences>, String> {
    let named = |what: &str| format!("{} {what}", files::printable(file));
    let failed = |error: io::Error| named(&format!("cannot be read ({error})"));
    let there = match fs::metadata(file) {
        Ok(there) => there,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    // A pipe would keep us waiting.
    if !there.is_file() || there.len() > BYTES_MAX {
        return Err(named("is not a settings file"));
    }
    let contents = ron::de::from_bytes(&files::read(file).map_err(failed)?).ok();
    let ours = contents.filter(|contents: &Contents| contents.version == VERSION);
    ours.map(|Contents { alone, colors, dwells, .. }| Some(Preferences { alone, colors, dwells }))
        .ok_or_else(|| named("is damaged"))
}

fn write(file: &Path, preferences: Preferences) -> io::Result<()> {
    let Preferences { alone, colors, dwells } = preferences;
    // Nor is anything written into a pipe.
    if fs::metadata(file).is_ok_and(|there| !there.is_file()) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    if let Some(folder) = file.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let contents = Contents { version: VERSION, alone, colors, dwells };
    let text = ron::ser::to_string_pretty(&contents, ron::ser::PrettyConfig::default());
    let text = text.map_err(io::Error::other)?;
    files::write(file, format!("{text}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found when the state directory is this one.
    fn find(state: &Path) -> Settings {
        Settings::find(|name| (name == "XDG_STATE_HOME").then(|| state.into()))
    }

    const SAFE: Preferences = Preferences { alone: false, colors: Colors::Safe, dwells: true };

    #[test]
    fn what_was_chosen_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("not/there/yet");
        for colors in [Colors::Safe, Colors::Lettered, Colors::None, Colors::Usual] {
            for (alone, dwells) in [(true, false), (false, true)] {
                let chosen = Preferences { alone, colors, dwells };
                find(&state).keep(chosen);
                let found = find(&state);
                assert_eq!((found.preferences, found.problem), (chosen, None));
            }
        }
        find(&state).keep(SAFE);
        let text = fs::read_to_string(state.join("gray1/settings.ron")).unwrap();
        assert_eq!(
            text,
            "(\n    version: 1,\n    alone: false,\n    colors: Safe,\n    dwells: true,\n)\n"
        );
        assert_eq!(fs::read_dir(state.join("gray1")).unwrap().count(), 1);
    }

    #[test]
    fn a_file_without_a_newer_setting_is_read() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("gray1")).unwrap();
        let file = folder.path().join("gray1/settings.ron");
        fs::write(file, "(version: 1, alone: false, colors: Safe)").unwrap();
        let found = find(folder.path());
        assert_eq!((found.preferences, found.problem), (SAFE, None));
    }

    #[test]
    fn without_a_change_there_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        find(folder.path()).keep(Preferences::default());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_damaged_file_is_told_and_replaced() {
        let good = "(version: 1, alone: true, colors: None)";
        let large = format!("{good}{}", " ".repeat(1024));
        let nested = "(".repeat(1000);
        for bad in [
            "",
            "\0\u{ff}",
            &good[..good.len() - 1],
            &good.replace('1', "2"),
            &good.replace("None", "Kitchen"),
            &good.replace("alone: true", "alone: true, more: 1"),
            &large,
            &nested,
        ] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("gray1/settings.ron");
            fs::create_dir(folder.path().join("gray1")).unwrap();
            fs::write(&file, bad).unwrap();
            let found = find(folder.path());
            assert_eq!(found.preferences, Preferences::default(), "{bad}");
            assert!(found.problem.as_ref().unwrap().contains("settings.ron is "), "{bad}");
            found.keep(Preferences::default());
            assert_eq!(find(folder.path()).problem, None, "{bad}");
        }
    }

    #[test]
    fn what_is_not_a_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("gray1/settings.ron");
        fs::create_dir_all(&place).unwrap();
        let found = find(folder.path());
        assert!(found.problem.as_ref().unwrap().ends_with("is not a settings file"));
        found.keep(SAFE);
        assert!(place.is_dir());
    }

    #[test]
    fn the_environment_says_where() {
        let place = |state: Option<&str>, home: Option<&str>| {
            let place = place(|name| match name {
                "XDG_STATE_HOME" => state.map(OsString::from),
                "HOME" => home.map(OsString::from),
                _ => None,
            });
            place.map(|path| path.to_str().unwrap().to_owned())
        };
        let at = |path: &str| Some(path.to_owned());
        assert_eq!(place(Some("/state"), Some("/home")), at("/state/gray1/settings.ron"));
        for state in [None, Some(""), Some("here")] {
            let in_home = at("/home/.local/state/gray1/settings.ron");
            assert_eq!(place(state, Some("/home")), in_home);
            assert_eq!(place(state, None), None);
            assert_eq!(place(state, Some("")), None);
        }
    }
}
