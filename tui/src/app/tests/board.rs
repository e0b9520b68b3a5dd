//! The board pane as a picture: golden files, the paths of bytes phase by phase, keys and clicks.

use gray1_session::{Destination, RunState, WireDetail};
use ratatui::buffer::Cell;
use ratatui::layout::Position;

use super::*;
use crate::app::{Mouse, MouseKind};
use crate::tests::goldens;

const PICTURE: Size = Size { width: 120, height: 40 };

#[test]
fn the_board_picture_is_offered_if_it_fits() {
    let mut session = testing::session(testing::program("queens"), true);
    for (width, height, offers) in [(80, 24, false), (100, 40, true), (160, 50, true)] {
        let app = testing::app_of(&mut session, Size::new(width, height), "board");
        let screen = text(&draw(&app, RICH));
        let keys = screen.lines().last().unwrap();
        assert_eq!(keys.contains(" v list "), offers, "{keys}");
    }
}

#[test]
fn a_store_in_t6_matches_its_goldens() {
    let at = RamAddr::truncate(0x1234);
    let image = Image::from_words(&[Word::ldi(0x5a), Word::data(Op::St, at)]).unwrap();
    let mut session = testing::session(Program::new("store".into(), image), true);
    session.command(Command::Step);
    (0..6).for_each(|_| session.command(Command::StepPhase));
    for (size, theme, golden) in [
        (PICTURE, RICH, "120x40"),
        (Size::new(160, 50), RICH, "160x50"),
        (PICTURE, PLAIN, "120x40-ascii"),
    ] {
        let app = testing::app_of(&mut session, size, "board");
        goldens::check(&format!("board/{golden}.txt"), &(text(&draw(&app, theme)) + "\n"));
    }
}

/// Checks what docs/MACHINE.md, "Phases", says about a store: the chips that take a byte in each
/// phase, and the path of each byte.
#[test]
fn the_path_of_each_byte_is_heavy_forward_and_backward() {
    let store = Word::data(Op::St, RamAddr::truncate(0x1234));
    let image = Image::from_words(&[Word::ldi(7), store]).unwrap();
    let mut session = testing::session(Program::new("store".into(), image), true);
    session.command(Command::Step);
    let paths: [&[&str]; 8] =
        [&[], &[], &["PROG", "IRH"], &[], &["PROG", "IRL"], &[], &["RAM", "BUF", "AS"], &[]];
    let chips: Vec<String> =
        gray1_roms::stock().chips().iter().map(|it| it.name().into()).collect();
    let mut screens = Vec::new();
    for path in paths {
        let screen = text(&draw(&testing::app_of(&mut session, PICTURE, "board"), PLAIN));
        for name in &chips {
            let is_heavy = screen.contains(&format!("#= {name} ="));
            assert_eq!(is_heavy, path.contains(&name.as_str()), "{name} in {screen}");
        }
        assert_eq!(screen.contains("takes at 1234"), path.contains(&"BUF"), "{screen}");
        screens.push(screen);
        session.command(Command::StepPhase);
    }
    assert!(screens[7].contains(" at 1234"), "{}", screens[7]);
    for screen in screens.iter().rev() {
        session.command(Command::StepPhaseBack);
        let back = text(&draw(&testing::app_of(&mut session, PICTURE, "board"), PLAIN));
        assert_eq!(&back, screen);
    }
}

