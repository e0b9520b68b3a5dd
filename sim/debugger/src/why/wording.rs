//! Formats sentences, facts and causes with the program's own names, source lines and captions.

use gray1_isa::panel::{Display, Led, LedColor, SIDE};
use gray1_isa::text::name_bits;
use gray1_isa::{Image, Op, RamAddr, RomIndex};

use super::fact::{CausalNode, CausalStep, Cell, Deviation, Fact, FactOrigin, Leaf, Subject};
use super::known_facts::{KnownFacts, is_cut};
use super::led_reason::{AskedLed, FilledReason, ProgramReason};
use super::question::Asked;

/// Returns the LED of a question with its colour, if the question is about one.
pub(super) fn find_asked_led(asked: Asked, roots: &[CausalNode]) -> Option<AskedLed> {
    let Asked::Led { row, column } = asked else { return None };
    let rows = |color: LedColor| {
        let node = roots.iter().find(|it| it.fact.byte().and_then(|it| color.row_of(it)).is_some());
        [node.map_or(0, |it| it.value); SIDE]
    };
    let display = Display { green: rows(LedColor::Green), red: rows(LedColor::Red) };
    Some(AskedLed { square: (row, column), led: display.led(row.into(), column.into()) })
}

/// Words a reason: `Dark: the queen in row 0 attacks this square, straight down.`
/// If the program's legend has only one colour, the sentence about a lit LED begins with `Lit`.
pub(super) fn describe_reason(led: Led, reason: &FilledReason, image: &Image) -> ProgramReason {
    let legend = &image.presentation().legend;
    let colours = legend.iter().filter(|meaning| meaning.led != Led::Dark).count();
    let color = match led {
        Led::Dark => "Dark",
        _ if colours == 1 => "Lit",
        Led::Green => "Green",
        Led::Red => "Red",
        Led::Yellow => "Yellow",
    };
    ProgramReason { color, text: reason.text.clone() }
}

/// Describes a square of the display, with its row and column: `LED 4, 3 is red (a queen)`. The
/// program's legend has no meaning for a row that the program has not written.
pub fn describe_square(
    (row, column): (u8, u8),
    led: Led,
    is_written: bool,
    image: &Image,
) -> String {
    let meaning = image.presentation().meaning(led).filter(|_| is_written);
    let meaning = meaning.map_or_else(String::new, |meaning| format!(" ({meaning})"));
    format!("LED {row}, {column} is {}{meaning}", led.name())
}

/// The answer as a sentence, with the node of the step that it describes.
#[derive(Debug, Default)]
pub(super) struct Sentence {
    pub(super) text: String,
    pub(super) decision: Option<CausalNode>,
    /// True if the chain of causes continues before `decision`, and the search stopped there.
    pub(super) stops: bool,
}

/// Formats the answer as a sentence: the subject, the instruction that stored it, and the step that
/// decided it.
pub(super) fn format_sentence(
    asked: Asked,
    roots: &[CausalNode],
    known: &mut KnownFacts,
    image: &Image,
) -> Sentence {
    let Some(root) = roots.first() else {
        let text = "this instruction was not executed".to_owned();
        return Sentence { text, ..Sentence::default() };
    };
    let led = find_asked_led(asked, roots);
    let is_written = roots.iter().any(|root| root.origin != FactOrigin::Leaf(Leaf::PowerUp));
    let what = match led {
        Some(AskedLed { square, led }) => describe_square(square, led, is_written, image),
        None => describe_node(root, image),
    };
    let (chain, is_cut_off) = follow_chain(*root, known, image);
    let Chain { node: decision, steps, .. } = chain;
    if decision.deviation().is_some() {
        let is_root = steps == 0 && led.is_none();
        let wrong = describe_deviation(&decision, &known.chips, image);
        let text = if is_root { wrong } else { format!("{what}: {wrong}") };
        return Sentence { text, decision: Some(decision), stops: false };
    }
    let stored = root.step().filter(|_| steps > 0).map(|step| {
        let by = quote(step.recorded.index, None, image);
        match (chain.times, chain.copied) {
            (2.., _) => format!("{by} changed it {} times, and ", chain.times),
            (_, Some(byte)) => {
                format!("{by} copied `{}` there, and ", image.byte_at(byte, step.recorded.index))
            }
            (_, None) if is_change(step) => format!("{by} changed it, and "),
            (_, None) => match chain.changed.filter(|_| is_changed(root, &decision)) {
                Some(index) => {
                    format!("{by} stored it, {} changed it, and ", quote(index, None, image))
                }
                None => format!("{by} stored it, and "),
            },
        }
    });
    let decided = match decision.origin {
        FactOrigin::Leaf(leaf) => describe_source(&chain, leaf, led.is_some(), image),
        FactOrigin::Step(step) => {
            let did = match (decision.fact.subject, step.recorded.word.op()) {
                (Subject::Executed(_), _) if step.recorded.carry => "jumped".to_owned(),
                (Subject::Executed(_), _) => "did not jump".to_owned(),
                (_, Op::Ldi) => {
                    format!("set it to {}", image.format_byte(step.recorded.word.immediate()))
                }
                _ => "computed it".to_owned(),
            };
            let caption = image.caption(step.recorded.index);
            let caption = caption.map(|it| format!(": \"{}\"", it.trim_end_matches('.')));
            let by = quote(step.recorded.index, Some(step.moment()), image);
            format!("{by} {did}{}", caption.unwrap_or_default())
        }
    };
    let end = is_cut_off.then(|| format!(", {steps} steps back, where this answer stops"));
    let text = format!(
        "{what} because {}{decided}{}.",
        stored.unwrap_or_default(),
        end.unwrap_or_default()
    );
    Sentence { text, decision: Some(decision), stops: is_cut_off }
}

