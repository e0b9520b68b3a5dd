//! The formatter: sources in one style. It changes blanks, breaks lines after long labels, and
//! normalises the case of mnemonics and directives; everything else stays as it is.
//!
//! - Labels start in the first column, instructions in the ninth, their operands in the
//!   fourteenth. A label too long to stand before its instruction gets a line of its own.
//! - Directives and constants start in the first column, in a block two further right for each
//!   level, but not beyond instructions.
//! - Blanks stand around operators between two operands and behind commas; none in names.
//! - Comments behind statements start in the 33rd column, or further right if one of the lines
//!   around is longer. Lines of comment at the left edge stay there.
//! - At most one line in a row is empty.

mod line;
mod rows;

use std::ops::Range;

use gray1_isa::source_text::lines;

use self::line::{Line, Statement};
use self::rows::{Row, RowCode};
use crate::diagnostic::Diagnostic;
use crate::directives::Role;
use crate::limits::{LINE_BYTES_MAX, SOURCE_BYTES_MAX, SOURCE_LINES_MAX};
use crate::names::Names;
use crate::parse;
use crate::problem::Problem;
use crate::source::{Files, InputFile, Source};

/// The column of instructions.
const CODE_COLUMN: usize = 8;
/// The indentation of a block in what is around it, in columns.
const INDENT: usize = 2;
/// The most that moving code and comment apart may add to a line, in columns.
const SLACK: usize = 128;

/// A source in the one style. It assembles to the same image, but for the lines of the source map.
///
/// The source joins `files`, in which the places of the errors are.
///
/// # Errors
/// If the source has errors of syntax: all of these.
pub fn format(source: Source, files: &mut Files) -> Result<String, Vec<Diagnostic>> {
    let name = source.name.clone();
    let refuse = |problem: Problem| vec![Diagnostic::error(format!("{name}: {problem}"))];
    check_size(&source.text).map_err(refuse)?;
    let file = files.add(InputFile::new(source)).ok_or_else(|| refuse(Problem::TooManyFiles))?;
    let text = files.get(file).text();
    let (_, errors) = parse::parse(file, &files.get(file).lines, &mut Names::default());
    if !errors.is_empty() {
        return Err(errors);
    }
    let formatted = styled(text);
    check_size(&formatted).map_err(refuse)?;
    Ok(formatted)
}

/// The lines of a part of a source in the one style. A line with a mistake stays as it is, and so
/// does a text that is too large. The blocks around are told by the indentation.
#[must_use]
pub fn format_lines(text: &str) -> String {
    let depth = lines(text).find_map(depth_before).unwrap_or(0);
    format_part(text, depth, 0..usize::MAX).unwrap_or_else(|| text.to_owned())
}

/// Some lines of a source, counted from 0, in the style that they have among the others. A line
/// with a mistake stays as it is. `None` for a source that is too large.
#[must_use]
pub fn format_range(text: &str, part: Range<usize>) -> Option<String> {
    format_part(text, 0, part)
}

/// The lines `part` of a text whose first line is in so many blocks.
fn format_part(text: &str, mut depth: usize, part: Range<usize>) -> Option<String> {
    check_size(text).ok()?;
    let mut rows = Vec::new();
    let (mut before, mut end) = (0, 0);
    for (number, line) in lines(text).enumerate() {
        if parse::is_well_formed(line) {
            add_line(line, &mut depth, &mut rows);
        } else {
            rows.push(Row::Raw(line));
        }
        before = if number < part.start { rows.len() } else { before };
        end = if number < part.end { rows.len() } else { end };
    }
    Some(rows::text(rows, line_end(text), before..end))
}

/// The assembler takes no more than this, so the formatter makes no more of it.
fn check_size(text: &str) -> Result<(), Problem> {
    if text.len() > SOURCE_BYTES_MAX {
        return Err(Problem::SourceTooLarge);
    }
    if lines(text).count() > SOURCE_LINES_MAX {
        return Err(Problem::SourceTooLong);
    }
    Ok(())
}

/// A text without errors in the one style.
pub(crate) fn styled(text: &str) -> String {
    let mut rows = Vec::new();
    let mut depth = 0;
    lines(text).for_each(|line| add_line(line, &mut depth, &mut rows));
    rows::trim(&mut rows);
    rows::text(rows, line_end(text), 0..usize::MAX)
}

fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Adds the rows of a line.
fn add_line<'a>(text: &'a str, depth: &mut usize, rows: &mut Vec<Row<'a>>) {
    let Line { labels, statement, comment, comment_column } = Line::read(text);
    let code = statement.map(|statement| placed(statement, depth));
    let length = labels.len() + code.as_ref().map_or(0, RowCode::len) + comment.map_or(0, str::len);
    if length + SLACK > LINE_BYTES_MAX {
        // With blanks it might be longer than the assembler allows.
        return rows.push(Row::Raw(text.trim_end()));
    }
    let (code, alone) = with_labels(labels, code);
    rows.extend(alone.map(|labels| Row::code(RowCode::plain(0, labels))));
    match (code, comment) {
        (Some(code), comment) => rows.push(Row::Code { code, comment, comment_column }),
        (None, Some(comment)) => rows.push(Row::Comment { text: comment, column: comment_column }),
        // One of the empty lines that follow each other stays.
        (None, None) if matches!(rows.last(), Some(Row::Blank)) => {}
        (None, None) => rows.push(Row::Blank),
    }
}

/// The depth of the blocks before a line, if the line tells: directives and constants are indented
/// by it.
fn depth_before(text: &str) -> Option<usize> {
    let code = text.trim_start_matches([' ', '\t']);
    let indent = line::column(&text[..text.len() - code.len()]);
    let statement = Line::read(code).statement.filter(|it| it.role != Role::Code)?;
    // In the column of code they are not indented in this style.
    Some(if indent < CODE_COLUMN { indent / INDENT + usize::from(statement.closes()) } else { 0 })
}

/// A statement in its column.
fn placed(statement: Statement, depth: &mut usize) -> RowCode {
    if statement.role == Role::Code {
        return RowCode::plain(CODE_COLUMN, statement.text);
    }
    *depth = depth.saturating_sub(usize::from(statement.closes()));
    let indent = indent(*depth);
    *depth += usize::from(statement.opens());
    RowCode { indent, text: statement.text, value: statement.value }
}

fn indent(depth: usize) -> usize {
    (depth * INDENT).min(CODE_COLUMN)
}

/// Puts labels before a statement, if they fit; gives back those that need a line of their own.
fn with_labels(labels: String, code: Option<RowCode>) -> (Option<RowCode>, Option<String>) {
    match code {
        _ if labels.is_empty() => (code, None),
        None => (Some(RowCode::plain(0, labels)), None),
        Some(RowCode { indent: CODE_COLUMN, text, value: None })
            if labels.chars().count() < CODE_COLUMN =>
        {
            (Some(RowCode::plain(0, format!("{labels:CODE_COLUMN$}{text}"))), None)
        }
        code => (code, Some(labels)),
    }
}
