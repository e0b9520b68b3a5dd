//! Help for habits from other assemblers: shows how to write such a line in this language. It only
//! looks at lines and words that are already wrong.

use std::ops::Range;

use gray1_language::{Token, TokenKind, is_plain_name};

use crate::diagnostic::Help;
use crate::directives::{self, Directive};
use crate::keywords::Mnemonic;
use crate::line_parts::LineParts;
use crate::source::Location;

const COMMENT: &str = "a comment starts with `;`";
/// The comment mark of C.
const SLASHES: &str = "//";
/// The reason why an operand cannot be a pointer.
pub(crate) const NO_INDIRECTION: &str =
    "there is no indirect addressing: the operand is the address itself";

/// Words of other assemblers in lower case, without marks such as a leading dot, each with advice
/// about what to write instead. The words in the first rows come after the name that they define.
/// Those in the next rows have a number as an operand.
#[rustfmt::skip]
const WORDS: [(&[&str], &str); 26] = [
    (&["equ", "set", "defc", "define"], "define a constant with `NAME = value`"),
    (&["db", "dw", "dc", "byte", "fcb", "fdb", "defb", "defw", "ascii", "asciz", "string"],
        "a program fills data memory itself: reserve a byte with `.var name` and store to it, or \
         write `#5` for a byte that `.pool` initialises to 5"),
    (&["ds", "res", "rmb", "resb", "defs", "space", "skip", "block"],
        "`.var name, size` reserves data memory"),
    (&["addi", "addiu", "adi"], "`ADD #5` adds the number 5"),
    (&["subi", "sui"], "`ADD #-5` subtracts the number 5"),
    (&["nandi", "andi", "ani"],
        "`NAND #5` combines A with the number 5; `lib/std.asm` has a macro `and`"),
    (&["li", "lui", "movi", "mvi"], "`LDI 5` loads the number 5 into A"),
    (&["text", "data", "bss", "code", "section", "segment", "area", "cseg", "dseg"],
        "there are no sections: instructions go to program memory, every `.var` to data memory"),
    (&["global", "globl", "extern", "export", "import", "public"],
        "all files of a program share their names; `.include \"file\"` includes one"),
    (&["endm", "mend", "endmac"], "`.endmacro` ends a macro"),
    (&["rept", "rep", "dup"], "`.repeat count` repeats the lines up to `.endrepeat`"),
    (&["endr"], "`.endrepeat` ends a repeat"),
    (&["end", "stop", "hlt", "brk"], "`HALT` ends a program"),
    (&["nop"], "`JMP $ + 1` does nothing"),
    (&["mov", "move", "lda", "sta", "ldr", "str", "load", "store"],
        "`LD` and `ST` move a byte between A and memory; `LDI` loads a number"),
    (&["sub", "sbc"], "`lib/std.asm` has a macro `subtract`"),
    (&["cmp", "cp"], "`lib/std.asm` has a macro `compare`"),
    (&["inc", "dec"], "`lib/std.asm` has macros `increment` and `decrement`"),
    (&["shl", "sla", "asl", "lsl"], "adding a byte to itself shifts it left"),
    (&["lsr", "srl"], "`SHR` shifts A to the right"),
    (&["jz", "jnz", "jeq", "jne", "bra", "br", "goto"],
        "`JMP` jumps, `JC` only if C is 1; `lib/std.asm` has macros that branch, such as `bz`"),
    (&["jnc", "bcc"], "`lib/std.asm` has a macro `bnc`, which branches if C is 0"),
    (&["bcs"], "`JC` jumps if C is 1"),
    (&["jsr", "bsr", "gosub"], "`.routine name(…)` defines a routine, `.call name(…)` calls it"),
    (&["ret", "rts"], "`.endroutine` ends a routine, `.return` returns before its end"),
    (&["push", "pop", "pha", "pla"], "there is no stack; reserve a byte with `.var name`"),
];

/// The number of rows at the start of [`WORDS`] whose words come after the name that they define.
const DEFINING_WORDS: usize = 3;
/// The number of rows after these whose words have a number as an operand.
const IMMEDIATE_WORDS: usize = 4;

