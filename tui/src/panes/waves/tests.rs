//! The waves on screens of several sizes, compared with a machine that is stepped edge by edge.

use std::sync::Arc;

use gray1_circuit::Noise;
use gray1_session::Session;
use gray1_sim::{Hardware, Setup};
use ratatui::style::{Color, Modifier};

use super::window::Window;
use super::*;
use crate::app::App;
use crate::key::Key;
use crate::panes::pane::DynPaneSpec as _;
use crate::terminal::Depth;
use crate::tests::{self as testing, goldens, text};
use crate::theme::Theme;
use crate::{Effect, Mouse, MouseKind};

fn seek_edge(moment: u64, edges: u32) -> Command {
    Command::SeekEdge(gray1_session::Position { moment, edges })
}

const PLAIN: Theme = Theme { depth: Depth::None, unicode: false, ..RICH };
const RICH: Theme = Theme::PICTURE;

/// An engine without wires, one with wires, and the timed engine.
fn setups() -> [Setup; 3] {
    let board = Arc::new(gray1_roms::stock());
    let kinds = [
        Hardware::Instruction(None),
        Hardware::Chips(Arc::clone(&board), gray1_roms::nearest),
        Hardware::Timed(board, Noise::seeded(3)),
    ];
    kinds.map(|hardware| Setup { hardware, ..Setup::default() })
}

fn session(setup: &Setup) -> Session {
    let mut session = testing::session_on(setup.clone(), testing::program("queens"), true);
    session.command(Command::ShowWires(WireDetail::Waves));
    session
}

fn waves(session: &mut Session) -> Waves {
    session.snapshot().waves.unwrap()
}

fn app(session: &mut Session, size: Size) -> App {
    let mut app = testing::app_of(session, size, "waves");
    app.key(Key::char('z'));
    app
}

fn draw(app: &App, size: Size, theme: Theme) -> Buffer {
    let mut buffer = Buffer::empty(Rect::from(size));
    app.draw(theme, &mut buffer);
    buffer
}

#[test]
fn traces_match_stepping_edge_by_edge() {
    for setup in &setups()[1..] {
        let mut session = session(setup);
        let record = waves(&mut session);
        let engine = setup.engine(&session.snapshot().program.image).unwrap();
        let signals = DEFAULT_SIGNALS.map(|name| Signal::named(name, &record.board).unwrap());
        for zoom in [0, 2, ZOOM_MAX] {
            let window = Window { first: 0, count: record.edges().len(), width: 1 << zoom };
            let mut traces: Vec<_> =
                signals.iter().map(|it| trace::sample(it, &record, window)).collect();
            let mut engine = engine.boxed_clone();
            for n in window.edges() {
                let circuit = engine.circuit().unwrap();
                for (signal, trace) in signals.iter().zip(&mut traces) {
                    let columns: Vec<_> = trace.drain(..usize::from(window.width)).collect();
                    let value = signal.value(|net| circuit.level(net));
                    assert_eq!(columns.last().unwrap().value, value, "{} {n}", signal.name());
                    let moves = |net| circuit.changes().iter().filter(|it| it.net == net).count();
                    let most = signal.nets().iter().map(|&net| moves(net)).max();
                    let shows = columns.iter().any(|column| column.is_glitch);
                    assert_eq!(shows, n > 0 && most > Some(1), "{} {n}", signal.name());
                }
                engine.edge();
            }
        }
    }
}

#[test]
fn enter_goes_to_the_edge_at_the_cursor() {
    for setup in setups() {
        let size = Size::new(80, 24);
        let mut session = session(&setup);
        session.command(seek_edge(40, 3));
        let mut app = app(&mut session, size);
        let start = draw(&app, size, PLAIN);
        for (key, position) in [(KeyCode::Right, (40, 4)), (KeyCode::PageDown, (41, 4))] {
            testing::press_keys(&mut session, &mut app, [key.into(), KeyCode::Enter.into()]);
            let cpu = session.snapshot().cpu;
            assert_eq!((session.snapshot().time.now, u32::from(cpu.phase)), position);
        }
        let back = [KeyCode::PageUp, KeyCode::Left, KeyCode::Enter].map(Key::from);
        testing::press_keys(&mut session, &mut app, back);
        assert_eq!(text(&draw(&app, size, PLAIN)), text(&start));
    }
}

