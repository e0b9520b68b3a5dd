//! The grammar of breakpoint conditions and expressions, as users type them.
//!
//! ```text
//! condition  = event [ "if" expression ]
//! event      = ( "read" | "write" | "access" ) place
//!            | "wire" name ( "rises" | "falls" | "changes" | "=" number )
//!            | ( "glitch" | "double" ) name
//!            | "led" [ number [ "," ] number ]
//!            | "mailbox" [ number ]
//!            | "unwritten"
//!            | "when" expression
//!            | [ file ] ":" number | routine | place
//! place      = expression of constants, an index or an address from 0 to 8191
//! number     = expression of constants, from 0 to 8191
//! ```
//!
//! [`super::parser`] has the grammar of expressions.

use gray1_board::Net;
use gray1_isa::panel::SIDE;
use gray1_isa::{RamAddr, RomIndex, SourceLine};
use gray1_language::{Operators as _, TokenKind, find_nearest};

use super::condition::{Access, Condition, Event};
use super::parse_error::{ParseError, ParseProblem};
use super::parser::{Parser, Place, is_word, qualified};
use super::scope::Scope;
use super::signal::Signal;
use super::source_lines::SourceLines;
use super::wires::{WireChange, WireEvent};

/// The first words of events.
const EVENT_WORDS: [&str; 10] =
    ["read", "write", "access", "wire", "glitch", "double", "led", "mailbox", "unwritten", "when"];

impl Condition {
    /// Parses a condition that a user typed, with the symbols of a program:
    ///
    /// - `row3`, `row3 + 2`, `0x12`, `multiply`: the machine reaches an instruction, or the first
    ///   one of a routine
    /// - `:88`, `p.asm:88`: the machine reaches the first instruction at or after a line of the
    ///   source, or of a file
    /// - `write stack`, `read N`, `access N + 1`: an access to a byte, or to any byte of a variable
    /// - `led`, `led 0, 7`: a change of any square, or of the one in this row and column
    /// - `mailbox`, `mailbox '\n'`: any printed byte, or this one
    /// - `unwritten`: a read of a byte that nothing has written since power-up
    /// - `wire PCL.3 rises` (`falls`, `changes`), `wire PC_LOAD = 1`: a change of a wire, or of all
    ///   wires with this name
    /// - `glitch PCL.3`: a wire that changes more than once in an edge of the oscillator
    /// - `double PCL`: two or more wires with this name that change in the same edge
    /// - `when [N] == 8 && A > 3`: an expression that becomes true
    ///
    /// Each of them may end with `if` and an expression that must also be true then.
    ///
    /// # Errors
    /// If the text is not a condition. The error has the column and the problem.
    pub fn parse<'a>(text: &'a str, scope: impl Into<Scope<'a>>) -> Result<Self, ParseError> {
        Self::read(&mut Parser::new(text, scope.into())?)
    }

    /// Qualifies the names in a condition, so that it means the same wherever the machine is. A
    /// name of the routine that contains [`Scope::at`] becomes `routine.name`.
    ///
    /// # Errors
    /// As for [`Self::parse`].
    pub fn qualified(text: &str, scope: Scope) -> Result<String, ParseError> {
        qualified(text, scope, Self::read)
    }

    fn read(parser: &mut Parser) -> Result<Self, ParseError> {
        let event = parser.parse_event()?;
        let guard = if parser.takes_word("if") { Some(parser.parse_varying()?) } else { None };
        parser.expect_end()?;
        let condition = Self::from(event);
        Ok(match guard {
            Some(guard) => condition.only_if(guard),
            None => condition,
        })
    }
}

/// Returns the address of the byte that the input names. For a variable, it is the first byte.
///
/// # Errors
/// If the input names no byte. The error has the column and the problem.
pub fn parse_byte(text: &str, scope: Scope) -> Result<RamAddr, ParseError> {
    let mut parser = Parser::new(text, scope)?;
    let address = parser.parse_place("data memory")?.number;
    parser.expect_end()?;
    Ok(RamAddr::truncate(address))
}

