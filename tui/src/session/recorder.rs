//! The machine with its past, and what a screen shows of that: the last instructions, the last
//! lines of the output. All of it is a function of the moment alone.

use std::sync::Arc;

use gray1_isa::RomIndex;
use gray1_sim::debugger::{History, Hit, Input, Progress, WatchSet};
use gray1_sim::{Engine, Snapshot};

use super::recent::LENGTH;
use super::{Cpu, Output, RecentSteps};

/// The machine and its past.
pub(super) struct Recorder {
    history: History,
    recent: RecentSteps,
    /// An engine with lines before its last edge or instruction; `None` just after a reset, and at
    /// the end of a program.
    before: Option<Snapshot>,
    /// How many inputs the panel has given; with each, another future begins.
    inputs: u64,
    output: Arc<Output>,
    /// How many bytes `output` shows, and how many were printed before the reset it begins with.
    shown: (u64, u64),
}

impl Recorder {
    pub(super) fn new(history: History) -> Self {
        let mut recorder = Self {
            history,
            recent: RecentSteps::default(),
            before: None,
            inputs: 0,
            output: Arc::default(),
            shown: (0, 0),
        };
        recorder.retrace();
        recorder.show_output();
        recorder
    }

    pub(super) fn history(&self) -> &History {
        &self.history
    }

    /// How many inputs the panel has given.
    pub(super) fn inputs(&self) -> u64 {
        self.inputs
    }

    pub(super) fn halted(&self) -> bool {
        self.history.engine().halted()
    }

    /// How many instructions were executed since the reset.
    pub(super) fn executed(&self) -> u64 {
        self.history.engine().executed()
    }

    /// The index of the next instruction.
    pub(super) fn pc(&self) -> RomIndex {
        self.history.engine().pc()
    }

    pub(super) fn recent(&self) -> &RecentSteps {
        &self.recent
    }

    /// What a programmer sees of the machine.
    pub(super) fn cpu(&self) -> Cpu {
        let machine = self.history.engine();
        Cpu {
            a: machine.a(),
            carry: machine.carry(),
            pc: machine.pc(),
            phase: machine.phase().number() as u8,
            executed: machine.executed(),
            ram: Box::new(*machine.ram()),
            recent: self.recent.clone(),
        }
    }

    /// The levels of all lines before the last edge, on an engine with lines; `None` just after a
    /// reset, and at the end of a program.
    pub(super) fn levels_before(&self) -> Option<Vec<bool>> {
        let present = self.history.engine();
        let position = |engine: &dyn Engine| (engine.executed(), engine.edges());
        let mut engine = present.boxed_clone();
        engine.restore(self.before.as_ref()?);
        loop {
            let levels = engine.circuit()?.levels();
            engine.edge();
            if position(&*engine) == position(present) || engine.halted() {
                return Some(levels);
            }
            debug_assert!(position(&*engine) < position(present), "it would run for ever");
        }
    }

    pub(super) fn output(&self) -> &Arc<Output> {
        &self.output
    }

    /// Executes up to `limit` instructions, or to the first hit that stops it.
    pub(super) fn run(
        &mut self,
        watch_set: &WatchSet,
        limit: u64,
        mut stops: impl FnMut(&Hit, &History) -> bool,
    ) -> Progress {
        let progress = self.run_noting_the_last(watch_set, limit, &mut stops);
        self.show_output();
        progress
    }

    /// Notes the last instructions of a run: it executes them one by one, and again where it did
    /// not know beforehand that they would be the last. The first ones it executes one by one too,
    /// since many stops are near: the display of the queens search changes every 15 instructions.
    fn run_noting_the_last(
        &mut self,
        watch_set: &WatchSet,
        limit: u64,
        stops: &mut dyn FnMut(&Hit, &History) -> bool,
    ) -> Progress {
        let end = self.history.moment().saturating_add(limit);
        let near = end.min(self.history.moment().saturating_add(LENGTH as u64));
        if let Some(progress) = self.run_one_by_one(watch_set, near, stops) {
            return progress;
        }
        // One more than are kept, so that the oldest one knows the instruction before it.
        let fast_end = end.saturating_sub(LENGTH as u64 + 1);
        while self.history.moment() < fast_end {
            let before = self.history.position();
            let progress = self.history.run(watch_set, fast_end - before.0);
            debug_assert!(self.history.position() > before, "it would run for ever");
            match progress {
                Progress::Limit => {}
                Progress::Hit(hit) if !stops(&hit, &self.history) => {}
                progress => {
                    self.retrace();
                    return progress;
                }
            }
        }
        let stopped = self.run_one_by_one(watch_set, end, stops);
        stopped.unwrap_or(if self.halted() { Progress::Halted } else { Progress::Limit })
    }

