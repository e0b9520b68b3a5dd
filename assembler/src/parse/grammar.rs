//! The grammar, and access to the parts of its matches.

use std::iter::Peekable;
use std::ops::Range;

use pest::error::Error;
use pest::iterators::{Pair, Pairs};

#[derive(pest_derive::Parser)]
#[grammar = "parse/grammar.pest"]
struct Grammar;

/// A match of one of the grammar's rules.
pub(super) type Match<'i> = Pair<'i, Rule>;

/// Parses source by one of the grammar's rules for lines.
pub(super) fn read(rule: Rule, text: &str) -> Result<Parts<'_>, Box<Error<Rule>>> {
    let mut lines = <Grammar as pest::Parser<Rule>>::parse(rule, text).map_err(Box::new)?;
    let parts = lines.next().map_or(lines, Pair::into_inner);
    Ok(Parts { parts: parts.peekable(), whole: 0..text.len() })
}

/// The grammar matched, but a required part is missing. This is a bug in the parser.
#[derive(Debug)]
pub(super) struct MissingPart {
    pub(super) at: Range<usize>,
    /// A description of the bug.
    pub(super) mistake: &'static str,
}

/// The parts of a match, in order.
#[derive(Debug)]
pub(super) struct Parts<'i> {
    parts: Peekable<Pairs<'i, Rule>>,
    /// The range of the match.
    whole: Range<usize>,
}

impl<'i> Parts<'i> {
    /// Returns the parts of a match.
    pub(super) fn new(whole: Match<'i>) -> Self {
        let span = whole.as_span();
        Self { whole: span.start()..span.end(), parts: whole.into_inner().peekable() }
    }

    /// Returns the next part without taking it.
    pub(super) fn peek(&mut self) -> Option<&Match<'i>> {
        self.parts.peek()
    }

    /// Takes the next part if this rule matched it.
    pub(super) fn next_if(&mut self, rule: Rule) -> Option<Match<'i>> {
        self.parts.next_if(|part| part.as_rule() == rule)
    }

    /// Takes the next part, which must exist. `mistake` describes its absence.
    pub(super) fn require(&mut self, mistake: &'static str) -> Result<Match<'i>, MissingPart> {
        self.parts.next().ok_or(MissingPart { at: self.whole.clone(), mistake })
    }
}

impl<'i> Iterator for Parts<'i> {
    type Item = Match<'i>;

    fn next(&mut self) -> Option<Match<'i>> {
        self.parts.next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_part_is_an_error_with_a_position() {
        let mut line = read(Rule::line, "x: LD y").unwrap();
        let mut label = Parts::new(line.next_if(Rule::label).unwrap());
        assert!(label.require("a name has no text").is_ok());
        let MissingPart { at, mistake } = label.require("a label has no second name").unwrap_err();
        assert_eq!((at, mistake), (0..2, "a label has no second name"));
    }
}