impl<'a> Parser<'a> {
    fn parse_event(&mut self) -> Result<Event, ParseError> {
        for (word, access) in
            [("read", Access::Read), ("write", Access::Write), ("access", Access::Any)]
        {
            if self.takes_word(word) {
                return self.parse_bytes(access);
            }
        }
        for verb in ["wire", "glitch", "double"] {
            let start = self.at();
            if self.takes_verb(verb) {
                return self.parse_wires(verb, start).map(Event::Wires);
            }
        }
        if self.takes_word("led") {
            self.parse_square()
        } else if self.takes_word("mailbox") {
            self.parse_printed()
        } else if self.takes_word("unwritten") {
            Ok(Event::Unwritten)
        } else if self.takes_word("when") {
            self.parse_varying().map(Event::Turns)
        } else if self.takes(":") {
            self.parse_line(0)
        } else {
            self.parse_instruction()
        }
    }

    /// Parses a byte, or a variable with all of its bytes.
    fn parse_bytes(&mut self, access: Access) -> Result<Event, ParseError> {
        let Place { number: first, symbol, .. } = self.parse_place("data memory")?;
        let size = symbol.map_or(1, |symbol| symbol.size.max(1));
        let last = RamAddr::new(first.saturating_add(size - 1)).unwrap_or(RamAddr::MAX);
        Ok(Event::Touches(access, RamAddr::truncate(first)..=last))
    }

    fn parse_instruction(&mut self) -> Result<Event, ParseError> {
        if let Some(entry) = self.takes_routine() {
            return Ok(Event::reaches(entry));
        }
        let start = self.at();
        if let Some(file) = self.takes_file()? {
            return self.parse_line(file);
        }
        let place = self.parse_place("program memory");
        let place = place.map_err(|error| match error.problem {
            // The first word can also be a misspelled event.
            ParseProblem::Unknown { name, .. } if error.column == 1 => {
                let routines = self.scope.image.routines().list().iter();
                let routines = routines.map(|routine| &*routine.name);
                let words: Vec<&str> = routines.chain(EVENT_WORDS).collect();
                self.unknown(&name, start, &words)
            }
            _ => error,
        })?;
        match place.byte {
            Some(byte) => Err(self.error_at(start, ParseProblem::DataByte(byte.to_owned()))),
            None => Ok(Event::reaches(RomIndex::truncate(place.number))),
        }
    }

    fn parse_line(&mut self, file: u16) -> Result<Event, ParseError> {
        let start = self.at();
        let line = self.parse_expression()?.constant().and_then(|line| u32::try_from(line).ok());
        let lines = SourceLines::new(self.scope.image.source_map());
        let starts = line.and_then(|line| lines.starts(SourceLine { file, line }));
        let (_, starts) = starts.ok_or_else(|| self.error_at(start, ParseProblem::NoLine))?;
        Ok(Event::Reaches(Box::new(starts.iter().copied().collect())))
    }

    fn parse_square(&mut self) -> Result<Event, ParseError> {
        if !self.has_operand() {
            return Ok(Event::Display);
        }
        let row = self.parse_side()?;
        if !self.takes(",") && !self.has_operand() {
            return Err(self.expected("a comma and a column"));
        }
        Ok(Event::Square { row, column: self.parse_side()? })
    }

    /// Parses the number of a row or a column.
    fn parse_side(&mut self) -> Result<u8, ParseError> {
        let start = self.at();
        let number = self.parse_place("numbers")?.number;
        let side = u8::try_from(number).ok().filter(|side| usize::from(*side) < SIDE);
        side.ok_or_else(|| self.error_at(start, ParseProblem::NoSquare(number)))
    }

    fn parse_printed(&mut self) -> Result<Event, ParseError> {
        if !self.has_operand() {
            return Ok(Event::Prints(None));
        }
        let start = self.at();
        let number = self.parse_place("numbers")?.number;
        let byte = u8::try_from(number);
        byte.map(|byte| Event::Prints(Some(byte)))
            .map_err(|_| self.error_at(start, ParseProblem::NoByte(number)))
    }

