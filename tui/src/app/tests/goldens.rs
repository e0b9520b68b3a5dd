//! The display at five sizes, on every kind of terminal, with its styles.
//!
//! A golden file has a part for every different look: which terminals have it, its characters, a
//! letter for the style of each cell, and what the letters mean on each terminal. To write them
//! again after a change that is meant: `UPDATE_GOLDENS=1 cargo test -p gray1-tui golden`.

use std::path::Path;

use ratatui::buffer::Cell;

use super::*;

/// A different look: characters, letters for styles, and for each terminal what the letters mean.
pub(super) struct Look {
    characters: String,
    styles: String,
    meanings: Vec<String>,
}

impl Look {
    /// The look of what was drawn for one terminal.
    pub(super) fn of(buffer: &Buffer) -> Self {
        let (styles, meaning) = styles(buffer);
        Self { characters: text(buffer), styles, meanings: vec![meaning] }
    }

    /// Its part of a golden file.
    pub(super) fn part(&self, title: &str) -> String {
        let Self { characters, styles, meanings } = self;
        let meanings = meanings.join("\n");
        format!("==== {title}\n{characters}\n---- styles\n{styles}\n----\n{meanings}\n\n")
    }
}

/// All kinds of terminals, each with its name.
fn terminals() -> impl Iterator<Item = (String, Theme)> {
    let depths = [
        (Depth::None, "no colours"),
        (Depth::Sixteen, "16 colours"),
        (Depth::Indexed, "256 colours"),
        (Depth::True, "all colours"),
    ];
    let palettes = [(Colors::Usual, "usual"), (Colors::Safe, "safe")];
    let sets = [(true, "Unicode"), (false, "ASCII")];
    sets.into_iter().flat_map(move |(unicode, set)| {
        depths.into_iter().flat_map(move |(depth, number)| {
            palettes.into_iter().map(move |(colors, palette)| {
                (format!("{set}, {number}, {palette}"), Theme { depth, colors, unicode })
            })
        })
    })
}

/// A screen with LEDs of all colours, at the end of a printed line, with an album of two.
fn app_at_a_line_end(size: Size) -> App {
    let mut session = testing::session(program(), false);
    session.command(Command::Go(Goal::PrintedLine));
    session.advance(Duration::ZERO);
    session.command(Command::Go(Goal::PrintedLine));
    session.advance(Duration::ZERO);
    testing::app_of(&mut session, size, "display")
}

fn style(cell: &Cell) -> String {
    let color = |color| match color {
        Color::Reset => "-".to_owned(),
        Color::Indexed(number) => number.to_string(),
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        other => format!("{other:?}"),
    };
    let modifiers = [
        (Modifier::BOLD, " bold"),
        (Modifier::UNDERLINED, " underlined"),
        (Modifier::REVERSED, " reversed"),
    ];
    let modifiers = modifiers.iter().filter(|(modifier, _)| cell.modifier.contains(*modifier));
    let modifiers: String = modifiers.map(|(_, name)| *name).collect();
    format!("{} on {}{modifiers}", color(cell.fg), color(cell.bg))
}

/// The letters of all cells, and what they mean; a space is the terminal's own style.
fn styles(buffer: &Buffer) -> (String, String) {
    let mut known = vec![style(&Cell::default())];
    let letters =
        |n: usize| char::from(b" abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[n]);
    let mut map = buffer.clone();
    for cell in &mut map.content {
        let style = style(cell);
        let place = known.iter().position(|it| *it == style).unwrap_or_else(|| {
            known.push(style);
            known.len() - 1
        });
        cell.set_char(letters(place));
    }
    let meanings = known.iter().enumerate().skip(1);
    let meanings = meanings.map(|(n, style)| format!("  {} {style}", letters(n)));
    (text(&map), meanings.collect::<Vec<_>>().join("\n"))
}

fn golden(size: Size) -> String {
    let mut app = app_at_a_line_end(size);
    let mut looks: Vec<Look> = Vec::new();
    for (name, theme) in terminals() {
        app.preferences.colors = theme.colors;
        let mut look = Look::of(&drawn(&app, theme));
        look.meanings[0].insert_str(0, &format!("{name}\n"));
        let is_same = |it: &&mut Look| it.characters == look.characters && it.styles == look.styles;
        match looks.iter_mut().find(is_same) {
            Some(known) => known.meanings.append(&mut look.meanings),
            None => looks.push(look),
        }
    }
    looks.iter().zip(1..).map(|(look, n)| look.part(&format!("look {n}"))).collect()
}

/// Compares what is drawn with what is kept in a file below `app/tests`, or keeps it there.
pub(super) fn check(file: &str, drawn: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app/tests").join(file);
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(&file, drawn).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap();
    let difference = kept.lines().zip(drawn.lines()).position(|(kept, drawn)| kept != drawn);
    if let Some(line) = difference {
        let (kept, drawn) = (kept.lines().nth(line), drawn.lines().nth(line));
        panic!("{}:{}:\n{kept:?}, but drawn is\n{drawn:?}", file.display(), line + 1);
    }
    assert_eq!(kept.len(), drawn.len(), "{} has another length", file.display());
}

#[test]
fn the_goldens_of_the_display_are_what_is_drawn() {
    for (width, height) in [(20, 12), (40, 20), (80, 24), (120, 40), (160, 50)] {
        check(&format!("display/{width}x{height}.txt"), &golden(Size { width, height }));
    }
}
