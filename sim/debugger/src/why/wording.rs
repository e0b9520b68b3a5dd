//! Formats sentences, facts and causes with the program's own names, source lines and captions.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use gray1_isa::panel::{Display, Led, LedColor, SIDE};
use gray1_isa::{Image, Op, RamAddr, RomIndex};

use super::fact::{CausalNode, CausalStep, Cell, Deviation, Fact, FactOrigin, Leaf, Subject};
use super::known_facts::{FACTS_MAX, KnownFacts, causes, is_cut};
use super::led_reason::{AskedLed, FilledReason};
use super::question::Asked;

/// The maximum number of important steps.
const STEPS_MAX: usize = 5;
/// The maximum number of squares of a kind that a sentence names.
const SQUARES_MAX: usize = 9;

/// Squares by row and column, grouped by their contents.
type Squares = BTreeMap<String, BTreeSet<(u16, u16)>>;

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

/// Formats a reason as a sentence: `Dark: the queen in row 0 attacks this square, straight down.`
/// If the program's legend has only one colour, the sentence about a lit LED begins with `Lit`.
pub(super) fn describe_reason(led: Led, reason: &FilledReason, image: &Image) -> String {
    let legend = &image.presentation().legend;
    let colours = legend.iter().filter(|meaning| meaning.led != Led::Dark).count();
    let color = match led {
        Led::Dark => "Dark",
        _ if colours == 1 => "Lit",
        Led::Green => "Green",
        Led::Red => "Red",
        Led::Yellow => "Yellow",
    };
    format!("{color}: {}.", reason.text)
}

/// Sorts the steps of an answer, the last first, and keeps one for each moment.
pub(super) fn choose_steps(mut steps: Vec<CausalNode>) -> Vec<CausalNode> {
    let moment = |node: &CausalNode| node.step().map(CausalStep::moment);
    steps.retain(|node| moment(node).is_some());
    steps.sort_by_key(|node| std::cmp::Reverse(moment(node)));
    steps.dedup_by_key(|node| moment(node));
    // The first and the last step are the most useful.
    if steps.len() > STEPS_MAX {
        steps.drain(STEPS_MAX - 1..steps.len() - 1);
    }
    steps
}

/// The answer as a sentence, with the node of the step that it describes.
#[derive(Debug, Default)]
pub(super) struct Sentence {
    pub(super) text: String,
    pub(super) decision: Option<CausalNode>,
    /// True if the chain of causes continues before `decision`, and the search stopped there.
    pub(super) stops: bool,
}

/// Formats the answer as a sentence: the subject, and the step that decided it, with the squares of
/// the display and of grids that this step read.
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
    let what = match find_asked_led(asked, roots) {
        Some(AskedLed { square: (row, column), led }) => {
            let meaning = image.presentation().meaning(led);
            let meaning = meaning.map_or_else(String::new, |meaning| format!(" ({meaning})"));
            format!("led {row}, {column} is {}{meaning}", led.name())
        }
        None => describe_node(root, image),
    };
    let (decision, steps) = find_step(*root, known, image);
    let why = match decision.origin {
        FactOrigin::Leaf(Leaf::PowerUp) if matches!(asked, Asked::Led { .. }) => {
            match root.step() {
                None => "the program has not written to this row since power-up".to_owned(),
                Some(step) => {
                    let (at, moment) = (format_place(step.recorded.index, image), step.moment());
                    let origin = match decision.fact.byte() {
                        Some(_) => describe_origin(&decision, Leaf::PowerUp, image),
                        None => "it comes from power-up".to_owned(),
                    };
                    format!("{at} wrote it (moment {moment}), and {origin}")
                }
            }
        }
        FactOrigin::Leaf(leaf) => describe_origin(&decision, leaf, image),
        FactOrigin::Step(step) if step.deviation.is_some() => {
            let is_root = decision.fact == root.fact && matches!(asked, Asked::Subject(_));
            let wrong = describe_deviation(&decision, &known.chips, image);
            let text = if is_root { wrong } else { format!("{what}: {wrong}") };
            return Sentence { text, decision: Some(decision), stops: false };
        }
        FactOrigin::Step(step) => {
            let squares = collect_squares(&decision, known, image);
            let index = step.recorded.index;
            let caption = image.caption(index);
            let at = caption.map_or_else(
                || format_place(index, image),
                |caption| format!("\"{}\"", caption.trim_end_matches('.')),
            );
            let squares: Vec<_> = squares.iter().map(describe_squares).collect();
            let constant = causes(&decision, image).1.filter(|_| squares.is_empty());
            let constant = constant.map(|leaf| describe_leaf(leaf, image));
            let with = squares.into_iter().chain(constant).collect::<Vec<_>>().join("; ");
            let comma = if with.is_empty() { "" } else { ", " };
            let end = steps.map_or_else(String::new, |steps| {
                format!(", {steps} steps back, where this answer stops")
            });
            format!("{at}{comma}{with} (moment {}){end}", step.moment())
        }
    };
    let text = format!("{what}: {why}");
    Sentence { text, decision: Some(decision), stops: steps.is_some() }
}

