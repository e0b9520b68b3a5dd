//! The machine with its past, and what a screen shows of that: the last instructions, the last
//! lines of the output. All of it is a function of the moment, however one came there.

use std::sync::Arc;

use gray1_sim::Engine;
use gray1_sim::debugger::{History, Hit, Input, Progress, WatchSet};

use super::Output;
use super::trail::{LENGTH, Trail};

/// The machine and its past.
pub(super) struct Tape {
    history: History,
    trail: Trail,
    output: Arc<Output>,
    /// How many bytes `output` shows, and how many were printed before the reset it begins with.
    shown: (u64, u64),
}

impl Tape {
    pub(super) fn new(machine: Box<dyn Engine>) -> Self {
        Self {
            history: History::new(machine),
            trail: Trail::default(),
            output: Arc::default(),
            shown: (0, 0),
        }
    }

    pub(super) fn history(&self) -> &History {
        &self.history
    }

    pub(super) fn machine(&self) -> &dyn Engine {
        self.history.engine()
    }

    pub(super) fn trail(&self) -> &Trail {
        &self.trail
    }

    pub(super) fn output(&self) -> &Arc<Output> {
        &self.output
    }

    /// Executes up to `limit` instructions, or to the first hit that stops it.
    pub(super) fn run(
        &mut self,
        watch_set: &WatchSet,
        limit: u64,
        mut stops: impl FnMut(&Hit) -> bool,
    ) -> Progress {
        let progress = self.run_noting_the_last(watch_set, limit, &mut stops);
        self.show_output();
        progress
    }

    /// Notes the last instructions of a run: it executes them one by one, and again where it did
    /// not know beforehand that they would be the last.
    fn run_noting_the_last(
        &mut self,
        watch_set: &WatchSet,
        limit: u64,
        stops: &mut dyn FnMut(&Hit) -> bool,
    ) -> Progress {
        let end = self.history.moment().saturating_add(limit);
        // One more than are kept, so that the oldest one knows the instruction before it.
        let fast_end = end.saturating_sub(LENGTH as u64 + 1);
        while self.history.moment() < fast_end {
            match self.history.run(watch_set, fast_end - self.history.moment()) {
                Progress::Limit => {}
                Progress::Hit(hit) if !stops(&hit) => {}
                progress => {
                    self.retrace();
                    return progress;
                }
            }
        }
        while self.history.moment() < end {
            match self.trail.run_one(&mut self.history, watch_set) {
                Progress::Limit => {}
                Progress::Hit(hit) if !stops(&hit) => {}
                progress => return progress,
            }
        }
        if self.machine().halted() { Progress::Halted } else { Progress::Limit }
    }

    /// Goes to a moment, or the nearest one that is known.
    pub(super) fn seek(&mut self, moment: u64) {
        self.history.seek(moment);
        self.retrace();
        self.show_output();
    }

    /// Does something at the panel.
    pub(super) fn give(&mut self, input: Input) {
        self.history.give(input);
        if input == Input::Reset {
            self.trail.reset();
        }
        self.show_output();
    }

    /// Finds the last instructions again.
    fn retrace(&mut self) {
        let now = self.history.moment();
        self.trail = Trail::default();
        self.history.seek(now.saturating_sub(LENGTH as u64 + 1));
        while self.history.moment() < now {
            self.trail.run_one(&mut self.history, &WatchSet::default());
        }
        if self.machine().executed() == 0 {
            self.trail.reset();
        }
    }

    /// Brings the output up to date: by what is new, or all of it after a step back.
    fn show_output(&mut self) {
        let (printed, begin) = (self.history.printed(), self.history.printed_before_reset());
        let (shown, shown_begin) = std::mem::replace(&mut self.shown, (printed, begin));
        if (printed, begin) == (shown, shown_begin) {
            return;
        }
        if begin == shown_begin && printed > shown && printed - shown < Output::BYTES_MAX {
            let new = self.history.output(printed - shown);
            Arc::make_mut(&mut self.output).push(&new);
        } else {
            let last = self.history.output(Output::BYTES_MAX);
            let is_all = last.len() as u64 == printed;
            self.output = Arc::new(Output::ending(&last, is_all, self.history.printed_lines()));
        }
    }
}

