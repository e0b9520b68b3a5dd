//! Explains an LED in the program's own words. It follows the causes back from the LED until a
//! caption contains a reason that fits, and fills the placeholders of that reason.

use std::collections::{BTreeSet, HashSet};
use std::fmt;

use gray1_isa::panel::{Led, LedColor, SIDE};
use gray1_isa::presentation::{Caption, Grid};
use gray1_isa::reason::{Part, Reason, Sign};
use gray1_isa::{Image, RamAddr};

use super::fact::{CausalNode, CausalStep, Cell, Fact};
use super::known_facts::{FACTS_MAX, KnownFacts, causes};

/// The maximum number of passages that are followed. A passage is a sequence of steps under the
/// same caption, of which at most `FACTS_MAX` facts are followed.
const PASSAGES_MAX: usize = 4000;
const NUMBERS: [&str; 9] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];

/// A square of the display, by row and column, both counted from 0.
pub(super) type Square = (u8, u8);

/// A reason from a program's captions, filled with squares. Its words are as right as the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramReason {
    /// The colour of the LED, as the sentence begins: `Dark`.
    pub color: &'static str,
    /// The reason, without a full stop.
    pub text: String,
}

impl fmt::Display for ProgramReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}.", self.color, self.text)
    }
}

/// A reason with filled placeholders.
#[derive(Debug, Clone)]
pub(super) struct FilledReason {
    /// The text, such as `the queen in row 0 attacks this square`.
    pub(super) text: String,
    /// The step that decided the colour.
    pub(super) decision: CausalNode,
    /// The squares that the text mentions, and the steps that gave them their contents.
    pub(super) squares: Vec<Square>,
    pub(super) made: Vec<CausalNode>,
}

/// The LED that a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedLed {
    /// The row and the column, counted from 0.
    pub square: (u8, u8),
    /// The colour at the moment of the question.
    pub led: Led,
}

/// The effect of a passage of the program on a fact.
struct Passage {
    /// The squares of the display and of grids that the passage read for the fact.
    read: Vec<Fact>,
    /// The earlier facts that the passage depended on.
    before: Vec<CausalNode>,
    /// The earlier node of the bit, if the passage only stored the bit again unchanged.
    kept: Option<CausalNode>,
}

/// Returns the program's reason for the colour of an LED, if one fits and all facts are known.
///
/// The search goes back from passage to passage, where a passage consists of steps under the same
/// caption.
pub(super) fn find_reason(
    asked: AskedLed,
    roots: &[CausalNode],
    known: &mut KnownFacts,
    image: &Image,
) -> Option<FilledReason> {
    if image.presentation().captions.iter().all(|caption| caption.reasons.is_empty()) {
        return None;
    }
    let is_dark = asked.led == Led::Dark;
    for (at, root) in roots.iter().enumerate() {
        // An LED that is off only counts if its change was the last one, or if the square is dark.
        if at > 0 && !is_dark && root.bits() == 0 {
            continue;
        }
        let mut left = vec![*root];
        let mut seen = HashSet::from([root.fact]);
        for _ in 0..PASSAGES_MAX {
            let Some(node) = pop_latest(&mut left) else { break };
            let Some(step) = node.step() else { continue };
            if step.deviation.is_some() {
                return None;
            }
            let passage = find_passage(&node, known, image);
            known.if_complete()?;
            if let Some(kept) = passage.kept {
                left.push(kept);
                continue;
            }
            let caption = image.presentation().caption(step.recorded.index);
            let reasons = caption.iter().flat_map(|caption| &caption.reasons);
            for reason in reasons.filter(|reason| reason.led == asked.led) {
                let shown = root.step()?.before;
                let mut filler = Filler {
                    asked,
                    node,
                    shown,
                    moment: step.before,
                    read: &passage.read,
                    known,
                    image,
                };
                let found = filler.fill(reason);
                known.if_complete()?;
                if found.is_some() {
                    return found;
                }
            }
            left.extend(passage.before.into_iter().filter(|node| seen.insert(node.fact)));
        }
    }
    None
}

/// Removes the node whose instruction was executed last.
fn pop_latest(nodes: &mut Vec<CausalNode>) -> Option<CausalNode> {
    let latest = (0..nodes.len()).max_by_key(|n| nodes[*n].step().map(CausalStep::moment))?;
    Some(nodes.swap_remove(latest))
}

