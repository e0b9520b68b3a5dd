//! Finds weak tests by putting mistakes into a program, one at a time, and running the cases.
//!
//! Each instruction that a case executes gets up to three replacements. The first is a store to
//! an unused byte, as if the instruction were missing. The second is another operation with the
//! same operand. The third is the same operation with the next operand that the program uses with
//! this operation. The first replacement that no case detects is reported. All instructions of a
//! line are treated as one, including copies in repeats and macros. It is enough if a case detects
//! the change of one of them.
//!
//! But if a line has several expansions, such as the iterations of a repeat, each is also left out
//! alone, because a program with a loop over all rows but one is a different program.
//!
//! A replacement counts as having no effect if all cases pass with it, and if in each case the
//! program stores the same bytes in the same order and halts if it halted before. Output counts as
//! stores. A part that is left out has no effect if the output and the contents of memory at the
//! end stay the same, because it may clear a row that another part draws afterwards.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use gray1_debugger::{Happened, History, NO_CONDITIONS, Run, Watch};
use gray1_isa::{
    Executed, ExpansionKind, Image, Indexes, Op, Operand, RamAddr, RomIndex, SourceLine, Word,
    panel,
};
use gray1_sim::{Engine, Setup};

use super::document::TestCase;
use super::machine_names::with_machine_names;
use super::mistake_report::{Matrix, Mistake, MistakeReport, Trial};
use super::run::CaseRun;

/// A changed program may run this many times as long as the original.
const SLOWDOWN_MAX: u64 = 10;
/// The number of instructions that are digested in a few milliseconds.
const DIGESTED: u64 = 1 << 16;

/// A run of a case on the original program.
struct OriginalRun {
    case: Arc<TestCase>,
    setup: Setup,
    effect: Effect,
    /// The instructions that it executed.
    executed: Indexes,
}

/// What a program does in a case.
#[derive(PartialEq, Eq)]
struct Effect {
    /// A digest of the stored bytes, in their order.
    stores: u64,
    /// A digest of the printed bytes and of data memory at the end.
    outcome: u64,
    is_halted: bool,
}

impl Effect {
    /// Compares the effects of two programs, one of which has a mistake.
    fn differs(&self, other: &Self, mistake: &Mistake) -> bool {
        let is_same_end = self.outcome == other.outcome && self.is_halted == other.is_halted;
        if mistake.part.is_some() { !is_same_end } else { self != other }
    }
}

/// Tries mistakes in a program that passes these runs. `should_continue` is called every few
/// milliseconds with the number of the program's instructions that have been tried so far. If it
/// returns false, there is no report. `accepted` are the lines of the test file whose mistakes may
/// stay unnoticed. `has_matrix` asks for the cases that notice each mistake, which takes longer.
///
/// # Errors
/// Returns an error if a machine cannot be powered up.
pub fn find_mistakes(
    runs: Vec<(Arc<TestCase>, Setup)>,
    image: &Arc<Image>,
    accepted: &[String],
    has_matrix: bool,
    should_continue: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<MistakeReport>, String> {
    let image = &with_machine_names(image);
    let unused = find_unused_byte(image);
    let mut work = Work { done: 0, is_stopped: false, should_continue };
    let mut originals = Vec::new();
    let mut cases: Vec<String> = runs.iter().map(|(case, _)| case.name.clone()).collect();
    cases.dedup();
    for (mut case, setup) in runs {
        if let Some(history) = run_case(&case, power_up(&setup, image)?, image, &mut work) {
            let engine = power_up(&setup, image)?;
            let (effect, executed) = digest(engine, &history, unused, &mut work);
            let limit = &mut Arc::make_mut(&mut case).limit;
            *limit = history.moment().saturating_mul(SLOWDOWN_MAX).min(*limit);
            originals.push(OriginalRun { case, setup, effect, executed });
        }
    }
    originals.sort_by_key(|run| run.case.limit);
    let matrix =
        has_matrix.then(|| Matrix { cases, trials: Vec::new(), superfluous: BTreeSet::new() });
    let report = MistakeReport { matrix, ..MistakeReport::default() };
    let mut search = Search { originals, image, unused, work, report };
    for (_, indexes) in group_by_line(image) {
        let unnoticed = search.try_line(&indexes)?;
        if search.work.is_stopped {
            return Ok(None);
        }
        search.report.mistakes.extend(unnoticed);
        search.work.done += indexes.len() as u64;
    }
    let mut report = search.report;
    report.matrix.iter_mut().for_each(Matrix::find_superfluous);
    report.accept(accepted);
    Ok(Some(report))
}

/// The search for mistakes that no case notices.
struct Search<'a> {
    originals: Vec<OriginalRun>,
    image: &'a Arc<Image>,
    unused: RamAddr,
    work: Work<'a>,
    report: MistakeReport,
}