#[test]
fn chips_that_take_the_same_byte_are_listed_together() {
    let add = Word::data(Op::Add, RamAddr::truncate(0x1234));
    let jump = Word::jump(Op::Jmp, RomIndex::truncate(0x155));
    let image = Image::from_words(&[add, jump]).unwrap();
    let mut session = testing::session(Program::new("paths".into(), image), true);
    // T5 of the first instruction, and T0 after the second one.
    for (phases, paths, strobes) in [
        (4, "AS, RAM > ALUL, ALUH > AM, FLAGS  ", ["AM_EN opens", "CM_EN opens"]),
        (11, "IRH, IRL > PCH   IRH, IRL > PCH > PCL  ", ["PC_LOAD loads"; 2]),
    ] {
        (0..phases).for_each(|_| session.command(Command::StepPhase));
        let screen = text(&draw(&testing::app_of(&mut session, PICTURE, "board"), PLAIN));
        assert!(screen.lines().nth(2).unwrap().contains(&format!("   {paths}")), "{screen}");
        assert!(strobes.iter().all(|strobe| screen.contains(strobe)), "{screen}");
    }
}

/// Each number in a sentence is its chip's output in that phase. The sentence begins like that of
/// the board, which the pane shows in its second line at other times.
#[test]
fn a_tour_shows_the_values_on_the_wires() {
    let mut kinds = std::collections::BTreeSet::new();
    for moment in (0..12).map(|n| 14_001 * n).chain([184_039]) {
        let mut session = testing::session(testing::program("queens"), true);
        session.command(Command::ShowWires(WireDetail::Levels));
        session.command(Command::RunTo(Destination::Moment(moment)));
        while matches!(session.run_state(), RunState::Seeking(_) | RunState::Searching) {
            session.advance(Duration::ZERO);
        }
        session.command(Command::ToggleTour);
        let begun = session.snapshot();
        let word = begun.program.image.word(begun.cpu.pc);
        kinds.insert(word.op().mnemonic());
        let value =
            word.op().alu(begun.cpu.a, begun.cpu.ram[word.address().to_usize()], word.immediate());
        let mut sentences = Vec::new();
        for (phase, chip) in [
            None,
            Some("PROG"),
            Some("IRH"),
            None,
            Some("IRL"),
            Some("RAM"),
            Some("AM"),
            Some("AS"),
        ]
        .into_iter()
        .enumerate()
        {
            let snapshot = session.snapshot();
            let sentence = snapshot.tour.unwrap();
            assert!(sentence.starts_with(&format!("T{phase}: ")), "{sentence}");
            let levels = snapshot.levels.unwrap();
            let board = &levels.board;
            if let Some(chip) = chip {
                let chip = board.chips().iter().find(|it| it.name() == chip).unwrap();
                let number = format!(" {:02x}", levels.number(&chip.data));
                assert!(sentence.contains(&number), "{moment}: {sentence} but{number}");
            }
            let of_board = board.phase_sentence(|net| levels.level(net));
            assert!(sentence.starts_with(&format!("T{phase}: {of_board} ")), "{sentence}");
            // The sentence fits below the list on the smallest usual screen.
            assert!(crate::text::wrap(&sentence, 78).len() < 4, "{sentence}");
            sentences.push(sentence);
            session.command(Command::StepPhase);
        }
        assert!(sentences[5].contains(&format!("{:02x}", value.value)));
        let after = session.snapshot();
        assert_eq!((after.tour, after.cpu.a), (None, value.value));
    }
    assert!(kinds.len() > 1, "{kinds:?}");
}

#[test]
fn a_tour_ends_with_its_key_or_its_instruction() {
    for size in [Size::new(80, 24), PICTURE] {
        let mut session = testing::session(testing::program("queens"), true);
        let mut app = testing::app_of(&mut session, size, "board");
        let mut press = |key: &str| {
            let effect = app.key(key.chars().next().map(Key::char).unwrap());
            let Some(Effect::Session(command)) = effect else { panic!("{key}") };
            session.command(command);
            app.update(session.snapshot());
            text(&draw(&app, PLAIN))
        };
        let has_tour = |screen: &str| screen.contains("the path of one byte");
        let begun = press("F");
        assert!(
            has_tour(&begun) && begun.contains("T0: The program counter steps on to the first "),
            "{begun}"
        );
        let next = press("p");
        assert_eq!(
            next.matches("PROG shows the first byte of the instruction.").count(),
            1,
            "{next}"
        );
        assert!(press("P").contains("T0: The program counter"));
        for _ in 0..7 {
            assert!(has_tour(&press("p")));
        }
        assert!(!has_tour(&press("p")));
        assert!(has_tour(&press("F")));
        assert!(!has_tour(&press("F")));
    }
}

