//! Tests of button presses. Programs must see each press, at any speed and in any order of actions.

use std::sync::Arc;
use std::time::Duration;

use super::*;

const MS: Duration = Duration::from_millis(1);
const UP: Buttons = Buttons(1);
const LEFT: Buttons = Buttons(4);
const BOTH: Buttons = Buttons(5);

/// Returns a debugger for a program that copies the buttons to an LED row in a loop, with `others`
/// more instructions in the loop.
fn mirror(others: usize) -> Debugger {
    let mut words = vec![Word::data(Op::Ld, panel::BUTTONS), Word::data(Op::St, panel::GREEN)];
    words.extend(std::iter::repeat_n(Word::shr(), others));
    words.push(Word::jump(Op::Jmp, RomIndex::truncate(0)));
    debugger(&words)
}

fn debugger(words: &[Word]) -> Debugger {
    let image = image(words);
    let machine = Machine::new(&image, PowerUp::Zero);
    Debugger::new(Arc::new(image), History::with_limits(Box::new(machine), SMALL))
}

/// Runs to a goal, for at most `count` instructions, and then pauses.
fn go(debugger: &mut Debugger, goal: Goal, count: u64) {
    debugger.go(goal).unwrap();
    debugger.advance(count);
    debugger.pause();
}

fn step(debugger: &mut Debugger, count: u64) {
    (0..count).for_each(|_| go(debugger, Goal::Instructions(1), 1));
}

fn row(debugger: &Debugger) -> u8 {
    debugger.engine().display().green[0]
}

#[test]
fn a_press_lasts_150_ms_and_until_the_program_has_read_it() {
    let mut debugger = mirror(9);
    go(&mut debugger, Goal::Run, 1);
    debugger.go(Goal::Run).unwrap();
    debugger.press(UP);
    debugger.release(UP);
    debugger.pass_time(200 * MS);
    assert_eq!(debugger.held(), UP, "nothing has read it");
    debugger.advance(11);
    assert_eq!((debugger.position().moment, debugger.held()), (12, UP));
    debugger.advance(1);
    assert_eq!(debugger.held(), Buttons::NONE);
    assert_eq!(debugger.history().given().last(), Some(&(13, Input::Hold(Buttons::NONE))));
    // A press that the program reads early is still held for its full time.
    debugger.advance(12);
    debugger.press(UP);
    debugger.release(UP);
    debugger.advance(12);
    debugger.pass_time(149 * MS);
    assert_eq!(debugger.held(), UP);
    assert_eq!(debugger.time_to_release(), Some(MS));
    debugger.pass_time(MS);
    assert_eq!(debugger.held(), Buttons::NONE);
}

#[test]
fn presses_of_one_button_queue_and_different_buttons_combine() {
    let mut debugger = mirror(0);
    for _ in 0..20 {
        debugger.press(UP);
        debugger.release(UP);
    }
    debugger.press(LEFT);
    debugger.release(LEFT);
    let rows: Vec<u8> = (0..20)
        .map(|_| {
            step(&mut debugger, 3);
            row(&debugger)
        })
        .collect();
    // The first press and the eight waiting ones are seen.
    assert_eq!(rows[..18], [5, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]);
    assert_eq!(rows[18..], [0, 0]);
}

#[test]
fn a_held_key_holds_the_button_and_a_repeating_key_prolongs_its_press() {
    let mut debugger = mirror(0);
    debugger.press(UP);
    step(&mut debugger, 30);
    assert_eq!((debugger.held(), row(&debugger)), (UP, 1));
    debugger.release(UP);
    step(&mut debugger, 3);
    assert_eq!(debugger.held(), Buttons::NONE);
    debugger.go(Goal::Run).unwrap();
    debugger.advance(30);
    for _ in 0..5 {
        debugger.press(UP);
        debugger.release(UP);
        debugger.advance(30);
        debugger.pass_time(100 * MS);
        assert_eq!(debugger.held(), UP);
    }
    debugger.pass_time(100 * MS);
    assert_eq!(debugger.held(), Buttons::NONE);
}