/// Finds the step that decided a fact: the last one that combined more than one fact, apart from
/// constants. The steps after it only moved the value.
///
/// If the search stopped there although the chain continues, also returns the number of steps to
/// that node.
fn find_step(
    root: CausalNode,
    known: &mut KnownFacts,
    image: &Image,
) -> (CausalNode, Option<usize>) {
    let (mut node, mut steps) = known.decision.unwrap_or((root, 0));
    let mut is_cut_off = false;
    while !matches!(node.fact.subject, Subject::Executed(_))
        && node.deviation().is_none()
        && let Some(cause) = known.only_cause(&node, image)
    {
        is_cut_off = is_cut(&root, &node, steps);
        if is_cut_off {
            break;
        }
        node = cause;
        steps += 1;
    }
    known.decision = Some((node, steps));
    (node, is_cut_off.then_some(steps))
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
        Some(_) => format!("should make it {}", format_bits(node, should)),
    }
}

/// Returns the squares that a decision read, within the instructions of the same caption.
fn collect_squares(decision: &CausalNode, known: &mut KnownFacts, image: &Image) -> Squares {
    let caption = |node: &CausalNode| image.caption(node.step()?.recorded.index);
    let mut squares = Squares::new();
    let mut seen = HashSet::new();
    let mut nodes = vec![*decision];
    while let Some(node) = nodes.pop() {
        let Some(step) = node.step() else { continue };
        for fact in causes(&node, image).0 {
            if seen.len() < FACTS_MAX
                && seen.insert(fact)
                && !add_squares(&fact, step.recorded.data, &mut squares, image)
            {
                let cause = known.node(fact);
                nodes.extend(cause.filter(|cause| caption(cause) == caption(decision)));
            }
        }
    }
    squares
}

/// Adds the squares of a fact about a byte with this value. Returns false if the fact is not about
/// a row of the display or of a grid.
fn add_squares(fact: &Fact, value: u8, squares: &mut Squares, image: &Image) -> bool {
    let Some((byte, mask)) = fact.byte().zip(fact.mask()) else { return false };
    let presentation = image.presentation();
    let words = |led: Led| presentation.meaning(led).unwrap_or(led.name()).to_owned();
    let colors = [(LedColor::Green, Led::Green), (LedColor::Red, Led::Red)];
    let on_display = colors.into_iter().find_map(|(color, led)| {
        let kinds = [(words(led), mask & value), (words(Led::Dark), mask & !value)];
        Some((color.row_of(byte)?, kinds))
    });
    let mut in_grids = presentation.grids.iter().filter_map(|grid| {
        let row = grid.offset(byte)? % SIDE as u16;
        // For a row of a grid, name the marks at these bits. If there are none, name the marks at
        // the other bits.
        let shown = if mask & value == 0 { value } else { mask & value };
        let missed = if shown == 0 { mask } else { 0 };
        Some((row, [(grid.mark.to_string(), shown), (format!("no {}", grid.mark), missed)]))
    });
    let Some((row, kinds)) = on_display.or_else(|| in_grids.next()) else { return false };
    for (what, bits) in kinds.into_iter().filter(|(_, bits)| *bits != 0) {
        let columns = (0..SIDE as u16).filter(|column| bits >> column & 1 == 1);
        squares.entry(what).or_default().extend(columns.map(|column| (row, column)));
    }
    true
}