    /// Executes and notes instructions up to a moment, and says what stopped it before.
    fn run_one_by_one(
        &mut self,
        watch_set: &WatchSet,
        end: u64,
        stops: &mut dyn FnMut(&Hit, &History) -> bool,
    ) -> Option<Progress> {
        while self.history.moment() < end {
            // What the lines were before is kept of the last one only: it takes a while.
            let is_last = self.history.moment() + 1 == end;
            let progress = if is_last {
                self.run_one(watch_set)
            } else {
                self.recent.run_one(&mut self.history, watch_set)
            };
            match progress {
                Progress::Limit => {}
                Progress::Hit(hit) if !stops(&hit, &self.history) => {}
                progress => {
                    if !is_last && self.history.engine().circuit().is_some() {
                        self.retrace();
                    }
                    return Some(progress);
                }
            }
        }
        None
    }

    /// Completes an instruction.
    fn run_one(&mut self, watch_set: &WatchSet) -> Progress {
        self.begin();
        let progress = self.recent.run_one(&mut self.history, watch_set);
        self.forget_before_reset();
        progress
    }

    /// Turns the oscillator over once.
    fn turn_over(&mut self) {
        self.begin();
        self.recent.edge(&mut self.history);
        self.forget_before_reset();
    }

    fn begin(&mut self) {
        let engine = self.history.engine();
        self.before = engine.circuit().map(|_| engine.save());
    }

    fn forget_before_reset(&mut self) {
        let engine = self.history.engine();
        if engine.edges() == 0 && self.recent.newest().is_none() {
            self.before = None;
        }
    }

    /// Turns the oscillator over once.
    pub(super) fn edge(&mut self) {
        self.turn_over();
        self.show_output();
    }

    /// Goes back by an edge of the oscillator. Says no if the past begins here.
    pub(super) fn edge_back(&mut self) -> bool {
        let is_later = self.history.edge_back();
        self.retrace();
        self.show_output();
        is_later
    }

    /// Goes to a moment, or the nearest one that is known, and some edges on.
    pub(super) fn seek(&mut self, moment: u64, edges: u32) {
        self.history.seek_edge(moment, edges);
        self.retrace();
        self.show_output();
    }

    /// Does something from outside, before the instruction under way.
    pub(super) fn give(&mut self, input: Input) {
        let edges = self.history.engine().edges();
        self.history.give(input);
        self.inputs += 1;
        match input {
            Input::Reset => {
                self.recent.clear();
                self.before = None;
            }
            Input::Load(_) => self.recent.forget_register(),
            Input::Hold(_) | Input::Poke(..) => (0..edges).for_each(|_| self.turn_over()),
        }
        self.show_output();
    }

    /// Finds the last instructions again.
    fn retrace(&mut self) {
        let (now, engine) = (self.history.moment(), self.history.engine());
        let (edges, has_failed) = (engine.edges(), engine.error().is_some());
        (self.recent, self.before) = (RecentSteps::default(), None);
        self.history.seek(now.saturating_sub(LENGTH as u64 + 1));
        while self.history.moment() < now {
            self.run_one(&WatchSet::default());
        }
        if self.executed() == 0 {
            self.recent.clear();
        }
        (0..edges).for_each(|_| self.turn_over());
        if has_failed {
            self.run_one(&WatchSet::default());
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
            let lines = self.history.printed_lines();
            self.output = Arc::new(Output::ending(&last, printed, lines));
        }
    }
}

#[cfg(test)]
mod tests {
    use gray1_isa::panel::{BUTTONS, Buttons, MAILBOX};
    use gray1_isa::{Image, Op, RamAddr, RomIndex, Word};
    use gray1_sim::{Machine, PowerUp};

    use super::*;
    use crate::tests as testing;

    fn recorder(words: &[Word]) -> Recorder {
        let machine = Machine::new(&Image::from_words(words).unwrap(), PowerUp::Zero);
        Recorder::new(History::new(Box::new(machine)))
    }

