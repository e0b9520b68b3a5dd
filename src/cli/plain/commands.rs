//! The table of the typed commands, and their help.

use std::num::NonZeroU32;

use gray1_asm::{find_nearest, suggest};
use gray1_session::Command;
use gray1_session::named::{self, Named};

use super::face::Face;
use crate::cli::shared::outcome::{Failure, failure};

/// A command that is no plain command of the session. If it has a key, the key asks for the same in
/// the terminal.
pub(super) struct Typed {
    pub(super) word: &'static str,
    key: Option<char>,
    /// Its argument, as the help shows it.
    takes: &'static str,
    /// An argument that every program accepts.
    example: &'static str,
    title: &'static str,
    act: fn(&mut Face, &str) -> Result<(), Failure>,
}

macro_rules! typed {
    ($($word:literal $key:expr, $takes:literal $example:literal $act:expr, $title:literal;)*) => {
        /// All of them, in the order of the help.
        const TYPED: &[Typed] = &[$(
            Typed {
                word: $word, key: $key, takes: $takes, example: $example, title: $title, act: $act
            }
        ),*];
    };
}

typed! {
    "go" Some('g'), "PLACE" "line 50" Face::go,
        "run to 5000 (a moment), line 50 (printed), or anything that break takes; a break stops \
        it earlier";
    "where" None, "" "" |face, _| face.tell_where(),
        "the moment, the next instruction, its iteration of a repeat, and its caption";
    "source" None, "FROM..TO" "80..90" Face::tell_source,
        "the lines of the source around the next one, or from line 80 up to but not including 90";
    "leds" None, "" "" |face, _| face.tell_leds(),
        "the lit LEDs by row and column, which count from 0";
    "led" None, "ROW, COLUMN" "4, 3" Face::tell_led,
        "the colour of this LED";
    "registers" None, "" "" |face, _| face.tell_registers(),
        "A, C and PC";
    "print" None, "VALUE" "A + 1" Face::print_value,
        "the value of an expression of A, C, PC, moment, names, as [total] for a byte, and \
        operators, as + - * / % & | ^ << >> == != < > && ||; the rows of LEDs begin at GREEN and RED";
    "expect" None, "CONDITION" "A + 1 > 0" Face::expect,
        "fail, with the values, if this is not true now";
    "watch" None, "VALUE" "A + 1" Face::watch,
        "print this value after each move that changes it; the same again ends that";
    "memory" None, "FROM..TO" "0x1fe0..0x1fe8" Face::tell_memory,
        "a byte, or bytes of data memory up to but not including TO, as stack..stack + 8";
    "compare" None, "MOMENT" "0" Face::compare,
        "what differs between this known moment and now: registers, LEDs and memory";
    "why" Some('w'), "VALUE" "led 4, 3" Face::why,
        "explain led 4, 3, a byte, A or PC; then the number of a step goes there, and why back \
        returns";
    "break" Some('B'), "CONDITION" "led 4, 3" Face::set_break,
        "stop at :88 (a line of the source), a label, write total, read buttons, led 4, 3, \
        mailbox, unwritten, when [y] == 2, or write total if [y] == 2";
    "breaks" None, "" "" |face, _| face.tell_breaks(),
        "the breaks, with numbers and counts";
    "delete" None, "NUMBER" "1" Face::delete_break,
        "remove the break with this number, or all";
    "set" Some('v'), "PLACE = VALUE" "A = 0" Face::set,
        "change a byte or a register, as total = 0";
    "press" Some('i'), "BUTTONS" "left" Face::press,
        "hold up, down, left, right, a, b, select or start until the program has read it, which \
        it does while it runs";
    "chips" None, "CHIP" "PCL" Face::tell_chips,
        "what each chip does in this phase, or one of them";
    "help" Some('?'), "COMMAND" "break" Face::help,
        "all commands, or this one with an example";
}

