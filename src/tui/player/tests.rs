//! The deck on a virtual clock.

use gray1_isa::panel::Led;
use gray1_isa::{Op, RamAddr, Symbol, SymbolKind, Word, panel};

use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn jump(op: Op, target: u16) -> Word {
    Word::jump(op, RomIndex::truncate(target))
}

fn st(address: u16) -> Word {
    Word::data(Op::St, RamAddr::truncate(address))
}

/// Three instructions a round: the top left LED turns red, then dark, for ever.
fn blinker() -> Opened {
    let red = st(panel::RED.get());
    opened(&[Word::ldi(1), red, Word::ldi(0), red, jump(Op::Jmp, 0)])
}

/// Counts, and never touches an LED.
fn dark() -> Opened {
    opened(&[st(0), jump(Op::Jmp, 0)])
}

/// Copies the buttons to the green LEDs, for ever.
fn mirror() -> Opened {
    let look = Word::data(Op::Ld, panel::BUTTONS);
    opened(&[look, st(panel::GREEN.get()), jump(Op::Jmp, 0)])
}

/// Prints an exclamation mark and a line end, and halts.
fn short() -> Opened {
    let print = st(panel::MAILBOX.get());
    opened(&[Word::ldi(b'!'), print, Word::ldi(b'\n'), print, jump(Op::Jmp, 4)])
}

fn opened(words: &[Word]) -> Opened {
    Opened { name: "test".into(), image: Image::from_words(words).unwrap() }
}

fn player(program: Opened, paused: bool) -> Player {
    Player::new(program, PowerUp::Zero, paused)
}

impl Player {
    fn at(mut self, pace: &str) -> Self {
        while self.pace != self.pace.slower() {
            self.pace = self.pace.slower();
        }
        while self.pace.to_string() != pace {
            assert_ne!(self.pace, self.pace.faster(), "no pace is called {pace}");
            self.pace = self.pace.faster();
        }
        self
    }

