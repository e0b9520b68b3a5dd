//! Finds weak tests by putting mistakes into a program, one at a time, and running the cases.
//!
//! Each instruction that a case executes gets up to three replacements. The first is a store to
//! an unused byte, as if the instruction were missing. The second is another operation with the
//! same operand. The third is the same operation with the next operand that the program uses with
//! this operation. The first replacement that no case detects is reported. All instructions of a
//! line are treated as one, including copies in repeats and macros. It is enough if a case detects
//! the change of one of them.
//!
//! A replacement counts as having no effect if all cases pass with it, and if in each case the
//! program stores the same bytes in the same order and halts if it halted before. Output counts as
//! stores.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use gray1_debugger::{Happened, History, NO_CONDITIONS, Run, Watch};
use gray1_isa::text::printable;
use gray1_isa::{
    Executed, Image, Indexes, Op, Operand, RamAddr, RomIndex, SourceLine, Word, panel,
};
use gray1_language::{Lexer, TokenKind};
use gray1_sim::{Engine, Setup};
use serde::Serialize;

use super::document::TestCase;
use super::machine_names::with_machine_names;
use super::run::CaseRun;

/// A changed program may run this many times as long as the original.
const SLOWDOWN_MAX: u64 = 10;
/// The number of replacements for each instruction.
const KINDS: usize = 3;

/// The mistakes that no case detects.
#[derive(Debug, Default, Serialize)]
pub struct MistakeReport {
    /// The number of mistakes that were tried: changed instructions with which a case was run.
    pub tried: u64,
    /// The undetected mistakes that the test file does not accept, sorted by line.
    pub mistakes: Vec<Mistake>,
    /// The accepted lines of the test file that have no undetected mistake.
    pub accepted_in_vain: Vec<String>,
    /// The entries of the test file that accept several lines, with the numbers of these lines.
    pub accepted: Vec<(String, Vec<u32>)>,
}

/// A mistake that no case detects.
#[derive(Debug, Serialize)]
pub struct Mistake {
    /// The name of the source file. Empty for an instruction without a source.
    pub file: String,
    /// The number of the line, counted from 1.
    pub line: Option<u32>,
    /// The index of the instruction.
    pub index: RomIndex,
    /// The line without its comment, or the instruction if it has no source.
    pub source: String,
    /// The instruction that was replaced.
    pub instruction: String,
    /// The replacement, or `None` if the instruction was left out or is never executed.
    pub replacement: Option<String>,
    /// False if no case executes the line, so that none can notice a mistake in it.
    pub executed: bool,
    /// True if the file was included, and is not the one that was assembled.
    #[serde(skip)]
    is_included: bool,
}

impl MistakeReport {
    /// Returns true if mistakes were tried and nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.tried > 0 && self.mistakes.is_empty() && self.accepted_in_vain.is_empty()
    }

    /// Returns the report as text.
    pub fn text(&self) -> String {
        let lines = self.mistakes.iter().map(|mistake| format!("    {mistake}\n"));
        let accepted = self.accepted_in_vain.iter().map(|source| {
            let source = printable(source);
            format!(
                "    `{source}` need not be accepted: a case notices it, or there is no such line\n"
            )
        });
        let several = self.accepted.iter().map(|(source, lines)| {
            let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            let (source, first) = (printable(source), &lines[0]);
            let lines = lines.join(", ");
            format!(
                "    `{source}` accepts lines {lines}; `{first}: {source}` accepts one of them\n"
            )
        });
        lines.chain(accepted).chain(several).collect()
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, index, source, instruction, replacement, executed, .. } = self;
        if self.is_included {
            write!(f, "{}, ", printable(file))?;
        }
        match line {
            Some(line) => write!(f, "line {line}, `{}`: ", printable(source))?,
            None => write!(f, "0x{:04x}, `{source}`: ", index.get())?,
        }
        match replacement {
            _ if !executed => f.write_str("no case executes it"),
            None => f.write_str("no case notices if it is missing"),
            Some(other) => write!(f, "no case notices `{other}` in place of `{instruction}`"),
        }
    }
}

/// A run of a case on the original program.
struct OriginalRun {
    case: Arc<TestCase>,
    setup: Setup,
    effect: (u64, bool),
    /// The instructions that it executed.
    executed: Indexes,
}

