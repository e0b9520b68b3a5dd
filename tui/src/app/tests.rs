//! Screens with their styles, at many sizes.

mod answer;
mod board;
mod colours;
mod contrast;
mod debugger;
mod goldens;
mod keys;
mod overlays;
mod panes;

use std::time::Duration;

use gray1_debugger::why::Asked;
use gray1_isa::panel::{Led, SIDE};
use gray1_isa::presentation::{LegendEntry, Presentation, ShownValue};
use gray1_isa::{Image, Op, RamAddr, RomIndex, Symbol, SymbolKind, Word, panel};
use gray1_session::{
    BreakChange, Command, Goal, Program, RunState, SavedBreakpoints, Session, Snapshot,
};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier};

use super::{App, Mouse, MouseKind, layout};
use crate::actions::{Effect, KeyRow, ListPurpose};
use crate::key::{Key, KeyCode};
use crate::panes::display;
use crate::preferences::Preferences;
use crate::programs::ListedProgram;
use crate::terminal::{Background, Depth};
use crate::tests::{self as testing, text};
use crate::theme::{Colors, Theme};

const PLAIN: Theme = Theme { depth: Depth::None, unicode: false, ..RICH };
const RICH: Theme = Theme::PICTURE;

/// Lights the first rows in the four states, prints two lines and halts.
fn program() -> Program {
    let mut words = Vec::new();
    let mut store = |value, address| {
        words.extend([Word::ldi(value), Word::data(Op::St, RamAddr::truncate(address))]);
    };
    store(5, 0);
    store(0b0000_0001, panel::RED.get());
    store(0b1111_1000, panel::GREEN.get());
    store(0b0001_0000, panel::RED.get() + 1);
    store(0b1001_0000, panel::GREEN.get() + 1);
    for &byte in b"15863724\n16837425\n" {
        store(byte, panel::MAILBOX.get());
    }
    let end = RomIndex::truncate(words.len() as u16);
    words.push(Word::jump(Op::Jmp, end));
    let meaning = |led, text: &str| LegendEntry { led, text: text.into() };
    let presentation = Presentation {
        values: vec![ShownValue { address: RamAddr::default(), caption: "N".into() }],
        legend: vec![meaning(Led::Red, "queen"), meaning(Led::Green, "free")],
        ..Presentation::default()
    };
    let image = Image::from_words(&words).unwrap().with_title(Some("A test".into()));
    let n =
        Symbol { name: "N".into(), kind: SymbolKind::Variable, value: 0, size: 1, is_seed: false };
    let image = image.with_symbols(vec![n]).unwrap();
    Program::new("test".into(), image.with_presentation(presentation).unwrap())
}

/// Shows the held buttons in green.
fn mirror() -> Program {
    let read = Word::data(Op::Ld, panel::BUTTONS);
    let show = Word::data(Op::St, panel::GREEN);
    let again = Word::jump(Op::Jmp, RomIndex::truncate(0));
    let image = Image::from_words(&[read, show, again]).unwrap();
    Program::new("mirror".into(), image)
}

/// The screen after these keys, with the highlighted part of its last line in brackets.
fn screen_after(size: Size, keys: &[KeyCode]) -> String {
    let mut session = testing::session(mirror(), false);
    let mut app = testing::app_of(&mut session, size, "display");
    for &key in keys {
        if let Some(Effect::Session(command)) = app.key(key.into()) {
            session.command(command);
        }
    }
    session.advance(Duration::from_millis(1));
    app.update(session.snapshot());
    let buffer = draw(&app, PLAIN);
    let cells = buffer.content();
    let last_line = &cells[cells.len() - usize::from(size.width)..];
    let reversed = last_line.iter().filter(|cell| cell.modifier.contains(Modifier::REVERSED));
    let highlighted: String = reversed.map(ratatui::buffer::Cell::symbol).collect();
    format!("{}\n[{highlighted}]", text(&buffer))
}

