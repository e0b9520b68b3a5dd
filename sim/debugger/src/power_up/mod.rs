//! Proves what a run does for every content of memory, A and C at power-up, or finds the bits that
//! it depends on.
//!
//! A program of this machine names every address, so a run can follow which bits are known. As long
//! as each jump is known, all power-ups execute the same instructions.

mod origins;
mod wording;

use std::sync::Arc;

use gray1_isa::panel;
use gray1_isa::{Image, PartialState, PowerUp, RamAddr, Registers, RomIndex};
use gray1_sim::engine::{Engine, EngineError};
use gray1_sim::{ExecutionCounts, Machine};

use super::condition::{Access, Event};
use super::inputs::Input;
use super::replay::{Happened, Watch};
use super::run::Run;
use super::watch_set::WatchSet;
use origins::Origins;
pub use origins::{PowerUpBits, PowerUpPlace};
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
    /// What is unknown.
    pub what: UnknownPart,
    /// The moment before the instruction that needs it, or the end of the run.
    pub moment: u64,
    /// The instruction that needs it. For an LED, the one at which the run ends.
    pub index: RomIndex,
    /// The bits at power-up that it may depend on.
    pub bits: PowerUpBits,
    /// Two power-ups that behave differently, if some were found.
    pub pair: Option<PowerUpPair>,
}

/// The part of a machine whose value is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownPart {
    /// Whether a `JC` jumps.
    Jump,
    /// A printed byte.
    Output,
    /// An LED, by the byte that holds it and its bit.
    Led(RamAddr, u32),
}

/// Two power-ups that differ in one bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PowerUpPair {
    /// The contents of everything else.
    pub power_up: PowerUp,
    /// The register or byte that differs.
    pub place: PowerUpPlace,
    /// Its value in both.
    pub values: [u8; 2],
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
    run: Run,
    /// An earlier state, to which a machine that repeats itself returns.
    mark: Option<Mark>,
    /// The moment at which to take the next mark.
    next_mark: u64,
    output: Vec<u8>,
}

/// An instruction that a program executes again and again if it repeats itself.
#[derive(Debug)]
struct Mark {
    arrival: WatchSet,
    /// The first moment at which the program arrived there.
    moment: u64,
    /// The known bits at that moment. They determine those at all later moments.
    state: Option<PartialState>,
}

