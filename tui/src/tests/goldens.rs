//! Golden files: expected screens, as characters or with the names of their styles.
//!
//! To write the files again after an intended change: `UPDATE_GOLDENS=1 cargo test -p gray1-tui
//! golden`.

use std::fmt::Write as _;
use std::path::Path;

use gray1_isa::panel::Led;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use super::text;
use crate::theme::Theme;

/// A part of a golden file.
pub(crate) fn part(title: &str, screen: &Buffer) -> String {
    format!("==== {title}\n{}\n\n", text(screen))
}

/// Compares a drawing with a golden file below `app/tests`, or writes the file.
pub(crate) fn check(file: &str, drawn: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app/tests").join(file);
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(&file, drawn).unwrap();
    }
    let golden = std::fs::read_to_string(&file).unwrap();
    let difference = golden.lines().zip(drawn.lines()).position(|(golden, drawn)| golden != drawn);
    if let Some(line) = difference {
        let (golden, drawn) = (golden.lines().nth(line), drawn.lines().nth(line));
        panic!("{}:{}:\n{golden:?}, but drawn is\n{drawn:?}", file.display(), line + 1);
    }
    assert_eq!(golden.len(), drawn.len(), "{} has another length", file.display());
}

/// The styles of a theme with their names. If two styles are equal, the first name is used.
fn name_styles(theme: Theme) -> Vec<(&'static str, Color)> {
    let led = |led| theme.led_color(led);
    let color = |style: ratatui::style::Style| style.fg.or(style.bg).unwrap();
    let mut blank = Buffer::empty(Rect::new(0, 0, 1, 1));
    theme.paint(false, &mut blank);
    vec![
        ("text", blank[(0, 0)].fg),
        ("background", blank[(0, 0)].bg),
        ("panel", theme.panel().bg.unwrap()),
        ("panel text", theme.panel().fg.unwrap()),
        ("label", color(theme.label())),
        ("line", color(theme.line())),
        ("key", color(theme.key())),
        ("found", color(theme.found())),
        ("alert", color(theme.alert())),
        ("dark LED", led(Led::Dark)),
        ("green LED", led(Led::Green)),
        ("red LED", led(Led::Red)),
        ("yellow LED", led(Led::Yellow)),
        ("present", theme.current_line().bg.unwrap()),
    ]
}

/// A screen with the name of each style before its characters: `{label}count {text bold}42`.
pub(crate) fn mark_styles(screen: &Buffer, theme: Theme) -> String {
    let names = name_styles(theme);
    let name = |color| names.iter().find(|(_, it)| *it == color).map_or("?", |(name, _)| *name);
    let style = |cell: &ratatui::buffer::Cell| {
        let mut words = vec![name(cell.fg)];
        if name(cell.bg) != "background" {
            words.extend(["on", name(cell.bg)]);
        }
        let modifiers = [
            (Modifier::BOLD, "bold"),
            (Modifier::UNDERLINED, "underlined"),
            (Modifier::REVERSED, "reversed"),
        ];
        let modifiers = modifiers.iter().filter(|(it, _)| cell.modifier.contains(*it));
        words.extend(modifiers.map(|(_, name)| *name));
        words.join(" ")
    };
    let visible_on_spaces = Modifier::UNDERLINED | Modifier::REVERSED;
    let mut marked = String::new();
    for line in screen.content().chunks(usize::from(screen.area.width)) {
        let mut before = line[0].clone();
        before.set_fg(Color::Reset);
        for cell in line {
            // On a space, only the background and few modifiers are visible.
            let is_bare = cell.symbol() == " " && !cell.modifier.intersects(visible_on_spaces);
            let continues = is_bare && cell.bg == before.bg;
            if !continues && style(cell) != style(&before) {
                write!(marked, "{{{}}}", style(cell)).unwrap();
                before = cell.clone();
            }
            marked += cell.symbol();
        }
        marked.truncate(marked.trim_end().len());
        marked.push('\n');
    }
    marked
}
