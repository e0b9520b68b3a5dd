//! The dialog that opens a program: a list of programs, a line for a name or a path, and a preview.

use std::collections::HashMap;
use std::path::is_separator;

use gray1_isa::panel::{Display, SIDE};
use gray1_session::Snapshot;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect, Size};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::list_box::{CHROME_HEIGHT, ListBox, SCATTERED, badness};
use super::overlay::{Outcome, Overlay, centered, draw_box, inside};
use crate::actions::{Effect, Move, Reply};
use crate::key::Key;
use crate::leds::LedPainter;
use crate::programs::{ListedProgram, Preview};
use crate::theme::Theme;
use crate::{text, widgets};

/// The maximum width, enough for the longest title of a built-in program and a picture.
const WIDTH_MAX: u16 = 96;
/// The number of lines below the list: an empty line and two lines of preview.
const FOOT_HEIGHT: u16 = 3;
/// The width of the picture of the LEDs and of the gap next to it.
const PICTURE_WIDTH: u16 = 2 * SIDE as u16 + 2;
/// The minimum width of the list next to a picture.
const LIST_WIDTH_MIN: u16 = 36;

/// The number of previews up to which entries that are not visible are also previewed, for their
/// titles. That many previews take some seconds.
const PREVIEWS_MAX: usize = 1024;

/// The dialog.
#[derive(Debug)]
pub(crate) struct OpenDialog {
    programs: Vec<ListedProgram>,
    list_box: ListBox,
    /// The known previews.
    previews: HashMap<String, Preview>,
}

impl OpenDialog {
    /// A dialog that lists these programs.
    pub(crate) fn new(programs: Vec<ListedProgram>) -> Self {
        Self { programs, list_box: ListBox::default(), previews: HashMap::new() }
    }

    /// The typed line, split after its last separator into a folder and the beginning of a name.
    fn path(&self) -> Option<(&str, &str)> {
        let typed = self.list_box.typed();
        typed.rfind(is_separator).map(|slash| typed.split_at(slash + 1))
    }

    /// The known names in a folder.
    fn names_in(&self, folder: &str) -> &[String] {
        if let Some(Preview::Folder(names)) = self.previews.get(folder) { names } else { &[] }
    }

