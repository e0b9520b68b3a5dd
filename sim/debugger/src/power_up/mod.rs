//! Proves what a run does for every content of memory, A and C at power-up, or finds the bits that
//! it depends on.
//!
//! A program of this machine names every address, so a run can follow which bits are known. As long
//! as each jump is known, all power-ups execute the same instructions.

mod origins;
mod place;
mod wording;

use std::sync::Arc;

use gray1_isa::panel;
use gray1_isa::{Image, PowerUp, PowerUpContents, Registers, RomIndex};
use gray1_sim::engine::{Engine, EngineError};
use gray1_sim::{ExecutionCounts, Machine};

use super::condition::{Access, Event};
use super::inputs::Input;
use super::replay::{Happened, Watch};
use super::run::Run;
use super::watch_set::WatchSet;
pub use origins::OriginSearch;
pub use place::{PowerUpBits, PowerUpPlace};
pub use wording::describe_contents;

/// The verdict about a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PowerUpVerdict {
    /// The program halts after this many instructions. Its output and all LEDs are known.
    Halts(u64),
    /// The known state repeats, and the output and the LEDs of the repeating part are known.
    Repeats {
        /// The first moment whose state comes again.
        from: u64,
        /// The number of instructions after which it does.
        period: u64,
    },
    /// The program halts or repeats itself with each of the contents of `.seed` that were tried.
    /// Its output and all LEDs are known.
    Several,
    /// The limit was reached. Each jump and printed byte was known so far.
    Limit(u64),
    /// Something depends on the contents at power-up, or may depend on them.
    Depends(Box<Dependence>),
}

/// The first thing in a run that is not known for every power-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependence {
    /// The part that is unknown: C if it decides about a jump, A if it is printed, or the byte of
    /// an LED.
    pub place: PowerUpPlace,
    /// Its bits that count, as a mask. For an LED, there is one.
    pub mask: u8,
    /// The moment before the instruction that needs it, or the end of the run.
    pub moment: u64,
    /// The instruction that needs it. For an LED, the one at which the run ends.
    pub index: RomIndex,
    /// The bits at power-up that it may depend on.
    pub bits: PowerUpBits,
    /// A change that makes a difference, if one was found.
    pub change: Option<PowerUpChange>,
}

/// Contents at power-up that differ from those of a [`PowerUp`] in one register or byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PowerUpChange {
    /// The contents of everything else.
    pub power_up: PowerUp,
    /// The register or byte that differs.
    pub place: PowerUpPlace,
    /// Its value.
    pub value: u8,
}

/// A proof in progress.
#[derive(Debug)]
pub struct PowerUpProof {
    image: Arc<Image>,
    /// The inputs that were given, without those that plant contents in the bytes of `.seed`.
    given: Vec<(u64, Input)>,
    /// The number of the present run. There is one for each of the contents of `.seed`.
    number: usize,
    /// The verdict about the runs before it.
    before: Option<PowerUpVerdict>,
    /// All inputs of the present run.
    inputs: Vec<(u64, Input)>,
    limit: u64,
    /// The present run, of a machine that holds anything at power-up.
    pub run: Run,
    /// The arrival at an instruction that is executed again and again if the program repeats
    /// itself, and the run at its first arrival there. The known bits determine those at all later
    /// moments.
    mark: Option<(WatchSet, Option<Run>)>,
    /// The moment at which to take the next mark.
    next_mark: u64,
    /// The bytes that were printed, for the caller to take. They are known. With several contents
    /// of `.seed`, they are those of the first run.
    pub output: Vec<u8>,
    /// The unknown part at which the run has ended, and the bits that count.
    unknown: Option<(PowerUpPlace, u8)>,
}

/// The first moment after the last input at which a mark is chosen.
const FIRST_MARK: u64 = 64;
/// The maximum number of instructions that are counted to choose a mark.
const COUNTED_MAX: u64 = 1 << 16;
/// The maximum number of power-ups that are tried to find two that differ.
const TRIES_MAX: u64 = 2048;
/// The maximum number of instructions that they execute together, which take some seconds.
const TRIED_MAX: u64 = 1 << 32;