/// Describes the passage that produced a node, as far as facts are known.
fn find_passage(node: &CausalNode, known: &mut KnownFacts, image: &Image) -> Passage {
    let caption = |node: &CausalNode| -> Option<&Caption> {
        image.presentation().caption(node.step()?.recorded.index)
    };
    let mut passage = Passage { read: Vec::new(), before: Vec::new(), kept: None };
    let mut seen = HashSet::new();
    let mut open = vec![*node];
    while let Some(inside) = open.pop() {
        for fact in causes(&inside, image).0 {
            if seen.len() >= FACTS_MAX || !seen.insert(fact) {
                continue;
            }
            let Some(cause) = known.node(fact) else { continue };
            let is_square = fact.byte().is_some_and(|byte| is_square(byte, image));
            if is_same_bit(&fact, &node.fact) {
                let earlier = known.node(Fact { moment: fact.moment, ..node.fact });
                passage.kept = earlier.filter(|earlier| earlier.bits() == node.bits());
            }
            passage.read.extend(is_square.then_some(fact));
            if is_square || caption(&cause) != caption(node) {
                passage.before.push(cause);
            } else {
                open.push(cause);
            }
        }
    }
    passage
}

/// Returns true if a fact is about all bits of memory that another fact is about.
fn is_same_bit(fact: &Fact, other: &Fact) -> bool {
    let masks = fact.mask().zip(other.mask());
    fact.byte().is_some_and(|byte| Some(byte) == other.byte())
        && masks.is_some_and(|(all, some)| all & some == some)
}

/// Returns true if a byte is a row of the display or of a grid.
fn is_square(byte: RamAddr, image: &Image) -> bool {
    [LedColor::Green, LedColor::Red].into_iter().any(|color| color.row_of(byte).is_some())
        || image.presentation().grids.iter().any(|grid| grid.offset(byte).is_some())
}

/// Fills the placeholders of a reason. If facts are missing, the result must not be used.
struct Filler<'a> {
    asked: AskedLed,
    /// The fact produced by the passage.
    node: CausalNode,
    /// The moment at which the passage decided the colour, and the moment at which the LED was
    /// stored.
    moment: u64,
    shown: u64,
    /// The squares that the passage read for this fact.
    read: &'a [Fact],
    known: &'a mut KnownFacts,
    image: &'a Image,
}