/// An app at the program's end, or at its start.
fn app(ended: bool, size: Size) -> App {
    let mut session = testing::session(program(), !ended);
    for _ in 0..20 {
        session.advance(Duration::from_secs(1));
    }
    testing::app_of(&mut session, size, "display")
}

fn press(app: &mut App, code: KeyCode) {
    // The front end would carry out the effects.
    let _ = app.key(code.into());
}

/// The position of the LEDs when the display is in front.
fn matrix(app: &App) -> display::layout::Matrix {
    display::layout::arrange(app.places()[0].area, true).matrix
}

fn draw(app: &App, theme: Theme) -> Buffer {
    let mut buffer = Buffer::empty(Rect::from(app.size));
    app.draw(theme, &mut buffer);
    buffer
}

fn programs() -> Vec<ListedProgram> {
    let listed = |name: &str, title: &str| ListedProgram { name: name.into(), title: title.into() };
    vec![listed("life", "Conway's game of life"), listed("queens", "Eight queens")]
}

#[test]
fn values_and_legend_match_their_golden() {
    let program = testing::assemble(
        "
.var score
.show score
.show score, \"points of the other one\"
.show 0x1fe0, \"doors\"
.legend yellow, \"a door that is open\"
.legend dark, \"wall\"
.legend red, \"the one that hunts you\"
        HALT
",
    );
    let mut session = testing::session(program, true);
    let app = testing::app_of(&mut session, Size::new(80, 24), "display");
    testing::goldens::check(
        "display/values.txt",
        &testing::goldens::mark_styles(&draw(&app, RICH), RICH),
    );
}

#[test]
fn a_small_screen_shows_the_minimum_size() {
    let screen = text(&draw(&app(true, Size::new(18, 9)), PLAIN));
    assert_eq!(screen.trim(), "needs 20x12, this\n     is 18x9");
}

#[test]
fn the_screen_shows_button_mode_and_held_buttons() {
    let (i, esc, left) = (KeyCode::Char('i'), KeyCode::Esc, KeyCode::Left);
    let size = Size::new(80, 24);
    let before = screen_after(size, &[]);
    assert!(before.contains("buttons press i") && before.contains(" i buttons "), "{before}");
    let at_panel = screen_after(size, &[i]);
    let keys = " esc back  up/down/left/right move  enter A  backspace B  tab select  s start";
    assert!(at_panel.contains("buttons none held"), "{at_panel}");
    assert!(at_panel.ends_with(&format!("\n{keys}\n[]")), "{at_panel}");
    let held = screen_after(size, &[i, left, KeyCode::Char(' ')]);
    assert!(held.contains("buttons left+a") && held.contains("0  .   .   G   .   G"), "{held}");
    assert!(held.ends_with(&format!("{keys}\n[leftenter]")), "{held}");
    // When the keys go elsewhere, buttons stay held for their full time.
    let after = screen_after(size, &[i, left, esc, KeyCode::Right]);
    assert!(after.contains("buttons left\n") && after.contains(" i buttons "), "{after}");
}

#[test]
fn the_smallest_screen_shows_held_buttons() {
    let keys = [KeyCode::Char('i'), KeyCode::Char('k'), KeyCode::Char('s')];
    assert!(screen_after(Size::new(20, 12), &[]).contains("--100 k instr/s--"));
    let screen = screen_after(Size::new(20, 12), &keys);
    assert!(screen.contains("----up+start----"), "{screen}");
    assert!(screen.ends_with("\n esc back\n[]"), "{screen}");
}

#[test]
fn button_mode_needs_a_program_that_reads_buttons() {
    let mut app = app(false, Size::new(80, 24));
    press(&mut app, KeyCode::Char('i'));
    let screen = text(&draw(&app, PLAIN));
    assert!(screen.contains("this program reads no buttons"), "{screen}");
    press(&mut app, KeyCode::Char('?'));
    assert!(!app.buttons_have_keys && !screen.contains("buttons i"), "{screen}");
}

