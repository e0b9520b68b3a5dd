//! The session's execution counts of each instruction.

use super::*;

/// The current counts, as far as they are known.
fn counts(session: &mut Session) -> Option<Vec<u64>> {
    let profile = session.snapshot().profile.unwrap()?;
    Some((0..5).map(|n| profile.times(RomIndex::truncate(n))).collect())
}

#[test]
fn execution_counts_follow_the_current_moment() {
    let mut session = session(blinker(), true);
    let go = |session: &mut Session, command: Command| {
        session.command(command);
        testing::settle(session);
    };
    (0..7).for_each(|_| go(&mut session, Command::Step));
    assert!(session.snapshot().profile.is_none());
    go(&mut session, Command::ShowProfile(true));
    assert_eq!(counts(&mut session), Some(vec![2, 2, 1, 1, 1]));
    go(&mut session, Command::Step);
    assert_eq!(counts(&mut session), Some(vec![2, 2, 2, 1, 1]));
    go(&mut session, Command::Seek(3));
    assert_eq!(counts(&mut session), Some(vec![1, 1, 1, 0, 0]));
    go(&mut session, Command::Reset);
    go(&mut session, Command::Step);
    assert_eq!(counts(&mut session), Some(vec![2, 1, 1, 0, 0]), "over all resets");
    go(&mut session, Command::Load(Box::new(short())));
    assert_eq!(counts(&mut session), Some(vec![0; 5]));
    go(&mut session, Command::ShowProfile(false));
    assert!(session.snapshot().profile.is_none());
}

#[test]
fn a_long_history_is_counted_in_slices() {
    let mut session = session(counting(), false);
    session.advance_by(5_000_000);
    session.command(Command::RunOrPause);
    session.command(Command::ShowProfile(true));
    assert_eq!(session.advance(Duration::ZERO), Due::Now, "a key is answered meanwhile");
    assert_eq!(counts(&mut session), None);
    testing::settle(&mut session);
    let half = session.now() / 2;
    assert_eq!(counts(&mut session), Some(vec![session.now() - half, half, 0, 0, 0]));
    // After a step back, the counts start over.
    session.command(Command::StepBack);
    assert_eq!(session.advance(Duration::ZERO), Due::Now);
    testing::settle(&mut session);
    let half = session.now() / 2;
    assert_eq!(counts(&mut session), Some(vec![session.now() - half, half, 0, 0, 0]));
}