#[test]
fn a_press_has_the_same_effect_in_steps_of_phases_and_of_instructions() {
    let [mut by_phases, mut by_steps] = [mirror(0), mirror(0)];
    for debugger in [&mut by_phases, &mut by_steps] {
        debugger.press(UP);
        debugger.release(UP);
    }
    while by_phases.position() < Position::at(9) {
        by_phases.edge();
    }
    step(&mut by_steps, 9);
    assert_eq!(by_phases.history().given(), by_steps.history().given());
    assert_eq!(by_phases.history().given().len(), 2);
}

#[test]
fn reset_and_the_end_of_the_program_release_the_buttons() {
    let mut debugger = mirror(0);
    debugger.press(UP);
    debugger.give(Input::Reset);
    step(&mut debugger, 9);
    assert_eq!((debugger.held(), row(&debugger)), (Buttons::NONE, 0));
    let halt = Word::jump(Op::Jmp, RomIndex::truncate(1));
    let mut ends = self::debugger(&[Word::shr(), halt]);
    ends.press(UP);
    step(&mut ends, 2);
    assert!(ends.engine().halted());
    assert_eq!(ends.held(), Buttons::NONE);
    ends.press(UP);
    assert_eq!(ends.held(), Buttons::NONE, "nothing will read it");
    // Before the end of the program, the button is held.
    ends.seek(1, 0);
    assert_eq!(ends.held(), UP);
}

#[test]
fn a_press_in_the_past_replaces_the_future() {
    let mut debugger = mirror(0);
    step(&mut debugger, 6);
    debugger.press(UP);
    debugger.release(UP);
    step(&mut debugger, 12);
    let given = debugger.history().given().to_vec();
    assert_eq!(given, [(6, Input::Hold(UP)), (7, Input::Hold(Buttons::NONE))]);
    // Moving back and repeating known history do not create inputs.
    for moment in [6, 3, 18, 7, 18] {
        debugger.seek(moment, 0);
    }
    assert_eq!((debugger.history().end(), debugger.history().given()), (18, &given[..]));
    // A button that is held at this moment is also released in the new future.
    debugger.seek(6, 0);
    debugger.press(LEFT);
    debugger.release(LEFT);
    assert_eq!((debugger.history().end(), debugger.held()), (6, Buttons(5)));
    step(&mut debugger, 1);
    assert_eq!(debugger.held(), Buttons::NONE);
}

/// In the past, only a press of a button that was up starts another future.
#[test]
fn repeating_and_releasing_keys_in_the_past_erase_no_future() {
    let mut debugger = mirror(0);
    step(&mut debugger, 6);
    debugger.hold_down(UP);
    debugger.hold_down(BOTH);
    step(&mut debugger, 12);
    let known = (18, debugger.history().given().to_vec());
    // Both keys repeat, one is released, the other repeats and is released, and the focus is lost.
    for down in [BOTH, BOTH, LEFT, LEFT, Buttons::NONE, Buttons::NONE] {
        debugger.seek(9, 0);
        debugger.hold_down(down);
        debugger.pass_time(200 * MS);
        debugger.seek(18, 0);
        assert_eq!((debugger.history().end(), debugger.history().given().to_vec()), known);
        assert_eq!(debugger.held(), BOTH, "it is released when the machine moves at the end");
    }
    step(&mut debugger, 3);
    assert_eq!(debugger.held(), Buttons::NONE);
    debugger.hold_down(UP);
    debugger.seek(3, 0);
    debugger.hold_down(BOTH);
    assert_eq!((debugger.history().end(), debugger.held()), (3, BOTH), "another future");
    step(&mut debugger, 30);
    assert_eq!(debugger.held(), BOTH, "both are still down");
    debugger.hold_down(LEFT);
    step(&mut debugger, 3);
    assert_eq!(debugger.held(), LEFT);
}

