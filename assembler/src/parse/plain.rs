//! Plain lines, `label: WORD operand, …` where operands are sums of names and numbers, read without
//! the grammar, which takes many times as long; most lines of most programs are such. What is not
//! plain is left to the grammar, and so is what is wrong.

use std::ops::Range;
use std::rc::Rc;

use gray1_isa::Op;
use gray1_language::{Binary, number};

use super::line::is_halt;
use super::{BLANKS, Parser};
use crate::syntax::{Argument, Expr, ExprKind, Line, NameExpr, Statement, StatementKind, Symbol};

impl Parser<'_> {
    /// The line that a text without blanks around is, if it is plain.
    pub(super) fn plain_line(&mut self, text: &str) -> Option<Line> {
        let mut line = self.empty_line();
        let mut rest = Rest { text, at: 0 };
        let mut word = rest.name()?;
        while rest.take(b':') {
            if is_reserved(&text[word.clone()]) {
                return None;
            }
            line.labels.push(self.plain_name(text, word));
            if rest.is_empty() {
                return Some(line);
            }
            word = rest.name()?;
        }
        let span = self.span(word.start..text.len());
        line.statement = Some(Statement { span, kind: self.plain_statement(&mut rest, word)? });
        Some(line)
    }

    fn plain_statement(
        &mut self,
        rest: &mut Rest<'_>,
        word: Range<usize>,
    ) -> Option<StatementKind> {
        let mut operands = Vec::new();
        while !rest.is_empty() && (operands.is_empty() || rest.take(b',')) {
            operands.push(Rc::new(self.plain_sum(rest)?));
        }
        if !rest.is_empty() {
            return None;
        }
        let text = &rest.text[word.clone()];
        match (Op::from_mnemonic(text), operands.len()) {
            (Some(op @ Op::Shr), 0) => Some(StatementKind::Instruction { op, operand: None }),
            (Some(Op::Shr), _) => None,
            (Some(op), 1) => Some(StatementKind::Instruction { op, operand: operands.pop() }),
            (Some(_), _) => None,
            (None, count) if is_halt(text) => (count == 0).then_some(StatementKind::Halt),
            (None, _) => {
                let name = self.plain_name(rest.text, word);
                name.name.mention(self.names);
                let argument = |value| Argument { parameter: None, value };
                let arguments = operands.into_iter().map(argument).collect();
                Some(StatementKind::Call { name, arguments })
            }
        }
    }

    /// Names and numbers with `+` and `-` between them.
    fn plain_sum(&mut self, rest: &mut Rest<'_>) -> Option<Expr> {
        let mut sum = self.plain_term(rest)?;
        loop {
            let operator = match rest.next() {
                Some(b'+') => Binary::Add,
                Some(b'-') => Binary::Subtract,
                _ => return Some(sum),
            };
            rest.skip(1);
            let term = self.plain_term(rest)?;
            sum = self.binary(operator, [sum, term]);
        }
    }

    fn plain_term(&mut self, rest: &mut Rest<'_>) -> Option<Expr> {
        let is_number = rest.next()?.is_ascii_digit();
        let at = if is_number { rest.word() } else { rest.name()? };
        if !matches!(rest.next(), None | Some(b',' | b'+' | b'-')) {
            return None;
        }
        let span = self.span(at.clone());
        if is_number {
            let value = number(&rest.text[at]).ok()?;
            return Some(Expr { span, depth: 0, kind: ExprKind::Number(value) });
        }
        let Symbol { name, .. } = self.plain_name(rest.text, at);
        name.mention(self.names);
        Some(Expr { span, depth: 0, kind: ExprKind::Symbol(name) })
    }

    fn plain_name(&mut self, text: &str, at: Range<usize>) -> Symbol {
        let name = NameExpr::Plain(self.names.intern(&text[at.clone()]));
        Symbol { span: self.span(at), name }
    }
}

fn is_reserved(word: &str) -> bool {
    Op::from_mnemonic(word).is_some() || is_halt(word)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// What is still to be read of a line; never starts with a blank.
struct Rest<'a> {
    text: &'a str,
    at: usize,
}

impl Rest<'_> {
    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn is_empty(&self) -> bool {
        self.at == self.text.len()
    }

    /// Goes on by so many bytes, and over the blanks behind them.
    fn skip(&mut self, count: usize) {
        self.at += count;
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(BLANKS).len();
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.next() == Some(byte);
        if is_next {
            self.skip(1);
        }
        is_next
    }

    /// The letters and digits that are next.
    fn word(&mut self) -> Range<usize> {
        let start = self.at;
        let length = self.text[start..].bytes().take_while(|byte| is_word(*byte)).count();
        self.skip(length);
        start..start + length
    }

    /// A name without numbers in braces.
    fn name(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        self.at += usize::from(self.next() == Some(b'@'));
        let first = self.next().filter(|byte| is_word(*byte) && !byte.is_ascii_digit());
        let name = start..self.word().end;
        let is_plain = first.is_some() && self.text.as_bytes().get(name.end) != Some(&b'{');
        is_plain.then_some(name)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Parser, Rule};
    use crate::names::Names;
    use crate::source::FileId;

    /// What a way of reading makes of a line, its names and its complaints included.
    fn read(text: &str, plainly: bool) -> Option<String> {
        let mut names = Names::default();
        let mut parser =
            Parser { file: FileId::ROOT, names: &mut names, base: 7, diagnostics: Vec::new() };
        let line =
            if plainly { parser.plain_line(text)? } else { parser.by_grammar(Rule::line, text) };
        let complaints = parser.diagnostics;
        Some(format!("{line:?} {:?} {complaints:?}", names.all()))
    }

    #[test]
    fn plain_lines_are_read_plainly() {
        for line in [
            "LDI 5",
            "x: @y:\tst x+1-0x_2 - y",
            "SHR",
            "halt",
            "m 1 , a,@b + 2",
            "x:",
            "JMP @x",
            "LD@x",
        ] {
            assert_eq!(read(line, true).is_some(), !line.contains("0x_"), "{line}");
        }
    }

    #[test]
    fn others_are_not() {
        for line in [
            "",
            "add: SHR",
            "SHR 5",
            "LDI",
            "LDI 1, 2",
            "HALT 1",
            "x = 5",
            "m a = 5",
            "LDI -1",
            "LDI a * 2",
            "LDI a(5)",
            "LDI a{5}",
            "a{5}:",
            "LDI 5 5",
            "LDI a b",
            "LDI 5,",
            ".pool",
            "5",
            "@5: SHR",
            "LD #5",
            "LDI 5x",
            "é",
            "LDI é",
            "LDI 'a'",
            "m == 5",
        ] {
            assert_eq!(read(line, true), None, "{line}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn both_ways_come_to_the_same(
            pieces in prop::collection::vec(prop::sample::select(&[
                "LDI", "st", "SHR", "HALT", "m", "x", "y", "@x", "5", "0x1f", "9x", "_", "+", "-",
                ",", ":", " ", " ", "\t", "=", "{1}", "(", "#", "*", "12345678901234567890",
            ][..]), 0..9)
        ) {
            let text = pieces.concat();
            let text = text.trim_matches(crate::parse::BLANKS);
            if let Some(plain) = read(text, true) {
                prop_assert_eq!(Some(plain), read(text, false), "{}", text);
            }
        }
    }
}