/// Tries mistakes in a program that passes these runs. `should_continue` is called before each line
/// with the number of the program's instructions that have been tried so far. If it returns false,
/// there is no report.
///
/// # Errors
/// Returns an error if a machine cannot be powered up.
pub fn find_mistakes(
    runs: Vec<(Arc<TestCase>, Setup)>,
    image: &Arc<Image>,
    accepted: &[(String, String)],
    should_continue: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<MistakeReport>, String> {
    let image = &with_machine_names(image);
    let unused = find_unused_byte(image);
    let mut originals = Vec::new();
    for (mut case, setup) in runs {
        if let Some(history) = run_case(&case, power_up(&setup, image)?, image) {
            let (effect, executed) = digest(power_up(&setup, image)?, &history, unused);
            let limit = &mut Arc::make_mut(&mut case).limit;
            *limit = history.moment().saturating_mul(SLOWDOWN_MAX).min(*limit);
            originals.push(OriginalRun { case, setup, effect, executed });
        }
    }
    originals.sort_by_key(|run| run.case.limit);
    let mut report = MistakeReport::default();
    let mut done = 0;
    for (_, indexes) in group_by_line(image) {
        if !should_continue(done) {
            return Ok(None);
        }
        done += indexes.len() as u64;
        if !indexes.iter().any(|it| originals.iter().any(|run| run.executed.contains(*it))) {
            let mistake = Mistake::new(image, indexes[0], None);
            report.mistakes.push(Mistake { executed: false, ..mistake });
            continue;
        }
        for kind in 0..KINDS {
            let unnoticed = find_unnoticed(&originals, image, &indexes, kind, unused, &mut report)?;
            if let Some((index, changed)) = unnoticed {
                let replacement = (kind > 0).then(|| changed.instruction(index));
                report.mistakes.push(Mistake::new(image, index, replacement));
                break;
            }
        }
    }
    report.accept(accepted);
    Ok(Some(report))
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

impl Mistake {
    /// Describes a mistake in the instruction at an index that a case executes.
    fn new(image: &Image, index: RomIndex, replacement: Option<String>) -> Self {
        let map = image.source_map();
        let place = map.calling_origin(index).map(|origin| origin.place);
        let line = place.and_then(|place| map.line(place));
        let instruction = image.instruction(index);
        Self {
            file: place
                .map_or_else(String::new, |it| map.files()[usize::from(it.file)].name.clone()),
            line: place.map(|place| place.line),
            index,
            source: line.map_or_else(|| instruction.clone(), normalize),
            instruction,
            replacement,
            executed: true,
            is_included: place.is_some_and(|place| place.file > 0),
        }
    }

    /// Returns true if an entry of the test file accepts the mistake: a line, or a number and the
    /// line with this number.
    fn is_accepted(&self, entry: &str) -> bool {
        let numbered = entry
            .split_once(':')
            .and_then(|(number, line)| Some((number.trim().parse::<u32>().ok()?, line)));
        match numbered {
            Some((number, line)) => self.line == Some(number) && self.source == normalize(line),
            None => self.source == normalize(entry),
        }
    }
}

impl MistakeReport {
    /// Removes the mistakes that these entries of the test file accept.
    fn accept(&mut self, entries: &[(String, String)]) {
        for (entry, _) in entries {
            let accepted = self.mistakes.iter().filter(|mistake| mistake.is_accepted(entry));
            let lines: Vec<Option<u32>> = accepted.map(|mistake| mistake.line).collect();
            if lines.is_empty() {
                self.accepted_in_vain.push(entry.clone());
            } else if lines.len() > 1 {
                self.accepted.push((entry.clone(), lines.into_iter().flatten().collect()));
            }
        }
        self.mistakes
            .retain(|mistake| !entries.iter().any(|(entry, _)| mistake.is_accepted(entry)));
    }
}

/// Returns the first instruction of a line whose change has an effect that no case detects, with
/// the changed program. Returns `None` if a case detects the change of any instruction of the line.
fn find_unnoticed(
    originals: &[OriginalRun],
    image: &Arc<Image>,
    line: &[RomIndex],
    kind: usize,
    unused: RamAddr,
    report: &mut MistakeReport,
) -> Result<Option<(RomIndex, Image)>, String> {
    let mut first = None;
    for &index in line {
        let Some(word) = list_replacements(image, index, unused)[kind] else { continue };
        let changed = Image::clone(image).with_word(index, word);
        let mut histories = Vec::new();
        let runs = originals.iter().filter(|run| run.executed.contains(index));
        report.tried += u64::from(runs.clone().next().is_some());
        for OriginalRun { case, setup, .. } in runs.clone() {
            match run_case(case, power_up(setup, &changed)?, image) {
                None => return Ok(None),
                Some(history) => histories.push(history),
            }
        }
        for (run, history) in runs.zip(&histories) {
            if first.is_some() {
                break;
            }
            if digest(power_up(&run.setup, &changed)?, history, unused).0 != run.effect {
                first = Some((index, changed.clone()));
            }
        }
    }
    Ok(first)
}

fn power_up(setup: &Setup, image: &Image) -> Result<Box<dyn Engine>, String> {
    setup.engine(image).map_err(|error| error.to_string())
}

/// Runs a case and returns its history, if it passes.
fn run_case(case: &Arc<TestCase>, engine: Box<dyn Engine>, image: &Arc<Image>) -> Option<History> {
    let mut run = CaseRun::new(case, engine, image, Vec::new());
    while !run.advance().ok()? {}
    Some(run.into_history())
}

/// Returns a digest of the bytes that a program stores during a history, whether it halts, and the
/// instructions that it executes.
fn digest(engine: Box<dyn Engine>, history: &History, unused: RamAddr) -> ((u64, bool), Indexes) {
    let (mut stores, mut indexes) = (DefaultHasher::new(), Indexes::NONE);
    let mut run = Run::new(engine, history.given().iter().copied());
    let mut watch = Watch::instructions(&NO_CONDITIONS);
    while let Some(happened) = run.next(&mut watch, history.moment()) {
        let Happened::Step(Some(Executed { index, write, .. })) = happened else { continue };
        indexes.insert(index);
        if let Some(write) = write.filter(|write| write.address != unused) {
            (write.address, write.new).hash(&mut stores);
        }
    }
    ((stores.finish(), history.engine().halted()), indexes)
}

/// Returns the last byte before the panel that the program does not use.
fn find_unused_byte(image: &Image) -> RamAddr {
    let is_used = |address: &RamAddr| {
        let is_operand =
            |word: &Word| word.op().operand() == Operand::Data && word.address() == *address;
        image.words().iter().any(is_operand)
    };
    let mut below = (0..panel::RESERVED.get()).rev().map(RamAddr::truncate);
    below.find(|address| !is_used(address)).unwrap_or(panel::RESERVED)
}

/// Returns the replacements for an instruction. All of them differ from it.
fn list_replacements(image: &Image, index: RomIndex, unused: RamAddr) -> [Option<Word>; KINDS] {
    let word = image.word(index);
    let other = match word.op() {
        Op::Ld => Some(Op::Add),
        Op::Add => Some(Op::Nand),
        Op::Nand | Op::St => Some(Op::Ld),
        Op::Jc => Some(Op::Jmp),
        Op::Jmp => Some(Op::Jc),
        Op::Ldi | Op::Shr => None,
    };
    let with = |op: Op, field: u16| Word::from_bits(u16::from(op.code()) << 13 | field);
    let has_same_kind = |at: &RomIndex| {
        let kind = image.word(*at).op().operand();
        kind != Operand::None && kind == word.op().operand() && image.is_used(*at)
    };
    let fields = RomIndex::all().filter(has_same_kind).map(|at| image.word(at).field());
    let fields = fields.filter(|field| *field != word.field());
    // After the last operand comes the first.
    let next = fields.min_by_key(|field| (*field < word.field(), *field));
    let missing = Word::data(Op::St, unused);
    let operation = other.map(|op| with(op, word.field()));
    let operand = next.map(|field| with(word.op(), field));
    [Some(missing), operation, operand]
}

/// Returns a line without its comment, with single blanks where it has some.
fn normalize(line: &str) -> String {
    let mut text = String::new();
    let mut end = 0;
    for token in Lexer::new(line).take_while(|token| token.kind != TokenKind::Comment) {
        let is_apart = end > 0 && token.start > end;
        text += if is_apart { " " } else { "" };
        text += token.text;
        end = token.start + token.text.len();
    }
    text
}