    /// The entries that match the line, the best first. In a folder these are the names that begin
    /// like the line, otherwise the programs whose name or title contains each of its words.
    /// Entries that match only by scattered letters are listed only if there are no others.
    fn find_matches(&self) -> Vec<ListedProgram> {
        let mut ranked: Vec<_> = if let Some((folder, start)) = self.path() {
            let entries = self.names_in(folder).iter().filter(|name| {
                name.starts_with(start) && (!name.starts_with('.') || !start.is_empty())
            });
            let entries = entries.map(|name| self.entry(&format!("{folder}{name}"), ""));
            let ranked = entries.map(|it| {
                let length = if start.is_empty() { 0 } else { it.name.len() };
                (Rank { worst: 0, sum: 0, length }, it)
            });
            ranked.collect()
        } else {
            let typed = self.list_box.typed().to_lowercase();
            let entries = self.programs.iter().map(|it| self.entry(&it.name, &it.title));
            entries.filter_map(|it| Some((rank(&it, &typed)?, it))).collect()
        };
        let best = ranked.iter().map(|(rank, _)| rank.worst).min().unwrap_or_default();
        ranked.retain(|(rank, _)| rank.worst < SCATTERED || best >= SCATTERED);
        // Both kinds of lists share one element type, because the web page's module contains a
        // separate sort for each type.
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, entry)| entry).collect()
    }

    /// Returns an entry. If `title` is empty, the entry has the title from its preview, if there is
    /// one. A folder is an entry without a title whose name is its path with a final `/`.
    fn entry(&self, name: &str, title: &str) -> ListedProgram {
        let title = match self.previews.get(name) {
            Some(Preview::Program(preview)) if title.is_empty() => &preview.title,
            _ => title,
        };
        ListedProgram { name: name.to_owned(), title: title.to_owned() }
    }

    /// The name that enter would open: the selected entry, or the typed line if none matches.
    fn choice(&self) -> String {
        let matches = self.find_matches();
        let selected = matches.get(self.list_box.selected(matches.len()));
        selected.map_or_else(|| self.list_box.typed().to_owned(), |entry| entry.name.clone())
    }

    /// The visible part of the list in a box of this area: the index of its first line, and the
    /// number of lines.
    fn window(&self, length: usize, area: Rect) -> (usize, usize) {
        let height = usize::from(area.height.saturating_sub(FOOT_HEIGHT + CHROME_HEIGHT));
        ((self.list_box.selected(length) + 1).saturating_sub(height), height)
    }

    /// Describes what enter does with the choice.
    fn describe_choice(&self) -> String {
        let choice = self.choice();
        let name = text::printable(&choice);
        match self.previews.get(&choice) {
            _ if choice.is_empty() => "no programs found".to_owned(),
            _ if self.is_folder(&choice) => format!("{name}: a folder; enter lists it"),
            Some(Preview::Nothing(why)) => format!("{name}: {}", text::printable(why)),
            Some(Preview::Program(preview)) if !preview.title.is_empty() => {
                format!("enter opens {name}: {}", text::printable(&preview.title))
            }
            Some(_) => format!("enter opens {name}"),
            None => format!("{name}: loading ..."),
        }
    }

    /// Whether a name is known to be a folder.
    fn is_folder(&self, name: &str) -> bool {
        is_folder(name) || matches!(self.previews.get(name), Some(Preview::Folder(_)))
    }

    /// Enters a folder and lists it.
    fn enter(&mut self, folder: &str) {
        self.list_box.set(format!("{}/", folder.trim_end_matches(is_separator)));
    }

    fn draw_list(&self, theme: Theme, area: Rect, first: usize, buffer: &mut Buffer) {
        let matches = self.find_matches();
        let names: Vec<String> = matches.iter().map(|it| text::printable(&it.name)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
        let room = usize::from(area.width).saturating_sub(width + 2);
        let lines = names.iter().zip(&matches).map(|(name, entry)| {
            let title = text::truncate(&text::printable(&entry.title), room, theme.ellipsis());
            let style = if is_folder(&entry.name) { theme.label() } else { Theme::VALUE };
            let name = Span::styled(format!("{name:<width$}"), style);
            Line::from(vec![name, Span::styled(format!("  {title}"), theme.label())])
        });
        let selected = self.list_box.selected(matches.len());
        widgets::draw_list(lines, (first, selected), theme, area, buffer);
    }
}

impl Overlay for OpenDialog {
    fn area(&self, screen: Size) -> Rect {
        let lines = u16::try_from(self.programs.len()).unwrap_or(u16::MAX).max(SIDE as u16);
        centered(screen, WIDTH_MAX, lines.saturating_add(FOOT_HEIGHT + CHROME_HEIGHT))
    }

    fn caret(&self, screen: Size) -> Option<Position> {
        self.list_box.caret(inside(self.area(screen)))
    }

    fn scroll(&mut self, to: Move, screen: Size) {
        let area = self.area(screen);
        let list = Rect { height: area.height.saturating_sub(FOOT_HEIGHT), ..area };
        self.list_box.scroll(to, self.find_matches().len(), list);
    }

    fn edit(&mut self, key: Key) {
        self.list_box.edit(key);
    }

    fn can_complete(&self) -> bool {
        true
    }

    /// Completes the line with the common beginning of all matching names. If that adds nothing,
    /// completes it with the selected name.
    fn complete(&mut self) {
        let typed = self.list_box.typed().to_owned();
        let matches = self.find_matches();
        let names = matches.iter().map(|entry| entry.name.as_str());
        let common = names.filter(|name| name.starts_with(&typed)).reduce(common_prefix);
        match common {
            Some(common) if common.len() > typed.len() => self.list_box.set(common.to_owned()),
            _ if self.is_folder(&typed) && !typed.ends_with(is_separator) => self.enter(&typed),
            _ => self.list_box.set(self.choice()),
        }
    }