/// Returns the name that starts a statement and must be a label without its colon, because an
/// instruction or a directive follows. A name at the start of a line also counts as such a label if
/// two words follow it that look like a macro call.
pub(crate) fn label_without_colon<'t, 'a>(statement: &'t [Token<'a>]) -> Option<&'t Token<'a>> {
    let [label, word, rest @ ..] = statement else { return None };
    let is_name = label.kind == TokenKind::Name && Mnemonic::from_name(label.text).is_none();
    let are_own = [label, word].iter().all(|token| find(&WORDS, token.text).is_none());
    let operand = rest.first().filter(|it| [TokenKind::Name, TokenKind::Number].contains(&it.kind));
    let is_call = label.start == 0 && operand.is_some() && are_own;
    let is_statement = match word.kind {
        TokenKind::Directive => directives::find(word.text).is_some(),
        // Lines such as `macro add` or `shift add = 5` have other mistakes.
        TokenKind::Name => {
            (Mnemonic::from_name(word.text).is_some() || is_call)
                && find_undotted_directive(label.text).is_none()
                && !rest.first().is_some_and(|next| next.is("="))
        }
        _ => false,
    };
    (is_name && is_statement).then_some(label)
}

/// Returns the name that a line such as `FIVE EQU 5` would define.
pub(crate) fn defined_name<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<&'t Token<'a>> {
    let [name, word, ..] = LineParts::new(tokens).statement else { return None };
    let defines = find(&WORDS[..DEFINING_WORDS], word.text).is_some();
    let is_name = is_plain_name(name.text) && Mnemonic::from_name(name.text).is_none();
    (defines && is_name).then_some(name)
}

/// Returns help for a malformed line. `place` converts a range of the line to a location.
pub(crate) fn help_with_line(
    tokens: &[Token<'_>],
    place: impl Fn(Range<usize>) -> Location,
) -> Option<Help> {
    let statement = LineParts::new(tokens).statement;
    let [first, rest @ ..] = statement else { return None };
    let at = |token: &Token<'_>| place(token.start..token.end());
    let comment = |mark: Range<usize>, text| Help::edit(COMMENT, place(mark), text, ";");
    if first.is("#") {
        let word = rest.first().and_then(|second| help_with_name(second.text, at(second)));
        return word.or_else(|| Some(comment(first.start..first.end(), "#")));
    }
    if let Some([slash, _]) = statement.windows(2).find(|pair| is_slashes(pair)) {
        return Some(comment(slash.start..slash.start + SLASHES.len(), SLASHES));
    }
    let second = rest.first().map_or("", |second| second.text);
    if let Some(register) = find_register(statement) {
        let number = find(&WORDS[DEFINING_WORDS..][..IMMEDIATE_WORDS], first.text);
        return Some(number.map_or_else(|| help_with_register(first.text, register), Help::from));
    }
    let advice = if statement.iter().any(|token| token.is("[")) {
        Some(NO_INDIRECTION)
    } else if second == "$" {
        // A register, as in `addi $4, 5`, looks like a hexadecimal number.
        find(&WORDS[DEFINING_WORDS..][..IMMEDIATE_WORDS], first.text)
    } else {
        // A line such as `FIVE EQU 5`.
        find(&WORDS[..DEFINING_WORDS], second)
    };
    advice
        .map(Help::from)
        .or_else(|| help_with_directive(first.text, at(first)))
        .or_else(|| statement.windows(2).find_map(|pair| help_with_mark(pair, &place)))
}

/// Returns the first register of another machine in a line such as `beq $t0, $zero, loop`. The
/// operand of an instruction of this machine, such as `LD $a0`, is rather a hexadecimal number.
fn find_register<'a>(statement: &[Token<'a>]) -> Option<&'a str> {
    let is_own = Mnemonic::from_name(statement[0].text).is_some();
    let registers = statement.windows(2).filter(|pair| pair[0].is("$")).map(|pair| pair[1].text);
    let mut registers = registers.filter(|name| match name.as_bytes() {
        [b't' | b's' | b'v' | b'k', b'0'..=b'9'] => true,
        [b'a', b'0'..=b'3'] => !is_own,
        _ => ["zero", "at", "gp", "sp", "fp", "ra"].contains(name),
    });
    registers.next()
}

/// Returns help for an instruction with this register.
fn help_with_register(word: &str, register: &str) -> Help {
    let (name, text) = match register {
        "zero" => ("x", "write `#0` for the number 0".to_owned()),
        name => (name, format!("reserve a byte with `.var {name}`, and write `{name}` for it")),
    };
    let word = word.to_ascii_lowercase();
    let call = ["beq", "bne", "blt", "bge"].contains(&&*word).then(|| {
        format!(
            "; `{word} {name}, #5, loop` compares it with 5, with the macro `{word}` of `lib/std.asm`"
        )
    });
    format!("A is the only register: {text}{}", call.unwrap_or_default()).into()
}