#[test]
fn a_tour_of_a_board_without_sentences_has_values_and_the_name_of_its_memory() {
    let (before, rest) = gray1_roms::GRAY1.split_once("    phases: [\n").unwrap();
    let (_, after) = rest.split_once("\n    ],\n").unwrap();
    let text = format!("{before}{after}").replace("name: \"RAM\"", "name: \"STORE\"");
    let load = Box::new(move || gray1_roms::load(&text).unwrap());
    let setup = gray1_sim::Setup::default();
    let mut session = Session::new(testing::program("queens"), setup, true, load).unwrap();
    session.command(Command::Step);
    session.command(Command::ToggleTour);
    let phases = (0..8).map(|_| {
        let sentence = session.snapshot().tour.unwrap();
        session.command(Command::StepPhase);
        sentence + "\n"
    });
    let tour: String = phases.collect();
    assert!(tour.starts_with("T0: The next instruction is LD "), "{tour}");
    assert!(tour.contains("T5: STORE shows ") && !tour.contains("RAM"), "{tour}");
}

#[test]
fn without_memory_reads_there_is_no_tour() {
    // After power-up, the machine begins its first instruction at T1.
    let read = Word::data(Op::Ld, RamAddr::default());
    let image = Image::from_words(&[read, Word::ldi(2), Word::shr()]).unwrap();
    let mut session = testing::session(Program::new("dull".into(), image), true);
    session.command(Command::Step);
    session.command(Command::ToggleTour);
    let snapshot = session.snapshot();
    assert_eq!((snapshot.tour, snapshot.time.now), (None, 1));
    assert!(snapshot.remark.unwrap().text.contains("no instruction near here reads memory"));
}

#[test]
fn a_key_toggles_picture_and_list() {
    let mut app = app_in_jump(7, PICTURE);
    let (picture, list) = ("+- ALUH -", "  ALUH  00000    its address");
    for expected in [picture, list, picture] {
        let screen = text(&draw(&app, PLAIN));
        assert!(screen.contains(expected), "{screen}");
        press(&mut app, KeyCode::Char('v'));
    }
    press(&mut app, KeyCode::Char('v'));
    // A screen that is too small always shows the list.
    for (width, height, expected) in [(100, 40, picture), (99, 40, list), (250, 39, list)] {
        app.size = Size::new(width, height);
        let screen = text(&draw(&app, PLAIN));
        assert!(screen.contains(expected), "{width}x{height}: {screen}");
    }
    // On a screen too low for the picture, the list leaves room for the display.
    app.size = Size::new(100, 39);
    assert!(text(&draw(&app, PLAIN)).contains("+-0-1-2-3-4-5-6-7--+"));
    // Panes next to the picture leave it the width that it needs.
    for width in 100..=250 {
        app.size = Size::new(width, 40);
        assert!(text(&draw(&app, PLAIN)).contains(picture), "{width}");
    }
}

#[test]
fn a_long_chip_list_scrolls_with_the_cursor() {
    let mut app = app_in_jump(7, Size::new(80, 14));
    for (code, (shown, hidden)) in
        [(KeyCode::Home, ("PHASE", "RAM")), (KeyCode::End, ("RAM", "PHASE"))]
    {
        press(&mut app, code);
        let screen = text(&draw(&app, PLAIN));
        let is_listed = |chip: &str| {
            let named = |line: &str| line.get(3..).is_some_and(|line| line.starts_with(chip));
            screen.lines().any(named)
        };
        assert!(is_listed(shown) && !is_listed(hidden), "{screen}");
    }
}