impl Filler<'_> {
    /// Returns the reason with filled placeholders, if it fits.
    fn fill(&mut self, reason: &Reason) -> Option<FilledReason> {
        let asked = self.asked.square;
        if reason.was.is_some_and(|was| self.row(was, asked.0) >> asked.1 & 1 == 0) {
            return None;
        }
        let mut text = String::new();
        let mut squares = BTreeSet::new();
        let mut made = Vec::new();
        let mut number = 0;
        for part in reason.parts().ok()? {
            let filled = match part {
                Part::Text(text) => text.to_owned(),
                Part::Square => format!("the square in row {}, column {}", asked.0, asked.1),
                Part::Number(sign) => {
                    let square = match sign {
                        Some(sign) => *self.find(sign, |_| true).first()?,
                        None => asked,
                    };
                    squares.insert(square);
                    (usize::from(square.0) * SIDE + usize::from(square.1)).to_string()
                }
                Part::Sum(sign) => self.sum(sign),
                Part::Bit => (1 << asked.1).to_string(),
                Part::Direction(sign) => self.find_on_line(sign)?.1.to_owned(),
                Part::Row(sign) | Part::Above(sign) => {
                    let (square, _) = self.find_on_line(sign)?;
                    if matches!(part, Part::Above(_)) && square.0 >= asked.0 {
                        return None;
                    }
                    squares.insert(square);
                    made.extend(self.find_change(sign, square));
                    format!("row {}", square.0)
                }
                Part::Count(sign) | Part::Neighbours(sign) => {
                    let is_any = matches!(part, Part::Count(_));
                    let found = self.find(sign, |square| is_any || are_neighbours(asked, square));
                    number = found.len();
                    squares.extend(found);
                    NUMBERS.get(number).map_or_else(|| number.to_string(), |it| (*it).to_owned())
                }
                Part::Plural(one, many) => if number == 1 { one } else { many }.to_owned(),
            };
            text += &filled;
        }
        squares.remove(&asked);
        let squares = squares.into_iter().collect();
        Some(FilledReason { text, decision: self.node, squares, made })
    }

    /// Returns the squares that satisfy a predicate and had a sign (a colour or a mark) when the
    /// passage decided the colour of the LED.
    fn find(&mut self, sign: Sign, some: impl Fn(Square) -> bool) -> Vec<Square> {
        let mut squares = Vec::new();
        for row in 0..SIDE as u8 {
            let mut in_row: Vec<_> = (0..SIDE as u8).map(|column| (row, column)).collect();
            in_row.retain(|square| some(*square));
            let bits = if in_row.is_empty() { 0 } else { self.row(sign, row) };
            squares.extend(in_row.into_iter().filter(|(_, column)| bits >> column & 1 == 1));
        }
        squares
    }

    /// Returns the bits of a row that have a sign. For a row that is not part of the grid, no bits
    /// are set.
    fn row(&mut self, sign: Sign, row: u8) -> u8 {
        match sign {
            Sign::Led(led) => {
                let byte =
                    |color: LedColor| RamAddr::truncate(color.first().get() + u16::from(row));
                let green = self.byte(byte(LedColor::Green));
                let red = self.byte(byte(LedColor::Red));
                match led {
                    Led::Dark => !green & !red,
                    Led::Green => green & !red,
                    Led::Red => red & !green,
                    Led::Yellow => red & green,
                }
            }
            Sign::Mark(mark) => {
                let Some(grid) = self.grid(mark).cloned() else { return 0 };
                let rows = grid.rows.map_or(SIDE as u8, |rows| self.byte(rows));
                let index = grid.index.map_or(0, |index| grid.clamp(self.byte(index)));
                let offset = (index * SIDE) as u16 + u16::from(row);
                if row >= rows || offset >= grid.size {
                    return 0;
                }
                self.byte(RamAddr::truncate(grid.first.get() + offset))
            }
        }
    }

    fn grid(&self, mark: char) -> Option<&Grid> {
        self.image.presentation().grids.iter().find(|grid| grid.mark == mark)
    }

    /// Returns the squares with a sign in the row of the question, as a sum of bits,
    /// after the LED was stored.
    fn sum(&mut self, sign: Sign) -> String {
        let decided = std::mem::replace(&mut self.moment, self.shown + 1);
        let row = self.row(sign, self.asked.square.0);
        self.moment = decided;
        let bits = (0..SIDE).rev().map(|n| row & 1 << n).filter(|bit| *bit > 0);
        let bits: Vec<String> = bits.map(|bit| bit.to_string()).collect();
        if bits.len() < 2 { row.to_string() } else { format!("{row} = {}", bits.join(" + ")) }
    }

    /// Returns the value that a byte of memory had when the passage decided the colour.
    fn byte(&mut self, address: RamAddr) -> u8 {
        self.cell(address, 0xff).map_or(0, |node| node.value)
    }

    fn cell(&mut self, address: RamAddr, mask: u8) -> Option<CausalNode> {
        self.known.node(Fact::bits(Cell::Byte(address), mask, self.moment))
    }

    /// Finds a square that has this sign and is on the same line as the square of the question.
    /// Also returns the direction from that square to the square of the question.
    ///
    /// Squares that the passage read come first. Next come the squares that had the sign when the
    /// passage decided the colour. The squares that had the sign when the LED was stored come last.
    /// They are needed because some programs only set a queen after the passage.
    fn find_on_line(&mut self, sign: Sign) -> Option<(Square, &'static str)> {
        let asked = self.asked.square;
        let on_a_line = |from: Square| Some((from, direction(from, asked)?));
        let mut read = self.read.iter().filter_map(|fact| self.read_as(sign, fact));
        if let Some(found) = read.find_map(on_a_line) {
            return Some(found);
        }
        let decided = self.moment;
        let mut all = self.find(sign, |square| on_a_line(square).is_some());
        self.moment = self.shown;
        all.extend(self.find(sign, |square| on_a_line(square).is_some()));
        self.moment = decided;
        all.into_iter().find_map(on_a_line)
    }

    /// Returns the square of a fact, if the fact says that the square has this mark of a grid.
    fn read_as(&self, sign: Sign, fact: &Fact) -> Option<Square> {
        let Sign::Mark(mark) = sign else { return None };
        let row = fact.byte()?.get().checked_sub(self.grid(mark)?.first.get())?;
        let shown = self.known.value(fact)? & fact.mask()?;
        let is_one = row < SIDE as u16 && shown.is_power_of_two();
        is_one.then(|| (row as u8, shown.trailing_zeros() as u8))
    }

    /// Returns the step that gave a square its sign.
    fn find_change(&mut self, sign: Sign, (row, column): Square) -> Option<CausalNode> {
        let first = match sign {
            Sign::Mark(mark) => self.grid(mark)?.first,
            Sign::Led(Led::Green) => LedColor::Green.first(),
            Sign::Led(_) => LedColor::Red.first(),
        };
        self.cell(RamAddr::truncate(first.get() + u16::from(row)), 1 << column)
    }
}

/// Returns the direction from one square to another one on the same line.
fn direction(from: Square, to: Square) -> Option<&'static str> {
    match (from.0.abs_diff(to.0), from.1.abs_diff(to.1)) {
        (0, 0) => None,
        (0, _) => Some("along the row"),
        (_, 0) if from.0 < to.0 => Some("straight down"),
        (_, 0) => Some("straight up"),
        (rows, columns) => (rows == columns).then_some("along a diagonal"),
    }
}

/// Returns true if two squares are neighbours. Opposite edges of the display are joined.
fn are_neighbours(one: Square, other: Square) -> bool {
    let far = |a: u8, b: u8| a.abs_diff(b).min(SIDE as u8 - a.abs_diff(b));
    one != other && far(one.0, other.0) <= 1 && far(one.1, other.1) <= 1
}
