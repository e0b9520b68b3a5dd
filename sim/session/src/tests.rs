//! A session on a virtual clock.

mod ahead;
mod changes;
mod counting;
mod lines;
pub(crate) mod machines;

use gray1_isa::panel::Led;
use gray1_isa::{Image, Op, RamAddr, RomIndex, Word, panel};

use super::*;
use machines as testing;

const SECOND: Duration = Duration::from_secs(1);

fn jump(op: Op, target: u16) -> Word {
    Word::jump(op, RomIndex::truncate(target))
}

fn st(address: u16) -> Word {
    Word::data(Op::St, RamAddr::truncate(address))
}

/// Repeats three instructions for ever, which turn the top left LED red and dark.
fn blinker() -> Program {
    let red = st(panel::RED.get());
    program_from(&[Word::ldi(1), red, Word::ldi(0), red, jump(Op::Jmp, 0)])
}

/// Counts for ever without changing an LED.
fn counting() -> Program {
    program_from(&[st(0), jump(Op::Jmp, 0)])
}

/// Copies the buttons to the green LEDs, for ever.
fn mirror() -> Program {
    let read = Word::data(Op::Ld, panel::BUTTONS);
    program_from(&[read, st(panel::GREEN.get()), jump(Op::Jmp, 0)])
}

/// Prints an exclamation mark and a line end, and halts.
fn short() -> Program {
    let print = st(panel::MAILBOX.get());
    program_from(&[Word::ldi(b'!'), print, Word::ldi(b'\n'), print, jump(Op::Jmp, 4)])
}

fn program_from(words: &[Word]) -> Program {
    Program::new("test".into(), Image::from_words(words).unwrap())
}

fn session(program: Program, paused: bool) -> Session {
    testing::session(program, paused)
}

impl Session {
    fn at(mut self, pace: &str) -> Self {
        while self.clock.pace != self.clock.pace.changed(-1) {
            self.clock.pace = self.clock.pace.changed(-1);
        }
        while self.clock.pace.to_string() != pace {
            assert_ne!(self.clock.pace, self.clock.pace.changed(1), "no pace is called {pace}");
            self.clock.pace = self.clock.pace.changed(1);
        }
        self
    }

    /// The number of instructions executed since the reset.
    fn executed(&self) -> u64 {
        self.debugger.engine().executed()
    }

    /// Lets time pass as a perfect clock would, with waits exact to the nanosecond.
    fn pass(&mut self, mut time: Duration) {
        const ROUNDS_MAX: usize = 100_000;
        let mut step = Duration::ZERO;
        for round in 0.. {
            assert!(round < ROUNDS_MAX, "there is always more to do");
            let due = self.advance(step);
            step = match due {
                Due::Now => Duration::ZERO,
                Due::After(wait) if wait <= time => wait,
                Due::After(_) | Due::Never => break,
            };
            time -= step;
        }
        self.advance(time);
    }
}

#[test]
fn levels_are_computed_only_while_they_are_shown() {
    let mut session = session(blinker(), true);
    assert!(session.snapshot().levels.is_none());
    session.command(Command::ShowWires(WireDetail::Levels));
    assert!(session.snapshot().levels.is_some());
    session.command(Command::ShowWires(WireDetail::Nothing));
    assert!(session.snapshot().levels.is_none());
}

#[test]
fn instructions_are_executed_at_their_pace() {
    for (pace, in_ten_seconds) in [("1 instr/s", 11), ("3 instr/s", 31), ("30 instr/s", 301)] {
        let mut session = session(counting(), false).at(pace);
        session.pass(10 * SECOND);
        // The first instruction is executed at once.
        assert_eq!(session.executed(), in_ten_seconds, "{pace}");
    }
    let mut session = session(counting(), false).at("100 M instr/s");
    session.pass(SECOND / 10);
    assert_eq!(session.executed(), 10_000_001);
}

#[test]
fn playing_phases_ends_at_a_pause_or_break_with_the_old_pace() {
    let mut session = session(counting(), true);
    let pace = session.clock.pace;
    session.command(Command::PlayPhases);
    // The first phase is executed at once. After power-up, the machine begins at T1.
    session.pass(9 * SECOND);
    assert_eq!(
        (session.debugger.position(), session.clock.pace),
        (Position { moment: 1, edges: 3 }, Pace::PHASES)
    );
    assert_ne!(session.advance(Duration::ZERO), Due::Never);
    session.command(Command::PlayPhases);
    assert_eq!((session.run_state(), session.clock.pace), (RunState::Paused, pace));
    session.pass(9 * SECOND);
    assert_eq!(session.debugger.position(), Position { moment: 1, edges: 3 });
    // It stops at a breakpoint on the next instruction. A later run has the usual pace.
    let next = session.debugger.engine().pc();
    session.command(Command::Change(BreakChange::Toggle(next)));
    session.command(Command::PlayPhases);
    session.pass(60 * SECOND);
    assert_eq!((session.run_state(), session.debugger.position().edges), (RunState::Paused, 0));
    assert_eq!(session.debugger.engine().pc(), next);
    session.command(Command::PlayPhases);
    session.command(Command::Faster);
    session.command(Command::RunOrPause);
    assert_eq!(session.clock.pace.to_string(), "1 instr/s");
}