/// The chain of single causes from a fact back to the step that decided it: the last one that
/// combined more than one fact, apart from constants. The steps after it only moved the value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chain {
    /// The node that was reached.
    node: CausalNode,
    /// The number of steps from the fact to that node.
    steps: usize,
    /// How many of them executed the instruction that made the fact.
    times: usize,
    /// The byte that the first steps copied.
    copied: Option<RamAddr>,
    /// The instruction that depended on the node.
    reader: Option<RomIndex>,
    /// The last instruction that combined the value with itself or with a constant.
    changed: Option<RomIndex>,
}

/// Returns true if a step computed a value, and did not only move one.
fn is_change(step: &CausalStep) -> bool {
    matches!(step.recorded.word.op(), Op::Add | Op::Nand | Op::Shr)
}

/// Returns true if a constant was loaded in the one step, and other bits were found in the end.
fn is_changed(end: &CausalNode, start: &CausalNode) -> bool {
    let loaded = start.step().map(|step| step.recorded.word).filter(|word| word.op() == Op::Ldi);
    let mask = end.fact.mask().unwrap_or_default();
    loaded.is_some_and(|word| (word.immediate() ^ end.value) & mask != 0)
}

/// Follows the chain of single causes of a fact. Also returns true if the search stopped although
/// the chain continues.
fn follow_chain(root: CausalNode, known: &mut KnownFacts, image: &Image) -> (Chain, bool) {
    let start = Chain { node: root, steps: 0, times: 0, copied: None, reader: None, changed: None };
    let mut chain = known.decision.unwrap_or(start);
    let mut is_cut_off = false;
    while !matches!(chain.node.fact.subject, Subject::Executed(_))
        && chain.node.deviation().is_none()
        && let Some(cause) = known.only_cause(&chain.node, image)
    {
        is_cut_off = is_cut(&root, &chain.node, chain.steps);
        if is_cut_off {
            break;
        }
        let index = |node: &CausalNode| node.step().map(|step| step.recorded.index);
        chain.times += usize::from(index(&chain.node) == index(&root));
        let step = chain.node.step().filter(|step| step.recorded.word.op() == Op::Ld);
        if chain.steps == 1 && step.is_some() {
            chain.copied = cause.fact.byte();
        }
        let change =
            chain.node.step().filter(|step| is_change(step)).map(|step| step.recorded.index);
        chain = Chain {
            reader: index(&chain.node),
            node: cause,
            steps: chain.steps + 1,
            changed: chain.changed.or(change),
            ..chain
        };
    }
    known.decision = Some(chain);
    (chain, is_cut_off)
}

/// Describes the end of a chain: `line 6 read `d` before anything had written it`.
fn describe_source(chain: &Chain, leaf: Leaf, is_led: bool, image: &Image) -> String {
    match (leaf, chain.node.fact.byte(), chain.reader) {
        (Leaf::PowerUp, Some(byte), Some(reader)) => {
            let line = image.name_line(reader);
            format!("{line} read `{}` before anything had written it", image.byte_at(byte, reader))
        }
        (Leaf::PowerUp, Some(_), None) if is_led => {
            "the program has not written to this row since power-up".to_owned()
        }
        (Leaf::PowerUp, Some(_), None) => "nothing has written it since power-up".to_owned(),
        (Leaf::UserChange(_), ..) => format!("it was {}", describe_leaf(leaf, image)),
        _ => format!("it comes from {}", describe_leaf(leaf, image)),
    }
}

/// Quotes an instruction with its line and its moment: `` `ST d` (line 6, moment 4) ``.
fn quote(index: RomIndex, moment: Option<u64>, image: &Image) -> String {
    let line = image.name_line(index);
    let moment = moment.map_or_else(String::new, |moment| format!(", moment {moment}"));
    format!("`{}` ({line}{moment})", image.instruction(index))
}

/// The instruction at an index, with its place: `ST d at 0x0004 (p.asm:6)`.
fn format_place(index: RomIndex, image: &Image) -> String {
    format!("{} at {}", image.instruction(index), image.place_and_line(index))
}