#[test]
fn the_list_shows_inputs_if_each_chip_has_two_lines() {
    let screen = text(&draw(&app_in_jump(7, Size::new(80, 40)), PLAIN));
    let mut lines = screen.lines().skip_while(|line| !line.contains("  AM    "));
    assert!(lines.next().unwrap().contains("AM_EN is off: keeps 07"), "{screen}");
    assert!(lines.next().unwrap().starts_with("|        ALUL.0-3 0111 ALUH.0-3 0000 AM 0"));
}

#[test]
fn a_click_selects_a_chip_in_picture_and_list() {
    for (size, x, y, expected) in [
        (PICTURE, 25, 27, "ALUH 27C010, "),
        (PICTURE, 110, 12, "RAM IDT7005, "),
        // A click between the chips has no effect.
        (PICTURE, 70, 33, "PHASE 82S123, "),
        (Size::new(80, 24), 5, 6, "PCH 27C010, "),
        (Size::new(80, 24), 5, 2, "PHASE 82S123, "),
    ] {
        let mut app = app_in_jump(7, size);
        app.mouse(Mouse { kind: MouseKind::Press, at: Position { x, y } });
        let screen = text(&draw(&app, PLAIN));
        assert!(screen.contains(expected), "{x}, {y}: {screen}");
    }
}

/// The highlighted wire is the clock line from PCL to PCH, with the branch that leads back to PCL.
/// No other wire is highlighted.
#[test]
fn the_followed_wire_is_highlighted() {
    let mut app = app_in_jump(0, PICTURE);
    // From PHASE to PCH, then along PCH, IRL and IRH to PCL.7.
    for code in [KeyCode::Down, KeyCode::Down].into_iter().chain([KeyCode::Right; 14]) {
        press(&mut app, code);
    }
    press(&mut app, KeyCode::Char('f'));
    let buffer = draw(&app, RICH);
    let screen = text(&buffer);
    assert!(screen.contains("follows PCL.7 = "), "{screen}");
    let is_line = |cell: &&Cell| "│▼┬┴├┤─┌┐└┘▶◀▲".contains(cell.symbol());
    let followed =
        |cell: &&Cell| cell.fg == RICH.key().fg.unwrap() && cell.modifier == Modifier::BOLD;
    // The pane's frame has the same colour, but is not bold.
    let symbols: String =
        buffer.content().iter().filter(is_line).filter(followed).map(Cell::symbol).collect();
    assert_eq!(symbols, "┌──▼▼", "{screen}");
}

#[test]
fn an_unknown_board_is_listed_with_the_reason() {
    let text = gray1_roms::GRAY1.replace("\"BUF\"", "\"DRIVER\"");
    let load = move || gray1_roms::load(&text).unwrap();
    let mut session =
        Session::new(mirror(), gray1_sim::Setup::default(), true, Box::new(load)).unwrap();
    let app = testing::app_of(&mut session, PICTURE, "board");
    let screen = super::text(&draw(&app, PLAIN));
    assert!(screen.contains("as a list: its chips are not those of the picture"), "{screen}");
    assert!(screen.contains("  DRIVER"), "{screen}");
}

/// With more chips than lines, the list scrolls and the detail below it stays.
#[test]
fn the_purpose_of_a_chip_stays_below_a_long_list() {
    let load = || gray1_roms::load(gray1_roms::GRAY1_B).unwrap();
    let mut session =
        Session::new(mirror(), gray1_sim::Setup::default(), true, Box::new(load)).unwrap();
    let mut app = testing::app_of(&mut session, Size::new(80, 24), "board");
    for (code, purpose) in [
        (KeyCode::Home, "|Counts through the eight phases of each instruction, "),
        (KeyCode::End, "|Lights one row of red LEDs and remembers it "),
    ] {
        press(&mut app, code);
        let screen = text(&draw(&app, PLAIN));
        assert!(screen.contains(purpose), "{screen}");
    }
}