    /// Lets time pass as a perfect clock would: waits are kept to the nanosecond.
    fn pass(&mut self, mut time: Duration) {
        let mut step = Duration::ZERO;
        loop {
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
fn instructions_come_at_their_pace() {
    for (pace, in_ten_seconds) in [("1 instr/s", 11), ("3 instr/s", 31), ("30 instr/s", 301)] {
        let mut player = player(dark(), false).at(pace);
        player.pass(10 * SECOND);
        // The first one came at once.
        assert_eq!(player.executed(), in_ten_seconds, "{pace}");
    }
    let mut player = player(dark(), false).at("100 M instr/s");
    player.pass(SECOND / 10);
    assert_eq!(player.executed(), 10_000_001);
}

#[test]
fn led_changes_come_at_their_pace_however_far_apart_they_are() {
    let mut player = player(blinker(), false);
    player.pass(Duration::ZERO);
    assert_eq!((player.executed(), player.snapshot().display().led(0, 0)), (2, Led::Red));
    player.pass(SECOND / 10);
    assert_eq!((player.executed(), player.snapshot().display().led(0, 0)), (4, Led::Dark));
    player.pass(SECOND);
    assert_eq!(player.executed(), 4 + 5 * 5);
}

#[test]
fn a_program_without_led_changes_is_served_in_slices() {
    let mut player = player(dark(), false);
    for slices in 1..10 {
        assert_eq!(player.advance(Duration::ZERO), Due::Now);
        assert_eq!(player.executed(), slices * SLICE);
    }
    player.command(Command::RunOrPause);
    assert_eq!(player.advance(SECOND), Due::Never);
    assert_eq!(player.executed(), 9 * SLICE);
}

#[test]
fn without_a_limit_there_is_always_more_to_do() {
    let mut player = player(dark(), false).at("unlimited");
    assert_eq!(player.advance(SECOND), Due::Now);
    assert_eq!(player.executed(), SLICE);
}

#[test]
fn paused_it_does_nothing_until_it_is_stepped() {
    let mut player = player(blinker(), true);
    assert_eq!(player.advance(SECOND), Due::Never);
    assert_eq!((player.executed(), player.status()), (0, Status::Paused));
    player.command(Command::Step);
    assert_eq!(player.advance(SECOND), Due::Never);
    assert_eq!((player.executed(), player.status()), (1, Status::Paused));
}

#[test]
fn a_step_pauses_what_runs() {
    let mut player = player(dark(), false).at("1 instr/s");
    player.advance(Duration::ZERO);
    player.command(Command::Step);
    assert_eq!(player.advance(10 * SECOND), Due::Never);
    assert_eq!((player.executed(), player.status()), (2, Status::Paused));
}

#[test]
fn the_next_led_change_is_found_and_paused_at() {
    let mut player = player(blinker(), true);
    for executed in [2, 4, 7] {
        player.command(Command::Go(Goal::LedChange));
        assert_eq!(player.advance(Duration::ZERO), Due::Never);
        assert_eq!((player.executed(), player.status()), (executed, Status::Paused));
    }
}

#[test]
fn a_search_for_an_led_change_that_never_comes_can_be_given_up() {
    let mut player = player(dark(), true);
    player.command(Command::Go(Goal::LedChange));
    assert_eq!((player.advance(Duration::ZERO), player.status()), (Due::Now, Status::Seeking));
    player.command(Command::RunOrPause);
    assert_eq!((player.advance(SECOND), player.status()), (Due::Never, Status::Paused));
}

#[test]
fn a_halted_program_stays_where_it_is_until_it_is_reset() {
    let mut player = player(short(), false).at("unlimited");
    assert_eq!(player.advance(Duration::ZERO), Due::Never);
    let snapshot = player.snapshot();
    assert_eq!((snapshot.status, snapshot.executed, snapshot.pc.get()), (Status::Halted, 5, 4));
    assert_eq!(snapshot.output.lines().collect::<Vec<_>>(), ["!"]);
    for command in [Command::RunOrPause, Command::Step, Command::Go(Goal::LedChange)] {
        player.command(command);
        assert_eq!((player.advance(SECOND), player.status()), (Due::Never, Status::Halted));
    }
    player.command(Command::Reset);
    let snapshot = player.snapshot();
    assert_eq!((snapshot.executed, snapshot.pc.get(), snapshot.output.finished()), (0, 0, 0));
}

#[test]
fn reset_neither_starts_nor_stops_the_machine() {
    for paused in [true, false] {
        let mut player = player(dark(), paused);
        let before = player.status();
        player.advance(SECOND);
        player.command(Command::Reset);
        assert_eq!((player.status(), player.executed()), (before, 0));
    }
}

#[test]
fn another_program_runs_from_its_start_at_the_same_pace() {
    let mut player = player(short(), true).at("3 instr/s");
    player.command(Command::Step);
    player.command(Command::Load(Box::new(blinker())));
    let snapshot = player.snapshot();
    assert_eq!((snapshot.status, snapshot.executed), (Status::Running, 0));
    assert_eq!(snapshot.pace.to_string(), "3 instr/s");
}

#[test]
fn a_key_holds_its_button_for_150_ms() {
    let button = |bit: u8| Buttons(1 << bit);
    let ms = Duration::from_millis;
    let mut player = player(mirror(), false).at("10 k instr/s");
    let green = |player: &Player| player.snapshot().display().green[0];
    assert!(player.snapshot().reads_buttons);
    player.command(Command::Hold(button(2)));
    player.pass(ms(100));
    assert_eq!((green(&player), player.snapshot().buttons), (4, button(2)));
    // Another button has a time of its own; the same one starts anew.
    player.command(Command::Hold(button(4)));
    player.pass(ms(60));
    assert_eq!(green(&player), 16);
    player.command(Command::Hold(button(4)));
    player.pass(ms(149));
    assert_eq!(green(&player), 16);
    player.pass(ms(2));
    assert_eq!((green(&player), player.snapshot().buttons), (0, Buttons::NONE));
}

#[test]
fn a_button_is_seen_however_late_the_machine_is_served() {
    let mut player = player(mirror(), false).at("10 k instr/s");
    player.pass(SECOND);
    player.command(Command::Hold(Buttons(1)));
    player.advance(SECOND);
    assert_eq!(player.snapshot().display().green[0], 1);
    player.pass(SECOND);
    assert_eq!(player.snapshot().display().green[0], 0);
}

#[test]
fn paused_or_reset_buttons_are_let_go_of_too() {
    let mut player = player(mirror(), true);
    player.command(Command::Hold(Buttons(1)));
    let moment = player.moment();
    assert_eq!(player.advance(Duration::ZERO), Due::After(held::HOLD));
    assert_eq!(player.advance(held::HOLD), Due::Never);
    assert_ne!(player.moment(), moment, "there is something new to see");
    player.command(Command::Hold(Buttons(1)));
    player.command(Command::Reset);
    assert_eq!(player.snapshot().buttons, Buttons::NONE);
}

#[test]
fn a_program_that_only_writes_there_reads_no_buttons() {
    let player = player(opened(&[st(panel::BUTTONS.get()), jump(Op::Jmp, 1)]), true);
    assert!(!player.snapshot().reads_buttons);
}

#[test]
fn who_plays_has_a_pace_that_does_not_wait_for_leds() {
    let mut player = player(mirror(), false);
    player.command(Command::PaceEvenly);
    assert_eq!(player.snapshot().pace.to_string(), "100 k instr/s");
    player.command(Command::Slower);
    player.command(Command::PaceEvenly);
    assert_eq!(player.snapshot().pace.to_string(), "10 k instr/s", "it was chosen");
}

#[test]
fn the_achieved_speed_is_measured_while_it_runs() {
    let mut player = player(dark(), false).at("1 M instr/s");
    assert_eq!(player.snapshot().speed, None);
    player.pass(3 * SECOND);
    let speed = player.snapshot().speed.unwrap();
    assert!((990_000..1_010_000).contains(&speed), "{speed}");
    player.command(Command::RunOrPause);
    assert_eq!(player.snapshot().speed, None);
}

#[test]
fn a_stop_for_an_hour_is_not_made_up_for() {
    let mut player = player(dark(), false).at("10 M instr/s");
    player.pass(SECOND);
    let before = player.executed();
    let mut elapsed = 3_600 * SECOND;
    while player.advance(elapsed) == Due::Now {
        elapsed = Duration::ZERO;
    }
    assert!(player.executed() - before < 1_000_000);
}

/// Where the board stands: how many instructions it has executed, in which phase it is.
fn phase(player: &Player) -> (u64, u8) {
    let snapshot = player.snapshot();
    (snapshot.executed, snapshot.phase)
}

#[test]
fn phases_come_and_go_back_one_by_one() {
    let mut player = player(blinker(), true);
    // Reset has left the board in T1.
    assert_eq!(phase(&player), (0, 1));
    player.command(Command::StepPhaseBack);
    assert_eq!(phase(&player), (0, 1));
    let mut seen = Vec::new();
    for _ in 0..9 {
        player.command(Command::StepPhase);
        seen.push(phase(&player));
    }
    let first = (2..8).map(|phase| (0, phase));
    assert_eq!(seen, first.chain([(1, 0), (1, 1), (1, 2)]).collect::<Vec<_>>());
    for expected in [(1, 1), (1, 0), (0, 7), (0, 6)] {
        player.command(Command::StepPhaseBack);
        assert_eq!(phase(&player), expected);
    }
}

#[test]
fn whatever_executes_completes_the_instruction_under_way() {
    for command in [Command::Step, Command::RunOrPause, Command::Go(Goal::LedChange)] {
        let mut player = player(blinker(), true).at("1 instr/s");
        player.command(Command::StepPhase);
        player.command(command);
        player.advance(Duration::ZERO);
        assert_eq!(player.snapshot().phase, 0);
    }
}

#[test]
fn reset_lets_an_instruction_complete_that_has_begun() {
    for (phases, a) in [(0, 0xff), (1, 1)] {
        let program = opened(&[Word::ldi(1), jump(Op::Jmp, 0)]);
        let mut player = Player::new(program, PowerUp::Ones, true);
        (0..phases).for_each(|_| player.command(Command::StepPhase));
        player.command(Command::Reset);
        assert_eq!((phase(&player), player.snapshot().a), ((0, 1), a));
    }
}

#[test]
fn variables_are_read_by_name() {
    let symbol = |name: &str, kind, value| Symbol { name: name.into(), kind, value, size: 1 };
    let image = Image::from_words(&[Word::ldi(7), st(5), jump(Op::Jmp, 2)]).unwrap();
    let symbols = vec![symbol("N", SymbolKind::Variable, 5), symbol("start", SymbolKind::Label, 5)];
    let image = image.with_symbols(symbols).unwrap();
    let mut player = player(Opened { name: "n".into(), image }, false).at("unlimited");
    player.advance(Duration::ZERO);
    let snapshot = player.snapshot();
    assert_eq!(snapshot.variable("N"), Some(7));
    assert_eq!(snapshot.variable("start"), None, "a label is no variable");
    assert_eq!(snapshot.variable("M"), None);
}

/// Lets a player get to where it was sent.
fn arrive(player: &mut Player, command: Command) -> u64 {
    player.command(command);
    while player.advance(Duration::ZERO) == Due::Now {}
    assert!(matches!(player.status(), Status::Paused | Status::Halted));
    player.snapshot().time.now
}

/// What a paused screen is drawn from, but for what is known of the future.
fn seen(player: &Player) -> String {
    let Snapshot { status, executed, a, carry, pc, phase, ram, .. } = player.snapshot();
    let Snapshot { reason, trail, output, breaks, .. } = player.snapshot();
    let output: Vec<&str> = output.lines().collect();
    let hits: Vec<u64> = breaks.list().iter().map(|entry| entry.hits).collect();
    let lights = &ram[panel::GREEN.to_usize()..];
    format!(
        "{status:?} {executed} {a} {carry} {pc:?} {phase} {reason:?} {trail:?} {output:?} {hits:?} \
         {:?} {lights:?}",
        &ram[..8]
    )
}

#[test]
fn led_changes_are_gone_back_to() {
    let mut player = player(blinker(), true);
    for now in [2, 4, 7, 9] {
        assert_eq!(arrive(&mut player, Command::Go(Goal::LedChange)), now);
    }
    for (now, led) in [(7, Led::Red), (4, Led::Dark), (2, Led::Red)] {
        assert_eq!(arrive(&mut player, Command::GoBack(Goal::LedChange)), now);
        assert_eq!(player.snapshot().display().led(0, 0), led);
    }
    assert_eq!(arrive(&mut player, Command::GoBack(Goal::LedChange)), 2);
    assert_eq!(player.snapshot().remark, Some("no LED has changed before"));
    player.command(Command::Step);
    assert_eq!(player.snapshot().remark, None);
}

#[test]
fn a_step_and_a_step_back_is_nothing() {
    let mut player = player(blinker(), true);
    player.command(Command::AddBreak("led".into()));
    for _ in 0..20 {
        let before = seen(&player);
        arrive(&mut player, Command::Step);
        assert_ne!(seen(&player), before);
        arrive(&mut player, Command::StepBack);
        assert_eq!(seen(&player), before);
        arrive(&mut player, Command::Step);
    }
    arrive(&mut player, Command::Seek(0));
    assert_eq!(arrive(&mut player, Command::StepBack), 0);
    assert_eq!(player.snapshot().remark, Some("this is the beginning"));
}

#[test]
fn phases_go_back_across_instructions() {
    let mut player = player(blinker(), true);
    let mut before = Vec::new();
    for _ in 0..30 {
        before.push(seen(&player));
        arrive(&mut player, Command::StepPhase);
    }
    for before in before.iter().rev() {
        arrive(&mut player, Command::StepPhaseBack);
        assert_eq!(seen(&player), *before);
    }
}

#[test]
fn a_break_stops_at_every_pace_and_says_why() {
    for pace in ["30 instr/s", "10 LED changes/s", "unlimited"] {
        let mut player = player(dark(), false).at(pace);
        player.command(Command::AddBreak("write 0".into()));
        player.command(Command::AddBreak("1".into()));
        player.pass(SECOND);
        assert_eq!((player.status(), player.executed()), (Status::Paused, 1), "{pace}");
        let reason = player.snapshot().reason.unwrap();
        assert_eq!(reason.met, ["write 0", "1"]);
        assert_eq!(reason.text, "0x0000: 00 -> 00 by ST at 0x0000");
    }
}

#[test]
fn breaks_are_gone_to_and_back_to() {
    let mut player = player(blinker(), true);
    assert_eq!(arrive(&mut player, Command::Go(Goal::Break)), 0);
    assert_eq!(player.snapshot().remark, Some(travel::NO_BREAKS));
    player.command(Command::BreakHere(RomIndex::truncate(3)));
    for now in [3, 8, 13] {
        assert_eq!(arrive(&mut player, Command::Go(Goal::Break)), now);
    }
    assert_eq!(arrive(&mut player, Command::GoBack(Goal::Break)), 8);
    assert_eq!(player.snapshot().breaks.list()[0].hits, 4);
    // The same key takes it away.
    player.command(Command::BreakHere(RomIndex::truncate(3)));
    assert!(player.snapshot().breaks.list().is_empty());
}

#[test]
fn who_wrote_a_byte_is_found_and_stayed_at() {
    let mut player = player(blinker(), true);
    arrive(&mut player, Command::Go(Goal::LedChange));
    arrive(&mut player, Command::Step);
    let red = panel::RED;
    for _ in 0..2 {
        assert_eq!(arrive(&mut player, Command::WhoWrote { first: red, last: red }), 2);
        let reason = player.snapshot().reason.unwrap();
        assert_eq!(reason.text, "red row 0: 00 -> 01 by ST at 0x0001");
    }
    let nobody = RamAddr::truncate(77);
    assert_eq!(arrive(&mut player, Command::WhoWrote { first: nobody, last: nobody }), 2);
    assert_eq!(player.snapshot().remark, Some("no instruction has written that byte"));
}

#[test]
fn a_long_search_shows_its_progress_and_is_given_up() {
    let mut player = player(dark(), false).at("unlimited");
    for _ in 0..20 {
        player.advance(Duration::ZERO);
    }
    player.command(Command::RunOrPause);
    let now = player.snapshot().time.now;
    player.command(Command::AddBreak("when [0] == 300".into()));
    player.command(Command::GoBack(Goal::Break));
    let mut down_to = now;
    for _ in 0..5 {
        assert_eq!(player.advance(Duration::ZERO), Due::Now);
        let time = player.snapshot().time;
        assert!(time.searched.unwrap() < down_to && time.now == now, "{time:?}");
        down_to = time.searched.unwrap();
    }
    player.command(Command::Cancel);
    assert_eq!((player.status(), player.snapshot().time.now), (Status::Paused, now));
}

#[test]
fn line_ends_are_remembered() {
    let mut player = player(short(), false).at("unlimited");
    player.advance(Duration::ZERO);
    assert_eq!(*player.snapshot().time.lines, [4]);
    assert_eq!(arrive(&mut player, Command::Seek(3)), 3);
    assert_eq!(player.snapshot().output.lines().collect::<Vec<_>>(), ["!"]);
    assert_eq!(player.snapshot().output.finished(), 0);
    // Pressed here, reset begins another future.
    player.command(Command::Reset);
    assert!(player.snapshot().time.lines.is_empty());
}

#[test]
fn breaks_stay_with_their_text_when_another_program_is_loaded() {
    let mut player = player(blinker(), true);
    player.command(Command::AddBreak("4".into()));
    player.command(Command::Load(Box::new(short())));
    player.command(Command::RunOrPause);
    assert_eq!(arrive(&mut player, Command::Go(Goal::Break)), 4);
}