/// A press during a run stops it where a backward run stops, too.
#[test]
fn a_run_stops_at_a_press_that_makes_a_condition_true() {
    let mut debugger = mirror(0);
    debugger.change_breakpoints(|breakpoints, program| {
        breakpoints.add(BreakpointRequest::text("when [0x1ffe] == 1"), program);
        breakpoints
            .add(BreakpointRequest::text("when [0x1ffe] == 1: pressed at {moment}"), program);
    });
    debugger.go(Goal::Run).unwrap();
    assert_eq!(debugger.advance(7), None);
    debugger.press(UP);
    assert_eq!(debugger.advance(7), Some(Stop::Breakpoints(vec![1])));
    assert_eq!(debugger.position().moment, 7);
    let logged = debugger.take_logged();
    assert_eq!(logged.iter().map(|(_, text)| &**text).collect::<Vec<_>>(), ["pressed at 7"]);
    // It does not fire again, but the next press does.
    debugger.go(Goal::Run).unwrap();
    assert_eq!(debugger.advance(7), None);
    assert_eq!(debugger.position().moment, 14);
    debugger.pause();
    debugger.go_back(Goal::Run).unwrap();
    assert_eq!(debugger.advance(0), Some(Stop::Breakpoints(vec![1])));
    assert_eq!((debugger.position().moment, debugger.hits().counts), (7, [1, 1].into()));
}

#[test]
fn a_key_that_stays_down_is_not_pressed_after_a_reset_or_the_end() {
    let mut debugger = mirror(0);
    debugger.hold_down(UP);
    step(&mut debugger, 3);
    debugger.give(Input::Reset);
    debugger.hold_down(UP);
    assert_eq!(debugger.held(), Buttons::NONE);
    debugger.hold_down(Buttons::NONE);
    debugger.hold_down(UP);
    assert_eq!(debugger.held(), UP);
    let halt = Word::jump(Op::Jmp, RomIndex::truncate(1));
    for down_at_end in [UP, LEFT] {
        let mut ends = self::debugger(&[Word::shr(), halt]);
        ends.hold_down(UP);
        step(&mut ends, 2);
        ends.hold_down(down_at_end);
        let end = ends.history().end();
        ends.seek(0, 0);
        ends.hold_down(down_at_end);
        assert_eq!(ends.history().end(), end);
    }
}