    /// Parses the wires and their change after a verb that starts at this byte.
    fn parse_wires(&mut self, verb: &str, start: usize) -> Result<WireEvent, ParseError> {
        let Some(wires) = self.scope.wires else {
            return Err(self.error_at(start, ParseProblem::NoWires));
        };
        let (at, name) = self.parse_wire_name();
        let Some(signal) = Signal::named(name, &wires.board) else {
            let wires = wires.board.nets().iter().map(Net::name);
            let groups = wires.clone().filter_map(|wire| Some(wire.split_once('.')?.0));
            let near = find_nearest(name, wires.chain(groups)).map(str::to_owned);
            let problem = ParseProblem::UnknownWire { name: name.to_owned(), near };
            return Err(self.error_at(at, problem));
        };
        let change = match verb {
            "glitch" if wires.in_time => WireChange::Glitches,
            "glitch" => return Err(self.error_at(start, ParseProblem::NoGlitches)),
            "double" => WireChange::MovesTwo,
            _ => self.parse_wire_change()?,
        };
        Ok(WireEvent { signal, change })
    }

    fn parse_wire_change(&mut self) -> Result<WireChange, ParseError> {
        for (word, change) in [
            ("rises", WireChange::Rises),
            ("falls", WireChange::Falls),
            ("changes", WireChange::Changes),
        ] {
            if self.takes_word(word) {
                return Ok(change);
            }
        }
        if !self.takes("=") {
            return Err(self.expected("rises, falls, changes or '='"));
        }
        let number = self.parse_place("numbers")?.number;
        Ok(WireChange::Becomes(number.into()))
    }

    /// Returns true if an operand is next, and not the end of the event.
    fn has_operand(&mut self) -> bool {
        self.tokens.peek().is_some_and(|token| !is_word(token, "if"))
    }

    /// Takes the next token if it is this word and a name follows. Otherwise the word may be a
    /// label.
    fn takes_verb(&mut self, verb: &str) -> bool {
        let end = self.at() + verb.len();
        let next = self.text.get(end..).unwrap_or_default().split_whitespace().next();
        let name = next.filter(|it| *it != "if" && it.starts_with(char::is_alphabetic));
        name.is_some() && self.takes_word(verb)
    }

    /// Parses the name of a wire, such as `PCL.3`. Also returns the byte at which it starts.
    fn parse_wire_name(&mut self) -> (usize, &'a str) {
        let start = self.at();
        let mut words = self.text[start..].split(|c: char| c.is_whitespace() || c == '=');
        let name = words.next().unwrap_or_default();
        while self.next_if(|token| token.start < start + name.len()).is_some() {}
        (start, name)
    }

    /// Takes `p.asm:`, which comes before the number of a line. Returns the number of the file,
    /// which can be named without its folder.
    fn takes_file(&mut self) -> Result<Option<u16>, ParseError> {
        let start = self.at();
        let word = self.text[start..].split_whitespace().next().unwrap_or_default();
        let file = word.rsplit_once(':').map(|(file, _)| file);
        let Some(file) = file.filter(|file| file.contains('.')) else { return Ok(None) };
        let files = self.scope.image.source_map().files();
        let names: Vec<&str> = files.iter().map(|it| &*it.name).collect();
        let number = names.iter().position(|name| {
            let folder = name.strip_suffix(file);
            folder.is_some_and(|it| it.is_empty() || it.ends_with(['/', '\\', ':']))
        });
        let number = number.ok_or_else(|| self.unknown(file, start, &names))?;
        while self.next_if(|token| token.start <= start + file.len()).is_some() {}
        Ok(Some(number as u16))
    }

    /// Takes the next token if it is the name of a routine and not also the name of a symbol.
    /// Returns the first instruction of the routine.
    fn takes_routine(&mut self) -> Option<RomIndex> {
        let name = self.tokens.peek().filter(|token| token.kind == TokenKind::Name)?.text;
        let routines = self.scope.image.routines().list();
        let routine = routines.iter().find(|routine| routine.name == name)?;
        let entry = routine.indexes.first().copied();
        if self.scope.symbol(name).is_none() {
            self.next_if(|_| true);
            return entry;
        }
        None
    }
}