#[test]
fn help_and_palette_list_every_action_with_its_keys() {
    for key in ['?', ':'] {
        let mut app = app(true, Size::new(80, 200));
        let purpose = if key == '?' { ListPurpose::Help } else { ListPurpose::Do };
        let rows = app.rows(purpose);
        let keys = |row: &KeyRow| row.keys.iter().map(Key::to_string).collect::<Vec<_>>().join(" ");
        let width = rows.iter().map(|row| keys(row).len()).max().unwrap();
        press(&mut app, KeyCode::Char(key));
        let screen = text(&draw(&app, PLAIN));
        for row in rows {
            let line = format!(
                "| {:<width$} {}",
                keys(&row),
                app.snapshot.program.name_results(row.title)
            );
            assert!(screen.contains(&line), "{line}\n{screen}");
        }
    }
}

#[test]
fn typing_searches_the_help_and_enter_runs_the_action() {
    let mut app = app(true, Size::new(80, 24));
    testing::keys("?registers").for_each(|key| drop(app.key(key)));
    let screen = text(&draw(&app, PLAIN));
    assert!(screen.contains("pane: registers") && !screen.contains("run or pause"), "{screen}");
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.pane().name(), "machine");
    assert!(app.overlays.is_empty());
}

/// Users may have forgotten the breakpoints that they set in an earlier session.
#[test]
fn restored_breaks_are_announced_at_the_start() {
    let mut session = testing::session(program(), true);
    let saved = SavedBreakpoints { breaks: vec![("0".into(), true)], watches: Vec::new() };
    session.command(Command::Change(BreakChange::Restore(saved)));
    let size = Size::new(80, 24);
    let app = App::new(session.snapshot(), size, "display", Preferences::default());
    let screen = text(&draw(&app, PLAIN));
    assert!(screen.contains("one break restored: the breaks pane lists it"), "{screen}");
}

#[test]
fn an_action_of_another_pane_shows_a_note() {
    let mut app = app(true, Size::new(80, 24));
    testing::keys("?unfold a\n").for_each(|key| drop(app.key(key)));
    let screen = text(&draw(&app, PLAIN));
    assert!(screen.contains("That key works in the pane \"source\" (press 2)."), "{screen}");
}

#[test]
fn the_context_line_shows_important_keys_at_every_size() {
    let mut app = app(false, Size::new(0, 0));
    for front in 0..app.panes.len() {
        app.front = front;
        let name = app.pane().name();
        for width in 20..=250 {
            app.size = Size::new(width, 12 + width % 60);
            let screen = text(&draw(&app, PLAIN));
            let line = screen.lines().last().unwrap();
            assert!(line.starts_with(" space run  "), "{name} at {width}: {line}");
            // Shows at least the most important key, or the pane's own if it has one.
            assert!(line.len() > " space run  ".len(), "{name} at {width}: {line}");
            let own = match name {
                "source" => "x unfold",
                "board" => "p phase",
                _ => "",
            };
            assert!(line.contains(own), "{name} at {width}: {line}");
        }
    }
}

#[test]
fn an_open_error_is_shown_over_the_dialog() {
    let mut app = app(true, Size::new(60, 16));
    app.show_programs(programs());
    let message = "error: expected\n \x1b[31mtwo\x07";
    let effect = app.load_opened("a\nb", Err(message.into()));
    assert!(effect.is_none());
    let screen = text(&draw(&app, PLAIN));
    assert!(screen.contains(r"cannot open a\nb"), "{screen}");
    assert!(screen.contains(r"error: expected"), "{screen}");
    assert!(screen.contains(r"\u{1b}[31mtwo\u{7}"), "{screen}");
    press(&mut app, KeyCode::Esc);
    assert!(text(&draw(&app, PLAIN)).contains("open a program"));
}