/// The progress of a search, which its caller can stop.
struct Work<'a> {
    /// The number of instructions that have been tried.
    done: u64,
    is_stopped: bool,
    should_continue: &'a mut dyn FnMut(u64) -> bool,
}

impl Work<'_> {
    /// Reports the progress. Returns false if the search was stopped, so that its results do not
    /// matter any more.
    fn proceed(&mut self) -> bool {
        self.is_stopped |= !(self.should_continue)(self.done);
        !self.is_stopped
    }
}

/// The result of a mistake.
#[derive(PartialEq, Eq)]
enum TrialEnd {
    Noticed,
    Unnoticed,
    /// It changes nothing that a case could notice, or no case executes it.
    WithoutEffect,
}

impl Search<'_> {
    /// Tries the mistakes in a line, and returns the first one that goes unnoticed.
    fn try_line(&mut self, line: &[RomIndex]) -> Result<Option<Mistake>, String> {
        let image = self.image;
        if !line.iter().any(|it| self.originals.iter().any(|run| run.executed.contains(*it))) {
            let mistake = Mistake::new(image, line[0], None);
            return Ok(Some(Mistake { executed: false, ..mistake }));
        }
        let missing = Word::data(Op::St, self.unused);
        let replacements: [&dyn Fn(Word) -> Option<Word>; 3] =
            [&|_| Some(missing), &change_operation, &|word| change_operand(image, word)];
        for replace in replacements {
            let mut first = None;
            for &index in line {
                let Some(word) = replace(image.word(index)) else { continue };
                let changed = Image::clone(image).with_word(index, word);
                let replacement = (word != missing).then(|| changed.instruction(index));
                let mistake = Mistake::new(image, index, replacement);
                match self.try_change(&changed, &[index], &mistake)? {
                    TrialEnd::Noticed => {
                        first = None;
                        break;
                    }
                    TrialEnd::Unnoticed => first = first.or(Some(mistake)),
                    TrialEnd::WithoutEffect => {}
                }
            }
            if first.is_some() {
                return Ok(first);
            }
        }
        let parts = self.group_by_expansion(line);
        for (part, indexes) in parts {
            let mut changed = Image::clone(image);
            for &index in &indexes {
                changed = changed.with_word(index, missing);
            }
            let mistake = Mistake::new(image, indexes[0], None);
            let mistake = Mistake { part: Some(part), ..mistake };
            if self.try_change(&changed, &indexes, &mistake)? == TrialEnd::Unnoticed {
                return Ok(Some(mistake));
            }
        }
        Ok(None)
    }

    /// Returns the instructions of each expansion of a line. Returns none if there is only one
    /// expansion.
    fn group_by_expansion(&self, line: &[RomIndex]) -> Vec<(ExpansionKind, Vec<RomIndex>)> {
        let map = self.image.source_map();
        let mut parts: BTreeMap<Option<u32>, Vec<RomIndex>> = BTreeMap::new();
        for &index in line {
            let expansion = map.origin(index).and_then(|origin| origin.expansion);
            parts.entry(expansion).or_default().push(index);
        }
        let several = parts.into_iter().filter(|(_, indexes)| indexes.len() < line.len());
        let kind = |number: u32| &map.expansions()[number as usize].kind;
        let named = several.filter_map(|(number, indexes)| {
            let mut around = map.outward(number).map(kind);
            let repeat = around.find(|kind| matches!(kind, ExpansionKind::Repeat(_)));
            Some((repeat.unwrap_or(kind(number?)).clone(), indexes))
        });
        named.collect()
    }

    /// Runs the cases on a program in which the words at these indexes are changed.
    fn try_change(
        &mut self,
        changed: &Image,
        indexes: &[RomIndex],
        mistake: &Mistake,
    ) -> Result<TrialEnd, String> {
        let mut runs: Vec<&OriginalRun> = self.originals.iter().collect();
        runs.retain(|run| indexes.iter().any(|it| run.executed.contains(*it)));
        self.report.tried += u64::from(!runs.is_empty());
        let (mut noticed_by, mut histories) = (BTreeSet::new(), Vec::new());
        for run in &runs {
            let engine = power_up(&run.setup, changed)?;
            match run_case(&run.case, engine, self.image, &mut self.work) {
                Some(history) => histories.push(history),
                None => _ = noticed_by.insert(run.case.name.clone()),
            }
            if !noticed_by.is_empty() && self.report.matrix.is_none() {
                break;
            }
        }
        let mut end =
            if noticed_by.is_empty() { TrialEnd::WithoutEffect } else { TrialEnd::Noticed };
        for (run, history) in runs.iter().zip(&histories) {
            if end != TrialEnd::WithoutEffect {
                break;
            }
            let engine = power_up(&run.setup, changed)?;
            let (effect, _) = digest(engine, history, self.unused, &mut self.work);
            if effect.differs(&run.effect, mistake) {
                end = TrialEnd::Unnoticed;
            }
        }
        self.report.noticed += u64::from(end == TrialEnd::Noticed);
        if let (Some(matrix), true) = (&mut self.report.matrix, !runs.is_empty()) {
            let (mistake, has_effect) = (mistake.clone(), end != TrialEnd::WithoutEffect);
            matrix.trials.push(Trial { mistake, has_effect, noticed_by });
        }
        Ok(end)
    }
}

