//! The table of the typed commands, and their help.

use gray1_asm::find_nearest;
use gray1_session::named;

use super::face::Face;
use crate::cli::shared::outcome::{Failure, failure};

/// A command that is no plain command of the session. If it has a key, the key asks for the same in
/// the terminal.
pub(super) struct Typed {
    pub(super) word: &'static str,
    pub(super) key: Option<char>,
    /// Its argument, as the help shows it.
    pub(super) argument: &'static str,
    title: &'static str,
    pub(super) act: fn(&mut Face, &str) -> Result<(), Failure>,
}

macro_rules! typed {
    ($($word:literal $key:expr, $argument:literal, $title:literal $act:expr;)*) => {
        /// All of them, in the order of the help.
        pub(super) const TYPED: &[Typed] = &[$(
            Typed { word: $word, key: $key, argument: $argument, title: $title, act: $act }
        ),*];
    };
}

typed! {
    "go" Some('g'), "PLACE",
        "run to 5000 (a moment), line 50 (printed), :88 (of the source), a label, or any \
        condition that break takes"
        Face::go;
    "where" None, "",
        "the moment, the next instruction and its caption"
        |face, _| face.tell_where();
    "source" None, "LINES",
        "the lines of the source around the next one, or 80..90"
        Face::tell_source;
    "leds" None, "",
        "the lit LEDs by row and column, which count from 0"
        |face, _| face.tell_leds();
    "registers" None, "",
        "A, carry and PC"
        |face, _| face.tell_registers();
    "print" None, "VALUE",
        "the value of an expression, as [total] for a byte, or A + 1"
        Face::print_value;
    "memory" None, "FROM..TO",
        "bytes of data memory, as stack..stack + 8"
        Face::tell_memory;
    "why" Some('w'), "VALUE",
        "explain led 4, 3, a byte, A or PC; then the number of a step goes there, and why back \
        returns"
        Face::why;
    "break" Some('B'), "CONDITION",
        "stop at a label, write total, read 0x1ffe (the buttons), led 4, 3, mailbox, unwritten, \
        when [y] == 2, or write total if [y] == 2"
        Face::set_break;
    "breaks" None, "",
        "the breaks, with numbers and counts"
        |face, _| face.tell_breaks();
    "delete" None, "NUMBER",
        "remove a break"
        Face::delete_break;
    "set" Some('v'), "PLACE = VALUE",
        "change a byte or a register, as total = 0"
        Face::set;
    "press" Some('i'), "BUTTONS",
        "press up, down, left, right, a, b, select or start until the program has read it"
        Face::press;
    "chips" None, "CHIP",
        "what each chip does in this phase, or one of them"
        Face::tell_chips;
    "help" Some('?'), "WORD",
        "all commands, or this one"
        Face::help;
}

/// The words that end the session.
pub(super) const QUIT: [&str; 2] = ["quit", "q"];

impl Face {
    pub(super) fn help(&mut self, word: &str) -> Result<(), Failure> {
        let program = self.session.snapshot().program;
        let is_wanted = |known, key| word.is_empty() || is_called(word, known, key);
        let named = named::ALL.iter().filter(|it| is_wanted(it.word, Some(it.key)));
        let named =
            named.map(|it| format!("{}, {}: {}", it.word, it.key, program.name_results(it.title)));
        let typed = TYPED.iter().filter(|it| is_wanted(it.word, it.key)).map(|it| {
            let key = it.key.map_or_else(String::new, |key| format!(", {key}"));
            let usage = format!("{} {}", it.word, it.argument);
            format!("{}{key}: {}", usage.trim_end(), it.title)
        });
        let lines: Vec<String> = named.chain(typed).collect();
        if lines.is_empty() {
            return Err(unknown_command(word));
        }
        lines.iter().try_for_each(|line| self.say(line))?;
        if word.is_empty() { self.say("quit, q: end the session") } else { Ok(()) }
    }
}

/// Whether the user means this command.
pub(super) fn is_called(typed: &str, word: &str, key: Option<char>) -> bool {
    typed.eq_ignore_ascii_case(word) || key.is_some_and(|key| typed.chars().eq([key]))
}

pub(super) fn unknown_command(word: &str) -> Failure {
    let known = named::ALL.iter().map(|it| it.word).chain(TYPED.iter().map(|it| it.word));
    failure(suggest(format!("no command '{word}'"), word, known.chain(QUIT)))
}

/// An error with the name that the user may have meant.
pub(super) fn suggest<'a>(
    problem: String,
    word: &str,
    known: impl Iterator<Item = &'a str>,
) -> String {
    match find_nearest(word, known) {
        Some(near) => format!("{problem}: did you mean {near}?"),
        None => problem,
    }
}