#[test]
fn clicks_move_the_cursor_and_then_go_there() {
    let size = Size::new(80, 24);
    let mut session = session(&setups()[0]);
    session.command(seek_edge(40, 3));
    let mut app = app(&mut session, size);
    let mouse = |kind, x, y| Mouse { kind, at: Position { x, y } };
    let screen = text(&draw(&app, size, PLAIN));
    let now = screen.lines().find_map(|line| line.find("v now")).unwrap() as u16;
    assert!(app.mouse(mouse(MouseKind::Press, now + 4, 8)).is_none());
    let screen = text(&draw(&app, size, PLAIN));
    assert!(screen.contains("1 edge ahead"), "{screen}");
    assert!(app.mouse(mouse(MouseKind::WheelDown, now, 8)).is_none());
    let screen = text(&draw(&app, size, PLAIN));
    assert!(screen.contains("3 edges ahead"));
    // The lines of explanation below the axis are not edges.
    let line = screen.lines().position(|line| line.contains("3 edges ahead")).unwrap() as u16;
    assert!(app.mouse(mouse(MouseKind::Press, now + 4, line)).is_none());
    assert_eq!(text(&draw(&app, size, PLAIN)), screen);
    app.mouse(mouse(MouseKind::Press, now - 4, 8));
    assert!(text(&draw(&app, size, PLAIN)).contains("1 edge back"));
    let effect = app.mouse(mouse(MouseKind::Press, now - 4, 8));
    let there = gray1_session::Position { moment: 40, edges: 2 };
    let there = matches!(effect, Some(Effect::Session(Command::SeekEdge(to))) if to == there);
    assert!(there, "{effect:?}");
}

#[test]
fn the_cursor_moves_by_edges_and_instructions_within_the_record() {
    let mut session = session(&setups()[1]);
    session.command(seek_edge(20, 0));
    let snapshot = session.snapshot();
    let record = snapshot.waves.as_ref().unwrap();
    let (now, last) = (record.now().cast_signed(), record.edges().len().cast_signed() - 1);
    let mut pane = WavesPane::default();
    let mut edge = |to| {
        pane.move_cursor(to, &snapshot, Size::new(80, 24));
        now + pane.offset
    };
    assert_eq!(edge(Move::Right), now + 1);
    assert_eq!(edge(Move::PageDown), now + 9);
    assert_eq!(edge(Move::Left), now + 8);
    assert_eq!(edge(Move::PageUp), now);
    assert_eq!((edge(Move::Last), edge(Move::Right)), (last, last));
    assert_eq!((edge(Move::First), edge(Move::Left)), (0, 0));
}