/// Called every few milliseconds with the number of instructions of the present run. Returns false
/// to stop.
type Proceed<'a> = dyn FnMut(u64) -> bool + 'a;

/// The contents at power-up that tests and searches try.
pub const SAMPLES: [PowerUp; 5] =
    [PowerUp::Zero, PowerUp::Ones, PowerUp::Random(1), PowerUp::Random(2), PowerUp::Random(3)];

/// Returns the number of runs that stand for all contents at power-up. There is one, or one for
/// each of [`SAMPLES`] if the program has bytes of `.seed`.
pub fn count_runs(image: &Image) -> usize {
    if image.seeds().next().is_some() { SAMPLES.len() } else { 1 }
}

/// Returns the inputs that plant the contents of a run in the bytes of `.seed`.
pub fn plant_seeds(image: &Image, number: usize) -> Vec<(u64, Input)> {
    let ram = SAMPLES[number].contents().ram;
    image.seed_bytes().map(|byte| (0, Input::Poke(byte, ram[byte.to_usize()]))).collect()
}

impl PowerUpProof {
    /// Starts a proof about a run of a program with these inputs, in order of their moments, for at
    /// most `limit` instructions.
    pub fn new(image: Arc<Image>, inputs: Vec<(u64, Input)>, limit: u64) -> Self {
        Self::with_contents(image, inputs, limit, 0)
    }

    /// Starts the run with this number.
    fn with_contents(
        image: Arc<Image>,
        given: Vec<(u64, Input)>,
        limit: u64,
        number: usize,
    ) -> Self {
        let inputs = [&plant_seeds(&image, number)[..], &given].concat();
        let run = Run::new(Box::new(Machine::with_any_contents(&image)), inputs.iter().copied());
        let last_input = inputs.last().map_or(0, |(moment, _)| *moment);
        Self {
            image,
            given,
            number,
            before: None,
            inputs,
            limit,
            run,
            mark: None,
            next_mark: last_input.saturating_add(FIRST_MARK),
            output: Vec::new(),
            unknown: None,
        }
    }

    /// Returns the inputs that plant the present contents in the bytes of `.seed`.
    pub fn seeds(&self) -> &[(u64, Input)] {
        &self.inputs[..self.inputs.len() - self.given.len()]
    }

    /// Continues for at most a few milliseconds. The end of a proof takes longer, so it calls
    /// `proceed` with a number of instructions, and stops without a verdict if that returns false.
    /// Returns the verdict once there is one.
    pub fn advance(&mut self, proceed: &mut Proceed<'_>) -> Option<PowerUpVerdict> {
        let verdict = self.advance_run(proceed)?;
        if !matches!(verdict, PowerUpVerdict::Halts(_) | PowerUpVerdict::Repeats { .. }) {
            return Some(verdict);
        }
        let verdict = match self.before.take() {
            Some(before) if before != verdict => PowerUpVerdict::Several,
            _ => verdict,
        };
        let number = self.number + 1;
        if number >= count_runs(&self.image) {
            return Some(verdict);
        }
        let (image, given) = (Arc::clone(&self.image), std::mem::take(&mut self.given));
        let output = std::mem::take(&mut self.output);
        *self = Self::with_contents(image, given, self.limit, number);
        (self.before, self.output) = (Some(verdict), output);
        None
    }

    fn advance_run(&mut self, proceed: &mut Proceed<'_>) -> Option<PowerUpVerdict> {
        if let Some(unknown) = self.unknown {
            return self.explain(unknown, &self.run, proceed);
        }
        let slice = self.run.moment().saturating_add(self.run.engine().slice());
        let repeats = self.run_to(slice.min(self.next_mark).min(self.limit));
        let output = self.run.take_output();
        if self.number == 0 {
            self.output.extend(output);
        }
        if repeats {
            return self.judge_repetition(proceed);
        }
        let (engine, moment) = (self.run.engine(), self.run.moment());
        let unknown = match engine.error() {
            Some(EngineError::UnknownJump) => Some((PowerUpPlace::Carry, 1)),
            Some(EngineError::UnknownOutput) => Some((PowerUpPlace::A, u8::MAX)),
            _ if engine.halted() => unknown_led(engine),
            _ => None,
        };
        if unknown.is_some() {
            // The caller can print the last output before the search, which can take long.
            self.unknown = unknown;
            return None;
        }
        if engine.halted() {
            return Some(PowerUpVerdict::Halts(moment));
        }
        if moment >= self.limit {
            return Some(PowerUpVerdict::Limit(moment));
        }
        if moment >= self.next_mark {
            self.choose_mark();
        }
        None
    }