/// Groups the instructions of a program by the source line that made them. An instruction without
/// a source is a group of its own.
fn group_by_line(image: &Image) -> BTreeMap<(Option<SourceLine>, RomIndex), Vec<RomIndex>> {
    let mut first_of_line = HashMap::new();
    let mut groups: BTreeMap<_, Vec<RomIndex>> = BTreeMap::new();
    for index in RomIndex::all().filter(|index| image.is_used(*index)) {
        let place = image.source_map().calling_origin(index).map(|origin| origin.place);
        let first = place.map_or(index, |place| *first_of_line.entry(place).or_insert(index));
        groups.entry((place, first)).or_default().push(index);
    }
    groups
}

fn power_up(setup: &Setup, image: &Image) -> Result<Box<dyn Engine>, String> {
    setup.engine(image).map_err(|error| error.to_string())
}

/// Runs a case and returns its history, if it passes.
fn run_case(
    case: &Arc<TestCase>,
    engine: Box<dyn Engine>,
    image: &Arc<Image>,
    work: &mut Work,
) -> Option<History> {
    let mut run = CaseRun::new(case, engine, image, Vec::new());
    while !run.advance().ok()? {
        if !work.proceed() {
            return None;
        }
    }
    Some(run.into_history())
}

/// Returns the effect of a program during a history, and the instructions that it executes.
fn digest(
    engine: Box<dyn Engine>,
    history: &History,
    unused: RamAddr,
    work: &mut Work,
) -> (Effect, Indexes) {
    let [mut stores, mut outcome] = [DefaultHasher::new(), DefaultHasher::new()];
    let mut indexes = Indexes::NONE;
    let mut run = Run::new(engine, history.given().iter().copied());
    let mut watch = Watch::instructions(&NO_CONDITIONS);
    while let Some(happened) = run.next(&mut watch, history.moment()) {
        if run.moment().is_multiple_of(DIGESTED) && !work.proceed() {
            break;
        }
        let Happened::Step(Some(Executed { index, write, .. })) = happened else { continue };
        indexes.insert(index);
        if let Some(write) = write.filter(|write| write.address != unused) {
            (write.address, write.new).hash(&mut stores);
            if write.address == panel::MAILBOX {
                write.new.hash(&mut outcome);
            }
        }
    }
    let (before, after) = history.engine().ram().split_at(unused.to_usize());
    (before, &after[1..]).hash(&mut outcome);
    let is_halted = history.engine().halted();
    (Effect { stores: stores.finish(), outcome: outcome.finish(), is_halted }, indexes)
}

/// Returns the last byte before the panel that the program does not use.
fn find_unused_byte(image: &Image) -> RamAddr {
    let words = image.words().iter().filter(|word| word.op().operand() == Operand::Data);
    let used: BTreeSet<RamAddr> = words.map(|word| word.address()).collect();
    let mut below = (0..panel::RESERVED.get()).rev().map(RamAddr::truncate);
    below.find(|address| !used.contains(address)).unwrap_or(panel::RESERVED)
}

/// Returns another operation with the operand of an instruction.
fn change_operation(word: Word) -> Option<Word> {
    let other = match word.op() {
        Op::Ld => Op::Add,
        Op::Add => Op::Nand,
        Op::Nand | Op::St => Op::Ld,
        Op::Jc => Op::Jmp,
        Op::Jmp => Op::Jc,
        Op::Ldi | Op::Shr => return None,
    };
    Some(Word::from_bits(u16::from(other.code()) << 13 | word.field()))
}

/// Returns the operation of an instruction with the next operand of this kind in the program. After
/// the last operand comes the first.
fn change_operand(image: &Image, word: Word) -> Option<Word> {
    let alike = RomIndex::all().filter(|at| {
        let kind = image.word(*at).op().operand();
        kind != Operand::None && kind == word.op().operand() && image.is_used(*at)
    });
    let fields = alike.map(|at| image.word(at).field()).filter(|field| *field != word.field());
    let next = fields.min_by_key(|field| (*field < word.field(), *field));
    next.map(|field| Word::from_bits(word.bits() - word.field() + field))
}