/// The end of the help.
const REST: [&str; 6] = [
    "a number after a move repeats it, as in led 3; a colour is asked as led 4, 3",
    "Enter: in a terminal, repeat the move before it",
    "script: if a file or a pipe has the commands, the first that fails ends it with status 1",
    "ctrl-C: interrupt a run, and keep the session",
    "#: begin a comment",
    "quit, q: end the session",
];

/// The words that end the session.
pub(super) const QUIT: [&str; 2] = ["quit", "q"];

impl Typed {
    /// The command that a line begins with.
    pub(super) fn find(first: &str) -> Option<&'static Self> {
        TYPED.iter().find(|it| is_called(first, it.word, it.key))
    }

    pub(super) fn carry_out(&self, face: &mut Face, argument: &str) -> Result<(), Failure> {
        let Self { word, example, .. } = self;
        if self.takes.is_empty() && !argument.is_empty() {
            return Err(failure(format!("{word} takes no argument")));
        }
        match (self.act)(face, argument) {
            Err(Failure::Usage(problem)) => {
                Err(failure(format!("{problem} (for example: {word} {example})")))
            }
            done => done,
        }
    }
}

/// The session's command in a line, and how many times it is given, as in `back led 3`.
pub(super) fn find_named(line: &str) -> Option<(&'static Named, u32)> {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let times = words.last().and_then(|it| it.parse::<NonZeroU32>().ok());
    words.truncate(words.len() - usize::from(times.is_some()));
    let command = words.join(" ");
    let named = named::ALL.iter().find(|it| is_called(&command, it.word, Some(it.key)))?;
    Some((named, times.map_or(1, NonZeroU32::get)))
}

impl Face {
    fn help(&mut self, word: &str) -> Result<(), Failure> {
        let program = self.session.snapshot().program;
        let is_known = Typed::find(word).is_some()
            || find_named(word).is_some()
            || REST.iter().any(|it| it.starts_with(word));
        // A word that is no command is looked up in the descriptions.
        let is_wanted = |known, key, title: &str| {
            word.is_empty() || is_called(word, known, key) || !is_known && title.contains(word)
        };
        let example = |line: &str| match word {
            "" => String::new(),
            _ => format!(" (for example: {})", line.trim_end()),
        };
        let mut lines = Vec::new();
        for it in named::ALL.iter().filter(|it| is_wanted(it.word, Some(it.key), it.title)) {
            let (word, title) = (it.word, program.name_results(it.title));
            let times = if matches!(it.command, Command::Reset) { "" } else { " 3" };
            let example = example(&format!("{word}{times}"));
            lines.push(format!("{word}, {}: {title}{example}", it.key));
        }
        for it in TYPED.iter().filter(|it| is_wanted(it.word, it.key, it.title)) {
            let usage = format!("{} {}", it.word, it.takes);
            let key = it.key.map_or_else(String::new, |key| format!(", {key}"));
            let example = example(&format!("{} {}", it.word, it.example));
            lines.push(format!("{}{key}: {}{example}", usage.trim_end(), it.title));
        }
        lines.extend(REST.iter().filter(|it| it.starts_with(word)).map(|it| (*it).to_owned()));
        if lines.is_empty() {
            return Err(unknown_command(word));
        }
        lines.iter().try_for_each(|line| self.say(line))
    }
}

/// Whether the user means this command.
fn is_called(typed: &str, word: &str, key: Option<char>) -> bool {
    typed.eq_ignore_ascii_case(word) || key.is_some_and(|key| typed.chars().eq([key]))
}

/// The error in a line without a command, or with a wrong argument of one of the session.
pub(super) fn unknown_command(first: &str) -> Failure {
    let words = named::ALL.iter().map(|it| it.word);
    if named::ALL.iter().any(|it| is_called(first, it.word, Some(it.key))) {
        return failure(format!("expected how many times (for example: {first} 3)"));
    }
    let known = words.chain(TYPED.iter().map(|it| it.word)).chain(QUIT);
    let near = find_nearest(first, known);
    let help = if near.is_some() { "" } else { "; help lists the commands" };
    failure(format!("no command `{first}`{}{help}", suggest(near)))
}