/// Formats squares: `Q at 2, 3 and 4, 5`.
fn describe_squares((what, squares): (&String, &BTreeSet<(u16, u16)>)) -> String {
    let shown = squares.iter().take(SQUARES_MAX).map(|(row, column)| format!("{row}, {column}"));
    let mut shown: Vec<_> = shown.collect();
    if squares.len() > SQUARES_MAX {
        shown.push(format!("{} more", squares.len() - SQUARES_MAX));
    }
    format!("{what} at {}", shown.join(" and "))
}

/// Formats the subject of a node and its value: `stack+2.3 is 1`.
pub(super) fn describe_node(node: &CausalNode, image: &Image) -> String {
    let subject = describe_subject(node, image);
    match node.fact.mask() {
        None => subject,
        Some(_) => format!("{subject} is {}", format_bits(node, node.bits().into())),
    }
}

/// Formats a value of a node's bits. A single bit is 0 or 1.
fn format_bits(node: &CausalNode, value: u16) -> String {
    let is_one = node.fact.mask().is_some_and(u8::is_power_of_two);
    if is_one { value.to_string() } else { format!("{value:#04x}") }
}

/// Formats the subject of a node: `stack+2.3`, `green LED 4, 3`, `A`, `row3+2 is reached`.
pub fn describe_subject(node: &CausalNode, image: &Image) -> String {
    let Fact { subject, .. } = node.fact;
    let (name, mask) = match subject {
        Subject::Executed(index) | Subject::Visit(index) => {
            return format!("{} is reached", image.names().place(index));
        }
        Subject::Bits(Cell::Carry, _) => return "C".to_owned(),
        Subject::Bits(Cell::A, mask) => ("A".to_owned(), mask),
        Subject::Bits(Cell::Byte(byte), mask) | Subject::Change(byte, mask) => {
            if let Some(led) = describe_led(byte, mask) {
                return led;
            }
            let own = node.step().map(|step| image.byte_at(byte, step.recorded.index));
            (own.unwrap_or_else(|| image.names().byte(byte)), mask)
        }
    };
    if mask == 0xff {
        return name;
    }
    let bits = (0..8).filter(|bit| mask >> bit & 1 == 1).map(|bit: u8| bit.to_string());
    format!("{name}.{}", bits.collect::<Vec<_>>().join(","))
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
            format!("nothing had written {} before this", image.names().byte(byte))
        }
        _ => describe_leaf(leaf, image),
    }
}

/// Describes the end of a chain of causes.
pub fn describe_leaf(leaf: Leaf, image: &Image) -> String {
    match leaf {
        Leaf::PoolConstant(address) => format!("the constant {}", image.names().byte(address)),
        Leaf::Constant(index) if image.word(index).op() == Op::Ldi => {
            format!("the constant {:#04x}", image.word(index).immediate())
        }
        Leaf::Constant(_) => "the 0 that SHR shifts in".to_owned(),
        Leaf::Buttons(moment) => format!("the buttons, as held from moment {moment} on"),
        Leaf::UserChange(moment) => format!("changed by hand at moment {moment}"),
        Leaf::Reset(moment) => format!("the reset at moment {moment}"),
        Leaf::PowerUp => "power-up".to_owned(),
        Leaf::Forgotten => "something before the recorded history".to_owned(),
    }
}
