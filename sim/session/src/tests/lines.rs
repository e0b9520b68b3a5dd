//! The ends of printed lines: pauses at them, and the album.

use super::*;

/// The time until this many lines have ended.
fn time_until_line(session: &mut Session, line: u64) -> Duration {
    let mut passed = Duration::ZERO;
    let step = Duration::from_millis(1);
    while session.snapshot().output.finished < line {
        session.pass(step);
        passed += step;
        assert!(passed < 60 * SECOND, "line {line} never ends");
    }
    passed
}

#[test]
fn the_first_queens_result_is_shown_within_15_seconds() {
    let mut session = session(testing::program("queens"), false);
    let first = time_until_line(&mut session, 1);
    assert!((10 * SECOND..15 * SECOND).contains(&first), "{first:?}");
    let (found, display) = (session.now(), session.snapshot().display());
    let queens = (0..64).filter(|n| display.led(n / 8, n % 8) == Led::Red).count();
    assert_eq!(queens, 8);
    session.pass(SECOND.saturating_sub(Duration::from_millis(1)));
    assert_eq!((session.now(), session.run_state()), (found, RunState::Running));
    session.pass(SECOND / 10);
    assert!(session.now() > found);
}

/// Prints an empty line about every `instructions` instructions, for ever.
fn printer(instructions: u16) -> Program {
    let mut words = vec![Word::ldi(b'\n'), st(panel::MAILBOX.get())];
    words.extend((0..instructions - 3).map(|_| st(0)));
    words.push(jump(Op::Jmp, 0));
    program_from(&words)
}

#[test]
fn the_machine_dwells_at_lines_only_at_watchable_paces() {
    // At 10,000 instructions a second, these print a line every second, every quarter of a second,
    // or every hundredth of a second.
    for (pace, instructions, dwells, lines) in [
        ("10 k instr/s", 8_000, true, 3),
        ("10 k instr/s", 8_000, false, 5),
        ("10 k instr/s", 4_000, true, 4),
        ("10 k instr/s", 2_500, true, 12),
        ("10 k instr/s", 100, true, 300),
        ("100 k instr/s", 8_000, true, 50),
    ] {
        let mut session = session(printer(instructions), false).at(pace);
        session.command(Command::SetDwelling(dwells));
        session.pass(4 * SECOND);
        let printed = session.snapshot().output.finished;
        assert!((lines..=lines + lines / 3 + 1).contains(&printed), "{pace}: {printed} lines");
    }
}

#[test]
fn pausing_ends_a_dwell_for_good() {
    let mut session = session(printer(8_000), false).at("10 k instr/s");
    session.pass(SECOND / 10);
    assert_eq!(session.executed(), 2, "the first line is dwelt on");
    session.command(Command::RunOrPause);
    session.command(Command::RunOrPause);
    session.pass(SECOND / 10);
    assert_eq!(session.executed(), 1_003);
}

#[test]
fn a_break_stops_in_the_middle_of_the_due_work() {
    for pace in ["10 k instr/s", "10 M instr/s"] {
        let mut session = session(printer(8_000), false).at(pace);
        session.command(Command::SetDwelling(false));
        session.command(Command::Change(BreakChange::Add("7013".into())));
        session.advance(Duration::ZERO);
        for _ in 0..1_000 {
            session.advance(Duration::from_millis(20));
        }
        assert_eq!((session.run_state(), session.executed()), (RunState::Paused, 7_013), "{pace}");
    }
}

/// The moments, numbers and contents of the lines in the album.
fn album(session: &mut Session) -> Vec<(u64, u64, String)> {
    let album = session.snapshot().time.marks.album;
    let entries = album.entries().map(|it| (it.moment, it.line, it.text.to_string()));
    entries.collect()
}

