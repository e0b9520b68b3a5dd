//! From text to syntax tree: line by line through the grammar, then lines into blocks.
//!
//! A line with an error is reported and replaced by what can still be told of it, so that it does
//! not drag others along.

mod blocks;
mod expected;
mod expression;
mod guard;
mod line;
mod plain;
mod routine;

pub(crate) use self::line::DIRECTIVES;
use crate::diagnostic::Diagnostic;
use crate::limits::{ERRORS_MAX, EXPRESSION_DEPTH_MAX, LINE_BYTES_MAX, NESTING_MAX};
use crate::names::Names;
use crate::problem::Problem;
use crate::source::{FileId, Location, Span};
use crate::syntax::{Items, Line};

/// What may stand between tokens.
const BLANKS: [char; 2] = [' ', '\t'];
#[derive(pest_derive::Parser)]
#[grammar = "parse/grammar.pest"]
struct Grammar;

/// Parses a file.
pub(crate) fn parse(file: FileId, text: &str, names: &mut Names) -> (Items, Vec<Diagnostic>) {
    let mut parser = Parser { file, names, base: 0, diagnostics: Vec::new() };
    let mut blocks = blocks::Builder::default();
    let mut start = 0;
    for raw in text.split_inclusive('\n') {
        let line = raw.strip_suffix('\n').unwrap_or(raw);
        let line = line.strip_suffix('\r').unwrap_or(line);
        parser.base = start;
        start += raw.len() as u32;
        let line = parser.line(line);
        blocks.push(line, &mut parser);
    }
    let items = blocks.finish(&mut parser);
    (items, parser.diagnostics)
}

/// What the parsing of a file has to remember.
struct Parser<'a> {
    file: FileId,
    names: &'a mut Names,
    /// Where the line at hand starts in the file.
    base: u32,
    diagnostics: Vec<Diagnostic>,
}

impl Parser<'_> {
    /// Parses a line, without its end.
    fn line(&mut self, text: &str) -> Line {
        // Most lines of many programs are empty, or comments from the first character on.
        if text.is_empty() {
            return self.empty_line();
        }
        let comment = match guard::check(text) {
            Ok(comment) => comment,
            Err(refusal) => {
                self.report(self.span(refusal.at), &refusal.problem);
                return self.salvage(guard::harmless_prefix(text));
            }
        };
        let whole = self.span(0..text.len());
        let comment_span = comment.map(|start| self.span(start..text.len()));
        // The grammar takes its time for each blank and each letter, so it sees none of a comment.
        let code = text[..comment.unwrap_or(text.len())].trim_end_matches(BLANKS);
        let trimmed = code.trim_start_matches(BLANKS);
        self.base += (code.len() - trimmed.len()) as u32;
        let line = if trimmed.is_empty() { self.empty_line() } else { self.code(trimmed) };
        Line { span: whole, comment: comment_span, ..line }
    }

    /// The part of a line that is neither comment nor blanks around.
    fn code(&mut self, text: &str) -> Line {
        if let Some(line) = self.plain_line(text) {
            return line;
        }
        // Most lines have no label, and to look for one costs as much as to read the statement.
        self.by_grammar(if text.contains(':') { Rule::line } else { Rule::unlabeled }, text)
    }

    fn by_grammar(&mut self, rule: Rule, text: &str) -> Line {
        match <Grammar as pest::Parser<Rule>>::parse(rule, text) {
            Ok(pairs) => self.line_of(pairs),
            Err(error) => {
                let (at, problem) = expected::explain(&error, text);
                self.report(self.span(at), &problem);
                self.salvage(text)
            }
        }
    }

    fn empty_line(&self) -> Line {
        let span = Span { start: self.base, end: self.base };
        Line { span, labels: Vec::new(), statement: None, comment: None }
    }

    /// A stretch of the line at hand as a stretch of the file.
    fn span(&self, at: std::ops::Range<usize>) -> Span {
        Span { start: self.base + at.start as u32, end: self.base + at.end as u32 }
    }

    fn report(&mut self, span: Span, problem: &Problem) {
        self.report_with(span, problem, |diagnostic| diagnostic);
    }

    /// Reports a problem with something added to it.
    fn report_with(
        &mut self,
        span: Span,
        problem: &Problem,
        add: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        // A file of garbage must not fill the memory with complaints.
        if self.diagnostics.len() <= ERRORS_MAX {
            self.diagnostics.push(add(problem.at(Location { file: self.file, span })));
        }
    }
}