/// Generates actions of a user.
fn moves() -> impl Strategy<Value = Vec<(u8, u64)>> {
    prop::collection::vec((0..10_u8, 0..40_u64), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_press_is_read_before_it_is_released(words in programs(), moves in moves()) {
        sees_each_press(words, moves)?;
    }
}

/// The history forgets the press of a button that is still held, but keeps a later press of the
/// same button.
#[test]
fn a_forgotten_press_is_not_mistaken_for_a_later_one() {
    let mut words = vec![Word::data(Op::Ld, panel::GREEN), Word::ldi(0), Word::ldi(0)];
    words.push(Word::jump(Op::Jmp, RomIndex::truncate(0)));
    let presses = [(0, 2), (4, 20), (0, 0), (1, 32), (0, 17), (4, 19), (9, 35), (4, 9)];
    let more = [(0, 2), (4, 5), (5, 32), (9, 16), (3, 4), (0, 0)];
    sees_each_press(words, [&presses[..], &more[..]].concat()).unwrap();
}

/// The history starts at a moment at which a button was released and another pressed.
#[test]
fn a_release_at_the_start_of_the_history_is_that_of_a_forgotten_press() {
    let words = vec![Word::jump(Op::Jmp, RomIndex::truncate(0))];
    let presses = [(0, 3), (1, 15), (0, 8), (0, 10), (4, 11), (3, 2), (5, 8), (3, 13), (3, 13)];
    let more = [(0, 15), (9, 9), (0, 0), (9, 13), (4, 1), (9, 14)];
    sees_each_press(words, [&presses[..], &more[..]].concat()).unwrap();
}

#[test]
fn a_button_stays_held_when_the_history_forgets_its_press() {
    let mut debugger = mirror(0);
    debugger.hold_down(UP);
    for moment in 0..20 {
        debugger.give(Input::Poke(RamAddr::truncate(0), moment));
        assert_eq!((debugger.held(), debugger.history().given().len() <= 8), (UP, true));
        step(&mut debugger, 1);
    }
}

/// Performs these actions. Fails if the history releases a button before the program has read its
/// press.
fn sees_each_press(mut words: Vec<Word>, moves: Vec<(u8, u64)>) -> Result<(), TestCaseError> {
    words.insert(0, Word::data(Op::Ld, panel::BUTTONS));
    let mut debugger = debugger(&words);
    let mut down = 0;
    for (what, count) in moves {
        let (end, revision) = (debugger.history().end(), debugger.history().revision());
        let is_past = debugger.position() < Position::at(end);
        let (button, buttons) = (Buttons(1 << (count % 3)), Buttons(count as u8 % 8));
        let before = down;
        down = match what {
            0 => down | button.0,
            1 => down & !button.0,
            9 => buttons.0,
            _ => down,
        };
        match what {
            0 => debugger.press(button),
            1 => debugger.release(button),
            2 => debugger.pass_time(count as u32 * 10 * MS),
            3 => go(&mut debugger, Goal::Run, count),
            4 => step(&mut debugger, count % 8),
            5 => (0..count).for_each(|_| debugger.edge()),
            6 => {
                debugger.edge_back();
            }
            7 | 8 => debugger.seek(count * 3, 0),
            _ => debugger.hold_down(buttons),
        }
        let presses = matches!(what, 0 | 9) && down & !before != 0;
        if matches!(what, 6..=8) || is_past && matches!(what, 0..=2 | 9) && !presses {
            let history = debugger.history();
            prop_assert_eq!((history.end(), history.revision()), (end, revision));
        }
    }
    debugger.seek(u64::MAX, 0);
    let is_over = debugger.engine().halted();
    let given = debugger.history().given().to_vec();
    let reads = read_moments(&mut debugger);
    debugger.seek(0, 0);
    // If the history has forgotten its beginning, it starts after the inputs of its first moment,
    // and no longer shows when the buttons were pressed that are held there.
    let forgotten = Some(debugger.history().start()).filter(|start| *start > 0);
    let (mut held, mut since) = (forgotten.map_or(0, |_| debugger.held().0), [None; 8]);
    for (moment, input) in given.into_iter().filter(|(moment, _)| Some(*moment) > forgotten) {
        let Input::Hold(buttons) = input else { unreachable!("only buttons are given") };
        for (bit, since) in since.iter_mut().enumerate() {
            match (held >> bit & 1, buttons.0 >> bit & 1) {
                (0, 1) => *since = Some(moment),
                (1, 0) => prop_assert!(
                    since.is_none_or(|since| reads.iter().any(|it| (since..moment).contains(it)))
                        || is_over,
                    "{bit} from {since:?} to {moment}: {reads:?}"
                ),
                _ => {}
            }
        }
        held = buttons.0;
    }
    Ok(())
}

/// Returns the moments before instructions that read the buttons.
fn read_moments(debugger: &mut Debugger) -> Vec<u64> {
    let end = debugger.history().end();
    let mut reads = Vec::new();
    for moment in debugger.history().start()..end {
        debugger.seek(moment, 0);
        let word = debugger.engine().word(debugger.engine().pc());
        if word.op().reads_memory() && word.address() == panel::BUTTONS {
            reads.push(moment);
        }
    }
    debugger.seek(end, 0);
    reads
}