    /// Runs up to a moment. Returns true if the state at the mark comes again.
    fn run_to(&mut self, to: u64) -> bool {
        let Some((arrival, first)) = &mut self.mark else {
            self.run.go_to(to);
            return false;
        };
        let mut watch = Watch::hits(arrival);
        while let Some(Happened::Hit(_)) = self.run.next(&mut watch, to) {
            let first = first.get_or_insert_with(|| self.run.clone());
            let states = [&*first, &self.run].map(|run| run.engine().partial_state());
            if first.moment() < self.run.moment() && states[0] == states[1] {
                return true;
            }
        }
        false
    }

    /// Marks the instruction that is executed most rarely, so that few states must be compared. The
    /// next mark is twice as far away, so that a period of any length is found.
    fn choose_mark(&mut self) {
        let mut counts = ExecutionCounts::default();
        let end = self.run.moment() + self.run.moment().min(COUNTED_MAX);
        self.run.next(&mut Watch::counting(&mut counts), end.min(self.limit));
        let counts = counts.by_index();
        let executed = RomIndex::all().filter(|index| counts[index.to_usize()] > 0);
        let rarest = executed.min_by_key(|index| counts[index.to_usize()]);
        self.mark = rarest.map(|index| {
            (WatchSet::new(vec![Event::reaches(index).into()], self.run.engine()), None)
        });
        self.next_mark = self.run.moment().saturating_mul(2);
    }

    /// Judges a run that repeats its state at the mark.
    fn judge_repetition(&self, proceed: &mut Proceed<'_>) -> Option<PowerUpVerdict> {
        let (_, first) = self.mark.as_ref()?;
        let mut run = first.clone()?;
        let (mark, end) = (run.moment(), self.run.moment());
        // An LED must be known at each moment of the repeating part.
        let led_writes = Event::Touches(Access::Write, panel::GREEN..=panel::LAST_LED);
        let led_writes = WatchSet::new(vec![led_writes.into()], run.engine());
        let mut watch = Watch::hits(&led_writes);
        while run.moment() < end {
            if let Some(unknown) = unknown_led(run.engine()) {
                return self.explain(unknown, &run, proceed);
            }
            run.next(&mut watch, end.min(run.moment() + run.engine().slice()));
            proceed(run.moment()).then_some(())?;
        }
        let period = end - mark;
        Some(PowerUpVerdict::Repeats { from: self.first_of_period(mark, period, proceed)?, period })
    }

    /// Returns the first moment whose state comes again after a period, up to a moment for which
    /// that is known.
    fn first_of_period(&self, known: u64, period: u64, proceed: &mut Proceed<'_>) -> Option<u64> {
        let first = self.inputs.last().map_or(0, |(moment, _)| *moment);
        let mut runs = [self.begin(), self.begin()];
        runs[0].go_to_while(first, proceed)?;
        runs[1].go_to_while(first + period, proceed)?;
        // The state after this many more instructions comes again, and so do all later ones.
        let mut left = known - first;
        while left > 0 {
            let half = left / 2;
            let mut later = runs.clone();
            for run in &mut later {
                run.go_to_while(run.moment() + half, proceed)?;
            }
            let [one, other] = later.each_ref().map(Run::engine);
            if one.pc() == other.pc() && one.partial_state() == other.partial_state() {
                left = half;
            } else {
                for run in &mut later {
                    run.go_to(run.moment() + 1);
                }
                (runs, left) = (later, left - half - 1);
            }
        }
        Some(runs[0].moment())
    }