/// Returns help for a label without its colon.
pub(crate) fn help_with_label(name: &str, at: Location) -> Help {
    Help::edit(format!("for a label, write `{name}:`"), at, name, format!("{name}:"))
}

/// Returns help for an unknown mnemonic.
pub(crate) fn help_with_name(word: &str, at: Location) -> Option<Help> {
    find_advice(word).map(Help::from).or_else(|| help_with_directive(word, at))
}

/// Returns help for an unknown directive.
pub(crate) fn find_advice(word: &str) -> Option<&'static str> {
    find(&WORDS, word)
}

fn find(table: &[(&[&str], &'static str)], word: &str) -> Option<&'static str> {
    let word = word.trim_start_matches('.').to_ascii_lowercase();
    let found = table.iter().find(|(words, _)| words.contains(&&*word));
    found.map(|(_, help)| *help)
}

/// Returns help for the name of a directive that lacks its dot.
fn help_with_directive(word: &str, at: Location) -> Option<Help> {
    Some(Help::did_you_mean(word, at, find_undotted_directive(word)?.name()))
}

/// Returns the directive whose name lacks its dot.
fn find_undotted_directive(word: &str) -> Option<&'static Directive> {
    directives::find(&format!(".{word}"))
}

/// Returns help for a number in a form such as `0FFh`, `101b` or `1F`.
pub(crate) fn help_with_number(text: &str, at: Location) -> Option<Help> {
    let (advice, number) = convert_number(text)?;
    Some(Help::edit(advice, at, text, number))
}

/// Converts a number in a form such as `0FFh` to this language. Returns the advice and the correct
/// spelling.
fn convert_number(text: &str) -> Option<(String, String)> {
    let all = |text: &str, radix| !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
    if let Some(bits) = text.strip_suffix(['b', 'B'])
        && all(bits, 2)
    {
        return Some(spell_binary(bits));
    }
    if let Some(digits) = text.strip_suffix(['h', 'H']) {
        return all(digits, 16).then(|| spell_hexadecimal(digits));
    }
    let is_prefixed = text.starts_with("0b") || text.starts_with("0B");
    (all(text, 16) && !is_prefixed).then(|| spell_hexadecimal(text))
}

/// Returns help for a name that looks like a number of another assembler, such as `FFh`.
pub(crate) fn help_with_number_like_name(name: &str, at: Location) -> Option<Help> {
    name.ends_with(['h', 'H']).then(|| help_with_number(name, at)).flatten()
}

/// Returns help for `$FF` and `%1010`: a mark and a number without a blank between them.
fn help_with_mark(pair: &[Token<'_>], place: impl Fn(Range<usize>) -> Location) -> Option<Help> {
    let [mark, digits] = pair else { return None };
    let all = |radix| digits.text.chars().all(|c| c.is_digit(radix));
    if mark.end() != digits.start {
        return None;
    }
    let (advice, number) = match mark.text {
        "$" if all(16) => spell_hexadecimal(digits.text),
        "%" if all(2) => spell_binary(digits.text),
        _ => return None,
    };
    let (at, old) = (place(mark.start..digits.end()), format!("{}{}", mark.text, digits.text));
    Some(Help::edit(advice, at, old, number))
}

/// Returns help for an instruction with one operand too many. `operand` is its first one.
pub(crate) fn explain_first_operand(operand: &str) -> Option<String> {
    let is_accumulator = operand.eq_ignore_ascii_case("a");
    is_accumulator.then(|| "A is the only register, so it is not written".to_owned())
}

fn spell_hexadecimal(digits: &str) -> (String, String) {
    let number = format!("0x{:0>1}", digits.trim_start_matches('0'));
    (format!("a hexadecimal number starts with `0x`: `{number}`"), number)
}

fn spell_binary(digits: &str) -> (String, String) {
    let number = format!("0b{digits}");
    (format!("a binary number starts with `0b`: `{number}`"), number)
}

fn is_slashes(pair: &[Token<'_>]) -> bool {
    matches!(pair, [first, second] if first.is("/") && second.is("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_get_no_help_for_another_assembler() {
        for (words, _) in WORDS {
            for word in words {
                assert!(Mnemonic::from_name(word).is_none(), "{word}");
                assert!(directives::find(&format!(".{word}")).is_none(), "{word}");
            }
        }
    }
}
