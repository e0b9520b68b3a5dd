//! What is remembered from one time to the next: the view that one debugs in, whether views stand
//! alone, and the colours; in a small file in the user's state directory.

use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Start;
use super::arrangement::{Arrangement, View};
use super::theme::Colors;
use crate::files;

/// The format of the file.
const VERSION: u32 = 1;
/// Ours are a tenth of this.
const BYTES_MAX: u64 = 1024;

/// The contents of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Habits {
    version: u32,
    view: View,
    alone: bool,
    colors: Colors,
}

impl Default for Habits {
    fn default() -> Self {
        Self { version: VERSION, view: View::Source, alone: false, colors: Colors::default() }
    }
}

/// What was remembered, and where the next time will look for it.
pub(super) struct Remembered {
    /// `None` where nothing is remembered.
    file: Option<PathBuf>,
    habits: Habits,
    /// What was wrong with the file.
    pub(super) problem: Option<String>,
}

impl Remembered {
    /// Looks for the file; `variable` looks an environment variable up.
    pub(super) fn find(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let file = place(variable);
        let read = file.as_deref().map_or(Ok(None), read);
        let problem = read.as_ref().err().map(|problem| format!("views as at first: {problem}"));
        Self { file, habits: read.ok().flatten().unwrap_or_default(), problem }
    }

    /// The colours to start with.
    pub(super) fn colors(&self) -> Colors {
        self.habits.colors
    }

    /// How to start: to watch means the display, whatever was looked at last.
    pub(super) fn views(&self, start: Start) -> Arrangement {
        let focus = match start {
            Start::Watching => View::Display,
            Start::Debugging => self.habits.view,
        };
        Arrangement { focus, alone: self.habits.alone }
    }

    /// Remembers how the screen was left, if that is news. The display is what one watches: it does
    /// not take the place of the view that one debugs in.
    pub(super) fn keep(self, views: Arrangement, colors: Colors) {
        let view = if views.focus == View::Display { self.habits.view } else { views.focus };
        let habits = Habits { version: VERSION, view, alone: views.alone, colors };
        if let Some(file) = self.file
            && (habits != self.habits || self.problem.is_some())
        {
            // Where it cannot be written, nothing is remembered; nobody asked for it.
            let _ = write(&file, habits);
        }
    }
}

/// The file, after the XDG Base Directory Specification: paths that are not absolute do not count.
fn place(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state =
        folder("XDG_STATE_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/state")));
    state.map(|state| state.join("gray1/views.ron"))
}

/// What the file holds, `None` if there is none.
fn read(file: &Path) -> Result<Option<Habits>, String> {
    let named = |what: &str| format!("{} {what}", files::printable(file));
    let failed = |error: io::Error| named(&format!("cannot be read ({error})"));
    let there = match fs::metadata(file) {
        Ok(there) => there,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    // A pipe would keep us waiting.
    if !there.is_file() || there.len() > BYTES_MAX {
        return Err(named("is not ours"));
    }
    let habits = ron::de::from_bytes(&files::read(file).map_err(failed)?).ok();
    let ours = habits.filter(|habits: &Habits| habits.version == VERSION);
    ours.map(Some).ok_or_else(|| named("is damaged"))
}

fn write(file: &Path, habits: Habits) -> io::Result<()> {
    // Nor is anything written into a pipe.
    if fs::metadata(file).is_ok_and(|there| !there.is_file()) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    if let Some(folder) = file.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let text = ron::ser::to_string_pretty(&habits, ron::ser::PrettyConfig::default());
    let text = text.map_err(io::Error::other)?;
    files::write(file, format!("{text}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found when the state directory is this one.
    fn find(state: &Path) -> Remembered {
        Remembered::find(|name| (name == "XDG_STATE_HOME").then(|| state.into()))
    }

    fn showing(focus: View, alone: bool) -> Arrangement {
        Arrangement { focus, alone }
    }

    #[test]
    fn how_the_screen_was_left_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("not/there/yet");
        for view in View::ALL.into_iter().skip(1) {
            for colors in [Colors::Safe, Colors::None, Colors::Usual] {
                find(&state).keep(showing(view, true), colors);
                let found = find(&state);
                assert_eq!(found.views(Start::Debugging), showing(view, true));
                assert_eq!(found.views(Start::Watching), showing(View::Display, true));
                assert_eq!((found.colors(), found.problem), (colors, None));
            }
        }
        find(&state).keep(showing(View::Memory, false), Colors::Safe);
        let text = fs::read_to_string(state.join("gray1/views.ron")).unwrap();
        let expected = "(\n    version: 1,\n    view: Memory,\n    alone: false,\n    \
                        colors: Safe,\n)\n";
        assert_eq!(text, expected);
        assert_eq!(fs::read_dir(state.join("gray1")).unwrap().count(), 1);
    }

    #[test]
    fn watching_does_not_forget_the_view_that_one_debugs_in() {
        let folder = tempfile::tempdir().unwrap();
        find(folder.path()).keep(showing(View::Board, false), Colors::Usual);
        find(folder.path()).keep(showing(View::Display, true), Colors::Usual);
        let views = find(folder.path()).views(Start::Debugging);
        assert_eq!(views, showing(View::Board, true));
    }

    #[test]
    fn who_changes_nothing_gets_no_file() {
        let folder = tempfile::tempdir().unwrap();
        find(folder.path()).keep(showing(View::Display, false), Colors::Usual);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_that_is_not_ours_is_told_and_replaced() {
        let good = "(version: 1, view: Memory, alone: true, colors: None)";
        let large = format!("{good}{}", " ".repeat(1024));
        let nested = "(".repeat(1000);
        for bad in [
            "",
            "\0\u{ff}",
            &good[..good.len() - 1],
            &good.replace('1', "2"),
            &good.replace("Memory", "Kitchen"),
            &good.replace("alone: true", "alone: true, more: 1"),
            &large,
            &nested,
        ] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("gray1/views.ron");
            fs::create_dir(folder.path().join("gray1")).unwrap();
            fs::write(&file, bad).unwrap();
            let found = find(folder.path());
            assert_eq!(found.views(Start::Debugging), showing(View::Source, false), "{bad}");
            assert!(found.problem.as_ref().unwrap().contains("views.ron is "), "{bad}");
            found.keep(showing(View::Source, false), Colors::Usual);
            assert_eq!(find(folder.path()).problem, None, "{bad}");
        }
    }

    #[test]
    fn what_is_no_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("gray1/views.ron");
        fs::create_dir_all(&place).unwrap();
        let found = find(folder.path());
        assert!(found.problem.as_ref().unwrap().ends_with("is not ours"));
        found.keep(showing(View::Memory, true), Colors::Safe);
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
        assert_eq!(place(Some("/state"), Some("/home")), at("/state/gray1/views.ron"));
        for state in [None, Some(""), Some("here")] {
            let in_home = at("/home/.local/state/gray1/views.ron");
            assert_eq!(place(state, Some("/home")), in_home);
            assert_eq!(place(state, None), None);
            assert_eq!(place(state, Some("")), None);
        }
    }
}
