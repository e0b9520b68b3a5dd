//! Random breakpoints: the condition that a user types, the request that an editor sends, and a
//! function with which the model finds hits.

use gray1_isa::{Image, Op, SplitMix64, SymbolKind};
use serde_json::{Value, json};

use super::lines::{Lines, Set};
use super::model::{Model, Position, State};

/// A breakpoint, in the forms in which the terminal and an editor set it.
pub(super) struct Break {
    /// The event as typed in the terminal, without a condition. In an editor, it is the name of a
    /// function breakpoint.
    pub(super) text: String,
    event: Event,
    guard: Option<Condition>,
    hits: Option<(&'static str, u64)>,
    /// The editor's request for it.
    pub(super) request: Request,
}

/// The event of a breakpoint.
enum Event {
    Reaches(Set),
    Touches { reads: bool, writes: bool, first: u16, last: u16 },
    Leds(Option<(u8, u8)>),
    Prints(Option<u8>),
    Turns(Condition),
}

/// The kinds of requests with which an editor sets a breakpoint.
pub(super) enum Request {
    Function,
    Instruction(usize),
    Line(u32),
    /// The access and the name of a variable, or `None` for the LEDs.
    Data(Option<(&'static str, &'static str)>),
}

/// A condition.
#[derive(Clone)]
struct Condition {
    text: String,
    terms: Vec<(Operand, &'static str, i64)>,
}

#[derive(Clone, Copy)]
enum Operand {
    A,
    C,
    Pc,
    Byte(u16),
}

/// The variables of all programs.
const VARIABLES: &[&str] = &["x", "y", "n"];

fn one_of<T: Copy>(random: &mut SplitMix64, all: &[T]) -> T {
    all[random.below(all.len() as u64) as usize]
}

fn address(image: &Image, name: &str) -> u16 {
    let symbol = image.symbol(name).filter(|symbol| symbol.kind == SymbolKind::Variable);
    u16::try_from(symbol.expect("all programs have it").value).unwrap()
}

impl Condition {
    fn random(random: &mut SplitMix64, image: &Image) -> Self {
        let count = random.between(1, 2);
        let terms: Vec<_> = (0..count).map(|_| Self::term(random, image)).collect();
        let texts: Vec<_> = terms.iter().map(|(text, _)| text.clone()).collect();
        Self { text: texts.join(" && "), terms: terms.into_iter().map(|(_, term)| term).collect() }
    }

    fn term(random: &mut SplitMix64, image: &Image) -> (String, (Operand, &'static str, i64)) {
        let name = one_of(random, VARIABLES);
        let (text, operand, most) = match random.below(4) {
            0 => ("A".to_owned(), Operand::A, 128),
            1 => ("C".to_owned(), Operand::C, 1),
            2 => ("PC".to_owned(), Operand::Pc, 24),
            _ => (format!("[{name}]"), Operand::Byte(address(image, name)), 3),
        };
        let sign = one_of(random, &["==", "!=", "<", ">=", "&"]);
        let number = random.below(most + 1).cast_signed();
        (format!("({text} {sign} {number})"), (operand, sign, number))
    }

    fn holds(&self, state: &State) -> bool {
        self.terms.iter().all(|(operand, sign, number)| {
            let value = match operand {
                Operand::A => i64::from(state.registers.a),
                Operand::C => i64::from(state.registers.carry),
                Operand::Pc => i64::from(state.registers.pc.get()),
                Operand::Byte(address) => i64::from(state.ram[usize::from(*address)]),
            };
            match *sign {
                "==" => value == *number,
                "!=" => value != *number,
                "<" => value < *number,
                ">=" => value >= *number,
                _ => value & *number != 0,
            }
        })
    }
}

impl Break {
    /// A random breakpoint.
    pub(super) fn random(random: &mut SplitMix64, lines: &Lines) -> Self {
        let (text, event, request) = match random.below(8) {
            0..=2 => Self::at_instruction(random, lines),
            3 | 4 => Self::on_data(random, lines.image),
            5 => Self::on_panel(random),
            6 => {
                let condition = Condition::random(random, lines.image);
                (format!("when {}", condition.text), Event::Turns(condition), Request::Function)
            }
            _ => Self::on_led(random),
        };
        let is_guarded = random.below(4) == 0;
        let guard = is_guarded.then(|| Condition::random(random, lines.image));
        Self { text, event, guard, hits: None, request }
    }

    /// Limits the breakpoint to certain hits, in two of three cases.
    pub(super) fn for_certain_hits(self, random: &mut SplitMix64) -> Self {
        let hits = match random.below(3) {
            0 => None,
            1 => Some(("%", random.between(2, 3))),
            _ => Some((one_of(random, &["==", ">=", "<", ">", "<="]), random.between(1, 5))),
        };
        Self { hits, ..self }
    }

    /// Moves the breakpoint to a random line. Only editors support breakpoints on lines.
    pub(super) fn on_line(self, random: &mut SplitMix64, lines: &Lines) -> Self {
        let index = random.below(lines.len() as u64) as usize;
        let line = lines.shown(index).place.line;
        let event = Event::Reaches(lines.starts(line));
        Self { text: format!("line {line}"), event, request: Request::Line(line), ..self }
    }