#[test]
fn keys_reorder_the_signals() {
    let size = Size::new(80, 24);
    let mut session = session(&setups()[0]);
    let mut app = app(&mut session, size);
    let mut first_lines = |keys: &str| {
        keys.chars().for_each(|c| drop(app.key(Key::char(c))));
        let screen = text(&draw(&app, size, PLAIN));
        let names = screen.lines().skip(5).filter_map(|line| line[1..].split(' ').next());
        names.take(3).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(first_lines("v"), "PHASE OSC PC");
    assert_eq!(first_lines("v"), "PHASE PC OSC");
    assert_eq!(first_lines("V"), "PHASE OSC PC");
    assert_eq!(first_lines("VVV"), "OSC PHASE PC");
}

#[test]
fn glitches_are_found_only_on_the_timed_engine() {
    let glitches = |setup: &Setup| {
        let mut session = session(setup);
        session.command(seek_edge(20, 0));
        let snapshot = session.snapshot();
        let mut pane = WavesPane { shown: vec!["BUS".to_owned()], ..WavesPane::default() };
        let mut rows = pane.keys().into_iter().enumerate();
        let is_offered = rows.all(|(n, row)| row.label != "glitch" || pane.is_useful(n, &snapshot));
        let reply = pane.find_glitch(&snapshot, |from, found| found > from);
        let record = snapshot.waves.as_ref().unwrap();
        let bus = Signal::named("BUS", &record.board).unwrap();
        let count = trace::count_glitches(&bus, &record.edges()[pane.cursor(record)]);
        (is_offered, matches!(reply, Reply::Done), count > 0)
    };
    let never = (false, false, false);
    assert_eq!(setups().each_ref().map(glitches), [never, never, (true, true, true)]);
}

#[test]
fn keys_go_to_the_next_and_previous_glitch() {
    let mut session = session(&setups()[2]);
    session.command(seek_edge(20, 0));
    let snapshot = session.snapshot();
    let record = snapshot.waves.as_ref().unwrap();
    let bus = Signal::named("BUS", &record.board).unwrap();
    let glitches = |edge: &usize| trace::count_glitches(&bus, &record.edges()[*edge]) > 0;
    let all: Vec<usize> = (0..record.edges().len()).filter(glitches).collect();
    let mut pane = WavesPane { shown: vec!["BUS".to_owned()], ..WavesPane::default() };
    pane.put_cursor(record, 0);
    let mut press = |key| {
        let is_meant = |binding: &KeyBinding<WavesPane>| binding.row.keys.contains(&Key::char(key));
        let reply = pane.act(WavesPane::KEYS.iter().position(is_meant).unwrap(), &snapshot);
        matches!(reply, Reply::Done).then(|| pane.cursor(record))
    };
    for edge in all.iter().filter(|edge| **edge > 0) {
        assert_eq!(press('y'), Some(*edge));
    }
    assert_eq!(press('y'), None, "that was the last one");
    for edge in all.iter().rev().skip(1) {
        assert_eq!(press('Y'), Some(*edge));
    }
    assert_eq!(press('Y'), None, "that was the first one");
}

#[test]
fn a_glitching_wire_is_reported_as_moving() {
    let mut session = session(&setups()[2]);
    session.command(seek_edge(20, 0));
    let snapshot = session.snapshot();
    let board = &snapshot.waves.as_ref().unwrap().board;
    let mut found = 0;
    for net in board.net_ids() {
        let mut pane =
            WavesPane { shown: vec![board.net(net).name().to_owned()], ..WavesPane::default() };
        if let Reply::Note(_) = pane.find_glitch(&snapshot, |from, found| found > from) {
            continue;
        }
        let screen = text(&testing::draw_pane(&pane, &snapshot, PLAIN, Rect::new(0, 0, 80, 20)));
        assert!(screen.contains(&format!("{} moved ", board.net(net).name())), "{screen}");
        found += 1;
    }
    assert!(found > 0);
}

#[test]
fn the_cursor_stays_in_the_record_at_the_end_of_the_program() {
    for setup in setups() {
        let program = testing::assemble(" LDI 1\n ST 0x1fe0\n HALT\n");
        let mut session = testing::session_on(setup, program, true);
        session.command(Command::ShowWires(WireDetail::Waves));
        let mut pane = WavesPane::default();
        pane.move_cursor(Move::Last, &session.snapshot(), Size::new(80, 24));
        for _ in 0..12 {
            session.command(Command::StepPhase);
            let record = waves(&mut session);
            assert_eq!(pane.cursor(&record), record.edges().len() - 1);
        }
    }
}

#[test]
fn the_waves_never_panic() {
    for setup in &setups()[1..] {
        let mut session = session(setup);
        session.command(seek_edge(9, 2));
        for (width, height) in (1..90).step_by(3).flat_map(|w| (1..30).map(move |h| (w, h))) {
            let size = Size::new(width, height);
            let mut app = app(&mut session, size);
            if width % 2 == 0 {
                (0..20).for_each(|_| drop(app.key(Key::char('x'))));
            }
            (0..height % 7).for_each(|_| drop(app.key(Key::char('>'))));
            draw(&app, size, RICH);
            app.key(KeyCode::End.into());
            app.key(Key::char('L'));
            draw(&app, size, PLAIN);
        }
    }
}

/// The screen at the seventh instruction of the queens search.
fn screen(setup: &Setup, size: Size, theme: Theme, keys: &str) -> Buffer {
    let mut session = session(setup);
    session.command(seek_edge(7, 3));
    let mut app = app(&mut session, size);
    testing::press_keys(&mut session, &mut app, testing::keys(keys));
    draw(&app, size, theme)
}

/// On the timed engine, glitches are counted and marked. With narrow columns, a strobe visibly
/// rises after the delays of two chips.
#[test]
fn waves_match_their_goldens() {
    let [at_rest, _, in_time] = setups();
    let size = Size::new(120, 40);
    let golden = [
        goldens::part("at rest", &screen(&at_rest, Size::new(80, 24), PLAIN, "")),
        goldens::part("in time, after xxxx", &screen(&in_time, size, RICH, "xxxx")),
        goldens::part("in time, after >>>", &screen(&in_time, size, RICH, ">>>")),
    ];
    goldens::check("panes/waves.txt", &golden.concat());
}

#[test]
fn cursor_selection_and_glitches_are_highlighted() {
    let buffer = screen(&setups()[2], Size::new(120, 40), RICH, "");
    let reversed = |y: u16| -> String {
        let cells = (0..120).map(|x| &buffer[(x, y)]);
        let cells = cells.filter(|cell| cell.modifier.contains(Modifier::REVERSED));
        cells.map(ratatui::buffer::Cell::symbol).collect()
    };
    assert_eq!((reversed(3).as_str(), reversed(5).trim_end()), ("T3  ", "OSC"));
    let mark = buffer.content().iter().find(|cell| cell.symbol() == "╳").unwrap();
    assert_eq!(mark.style().fg, RICH.alert().fg);
    let screen = text(&buffer);
    let now = screen.lines().nth(4).unwrap().chars().position(|c| c == '▼').unwrap() as u16;
    let tint = RICH.current_line().bg;
    let tinted = (0..120).filter(|x| buffer[(*x, 9)].style().bg == tint);
    assert_eq!(tinted.collect::<Vec<u16>>(), (now..now + 4).collect::<Vec<u16>>());
    // Without colours, the value at the cursor and the mark of the current edge are still there.
    let plain = self::screen(&setups()[2], Size::new(120, 40), PLAIN, "");
    assert!(plain.content().iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
    assert!(text(&plain).contains("v now"));
}

#[test]
fn a_long_signal_list_scrolls_with_the_selection() {
    let mut session = session(&setups()[1]);
    let size = Size::new(80, 14);
    let mut app = app(&mut session, size);
    assert!(!text(&draw(&app, size, PLAIN)).contains("PC_LOAD"));
    (0..14).for_each(|_| drop(app.key(KeyCode::Down.into())));
    let screen = text(&draw(&app, size, PLAIN));
    assert!(screen.contains("|PC_LOAD") && !screen.contains("|OSC"), "{screen}");
}

#[test]
fn a_fast_machine_computes_no_waves() {
    let mut session = session(&setups()[1]);
    session.command(Command::RunOrPause);
    assert!(session.snapshot().waves.is_none());
    let mut app = app(&mut session, Size::new(80, 24));
    let screen = text(&draw(&app, Size::new(80, 24), PLAIN));
    assert!(screen.contains("the machine runs: pause it"), "{screen}");
    app.key(Key::char('L'));
    assert!(text(&draw(&app, Size::new(80, 24), PLAIN)).contains("pause the machine first"));
    (0..20).for_each(|_| session.command(Command::Slower));
    assert!(session.snapshot().waves.is_some());
    session.command(Command::ShowWires(WireDetail::Nothing));
    session.command(Command::RunOrPause);
    assert!(session.snapshot().waves.is_none());
}