/// The first moment after the last input at which a mark is chosen.
const FIRST_MARK: u64 = 64;
/// The maximum number of instructions that are counted to choose a mark.
const COUNTED_MAX: u64 = 1 << 16;
/// The maximum number of power-ups that are tried to find two that differ.
const TRIES_MAX: u64 = 512;
/// The maximum number of instructions that they execute together, which take some seconds.
const TRIED_MAX: u64 = 1 << 32;

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
    let addresses = image.seeds().flat_map(|seed| seed.value..seed.value + i64::from(seed.size));
    let addresses = addresses.filter_map(|address| RamAddr::new(u16::try_from(address).ok()?));
    addresses.map(|address| (0, Input::Poke(address, ram[address.to_usize()]))).collect()
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
        }
    }

    /// Returns the inputs that plant the present contents in the bytes of `.seed`.
    pub fn seeds(&self) -> &[(u64, Input)] {
        &self.inputs[..self.inputs.len() - self.given.len()]
    }

    /// Returns the machine at the present moment.
    pub fn engine(&self) -> &dyn Engine {
        self.run.engine()
    }

    /// Returns the number of instructions that have been executed.
    pub fn moment(&self) -> u64 {
        self.run.moment()
    }

    /// Returns the bytes that were printed since the last call. They are known. With several
    /// contents of `.seed`, they are those of the first run.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output)
    }

    /// Continues for at most a few milliseconds, except at the end of a disproof. Returns the
    /// verdict once there is one.
    pub fn advance(&mut self) -> Option<PowerUpVerdict> {
        let verdict = self.advance_run()?;
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

    fn advance_run(&mut self) -> Option<PowerUpVerdict> {
        let slice = self.moment().saturating_add(self.engine().slice());
        let to = slice.min(self.next_mark).min(self.limit);
        let repeats = self.run_to(to);
        let output = self.run.take_output();
        if self.number == 0 {
            self.output.extend(output);
        }
        if let Some(period) = repeats {
            return Some(self.judge_repetition(period));
        }
        let (engine, moment) = (self.engine(), self.moment());
        let what = match engine.error() {
            Some(EngineError::UnknownJump) => Some(UnknownPart::Jump),
            Some(EngineError::UnknownOutput) => Some(UnknownPart::Output),
            _ if engine.halted() => unknown_led(engine),
            _ => None,
        };
        if let Some(what) = what {
            return Some(self.explain(what));
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

    /// Runs up to a moment. Returns the period if the state at the mark comes again.
    fn run_to(&mut self, to: u64) -> Option<u64> {
        let Some(mark) = &mut self.mark else {
            self.run.go_to(to);
            return None;
        };
        let mut watch = Watch::hits(&mark.arrival);
        while let Some(Happened::Hit(hit)) = self.run.next(&mut watch, to) {
            let state = self.run.engine().partial_state();
            if mark.state.is_none() {
                (mark.moment, mark.state) = (hit.moment, state.cloned());
            } else if mark.state.as_ref() == state {
                return Some(hit.moment - mark.moment);
            }
        }
        None
    }

    /// Marks the instruction that is executed most rarely, so that few states must be compared. The
    /// next mark is twice as far away, so that a period of any length is found.
    fn choose_mark(&mut self) {
        let mut counts = ExecutionCounts::default();
        let end = self.moment() + self.moment().min(COUNTED_MAX);
        self.run.next(&mut Watch::counting(&mut counts), end.min(self.limit));
        let counts = counts.by_index();
        let executed = RomIndex::all().filter(|index| counts[index.to_usize()] > 0);
        let rarest = executed.min_by_key(|index| counts[index.to_usize()]);
        self.mark = rarest.map(|index| Mark {
            arrival: WatchSet::new(vec![Event::reaches(index).into()], self.engine()),
            moment: 0,
            state: None,
        });
        self.next_mark = self.moment().saturating_mul(2);
    }

    /// Judges a run that repeats itself with this period.
    fn judge_repetition(&self, period: u64) -> PowerUpVerdict {
        let mark = self.mark.as_ref().map_or(0, |mark| mark.moment);
        self.unknown_led_in_period(mark, period).unwrap_or_else(|| PowerUpVerdict::Repeats {
            from: self.first_of_period(mark, period),
            period,
        })
    }

    /// Finds an LED that is unknown at some moment of the repeating part.
    fn unknown_led_in_period(&self, mark: u64, period: u64) -> Option<PowerUpVerdict> {
        let mut run = self.run_at(mark);
        let led_writes = Event::Touches(Access::Write, panel::GREEN..=panel::LAST_LED);
        let led_writes = WatchSet::new(vec![led_writes.into()], run.engine());
        let mut watch = Watch::hits(&led_writes);
        loop {
            if let Some(what) = unknown_led(run.engine()) {
                return Some(self.explain_at(what, run.moment(), run.engine().pc()));
            }
            run.next(&mut watch, mark + period)?;
        }
    }

    /// Returns the first moment whose state comes again after a period, up to a moment for which
    /// that is known.
    fn first_of_period(&self, known: u64, period: u64) -> u64 {
        let first = self.inputs.last().map_or(0, |(moment, _)| *moment);
        let mut runs = [first, first + period].map(|moment| self.run_at(moment));
        // The state after this many more instructions comes again, and so do all later ones.
        let mut left = known - first;
        while left > 0 {
            let half = left / 2;
            let mut later = runs.clone();
            for run in &mut later {
                run.go_to(run.moment() + half);
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
        runs[0].moment()
    }

    /// A separate run of the machine with unknown bits, at an earlier moment.
    fn run_at(&self, moment: u64) -> Run {
        let engine = Box::new(Machine::with_any_contents(&self.image));
        let mut run = Run::new(engine, self.inputs.iter().copied());
        run.go_to(moment);
        run
    }

    /// Explains what is unknown at the present moment.
    fn explain(&self, what: UnknownPart) -> PowerUpVerdict {
        self.explain_at(what, self.moment(), self.engine().pc())
    }

    fn explain_at(&self, what: UnknownPart, moment: u64, index: RomIndex) -> PowerUpVerdict {
        let (place, mask) = match what {
            UnknownPart::Jump => (PowerUpPlace::Carry, 1),
            UnknownPart::Output => (PowerUpPlace::A, u8::MAX),
            UnknownPart::Led(address, bit) => (PowerUpPlace::Byte(address), 1 << bit),
        };
        let bits = find_origins(&self.image, &self.inputs, moment, place, mask);
        let pair = self.find_pair(what, moment, &bits);
        PowerUpVerdict::Depends(Box::new(Dependence { what, moment, index, bits, pair }))
    }

    /// Finds two power-ups that differ in one of these bits, and then in the unknown part.
    fn find_pair(&self, what: UnknownPart, moment: u64, bits: &PowerUpBits) -> Option<PowerUpPair> {
        let each_bit = bits.iter().flat_map(|(place, mask)| {
            let bits = (0..8).map(|bit| 1 << bit).filter(move |bit| mask & bit != 0);
            bits.map(|bit| (*place, bit))
        });
        let tries = SAMPLES
            .iter()
            .flat_map(|power_up| each_bit.clone().map(move |(place, bit)| (*power_up, place, bit)));
        let mut base = None;
        let count = (TRIED_MAX / (moment + 1)).clamp(2, TRIES_MAX);
        for (power_up, place, bit) in tries.take(count as usize) {
            let old = match base {
                Some((known, value)) if known == power_up => value,
                _ => self.value_after(power_up, None, what, moment),
            };
            base = Some((power_up, old));
            let value = place.value_in(power_up);
            let changed = Some((place, value ^ bit));
            if self.value_after(power_up, changed, what, moment) != old {
                return Some(PowerUpPair { power_up, place, values: [value, value ^ bit] });
            }
        }
        None
    }

    /// Runs a machine with these contents at power-up, of which one register or byte is changed.
    /// Returns the value of the unknown part at a moment.
    fn value_after(
        &self,
        power_up: PowerUp,
        changed: Option<(PowerUpPlace, u8)>,
        what: UnknownPart,
        moment: u64,
    ) -> u8 {
        let mut machine = Machine::new(&self.image, power_up);
        let registers = machine.registers();
        match changed {
            Some((PowerUpPlace::Byte(address), byte)) => machine.poke(address, byte),
            Some((PowerUpPlace::A, a)) => {
                machine.load(Registers { a, ..registers });
            }
            Some((PowerUpPlace::Carry, carry)) => {
                machine.load(Registers { carry: carry != 0, ..registers });
            }
            None => {}
        }
        let mut run = Run::new(Box::new(machine), self.inputs.iter().copied());
        run.go_to(moment);
        match what {
            UnknownPart::Jump => u8::from(run.engine().carry()),
            UnknownPart::Output => run.engine().a(),
            UnknownPart::Led(address, bit) => run.engine().ram()[address.to_usize()] >> bit & 1,
        }
    }
}

impl PowerUpPlace {
    /// Returns the value at power-up.
    fn value_in(self, power_up: PowerUp) -> u8 {
        let contents = power_up.contents();
        match self {
            Self::Byte(address) => contents.ram[address.to_usize()],
            Self::A => contents.a,
            Self::Carry => u8::from(contents.carry),
        }
    }
}

/// Returns the bits at power-up that the unknown bits of a register or byte depend on, at a moment
/// of a run. Only the bits in `mask` count.
pub fn find_origins(
    image: &Image,
    inputs: &[(u64, Input)],
    moment: u64,
    place: PowerUpPlace,
    mask: u8,
) -> PowerUpBits {
    let mut origins = Origins::new();
    let mut run = Run::new(Box::new(Machine::with_any_contents(image)), inputs.iter().copied());
    let none = WatchSet::default();
    let mut watch = Watch::instructions(&none);
    while let Some(happened) = run.next(&mut watch, moment) {
        match happened {
            Happened::Step(Some(executed)) => origins.execute(executed.word),
            Happened::Input(input) => origins.receive(input),
            Happened::Step(None) | Happened::Hit(_) => {}
        }
    }
    origins.of(place, mask)
}

/// Returns the first LED of which it is unknown whether it is lit.
fn unknown_led(engine: &dyn Engine) -> Option<UnknownPart> {
    let state = engine.partial_state()?;
    let mut bytes = panel::leds().map(|address| (address, !state.ram[address.to_usize()].known()));
    let (address, unknown) = bytes.find(|(_, unknown)| *unknown != 0)?;
    Some(UnknownPart::Led(address, unknown.trailing_zeros()))
}

#[cfg(test)]
mod tests;
