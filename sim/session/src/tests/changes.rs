//! The remarks about changes of a session, and the state that a change resets.

use super::*;

#[test]
fn a_reset_or_load_drops_the_goal() {
    for command in [Command::Reset, Command::Load(Box::new(counting()))] {
        let mut session = session(counting(), true);
        session.command(Command::Go(Goal::LED_CHANGE));
        session.advance(Duration::ZERO);
        assert_eq!(session.run_state(), RunState::Seeking(None));
        session.command(command);
        assert_eq!((session.run_state(), session.executed()), (RunState::Paused, 0));
    }
}

#[test]
fn each_change_of_breaks_and_watches_shows_a_remark() {
    use BreakChange::*;
    let mut session = session(blinker(), true);
    let toggle = || Toggle(RomIndex::truncate(3));
    let saved = SavedBreakpoints {
        breaks: vec![("1".into(), true), ("nonsense".into(), true), ("write 0".into(), false)],
        watches: vec!["A".into()],
    };
    let unused = "break set: write 0 (the program has no instruction that does this)";
    for (change, expected) in [
        (toggle(), "break set: 0x0003"),
        (
            Add("61 if A > 3".into()),
            "break set: 61 if A > 3 (61 is an index in program memory; :61 is a line)",
        ),
        (Remove(1), "break removed: 61 if A > 3"),
        (Add("write 0".into()), unused),
        (Switch(1), "break switched off: write 0"),
        (Switch(1), "break switched on: write 0"),
        (Switch(1), "break switched off: write 0"),
        // An existing one is switched on.
        (Add("write 0".into()), unused),
        (Switch(1), "break switched off: write 0"),
        (Switch(1), "break switched on: write 0"),
        (Switch(2), "no such break"),
        (Replace(2, "led".into()), "no such break"),
        (Replace(1, "write 1".into()), "break changed: write 1"),
        (Remove(1), "break removed: write 1"),
        (Remove(1), "no such break"),
        (toggle(), "break removed: 0x0003"),
        (Watch("A".into()), "watch added: A"),
        (Rewatch(0, "A + 1".into()), "watch changed: A + 1"),
        (Unwatch(1), "no such watch"),
        (Rewatch(1, "A".into()), "no such watch"),
        (Unwatch(0), "watch removed: A + 1"),
        (Unwatch(0), "no such watch"),
    ] {
        session.command(Command::Change(change));
        let remark = session.snapshot().remark.unwrap();
        assert_eq!(remark.text, expected);
        assert_eq!(remark.is_error, expected.starts_with("no such"));
    }
    // Restored watches cause no remark, but a breakpoint could stop the machine unexpectedly.
    session.command(Command::Change(Restore(SavedBreakpoints {
        breaks: Vec::new(),
        ..saved.clone()
    })));
    assert!(session.snapshot().remark.is_none());
    session.command(Command::Change(Restore(saved.clone())));
    let remark = session.snapshot().remark.unwrap();
    assert_eq!(remark.text, "3 breaks restored: the breaks pane lists them");
    let stops = session.snapshot().stops;
    let breaks: Vec<_> = stops.breaks.list().iter().map(|it| (it.text(), it.enabled)).collect();
    // A condition that is invalid here may be valid in another program.
    assert_eq!(breaks, [("1", true), ("nonsense", true), ("write 0", false)]);
    assert_eq!(*stops.watches, ["A"]);
    assert_eq!(stops.to_saved(), saved);
}

#[test]
fn the_number_of_watches_is_limited() {
    let mut session = session(blinker(), true);
    for n in 1..=65 {
        session.command(Command::Change(BreakChange::Watch(format!("A + {n}"))));
        let snapshot = session.snapshot();
        let full = "too many watches: remove one first";
        let remark = snapshot.remark.unwrap();
        assert_eq!((remark.text == full, remark.is_error), (n > 64, n > 64));
        assert_eq!(snapshot.stops.watches.len(), n.min(64));
    }
}

#[test]
fn printed_lines_are_marked_by_steps_and_runs() {
    let commands = [
        (Command::StepPhase, 8 * 20),
        (Command::Step, 20),
        (Command::Go(Goal::MAILBOX_BYTE), 1),
        (Command::Go(Goal::LED_CHANGE), 1),
    ];
    let marks = commands.map(|(command, times)| {
        let mut session = session(program_that_shows(), true);
        for _ in 0..times {
            run_command(&mut session, command.clone());
        }
        let marks = session.snapshot().time.marks;
        (marks.leds.len(), marks.lines.len(), session.executed())
    });
    // Single steps only mark line ends. A goal also marks LED changes.
    assert_eq!(marks, [(0, 3, 20), (0, 3, 20), (0, 0, 2), (1, 1, 6)]);
}

/// Prints a letter and a line end, then changes an LED.
fn program_that_shows() -> Program {
    let shown = [(b'a', 0x1fff), (b'\n', 0x1fff), (1, 0x1fe0)];
    let mut words: Vec<Word> =
        shown.into_iter().flat_map(|(value, to)| [Word::ldi(value), st(to)]).collect();
    words.push(jump(Op::Jmp, 0));
    program_from(&words)
}

#[test]
fn scrubbing_uses_fiftieths_of_the_known_history() {
    let setup = gray1_sim::Setup::default();
    let program = counting();
    let mut history = gray1_debugger::History::new(setup.engine(&program.image).unwrap());
    while history.start() == 0 {
        history.advance(1);
        history.give(gray1_debugger::Input::Hold(Buttons(1)));
    }
    history.advance(1_000);
    let (start, end) = (history.start(), history.end());
    let mut session = Session::resume(program, setup, history, Box::new(gray1_roms::stock));
    session.command(Command::ScrubBack);
    assert_eq!(session.now(), end - (end - start).div_ceil(50));
    session.command(Command::Seek(0));
    assert_eq!(session.now(), start);
    session.command(Command::ScrubBack);
    assert_eq!(session.now(), start);
    session.command(Command::StepBack);
    assert_eq!(session.snapshot().remark.unwrap().text, "already at the beginning");
}

#[test]
fn a_wire_break_stops_within_the_first_instruction() {
    let mut session = testing::session_on(testing::on_chips(), counting(), false);
    session.command(Command::Change(BreakChange::Add("wire IRH_EN rises".into())));
    session.advance_by(10);
    assert_eq!((session.run_state(), phase(&mut session)), (RunState::Paused, (0, 2)));
}

#[test]
fn going_back_does_not_release_a_button() {
    for command in [Command::GoBack(Goal::LED_CHANGE), Command::GoBack(Goal::Over)] {
        let mut session = session(blinker(), true);
        run_command(&mut session, Command::RunTo(Destination::Moment(7)));
        session.command(Command::Tap(Buttons(1)));
        assert!(run_command(&mut session, command) < 7);
        session.advance(SECOND);
        // Releasing the button in the past would begin a new future, and the known one would be
        // lost.
        assert_eq!((session.snapshot().time.end, session.snapshot().buttons), (7, Buttons::NONE));
        run_command(&mut session, Command::RunTo(Destination::Moment(9)));
        assert_eq!((session.snapshot().time.end, session.snapshot().buttons), (9, Buttons(1)));
    }
}
