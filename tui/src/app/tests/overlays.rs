//! The boxes over the panes: golden files at three sizes, a range of other sizes, and the keys of a
//! line that is typed.

use gray1_isa::panel::Display;

use super::*;
use crate::programs::{Preview, ProgramPreview, Programs};
use crate::script::{Script, ScriptEntry};
use crate::tests::goldens;

/// More programs than a small box can hold, one with a title longer than any box, and a folder.
struct FakePrograms;

impl Programs for FakePrograms {
    fn list(&self) -> Vec<ListedProgram> {
        let named =
            |n| ListedProgram { name: format!("program{n}"), title: format!("The title of {n}") };
        let wide = "A title that is as long as a line of a terminal, or even somewhat longer";
        let mut programs: Vec<ListedProgram> = (1..=17).map(named).collect();
        programs.insert(1, ListedProgram { name: "wide".into(), title: wide.into() });
        programs
    }

    fn preview(&self, name: &str) -> Preview {
        if name.ends_with('/') {
            return Preview::Folder(["deeper/", "one.asm", "only.asm"].map(str::to_owned).to_vec());
        }
        if !name.ends_with(|c: char| c.is_ascii_digit()) {
            return Preview::Nothing("no such file".into());
        }
        let display = Display { green: [0x81; SIDE], ..Display::default() };
        Preview::Program(ProgramPreview { title: format!("The title of {name}"), display })
    }

    fn open(&self, name: &str) -> Result<Program, String> {
        let line = |n| format!("{n}. what is wrong with {name}, in more words than fit\n");
        Err((1..=12).map(line).collect())
    }
}

/// The screen after these keys, with this pane in front at first.
pub(super) fn after(size: Size, front: &str, keys: &str) -> App {
    let mut session = testing::session(program(), true);
    let mut app = testing::app_of(&mut session, size, front);
    for entry in keys.parse::<Script>().unwrap().0 {
        let ScriptEntry::Press(key) = entry else { panic!("no time passes here") };
        match app.key(key) {
            Some(Effect::ListPrograms) => app.show_programs(FakePrograms.list()),
            Some(Effect::Open(name)) => drop(app.load_opened(&name, FakePrograms.open(&name))),
            _ => {}
        }
        while let Some(name) = app.wanted_preview() {
            app.take_preview(&name, &FakePrograms.preview(&name));
        }
    }
    app
}

/// Scenes: the pane in front at first, and the keys pressed.
pub(super) const SCENES: [(&str, &str); 27] = [
    ("source", "?"),
    ("source", "? PgDn"),
    ("source", "? End"),
    ("source", "? End PgUp"),
    ("source", "? p a n e"),
    ("source", ": p"),
    ("source", ": x y z z y"),
    ("source", "o"),
    ("source", "o PgDn Down"),
    ("source", "o End"),
    ("source", "o 1 Tab"),
    ("source", "o d / Down"),
    ("source", "o n o t h i n g"),
    ("source", "o Enter"),
    ("source", "o Enter Down"),
    ("source", "o Enter End PgUp"),
    ("source", "o Enter End"),
    ("source", "B"),
    ("source", "B w r i t e Space n o n s e n s e Enter"),
    ("source", "B a b c d e f g h i j k l m n o p q r s t u v w x y z"),
    ("source", "B a b c d e f g h i j k l m n o p q r s t u v w x y z Home Right"),
    ("source", "g"),
    ("source", "a [ N ] Left Left"),
    ("source", "/"),
    ("display", "w"),
    ("machine", "v"),
    ("waves", "L P C End Up"),
];

/// The part of the screen in the area of the topmost box.
fn in_front(app: &App, theme: Theme) -> Buffer {
    let screen = draw(app, theme);
    let area = app.overlays.last().unwrap().area(app.size);
    let mut buffer = Buffer::empty(area);
    area.positions().for_each(|at| buffer[at] = screen[at].clone());
    buffer
}

#[test]
fn overlays_match_their_goldens() {
    for (width, height) in [(20, 12), (41, 15), (80, 24)] {
        let part = |(front, keys)| {
            let boxed = in_front(&after(Size { width, height }, front, keys), RICH);
            let Rect { x, y, .. } = boxed.area;
            goldens::part(&format!("{front}: {keys}, at {x}, {y}"), &boxed)
        };
        let golden: String = SCENES.into_iter().map(part).collect();
        goldens::check(&format!("overlays/{width}x{height}.txt"), &golden);
    }
}

#[test]
fn editing_keys_work_as_in_shells() {
    for (keys, expected) in [
        ("", "one two three|"),
        ("BSpace", "one two thre|"),
        ("C-h", "one two thre|"),
        ("M-BSpace", "one two |"),
        ("C-w", "one two |"),
        ("Left", "one two thre|e"),
        ("C-b C-b", "one two thr|ee"),
        ("C-b C-f", "one two three|"),
        ("C-Left", "one two |three"),
        ("Home", "|one two three"),
        ("C-a", "|one two three"),
        ("C-a Right", "o|ne two three"),
        ("C-a C-Right", "one |two three"),
        ("C-a DC", "|ne two three"),
        ("C-a C-DC", "|two three"),
        ("C-a End", "one two three|"),
        ("C-a C-e", "one two three|"),
        ("C-Left C-k", "one two |"),
        ("C-Left C-k C-a C-y", "three|one two "),
        ("C-u", "|"),
        // Keys without a meaning change nothing.
        ("C-q M-x F5", "one two three|"),
    ] {
        let words = "B o n e Space t w o Space t h r e e ";
        let app = after(Size::new(80, 24), "source", &format!("{words}{keys} |"));
        let boxed = in_front(&app, PLAIN);
        let line = text(&boxed).lines().nth(1).unwrap().trim_matches('|').to_owned();
        assert_eq!(line.trim(), format!("> {expected}").trim(), "{keys}");
    }
}

#[test]
fn leds_outside_a_box_are_drawn_as_circles() {
    for (width, height) in [(20, 12), (80, 24), (160, 50)] {
        for front in ["display", "source"] {
            let size = Size { width, height };
            let spots = |keys| {
                let app = after(size, front, keys);
                (app.spots(RICH, &draw(&app, RICH)), app)
            };
            let (all, app) = spots("");
            let shows_leds = app.places().iter().any(|it| app.panes[it.pane].name() == "display");
            assert_eq!(all.len(), if shows_leds { SIDE * SIDE } else { 0 }, "{front} {size}");
            let (free, app) = spots("B");
            let area = app.overlays[0].area(size);
            let outside = all.iter().filter(|spot| !spot.cells.intersects(area));
            assert_eq!(free.len(), outside.count(), "{front} {size}");
        }
    }
}

#[test]
fn an_empty_search_shows_an_error() {
    let mut app = app(true, Size::new(80, 24));
    for code in [KeyCode::Char('2'), KeyCode::Char('/'), KeyCode::Enter] {
        press(&mut app, code);
    }
    assert!(text(&draw(&app, PLAIN)).contains("expected some text"));
}