    /// The same on an engine with lines.
    fn on_chips(words: &[Word]) -> Recorder {
        let engine = testing::on_chips().engine(&Image::from_words(words).unwrap());
        Recorder::new(History::new(engine.unwrap()))
    }

    fn counter() -> Recorder {
        recorder(&counting())
    }

    /// Adds the buttons, or one if there are none, to the byte at 0, for ever, and prints it.
    fn counting() -> [Word; 6] {
        let at = |op, address| Word::data(op, RamAddr::truncate(address));
        [
            Word::ldi(1),
            Word::data(Op::Add, BUTTONS),
            at(Op::Add, 0),
            at(Op::St, 0),
            Word::data(Op::St, MAILBOX),
            Word::jump(Op::Jmp, RomIndex::default()),
        ]
    }

    fn run(recorder: &mut Recorder, limit: u64) {
        recorder.run(&WatchSet::default(), limit, |_, _| true);
    }

    /// Everything that the recorder shows.
    fn shown(recorder: &Recorder) -> String {
        let output: Vec<&str> = recorder.output().lines().collect();
        let (finished, forgotten) = (recorder.output().finished(), recorder.output().forgotten());
        let state = recorder.history().engine().save();
        format!("{:?} {output:?} {finished} {forgotten} {state:?}", recorder.recent())
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
            straight.seek(n, 0);
            assert_eq!(shown(&straight), seen[n as usize], "back at {n}");
            run(&mut straight, 1 + n % 90);
            let now = straight.history().moment() as usize;
            if now < 600 {
                assert_eq!(shown(&straight), seen[now], "from {n} on to {now}");
            }
        }
    }

    #[test]
    fn what_lines_were_depends_on_the_moment_alone() {
        let mut straight = on_chips(&counting());
        let mut seen = Vec::new();
        for n in 0..40 {
            if n == 20 {
                straight.give(Input::Reset);
            }
            seen.push(straight.levels_before());
            run(&mut straight, 1);
        }
        let starts = (0..40).filter(|n| seen[*n].is_none());
        assert_eq!(starts.collect::<Vec<_>>(), [0, 20], "just after a reset");
        for n in (0..40_u64).rev() {
            straight.seek(n, 0);
            assert!(straight.levels_before() == seen[n as usize], "back at {n}");
            run(&mut straight, 1 + n % 9);
            if let Some(levels) = seen.get(straight.history().moment() as usize) {
                assert!(straight.levels_before() == *levels, "from {n} on");
            }
        }
    }

    #[test]
    fn at_the_end_no_line_has_moved_however_the_machine_got_there() {
        let mut recorder = on_chips(&[]);
        while !recorder.halted() {
            run(&mut recorder, 1);
        }
        assert!(recorder.levels_before().is_none());
        recorder.seek(recorder.history().moment(), 0);
        assert!(recorder.levels_before().is_none());
    }

    #[test]
    fn at_the_end_there_are_no_steps_however_the_machine_got_there() {
        for limit in [1, 1000] {
            let mut recorder = recorder(&[]);
            while !recorder.history().engine().halted() {
                run(&mut recorder, limit);
            }
            assert_eq!(
                (recorder.recent().newest(), recorder.recent().last()),
                (None, Word::ERASED)
            );
        }
    }

    #[test]
    fn a_byte_is_as_old_as_its_last_write() {
        let (mut recorder, zero) = (counter(), RamAddr::default());
        run(&mut recorder, 4);
        assert_eq!(recorder.recent().age(zero), Some(0));
        run(&mut recorder, 3);
        assert_eq!(recorder.recent().age(zero), Some(3));
        assert_eq!(recorder.recent().age(RamAddr::truncate(1)), None);
        recorder.give(Input::Reset);
        assert_eq!(recorder.recent().age(zero), None);
    }

    #[test]
    fn hits_that_do_not_stop_are_passed_over() {
        use gray1_sim::debugger::{Event, WatchSet};
        let mut recorder = counter();
        let word = |index| recorder.history().engine().word(index);
        let watch_set = WatchSet::new(vec![Event::Prints(None).into()], word);
        let mut left = 100;
        let progress = recorder.run(&watch_set, 10_000, |_, _| {
            left -= 1;
            left == 0
        });
        assert!(matches!(progress, Progress::Hit(hit) if hit.moment == 100 * 6 - 1));
        assert_eq!(recorder.history().printed(), 100);
    }
}