#[test]
fn control_characters_of_a_program_are_escaped() {
    let image = Image::erased().with_title(Some("\x1b]0;title\x07".into()));
    let program = Program::new("\r\x1b[2J".into(), image);
    let mut session = testing::session(program, true);
    let app = testing::app_of(&mut session, Size::new(80, 24), "display");
    let buffer = draw(&app, PLAIN);
    assert!(text(&buffer).contains(r"\r\u{1b}[2J  \u{1b}]0;title\u{7}"), "{}", text(&buffer));
    for cell in buffer.content() {
        assert!(!cell.symbol().contains(char::is_control));
    }
}

#[test]
fn no_pane_panics_at_any_size() {
    let mut apps = [true, false].map(|ended| app(ended, Size::new(0, 0)));
    for width in (1..46).chain([80, 120, 250]) {
        for height in (1..26).chain([40, 80]) {
            let app = &mut apps[usize::from(height % 2)];
            (app.size, app.front) = (Size::new(width, height), 0);
            app.overlays.clear();
            for _ in 0..app.panes.len() {
                draw(app, RICH);
                for kind in [MouseKind::Press, MouseKind::Drag, MouseKind::WheelDown] {
                    app.mouse(Mouse { kind, at: Position::new(width / 2, height / 2) });
                    app.mouse(Mouse { kind, at: Position::new(width - 1, height - 1) });
                }
                press(app, KeyCode::Tab);
            }
            press(app, KeyCode::Char('?'));
            press(app, KeyCode::PageDown);
            draw(app, PLAIN);
            press(app, KeyCode::Esc);
            app.show_programs(programs());
            draw(app, RICH);
            for c in "/a/long/path/königin".chars() {
                app.key(Key::char(c));
            }
            draw(app, RICH);
            app.load_opened("/a/path", Err("a message of some words".repeat(20)));
            draw(app, PLAIN);
        }
    }
}

#[test]
fn memory_underlines_recent_bytes_and_draws_grids() {
    let mut session = testing::session(testing::program("queens"), false);
    session.advance_by(2_000);
    session.command(Command::RunOrPause);
    let app = testing::app_of(&mut session, Size::new(80, 24), "memory");
    let buffer = draw(&app, PLAIN);
    let screen = text(&buffer);
    for heading in ["stack, N ", "excluded[", "untried", " = "] {
        assert!(screen.contains(heading), "{heading} in {screen}");
    }
    let underlined = |modifier: Modifier| modifier.contains(Modifier::UNDERLINED);
    assert!(buffer.content().iter().any(|cell| underlined(cell.modifier)), "{screen}");
    // Each placed queen is shown.
    let n = testing::variable(&app.snapshot, "N");
    assert_eq!(screen.matches('Q').count(), usize::from(n), "{screen}");
}

/// The board during a taken jump, in this phase.
fn app_in_jump(phase: usize, size: Size) -> App {
    let jump = Word::jump(Op::Jmp, RomIndex::truncate(0x155));
    let image = Image::from_words(&[Word::ldi(7), jump]).unwrap();
    let mut session = testing::session(Program::new("jump".into(), image), true);
    session.command(Command::Step);
    (0..phase).for_each(|_| session.command(Command::StepPhase));
    testing::app_of(&mut session, size, "board")
}

#[test]
fn the_current_phase_is_visible_at_every_width() {
    for (size, phase) in [(20, 0), (20, 7), (30, 4), (30, 5), (30, 7), (41, 7)]
        .map(|(columns, phase)| (Size::new(columns, 12), phase))
    {
        let screen = text(&draw(&app_in_jump(phase, size), PLAIN));
        assert!(screen.contains(&format!("[T{phase}]")), "{phase} in {screen}");
    }
}