    fn wanted_preview(&self, screen: Size) -> Option<String> {
        let folder = self.path().map(|(folder, _)| folder);
        if let Some(folder) = folder.filter(|folder| !self.previews.contains_key(*folder)) {
            return Some(folder.to_owned());
        }
        let matches = self.find_matches();
        let (first, height) = self.window(matches.len(), self.area(screen));
        let visible = matches.iter().skip(first).take(height);
        let others = if self.previews.len() < PREVIEWS_MAX { &*self.programs } else { &[] };
        let entries = visible.chain(others);
        let untitled = entries.filter(|entry| entry.title.is_empty() && !is_folder(&entry.name));
        let names = std::iter::once(self.choice()).chain(untitled.map(|entry| entry.name.clone()));
        let mut needed = names.filter(|name| !name.is_empty() && !is_folder(name));
        needed.find(|name| !self.previews.contains_key(name))
    }

    fn take_preview(&mut self, name: &str, preview: &Preview) {
        // A new title may change the order. The selected entry stays selected.
        let is_first = self.list_box.selected(self.find_matches().len()) == 0;
        let chosen = Some(self.choice()).filter(|_| !is_first);
        self.previews.insert(name.to_owned(), preview.clone());
        let place = self.find_matches().iter().position(|it| Some(&it.name) == chosen.as_ref());
        if let Some(place) = place {
            self.list_box.select(place);
        }
    }

    /// Opens the choice. The dialog stays until the program is open.
    fn accept(&mut self, _: &Snapshot) -> Outcome {
        let choice = self.choice();
        if self.is_folder(&choice) {
            self.enter(&choice);
        } else if !choice.is_empty() {
            return Outcome::Stay(Reply::Ask(Effect::Open(choice)));
        }
        Outcome::Stay(Reply::Done)
    }

    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        let area = self.area(buffer.area.as_size());
        let inside = draw_box("open a program", theme, area, buffer);
        let list = self.list_box.draw("type a name or a path", theme, inside, buffer);
        let foot_height = FOOT_HEIGHT.min(list.height);
        let mut list = Rect { height: list.height - foot_height, ..list };
        let foot = Rect { y: list.bottom() + 1, height: foot_height.saturating_sub(1), ..list };
        widgets::draw_text(&self.describe_choice(), theme, foot, buffer);
        if list.width >= LIST_WIDTH_MIN + PICTURE_WIDTH && list.height >= SIDE as u16 {
            list.width -= PICTURE_WIDTH;
            if let Some(Preview::Program(preview)) = self.previews.get(&self.choice()) {
                draw_picture(&preview.display, theme, (list.right() + 2, list.y), buffer);
            }
        }
        let found = self.find_matches().len();
        let (first, _) = self.window(found, area);
        self.draw_list(theme, list, first, buffer);
        let all = match self.path() {
            Some((folder, _)) => self.names_in(folder).len(),
            None => self.programs.len(),
        };
        let count = Line::styled(format!(" {found} of {all} "), theme.label());
        let place = Rect { y: area.bottom() - 1, height: 1, ..area }.inner(Margin::new(2, 0));
        count.right_aligned().render(place, buffer);
    }
}

/// How badly an entry matches a typed line: by its worst word, then by all words, then by the
/// length of its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    worst: usize,
    sum: usize,
    length: usize,
}

/// Ranks an entry by a typed line in lower case. `None` if a word is in neither its name nor its
/// title. Without a line, all entries are equal. Letters that are far apart do not match, because
/// the line may be a path.
fn rank(entry: &ListedProgram, typed: &str) -> Option<Rank> {
    let texts = [entry.name.to_lowercase(), entry.title.to_lowercase()];
    let mut worst = 0;
    let mut sum = 0;
    for word in typed.split_whitespace() {
        let found = texts.iter().filter_map(|text| badness(text, word)).min();
        let found = found.filter(|it| *it < SCATTERED + 2 * word.len())?;
        worst = worst.max(found);
        sum += found;
    }
    Some(Rank { worst, sum, length: if sum == 0 { 0 } else { entry.name.len() } })
}

/// Whether a name is the path of a folder.
fn is_folder(name: &str) -> bool {
    name.ends_with(is_separator)
}

/// The common beginning of two names.
fn common_prefix<'a>(a: &'a str, b: &'a str) -> &'a str {
    let end = a.char_indices().zip(b.chars()).find(|((_, a), b)| a != b);
    let end = end.map_or(a.len().min(b.len()), |((at, _), _)| at);
    &a[..end]
}