    fn at_instruction(random: &mut SplitMix64, lines: &Lines) -> (String, Event, Request) {
        let routines = lines.image.routines().list();
        if random.below(5) == 0 && !routines.is_empty() {
            let routine = &routines[random.below(routines.len() as u64) as usize];
            let first = routine.indexes[0].to_usize();
            let set = (0..lines.len()).map(|it| it == first).collect();
            return (routine.name.clone(), Event::Reaches(set), Request::Function);
        }
        let index = random.below(lines.len() as u64) as usize;
        let set = (0..lines.len()).map(|it| it == index).collect();
        let request = if random.coin() { Request::Function } else { Request::Instruction(index) };
        (format!("{index:#x}"), Event::Reaches(set), request)
    }

    fn on_data(random: &mut SplitMix64, image: &Image) -> (String, Event, Request) {
        let name = one_of(random, VARIABLES);
        let first = address(image, name);
        let kinds = [("read", "read"), ("write", "write"), ("access", "readWrite")];
        let (verb, access) = one_of(random, &kinds);
        let (reads, writes) = (verb != "write", verb != "read");
        let event = Event::Touches { reads, writes, first, last: first };
        let is_data = random.coin();
        let request = if is_data { Request::Data(Some((access, name))) } else { Request::Function };
        (format!("{verb} {name}"), event, request)
    }

    fn on_panel(random: &mut SplitMix64) -> (String, Event, Request) {
        let (text, byte) = one_of(random, &[("mailbox", None), ("mailbox '\\n'", Some(10))]);
        (text.to_owned(), Event::Prints(byte), Request::Function)
    }

    fn on_led(random: &mut SplitMix64) -> (String, Event, Request) {
        match random.below(3) {
            0 => ("led".to_owned(), Event::Leds(None), Request::Function),
            1 => ("led".to_owned(), Event::Leds(None), Request::Data(None)),
            _ => {
                let (row, column) = (random.below(8) as u8, random.below(8) as u8);
                let event = Event::Leds(Some((row, column)));
                (format!("led {row}, {column}"), event, Request::Function)
            }
        }
    }

    /// The breakpoint as typed in the terminal.
    pub(super) fn condition(&self) -> String {
        match &self.guard {
            Some(guard) => format!("{} if {}", self.text, guard.text),
            None => self.text.clone(),
        }
    }

    /// Adds conditions to an editor's request.
    pub(super) fn refined(&self, mut request: Value) -> Value {
        if let Some(guard) = &self.guard {
            request["condition"] = json!(guard.text);
        }
        if let Some((sign, number)) = self.hits {
            request["hitCondition"] = json!(format!("{sign} {number}"));
        }
        request
    }

    /// A full description, for failure messages.
    pub(super) fn describe(&self) -> String {
        let hits = self.hits.map(|(sign, number)| format!(" (hits {sign} {number})"));
        format!("{}{}", self.condition(), hits.unwrap_or_default())
    }

    /// Whether the hit with this number stops the machine.
    pub(super) fn is_for(&self, hit: u64) -> bool {
        self.hits.is_none_or(|(sign, number)| match sign {
            "%" => hit.is_multiple_of(number),
            "==" => hit == number,
            ">=" => hit >= number,
            "<=" => hit <= number,
            ">" => hit > number,
            _ => hit < number,
        })
    }

    /// Whether it is hit at a position.
    pub(super) fn is_hit(&self, model: &Model, number: usize) -> bool {
        let position = &model.positions[number];
        let occurs = match &self.event {
            Event::Reaches(set) => model.reaches(number, set),
            Event::Turns(condition) => {
                let held = || condition.holds(&model.before(number).state);
                position.executed.is_some() && condition.holds(&position.state) && !held()
            }
            event => event.occurs(position),
        };
        occurs && self.guard.as_ref().is_none_or(|guard| guard.holds(&position.state))
    }
}

impl Event {
    fn occurs(&self, position: &Position) -> bool {
        let Some(executed) = position.executed else { return false };
        let address = executed.word.address().get();
        let (op, write) = (executed.word.op(), executed.write);
        match self {
            Self::Touches { reads, writes, first, last } => {
                let is_read = matches!(op, Op::Ld | Op::Add | Op::Nand);
                (is_read && *reads || op == Op::St && *writes)
                    && (*first..=*last).contains(&address)
            }
            Self::Leds(square) => write.is_some_and(|write| {
                let at = write.address.get();
                let row = (0x1fe0..0x1ff0).contains(&at).then_some((at & 7) as u8);
                let changed = write.old ^ write.new;
                match square {
                    None => row.is_some() && changed != 0,
                    Some((r, column)) => row == Some(*r) && changed >> column & 1 == 1,
                }
            }),
            Self::Prints(byte) => write.is_some_and(|write| {
                write.address.get() == 0x1fff && byte.is_none_or(|byte| byte == write.new)
            }),
            _ => false,
        }
    }
}