#[test]
fn moved_and_followed_wires_are_marked() {
    let mut app = app_in_jump(7, Size::new(80, 24));
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Char('f'));
    press(&mut app, KeyCode::Char('k'));
    let buffer = draw(&app, PLAIN);
    let screen = text(&buffer);
    assert!(screen.contains("follows PHASE.2 = 1: driven (*) by PHASE"), "{screen}");
    assert!(screen.contains("|*+PHASE") && screen.contains("| +CTRL"), "{screen}");
    // PHASE went from 101 to 100.
    let row: Vec<_> = buffer.content()[80 * 4..80 * 5].iter().collect();
    let marked: String = row
        .iter()
        .filter(|c| c.modifier.contains(Modifier::UNDERLINED))
        .map(|c| c.symbol())
        .collect();
    assert_eq!(marked, "0", "{screen}");
}

/// The program's description appears if a line above the LEDs is free, as on the usual screen.
#[test]
fn the_first_screen_shows_the_description_of_the_program() {
    for (name, second) in [
        ("queens", " Place eight queens so that none attacks another."),
        ("snake", " Arrows steer; eat what is red. Any button begins again."),
        ("fibonacci", ""),
    ] {
        let mut app = testing::app(name);
        for size in [Size::new(80, 24), Size::new(120, 40)] {
            app.resize(size);
            let mut buffer = Buffer::empty(Rect::from(size));
            app.draw(Theme::PICTURE, &mut buffer);
            assert_eq!(testing::text(&buffer).lines().nth(1).unwrap(), second, "{name} at {size}");
        }
    }
}

#[test]
fn the_caption_is_visible_at_every_size() {
    let mut session = testing::session(testing::program("queens"), false);
    session.advance_by(20_000);
    let mut app = testing::app_of(&mut session, Size::new(80, 24), "display");
    let program = &app.snapshot.program;
    let caption = program.image.caption(app.snapshot.cpu.pc).unwrap().to_owned();
    for (width, height) in (60..=240).step_by(9).flat_map(|w| (20..=80).map(move |h| (w, h))) {
        app.size = Size::new(width, height);
        let place = display::layout::arrange(app.places()[0].area, true).caption;
        let buffer = draw(&app, RICH);
        let lines = place.rows().map(|row| {
            row.positions().map(|at| buffer[at].symbol()).collect::<String>().trim().to_owned()
        });
        let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
        let shown = lines.join(" ");
        let shown = shown.trim_end_matches('…');
        assert!(shown.len() > 20 && caption.starts_with(shown), "{}: {shown}", app.size);
    }
}

#[test]
fn a_box_dims_everything_but_the_leds() {
    for (keys, size) in [("?", (80, 24)), ("w", (40, 12)), ("o", (120, 40)), ("w", (200, 60))] {
        let mut app = app(false, size.into());
        let before = draw(&app, RICH);
        testing::keys(keys).for_each(|key| drop(app.key(key)));
        app.show_programs(programs());
        let (after, covered) = (draw(&app, RICH), app.overlays[0].area(app.size));
        let covered = covered.union(app.overlays.last().unwrap().area(app.size));
        let lit = [Led::Dark, Led::Green, Led::Red, Led::Yellow].map(|led| RICH.led_color(led));
        for at in after.area.positions().filter(|at| !covered.contains(*at)) {
            let (cell, was) = (&after[at], &before[at]);
            let is_dim = Some(cell.fg) == RICH.line().fg && cell.modifier.is_empty();
            let is_footer = at.y == after.area.bottom() - 1;
            let is_led = Some(was.bg) == RICH.panel().bg || lit.contains(&was.bg);
            assert!(is_dim || is_footer || is_led && cell == was, "{keys} {at}: {cell:?}");
        }
    }
}

#[test]
fn changing_the_pace_of_a_stopped_machine_shows_a_note() {
    let mut session = testing::session(testing::program("queens"), true);
    let mut app = testing::app_of(&mut session, Size::new(40, 12), "memory");
    for (key, note) in [('+', "pace: 100 LED changes/s"), ('-', "pace: 30 LED changes/s")] {
        testing::press_keys(&mut session, &mut app, [Key::char(key)]);
        assert_eq!(app.shown_note(), Some(note));
    }
    testing::press_keys(&mut session, &mut app, testing::keys(" +"));
    assert_eq!(app.shown_note(), None, "a running machine shows it");
}

