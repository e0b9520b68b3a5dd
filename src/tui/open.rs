//! The dialog that opens another program: the built-in ones, and a line for a name or a path.

use crossterm::event::KeyEvent;

use super::Listed;
use super::actions::Action;
use super::chooser::Chooser;

/// The dialog.
#[derive(Debug)]
pub(super) struct OpenDialog {
    programs: Vec<Listed>,
    pub(super) chooser: Chooser,
}

impl OpenDialog {
    pub(super) fn new(programs: Vec<Listed>) -> Self {
        Self { programs, chooser: Chooser::default() }
    }

    /// The built-in programs whose name or title contains what was typed; none for a path, which
    /// is what holds a `/` or a `.` on the command line too.
    pub(super) fn matches(&self) -> Vec<&Listed> {
        if self.chooser.typed().contains(['/', '.']) {
            return Vec::new();
        }
        let wanted = self.chooser.typed().to_lowercase();
        let matches = |program: &&Listed| {
            program.name.to_lowercase().contains(&wanted)
                || program.title.to_lowercase().contains(&wanted)
        };
        self.programs.iter().filter(matches).collect()
    }

    /// How many built-in programs there are.
    pub(super) fn programs_count(&self) -> usize {
        self.programs.len()
    }

    /// The row of [`Self::matches`] that is selected.
    pub(super) fn selected(&self) -> usize {
        self.chooser.selected(self.matches().len())
    }

    /// What enter opens: the selected program; if none matches, what was typed.
    pub(super) fn choice(&self) -> String {
        let selected = self.matches().get(self.selected()).map(|program| program.name.clone());
        selected.unwrap_or_else(|| self.chooser.typed().to_owned())
    }

    /// Moves the selection.
    pub(super) fn update(&mut self, action: Action) {
        self.chooser.update(action, self.matches().len());
    }

    /// Edits the line.
    pub(super) fn edit(&mut self, key: KeyEvent) {
        self.chooser.edit(key);
        let is_exact = |program: &&Listed| program.name == self.chooser.typed();
        let exact = self.matches().iter().position(is_exact);
        self.chooser.select(exact.unwrap_or(0));
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use super::*;

    fn dialog(typed: &str) -> OpenDialog {
        let listed = |name: &str, title: &str| Listed { name: name.into(), title: title.into() };
        let mut dialog = OpenDialog::new(vec![
            listed("queens-bits", "Eight queens, bit by bit"),
            listed("queens", "Eight queens"),
            listed("life", "Conway's game"),
        ]);
        for c in typed.chars() {
            dialog.edit(KeyCode::Char(c).into());
        }
        dialog
    }

    #[test]
    fn what_is_typed_selects_by_name_or_title() {
        for (typed, choice) in [
            ("", "queens-bits"),
            ("conway", "life"),
            ("bit by", "queens-bits"),
            // Not the first that contains it, but the one that is called so.
            ("queens", "queens"),
            ("nothing like it", "nothing like it"),
        ] {
            assert_eq!(dialog(typed).choice(), choice, "{typed}");
        }
    }

    #[test]
    fn a_path_is_no_name() {
        for path in ["queens.bin", "./queens", "dir/life"] {
            assert_eq!(dialog(path).choice(), path);
        }
    }

    #[test]
    fn the_selection_stays_in_the_list() {
        let mut dialog = dialog("queens");
        for (action, choice) in [
            (Action::Down, "queens"),
            (Action::Up, "queens-bits"),
            (Action::Up, "queens-bits"),
            (Action::PageDown, "queens"),
            (Action::PageUp, "queens-bits"),
        ] {
            dialog.update(action);
            assert_eq!(dialog.choice(), choice);
        }
        dialog.update(Action::Down);
        dialog.edit(KeyCode::Char('-').into());
        assert_eq!(dialog.choice(), "queens-bits");
    }
}