#[test]
fn the_album_has_a_picture_for_each_printed_line() {
    let mut session = session(testing::program("queens"), false).at("unlimited");
    session.advance_by(300_000);
    let snapshot = session.snapshot();
    let pictures = &snapshot.time.marks.album;
    assert_eq!(pictures.entries().len(), 92);
    for (entry, line) in pictures.entries().zip(snapshot.output.lines()) {
        assert_eq!(&*entry.text, line);
        for (row, digit) in line.bytes().enumerate() {
            let queen = (0..8).filter(|column| entry.display.led(row, *column) == Led::Red);
            assert_eq!(queen.collect::<Vec<_>>(), [usize::from(digit - b'1')], "{line}");
        }
    }
    // Its moment can be reached, and the LEDs match.
    let entry = pictures.get(40).unwrap();
    session.command(Command::Seek(entry.moment));
    assert_eq!(session.snapshot().display(), entry.display);
}

/// Each key counts, even if the screen has not been drawn since the previous one.
#[test]
fn album_keys_go_to_neighbouring_pictures_and_stop_at_the_ends() {
    let mut session = session(testing::program("queens"), false).at("unlimited");
    session.advance_by(20_000);
    let moments: Vec<u64> = album(&mut session).into_iter().map(|(moment, ..)| moment).collect();
    let last = moments.len() - 1;
    session.command(Command::Seek(moments[last]));
    for (turn, there) in [
        (Command::PictureBack, moments[last - 1]),
        (Command::PictureBack, moments[last - 2]),
        (Command::PictureForward, moments[last - 1]),
        (Command::PictureForward, moments[last]),
        (Command::PictureForward, moments[last]),
    ] {
        session.command(turn);
        assert_eq!(session.now(), there);
    }
    let remark = session.snapshot().remark.expect("there is no later picture");
    assert_eq!(remark.text, "no later picture yet: ] runs to the next solution");
    session.command(Command::Seek(0));
    session.command(Command::PictureBack);
    let remark = session.snapshot().remark.expect("there is no earlier picture");
    assert_eq!(remark.text, "no earlier picture in the album");
}

#[test]
fn the_album_matches_the_known_history() {
    let mut session = session(testing::program("queens"), false).at("unlimited");
    session.advance_by(20_000);
    let known = album(&mut session);
    assert!(known.len() > 3);
    // Going back and running over the same moments again changes nothing.
    session.command(Command::Seek(known[0].0 - 10));
    assert_eq!(album(&mut session), known);
    session.command(Command::RunOrPause);
    session.advance_by(known[2].0 - known[0].0);
    assert_eq!(album(&mut session), known);
    // A button press begins a new future.
    session.command(Command::Seek(known[1].0));
    session.command(Command::Tap(Buttons(1)));
    assert_eq!(album(&mut session), known[..2]);
    // After a reset, lines are counted from 1 again.
    session.command(Command::Reset);
    session.command(Command::RunOrPause);
    session.advance_by(20_000);
    let again = album(&mut session);
    assert_eq!((again[1].1, again[2].1), (2, 1));
    assert_eq!(again[2].2, again[0].2);
}

#[test]
fn the_album_keeps_the_last_characters_of_a_long_line() {
    let letters: Vec<u8> = (b'a'..=b'z').chain(b'A'..=b'Z').collect();
    for length in [31, 32, 33, 52] {
        let line = &letters[..length];
        let print = |byte: &u8| [Word::ldi(*byte), st(panel::MAILBOX.get())];
        let mut words: Vec<Word> = line.iter().chain(b"\n").flat_map(print).collect();
        words.push(jump(Op::Jmp, words.len() as u16));
        let mut session = session(program_from(&words), false).at("unlimited");
        session.advance(Duration::ZERO);
        let end = &line[length.saturating_sub(32)..];
        assert_eq!(album(&mut session)[0].2.as_bytes(), end, "{length}");
    }
}

#[test]
fn a_thinned_album_keeps_the_first_picture() {
    let mut session = session(printer(5), false).at("unlimited");
    session.advance_by(10_000);
    let entries = album(&mut session);
    assert!((512..=1024).contains(&entries.len()));
    assert_eq!((entries[0].1, entries.last().unwrap().1), (1, 2_000));
    // Running again over removed pictures does not add them again.
    session.command(Command::Seek(10));
    session.command(Command::RunOrPause);
    session.advance_by(5_000);
    assert_eq!(album(&mut session), entries);
}