#[test]
fn levels_of_later_edges_are_right_and_the_machine_does_not_move() {
    for edges in 0..8 {
        let mut session = session(blinker(), true);
        session.command(Command::ShowWires(WireDetail::Levels));
        (0..3).for_each(|_| session.command(Command::Step));
        let known = (session.debugger.position(), session.debugger.history().end());
        let later = session.levels_after(edges).unwrap();
        assert_eq!((session.debugger.position(), session.debugger.history().end()), known);
        (0..edges).for_each(|_| session.command(Command::StepPhase));
        let levels = session.snapshot().levels.unwrap();
        for net in levels.board.net_ids() {
            let seen = |levels: &Levels| (levels.level(net), levels.moved(net));
            assert_eq!(seen(&later), seen(&levels), "{edges}");
        }
    }
}

#[test]
fn led_changes_appear_at_their_pace() {
    let mut session = session(blinker(), false).at("10 LED changes/s");
    session.pass(Duration::ZERO);
    assert_eq!((session.executed(), session.snapshot().display().led(0, 0)), (2, Led::Red));
    session.pass(SECOND / 10);
    assert_eq!((session.executed(), session.snapshot().display().led(0, 0)), (4, Led::Dark));
    session.pass(SECOND);
    assert_eq!(session.executed(), 4 + 5 * 5);
}

#[test]
fn a_run_without_led_changes_returns_after_each_slice() {
    let mut session = session(counting(), false);
    for slices in 1..10 {
        assert_eq!(session.advance(Duration::ZERO), Due::Now);
        assert_eq!(session.executed(), slices * session.slice());
    }
    session.command(Command::RunOrPause);
    assert_eq!(session.advance(SECOND), Due::Never);
    assert_eq!(session.executed(), 9 * session.slice());
}

#[test]
fn an_unlimited_pace_is_always_due() {
    let mut session = session(counting(), false).at("unlimited");
    assert_eq!(session.advance(SECOND), Due::Now);
    assert_eq!(session.executed(), session.slice());
}

#[test]
fn a_step_pauses_a_running_machine() {
    let mut session = session(counting(), false).at("1 instr/s");
    session.advance(Duration::ZERO);
    session.command(Command::Step);
    assert_eq!(session.advance(10 * SECOND), Due::Never);
    assert_eq!((session.executed(), session.run_state()), (2, RunState::Paused));
}

#[test]
fn a_search_for_an_led_change_can_be_cancelled() {
    let mut session = session(counting(), true);
    session.command(Command::Go(Goal::LED_CHANGE));
    assert_eq!(
        (session.advance(Duration::ZERO), session.run_state()),
        (Due::Now, RunState::Seeking(None))
    );
    session.command(Command::RunOrPause);
    assert_eq!((session.advance(SECOND), session.run_state()), (Due::Never, RunState::Paused));
}

#[test]
fn a_halted_program_runs_again_only_after_a_reset() {
    let mut session = session(short(), false).at("unlimited");
    assert_eq!(session.advance(Duration::ZERO), Due::Never);
    let snapshot = session.snapshot();
    assert_eq!(
        (snapshot.run_state, snapshot.cpu.executed, snapshot.cpu.pc.get()),
        (RunState::Halted, 5, 4)
    );
    assert_eq!(snapshot.output.lines().collect::<Vec<_>>(), ["!"]);
    for command in [Command::RunOrPause, Command::Step, Command::Go(Goal::LED_CHANGE)] {
        session.command(command);
        assert_eq!((session.advance(SECOND), session.run_state()), (Due::Never, RunState::Halted));
    }
    session.command(Command::Reset);
    let snapshot = session.snapshot();
    assert_eq!((snapshot.cpu.executed, snapshot.cpu.pc.get(), snapshot.output.finished), (0, 0, 0));
}