#[test]
fn the_palette_lists_useful_actions_first() {
    let mut app = app(false, Size::new(80, 24));
    for (pane, first) in [("display", "space quit"), ("board", "space p e A")] {
        app.show_pane(pane);
        let rows = app.rows(ListPurpose::Do).into_iter();
        let keys = rows.flat_map(|row| row.keys.iter().map(Key::to_string));
        let keys: Vec<String> = keys.collect();
        let place = |key: &str| keys.iter().position(|it| it == key).unwrap();
        let is_board = first.ends_with('A');
        assert_eq!(place("p") < place("q"), is_board, "{pane}: {keys:?}");
        assert!(place("q") < place("l") && place("space") == 0, "{pane}: {keys:?}");
    }
}

/// The positions of these labels on a screen.
fn places_of(labels: &[&str], screen: &str) -> Vec<Option<(usize, usize)>> {
    let place = |word: &&str| {
        let lines = screen.lines().enumerate();
        let mut found = lines.filter_map(|(y, line)| {
            Some((line.split(word).next()?.chars().count(), y)).filter(|_| line.contains(word))
        });
        found.next()
    };
    labels.iter().map(place).collect()
}

#[test]
fn the_panel_does_not_move_when_the_run_state_changes() {
    const LABELS: &[&str] = &["queen", "queens placed", "pace", "count", "PC", "output", "album"];
    let mut session = testing::session(testing::program("queens"), true);
    for (instructions, size) in [0, 20_000].into_iter().flat_map(|count| {
        let sizes = [(40, 20), (60, 45), (80, 24), (100, 30), (120, 40), (200, 60)];
        sizes.map(|(width, height)| (count, Size::new(width, height)))
    }) {
        session.command(Command::RunTo(gray1_session::Destination::Moment(instructions)));
        testing::settle(&mut session);
        let mut places = Vec::new();
        for run_state in [RunState::Paused, RunState::Running, RunState::Halted] {
            for speed in [None, Some(12_345)] {
                let mut app = testing::app_of(&mut session, size, "display");
                app.update(Snapshot { run_state, speed, ..session.snapshot() });
                places.push(places_of(LABELS, &text(&draw(&app, RICH))));
            }
        }
        assert!(places[0][2].is_some() && places[0][4].is_some(), "{size}");
        assert!(places.iter().all(|it| *it == places[0]), "{size}: {places:?}");
    }
}

#[test]
fn a_cut_number_ends_in_an_ellipsis() {
    const COUNT: u64 = 9_876_543_210;
    let mut session = testing::session(testing::program("queens"), true);
    for (width, height) in (20..200).step_by(3).flat_map(|w| [12, 24, 40].map(|h| (w, h))) {
        let mut app = testing::app_of(&mut session, Size::new(width, height), "display");
        let mut snapshot = session.snapshot();
        snapshot.cpu.executed = COUNT;
        (snapshot.time.now, snapshot.time.end) = (COUNT, COUNT);
        app.update(snapshot);
        for front in 0..app.panes.len() {
            app.front = front;
            let screen = text(&draw(&app, RICH));
            let is_digit = |c: char| c.is_ascii_digit() || c == ',';
            let begins = |at: usize| !screen[..at].ends_with(|c: char| c.is_alphanumeric());
            let found = screen.match_indices("9,8").chain(screen.match_indices("98"));
            for (start, _) in found.filter(|(at, _)| begins(*at)) {
                let number: String = screen[start..].chars().take_while(|c| is_digit(*c)).collect();
                let is_marked = screen[start + number.len()..].starts_with('…');
                let is_whole = ["9,876,543,210", "9876543210"].contains(&&*number);
                assert!(is_marked || is_whole, "{width}x{height}: {number} in {screen}");
            }
        }
    }
}