    /// A separate run of the machine with unknown bits, at power-up.
    fn begin(&self) -> Run {
        Run::new(Box::new(Machine::with_any_contents(&self.image)), self.inputs.iter().copied())
    }

    /// Explains what is unknown at the present moment of a run: which bits at power-up it depends
    /// on, and a change of these bits that makes a difference.
    fn explain(
        &self,
        (place, mask): (PowerUpPlace, u8),
        run: &Run,
        proceed: &mut Proceed<'_>,
    ) -> Option<PowerUpVerdict> {
        let (moment, index) = (run.moment(), run.engine().pc());
        let mut search = OriginSearch::new(self.begin(), moment);
        while !search.advance() {
            proceed(search.run.moment()).then_some(())?;
        }
        let bits = search.bits(place, mask);
        let mut found = Dependence { place, mask, moment, index, bits, change: None };
        let mut base = None;
        for change in vary(&found.bits, moment, TRIED_MAX) {
            let old = match base {
                Some((power_up, value)) if power_up == change.power_up => value,
                _ => self.value_after(change.power_up, None, &found, proceed)?,
            };
            base = Some((change.power_up, old));
            if self.value_after(change.power_up, Some(change), &found, proceed)? != old {
                found.change = Some(change);
                break;
            }
        }
        Some(PowerUpVerdict::Depends(Box::new(found)))
    }

    /// Runs a machine with these contents at power-up, perhaps with a change. Returns the bits of
    /// the unknown part at its moment.
    fn value_after(
        &self,
        power_up: PowerUp,
        change: Option<PowerUpChange>,
        unknown: &Dependence,
        proceed: &mut Proceed<'_>,
    ) -> Option<u8> {
        let change = change.iter().map(|change| (0, change.input()));
        let inputs = change.chain(self.inputs.iter().copied());
        let mut run = Run::new(Box::new(Machine::new(&self.image, power_up)), inputs);
        run.go_to_while(unknown.moment, proceed)?;
        let engine = run.engine();
        Some(unknown.mask & unknown.place.value(engine.a(), engine.carry(), engine.ram()))
    }
}

impl PowerUpChange {
    /// Returns the input that makes the change.
    pub fn input(self) -> Input {
        let PowerUpContents { a, carry, .. } = self.power_up.contents();
        let registers = Registers { a, carry, pc: RomIndex::default() };
        match self.place {
            PowerUpPlace::Byte(address) => Input::Poke(address, self.value),
            PowerUpPlace::A => Input::Load(Registers { a: self.value, ..registers }),
            PowerUpPlace::Carry => Input::Load(Registers { carry: self.value != 0, ..registers }),
        }
    }
}

/// Changes some of these bits in each of [`SAMPLES`]: first each bit by itself, then all other
/// combinations of bits in the same register or byte. Runs to a moment with all of these changes
/// execute at most about `total` instructions.
pub fn vary(bits: &PowerUpBits, moment: u64, total: u64) -> impl Iterator<Item = PowerUpChange> {
    let count = (total / (moment + 1)).clamp(2, TRIES_MAX) as usize;
    let rounds = [true, false].map(|is_single| SAMPLES.map(|power_up| (is_single, power_up)));
    let changes = rounds.into_iter().flatten().flat_map(move |(is_single, power_up)| {
        bits.iter().flat_map(move |(&place, mask)| {
            let value = place.value_in(power_up);
            let flips = (1..=u8::MAX)
                .filter(move |flip| flip & !mask == 0 && flip.is_power_of_two() == is_single);
            flips.map(move |flip| PowerUpChange { power_up, place, value: value ^ flip })
        })
    });
    changes.take(count)
}

/// Returns the first LED of which it is unknown whether it is lit, as a byte and a mask.
fn unknown_led(engine: &dyn Engine) -> Option<(PowerUpPlace, u8)> {
    let state = engine.partial_state()?;
    let mut bytes = panel::leds().map(|address| (address, !state.ram[address.to_usize()].known()));
    let (address, unknown) = bytes.find(|(_, unknown)| *unknown != 0)?;
    Some((PowerUpPlace::Byte(address), 1 << unknown.trailing_zeros()))
}

#[cfg(test)]
mod tests;