#[test]
fn a_reset_keeps_the_run_state() {
    for paused in [true, false] {
        let mut session = session(counting(), paused);
        let before = session.run_state();
        session.advance(SECOND);
        session.command(Command::Reset);
        assert_eq!((session.run_state(), session.executed()), (before, 0));
    }
}

#[test]
fn loading_a_program_keeps_pace_and_run_state() {
    for (paused, expected) in [(true, RunState::Paused), (false, RunState::Running)] {
        let mut session = session(short(), paused).at("3 instr/s");
        session.command(Command::Load(Box::new(blinker())));
        let snapshot = session.snapshot();
        assert_eq!((snapshot.run_state, snapshot.cpu.executed), (expected, 0));
        assert_eq!(snapshot.pace.to_string(), "3 instr/s");
    }
}

#[test]
fn a_key_holds_its_button_for_150_ms() {
    let button = |bit: u8| Buttons(1 << bit);
    let ms = Duration::from_millis;
    let mut session = session(mirror(), false).at("10 k instr/s");
    let green = |session: &mut Session| session.snapshot().display().green[0];
    assert!(session.snapshot().program.reads_buttons);
    session.command(Command::Tap(button(2)));
    session.pass(ms(100));
    assert_eq!((green(&mut session), session.snapshot().buttons), (4, button(2)));
    // Another button has its own time. Pressing the same one again restarts its time.
    session.command(Command::Tap(button(4)));
    session.pass(ms(60));
    assert_eq!(green(&mut session), 16);
    session.command(Command::Tap(button(4)));
    session.pass(ms(149));
    assert_eq!(green(&mut session), 16);
    session.pass(ms(2));
    assert_eq!((green(&mut session), session.snapshot().buttons), (0, Buttons::NONE));
}

#[test]
fn writing_to_the_buttons_does_not_count_as_reading() {
    let mut session = session(program_from(&[st(panel::BUTTONS.get()), jump(Op::Jmp, 1)]), true);
    assert!(!session.snapshot().program.reads_buttons);
}

#[test]
fn a_new_version_of_a_program_keeps_the_chosen_pace() {
    let mut session = session(mirror(), false);
    let pace = |session: &mut Session| session.snapshot().pace.to_string();
    assert_eq!(pace(&mut session), "100 k instr/s");
    session.command(Command::Slower);
    let mirror = Program::clone(&session.snapshot().program);
    session.command(Command::Load(Box::new(mirror.clone())));
    assert_eq!(pace(&mut session), "10 k instr/s");
    session.command(Command::PlayPhases);
    let other = Program::new("other".into(), Arc::clone(&blinker().image));
    session.command(Command::Load(Box::new(other)));
    assert_eq!(pace(&mut session), "30 LED changes/s");
    session.command(Command::Load(Box::new(mirror)));
    assert_eq!(pace(&mut session), "100 k instr/s");
}

#[test]
fn the_speed_is_measured_only_while_running() {
    let mut session = session(counting(), false).at("1 M instr/s");
    assert_eq!(session.snapshot().speed, None);
    session.pass(3 * SECOND);
    let speed = session.snapshot().speed.unwrap();
    assert!((990_000..1_010_000).contains(&speed), "{speed}");
    session.command(Command::RunOrPause);
    assert_eq!(session.snapshot().speed, None);
}

#[test]
fn a_long_stall_is_not_caught_up() {
    let mut session = session(counting(), false).at("10 M instr/s");
    session.pass(SECOND);
    let before = session.executed();
    session.advance(3_600 * SECOND);
    testing::settle(&mut session);
    assert!(session.executed() - before < 1_000_000);
}

/// The number of executed instructions, and the board's phase.
fn phase(session: &mut Session) -> (u64, u8) {
    let cpu = session.snapshot().cpu;
    (cpu.executed, cpu.phase)
}

#[test]
fn every_run_completes_the_current_instruction() {
    for command in [Command::Step, Command::RunOrPause, Command::Go(Goal::LED_CHANGE)] {
        let mut session = session(blinker(), true).at("1 instr/s");
        session.command(Command::StepPhase);
        session.command(command);
        session.advance(Duration::ZERO);
        assert_eq!(session.snapshot().cpu.phase, 0);
    }
}

/// Gives a command, waits until it is done, and returns the moment.
fn run_command(session: &mut Session, command: Command) -> u64 {
    session.command(command);
    testing::settle(session);
    assert!(matches!(session.run_state(), RunState::Paused | RunState::Halted));
    session.snapshot().time.now
}

