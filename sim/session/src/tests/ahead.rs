//! A session that adopts the history of another one that ran ahead.

use super::*;

/// A session that has run to the end of its program.
fn run_to_end(program: Program) -> Session {
    let mut ahead = session(program, true);
    ahead.command(Command::RunTo(Destination::Moment(1000)));
    testing::settle(&mut ahead);
    assert_eq!(ahead.run_state(), RunState::Halted);
    ahead
}

#[test]
fn adopting_a_history_keeps_the_current_moment() {
    let mut session = session(short(), false).at("1 instr/s");
    session.pass(SECOND);
    session.command(Command::Change(BreakChange::Add("0004".into())));
    assert_eq!((session.executed(), session.run_state()), (2, RunState::Running));
    let ahead = run_to_end(short());
    let end = ahead.executed();
    session.adopt_lookahead(ahead);
    let snapshot = session.snapshot();
    assert_eq!((snapshot.time.now, snapshot.time.end), (2, end));
    assert_eq!(
        (snapshot.run_state, snapshot.pace.to_string()),
        (RunState::Running, "1 instr/s".into())
    );
    assert_eq!(snapshot.time.marks.album.entries().len(), 1);
    assert_eq!(snapshot.output.lines().collect::<Vec<_>>(), ["!"]);
    // The session's own breakpoints still work.
    session.pass(10 * SECOND);
    assert_eq!((session.executed(), session.run_state()), (4, RunState::Paused));
}

#[test]
fn a_seek_is_not_interrupted_by_a_history() {
    let mut session = session(counting(), false);
    let far = Destination::Moment(100_000_000);
    session.command(Command::RunTo(far));
    session.advance(Duration::ZERO);
    let end = session.now();
    session.adopt_lookahead(run_to_end(short()));
    assert_eq!((session.run_state(), session.now()), (RunState::Seeking(Some(far)), end));
}