#[cfg(test)]
mod tests {
    use gray1_isa::panel::{BUTTONS, Buttons, MAILBOX};
    use gray1_isa::{Image, Op, RamAddr, RomIndex, Word};
    use gray1_sim::{Machine, PowerUp};

    use super::*;

    fn tape(words: &[Word]) -> Tape {
        Tape::new(Box::new(Machine::new(&Image::from_words(words).unwrap(), PowerUp::Zero)))
    }

    /// Adds the buttons, or one if there are none, to the byte at 0, for ever, and prints it.
    fn counter() -> Tape {
        let at = |op, address| Word::data(op, RamAddr::truncate(address));
        tape(&[
            Word::ldi(1),
            Word::data(Op::Add, BUTTONS),
            at(Op::Add, 0),
            at(Op::St, 0),
            Word::data(Op::St, MAILBOX),
            Word::jump(Op::Jmp, RomIndex::default()),
        ])
    }

    fn run(tape: &mut Tape, limit: u64) {
        tape.run(&WatchSet::default(), limit, |_| true);
    }

    /// Everything that the tape shows.
    fn shown(tape: &Tape) -> String {
        let output: Vec<&str> = tape.output().lines().collect();
        let (finished, forgotten) = (tape.output().finished(), tape.output().forgotten());
        let state = tape.machine().save();
        format!("{:?} {output:?} {finished} {forgotten} {state:?}", tape.trail())
    }

    #[test]
    fn what_is_shown_depends_on_the_moment_alone() {
        let mut straight = counter();
        let mut seen = Vec::new();
        for n in 0..600 {
            if n == 150 {
                straight.give(Input::Hold(Buttons(9)));
            }
            if n == 300 {
                straight.give(Input::Reset);
            }
            seen.push(shown(&straight));
            run(&mut straight, 1);
        }
        // Now back, and in leaps.
        for n in (0..600_u64).rev().step_by(7).chain([299, 300, 301, 599, 0, 64, 65, 66]) {
            straight.seek(n);
            assert_eq!(shown(&straight), seen[n as usize], "back at {n}");
            run(&mut straight, 1 + n % 90);
            let now = straight.history().moment() as usize;
            if now < 600 {
                assert_eq!(shown(&straight), seen[now], "from {n} on to {now}");
            }
        }
    }

    #[test]
    fn at_the_end_there_is_no_trail_however_the_machine_got_there() {
        for limit in [1, 1000] {
            let mut tape = tape(&[]);
            while !tape.machine().halted() {
                run(&mut tape, limit);
            }
            assert_eq!((tape.trail().newest(), tape.trail().last()), (None, Word::ERASED));
        }
    }

    #[test]
    fn a_byte_is_as_old_as_its_last_write() {
        let (mut tape, zero) = (counter(), RamAddr::default());
        run(&mut tape, 4);
        assert_eq!(tape.trail().age(zero), Some(0));
        run(&mut tape, 3);
        assert_eq!(tape.trail().age(zero), Some(3));
        assert_eq!(tape.trail().age(RamAddr::truncate(1)), None);
        tape.give(Input::Reset);
        assert_eq!(tape.trail().age(zero), None);
    }

    #[test]
    fn hits_that_do_not_stop_are_passed_over() {
        use gray1_sim::debugger::Event;
        let mut tape = counter();
        let word = |index| tape.machine().word(index);
        let watch_set = WatchSet::new(vec![Event::Prints(None).into()], word);
        let mut left = 100;
        let progress = tape.run(&watch_set, 10_000, |_| {
            left -= 1;
            left == 0
        });
        assert!(matches!(progress, Progress::Hit(hit) if hit.moment == 100 * 6 - 1));
        assert_eq!(tape.history().printed(), 100);
    }
}