/// Draws the LEDs with their upper left corner at a position.
fn draw_picture(display: &Display, theme: Theme, (x, y): (u16, u16), buffer: &mut Buffer) {
    let painter = LedPainter::new(1, theme);
    for (row, y) in (0..SIDE).zip(y..) {
        for (column, x) in (0..SIDE).zip((x..).step_by(2)) {
            painter.draw(display.led(row, column), Rect::new(x, y, 2, 1), buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::ProgramPreview;
    use crate::tests as testing;

    const SIZE: Size = Size { width: 80, height: 24 };

    fn listed(name: &str, title: &str) -> ListedProgram {
        ListedProgram { name: name.into(), title: title.into() }
    }

    /// A dialog in which this line was typed.
    fn dialog(typed: &str) -> OpenDialog {
        let mut dialog = OpenDialog::new(vec![
            listed("own.asm", ""),
            listed("queens-bits", "Eight queens, bit by bit"),
            listed("queens", "Eight queens"),
            listed("life", "Conway's game"),
        ]);
        enter(&mut dialog, typed);
        dialog
    }

    fn enter(dialog: &mut OpenDialog, typed: &str) {
        typed.chars().for_each(|c| dialog.edit(Key::char(c)));
    }

    /// Gives a dialog all previews that it needs, as if only these paths existed. Returns their
    /// names.
    fn answer(dialog: &mut OpenDialog, paths: &[&str]) -> Vec<String> {
        let mut asked = Vec::new();
        while let Some(name) = dialog.wanted_preview(SIZE) {
            let folder = if is_folder(&name) { name.clone() } else { format!("{name}/") };
            let preview = match name.as_str() {
                name if is_folder(name) || paths.contains(&folder.as_str()) => {
                    let names = paths.iter().filter_map(|path| path.strip_prefix(&folder));
                    let names =
                        names.filter(|name| !name.trim_end_matches(is_separator).contains('/'));
                    let names = names.filter(|name| !name.is_empty()).map(str::to_owned);
                    Preview::Folder(names.collect())
                }
                name if name.starts_with("no") => Preview::Nothing("no such file".into()),
                name => {
                    let title = match name {
                        "untitled" => String::new(),
                        _ => format!("The title of {name}"),
                    };
                    Preview::Program(ProgramPreview { title, display: Display::default() })
                }
            };
            dialog.take_preview(&name, &preview);
            asked.push(name);
        }
        asked
    }

    #[test]
    fn typing_selects_a_program_by_name_or_title() {
        for (typed, choice) in [
            ("", "own.asm"),
            ("conway", "life"),
            ("bit by", "queens-bits"),
            // Prefers the program with exactly this name to the first one that contains it.
            ("queens", "queens"),
            ("nothing like it", "nothing like it"),
            ("own", "own.asm"),
            // Prefers the shortest name with this beginning to a title that contains it.
            ("que", "queens"),
            // A path is not a name.
            ("queens.bin", "queens.bin"),
            ("./queens", "./queens"),
            ("dir/life", "dir/life"),
        ] {
            assert_eq!(dialog(typed).choice(), choice, "{typed}");
        }
    }

    #[test]
    fn the_open_dialog_asks_about_visible_entries_once() {
        let mut dialog = dialog("");
        // Asks about the selected entry, and about titles that are not known yet.
        assert_eq!(answer(&mut dialog, &[]), ["own.asm"]);
        dialog.scroll(Move::Down, SIZE);
        assert_eq!(answer(&mut dialog, &[]), ["queens-bits"]);
        dialog.scroll(Move::Up, SIZE);
        assert_eq!(answer(&mut dialog, &[]), [""; 0]);
        // Now that its title is known, the title finds it.
        enter(&mut dialog, "title of own");
        assert_eq!(dialog.choice(), "own.asm");
    }

    #[test]
    fn the_open_dialog_says_what_enter_does() {
        for (typed, expected) in [
            ("life", "enter opens life: The title of life"),
            ("untitled", "enter opens untitled"),
            ("nobody", "nobody: no such file"),
            ("sub", "sub: a folder; enter lists it"),
            ("./s", "./sub/: a folder; enter lists it"),
        ] {
            let mut dialog = dialog(typed);
            answer(&mut dialog, &["sub/", "./sub/"]);
            assert_eq!(dialog.describe_choice(), expected);
        }
        assert_eq!(dialog("life").describe_choice(), "life: loading ...");
        assert_eq!(OpenDialog::new(Vec::new()).describe_choice(), "no programs found");
    }

    #[test]
    fn tab_completes_and_enter_lists_folders() {
        const PATHS: &[&str] =
            &["./sub/", "./sub/one.asm", "./sub/one.ron", "./sub/.old", "./suburb", "sub/", "../x"];
        let snapshot = testing::session(testing::program("counter"), true).snapshot();
        for (keys, typed, choice) in [
            ("./s\t", "./sub", "./sub/"),
            // There is no longer common beginning, so the selected one is completed.
            ("./s\t\t", "./sub/", "./sub/one.asm"),
            ("./s\t\t\t", "./sub/one.", "./sub/one.asm"),
            ("./sub/one.r\t", "./sub/one.ron", "./sub/one.ron"),
            ("./sub/.\t", "./sub/.old", "./sub/.old"),
            ("./s\r", "./sub/", "./sub/one.asm"),
            ("sub\t", "sub/", "sub/"),
            ("sub\r", "sub/", "sub/"),
            ("con\t", "life", "life"),
        ] {
            let mut dialog = dialog("");
            for key in keys.chars() {
                match key {
                    '\t' => dialog.complete(),
                    '\r' => assert!(matches!(dialog.accept(&snapshot), Outcome::Stay(Reply::Done))),
                    c => dialog.edit(Key::char(c)),
                }
                answer(&mut dialog, PATHS);
            }
            assert_eq!((dialog.list_box.typed(), &*dialog.choice()), (typed, choice), "{keys:?}");
        }
    }

    /// Lists a folder of 303 files before the built-in programs.
    #[test]
    fn programs_in_a_large_folder_are_found_by_title() {
        let files = (0..303).map(|n| listed(&format!("prog_{n}.asm"), ""));
        let built_in = [listed("queens", "Eight queens"), listed("life", "Conway's game")];
        let mut dialog = OpenDialog::new(files.chain(built_in).collect());
        assert_eq!(answer(&mut dialog, &[]).len(), 303);
        assert!(testing::text(&draw(&dialog)).contains(" 305 of 305 "));
        for (typed, choice, count) in [
            ("title 150", "prog_150.asm", " 1 of 305 "),
            ("150 TITLE", "prog_150.asm", " 1 of 305 "),
            ("prg150", "prog_150.asm", " 1 of 305 "),
            ("prog_3", "prog_3.asm", " 14 of 305 "),
            ("game", "life", " 1 of 305 "),
            ("qns", "queens", " 1 of 305 "),
        ] {
            enter(&mut dialog, typed);
            assert_eq!(dialog.choice(), choice, "{typed}");
            let screen = testing::text(&draw(&dialog));
            assert!(screen.contains(count), "{typed}: {screen}");
            dialog.list_box.set(String::new());
        }
        // Up from the first entry leads to the built-in programs.
        dialog.scroll(Move::Up, SIZE);
        assert_eq!(dialog.choice(), "life");
    }

    #[test]
    fn a_late_title_does_not_change_the_selection() {
        let files = ["a.asm", "b.asm", "c.asm"].map(|name| listed(name, ""));
        let mut dialog = OpenDialog::new(files.into());
        enter(&mut dialog, "as");
        dialog.scroll(Move::Down, SIZE);
        let preview = ProgramPreview { title: "As it is".into(), display: Display::default() };
        dialog.take_preview("c.asm", &Preview::Program(preview));
        assert_eq!(dialog.find_matches()[0].name, "c.asm");
        assert_eq!(dialog.choice(), "b.asm");
    }

    fn draw(dialog: &OpenDialog) -> Buffer {
        let mut buffer = Buffer::empty(Rect::from(SIZE));
        dialog.draw(Theme::PICTURE, &mut buffer);
        buffer
    }

    #[test]
    fn the_selection_wraps_within_the_list() {
        let mut dialog = dialog("queens");
        for (to, choice) in [
            (Move::Down, "queens-bits"),
            (Move::Down, "queens"),
            (Move::Up, "queens-bits"),
            (Move::PageUp, "queens"),
            (Move::PageDown, "queens-bits"),
        ] {
            dialog.scroll(to, SIZE);
            assert_eq!(dialog.choice(), choice);
        }
        dialog.edit(Key::char('-'));
        assert_eq!(dialog.choice(), "queens-bits");
    }
}