#[test]
fn a_search_without_a_result_says_so() {
    let mut session = session(blinker(), true);
    for (goal, expected) in
        [(Goal::LED_CHANGE, "no earlier LED change"), (Goal::Breakpoint, super::running::NO_BREAKS)]
    {
        assert_eq!(run_command(&mut session, Command::GoBack(goal)), 0);
        assert_eq!(session.snapshot().remark.unwrap().text, expected);
    }
    session.command(Command::Step);
    assert_eq!(session.snapshot().remark, None);
}

#[test]
fn a_remark_calls_a_printed_line_what_the_program_calls_it() {
    for (program, expected) in [
        (testing::program("queens"), "no earlier solution"),
        (testing::assemble(".result \"move\"\n HALT\n"), "no earlier move"),
        (testing::program("life"), "no earlier printed line"),
    ] {
        let mut session = session(program, true);
        assert_eq!(run_command(&mut session, Command::GoBack(Goal::PRINTED_LINE)), 0);
        assert_eq!(session.snapshot().remark.unwrap().text, expected);
    }
}

#[test]
fn a_break_stops_at_every_pace_with_a_reason() {
    for pace in ["30 instr/s", "10 LED changes/s", "unlimited"] {
        let mut session = session(counting(), false).at(pace);
        session.command(Command::Change(BreakChange::Add("write 0".into())));
        session.command(Command::Change(BreakChange::Add("1".into())));
        session.pass(SECOND);
        assert_eq!((session.run_state(), session.executed()), (RunState::Paused, 1), "{pace}");
        let reason = session.snapshot().stops.reason.unwrap();
        assert_eq!(reason.hits, ["write 0", "1"]);
        assert_eq!(reason.text, "0x0000: 00 -> 00 by ST at 0x0000");
    }
}

#[test]
fn a_log_point_shows_its_message_and_does_not_stop() {
    let mut session = session(blinker(), true);
    session.command(Command::Change(BreakChange::Add("led 0, 0: {moment}".into())));
    for remark in ["2", "4", "7"] {
        run_command(&mut session, Command::Go(Goal::LED_CHANGE));
        assert_eq!(session.snapshot().remark.map(|it| it.text), Some(remark.into()));
    }
}

#[test]
fn a_long_search_shows_progress_and_can_be_cancelled() {
    let mut session = session(counting(), false).at("unlimited");
    for _ in 0..20 {
        session.advance(Duration::ZERO);
    }
    session.command(Command::RunOrPause);
    let now = session.snapshot().time.now;
    session.command(Command::Change(BreakChange::Add("when [0] == 300".into())));
    session.command(Command::GoBack(Goal::Breakpoint));
    let mut down_to = now;
    while down_to > now / 2 {
        assert_eq!(session.advance(Duration::ZERO), Due::Now);
        let time = session.snapshot().time;
        assert!(time.searched.unwrap() <= down_to && time.now == now, "{time:?}");
        down_to = time.searched.unwrap();
    }
    session.command(Command::Cancel);
    assert_eq!((session.run_state(), session.snapshot().time.now), (RunState::Paused, now));
}

#[test]
fn the_ends_of_printed_lines_are_marked() {
    let mut session = session(short(), false).at("unlimited");
    session.advance(Duration::ZERO);
    assert_eq!(*session.snapshot().time.marks.lines, [4]);
    assert_eq!(run_command(&mut session, Command::Seek(3)), 3);
    assert_eq!(session.snapshot().output.lines().collect::<Vec<_>>(), ["!"]);
    assert_eq!(session.snapshot().output.finished, 0);
    // A reset in the past begins a new future.
    session.command(Command::Reset);
    assert!(session.snapshot().time.marks.lines.is_empty());
}

#[test]
fn breaks_apply_to_the_next_program() {
    let mut session = session(blinker(), true);
    session.command(Command::Change(BreakChange::Add("4".into())));
    session.command(Command::Load(Box::new(short())));
    session.command(Command::RunOrPause);
    assert_eq!(run_command(&mut session, Command::Go(Goal::Breakpoint)), 4);
}

#[test]
fn the_stop_reason_keeps_the_buttons_that_were_read() {
    let nand = Word::data(Op::Nand, panel::BUTTONS);
    let read = Word::data(Op::Ld, panel::BUTTONS);
    let mut session = session(program_from(&[read, nand, jump(Op::Jmp, 0)]), true);
    session.command(Command::Tap(Buttons(0x10)));
    for _ in 0..2 {
        // The step releases the button after the instruction that has read it.
        session.command(Command::Step);
        assert_eq!(session.snapshot().cpu.a, 0x10);
        let reason = session.snapshot().stops.reason.unwrap().text;
        assert!(reason.contains("10 read by LD"), "{reason}");
        session.command(Command::StepBack);
    }
}