/// Describes an instruction with a wrong result:
/// `A is 0x62, though LDI 0x42 at 0x0002 should make it 0x42 (moment 3).
/// AM is the first chip with a wrong output, in T5`.
fn describe_deviation(node: &CausalNode, chips: &[String], image: &Image) -> String {
    let (Some(step), Some(Deviation { should, chip })) = (node.step(), node.deviation()) else {
        return describe_node(node, image);
    };
    let index = step.recorded.index;
    let what = match node.fact.mask() {
        None => format!("{} came next", image.names().place(step.recorded.after.pc)),
        Some(_) => describe_node(node, image),
    };
    let by = format_place(index, image);
    let chip = chip.map_or_else(String::new, |(chip, phase)| {
        format!(". {} is the first chip with a wrong output, in {phase}", chips[chip.index()])
    });
    let should = describe_correct_result(node, should, image);
    format!("{what}, though {by} {should} (moment {}){chip}", step.moment())
}

/// Describes the correct result of an instruction: `should make it 0x42`, `leads to 0x0003`.
pub(super) fn describe_correct_result(node: &CausalNode, should: u16, image: &Image) -> String {
    match node.fact.mask() {
        None => format!("leads to {}", image.names().place(RomIndex::truncate(should))),
        Some(_) => format!("should make it {}", format_bits(node, should as u8, image)),
    }
}

/// Formats the subject of a node and its value: `stack+2.3 is 1`.
pub(super) fn describe_node(node: &CausalNode, image: &Image) -> String {
    let subject = describe_subject(node, image);
    match node.fact.mask() {
        None => subject,
        Some(mask) if !matches!(mask.count_ones(), 1 | 8) => match node.bits() {
            0 => format!("{subject} are 0"),
            bits if bits == mask => format!("{subject} are 1"),
            bits => format!("{subject} make {}", image.format_byte(bits)),
        },
        Some(_) => format!("{subject} is {}", format_bits(node, node.bits(), image)),
    }
}

/// Formats a value of a node's bits. A single bit is 0 or 1.
fn format_bits(node: &CausalNode, value: u8, image: &Image) -> String {
    let is_one = node.fact.mask().is_some_and(u8::is_power_of_two);
    if is_one { value.to_string() } else { image.format_byte(value) }
}

/// Formats the subject of a node: `stack+2.3`, `green LED 4, 3`, `A`, `row3+2 is reached`.
pub fn describe_subject(node: &CausalNode, image: &Image) -> String {
    let Fact { subject, .. } = node.fact;
    let (name, mask) = match subject {
        Subject::Executed(index) | Subject::Visit(index) => {
            return format!("{} is reached", image.names().place(index));
        }
        Subject::Skipped(byte) => return format!("{} is not stored", image.byte(byte)),
        Subject::Bits(Cell::Carry, _) => return "C".to_owned(),
        Subject::Bits(Cell::A, mask) => ("A".to_owned(), mask),
        Subject::Bits(Cell::Byte(byte), mask) | Subject::Change(byte, mask) => {
            if let Some(led) = describe_led(byte, mask) {
                return led;
            }
            let own = node.step().map(|step| image.byte_at(byte, step.recorded.index));
            (own.unwrap_or_else(|| image.byte(byte)), mask)
        }
    };
    // A single bit has the name that a question can use.
    let bit = mask.is_power_of_two().then(|| format!("{name}.{}", mask.trailing_zeros()));
    bit.unwrap_or_else(|| name_bits(mask, &name))
}

/// Returns the name of a single LED.
fn describe_led(byte: RamAddr, mask: u8) -> Option<String> {
    let column = mask.is_power_of_two().then(|| mask.trailing_zeros())?;
    [(LedColor::Green, "green"), (LedColor::Red, "red")].into_iter().find_map(|(color, name)| {
        let row = color.row_of(byte)?;
        Some(format!("{name} LED {row}, {column}"))
    })
}

/// Describes the origin of a fact that no instruction caused.
pub(super) fn describe_origin(node: &CausalNode, leaf: Leaf, image: &Image) -> String {
    match node.fact.subject {
        Subject::Bits(Cell::Byte(byte), _) if leaf == Leaf::PowerUp => {
            format!("nothing had written {} before this", image.byte(byte))
        }
        _ => describe_leaf(leaf, image),
    }
}

/// Describes the end of a chain of causes.
pub fn describe_leaf(leaf: Leaf, image: &Image) -> String {
    match leaf {
        Leaf::PoolConstant(address) => format!("the constant {}", image.byte(address)),
        Leaf::Constant(index) if image.word(index).op() == Op::Ldi => {
            format!("the constant {}", image.format_byte(image.word(index).immediate()))
        }
        Leaf::Constant(_) => "the 0 that SHR shifts in".to_owned(),
        Leaf::Buttons(moment) => format!("the buttons, as held from moment {moment} on"),
        Leaf::UserChange(moment) => format!("changed by hand at moment {moment}"),
        Leaf::Reset(moment) => format!("the reset at moment {moment}"),
        Leaf::PowerUp => "power-up".to_owned(),
        Leaf::Forgotten => "something before the recorded history".to_owned(),
    }
}
